"""A pin in a bore in plain NumPy and SciPy, from the formulas of the theory: what the compiled lands and collars must be.

Reach of a section by brute force over all directions, touching parts by looking for all roots along the land, as many
Gauss points as asked for. Everything in bearing axes: d, h, v, w of the pin against the bore.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from math import inf

import numpy as np
from scipy.optimize import brentq

Law = Callable[[float, float], float]
ANGLES = np.linspace(0.0, 2.0 * np.pi, 721)
AROUND = np.stack([np.cos(ANGLES), np.sin(ANGLES)])



@dataclass(frozen=True, kw_only=True)
class Push:
    """On the pin, at its joint point."""

    force: np.ndarray
    torque: np.ndarray
    power: float  # lost [W]


@dataclass(frozen=True, kw_only=True)
class Pose:
    """Of the pin against its bore."""

    d: np.ndarray
    h: np.ndarray
    v: np.ndarray = field(default_factory=lambda: np.zeros(3))
    w: np.ndarray = field(default_factory=lambda: np.zeros(3))

    @property
    def k(self) -> np.ndarray:
        return self.h[:2] / self.h[2]


rule = cache(np.polynomial.legendre.leggauss)


def gauss(count: int, a: float, b: float):
    x, w = rule(count)
    return zip((0.5 * (a + b) + 0.5 * (b - a) * x).tolist(), (0.5 * (b - a) * w).tolist(), strict=True)


def stored(law: Law, depth: float) -> float:
    """∫ law dδ at rest, with δ = δ_max x²: laws may begin as a root or a logarithm."""
    return sum(2.0 * w * depth * x * law(depth * x * x, 0.0) for x, w in gauss(16, 0.0, 1.0))


def rubbed(nu: np.ndarray, arm: np.ndarray, pose: Pose, depth: float, law: Law, friction: Law | None) -> Push:
    """Per unit of length or area."""
    u = pose.v + np.cross(pose.w, arm)
    rate = nu @ u
    f, elastic = max(law(depth, rate), 0.0), law(depth, 0.0)
    along = u - nu * rate / (nu @ nu)
    speed = np.linalg.norm(along)
    rub = friction(speed, f * np.linalg.norm(nu)) if friction and speed > 0.0 else 0.0
    force = -f * nu - (rub * along / speed if rub else 0.0)
    return Push(force=force, torque=np.cross(arm, force), power=(f - elastic) * rate + rub * speed)


@dataclass(frozen=True, kw_only=True)
class Land:
    """Pin and bore, each with its ends along its own axis."""

    bore_radius: float
    pin_radius: float
    bore: tuple[float, float]
    pin: tuple[float, float] = (-inf, inf)
    points: int = 40

    def section(self, pose: Pose, z: float) -> tuple[float, np.ndarray, np.ndarray]:
        """δ, n and e."""
        e = pose.d[:2] + (z - pose.d[2]) * pose.k

        def back(angle: float) -> float:
            n = np.array((np.cos(angle), np.sin(angle)))
            return -(e @ n + self.pin_radius * np.sqrt(1.0 + (n @ pose.k) ** 2))

        reach = e @ AROUND + self.pin_radius * np.sqrt(1.0 + (pose.k @ AROUND) ** 2)
        near = ANGLES[int(np.argmax(reach))]
        n = np.array((np.cos(near), np.sin(near)))
        for _ in range(4):  # to the last digit
            t = np.array((-n[1], n[0]))
            S = np.sqrt(1.0 + (n @ pose.k) ** 2)
            slope = e @ t + self.pin_radius * (n @ pose.k) * (t @ pose.k) / S
            bend = -e @ n + self.pin_radius * ((t @ pose.k) ** 2 - (n @ pose.k) ** 2) / S
            n = n - slope / bend * t
            n /= np.linalg.norm(n)
        return -back(np.arctan2(n[1], n[0])) - self.bore_radius, n, e

    def depth(self, pose: Pose, z: float) -> float:
        return self.section(pose, z)[0]

    def ends(self, pose: Pose) -> tuple[float, float, bool, bool]:
        lower, upper = (pose.d[2] + end * pose.h[2] for end in self.pin)
        return max(self.bore[0], lower), min(self.bore[1], upper), lower > self.bore[0], upper < self.bore[1]

    def parts(self, pose: Pose) -> list[tuple[float, float]]:
        """Where it touches."""
        low, high, _, _ = self.ends(pose)
        square = pose.k @ pose.k
        places = set(np.linspace(low, high, 21).tolist())
        if square:
            places.add(float(np.clip(pose.d[2] - pose.d[:2] @ pose.k / square, low, high)))
        places = sorted(places)
        depths = [self.depth(pose, z) for z in places]
        cuts = [low, high]
        for a, b, f, g in zip(places, places[1:], depths, depths[1:], strict=False):
            if f * g < 0.0:
                cuts.append(brentq(lambda z: self.depth(pose, z), a, b, xtol=1e-16))
        if square and low < (z := pose.d[2] - pose.d[:2] @ pose.k / square) < high:
            cuts.append(float(z))
        cuts = sorted(cuts)
        return [(a, b) for a, b in zip(cuts, cuts[1:], strict=False) if b > a and self.depth(pose, 0.5 * (a + b)) > 0.0]

    def push(self, pose: Pose, law: Law, friction: Law | None = None) -> Push:
        force, torque, power = np.zeros(3), np.zeros(3), 0.0
        for a, b in self.parts(pose):
            for z, weight in gauss(self.points, a, b):
                depth, n, e = self.section(pose, z)
                nk, S = n @ pose.k, np.sqrt(1.0 + (n @ pose.k) ** 2)
                across = e + self.pin_radius * (n + pose.k * nk) / S - 0.5 * depth * n
                arm = np.array((*(across - pose.d[:2]), z + 0.5 * depth * nk - pose.d[2]))
                part = rubbed(np.array((*n, -nk)), arm, pose, depth, law, friction)
                force, torque, power = force + weight * part.force, torque + weight * part.torque, power + weight * part.power
        low, high, low_on_pin, high_on_pin = self.ends(pose)
        for z, on_pin, end, sign in ((low, low_on_pin, self.pin[0], 1.0), (high, high_on_pin, self.pin[1], -1.0)):
            if on_pin and self.depth(pose, z) > 0.0:
                leaves = sign * stored(law, self.depth(pose, z))
                force = force + (0.0, 0.0, leaves)
                torque = torque + np.cross(end * pose.h, (0.0, 0.0, leaves))
        return Push(force=force, torque=torque, power=power)

    def energy(self, pose: Pose, law: Law) -> float:
        total = 0.0
        for a, b in self.parts(pose):
            for z, weight in gauss(self.points, a, b):
                total += weight * stored(law, self.depth(pose, z))
        return total


@dataclass(frozen=True, kw_only=True)
class Collar:
    """Against a face at z = face; side 1: the upper one."""

    inner: float
    outer: float
    face: float
    at: float
    side: float
    points: int = 30

    def depth(self, pose: Pose, rho: np.ndarray) -> float:
        s, d = self.side, pose.d
        return s * (self.face - d[2] - self.at / pose.h[2] + pose.k @ (rho - d[:2]))

    def places(self, pose: Pose):
        """Points of the face that touch, with their areas and depths."""
        base, steep = self.depth(pose, np.zeros(2)), np.linalg.norm(pose.k)
        deepest = self.side * pose.k / steep if steep else np.array((1.0, 0.0))
        first = max(self.inner, min(-base / steep, self.outer)) if steep and base < 0.0 else self.inner
        start = np.arctan2(deepest[1], deepest[0])
        edge = min(max(first, base / steep if steep else first), self.outer)  # beyond it a ring is cut
        for a, b in ((first, edge), (edge, self.outer)):
            if b <= a:
                continue
            # r = b - (b-a) x²: the arc begins with the root of the distance
            for x, weight in gauss(self.points, 0.0, 1.0):
                r, jac = (a + (b - a) * x * x, 2.0 * (b - a) * x * weight)
                arc = np.pi if base >= steep * r else np.arccos(np.clip(-base / (steep * r), -1.0, 1.0))
                for angle, share in gauss(self.points, -arc, arc):
                    rho = r * np.array((np.cos(start + angle), np.sin(start + angle)))
                    yield rho, jac * share * r, self.depth(pose, rho)

    def push(self, pose: Pose, law: Law, friction: Law | None = None) -> Push:
        force, torque, power = np.zeros(3), np.zeros(3), 0.0
        nu = -self.side * np.array((*pose.k, 1.0))
        for rho, area, depth in self.places(pose):
            if depth > 0.0:
                arm = np.array((*(rho - pose.d[:2]), self.face - 0.5 * self.side * depth - pose.d[2]))
                part = rubbed(nu, arm, pose, depth, law, friction)
                force, torque, power = force + area * part.force, torque + area * part.torque, power + area * part.power
        return Push(force=force, torque=torque, power=power)

    def energy(self, pose: Pose, law: Law) -> float:
        return sum(
            area * stored(law, depth) for _, area, depth in self.places(pose) if depth > 0.0
        )


def turned(h: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """h after a small rotation vector."""
    angle = np.linalg.norm(turn)
    if angle == 0.0:
        return h
    a = turn / angle
    return h * np.cos(angle) + np.cross(a, h) * np.sin(angle) + a * (a @ h) * (1.0 - np.cos(angle))


def downhill(part: Land | Collar, pose: Pose, law: Law, step: float = 2e-8, turn: float = 2e-6) -> tuple[np.ndarray, np.ndarray]:
    """−∇ of the energy by displacements of the pin and by its turns about its joint point, fourth order."""
    force, torque = np.zeros(3), np.zeros(3)
    for c in range(3):
        axis = np.eye(3)[c]
        moved = [part.energy(Pose(d=pose.d + s * step * axis, h=pose.h), law) for s in (-2, -1, 1, 2)]
        force[c] = -(moved[0] - 8 * moved[1] + 8 * moved[2] - moved[3]) / (12 * step)
        moved = [part.energy(Pose(d=pose.d, h=turned(pose.h, s * turn * axis)), law) for s in (-2, -1, 1, 2)]
        torque[c] = -(moved[0] - 8 * moved[1] + 8 * moved[2] - moved[3]) / (12 * turn)
    return force, torque
