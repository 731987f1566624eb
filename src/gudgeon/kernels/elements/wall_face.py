"""The face of a slider against a plane: a rectangle whose points are pressed in by a linear δ, and where to take them.

See wall.py. What touches is the rectangle cut by the line δ = 0. Along the slope of δ, from there (or the farthest
corner) to the deepest corner, it has up to three strips between corners; across, lines of equal δ. In a strip √δ is the
variable of five Gauss points, so that δ and δ^1.5 times polynomials are integrated exactly; three points along a line.
"""

from __future__ import annotations

from math import inf, sqrt

from gudgeon.kernels.build.compiled import inlined
from gudgeon.kernels.dynamics.arrays import ECCENTRICITY, NUMBERS, OMEGA_BALL, RATE_OF
from gudgeon.kernels.elements.bushing import ball_axis, in_joint_axes, vector
from gudgeon.kernels.kinematics.vectors import dot, plus, plus_times, vector_product

# numbers of the element, from NUMBERS on, joint's axes
PLANE_NORMAL = NUMBERS  # 3, g
PLANE_OFFSET = NUMBERS + 3  # q [m]
FACE_CENTRE = NUMBERS + 4  # 3, C [m]
FACE_FIRST = NUMBERS + 7  # 3, a
FACE_SECOND = NUMBERS + 10  # 3, b
HALF_FIRST = NUMBERS + 13  # h_a [m]
HALF_SECOND = NUMBERS + 14  # h_b [m]
HALF_PLANE = NUMBERS + 15  # h of the plane along b, inf: it has no ends [m]

# Gauss points and weights on [0, 1]
ACROSS = (0.046910077030668, 0.23076534494715845, 0.5, 0.7692346550528415, 0.953089922969332)
ACROSS_WEIGHT = (
    0.11846344252809454,
    0.23931433524968324,
    0.28444444444444444,
    0.23931433524968324,
    0.11846344252809454,
)
ALONG = (0.1127016653792583, 0.5, 0.8872983346207417)
ALONG_WEIGHT = (0.2777777777777778, 0.4444444444444444, 0.2777777777777778)
CUT = 1e-12  # of the rectangle: less is rounding [-]
NARROWEST = 1e-12  # strip that counts, of the rectangle's size [-]


@inlined
def turned(x, a):
    """A vector of the ball, given in the joint's axes, in those of the socket."""
    first, second, third = ball_axis(x, 0), ball_axis(x, 1), ball_axis(x, 2)
    return plus_times(plus_times((a[0] * first[0], a[0] * first[1], a[0] * first[2]), a[1], second), a[2], third)


@inlined
def part_of_face(p, x, centre, second):
    """From where to where along b the rectangle is above the plane, and b·b: the plane's own b against that of now.

    Its end crosses the rectangle along a, wherever the two are turned: off by no more than that turn times h_a.
    """
    b = vector(p, FACE_SECOND)
    turned_by = dot(b, second)
    if p[HALF_PLANE] == inf:
        return -p[HALF_SECOND], p[HALF_SECOND], turned_by
    at = dot(b, plus(in_joint_axes(x, vector(x, ECCENTRICITY)), centre))
    low, high = (-p[HALF_PLANE] - at) / turned_by, (p[HALF_PLANE] - at) / turned_by
    return max(low, -p[HALF_SECOND]), min(high, p[HALF_SECOND]), turned_by


@inlined
def face_of(m, k, x):
    """C, a, b of the part of the rectangle that is above the plane, and half its length; δ in C and its slopes."""
    p = m.compliant_vector[k]
    g = vector(p, PLANE_NORMAL)
    centre, first, second = (
        turned(x, vector(p, FACE_CENTRE)),
        turned(x, vector(p, FACE_FIRST)),
        turned(x, vector(p, FACE_SECOND)),
    )
    d = in_joint_axes(x, vector(x, ECCENTRICITY))
    low, high, _ = part_of_face(p, x, centre, second)
    depth, along_second = dot(g, d) + (dot(g, centre) - p[PLANE_OFFSET]), dot(g, second)
    middle = 0.5 * (low + high)
    return (
        plus_times(centre, middle, second),
        first,
        second,
        0.5 * (high - low),
        depth + middle * along_second,
        dot(g, first),
        along_second,
    )


