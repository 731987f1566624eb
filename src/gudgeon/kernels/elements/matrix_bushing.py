"""A bushing with matrices in a ball joint: (f, τ) = −K x − C ẋ on displacement and rotation vector, joint's axes."""

from __future__ import annotations

from math import atan2, cos, sin, sqrt

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed, called
from gudgeon.kernels.dynamics.arrays import (
    ARM_OF,
    BALL,
    BALL_AXES,
    DAMPING_MATRIX,
    ECCENTRICITY,
    FORCE_ON_BALL,
    FRAME,
    MODEL,
    OMEGA_BALL,
    OMEGA_SOCKET,
    POWER,
    RATE_OF,
    ROTATION,
    SOCKET,
    SOCKET_AXES,
    STIFFNESS_MATRIX,
    TORQUE_ON_BALL,
    TURN,
    WORK,
)
from gudgeon.kernels.elements.joints import clear_force
from gudgeon.kernels.kinematics.rotation import cross


@called
def relative_rotation(m, w, k):
    """The joint's axes in the world and the rotation vector of the ball against the socket."""
    i, j, body, V, local = m.compliant[k, SOCKET], m.compliant[k, BALL], w.body, m.compliant_vector, w.local
    for r in range(3):
        for c in range(3):
            x = 0.0
            for d in range(3):
                x += body[i, ROTATION + 3 * r + d] * V[k, SOCKET_AXES + 3 * c + d]
            local[k, FRAME + 3 * r + c] = x
    q00 = q01 = q02 = q10 = q11 = q12 = q20 = q21 = q22 = 0.0  # socket frameᵀ · ball frame
    for d in range(3):
        a0, a1, a2 = local[k, FRAME + 3 * d], local[k, FRAME + 3 * d + 1], local[k, FRAME + 3 * d + 2]
        b0 = b1 = b2 = 0.0
        for g in range(3):
            x = body[j, ROTATION + 3 * d + g]
            b0 += x * V[k, BALL_AXES + g]
            b1 += x * V[k, BALL_AXES + 3 + g]
            b2 += x * V[k, BALL_AXES + 6 + g]
        q00 += a0 * b0
        q01 += a0 * b1
        q02 += a0 * b2
        q10 += a1 * b0
        q11 += a1 * b1
        q12 += a1 * b2
        q20 += a2 * b0
        q21 += a2 * b1
        q22 += a2 * b2
    x, y, z = 0.5 * (q21 - q12), 0.5 * (q02 - q20), 0.5 * (q10 - q01)  # axis · sin θ
    sine, cosine = sqrt(x * x + y * y + z * z), 0.5 * (q00 + q11 + q22 - 1.0)
    angle = atan2(sine, cosine)
    scale = 1.0 + sine * sine / 6.0 if sine < 1e-4 and cosine > 0.0 else angle / sine
    local[k, TURN], local[k, TURN + 1], local[k, TURN + 2] = scale * x, scale * y, scale * z


@addressed(void(MODEL, WORK, int64, int64, int64))
def force_of_matrix_bushing(m, w, k, a, b):
    """Force and torque of a bushing with matrices, from line a of `local` to line b of `force`.

    K acts on x = (displacement, rotation vector θ), C on the relative velocity and angular velocity. The torque of
    the elastic part is J⁻ᵀ(θ) ∂V/∂θ, J the left Jacobian of the rotation vector, so that V = ½ xᵀKx is an energy.
    """
    local, force, V, F = w.local, w.force, m.compliant_vector, FRAME
    clear_force(force, b)
    ex, ey, ez = local[a, ECCENTRICITY], local[a, ECCENTRICITY + 1], local[a, ECCENTRICITY + 2]
    wx, wy, wz = local[a, OMEGA_SOCKET], local[a, OMEGA_SOCKET + 1], local[a, OMEGA_SOCKET + 2]
    ox, oy, oz = cross(wx, wy, wz, ex, ey, ez)
    ux, uy, uz = local[a, RATE_OF] - ox, local[a, RATE_OF + 1] - oy, local[a, RATE_OF + 2] - oz
    wx, wy, wz = local[a, OMEGA_BALL] - wx, local[a, OMEGA_BALL + 1] - wy, local[a, OMEGA_BALL + 2] - wz
    f0 = f1 = f2 = t0 = t1 = t2 = d3 = d4 = d5 = power = 0.0
    for c in range(3):
        p, q, s = local[a, F + c], local[a, F + 3 + c], local[a, F + 6 + c]  # the joint's axis c in the world
        x, turn = p * ex + q * ey + s * ez, local[a, TURN + c]
        u, o = p * ux + q * uy + s * uz, p * wx + q * wy + s * wz
        K, C, L, D = STIFFNESS_MATRIX + c, DAMPING_MATRIX + c, STIFFNESS_MATRIX + 3 + c, DAMPING_MATRIX + 3 + c
        f0 -= V[k, K] * x + V[k, L] * turn + V[k, C] * u + V[k, D] * o
        f1 -= V[k, K + 6] * x + V[k, L + 6] * turn + V[k, C + 6] * u + V[k, D + 6] * o
        f2 -= V[k, K + 12] * x + V[k, L + 12] * turn + V[k, C + 12] * u + V[k, D + 12] * o
        t0 -= V[k, K + 18] * x + V[k, L + 18] * turn
        t1 -= V[k, K + 24] * x + V[k, L + 24] * turn
        t2 -= V[k, K + 30] * x + V[k, L + 30] * turn
        d3 -= V[k, C + 18] * u + V[k, D + 18] * o
        d4 -= V[k, C + 24] * u + V[k, D + 24] * o
        d5 -= V[k, C + 30] * u + V[k, D + 30] * o
        for g in range(3):
            h = FRAME + g
            ug = local[a, h] * ux + local[a, h + 3] * uy + local[a, h + 6] * uz
            og = local[a, h] * wx + local[a, h + 3] * wy + local[a, h + 6] * wz
            G = DAMPING_MATRIX + 6 * g + c
            power += ug * (V[k, G] * u + V[k, G + 3] * o) + og * (V[k, G + 18] * u + V[k, G + 21] * o)
    # J⁻ᵀ t = t + ½ θ×t + κ θ×(θ×t)
    x, y, z = local[a, TURN], local[a, TURN + 1], local[a, TURN + 2]
    angle = sqrt(x * x + y * y + z * z)
    kappa = 1.0 / 12.0
    if angle > 1e-3:
        kappa = 1.0 / (angle * angle) - (1.0 + cos(angle)) / (2.0 * angle * sin(angle))
    px, py, pz = cross(x, y, z, t0, t1, t2)
    qx, qy, qz = cross(x, y, z, px, py, pz)
    t0, t1, t2 = (
        t0 + 0.5 * px + kappa * qx + d3,
        t1 + 0.5 * py + kappa * qy + d4,
        t2 + 0.5 * pz + kappa * qz + d5,
    )
    for r in range(3):
        p, q, s = local[a, F + 3 * r], local[a, F + 3 * r + 1], local[a, F + 3 * r + 2]
        force[b, FORCE_ON_BALL + r] = p * f0 + q * f1 + s * f2
        force[b, TORQUE_ON_BALL + r] = p * t0 + q * t1 + s * t2
        force[b, ARM_OF + r] = local[a, ECCENTRICITY + r]
    force[b, POWER] = power
