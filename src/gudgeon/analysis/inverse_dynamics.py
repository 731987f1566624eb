"""Inverse dynamics: the forces at some joint coordinates that produce a motion; its equations are in actuation.py."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from gudgeon.analysis.actuation import Actuation, Forces
from gudgeon.analysis.coordinates import Coordinate, coordinate_named, driven_coordinates
from gudgeon.analysis.frozen import refuse_instants, refuse_states
from gudgeon.analysis.kinematics import kinematics
from gudgeon.analysis.motions import Motion, motion_of
from gudgeon.analysis.refusals import refuse_friction_with_memory, refuse_unknown_deformation
from gudgeon.drives import Drive
from gudgeon.errors import ModelError, SimulationInterrupted, interruptible
from gudgeon.flexible_bodies import joints_on_nodes
from gudgeon.mechanics.blas import one_blas_thread
from gudgeon.mechanics.rubbing import rubs_of
from gudgeon.results.coupling_data import coupling_coordinates, coupling_variables
from gudgeon.results.dataset import AXES
from gudgeon.results.result import Result
from gudgeon.system import System

if TYPE_CHECKING:
    import xarray as xr

COMPONENTS = ["force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"]


@interruptible("inverse_dynamics")
@one_blas_thread()
def inverse_dynamics(
    system: System,
    motion: Mapping[str, Any] | Result | xr.Dataset,
    *,
    duration: float | None = None,
    sample: float | np.ndarray | None = None,
    actuators: Iterable[str] | None = None,
) -> xr.Dataset:
    """The torques and forces at joint coordinates that make `system` perform a motion.

    motion     {"joint" or "joint.coordinate": number or expression in t}, or {name: gd.Drive}: these coordinates are
               prescribed, together with the system's own drives, and must leave nothing free; needs `duration`.
               Or a Result, or an xarray Dataset with position, orientation, velocity, angular_velocity, acceleration
               and angular_acceleration as in `result.data`: a motion that was simulated, computed or measured
    duration   of a motion given by functions [s]
    sample     of a motion given by functions: interval between samples [s], or all times [s]
    actuators  names of the coordinates at which forces act; by default the prescribed and driven ones, and as many
               others as the freedoms need, chosen for their leverage over the whole motion (pivoted QR). More
               actuators than freedoms share the work with the least norm

    Gravity, loads and springs of `system` act as described, loads that depend on t at the times of the samples; a
    spring on an angle counts turns from the first sample. Stops and flanks push as their laws say where the motion is
    beyond them; laws with memory are given the impact speed that the run of a Result had, or that of the motion between
    the samples where it enters the contact. Drives of the system exert no force of their own: their
    efforts are found like those of all actuators. Friction in ideal joints and threads acts as its law says at this
    motion, from the reactions that the motion needs, friction among them; its efforts are in `friction_effort`. The
    force of a real joint (dry, lubricated, bushing) depends on more than the motion: it is taken from reaction_force
    and reaction_torque of the Result or Dataset. So is that of a joint that holds a flexible body, whose deformation
    (node_displacement, node_velocity) must be there, too; functions do not tell it.

    Returns a Dataset: `effort` and `power` (time, actuator), `reaction_force` and `reaction_torque` (time, joint, axis)
    as in `result.data`, and `residual` (time, body, component) [N, N·m]: what the actuators cannot give. It is zero if
    the actuators move every freedom that forces must move. Samples exactly in a singular position, where joints alone
    no longer tell what is free, are NaN. Far too few actuators, and a motion that opens a joint, raise ModelError.
    Ctrl-C raises SimulationInterrupted, whose `.result` is the Dataset so far (or, while a motion given by functions is
    followed, the Result of `gd.kinematics` so far).

    >>> import gudgeon as gd
    >>> arm = gd.System(
    ...     gravity=(0, -9.81, 0),
    ...     bodies={"arm": gd.Body(mass=2.0, inertia=(0.1, 0.1, 0.1), position=(0.5, 0, 0))},
    ...     joints={"shoulder": gd.Revolute("ground", "arm", at=(0, 0, 0))},
    ... )
    >>> needed = gd.inverse_dynamics(arm, {"shoulder": "0*t"}, duration=1.0, sample=0.5)
    >>> needed.effort.sel(actuator="shoulder").values.round(9).tolist()  # m g d
    [9.81, 9.81, 9.81]
    """
    if not isinstance(system, System):
        raise ModelError(f"inverse_dynamics: {type(system).__name__} given; give a gd.System (an Assembly has .system)")
    refuse_states("inverse_dynamics", system)
    refuse_instants("inverse_dynamics", system, "this analysis knows one motion without events; use gd.simulate")
    refuse_friction_with_memory("inverse_dynamics", system)
    chosen = None if actuators is None else _named_actuators(system, actuators)
    prescribed: dict[Coordinate, Drive] = {}
    if _is_functions(motion):
        refuse_unknown_deformation("inverse_dynamics", system)
        prescribed = _prescribed(system, motion)
        if duration is None:
            raise ModelError("inverse_dynamics: a motion given by functions needs duration= [s]")
        driven = kinematics(_driven(system, prescribed), duration, sample=sample)
        given = motion_of(system, driven)
    else:
        if duration is not None or sample is not None:
            raise ModelError(
                "inverse_dynamics: duration and sample belong to a motion given by functions; this one has its own "
                "times"
            )
        given = motion_of(system, motion)
    actuation = Actuation(system, given)
    actuation.refuse_wrong_motion()
    if chosen is None:
        chosen = actuation.choose([*prescribed, *driven_coordinates(system)])
    found = actuation.solve(chosen)
    data = _dataset(system, given, chosen, found)
    if len(found.effort) < len(given.times):
        raise SimulationInterrupted(
            f"inverse_dynamics: interrupted after {len(found.effort)} of {len(given.times)} samples; error.result has "
            "these",
            result=data,
        )
    return data


def _is_functions(motion: Any) -> TypeGuard[Mapping[str, Any]]:
    import xarray as xr

    return isinstance(motion, Mapping) and not isinstance(motion, xr.Dataset)


def _named_actuators(system: System, actuators: Any) -> list[Coordinate]:
    """The coordinates that a user names as actuators."""
    if isinstance(actuators, str):
        actuators = (actuators,)
    if not isinstance(actuators, Iterable):
        raise ModelError(f"inverse_dynamics: actuators is {actuators!r}; give names of joints, such as ('pivot',)")
    named = [coordinate_named("inverse_dynamics, actuators", system, name) for name in actuators]
    held = joints_on_nodes(system)
    for coordinate in named:
        if coordinate.joint in held:
            raise ModelError(
                f"inverse_dynamics, actuators: {coordinate.label(system)!r} holds a flexible body; name a joint "
                "between rigid ones"
            )
        if named.count(coordinate) > 1:
            raise ModelError(f"inverse_dynamics, actuators: {coordinate.label(system)!r} is named twice")
    return named


def _prescribed(system: System, motion: Mapping[str, Any]) -> dict[Coordinate, Drive]:
    """The drives that a motion given by functions stands for."""
    if not motion:
        raise ModelError("inverse_dynamics: the motion is empty; give {joint: function of t}")
    drives: dict[Coordinate, Drive] = {}
    for name, value in motion.items():
        if isinstance(value, Drive):
            label = f"inverse_dynamics, motion {name!r}"
            coordinate = Coordinate(value.joint, system.coordinate(label, value.joint, value.coordinate))
        else:
            coordinate = coordinate_named("inverse_dynamics, motion", system, name)
            value = Drive(coordinate.joint, value, coordinate=coordinate.name)
        if coordinate in drives:
            raise ModelError(f"inverse_dynamics, motion: {coordinate.label(system)!r} is prescribed twice")
        drives[coordinate] = value
    return drives


def _driven(system: System, prescribed: dict[Coordinate, Drive]) -> System:
    """The system with these coordinates driven, instead of by its own drives of the same; what yields ties nothing."""
    kept = {name: system.drives[name] for one, name in driven_coordinates(system).items() if one not in prescribed}
    new = {one.label(system) + " (motion)" * (one.label(system) in kept): drive for one, drive in prescribed.items()}
    rigid = {name: coupling for name, coupling in system.couplings.items() if not coupling.is_elastic}
    return system.replace(drives={**kept, **new}, couplings=rigid)


def _dataset(system: System, motion: Motion, actuators: list[Coordinate], found: Forces) -> xr.Dataset:
    """Efforts, reactions and residual with names and units."""
    import xarray as xr

    def variable(dims, values: np.ndarray, units: str, long_name: str):
        return dims, values, {"units": units, "long_name": long_name}

    by_joint = ("time", "joint", "axis")
    rubbing = [part for rub in rubs_of(system) for part in rub.efforts]
    friction: dict[str, Any] = {}
    if rubbing:
        friction["friction_effort"] = variable(
            ("time", "rubbing_coordinate"),
            found.friction,
            "N*m or N",
            "torque or force of friction in an ideal joint, on the child",
        )
    return xr.Dataset(
        {
            **friction,
            **coupling_variables(system, found.coupling, found.elastic),
            "effort": variable(
                ("time", "actuator"), found.effort, "N*m or N", "torque or force of the actuator on the child, see unit"
            ),
            "power": variable(("time", "actuator"), found.power, "W", "power of the actuator"),
            "reaction_force": variable(
                by_joint,
                found.force,
                "N",
                "force of the joint on the child, actuators and springs not included, world axes",
            ),
            "reaction_torque": variable(
                by_joint,
                found.torque,
                "N*m",
                "torque of the joint on the child about its joint point, actuators and springs not included, "
                "world axes",
            ),
            "residual": variable(
                ("time", "body", "component"), found.residual, "N and N*m", "what the actuators cannot give, world axes"
            ),
        },
        coords={
            "time": ("time", motion.times[: len(found.effort)], {"units": "s"}),
            "actuator": np.array([one.label(system) for one in actuators], dtype=str),
            "unit": ("actuator", np.array(["N*m" if one.is_angle else "N" for one in actuators], dtype=str)),
            **({"rubbing_coordinate": np.array([name for name, _, _ in rubbing], dtype=str)} if rubbing else {}),
            **coupling_coordinates(system),
            "joint": np.array(list(system.joints), dtype=str),
            "body": list(system.bodies),
            "axis": AXES,
            "component": COMPONENTS,
        },
        attrs={"system": system.name, "analysis": "inverse dynamics"},
    )
