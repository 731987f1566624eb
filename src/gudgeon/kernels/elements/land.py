"""A land of a journal bearing: slices of the pin pressed into the bore, on the part of the land that touches.

With the section of the tilted pin (journal_section.py) in every plane z across the bore

    F = −∫ f′(δ, δ̇) ν dz,   ν = (n, −n·k),   at X half-way between the surfaces,   δ̇ = ν·(v + w × (X − P_j))

and friction −friction(|v_t|, f′|ν|) v_t/|v_t| along the surface. ν is perpendicular to the pin's axis and its line
meets this axis. By the envelope theorem the elastic part is the gradient of ∫∫ f′ dδ dz, whatever the pose. Slices as
in ISO/TS 16281; continuous through all modes of contact, since the integral runs over the touching part alone:

    one end deep         edge      from this end to the root of δ (Newton's method from the deep side: δ is convex)
    both, δ > 0 between  line      from both ends to where the pin's axis is nearest to that of the bore
    both, δ < 0 between  crossed   from both ends to their roots

with 5 Gauss points a part. A land is where both bore and pin are: where the pin ends inside the bore, the energy
u = ∫ f′ dδ of the length that leaves adds an axial force, −u at the upper and +u at the lower end of the pin, on it.
"""

from __future__ import annotations

from math import inf, pi, sqrt

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.dynamics.arrays import (
    ARM_OF,
    DEPTH,
    DEPTH_RATE,
    ECCENTRICITY,
    FLIGHT,
    FORCE_ON_BALL,
    FRAME,
    IMPACT_SPEED,
    MODE,
    MODEL,
    NORMAL,
    NUMBERS,
    POWER,
    REPORT_CONTACT,
    REPORT_FRICTION,
    REPORT_NORMAL,
    REPORT_OWN,
    REPORT_PENETRATION,
    REPORT_PRESSURE,
    REPORT_RATE,
    REPORT_STORED,
    SMALLEST_IMPACT,
    TORQUE_ON_BALL,
    WORK,
)
from gudgeon.kernels.elements.bushing import in_joint_axes, vector
from gudgeon.kernels.elements.joints import clear_force
from gudgeon.kernels.elements.journal_section import (
    BORE_RADIUS,
    ONSET,
    PIN_RADIUS,
    axis_at,
    half_way,
    in_bearing,
    section,
    slope_of_axis,
)
from gudgeon.kernels.elements.laws import contact_energy, normal_force
from gudgeon.kernels.elements.rubbing_point import push_of_point, velocity_at
from gudgeon.kernels.kinematics.vectors import dot, plus, plus_times, vector_product

BORE_LOWER = NUMBERS + 3  # ends of the bore's land, along the bore from P_i [m]
BORE_UPPER = NUMBERS + 4
PIN_LOWER = NUMBERS + 5  # ends of the pin, along its axis from P_j [m]
PIN_UPPER = NUMBERS + 6
MODULUS = NUMBERS + 7  # E*, 1/E* = (1 − ν_i²)/E_i + (1 − ν_j²)/E_j; 0: not known [Pa]

POINTS = (0.046910077030668, 0.230765344947158, 0.5, 0.769234655052842, 0.953089922969332)  # of Gauss on [0, 1]
WEIGHTS = (0.118463442528095, 0.239314335249683, 0.284444444444444, 0.239314335249683, 0.118463442528095)
OPEN, EDGE, LINE, CROSSED, FACE = 0.0, 1.0, 2.0, 3.0, 4.0  # modes of contact
ROOT_STEPS = 30  # to the end of the touching part, at most
AT_ROOT = 1e-15  # depth that is none, of the bore's radius


@inlined
def ends_of_land(p, d, h):
    """Lower and upper end of the length that bore and pin share, and whether these are ends of the pin."""
    lower, upper = d[2] + p[PIN_LOWER] * h[2], d[2] + p[PIN_UPPER] * h[2]
    return (
        max(p[BORE_LOWER], lower),
        min(p[BORE_UPPER], upper),
        lower > p[BORE_LOWER],
        upper < p[BORE_UPPER],
    )


@inlined
def depth_at(p, d, k, z):
    """δ(z), and its slope n·k."""
    _, _, nk, _, depth = section(p, k, axis_at(d, k, z))
    return depth, nk


