"""The lubricant film between a flat pad of one body and a wall of another: four of them carry a box in its guide.

The pad is the rectangle of wall_face.py, with centre C, unit edges a, b and half lengths X, Y; the wall the plane with
normal g. At a place (ξ, η) of the pad the gap is q − g·(d + C + ξ X a + η Y b), linear in ξ and η. Reynolds' equation
of a wall that stands still and a pad that moves with v(x) = v + ω × x, seen from the wall, is ∇·(h³∇p) = −12 μ σ with

    σ(x) = m·v(x),   m = g − ½ (a (g·a) + b (g·b))

m is the mean of the two normals: approach, and half of what slides along the wedge. σ is linear in ξ and η too, and its
pressure pushes pad and wall apart along m, at one point, so that moments balance, the power is −∫ p σ dA, and bodies
that move together feel nothing. The drag of the pressure's flow is in m; shear μ/h acts against sliding and against
turning about m: a force at the centre of 1/h and a couple. pad_coefficients.py has ∫ p, ∫ p ξ and ∫ p η; p = 0 at the
edges of the pad, p ≥ 0 within.
"""

from __future__ import annotations

from math import sqrt

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.dynamics.arrays import (
    ARM_OF,
    DEPTH,
    DEPTH_RATE,
    ECCENTRICITY,
    FORCE_ON_BALL,
    FRAME,
    MODEL,
    NUMBERS,
    OMEGA_BALL,
    POWER,
    RATE_OF,
    REPORT_OWN,
    REPORT_PENETRATION,
    REPORT_POWER,
    SURFACE_TABLE,
    TORQUE_ON_BALL,
    WORK,
)
from gudgeon.kernels.elements.bushing import in_joint_axes, vector
from gudgeon.kernels.elements.joints import clear_force
from gudgeon.kernels.elements.pad_coefficients import pad_push
from gudgeon.kernels.elements.wall_face import (
    FACE_CENTRE,
    FACE_FIRST,
    FACE_SECOND,
    HALF_FIRST,
    HALF_PLANE,
    HALF_SECOND,
    PLANE_NORMAL,
    PLANE_OFFSET,
    deepest,
    turned,
)
from gudgeon.kernels.kinematics.vectors import dot, plus, plus_times, vector_product

# numbers of the element: those of a wall up to HALF_PLANE, then
FILM_STRENGTH = HALF_PLANE + 1  # 12 μ (X Y)² [Pa·s·m⁴]
FILM_SHEAR = HALF_PLANE + 2  # 4 μ X Y [Pa·s·m²]
THINNEST = HALF_PLANE + 3  # smallest film [m]
FIRST_ALONG = HALF_PLANE + 4  # 1: the first edge is along the guide
assert THINNEST - NUMBERS == 18  # models/walls.py writes them in this order

# outputs of the element, from REPORT_OWN on
MINIMUM_FILM, FILM_LOAD, FILM_FRICTION, TILT, CENTRE_ACROSS, CENTRE_ALONG, POWER_LOST = range(7)


@inlined
def over_wall(p, x):
    """C, X a, Y b and m, joint's axes; the gap at C, and by how much it grows to the two edges."""
    g, centre = vector(p, PLANE_NORMAL), turned(x, vector(p, FACE_CENTRE))
    first, second = turned(x, vector(p, FACE_FIRST)), turned(x, vector(p, FACE_SECOND))
    one, other = dot(g, first), dot(g, second)
    h = -dot(g, in_joint_axes(x, vector(x, ECCENTRICITY))) - (dot(g, centre) - p[PLANE_OFFSET])
    m = plus_times(plus_times(g, -0.5 * one, first), -0.5 * other, second)
    X, Y = p[HALF_FIRST], p[HALF_SECOND]
    first = (X * first[0], X * first[1], X * first[2])
    second = (Y * second[0], Y * second[1], Y * second[2])
    return centre, first, second, m, h, -one * X, -other * Y


@inlined
def approach(centre, first, second, m, v, w):
    """σ at C, and by how much it grows to the two edges."""
    return (
        dot(m, plus(v, vector_product(w, centre))),
        dot(m, vector_product(w, first)),
        dot(m, vector_product(w, second)),
    )


@inlined
def pushed(centre, first, second, m, Q):
    """Force and torque about P_j of the pressure."""
    at = plus_times(plus_times((Q[0] * centre[0], Q[0] * centre[1], Q[0] * centre[2]), Q[1], first), Q[2], second)
    return (-Q[0] * m[0], -Q[0] * m[1], -Q[0] * m[2]), vector_product(m, at)


