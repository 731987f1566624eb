"""What joints on curves, and bodies that meet, look like: wires, tracks, cams and their followers, floors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.bodies import GROUND
from gudgeon.cam import Cam
from gudgeon.curve_joint import CurveJoint
from gudgeon.meeting import Meeting
from gudgeon.nurbs.pieces import Pieces
from gudgeon.point_on_curve import PointOnCurve
from gudgeon.view.scene.arrays import Arrays
from gudgeon.view.scene.frames import Frames
from gudgeon.view.scene.parts import Array, Part, of_shape, part
from gudgeon.view.scene.ribbons import mesh, wire

if TYPE_CHECKING:
    from gudgeon.system import System

FINE = 4  # points of a piece of a curve
PROFILE = 180  # points of a cam
CAM_WIDTH = 0.4  # thickness of a cam, of its base radius


class CurveParts:
    """Draws such joints; `r` is the radius of bars [m]."""

    def __init__(self, system: System, frames: Frames, r: float, arrays: Arrays):
        self._system, self._frames, self._r, self._arrays = system, frames, r, arrays

    def of(self, joint: Any) -> tuple[list[Part], list[Part]]:
        """Parts of the parent and of the child."""
        if isinstance(joint, Meeting):
            pairs = zip((joint.parent, joint.child), joint.shapes, strict=True)
            first, second = (self._shape(body, shape) for body, shape in pairs)
            return first, second
        assert isinstance(joint, CurveJoint)
        points = self._frames.joint_points(joint)
        assert points is not None
        axes = [
            np.array([self._frames.direction(body, a) for a in joint.own_axes or ()])
            for body in (joint.parent, joint.child)
        ]
        tone = "ground" if joint.parent == GROUND else "body"
        profile = joint.profile(self._frames.world(joint.parent, points[0]))
        if isinstance(joint, Cam):
            own = self._plate(_profile(joint), joint.base_radius, tone)
        elif profile.extruded:
            assert profile.pieces is not None
            curve = _sampled(profile.pieces)
            thick = 1.6 * max(joint.roller, 0.8 * self._r)
            own = self._ribbon(curve, thick, tone)
        else:
            assert profile.pieces is not None
            own = [wire(self._arrays, _sampled(profile.pieces), 0.45 * self._r, "pin", profile.pieces.closed)]
        placed = [{**each, **_place(points[0], axes[0])} for each in own]
        return placed, self._follower(joint, points[1], axes[1])

    def _shape(self, body: str, shape: Any) -> list[Part]:
        """Of a body that has no shape of its own."""
        if body != GROUND and self._system.bodies[body].shape is not None:
            return []
        tone = "ground" if body == GROUND else "body"
        return [{**each, "tone": tone} for each in of_shape(shape, self._arrays)]

    def _follower(self, joint: CurveJoint, at: Array, axes: Array) -> list[Part]:
        """A roller, a face, or an edge."""
        if isinstance(joint, PointOnCurve) and joint.extruded is None:
            return [part("ball", (1.1 * self._r,), at)]
        size = joint.base_radius if isinstance(joint, Cam) else joint.size
        if joint.is_flat:
            return [part("box", (0.12 * size, 1.6 * size, 0.6 * size), at + 0.06 * size * axes[0], axes.T)]
        radius = joint.roller or 0.25 * self._r
        return [part("cylinder", (radius, 1.4 * max(radius, 1.2 * self._r)), at, axes[2], "pin")]

    def _plate(self, outline: Array, size: float, tone: str) -> list[Part]:
        """A disc with this outline, star-shaped about its centre."""
        n, up = len(outline), np.array((0.0, 0.0, 0.5 * CAM_WIDTH * size))
        points = np.concatenate([outline - up, outline + up, [-up, up]])
        k, after = np.arange(n), (np.arange(n) + 1) % n
        low, high = np.full(n, 2 * n), np.full(n, 2 * n + 1)
        sides = [(k, after, after + n), (k, after + n, k + n)]
        caps = [(low, after, k), (high, k + n, after + n)]
        return [
            mesh(self._arrays, points, np.concatenate([np.stack(t, axis=1) for t in (*sides, *caps)]), "mesh", tone)
        ]

    def _ribbon(self, curve: Array, width: float, tone: str) -> list[Part]:
        """A surface along z through a curve."""
        n, up = len(curve), np.array((0.0, 0.0, 0.5 * width))
        points = np.concatenate([curve - up, curve + up])
        k = np.arange(n - 1)
        triples = np.concatenate([np.stack(t, axis=1) for t in ((k, k + 1, k + 1 + n), (k, k + 1 + n, k + n))])
        return [mesh(self._arrays, points, triples, "sheet", tone)]


def _place(at: Array, axes: Array) -> dict[str, list[float]]:
    """Where a part is whose axes are given as rows."""
    placed = part("ball", (1.0,), at, axes.T)
    return {"at": placed["at"], "turn": placed["turn"]}


def _sampled(pieces: Pieces) -> Array:
    """Points of a curve, its end included."""
    share = np.linspace(0.0, 1.0, FINE + 1)[:-1]
    points = [pieces.at(k, share)[0] for k in range(len(pieces.sags))]
    return np.concatenate([*points, pieces.points[-1:]])


def _profile(cam: Cam) -> Array:
    """The outline of a cam: what its follower's edge, roller or face leaves of it."""
    turn = 2.0 * np.pi * np.arange(PROFILE) / PROFILE
    s, slope = (np.array([cam.lift_at(-x, order) for x in turn.tolist()]) for order in range(2))
    slope = -slope
    out, across = np.stack([np.cos(turn), np.sin(turn)]), np.stack([-np.sin(turn), np.cos(turn)])
    radius = cam.pitch_radius + s
    if cam.follower == "flat":
        x, y = radius * out + slope * across
    else:
        normal = radius * out - slope * across
        x, y = radius * out - cam.roller_radius * normal / np.linalg.norm(normal, axis=0)
    return np.stack([x, y, 0.0 * x], axis=1)
