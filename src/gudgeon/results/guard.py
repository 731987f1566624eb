"""What no result may show, whichever solver made it: a ball outside its socket, energy from nowhere, a wall that pulls.

A run is looked at when it has ended, at some hundred of its samples. Energy is compared with the energy that the
mechanism exchanges, the largest kinetic energy plus the range of the potential one:

    total energy      kinetic, potential and stored; where nothing drives the mechanism it must not rise
    joint's energy    what a real joint has dissipated must not fall, whatever drives the mechanism

by more than CREATED of it; within a contact, whose stored energy is only as exact as its penetration, by more than
WITHIN_CONTACT, or by UNRESOLVED where steps may be as long as contacts. Bristles of LuGre store energy that no
potential counts; they may give it back.
"""

from __future__ import annotations

import dataclasses
from functools import lru_cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.errors import SimulationError
from gudgeon.functions.function import arguments_of, constant_value
from gudgeon.loads import Force, JointSpring, Load, SpringDamper, Torque
from gudgeon.mechanics.state_layout import poses
from gudgeon.rotations import turned, unit
from gudgeon.stops import Stop

if TYPE_CHECKING:
    from gudgeon.mechanics.equations import Equations
    from gudgeon.results.result import Result
    from gudgeon.solvers.base import Trajectory
    from gudgeon.system import System

CREATED = 1e-2  # of the energy exchanged: more than this is an error [-]
WITHIN_CONTACT = 1e-1  # the same while something touches [-]
UNRESOLVED = 0.5  # the same under TimeStepping [-]
PULLING = 1e-2  # of the largest normal force: a wall that pulls more than this is an error [-]
SLOWEST = 1e-4  # motion of all masses that counts as rest [m/s]
ROUNDING = 1e-9  # of the potential energy
MOST_LOOKS = 200  # samples
FINER = "give a smaller rtol= (or step=)"
ACTIVE = "or look for a law that pushes more on the way out than on the way in"


def raise_unless_physical(equations: Equations, trajectory: Trajectory, result: Result) -> None:
    """Raise SimulationError with time and joint where a finished run shows what no mechanism does."""
    if trajectory.end not in ("done", "stopped") or len(trajectory.times) == 0:
        return
    looks = _thinned(trajectory)
    out = _outputs(equations, looks)
    _raise_if_a_switch_is_blind(equations, looks, out, result)
    _raise_if_a_ball_is_lost(equations, looks, out, result)
    _raise_if_a_gap_is_lost(equations, looks, out, result)
    _raise_if_a_wall_pulls(equations, looks, out, result)
    _raise_if_energy_is_created(equations, looks, out, result)


def _outputs(equations: Equations, looks: Trajectory) -> Any:
    """What is looked at; of bodies in ideal joints on which nothing acts but gravity only energies."""
    from gudgeon.kernels.outputs.energies import energies_of_bodies
    from gudgeon.kernels.outputs.outputs import Outputs
    from gudgeon.results.dataset import evaluate_outputs

    model, n = equations.model, len(looks.times)
    if equations.flexible is not None or len(model.compliant) or len(model.load) or len(model.signal):
        return evaluate_outputs(equations, looks, 0)
    energy = np.empty((n, 2))
    energies_of_bodies(model, equations.work, np.ascontiguousarray(looks.states), energy)
    joint, wall = (np.zeros((n, 0, empty.shape[-1])) for empty in (Outputs.joint, Outputs.wall))
    return SimpleNamespace(energy=energy, joint=joint, wall=wall)


def sources(system: System) -> list[str]:
    """Loads and drives that can bring energy into a mechanism, by name.

    Springs, dampers and forces that stay as they are in world axes cannot; nor can a drive that holds its joint.

    >>> import gudgeon as gd
    >>> from gudgeon.results.guard import sources
    >>> sources(gd.examples.spatial_four_bar())
    []
    """
    loads = [name for name, load in system.loads.items() if not _conserves(load) or _is_controlled(system, load)]
    return loads + [name for name, drive in system.drives.items() if constant_value(drive.value) is None]


def _is_controlled(system: System, load: Load) -> bool:
    """Whether a controller decides on a load, if only on a damper, which may then push."""
    names = {name for _, value in load.given_functions() for name, _ in arguments_of(value)}
    return any(name.rpartition(".")[0] in system.controllers for name in names - load.local)


def _conserves(load: Load) -> bool:
    if isinstance(load, Force):
        return load.axes == "world" and _constant_force(load) is not None
    if isinstance(load, Torque):
        return not callable(load.vector) and all(constant_value(x) == 0.0 for x in load.vector)
    if isinstance(load, Stop):
        return True
    if isinstance(load, SpringDamper):
        return None not in (constant_value(load.stiffness), constant_value(load.length))
    if isinstance(load, JointSpring):
        return None not in (constant_value(load.stiffness), constant_value(load.rest))
    return False


