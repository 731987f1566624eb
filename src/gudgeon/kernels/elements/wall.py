"""A rectangle of one body and a plane of another: a wall of a guide and the face of the slider, a key and its slot.

The rectangle, with centre C, unit edges a, b and half lengths h_a, h_b, belongs to the ball; the plane, with unit
normal g into the wall and offset q from the socket's joint point, to the socket. A point of the rectangle is at X from
the ball's joint point, d that from the socket's, and is pressed in by

    X = R (C + u a + v b),   δ = g·(d + X) − q,   δ̇ = g·(ḋ + ω × X)

which is linear in u and v: what touches is a polygon, the rectangle cut by a line. With the pressure p(δ, δ̇, δ̇⁽⁻⁾) and
friction per area τ, all at X, about the ball's joint point,

    F = ∫ (−p g − τ t/|t|) dA,   T = ∫ X × (−p g − τ t/|t|) dA,   t = ḋ + ω × X − δ̇ g

At rest this is the gradient of U = ∫∫ p dδ dA, since p = 0 on the edge that moves over the rectangle. Where the plane
ends over the rectangle, along b, its end pushes along the plane by the energy per length that is lost there.

wall_face.py says where the points of the quadrature are.
"""

from __future__ import annotations

from math import sqrt

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed, called
from gudgeon.kernels.dynamics.arrays import (
    ARM_OF,
    DEPTH,
    DEPTH_RATE,
    ECCENTRICITY,
    FORCE_ON_BALL,
    FRAME,
    IMPACT_SPEED,
    MODEL,
    NORMAL,
    OMEGA_BALL,
    POWER,
    RATE_OF,
    REPORT_AREA,
    REPORT_CONTACT,
    REPORT_FRICTION,
    REPORT_NORMAL,
    REPORT_OWN,
    REPORT_PENETRATION,
    REPORT_POWER,
    REPORT_PRESSURE,
    REPORT_RATE,
    REPORT_STORED,
    SMALLEST_IMPACT,
    TORQUE_ON_BALL,
    WORK,
)
from gudgeon.kernels.elements.bushing import in_joint_axes, vector
from gudgeon.kernels.elements.joints import clear_force
from gudgeon.kernels.elements.laws import contact_energy, friction_force, normal_force
from gudgeon.kernels.elements.pushes import pushes
from gudgeon.kernels.elements.wall_face import (
    ALONG,
    ALONG_WEIGHT,
    CUT,
    FACE_CENTRE,
    FACE_FIRST,
    FACE_SECOND,
    HALF_FIRST,
    HALF_SECOND,
    PLANE_NORMAL,
    PLANE_OFFSET,
    deepest,
    face_of,
    line_of,
    part_of_face,
    place_in_strip,
    slope_of,
    strip,
    turned,
)
from gudgeon.kernels.kinematics.vectors import dot, plus, plus_times, vector_product

# outputs of the element, from REPORT_OWN on
WALL_FORCE, WALL_FRICTION, TOUCHING_AREA, CENTRE_FIRST, CENTRE_SECOND, POWER_LOST, PEAK_PRESSURE = range(7)


@called
def add_ends(m, k, x, impact, force, torque):
    """Force and torque with what the ends of the plane add: they push along b, by the energy per length W there.

    As far as an end of the plane moves over the rectangle, U changes by W: the axial force is ±W at the middle of it.
    """
    p = m.compliant_vector[k]
    g, b, own = vector(p, PLANE_NORMAL), vector(p, FACE_SECOND), turned(x, vector(p, FACE_CENTRE))
    first, second = turned(x, vector(p, FACE_FIRST)), turned(x, vector(p, FACE_SECOND))
    low, high, turned_by = part_of_face(p, x, own, second)
    d, slope = in_joint_axes(x, vector(x, ECCENTRICITY)), dot(g, first)
    for side in range(2):
        at = high if side else low
        if abs(at) >= p[HALF_SECOND] * (1.0 - CUT):
            continue
        X = plus_times(own, at, second)
        depth = dot(g, d) + (dot(g, X) - p[PLANE_OFFSET])
        left, right, shallow, deep = strip(1, depth, abs(slope), 1.0, 0.0, p[HALF_FIRST], 0.0)
        energy = 0.0
        for i in range(5 if right > left else 0):
            _, delta, weight = place_in_strip(i, left, right, shallow, deep)
            energy += weight * contact_energy(m, k, delta, impact)
        push = (energy if side else -energy) / turned_by
        f = (push * b[0], push * b[1], push * b[2])
        force, torque = plus(force, f), plus(torque, vector_product(X, f))
    return force, torque


