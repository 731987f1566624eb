"""A box in its guide in plain NumPy: polygons are clipped edge by edge, cut into triangles and integrated by Gauss.

Nothing of gudgeon's kernels is used, and other points of quadrature: 12 × 12 in each triangle of a fan. Laws are called
as Python.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

import gudgeon as gd
from reference_real_joints import Sides, called

NODES, WEIGHTS = np.polynomial.legendre.leggauss(12)
NODES, WEIGHTS = 0.5 * (NODES + 1.0), 0.5 * WEIGHTS


@dataclass
class Wrench:
    """On the child, about its joint point, world axes; energy stored, power lost, normal force wall by wall."""

    force: np.ndarray
    torque: np.ndarray
    stored: float
    power: float
    normal: dict[str, float]


def clipped(corners: list[np.ndarray], depths: list[float]) -> list[np.ndarray]:
    """The part of a convex polygon where a linear function, given in its corners, is positive (Sutherland–Hodgman)."""
    kept = []
    for k, (here, depth) in enumerate(zip(corners, depths, strict=True)):
        before, last = corners[k - 1], depths[k - 1]
        if (depth > 0.0) != (last > 0.0):
            kept.append(before + last / (last - depth) * (here - before))
        if depth > 0.0:
            kept.append(here)
    return kept


def points_of(polygon: list[np.ndarray]) -> list[tuple[np.ndarray, float]]:
    """Points and areas: a fan of triangles from each of which Duffy's map makes a square."""
    found = []
    for second, third in pairwise(polygon[1:]):
        a, b = second - polygon[0], third - second
        area = abs(a[0] * b[1] - a[1] * b[0])
        found += [
            (polygon[0] + s * (a + t * b), area * s * ws * wt)
            for s, ws in zip(NODES, WEIGHTS, strict=True)
            for t, wt in zip(NODES, WEIGHTS, strict=True)
        ]
    return found


def energy_of(law: Any, depth: float, speed: float) -> float:
    """Work of a law at rest up to a depth, δ = depth s²."""
    return sum(
        w * 2.0 * s * depth * called(law, depth * s * s, 0.0, speed) for s, w in zip(NODES, WEIGHTS, strict=True)
    )


def wrench_of_box(system: gd.System, state: dict[str, gd.BodyState], up: tuple, speeds: dict[str, float]) -> Wrench:
    """What the walls of joint J, a DryBox, do; `speeds`: impact speed of each wall that touches [m/s]."""
    joint, sides = system.joints["J"], Sides(system, "J", state)
    box = joint.model
    assert isinstance(box, gd.DryBox)
    along = np.array(joint.axis)
    right = np.cross(along, up)
    side = box.side_clearance or box.clearance
    out = Wrench(np.zeros(3), np.zeros(3), 0.0, 0.0, {})
    for name, normal, edge, thick, wide, play in (
        ("upper wall", np.array(up), right, box.height, box.width, box.clearance),
        ("lower wall", -np.array(up), right, box.height, box.width, box.clearance),
        ("left wall", -right, np.array(up), box.width, box.height, side),
        ("right wall", right, np.array(up), box.width, box.height, side),
    ):
        face_on_guide = box.guide_length is not None and box.guide_length < box.length
        length = box.guide_length if face_on_guide else box.length
        face, plane = (sides.axes_i, sides.axes_j) if face_on_guide else (sides.axes_j, sides.axes_i)
        origin, base = (sides.P_i, sides.P_j) if face_on_guide else (sides.P_j, sides.P_i)
        centre = (0.5 * thick + play if face_on_guide else 0.5 * thick) * normal
        sign = -1.0 if face_on_guide else 1.0
        n = plane @ normal

        def place(uv, face=face, origin=origin, centre=centre, edge=edge):
            return origin + face @ (centre + uv[0] * edge + uv[1] * along)

        def depth(uv, place=place, base=base, n=n, sign=sign, thick=thick, play=play):
            return sign * (n @ (place(uv) - base) - 0.5 * thick - (0.0 if sign < 0.0 else play))

        ends = [-0.5 * length, 0.5 * length]
        if box.guide_length is not None:  # where the middle of the face reaches the ends of the other
            other, axis = 0.5 * (box.length if face_on_guide else box.guide_length), plane @ along
            at, per_length = axis @ (place((0.0, 0.0)) - base), axis @ (face @ along)
            ends = np.clip(ends, (-other - at) / per_length, (other - at) / per_length)
        corners = [np.array((0.5 * u * wide, ends[v])) for u, v in ((-1, 0), (1, 0), (1, 1), (-1, 1))]
        polygon = clipped(corners, [depth(c) for c in corners])
        speed, law, total = max(speeds.get(name, 0.0), box.smallest_impact_speed), box.contact, 0.0
        for end in (0, 1):  # the energy per length where the other ends pushes along it
            if abs(ends[end]) < 0.5 * length * (1.0 - 1e-9):
                u, w = np.polynomial.legendre.leggauss(400)
                energy = sum(
                    0.5 * wide * weight * energy_of(law, max(depth((0.5 * wide * at, ends[end])), 0.0), speed)
                    for at, weight in zip(u, w, strict=True)
                )
                push = (sign if end else -sign) * energy / ((plane @ along) @ (face @ along)) * (plane @ along)
                out.force += push
                out.torque += np.cross(place((0.0, ends[end])) - sides.P_j, push)
        for uv, area in points_of(polygon):
            X, delta = place(uv), depth(uv)
            velocity = sides.relative_velocity(X)  # of the child against the parent
            rate = n @ velocity
            pressure = max(called(law, delta, rate, speed), 0.0)
            slide = velocity - rate * n
            f = -pressure * n
            lost = (pressure - called(law, delta, 0.0, speed)) * rate
            fast = np.linalg.norm(slide)
            if box.friction is not None and fast > 0.0:
                rub = called(box.friction, fast, pressure)
                f, lost = f - rub * slide / fast, lost + rub * fast
            out.force += area * f
            out.torque += area * np.cross(X - sides.P_j, f)
            out.power += area * lost
            out.stored += area * energy_of(law, delta, speed)
            total += area * pressure
        out.normal[name] = total
    return out
