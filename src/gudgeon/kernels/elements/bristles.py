"""Bristle friction (LuGre) in a plane of contact: ż = v_t − σ0 |v_t|/g(v) z, f = −f_n (σ0 z + σ1 ż + σ2 v_t).

z is a vector of the contact plane, kept in the socket's axes and carried along as the plane turns (parallel transport).
"""

from __future__ import annotations

from gudgeon.kernels.build.compiled import called
from gudgeon.kernels.dynamics.arrays import (
    BRISTLE_DAMPING,
    BRISTLE_STIFFNESS,
    BRISTLE_VISCOUS,
    BRISTLES,
    FRAME,
    TORQUE_ON_BALL,
)
from gudgeon.kernels.elements.laws import friction_force


@called
def bristle_friction(m, w, k, a, b, n, v, radius, normal, speed, t):
    """Friction on the ball; the rate of z goes where a torque would be, in line b of `force`.

    n is the plane's normal, which turns by v/radius as seen from the socket; t the sliding velocity.
    """
    local, force, V = w.local, w.force, m.compliant_vector
    nx, ny, nz = n
    tx, ty, tz = t
    x, y, z = local[a, BRISTLES], local[a, BRISTLES + 1], local[a, BRISTLES + 2]
    F = FRAME
    zx = local[a, F] * x + local[a, F + 1] * y + local[a, F + 2] * z
    zy = local[a, F + 3] * x + local[a, F + 4] * y + local[a, F + 5] * z
    zz = local[a, F + 6] * x + local[a, F + 7] * y + local[a, F + 8] * z
    out = zx * nx + zy * ny + zz * nz
    zx, zy, zz = zx - out * nx, zy - out * ny, zz - out * nz
    s0, s1, s2 = V[k, BRISTLE_STIFFNESS], V[k, BRISTLE_DAMPING], V[k, BRISTLE_VISCOUS]
    wear = s0 * speed / friction_force(m, k, speed, 1.0)
    dx, dy, dz = tx - wear * zx, ty - wear * zy, tz - wear * zz
    turn = zx * v[0] + zy * v[1] + zz * v[2]
    turn /= radius
    rx, ry, rz = dx - turn * nx, dy - turn * ny, dz - turn * nz
    for c in range(3):
        force[b, TORQUE_ON_BALL + c] = local[a, F + c] * rx + local[a, F + 3 + c] * ry + local[a, F + 6 + c] * rz
    return (
        -normal * (s0 * zx + s1 * dx + s2 * tx),
        -normal * (s0 * zy + s1 * dy + s2 * ty),
        -normal * (s0 * zz + s1 * dz + s2 * tz),
    )
