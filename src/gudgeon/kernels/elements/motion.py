"""The motion of a joint that acts by forces, as its physics is given it: a line of `Work.local`."""

from __future__ import annotations

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed
from gudgeon.kernels.build.records import VECTOR
from gudgeon.kernels.dynamics.arrays import (
    BALL,
    BALL_FRAME,
    BRISTLE,
    BRISTLES,
    ECCENTRICITY,
    FRAME,
    FROM_SOCKET,
    IN_BALL,
    IN_SOCKET,
    KIND,
    MODEL,
    OMEGA,
    OMEGA_BALL,
    OMEGA_SOCKET,
    POSITION,
    RATE_OF,
    ROTATION,
    RUBBING,
    SOCKET,
    STOP,
    STOP_IS_ANGLE,
    STOP_TURN,
    TURN,
    VELOCITY,
    VIEW,
    WITH_FRAMES,
    WORK,
)
from gudgeon.kernels.dynamics.state_places import first_turn
from gudgeon.kernels.elements.bushing import seen_from_socket
from gudgeon.kernels.elements.coupled import coupled_motion, is_coupled
from gudgeon.kernels.elements.rub_motion import motion_of_rub
from gudgeon.kernels.kinematics.rotation import cross, rotated


@addressed(void(MODEL, WORK, int64, VECTOR))
def motion_of_joint(m, w, k, y):
    """The motion of compliant joint k into `w.local[k]`, from the kinematics held in `w`."""
    if m.compliant[k, KIND] == RUBBING:
        motion_of_rub(m, w, k, y)
        return
    if is_coupled(m, k):
        coupled_motion(m, w, k, y)
        return
    i, j, body, local = m.compliant[k, SOCKET], m.compliant[k, BALL], w.body, w.local
    sx, sy, sz = rotated(body, i, m.compliant_vector, k, IN_SOCKET)
    qx, qy, qz = rotated(body, j, m.compliant_vector, k, IN_BALL)
    wix, wiy, wiz = body[i, OMEGA], body[i, OMEGA + 1], body[i, OMEGA + 2]
    wjx, wjy, wjz = body[j, OMEGA], body[j, OMEGA + 1], body[j, OMEGA + 2]
    ux, uy, uz = cross(wix, wiy, wiz, sx, sy, sz)
    vx, vy, vz = cross(wjx, wjy, wjz, qx, qy, qz)
    local[k, ECCENTRICITY] = (body[j, POSITION] - body[i, POSITION]) + (qx - sx)
    local[k, ECCENTRICITY + 1] = (body[j, POSITION + 1] - body[i, POSITION + 1]) + (qy - sy)
    local[k, ECCENTRICITY + 2] = (body[j, POSITION + 2] - body[i, POSITION + 2]) + (qz - sz)
    local[k, RATE_OF] = (body[j, VELOCITY] - body[i, VELOCITY]) + (vx - ux)
    local[k, RATE_OF + 1] = (body[j, VELOCITY + 1] - body[i, VELOCITY + 1]) + (vy - uy)
    local[k, RATE_OF + 2] = (body[j, VELOCITY + 2] - body[i, VELOCITY + 2]) + (vz - uz)
    local[k, OMEGA_SOCKET], local[k, OMEGA_SOCKET + 1], local[k, OMEGA_SOCKET + 2] = wix, wiy, wiz
    local[k, OMEGA_BALL], local[k, OMEGA_BALL + 1], local[k, OMEGA_BALL + 2] = wjx, wjy, wjz
    if m.compliant[k, VIEW] == FROM_SOCKET:
        seen_from_socket(m, w, k)
    elif m.compliant[k, VIEW] == WITH_FRAMES:
        for c in range(9):
            local[k, FRAME + c] = body[i, ROTATION + c]
            local[k, BALL_FRAME + c] = body[j, ROTATION + c]
        local[k, TURN] = local[k, TURN + 1] = local[k, TURN + 2] = 0.0
    if m.compliant[k, KIND] == STOP and m.compliant_vector[k, STOP_IS_ANGLE] > 0.0:
        local[k, BRISTLES] = y[first_turn(m) + m.compliant[k, STOP_TURN]]
    if m.compliant[k, BRISTLE] >= 0:
        for c in range(9):
            local[k, FRAME + c] = body[i, ROTATION + c]
        for c in range(3):
            local[k, BRISTLES + c] = y[m.compliant[k, BRISTLE] + c]
