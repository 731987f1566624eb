"""Constraint rows, masses and forces of a mechanism as the dense matrices that small motions are found from."""

from __future__ import annotations

import numpy as np

from gudgeon.kernels.dynamics import arrays
from gudgeon.kernels.dynamics.arrays import APPLIED
from gudgeon.mechanics.equations import Equations

RANK_TOLERANCE = 1e-8  # singular values of the scaled rows below this count as zero [-]


class Rows:
    """Constraint rows, masses and applied forces of a mechanism as dense matrices."""

    def __init__(self, equations: Equations, time: float):
        self.equations, self.time = equations, time
        self.body_count = len(equations.system.bodies)
        keep, block = equations.joint_rows, equations.model.block
        sides = np.zeros((len(equations.work.row), 2), dtype=np.int64)
        for line in block:
            sides[line[arrays.ROW] : line[arrays.ROW] + line[arrays.ROWS]] = line[arrays.PARENT], line[arrays.CHILD]
        self._sides = sides[keep]
        model, bodies = equations.model, equations.system.bodies.values()
        self._inertia = model.body[1:, arrays.INERTIA : arrays.INERTIA + 9].reshape(-1, 3, 3)
        self._mass = model.body[1:, arrays.MASS]
        self.weight = np.repeat([[body.mass, np.trace(body.inertia) / 3.0] for body in bodies], 3)
        self.size = mechanism_size(equations)
        self._rate = np.zeros(equations.state_size)

    def at(self, y: np.ndarray) -> None:
        """Evaluate rows and kinematics."""
        from gudgeon.kernels.dynamics.rows import rows_at

        rows_at(self.equations.model, self.equations.work, self.time, y)

    def forces(self, y: np.ndarray) -> np.ndarray:
        """Evaluate everything; the applied forces with the gyroscopic torques, 6 per body [N, N·m]."""
        from gudgeon.kernels.dynamics.motion import right_hand_side

        right_hand_side(self.equations.model, self.equations.work, self.time, y, self._rate)
        return self.body[1:, APPLIED : APPLIED + 6].reshape(-1).copy()

    @property
    def body(self) -> np.ndarray:
        """Kinematics last evaluated (Work.body)."""
        return self.equations.work.body

    def column(self, which: int) -> np.ndarray:
        """RESIDUAL, RATE or GAMMA of the rows last evaluated."""
        return self.equations.work.row[self.equations.joint_rows, which]

    def jacobian(self) -> np.ndarray:
        """Φ_q of the rows last evaluated."""
        count = len(self._sides)
        values = self.equations.work.jacobian.reshape(-1, 2, 6)[self.equations.joint_rows]
        matrix = np.zeros((count, 1 + self.body_count, 6))
        for side in (0, 1):
            matrix[np.arange(count), self._sides[:, side]] += values[:, side]
        return matrix[:, 1:].reshape(count, 6 * self.body_count)

    def times_mass(self, x: np.ndarray) -> np.ndarray:
        """M x for one or several columns of 6 numbers per body, in the poses last evaluated."""
        rotation = self.body[1:, arrays.ROTATION : arrays.ROTATION + 9].reshape(-1, 3, 3)
        inertia = rotation @ self._inertia @ rotation.transpose(0, 2, 1)
        columns = x.reshape(self.body_count, 2, 3, -1)
        out = np.empty_like(columns)
        out[:, 0] = self._mass[:, None, None] * columns[:, 0]
        out[:, 1] = inertia @ columns[:, 1]
        return out.reshape(x.shape)

    def tangents(self, y: np.ndarray) -> np.ndarray:
        """(6 bodies, freedoms) motions that the joints allow in the state y, with Tᵀ M T = 1."""
        self.at(y)
        scale = 1.0 / np.sqrt(self.weight)
        rows = self.jacobian() * scale
        length = np.linalg.norm(rows, axis=1, keepdims=True)
        rows /= np.where(length > 0.0, length, 1.0)
        _, values, directions = np.linalg.svd(rows)
        rank = int(np.count_nonzero(values > RANK_TOLERANCE * values.max(initial=0.0)))
        basis = scale[:, None] * directions[rank:].T
        mass = basis.T @ self.times_mass(basis)
        return np.linalg.solve(np.linalg.cholesky(mass), basis.T).T if mass.size else basis


def mechanism_size(equations: Equations) -> float:
    """A typical length: the longest arm of a body, or its radius of gyration [m]."""
    model = equations.model
    arms = [np.sqrt(np.trace(body.inertia) / (2.0 * body.mass)) for body in equations.system.bodies.values()]
    points = model.block[:, arrays.KIND] == arrays.POINTS
    for bodies, vectors in (
        (model.block[points][:, [arrays.PARENT, arrays.CHILD]], model.block_vector[points]),
        (model.load[:, [arrays.FIRST, arrays.SECOND]], model.load_vector),
        (model.compliant[:, [arrays.SOCKET, arrays.BALL]], model.compliant_vector[:, :6]),
    ):
        for side in (0, 1):
            lengths = np.linalg.norm(vectors[:, 3 * side : 3 * side + 3], axis=1)
            arms += list(lengths[bodies[:, side] > 0])
    return float(max(arms))
