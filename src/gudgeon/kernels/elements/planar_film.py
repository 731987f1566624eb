"""The film of a journal whose mechanism other joints hold in a plane: its force at one point, and a couple.

The case k = 0, d_z = 0 of a film (journal_film.py): in the bearing's axes, z the bore's, e = d_⊥ and

    X = P_i + ½ e,   V = v − ½ w_z ẑ × e,   F = −(μ R L³/c³)|V| (J_v v̂ + J_t t̂) at X,   couple −M_v ẑ
    M_v = (2π μ R³ L/c) w_z/√(1 − ε²)

V is the velocity of the two bodies against each other at X, so F alone is what an implicit solver has to solve for: two
unknowns, three where mechanics/level_bodies.py does not say so. The couple is slow, and follows from the motion
(`arm_and_couple` in shear_couple.py).
"""

from __future__ import annotations

from math import sqrt

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed, inlined
from gudgeon.kernels.build.places import put_at
from gudgeon.kernels.dynamics.arrays import (
    DEPTH,
    DEPTH_RATE,
    ECCENTRICITY,
    FORCE_ON_BALL,
    FRAME,
    MODEL,
    OMEGA_BALL,
    POWER,
    RATE_OF,
    REPORT_OWN,
    REPORT_PENETRATION,
    REPORT_POWER,
    SURFACE_TABLE,
    TORQUE_ON_BALL,
    WORK,
)
from gudgeon.kernels.elements.bushing import in_joint_axes, vector
from gudgeon.kernels.elements.film_coefficients import coefficients
from gudgeon.kernels.elements.film_numbers import (
    FILM_KIND,
    FULLEST,
    LONG_SCALE,
    RADIAL_PLAY,
    STRENGTH,
    THINNEST,
)
from gudgeon.kernels.elements.joints import clear_force
from gudgeon.kernels.elements.shear_couple import arm_and_couple
from gudgeon.kernels.kinematics.vectors import dot


@inlined
def in_plane(p, x):
    """e, V, w_z, and ε not beyond the fullest with the factor by which it is shortened, for the motion x."""
    d, v = in_joint_axes(x, vector(x, ECCENTRICITY)), in_joint_axes(x, vector(x, RATE_OF))
    spin = in_joint_axes(x, vector(x, OMEGA_BALL))[2]
    ex, ey = d[0] / p[RADIAL_PLAY], d[1] / p[RADIAL_PLAY]
    length = sqrt(ex * ex + ey * ey)
    shortened = p[FULLEST] / length if length > p[FULLEST] else 1.0
    V = (v[0] + 0.5 * spin * d[1], v[1] - 0.5 * spin * d[0])
    return (d[0], d[1]), V, spin, ex * shortened, ey * shortened, shortened


@inlined
def along(V):
    """|V| and v̂."""
    speed = sqrt(V[0] * V[0] + V[1] * V[1])
    return speed, V[0] / speed if speed > 0.0 else 1.0, V[1] / speed if speed > 0.0 else 0.0


@addressed(void(MODEL, WORK, int64, int64, int64))
def force_of_planar_film(m, w, k, a, b):
    """Force and couple for the motion in line a of `local`, into line b of `force`."""
    p, x, out = m.compliant_vector[k], w.local[a], w.force[b]
    clear_force(w.force, b)
    _, V, spin, ex, ey, _ = in_plane(p, x)
    speed, nx, ny = along(V)
    J_v, J_t, _, _, _, _ = coefficients(
        p[FILM_KIND], m.compliant[k, SURFACE_TABLE], p[LONG_SCALE], ex * nx + ey * ny, ey * nx - ex * ny
    )
    J_v, J_t = p[STRENGTH] * J_v, p[STRENGTH] * J_t
    Fx, Fy = J_t * V[1] - J_v * V[0], -J_t * V[0] - J_v * V[1]
    for r in range(3):
        out[FORCE_ON_BALL + r] = x[FRAME + 3 * r] * Fx + x[FRAME + 3 * r + 1] * Fy
    out[POWER] = J_v * speed * speed + arm_and_couple(m, w, k, a, b) * spin


