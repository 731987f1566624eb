"""Position, velocity and acceleration of a fully driven mechanism at one time, by Newton's method.

    Φ(q, t) = 0,    Φ_q v = ν (the drives' rates),    Φ_q v̇ = γ

One factorisation of the scaled Jacobian (factors.py) close to the solution solves all three equations, each by
correction of a guess.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from gudgeon.analysis.coordinates import CountedAngles
from gudgeon.analysis.factors import ClusterFactors, Layout
from gudgeon.kernels.arrays import GAMMA, RATE, RESIDUAL
from gudgeon.mechanics.closing import length_scale, turned_by
from gudgeon.mechanics.equations import Equations

ITERATIONS = 15
FRESH = 1e-7  # correction (scaled) after which the factorisation made before it is still that of the solution
SLOW = 0.1  # reduction of the residual per iteration that calls for a new factorisation
CLOSED = 1e-14  # residual that ends the iteration, of the mechanism's size
STILL_CLOSED = 1e-10  # residual that is accepted when rounding allows no better
SAME_RATE = 1e-8  # residual rate that is accepted, of the fastest velocity


@dataclass
class Instant:
    """The motion at one time."""

    t: float  # [s]
    y: np.ndarray  # positions, velocities, counted angles
    acceleration: np.ndarray  # (6 bodies) v̇ and ω̇ [m/s², rad/s²]
    correction: float  # largest change of the guess's position within a cluster, scaled [-]
    factors: ClusterFactors | None = field(repr=False)  # forgotten where the path has gone on

    @cached_property
    def sigma(self) -> float:
        """The smallest singular value of the scaled Jacobian [-]."""
        assert self.factors is not None
        return self.factors.sigma

    def forget_factors(self) -> None:
        """Keep the smallest singular value only."""
        _ = self.sigma
        self.factors = None


class Mechanism:
    """Solves for the motion at one time, from a guess."""

    def __init__(self, equations: Equations):
        self.equations = equations
        self.body_count = len(equations.system.bodies)
        self.length = length_scale(equations)  # [m]
        self.weight = np.tile([self.length] * 3 + [1.0] * 3, self.body_count)
        self.counted = CountedAngles(equations)
        self._layout = Layout(equations, self.length)
        self.worst_row = 0  # of the last failure, among the joints' rows
        self.worst_residual = 0.0

    def rows(self, t: float, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Residual, its rate, and γ, of the joints' and drives' rows."""
        from gudgeon.kernels.rows import rows_at

        rows_at(self.equations.model, self.equations.work, t, y)
        row = self.equations.work.row[self.equations.joint_rows]
        return row[:, RESIDUAL], row[:, RATE], row[:, GAMMA]

    def factorise(self) -> ClusterFactors:
        """The factors of the rows last evaluated."""
        return ClusterFactors(self.equations, self._layout)

    def factors_at(self, t: float, y: np.ndarray) -> ClusterFactors:
        """The factors of a position that nearly satisfies the rows."""
        self.rows(t, y)
        return self.factorise()

    def moved(self, y: np.ndarray, step: np.ndarray) -> np.ndarray:
        """The state y with its bodies moved and turned by `step` (6 bodies)."""
        n = self.body_count
        new, step = y.copy(), step.reshape(n, 6)
        poses = new[: 7 * n].reshape(n, 7)
        poses[:, :3] += step[:, :3]
        poses[:, 3:] = turned_by(poses[:, 3:], step[:, 3:])
        return new

    def solve(
        self, t: float, y: np.ndarray, acceleration: np.ndarray, *, near: np.ndarray | None, least: float = 0.0
    ) -> Instant | None:
        """The motion at t from a guess, None where there is none; `least`: singular values below it are left out.

        `near` are the counted angles at a close instant. What is left out keeps the value of the guess.
        """
        n = self.body_count
        residual, _, _ = self.rows(t, y)
        if not np.all(np.isfinite(residual)):
            return self._failed(residual)
        size = max(self.length, float(np.abs(y[: 7 * n].reshape(n, 7)[:, :3]).max()))
        factors, moved, before = self.factorise(), np.zeros(6 * n), np.inf
        for _ in range(ITERATIONS):
            now = float(np.abs(residual).max())
            if now <= CLOSED * size or (now > 0.5 * before and now <= STILL_CLOSED * size):
                break
            if now > SLOW * before:
                factors = self.factorise()
            step, within = factors.solve(-residual, least)
            moved += within
            if not np.abs(moved).max() < 1.0:
                return self._failed(residual)
            y, before = self.moved(y, step), now
            residual, _, _ = self.rows(t, y)
        if not np.abs(residual).max() <= STILL_CLOSED * size:
            return self._failed(residual)
        correction = float(np.abs(moved).max())
        if correction > FRESH:
            factors = self.factorise()
        return self._rates(t, y, acceleration, factors, correction, near, least)

    def _rates(self, t, y, acceleration, factors, correction, near, least) -> Instant | None:
        """Velocities and accelerations in a position that satisfies the rows."""
        n = self.body_count
        y = y.copy()
        velocity = y[7 * n : 13 * n]
        for _ in range(2):
            _, rate, _ = self.rows(t, y)
            velocity -= factors.solve(rate, least)[0]
        _, rate, gamma = self.rows(t, y)
        fastest = float(np.abs(velocity).max())
        if not np.abs(rate).max() <= SAME_RATE * max(fastest, 1e-3 * self.length) and least == 0.0:
            return self._failed(rate)
        acceleration = acceleration.copy()
        for _ in range(2):
            acceleration -= factors.solve(
                self._layout.times_jacobian(self.equations, acceleration) - gamma, least
            )[0]
        if not np.all(np.isfinite(acceleration)):
            return self._failed(gamma)
        self.counted.count(y, near)
        return Instant(t, y, acceleration, correction, factors)

    def _failed(self, residual: np.ndarray) -> None:
        size = np.where(np.isfinite(residual), np.abs(residual), np.inf)
        self.worst_row = int(np.argmax(size))
        self.worst_residual = float(size[self.worst_row])
