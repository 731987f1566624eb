"""Curves: points and derivatives at a parameter u, and the point of a curve that is nearest to another point.

A curve is a row of short pieces. Its stretch of `Model.curve_table` has, for n pieces of degree d,

    n + 1   values of u where pieces begin and end            n + 1      lengths of the curve up to there
    n       how far each piece leaves its chord, at most      3 (n + 1)  points where pieces begin and end
    PIECES: n × 4 (d + 1) coefficients of X, Y, Z, W in h = u − u_k, so that c = (X, Y, Z)/W (rational: a NURBS curve)
    POLAR:  c = ρ(u) (cos u, sin u, 0), ρ = ρ₀ + lift(θ), θ = −u in [0, 2π), ρ₀ one more number, `lift` a program

The nearest point is sought in all pieces whose chords say that it may be there, so that nothing has to be remembered:
F(u) = c′·(p − c) = 0 by Newton's method with bisection, or an end of the piece.
"""

from __future__ import annotations

from math import atan2, cos, floor, inf, pi, sin, sqrt

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.dynamics.arrays import (
    CURVE_AT,
    CURVE_COUNT,
    CURVE_DEGREE,
    CURVE_EXTRUDED,
    CURVE_KIND,
    CURVE_PROGRAM,
    POLAR,
)
from gudgeon.kernels.functions.programs import function
from gudgeon.kernels.kinematics.vectors import dot, plus_times

ITERATIONS = 60
SETTLED = 1e-9  # last change of u by Newton's method, of the piece: what is left is the square of that
CORNER = 1e-7  # sine of the angle by which the nearest point of a corner is off the normal
ROUNDING = 1e-10  # so far beyond its end is not beyond it, of the length of the curve


@inlined
def begin_of_lengths(m, c):
    """The first of the lengths of curve c."""
    return m.curve[c, CURVE_AT] + m.curve[c, CURVE_COUNT] + 1


@inlined
def begin_of_sags(m, c):
    """The first of what pieces leave their chords by."""
    return begin_of_lengths(m, c) + m.curve[c, CURVE_COUNT] + 1


@inlined
def begin_of_points(m, c):
    """The first of the points where pieces begin."""
    return begin_of_sags(m, c) + m.curve[c, CURVE_COUNT]


@inlined
def begin_of_coefficients(m, c):
    """The first coefficient, or ρ₀."""
    return begin_of_points(m, c) + 3 * (m.curve[c, CURVE_COUNT] + 1)


@inlined
def polynomial(table, at, degree, h):
    """Value and first three derivatives of the polynomial whose coefficients begin at `at`."""
    x = x1 = x2 = x3 = 0.0
    for k in range(degree, -1, -1):
        x3 = x3 * h + 3.0 * x2
        x2 = x2 * h + 2.0 * x1
        x1 = x1 * h + x
        x = x * h + table[at + k]
    return x, x1, x2, x3


@inlined
def quotient(a, w):
    """Value and derivatives of a(u)/w(u)."""
    x = a[0] / w[0]
    x1 = (a[1] - w[1] * x) / w[0]
    x2 = (a[2] - 2.0 * w[1] * x1 - w[2] * x) / w[0]
    return x, x1, x2, (a[3] - 3.0 * (w[1] * x2 + w[2] * x1) - w[3] * x) / w[0]


@inlined
def radius_of_profile(m, w, c, u):
    """ρ and its first two derivatives at the angle u."""
    p, turn = m.curve[c, CURVE_PROGRAM], -u - 2.0 * pi * floor(-u / (2.0 * pi))
    rho = m.curve_table[begin_of_coefficients(m, c)] + function(m, w, p, turn)
    return rho, -function(m, w, p + 1, turn), function(m, w, p + 2, turn)


@called
def on_curve(m, w, c, k, u):
    """c, c′, c″ and c‴ of piece k at u (c‴ = 0 where a profile does not tell it)."""
    if m.curve[c, CURVE_KIND] == POLAR:
        rho, slope, bend = radius_of_profile(m, w, c, u)
        x, y = cos(u), sin(u)
        return (
            (rho * x, rho * y, 0.0),
            (slope * x - rho * y, slope * y + rho * x, 0.0),
            ((bend - rho) * x - 2.0 * slope * y, (bend - rho) * y + 2.0 * slope * x, 0.0),
            (0.0, 0.0, 0.0),
        )
    table, d = m.curve_table, m.curve[c, CURVE_DEGREE]
    at, h = begin_of_coefficients(m, c) + 4 * (d + 1) * k, u - table[m.curve[c, CURVE_AT] + k]
    weight = polynomial(table, at + 3 * (d + 1), d, h)
    x = quotient(polynomial(table, at, d, h), weight)
    y = quotient(polynomial(table, at + d + 1, d, h), weight)
    z = quotient(polynomial(table, at + 2 * (d + 1), d, h), weight)
    return (x[0], y[0], z[0]), (x[1], y[1], z[1]), (x[2], y[2], z[2]), (x[3], y[3], z[3])


@inlined
def seen_in_plane(a, flat):
    """a, without what is along the extrusion."""
    return (a[0], a[1], 0.0) if flat else a


