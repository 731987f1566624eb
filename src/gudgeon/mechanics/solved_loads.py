"""Loads that depend on the motion: what Implicit may solve for together with the forces of joints.

A load is one if it is a spring or damper, or if its functions read a signal of the motion; so is an elastic coupling.
It pushes the bodies it acts on, and senses those whose motion its functions read. Loads on nodes of flexible bodies are
left to the sweeps.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gudgeon.kernels.dynamics import arrays
from gudgeon.kernels.functions.opcodes import CONSTANT, SIGNAL

ALONG_JOINTS = (arrays.JOINT_SPRING, arrays.JOINT_EFFORT)
SPRINGS = (arrays.SPRING, arrays.JOINT_SPRING)


class SolvedLoad(NamedTuple):
    """One of them; bodies are numbered from 1, the ground is 0."""

    load: int  # its line; of a coupling −1 − its line among compliant joints
    efforts: int  # how many
    pushed: tuple[int, ...]
    sensed: frozenset[int]


def solved_loads(model: arrays.Model) -> list[SolvedLoad]:
    """All of a mechanism, couplings first."""
    found = []
    for k in np.flatnonzero(model.compliant[:, arrays.KIND] == arrays.COUPLED).tolist():
        measures = model.compliant[k, arrays.COUPLED_MEASURE : arrays.COUPLED_MEASURE + 2]
        ends = model.measure[measures[measures >= 0]][:, [arrays.PARENT, arrays.CHILD]].reshape(-1).tolist()
        found.append(SolvedLoad(-1 - k, 1, tuple(ends), frozenset(ends)))
    for k, line in enumerate(model.load):
        kind, program = line[arrays.KIND], int(line[arrays.LOAD_PROGRAM])
        if kind == arrays.NO_LOAD:
            continue
        ends = line[[arrays.FIRST, arrays.SECOND]]
        if kind in ALONG_JOINTS:
            ends = model.measure[line[arrays.LOAD_MEASURE], [arrays.PARENT, arrays.CHILD]]
        first, second = ends.tolist()
        sensed = _read_by(model, range(program, program + 3))
        if kind in SPRINGS and not _is_nothing(model, program):
            sensed |= {first, second}
        if sensed - {0} and max(first, second) < len(model.body):
            found.append(SolvedLoad(k, 1 if kind in ALONG_JOINTS else 3, (first, second), frozenset(sensed)))
    return found


def with_solved_loads(model: arrays.Model, unknown_count: int) -> arrays.Model:
    """The model with the table of these loads; their unknowns follow those of the joints."""
    lines, load, at = [], model.load.copy(), 0
    for each in solved_loads(model):
        if each.load >= 0:
            load[each.load, arrays.LOAD_EFFORT] = len(lines)
        lines.append((each.load, each.efforts, unknown_count + at, at))
        at += each.efforts
    table = np.array(lines, dtype=np.int64).reshape(-1, arrays.EFFORT_COLUMNS)
    return model.replaced(load=load, effort=table)


def _is_nothing(model: arrays.Model, program: int) -> bool:
    """Whether a spring has neither stiffness nor damping."""
    start = model.program_starts[program : program + 2]
    return all(model.program_ops[at] == CONSTANT and model.program_operands[at] == 0.0 for at in start)


def _read_by(model: arrays.Model, programs: range) -> set[int]:
    """The bodies whose motion programs read, by their signals."""
    bodies: set[int] = set()
    seen: set[int] = set()
    at = model.signal[:, arrays.SIGNAL_AT]
    left = list(programs)
    while left:
        program = left.pop()
        first, last = model.program_starts[program : program + 2]
        for op, operand in zip(model.program_ops[first:last], model.program_operands[first:last], strict=True):
            line = int(np.searchsorted(at, operand, side="right")) - 1 if op == SIGNAL else -1
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
            elif kind in (arrays.PROGRAM_SIGNAL, arrays.VECTOR_SIGNAL):
                left.append(of)
    return bodies