@called
def push_of_wall(m, w, k, a, out, reports):
    """Force, torque, normal force and power for the motion in line a of `local` into `out`, or what is told of it."""
    x, p, told = w.local[a], m.compliant_vector[k], w.report
    impact = max(w.contact[k, IMPACT_SPEED], p[SMALLEST_IMPACT])
    centre, first, second, half_second, depth, along_first, along_second = face_of(m, k, x)
    g, v0, o = vector(p, PLANE_NORMAL), in_joint_axes(x, vector(x, RATE_OF)), in_joint_axes(x, vector(x, OMEGA_BALL))
    half_first = p[HALF_FIRST]
    steepness, across, along = slope_of(along_first, along_second)
    force, torque, rubbed = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    normal = power = area = stored = moment_first = moment_second = 0.0
    for number in range(3):
        low, high, shallow, deep = strip(number, depth, steepness, across, along, half_first, half_second)
        if high <= low:
            continue
        for i in range(5):
            at, delta, weight = place_in_strip(i, low, high, shallow, deep)
            left, right = line_of(at, across, along, half_first, half_second)
            for j in range(3):
                s = left + (right - left) * ALONG[j]
                size = weight * (right - left) * ALONG_WEIGHT[j]
                u, v = at * across - s * along, at * along + s * across
                X = plus_times(plus_times(centre, u, first), v, second)
                velocity = plus(v0, vector_product(o, X))
                rate = dot(g, velocity)
                pressure, elastic = normal_force(m, k, delta, rate, impact), normal_force(m, k, delta, 0.0, impact)
                slide = plus_times(velocity, -rate, g)
                speed = sqrt(dot(slide, slide))
                rub = friction_force(m, k, speed, pressure) / speed if speed > 0.0 else 0.0
                f = plus_times((-pressure * g[0], -pressure * g[1], -pressure * g[2]), -rub, slide)
                force, torque = plus_times(force, size, f), plus_times(torque, size, vector_product(X, f))
                normal += size * pressure
                power += size * ((pressure - elastic) * rate + rub * speed * speed)
                if reports:
                    rubbed = plus_times(rubbed, -size * rub, slide)
                    area += size
                    stored += size * contact_energy(m, k, delta, impact)
                    moment_first += size * pressure * u
                    moment_second += size * pressure * v
    if half_second < p[HALF_SECOND] * (1.0 - CUT):
        force, torque = add_ends(m, k, x, impact, force, torque)
    if not reports:
        for r in range(3):
            axes = vector(x, FRAME + 3 * r)
            out[FORCE_ON_BALL + r], out[TORQUE_ON_BALL + r] = dot(axes, force), dot(axes, torque)
        out[NORMAL], out[POWER] = normal, power
        return
    for r in range(3):
        told[REPORT_FRICTION + r] = dot(vector(x, FRAME + 3 * r), rubbed)
    corner, rate = deepest(m, k, x)
    told[REPORT_NORMAL], told[REPORT_POWER], told[REPORT_STORED], told[REPORT_AREA] = normal, power, stored, area
    told[REPORT_PRESSURE] = normal_force(m, k, max(corner, 0.0), rate, impact)
    told[REPORT_OWN + WALL_FORCE], told[REPORT_OWN + WALL_FRICTION] = normal, sqrt(dot(rubbed, rubbed))
    told[REPORT_OWN + TOUCHING_AREA], told[REPORT_OWN + PEAK_PRESSURE] = area, told[REPORT_PRESSURE]
    told[REPORT_OWN + POWER_LOST] = power
    if normal > 0.0:
        told[REPORT_OWN + CENTRE_FIRST] = moment_first / normal
        told[REPORT_OWN + CENTRE_SECOND] = moment_second / normal
        own = turned(x, vector(p, FACE_CENTRE))
        told[REPORT_OWN + CENTRE_SECOND] += dot(plus_times(centre, -1.0, own), second)


@addressed(void(MODEL, WORK, int64, int64, int64))
def depth_of_wall(m, w, k, a, b):
    """How deep the rectangle is in the wall, and its rate, for line a of `local`, into line b of `force`."""
    w.force[b, DEPTH], w.force[b, DEPTH_RATE] = deepest(m, k, w.local[a])


@addressed(void(MODEL, WORK, int64, int64, int64))
def force_of_wall(m, w, k, a, b):
    """Force and torque for the motion in line a of `local`, into line b of `force`."""
    clear_force(w.force, b)
    for c in range(3):
        w.force[b, ARM_OF + c] = w.local[a, ECCENTRICITY + c]
    if pushes(w, k, deepest(m, k, w.local[a])[0]):
        push_of_wall(m, w, k, a, w.force[b], False)


@addressed(void(MODEL, WORK, int64))
def report_of_wall(m, w, k):
    """What the wall does in the motion of line k of `local`; nothing but its depth while it is apart."""
    out = w.report
    depth, rate = deepest(m, k, w.local[k])
    out[REPORT_PENETRATION], out[REPORT_RATE], out[REPORT_POWER] = depth, rate, 0.0
    if pushes(w, k, depth):
        out[REPORT_CONTACT] = 1.0
        push_of_wall(m, w, k, k, w.force[k], True)
