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

from numba import float64, int64, void

from gudgeon.kernels.build.compiled import addressed, called
from gudgeon.kernels.build.records import VECTOR
from gudgeon.kernels.dynamics.arrays import (
    BALL_RADIUS,
    CLEARANCE,
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
from gudgeon.kernels.elements.hidden_depth import FINE, HIDDEN, below_chord, bend_of, gap_at, placed
from gudgeon.kernels.elements.touching_point import closing_rate, push_at, report_at
from gudgeon.kernels.integrators.run import POSE
from gudgeon.kernels.kinematics.curves import is_corner, nearest_on_curve, on_curve, radius_of_profile
from gudgeon.kernels.kinematics.vectors import dot, plus_times

# numbers of the element, from NUMBERS on
CURVE = NUMBERS  # line of Model.curve
WITH_FACE = NUMBERS + 1  # 1: a flat face, whose normal is x of the joint's axes on the ball
SIDE = NUMBERS + 2  # +1: the ball is to the left of the curve
OFFSET = NUMBERS + 3  # r₀ [m]
RADIUS = NUMBERS + 4  # r [m]
BULGE = NUMBERS + 5  # r₀ and the smallest radius with which the curve bulges towards the ball; 0: it has corners [m]
FARTHEST = NUMBERS + 6  # with a flat face: from the centre of the cam to the farthest point of the curve [m]


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


@addressed(void(MODEL, WORK, int64, VECTOR))
def pose_on_curve(m, w, k, look):
    """The place of the ball, and the normal of its face, in the motion of line k of `local`, into a look."""
    x = w.local[k]
    place, face = in_joint_axes(x, vector(x, ECCENTRICITY)), ball_axis(x, 0)
    for c in range(3):
        look[POSE + c], look[POSE + 3 + c] = place[c], face[c]


@addressed(float64(MODEL, WORK, int64, VECTOR, VECTOR, float64))
def hidden_by_curve(m, w, k, first, second, share):
    """A bound on the depth between two looks that are a share of the step apart.

    The gap is the least distance from balls of radius BULGE along the curve. With |p − c|² its way from its chord is
    known: s (1 − s) |Δp|². A flat face has N·(p − c) for every point c of the cam.
    """
    p, a, b = m.compliant_vector[k], gap_at(first), gap_at(second)
    start, end = placed(first, 0), placed(second, 0)
    x, y = end[0] - start[0], end[1] - start[1]
    moved, bend = sqrt(x * x + y * y), bend_of(first, 0.0, share)
    if p[WITH_FACE] > 0.0:
        turn = plus_times(placed(second, 3), -1.0, placed(first, 3))
        lever = sqrt(max(start[0] ** 2 + start[1] ** 2, end[0] ** 2 + end[1] ** 2)) + p[FARTHEST]
        return below_chord(a, b, bend_of(first, lever, share) + moved * sqrt(dot(turn, turn)))
    hidden = 0.5 * (moved + bend - a - b)
    if hidden <= 0.0:
        return 0.0
    r = p[BULGE]
    if r > 0.0:
        far = 1.0 + (max(a, b) + moved + bend) / r
        hidden = min(hidden, below_chord(a, b, far * bend + 0.5 * moved * moved / r))
    if moved + bend <= FINE * p[BALL_RADIUS]:
        hidden = min(hidden, 0.5 * HIDDEN * p[CLEARANCE])
    return hidden
