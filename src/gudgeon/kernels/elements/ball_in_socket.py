"""A ball in a socket with clearance: contact and friction.

    δ = e − free path > 0:   f_n = law(δ, δ̇, δ̇⁽⁻⁾),  f_t = −friction(|v_t|, f_n) v_t/|v_t|

Both forces act at one point X = P_i + ρ n, ρ = (R_i + R_j + e)/2, half-way between the two surfaces, and v_t is the
relative velocity of the bodies' points there: so action equals reaction in moments too, and friction always dissipates.
Source: Silva, Marques, Silva, Flores: Modelling spherical joints in multibody systems, eqs 6–17.
"""

from __future__ import annotations

from math import sqrt

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.dynamics.arrays import (
    ARM_OF,
    BALL_RADIUS,
    BRISTLE,
    BRISTLE_DAMPING,
    BRISTLE_STIFFNESS,
    BRISTLE_VISCOUS,
    BRISTLES,
    ECCENTRICITY,
    FORCE_ON_BALL,
    FRAME,
    FREE_PATH,
    IMPACT_SPEED,
    MODEL,
    NORMAL,
    OMEGA_BALL,
    OMEGA_SOCKET,
    POWER,
    RATE_OF,
    SMALLEST_IMPACT,
    SOCKET_RADIUS,
    TORQUE_ON_BALL,
    WORK,
)
from gudgeon.kernels.elements.joints import radial_begin, touches
from gudgeon.kernels.elements.laws import friction_force, normal_force
from gudgeon.kernels.kinematics.rotation import cross


@inlined
def contact_force(m, w, k, a, b, e, nx, ny, nz, rate):
    """Add contact and friction, from line a of `local` to line b of `force`."""
    local, force, V = w.local, w.force, m.compliant_vector
    impact = max(w.contact[k, IMPACT_SPEED], V[k, SMALLEST_IMPACT])
    delta = max(e - V[k, FREE_PATH], 0.0)
    normal = normal_force(m, k, delta, rate, impact)
    rho = 0.5 * (V[k, SOCKET_RADIUS] + V[k, BALL_RADIUS] + e)
    force[b, ARM_OF], force[b, ARM_OF + 1], force[b, ARM_OF + 2] = rho * nx, rho * ny, rho * nz
    # the two bodies' points at X slide against each other
    wix, wiy, wiz = local[a, OMEGA_SOCKET], local[a, OMEGA_SOCKET + 1], local[a, OMEGA_SOCKET + 2]
    wjx, wjy, wjz = local[a, OMEGA_BALL], local[a, OMEGA_BALL + 1], local[a, OMEGA_BALL + 2]
    r = rho - e
    tx, ty, tz = cross(r * wjx - rho * wix, r * wjy - rho * wiy, r * wjz - rho * wiz, nx, ny, nz)
    tx += local[a, RATE_OF] - rate * nx
    ty += local[a, RATE_OF + 1] - rate * ny
    tz += local[a, RATE_OF + 2] - rate * nz
    speed = sqrt(tx * tx + ty * ty + tz * tz)
    force[b, NORMAL] = normal
    elastic = normal_force(m, k, delta, 0.0, impact)
    fx, fy, fz = -normal * nx, -normal * ny, -normal * nz
    if m.compliant[k, BRISTLE] >= 0:
        gx, gy, gz = bristle_friction(m, w, k, a, b, nx, ny, nz, e, normal, speed, tx, ty, tz)
        force[b, POWER] += (normal - elastic) * rate - (gx * tx + gy * ty + gz * tz)
        fx, fy, fz = fx + gx, fy + gy, fz + gz
    else:
        s = friction_force(m, k, speed, normal) / speed if speed > 0.0 else 0.0
        force[b, POWER] += (normal - elastic) * rate + s * speed * speed
        fx, fy, fz = fx - s * tx, fy - s * ty, fz - s * tz
    force[b, FORCE_ON_BALL] += fx
    force[b, FORCE_ON_BALL + 1] += fy
    force[b, FORCE_ON_BALL + 2] += fz


@called
def bristle_friction(m, w, k, a, b, nx, ny, nz, e, normal, speed, tx, ty, tz):
    """LuGre: ż = v_t − σ0 |v_t|/g(v) z, f = −f_n (σ0 z + σ1 ż + σ2 v_t).

    z is a vector of the contact plane, kept in the socket's axes and carried along as the plane turns (parallel
    transport). Returns the friction on the ball; the rate of z goes where a torque would be.
    """
    local, force, V = w.local, w.force, m.compliant_vector
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
    # the plane turns with n, seen from the socket
    ox, oy, oz = cross(
        local[a, OMEGA_SOCKET],
        local[a, OMEGA_SOCKET + 1],
        local[a, OMEGA_SOCKET + 2],
        local[a, ECCENTRICITY],
        local[a, ECCENTRICITY + 1],
        local[a, ECCENTRICITY + 2],
    )
    turn = zx * (local[a, RATE_OF] - ox) + zy * (local[a, RATE_OF + 1] - oy) + zz * (local[a, RATE_OF + 2] - oz)
    turn /= e
    rx, ry, rz = dx - turn * nx, dy - turn * ny, dz - turn * nz
    for c in range(3):
        force[b, TORQUE_ON_BALL + c] = local[a, F + c] * rx + local[a, F + 3 + c] * ry + local[a, F + 6 + c] * rz
    return (
        -normal * (s0 * zx + s1 * dx + s2 * tx),
        -normal * (s0 * zy + s1 * dy + s2 * ty),
        -normal * (s0 * zz + s1 * dz + s2 * tz),
    )


@addressed(void(MODEL, WORK, int64, int64, int64))
def force_of_ball(m, w, k, a, b):
    """The force of a dry ball for the motion in line a of `local`, into line b of `force`."""
    e, nx, ny, nz, rate = radial_begin(w, a, b)
    if touches(m, w, k, e):
        contact_force(m, w, k, a, b, e, nx, ny, nz, rate)