@inlined
def sheared(centre, first, second, m, v, w, drag, xi, eta):
    """Force of the shear, and where it acts."""
    at = plus_times(plus_times(centre, xi, first), eta, second)
    u = plus(v, vector_product(w, at))
    u = plus_times(u, -dot(u, m) / dot(m, m), m)
    return (-drag * u[0], -drag * u[1], -drag * u[2]), at


@inlined
def spun(m, w, drag):
    """Couple of the shear against turning about m."""
    twist = -drag * dot(m, w) / dot(m, m)
    return twist * m[0], twist * m[1], twist * m[2]


@called
def push_of_pad(p, table, x):
    """Force and torque of a film for the motion x, at P_j, joint's axes; its power; Q."""
    v, w = in_joint_axes(x, vector(x, RATE_OF)), in_joint_axes(x, vector(x, OMEGA_BALL))
    centre, first, second, m, h, a, b = over_wall(p, x)
    s0, s1, s2 = approach(centre, first, second, m, v, w)
    Q0, Q1, Q2, shear, xi, eta, spread = pad_push(table, p[THINNEST], h, a, b, s0, s1, s2)
    strength = p[FILM_STRENGTH]
    Q = (strength * Q0, strength * Q1, strength * Q2)
    force, torque = pushed(centre, first, second, m, Q)
    drag, at = sheared(centre, first, second, m, v, w, p[FILM_SHEAR] * shear, xi, eta)
    couple = spun(m, w, p[FILM_SHEAR] * shear * spread * p[HALF_FIRST] * p[HALF_SECOND])
    power = Q[0] * s0 + Q[1] * s1 + Q[2] * s2 - dot(drag, plus(v, vector_product(w, at))) - dot(couple, w)
    return plus(force, drag), plus(plus(torque, vector_product(at, drag)), couple), power, Q


@addressed(void(MODEL, WORK, int64, int64, int64))
def force_of_pad_film(m, w, k, a, b):
    """Force and torque for the motion in line a of `local`, into line b of `force`."""
    clear_force(w.force, b)
    x, out = w.local[a], w.force[b]
    force, torque, power, _ = push_of_pad(m.compliant_vector[k], m.compliant[k, SURFACE_TABLE], x)
    for r in range(3):
        axes = vector(x, FRAME + 3 * r)
        out[FORCE_ON_BALL + r], out[TORQUE_ON_BALL + r] = dot(axes, force), dot(axes, torque)
        out[ARM_OF + r] = x[ECCENTRICITY + r]
    out[POWER] = power


@addressed(void(MODEL, WORK, int64, int64, int64))
def depth_of_pad_film(m, w, k, a, b):
    """How far a corner's film is below the smallest, and its rate; for line a of `local`, into line b of `force`."""
    depth, rate = deepest(m, k, w.local[a])
    w.force[b, DEPTH], w.force[b, DEPTH_RATE] = depth + m.compliant_vector[k, THINNEST], rate


@addressed(void(MODEL, WORK, int64))
def report_of_pad_film(m, w, k):
    """The film in the motion of line k of `local`."""
    out, p, x = w.report, m.compliant_vector[k], w.local[k]
    g, X, Y = vector(p, PLANE_NORMAL), p[HALF_FIRST], p[HALF_SECOND]
    force, _, power, Q = push_of_pad(p, m.compliant[k, SURFACE_TABLE], x)
    _, _, _, _, h, a, b = over_wall(p, x)
    thinnest = h - abs(a) - abs(b)
    along = plus_times(force, -dot(g, force), g)
    out[REPORT_PENETRATION], out[REPORT_POWER] = p[THINNEST] - thinnest, power
    out[REPORT_OWN + MINIMUM_FILM], out[REPORT_OWN + FILM_LOAD] = thinnest, Q[0]
    out[REPORT_OWN + FILM_FRICTION], out[REPORT_OWN + POWER_LOST] = sqrt(dot(along, along)), power
    out[REPORT_OWN + TILT] = sqrt((a / X) * (a / X) + (b / Y) * (b / Y))
    if Q[0] > 0.0:
        one, other = X * Q[1] / Q[0], Y * Q[2] / Q[0]
        out[REPORT_OWN + CENTRE_ACROSS] = other if p[FIRST_ALONG] == 1.0 else one
        out[REPORT_OWN + CENTRE_ALONG] = one if p[FIRST_ALONG] == 1.0 else other
