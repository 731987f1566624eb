"""Points at walls, and pins, as rows of a nonsmooth step: their motion and given forces.

Point p of a body (a corner, a node) and a wall of another, G, with normal n towards the point and direction t along it:

    g = n·(p − s),   ġ = n·(v_p − v_G(p)),   v = t·(v_p − v_G(p)),   δ = −g
"""

from __future__ import annotations

from numba import void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.build.records import VECTOR
from gudgeon.kernels.dynamics.arrays import IMPACT_SPEED, MODEL, OMEGA, POSITION, VELOCITY, WORK
from gudgeon.kernels.dynamics.loads import push
from gudgeon.kernels.elements.laws import contact_law, energy_of_law
from gudgeon.kernels.elements.nodes import (
    forces_on_nodes,
    in_plane,
    internal_forces,
    node_position,
    node_velocity,
)
from gudgeon.kernels.elements.point_arrays import (
    ALONG,
    FRICTION_FORCE,
    GAP,
    GAP_RATE,
    HARD,
    IN_PIN_FIRST,
    IN_PIN_SECOND,
    IN_POINT,
    IN_WALL,
    LAW_CALL,
    NODE,
    NORMAL_FORCE,
    OUTWARD,
    PIN_ACROSS,
    PIN_ALONG,
    PIN_FIRST,
    PIN_FORCE,
    PIN_GAP,
    PIN_NODE,
    PIN_RATE,
    PIN_SECOND,
    POINT_BODY,
    SLIDING,
    SLOWEST_TOUCH,
    WALL_BODY,
)
from gudgeon.kernels.kinematics.rotation import cross, rotated, rotated_vector


@inlined
def point_motion(w, b, vectors, k, at):
    """World position and velocity of a point of body b, given in its axes."""
    x, y, z = rotated(w.body, b, vectors, k, at)
    body = w.body
    u, v, o = cross(body[b, OMEGA], body[b, OMEGA + 1], body[b, OMEGA + 2], x, y, z)
    return (
        body[b, POSITION] + x,
        body[b, POSITION + 1] + y,
        body[b, POSITION + 2] + z,
        body[b, VELOCITY] + u,
        body[b, VELOCITY + 1] + v,
        body[b, VELOCITY + 2] + o,
    )


@inlined
def surface_point(m, w, y, c):
    """World position and velocity of point c."""
    s, node = m.flexible, m.points.wall[c, NODE]
    if node >= 0:
        x0, x1, x2 = node_position(s, y, node)
        v0, v1, v2 = node_velocity(s, y, node)
        return x0, x1, x2, v0, v1, v2
    return point_motion(w, m.points.wall[c, POINT_BODY], m.points.wall_vector, c, IN_POINT)


@inlined
def wall_motion(m, w, y, c):
    """Gap, rates and directions of point c at its wall: fills its line in `w.points.wall`; returns p, n, t."""
    i, V, body = m.points.wall[c, WALL_BODY], m.points.wall_vector, w.body
    p0, p1, p2, v0, v1, v2 = surface_point(m, w, y, c)
    n0, n1, n2 = V[c, OUTWARD], V[c, OUTWARD + 1], V[c, OUTWARD + 2]
    t0, t1, t2 = V[c, ALONG], V[c, ALONG + 1], V[c, ALONG + 2]
    s0, s1, s2 = V[c, IN_WALL], V[c, IN_WALL + 1], V[c, IN_WALL + 2]
    d0, d1, d2 = p0, p1, p2
    if i > 0:
        n0, n1, n2 = rotated_vector(body, i, n0, n1, n2)
        t0, t1, t2 = rotated_vector(body, i, t0, t1, t2)
        s0, s1, s2 = rotated_vector(body, i, s0, s1, s2)
        d0, d1, d2 = p0 - body[i, POSITION], p1 - body[i, POSITION + 1], p2 - body[i, POSITION + 2]
        u0, u1, u2 = cross(body[i, OMEGA], body[i, OMEGA + 1], body[i, OMEGA + 2], d0, d1, d2)
        v0 -= body[i, VELOCITY] + u0
        v1 -= body[i, VELOCITY + 1] + u1
        v2 -= body[i, VELOCITY + 2] + u2
    line = w.points.wall[c]
    line[GAP] = n0 * (d0 - s0) + n1 * (d1 - s1) + n2 * (d2 - s2)
    line[GAP_RATE] = n0 * v0 + n1 * v1 + n2 * v2
    line[SLIDING] = t0 * v0 + t1 * v1 + t2 * v2
    return p0, p1, p2, n0, n1, n2, t0, t1, t2


@inlined
def pin_motion(m, w, y, k):
    """Gap and its rate of pin k, into `w.points.pin`; returns the two points."""
    s, pin, V = m.flexible, m.points.pin, m.points.pin_vector
    node = pin[k, PIN_NODE]
    a0, a1, a2, u0, u1, u2 = point_motion(w, pin[k, PIN_FIRST], V, k, IN_PIN_FIRST)
    if node >= 0:
        b0, b1, b2 = node_position(s, y, node)
        v0, v1, v2 = node_velocity(s, y, node)
    else:
        b0, b1, b2, v0, v1, v2 = point_motion(w, pin[k, PIN_SECOND], V, k, IN_PIN_SECOND)
    for c in range(2):
        at = PIN_ALONG + c * (PIN_ACROSS - PIN_ALONG)
        x, z, o = V[k, at], V[k, at + 1], V[k, at + 2]
        w.points.pin[k, PIN_GAP + c] = x * (b0 - a0) + z * (b1 - a1) + o * (b2 - a2)
        w.points.pin[k, PIN_RATE + c] = x * (v0 - u0) + z * (v1 - u1) + o * (v2 - u2)
    return a0, a1, a2, b0, b1, b2


