"""Two shapes that meet: gap, normal and point of contact in closed form, in the frame of the first (the socket's).

    plane and ball            gap = z − r; also a corner of a box (r = 0), and the ends of a capsule
    capsules and balls        between the nearest points of their axes: gap = |b − a| − r_a − r_b
    tube, or cylinder         the ball's centre and the rectangle of its section, ρ from r_i to R, |z| ≤ h
    box                       the ball's centre and the box
    plane and rim             the lowest point of a circle of radius R, axis a: gap = z − R √(1 − a_z²)

Between two looks a plane bounds the depth, whose normal stays: that of the first look, of the second, or half-way.

p is where the frame of the second shape is, o a point of it, with its own axes; n points from the first to the second,
X is half-way between the two surfaces.
"""

from __future__ import annotations

from math import sqrt

from numba import float64, int64, void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.build.records import VECTOR
from gudgeon.kernels.dynamics.arrays import (
    CLEARANCE,
    DEPTH,
    DEPTH_RATE,
    ECCENTRICITY,
    MODEL,
    NUMBERS,
    SWING,
    WORK,
)
from gudgeon.kernels.elements.bushing import ball_axis, in_joint_axes, vector
from gudgeon.kernels.elements.hidden_depth import FINE, HIDDEN, below_chord, bend_of, gap_at, placed
from gudgeon.kernels.elements.kinds import IN_TUBE, ON_BOX, ON_PLANE, RIM_ON_PLANE, ROUND
from gudgeon.kernels.elements.touching_point import closing_rate, push_at, report_at
from gudgeon.kernels.integrators.run import GAP
from gudgeon.kernels.kinematics.vectors import dot, plus_times

# numbers of the element, from NUMBERS on
PAIR = NUMBERS  # which pair (kinds.py)
SIZES = NUMBERS + 1  # 3, of the first shape
RADIUS = NUMBERS + 4  # of the second
HALF_LENGTH = NUMBERS + 5  # of its axis, along z
OFFSET = NUMBERS + 6  # 3, o in its own axes

UPRIGHT = 1e-9  # sine of the tilt of a rim that is none
HAIR = 1e-14  # gap that counts as contact: rounding of the last event [m]
NEARLY_OPPOSITE = 0.01  # square of the sum of two normals that have no direction between them


@inlined
def half_way_from(at, n, radius, gap):
    """X from the second frame, where `at` is the centre of a ball of this radius."""
    return plus_times(at, -(radius + 0.5 * gap), n)


@inlined
def turned(x, a):
    """A vector of the second shape in the axes of the first."""
    first, second, third = ball_axis(x, 0), ball_axis(x, 1), ball_axis(x, 2)
    return plus_times(plus_times((a[0] * first[0], a[0] * first[1], a[0] * first[2]), a[1], second), a[2], third)


@inlined
def within(x, most):
    """x between −most and most."""
    return min(max(x, -most), most)


@called
def nearest_of_axes(h_a, axis, h_b, p):
    """Where two axes are nearest: z on the first, along ±h_a, and s on the second, p + s axis, along ±h_b."""
    along, square = axis[2], 1.0 - axis[2] * axis[2]
    # minimise |p + s axis − z e_z|²
    s = 0.0
    if h_b > 0.0 and square > 1e-12:
        s = within((along * p[2] - dot(axis, p)) / square, h_b)
    z = within(p[2] + s * along, h_a)
    if h_b > 0.0:
        s = within(z * along - dot(axis, p), h_b)
        z = within(p[2] + s * along, h_a)
        if square <= 1e-12 and h_a > 0.0:  # parallel: the middle of where they overlap
            low, high = max(-h_a, p[2] - h_b), min(h_a, p[2] + h_b)
            if low < high:
                z = 0.5 * (low + high)
                s = (z - p[2]) * along
    return z, s


@called
def round_pair(place, axis, sizes, radius, half):
    """Capsules and balls."""
    z, s = nearest_of_axes(sizes[1], axis, half, place)
    b = plus_times(place, s, axis)
    d = (b[0], b[1], b[2] - z)
    distance = sqrt(dot(d, d))
    n = (d[0] / distance, d[1] / distance, d[2] / distance) if distance > 0.0 else (0.0, 0.0, 1.0)
    gap = distance - sizes[0] - radius
    return gap, n, half_way_from((s * axis[0], s * axis[1], s * axis[2]), n, radius, gap)