def _constant_force(load: Force) -> np.ndarray | None:
    values = [None] if callable(load.vector) else [constant_value(x) for x in load.vector]
    return None if None in values else np.array(values, dtype=float)


@lru_cache(maxsize=8)
def _looks(count: int) -> np.ndarray:
    return np.unique(np.linspace(0, count - 1, MOST_LOOKS).astype(int))


def _thinned(trajectory: Trajectory) -> Trajectory:
    """At most MOST_LOOKS samples of a run, the first and the last among them."""
    keep = _looks(len(trajectory.times))
    forces = None if trajectory.forces is None else trajectory.forces[keep]
    return dataclasses.replace(trajectory, times=trajectory.times[keep], states=trajectory.states[keep], forces=forces)


def _raise_if_a_switch_is_blind(equations: Equations, looks: Trajectory, out: Any, result: Result) -> None:
    """A signal that is no number never reaches a value."""
    from gudgeon.kernels.dynamics.arrays import CROSSING_SIGNAL, CROSSING_SWITCH

    for line in equations.model.crossing[equations.model.crossing[:, CROSSING_SIGNAL] >= 0]:
        lost = np.flatnonzero(~np.isfinite(out.signal[:, line[CROSSING_SIGNAL]]))
        if len(lost):
            switch = int(line[CROSSING_SWITCH])
            name = equations.controls.switch_names[switch] if switch >= 0 else ""
            what = f"`when` of Switch {name!r}" if name else "the signal of a Crossing"
            _refuse(f"{what} is not a finite number, so that it reaches nothing", looks.times[lost[0]], name, result)


def _raise_if_a_ball_is_lost(equations: Equations, looks: Trajectory, out: Any, result: Result) -> None:
    from gudgeon.kernels.dynamics.arrays import SOCKET_RADIUS
    from gudgeon.kernels.outputs.joint_outputs import OUT_LENGTH

    for k, name in enumerate(equations.compliant.names):
        radius = equations.model.compliant_vector[k, SOCKET_RADIUS]
        outside = np.flatnonzero(out.joint[:, k, OUT_LENGTH] > radius) if 0.0 < radius < np.inf else []
        if len(outside):
            far, label = out.joint[outside[0], k, OUT_LENGTH], equations.system.joints[name].label(name)
            _refuse(
                f"the ball of {label} is {far:.3g} m from the centre of its socket of {radius:.3g} m: it has gone "
                f"through the wall; {FINER}, or a stiffer contact law",
                looks.times[outside[0]],
                name,
                result,
            )


def _raise_if_a_gap_is_lost(equations: Equations, looks: Trajectory, out: Any, result: Result) -> None:
    """A gap that is no number is never seen to close."""
    from gudgeon.kernels.dynamics.arrays import REPORT_PENETRATION

    for k, name in enumerate(equations.compliant.names):
        lost = np.flatnonzero(~np.isfinite(out.joint[:, k, REPORT_PENETRATION]))
        if len(lost) and equations.compliant.parts[k] == "own":
            joint = equations.system.joints[name]
            _refuse(
                f"{type(joint.model).__name__}.gap of {joint.label(name)} is not a finite number, so that no contact "
                "is seen; let it return one at every x that the joint can reach",
                looks.times[lost[0]],
                name,
                result,
            )


def _raise_if_a_wall_pulls(equations: Equations, looks: Trajectory, out: Any, result: Result) -> None:
    from gudgeon.kernels.dynamics.arrays import REPORT_NORMAL
    from gudgeon.kernels.elements.point_arrays import NORMAL_FORCE

    forces = [*out.joint[:, :, REPORT_NORMAL].T, *out.wall[:, :, NORMAL_FORCE].T]
    for name, force in zip(equations.contact_joints, forces, strict=True):
        s = int(np.argmin(force))
        if force[s] < -PULLING * np.abs(force).max():
            label = equations.system.joints[name].label(name)
            _refuse(
                f"the contact in {label} pulls with {-force[s]:.3g} N, which no wall does; {FINER}",
                looks.times[s],
                name,
                result,
            )


