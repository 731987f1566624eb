"""What the bodies do under the forces of compliant joints: W = P Gᵀ and D = G W, in both formulations.

G is the relative velocity of the two bodies' points at X, and their relative angular velocity where a joint has
torques; P the inverse mass of the mechanism with its ideal joints.
"""

from __future__ import annotations

from numba import boolean, int64, void

from gudgeon.kernels.arrays import (
    ACCELERATION,
    ARM_OF,
    BALL,
    BRISTLE,
    CHILD,
    DRY,
    FLIGHT,
    FREE_ACCELERATION,
    IN_SOCKET,
    INVERSE_MASS,
    KIND,
    LINK_CENTRE,
    LINK_FORCE,
    MODE,
    MODEL,
    PARENT,
    POSITION,
    ROW,
    ROWS,
    SOCKET,
    SURFACE,
    TREE_BODY,
    UNKNOWN,
    UNKNOWNS,
    WORK,
    WORLD_TENSOR,
)
from gudgeon.kernels.compiled import addressed, inlined
from gudgeon.kernels.engine import answer, solve_rows
from gudgeon.kernels.records import Record, numbers
from gudgeon.kernels.relative import solve_tree
from gudgeon.kernels.rotation import cross, rotated
from gudgeon.kernels.sweep import clear_accelerations, clear_forces, efforts_of_forces
from gudgeon.kernels.vectors import get, plus, put, vector_product


class Response(Record):
    """What unit forces of the compliant joints do."""

    W = numbers(2)  # (unknowns, velocities) accelerations of the state per unit of force
    G = numbers(2)  # (unknowns, velocities) relative velocity per velocity; relative coordinates
    D = numbers(2)  # (unknowns, unknowns) G W
    arm = numbers(2, 6)  # (compliant joints, 6) X from the centres of mass


RESPONSE = Response.record_type


@inlined
def is_active(m, w, k):
    """Can joint k push at all in its present mode?"""
    kind = m.compliant[k, KIND]
    return (kind != DRY and kind != SURFACE) or w.contact[k, MODE] != FLIGHT


@inlined
def any_active(m, w):
    """Can any joint push?"""
    for k in range(m.compliant.shape[0]):
        if is_active(m, w, k):
            return True
    return False


@inlined
def arms(m, w, k):
    """The point X of joint k from the centres of mass of its two bodies, as held in `w`."""
    i, j, body = m.compliant[k, SOCKET], m.compliant[k, BALL], w.body
    sx, sy, sz = rotated(body, i, m.compliant_vector, k, IN_SOCKET)
    sx, sy, sz = sx + w.force[k, ARM_OF], sy + w.force[k, ARM_OF + 1], sz + w.force[k, ARM_OF + 2]
    dx, dy, dz = body[i, POSITION], body[i, POSITION + 1], body[i, POSITION + 2]
    dx, dy, dz = dx - body[j, POSITION], dy - body[j, POSITION + 1], dz - body[j, POSITION + 2]
    return sx, sy, sz, sx + dx, sy + dy, sz + dz


@inlined
def unit_push(m, w, b, sign, torque, c, ax, ay, az):
    """The free acceleration of body b under a unit force (at the arm a) or torque along axis c."""
    if b == 0:
        return
    body, v = w.body, WORLD_TENSOR
    x, y, z = (1.0 if c == 0 else 0.0), (1.0 if c == 1 else 0.0), (1.0 if c == 2 else 0.0)
    if not torque:
        body[b, ACCELERATION + c] = sign * m.body[b, INVERSE_MASS]
        x, y, z = cross(ax, ay, az, x, y, z)
    for d in range(3):
        p = v + 3 * d
        body[b, ACCELERATION + 3 + d] = sign * (body[b, p] * x + body[b, p + 1] * y + body[b, p + 2] * z)


@inlined
def rows_of_accelerations(m, w):
    """J a of the accelerations held in `w`, into the multipliers."""
    J, body = w.jacobian, w.body
    w.multiplier[:] = 0.0
    for k in range(m.block.shape[0]):
        i, j, first = m.block[k, PARENT], m.block[k, CHILD], m.block[k, ROW]
        for r in range(first, first + m.block[k, ROWS]):
            x = 0.0
            for c in range(6):
                x += J[2 * r, c] * body[i, ACCELERATION + c] + J[2 * r + 1, c] * body[j, ACCELERATION + c]
            w.multiplier[r] = x


@inlined
def relative(m, r, k, c, x):
    """Row c of G for joint k times the velocities x."""
    if m.tree.shape[0] == 0:
        return relative_of_bodies(m, r, k, c, x)
    value, row = 0.0, m.compliant[k, UNKNOWN] + c
    for d in range(x.shape[0]):
        value += r.G[row, d] * x[d]
    return value


