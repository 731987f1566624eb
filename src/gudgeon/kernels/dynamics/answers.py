"""What the mechanism does under unit forces, in both formulations: W and D (response.py)."""

from __future__ import annotations

from numba import boolean, int64, void

from gudgeon.kernels.build.compiled import addressed, inlined
from gudgeon.kernels.dynamics.arrays import (
    ACCELERATION,
    BALL,
    BRISTLE,
    FREE_ACCELERATION,
    INVERSE_MASS,
    LINK_CENTRE,
    LINK_FORCE,
    MODEL,
    SOCKET,
    TREE_BODY,
    UNKNOWN,
    UNKNOWNS,
    WORK,
    WORLD_TENSOR,
)
from gudgeon.kernels.dynamics.engine import answer, solve_rows
from gudgeon.kernels.dynamics.relative import solve_tree
from gudgeon.kernels.dynamics.response import PUSH, RESPONSE, arms, is_active, relative, rows_of_accelerations
from gudgeon.kernels.dynamics.sweep import clear_accelerations, clear_forces, efforts_of_forces
from gudgeon.kernels.kinematics.rotation import cross
from gudgeon.kernels.kinematics.vectors import get, plus, put, vector_product


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
def constrained(m, w, out):
    """What all bodies do whose free accelerations are held in `w`, with their ideal joints."""
    if w.row.shape[0] > 0:
        rows_of_accelerations(m, w)
        solve_rows(m, w, w.multiplier)
    for b in range(1, m.body.shape[0]):
        for d in range(6):
            out[6 * (b - 1) + d] = w.body[b, ACCELERATION + d]


@inlined
def of_freedoms(m, w, out):
    """What all freedoms do under the forces in `w.link`, which are used up."""
    clear_accelerations(m, w)
    w.multiplier[:] = 0.0
    solve_tree(m, w, w.multiplier, 0.0)
    for d in range(m.velocity.shape[0]):
        out[d] = w.freedom[d, FREE_ACCELERATION]


@addressed(void(MODEL, WORK, PUSH, int64))
def bodies_pushed(m, w, p, r):
    """W of row r of the pushes p in absolute coordinates: what all bodies do."""
    body, V = w.body, p.vector
    body[:, ACCELERATION : ACCELERATION + 6] = 0.0
    for side in range(2):
        b, at = p.body[r, side], 6 * side
        if b > 0:
            x, y, z = V[r, at + 3], V[r, at + 4], V[r, at + 5]
            for c in range(3):
                t = WORLD_TENSOR + 3 * c
                body[b, ACCELERATION + c] += m.body[b, INVERSE_MASS] * V[r, at + c]
                body[b, ACCELERATION + 3 + c] += body[b, t] * x + body[b, t + 1] * y + body[b, t + 2] * z
    constrained(m, w, p.W[r])


@addressed(void(MODEL, WORK, PUSH, int64))
def tree_pushed(m, w, p, r):
    """G and W of row r of the pushes p in relative coordinates: what all freedoms feel and do."""
    push_links(m, w, p, r)
    efforts_of_forces(m, w, p.G[r])
    push_links(m, w, p, r)
    of_freedoms(m, w, p.W[r])


@inlined
def push_links(m, w, p, r):
    """Row r of the pushes p alone, as what holds the links still: opposite to what pushes."""
    clear_forces(m, w)
    for g in range(1, m.tree.shape[0]):
        for side in range(2):
            if m.tree[g, TREE_BODY] == p.body[r, side]:
                force, torque = get(p.vector, r, 6 * side), get(p.vector, r, 6 * side + 3)
                torque = plus(torque, vector_product(get(w.link, g, LINK_CENTRE), force))
                put(w.link, g, LINK_FORCE, (-force[0], -force[1], -force[2]))
                put(w.link, g, LINK_FORCE + 3, (-torque[0], -torque[1], -torque[2]))


@addressed(void(MODEL, WORK, RESPONSE, int64, int64, int64, boolean))
def answer_of_bodies(m, w, r, k, c, column, active):
    """W of the unit force c of joint k in absolute coordinates: what all bodies do."""
    if not active:
        return
    body = w.body
    body[:, ACCELERATION : ACCELERATION + 6] = 0.0
    unit_push(m, w, m.compliant[k, SOCKET], -1.0, c >= 3, c % 3, r.arm[k, 0], r.arm[k, 1], r.arm[k, 2])
    unit_push(m, w, m.compliant[k, BALL], 1.0, c >= 3, c % 3, r.arm[k, 3], r.arm[k, 4], r.arm[k, 5])
    constrained(m, w, r.W[column])


@addressed(void(MODEL, WORK, RESPONSE, int64, int64, int64, boolean))
def answer_of_tree(m, w, r, k, c, column, active):
    """G and W of the unit force c of joint k in relative coordinates: what all freedoms feel and do."""
    tree_push(m, w, k, c, r.arm)
    efforts_of_forces(m, w, r.G[column])
    if active:
        tree_push(m, w, k, c, r.arm)
        of_freedoms(m, w, r.W[column])


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
