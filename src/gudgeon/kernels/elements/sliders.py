"""Contacts of sliders in guides, and pins of nodes, as rows of a nonsmooth step: their motion and given forces.

Surface point p of a slider, surface of the guide with normal n towards the slider and direction t along it:

    g = n·(p − s),   ġ = n·(v_p − v_G(p)),   v = t·(v_p − v_G(p)),   δ = −g
"""

from __future__ import annotations

from numba import void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.build.records import VECTOR
from gudgeon.kernels.dynamics.arrays import MODEL, OMEGA, POSITION, VELOCITY, WORK
from gudgeon.kernels.dynamics.loads import push
from gudgeon.kernels.elements.laws import contact_law
from gudgeon.kernels.elements.nodes import (
    follower_accelerations,
    forces_on_nodes,
    in_plane,
    internal_forces,
    node_position,
    node_velocity,
)
from gudgeon.kernels.elements.slider_arrays import (
    ALONG,
    FRICTION_FORCE,
    GAP,
    GAP_RATE,
    GUIDE,
    IN_GUIDE,
    IN_PIN_FIRST,
    IN_PIN_SECOND,
    IN_SLIDER,
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
    SLIDER,
    SLIDING,
    TOUCH_SPEED,
)
from gudgeon.kernels.kinematics.rotation import cross, rotated, rotated_vector

SLOWEST_TOUCH = 1e-4  # δ̇⁽⁻⁾ is not taken below this [m/s]


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
def slider_point(s, w, y, c):
    """World position and velocity of the surface point of contact c."""
    node = s.contact[c, NODE]
    if node >= 0:
        x0, x1, x2 = node_position(s, y, node)
        v0, v1, v2 = node_velocity(s, y, node)
        return x0, x1, x2, v0, v1, v2
    return point_motion(w, s.contact[c, SLIDER], s.contact_vector, c, IN_SLIDER)


@inlined
def contact_motion(s, w, sw, y, c):
    """Gap, rates and directions of contact c: fills its line in `sw.contact`; returns p, n, t."""
    i, V, body = s.contact[c, GUIDE], s.contact_vector, w.body
    p0, p1, p2, v0, v1, v2 = slider_point(s, w, y, c)
    n0, n1, n2 = V[c, OUTWARD], V[c, OUTWARD + 1], V[c, OUTWARD + 2]
    t0, t1, t2 = V[c, ALONG], V[c, ALONG + 1], V[c, ALONG + 2]
    s0, s1, s2 = V[c, IN_GUIDE], V[c, IN_GUIDE + 1], V[c, IN_GUIDE + 2]
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
    line = sw.contact[c]
    line[GAP] = n0 * (d0 - s0) + n1 * (d1 - s1) + n2 * (d2 - s2)
    line[GAP_RATE] = n0 * v0 + n1 * v1 + n2 * v2
    line[SLIDING] = t0 * v0 + t1 * v1 + t2 * v2
    return p0, p1, p2, n0, n1, n2, t0, t1, t2


@inlined
def pin_motion(s, w, sw, y, k):
    """Gap and its rate of pin k, into `sw.pin`; returns the two points."""
    V, node = s.pin_vector, s.pin[k, PIN_NODE]
    a0, a1, a2, u0, u1, u2 = point_motion(w, s.pin[k, PIN_FIRST], V, k, IN_PIN_FIRST)
    if node >= 0:
        b0, b1, b2 = node_position(s, y, node)
        v0, v1, v2 = node_velocity(s, y, node)
    else:
        b0, b1, b2, v0, v1, v2 = point_motion(w, s.pin[k, PIN_SECOND], V, k, IN_PIN_SECOND)
    for c in range(2):
        at = PIN_ALONG + c * (PIN_ACROSS - PIN_ALONG)
        x, z, o = V[k, at], V[k, at + 1], V[k, at + 2]
        sw.pin[k, PIN_GAP + c] = x * (b0 - a0) + z * (b1 - a1) + o * (b2 - a2)
        sw.pin[k, PIN_RATE + c] = x * (v0 - u0) + z * (v1 - u1) + o * (v2 - u2)
    return a0, a1, a2, b0, b1, b2


