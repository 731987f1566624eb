"""Samples of a driven motion by the compiled projection, where the mechanism is far from singular positions.

The twin has the same joints and drives, bodies of mass 1 with inertia l² (l the length of the mechanism) and no loads:
mass-weighted projection and accelerations are then the shortest corrections and solutions in the scaled unknowns of
factors.py. A fully driven mechanism has one solution only, so that this one is that of Newton's method (instant.py),
found in time that grows linearly with the bodies. The condition is squared, so that positions and velocities are
checked, and accelerations are corrected where they need it.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from gudgeon.analysis.factors import ClusterFactors, Layout
from gudgeon.analysis.instant import CLOSED, Mechanism
from gudgeon.kernels.arrays import ACCELERATION, GAMMA, RATE, RESIDUAL
from gudgeon.mechanics.equations import equations_of_motion

SAME_RATE = 1e-13  # residual rate that is accepted, of the fastest velocity [-]
SAME_ACCELERATION = 1e-12  # residual of the accelerations that is accepted, of the largest [-]


class Twin:
    """Corrects guesses of the motion of a mechanism."""

    def __init__(self, mechanism: Mechanism, redundant_rows: int):
        self._mechanism = mechanism
        system, square = mechanism.equations.system, mechanism.length**2
        bodies = {
            name: dataclasses.replace(body, mass=1.0, inertia=(square, square, square))
            for name, body in system.bodies.items()
        }
        twin = equations_of_motion(system.replace(bodies=bodies, loads={}, gravity=(0.0, 0.0, 0.0)))
        self._equations = twin.regularized() if redundant_rows else twin
        self._layout = Layout(twin, mechanism.length)
        self._rate = np.zeros(twin.state_size)

    def corrected(self, t: float, y: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """State and accelerations at t, y being a close guess; None where they are not good enough.

        The counted angles of the guess are those at a close instant.
        """
        from gudgeon.kernels.motion import project, right_hand_side

        mechanism, equations, work = self._mechanism, self._equations, self._equations.work
        n = mechanism.body_count
        size = max(mechanism.length, float(np.abs(y[: 7 * n].reshape(n, 7)[:, :3]).max()))
        state = y[: 13 * n].copy()
        project(equations.model, work, t, state, CLOSED * size)
        right_hand_side(equations.model, work, t, state, self._rate)
        row = work.row[equations.joint_rows]
        fastest = float(np.abs(state[7 * n :] / mechanism.weight).max())
        open_by, opening = float(np.abs(row[:, RESIDUAL]).max()), float(np.abs(row[:, RATE]).max())
        if not (open_by <= 4.0 * CLOSED * size and opening <= SAME_RATE * fastest * mechanism.length):
            return None
        acceleration = work.body[1:, ACCELERATION : ACCELERATION + 6].reshape(-1).copy()
        missing = self._layout.times_jacobian(equations, acceleration) - row[:, GAMMA]
        largest = max(float(np.abs(acceleration / mechanism.weight).max()), fastest**2)
        if not float(np.abs(missing).max()) <= SAME_ACCELERATION * largest * mechanism.length:
            acceleration -= ClusterFactors(equations, self._layout).solve(missing)[0]
        y = np.concatenate([state, y[13 * n :]])
        poses = y[: 7 * n].reshape(n, 7)
        poses[:, 3:] /= np.linalg.norm(poses[:, 3:], axis=1, keepdims=True)
        mechanism.counted.count(y, y[13 * n :].copy())
        return y, acceleration