@inlined
def nearest_of_axes(d, k, low, high):
    """Where on the land the pin's axis is nearest to that of the bore."""
    square = k[0] * k[0] + k[1] * k[1]
    if square == 0.0:
        return low
    return min(max(d[2] - (d[0] * k[0] + d[1] * k[1]) / square, low), high)


@called
def root_of_depth(p, d, k, deep, other):
    """Where δ vanishes between an end that is deep and another place, by Newton's method from the deep side."""
    free = p[BORE_RADIUS] - p[PIN_RADIUS] - p[ONSET]
    side = 1.0 if deep > other else -1.0
    square, along = k[0] * k[0] + k[1] * k[1], side * (d[0] * k[0] + d[1] * k[1])
    rest = free * free - d[0] * d[0] - d[1] * d[1]
    z, inside = deep, along * along + square * rest
    if inside > 0.0:  # |e(z)| = free: δ ≥ 0 there, the deep side
        inside = sqrt(inside)
        guess = d[2] + side * (rest / (along + inside) if along > 0.0 else (inside - along) / square)
        if (guess - other) * side > 0.0 and (deep - guess) * side > 0.0:
            z = guess
    for _ in range(ROOT_STEPS):
        depth, slope = depth_at(p, d, k, z)
        if not depth > AT_ROOT * p[BORE_RADIUS] or slope * side <= 0.0:
            break
        step = depth / slope
        z -= step
        if (z - other) * side <= 0.0:
            return other
        if abs(step) <= 1e-15 * abs(z - deep):
            break
    return z


@called
def parts_of_land(p, d, k, low, high, deep_low, deep_high):
    """The two parts of a land that touch: from `low` to the first number, from the second to `high`."""
    if deep_low <= 0.0 and deep_high <= 0.0:
        return low, high
    if deep_low <= 0.0:
        return low, root_of_depth(p, d, k, high, low)
    if deep_high <= 0.0:
        return root_of_depth(p, d, k, low, high), high
    middle = nearest_of_axes(d, k, low, high)
    if depth_at(p, d, k, middle)[0] > 0.0:
        return middle, middle
    return root_of_depth(p, d, k, low, middle), root_of_depth(p, d, k, high, middle)


@inlined
def slice_at(p, d, k, z):
    """δ, ν and X − P_j of the slice at z."""
    e = axis_at(d, k, z)
    x, y, nk, S, depth = section(p, k, e)
    return depth, (x, y, -nk), half_way(p, d, k, e, z, (x, y), nk, S, depth)


@called
def push_of_part(m, k, impact, d, slope, v, w, start, end, rubs):
    """Force, torque about P_j, normal force and power lost of the slices from `start` to `end`, bearing axes."""
    p = m.compliant_vector[k]
    force = torque = (0.0, 0.0, 0.0)
    normal = power = 0.0
    for g in range(5):
        weight = WEIGHTS[g] * (end - start)
        depth, nu, a = slice_at(p, d, slope, start + POINTS[g] * (end - start))
        if depth <= 0.0:
            continue
        f, n, lost = push_of_point(m, k, impact, depth, nu, a, v, w, rubs)
        force, torque = plus_times(force, weight, f), plus_times(torque, weight, vector_product(a, f))
        normal, power = normal + weight * n, power + weight * lost
    return force, torque, normal, power


@called
def push_of_land(m, k, impact, d, h, v, w, rubs):
    """Force, torque about P_j, normal force and power lost of a land, bearing axes."""
    p, slope = m.compliant_vector[k], slope_of_axis(h)
    low, high, low_on_pin, high_on_pin = ends_of_land(p, d, h)
    force = torque = (0.0, 0.0, 0.0)
    normal = power = 0.0
    if low >= high:
        return force, torque, normal, power
    deep_low, deep_high = depth_at(p, d, slope, low)[0], depth_at(p, d, slope, high)[0]
    first, second = parts_of_land(p, d, slope, low, high, deep_low, deep_high)
    if first > low:
        force, torque, normal, power = push_of_part(m, k, impact, d, slope, v, w, low, first, rubs)
    if second < high:
        f, t, n, lost = push_of_part(m, k, impact, d, slope, v, w, second, high, rubs)
        force, torque, normal, power = plus(force, f), plus(torque, t), normal + n, power + lost
    for upper in range(2):
        on_pin, depth = (high_on_pin, deep_high) if upper else (low_on_pin, deep_low)
        if on_pin and depth > 0.0:
            f = (0.0, 0.0, (-1.0 if upper else 1.0) * contact_energy(m, k, depth, impact))
            end = p[PIN_UPPER] if upper else p[PIN_LOWER]
            arm = (end * h[0], end * h[1], end * h[2])
            force, torque = plus(force, f), plus(torque, vector_product(arm, f))
    return force, torque, normal, power


