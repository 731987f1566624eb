"""A System as plain data: mappings, lists, texts and numbers, to the last bit; what is not data is refused by name.

Fields that have their default are left out, and so is the type where it goes without saying.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from gudgeon.checks import shown
from gudgeon.crosses import is_made, is_replaced
from gudgeon.errors import ModelError
from gudgeon.files.kinds import Shape, fields, types
from gudgeon.files.yaml_text import Misfit, Path
from gudgeon.marked import as_given
from gudgeon.quantities import Unit

INERTIA = Unit("kg·m²")


def described(system: Any) -> dict[str, Any]:
    """A System as plain data; ModelError names what cannot be written, and where it is.

    >>> import gudgeon as gd
    >>> described(gd.examples.spatial_four_bar())["joints"]["A"]
    {'type': 'Revolute', 'parent': 'ground', 'child': 'crank', 'at': [0.0, 0.0, 0.0], 'axis': [1.0, 0.0, 0.0]}
    """
    try:
        data = _object(system, Shape(classes=(type(system),)), ())
        assert isinstance(data, dict)
        return data
    except Misfit as error:
        place = ".".join(map(str, error.path))
        raise ModelError(f"System {system.name!r} cannot be written: {place}: {error}") from None


def _plain(value: Any, shape: Shape, path: Path) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _text(value, path)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, int | float):
        return value
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        inner = shape.named or Shape()
        for name, part in value.items():
            if is_replaced(part):
                raise Misfit(
                    (*path, name),
                    f"its model {type(part.model).__name__} replaces that of the cross, of which a file has the whole "
                    "only; give the universal joint its model again",
                )
        return {
            _text(name, path): _plain(as_given(part), inner, (*path, name))
            for name, part in value.items()
            if not is_made(part)
        }
    if isinstance(value, tuple | list):
        items = shape.items
        shapes = [items[0]] * len(value) if shape.any_count else items if len(items) == len(value) else ()
        shapes = shapes or [Shape()] * len(value)
        plain = [_plain(part, inner, (*path, k)) for k, (part, inner) in enumerate(zip(value, shapes, strict=True))]
        return _principal(plain) if shape.unit == INERTIA else plain
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _object(value, shape, path)
    if callable(value):
        name = getattr(value, "__qualname__", type(value).__name__)
        raise Misfit(path, f"{name} is a Python function; give an expression in t or a law of gd.laws instead")
    raise Misfit(path, f"{shown(value)} is a {type(value).__name__}, which a file does not know")


def _object(value: Any, shape: Shape, path: Path) -> dict[str, Any] | str:
    kind = type(value)
    if kind not in types().values():
        raise Misfit(path, f"{kind.__qualname__} is a class of your own; files know the types of gudgeon only")
    data: dict[str, Any] = {} if shape.usual is kind else {"type": kind.__name__}
    for name, field in fields(kind).items():
        part = getattr(value, name)
        if not _same(part, field.default):
            data[name] = _plain(part, field.shape, (*path, name))
    return kind.__name__ if list(data) == ["type"] else data


def _text(text: str, path: Path) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Misfit(path, f"{text!r} has half a character (a lone surrogate); give another name") from None
    return text


def _principal(matrix: list[list[float]]) -> list[Any]:
    """An inertia as its three principal values, where the axes are the body's."""
    diagonal = [matrix[k][k] for k in range(3)]
    return diagonal if np.array_equal(matrix, np.diag(diagonal)) else matrix


def _same(value: Any, default: Any) -> bool:
    """Whether a field has its default, which is then not written."""
    if isinstance(value, np.ndarray) or isinstance(default, np.ndarray):
        return False
    if isinstance(value, tuple | Mapping) and not value:
        return not default
    return (type(value) is type(default) or isinstance(value, tuple)) and value == default
