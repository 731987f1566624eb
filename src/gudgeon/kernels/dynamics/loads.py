"""Applied forces on bodies: gravity, the gyroscopic torque −ω×Jω, forces, torques and springs."""

from __future__ import annotations

from math import sqrt

from numba import float64, void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.build.records import VECTOR
from gudgeon.kernels.dynamics.arrays import (
    APPLIED,
    AXIS,
    BODY_AXES,
    CHANGE,
    CHILD,
    EFFORT_AT,
    EFFORT_BODY,
    EFFORTS,
    FIRST,
    FIRST_WRENCH,
    FORCE,
    GRAVITY,
    IN_FIRST,
    IN_SECOND,
    INERTIA,
    INVERSE_INERTIA,
    JOINT_EFFORT,
    JOINT_SPRING,
    KIND,
    LOAD_EFFORT,
    LOAD_MEASURE,
    LOAD_PROGRAM,
    LOAD_RATIO,
    LOAD_ROTOR,
    LOAD_TURN,
    MASS,
    MODEL,
    NO_LOAD,
    NOT_STORED,
    OMEGA,
    PARENT,
    POSITION,
    ROTATION,
    SECOND,
    SECOND_WRENCH,
    SOLVED,
    SPRING,
    TORQUE,
    USED_SIGNALS,
    VELOCITY,
    WORK,
    WORLD_TENSOR,
)
from gudgeon.kernels.dynamics.engine import signals
from gudgeon.kernels.dynamics.state_places import first_turn
from gudgeon.kernels.functions.programs import function
from gudgeon.kernels.kinematics.measures import (
    axis_of,
    gradient_of_measure,
    is_plain_angle,
    measure,
    nearest_turn,
    rate_of_measure,
)
from gudgeon.kernels.kinematics.rotation import cross, rotated, rotated_vector


@inlined
def inertial_forces(m, w):
    """Gravity and gyroscopic torque, and inverse inertia or inertia in world axes (see WORLD_TENSOR)."""
    body, J, R, V = w.body, INERTIA, ROTATION, WORLD_TENSOR
    K = INERTIA if m.tree.shape[0] > 0 else INVERSE_INERTIA
    for b in range(1, m.body.shape[0]):
        for c in range(3):
            body[b, APPLIED + c] = m.body[b, MASS] * m.settings[GRAVITY + c]
        wx, wy, wz = body[b, OMEGA], body[b, OMEGA + 1], body[b, OMEGA + 2]
        x = body[b, R] * wx + body[b, R + 3] * wy + body[b, R + 6] * wz
        y = body[b, R + 1] * wx + body[b, R + 4] * wy + body[b, R + 7] * wz
        z = body[b, R + 2] * wx + body[b, R + 5] * wy + body[b, R + 8] * wz
        hx = m.body[b, J] * x + m.body[b, J + 1] * y + m.body[b, J + 2] * z
        hy = m.body[b, J + 3] * x + m.body[b, J + 4] * y + m.body[b, J + 5] * z
        hz = m.body[b, J + 6] * x + m.body[b, J + 7] * y + m.body[b, J + 8] * z
        tx, ty, tz = cross(hx, hy, hz, x, y, z)
        tx, ty, tz = rotated_vector(body, b, tx, ty, tz)
        body[b, APPLIED + 3], body[b, APPLIED + 4], body[b, APPLIED + 5] = tx, ty, tz
        for r in range(3):
            p, q, s = body[b, R + 3 * r], body[b, R + 3 * r + 1], body[b, R + 3 * r + 2]
            u = p * m.body[b, K] + q * m.body[b, K + 3] + s * m.body[b, K + 6]
            v = p * m.body[b, K + 1] + q * m.body[b, K + 4] + s * m.body[b, K + 7]
            t = p * m.body[b, K + 2] + q * m.body[b, K + 5] + s * m.body[b, K + 8]
            for c in range(r + 1):
                k = R + 3 * c
                body[b, V + 3 * r + c] = u * body[b, k] + v * body[b, k + 1] + t * body[b, k + 2]
                body[b, V + 3 * c + r] = body[b, V + 3 * r + c]


@inlined
def add_wrench(line, at, x, y, z, tx, ty, tz):
    """Add a force and a torque to six numbers of a line, from `at` on."""
    line[at] += x
    line[at + 1] += y
    line[at + 2] += z
    line[at + 3] += tx
    line[at + 4] += ty
    line[at + 5] += tz


