"""How a solver goes on: a copy of all arrays in which a run in progress remembers, by name.

It is taken before the step that the end of a run would cut short (snapshot.py). A run that goes on from there takes the
very steps that the uncut run takes, over the cut as well: nothing at all is different, to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from gudgeon.kernels.build.records import Record, RecordType
    from gudgeon.mechanics.equations import Equations

SAMPLES = "samples"  # name of the times that are still to be sampled
RESULTS = {"times", "samples", "force_samples", "crossing_time", "crossing_which", "contacts", "switchings"}
FORGOTTEN = RESULTS | {"factor", "port", "D", "pattern"}  # constant operators


@dataclass(frozen=True, kw_only=True)
class Memory:
    """All a solver remembers at `time`, by name of the array."""

    key: str  # of the system, the solver, its options: see state_key.py
    time: float  # [s]
    redundant_rows: int
    arrays: dict[str, np.ndarray]


def _add_arrays(found: dict[str, np.ndarray], prefix: str, part: Record) -> None:
    """The arrays of nested records that are not empty, without results and constant operators."""
    arrays, records = remembered_fields(part.record_type, prefix)
    for field, name in arrays:
        array = getattr(part, field)
        if array.size:
            found[name] = array
    for field, name in records:
        _add_arrays(found, name, getattr(part, field))


@cache
def remembered_fields(kind: RecordType, prefix: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The fields of a record that are remembered, with their full names: arrays, and records."""
    from numba import types

    arrays, records = [], []
    for field, array_type in kind.fields.items():
        is_array = isinstance(array_type, types.Array)
        if field not in FORGOTTEN or (is_array and prefix == "method"):
            (arrays if is_array else records).append((field, f"{prefix}.{field}"))
    return arrays, records


def every_array(flight: Any, method: Any, equations: Equations) -> dict[str, np.ndarray]:
    """All in which a run in progress remembers, by name."""
    found: dict[str, np.ndarray] = {}
    for prefix, part in (("flight", flight), ("method", method), ("work", equations.work)):
        _add_arrays(found, prefix, part)
    for name, array in equations.compliant.remembered().items():
        found[f"law.{name}"] = array
    return found


def recall(arrays: dict[str, np.ndarray], flight: Any, method: Any, equations: Equations) -> None:
    """Put a run where another one was, but for its samples, crossings and contacts so far, and for its end."""
    from gudgeon.kernels.integrators import run as places

    end = flight.clock[places.END]
    for name, array in every_array(flight, method, equations).items():
        array[...] = arrays[name]
    count = flight.count
    flight.clock[places.END] = end
    count[places.SEEN_CONTACTS] -= count[places.CONTACTS]
    for place in (places.SAMPLED, places.CROSSED, places.CONTACTS, places.SWITCHINGS, places.PAUSED):
        count[place] = 0


def samples_before(arrays: dict[str, np.ndarray], begin: float) -> np.ndarray:
    """The samples between the memory and the cut. They are taken again: surfaces remember where they were asked [s]."""
    return arrays[SAMPLES][arrays[SAMPLES] < begin]
