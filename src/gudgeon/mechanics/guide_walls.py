"""The walls of a guide, and the corners of a rigid slider that can touch them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gudgeon.errors import ModelError
from gudgeon.guide import Guide
from gudgeon.joints import Joint
from gudgeon.laws.dry_friction import DryFriction
from gudgeon.mechanics.coordinates import ReferencePose
from gudgeon.models.rigid_slider import RigidSlider
from gudgeon.models.slider import Slider

INSIDE_WALL = 1.0  # of the clearance, by which a slider may start within the wall: soft contacts are pressed in
ENDS = {"left": -1.0, "right": 1.0}  # of a rigid slider, along the guide's axis
WALLS = {"upper": 1.0, "lower": -1.0}  # on which side of the slider they are, along the guide's normal


def touches_by_rows(model: Slider) -> bool:
    """Whether a nonsmooth step solves for its contact forces: where friction is smooth, laws tell them."""
    return model.friction is None or isinstance(model.friction, DryFriction)


def wall(joint: Guide, pose: ReferencePose, side: str, height: float, play: float) -> tuple[np.ndarray, np.ndarray]:
    """A point of a wall from the guide's centre of mass [m], and (along, normal towards the slider, out) as rows.

    Both in the guide's axes, for a slider of this height with this clearance on each side.
    """
    sign, up = WALLS[side], np.array(joint.normal)
    at = pose.joint_points(joint)[0] + pose.to_body(joint.parent, sign * (0.5 * height + play) * up)
    along, normal = pose.to_body(joint.parent, np.array(joint.axis)), pose.to_body(joint.parent, -sign * up)
    return at, np.array([along, normal, np.cross(along, normal)])


def corners(joint: Guide, model: RigidSlider, pose: ReferencePose, side: str) -> Iterator[tuple[str, np.ndarray]]:
    """Names of the corners that can touch a wall, and where they are from the joint's point, slider's axes [m]."""
    for what, sign in ENDS.items():
        along, up = sign * model.length * np.array(joint.axis), WALLS[side] * model.height * np.array(joint.normal)
        yield f"{side} {what}", pose.to_body(joint.child, 0.5 * (along + up))


def refuse_start_in_wall(joint: Joint, name: str, part: str, gap: float) -> None:
    """ModelError if a surface point of a slider starts more than a little within the wall of its guide; gap in [m]."""
    assert isinstance(joint.model, Slider)
    if gap < -INSIDE_WALL * joint.model.play:
        raise ModelError(
            f"{joint.label(name)}: {joint.child!r} starts {-gap:.3g} m within the wall at {part!r}; the clearance is "
            f"{joint.model.play:g} m: place it between the surfaces, centred at the joint's point"
        )