@inlined
def push_at(body, b, at, sx, sy, sz, fx, fy, fz):
    """A force on body b at the offset s from its centre of mass, world axes, into the columns from `at` on."""
    tx, ty, tz = cross(sx, sy, sz, fx, fy, fz)
    add_wrench(body[b], at, fx, fy, fz, tx, ty, tz)


@inlined
def push(body, b, sx, sy, sz, fx, fy, fz):
    """A force on body b at the offset s from its centre of mass, world axes."""
    push_at(body, b, APPLIED, sx, sy, sz, fx, fy, fz)


@inlined
def spring_length(m, w, k):
    """Direction n, length and rate of the spring of load k, and its two arms."""
    a, b, body = m.load[k, FIRST], m.load[k, SECOND], w.body
    sx, sy, sz = rotated(body, a, m.load_vector, k, IN_FIRST)
    qx, qy, qz = rotated(body, b, m.load_vector, k, IN_SECOND)
    dx = body[b, POSITION] + qx - body[a, POSITION] - sx
    dy = body[b, POSITION + 1] + qy - body[a, POSITION + 1] - sy
    dz = body[b, POSITION + 2] + qz - body[a, POSITION + 2] - sz
    ux, uy, uz = cross(body[a, OMEGA], body[a, OMEGA + 1], body[a, OMEGA + 2], sx, sy, sz)
    vx, vy, vz = cross(body[b, OMEGA], body[b, OMEGA + 1], body[b, OMEGA + 2], qx, qy, qz)
    rx = body[b, VELOCITY] + vx - body[a, VELOCITY] - ux
    ry = body[b, VELOCITY + 1] + vy - body[a, VELOCITY + 1] - uy
    rz = body[b, VELOCITY + 2] + vz - body[a, VELOCITY + 2] - uz
    length = sqrt(dx * dx + dy * dy + dz * dz)
    c = 1.0 / length if length > 0.0 else 0.0
    nx, ny, nz = c * dx, c * dy, c * dz
    return nx, ny, nz, length, nx * rx + ny * ry + nz * rz, sx, sy, sz, qx, qy, qz


@inlined
def joint_coordinate(m, w, k, y):
    """Value and rate of the coordinate of joint spring k, turns counted."""
    value, rate, _ = measure(m, w, m.load[k, LOAD_MEASURE])
    if m.load[k, LOAD_TURN] >= 0:
        counted = y[first_turn(m) + m.load[k, LOAD_TURN]]
        value = nearest_turn(value, counted)
    return value, rate


@called
def rotor_torque(m, w, k):
    """What the rotor of load k does besides its effort.

    A rotor with the inertia J that turns on the parent about the joint's axis h with s = n θ̇ + h·ω_i, n the gear ratio,
    resists a change of the direction of its momentum with −J s ω_i×h; what J ṡ takes is a row (rows.py).
    """
    c, body = m.load[k, LOAD_MEASURE], w.body
    i = m.measure[c, PARENT]
    hx, hy, hz = rotated(body, i, m.measure_vector, c, AXIS)
    wx, wy, wz = body[i, OMEGA], body[i, OMEGA + 1], body[i, OMEGA + 2]
    speed = m.load_vector[k, LOAD_RATIO] * rate_of_measure(m, w, c)
    momentum = m.load_vector[k, LOAD_ROTOR] * (speed + hx * wx + hy * wy + hz * wz)
    tx, ty, tz = cross(wx, wy, wz, hx, hy, hz)
    body[i, APPLIED + 3] -= momentum * tx
    body[i, APPLIED + 4] -= momentum * ty
    body[i, APPLIED + 5] -= momentum * tz


@inlined
def is_along_joint(m, k):
    """Does load k act along a joint coordinate?"""
    return m.load[k, KIND] == JOINT_EFFORT or m.load[k, KIND] == JOINT_SPRING


@inlined
def efforts_of_load(m, w, k, t, y):
    """The effort of load k along its joint coordinate, or its force or torque on the first body, world axes.

    Where a spring acts is left in `w.gradient`: the gradient of its coordinate, or its two arms.
    """
    kind, p, a, body = m.load[k, KIND], m.load[k, LOAD_PROGRAM], m.load[k, FIRST], w.body
    if kind == JOINT_EFFORT:
        return m.load_vector[k, LOAD_RATIO] * function(m, w, p, t), 0.0, 0.0
    c0, c1, c2 = function(m, w, p, t), function(m, w, p + 1, t), function(m, w, p + 2, t)
    if kind == JOINT_SPRING:
        value, rate = joint_coordinate(m, w, k, y)
        return -c0 * (value - c2) - c1 * rate, 0.0, 0.0
    if kind == SPRING:
        nx, ny, nz, length, rate, sx, sy, sz, qx, qy, qz = spring_length(m, w, k)
        tension, arm = c0 * (length - c2) + c1 * rate, w.gradient
        arm[0], arm[1], arm[2], arm[3], arm[4], arm[5] = sx, sy, sz, qx, qy, qz
        return tension * nx, tension * ny, tension * nz
    if m.load[k, BODY_AXES]:
        return rotated_vector(body, a, c0, c1, c2)
    return c0, c1, c2


