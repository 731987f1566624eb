"""Coordinates of a point, or a flat face, of the child against a curve of the parent (curves.py).

p, ṗ and p̈ are the point as the parent sees it, c its nearest point of the curve, u there, t the tangent, K = dt/ds,

    ACROSS   x = n·(p − c),   ẋ = n·ṗ,   ẍ = n·p̈ − ṡ (K·n)(t·ṗ)     n: one of two normals, momentarily without twist
    ALONG    x = s,   ṡ = |c′| u̇,   u̇ = c′·ṗ/G,   G = c′² − c″·(p − c)
             G ü = c′·p̈ + 2 u̇ c″·ṗ + u̇² (c‴·(p − c) − 3 c′·c″)

A flat face of the child with the normal N and a point d from the centre of the cam, seen at the angle φ of the cam,
touches its profile where that is across N: with the support function h = ρ₀ + lift

    FLAT     x = N·d − h(φ)

Beyond the ends of an open curve ACROSS and ALONG are no numbers: the point has left it.
"""

from __future__ import annotations

from math import atan2, nan, sqrt

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.dynamics.arrays import (
    ACROSS,
    ARM_QUARTER,
    ARM_ZERO,
    AXIS,
    CHILD,
    CURVE_APART,
    CURVE_AT,
    CURVE_CLOSED,
    CURVE_COUNT,
    CURVE_EXTRUDED,
    CURVE_FROM,
    CURVE_OF,
    CURVE_SIDE,
    FACE_NORMAL,
    FLAT,
    KIND,
    MEASURE_IN_CHILD,
    MEASURE_IN_PARENT,
    MODEL,
    NORMAL_OF,
    OMEGA,
    PARENT,
    POSITION,
    VELOCITY,
    WORK,
)
from gudgeon.kernels.kinematics.curves import (
    begin_of_lengths,
    bent,
    is_corner,
    nearest_on_curve,
    on_curve,
    radius_of_profile,
    seen_in_plane,
)
from gudgeon.kernels.kinematics.rotation import rotated
from gudgeon.kernels.kinematics.vectors import dot, get, plus, plus_times, vector_product

# Gauss points and weights on [0, 1], of which the other half is mirrored
POINTS = (0.019855071751231884, 0.10166676129318664, 0.2372337950418355, 0.4082826787521751)
WEIGHTS = (0.05061426814518813, 0.1111905172266872, 0.1568533229389436, 0.1813418916891810)


@inlined
def motion_of_point(m, w, k):
    """Arms s_i, s_j of measure k, d, ḋ, and d̈ without accelerations; world axes, not as the parent sees them."""
    i, j, body, V = m.measure[k, PARENT], m.measure[k, CHILD], w.body, m.measure_vector
    s_i, s_j = rotated(body, i, V, k, MEASURE_IN_PARENT), rotated(body, j, V, k, MEASURE_IN_CHILD)
    w_i, w_j = get(body, i, OMEGA), get(body, j, OMEGA)
    d = plus_times(plus(get(body, j, POSITION), s_j), -1.0, plus(get(body, i, POSITION), s_i))
    u_i, u_j = vector_product(w_i, s_i), vector_product(w_j, s_j)
    rate = plus_times(plus(get(body, j, VELOCITY), u_j), -1.0, plus(get(body, i, VELOCITY), u_i))
    return s_i, s_j, d, rate, plus_times(vector_product(w_j, u_j), -1.0, vector_product(w_i, u_i))


@inlined
def in_frame(frame, a):
    """Components of a world vector in the frame (x, y, z)."""
    return dot(frame[0], a), dot(frame[1], a), dot(frame[2], a)


@inlined
def of_frame(frame, a):
    """The way back."""
    return plus_times(
        plus_times((a[0] * frame[0][0], a[0] * frame[0][1], a[0] * frame[0][2]), a[1], frame[1]), a[2], frame[2]
    )


@inlined
def frame_of(m, w, k):
    """The axes of the curve of measure k, world components."""
    i, V = m.measure[k, PARENT], m.measure_vector
    return rotated(w.body, i, V, k, ARM_ZERO), rotated(w.body, i, V, k, ARM_QUARTER), rotated(w.body, i, V, k, AXIS)


@inlined
def answer_along(w, a, s_i, s_j, d, value, rate, bias):
    """The gradient of a displacement along a, world axes, fixed in the parent at this moment; and what is told."""
    g = w.gradient
    g[0], g[1], g[2] = -a[0], -a[1], -a[2]
    g[3], g[4], g[5] = vector_product(a, plus(d, s_i))
    g[6], g[7], g[8] = a
    g[9], g[10], g[11] = vector_product(s_j, a)
    g[12], g[13], g[14] = value, rate, bias


@inlined
def normal(t, flat, which):
    """One of two normals of a curve with the tangent t: to its left where it is extruded along z."""
    if flat:
        return (-t[1], t[0], 0.0)
    x, y, z = abs(t[0]), abs(t[1]), abs(t[2])
    least = (1.0, 0.0, 0.0) if x <= y and x <= z else (0.0, 1.0, 0.0) if y <= z else (0.0, 0.0, 1.0)
    n = vector_product(least, t)
    s = 1.0 / sqrt(dot(n, n))
    n = (s * n[0], s * n[1], s * n[2])
    return vector_product(t, n) if which else n