@inlined
def distance_to_chord(table, at, p, flat):
    """Distance of p from the line between two points of `table`, and where on that it is, 0 … 1."""
    ax, ay, az = p[0] - table[at], p[1] - table[at + 1], p[2] - table[at + 2]
    bx, by, bz = table[at + 3] - table[at], table[at + 4] - table[at + 1], table[at + 5] - table[at + 2]
    if flat:
        az = bz = 0.0
    square = bx * bx + by * by + bz * bz
    s = (ax * bx + ay * by + az * bz) / square if square > 0.0 else 0.0
    s = min(max(s, 0.0), 1.0)
    ax, ay, az = ax - s * bx, ay - s * by, az - s * bz
    return sqrt(ax * ax + ay * ay + az * az), s


@called
def nearest_in_piece(m, w, c, k, p, share, flat):
    """u of the point of piece k that is nearest to p, sought from a part of the piece on, and its distance squared."""
    table, first = m.curve_table, m.curve[c, CURVE_AT]
    begin, end = table[first + k], table[first + k + 1]
    low, high, u, square = begin, end, begin + share * (end - begin), inf
    low_known, high_known = False, False
    for _ in range(ITERATIONS):
        point, slope, bend, _ = on_curve(m, w, c, k, u)
        away = seen_in_plane(plus_times(p, -1.0, point), flat)
        f, g, square = dot(slope, away), dot(slope, slope) - dot(bend, away), dot(away, away)
        if (f >= 0.0 and u >= end) or (f <= 0.0 and u <= begin):
            break
        if f > 0.0:
            low, low_known = u, True
        else:
            high, high_known = u, True
        new = u + f / g if g > 0.0 else end if f > 0.0 else begin
        if not low < new < high:  # to the end of the piece, once; otherwise to the middle of what is left
            beyond = new >= high
            known = high_known if beyond else low_known
            new = 0.5 * (low + high) if known else end if beyond else begin
            u = new
            if known and not low < new < high:
                break
            continue
        change, u = abs(new - u), new
        if change <= SETTLED * (end - begin):
            break
    return u, square


@called
def nearest_on_profile(m, w, c, p):
    """Piece and u of the point of a profile that is nearest to p.

    What is seen from the centre at an angle Δ from p is at least |p| sin Δ away from it.
    """
    n, far = m.curve[c, CURVE_COUNT], sqrt(p[0] * p[0] + p[1] * p[1])
    angle = atan2(p[1], p[0])
    width = 2.0 * pi / n
    share = (angle if angle >= 0.0 else angle + 2.0 * pi) / width
    middle = min(int(share), n - 1)
    place, best = nearest_in_piece(m, w, c, middle, p, min(share - middle, 1.0), True)
    piece = middle
    for step in range(1, n // 2 + 1):
        nearer = False
        for side in range(2):
            k = (middle + step if side else middle - step + n) % n
            seen = (middle + step - share if side else share - (middle - step + 1)) * width
            if seen < 0.5 * pi and far * sin(seen) >= sqrt(best):
                continue
            nearer = True
            u, square = nearest_in_piece(m, w, c, k, p, 0.0 if side else 1.0, True)
            if square < best:
                best, piece, place = square, k, u
        if not nearer:
            break
    return piece, place


@called
def nearest_on_curve(m, w, c, p):
    """Piece and u of the point of curve c that is nearest to p, seen along z where the curve is extruded."""
    if m.curve[c, CURVE_KIND] == POLAR:
        return nearest_on_profile(m, w, c, p)
    table, n, flat = m.curve_table, m.curve[c, CURVE_COUNT], m.curve[c, CURVE_EXTRUDED] == 1
    points, sags = begin_of_points(m, c), begin_of_sags(m, c)
    near = inf  # no farther is the curve
    for k in range(n):
        near = min(near, distance_to_chord(table, points + 3 * k, p, flat)[0] + table[sags + k])
    best, piece, place = inf, 0, table[m.curve[c, CURVE_AT]]
    for k in range(n):
        distance, share = distance_to_chord(table, points + 3 * k, p, flat)
        if distance - table[sags + k] <= near:
            u, square = nearest_in_piece(m, w, c, k, p, share, flat)
            if square < best:
                best, piece, place = square, k, u
    return piece, place


@inlined
def bent(slope, bend):
    """|c′|, the tangent t, and dt/ds: the curvature vector."""
    speed = sqrt(dot(slope, slope))
    t = (slope[0] / speed, slope[1] / speed, slope[2] / speed)
    along, square = dot(t, bend), speed * speed
    return (
        speed,
        t,
        (
            (bend[0] - along * t[0]) / square,
            (bend[1] - along * t[1]) / square,
            (bend[2] - along * t[2]) / square,
        ),
    )


@inlined
def is_corner(m, c, piece, u, slope, away):
    """Is the nearest point a corner or an end of the curve, so that what is away from it is not across the curve?"""
    table, first, n = m.curve_table, m.curve[c, CURVE_AT], m.curve[c, CURVE_COUNT]
    if table[first + piece] < u < table[first + piece + 1]:
        return False
    square = dot(slope, away) ** 2 / dot(slope, slope)
    return square > CORNER * CORNER * dot(away, away) and square > (ROUNDING * table[begin_of_lengths(m, c) + n]) ** 2
