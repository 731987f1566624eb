"""Ways along a curve over time, of points seen from the body that carries it."""

from __future__ import annotations

from math import nan, sqrt

from numba import void

from gudgeon.kernels.build.compiled import entrance
from gudgeon.kernels.build.records import MATRIX
from gudgeon.kernels.dynamics.arrays import CURVE_AT, CURVE_EXTRUDED, MODEL, WORK
from gudgeon.kernels.kinematics.curve_measures import has_left, length_up_to
from gudgeon.kernels.kinematics.curves import nearest_on_curve, on_curve, seen_in_plane
from gudgeon.kernels.kinematics.vectors import dot, get, plus_times


@entrance(void(MODEL, WORK, MATRIX, MATRIX, MATRIX, MATRIX))
def ways(m, w, places, velocities, accelerations, out):
    """Length along curve 0, its rate and acceleration (lines of `out`), see curve_measures.py; nan beyond its ends."""
    flat = m.curve[0, CURVE_EXTRUDED] == 1
    for s in range(places.shape[0]):
        p, v, a = get(places, s, 0), get(velocities, s, 0), get(accelerations, s, 0)
        piece, u = nearest_on_curve(m, w, 0, p)
        point, slope, bend, third = on_curve(m, w, 0, piece, u)
        away, v = seen_in_plane(plus_times(p, -1.0, point), flat), seen_in_plane(v, flat)
        if has_left(m, 0, piece, slope, away):
            out[s, 0] = out[s, 1] = out[s, 2] = nan
            continue
        speed = sqrt(dot(slope, slope))
        G = speed * speed - dot(bend, away)
        turn = dot(slope, v) / G
        more = 2.0 * turn * dot(bend, v) + turn * turn * (dot(third, away) - 3.0 * dot(slope, bend))
        out[s, 0] = length_up_to(m, w, 0, piece, u, m.curve_table[m.curve[0, CURVE_AT] + piece])
        out[s, 1] = speed * turn
        out[s, 2] = speed * (dot(slope, a) + more) / G + dot(slope, bend) / speed * turn * turn
