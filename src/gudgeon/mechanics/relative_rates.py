"""How fast the two bodies of a real joint move against each other, as rows on the velocities of all bodies."""

from __future__ import annotations

import numpy as np

from gudgeon.kernels.dynamics.arrays import IN_BALL, IN_SOCKET, ROTATION, SOCKET, SOCKET_AXES
from gudgeon.mechanics.equations import Equations
from gudgeon.rotations import skew


def relative_rates(equations: Equations, k: int) -> np.ndarray:
    """(6, 6 bodies) displacement and turn of the ball of line k against its socket, joint's axes; as last evaluated."""
    model, body = equations.model, equations.work.body
    out = np.zeros((6, 6 * len(equations.system.bodies)))
    socket = model.compliant[k, SOCKET]
    axes = model.compliant_vector[k, SOCKET_AXES : SOCKET_AXES + 9].reshape(3, 3)
    if not np.any(axes):  # of surfaces: the socket's own
        axes = np.eye(3)
    frame = np.array([body[socket, ROTATION : ROTATION + 9].reshape(3, 3) @ axis for axis in axes])
    for side, sign in ((0, -1.0), (1, 1.0)):
        b = model.compliant[k, SOCKET + side]
        if b:
            turn = body[b, ROTATION : ROTATION + 9].reshape(3, 3)
            arm = turn @ model.compliant_vector[k, (IN_SOCKET, IN_BALL)[side] :][:3]
            at = 6 * (b - 1)
            out[:3, at : at + 3], out[:3, at + 3 : at + 6] = sign * frame, -sign * (frame @ skew(arm))
            out[3:, at + 3 : at + 6] = sign * frame
    return out
