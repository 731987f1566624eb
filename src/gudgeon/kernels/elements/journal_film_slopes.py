"""Derivatives of the wrench of a journal's film (journal_film.py) by the relative motion.

Each station's force changes with e where its gap is taken and with V where it acts; in the axes v̂, t̂ of V

    ∂F/∂ε = −(μ R L³/c³)|V| [[J_v,a, J_v,b], [J_t,a, J_t,b]]
    ∂F/∂V = −(μ R L³/c³) [[J_v, b J_v,a − a J_v,b − J_t], [J_t, b J_t,a − a J_t,b + J_v]]

since V turned by an angle turns a and b back by it. Levers and the normal of the journal's axis move along.
"""

from __future__ import annotations

from math import sqrt

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.build.places import put_at
from gudgeon.kernels.dynamics.arrays import FRAME, MODEL, SURFACE_TABLE, WORK
from gudgeon.kernels.elements.bushing import vector
from gudgeon.kernels.elements.film_coefficients import coefficients
from gudgeon.kernels.elements.film_numbers import (
    FILM_KIND,
    GAP_STATION,
    LEVER_STATION,
    LONG_SCALE,
    MIDDLE,
    RADIAL_PLAY,
    SHEAR,
    STRENGTH,
)
from gudgeon.kernels.elements.journal_film import across, direction_of, lever, relative, velocity_of, within
from gudgeon.kernels.kinematics.vectors import dot, plus, vector_product


@inlined
def change_at(p, table, d, k, v, w, near, far):
    """F, ∂F/∂(e at `near`), ∂F/∂V, the gradient of 1/√(1 − ε²) and this, the lever and u_z."""
    ex, ey, shortened = within(p, d, k, near)
    r = lever(d, k, far)
    Vx, Vy, along = velocity_of(k, v, w, r)
    u, nx, ny = direction_of(Vx, Vy)
    a, b = ex * nx + ey * ny, ey * nx - ex * ny
    J_v, J_t, v_a, v_b, t_a, t_b = coefficients(p[FILM_KIND], table, p[LONG_SCALE], a, b)
    strength = -p[STRENGTH]
    # in the axes v̂, t̂
    scale = strength * u * shortened / p[RADIAL_PLAY]
    e_vv, e_vt, e_tv, e_tt = scale * v_a, scale * v_b, scale * t_a, scale * t_b
    V_vv, V_tv = strength * J_v, strength * J_t
    V_vt, V_tt = strength * (b * v_a - a * v_b - J_t), strength * (b * t_a - a * t_b + J_v)
    E = (
        nx * (e_vv * nx - e_vt * ny) - ny * (e_tv * nx - e_tt * ny),
        nx * (e_vv * ny + e_vt * nx) - ny * (e_tv * ny + e_tt * nx),
        ny * (e_vv * nx - e_vt * ny) + nx * (e_tv * nx - e_tt * ny),
        ny * (e_vv * ny + e_vt * nx) + nx * (e_tv * ny + e_tt * nx),
    )
    G = (
        nx * (V_vv * nx - V_vt * ny) - ny * (V_tv * nx - V_tt * ny),
        nx * (V_vv * ny + V_vt * nx) - ny * (V_tv * ny + V_tt * nx),
        ny * (V_vv * nx - V_vt * ny) + nx * (V_tv * nx - V_tt * ny),
        ny * (V_vv * ny + V_vt * nx) + nx * (V_tv * ny + V_tt * nx),
    )
    square = 1.0 - ex * ex - ey * ey
    thin = 1.0 / sqrt(square)
    if shortened < 1.0:  # only across e
        length = sqrt(ex * ex + ey * ey)
        mx, my = ex / length, ey / length
        radial_x, radial_y = E[0] * mx + E[1] * my, E[2] * mx + E[3] * my
        E = (E[0] - radial_x * mx, E[1] - radial_x * my, E[2] - radial_y * mx, E[3] - radial_y * my)
        bent = (0.0, 0.0)
    else:
        bent = (ex * thin / (square * p[RADIAL_PLAY]), ey * thin / (square * p[RADIAL_PLAY]))
    F = (strength * (J_v * Vx - J_t * Vy), strength * (J_v * Vy + J_t * Vx))
    return F, E, G, bent, thin, r, along


