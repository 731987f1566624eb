"""A ball in a socket with clearance: contact and friction.

    δ = e − free path > 0:   f_n = law(δ, δ̇, δ̇⁽⁻⁾),  f_t = −friction(|v_t|, f_n) v_t/|v_t|

Both forces act at one point X = P_i + ρ n, ρ = (R_i + R_j + e)/2, half-way between the two surfaces, and v_t is the
relative velocity of the bodies' points there: so action equals reaction in moments too, and friction always dissipates.
Source: Silva, Marques, Silva, Flores: Modelling spherical joints in multibody systems, eqs 6–17.
"""

from __future__ import annotations

from math import inf, sqrt

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed, inlined
from gudgeon.kernels.dynamics.arrays import (
    ARM_OF,
    BALL_RADIUS,
    BRISTLE,
    CLEARANCE,
    DEPTH,
    DEPTH_RATE,
    ECCENTRICITY,
    FORCE_ON_BALL,
    FREE_PATH,
    IMPACT_SPEED,
    MODEL,
    NORMAL,
    OMEGA_BALL,
    OMEGA_SOCKET,
    POWER,
    RATE_OF,
    REPORT_CONTACT,
    REPORT_FRICTION,
    REPORT_NORMAL,
    REPORT_PENETRATION,
    REPORT_SLIDING,
    REPORT_STORED,
    SMALLEST_FILM,
    SMALLEST_IMPACT,
    SOCKET_RADIUS,
    WORK,
)
from gudgeon.kernels.elements.bristles import bristle_friction
from gudgeon.kernels.elements.joints import radial_begin, radial_direction, relative_velocity, touches
from gudgeon.kernels.elements.laws import contact_energy, friction_force, normal_force
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
        ox, oy, oz = cross(
            wix, wiy, wiz, local[a, ECCENTRICITY], local[a, ECCENTRICITY + 1], local[a, ECCENTRICITY + 2]
        )
        v = (local[a, RATE_OF] - ox, local[a, RATE_OF + 1] - oy, local[a, RATE_OF + 2] - oz)
        gx, gy, gz = bristle_friction(m, w, k, a, b, (nx, ny, nz), v, e, normal, speed, (tx, ty, tz))
        force[b, POWER] += (normal - elastic) * rate - (gx * tx + gy * ty + gz * tz)
        fx, fy, fz = fx + gx, fy + gy, fz + gz
    else:
        s = friction_force(m, k, speed, normal) / speed if speed > 0.0 else 0.0
        force[b, POWER] += (normal - elastic) * rate + s * speed * speed
        fx, fy, fz = fx - s * tx, fy - s * ty, fz - s * tz
    force[b, FORCE_ON_BALL] += fx
    force[b, FORCE_ON_BALL + 1] += fy
    force[b, FORCE_ON_BALL + 2] += fz


@addressed(void(MODEL, WORK, int64, int64, int64))
def force_of_ball(m, w, k, a, b):
    """The force of a dry ball for the motion in line a of `local`, into line b of `force`."""
    e, nx, ny, nz, rate = radial_begin(w, a, b)
    if touches(m, w, k, e):
        contact_force(m, w, k, a, b, e, nx, ny, nz, rate)


@inlined
def limit(m, k):
    """The eccentricity at which the contact of joint k begins, or its film ends."""
    V = m.compliant_vector
    return V[k, FREE_PATH] if V[k, FREE_PATH] < inf else V[k, CLEARANCE] - V[k, SMALLEST_FILM]


@addressed(void(MODEL, WORK, int64, int64, int64))
def depth_of_ball(m, w, k, a, b):
    """How deep the ball is in its wall, and its rate, for the motion in line a of `local`, into line b of `force`."""
    e, _, _, _, w.force[b, DEPTH_RATE] = radial_direction(w.local, a)
    w.force[b, DEPTH] = e - limit(m, k)


@inlined
def report_contact(m, w, k, film):
    """What the forces in line k do; returns the radial force. Without a film, a wall does not pull."""
    out, force = w.report, w.force
    e, nx, ny, nz, _ = radial_direction(w.local, k)
    fx, fy, fz = force[k, FORCE_ON_BALL], force[k, FORCE_ON_BALL + 1], force[k, FORCE_ON_BALL + 2]
    radial = fx * nx + fy * ny + fz * nz
    if radial > 0.0 and not film:  # between the stages of an implicit step it may seem to
        fx, fy, fz = fx - radial * nx, fy - radial * ny, fz - radial * nz
        force[k, FORCE_ON_BALL], force[k, FORCE_ON_BALL + 1], force[k, FORCE_ON_BALL + 2] = fx, fy, fz
        radial = 0.0
    out[REPORT_PENETRATION] = e - m.compliant_vector[k, FREE_PATH]
    if touches(m, w, k, e):
        out[REPORT_CONTACT], out[REPORT_NORMAL] = 1.0, -radial
        ux, uy, uz = relative_velocity(w, k)
        rate = ux * nx + uy * ny + uz * nz
        f, u, n = (fx, fy, fz), (ux, uy, uz), (nx, ny, nz)
        for c in range(3):
            out[REPORT_FRICTION + c] = f[c] - radial * n[c]
            out[REPORT_SLIDING + c] = u[c] - rate * n[c]
        impact = max(w.contact[k, IMPACT_SPEED], m.compliant_vector[k, SMALLEST_IMPACT])
        out[REPORT_STORED] = contact_energy(m, k, max(e - m.compliant_vector[k, FREE_PATH], 0.0), impact)
    return radial


@addressed(void(MODEL, WORK, int64))
def report_of_ball(m, w, k):
    """What a dry ball does under the forces in line k."""
    report_contact(m, w, k, False)
