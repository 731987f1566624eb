"""A pin in a bore, seen from the bore: axes, tilt, and the section of the tilted pin in a plane across the bore.

Bearing frame at P_i, z along the bore. d = P_j − P_i, h the pin's axis, k = h_⊥/h_z (|k| = tan ψ, ψ the tilt); v, w the
velocity of P_j and the angular velocity of the pin against the bearing. The pin's axis pierces the plane z at

    e(z) = d_⊥ + (z − d_z) k

and its section there is an ellipse, whose reach along a unit vector n is e·n + R_j S, S = √(1 + (n·k)²). Its depth
beyond the bore, shortened by `onset` where contact begins before the surfaces meet,

    δ(z) = max_n [e·n + R_j S] − (R_i − onset),    dδ/dz = n·k

is a maximum of functions linear in z, so it is convex: the deepest point of a land is one of its ends. n is e/|e| where
k ∥ e or k = 0; else Newton's method in the angle of n, which starts there. Where the ellipse decides (R k² not small
against e), n ← ∇g/|∇g| comes first: g is convex, so that each such step goes up.
"""

from __future__ import annotations

from math import sqrt

from gudgeon.kernels.build.compiled import inlined
from gudgeon.kernels.dynamics.arrays import ECCENTRICITY, NUMBERS, OMEGA_BALL, RATE_OF
from gudgeon.kernels.elements.bushing import ball_axis, in_joint_axes, vector

BORE_RADIUS = NUMBERS  # R_i [m]
PIN_RADIUS = NUMBERS + 1  # R_j [m]
ONSET = NUMBERS + 2  # gap at which contact begins [m]
ELLIPTIC = 0.05  # share of R k² in e above which the ellipse decides about n
CLIMBS = 8  # steps up, then
NEWTON = 2  # steps of Newton's method in the angle


@inlined
def in_bearing(x):
    """d, h, v, w for the motion x seen from the socket, in bearing axes."""
    return (
        in_joint_axes(x, vector(x, ECCENTRICITY)),
        ball_axis(x, 2),
        in_joint_axes(x, vector(x, RATE_OF)),
        in_joint_axes(x, vector(x, OMEGA_BALL)),
    )


@inlined
def slope_of_axis(h):
    """k."""
    return h[0] / h[2], h[1] / h[2]


@inlined
def section(p, k, e):
    """Direction n of the deepest point of the section, n·k, S and δ, for the pin's axis at e."""
    R, free = p[PIN_RADIUS], p[BORE_RADIUS] - p[PIN_RADIUS] - p[ONSET]
    square, away = k[0] * k[0] + k[1] * k[1], sqrt(e[0] * e[0] + e[1] * e[1])
    x, y = 1.0, 0.0
    if away > 0.0:
        x, y = e[0] / away, e[1] / away
    if square == 0.0:
        return x, y, 0.0, 1.0, away - free
    if R * square > ELLIPTIC * away:
        steep = sqrt(square)
        along = 1.0 if e[0] * k[0] + e[1] * k[1] >= 0.0 else -1.0
        a, b = e[0] + along * R * square * k[0] / steep, e[1] + along * R * square * k[1] / steep
        for _ in range(CLIMBS):
            s = 1.0 / sqrt(a * a + b * b)
            x, y = s * a, s * b
            nk = x * k[0] + y * k[1]
            s = R * nk / sqrt(1.0 + nk * nk)
            a, b = e[0] + s * k[0], e[1] + s * k[1]
    for _ in range(NEWTON):
        nk, tk = x * k[0] + y * k[1], x * k[1] - y * k[0]
        S = sqrt(1.0 + nk * nk)
        slope = x * e[1] - y * e[0] + R * nk * tk / S
        bend = R * (tk * tk - nk * nk - (nk * tk / S) ** 2) / S - (x * e[0] + y * e[1])
        turn = -slope / bend if bend < 0.0 else 0.0
        s = 1.0 / sqrt(1.0 + turn * turn)
        x, y = s * (x - turn * y), s * (y + turn * x)
    nk = x * k[0] + y * k[1]
    S = sqrt(1.0 + nk * nk)
    return x, y, nk, S, x * e[0] + y * e[1] + R * nk * nk / (1.0 + S) - free


@inlined
def axis_at(d, k, z):
    """e(z)."""
    return d[0] + (z - d[2]) * k[0], d[1] + (z - d[2]) * k[1]


@inlined
def half_way(p, d, k, e, z, n, nk, S, depth):
    """X − P_j of the point half-way between the surfaces of pin and bore in the plane z."""
    R, half = p[PIN_RADIUS] / S, 0.5 * (depth - p[ONSET])
    return (
        e[0] + R * (n[0] + k[0] * nk) - half * n[0] - d[0],
        e[1] + R * (n[1] + k[1] * nk) - half * n[1] - d[1],
        z - d[2] + half * nk,
    )
