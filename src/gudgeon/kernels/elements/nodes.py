"""Nodes of flexible bodies: where they are in the world, what follows them, what acts on them."""

from __future__ import annotations

from math import cos, sin

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.dynamics.arrays import ACCELERATION, APPLIED, POSITIONS
from gudgeon.kernels.elements.slider_arrays import (
    FIRST_NODE_OF,
    FOLLOWER_BODY,
    FOLLOWER_FRAME,
    FRAME_ORIGIN,
    FRAME_X,
    FRAME_Y,
    LAST_NODE_OF,
    TURN_X,
    TURN_Y,
    WEIGHT,
)


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
    k, at = s.frame_of[d // 2], s.place[0] + s.mass.shape[0] + d
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
def follow_mean(s, f, values, at):
    """Weighted mean of the nodes' values (two each, from place `at`) for follower f, and its turn."""
    x = y = turn = 0.0
    for k in range(s.follower[f, FIRST_NODE_OF], s.follower[f, LAST_NODE_OF]):
        d, w = at + 2 * s.follow[k], s.follow_weight
        x += w[k, WEIGHT] * values[d]
        y += w[k, WEIGHT] * values[d + 1]
        turn += w[k, TURN_X] * values[d] + w[k, TURN_Y] * values[d + 1]
    return x, y, turn


@called
def set_followers(m, s, y, start):
    """Pose and velocity of all followers in the state y, from the nodes; `start` has their reference orientations."""
    for f in range(s.follower.shape[0]):
        b, k, F = s.follower[f, FOLLOWER_BODY] - 1, s.follower[f, FOLLOWER_FRAME], s.frame
        first = s.place[0]
        x, z, turn = follow_mean(s, f, y, first)
        rest_x, rest_z, _ = follow_mean(s, f, s.rest, 0)
        u, v, spin = follow_mean(s, f, y, first + s.mass.shape[0])
        q, p = 7 * b, m.layout[POSITIONS] + 6 * b
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


@inlined
def follower_forces(w, s, out):
    """Gravity on the nodes and the forces applied to followers, into `out`."""
    for d in range(s.mass.shape[0]):
        out[d] = s.weight[d]
    for f in range(s.follower.shape[0]):
        b, k, F = s.follower[f, FOLLOWER_BODY], s.follower[f, FOLLOWER_FRAME], s.frame
        x = y = 0.0
        for c in range(3):
            x += w.body[b, APPLIED + c] * F[k, FRAME_X + c]
            y += w.body[b, APPLIED + c] * F[k, FRAME_Y + c]
        if x != 0.0 or y != 0.0:
            for i in range(s.follower[f, FIRST_NODE_OF], s.follower[f, LAST_NODE_OF]):
                out[2 * s.follow[i]] += s.follow_weight[i, WEIGHT] * x
                out[2 * s.follow[i] + 1] += s.follow_weight[i, WEIGHT] * y


@inlined
def stiffness_times(s, x, d):
    """Row d of K times x."""
    total = 0.0
    for k in range(s.K_start[d], s.K_start[d + 1]):
        total += s.K_value[k] * x[s.K_column[k]]
    return total


@called
def follower_accelerations(w, s, acceleration):
    """Accelerations of all followers from those of the nodes."""
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


@called
def node_energies(s, y):
    """Kinetic energy of the nodes and potential energy (strain, gravity) [J]."""
    first, n = s.place[0], s.mass.shape[0]
    u = y[first : first + n]
    kinetic = potential = 0.0
    for d in range(n):
        kinetic += 0.5 * s.mass[d] * y[first + n + d] ** 2
        potential += 0.5 * u[d] * stiffness_times(s, u, d) - s.weight[d] * (s.rest[d] + u[d])
    return kinetic, potential