@inlined
def changed(station, d, k, w, near, far, dd, dk, dv, dw):
    """Changes of the force of a station, of its torque about P_j, and of its 1/√(1 − ε²)."""
    F, E, G, bent, _, r, along = station
    nx, ny = dd[0] - dd[2] * k[0] + (near - d[2]) * dk[0], dd[1] - dd[2] * k[1] + (near - d[2]) * dk[1]
    fx, fy = dd[0] - dd[2] * k[0] + (far - d[2]) * dk[0], dd[1] - dd[2] * k[1] + (far - d[2]) * dk[1]
    dr = (0.5 * fx - dd[0], 0.5 * fy - dd[1], -dd[2])
    ax, ay, _ = velocity_of(k, dv, dw, r)
    bx, by, _ = velocity_of(k, (0.0, 0.0, 0.0), w, dr)
    Vx, Vy = ax + bx - along * dk[0], ay + by - along * dk[1]
    Fx, Fy = E[0] * nx + E[1] * ny + G[0] * Vx + G[1] * Vy, E[2] * nx + E[3] * ny + G[2] * Vx + G[3] * Vy
    force = (Fx, Fy, -k[0] * Fx - k[1] * Fy - dk[0] * F[0] - dk[1] * F[1])
    torque = plus(vector_product(r, force), vector_product(dr, across(k, F[0], F[1])))
    return force, torque, bent[0] * nx + bent[1] * ny


@called
def slopes_into(p, table, x, by_position, by_velocity):
    """Derivatives of force and torque, in world axes, by displacement and turn, and by their rates."""
    d, k, h, v, w = relative(x)
    z, near, far = p[MIDDLE], p[GAP_STATION], p[LEVER_STATION]
    upper = change_at(p, table, d, k, v, w, z + near, z + far)
    lower = change_at(p, table, d, k, v, w, z - near, z - far)
    thin, nothing = 0.5 * (upper[4] + lower[4]), (0.0, 0.0, 0.0)
    for which in range(4):  # displacement, turn, velocity, angular velocity
        for c in range(3):
            unit = vector(x, FRAME + 3 * c)
            dd, dv, dw, dk = nothing, nothing, nothing, (0.0, 0.0)
            if which == 0:
                dd = unit
            elif which == 1:
                g = vector_product(unit, h)
                dk = ((g[0] - k[0] * g[2]) / h[2], (g[1] - k[1] * g[2]) / h[2])
            elif which == 2:
                dv = unit
            else:
                dw = unit
            force, torque, bent = changed(upper, d, k, w, z + near, z + far, dd, dk, dv, dw)
            other, more, bends = changed(lower, d, k, w, z - near, z - far, dd, dk, dv, dw)
            couple = p[SHEAR] * (thin * dw[2] + 0.5 * (bent + bends) * w[2])
            force, torque = plus(force, other), plus(torque, more)
            force = (0.5 * force[0], 0.5 * force[1], 0.5 * force[2])
            torque = (0.5 * torque[0], 0.5 * torque[1], 0.5 * torque[2] - couple)
            out, column = by_position if which < 2 else by_velocity, c + 3 * (which % 2)
            for r in range(3):
                axes = vector(x, FRAME + 3 * r)
                put_at(out, 6 * r + column, dot(axes, force))
                put_at(out, 6 * (3 + r) + column, dot(axes, torque))


@addressed(void(MODEL, WORK, int64, int64, int64, int64))
def slopes_of_journal_film(m, w, k, a, by_position, by_velocity):
    """Derivatives of force and torque by the motion in line a of `local`, into 6 × 6 matrices by address."""
    slopes_into(m.compliant_vector[k], m.compliant[k, SURFACE_TABLE], w.local[a], by_position, by_velocity)
