"""Position, velocity and acceleration of a fully driven mechanism at one time, by Newton's method.

    Φ(q, t) = 0,    Φ_q v = ν (the drives' rates),    Φ_q v̇ = γ

One factorisation of the scaled Jacobian (factors.py) close to the solution solves all three equations, each by
correction of a guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from gudgeon.analysis.coordinates import CountedAngles
from gudgeon.analysis.driven_motion.factors import ClusterFactors, Layout, RowsAt
from gudgeon.kernels.dynamics.arrays import GAMMA, POSITION, RATE, RESIDUAL
from gudgeon.mechanics.closed_within import closed_within
from gudgeon.mechanics.displacement import displace
from gudgeon.mechanics.equations import Equations
from gudgeon.mechanics.state_layout import beyond, moving
from gudgeon.mechanics.typical_length import twist_units

ITERATIONS = 15
ITERATIONS_OF_MANY = 5
MOST_OF_MANY = 1e-2  # correction of a guess that is taken for close (scaled)
PLACE = slice(POSITION, POSITION + 3)
FRESH = 1e-7  # correction (scaled) after which the factorisation made before it is still that of the solution
STALE = 1e-4  # correction, of σ, up to which three corrections by factors made before it leave rounding only
SLOW = 0.1  # reduction of the residual per iteration that calls for a new factorisation
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


class Motions(NamedTuple):
    """The motion at several times, as far as Newton's method found it."""

    y: np.ndarray  # (times, state)
    acceleration: np.ndarray  # (times, 6 bodies) [m/s², rad/s²]
    found: np.ndarray  # (times) whether it did, with full accuracy
    least_sigma: np.ndarray  # (times) values that σ is not below


