"""Curves where points are on them, with their derivatives."""

from __future__ import annotations

from math import atan2

from numba import void

from gudgeon.kernels.build.compiled import entrance
from gudgeon.kernels.build.records import MATRIX
from gudgeon.kernels.dynamics.arrays import (
    ACROSS,
    CHILD,
    CURVE_EXTRUDED,
    CURVE_KIND,
    CURVE_OF,
    CURVE_SIDE,
    FACE_NORMAL,
    FLAT,
    KIND,
    MODEL,
    NORMAL_OF,
    POLAR,
    WORK,
)
from gudgeon.kernels.kinematics.curve_measures import (
    frame_of,
    in_frame,
    motion_of_point,
    normal,
)
from gudgeon.kernels.kinematics.curves import bent, nearest_on_curve, on_curve, radius_of_profile, seen_in_plane
from gudgeon.kernels.kinematics.rotation import rotated
from gudgeon.kernels.kinematics.vectors import dot, plus_times, put

SMALL = 1e-4  # of an angle, for the third derivative of a profile [rad]


@entrance(void(MODEL, WORK, MATRIX))
def expand_curves(m, w, out):
    """Of every measure of a curve, in the motion held in `w`: p − c, c′, c″, c‴, the normal, whether it is extruded.

    Of a flat face instead of the last: h′, h″ and h‴ of its profile.
    """
    for k in range(m.measure.shape[0]):
        c = m.measure[k, CURVE_OF]
        frame = frame_of(m, w, k)
        _, _, d, _, _ = motion_of_point(m, w, k)
        if m.measure[k, KIND] == FLAT:
            N = rotated(w.body, m.measure[k, CHILD], m.measure_vector, k, FACE_NORMAL)
            angle = atan2(dot(N, frame[1]), dot(N, frame[0]))
            _, slope, bend = radius_of_profile(m, w, c, angle)
            _, _, after = radius_of_profile(m, w, c, angle + SMALL)
            _, _, before = radius_of_profile(m, w, c, angle - SMALL)
            put(out, k, 15, (slope, bend, (after - before) / (2.0 * SMALL)))
            continue
        flat, p = m.curve[c, CURVE_EXTRUDED] == 1, in_frame(frame, d)
        piece, u = nearest_on_curve(m, w, c, p)
        point, slope, bend, third = on_curve(m, w, c, piece, u)
        if m.curve[c, CURVE_KIND] == POLAR:
            _, _, after, _ = on_curve(m, w, c, piece, u + SMALL)
            _, _, before, _ = on_curve(m, w, c, piece, u - SMALL)
            third = plus_times((0.0, 0.0, 0.0), 0.5 / SMALL, plus_times(after, -1.0, before))
        _, t, _ = bent(slope, bend)
        n, side = normal(t, flat, m.measure[k, NORMAL_OF]), 1.0
        if m.measure[k, KIND] == ACROSS:
            side = m.measure_vector[k, CURVE_SIDE]
        put(out, k, 0, seen_in_plane(plus_times(p, -1.0, point), flat))
        put(out, k, 3, slope)
        put(out, k, 6, bend)
        put(out, k, 9, third)
        put(out, k, 12, (side * n[0], side * n[1], side * n[2]))
        put(out, k, 15, (0.0, 0.0, 1.0 if flat else 0.0))
