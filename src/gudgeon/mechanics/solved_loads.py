"""Loads that depend on the motion: what Implicit may solve for together with the forces of joints.

A load is one if it is a spring or damper, or if its functions read a signal of the motion; so is an elastic coupling.
It pushes the bodies it acts on, and senses those whose motion its functions read. States of controllers by way of which
the motion reaches a load are further lines: they push nothing. More than FEW forces on a body are gathered: one line
with the force and the torque of all of them, and one for each body to which they tie it. So a body on thirty springs
has six unknowns, and meets only the bodies to which it is tied; once solved for, action and reaction are equal.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np

from gudgeon.kernels.dynamics import arrays
from gudgeon.kernels.functions.opcodes import CONSTANT
from gudgeon.mechanics.read_by_functions import Read, read_by_programs, read_by_states, states_between

ALONG_JOINTS = (arrays.JOINT_SPRING, arrays.JOINT_EFFORT)
SPRINGS = (arrays.SPRING, arrays.JOINT_SPRING)
FEW = 4  # loads of three components on a body, each of which is a line of its own


class SolvedLoad(NamedTuple):
    """One of them, or the rate of a state; bodies are numbered from 1, the ground is 0."""

    load: int  # its line; of a coupling −1 − its line among compliant joints; of a state the number of loads + its own
    efforts: int  # how many
    pushed: tuple[int, ...]
    sensed: frozenset[int]
    states: frozenset[int] = frozenset()  # of controllers, whose values it reads
    state: int = -1  # which it is; −1: none
    body: int = 0  # of a wrench: the body on which it acts; 0: none
    gathered: tuple[int, ...] = ()  # its loads


def solved_loads(model: arrays.Model) -> list[SolvedLoad]:
    """All of a mechanism: couplings, loads, states of controllers."""
    found = []
    for k in np.flatnonzero(model.compliant[:, arrays.KIND] == arrays.COUPLED).tolist():
        measures = model.compliant[k, arrays.COUPLED_MEASURE : arrays.COUPLED_MEASURE + 2]
        ends = model.measure[measures[measures >= 0]][:, [arrays.PARENT, arrays.CHILD]].reshape(-1).tolist()
        found.append(SolvedLoad(-1 - k, 1, tuple(ends), frozenset(ends)))
    candidates = _candidates(model)
    between = states_between(model, [read for _, read in candidates])
    loads = []
    for load, read in candidates:
        sensed, states = read.bodies, frozenset(read.states & between)
        if sensed - {0} or states:
            loads.append(load._replace(sensed=frozenset(sensed), states=states))
    found += _gathered(loads, len(model.body))
    for state, read in enumerate(read_by_states(model) if between else ()):
        if state in between:
            sensed, states = frozenset(read.bodies), frozenset(read.states & between)
            found.append(SolvedLoad(len(model.load) + state, 1, (0, 0), sensed, states, state))
    return found


def _gathered(loads: list[SolvedLoad], body_count: int) -> list[SolvedLoad]:
    """The same loads; where many act on a body, wrenches of them on this body and on those to which they tie it."""

    def bodies_of(load: SolvedLoad) -> set[int]:
        return {b for b in load.pushed if b > 0}

    vectors = [load for load in loads if load.efforts == 3 and max(load.pushed) < body_count]
    counts = Counter(b for load in vectors for b in bodies_of(load))
    many = {b for b, count in counts.items() if count > FEW}
    members = [load for load in vectors if bodies_of(load) & many]
    wrenches = []
    for b in sorted(set().union(*map(bodies_of, members))):
        own = [load for load in members if b in load.pushed]
        sensed = frozenset[int]().union(*(load.sensed for load in own))
        states = frozenset[int]().union(*(load.states for load in own))
        numbers = tuple(load.load for load in own)
        wrenches.append(SolvedLoad(0, arrays.WRENCH, (b, 0), sensed, states, body=b, gathered=numbers))
    taken = {load.load for load in members}
    return [load for load in loads if load.load not in taken] + wrenches


def _candidates(model: arrays.Model) -> list[tuple[SolvedLoad, Read]]:
    """The loads that could be solved for, and what they read."""
    found = []
    for k, line in enumerate(model.load):
        kind, program = line[arrays.KIND], int(line[arrays.LOAD_PROGRAM])
        if kind == arrays.NO_LOAD:
            continue
        ends = line[[arrays.FIRST, arrays.SECOND]]
        if kind in ALONG_JOINTS:
            ends = model.measure[line[arrays.LOAD_MEASURE], [arrays.PARENT, arrays.CHILD]]
        first, second = ends.tolist()
        read = read_by_programs(model, range(program, program + 3))
        if kind in SPRINGS and not _is_nothing(model, program):
            read.bodies.update((first, second))
        if kind not in ALONG_JOINTS or max(first, second) < len(model.body):
            load = SolvedLoad(k, 1 if kind in ALONG_JOINTS else 3, (first, second), frozenset())
            found.append((load, read))
    return found


def with_solved_loads(model: arrays.Model, unknown_count: int) -> arrays.Model:
    """The model with the table of these loads; their unknowns follow those of the joints."""
    lines, load, at = [], model.load.copy(), 0
    for each in solved_loads(model):
        if each.body:
            for end, line in ((arrays.FIRST, arrays.FIRST_WRENCH), (arrays.SECOND, arrays.SECOND_WRENCH)):
                own = [k for k in each.gathered if load[k, end] == each.body]
                load[own, line] = len(lines)
        elif each.load >= 0 and each.state < 0:
            load[each.load, arrays.LOAD_EFFORT] = len(lines)
        lines.append((each.load, each.efforts, unknown_count + at, at, each.body))
        at += each.efforts
    table = np.array(lines, dtype=np.int64).reshape(-1, arrays.EFFORT_COLUMNS)
    return model.replaced(load=load, effort=table)


def _is_nothing(model: arrays.Model, program: int) -> bool:
    """Whether a spring has neither stiffness nor damping."""
    start = model.program_starts[program : program + 2]
    return all(model.program_ops[at] == CONSTANT and model.program_operands[at] == 0.0 for at in start)
