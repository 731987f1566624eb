"""Which bodies of a system are flexible, and what may be done to them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from gudgeon.bodies import FlexibleBody
from gudgeon.checks import known
from gudgeon.errors import ModelError
from gudgeon.fem.points import node_at, weights_at
from gudgeon.guide import Guide
from gudgeon.joints import Free, Joint, Revolute
from gudgeon.loads import Force, JointEffort, JointSpring, Load, SpringDamper
from gudgeon.models.bushing import Bushing
from gudgeon.models.flexible_slider import FlexibleSlider
from gudgeon.models.ideal import Ideal
from gudgeon.models.penalty_pin import PenaltyPin
from gudgeon.rotations import rotation_matrix
from gudgeon.stops import Stop

if TYPE_CHECKING:
    from gudgeon.system import System


def flexible_bodies(system: System) -> dict[str, FlexibleBody]:
    """The flexible bodies of a system: those described as such, and children of guides with a flexible slider.

    >>> import gudgeon as gd
    >>> from gudgeon.flexible_bodies import flexible_bodies
    >>> flexible_bodies(gd.examples.spatial_four_bar())
    {}
    """
    found = {name: body for name, body in system.bodies.items() if isinstance(body, FlexibleBody)}
    for name, joint in system.joints.items():
        model = joint.model
        if not isinstance(model, FlexibleSlider):
            continue
        body, label = system.bodies.get(joint.child), joint.label(name)
        if body is None:
            raise ModelError(f"{label}: the child of a flexible slider's guide must be a body, not the ground")
        if isinstance(body, FlexibleBody):
            if model.mesh is not None and (model.mesh != body.mesh or model.material != body.material):
                raise ModelError(f"{label}: both the model and the body {joint.child!r} have a mesh; give one")
            continue
        if model.mesh is None or model.material is None:
            raise ModelError(
                f"{label}: FlexibleSlider has no mesh; give mesh= and material=, or make the child flexible"
            )
        if joint.child in found:
            raise ModelError(f"{label}: {joint.child!r} is the flexible slider of another guide already")
        pose = (body.position, body.orientation, body.velocity, body.angular_velocity)
        flexible = _made(model.mesh, model.material, model.damping, *pose)
        if abs(flexible.mass - body.mass) > 1e-6 * body.mass:
            raise ModelError(
                f"{label}: the mesh weighs {flexible.mass:.9g} kg, the body {joint.child!r} {body.mass:.9g} kg; they "
                "are the same thing: make density × thickness or the body's mass fit"
            )
        found[joint.child] = flexible
    return found


def joints_on_nodes(system: System) -> set[str]:
    """The joints that hold or touch nodes of a flexible body.

    >>> import gudgeon as gd
    >>> from gudgeon.flexible_bodies import joints_on_nodes
    >>> joints_on_nodes(gd.examples.spatial_four_bar())
    set()
    """
    flexible = flexible_bodies(system)
    return {name for name, joint in system.joints.items() if joint.parent in flexible or joint.child in flexible}


@lru_cache(maxsize=64)
def _made(mesh, material, damping, position, orientation, velocity, angular_velocity) -> FlexibleBody:
    """A flexible body, made once: its matrices are kept with it."""
    return FlexibleBody(
        mesh=mesh,
        material=material,
        damping=damping,
        position=position,
        orientation=orientation,
        velocity=velocity,
        angular_velocity=angular_velocity,
    )


def check_flexible(system: System) -> None:
    """Refuse what a flexible body cannot do; ModelError names joint or load, rule, value and fix."""
    flexible = flexible_bodies(system)
    for name, joint in system.joints.items():
        soft = [body for body in (joint.parent, joint.child) if body in flexible]
        if not soft or not (joint.is_real or joint.blocks().row_count):  # nothing holds it there
            continue
        label = joint.label(name)
        axes = rotation_matrix(flexible[soft[0]].orientation)
        if isinstance(joint, Guide):
            for what, direction, axis in (("axis", joint.axis, axes[:, 0]), ("normal", joint.normal, axes[:, 1])):
                if abs(np.dot(direction, axis) - 1.0) > 1e-9:
                    raise ModelError(
                        f"{label}: {what} is {getattr(joint, what)}, the flexible slider's mesh has its "
                        f"{'x' if what == 'axis' else 'y'} axis along {tuple(axis.round(9).tolist())}; "
                        "they must be the same: turn the body (orientation=)"
                    )
            if joint.parent in flexible:
                raise ModelError(f"{label}: the guide itself, {joint.parent!r}, is flexible; it must be rigid")
            if not isinstance(joint.model, FlexibleSlider):
                raise ModelError(
                    f"{label}: its model is {type(joint.model).__name__}, but {soft[0]!r} is flexible: its nodes meet "
                    "the guide, each by itself; give gd.FlexibleSlider(clearance=, contact=)"
                )
        elif isinstance(joint, Revolute | Free):
            if len(soft) == 2:
                raise ModelError(f"{label}: both {soft[0]!r} and {soft[1]!r} are flexible; one of them must be rigid")
            _refuse_torques(label, joint, soft[0])
            if isinstance(joint, Revolute) and abs(abs(np.dot(joint.axis, axes[:, 2])) - 1.0) > 1e-9:
                raise ModelError(
                    f"{label}: its axis {joint.axis} is not across the plane of the flexible {soft[0]!r}, "
                    f"{tuple(axes[:, 2].round(9).tolist())}"
                )
        else:
            raise ModelError(
                f"{label}: {soft[0]!r} is flexible; it takes Guide joints with FlexibleSlider and Revolute joints"
            )
    held = joints_on_nodes(system)
    for name, load in system.loads.items():
        if isinstance(load, JointSpring | JointEffort | Stop) and load.joint in held:
            raise ModelError(
                f"{type(load).__name__} {name!r}: the joint {load.joint!r} holds a flexible body, whose nodes take "
                "forces alone; give a Force or a SpringDamper at a point of it"
            )
    for name, drive in system.drives.items():
        if drive.joint in held:
            raise ModelError(f"Drive {name!r}: the joint {drive.joint!r} holds a flexible body; drive a rigid one")
    for name, load in system.loads.items():
        for body in load.bodies():
            if body in flexible:
                loaded_point(f"{type(load).__name__} {name!r}", load, body, flexible[body])


def _refuse_torques(label: str, joint: Joint, soft: str) -> None:
    """ModelError where a real joint would turn a node of a flexible body, which takes forces in its plane alone."""
    model = joint.model
    if not isinstance(model, Ideal | PenaltyPin | Bushing):
        raise ModelError(
            f"{label}: its model is {type(model).__name__}, but {soft!r} is flexible: its nodes take forces and no "
            "torques; give " + ("a Bushing" if isinstance(joint, Free) else "Ideal(), a PenaltyPin or a Bushing")
        )
    if isinstance(joint, Free) and isinstance(model, Bushing):
        turned = any(matrix[3:].any() for matrix in model.matrices()) or any((model.curves or (None,) * 6)[3:])
        if turned:
            raise ModelError(
                f"{label}: its bushing holds rotations, but {soft!r} is flexible: its nodes take forces and no "
                "torques; give a number or 3×3 matrices, and no tilt_stiffness"
            )


def loaded_point(label: str, load: Load, body: str, flexible: FlexibleBody) -> tuple[np.ndarray, np.ndarray]:
    """The nodes of a flexible body that carry a load, and their weights."""
    if isinstance(load, Force):
        at = known(load.at)
    elif isinstance(load, SpringDamper):
        at = known(load.at_first if load.first == body else load.at_second)
    else:
        raise ModelError(
            f"{label}: {body!r} is flexible; a {type(load).__name__} on it is not possible, give two forces instead"
        )
    point = np.array(at[:2]) + flexible.plane_model.centre_of_mass
    found = weights_at(flexible.mesh, point) if abs(at[2]) < 1e-9 else None
    if found is None:
        node, distance = node_at(flexible.mesh, point)
        raise ModelError(
            f"{label}: the point {tuple(at)} of {body!r} is outside its mesh; the nearest node is {node} at "
            f"{tuple(flexible.rest[node].round(9).tolist())}, {distance:.3g} m away"
        )
    return found
