"""A slice of a pin in its bore, both worn: where over the angle it touches, and how deep.

Worn depths w_b(θ) of the bore and w_p(φ) of the pin, φ = θ − ψ with ψ the angle that the pin has turned, are periodic
cubic B-splines on equal steps. In the plane z across the bore, n = (cos θ, sin θ), e, k and S as in journal_section.py,

    δ(θ) = e·n + R_j (S − 1) − c − w_b(θ) − w_p(θ − ψ)

Where the pin touches, δ > 0, is looked for on panels, the cells of a grid fixed in the bore. In each panel δ is smooth;
its touching part is found to rounding: roots by Newton's method between a deep and an open end, a summit between open
ends by the root of the slope. Worn depths are not negative, so that nothing touches where e·n + R_j (S − 1) < c.
"""

from __future__ import annotations

from math import acos, atan2, cos, floor, pi, sin, sqrt

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.build.memory import number_at

STEPS = 60  # of a search, at most
NEAR = 1e-14  # of an angle that has been found [rad]


@inlined
def spline(table, at, count, angle):
    """A worn depth and its slope at an angle; its coefficients begin at `at` with the last, and end with two more."""
    if count == 0:
        return 0.0, 0.0
    step = 2.0 * pi / count
    u = angle / step
    u -= count * floor(u / count)
    i = min(int(u), count - 1)
    f = u - i
    g = 1.0 - f
    a, b = number_at(table, at + i), number_at(table, at + i + 1)
    c, d = number_at(table, at + i + 2), number_at(table, at + i + 3)
    value = a * g * g * g + b * (4.0 - 3.0 * f * f * (1.0 + g)) + c * (4.0 - 3.0 * g * g * (1.0 + f)) + d * f * f * f
    slope = -a * g * g + b * f * (3.0 * f - 4.0) + c * g * (4.0 - 3.0 * g) + d * f * f
    return value / 6.0, 0.5 * slope / step


@inlined
def depth_at(s, angle):
    """δ and its slope, n, n·k, S, w_b and the slope of w_p, at an angle of slice s."""
    e, k, R, free, turned, table, bore, pin = s
    x, y = cos(angle), sin(angle)
    nk, tk = x * k[0] + y * k[1], x * k[1] - y * k[0]
    S = sqrt(1.0 + nk * nk)
    worn, its_slope = spline(table, bore[0], bore[1], angle)
    worn_pin, slope_pin = spline(table, pin[0], pin[1], angle - turned)
    depth = e[0] * x + e[1] * y + R * nk * nk / (1.0 + S) - free - worn - worn_pin
    slope = e[1] * x - e[0] * y + R * nk * tk / S - its_slope - slope_pin
    return depth, slope, (x, y), nk, S, worn, slope_pin


@called
def edge(s, deep, clear):
    """The angle between a deep and an open one at which the slice begins to touch."""
    angle = 0.5 * (deep + clear)
    for _ in range(STEPS):
        depth, slope, _, _, _, _, _ = depth_at(s, angle)
        if depth > 0.0:
            deep = angle
        else:
            clear = angle
        following = angle - depth / slope if slope != 0.0 else 0.5 * (deep + clear)
        if not min(deep, clear) < following < max(deep, clear):
            following = 0.5 * (deep + clear)
        moved, angle = following - angle, following
        if abs(moved) < NEAR:
            break
    return angle


@called
def summit(s, low, high):
    """The angle between a rising and a falling one at which the slice is deepest."""
    rise, fall = depth_at(s, low)[1], depth_at(s, high)[1]
    angle = low
    for _ in range(STEPS):
        before, angle = angle, low + (high - low) * rise / (rise - fall)
        slope = depth_at(s, angle)[1]
        if slope > 0.0:
            low, rise, fall = angle, slope, 0.5 * fall
        else:
            high, fall, rise = angle, slope, 0.5 * rise
        if slope == 0.0 or high - low < NEAR or abs(angle - before) < NEAR:
            break
    return angle


@inlined
def highest(first, rise, last, fall, length):
    """More than the depth at a summit between a rising and a falling end."""
    return max(first + 2.0 * rise * length, last - 2.0 * fall * length)


@called
def touching_part(s, low, high):
    """From which to which angle of a panel the slice touches; the second is not above the first where it does not."""
    first, rise, _, _, _, _, _ = depth_at(s, low)
    last, fall, _, _, _, _, _ = depth_at(s, high)
    if first > 0.0:
        return low, high if last > 0.0 else edge(s, low, high)
    if last > 0.0:
        return edge(s, high, low), high
    if rise > 0.0 and fall < 0.0 and highest(first, rise, last, fall, high - low) > 0.0:
        top = summit(s, low, high)
        if depth_at(s, top)[0] > 0.0:
            return edge(s, top, low), edge(s, top, high)
    return low, low


@inlined
def tilted_by(s):
    """By how much the tilted section reaches beyond that of an upright pin, at most."""
    k = s[1]
    square = k[0] * k[0] + k[1] * k[1]
    return s[2] * square / (1.0 + sqrt(1.0 + square))


@inlined
def reach_of(s, level):
    """The angle of e, and how far from it the slice may be deeper than `level`, if nothing were worn."""
    e = s[0]
    away, free = sqrt(e[0] * e[0] + e[1] * e[1]), s[3] - tilted_by(s) + level
    if free >= away:
        return atan2(e[1], e[0]), 0.0
    return atan2(e[1], e[0]), pi if free <= -away else acos(free / away)


@called
def deepest_angle(s, count):
    """The angle at which the slice is deepest, and how deep it is there; `count` panels around."""
    step = 2.0 * pi / count
    towards, _ = reach_of(s, 0.0)
    found, best = towards, depth_at(s, towards)[0]
    _, half = reach_of(s, best)
    for i in range(floor((towards - half) / step), floor((towards + half) / step) + 1):
        low, high = i * step, (i + 1) * step
        first, rise, _, _, _, _, _ = depth_at(s, low)
        last, fall, _, _, _, _, _ = depth_at(s, high)
        if first > best:
            found, best = low, first
        if last > best:
            found, best = high, last
        if rise > 0.0 and fall < 0.0 and highest(first, rise, last, fall, step) > best:
            top = summit(s, low, high)
            depth = depth_at(s, top)[0]
            if depth > best:
                found, best = top, depth
    return found, best
