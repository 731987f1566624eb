"""The state to linearise about, with its equations and the modes of its contacts, and the matrices found there."""

from __future__ import annotations

from typing import Any

import numpy as np

from gudgeon.analysis.assemble import assemble_equations, body_states
from gudgeon.analysis.equilibrium import Equilibrium
from gudgeon.analysis.frozen import frozen
from gudgeon.analysis.refusals import refuse_hard_contacts, refuse_set_valued_friction
from gudgeon.analysis.small_motion.chart import Chart
from gudgeon.analysis.small_motion.contacts import Steps, modes_of_run, modes_of_state
from gudgeon.analysis.small_motion.friction_dampers import FrictionDampers
from gudgeon.analysis.small_motion.joint_slopes import JointSlopes
from gudgeon.analysis.small_motion.matrices import small_motion
from gudgeon.analysis.small_motion.pairs import spring_pairs
from gudgeon.analysis.small_motion.rows import Rows
from gudgeon.analysis.small_motion.selection import independent_coordinates
from gudgeon.analysis.undetermined_friction import refuse_undetermined_friction
from gudgeon.bodies import GROUND
from gudgeon.errors import ModelError
from gudgeon.functions.function import values_at
from gudgeon.kernels.dynamics.arrays import KIND, REGULARIZATION, SPRING
from gudgeon.loads import Motor
from gudgeon.mechanics.closed_within import FINEST
from gudgeon.mechanics.equations import Equations, equations_of_motion
from gudgeon.mechanics.rubbing import friction_laws, without_friction
from gudgeon.mechanics.state_layout import moving
from gudgeon.results.result import Result
from gudgeon.system import System

INACCURATE = 1e-3  # relative error of a derivative that is refused [-]


def state_of(
    given: System | Equilibrium | Result, time: float | None, at: int | float | None
) -> tuple[Rows, np.ndarray, System]:
    """Rows with contact modes set, without friction in ideal joints, the state, and the system with that friction."""
    if isinstance(given, Result):
        if given.system is not None:
            _refuse_sampled(given.system)
        return _of_run(given, at)
    nodes: tuple[float, ...] = ()
    controls: dict[str, float] = {}
    if isinstance(given, Equilibrium):
        controls = dict(given.state.controls)
        given, time, nodes = given.system, given.time, given.state.nodes
    _refuse_sampled(given)
    given = frozen("linearize", given, time or 0.0)
    _refuse(given)
    equations = equations_of_motion(without_friction(given))
    rows = Rows(equations, time or 0.0)
    y = assemble_equations(equations, rows.time, nodes=nodes).state
    equations.controls.put(equations, y, controls)
    modes_of_state(rows, y)
    return rows, y, given


def _refuse_sampled(system: System) -> None:
    """A controller that acts at instants."""
    for name, control in system.controllers.items():
        if control.made().period is not None:
            raise ModelError(
                f"linearize: {type(control).__name__} {name!r} is sampled, so that no constant state matrix describes "
                "what it does; leave out period= for the continuous one it stands for"
            )


def _refuse(system: System) -> None:
    """What has no mass, damping and stiffness."""
    refuse_hard_contacts("linearize", system, "a jump of velocities has no derivative")
    refuse_set_valued_friction("linearize", system, "what sticks or slides has no derivative")


def _of_run(result: Result, at: int | float | None) -> tuple[Rows, np.ndarray, System]:
    if result._source is None:
        raise ModelError(
            "linearize: this Result was read from a file, which does not keep the states between; give "
            "result.system.replace(start=result.state(sample)), or go on with gd.simulate(..., start=result.state())"
        )
    equations, trajectory = result._source
    times = trajectory.times
    if at is None:
        at = -1
    if isinstance(at, bool) or not isinstance(at, int | float | np.integer | np.floating):
        raise ModelError(f"linearize: at is {at!r}; give a sample (an integer) or a time in seconds (a float)")
    if isinstance(at, int | np.integer):
        if not -len(times) <= at < len(times):
            raise ModelError(f"linearize: at is {at}; this result has {len(times)} samples")
        sample = int(at)
    else:
        if not times[0] <= at <= times[-1]:
            raise ModelError(f"linearize: at is {at:g} s; this result covers {times[0]:g} to {times[-1]:g} s")
        sample = int(np.argmin(np.abs(times - at)))
    from gudgeon.kernels.dynamics.motion import project

    y = equations.absolute_state(trajectory.states[sample]).copy()
    equations = equations.absolute or equations
    equations, y = _without_switches(equations, float(times[sample]), y)
    _refuse(equations.system)
    system = equations.system
    if equations.compliant.rubs or (equations.points is not None and equations.points.joints):
        ran, equations = equations, equations_of_motion(without_friction(system))  # corners are elements here, not rows
        y = equations.same_motion(ran, y)
    rows = Rows(equations, float(times[sample]))
    project(equations.model, equations.work, rows.time, y, FINEST * rows.size)
    modes_of_run(rows, result, rows.time)
    return rows, y, system


