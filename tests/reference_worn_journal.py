"""The wrench of a worn pin in its worn bore by brute force: SciPy's periodic splines, a fine sum over the angle.

Written from the gap alone: δ(θ, z) = e(z)·n + R_j (√(1 + (n·k)²) − 1) − c − w_b(θ) − w_p(θ − ψ). Forces are
differences of the energy ∫∫ ½ K δ² dA for an elastic foundation; friction is summed over the touching points.
"""

from __future__ import annotations

import numpy as np
from scipy.interpolate import BSpline
from scipy.spatial.transform import Rotation

ANGLES = 60_000
STEP = 1e-5  # of differences, of a length of 1e-5 m and of an angle of 1e-5/R


def worn(coefficients: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """A periodic cubic spline whose coefficient k belongs to the angle 2π k/n."""
    n = len(coefficients)
    if n == 0:
        return np.zeros_like(angles)
    wrapped = np.mod(angles, 2.0 * np.pi) * n / (2.0 * np.pi)
    knots = np.arange(-3.0, n + 4.0)
    return BSpline(knots, np.concatenate([coefficients[-1:], coefficients, coefficients[:2]]), 3)(wrapped)


class WornPin:
    """A foundation of stiffness K [N/m³], planes z with their lengths, a profile for each."""

    def __init__(self, R_i, R_j, K, places, bore, pin, mu=0.0):
        self.R_i, self.R_j, self.K, self.places, self.bore, self.pin = R_i, R_j, K, places, bore, pin
        self.mu = mu
        self.angles = np.linspace(0.0, 2.0 * np.pi, ANGLES, endpoint=False)
        self.n = np.stack([np.cos(self.angles), np.sin(self.angles)], axis=1)
        self.bored = [worn(row, self.angles) for row in bore]

    def depths(self, d, turn):
        """δ of every slice over the angle."""
        axes = Rotation.from_rotvec(turn).as_matrix()
        h = axes[:, 2]
        k = h[:2] / h[2]
        # twist about z of the shortest swing from z to h: what is left of the turn
        swing = Rotation.align_vectors([h], [(0, 0, 1)])[0] if np.hypot(*h[:2]) > 1e-14 else Rotation.identity()
        twist = (swing.inv() * Rotation.from_matrix(axes)).as_matrix()
        psi = np.arctan2(twist[1, 0], twist[0, 0])
        nk = self.n @ k
        for s, (z, length) in enumerate(self.places):
            e = d[:2] + (z - d[2]) * k
            delta = self.n @ e + self.R_j * (np.sqrt(1.0 + nk**2) - 1.0) - (self.R_i - self.R_j) - self.bored[s]
            yield delta - worn(self.pin[s], self.angles - psi), z, length, nk

    def energy(self, d, turn):
        cell = 2.0 * np.pi / ANGLES * self.R_i
        return sum(
            0.5 * self.K * np.sum(np.maximum(x, 0.0) ** 2) * cell * length for x, _, length, _ in self.depths(d, turn)
        )

    def wrench(self, d, turn):
        """Elastic force and torque about P_j, by central differences of the energy."""
        out = np.zeros(6)
        for c in range(6):
            size = STEP * (1e-5 if c < 3 else 1e-5 / self.R_i)
            step = np.zeros(3)
            step[c % 3] = size
            if c < 3:
                change = self.energy(d + step, turn) - self.energy(d - step, turn)
            else:
                further = [(Rotation.from_rotvec(s * step) * Rotation.from_rotvec(turn)).as_rotvec() for s in (1, -1)]
                change = self.energy(d, further[0]) - self.energy(d, further[1])
            out[c] = -change / (2.0 * size)
        return out[:3], out[3:]

    def friction(self, d, turn, v, w):
        """Friction μ p of surfaces that slide, its torque about P_j, and power."""
        force, torque, power = np.zeros(3), np.zeros(3), 0.0
        for s, (delta, z, length, nk) in enumerate(self.depths(d, turn)):
            touching = delta > 0.0
            n, p = self.n[touching], self.K * delta[touching]
            area = 2.0 * np.pi / ANGLES * self.R_i * length
            X = np.column_stack([(self.R_i + self.bored[s] + 0.5 * delta)[touching, None] * n, np.full(len(n), z)])
            nu = np.column_stack([n, -nk[touching]])
            u = v + np.cross(w, X - d)
            u -= nu * (np.sum(nu * u, axis=1) / np.sum(nu * nu, axis=1))[:, None]
            speed = np.linalg.norm(u, axis=1)
            rub = -(self.mu * p / speed)[:, None] * u
            force += rub.sum(axis=0) * area
            torque += np.cross(X - d, rub).sum(axis=0) * area
            power -= np.sum(rub * u) * area
        return force, torque, power