@inlined
def place_of_load(m, w, k):
    """Where load k acts, into `w.gradient` as `efforts_of_load` leaves it."""
    if is_along_joint(m, k):
        gradient_of_measure(m, w, m.load[k, LOAD_MEASURE])
    elif m.load[k, KIND] == SPRING:
        arm = w.gradient
        arm[0], arm[1], arm[2] = rotated(w.body, m.load[k, FIRST], m.load_vector, k, IN_FIRST)
        arm[3], arm[4], arm[5] = rotated(w.body, m.load[k, SECOND], m.load_vector, k, IN_SECOND)


@inlined
def push_along_gradient(m, w, c, x, at):
    """Add the effort x along measure c to the columns from `at` on of its bodies; `w.gradient` is its gradient."""
    i, j = m.measure[c, PARENT], m.measure[c, CHILD]
    for e in range(6):
        w.body[i, at + e] += x * w.gradient[e]
        w.body[j, at + e] += x * w.gradient[6 + e]


@inlined
def push_along(m, w, c, x):
    """Add the effort x along measure c to the forces on its bodies."""
    if is_plain_angle(m, c):
        h, i, j = axis_of(m, w, c), m.measure[c, PARENT], m.measure[c, CHILD]
        for e in range(3):
            w.body[i, APPLIED + 3 + e] -= x * h[e]
            w.body[j, APPLIED + 3 + e] += x * h[e]
    else:
        measure(m, w, c)
        push_along_gradient(m, w, c, x, APPLIED)


@inlined
def push_by_load(m, w, k, x, y, z, at):
    """Add efforts of load k to the columns from `at` on of what it acts on; `w.gradient` tells where that is."""
    body, arm, a = w.body, w.gradient, m.load[k, FIRST]
    if is_along_joint(m, k):
        push_along_gradient(m, w, m.load[k, LOAD_MEASURE], x, at)
    elif m.load[k, KIND] == SPRING:
        push_at(body, a, at, arm[0], arm[1], arm[2], x, y, z)
        push_at(body, m.load[k, SECOND], at, arm[3], arm[4], arm[5], -x, -y, -z)
    elif m.load[k, KIND] == FORCE:
        sx, sy, sz = rotated(body, a, m.load_vector, k, IN_FIRST)
        push_at(body, a, at, sx, sy, sz, x, y, z)
    else:
        body[a, at + 3] += x
        body[a, at + 4] += y
        body[a, at + 5] += z


@inlined
def is_given(w, e):
    """Is line e of the efforts solved for, and given now?"""
    return e >= 0 and w.effort[0] > 0.0 and w.solved[e] == SOLVED


@called
def apply_load(m, w, k, t, y):
    """Add load k to the forces on the bodies; while efforts are given, as it is solved for."""
    kind, one, two = m.load[k, KIND], m.load[k, FIRST_WRENCH], m.load[k, SECOND_WRENCH]
    if kind == NO_LOAD:
        return
    if is_given(w, one) or is_given(w, two):
        apply_beside_wrenches(m, w, k, t, y)
        return
    c0, c1, c2 = efforts_of_load(m, w, k, t, y)
    e = m.load[k, LOAD_EFFORT]
    if is_given(w, e):
        at = 1 + m.effort[e, EFFORT_AT]
        c0 = w.effort[at]
        if m.effort[e, EFFORTS] == 3:
            c1, c2 = w.effort[at + 1], w.effort[at + 2]
    if kind == JOINT_EFFORT:
        push_along(m, w, m.load[k, LOAD_MEASURE], c0)
        if m.load_vector[k, LOAD_ROTOR] > 0.0:
            rotor_torque(m, w, k)
    else:
        push_by_load(m, w, k, c0, c1, c2, APPLIED)


