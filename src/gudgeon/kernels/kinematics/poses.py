"""From the state to the bodies, where these are the state; rates and small changes of the positions of every state."""

from __future__ import annotations

from math import sqrt

from numba import void

from gudgeon.kernels.build.compiled import addressed, inlined
from gudgeon.kernels.build.records import VECTOR
from gudgeon.kernels.dynamics.arrays import (
    CHANGE,
    MODEL,
    OMEGA,
    OWN_AXES,
    PLACE,
    POSITION,
    POSITIONS,
    ROTATION,
    TURNS_ABOUT,
    VELOCITY,
    WORK,
)
from gudgeon.kernels.dynamics.controls import hold_controls
from gudgeon.kernels.dynamics.state_places import pose_at, twist_at
from gudgeon.kernels.elements.nodes import carry_on_nodes, changes_of_carriers
from gudgeon.kernels.kinematics.rotation import quaternion_rotation, rotated_vector, turn, turned_by
from gudgeon.kernels.kinematics.vectors import put, put_matrix


@addressed(void(MODEL, WORK, VECTOR))
def body_kinematics(m, w, y):
    """Poses and velocities of all bodies where they are the state."""
    n, body = m.body.shape[0] - 1, w.body
    for b in range(1, n + 1):
        q, v = pose_at(b), twist_at(m, b)
        for k in range(3):
            body[b, POSITION + k] = y[q + k]
            body[b, VELOCITY + k] = y[v + k]
            body[b, OMEGA + k] = y[v + 3 + k]
        put_matrix(body, b, ROTATION, quaternion_rotation(y, q + 3))
        if m.settings[OWN_AXES]:
            put(body, b, OMEGA, rotated_vector(body, b, y[v + 3], y[v + 4], y[v + 5]))
    if w.body.shape[0] > m.body.shape[0]:
        carry_on_nodes(m, w, y)
    hold_controls(m, w, y)


@addressed(void(MODEL, WORK, VECTOR, VECTOR))
def changes_of_bodies(m, w, y, dy):
    """Displacement and turn of every body that belong to a small change dy of the state where bodies are the state."""
    for b in range(1, m.body.shape[0]):
        q = pose_at(b)
        for c in range(3):
            w.body[b, CHANGE + c] = dy[q + c]
        put(w.body, b, CHANGE + 3, turned_by(y, dy, q + 3))
    if w.body.shape[0] > m.body.shape[0]:
        changes_of_carriers(m, w, dy)


@inlined
def quaternion_rate(e0, e1, e2, e3, x, y, z):
    """½ ω p."""
    return (
        0.5 * (-x * e1 - y * e2 - z * e3),
        0.5 * (x * e0 + y * e3 - z * e2),
        0.5 * (y * e0 + z * e1 - x * e3),
        0.5 * (z * e0 + x * e2 - y * e1),
    )


@inlined
def own_quaternion_rate(e0, e1, e2, e3, x, y, z):
    """½ p ω, ω in the axes that p turns."""
    return (
        0.5 * (-x * e1 - y * e2 - z * e3),
        0.5 * (x * e0 + z * e2 - y * e3),
        0.5 * (y * e0 + x * e3 - z * e1),
        0.5 * (z * e0 + y * e1 - x * e2),
    )


@inlined
def pose_rates(m, y, rate):
    """Rates of all positions from the velocities in y."""
    first, own = m.layout[POSITIONS], m.settings[OWN_AXES]
    for d in range(m.velocity.shape[0]):
        q, axis, v = m.velocity[d, PLACE], m.velocity[d, TURNS_ABOUT], first + d
        if axis < 0:
            rate[q] = y[v]
        elif axis == 0 and own:
            rate[q], rate[q + 1], rate[q + 2], rate[q + 3] = own_quaternion_rate(
                y[q], y[q + 1], y[q + 2], y[q + 3], y[v], y[v + 1], y[v + 2]
            )
        elif axis == 0:
            rate[q], rate[q + 1], rate[q + 2], rate[q + 3] = quaternion_rate(
                y[q], y[q + 1], y[q + 2], y[q + 3], y[v], y[v + 1], y[v + 2]
            )


@inlined
def move(m, y, step):
    """Change the positions in y by a step in the directions of the first velocities."""
    for d in range(step.shape[0]):
        q, axis = m.velocity[d, PLACE], m.velocity[d, TURNS_ABOUT]
        if axis < 0:
            y[q] += step[d]
        elif axis == 0:
            turn(y, q, step[d], step[d + 1], step[d + 2])


@inlined
def normalise(m, y):
    """Scale all quaternions to length one."""
    for d in range(m.velocity.shape[0]):
        if m.velocity[d, TURNS_ABOUT] == 0:
            q = m.velocity[d, PLACE]
            s = 1.0 / sqrt(y[q] ** 2 + y[q + 1] ** 2 + y[q + 2] ** 2 + y[q + 3] ** 2)
            for c in range(4):
                y[q + c] *= s
