"""Balls that have left their sockets, and pins that have tilted too far."""

from __future__ import annotations

from math import isfinite

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.contact.events import look_within
from gudgeon.kernels.contact.gaps import watched
from gudgeon.kernels.dynamics.arrays import (
    BALL_FRAME,
    FRAME,
    KIND,
    MOST_TILT,
    PART,
    SOCKET_RADIUS,
)
from gudgeon.kernels.dynamics.engine import kinematics, local_motion
from gudgeon.kernels.elements.joints import radial_direction
from gudgeon.kernels.integrators.run import (
    CONTACT_LOOKS,
)


@inlined
def is_lost(m, w, k):
    """Has the ball of joint k left its socket, or a part tilted too far? By line k of `local`."""
    if radial_direction(w.local, k)[0] > m.compliant_vector[k, SOCKET_RADIUS]:
        return True
    most = m.compliant_vector[k, MOST_TILT]
    if m.compliant[k, KIND] != PART or not isfinite(most):
        return False
    cosine = 0.0
    for c in range(3):
        cosine += w.local[k, FRAME + 3 * c + 2] * w.local[k, BALL_FRAME + 3 * c + 2]
    return cosine <= 0.0 or 1.0 - cosine * cosine > most * most * cosine * cosine


@called
def lost_ball(m, w, f):
    """The joint whose ball, or pin, is lost at the end of the step; −1: none."""
    for k in range(m.compliant.shape[0]):
        if isfinite(m.compliant_vector[k, SOCKET_RADIUS]) or (
            m.compliant[k, KIND] == PART and isfinite(m.compliant_vector[k, MOST_TILT])
        ):
            look_within(m, w, f, 1.0, CONTACT_LOOKS + 1)
            break
    for k in range(m.compliant.shape[0]):
        if watched(m, k) and is_lost(m, w, k):
            return k
    return -1


@called
def lost_pin(m, w, y):
    """The joint whose pin has tilted too far in the state y; −1: none."""
    looked = False
    for k in range(m.compliant.shape[0]):
        if m.compliant[k, KIND] == PART and isfinite(m.compliant_vector[k, MOST_TILT]):
            if not looked:
                kinematics(m, w, y)
                looked = True
            local_motion(m, w, k, y)
            if is_lost(m, w, k):
                return k
    return -1