def _without_switches(equations: Equations, time: float, y: np.ndarray) -> tuple[Equations, np.ndarray]:
    """The equations of the mechanism as its switches are in the state y, and y in them."""
    controls = dict(zip(equations.controls.names, y[equations.layout.controls].tolist(), strict=True))
    plain = frozen("linearize", equations.system, time, controls)
    if plain is equations.system:
        return equations, y
    flat = equations_of_motion(plain)
    flat = flat.with_regularization(float(equations.model.settings[REGULARIZATION]))
    out = np.zeros(flat.state_size)
    out[: flat.layout.turns.start] = y[: equations.layout.turns.start]
    for part in ("turns", "joints", "displacements", "rates"):
        out[getattr(flat.layout, part)] = y[getattr(equations.layout, part)]
    own = out[flat.layout.controls]
    own[:] = [controls[name] for name in flat.controls.names]
    return flat, out


def _refuse_collapsed_springs(rows: Rows, y: np.ndarray) -> None:
    """A spring with a free length has no direction, and its force no derivative, where its two points meet."""
    rows.at(y)
    equations = rows.equations
    lines = np.flatnonzero(equations.model.load[:, KIND] == SPRING)
    _, lengths = spring_pairs(equations, lines)
    for line in lines[lengths == 0.0]:
        name, load = list(equations.system.loads.items())[line]
        free = values_at(load.length, np.array([rows.time]))[0]
        if free != 0.0:
            raise ModelError(
                f"linearize: SpringDamper {name!r} has length zero in this state, so that its force has no direction; "
                f"its free length is {free:.3g} m: take a state in which its points are apart"
            )


def _refuse_carried_rotors(rows: Rows, y: np.ndarray) -> None:
    """The momentum of a rotor on a moving body turns with it, which only a state at rest may leave out."""
    system = rows.equations.system
    if not y[moving(len(system.bodies))].any():
        return
    for name, load in system.loads.items():
        if isinstance(load, Motor) and load.rotor_inertia and system.joints[load.joint].parent != GROUND:
            raise ModelError(
                f"linearize: Motor {name!r} has a rotor on the moving body {system.joints[load.joint].parent!r}; about "
                "a state in motion its momentum is not known to linearize: take a state at rest, or give the rotor as "
                "a body of its own"
            )


def matrices_about(rows: Rows, y: np.ndarray, system: System, chosen: Any) -> dict[str, Any]:
    """What a Linearization holds, for the state y and the coordinates chosen (None: the best)."""
    _refuse_collapsed_springs(rows, y)
    _refuse_carried_rotors(rows, y)
    chart = Chart(rows, y, independent_coordinates(rows, y, chosen))
    friction = None
    if friction_laws(system):
        if rows.allowed(y).has_redundant_rows:
            rubbing = equations_of_motion(system)
            refuse_undetermined_friction("linearize", rubbing, rubbing.same_motion(rows.equations, y), rows.time)
        friction = FrictionDampers(system, rows, y)
    found = small_motion(chart, JointSlopes(rows, y, Steps(rows, y), friction=friction))
    if not found.accuracy <= INACCURATE:
        raise ModelError(
            f"linearize: {system.name!r} has no derivative about this state (differences in "
            f"{chart.coordinates.names[found.worst]!r} do not settle, relative error {found.accuracy:.1e}); look for a "
            "law that jumps there, such as friction that is not smoothed at rest"
        )
    back = chart.mass @ found.directions
    return {
        "system": system.replace(start=body_states(system, y)),
        "time": rows.time,
        "coordinates": chart.coordinates.names,
        "units": chart.coordinates.units,
        "mass": chart.mass,
        "damping": back @ found.damping @ back.T,
        "stiffness": back @ found.stiffness @ back.T,
        "force": chart.force,
        "rates": chart.coordinate_rates,
        "accuracy": found.accuracy,
        "control": None if found.control is None else found.control.along(found.directions),
        "_basis": found.tangents,
        "_orthonormal": (found.stiffness, found.damping, found.control),
    }
