"""Turn what a user typed into plain frozen data, or say precisely what is wrong with it."""

from __future__ import annotations

import math
from collections.abc import ItemsView, Iterable, Iterator, Mapping, ValuesView
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gudgeon.errors import ModelError

Vec3 = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
T = TypeVar("T")


def number(owner: str, field: str, value: Any) -> float:
    """A finite float; text is refused, expressions have their own places."""
    x = _float(value)
    if x is None:
        raise ModelError(f"{owner}: {field} is {shown(value)}; give a number")
    if not math.isfinite(x):
        raise ModelError(f"{owner}: {field} is {x}; give a finite number")
    return x


def as_floats(owner: str, field: str, values: ArrayLike) -> NDArray[np.float64]:
    """A new array of finite floats."""
    try:
        raw = np.asarray(values)
    except ValueError:
        raise ModelError(f"{owner}: {field} have rows of unequal length; give a regular array of numbers") from None
    if raw.dtype.kind not in "iuf":
        raise ModelError(f"{owner}: {field} are of type {raw.dtype}; give real numbers")
    array = np.array(raw, dtype=float, order="C")
    if not np.isfinite(array).all():
        at = tuple(int(x) for x in np.argwhere(~np.isfinite(array))[0])
        raise ModelError(f"{owner}: {field} {list(at)} is {array[at]}; every number must be finite")
    return array


def vector(owner: str, field: str, value: Any, length: int = 3, wanted: str = "") -> tuple[float, ...]:
    """A tuple of `length` finite floats; `wanted` says what to give where that says it better."""
    wanted = wanted or f"{length} numbers"
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise ModelError(f"{owner}: {field} is {shown(value)}; give {wanted}")
    numbers = [_float(x) for x in value]
    if len(numbers) != length or None in numbers:
        shape = f"has shape {value.shape}" if isinstance(value, np.ndarray) else f"is {shown(value)}"
        raise ModelError(f"{owner}: {field} {shape}; give {wanted}")
    if not all(math.isfinite(x) for x in numbers if x is not None):
        raise ModelError(f"{owner}: {field} is {tuple(numbers)}; every component must be finite")
    return tuple(x for x in numbers if x is not None)


def _float(value: Any) -> float | None:
    """The number a user meant, infinite if it is too large for a float; None for anything else."""
    if isinstance(value, str | bytes | bool | np.bool_ | np.complexfloating):
        return None
    if isinstance(value, np.ndarray) and (value.ndim or value.dtype.kind not in "iuf"):
        return None
    try:
        return float(value)
    except OverflowError:
        return math.inf
    except (TypeError, ValueError):
        return None


def shown(value: Any) -> str:
    """A value as error messages show it: in full, if it is short."""
    text = repr(value)
    return text if len(text) <= 100 else text[:97] + "..."


def direction(owner: str, field: str, value: Any) -> tuple[float, ...]:
    """A unit vector along `value`."""
    v = vector(owner, field, value)
    length = math.sqrt(sum(x * x for x in v))
    if length < 1e-12:
        raise ModelError(f"{owner}: {field} is {v}, which has no direction; give a vector such as (0, 0, 1)")
    return tuple(x / length for x in v)


def known(place: Vec3 | str) -> Vec3:
    """A point or direction that is no name of a marker any more (marked.py)."""
    assert not isinstance(place, str)
    return place


def choice(owner: str, field: str, value: Any, known: Mapping[str, str] | tuple[str, ...]) -> str:
    """`value` if it is one of the known words, which may be explained in brackets; ModelError otherwise.

    >>> choice("Force on 'b'", "axes", "local", ("world", "body"))
    Traceback (most recent call last):
    gudgeon.errors.ModelError: Force on 'b': axes is 'local'; give 'world' or 'body'
    """
    if isinstance(value, str) and value in known:
        return value
    words = [f"{word!r} ({known[word]})" for word in known] if isinstance(known, Mapping) else [repr(w) for w in known]
    raise ModelError(f"{owner}: {field} is {value!r}; give {', '.join(words[:-1])} or {words[-1]}")


class Named(Mapping[str, T], Generic[T]):
    """An immutable, comparable, picklable mapping from names to parts of a system."""

    def __init__(self, owner: str, parts: Mapping[str, T] | Iterable[tuple[str, T]], kind: type):
        if not isinstance(parts, Iterable) or isinstance(parts, str):
            raise ModelError(f"{owner}: {shown(parts)} given; give a dictionary {{name: {kind.__name__}}}")
        pairs = list(parts.items() if isinstance(parts, Mapping) else parts)
        self._parts: dict[str, T] = {}
        self._kind = kind
        for pair in pairs:
            if not isinstance(pair, tuple) or len(pair) != 2:
                raise ModelError(f"{owner}: {pair!r} is not a pair (name, {kind.__name__})")
            name, part = pair
            if not isinstance(name, str) or not name.strip():
                raise ModelError(f"{owner}: {name!r} cannot name a {kind.__name__}; use a non-empty string")
            if name in self._parts:
                raise ModelError(f"{owner}: the name {name!r} is used twice; names must be unique")
            if not isinstance(part, kind):
                raise ModelError(f"{owner}: {name!r} is a {type(part).__name__}; a {kind.__name__} is needed here")
            self._parts[name] = part

    @classmethod
    def of(cls, owner: str, parts: Any, kind: type) -> Named[Any]:
        """The parts by name, checked; those that were checked as this kind before are taken as they are."""
        return parts if type(parts) is Named and parts._kind is kind else Named(owner, parts, kind)

    def __getitem__(self, name: str) -> T:
        return self._parts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def items(self) -> ItemsView[str, T]:
        """Names and parts; this and `values` are those of the dictionary, five times as fast as a Mapping's."""
        return self._parts.items()

    def values(self) -> ValuesView[T]:
        """The parts."""
        return self._parts.values()

    def __hash__(self) -> int:
        return hash(frozenset(self._parts.items()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and self._parts == dict(other)

    def __repr__(self) -> str:
        return repr(self._parts)