@inlined
def relative_of_bodies(m, r, k, c, x):
    """The same where x are the velocities of the bodies."""
    value = 0.0
    i, j, arm = m.compliant[k, SOCKET], m.compliant[k, BALL], r.arm
    for side in range(2):
        b, sign, a = (j, 1.0, 3) if side else (i, -1.0, 0)
        if b > 0:
            at = 6 * (b - 1)
            if c < 3:
                p, q = (c + 1) % 3, (c + 2) % 3
                turn = x[at + 3 + p] * arm[k, a + q] - x[at + 3 + q] * arm[k, a + p]
                value += sign * (x[at + c] + turn)
            else:
                value += sign * x[at + c]
    return value


@addressed(void(MODEL, WORK, RESPONSE, int64, int64, int64, boolean))
def answer_of_bodies(m, w, r, k, c, column, active):
    """W of the unit force c of joint k in absolute coordinates: what all bodies do."""
    if not active:
        return
    body = w.body
    body[:, ACCELERATION : ACCELERATION + 6] = 0.0
    unit_push(m, w, m.compliant[k, SOCKET], -1.0, c >= 3, c % 3, r.arm[k, 0], r.arm[k, 1], r.arm[k, 2])
    unit_push(m, w, m.compliant[k, BALL], 1.0, c >= 3, c % 3, r.arm[k, 3], r.arm[k, 4], r.arm[k, 5])
    if w.row.shape[0] > 0:
        rows_of_accelerations(m, w)
        solve_rows(m, w, w.multiplier)
    for b in range(1, m.body.shape[0]):
        for d in range(6):
            r.W[column, 6 * (b - 1) + d] = body[b, ACCELERATION + d]


@addressed(void(MODEL, WORK, RESPONSE, int64, int64, int64, boolean))
def answer_of_tree(m, w, r, k, c, column, active):
    """G and W of the unit force c of joint k in relative coordinates: what all freedoms feel and do."""
    tree_push(m, w, k, c, r.arm)
    efforts_of_forces(m, w, r.G[column])
    if active:
        tree_push(m, w, k, c, r.arm)
        clear_accelerations(m, w)
        w.multiplier[:] = 0.0
        solve_tree(m, w, w.multiplier, 0.0)
        for d in range(m.velocity.shape[0]):
            r.W[column, d] = w.freedom[d, FREE_ACCELERATION]


@inlined
def tree_push(m, w, k, c, arm):
    """A unit force (at X) or torque of joint k along axis c alone, as what holds the links still."""
    clear_forces(m, w)
    for g in range(1, m.tree.shape[0]):
        for side in range(2):
            if m.tree[g, TREE_BODY] == m.compliant[k, SOCKET + side * (BALL - SOCKET)]:
                sign = -1.0 if side else 1.0  # what holds still is opposite to what pushes
                axis = (sign if c % 3 == 0 else 0.0, sign if c % 3 == 1 else 0.0, sign if c % 3 == 2 else 0.0)
                torque = axis
                if c < 3:
                    put(w.link, g, LINK_FORCE, axis)
                    torque = vector_product(plus(get(w.link, g, LINK_CENTRE), get(arm, k, 3 * side)), axis)
                put(w.link, g, LINK_FORCE + 3, torque)


@addressed(void(MODEL, WORK, RESPONSE))
def compliance(m, w, r):
    """W and D at the state last evaluated in `w`, which is ready to be solved for other forces."""
    r.W[:] = 0.0
    r.D[:] = 0.0
    for k in range(m.compliant.shape[0]):
        r.arm[k, 0], r.arm[k, 1], r.arm[k, 2], r.arm[k, 3], r.arm[k, 4], r.arm[k, 5] = arms(m, w, k)
        active = is_active(m, w, k)
        for c in range(m.compliant[k, UNKNOWNS]):
            column = m.compliant[k, UNKNOWN] + c
            if c >= 3 and m.compliant[k, BRISTLE] >= 0:
                r.D[column, column] = 1.0 if active else 0.0
            else:
                answer(m, w, r, k, c, column, active)
    for k in range(m.compliant.shape[0]):
        if is_active(m, w, k):
            for c in range(3 if m.compliant[k, BRISTLE] >= 0 else m.compliant[k, UNKNOWNS]):
                row = m.compliant[k, UNKNOWN] + c
                for column in range(r.W.shape[0]):
                    r.D[row, column] = relative(m, r, k, c, r.W[column])
