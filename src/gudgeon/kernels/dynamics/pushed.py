"""What the whole mechanism does under given pushes, in both formulations: of nonsmooth contacts, of friction."""

from __future__ import annotations

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed, inlined
from gudgeon.kernels.dynamics.arrays import (
    ACCELERATION,
    CHANGE,
    CHILD,
    ECHO,
    FREE_ACCELERATION,
    INVERSE_MASS,
    KIND,
    LINK_CENTRE,
    LINK_FORCE,
    MODEL,
    PARENT,
    ROW,
    ROWS,
    TREE_BODY,
    WORK,
    WORLD_TENSOR,
)
from gudgeon.kernels.dynamics.engine import solve_rows
from gudgeon.kernels.dynamics.relative import solve_tree
from gudgeon.kernels.dynamics.response import PUSH, PUSHED, rows_of_accelerations
from gudgeon.kernels.dynamics.sweep import clear_accelerations, clear_forces, efforts_of_forces
from gudgeon.kernels.kinematics.vectors import add_to, dot, get, plus, put, vector_product


@inlined
def acts_on(p, r, b):
    """Does row r of the pushes p act on body b?"""
    return b > 0 and (p.body[r, 0] == b or p.body[r, 1] == b or p.body[r, 2] == b or p.body[r, 3] == b)


@inlined
def rows_of_pushed(m, w, p, r):
    """J a of the accelerations held in `w` of the bodies that row r of the pushes p acts on, into the multipliers."""
    J, body, x = w.jacobian, w.body, w.multiplier
    for e in range(x.shape[0]):
        x[e] = 0.0
    for k in range(m.block.shape[0]):
        i, j, first = m.block[k, PARENT], m.block[k, CHILD], m.block[k, ROW]
        if acts_on(p, r, i) or acts_on(p, r, j):
            for e in range(first, first + m.block[k, ROWS]):
                z = 0.0
                for c in range(6):
                    z += J[2 * e, c] * body[i, ACCELERATION + c] + J[2 * e + 1, c] * body[j, ACCELERATION + c]
                x[e] = z
            if m.block[k, KIND] == ECHO:
                x[first - 1] += x[first]
                x[first] = 0.0


@inlined
def of_freedoms(m, w, out):
    """What all freedoms do under the forces in `w.link`, which are used up."""
    clear_accelerations(m, w)
    w.multiplier[:] = 0.0
    solve_tree(m, w, w.multiplier, 0.0)
    for d in range(w.freedom.shape[0]):
        out[d] = w.freedom[d, FREE_ACCELERATION]


@addressed(void(MODEL, WORK, PUSH, int64), short=True)
def bodies_pushed(m, w, p, r):
    """W of row r of the pushes p in absolute coordinates: what all bodies do."""
    body, V = w.body, p.vector
    body[:, ACCELERATION : ACCELERATION + 6] = 0.0
    for side in range(PUSHED):
        b, at = p.body[r, side], 6 * side
        if b > 0:
            x, y, z = V[r, at + 3], V[r, at + 4], V[r, at + 5]
            for c in range(3):
                t = WORLD_TENSOR + 3 * c
                body[b, ACCELERATION + c] += m.body[b, INVERSE_MASS] * V[r, at + c]
                body[b, ACCELERATION + 3 + c] += body[b, t] * x + body[b, t + 1] * y + body[b, t + 2] * z
    if w.row.shape[0] > 0:
        rows_of_pushed(m, w, p, r)
        solve_rows(m, w, w.multiplier)
    out = p.W[r]
    for b in range(1, m.body.shape[0]):
        for d in range(6):
            out[6 * (b - 1) + d] = body[b, ACCELERATION + d]


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
        for side in range(PUSHED):
            if m.tree[g, TREE_BODY] == p.body[r, side]:
                force, torque = get(p.vector, r, 6 * side), get(p.vector, r, 6 * side + 3)
                torque = plus(torque, vector_product(get(w.link, g, LINK_CENTRE), force))
                add_to(w.link, g, LINK_FORCE, (-force[0], -force[1], -force[2]))
                add_to(w.link, g, LINK_FORCE + 3, (-torque[0], -torque[1], -torque[2]))


@addressed(void(MODEL, WORK))
def bodies_under_change(m, w):
    """What all bodies do under the forces in CHANGE alone, in absolute coordinates."""
    body = w.body
    body[:, ACCELERATION : ACCELERATION + 6] = 0.0
    for b in range(1, m.body.shape[0]):
        force, torque = get(body, b, CHANGE), get(body, b, CHANGE + 3)
        for c in range(3):
            body[b, ACCELERATION + c] = m.body[b, INVERSE_MASS] * force[c]
            body[b, ACCELERATION + 3 + c] = dot(get(body, b, WORLD_TENSOR + 3 * c), torque)
    if w.row.shape[0] > 0:
        rows_of_accelerations(m, w)
        solve_rows(m, w, w.multiplier)


@addressed(void(MODEL, WORK))
def tree_under_change(m, w):
    """What all freedoms and bodies do under the forces in CHANGE alone, in relative coordinates."""
    for g in range(1, m.tree.shape[0]):
        b = m.tree[g, TREE_BODY]
        force = get(w.body, b, CHANGE)
        torque = plus(get(w.body, b, CHANGE + 3), vector_product(get(w.link, g, LINK_CENTRE), force))
        put(w.link, g, LINK_FORCE, (-force[0], -force[1], -force[2]))  # what holds still is opposite to what pushes
        put(w.link, g, LINK_FORCE + 3, (-torque[0], -torque[1], -torque[2]))
    clear_accelerations(m, w)
    w.multiplier[:] = 0.0
    solve_tree(m, w, w.multiplier, 0.0)
