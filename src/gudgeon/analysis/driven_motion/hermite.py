"""The motion between two instants: quintic Hermite polynomials of positions and quaternions.

With ω as a quaternion of scalar part zero: ṗ = ½ ω p, p̈ = ½ ω̇ p − ¼ |ω|² p; back from a p of any length, with
x = ṗ p⁻¹ = (s, ω/2): ω̇ = 2 vec(p̈ p⁻¹) − 2 s ω. The error is of sixth order in the interval for positions, of fifth for
velocities, of fourth for accelerations.
"""

from __future__ import annotations

import numpy as np

from gudgeon.analysis.driven_motion.instant import Instant
from gudgeon.mechanics.state_layout import MOTION, beyond, poses, twists
from gudgeon.rotations import conjugate, product, unit


class Hermite:
    """The motion from one (t, y, acceleration) to another; callable at any time between."""

    def __init__(self, first: Instant, second: Instant):
        self._n = body_count = len(first.acceleration) // 6
        self.begin, self.end = first.t, second.t
        self.span = second.t - first.t
        start, finish = self._derivatives(first), self._derivatives(second)
        turned_over = np.sum(start[0][:, 3:] * finish[0][:, 3:], axis=1) < 0.0
        for values in finish:
            values[turned_over, 3:] *= -1.0
        h = self.span
        p0, d0, c0 = start[0], h * start[1], 0.5 * h * h * start[2]
        p1, d1, c1 = finish[0] - p0 - d0 - c0, h * finish[1] - d0 - 2.0 * c0, 0.5 * h * h * finish[2] - c0
        self._terms = (p0, d0, c0, 10 * p1 - 4 * d1 + c1, -15 * p1 + 7 * d1 - 2 * c1, 6 * p1 - 3 * d1 + c1)
        self._counted = first.y[beyond(body_count)]  # angles at the begin

    def _derivatives(self, instant: Instant) -> list[np.ndarray]:
        """Position and quaternion (bodies, 7), and their first and second derivatives."""
        n = self._n
        pose = poses(instant.y, n).copy()
        pose[:, 3:] = unit(pose[:, 3:])
        v, a = twists(instant.y, n), instant.acceleration.reshape(n, 6)
        zero, p = np.zeros((n, 1)), pose[:, 3:]
        rate = 0.5 * product(np.hstack([zero, v[:, 3:]]), p)
        speed = np.sum(v[:, 3:] ** 2, axis=1, keepdims=True)
        curve = 0.5 * product(np.hstack([zero, a[:, 3:]]), p) - 0.25 * speed * p
        return [pose, np.hstack([v[:, :3], rate]), np.hstack([a[:, :3], curve])]

    def __call__(self, t: float) -> tuple[np.ndarray, np.ndarray]:
        """State (with the counted angles of the begin) and acceleration at t."""
        y, acceleration = self.at(np.array([t]))
        return y[0], acceleration[0]

    def at(self, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The same at several times: (times, state) and (times, 6 bodies)."""
        n, h, x = self._n, self.span, ((times - self.begin) / self.span)[:, None, None]
        a, b, c, d, e, f = self._terms
        value = a + x * (b + x * (c + x * (d + x * (e + x * f))))
        rate = (b + x * (2 * c + x * (3 * d + x * (4 * e + x * (5 * f))))) / h
        curve = (2 * c + x * (6 * d + x * (12 * e + x * (20 * f)))) / h**2
        length = np.linalg.norm(value[..., 3:], axis=2, keepdims=True)
        inverse = conjugate(value[..., 3:]) / length**2
        first, second = product(rate[..., 3:], inverse), product(curve[..., 3:], inverse)
        omega = 2.0 * first[..., 1:]
        alpha = 2.0 * second[..., 1:] - 2.0 * first[..., :1] * omega
        value[..., 3:] /= length
        y = np.empty((len(times), MOTION * n + len(self._counted)))
        poses(y, n)[:], y[:, beyond(n)] = value, self._counted
        twists(y, n)[:] = np.concatenate([rate[..., :3], omega], axis=2)
        return y, np.concatenate([curve[..., :3], alpha], axis=2).reshape(len(times), -1)