@called
def length_up_to(m, w, c, piece, u, begin):
    """Length of a curve up to u, which is in a piece that begins at `begin`."""
    length = m.curve_table[begin_of_lengths(m, c) + piece]
    for g in range(4):
        for mirrored in range(2):
            x = 1.0 - POINTS[g] if mirrored else POINTS[g]
            _, slope, _, _ = on_curve(m, w, c, piece, begin + x * (u - begin))
            length += WEIGHTS[g] * (u - begin) * sqrt(dot(slope, slope))
    return length


@inlined
def has_left(m, c, piece, u, slope, away):
    """Is a point beyond the end of an open curve?"""
    first, n = m.curve[c, CURVE_AT], m.curve[c, CURVE_COUNT]
    if m.curve[c, CURVE_CLOSED] == 1 or m.curve_table[first] < u < m.curve_table[first + n]:
        return False
    return is_corner(m, c, piece, u, slope, away)


@called
def point_and_curve(m, w, k):
    """ACROSS and ALONG."""
    c, kind, V = m.measure[k, CURVE_OF], m.measure[k, KIND], m.measure_vector
    frame, omega = frame_of(m, w, k), get(w.body, m.measure[k, PARENT], OMEGA)
    s_i, s_j, d, rate, swing = motion_of_point(m, w, k)
    seen = plus_times(rate, -1.0, vector_product(omega, d))
    change = plus_times(swing, -2.0, vector_product(omega, rate))
    change = plus(change, vector_product(omega, vector_product(omega, d)))
    flat = m.curve[c, CURVE_EXTRUDED] == 1
    p, v, b = in_frame(frame, d), seen_in_plane(in_frame(frame, seen), flat), in_frame(frame, change)
    piece, u = nearest_on_curve(m, w, c, p)
    point, slope, bend, third = on_curve(m, w, c, piece, u)
    away = seen_in_plane(plus_times(p, -1.0, point), flat)
    speed, t, K = bent(slope, bend)
    if has_left(m, c, piece, u, slope, away):
        answer_along(w, frame[0], s_i, s_j, d, nan, nan, nan)
        return
    if kind == ACROSS:
        n = normal(t, flat, m.measure[k, NORMAL_OF])
        side = V[k, CURVE_SIDE]
        n = (side * n[0], side * n[1], side * n[2])
        going = dot(t, v)
        bias = dot(n, b) - going / (1.0 - dot(K, away)) * dot(K, n) * going
        answer_along(w, of_frame(frame, n), s_i, s_j, d, dot(n, away) - V[k, CURVE_APART], dot(n, v), bias)
        return
    G = speed * speed - dot(bend, away)
    turn = dot(slope, v) / G
    more = 2.0 * turn * dot(bend, v) + turn * turn * (dot(third, away) - 3.0 * dot(slope, bend))
    bias = speed * (dot(slope, b) + more) / G + dot(slope, bend) / speed * turn * turn
    along = (speed / G * slope[0], speed / G * slope[1], speed / G * slope[2])
    begin = m.curve_table[m.curve[c, CURVE_AT] + piece]
    length = length_up_to(m, w, c, piece, u, begin) - V[k, CURVE_FROM]
    answer_along(w, of_frame(frame, along), s_i, s_j, d, length, speed * turn, bias)


@called
def face_and_cam(m, w, k):
    """FLAT."""
    c, i, j, g = m.measure[k, CURVE_OF], m.measure[k, PARENT], m.measure[k, CHILD], w.gradient
    frame = frame_of(m, w, k)
    s_i, s_j, d, rate, swing = motion_of_point(m, w, k)
    N, w_i, w_j = rotated(w.body, j, m.measure_vector, k, FACE_NORMAL), get(w.body, i, OMEGA), get(w.body, j, OMEGA)
    turning = plus_times(w_j, -1.0, w_i)
    p, q = dot(N, frame[1]), dot(N, frame[0])
    square = p * p + q * q
    across = plus_times(
        (q / square * frame[1][0], q / square * frame[1][1], q / square * frame[1][2]), -p / square, frame[0]
    )
    about, moving = vector_product(N, across), vector_product(turning, N)
    spin = dot(about, turning)
    spin_bias = dot(across, vector_product(turning, moving)) - dot(about, vector_product(w_i, turning))
    spin_bias -= 2.0 * spin * (q * dot(moving, frame[0]) + p * dot(moving, frame[1])) / square
    h, slope, bend = radius_of_profile(m, w, c, atan2(p, q))
    swept = vector_product(w_j, N)
    bias = dot(N, swing) + 2.0 * dot(swept, rate) + dot(vector_product(w_j, swept), d)
    lever = vector_product(N, d)
    for e in range(3):
        g[e], g[6 + e] = -N[e], N[e]
    parent = plus_times(vector_product(N, s_i), slope, about)
    child = plus_times(plus(vector_product(s_j, N), lever), -slope, about)
    g[3], g[4], g[5] = parent
    g[9], g[10], g[11] = child
    g[12] = dot(N, d) - h
    g[13] = dot(N, rate) + dot(w_j, lever) - slope * spin
    g[14] = bias - slope * spin_bias - bend * spin * spin


@addressed(void(MODEL, WORK, int64))
def measure_of_curve(m, w, k):
    """Gradient, value, rate and bias of measure k, into `w.gradient`."""
    if m.measure[k, KIND] == FLAT:
        face_and_cam(m, w, k)
    else:
        point_and_curve(m, w, k)