@inlined
def deepest(m, k, x):
    """δ of the deepest corner of what is above the plane, and how fast that grows: of equal corners the fastest.

    Where the rectangle hardly reaches over the plane it is as far as it reaches: negative beyond its end.
    """
    p = m.compliant_vector[k]
    centre, first, second, half, depth, along_first, along_second = face_of(m, k, x)
    g, u, o = vector(p, PLANE_NORMAL), in_joint_axes(x, vector(x, RATE_OF)), in_joint_axes(x, vector(x, OMEGA_BALL))
    b, whole = vector(p, FACE_SECOND), p[HALF_SECOND] * (1.0 - CUT)
    rate = dot(g, plus(u, vector_product(o, centre)))
    depth += abs(along_first) * p[HALF_FIRST] + abs(along_second) * half
    turning = dot(g, vector_product(o, first)) * p[HALF_FIRST]
    rate += turning if along_first > 0.0 else -turning if along_first < 0.0 else abs(turning)
    turning = dot(g, vector_product(o, second)) * half
    rate += turning if along_second > 0.0 else -turning if along_second < 0.0 else abs(turning)
    if half >= whole:
        return depth, rate
    # the end of the plane moves over the rectangle
    own = turned(x, vector(p, FACE_CENTRE))
    low, high, turned_by = part_of_face(p, x, own, second)
    growing = moved = 0.0
    for side in range(2):
        at = high if side else low
        if abs(at) < whole:
            speed = -dot(b, plus(u, vector_product(o, plus_times(own, at, second)))) / turned_by
            growing += speed if side else -speed
            if (along_second > 0.0) == (side == 1):
                moved = along_second * speed
    if high - low < depth:
        return high - low, growing
    return depth, rate + moved


@inlined
def slope_of(along_first, along_second):
    """Length of the gradient of δ over the rectangle, and its direction; any where there is none."""
    steepness = sqrt(along_first * along_first + along_second * along_second)
    if steepness == 0.0:
        return 0.0, 0.0, 1.0
    return steepness, along_first / steepness, along_second / steepness


@inlined
def strip(number, depth, steepness, across, along, half_first, half_second):
    """From where to where strip `number` of the three touches along the slope, and δ there; an empty one if nowhere."""
    reach = abs(across) * half_first + abs(along) * half_second
    inner = abs(abs(across) * half_first - abs(along) * half_second)
    low = -reach if number == 0 else -inner if number == 1 else inner
    high = -inner if number == 0 else inner if number == 1 else reach
    if depth + steepness * low < 0.0:
        low = min(-depth / steepness, high) if steepness > 0.0 else high
    if high - low <= NARROWEST * reach:
        return low, low, 0.0, 0.0
    return low, high, max(depth + steepness * low, 0.0), max(depth + steepness * high, 0.0)


@inlined
def line_of(at, across, along, half_first, half_second):
    """From where to where a line of equal δ, `at` along the slope, lies in the rectangle."""
    low, high = -inf, inf
    if along != 0.0:
        one, other = (at * across - half_first) / along, (at * across + half_first) / along
        low, high = min(one, other), max(one, other)
    if across != 0.0:
        one, other = (-half_second - at * along) / across, (half_second - at * along) / across
        low, high = max(low, min(one, other)), min(high, max(one, other))
    return low, max(high, low)


@inlined
def place_in_strip(g, low, high, shallow, deep):
    """Gauss point g of a strip: where along the slope, δ there, and its weight; √δ goes evenly."""
    one, other = sqrt(shallow), sqrt(deep)
    x, share, weight = ACROSS[g], ACROSS[g], ACROSS_WEIGHT[g]
    if one + other > 0.0:
        share = x * (2.0 * one + (other - one) * x) / (one + other)
        weight *= 2.0 * (one + (other - one) * x) / (one + other)
    return low + (high - low) * share, shallow + (deep - shallow) * share, (high - low) * weight