@inlined
def push_at(w, b, p0, p1, p2, f0, f1, f2):
    """A force on body b at a point of the world."""
    if b > 0:
        push(
            w.body, b, p0 - w.body[b, POSITION], p1 - w.body[b, POSITION + 1], p2 - w.body[b, POSITION + 2], f0, f1, f2
        )


@inlined
def contact_line(m, c):
    """The line of `Work.contact` of point c: behind those of the compliant joints."""
    return m.compliant.shape[0] + c


@inlined
def law_of(m, w, c, delta, ddelta):
    """Normal force of a compliant contact [N]; of one that is not known to have begun, as if it began now."""
    L, wall, began = LAW_CALL, m.points.wall, w.contact[contact_line(m, c), IMPACT_SPEED]
    speed = max(began if began > 0.0 else ddelta, SLOWEST_TOUCH)
    return contact_law(wall[c, L], wall[c, L + 1], wall[c, L + 2], delta, ddelta, speed)


@inlined
def energy_at_wall(m, w, c):
    """Energy stored in the contact of point c at the motion last evaluated [J]."""
    L, wall, depth = LAW_CALL, m.points.wall, -w.points.wall[c, GAP]
    if depth <= 0.0 or wall[c, HARD]:
        return 0.0
    speed = max(w.contact[contact_line(m, c), IMPACT_SPEED], SLOWEST_TOUCH)
    return energy_of_law(wall[c, L], wall[c, L + 1], wall[c, L + 2], depth, speed)


@called
def push_point(m, w, y, c):
    """Apply the forces in the line of point c to the bodies of wall and point."""
    wall = m.points.wall
    p0, p1, p2, n0, n1, n2, t0, t1, t2 = wall_motion(m, w, y, c)
    N, T = w.points.wall[c, NORMAL_FORCE], w.points.wall[c, FRICTION_FORCE]
    f0, f1, f2 = N * n0 + T * t0, N * n1 + T * t1, N * n2 + T * t2
    push_at(w, wall[c, WALL_BODY], p0, p1, p2, -f0, -f1, -f2)
    node = wall[c, NODE]
    if node >= 0:
        a, b = in_plane(m.flexible, node, f0, f1, f2)
        w.flexible.force[node] += a
        w.flexible.force[node + 1] += b
    else:
        push_at(w, wall[c, POINT_BODY], p0, p1, p2, f0, f1, f2)


@called
def push_pin(m, w, y, k):
    """Apply the forces in the line of pin k to its two bodies."""
    pin, V = m.points.pin, m.points.pin_vector
    node = pin[k, PIN_NODE]
    a0, a1, a2, b0, b1, b2 = pin_motion(m, w, y, k)
    X, Y = w.points.pin[k, PIN_FORCE], w.points.pin[k, PIN_FORCE + 1]
    f0 = X * V[k, PIN_ALONG] + Y * V[k, PIN_ACROSS]
    f1 = X * V[k, PIN_ALONG + 1] + Y * V[k, PIN_ACROSS + 1]
    f2 = X * V[k, PIN_ALONG + 2] + Y * V[k, PIN_ACROSS + 2]
    push_at(w, pin[k, PIN_FIRST], a0, a1, a2, -f0, -f1, -f2)
    if node >= 0:
        a, b = in_plane(m.flexible, node, f0, f1, f2)
        w.flexible.force[node] += a
        w.flexible.force[node + 1] += b
    else:
        push_at(w, pin[k, PIN_SECOND], b0, b1, b2, f0, f1, f2)


@inlined
def has_points(m):
    """Are there points at walls, or pins, whose forces a step solves for?"""
    return m.points.wall.shape[0] + m.points.pin.shape[0] > 0


@addressed(void(MODEL, WORK, VECTOR, VECTOR))
def given_forces(m, w, y, unknown):
    """Apply given forces of points at walls and of pins to bodies and nodes: the rows of an implicit step."""
    points, wall, pin = m.points, w.points.wall, w.points.pin
    forces_on_nodes(m, w, w.flexible.force)
    at = unknown.shape[0] - 2 * (points.wall.shape[0] + points.pin.shape[0])
    for c in range(points.wall.shape[0]):
        wall[c, NORMAL_FORCE], wall[c, FRICTION_FORCE] = unknown[at], unknown[at + 1]
        push_point(m, w, y, c)
        at += 2
    for k in range(points.pin.shape[0]):
        pin[k, PIN_FORCE], pin[k, PIN_FORCE + 1] = unknown[at], unknown[at + 1]
        push_pin(m, w, y, k)
        at += 2
    internal_forces(m, w, y)
