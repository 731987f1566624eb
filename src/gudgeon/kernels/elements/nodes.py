"""Nodes of flexible bodies: where they are in the world, what sits on them and follows them, what acts on them.

A node with lumped mass that touches a wall with dry friction (`STICKS`) is held or slides by itself:

    |v| ≥ 1e-5 m/s: −μ_k F_N sgn v; else what keeps the node at rest, at most μ_s F_N

Source: the paper of docs/sliders.md, eqs (2), (3), (13).
"""

from __future__ import annotations

from math import cos, sin

from numba import void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.build.records import VECTOR
from gudgeon.kernels.dynamics.arrays import (
    ACCELERATION,
    APPLIED,
    BALL,
    CHANGE,
    FORCE_ON_BALL,
    MODEL,
    MU_KINETIC,
    MU_STATIC,
    NORMAL,
    OMEGA,
    POSITION,
    POWER,
    RATE_OF,
    ROTATION,
    SOCKET,
    SOCKET_AXES,
    STICKS,
    VELOCITY,
    WORK,
)
from gudgeon.kernels.dynamics.state_places import pose_at, twist_at
from gudgeon.kernels.elements.flexible_arrays import (
    CARRIER_FRAME,
    FIRST_CARRY,
    FIRST_NODE_OF,
    FOLLOWER_BODY,
    FOLLOWER_FRAME,
    FRAME_ORIGIN,
    FRAME_X,
    FRAME_Y,
    LAST_CARRY,
    LAST_NODE_OF,
    TURN_X,
    TURN_Y,
    WEIGHT,
)
from gudgeon.kernels.kinematics.rotation import rotated
from gudgeon.kernels.kinematics.vectors import dot, get, vector_product

AT_REST = 1e-5  # sliding slower than this counts as rest [m/s]


@inlined
def has_nodes(m):
    """Are there flexible bodies?"""
    return m.flexible.mass.shape[0] > 0


