"""A run in progress at one instant: all arrays in which it remembers, copied at once by compiled code.

Every run takes one before its last step, and few are ever asked for it: the copy has to cost little, and is taken apart
into arrays with names when somebody wants to go on from there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import int64

from gudgeon.kernels.build.records import INTEGERS, NUMBERS, WORD, Record, RecordType
from gudgeon.kernels.integrators import copied_arrays as places
from gudgeon.kernels.integrators.copied_arrays import copy_arrays
from gudgeon.kernels.integrators.run import SAMPLED, Flight
from gudgeon.solvers.entry_point import entry_point
from gudgeon.solvers.memory import SAMPLES, remembered_fields

if TYPE_CHECKING:
    from gudgeon.mechanics.equations import Equations

NOWHERE = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Named:
    """An array of the copy."""

    name: str
    axes: int
    kind: np.dtype


@dataclass(slots=True)
class Snapshot:
    """All that a run remembers at an instant, and the times at which it has still to be sampled."""

    names: tuple[Named, ...]  # of all arrays, empty ones included
    content: np.ndarray  # their extents, then their numbers, as words
    laws: dict[str, np.ndarray]  # of surfaces
    times: np.ndarray  # [s]

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays that are not empty, by name; each is a copy of its own."""
        found: dict[str, np.ndarray] = {}
        place = sum(each.axes for each in self.names)
        extents = iter(self.content[:place].tolist())
        for each in self.names:
            shape = tuple(islice(extents, each.axes))
            size = math.prod(shape)
            if size:
                found[each.name] = self.content[place : place + size].view(each.kind).reshape(shape).copy()
            place += size
        return {**found, **self.laws, SAMPLES: self.times.copy()}


def snapshot(flight: Any, method: Any, equations: Equations) -> Snapshot:
    """A run as it is now."""
    work = equations.work
    names, plan = _plan(type(method), type(work))
    copy = entry_point(copy_arrays)
    given = flight.address, method.address, work.address, plan
    content = np.empty(copy(*given, NOWHERE), dtype=np.int64)
    copy(*given, content)
    laws = equations.compliant.remembered()
    if laws:
        laws = {f"law.{name}": array.copy() for name, array in laws.items()}
    return Snapshot(names, content, laws, flight.times[flight.count[SAMPLED] :])


@cache
def _plan(method: type[Record], work: type[Record]) -> tuple[tuple[Named, ...], np.ndarray]:
    """What is remembered of a flight, a method of this type, and scratch space; and where it is found."""
    names, lines = [], []
    for root, (prefix, kind) in enumerate((("flight", Flight), ("method", method), ("work", work))):
        for name, through, owner, field in _arrays_of(kind.record_type, prefix, ()):
            array, nothing = owner.fields[field], (-1,) * (places.DEPTH - len(through))
            names.append(Named(name, array.ndim, INTEGERS if array.dtype is int64 else NUMBERS))
            lines.append((root, *through, *nothing, owner.places[field] // WORD, array.ndim))
    return tuple(names), np.array(lines, dtype=np.int64)


def _arrays_of(
    kind: RecordType, prefix: str, through: tuple[int, ...]
) -> Iterator[tuple[str, tuple[int, ...], RecordType, str]]:
    """The arrays of nested records that are remembered: name, the way to the record that has it, that, its field."""
    arrays, records = remembered_fields(kind, prefix)
    for field, name in arrays:
        yield name, through, kind, field
    for field, name in records:
        yield from _arrays_of(kind.fields[field], name, (*through, kind.places[field] // WORD))