@called
def apply_beside_wrenches(m, w, k, t, y):
    """Add load k to that of its bodies whose wrench is not given."""
    a, b = m.load[k, FIRST], m.load[k, SECOND]
    first = a > 0 and not is_given(w, m.load[k, FIRST_WRENCH])
    second = b > 0 and m.load[k, KIND] == SPRING and not is_given(w, m.load[k, SECOND_WRENCH])
    if first or second:
        x, y_, z, tx, ty, tz = wrench_of_load(m, w, k, t, y)
        if first:
            add_wrench(w.body[a], APPLIED, x, y_, z, tx, ty, tz)
        else:
            arm = w.gradient
            push_at(w.body, b, APPLIED, arm[3], arm[4], arm[5], -x, -y_, -z)


@inlined
def wrench_of_load(m, w, k, t, y):
    """Force and torque of load k about the centre of mass of its first body; `w.gradient` as `efforts_of_load`."""
    x, y_, z = efforts_of_load(m, w, k, t, y)
    if m.load[k, KIND] == TORQUE:
        return 0.0, 0.0, 0.0, x, y_, z
    sx, sy, sz = w.gradient[0], w.gradient[1], w.gradient[2]
    if m.load[k, KIND] == FORCE:
        sx, sy, sz = rotated(w.body, m.load[k, FIRST], m.load_vector, k, IN_FIRST)
    tx, ty, tz = cross(sx, sy, sz, x, y_, z)
    return x, y_, z, tx, ty, tz


@called
def apply_wrenches(m, w):
    """Add the wrenches that are given to the forces on their bodies."""
    for e in range(m.effort.shape[0]):
        b, at, x = m.effort[e, EFFORT_BODY], 1 + m.effort[e, EFFORT_AT], w.effort
        if b > 0 and is_given(w, e):
            add_wrench(w.body[b], APPLIED, x[at], x[at + 1], x[at + 2], x[at + 3], x[at + 4], x[at + 5])


@addressed(void(MODEL, WORK, float64, VECTOR))
def forces_on_bodies(m, w, t, y):
    """All applied forces at the kinematics held in `w`."""
    inertial_forces(m, w)
    for b in range(m.body.shape[0], w.body.shape[0]):  # what sits on nodes
        for c in range(6):
            w.body[b, APPLIED + c] = 0.0
    if m.signal.shape[0] > 0:
        signals(m, w, t, y, int(m.settings[USED_SIGNALS]))
    for k in range(m.load.shape[0]):
        apply_load(m, w, k, t, y)
    if w.effort[0] > 0.0:
        apply_wrenches(m, w)


@inlined
def spring_energy(m, w, t, y):
    """Energy stored in all springs [J]."""
    energy = 0.0
    for k in range(m.load.shape[0]):
        if m.load[k, NOT_STORED]:
            continue
        if m.load[k, KIND] == SPRING:
            stretch = spring_length(m, w, k)[3]
        elif m.load[k, KIND] == JOINT_SPRING:
            stretch = joint_coordinate(m, w, k, y)[0]
        else:
            continue
        p = m.load[k, LOAD_PROGRAM]
        stretch -= function(m, w, p + 2, t)
        energy += 0.5 * function(m, w, p, t) * stretch * stretch
    return energy


@inlined
def carried_by(m, k):
    """The two lines of `body` that load k acts on; 0 for none."""
    if m.load[k, LOAD_MEASURE] >= 0:
        c = m.load[k, LOAD_MEASURE]
        return m.measure[c, PARENT], m.measure[c, CHILD]
    return m.load[k, FIRST], m.load[k, SECOND]


@called
def power_of_load(m, w, k, t, y):
    """The power of load k on what it acts on [W]; of springs also their coordinate and its rate.

    What is applied is kept in CHANGE meanwhile.
    """
    i, j = carried_by(m, k)
    body, power, value, rate = w.body, 0.0, 0.0, 0.0
    for c in range(6):
        body[i, CHANGE + c], body[j, CHANGE + c] = body[i, APPLIED + c], body[j, APPLIED + c]
    for c in range(6):
        body[i, APPLIED + c] = body[j, APPLIED + c] = 0.0
    apply_load(m, w, k, t, y)
    for c in range(6):
        v = VELOCITY + c  # angular velocities follow
        power += body[i, APPLIED + c] * body[i, v]
        if i != j:
            power += body[j, APPLIED + c] * body[j, v]
        body[i, APPLIED + c], body[j, APPLIED + c] = body[i, CHANGE + c], body[j, CHANGE + c]
    if m.load[k, KIND] == SPRING:
        _, _, _, value, rate, _, _, _, _, _, _ = spring_length(m, w, k)
    elif m.load[k, KIND] == JOINT_SPRING:
        value, rate = joint_coordinate(m, w, k, y)
    return power, value, rate
