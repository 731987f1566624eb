"""How a solver goes on: a copy of all arrays in which a run in progress remembers.

It is taken before the step that the end of a run would cut short. A run that goes on from there takes the very steps
that the uncut run takes, over the cut as well: nothing at all is different, to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

LEFT_OUT = ("times", "samples", "force_samples", "crossing_time", "crossing_which", "contacts", "factor", "port", "D")


@dataclass(frozen=True, kw_only=True)
class Memory:
    """All a solver remembers at `time`, by name of the array."""

    key: str  # of the system, the solver, its options: see state_key.py
    time: float  # [s]
    redundant_rows: int
    arrays: dict[str, np.ndarray]


def _named_arrays(prefix: str, part: Any) -> Iterator[tuple[str, np.ndarray]]:
    """The arrays of nested tuples with names, without results and constant operators."""
    for name, value in zip(part._fields, part, strict=True):
        if isinstance(value, np.ndarray):
            if name not in LEFT_OUT or prefix == "method":
                yield f"{prefix}.{name}", value
        elif isinstance(value, tuple) and name not in LEFT_OUT:
            yield from _named_arrays(f"{prefix}.{name}", value)


def _all_arrays(flight: Any, method: Any, work: Any) -> Iterator[tuple[str, np.ndarray]]:
    for prefix, part in (("flight", flight), ("method", method), ("work", work)):
        yield from _named_arrays(prefix, part)


def remembered(flight: Any, method: Any, work: Any) -> dict[str, np.ndarray]:
    """Copies of all that a run remembers."""
    return {name: array.copy() for name, array in _all_arrays(flight, method, work)}


def recall(arrays: dict[str, np.ndarray], flight: Any, method: Any, work: Any) -> None:
    """Put a run where another one was, but for its samples, crossings and contacts so far, and for its end."""
    from gudgeon.kernels import flight as places

    end = flight.clock[places.END]
    for name, array in _all_arrays(flight, method, work):
        array[...] = arrays[name]
    count = flight.count
    flight.clock[places.END] = end
    count[places.SEEN_CONTACTS] -= count[places.CONTACTS]
    count[places.SAMPLED] = count[places.CROSSED] = count[places.CONTACTS] = count[places.PAUSED] = 0
