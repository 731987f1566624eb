"""A motion to be explained by forces: states and accelerations at samples, from a Result or a Dataset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gudgeon.analysis.contacts_of_motion import contacts_of_motion
from gudgeon.analysis.coordinates import CountedAngles, without_yielding_joints, yielding_joints
from gudgeon.errors import ModelError, did_you_mean
from gudgeon.mechanics.equations import Equations, equations_of_motion
from gudgeon.mechanics.rubbing import without_friction
from gudgeon.mechanics.state_layout import poses, twists
from gudgeon.results.result import Result
from gudgeon.system import System

WANTED = {
    "position": "axis",
    "orientation": "quaternion",
    "velocity": "axis",
    "angular_velocity": "axis",
    "acceleration": "axis",
    "angular_acceleration": "axis",
}


@dataclass(frozen=True)
class Motion:
    """What is known at the samples."""

    times: np.ndarray  # [s]
    states: np.ndarray  # (samples, state) positions, velocities, counted angles, then nodes of flexible bodies
    accelerations: np.ndarray  # (samples, 6 bodies)
    real_force: np.ndarray  # (samples, joints, 3) of joints that yield on the child, zero for others [N]
    real_torque: np.ndarray  # (samples, joints, 3) likewise, about the child's joint point [N·m]
    contacts: np.ndarray  # table of the contacts of stops and flanks, sorted by their begin


def motion_of(system: System, motion: Any) -> Motion:
    """The motion that a Result or an xarray Dataset holds, checked against the system."""
    import xarray as xr

    data = motion.data if isinstance(motion, Result) else motion
    if not isinstance(data, xr.Dataset):
        raise ModelError(
            f"inverse_dynamics: motion is a {type(motion).__name__}; give {{joint: function of t}}, a gd.Result or an "
            "xarray Dataset"
        )
    count, bodies = data.sizes.get("time", 0), list(system.bodies)
    if not count:
        raise ModelError("inverse_dynamics: the motion has no samples")
    parts = {name: _part(data, name, width, bodies) for name, width in WANTED.items()}
    equations = equations_of_motion(without_friction(without_yielding_joints(system, deformed=True)).replace(drives={}))
    states = np.zeros((count, equations.layout.size))
    poses(states, len(bodies))[:] = np.concatenate([parts["position"], parts["orientation"]], axis=2)
    twists(states, len(bodies))[:] = np.concatenate([parts["velocity"], parts["angular_velocity"]], axis=2)
    _put_nodes(equations, data, states)
    times = np.array(data["time"].values, dtype=float)
    counted = CountedAngles(equations)
    for s in range(count):
        near = counted.expected(states[s - 1], states[s], times[s] - times[s - 1]) if s else None
        counted.count(states[s], near)
    real_force, real_torque = _real_joints(system, data)
    accelerations = np.concatenate([parts["acceleration"], parts["angular_acceleration"]], axis=2)
    contacts = contacts_of_motion(equations, times, states, motion if isinstance(motion, Result) else None)
    return Motion(times, states, accelerations.reshape(count, -1), real_force, real_torque, contacts)


def _put_nodes(equations: Equations, data: Any, states: np.ndarray) -> None:
    """Displacements and velocities of the nodes of flexible bodies, into the states."""
    if equations.flexible is None:
        return
    names, layout = equations.flexible.node_names, equations.layout
    for variable, place in (("node_displacement", layout.displacements), ("node_velocity", layout.rates)):
        if variable not in data or not set(names) <= set(data["node"].values.tolist()):
            raise ModelError(
                f"inverse_dynamics: System {equations.system.name!r} has the flexible body "
                f"{next(iter(equations.flexible.bodies))!r}, and the Dataset has no {variable} of all its nodes; give "
                "the Result of a simulation of it"
            )
        found = data[variable].sel(node=names).transpose("time", "node", "plane").values
        states[:, place] = found.reshape(len(states), -1)


def _part(data: Any, name: str, last: str, bodies: list[str]) -> np.ndarray:
    """One variable as (time, body, component), in the order of the system's bodies."""
    if name not in data:
        raise ModelError(
            f"inverse_dynamics: the Dataset has no {name!r}; it needs {', '.join(WANTED)} (see gd.Result.data)"
        )
    variable = data[name]
    if set(variable.dims) != {"time", "body", last}:
        raise ModelError(
            f"inverse_dynamics: {name!r} has the dimensions {', '.join(map(str, variable.dims))}; "
            f"it needs time, body, {last}"
        )
    known = [str(body) for body in data["body"].values]
    for body in bodies:
        if body not in known:
            raise ModelError(f"inverse_dynamics: the motion has no body {body!r}; {did_you_mean(body, known)}")
    values = np.array(variable.transpose("time", "body", last).values, dtype=float)[:, [known.index(b) for b in bodies]]
    if not np.all(np.isfinite(values)):
        s = int(np.argmax(~np.isfinite(values).all(axis=(1, 2))))
        raise ModelError(
            f"inverse_dynamics: {name!r} is not finite at t = {float(data['time'].values[s]):.6g} s; leave that out"
        )
    return values


def _real_joints(system: System, data: Any) -> tuple[np.ndarray, np.ndarray]:
    """Forces and torques of the joints that yield, which the motion alone does not tell."""
    names, yielding = list(system.joints), yielding_joints(system)
    found = np.zeros((2, data.sizes["time"], len(names), 3))
    for j, (name, joint) in enumerate(system.joints.items()):
        if name not in yielding:
            continue
        for kind, variable in enumerate(("reaction_force", "reaction_torque")):
            if variable not in data or name not in data["joint"].values:
                what = f"is a real joint ({type(joint.model).__name__})" if joint.is_real else "holds a flexible body"
                instead = ", or make the joint ideal with system.with_model" if joint.is_real else ""
                raise ModelError(
                    f"inverse_dynamics: {joint.label(name)} {what}, whose force the motion alone does not tell, and "
                    f"the Dataset has no {variable} of it; give the Result of a simulation{instead}"
                )
            found[kind, :, j] = data[variable].sel(joint=name).transpose("time", "axis").values
    return found[0], found[1]