def _raise_if_energy_is_created(equations: Equations, looks: Trajectory, out: Any, result: Result) -> None:
    from gudgeon.kernels.dynamics.arrays import OWN_PARAMETERS, OWN_STORED, WORK_STATE

    kinetic, potential = out.energy.T
    potential = potential + _potential_of_forces(equations, looks)
    masses = sum(body.mass for body in equations.system.bodies.values())
    scale = kinetic.max() + np.ptp(potential) + ROUNDING * np.abs(potential).max() + masses * SLOWEST**2
    bristles = _in_bristles(equations, looks, out)
    names = list(equations.compliant.names)
    table = equations.model.compliant
    lost = falls = np.zeros((len(looks.times), 0))
    if names:
        lost = looks.states[:, table[:, WORK_STATE]]
        falls = np.maximum.accumulate(lost, axis=0) - lost
        own = (table[:, OWN_PARAMETERS] != 0) & (table[:, OWN_STORED] == 0)  # a model that does not say what it stores
        falls[:, own] = 0.0  # may store and give back
        potential = potential + lost[:, own].sum(axis=1)
    for k, name in enumerate(names):
        beyond = np.flatnonzero(falls[:, k] > CREATED * scale + bristles)
        if len(beyond):
            s = beyond[0]
            label = equations.system.joints[name].label(name)
            _refuse(
                f"{label} has given back {falls[s, k]:.3g} J more than it took, {falls[s, k] / scale:.2g} of the "
                f"energy exchanged; {FINER}, {ACTIVE}",
                looks.times[s],
                name,
                result,
            )
    if sources(equations.system):
        return
    energy = kinetic + potential
    rise = energy - np.minimum.accumulate(energy)
    if rise.max() <= CREATED * scale + bristles:  # the least that is told, and in flight it rises less
        return
    touching = UNRESOLVED if looks.stats["solver"] == "TimeStepping" else WITHIN_CONTACT
    flying = np.flatnonzero(~_touching(out))
    rise_in_flight = energy[flying] - np.minimum.accumulate(energy[flying])
    beyond = [
        *flying[rise_in_flight > CREATED * scale + bristles],
        *np.flatnonzero(rise > touching * scale + bristles),
    ]
    if beyond:
        s = min(beyond)
        name = names[int(np.argmin(lost[s]))] if names else ""
        where = f"; suspect {equations.system.joints[name].label(name)}" if name else ""
        _refuse(
            f"the energy has risen by {rise[s]:.3g} J, {rise[s] / scale:.2g} of the energy exchanged, though nothing "
            f"drives the mechanism{where}; {FINER}, {ACTIVE}",
            looks.times[s],
            name,
            result,
        )


def _potential_of_forces(equations: Equations, looks: Trajectory) -> np.ndarray:
    """−F·p of all forces that stay as they are, p the point they act at [J]."""
    from gudgeon.kernels.dynamics.arrays import FIRST

    total, names = np.zeros(len(looks.times)), list(equations.system.bodies)
    for k, load in enumerate(equations.system.loads.values()):
        if not isinstance(load, Force) or load.axes != "world":
            continue
        force = _constant_force(load)
        if force is None:
            continue
        carrier = int(equations.model.load[k, FIRST]) - len(equations.model.body)
        if carrier >= 0:
            total -= _on_nodes(equations, carrier, looks.states) @ force
        else:
            pose = poses(equations.body_motion(looks.states), len(names))[:, names.index(load.body)]
            total -= (pose[:, :3] + turned(unit(pose[:, 3:]), np.array(load.at))) @ force
    return total


def _on_nodes(equations: Equations, carrier: int, states: np.ndarray) -> np.ndarray:
    """Where a point that sits on nodes is (samples, 3) [m]."""
    s = equations.model.flexible
    frame, first, last = s.carrier[carrier]
    own = 2 * s.carry[first:last, None] + np.arange(2)
    moved = s.rest[own] + states[:, equations.layout.displacements][:, own]
    x, y = np.moveaxis(s.carry_weight[first:last] @ moved, -1, 0)
    axes = s.frame[frame].reshape(3, 3)  # x, y, origin
    return axes[2] + x[:, None] * axes[0] + y[:, None] * axes[1]


def _touching(out: Any) -> np.ndarray:
    """Whether anything touches, at each sample."""
    from gudgeon.kernels.dynamics.arrays import REPORT_CONTACT
    from gudgeon.kernels.elements.point_arrays import NORMAL_FORCE

    return np.any(out.joint[:, :, REPORT_CONTACT] > 0.0, axis=1) | np.any(out.wall[:, :, NORMAL_FORCE] > 0.0, axis=1)


def _in_bristles(equations: Equations, looks: Trajectory, out: Any) -> float:
    """The most energy that bristles held at a sample: ½ f_n σ₀ z² [J]."""
    from gudgeon.kernels.dynamics.arrays import BRISTLE, BRISTLE_STIFFNESS, REPORT_NORMAL

    total = 0.0
    for k, line in enumerate(equations.model.compliant):
        if line[BRISTLE] >= 0:
            z2 = np.sum(looks.states[:, line[BRISTLE] : line[BRISTLE] + 3] ** 2, axis=1)
            stiffness = equations.model.compliant_vector[k, BRISTLE_STIFFNESS]
            total += float(0.5 * stiffness * np.max(out.joint[:, k, REPORT_NORMAL] * z2, initial=0.0))
    return total


def _refuse(what: str, time: Any, owner: str, result: Result) -> None:
    name = "" if result.system is None else result.system.name
    raise SimulationError(
        f"System {name!r}: at t = {time:.6g} s {what}; error.result holds the run",
        time=float(time),
        owner=owner,
        result=result,
    )
