"""Slopes of a wall's force and torque by the motion, point by point of the quadrature (wall.py, wall_face.py)."""

from __future__ import annotations

from math import sqrt

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.dynamics.arrays import (
    FRAME,
    IMPACT_SPEED,
    MODEL,
    OMEGA_BALL,
    RATE_OF,
    SMALLEST_IMPACT,
    WORK,
)
from gudgeon.kernels.elements.bushing import in_joint_axes, vector
from gudgeon.kernels.elements.laws import friction_force, normal_force
from gudgeon.kernels.elements.pushes import pushes
from gudgeon.kernels.elements.slope_matrices import add_entry, add_product, clear_matrix
from gudgeon.kernels.elements.wall_face import (
    ALONG,
    ALONG_WEIGHT,
    HALF_FIRST,
    PLANE_NORMAL,
    deepest,
    face_of,
    line_of,
    place_in_strip,
    slope_of,
    strip,
)
from gudgeon.kernels.kinematics.vectors import dot, plus, plus_times, vector_product

SMALL = 1e-6  # relative step of the slopes of laws [-]


@inlined
def wrench_in_world(x, X, f):
    """Force f at X and its torque about the ball's joint point, world axes."""
    t = vector_product(X, f)
    one, two, three = vector(x, FRAME), vector(x, FRAME + 3), vector(x, FRAME + 6)
    return dot(one, f), dot(two, f), dot(three, f), dot(one, t), dot(two, t), dot(three, t)


@inlined
def across_plane(g):
    """Any unit vector across the unit vector g."""
    a = (1.0, 0.0, 0.0) if abs(g[0]) < 0.6 else (0.0, 1.0, 0.0)
    a = vector_product(g, a)
    size = sqrt(dot(a, a))
    return a[0] / size, a[1] / size, a[2] / size


@called
def add_slopes(m, k, x, X, size, delta, impact, by_position, by_velocity):
    """What a point X of the rectangle, pressed in by δ, adds to the slopes of force and torque."""
    g, v0, o = (
        vector(m.compliant_vector[k], PLANE_NORMAL),
        in_joint_axes(x, vector(x, RATE_OF)),
        in_joint_axes(x, vector(x, OMEGA_BALL)),
    )
    velocity = plus(v0, vector_product(o, X))
    rate = dot(g, velocity)
    pressure = normal_force(m, k, delta, rate, impact)
    small = SMALL * delta + 1e-18
    stiffness = (normal_force(m, k, delta + small, rate, impact) - pressure) / small
    small = SMALL * abs(rate) + 1e-10
    damping = (normal_force(m, k, delta, rate + small, impact) - pressure) / small
    normal = wrench_in_world(x, X, g)
    add_product(by_position, -size * stiffness, normal, normal)
    add_product(by_velocity, -size * damping, normal, normal)
    slide = plus_times(velocity, -rate, g)
    speed = sqrt(dot(slide, slide))
    t = across_plane(g) if speed == 0.0 else (slide[0] / speed, slide[1] / speed, slide[2] / speed)
    friction = friction_force(m, k, speed, pressure)
    small = SMALL * speed + 1e-10
    steeper = (friction_force(m, k, speed + small, pressure) - friction) / small
    beside = friction / speed if speed > 0.0 else steeper
    small = SMALL * pressure + 1e-12
    heavier = (friction_force(m, k, speed, pressure + small) - friction) / small
    sliding, other = wrench_in_world(x, X, t), wrench_in_world(x, X, vector_product(g, t))
    add_product(by_velocity, -size * steeper, sliding, sliding)
    add_product(by_velocity, -size * beside, other, other)
    # the force stays while its point turns: (θ × X) × f = X (θ·f) − θ (X·f)
    f = plus_times((-pressure * g[0], -pressure * g[1], -pressure * g[2]), -friction, t)
    lever, pushed = wrench_in_world(x, (0.0, 0.0, 0.0), X), wrench_in_world(x, X, f)
    for r in range(3):
        for c in range(3):
            add_entry(by_position, 3 + r, 3 + c, size * lever[r] * pushed[c])
        add_entry(by_position, 3 + r, 3 + r, -size * dot(X, f))
    if speed > 0.0:
        add_product(by_position, -size * heavier * stiffness, sliding, normal)
        add_product(by_velocity, -size * heavier * damping, sliding, normal)


@addressed(void(MODEL, WORK, int64, int64, int64, int64))
def slopes_of_wall(m, w, k, a, by_position, by_velocity):
    """Derivatives of force and torque by the motion in line a of `local`, into 6 × 6 matrices by address.

    How sliding velocities change as their points turn is left out.
    """
    clear_matrix(by_position)
    clear_matrix(by_velocity)
    x, p = w.local[a], m.compliant_vector[k]
    if not pushes(w, k, deepest(m, k, x)[0]):
        return
    impact = max(w.contact[k, IMPACT_SPEED], p[SMALLEST_IMPACT])
    centre, first, second, half_second, depth, along_first, along_second = face_of(m, k, x)
    half_first = p[HALF_FIRST]
    steepness, across, along = slope_of(along_first, along_second)
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
                add_slopes(m, k, x, X, size, delta, impact, by_position, by_velocity)
