"""What a model file may say: the types it may name and what their fields take, read off the library's own dataclasses.

Types are the public names of `gudgeon`, `gudgeon.laws`, `gudgeon.fem` and `gudgeon.nurbs`; fields, defaults and units
are those of their dataclasses. Nothing is listed twice.
"""

from __future__ import annotations

import dataclasses
import inspect
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gudgeon.checks import Quaternion
from gudgeon.files.surfaces import face, moved
from gudgeon.public_names import homes
from gudgeon.quantities import PerArea, Unit

PACKAGES = ("gudgeon", "gudgeon.laws", "gudgeon.fem", "gudgeon.nurbs")
NOT_DESCRIBED = (  # what is computed, and how
    "gudgeon.analysis",
    "gudgeon.errors",
    "gudgeon.responses",
    "gudgeon.results",
    "gudgeon.sweeps",
    "gudgeon.topology",
    "gudgeon.wearing",
)
OWN = ("ContactLaw", "FrictionLaw", "FilmLaw", "LineLaw", "ForceModel")  # bases of a user's own classes
REQUIRED = dataclasses.MISSING
FREE = Any, np.ndarray, ArrayLike  # annotations of numbers in rows


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What a field takes: any of these."""

    unit: Unit | None = None  # of its numbers
    none: bool = False
    number: bool = False
    whole: bool = False
    yes_no: bool = False
    text: bool = False
    expression: bool = False  # in the time t
    path: bool = False  # of a file beside the model
    words: tuple[str, ...] = ()
    classes: tuple[type, ...] = ()  # these and what is derived from them
    items: tuple[Shape, ...] = ()  # a list of so many
    any_count: bool = False  # a list of any number of `items[0]`
    quaternion: bool = False
    named: Shape | None = None  # a mapping from names
    rows: bool = False  # numbers and lists of them, as the type itself checks

    @property
    def types(self) -> dict[str, type]:
        """The types it takes, by name."""
        return _types_of(self.classes)

    @property
    def makers(self) -> dict[str, Callable[..., Any]]:
        """The functions that make what it takes, by name."""
        is_stiffness = self.number and self.unit is not None and self.unit.name.startswith("N/m")
        return _makers_of((*self.classes, *([float] if is_stiffness else [])))

    @property
    def usual(self) -> type | None:
        """The type that need not be named: the only one, or the one that others are derived from."""
        known = list(self.types.values())
        base = [kind for kind in self.classes if kind in known]
        return known[0] if len(known) == 1 else base[0] if len(self.classes) == len(base) == 1 else None


@dataclass(frozen=True, kw_only=True)
class Field:
    """A field of a type, or an argument of a function."""

    name: str
    shape: Shape
    default: Any = REQUIRED
    per_area: bool = False  # forces of the law in it are pressures


@cache
def types() -> dict[str, type]:
    """The types that a model file may name; of two that are called alike, the second has its package in front.

    >>> from gudgeon.files.kinds import types
    >>> types()["Dry"].__name__
    'Dry'
    """
    found: dict[str, type] = {}
    for package in PACKAGES:
        module = import_module(package)
        kept_in = homes(module.__file__) if package in ("gudgeon", "gudgeon.nurbs") else {}
        for name in module.__all__:
            if name[0].isupper() and name not in OWN and not kept_in.get(name, "").startswith(NOT_DESCRIBED):
                value = getattr(module, name)
                if dataclasses.is_dataclass(value):
                    key = f"{package.rpartition('.')[2]}.{name}" if found.get(name, value) is not value else name
                    found[key] = typing.cast("type", value)
    return found


@cache
def makers() -> dict[str, Callable[..., Any]]:
    """Functions that a model file may call by name: constructors of types, and of numbers from numbers.

    >>> from gudgeon.files.kinds import makers
    >>> "Mesh.rectangle" in makers(), "sphere_in_socket" in makers()
    (True, True)
    """
    found: dict[str, Callable[..., Any]] = {}
    kinds = set(types().values())
    for kind in types().values():
        for word, value in inspect.getmembers(kind, inspect.ismethod):  # class methods
            if not word.startswith("_") and _made_by(value) in kinds:
                found[f"{kind.__name__}.{word}"] = value
    laws = import_module("gudgeon.laws")
    for name in laws.__all__:
        value = getattr(laws, name)
        if inspect.isfunction(value) and all(
            p.kind is p.KEYWORD_ONLY for p in inspect.signature(value).parameters.values()
        ):
            found[name] = value
    return {**found, "face": face, "moved": moved}


@cache
def _types_of(classes: tuple[type, ...]) -> dict[str, type]:
    return {kind.__name__: kind for kind in types().values() if issubclass(kind, classes)}


@cache
def _makers_of(wanted: tuple[type, ...]) -> dict[str, Callable[..., Any]]:
    made = {name: _made_by(make) for name, make in makers().items()}
    return {name: makers()[name] for name, kind in made.items() if inspect.isclass(kind) and issubclass(kind, wanted)}


def simulate() -> Callable[..., Any]:
    """The function whose arguments the section `run:` of a model file has."""
    return import_module("gudgeon").simulate


@cache
def _made_by(make: Callable[..., Any]) -> Any:
    return _hints(make).get("return")


@cache
def fields(owner: Callable[..., Any]) -> dict[str, Field]:
    """The fields of a type, or the arguments of a function, by name.

    >>> import gudgeon as gd
    >>> from gudgeon.files.kinds import fields
    >>> fields(gd.Dry)["ball_radius"].shape.unit.name
    'm'
    """
    hints = _hints(owner)
    found = {}
    if dataclasses.is_dataclass(owner):
        given = [(each.name, _default(each)) for each in dataclasses.fields(owner) if each.init]
    else:
        given = [(p.name, p.default) for p in inspect.signature(owner).parameters.values()]
        given = [(name, REQUIRED if default is inspect.Parameter.empty else default) for name, default in given]
    for name, default in given:
        marked = PerArea in getattr(hints[name], "__metadata__", ())
        found[name] = Field(name=name, shape=shape_of(hints[name]), default=default, per_area=marked)
    return found


def _default(each: dataclasses.Field) -> Any:
    return each.default_factory() if each.default_factory is not REQUIRED else each.default


@cache
def _hints(owner: Callable[..., Any]) -> dict[str, Any]:
    """Annotations; names that are imported for checkers only are those of the types and of their bases."""
    known = {base.__name__: base for kind in types().values() for base in kind.__mro__}
    return typing.get_type_hints(owner, localns=known, include_extras=True)


def shape_of(hint: Any) -> Shape:
    """What an annotation takes.

    >>> from gudgeon.files.kinds import shape_of
    >>> shape_of(float | None)
    Shape(..., none=True, number=True, ...)
    """
    members = list(_members(hint))
    units = [unit for _, unit in members if unit is not None]
    unit = units[0] if units else None
    plain = [member for member, _ in members]
    lists = [member for member in plain if typing.get_origin(member) is tuple]
    maps = [typing.get_args(member) for member in plain if typing.get_origin(member) is Mapping]
    is_function = any(typing.get_origin(member) is Callable for member in plain)
    items, any_count = _items(lists[0], unit) if lists else ((), False)
    return Shape(
        unit=unit or (items[0].unit if items else None),
        none=NoneType in plain,
        number=float in plain,
        whole=int in plain,
        yes_no=bool in plain,
        text=str in plain and not is_function,
        expression=str in plain and is_function,
        path=Path in plain,
        words=tuple(w for member in plain if typing.get_origin(member) is Literal for w in typing.get_args(member)),
        classes=tuple(member for member in plain if inspect.isclass(member) and _is_described(member)),
        items=items,
        any_count=any_count,
        quaternion=Quaternion in plain,
        named=shape_of(maps[0][1]) if maps else None,
        rows=any(member in FREE for member in plain),
    )


def _members(hint: Any, unit: Unit | None = None) -> typing.Iterator[tuple[Any, Unit | None]]:
    """The members of a union, each with its unit."""
    if any(hint is free for free in FREE) or typing.get_origin(hint) in (np.ndarray, Iterable):
        yield np.ndarray, unit
    elif typing.get_origin(hint) is typing.Annotated:
        units = [mark for mark in hint.__metadata__ if isinstance(mark, Unit)]
        yield from _members(typing.get_args(hint)[0], *units or [unit])
    elif isinstance(hint, UnionType) or typing.get_origin(hint) is typing.Union:
        for member in typing.get_args(hint):
            yield from _members(member, unit)
    else:
        yield hint, unit


def _items(hint: Any, unit: Unit | None) -> tuple[tuple[Shape, ...], bool]:
    arguments = typing.get_args(hint)
    any_count = len(arguments) == 2 and arguments[1] is Ellipsis
    shapes = [shape_of(member) for member in (arguments[:1] if any_count else arguments)]
    return tuple(dataclasses.replace(shape, unit=shape.unit or unit) for shape in shapes), any_count


def _is_described(member: type) -> bool:
    """Whether it is a type of ours or a base of some."""
    return member not in (object, NDArray) and any(issubclass(kind, member) for kind in types().values())
