"""What functions of loads and controllers read: bodies by signals of their motion, states of controllers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from gudgeon.kernels.dynamics import arrays
from gudgeon.kernels.functions.opcodes import SIGNAL


class Read(NamedTuple):
    """Bodies, numbered from 1 (0: the ground), and states of continuous controllers, from 0."""

    bodies: set[int]
    states: set[int]


def read_by_programs(model: arrays.Model, programs: Iterable[int]) -> Read:
    """What these programs read, and the signals that they are computed from; not by way of states."""
    return _read(model, [place for program in programs for place in _places(model, program)])


def read_by_states(model: arrays.Model) -> list[Read]:
    """For each state of a continuous controller what its rate reads."""
    return [_read(model, [place]) for place in model.control_rate.tolist()]


def states_between(model: arrays.Model, acting: Iterable[Read]) -> set[int]:
    """The states by way of which the motion of bodies reaches something that reads so much.

    A state is one if bodies or such a state move it, and if these readers or such a state read it.
    """
    by = read_by_states(model)
    moved = _spread({s for s, read in enumerate(by) if read.bodies - {0}}, by)
    used, left = set(), [s for read in acting for s in read.states]
    while left:
        state = left.pop()
        if state not in used:
            used.add(state)
            left += by[state].states
    return moved & used


def _spread(moved: set[int], by: list[Read]) -> set[int]:
    """These states and all that read them, directly or by way of others."""
    before = 0
    while len(moved) > before:
        before = len(moved)
        moved |= {s for s, read in enumerate(by) if not moved.isdisjoint(read.states)}
    return moved


def _places(model: arrays.Model, program: int) -> list[int]:
    """The places in `Work.signal` that a program reads."""
    first, last = model.program_starts[program : program + 2]
    is_signal = model.program_ops[first:last] == SIGNAL
    return model.program_operands[first:last][is_signal].astype(int).tolist()


def _read(model: arrays.Model, places: list[int]) -> Read:
    """What the signals at these places are of."""
    bodies: set[int] = set()
    states: set[int] = set()
    seen: set[int] = set()
    at = model.signal[:, arrays.SIGNAL_AT]
    left = list(places)
    while left:
        line = int(np.searchsorted(at, left.pop(), side="right")) - 1
        if line < 0 or line in seen:
            continue
        seen.add(line)
        kind, _, of, against = model.signal[line].tolist()
        if kind == arrays.JOINT_SIGNAL:
            bodies.update(model.measure[of, [arrays.PARENT, arrays.CHILD]].tolist())
        elif kind in (arrays.POINT_SIGNAL, arrays.DISTANCE_SIGNAL):
            bodies.update((of, against))
        elif kind == arrays.OWN_SIGNAL:
            bodies.add(of)
        elif kind == arrays.GAP_SIGNAL:
            bodies.update(model.compliant[of, [arrays.SOCKET, arrays.BALL]].tolist())
        elif kind == arrays.CONTROL_SIGNAL and of < len(model.control_rate):
            states.add(of)
        elif kind in (arrays.PROGRAM_SIGNAL, arrays.VECTOR_SIGNAL):
            left += _places(model, of)
    return Read(bodies, states)
