"""Collars and keys a second time, in plain NumPy from solid geometry: no formula of the theory, none of the kernels.

A collar is a plane fixed in the pin. How deep it is in a point of the bore's face is how far up the face, along the
bore, one goes until one meets that plane. Rates and directions are differences of this over small rigid motions; the
touching part is integrated along rays from the bore's axis (kernels: along rings). A key is a rectangle of the shaft, a
slot a plane of the hub; what is behind the plane is a polygon, cut into triangles (reference_walls.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import gudgeon as gd
from reference_journal import Land, Pose, Push
from reference_real_joints import Sides, called
from reference_walls import clipped, energy_of, points_of

RAYS, NODES = 5760, 8
SMALL, SLIGHT, BRIEF = 2e-9, 2e-7, 1e-6  # displacement [m], turn [rad], time [s] of differences


@dataclass(frozen=True)
class Ring:
    """A face of the bore at z = face from `inner` to `outer` radius, and a collar `at` along the pin; side ±1."""

    inner: float
    outer: float
    face: float
    at: float
    side: float

    def depth(self, d: np.ndarray, h: np.ndarray, rho: np.ndarray) -> np.ndarray:
        """Of points ρ (…, 2) of the face, for the pin's point at d and its axis along h (a unit vector)."""
        start = np.concatenate([rho, np.full((*rho.shape[:-1], 1), self.face)], axis=-1)
        up = np.array([0.0, 0.0, 1.0])
        on_plane = d + self.at * h
        far = ((on_plane - start) @ h) / (up @ h)  # along the bore from the face to the collar's plane
        return -self.side * far

    def points(self, d: np.ndarray, h: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """ρ, area and depth of all points that touch: Gauss along each ray, from where it gets in to where it ends."""
        angle = (np.arange(RAYS) + 0.5) * (2.0 * np.pi / RAYS)
        ways = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        ends = [self.depth(d, h, r * ways) for r in (self.inner, self.outer)]
        share = np.array(ends[0]) / np.where(ends[0] == ends[1], 1.0, ends[0] - ends[1])
        cut = self.inner + np.clip(share, 0.0, 1.0) * (self.outer - self.inner)
        low = np.where(ends[0] > 0.0, self.inner, np.where(ends[1] > 0.0, cut, self.outer))
        high = np.where(ends[1] > 0.0, self.outer, np.where(ends[0] > 0.0, cut, low))
        x, w = np.polynomial.legendre.leggauss(NODES)
        r = 0.5 * (low + high)[:, None] + 0.5 * (high - low)[:, None] * x
        area = 0.5 * (high - low)[:, None] * w * r * (2.0 * np.pi / RAYS)
        rho = r[:, :, None] * ways[:, None, :]
        return rho.reshape(-1, 2), area.ravel(), self.depth(d, h, rho).ravel()

    def energy(self, d: np.ndarray, h: np.ndarray, stiffness: float) -> float:
        """½ k ∫ δ² dA of a pressure k δ."""
        _, area, depth = self.points(d, h)
        return float(0.5 * stiffness * area @ depth**2)

    def elastic(self, d: np.ndarray, h: np.ndarray, stiffness: float) -> tuple[np.ndarray, np.ndarray]:
        """Force and torque about the pin's point, downhill: differences of the energy over displacements and turns."""
        force, torque = np.zeros(3), np.zeros(3)
        for c in range(3):
            e = np.eye(3)[c]
            there, back = (self.energy(d + s * SMALL * e, h, stiffness) for s in (1.0, -1.0))
            force[c] = -(there - back) / (2.0 * SMALL)
            there, back = (
                self.energy(d, Rotation.from_rotvec(s * SLIGHT * e).apply(h), stiffness) for s in (1.0, -1.0)
            )
            torque[c] = -(there - back) / (2.0 * SLIGHT)
        return force, torque

    def push(self, pose: Pose, pressure: Any, friction: Any) -> Push:
        """In motion: pressure(δ, δ̇), and friction(speed, normal) against the sliding of the two bodies half-way in."""
        d, h = pose.d, pose.h
        rho, area, depth = self.points(d, h)
        later = d + BRIEF * pose.v, Rotation.from_rotvec(BRIEF * pose.w).apply(h)
        before = d - BRIEF * pose.v, Rotation.from_rotvec(-BRIEF * pose.w).apply(h)
        rate = (self.depth(*later, rho) - self.depth(*before, rho)) / (2.0 * BRIEF)
        moved = [self.depth(d + s * SMALL * e, h, rho[:1])[0] for e in np.eye(3) for s in (1.0, -1.0)]
        out = (np.array(moved[::2]) - np.array(moved[1::2])) / (2.0 * SMALL)  # the way into the face
        p, still = np.maximum(pressure(depth, rate), 0.0), pressure(depth, 0.0 * rate)
        arm = np.concatenate([rho, self.face - 0.5 * self.side * depth[:, None]], axis=1) - d
        u = pose.v + np.cross(pose.w, arm)
        slide = u - np.outer(u @ out, out) / (out @ out)
        speed = np.linalg.norm(slide, axis=1)
        rub = friction(speed, p * np.linalg.norm(out))
        force = -p[:, None] * out - (rub / np.maximum(speed, 1e-300))[:, None] * slide
        return Push(
            force=area @ force,
            torque=area @ np.cross(arm, force),
            power=float(area @ ((p - still) * rate + rub * speed)),
        )


@dataclass
class Keyed:
    """What a keyed shaft does to the child about its joint point, world axes; flank by flank the normal force."""

    force: np.ndarray
    torque: np.ndarray
    stored: float
    normal: dict[str, float]


def wrench_of_keyed_shaft(system: gd.System, state: dict[str, gd.BodyState], towards: np.ndarray) -> Keyed:
    """Joint J of a DryKeyedShaft whose shaft is the child's and whose slot has no ends, key along `towards`."""
    joint, sides = system.joints["J"], Sides(system, "J", state)
    model: Any = joint.model
    shaft, along = model.shaft, np.array(joint.axis)
    right = np.cross(along, towards)
    basis = np.stack([np.cross(towards, along), towards, along], axis=1)  # of the bore, x to the left of the key
    B = sides.axes_i @ basis
    turning = sides.w_j - sides.w_i
    pose = Pose(
        d=B.T @ sides.e,
        h=B.T @ (sides.axes_j @ along),
        v=B.T @ (sides.u - np.cross(sides.w_i, sides.e)),
        w=B.T @ turning,
    )
    land = Land(
        bore_radius=shaft.bore_radius, pin_radius=shaft.pin_radius, bore=(-0.5 * shaft.length, 0.5 * shaft.length)
    )
    law = shaft.contact

    def line(delta, ddelta):
        return law.line_force(delta, ddelta, 1.0, law.parameters)

    push = land.push(pose, line)
    out = Keyed(B @ push.force, B @ push.torque, land.energy(pose, line), {})
    for name, side in (("left flank", -1.0), ("right flank", 1.0)):
        wall = sides.axes_i @ (side * right)  # out of the key, into the slot's side

        def place(uv, side=side):
            inside = model.key_lever * towards + 0.5 * side * model.key_width * right + uv[0] * towards + uv[1] * along
            return sides.P_j + sides.axes_j @ inside

        def depth(uv, place=place, wall=wall):
            return float(wall @ (place(uv) - sides.P_i)) - 0.5 * model.key_width - model.key_clearance

        half = 0.5 * np.array([model.key_height, model.key_length])
        corners = [half * corner for corner in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        total = 0.0
        for uv, area in points_of(clipped(corners, [depth(corner) for corner in corners])):
            X, deep, speed = place(uv), depth(uv), 1e-4
            u = sides.relative_velocity(X)
            rate = float(wall @ u)
            p = max(called(model.key_contact, deep, rate, speed), 0.0)
            slide = u - rate * wall
            fast = float(np.linalg.norm(slide))
            f = -p * wall
            if model.key_friction is not None and fast > 0.0:
                f = f - called(model.key_friction, fast, p) * slide / fast
            out.force += area * f
            out.torque += area * np.cross(X - sides.P_j, f)
            out.stored += area * energy_of(model.key_contact, deep, speed)
            total += area * p
        out.normal[name] = total
    return out
