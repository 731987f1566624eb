"""Stops as bumpers on the parent: a block at the end of a way, a peg at the end of a swing."""

from __future__ import annotations

from typing import Any

import numpy as np

from gudgeon.joints import Cylindrical, Prismatic, Revolute
from gudgeon.rotations import turned
from gudgeon.stops import Stop
from gudgeon.view.scene.drawn import Drawn, backwards
from gudgeon.view.scene.parts import Array, Part, axes_along, bar, part
from gudgeon.view.scene.sliding import block_length

PEG = 0.6  # from the joint to a peg, of the length of what swings


def bumpers(drawn: Drawn, arms: dict[str, Array]) -> dict[tuple[str, str], tuple[str, Array, list[Part]]]:
    """By joint and name of the contact: the body that carries a bumper, the place where it is met, its parts.

    `arms` are the farthest points of bodies from their joints, by the joint's name, in world axes.
    """
    found: dict[tuple[str, str], tuple[str, Array, list[Part]]] = {}
    for name, stop in drawn.system.loads.items():
        if not isinstance(stop, Stop):
            continue
        joint: Any = drawn.system.joints[stop.joint]
        points = drawn.frames.joint_points(joint)
        if points is None:
            continue
        for side, limit in stop.limits.items():
            sign = 1.0 if side == "upper" else -1.0
            made = None
            if isinstance(joint, Prismatic) or (isinstance(joint, Cylindrical) and stop.coordinate == "displacement"):
                made = _block(drawn, joint, points[0], limit, sign)
            elif isinstance(joint, Revolute) and stop.joint in arms:
                made = _peg(drawn, joint, points[0], arms[stop.joint], limit, sign)
            if made is not None:
                found[stop.joint, f"{name} {side}"] = (joint.parent, *made)
    return found


def _block(drawn: Drawn, joint: Any, p: Array, limit: float, sign: float) -> tuple[Array, list[Part]]:
    r = drawn.r
    along = drawn.frames.direction(joint.parent, joint.axis)
    up = drawn.frames.direction(joint.parent, drawn.up)
    meets = p + (limit + sign * 0.5 * block_length(drawn, joint)) * along
    size = (2.4 * r, 2.4 * r, 0.9 * r)
    return meets, [part("box", size, meets + sign * 0.45 * r * along, axes_along(along, up), "dark")]


def _peg(drawn: Drawn, joint: Any, p: Array, arm: Array, limit: float, sign: float) -> tuple[Array, list[Part]] | None:
    """Beside a bar that has turned as far as it may, on an arm behind it."""
    r, axis = drawn.r, np.array(joint.axis)
    across = arm - (arm @ axis) * axis
    length = float(np.linalg.norm(across))
    if length < 4.0 * r:
        return None
    away, peg = PEG * length, 0.75 * r
    turn = limit + sign * (r + peg) / away  # the bar's own half width
    half = 0.5 * turn
    way = turned(np.array([np.cos(half), *(np.sin(half) * axis)]), across / length)
    back = backwards(axis, drawn.up)
    way, back, axis = (drawn.frames.direction(joint.parent, v) for v in (way, back, axis))
    at = p + away * way
    tone = drawn.tone(joint.parent)
    behind = 1.9 * r * back
    parts = [
        part("cylinder", (peg, 3.4 * r), at + 0.6 * r * back, axis, "dark"),
        *bar(p + behind, at + behind + peg * way, axis, 1.1 * r, 0.6 * r, tone),
    ]
    return at, parts