@inlined
def deepest_end(p, d, h, v, w):
    """δ and δ̇ where the land is deepest; no deeper than pin and bore overlap along the axis."""
    slope = slope_of_axis(h)
    low, high, low_on_pin, high_on_pin = ends_of_land(p, d, h)
    found, rate = -inf, 0.0
    for upper in range(2):
        z, on_pin, end = (high, high_on_pin, p[PIN_UPPER]) if upper else (low, low_on_pin, p[PIN_LOWER])
        depth, nu, a = slice_at(p, d, slope, z)
        if depth > found:
            found, rate = depth, dot(nu, velocity_at(v, w, a))
            if on_pin:
                rate -= nu[2] * velocity_at(v, w, (end * h[0], end * h[1], end * h[2]))[2]
    if high - low < found:
        found, rate = high - low, 0.0
        if high_on_pin:
            rate += velocity_at(v, w, (p[PIN_UPPER] * h[0], p[PIN_UPPER] * h[1], p[PIN_UPPER] * h[2]))[2]
        if low_on_pin:
            rate -= velocity_at(v, w, (p[PIN_LOWER] * h[0], p[PIN_LOWER] * h[1], p[PIN_LOWER] * h[2]))[2]
    return found, rate


@inlined
def impact_speed(m, w, k):
    """δ̇⁽⁻⁾ of the contact of line k."""
    return max(w.contact[k, IMPACT_SPEED], m.compliant_vector[k, SMALLEST_IMPACT])


@addressed(void(MODEL, WORK, int64, int64, int64))
def depth_of_land(m, w, k, a, b):
    """How deep the land is at its deepest end, and its rate, for line a of `local`, into line b of `force`."""
    d, h, v, turning = in_bearing(w.local[a])
    w.force[b, DEPTH], w.force[b, DEPTH_RATE] = deepest_end(m.compliant_vector[k], d, h, v, turning)


@inlined
def write_push(w, a, b, force, torque, normal, power):
    """A push of bearing axes into line b of `force`, at P_j."""
    x, out = w.local[a], w.force[b]
    for r in range(3):
        axes = vector(x, FRAME + 3 * r)
        out[FORCE_ON_BALL + r], out[TORQUE_ON_BALL + r] = dot(axes, force), dot(axes, torque)
    out[NORMAL], out[POWER] = normal, power


@addressed(void(MODEL, WORK, int64, int64, int64))
def force_of_land(m, w, k, a, b):
    """The push of a land for the motion in line a of `local`, into line b of `force`."""
    clear_force(w.force, b)
    for c in range(3):
        w.force[b, ARM_OF + c] = w.local[a, ECCENTRICITY + c]
    if w.contact[k, MODE] == FLIGHT:
        return
    d, h, v, turning = in_bearing(w.local[a])
    force, torque, normal, power = push_of_land(m, k, impact_speed(m, w, k), d, h, v, turning, True)
    write_push(w, a, b, force, torque, normal, power)


