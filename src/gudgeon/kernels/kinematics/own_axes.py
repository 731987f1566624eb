"""Angular velocities turned between the world's axes and the bodies' own, within states of absolute coordinates."""

from __future__ import annotations

from numba import float64, int64

from gudgeon.kernels.build.compiled import exact
from gudgeon.kernels.build.records import MATRIX
from gudgeon.kernels.dynamics.state_places import pose_at


@exact
def turn_angular_velocities(states, n, sign):
    """Of the n bodies of each state, in place: with sign 1 into the world's axes, with −1 out of them.

    ω + 2 (s p×ω + p×(p×ω))/|q|² for the quaternion q = (s, p).
    """
    for k in range(states.shape[0]):
        y = states[k]
        for body in range(n):
            q, v = pose_at(body + 1) + 3, pose_at(n + 1) + 6 * body + 3
            s, a, b, c = sign * y[q], y[q + 1], y[q + 2], y[q + 3]
            x0, x1, x2 = y[v], y[v + 1], y[v + 2]
            u0, u1, u2 = b * x2 - c * x1, c * x0 - a * x2, a * x1 - b * x0
            double = 2.0 / (s * s + a * a + b * b + c * c)
            y[v] = x0 + double * (s * u0 + b * u2 - c * u1)
            y[v + 1] = x1 + double * (s * u1 + c * u0 - a * u2)
            y[v + 2] = x2 + double * (s * u2 + a * u1 - b * u0)


turn_angular_velocities.arguments = (MATRIX, int64, float64)
