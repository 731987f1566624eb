"""A land of a journal whose pin and bore are worn: pressure over the arcs that touch, in slices across the axis.

With δ(θ) of a slice (worn_section.py), which the motion changes at the rate

    δ̇ = ν·v + b·w,   ν = (n, −n·k),   b = (z − d_z + R_j n·k/S)/h_z (h × ν) + w_p′ (ẑ + h)/(1 + h_z)

(the last factor times w is ψ̇, the twist of the pin about the bore), the pressure law p(δ, δ̇) gives

    F = −∫ p ν dA,   M = −∫ p b dA about P_j,   dA = R_i dθ dz

so that the elastic part is the gradient of ∫∫ p dδ dA whatever the pose, and a worn pin feels a torque. Friction acts
against the sliding velocity u_t at X half-way between the surfaces. Three Gauss points on the touching part of each
panel: the integrand is smooth there, so that forces are continuous and change smoothly with the pose. In the plane a
land is one slice, without tilt and axial motion.
"""

from __future__ import annotations

from math import atan2, floor, pi, sqrt

from numba import float64, int64, void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.build.memory import number_at
from gudgeon.kernels.build.records import VECTOR
from gudgeon.kernels.dynamics.arrays import (
    ARM_OF,
    DEPTH,
    DEPTH_RATE,
    ECCENTRICITY,
    FLIGHT,
    FRAME,
    FRICTION_CALL,
    MODE,
    MODEL,
    NUMBERS,
    REPORT_CONTACT,
    REPORT_FRICTION,
    REPORT_NORMAL,
    REPORT_OWN,
    REPORT_PENETRATION,
    REPORT_PRESSURE,
    REPORT_RATE,
    REPORT_SLIDING,
    REPORT_STORED,
    SURFACE_TABLE,
    WORK,
)
from gudgeon.kernels.elements.bushing import ball_axis, vector
from gudgeon.kernels.elements.hidden_depth import below_chord, gap_at
from gudgeon.kernels.elements.joints import clear_force
from gudgeon.kernels.elements.journal_section import BORE_RADIUS, PIN_RADIUS, axis_at, in_bearing, slope_of_axis
from gudgeon.kernels.elements.land import EDGE, LINE, OPEN, impact_speed, report_of_push, write_push
from gudgeon.kernels.elements.lawforms import NO_LAW
from gudgeon.kernels.elements.laws import contact_energy, friction_force, normal_force
from gudgeon.kernels.elements.placed_ball import bend_at, lever_of_pin
from gudgeon.kernels.elements.worn_section import deepest_angle, depth_at, reach_of, touching_part
from gudgeon.kernels.integrators.run import BEND_TURN, POSE
from gudgeon.kernels.kinematics.vectors import dot, plus, plus_times, vector_product

# numbers of the part
SLICES = NUMBERS + 3  # along the axis
PANELS = NUMBERS + 4  # around
BORE_COUNT = NUMBERS + 5  # coefficients of w_b in each slice; 0: not worn
PIN_COUNT = NUMBERS + 6  # of w_p
IN_PLANE = NUMBERS + 7  # 1: no tilt, no axial motion
STEEPEST = NUMBERS + 8  # largest slope of w_p [m/rad]
DEEPEST = NUMBERS + 9  # largest w_p [m]
# the table: place z and length of every slice, then rows of w_b, then rows of w_p, each with three numbers more
PLACE = 2

POINTS = (0.1127016653792583, 0.5, 0.8872983346207417)  # Gauss, on [0, 1]
WEIGHTS = (0.2777777777777778, 0.4444444444444444, 0.2777777777777778)


@inlined
def pose_of(p, x):
    """d, h, v, w and ψ for the motion x, in bearing axes; without what a joint in the plane does not do."""
    d, h, v, w = in_bearing(x)
    a, b = ball_axis(x, 0), ball_axis(x, 1)
    turned = atan2(a[1] - b[0], a[0] + b[1])
    if p[IN_PLANE] > 0.0:
        return (d[0], d[1], 0.0), (0.0, 0.0, 1.0), (v[0], v[1], 0.0), (0.0, 0.0, w[2]), turned
    return d, h, v, w, turned


@inlined
def slice_of(p, table, d, k, turned, i):
    """Slice i (worn_section.py), its place and its length."""
    slices, count, other = int(p[SLICES]), int(p[BORE_COUNT]), int(p[PIN_COUNT])
    z, length = number_at(table, PLACE * i), number_at(table, PLACE * i + 1)
    at = PLACE * slices
    bore = (at + (count + 3) * i, count)
    at += slices * (count + 3)
    pin = (at + (other + 3) * i, other)
    return (axis_at(d, k, z), k, p[PIN_RADIUS], p[BORE_RADIUS] - p[PIN_RADIUS], turned, table, bore, pin), z, length


@inlined
def panels_of(s, count):
    """The first and the last panel that may touch, from which to which angle; the last before the first: none."""
    towards, half = reach_of(s, 0.0)
    step = 2.0 * pi / count
    if half == 0.0:
        return 0, -1, towards, towards
    low, high = towards - half, towards + half
    return floor(low / step), floor(high / step), low, high


