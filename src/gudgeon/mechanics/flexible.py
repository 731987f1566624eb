"""Flexible bodies among rigid ones: the points where loads act become bodies without inertia that follow the nodes."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from gudgeon.body import Body
from gudgeon.errors import ModelError
from gudgeon.fem.points import node_at, weights_at
from gudgeon.flexible_body import FlexibleBody, flexible_bodies
from gudgeon.loads import Force, JointSpring, Load, SpringDamper
from gudgeon.mechanics.coordinates import rotation_matrix
from gudgeon.system import System

MARK = "@"  # in the names of points where loads act: "body@load"
NODE_WITHIN = 1e-6  # distance of a joint's point from its node, of the mesh's size [-]


@dataclass(frozen=True)
class Point:
    """A point of a flexible body where a load acts."""

    body: str  # the flexible body
    nodes: np.ndarray
    weights: np.ndarray


@dataclass(frozen=True)
class Expanded:
    """A system with a body for every loaded point of its flexible bodies."""

    system: System
    flexible: dict[str, FlexibleBody]
    points: dict[str, Point]  # by the name of the body that follows it


def expanded(system: System) -> Expanded:
    """Give every point of a flexible body where a load acts a body of its own."""
    flexible = flexible_bodies(system)
    bodies, loads, points = _loaded_points(system, flexible)
    if not points:
        return Expanded(system, flexible, {})
    return Expanded(system.replace(bodies=bodies, loads=loads), flexible, points)


def _loaded_points(system: System, flexible: dict[str, FlexibleBody]):
    """Bodies and loads of the expanded system, and the points that were added."""
    bodies, loads, points = dict(system.bodies), dict(system.loads), {}
    for name in system.loads:
        for body in system.loads[name].bodies():
            if body in flexible:
                loads[name], follower = _marked(name, loads[name], body, flexible[body], points)
                bodies.update(follower)
    return bodies, loads, points


def _marked(
    name: str, load: Load, body: str, flexible: FlexibleBody, points: dict[str, Point]
) -> tuple[Load, dict[str, Body]]:
    label = f"{type(load).__name__} {name!r}"
    marker = f"{body}{MARK}{name}"
    if isinstance(load, Force):
        at, moved = load.at, dataclasses.replace(load, body=marker, at=(0.0, 0.0, 0.0))
    elif isinstance(load, SpringDamper) and load.first == body:
        at, moved = load.at_first, dataclasses.replace(load, first=marker, at_first=(0.0, 0.0, 0.0))
    elif isinstance(load, SpringDamper):
        at, moved = load.at_second, dataclasses.replace(load, second=marker, at_second=(0.0, 0.0, 0.0))
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
    points[marker] = Point(body, *found)
    turned = rotation_matrix(flexible.orientation)
    place = tuple((np.array(flexible.position) + turned @ np.array(at)).tolist())
    return moved, {marker: Body(mass=1.0, inertia=(1.0, 1.0, 1.0), position=place, orientation=flexible.orientation)}


def is_marker(name: str) -> bool:
    """Whether a body is a point of another where a load acts."""
    return MARK in name


def check_flexible(system: System) -> None:
    """Refuse what a flexible body cannot do; ModelError names joint or load, rule, value and fix."""
    from gudgeon.guide import Guide
    from gudgeon.joints import Free, Revolute
    from gudgeon.models.flexible_slider import FlexibleSlider

    flexible = flexible_bodies(system)
    for name in flexible:
        if MARK in name:
            raise ModelError(
                f"System {system.name!r}: the name {name!r} of a flexible body has a {MARK!r}; leave it out"
            )
    for name, joint in system.joints.items():
        soft = [body for body in (joint.parent, joint.child) if body in flexible]
        if not soft or isinstance(joint, Free):
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
        elif isinstance(joint, Revolute):
            if len(soft) == 2:
                raise ModelError(f"{label}: both {soft[0]!r} and {soft[1]!r} are flexible; one of them must be rigid")
            if abs(abs(np.dot(joint.axis, axes[:, 2])) - 1.0) > 1e-9:
                raise ModelError(
                    f"{label}: its axis {joint.axis} is not across the plane of the flexible {soft[0]!r}, "
                    f"{tuple(axes[:, 2].round(9).tolist())}"
                )
        else:
            raise ModelError(
                f"{label}: {soft[0]!r} is flexible; it takes Guide joints with FlexibleSlider and Revolute joints"
            )
    for name, load in system.loads.items():
        if isinstance(load, JointSpring) and load.joint in system.joints:
            joint = system.joints[load.joint]
            if joint.child in flexible or joint.parent in flexible:
                raise ModelError(
                    f"JointSpring {name!r}: the joint {load.joint!r} holds a flexible body; use a SpringDamper"
                )
    for name, drive in system.drives.items():
        joint = system.joints.get(drive.joint)
        if joint is not None and (joint.child in flexible or joint.parent in flexible):
            raise ModelError(f"Drive {name!r}: the joint {drive.joint!r} holds a flexible body; drive a rigid one")
    _loaded_points(system, flexible)