@inlined
def from_interval(x, low, high):
    """How far x is outside of an interval (negative: the way out), and to which side the nearest end is."""
    if high - x <= x - low:
        return x - high, 1.0
    return low - x, -1.0


@called
def tube_and_ball(place, sizes, radius):
    """A ball inside or outside of a tube, or outside of a cylinder (r_i = 0), edges included."""
    across = sqrt(place[0] * place[0] + place[1] * place[1])
    out = (place[0] / across, place[1] / across, 0.0) if across > 0.0 else (1.0, 0.0, 0.0)
    if sizes[0] > 0.0:
        radial, side = from_interval(across, sizes[0], sizes[1])
    else:
        radial, side = across - sizes[1], 1.0
    axial, end = from_interval(place[2], -sizes[2], sizes[2])
    if radial > 0.0 and axial > 0.0:  # beside an edge
        distance = sqrt(radial * radial + axial * axial)
        n = plus_times((0.0, 0.0, end * axial / distance), side * radial / distance, out)
    elif radial >= axial:
        distance, n = radial, (side * out[0], side * out[1], 0.0)
    else:
        distance, n = axial, (0.0, 0.0, end)
    gap = distance - radius
    return gap, n, half_way_from((0.0, 0.0, 0.0), n, radius, gap)


@called
def box_and_ball(place, sizes, radius):
    """A ball outside of a box."""
    inside = (within(place[0], sizes[0]), within(place[1], sizes[1]), within(place[2], sizes[2]))
    d = plus_times(place, -1.0, inside)
    distance = sqrt(dot(d, d))
    if distance > 0.0:
        n = (d[0] / distance, d[1] / distance, d[2] / distance)
    else:  # its centre is in the box: out by the nearest face
        a, b, c = sizes[0] - abs(place[0]), sizes[1] - abs(place[1]), sizes[2] - abs(place[2])
        if a <= b and a <= c:
            distance, n = -a, (1.0 if place[0] >= 0.0 else -1.0, 0.0, 0.0)
        elif b <= c:
            distance, n = -b, (0.0, 1.0 if place[1] >= 0.0 else -1.0, 0.0)
        else:
            distance, n = -c, (0.0, 0.0, 1.0 if place[2] >= 0.0 else -1.0)
    gap = distance - radius
    return gap, n, half_way_from((0.0, 0.0, 0.0), n, radius, gap)


@inlined
def apart_at(p, place, axis):
    """Gap, normal and X − P_j of two shapes none of which is a plane, by place and z axis of the second."""
    if p[PAIR] == ROUND:
        return round_pair(place, axis, vector(p, SIZES), p[RADIUS], p[HALF_LENGTH])
    if p[PAIR] == IN_TUBE:
        return tube_and_ball(place, vector(p, SIZES), p[RADIUS])
    return box_and_ball(place, vector(p, SIZES), p[RADIUS])


@called
def apart(m, w, k, a):
    """Gap, normal n and X − P_j for the motion in line a of `local`, axes of the first shape."""
    p, x = m.compliant_vector[k], w.local[a]
    pair, radius = p[PAIR], p[RADIUS]
    if pair in (ROUND, IN_TUBE, ON_BOX):
        return apart_at(p, in_joint_axes(x, vector(x, ECCENTRICITY)), ball_axis(x, 2))
    n, o = (0.0, 0.0, 1.0), turned(x, vector(p, OFFSET))
    if pair == RIM_ON_PLANE:
        axis = ball_axis(x, 2)
        tilt = sqrt(max(1.0 - axis[2] * axis[2], 0.0))
        if tilt > UPRIGHT:
            down = plus_times((0.0, 0.0, -1.0), axis[2], axis)
            o = plus_times(o, radius / tilt, down)
        radius = 0.0
    height = in_joint_axes(x, vector(x, ECCENTRICITY))[2] + o[2]
    gap = height - radius
    return gap, n, half_way_from(o, n, radius, gap)


