"""Wheels of gears, as their couplings have them: pitch radii follow from the teeth and the distance of the axes.

With parallel axes at a distance d: r₁ = d z₁/(z₁ + z₂); of a pinion in a ring gear r₁ = d z₁/|z₂ − z₁|.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.bodies import GROUND
from gudgeon.couplings import Gear
from gudgeon.joints import Revolute
from gudgeon.view.scene.frames import Frames
from gudgeon.view.scene.parts import Part, part

if TYPE_CHECKING:
    from gudgeon.system import System

MOST_TEETH = 300  # drawn one by one; a wheel with more is smooth


def gear_wheels(system: System, frames: Frames, r: float) -> dict[str, list[Part]]:
    """The wheels of each body; none where axes are not parallel, or coincide."""
    found: dict[str, list[Part]] = {}
    for gear in system.couplings.values():
        if not isinstance(gear, Gear):
            continue
        joints: list[Any] = [system.joints[gear.first], system.joints[gear.second]]
        if not all(isinstance(joint, Revolute) and joint.child != GROUND for joint in joints):
            continue
        axis = np.array(joints[0].axis)
        places = [frames.world(joint.child, points[1]) for joint in joints if (points := frames.joint_points(joint))]
        apart = places[1] - places[0]
        apart = apart - (apart @ axis) * axis
        distance = float(np.linalg.norm(apart))
        if abs(abs(axis @ np.array(joints[1].axis)) - 1.0) > 1e-6 or distance < 1e-9:
            continue
        one, two = gear.teeth
        whole = abs(two - one) if gear.internal else one + two
        if not whole:
            continue
        for k, (joint, teeth) in enumerate(zip(joints, gear.teeth, strict=True)):
            radius, body = distance * teeth / whole, joint.child
            along = frames.direction(body, axis)
            towards = frames.direction(body, apart if k == 0 else -apart) / distance
            axes = np.stack([towards, np.cross(along, towards), along], axis=1)
            at = frames.point(body, places[k])
            ring = gear.internal and teeth == max(gear.teeth)
            if ring:
                size: tuple[float, ...] = (1.12 * radius, 1.4 * r, radius)
                wheel = part("tube", size, at, axes)
            else:
                size = (radius, 1.4 * r, teeth if teeth <= MOST_TEETH else 0, k % 2)
                wheel = part("gear", size, at, axes)
            found.setdefault(body, []).append(wheel)
    return found
