"""Curves through given points, evaluated with their first two derivatives: piecewise cubics, and lines.

A table is a stretch of `Model.table`: its header, its knots, then what its kind needs.

    cubic    (n − 1) × 4 numbers: c₀ + c₁ u + c₂ u² + c₃ u³, u = x − x_k, between two knots
    lines    n × 3: value, slope to the left of the knot, half of the width w over which its corner is rounded; and the
             slope beyond the last knot

A corner with slopes a and b is rounded to y_k + a u + (b − a) w ρ(u/w) for |u| < w, with

    ρ(s) = 5/32 + s/2 + 15/16 (s²/2 − s⁴/6 + s⁶/30),    ρ″ = 15/16 (1 − s²)²

the convolution of the corner with a biweight: twice (indeed three times) continuously differentiable, and its integral
over the corner that of the lines up to w²(b − a)/14.
"""

from __future__ import annotations

import math

from numba import float64, int64

from gudgeon.kernels.build.compiled import exact
from gudgeon.kernels.build.records import VECTOR

COUNT = 0  # of knots
FORM = 1  # CUBIC or LINES
OUTSIDE = 2  # REFUSE, HOLD, EXTRAPOLATE or PERIODIC
HEADER = 3
CUBIC, LINES = 0.0, 1.0
REFUSE, HOLD, EXTRAPOLATE, PERIODIC = 0.0, 1.0, 2.0, 3.0
ROUNDING = 1e-9  # of the range: so far outside is not outside
GAUSS_POINTS = (0.33998104358485626, 0.8611363115940526)  # on [−1, 1], of four; the others are mirrored
GAUSS_WEIGHTS = (0.6521451548625461, 0.34785484513745385)


@exact
def knot_below(table, knots, n, x):
    """Which of n knots is at or below x; the last interval has no knot of its own.

    Where knots at equal distances would have it is asked first, then halves.
    """
    first, last = table[knots], table[knots + n - 1]
    guess = int(min(max((n - 1) * ((x - first) / (last - first)), 0.0), n - 2.0))
    low, high = 0, n - 1
    if table[knots + guess] <= x < table[knots + guess + 1]:
        low, high = guess, guess + 1
    while high - low > 1:
        middle = (low + high) // 2
        if x >= table[knots + middle]:
            low = middle
        else:
            high = middle
    return low


@exact
def look_up(table, at, x, order):
    """The value (order 0) or derivative (1, 2) at x of the table that begins at `at`; nan outside where it refuses."""
    n, outside = int(table[at + COUNT]), table[at + OUTSIDE]
    knots = at + HEADER
    first, last = table[knots], table[knots + n - 1]
    slack = ROUNDING * (last - first)
    result = math.nan
    if outside == PERIODIC:
        x = x - (last - first) * math.floor((x - first) / (last - first))
    if x == x and (outside != REFUSE or (first - slack <= x <= last + slack)):
        low = knot_below(table, knots, n, x)
        if table[at + FORM] == LINES:
            if x >= last:
                low = n - 1
            result = _on_lines(table, knots, n, low, x, order)
        else:
            held = outside == HOLD and (x < first or x > last)
            if held:
                x = min(max(x, first), last)
            result = 0.0 if held and order > 0 else _on_cubic(table, knots + n + 4 * low, x - table[knots + low], order)
    return result


@exact
def _on_cubic(table, c, u, order):
    """A cubic with coefficients from place c on."""
    if order == 0:
        return table[c] + u * (table[c + 1] + u * (table[c + 2] + u * table[c + 3]))
    if order == 1:
        return table[c + 1] + u * (2.0 * table[c + 2] + u * 3.0 * table[c + 3])
    return 2.0 * table[c + 2] + 6.0 * u * table[c + 3]


@exact
def _on_lines(table, knots, n, k, x, order):
    """Lines with rounded corners; knot k is at or below x, or x is below the first knot."""
    if k + 1 < n:
        near = knots + n + 3 * (k + 1)
        if x > table[knots + k + 1] - table[near + 2]:
            k += 1
    p = knots + n + 3 * k
    u, y, left, width, right = x - table[knots + k], table[p], table[p + 1], table[p + 2], table[p + 3]
    if k + 1 < n:
        right = table[p + 4]
    if u >= width:
        return y + right * u if order == 0 else right if order == 1 else 0.0
    if u <= -width:
        return y + left * u if order == 0 else left if order == 1 else 0.0
    s, bend = u / width, right - left
    q = s * s
    if order == 0:
        return y + left * u + bend * width * (5.0 / 32.0 + s / 2.0 + 15.0 / 16.0 * q * (0.5 - q / 6.0 + q * q / 30.0))
    if order == 1:
        return left + bend * (0.5 + 15.0 / 16.0 * s * (1.0 - 2.0 * q / 3.0 + q * q / 5.0))
    return bend / width * 15.0 / 16.0 * (1.0 - q) ** 2


@exact
def pieces_between(table, at, a, b):
    """The integral of the table that begins at `at` from a to b, piece by piece: four points of Gauss are exact."""
    n, knots, total = int(table[at + COUNT]), at + HEADER, 0.0
    low, high = min(a, b), max(a, b)
    left = low
    for k in range(n + 1):
        for side in range(2):  # a corner of lines begins before its knot and ends after it
            right = high
            if k < n:
                width = table[knots + n + 3 * k + 2] if table[at + FORM] == LINES else 0.0
                right = table[knots + k] + (width if side else -width)
            right = min(max(right, left), high)
            half, middle = 0.5 * (right - left), 0.5 * (right + left)
            if half > 0.0:
                for g in range(2):
                    x = half * GAUSS_POINTS[g]
                    total += (
                        half
                        * GAUSS_WEIGHTS[g]
                        * (look_up(table, at, middle - x, 0) + look_up(table, at, middle + x, 0))
                    )
            left = right
    return total if b >= a else -total


knot_below.arguments = (VECTOR, int64, int64, float64)
look_up.arguments = (VECTOR, int64, float64, int64)
pieces_between.arguments = (VECTOR, int64, float64, float64)
