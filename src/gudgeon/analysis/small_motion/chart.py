"""Independent coordinates of a mechanism about one state, and its forces in them.

Near a state (q₀, v₀) at time t the positions that all joints and drives allow are given by f coordinates z, measured
from that state, and velocities by their rates:

    Φ(q, t) = 0, ζ(q) = z          Φ_q v = ν, ζ_q v = ż         G = [Φ_q; ζ_q] has full column rank
    v̇ = B z̈ + a,  G B = [0; 1],  G a = [γ; −bias]              Bᵀ M B z̈ = Bᵀ (Q − M a)

Bodies' own coordinates are displacements from the *moving* state: R = exp(z̃) R₀(t), so that ω = ż + exp(z̃) ω₀ and
ω̇ = z̈ + ω̇₀ + z × ω̇₀ + ż × ω₀ to first order. Linear equations with G, which differs little from that of the state, are
solved by iteration with the inverse found there.
"""

from __future__ import annotations

import numpy as np

from gudgeon.analysis.small_motion.coordinates import Coordinates
from gudgeon.analysis.small_motion.poses import carried, cross, move, twist_between
from gudgeon.analysis.small_motion.rows import RANK_TOLERANCE, Rows
from gudgeon.errors import ModelError
from gudgeon.kernels.dynamics.arrays import GAMMA, RATE, RESIDUAL

ITERATIONS = 60
SETTLED = 1e-9  # residual that is allowed where iteration ends, of the mechanism's size [-]


