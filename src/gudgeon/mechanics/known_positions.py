"""Where mechanisms of the same geometry were put together before: members of a study that differ in masses, say.

The key is all that the constraint rows of a state are made from: every array of the model but those that `UNREAD`
names, the state and the time, to the bit. An array that the model gets later is part of it by itself. Found positions
are the same bits as computed ones; what a position is kept with holds the functions that the model calls by address.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.kernels.build.records import Record
from gudgeon.mechanics.state_layout import MOTION

if TYPE_CHECKING:
    from gudgeon.mechanics.equations import Equations

UNREAD = ("body", "settings")  # masses and inertias, gravity and gains: no row of a constraint depends on them
MOST = 16  # positions kept
_known: dict[Any, tuple[np.ndarray, Any]] = {}
_one_at_a_time = threading.Lock()


def known_or(
    find: Callable[[Equations, np.ndarray, float], bool],
    equations: Equations,
    y: np.ndarray,
    time: float,
    also: Any = (),
) -> bool:
    """`find(equations, y, time)`, which changes y and says whether it succeeded, unless that is known.

    `also`: what else it depends on, by value. Only for states that are motion of bodies alone, without curves, whose
    nearest points are searched for from where they were.
    """
    if len(y) != MOTION * len(equations.system.bodies) or len(equations.model.curve):
        return find(equations, y, time)
    key = (find, also, time, y.tobytes(), equations.geometry)
    with _one_at_a_time:
        found = _known.get(key)
    if found is not None:
        y[:] = found[0]
        return True
    if not find(equations, y, time):
        return False
    with _one_at_a_time:
        while len(_known) >= MOST:
            del _known[next(iter(_known))]
        _known[key] = y.copy(), (equations.programs, equations.compliant, equations.controls)
    return True


def geometry_of(model: Record) -> tuple[Any, ...]:
    """All arrays of a model but those that `UNREAD` names, by value."""
    return tuple(
        geometry_of(value) if isinstance(value, Record) else (value.shape, value.tobytes())
        for name, value in model.arrays().items()
        if name not in UNREAD
    )
