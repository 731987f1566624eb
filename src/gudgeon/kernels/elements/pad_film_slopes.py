"""Derivatives of the wrench of a pad's film (pad_film.py) by the relative motion.

Gap and approach have three numbers each; how load and moments change with these six is found by differences, which are
smooth (the table is), and how the six change with the motion is exact. So are the levers and the mean normal m.
"""

from __future__ import annotations

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.build.places import put_at
from gudgeon.kernels.dynamics.arrays import FRAME, MODEL, OMEGA_BALL, RATE_OF, SURFACE_TABLE, WORK
from gudgeon.kernels.elements.bushing import in_joint_axes, vector
from gudgeon.kernels.elements.pad_coefficients import pad_push
from gudgeon.kernels.elements.pad_film import (
    FILM_SHEAR,
    FILM_STRENGTH,
    THINNEST,
    approach,
    over_wall,
    pushed,
    sheared,
    spun,
)
from gudgeon.kernels.elements.wall_face import (
    FACE_FIRST,
    FACE_SECOND,
    HALF_FIRST,
    HALF_SECOND,
    PLANE_NORMAL,
    turned,
)
from gudgeon.kernels.kinematics.vectors import dot, plus, plus_times, vector_product

SMALL = 1e-6  # step of the differences, of the gap and of the approach [-]


@inlined
def film_of(table, thinnest, h, a, b, s):
    """Load, moments and shear of a film, seven numbers."""
    return pad_push(table, thinnest, h, a, b, s[0], s[1], s[2])


@inlined
def difference(after, before, step):
    """Per step."""
    return (
        (after[0] - before[0]) / step,
        (after[1] - before[1]) / step,
        (after[2] - before[2]) / step,
        (after[3] - before[3]) / step,
        (after[4] - before[4]) / step,
        (after[5] - before[5]) / step,
        (after[6] - before[6]) / step,
    )


@inlined
def combined(by, n):
    """Σ by[i] n[i] of seven numbers."""
    a = b = c = d = e = f = g = 0.0
    for i in range(6):
        a += by[i][0] * n[i]
        b += by[i][1] * n[i]
        c += by[i][2] * n[i]
        d += by[i][3] * n[i]
        e += by[i][4] * n[i]
        f += by[i][5] * n[i]
        g += by[i][6] * n[i]
    return a, b, c, d, e, f, g


