"""Joints that act by forces, each moved by itself: what their wrenches become, for derivatives by differences.

A joint is moved as an observer on its socket sees it: the ball shifted by u and turned by φ about its own centre, their
rates as they were; or rates u̇, φ̇ added. The ball's body is moved for its own joint only, be it the ground.
"""

from __future__ import annotations

from math import cos, sin

from numba import int64, types, void

from gudgeon.kernels.build.compiled import called, entrance, inlined
from gudgeon.kernels.build.records import MATRIX, VECTOR
from gudgeon.kernels.dynamics.arrays import (
    ARM_OF,
    BALL,
    BRISTLE,
    ECCENTRICITY,
    FORCE_ON_BALL,
    IN_BALL,
    MODEL,
    OMEGA,
    POSITION,
    RATE_OF,
    ROTATION,
    SOCKET,
    TORQUE_ON_BALL,
    VELOCITY,
    WORK,
)
from gudgeon.kernels.dynamics.engine import kinematics, law_force, local_motion
from gudgeon.kernels.elements.coupled import depth_of, effort_of
from gudgeon.kernels.kinematics.rotation import cross, rotated
from gudgeon.kernels.kinematics.vectors import add_to, get, put

INDICES = types.Array(int64, 1, "C")
SMALL = 1e-4  # step of differences of an effort, of its argument


@inlined
def turn_axes(body, b, axis, angle):
    """Turn the axes of body b about an axis of the world."""
    c, s = cos(angle), sin(angle)
    one, two = ROTATION + 3 * ((axis + 1) % 3), ROTATION + 3 * ((axis + 2) % 3)
    for k in range(3):
        x, y = body[b, one + k], body[b, two + k]
        body[b, one + k], body[b, two + k] = c * x - s * y, s * x + c * y


@called
def move_ball(m, w, k, rate, component, h):
    """Move the ball of joint k by h along a component of (u, φ), or of their rates."""
    i, j, body = m.compliant[k, SOCKET], m.compliant[k, BALL], w.body
    axis = component % 3
    x, y, z = h * (axis == 0), h * (axis == 1), h * (axis == 2)
    if component < 3:
        if rate:
            body[j, VELOCITY + axis] += h
        else:
            body[j, POSITION + axis] += h
            wx, wy, wz = get(body, i, OMEGA)
            add_to(body, j, VELOCITY, cross(wx, wy, wz, x, y, z))
        return
    qx, qy, qz = rotated(body, j, m.compliant_vector, k, IN_BALL)
    if rate:
        body[j, OMEGA + axis] += h
        add_to(body, j, VELOCITY, cross(qx, qy, qz, x, y, z))
        return
    turn_axes(body, j, axis, h)
    px, py, pz = rotated(body, j, m.compliant_vector, k, IN_BALL)
    x, y, z = qx - px, qy - py, qz - pz
    add_to(body, j, POSITION, (x, y, z))
    wx, wy, wz = get(body, j, OMEGA)
    add_to(body, j, VELOCITY, cross(wx, wy, wz, x, y, z))


@inlined
def wrench(m, w, k, out):
    """Force and torque on the ball of joint k about the socket's centre, as last evaluated."""
    f, r = get(w.force, k, FORCE_ON_BALL), get(w.force, k, ARM_OF)
    put(out, k, 0, f)
    put(out, k, 3, cross(r[0], r[1], r[2], f[0], f[1], f[2]))
    if m.compliant[k, BRISTLE] < 0:
        add_to(out, k, 3, get(w.force, k, TORQUE_ON_BALL))


@entrance(void(MODEL, WORK, VECTOR, int64, int64, VECTOR, VECTOR, MATRIX))
def wrenches_of_moved_joints(m, w, y, rate, component, h, line, out):
    """Wrenches (joints, 6) in the state y, joint k moved by h[k] along a component; `line` has room for a body's."""
    kinematics(m, w, y)
    body, columns = w.body, line.shape[0]
    for k in range(m.compliant.shape[0]):
        j = m.compliant[k, BALL]
        for c in range(columns):
            line[c] = body[j, c]
        move_ball(m, w, k, rate, component, h[k])
        local_motion(m, w, k, y)
        law_force(m, w, k, k, k)
        wrench(m, w, k, out)
        for c in range(columns):
            body[j, c] = line[c]


@entrance(void(MODEL, WORK, INDICES, MATRIX))
def slopes_of_coupled(m, w, lines, out):
    """Efforts on sums x of joint coordinates in the motion last evaluated, and their derivatives by x and by ẋ."""
    trial = m.compliant.shape[0]
    for n in range(lines.shape[0]):
        k = lines[n]
        for c in range(w.local.shape[1]):
            w.local[trial, c] = w.local[k, c]
        out[n, 0] = effort_of(m, w, k, trial)[0]
        depth, _ = depth_of(m, w, k, trial)
        steps = (SMALL * max(abs(depth), SMALL), SMALL * (abs(w.local[k, RATE_OF]) + SMALL))
        for which in range(2):
            at, h = (RATE_OF if which else ECCENTRICITY), steps[which]
            kept = w.local[trial, at]
            w.local[trial, at] = kept + h
            after = effort_of(m, w, k, trial)[0]
            w.local[trial, at] = kept - h
            before = effort_of(m, w, k, trial)[0]
            w.local[trial, at] = kept
            out[n, 1 + which] = (after - before) / (2.0 * h)
