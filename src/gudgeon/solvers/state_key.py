"""What a state belongs to: a digest of a system, a solver and all that decides how it steps."""

from __future__ import annotations

import dataclasses
import hashlib
import os
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from gudgeon.code_digest import digest
from gudgeon.system import System


def state_key(system: System, *settings: Any) -> str:
    """A digest of the description but for its start and its looks, and of settings.

    >>> import gudgeon as gd
    >>> from gudgeon.solvers.state_key import state_key
    >>> system = gd.examples.spatial_four_bar()
    >>> state_key(system, gd.Explicit()) == state_key(system, gd.Explicit(rtol=1e-9))
    False
    """
    return key_of(kernels_key(), dataclasses.replace(system, start={}), *settings)


def key_of(*parts: Any) -> str:
    """A digest of descriptions, functions and numbers: the same in every process."""
    sha = hashlib.sha256()
    for part in parts:
        for piece in _pieces(part):
            sha.update(piece)
            sha.update(b";")
    return sha.hexdigest()


@cache
def kernels_key() -> bytes:
    """A digest of the code that steps: other code, other bits."""
    build = ".strict" if os.environ.get("GUDGEON_STRICT") == "1" else ""  # BUILD of kernels/build/compiled.py
    return digest(build.encode(), *(file.read_bytes() for file in kernel_files()))


def kernel_files() -> list[Path]:
    """The sources of all kernels."""
    from gudgeon import kernels

    return sorted(Path(kernels.__path__[0]).rglob("*.py"))


def _pieces(value: Any) -> Iterator[bytes]:
    """A description in bytes, part by part: equal descriptions give equal bytes, in every process."""
    if value is None or isinstance(value, bool | int | float | str | bytes | np.generic):
        yield repr(value).encode()
    elif isinstance(value, np.ndarray):
        yield f"{value.dtype}{value.shape}".encode()
        yield np.ascontiguousarray(value).tobytes()
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield repr(key).encode()
            yield from _pieces(item)
    elif isinstance(value, tuple | list):
        yield f"{len(value)}".encode()
        for item in value:
            yield from _pieces(item)
    elif hasattr(value, "__code__"):
        yield f"{value.__module__}.{value.__qualname__}".encode()
        yield value.__code__.co_code
        yield from _pieces([item for item in value.__code__.co_consts if not hasattr(item, "co_code")])
        yield from _pieces([cell.cell_contents for cell in value.__closure__ or ()])
    elif isinstance(value, type):
        yield f"{value.__module__}.{value.__qualname__}".encode()
    else:
        yield f"{type(value).__module__}.{type(value).__qualname__}".encode()
        names = vars(value)
        if dataclasses.is_dataclass(value):
            names = [each.name for each in dataclasses.fields(value) if "looks" not in each.metadata]
        for name in names:
            yield from _pieces((name, getattr(value, name)))