@called
def slopes_into(p, table, x, by_position, by_velocity):
    """Derivatives of force and torque, in world axes, by displacement and turn, and by their rates."""
    v, w = in_joint_axes(x, vector(x, RATE_OF)), in_joint_axes(x, vector(x, OMEGA_BALL))
    centre, first, second, m, h, a, b = over_wall(p, x)
    s, thinnest = approach(centre, first, second, m, v, w), p[THINNEST]
    now = film_of(table, thinnest, h, a, b, s)
    small = SMALL * max(h, thinnest + abs(a) + abs(b))
    fast = SMALL * (abs(s[0]) + abs(s[1]) + abs(s[2]) + 1e-9)
    by = (
        difference(film_of(table, thinnest, h + small, a, b, s), now, small),
        difference(film_of(table, thinnest, h, a + small, b, s), now, small),
        difference(film_of(table, thinnest, h, a, b + small, s), now, small),
        difference(film_of(table, thinnest, h, a, b, (s[0] + fast, s[1], s[2])), now, fast),
        difference(film_of(table, thinnest, h, a, b, (s[0], s[1] + fast, s[2])), now, fast),
        difference(film_of(table, thinnest, h, a, b, (s[0], s[1], s[2] + fast)), now, fast),
    )
    g, strength, nothing = vector(p, PLANE_NORMAL), p[FILM_STRENGTH], (0.0, 0.0, 0.0)
    one, other = turned(x, vector(p, FACE_FIRST)), turned(x, vector(p, FACE_SECOND))
    Q = (strength * now[0], strength * now[1], strength * now[2])
    lever = plus_times(plus_times((Q[0] * centre[0], Q[0] * centre[1], Q[0] * centre[2]), Q[1], first), Q[2], second)
    drag, at = sheared(centre, first, second, m, v, w, p[FILM_SHEAR] * now[3], now[4], now[5])
    for which in range(4):  # displacement, turn, velocity, angular velocity
        for c in range(3):
            unit = vector(x, FRAME + 3 * c)
            dd, dt, dv, dw = nothing, nothing, nothing, nothing
            if which == 0:
                dd = unit
            elif which == 1:
                dt = unit
            elif which == 2:
                dv = unit
            else:
                dw = unit
            dcentre, dfirst, dsecond = vector_product(dt, centre), vector_product(dt, first), vector_product(dt, second)
            done, dother = vector_product(dt, one), vector_product(dt, other)
            dm = plus_times(plus_times(nothing, -0.5 * dot(g, done), one), -0.5 * dot(g, one), done)
            dm = plus_times(plus_times(dm, -0.5 * dot(g, dother), other), -0.5 * dot(g, other), dother)
            ds = approach(centre, first, second, m, dv, dw)
            moved = approach(dcentre, dfirst, dsecond, m, nothing, w)
            changed = approach(centre, first, second, dm, v, w)
            n = (
                -dot(g, plus(dd, dcentre)),
                -dot(g, dfirst),
                -dot(g, dsecond),
                ds[0] + moved[0] + changed[0],
                ds[1] + moved[1] + changed[1],
                ds[2] + moved[2] + changed[2],
            )
            d = combined(by, n)
            force, torque = pushed(centre, first, second, m, (strength * d[0], strength * d[1], strength * d[2]))
            force = plus_times(force, -Q[0], dm)
            torque = plus(torque, vector_product(dm, lever))
            torque = plus(torque, vector_product(m, vector_product(dt, lever)))
            # the shear: its coefficient, its place, its velocity, its plane
            more, _ = sheared(centre, first, second, m, v, w, p[FILM_SHEAR] * d[3], now[4], now[5])
            dat = plus(vector_product(dt, at), plus_times(plus_times(nothing, d[4], first), d[5], second))
            u, du = plus(v, vector_product(w, at)), plus(plus(dv, vector_product(dw, at)), vector_product(w, dat))
            square, across = dot(m, m), dot(u, m)
            du = plus_times(du, -across / square, dm)
            bent = dot(plus(dv, plus(vector_product(dw, at), vector_product(w, dat))), m) + dot(u, dm)
            du = plus_times(du, -bent / square + 2.0 * across * dot(m, dm) / (square * square), m)
            more = plus_times(more, -p[FILM_SHEAR] * now[3], du)
            force = plus(force, more)
            torque = plus(torque, plus(vector_product(at, more), vector_product(dat, drag)))
            # and of turning about m
            area = p[FILM_SHEAR] * p[HALF_FIRST] * p[HALF_SECOND]
            torque = plus(torque, spun(m, w, area * (d[3] * now[6] + now[3] * d[6])))
            couple = area * now[3] * now[6]
            torque = plus(torque, spun(m, dw, couple))
            torque = plus_times(torque, -couple * dot(m, w) / square, dm)
            bent = 2.0 * dot(m, w) * dot(m, dm) / (square * square) - dot(dm, w) / square
            torque = plus_times(torque, couple * bent, m)
            out, column = by_position if which < 2 else by_velocity, c + 3 * (which % 2)
            for r in range(3):
                axes = vector(x, FRAME + 3 * r)
                put_at(out, 6 * r + column, dot(axes, force))
                put_at(out, 6 * (3 + r) + column, dot(axes, torque))


@addressed(void(MODEL, WORK, int64, int64, int64, int64))
def slopes_of_pad_film(m, w, k, a, by_position, by_velocity):
    """Derivatives of force and torque by the motion in line a of `local`, into 6 × 6 matrices by address."""
    slopes_into(m.compliant_vector[k], m.compliant[k, SURFACE_TABLE], w.local[a], by_position, by_velocity)