@inlined
def push_at(w, b, p0, p1, p2, f0, f1, f2):
    """A force on body b at a point of the world."""
    if b > 0:
        push(
            w.body, b, p0 - w.body[b, POSITION], p1 - w.body[b, POSITION + 1], p2 - w.body[b, POSITION + 2], f0, f1, f2
        )


@inlined
def law_of(s, sw, c, delta, ddelta):
    """Normal force of a compliant contact [N]; of one that is not known to have begun, as if it began now."""
    L, began = LAW_CALL, sw.touch[c, TOUCH_SPEED]
    speed = max(began if began > 0.0 else ddelta, SLOWEST_TOUCH)
    return contact_law(s.contact[c, L], s.contact[c, L + 1], s.contact[c, L + 2], delta, ddelta, speed)


@called
def push_contact(s, w, sw, y, c):
    """Apply the forces in the line of contact c to guide and slider."""
    p0, p1, p2, n0, n1, n2, t0, t1, t2 = contact_motion(s, w, sw, y, c)
    N, T = sw.contact[c, NORMAL_FORCE], sw.contact[c, FRICTION_FORCE]
    f0, f1, f2 = N * n0 + T * t0, N * n1 + T * t1, N * n2 + T * t2
    push_at(w, s.contact[c, GUIDE], p0, p1, p2, -f0, -f1, -f2)
    node = s.contact[c, NODE]
    if node >= 0:
        a, b = in_plane(s, node, f0, f1, f2)
        sw.force[node] += a
        sw.force[node + 1] += b
    else:
        push_at(w, s.contact[c, SLIDER], p0, p1, p2, f0, f1, f2)


@called
def push_pin(s, w, sw, y, k):
    """Apply the forces in the line of pin k to its two bodies."""
    V, node = s.pin_vector, s.pin[k, PIN_NODE]
    a0, a1, a2, b0, b1, b2 = pin_motion(s, w, sw, y, k)
    X, Y = sw.pin[k, PIN_FORCE], sw.pin[k, PIN_FORCE + 1]
    f0 = X * V[k, PIN_ALONG] + Y * V[k, PIN_ACROSS]
    f1 = X * V[k, PIN_ALONG + 1] + Y * V[k, PIN_ACROSS + 1]
    f2 = X * V[k, PIN_ALONG + 2] + Y * V[k, PIN_ACROSS + 2]
    push_at(w, s.pin[k, PIN_FIRST], a0, a1, a2, -f0, -f1, -f2)
    if node >= 0:
        a, b = in_plane(s, node, f0, f1, f2)
        sw.force[node] += a
        sw.force[node + 1] += b
    else:
        push_at(w, s.pin[k, PIN_SECOND], b0, b1, b2, f0, f1, f2)


@inlined
def has_sliders(m):
    """Are there sliders, pins or flexible bodies?"""
    return m.sliders.place.shape[0] > 0


@addressed(void(MODEL, WORK, VECTOR, VECTOR))
def given_forces(m, w, y, unknown):
    """Apply given forces of contacts and pins to bodies and nodes: the rows of an implicit step."""
    s, sw = m.sliders, w.sliders
    forces_on_nodes(m, w, s, sw.force)
    at = unknown.shape[0] - 2 * (s.contact.shape[0] + s.pin.shape[0])
    for c in range(s.contact.shape[0]):
        sw.contact[c, NORMAL_FORCE], sw.contact[c, FRICTION_FORCE] = unknown[at], unknown[at + 1]
        push_contact(s, w, sw, y, c)
        at += 2
    for k in range(s.pin.shape[0]):
        sw.pin[k, PIN_FORCE], sw.pin[k, PIN_FORCE + 1] = unknown[at], unknown[at + 1]
        push_pin(s, w, sw, y, k)
        at += 2
    internal_forces(s, sw, y)


@inlined
def correct_followers(m, w):
    """Accelerations of the followers, which have no inertia of their own."""
    if m.sliders.follower.shape[0] > 0:
        follower_accelerations(w, m.sliders, w.sliders.acceleration)


@inlined
def node_rates(m, w, y, rate):
    """Rates of displacements and velocities of the nodes."""
    sliders = m.sliders
    n = sliders.mass.shape[0]
    if n > 0:
        first, moving = sliders.place[0], sliders.place[1]
        for d in range(n):
            rate[first + d] = y[moving + d]
            rate[moving + d] = w.sliders.acceleration[d]