@inlined
def part_of_panel(s, count, i, low, high):
    """From which to which angle panel i touches, between `low` and `high`."""
    step = 2.0 * pi / count
    first, last = max(i * step, low), min((i + 1) * step, high)
    return touching_part(s, first, last) if first < last else (first, first)


@inlined
def point_at(p, s, z, d, h, angle):
    """δ, ν, b and X − P_j at an angle of slice s in the plane z."""
    depth, _, n, nk, S, worn, slope = depth_at(s, angle)
    nu = (n[0], n[1], -nk)
    lever = (z - d[2] + s[2] * nk / S) / h[2]
    b = vector_product(h, nu)
    spin = slope / (1.0 + h[2])
    b = (lever * b[0] + spin * h[0], lever * b[1] + spin * h[1], lever * b[2] + spin * (1.0 + h[2]))
    far = p[BORE_RADIUS] + worn + 0.5 * depth
    return depth, nu, b, (far * n[0] - d[0], far * n[1] - d[1], z - d[2])


@inlined
def sliding_at(nu, a, v, w):
    """The sliding velocity at X."""
    u = plus(v, vector_product(w, a))
    return plus_times(u, -dot(nu, u) / dot(nu, nu), nu)


@inlined
def push_at(m, k, impact, depth, nu, b, a, v, w):
    """Force and torque about P_j on the pin, friction force, pressure, power lost, all per area."""
    rate = dot(nu, v) + dot(b, w)
    p, elastic = normal_force(m, k, depth, rate, impact), normal_force(m, k, depth, 0.0, impact)
    force, torque = (-p * nu[0], -p * nu[1], -p * nu[2]), (-p * b[0], -p * b[1], -p * b[2])
    rub, power = (0.0, 0.0, 0.0), (p - elastic) * rate
    if m.compliant[k, FRICTION_CALL] != NO_LAW:
        along = sliding_at(nu, a, v, w)
        speed = sqrt(dot(along, along))
        if speed > 0.0:
            f = friction_force(m, k, speed, p)
            rub, power = plus_times(rub, -f / speed, along), power + f * speed
            force, torque = plus(force, rub), plus(torque, vector_product(a, rub))
    return force, torque, rub, p, power


@called
def push_of_worn_land(m, w, k, a):
    """Force, torque about P_j, normal force, power lost and friction force, bearing axes, for line a of `local`."""
    p, table, impact = m.compliant_vector[k], m.compliant[k, SURFACE_TABLE], impact_speed(m, w, k)
    d, h, v, turning, turned = pose_of(p, w.local[a])
    slope, count = slope_of_axis(h), int(p[PANELS])
    force = torque = friction = (0.0, 0.0, 0.0)
    normal = power = 0.0
    for i in range(int(p[SLICES])):
        s, z, length = slice_of(p, table, d, slope, turned, i)
        first, last, low, high = panels_of(s, count)
        for j in range(first, last + 1):
            start, end = part_of_panel(s, count, j, low, high)
            for g in range(3 if start < end else 0):
                area = WEIGHTS[g] * (end - start) * length * p[BORE_RADIUS]
                depth, nu, b, arm = point_at(p, s, z, d, h, start + POINTS[g] * (end - start))
                if depth > 0.0:
                    f, t, rub, pressure, lost = push_at(m, k, impact, depth, nu, b, arm, v, turning)
                    force, torque = plus_times(force, area, f), plus_times(torque, area, t)
                    friction = plus_times(friction, area, rub)
                    normal, power = normal + area * pressure, power + area * lost
    return force, torque, normal, power, friction


@called
def deepest_point(p, table, x):
    """δ and δ̇ where the land is deepest, its pressure's point there (ν, X − P_j), and how deep its first and last slice
    are."""
    d, h, v, w, turned = pose_of(p, x)
    slope, slices = slope_of_axis(h), int(p[SLICES])
    s, z, _ = slice_of(p, table, d, slope, turned, 0)
    angle, lower = deepest_angle(s, int(p[PANELS]))
    found, upper, where, place = s, lower, angle, z
    best = lower
    for i in range(1, slices):
        s, z, _ = slice_of(p, table, d, slope, turned, i)
        angle, upper = deepest_angle(s, int(p[PANELS]))
        if upper > best:
            best, found, where, place = upper, s, angle, z
    depth, nu, b, a = point_at(p, found, place, d, h, where)
    return depth, dot(nu, v) + dot(b, w), nu, a, lower, upper


@addressed(void(MODEL, WORK, int64, int64, int64))
def depth_of_worn_land(m, w, k, a, b):
    """How deep the land is where it is deepest, and its rate, for line a of `local`, into line b of `force`."""
    depth, rate, _, _, _, _ = deepest_point(m.compliant_vector[k], m.compliant[k, SURFACE_TABLE], w.local[a])
    w.force[b, DEPTH], w.force[b, DEPTH_RATE] = depth, rate


