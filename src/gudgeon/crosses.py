"""Crosses of universal joints: a System with a `DryCross` has their bodies and trunnions besides what is described.

They are made anew from the model whenever a System is, and files leave them out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from gudgeon.bodies import GROUND, Body, BodyState
from gudgeon.errors import ModelError
from gudgeon.joints import Joint, Revolute, Universal
from gudgeon.models.dry_cross import DryCross
from gudgeon.models.trunnions import Trunnions
from gudgeon.orientations import ScalarFirst
from gudgeon.rotations import quaternion_of, rotation_matrix

STILL = Body(mass=1.0, inertia=(1.0, 1.0, 1.0))  # pose of the ground


@dataclass(frozen=True)
class Cross(Body):
    """The cross of a universal joint, in axes along the parent's pin, the child's pin and across both."""


@dataclass(frozen=True)
class Trunnion(Revolute):
    """A pin of a cross in the bores of its fork."""


def is_made(part: object) -> bool:
    """Whether a part of a System comes from the model of a joint."""
    return isinstance(part, Cross | Trunnion)


def as_described(body: Body) -> Body:
    """A cross as if it were described: it stays, whatever joints are there."""
    if not isinstance(body, Cross):
        return body
    return Body(body.mass, body.inertia, body.position, body.orientation, body.velocity, body.angular_velocity)


def with_crosses(
    bodies: Mapping[str, Body], joints: Mapping[str, Joint], start: Mapping[str, BodyState]
) -> tuple[dict[str, Body], dict[str, Joint], dict[str, BodyState]]:
    """Bodies, joints and start with the crosses of all `DryCross` models, and without those of others.

    A trunnion whose model was replaced (by an ideal one, say) keeps it.
    """
    known = {name: body for name, body in bodies.items() if not is_made(body)}
    described = {name: joint for name, joint in joints.items() if not is_made(joint)}
    placed = {name: state for name, state in start.items() if name in known or not is_made(bodies.get(name))}
    all_bodies, all_joints = dict(known), dict(described)
    for name, joint in described.items():
        if not isinstance(joint.model, DryCross) or not {joint.parent, joint.child} <= {GROUND, *known}:
            continue
        assert isinstance(joint, Universal)
        cross, made = f"{name}.cross", _trunnions(name, joint)
        for kind, taken in (("body", {cross} & set(known)), ("joint", set(made) & set(described))):
            if taken:
                raise ModelError(
                    f"{joint.label(name)}: its DryCross makes the {kind} {min(taken)!r}, but there is one of that "
                    "name; give it another name (mass= and inertia= of DryCross are those of the cross)"
                )
        all_bodies[cross] = _cross(joint, known)
        for part, trunnion in made.items():
            given = joints.get(part)
            replaced = given is not None and not isinstance(given.model, Trunnions)
            all_joints[part] = replace(trunnion, model=given.model) if given is not None and replaced else trunnion
        if cross in start:
            placed[cross] = start[cross]
        elif {joint.parent, joint.child} <= {GROUND, *placed}:
            placed[cross] = _between(joint, known, placed)
    return all_bodies, all_joints, placed


def _trunnions(name: str, joint: Universal) -> dict[str, Joint]:
    model = joint.model
    assert isinstance(model, DryCross)
    at = {"at": joint.at}
    if joint.at is None:
        at = {"at_parent": joint.at_parent, "at_child": (0.0, 0.0, 0.0)}
    first = Trunnion(joint.parent, f"{name}.cross", **at, axis=joint.axis_parent, model=model.trunnions("child"))
    if joint.at is None:
        at = {"at_parent": (0.0, 0.0, 0.0), "at_child": joint.at_child}
    second = Trunnion(f"{name}.cross", joint.child, **at, axis=joint.axis_child, model=model.trunnions("parent"))
    return {f"{name}.parent": first, f"{name}.child": second}


def _cross(joint: Universal, bodies: Mapping[str, Body]) -> Cross:
    """The body, in the reference pose."""
    model = joint.model
    assert isinstance(model, DryCross)
    centre = joint.at
    if centre is None:
        parent = bodies.get(joint.parent, STILL)
        centre = np.array(parent.position) + rotation_matrix(parent.orientation) @ np.array(joint.at_parent)
    return Cross(
        mass=model.mass_of_cross,
        inertia=model.inertia_of_cross,
        position=tuple(float(x) for x in centre),
        orientation=_along(np.array(joint.axis_parent), np.array(joint.axis_child)),
    )


def _along(first: np.ndarray, second: np.ndarray) -> ScalarFirst:
    """The orientation with x along `first` and y along `second`, as far as they are perpendicular."""
    across = np.cross(first, second)
    across /= np.linalg.norm(across)
    x = first / np.linalg.norm(first)
    return ScalarFirst(quaternion_of(np.column_stack([x, np.cross(across, x), across])))


def _between(joint: Universal, bodies: Mapping[str, Body], start: Mapping[str, BodyState]) -> BodyState:
    """The state of a cross between two forks whose states are given: centred, turning with both."""
    points, axes, rates, spins = [], [], [], []
    for name, axis, own in (
        (joint.parent, joint.axis_parent, joint.at_parent),
        (joint.child, joint.axis_child, joint.at_child),
    ):
        body = bodies.get(name, STILL)
        state = start.get(name, BodyState(position=(0, 0, 0), orientation=(1, 0, 0, 0)))
        described, now = rotation_matrix(body.orientation), rotation_matrix(state.orientation)
        arm = np.array(own) if joint.at is None else described.T @ (np.array(joint.at) - np.array(body.position))
        points.append(np.array(state.position) + now @ arm)
        axes.append(now @ described.T @ np.array(axis))
        spins.append(np.array(state.angular_velocity))
        rates.append(np.array(state.velocity) + np.cross(spins[-1], now @ arm))
    # ω = ω_parent + α a = ω_child + β b
    turn = np.linalg.lstsq(np.column_stack([axes[0], -axes[1]]), spins[1] - spins[0], rcond=None)[0]
    return BodyState(
        position=tuple(0.5 * (points[0] + points[1])),
        orientation=_along(*axes),
        velocity=tuple(0.5 * (rates[0] + rates[1])),
        angular_velocity=tuple(spins[0] + turn[0] * axes[0]),
    )
