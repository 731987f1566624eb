"""A point, a roller about it, or a flat face of the ball, and a curve of the socket that is extruded along z.

With the nearest point c of the curve and its normal n on the side of the ball, of a roller of radius r about P_j (the
curve may be that of its centre already: its own offset is r₀ = r, or r₀ = 0)

    gap = n·(p − c) − r₀,   X = P_j − n (r + gap/2)

at a corner, or the end of an open curve, n is the direction from there; it points out where it goes along the sum of
the normals on both sides of the corner (one alone is not enough where that is sharper than a right angle). A flat face
with the normal N and a profile of support h(φ) touch at h N + h′ z × N from the centre of the cam
(kinematics/curve_measures.py): gap = N·p − h.
"""

from __future__ import annotations

from math import atan2, sqrt

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed, called
from gudgeon.kernels.dynamics.arrays import (
    CURVE_AT,
    CURVE_CLOSED,
    CURVE_COUNT,
    DEPTH,
    DEPTH_RATE,
    ECCENTRICITY,
    MODEL,
    NUMBERS,
    WORK,
)
from gudgeon.kernels.elements.bushing import ball_axis, in_joint_axes, vector
from gudgeon.kernels.elements.touching_point import closing_rate, push_at, report_at
from gudgeon.kernels.kinematics.curves import is_corner, nearest_on_curve, on_curve, radius_of_profile
from gudgeon.kernels.kinematics.vectors import dot, plus_times

# numbers of the element, from NUMBERS on
CURVE = NUMBERS  # line of Model.curve
WITH_FACE = NUMBERS + 1  # 1: a flat face, whose normal is x of the joint's axes on the ball
SIDE = NUMBERS + 2  # +1: the ball is to the left of the curve
OFFSET = NUMBERS + 3  # r₀ [m]
RADIUS = NUMBERS + 4  # r [m]


@called
def normal_beyond(m, w, c, piece, u, side):
    """The normal on the other side of the corner at which the piece begins or ends; 0 where the curve ends there."""
    n, first = m.curve[c, CURVE_COUNT], m.curve[c, CURVE_AT]
    ends = u >= m.curve_table[first + piece + 1]
    other = piece + 1 if ends else piece - 1
    if other < 0 or other >= n:
        if m.curve[c, CURVE_CLOSED] == 0:
            return 0.0, 0.0, 0.0
        other = 0 if ends else n - 1
    _, slope, _, _ = on_curve(m, w, c, other, m.curve_table[first + other + (0 if ends else 1)])
    speed = side / sqrt(slope[0] * slope[0] + slope[1] * slope[1])
    return -speed * slope[1], speed * slope[0], 0.0


@called
def apart_from_curve(m, w, k, a):
    """Gap, normal n and X − P_j for the motion in line a of `local`, joint's axes."""
    p, x = m.compliant_vector[k], w.local[a]
    c, place = int(p[CURVE]), in_joint_axes(x, vector(x, ECCENTRICITY))
    if p[WITH_FACE] > 0.0:
        N = ball_axis(x, 0)
        across = sqrt(N[0] * N[0] + N[1] * N[1])
        h, slope, _ = radius_of_profile(m, w, c, atan2(N[1], N[0]))
        gap = dot(N, place) - h
        t = (-N[1] / across, N[0] / across, 0.0)
        touch = plus_times(plus_times((0.0, 0.0, 0.0), h + 0.5 * gap, N), slope, t)
        return gap, N, (touch[0] - place[0], touch[1] - place[1], 0.0)
    piece, u = nearest_on_curve(m, w, c, place)
    point, slope, _, _ = on_curve(m, w, c, piece, u)
    away = (place[0] - point[0], place[1] - point[1], 0.0)
    speed = p[SIDE] / sqrt(slope[0] * slope[0] + slope[1] * slope[1])
    n = (-speed * slope[1], speed * slope[0], 0.0)
    far = dot(n, away)
    if is_corner(m, c, piece, u, slope, away):
        length = sqrt(dot(away, away))
        sign = 1.0 if far + dot(normal_beyond(m, w, c, piece, u, p[SIDE]), away) >= 0.0 else -1.0
        n = (sign * away[0] / length, sign * away[1] / length, 0.0)
        far = sign * length
    gap = far - p[OFFSET]
    back = -(p[RADIUS] + 0.5 * gap)
    return gap, n, (back * n[0], back * n[1], 0.0)


@addressed(void(MODEL, WORK, int64, int64, int64))
def depth_of_curve_touch(m, w, k, a, b):
    """δ and δ̇ for the motion in line a of `local`, into line b of `force`."""
    gap, n, arm = apart_from_curve(m, w, k, a)
    w.force[b, DEPTH], w.force[b, DEPTH_RATE] = -gap, closing_rate(w.local[a], n, arm)


@addressed(void(MODEL, WORK, int64, int64, int64))
def force_of_curve_touch(m, w, k, a, b):
    """Force and torque for the motion in line a of `local`, into line b of `force`."""
    gap, n, arm = apart_from_curve(m, w, k, a)
    push_at(m, w, k, a, b, gap, n, arm)


@addressed(void(MODEL, WORK, int64))
def report_of_curve_touch(m, w, k):
    """What happens in the motion of line k of `local`."""
    gap, n, arm = apart_from_curve(m, w, k, k)
    report_at(m, w, k, gap, n, arm)