@addressed(void(MODEL, WORK, int64, VECTOR))
def pose_of_worn_pin(m, w, k, look):
    """d, h and ψ in the motion of line k of `local`, into a look."""
    d, h, _, _, turned = pose_of(m.compliant_vector[k], w.local[k])
    for c in range(3):
        look[POSE + c], look[POSE + 3 + c] = d[c], h[c]
    look[POSE + 6] = turned


@addressed(float64(MODEL, WORK, int64, VECTOR, VECTOR, float64))
def hidden_by_worn_land(m, w, k, first, second, share):
    """A bound on the depth between two looks that are a share of the step apart.

    Each point of the bore sees a depth that is convex in d and h, but for what the worn pin turns past it.
    """
    p = m.compliant_vector[k]
    turned = second[POSE + 6] - first[POSE + 6]
    turned = abs(turned - 2.0 * pi * floor(turned / (2.0 * pi) + 0.5)) + first[BEND_TURN] * share * share
    passed = min(p[STEEPEST] * turned, p[DEEPEST])
    a, b = gap_at(first) - passed, gap_at(second) - passed
    hidden = below_chord(max(a, 0.0), max(b, 0.0), bend_at(first, second, lever_of_pin(m, k, first, second), share))
    return hidden if min(a, b) >= 0.0 else hidden + passed


@addressed(void(MODEL, WORK, int64, int64, int64))
def force_of_worn_land(m, w, k, a, b):
    """The push of a land for the motion in line a of `local`, into line b of `force`."""
    clear_force(w.force, b)
    for c in range(3):
        w.force[b, ARM_OF + c] = w.local[a, ECCENTRICITY + c]
    if w.contact[k, MODE] == FLIGHT:
        return
    force, torque, normal, power, _ = push_of_worn_land(m, w, k, a)
    write_push(w, a, b, force, torque, normal, power)


@called
def stored_in_worn_land(m, w, k, a):
    """Energy, touching length, and the largest touching angle of a slice."""
    p, table, impact = m.compliant_vector[k], m.compliant[k, SURFACE_TABLE], impact_speed(m, w, k)
    d, h, _, _, turned = pose_of(p, w.local[a])
    slope, count = slope_of_axis(h), int(p[PANELS])
    energy = touching = widest = 0.0
    for i in range(int(p[SLICES])):
        s, _, length = slice_of(p, table, d, slope, turned, i)
        first, last, low, high = panels_of(s, count)
        arc = 0.0
        for j in range(first, last + 1):
            start, end = part_of_panel(s, count, j, low, high)
            if start >= end:
                continue
            arc += end - start
            for g in range(3):
                depth = depth_at(s, start + POINTS[g] * (end - start))[0]
                if depth > 0.0:
                    area = WEIGHTS[g] * (end - start) * length * p[BORE_RADIUS]
                    energy += area * contact_energy(m, k, depth, impact)
        touching += length if arc > 0.0 else 0.0
        widest = max(widest, arc)
    return energy, touching, widest


@addressed(void(MODEL, WORK, int64))
def report_of_worn_land(m, w, k):
    """What a land does in the motion of line k of `local`, under the forces there."""
    p, table, x, out = m.compliant_vector[k], m.compliant[k, SURFACE_TABLE], w.local[k], w.report
    d, h, v, turning, _ = pose_of(p, x)
    slope, slices = slope_of_axis(h), int(p[SLICES])
    touching = w.contact[k, MODE] != FLIGHT
    depth, rate, nu, a, lower, upper = deepest_point(p, table, x)
    out[REPORT_PENETRATION], out[REPORT_RATE] = depth, rate
    normal = power = length = arc = 0.0
    mode = OPEN
    if touching:
        impact = impact_speed(m, w, k)
        _, _, normal, power, friction = push_of_worn_land(m, w, k, k)
        out[REPORT_STORED], length, arc = stored_in_worn_land(m, w, k, k)
        out[REPORT_PRESSURE] = normal_force(m, k, depth, rate, impact) if depth > 0.0 else 0.0
        along = sliding_at(nu, a, v, turning)
        for r in range(3):
            axes = vector(x, FRAME + 3 * r)
            out[REPORT_FRICTION + r], out[REPORT_SLIDING + r] = dot(axes, friction), dot(axes, along)
        if depth > 0.0:
            mode = LINE if min(lower, upper) > 0.0 else EDGE
    out[REPORT_CONTACT], out[REPORT_NORMAL] = 1.0 if touching else 0.0, normal
    at = REPORT_OWN
    for end in range(2):
        z = number_at(table, PLACE * (slices - 1) * end)
        e = axis_at(d, slope, z)
        out[at + end] = sqrt(e[0] * e[0] + e[1] * e[1])
    out[at + 2], out[at + 3] = lower, upper
    out[at + 4] = sqrt(slope[0] * slope[0] + slope[1] * slope[1])
    out[at + 5], out[at + 6] = length, mode
    report_of_push(w, k, at + 7, normal, h)
    out[at + 11], out[at + 12], out[at + 13] = power, out[REPORT_PRESSURE], arc