@called
def energy_of_land(m, k, impact, d, h):
    """∫∫ f′ dδ dz over the touching parts, their length, and the largest force per length at rest."""
    p, slope = m.compliant_vector[k], slope_of_axis(h)
    low, high, _, _ = ends_of_land(p, d, h)
    if low >= high:
        return 0.0, 0.0, 0.0
    deep_low, deep_high = depth_at(p, d, slope, low)[0], depth_at(p, d, slope, high)[0]
    first, second = parts_of_land(p, d, slope, low, high, deep_low, deep_high)
    energy = 0.0
    for part in range(2):
        start, end = (low, first) if part == 0 else (second, high)
        for g in range(5):
            depth = depth_at(p, d, slope, start + POINTS[g] * (end - start))[0]
            if end > start and depth > 0.0:
                energy += WEIGHTS[g] * (end - start) * contact_energy(m, k, depth, impact)
    deepest = max(deep_low, deep_high)
    largest = normal_force(m, k, deepest, 0.0, impact) if deepest > 0.0 else 0.0
    return energy, max(first - low, 0.0) + max(high - second, 0.0), largest


@called
def mode_of_land(p, d, h):
    """OPEN, EDGE, LINE or CROSSED."""
    slope = slope_of_axis(h)
    low, high, _, _ = ends_of_land(p, d, h)
    if low >= high:
        return OPEN
    deep = (depth_at(p, d, slope, low)[0] > 0.0) + (depth_at(p, d, slope, high)[0] > 0.0)
    if deep < 2:
        return EDGE if deep == 1 else OPEN
    return LINE if depth_at(p, d, slope, nearest_of_axes(d, slope, low, high))[0] > 0.0 else CROSSED


@inlined
def line_pressure(p, largest):
    """Hertz's peak pressure under a force per length; at most a half cylinder carries. 0 where E* is not known."""
    if p[MODULUS] <= 0.0 or largest <= 0.0:
        return 0.0
    R = p[PIN_RADIUS] * p[BORE_RADIUS] / (p[BORE_RADIUS] - p[PIN_RADIUS])
    half_width = min(sqrt(4.0 * largest * R / (pi * p[MODULUS])), p[PIN_RADIUS])
    return 2.0 * largest / (pi * half_width)


@inlined
def report_of_push(w, k, at, normal, h):
    """Force, moment, axial force and friction torque of what line k of `force` holds, from place `at` of the report."""
    x, out = w.local[k], w.report
    force, torque = (
        in_joint_axes(x, vector(w.force[k], FORCE_ON_BALL)),
        in_joint_axes(x, vector(w.force[k], TORQUE_ON_BALL)),
    )
    spin = dot(torque, h)
    across = plus_times(torque, -spin, h)
    out[at], out[at + 1], out[at + 2], out[at + 3] = normal, sqrt(dot(across, across)), force[2], spin


@addressed(void(MODEL, WORK, int64))
def report_of_land(m, w, k):
    """What a land does in the motion of line k of `local`, under the forces there."""
    p, out = m.compliant_vector[k], w.report
    d, h, v, turning = in_bearing(w.local[k])
    slope = slope_of_axis(h)
    touching = w.contact[k, MODE] != FLIGHT
    low, high, _, _ = ends_of_land(p, d, h)
    out[REPORT_PENETRATION], out[REPORT_RATE] = deepest_end(p, d, h, v, turning)
    normal = length = largest = power = 0.0
    mode = OPEN
    if touching:
        impact = impact_speed(m, w, k)
        force, _, normal, power = push_of_land(m, k, impact, d, h, v, turning, True)
        out[REPORT_STORED], length, largest = energy_of_land(m, k, impact, d, h)
        mode = mode_of_land(p, d, h)
        smooth, _, _, _ = push_of_land(m, k, impact, d, h, v, turning, False)
        for r in range(3):
            out[REPORT_FRICTION + r] = dot(vector(w.local[k], FRAME + 3 * r), plus_times(force, -1.0, smooth))
    out[REPORT_CONTACT], out[REPORT_NORMAL] = 1.0 if touching else 0.0, normal
    out[REPORT_PRESSURE] = line_pressure(p, largest)
    at = REPORT_OWN
    for upper in range(2):
        z = high if upper else low
        e = axis_at(d, slope, z)
        out[at + upper], out[at + 2 + upper] = sqrt(e[0] * e[0] + e[1] * e[1]), depth_at(p, d, slope, z)[0]
    out[at + 4] = sqrt(slope[0] * slope[0] + slope[1] * slope[1])
    out[at + 5], out[at + 6] = length, mode
    report_of_push(w, k, at + 7, normal, h)
    out[at + 11], out[at + 12] = power, out[REPORT_PRESSURE]
