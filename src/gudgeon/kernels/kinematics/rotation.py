"""Quaternions (scalar first) and rotations."""

from __future__ import annotations

from math import cos, sin, sqrt

from gudgeon.kernels.build.compiled import inlined
from gudgeon.kernels.dynamics.arrays import ROTATION


@inlined
def rotated(body, b, table, k, at):
    """World components of the vector table[k, at : at + 3], given in the axes of body b."""
    x, y, z = table[k, at], table[k, at + 1], table[k, at + 2]
    return rotated_vector(body, b, x, y, z)


@inlined
def rotated_vector(body, b, x, y, z):
    """World components of a vector given in the axes of body b."""
    r = ROTATION
    return (
        body[b, r] * x + body[b, r + 1] * y + body[b, r + 2] * z,
        body[b, r + 3] * x + body[b, r + 4] * y + body[b, r + 5] * z,
        body[b, r + 6] * x + body[b, r + 7] * y + body[b, r + 8] * z,
    )


@inlined
def in_own_axes(body, b, x, y, z):
    """Components of a vector given in the world in the axes of body b."""
    r = ROTATION
    return (
        body[b, r] * x + body[b, r + 3] * y + body[b, r + 6] * z,
        body[b, r + 1] * x + body[b, r + 4] * y + body[b, r + 7] * z,
        body[b, r + 2] * x + body[b, r + 5] * y + body[b, r + 8] * z,
    )


@inlined
def cross(ax, ay, az, bx, by, bz):
    """a × b."""
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@inlined
def turn(q, at, x, y, z):
    """Turn the quaternion q[at : at + 4] by the rotation vector (x, y, z) and normalise it."""
    angle = sqrt(x * x + y * y + z * z)
    c, s = 1.0, 0.5
    if not angle < 1e-8:
        c, s = cos(0.5 * angle), sin(0.5 * angle) / angle
    x, y, z = s * x, s * y, s * z
    e0, e1, e2, e3 = q[at], q[at + 1], q[at + 2], q[at + 3]
    f0 = c * e0 - x * e1 - y * e2 - z * e3
    f1 = c * e1 + x * e0 + y * e3 - z * e2
    f2 = c * e2 + y * e0 + z * e1 - x * e3
    f3 = c * e3 + z * e0 + x * e2 - y * e1
    n = 1.0 / sqrt(f0 * f0 + f1 * f1 + f2 * f2 + f3 * f3)
    q[at] = n * f0
    q[at + 1] = n * f1
    q[at + 2] = n * f2
    q[at + 3] = n * f3


@inlined
def quaternion_rotation(q, at):
    """The rotation matrix of the quaternion q[at : at + 4], of any length, row by row."""
    e0, e1, e2, e3 = q[at], q[at + 1], q[at + 2], q[at + 3]
    s = 2.0 / (e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3)
    return (
        (1.0 - s * (e2 * e2 + e3 * e3), s * (e1 * e2 - e0 * e3), s * (e1 * e3 + e0 * e2)),
        (s * (e1 * e2 + e0 * e3), 1.0 - s * (e1 * e1 + e3 * e3), s * (e2 * e3 - e0 * e1)),
        (s * (e1 * e3 - e0 * e2), s * (e2 * e3 + e0 * e1), 1.0 - s * (e1 * e1 + e2 * e2)),
    )


@inlined
def turned_by(y, dy, q):
    """The small rotation vector that changes the quaternion y[q : q + 4] by dy[q : q + 4]."""
    e0, e1, e2, e3 = y[q], y[q + 1], y[q + 2], y[q + 3]
    d0, d1, d2, d3 = dy[q], dy[q + 1], dy[q + 2], dy[q + 3]
    s = 2.0 / (e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3)
    return (
        s * (e0 * d1 - e1 * d0 - e3 * d2 + e2 * d3),
        s * (e0 * d2 - e2 * d0 - e1 * d3 + e3 * d1),
        s * (e0 * d3 - e3 * d0 - e2 * d1 + e1 * d2),
    )