class Mechanism:
    """Solves for the motion at one time, from a guess, or at several."""

    def __init__(self, equations: Equations):
        self.equations = equations
        self.body_count = len(equations.system.bodies)
        self.length = equations.joint_length  # [m]
        self.weight = twist_units(equations)
        self.counted = CountedAngles(equations)
        self.layout = Layout(equations)
        self.worst_row = 0  # of the last failure, among the joints' rows
        self.worst_residual = 0.0

    def rows(self, times: Sequence[float] | np.ndarray, states: np.ndarray) -> RowsAt:
        """The joints' and drives' rows of several states."""
        from gudgeon.kernels.dynamics.rows import rows_at

        equations, model, work = self.equations, self.equations.model, self.equations.work
        count = len(states)
        row = np.empty((count, len(equations.joint_rows), work.row.shape[1]))
        jacobian = np.empty((count, *self.layout.sides.shape, 6))
        position = np.empty((count, len(work.body), 3))
        for k in range(count):
            rows_at(model, work, times[k], states[k])
            row[k], jacobian[k] = work.row[equations.joint_rows], work.jacobian[equations.sides.lines]
            position[k] = work.body[:, PLACE]
        return RowsAt(row[:, :, RESIDUAL], row[:, :, RATE], row[:, :, GAMMA], jacobian, position)

    def factors_at(self, t: float, y: np.ndarray) -> ClusterFactors:
        """The factors of a position that nearly satisfies the rows."""
        return ClusterFactors(self.rows([t], y[None]), self.layout)

    def moved(self, states: np.ndarray, steps: np.ndarray) -> np.ndarray:
        """States with their bodies moved and turned by `steps` (states, 6 bodies)."""
        new = states.copy()
        displace(new, steps)
        return new

    def solve(
        self, t: float, y: np.ndarray, acceleration: np.ndarray, *, near: np.ndarray | None, least: float = 0.0
    ) -> Instant | None:
        """The motion at t from a guess, None where there is none; `least`: singular values below it are left out.

        `near` are the counted angles at a close instant. What is left out keeps the value of the guess.
        """
        states = y[None]
        at = self.rows([t], states)
        if not np.all(np.isfinite(at.residual)):
            return self._failed(at.residual[0])
        tolerance, accepted = closed_within(self.equations, y)
        factors, moved, before = ClusterFactors(at, self.layout), np.zeros(6 * self.body_count), np.inf
        for _ in range(ITERATIONS):
            now = float(np.abs(at.residual).max())
            if now <= tolerance or (now > 0.5 * before and now <= accepted):
                break
            if now > SLOW * before:
                factors = ClusterFactors(at, self.layout)
            step, within = factors.solve(-at.residual, least)
            moved += within[0]
            if not np.abs(moved).max() < 1.0:
                return self._failed(at.residual[0])
            states, before = self.moved(states, step), now
            at = self.rows([t], states)
        if not np.abs(at.residual).max() <= accepted:
            return self._failed(at.residual[0])
        correction = float(np.abs(moved).max())
        if correction > FRESH:
            factors = ClusterFactors(at, self.layout)
        states, accelerations, at = self._rates([t], states, acceleration[None], at, factors, least)
        if least == 0.0 and not self._is_same_rate(states, at.rate)[0]:
            return self._failed(at.rate[0])
        if not np.all(np.isfinite(accelerations)):
            return self._failed(at.gamma[0])
        self.counted.count(states[0], near)
        return Instant(t, states[0], accelerations[0], correction, factors)

    def solve_many(self, times: np.ndarray, states: np.ndarray, accelerations: np.ndarray) -> Motions:
        """The same at several times, from close guesses whose counted angles are those of close instants."""
        (tolerance, accepted), before = closed_within(self.equations, states), np.full(len(states), np.inf)
        at = self.rows(times, states)
        factors, moved = ClusterFactors(at, self.layout), np.zeros((len(states), 6 * self.body_count))
        closed = np.zeros(len(states), dtype=bool)
        with np.errstate(all="ignore"):  # what is not found here is looked for one by one
            for _ in range(ITERATIONS_OF_MANY):
                now = np.abs(at.residual).max(axis=1)
                closed |= (now <= tolerance) | ((now > 0.5 * before) & (now <= accepted))
                if closed.all():
                    break
                step, within = factors.solve(np.where(closed[:, None], 0.0, -at.residual))
                states, before, moved = self.moved(states, step), now, moved + within
                at = self.rows(times, states)
            if not np.abs(moved).max() <= STALE * factors.least_sigma.min():
                factors = ClusterFactors(at, self.layout)
            states, accelerations, at = self._rates(times, states, accelerations, at, factors, corrections=3)
            found = closed & self._is_same_rate(states, at.rate) & np.all(np.isfinite(accelerations), axis=1)
            found &= np.abs(moved).max(axis=1) < MOST_OF_MANY
        for k in np.flatnonzero(found):
            self.counted.count(states[k], states[k, beyond(self.body_count)].copy())
        return Motions(states, accelerations, found, factors.least_sigma)

    def _rates(
        self,
        times: Sequence[float] | np.ndarray,
        states: np.ndarray,
        accelerations: np.ndarray,
        at: RowsAt,
        factors: ClusterFactors,
        least: float = 0.0,
        corrections: int = 2,
    ) -> tuple[np.ndarray, np.ndarray, RowsAt]:
        """States and accelerations that satisfy the rows in positions that do, and their rows."""
        states, rate = states.copy(), at.rate
        for _ in range(corrections):
            change = factors.solve(rate, least)[0]
            states[:, moving(self.body_count)] -= change
            rate = rate - at.times_jacobian(self.layout, change)
        at = self.rows(times, states)
        for _ in range(corrections):
            missing = at.times_jacobian(self.layout, accelerations) - at.gamma
            accelerations = accelerations - factors.solve(missing, least)[0]
        return states, accelerations, at

    def _is_same_rate(self, states: np.ndarray, rate: np.ndarray) -> np.ndarray:
        """Whether velocities satisfy the rows, for each state."""
        fastest = np.abs(states[:, moving(self.body_count)]).max(axis=1)
        return np.abs(rate).max(axis=1) <= SAME_RATE * np.maximum(fastest, 1e-3 * self.length)

    def _failed(self, residual: np.ndarray) -> None:
        size = np.where(np.isfinite(residual), np.abs(residual), np.inf)
        self.worst_row = int(np.argmax(size))
        self.worst_residual = float(size[self.worst_row])
