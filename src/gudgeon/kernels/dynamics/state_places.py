"""Where the parts of a state y begin, in compiled code; `mechanics/state_layout.py` tells the same to Python."""

from __future__ import annotations

from gudgeon.kernels.build.compiled import inlined
from gudgeon.kernels.dynamics.arrays import POSITIONS, VELOCITIES


@inlined
def pose_at(b):
    """The position, then the quaternion, of body b in absolute coordinates."""
    return 7 * (b - 1)


@inlined
def twist_at(m, b):
    """The velocity, then the angular velocity, of body b in absolute coordinates."""
    return m.layout[POSITIONS] + 6 * (b - 1)


@inlined
def first_turn(m):
    """The counted angles, and with them all that is no motion."""
    return m.layout[POSITIONS] + m.layout[VELOCITIES]


@inlined
def first_control(m):
    """The controls."""
    return first_turn(m) + m.turn.shape[0]