@addressed(void(MODEL, WORK, int64, int64, int64))
def depth_of_shapes(m, w, k, a, b):
    """δ and δ̇ for the motion in line a of `local`, into line b of `force`."""
    gap, n, arm = apart(m, w, k, a)
    w.force[b, DEPTH], w.force[b, DEPTH_RATE] = -gap, closing_rate(w.local[a], n, arm)


@addressed(void(MODEL, WORK, int64, int64, int64))
def force_of_shapes(m, w, k, a, b):
    """Force and torque for the motion in line a of `local`, into line b of `force`."""
    gap, n, arm = apart(m, w, k, a)
    push_at(m, w, k, a, b, gap, n, arm)


@addressed(void(MODEL, WORK, int64))
def report_of_shapes(m, w, k):
    """What happens in the motion of line k of `local`."""
    gap, n, arm = apart(m, w, k, k)
    report_at(m, w, k, gap, n, arm)


@inlined
def beyond_plane(p, n, place, axis):
    """The gap between both shapes along n: that across a plane between them, if it is not negative."""
    sizes = vector(p, SIZES)
    gap = dot(n, place) - p[RADIUS]
    if p[PAIR] == ROUND:
        return gap - sizes[0] - sizes[1] * abs(n[2]) - p[HALF_LENGTH] * abs(dot(n, axis))
    if p[PAIR] == IN_TUBE:
        return gap - sizes[1] * sqrt(n[0] * n[0] + n[1] * n[1]) - sizes[2] * abs(n[2])
    return gap - abs(n[0]) * sizes[0] - abs(n[1]) * sizes[1] - abs(n[2]) * sizes[2]


@inlined
def hidden_by_plane(p, n, first, second, bend, most):
    """The least of `most` and of the depth that a plane across n leaves possible between two looks."""
    a = beyond_plane(p, n, placed(first, 0), placed(first, 3))
    b = beyond_plane(p, n, placed(second, 0), placed(second, 3))
    if first[GAP] > -HAIR:
        a = max(a, 0.0)  # its own normal at a contact, but for rounding
    if second[GAP] > -HAIR:
        b = max(b, 0.0)
    return min(most, below_chord(a, b, bend)) if a >= 0.0 and b >= 0.0 else most


@addressed(float64(MODEL, WORK, int64, VECTOR, VECTOR, float64))
def hidden_by_shapes(m, w, k, first, second, share):
    """A bound on the depth between two looks that are a share of the step apart."""
    p = m.compliant_vector[k]
    bend, a, b = bend_of(first, p[SWING], share), gap_at(first), gap_at(second)
    if p[PAIR] in (ON_PLANE, RIM_ON_PLANE):
        return below_chord(a, b, bend)
    start, end = placed(first, 0), placed(second, 0)
    way = plus_times(end, -1.0, start)
    turn = plus_times(placed(second, 3), -1.0, placed(first, 3))
    moved = sqrt(dot(way, way)) + p[SWING] * sqrt(dot(turn, turn))
    hidden = 0.5 * (moved + bend - a - b)
    if hidden <= 0.0:
        return 0.0
    if p[PAIR] == IN_TUBE and p[SIZES] > 0.0:
        a = p[SIZES] - p[RADIUS] - sqrt(start[0] * start[0] + start[1] * start[1])
        b = p[SIZES] - p[RADIUS] - sqrt(end[0] * end[0] + end[1] * end[1])
        if a >= -HAIR and b >= -HAIR:  # within the bore, however long that is
            return min(hidden, below_chord(max(a, 0.0), max(b, 0.0), bend))
    one = apart_at(p, start, placed(first, 3))[1]
    hidden = hidden_by_plane(p, one, first, second, bend, hidden)
    if hidden > 0.0:
        other = apart_at(p, end, placed(second, 3))[1]
        hidden = hidden_by_plane(p, other, first, second, bend, hidden)
        n = plus_times(one, 1.0, other)
        square = dot(n, n)
        if hidden > 0.0 and square > NEARLY_OPPOSITE:
            s = 1.0 / sqrt(square)
            hidden = hidden_by_plane(p, (s * n[0], s * n[1], s * n[2]), first, second, bend, hidden)
    if p[PAIR] == IN_TUBE and moved + bend <= FINE * p[RADIUS]:  # about an edge that no plane shows
        hidden = min(hidden, 0.5 * HIDDEN * p[CLEARANCE])
    return hidden
