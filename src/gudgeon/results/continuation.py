"""Go on with the state of another run: its physics into a state vector, and out of one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gudgeon.bodies import BodyState
from gudgeon.errors import ModelError, did_you_mean
from gudgeon.mechanics.equations import Equations
from gudgeon.mechanics.loads import wound_springs
from gudgeon.mechanics.turns import counted_angles
from gudgeon.results.contacts_at import ContactsAt
from gudgeon.solvers.base import Trajectory
from gudgeon.solvers.memory import Memory
from gudgeon.solvers.state_key import state_key
from gudgeon.state import State, TouchingContact
from gudgeon.system import System

FULL_TURN = 2.0 * math.pi  # [rad]


def continued_from(system: System, start: Any) -> float:
    """The time of a state to go on from, which must be one of this system's bodies [s]."""
    if not isinstance(start, State):
        raise ModelError(
            f"simulate: start is {type(start).__name__}; give result.state(), or start bodies with "
            "system.replace(start=...)"
        )
    for name in start.bodies:
        if name not in system.bodies:
            raise ModelError(f"simulate: start has the body {name!r}; {did_you_mean(name, system.bodies)}")
    for name in system.bodies:
        if name not in start.bodies:
            raise ModelError(f"simulate: start has no body {name!r}, which the system has; give a state of this system")
    return start.time


def counted_springs(system: System) -> list[str]:
    """The torsion springs, stops and signals whose angles are counted, in the order of the state."""
    return [angle.name for angle in counted_angles(system)]


def recall_physics(equations: Equations, start: State, y: np.ndarray) -> None:
    """What bodies do not tell, into the state y and the contacts of a run that begins; what is not there stays."""
    from gudgeon.kernels.dynamics import arrays

    table = equations.model.compliant
    if equations.tree is not None:
        for name, place in equations.tree.place.items():
            if ".angle" in name and name in start.joints:
                y[place] += FULL_TURN * round((start.joints[name] - y[place]) / FULL_TURN)
    for at, name in enumerate(counted_springs(equations.system), equations.layout.turns.start):
        if name in start.turns:
            y[at] += FULL_TURN * round((start.turns[name] - y[at]) / FULL_TURN)
    for k, name in enumerate(equations.compliant.labels):
        if table[k, arrays.BRISTLE] >= 0 and name in start.bristles:
            y[table[k, arrays.BRISTLE] : table[k, arrays.BRISTLE] + 3] = start.bristles[name]
        y[table[k, arrays.WORK_STATE]] = start.dissipated.get(name, 0.0)
    for k, name in enumerate(equations.contact_labels):
        contact = start.contacts.get(name)
        if contact is not None:
            line = equations.work.contact[k]
            line[:] = 0.0
            line[arrays.MODE] = arrays.GRAZING if contact.grazing else arrays.TOUCHING
            line[arrays.ONSET_SPEED], line[arrays.BEGIN] = contact.impact_speed, contact.begin
            line[arrays.IMPACT_SPEED] = max(contact.impact_speed, contact.largest_speed)
            line[arrays.PEAK], line[arrays.WORK_BEGIN] = contact.peak_force, contact.energy_before
            if k < len(table):
                line[arrays.MODE] += arrays.REMEMBERED
            else:
                lost = start.dissipated.get(name, 0.0) - contact.energy_before
                line[arrays.TAKEN] = lost + _stored_at_walls(equations, y)[k - len(table)]
                line[arrays.IMPULSE] = math.nan  # before, nobody has counted it
    equations.controls.put(equations, y, start.controls)
    equations.layout.set_nodes(y, start.nodes)


def _stored_at_walls(equations: Equations, y: np.ndarray) -> np.ndarray:
    """The elastic energy in the contact of every point of a slider at its wall [J]."""
    from gudgeon.kernels.outputs.point_outputs import wall_energies

    energy = np.zeros(len(equations.model.points.wall))
    wall_energies(equations.model, equations.work, y, energy)
    return energy


def state_of_run(
    equations: Equations,
    trajectory: Trajectory,
    sample: int,
    bodies: dict[str, BodyState],
    joints: dict[str, float],
    settings: tuple[Any, ...],
) -> State:
    """Everything at a sample of a run."""
    from gudgeon.kernels.dynamics import arrays
    from gudgeon.kernels.integrators import run as places

    y, time = trajectory.states[sample], float(trajectory.times[sample])
    table, first = equations.model.compliant, equations.layout.turns.start
    names, springs = equations.compliant.labels, counted_springs(equations.system)
    labels = equations.contact_labels
    is_end = time == trajectory.end_time
    contacts: dict[str, TouchingContact] = {}
    there = ContactsAt(trajectory.contacts, len(labels)).at(time)
    for k in there.lasting:
        line = trajectory.contacts[there.contact[k]]
        onset, speed = float(line[places.CONTACT_SPEED]), float(there.impact_speed[k])
        now = np.zeros(arrays.CONTACT_COLUMNS)
        if is_end and trajectory.touching is not None:
            now = trajectory.touching[k].copy()
            if k >= len(table):  # what a point has taken is lost, or still there
                now[arrays.WORK_BEGIN] = _stored_at_walls(equations, y)[k - len(table)] - now[arrays.TAKEN]
        contacts[labels[k]] = TouchingContact(
            impact_speed=onset,
            largest_speed=speed if speed > onset else 0.0,
            begin=float(line[places.CONTACT_BEGIN]),
            peak_force=float(np.nan_to_num(now[arrays.PEAK])),  # nan: of a hard contact
            energy_before=float(now[arrays.WORK_BEGIN]),
            grazing=bool(now[arrays.MODE] == arrays.GRAZING),
        )
    memory = None
    if settings and trajectory.memory is not None and trajectory.end == "done":
        kept = trajectory.memory.arrays()
        reached = float(kept["flight.clock"][places.TIME])
        if reached <= time:
            rows = int(trajectory.stats["redundant_rows"])
            memory = Memory(key=state_key(*settings), time=reached, redundant_rows=rows, arrays=kept)
    return State(
        time=time,
        bodies=bodies,
        joints=joints,
        turns={name: float(y[first + k]) for k, name in enumerate(springs)},
        bristles={
            name: tuple(y[table[k, arrays.BRISTLE] : table[k, arrays.BRISTLE] + 3].tolist())
            for k, name in enumerate(names)
            if table[k, arrays.BRISTLE] >= 0
        },
        dissipated={name: float(y[table[k, arrays.WORK_STATE]]) for k, name in enumerate(names)},
        contacts=contacts,
        controls=dict(zip(equations.controls.names, y[equations.layout.controls].tolist(), strict=True)),
        nodes=(*y[equations.layout.displacements].tolist(), *y[equations.layout.rates].tolist()),
        wound=tuple(name for name, _ in wound_springs(equations.system, y[first:])),
        memory=memory,
    )