@addressed(void(MODEL, WORK, int64, int64, int64))
def depth_of_planar_film(m, w, k, a, b):
    """How far the film is below the smallest, and its rate; for line a of `local`, into line b of `force`."""
    p, x = m.compliant_vector[k], w.local[a]
    d, v = in_joint_axes(x, vector(x, ECCENTRICITY)), in_joint_axes(x, vector(x, RATE_OF))
    e = sqrt(d[0] * d[0] + d[1] * d[1])
    rate = (d[0] * v[0] + d[1] * v[1]) / e if e > 0.0 else sqrt(v[0] * v[0] + v[1] * v[1])
    w.force[b, DEPTH], w.force[b, DEPTH_RATE] = e - (p[RADIAL_PLAY] - p[THINNEST]), rate


@addressed(void(MODEL, WORK, int64, int64, int64, int64))
def slopes_of_planar_film(m, w, k, a, by_position, by_velocity):
    """Derivatives of the force by displacement and velocity in line a of `local`, into 6 × 6 matrices by address.

    In the axes v̂, t̂ they are those of journal_film_slopes.py; V changes with e by −½ w_z ẑ × e.
    """
    p, x = m.compliant_vector[k], w.local[a]
    _, V, spin, ex, ey, shortened = in_plane(p, x)
    speed, nx, ny = along(V)
    a_, b_ = ex * nx + ey * ny, ey * nx - ex * ny
    J_v, J_t, v_a, v_b, t_a, t_b = coefficients(p[FILM_KIND], m.compliant[k, SURFACE_TABLE], p[LONG_SCALE], a_, b_)
    strength = -p[STRENGTH]
    scale = strength * speed * shortened / p[RADIAL_PLAY]
    E = turned(scale * v_a, scale * v_b, scale * t_a, scale * t_b, nx, ny)
    V_vt, V_tt = strength * (b_ * v_a - a_ * v_b - J_t), strength * (b_ * t_a - a_ * t_b + J_v)
    G = turned(strength * J_v, V_vt, strength * J_t, V_tt, nx, ny)
    if shortened < 1.0:  # only across e
        length = sqrt(ex * ex + ey * ey)
        mx, my = ex / length, ey / length
        radial_x, radial_y = E[0] * mx + E[1] * my, E[2] * mx + E[3] * my
        E = (E[0] - radial_x * mx, E[1] - radial_x * my, E[2] - radial_y * mx, E[3] - radial_y * my)
    half = 0.5 * spin
    E = (E[0] - half * G[1], E[1] + half * G[0], E[2] - half * G[3], E[3] + half * G[2])
    for r in range(3):
        fx, fy = x[FRAME + 3 * r], x[FRAME + 3 * r + 1]
        for c in range(3):
            ux, uy = x[FRAME + 3 * c], x[FRAME + 3 * c + 1]
            put_at(by_position, 6 * r + c, fx * (E[0] * ux + E[1] * uy) + fy * (E[2] * ux + E[3] * uy))
            put_at(by_velocity, 6 * r + c, fx * (G[0] * ux + G[1] * uy) + fy * (G[2] * ux + G[3] * uy))


@inlined
def turned(vv, vt, tv, tt, nx, ny):
    """A matrix in the axes v̂ = (nx, ny) and t̂ in those of the bearing, row by row."""
    return (
        nx * (vv * nx - vt * ny) - ny * (tv * nx - tt * ny),
        nx * (vv * ny + vt * nx) - ny * (tv * ny + tt * nx),
        ny * (vv * nx - vt * ny) + nx * (tv * nx - tt * ny),
        ny * (vv * ny + vt * nx) + nx * (tv * ny + tt * nx),
    )


@addressed(void(MODEL, WORK, int64))
def report_of_planar_film(m, w, k):
    """The film under the forces in line k."""
    out, p, x = w.report, m.compliant_vector[k], w.local[k]
    e, V, spin, _, _, _ = in_plane(p, x)
    away = sqrt(e[0] * e[0] + e[1] * e[1])
    f = in_joint_axes(x, vector(w.force[k], FORCE_ON_BALL))
    couple = in_joint_axes(x, vector(w.force[k], TORQUE_ON_BALL))[2]
    power = -f[0] * V[0] - f[1] * V[1] - couple * spin
    out[REPORT_PENETRATION] = away - p[RADIAL_PLAY] + p[THINNEST]
    out[REPORT_POWER] = power
    out[REPORT_OWN] = p[RADIAL_PLAY] - away
    out[REPORT_OWN + 1] = away / p[RADIAL_PLAY]
    out[REPORT_OWN + 2] = sqrt(dot(f, f))
    out[REPORT_OWN + 3] = 0.0
    out[REPORT_OWN + 4] = couple - 0.5 * (e[0] * f[1] - e[1] * f[0])
    out[REPORT_OWN + 5] = power
