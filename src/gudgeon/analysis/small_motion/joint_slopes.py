"""Stiffness and damping of joints that act by forces, each in its own relative motion.

The wrench F = (f, τ) on the ball, about the socket's centre P_i, depends on what an observer on the socket sees: the
displacement u and turn φ of the ball about its own centre P_j, and their rates. So

    δF = θ_i × F + A (u, φ) + B (u̇, φ̇),     (u, φ) = U ξ,   ξ = (x_i, θ_i, x_j, θ_j) the twists of the two bodies

where U and all that turns with the bodies is exact, and only A = ∂F/∂(u, φ), B = ∂F/∂(u̇, φ̇) are differences of the law,
by motions of the order over which it changes. A soft motion, which hardly moves stiff joints, does not feel their
errors.
"""

from __future__ import annotations

import numpy as np

from gudgeon.analysis.small_motion.contacts import Steps
from gudgeon.analysis.small_motion.differences import derivatives
from gudgeon.analysis.small_motion.friction_dampers import FrictionDampers
from gudgeon.analysis.small_motion.rows import Rows
from gudgeon.kernels.dynamics import arrays
from gudgeon.mechanics.equations import Equations
from gudgeon.rotations import cross, skew


class JointSlopes:
    """A and B of all compliant joints about the state y, with their errors; B only if `moving`.

    `friction` is that of ideal joints, which these equations are without.
    """

    def __init__(
        self,
        rows: Rows,
        y: np.ndarray,
        steps: Steps,
        *,
        moving: bool = True,
        friction: FrictionDampers | None = None,
    ):
        self._rows, self._y, self.size, self.friction = rows, y, rows.size, friction
        rows.forces(y)
        table = rows.equations.model.compliant
        self._socket, self._ball = table[:, arrays.SOCKET], table[:, arrays.BALL]
        count = len(table)
        self._geometry(rows.equations)
        self.wrench = self._moved(0, 0, np.zeros(count))  # (joints, 6)
        self.slopes, self.errors = np.zeros((2, 2, count, 6, 6))  # A and B
        if not count:
            return
        size = rows.size
        comparable = np.array([1.0] * 3 + [1.0 / size] * 3)
        unit = np.array([1.0] * 3 + [size] * 3)  # of displacements and turns
        for which in range(2 if moving else 1):
            lengths = steps.of_joints(rate=which == 1)  # (joints, 2)
            rough = np.zeros((6, count, 6))
            for c in range(6):
                h = lengths[:, c // 3]
                rough[c] = (self._moved(which, c, h) - self._moved(which, c, -h)) / (2.0 * h[:, None])
            largest = np.nan_to_num(np.abs(rough * comparable) / unit[:, None, None], posinf=0.0).max(axis=(0, 2))
            weights = comparable / np.where(largest > 0.0, largest, 1.0)[:, None]
            for c in range(6):
                value, error = derivatives(
                    lambda h, which=which, c=c: self._moved(which, c, h), lengths[:, c // 3].copy(), weights / unit[c]
                )
                self.slopes[which, :, :, c] = np.nan_to_num(value)
                self.errors[which, :, :, c] = np.where(np.isfinite(value), error, np.inf)
        rows.forces(y)

    def _geometry(self, equations: Equations) -> None:
        """Arms and relative velocities in the state."""
        body, vector = equations.work.body, equations.model.compliant_vector
        rotation = body[:, arrays.ROTATION : arrays.ROTATION + 9].reshape(-1, 3, 3)
        position = body[:, arrays.POSITION : arrays.POSITION + 3]
        i, j = self._socket, self._ball
        self._s = (rotation[i] @ vector[:, arrays.IN_SOCKET : arrays.IN_SOCKET + 3, None])[:, :, 0]
        self._q = (rotation[j] @ vector[:, arrays.IN_BALL : arrays.IN_BALL + 3, None])[:, :, 0]
        self._to_ball = position[j] + self._q - position[i]  # P_j − r_i
        self._to_socket = position[i] + self._s - position[j]  # P_i − r_j
        self._w_i, self._w_j = (body[b, arrays.OMEGA : arrays.OMEGA + 3] for b in (i, j))
        v_i, v_j = (body[b, arrays.VELOCITY : arrays.VELOCITY + 3] for b in (i, j))
        self._rate = v_j + cross(self._w_j, self._q) - v_i - cross(self._w_i, self._to_ball)  # u̇

    def _moved(self, which: int, c: int, h: np.ndarray) -> np.ndarray:
        """F of all joints (joints, 6), each moved by its own h along component c of (u, φ) or of their rates."""
        from gudgeon.kernels.outputs.moved_joints import wrenches_of_moved_joints

        model, work = self._rows.equations.model, self._rows.equations.work
        found = np.empty((len(h), 6))
        wrenches_of_moved_joints(model, work, self._y, which, c, h, np.empty(work.body.shape[1]), found)
        return found

    def _maps(self) -> tuple[np.ndarray, np.ndarray]:
        """U, and N with forces on the bodies Nᵀ F: (joints, 6, 12)."""
        U, N = np.zeros((2, len(self._ball), 6, 12))
        for matrix, first, second in ((U, self._to_ball, self._q), (N, self._s, self._to_socket)):
            matrix[:, :, :6], matrix[:, :, 6:] = -np.eye(6), np.eye(6)
            matrix[:, :3, 3:6], matrix[:, :3, 9:] = skew(first), -skew(second)
        return U, N

    def on_bodies(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Bodies i and j, and the derivatives of the forces on both by ξ and by velocities (joints, 12, 12)."""
        U, N = self._maps()
        f, torque = self.wrench[:, :3], self.wrench[:, 3:]
        change = self.slopes[0] @ U
        change[:, :3, 3:6] -= skew(f)
        change[:, 3:, 3:6] -= skew(torque)
        w_i, w_j, q = skew(self._w_i), skew(self._w_j), skew(self._q)
        rates = np.zeros_like(U)  # of (u̇, φ̇) seen from the socket, by ξ
        rates[:, :3, :3], rates[:, :3, 6:9] = w_i, -w_i
        rates[:, :3, 3:6], rates[:, 3:, 3:6] = skew(self._rate), skew(self._w_j - self._w_i)
        rates[:, :3, 9:] = (w_i - w_j) @ q
        by_twist = N.transpose(0, 2, 1) @ (change + self.slopes[1] @ rates)
        by_twist[:, 3:6, 3:6] -= skew(f) @ skew(self._s)
        by_twist[:, 9:, :3] -= skew(f)
        by_twist[:, 9:, 3:6] += skew(f) @ skew(self._s)
        by_twist[:, 9:, 6:9] += skew(f)
        return self._socket, self._ball, by_twist, N.transpose(0, 2, 1) @ self.slopes[1] @ U

    def errors_along(self, directions: np.ndarray) -> np.ndarray:
        """Bounds of the errors of Vᵀ (∂Q/∂ξ) V and Vᵀ (∂Q/∂v) V, V motions of bodies and nodes (…, columns)."""
        if not len(self._ball):
            return np.zeros((2, directions.shape[1], directions.shape[1]))
        U, N = self._maps()
        lines = self._rows.nodes.lines(directions).reshape(-1, 6, directions.shape[1])
        moves = np.concatenate([np.zeros((1, 6, directions.shape[1])), lines])
        both = np.concatenate([moves[self._socket], moves[self._ball]], axis=1)
        left, right = np.abs(N @ both), np.abs(U @ both)
        columns = left.reshape(-1, left.shape[2])
        parts = [(np.minimum(error, 1e300) @ right).reshape(columns.shape) for error in self.errors]
        return np.array([columns.T @ part for part in parts])