@inlined
def node_position(s, y, d):
    """World position of the node whose first unknown is d."""
    k = s.frame_of[d // 2]
    x, z = s.rest[d] + y[s.place[0] + d], s.rest[d + 1] + y[s.place[0] + d + 1]
    F, a, b, o = s.frame, FRAME_X, FRAME_Y, FRAME_ORIGIN
    return (
        F[k, o] + x * F[k, a] + z * F[k, b],
        F[k, o + 1] + x * F[k, a + 1] + z * F[k, b + 1],
        F[k, o + 2] + x * F[k, a + 2] + z * F[k, b + 2],
    )


@inlined
def node_velocity(s, y, d):
    """World velocity of the node whose first unknown is d."""
    k, at = s.frame_of[d // 2], s.place[1] + d
    F, a, b = s.frame, FRAME_X, FRAME_Y
    u, v = y[at], y[at + 1]
    return (
        u * F[k, a] + v * F[k, b],
        u * F[k, a + 1] + v * F[k, b + 1],
        u * F[k, a + 2] + v * F[k, b + 2],
    )


@inlined
def in_plane(s, d, x, y, z):
    """Components of a world vector along the two axes of the node whose first unknown is d."""
    k, F = s.frame_of[d // 2], s.frame
    return (
        x * F[k, FRAME_X] + y * F[k, FRAME_X + 1] + z * F[k, FRAME_X + 2],
        x * F[k, FRAME_Y] + y * F[k, FRAME_Y + 1] + z * F[k, FRAME_Y + 2],
    )


@inlined
def node_of(m, b):
    """The first unknown of the node that the carrier in line b of `Work.body` sits on."""
    return 2 * m.flexible.carry[m.flexible.carrier[b - m.body.shape[0], FIRST_CARRY]]


@inlined
def follow_mean(s, f, values, at):
    """Weighted mean of the nodes' values (two each, from place `at`) for follower f, and its turn."""
    x = y = turn = 0.0
    for k in range(s.follower[f, FIRST_NODE_OF], s.follower[f, LAST_NODE_OF]):
        d, w = at + 2 * s.follow[k], s.follow_weight
        x += w[k, WEIGHT] * values[d]
        y += w[k, WEIGHT] * values[d + 1]
        turn += w[k, TURN_X] * values[d] + w[k, TURN_Y] * values[d + 1]
    return x, y, turn


@inlined
def hold_followers(m, step):
    """No turn of the followers in a step of all bodies: `set_followers` tells theirs."""
    s = m.flexible
    for f in range(s.follower.shape[0]):
        v = 6 * (s.follower[f, FOLLOWER_BODY] - 1)
        step[v + 3] = step[v + 4] = step[v + 5] = 0.0


@called
def set_followers(m, y, start):
    """Pose and velocity of all followers in the state y, from the nodes; `start` has their reference orientations.

    In relative coordinates the state does not hold them.
    """
    s = m.flexible
    if m.tree.shape[0] > 0:
        return
    for f in range(s.follower.shape[0]):
        b, k, F = s.follower[f, FOLLOWER_BODY], s.follower[f, FOLLOWER_FRAME], s.frame
        x, z, turn = follow_mean(s, f, y, s.place[0])
        rest_x, rest_z, _ = follow_mean(s, f, s.rest, 0)
        u, v, spin = follow_mean(s, f, y, s.place[1])
        q, p = pose_at(b), twist_at(m, b)
        # axis of the turn: the plane's normal
        nx = F[k, FRAME_X + 1] * F[k, FRAME_Y + 2] - F[k, FRAME_X + 2] * F[k, FRAME_Y + 1]
        ny = F[k, FRAME_X + 2] * F[k, FRAME_Y] - F[k, FRAME_X] * F[k, FRAME_Y + 2]
        nz = F[k, FRAME_X] * F[k, FRAME_Y + 1] - F[k, FRAME_X + 1] * F[k, FRAME_Y]
        for c in range(3):
            y[q + c] = F[k, FRAME_ORIGIN + c] + (rest_x + x) * F[k, FRAME_X + c] + (rest_z + z) * F[k, FRAME_Y + c]
            y[p + c] = u * F[k, FRAME_X + c] + v * F[k, FRAME_Y + c]
        y[p + 3], y[p + 4], y[p + 5] = spin * nx, spin * ny, spin * nz
        a, h = cos(0.5 * turn), sin(0.5 * turn)
        e0, e1, e2, e3 = start[f, 0], start[f, 1], start[f, 2], start[f, 3]
        y[q + 3] = a * e0 - h * (nx * e1 + ny * e2 + nz * e3)
        y[q + 4] = a * e1 + h * (nx * e0 + ny * e3 - nz * e2)
        y[q + 5] = a * e2 + h * (ny * e0 + nz * e1 - nx * e3)
        y[q + 6] = a * e3 + h * (nz * e0 + nx * e2 - ny * e1)


@called
def follow_nodes(m, w, y):
    """Pose and velocity of all followers where they are not in the state y: the mean of their nodes, and its turn."""
    s, body, F = m.flexible, w.body, m.flexible.frame
    for f in range(s.follower.shape[0]):
        b, k = s.follower[f, FOLLOWER_BODY], s.follower[f, FOLLOWER_FRAME]
        x, z, turn = follow_mean(s, f, y, s.place[0])
        rest_x, rest_z, _ = follow_mean(s, f, s.rest, 0)
        u, v, spin = follow_mean(s, f, y, s.place[1])
        X, Y = get(F, k, FRAME_X), get(F, k, FRAME_Y)
        N, c, h = vector_product(X, Y), cos(turn), sin(turn)
        for e in range(3):
            body[b, POSITION + e] = F[k, FRAME_ORIGIN + e] + (rest_x + x) * X[e] + (rest_z + z) * Y[e]
            body[b, VELOCITY + e], body[b, OMEGA + e] = u * X[e] + v * Y[e], spin * N[e]
            body[b, ROTATION + 3 * e] = c * X[e] + h * Y[e]
            body[b, ROTATION + 3 * e + 1] = c * Y[e] - h * X[e]
            body[b, ROTATION + 3 * e + 2] = N[e]


@called
def carry_on_nodes(m, w, y):
    """Place, axes and velocity of all carriers, from the nodes in the state y."""
    s, body, first, moving = m.flexible, w.body, m.flexible.place[0], m.flexible.place[1]
    for c in range(s.carrier.shape[0]):
        b, k, F = m.body.shape[0] + c, s.carrier[c, CARRIER_FRAME], s.frame
        x = z = u = v = 0.0
        for i in range(s.carrier[c, FIRST_CARRY], s.carrier[c, LAST_CARRY]):
            d, weight = 2 * s.carry[i], s.carry_weight[i]
            x += weight * (s.rest[d] + y[first + d])
            z += weight * (s.rest[d + 1] + y[first + d + 1])
            u += weight * y[moving + d]
            v += weight * y[moving + d + 1]
        X, Y = get(F, k, FRAME_X), get(F, k, FRAME_Y)
        N = vector_product(X, Y)
        for e in range(3):
            body[b, POSITION + e] = F[k, FRAME_ORIGIN + e] + x * X[e] + z * Y[e]
            body[b, VELOCITY + e] = u * X[e] + v * Y[e]
            body[b, ROTATION + 3 * e], body[b, ROTATION + 3 * e + 1], body[b, ROTATION + 3 * e + 2] = X[e], Y[e], N[e]


@called
def changes_of_carriers(m, w, dy):
    """Displacements of all carriers that belong to a small change dy of the state."""
    s, body, first = m.flexible, w.body, m.flexible.place[0]
    for c in range(s.carrier.shape[0]):
        b, k = m.body.shape[0] + c, s.carrier[c, CARRIER_FRAME]
        x = z = 0.0
        for i in range(s.carrier[c, FIRST_CARRY], s.carrier[c, LAST_CARRY]):
            x += s.carry_weight[i] * dy[first + 2 * s.carry[i]]
            z += s.carry_weight[i] * dy[first + 2 * s.carry[i] + 1]
        for e in range(3):
            body[b, CHANGE + e] = x * s.frame[k, FRAME_X + e] + z * s.frame[k, FRAME_Y + e]


@inlined
def forces_on_nodes(m, w, out):
    """Gravity on the nodes and the forces applied to carriers, into `out`."""
    s = m.flexible
    for d in range(s.mass.shape[0]):
        out[d] = s.weight[d]
    for c in range(s.carrier.shape[0]):
        f, k = get(w.body, m.body.shape[0] + c, APPLIED), s.carrier[c, CARRIER_FRAME]
        x, y = dot(f, get(s.frame, k, FRAME_X)), dot(f, get(s.frame, k, FRAME_Y))
        if x != 0.0 or y != 0.0:
            for i in range(s.carrier[c, FIRST_CARRY], s.carrier[c, LAST_CARRY]):
                out[2 * s.carry[i]] += s.carry_weight[i] * x
                out[2 * s.carry[i] + 1] += s.carry_weight[i] * y


@inlined
def stiffness_times(s, x, d):
    """Row d of K times x."""
    total = 0.0
    for k in range(s.K_start[d], s.K_start[d + 1]):
        total += s.K_value[k] * x[s.K_column[k]]
    return total


@inlined
def internal_forces(m, w, y):
    """Accelerations of the nodes under their forces, elasticity and Rayleigh's damping: K (u + b u̇) + a M u̇."""
    s, sw = m.flexible, w.flexible
    first, moving, n = s.place[0], s.place[1], s.mass.shape[0]
    for d in range(n):
        sw.moved[d] = y[first + d] + s.damping[d, 1] * y[moving + d]
    for d in range(n):
        force = sw.force[d] - stiffness_times(s, sw.moved, d)
        sw.acceleration[d] = force / s.mass[d] - s.damping[d, 0] * y[moving + d]


@addressed(void(MODEL, WORK, VECTOR))
def accelerations_of_nodes(m, w, y):
    """Accelerations of the nodes under what acts on them, and the friction of those that touch a wall at rest."""
    forces_on_nodes(m, w, w.flexible.force)
    internal_forces(m, w, y)
    for k in range(m.compliant.shape[0]):
        if m.compliant[k, STICKS] == 1 and w.force[k, NORMAL] > 0.0:
            hold_node(m, w, k)


@inlined
def hold_node(m, w, k):
    """Friction of the node of line k; its wall is at rest."""
    s, sw, V, force = m.flexible, w.flexible, m.compliant_vector, w.force
    node = 2 * s.carry[s.carrier[m.compliant[k, BALL] - m.body.shape[0], FIRST_CARRY]]
    t0, t1, t2 = rotated(w.body, m.compliant[k, SOCKET], V, k, SOCKET_AXES)
    a, b = in_plane(s, node, t0, t1, t2)
    sliding = t0 * w.local[k, RATE_OF] + t1 * w.local[k, RATE_OF + 1] + t2 * w.local[k, RATE_OF + 2]
    if abs(sliding) >= AT_REST:
        T = -V[k, MU_KINETIC] * force[k, NORMAL] * (1.0 if sliding > 0.0 else -1.0)
    else:
        most = V[k, MU_STATIC] * force[k, NORMAL]
        T = -s.mass[node] * (a * sw.acceleration[node] + b * sw.acceleration[node + 1])
        T = min(max(T, -most), most)
    sw.acceleration[node] += a * T / s.mass[node]
    sw.acceleration[node + 1] += b * T / s.mass[node]
    force[k, FORCE_ON_BALL] += T * t0
    force[k, FORCE_ON_BALL + 1] += T * t1
    force[k, FORCE_ON_BALL + 2] += T * t2
    force[k, POWER] -= T * sliding


@called
def follower_accelerations(m, w):
    """Accelerations of all followers from those of the nodes."""
    s, acceleration = m.flexible, w.flexible.acceleration
    for f in range(s.follower.shape[0]):
        b, k, F = s.follower[f, FOLLOWER_BODY], s.follower[f, FOLLOWER_FRAME], s.frame
        x, y, turn = follow_mean(s, f, acceleration, 0)
        nx = F[k, FRAME_X + 1] * F[k, FRAME_Y + 2] - F[k, FRAME_X + 2] * F[k, FRAME_Y + 1]
        ny = F[k, FRAME_X + 2] * F[k, FRAME_Y] - F[k, FRAME_X] * F[k, FRAME_Y + 2]
        nz = F[k, FRAME_X] * F[k, FRAME_Y + 1] - F[k, FRAME_X + 1] * F[k, FRAME_Y]
        for c in range(3):
            w.body[b, ACCELERATION + c] = x * F[k, FRAME_X + c] + y * F[k, FRAME_Y + c]
        w.body[b, ACCELERATION + 3] = turn * nx
        w.body[b, ACCELERATION + 4] = turn * ny
        w.body[b, ACCELERATION + 5] = turn * nz


@inlined
def correct_followers(m, w):
    """Accelerations of the followers, which have no inertia of their own."""
    if m.flexible.follower.shape[0] > 0:
        follower_accelerations(m, w)


@inlined
def node_rates(m, w, y, rate):
    """Rates of displacements and velocities of the nodes."""
    s, n = m.flexible, m.flexible.mass.shape[0]
    if n > 0:
        first, moving = s.place[0], s.place[1]
        for d in range(n):
            rate[first + d] = y[moving + d]
            rate[moving + d] = w.flexible.acceleration[d]


@called
def node_energies(m, y):
    """Kinetic energy of the nodes and potential energy (strain, gravity) [J]."""
    s = m.flexible
    first, moving, n = s.place[0], s.place[1], s.mass.shape[0]
    u = y[first : first + n]
    kinetic = potential = 0.0
    for d in range(n):
        kinetic += 0.5 * s.mass[d] * y[moving + d] ** 2
        potential += 0.5 * u[d] * stiffness_times(s, u, d) - s.weight[d] * (s.rest[d] + u[d])
    return kinetic, potential