class Chart:
    """Independent coordinates about the state y of a mechanism.

    `at_rest` is for statics: velocities and the motion of drives are left out.
    """

    def __init__(self, rows: Rows, y: np.ndarray, coordinates: Coordinates, *, at_rest: bool = False):
        self.rows, self.coordinates, self.base, self.at_rest = rows, coordinates, y.copy(), at_rest
        n = rows.body_count
        self._moving = slice(7 * n, 13 * n)
        if at_rest:
            self.base[self._moving] = 0.0
        applied = rows.forces(self.base)
        moves = np.abs(np.stack([self.base[self._moving], applied / rows.weight]).reshape(2, n, 2, 3)).max(axis=(1, 3))
        speed, push = (max(size / rows.size, turn) for size, turn in moves)
        self.typical_rate = max(
            float(speed), float(np.sqrt(push))
        )  # of the state: speeds, and what forces could do [1/s]
        self._values = coordinates.values(rows.body, np.zeros(6 * n))
        self._inverse = self._inverted(self._matrix())
        self.basis = self._inverse[:, self._inverse.shape[1] - coordinates.count :]  # B at the state
        self.mass = self.basis.T @ rows.times_mass(self.basis)
        self.mass = 0.5 * (self.mass + self.mass.T)
        self.acceleration = np.zeros(6 * n)  # of the bodies in the state
        self.coordinate_acceleration = np.zeros(coordinates.count)  # z̈
        if not at_rest:
            biases = coordinates.biases(rows.body)
            other = self._inverse @ np.concatenate([rows.column(GAMMA), -biases])
            self.coordinate_acceleration = np.linalg.solve(self.mass, self.basis.T @ (applied - rows.times_mass(other)))
            self.acceleration = self.basis @ self.coordinate_acceleration + other
        self.coordinate_rates = coordinates.gradients(rows.body) @ self.base[self._moving]

    @property
    def force(self) -> np.ndarray:
        """The force in each coordinate that accelerates the state, BᵀMB z̈."""
        return self.mass @ self.coordinate_acceleration

    def state(self, z: np.ndarray, rates: np.ndarray | None = None) -> np.ndarray:
        """The state displaced by z, with rates of z beyond those of the state."""
        y = self.base.copy()
        move(y, self.basis @ z)
        self._close(y, z)
        if rates is not None:
            self._set_velocities(y, rates)
        return y

    def static_force(self, z: np.ndarray) -> np.ndarray:
        """Bᵀ Q of the state displaced by z, at rest."""
        return self._along_basis(self.rows.forces(self.state(z)))

    def missing_force(self, z: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """Bᵀ (Q − M a), a the accelerations with z̈ as in the undisturbed state: −K z − C ż + …"""
        rows, n = self.rows, self.rows.body_count
        y = self.state(z, rates)
        applied = rows.forces(y)
        turns, spins, spin_rates = self._turned(y)
        acceleration = self.acceleration.reshape(n, 6).copy()
        acceleration[:, 3:] += cross(turns, acceleration[:, 3:]) + cross(
            y[self._moving].reshape(n, 6)[:, 3:] - spins, spin_rates
        )
        target = self.coordinate_acceleration - self.coordinates.biases(rows.body)
        target[self.coordinates.direct] = self.coordinates.weights @ acceleration.reshape(-1)
        whole = self._solved(self._matrix(), np.concatenate([rows.column(GAMMA), target]), self.acceleration)
        return self._along_basis(applied - rows.times_mass(whole))

    def _turned(self, y: np.ndarray):
        """Rotation vectors from the state, and the state's ω carried along and as it was, per body."""
        n = self.rows.body_count
        turns = twist_between(self.base, y, n).reshape(n, 6)[:, 3:]
        spins = self.base[self._moving].reshape(n, 6)[:, 3:]
        return turns, carried(spins, turns), spins

    def _matrix(self) -> np.ndarray:
        """G of the rows last evaluated."""
        return np.vstack([self.rows.jacobian(), self.coordinates.gradients(self.rows.body)])

    def _inverted(self, matrix: np.ndarray) -> np.ndarray:
        scale = 1.0 / np.sqrt(self.rows.weight)
        scaled = matrix * scale
        length = np.linalg.norm(scaled, axis=1)
        length = np.where(length > 0.0, length, 1.0)
        return scale[:, None] * np.linalg.pinv(scaled / length[:, None], rcond=RANK_TOLERANCE) / length

    def _along_basis(self, forces: np.ndarray) -> np.ndarray:
        """Bᵀ Q in the position last evaluated: of w in Gᵀ w = Q the part that belongs to the coordinates.

        One vector to solve for, where B itself has as many as there are freedoms.
        """
        first = self._inverse.shape[1] - self.coordinates.count
        return self._solved(self._matrix(), forces, self._inverse.T @ forces, transposed=True)[first:]

    def _solved(
        self, matrix: np.ndarray, right: np.ndarray, guess: np.ndarray, *, transposed: bool = False
    ) -> np.ndarray:
        """x of G x = right, or of Gᵀ x = right, by iteration with the inverse at the state."""
        x, inverse, before = guess.copy(), self._inverse, np.inf
        for _ in range(ITERATIONS):
            step = inverse.T @ (right - matrix.T @ x) if transposed else inverse @ (right - matrix @ x)
            x += step
            change, size = np.abs(step).max(initial=0.0), np.abs(x).max(initial=0.0)
            if change <= 1e-16 * size or (change <= 1e-13 * size and change > 0.3 * before):
                break
            if change > 0.5 * before and inverse is self._inverse:
                inverse = self._inverted(matrix)
            before = change
        return x

    def _close(self, y: np.ndarray, z: np.ndarray) -> None:
        """Move the bodies so that all rows hold and the coordinates are z."""
        rows, inverse, before = self.rows, self._inverse, np.inf
        tolerance = 1e-16 * rows.size
        for _ in range(ITERATIONS):
            step = inverse @ self._misfit(y, z)
            change = np.abs(step).max()
            if not np.isfinite(change) or change > 1e3 * rows.size:
                break
            move(y, -step)
            if change <= tolerance or (change <= 1e3 * tolerance and change > 0.3 * before):
                break
            if change > 0.5 * before and inverse is self._inverse:
                inverse = self._inverted(self._matrix())
            before = change
        worst = np.abs(self._misfit(y, z)).max(initial=0.0)
        if not worst <= SETTLED * max(rows.size, 1.0):
            raise SingularPosition(
                f"System {rows.equations.system.name!r}: this is a singular position: the motions that its joints seem "
                f"to allow here do not exist (joints stay open by {worst:.1e} m or rad); take a position beside it"
            )

    def _misfit(self, y: np.ndarray, z: np.ndarray) -> np.ndarray:
        rows = self.rows
        rows.at(y)
        values = self.coordinates.values(rows.body, twist_between(self.base, y, rows.body_count))
        return np.concatenate([rows.column(RESIDUAL), self.coordinates.wrapped(values - self._values - z)])

    def _set_velocities(self, y: np.ndarray, rates: np.ndarray) -> None:
        rows, n, moving = self.rows, self.rows.body_count, self._moving
        _, spins, _ = self._turned(y)
        following = self.base[moving].reshape(n, 6).copy()
        following[:, 3:] = spins
        target = self.coordinate_rates + rates
        target[self.coordinates.direct] += self.coordinates.weights @ following.reshape(-1)
        target[self.coordinates.direct] -= self.coordinate_rates[self.coordinates.direct]
        y[moving] = following.reshape(-1)
        rows.at(y)
        matrix = self._matrix()
        prescribed = rows.jacobian() @ y[moving] - rows.column(RATE)  # ν
        y[moving] = self._solved(matrix, np.concatenate([prescribed, target]), y[moving])
        rows.at(y)


class SingularPosition(ModelError):
    """Positions near a state do not follow its tangents."""
