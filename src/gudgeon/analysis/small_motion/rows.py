"""Constraint rows, masses and forces of a mechanism, evaluated at one state after the other."""

from __future__ import annotations

import numpy as np

from gudgeon.kernels.dynamics import arrays
from gudgeon.kernels.dynamics.arrays import ACCELERATION, APPLIED
from gudgeon.mechanics.allowed_motions import AllowedMotions, JointTree
from gudgeon.mechanics.equations import Equations
from gudgeon.mechanics.rotors import rotor_inertia
from gudgeon.mechanics.typical_length import typical_length


class Rows:
    """Constraint rows, masses and applied forces of a mechanism at a time."""

    def __init__(self, equations: Equations, time: float):
        self.equations, self.time = equations, time
        self.body_count = len(equations.system.bodies)
        self.nodes = equations.nodes
        self._tree = JointTree(equations)
        model, bodies = equations.model, equations.system.bodies.values()
        self._inertia = model.body[1:, arrays.INERTIA : arrays.INERTIA + 9].reshape(-1, 3, 3)
        self._mass = model.body[1:, arrays.MASS]
        self.weight = np.repeat([[body.mass, np.trace(body.inertia) / 3.0] for body in bodies], 3)
        self.size = typical_length(equations)
        self._rate = np.zeros(equations.state_size)

    def at(self, y: np.ndarray) -> None:
        """Evaluate rows and kinematics."""
        from gudgeon.kernels.dynamics.rows import rows_at

        rows_at(self.equations.model, self.equations.work, self.time, y)

    def forces(self, y: np.ndarray) -> np.ndarray:
        """Evaluate everything; applied forces with gyroscopic torques, 6 per body, and those on nodes [N, N·m]."""
        from gudgeon.kernels.dynamics.motion import right_hand_side

        right_hand_side(self.equations.model, self.equations.work, self.time, y, self._rate)
        return self.nodes.forces(self.body[1:, APPLIED : APPLIED + 6].reshape(-1).copy(), y)

    @property
    def body(self) -> np.ndarray:
        """Kinematics last evaluated (Work.body)."""
        return self.equations.work.body

    @property
    def accelerations(self) -> np.ndarray:
        """Of all bodies under the forces last evaluated, 6 per body, and of nodes [m/s², rad/s²]."""
        bodies = self.body[1 : 1 + self.body_count, ACCELERATION : ACCELERATION + 6].reshape(-1)
        return np.concatenate([bodies, self.equations.work.flexible.acceleration])

    def column(self, which: int) -> np.ndarray:
        """RESIDUAL, RATE or GAMMA of the rows last evaluated."""
        return self.equations.work.row[np.concatenate([self.equations.joint_rows, self.equations.node_rows]), which]

    def times_mass(self, x: np.ndarray) -> np.ndarray:
        """M x for one or several columns of 6 numbers per body, and those of nodes, in the poses last evaluated."""
        n = self.body_count
        rotation = self.body[1 : 1 + n, arrays.ROTATION : arrays.ROTATION + 9].reshape(-1, 3, 3)
        inertia = rotation @ self._inertia @ rotation.transpose(0, 2, 1)
        columns = x[: 6 * n].reshape(n, 2, 3, -1)
        out = np.empty_like(columns)
        out[:, 0] = self._mass[:, None, None] * columns[:, 0]
        out[:, 1] = inertia @ columns[:, 1]
        of_bodies = out.reshape(x[: 6 * n].shape) + rotor_inertia(self.equations, x[: 6 * n])
        return np.concatenate([of_bodies, (self.nodes.mass * x[6 * n :].T).T])

    def typical_rate(self, velocity: np.ndarray, applied: np.ndarray) -> float:
        """Of a motion with these velocities and forces: speeds, and what forces could do [1/s]."""
        both = np.stack([velocity, applied / self.weights])
        moves = np.abs(both[:, : 6 * self.body_count].reshape(2, -1, 2, 3)).max(axis=(1, 3))
        nodes = np.abs(both[:, 6 * self.body_count :]).max(axis=1, initial=0.0)
        speed, push = (
            max(size / self.size, turn, node / self.size) for (size, turn), node in zip(moves, nodes, strict=True)
        )
        return max(float(speed), float(np.sqrt(push)))

    @property
    def weights(self) -> np.ndarray:
        """Masses and moments of inertia of all bodies (6 each), and masses of nodes."""
        return np.concatenate([self.weight, self.nodes.mass])

    def allowed(self, y: np.ndarray) -> AllowedMotions:
        """The motions that the joints allow in the state y."""
        self.at(y)
        return AllowedMotions(self.equations, self._tree, self.weight, self.times_mass)
