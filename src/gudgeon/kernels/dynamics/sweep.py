"""One pass inwards with forces, one outwards with accelerations, over articulated links and their loops.

Inwards, every link gathers the force that it would take to hold it still; outwards, the accelerations and multipliers
follow. Called with forces, velocities and right-hand sides of the loops it gives the motion; with one force alone, the
answer to that force; with right-hand sides alone, what the loops do.
"""

from __future__ import annotations

from numba import float64, void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.build.records import VECTOR
from gudgeon.kernels.dynamics.arrays import (
    ACCELERATION,
    APPLIED,
    ENTRY_OFFSET,
    ENTRY_ROW,
    ENTRY_ROWS,
    FIRST_NODE,
    FIRST_PATH,
    FREE_ACCELERATION,
    FREE_AXIS,
    FREE_INVERSE,
    FREE_PART,
    FREE_PULL,
    FREEDOMS,
    INVERSE_PIVOT,
    LAST_NODE,
    LAST_PATH,
    LINK_ACCELERATION,
    LINK_ARM,
    LINK_BIAS,
    LINK_BIAS_FORCE,
    LINK_CENTRE,
    LINK_FORCE,
    MASS,
    MODEL,
    NODE_DIAGONAL,
    NODE_ENTRY,
    NODE_HUB,
    NODE_ROWS,
    OMEGA,
    PATH_PULL,
    PATH_ROW,
    PATH_ROWS,
    SLIDES,
    TREE_BODY,
    TREE_PARENT,
    TREE_VELOCITY,
    WORK,
)
from gudgeon.kernels.kinematics.vectors import add_to, dot, get, plus, plus_times, put, vector_product

NOTHING = (0.0, 0.0, 0.0)


@inlined
def hold_still(m, w, k):
    """The force that holds link k alone against its applied forces and its own rotation; clears its accelerations."""
    body, link, b = w.body, w.link, m.tree[k, TREE_BODY]
    centre, omega = get(link, k, LINK_CENTRE), get(body, b, OMEGA)
    swing = vector_product(omega, vector_product(omega, centre))
    applied = get(body, b, APPLIED)
    force = plus_times((-applied[0], -applied[1], -applied[2]), m.body[b, MASS], swing)
    put(link, k, LINK_FORCE, force)
    put(link, k, LINK_FORCE + 3, plus_times(vector_product(centre, force), -1.0, get(body, b, APPLIED + 3)))
    put(body, b, ACCELERATION, swing)
    put(body, b, ACCELERATION + 3, NOTHING)
    for s in range(m.tree[k, TREE_VELOCITY], m.tree[k, TREE_VELOCITY] + m.tree[k, FREEDOMS]):
        w.freedom[s, FREE_ACCELERATION] = 0.0


@inlined
def forward_loops(m, w, k, x):
    """Eliminate the right-hand sides x of the loops that end at link k, and add what they pull to its force."""
    S, link = w.schur, w.link
    for n in range(m.tree[k, FIRST_NODE], m.tree[k, LAST_NODE]):
        f, at, rows, hub = 6 * n, m.node[n, NODE_DIAGONAL], m.node[n, NODE_ROWS], m.node[n, NODE_HUB]
        for i in range(1, rows):
            for j in range(i):
                x[f + i] -= S[at + i, j] * x[f + j]
        for e in range(m.node[n, NODE_ENTRY], m.node[n + 1, NODE_ENTRY]):
            to, o = m.entry[e, ENTRY_ROW], m.entry[e, ENTRY_OFFSET]
            if to >= 0:
                for i in range(m.entry[e, ENTRY_ROWS]):
                    for j in range(rows):
                        x[to + i] -= S[o + i, j] * x[f + j]
        if hub >= 0:
            for i in range(6):
                for j in range(rows):
                    link[k, LINK_FORCE + i] += S[hub + i, j] * x[f + j]


@inlined
def backward_loops(m, w, k, x):
    """The multipliers of the loops that end at link k, whose acceleration is known."""
    S, link, row = w.schur, w.link, w.row
    for n in range(m.tree[k, LAST_NODE] - 1, m.tree[k, FIRST_NODE] - 1, -1):
        f, at, rows, hub = 6 * n, m.node[n, NODE_DIAGONAL], m.node[n, NODE_ROWS], m.node[n, NODE_HUB]
        for j in range(rows):
            x[f + j] *= row[f + j, INVERSE_PIVOT]
        if hub >= 0:
            for i in range(6):
                for j in range(rows):
                    x[f + j] += S[hub + i, j] * link[k, LINK_ACCELERATION + i]
        for e in range(m.node[n, NODE_ENTRY], m.node[n + 1, NODE_ENTRY]):
            to, o = m.entry[e, ENTRY_ROW], m.entry[e, ENTRY_OFFSET]
            if to >= 0:
                for i in range(m.entry[e, ENTRY_ROWS]):
                    for j in range(rows):
                        x[f + j] -= S[o + i, j] * x[to + i]
        for i in range(rows - 1, 0, -1):
            for j in range(i):
                x[f + j] -= S[at + i, j] * x[f + i]


@inlined
def inwards(m, w, k, x, moving):
    """The efforts left for the freedoms of link k, and its force onto the inner link."""
    link, F, S, Z = w.link, w.freedom, w.schur, w.reach
    v, slides, p = m.tree[k, TREE_VELOCITY], m.tree[k, SLIDES], m.tree[k, TREE_PARENT]
    loops = m.tree[k, LAST_PATH] > m.tree[k, FIRST_PATH]
    force, torque = get(link, k, LINK_FORCE), get(link, k, LINK_FORCE + 3)
    for s in range(v, v + m.tree[k, FREEDOMS]):
        u = -dot(get(F, s, FREE_AXIS), force if s < v + slides else torque)
        F[s, FREE_PART] = u
        u *= F[s, FREE_INVERSE]
        force = plus_times(force, u, get(F, s, FREE_PULL))
        torque = plus_times(torque, u, get(F, s, FREE_PULL + 3))
        if loops:
            for e in range(m.tree[k, FIRST_PATH], m.tree[k, LAST_PATH]):
                for c in range(m.path[e, PATH_ROWS]):
                    x[m.path[e, PATH_ROW] + c] += Z[6 * e + s - v, c] * u
    if loops:
        for e in range(m.tree[k, FIRST_PATH], m.tree[k, LAST_PATH]):
            for c in range(m.path[e, PATH_ROWS]):
                for g in range(6):
                    x[m.path[e, PATH_ROW] + c] += moving * S[m.path[e, PATH_PULL] + g, c] * link[k, LINK_BIAS + g]
    if p > 0:
        force = plus_times(force, moving, get(link, k, LINK_BIAS_FORCE))
        torque = plus_times(torque, moving, get(link, k, LINK_BIAS_FORCE + 3))
        add_to(link, p, LINK_FORCE, force)
        add_to(link, p, LINK_FORCE + 3, plus(torque, vector_product(get(link, k, LINK_ARM), force)))


@inlined
def outwards(m, w, k, x, moving):
    """The accelerations of the freedoms of link k and of the link itself; adds to those of freedoms and bodies."""
    link, F, Z, body = w.link, w.freedom, w.reach, w.body
    v, slides, p, b = m.tree[k, TREE_VELOCITY], m.tree[k, SLIDES], m.tree[k, TREE_PARENT], m.tree[k, TREE_BODY]
    alpha = get(link, p, LINK_ACCELERATION + 3)
    a = plus(get(link, p, LINK_ACCELERATION), vector_product(alpha, get(link, k, LINK_ARM)))
    a = plus_times(a, moving, get(link, k, LINK_BIAS))
    alpha = plus_times(alpha, moving, get(link, k, LINK_BIAS + 3))
    loops = m.tree[k, LAST_PATH] > m.tree[k, FIRST_PATH]
    for s in range(v + m.tree[k, FREEDOMS] - 1, v - 1, -1):
        u = F[s, FREE_PART] - dot(get(F, s, FREE_PULL), a) - dot(get(F, s, FREE_PULL + 3), alpha)
        if loops:
            for e in range(m.tree[k, FIRST_PATH], m.tree[k, LAST_PATH]):
                for r in range(m.path[e, PATH_ROWS]):
                    u -= Z[6 * e + s - v, r] * x[m.path[e, PATH_ROW] + r]
        u *= F[s, FREE_INVERSE]
        F[s, FREE_ACCELERATION] += u
        if s < v + slides:
            a = plus_times(a, u, get(F, s, FREE_AXIS))
        else:
            alpha = plus_times(alpha, u, get(F, s, FREE_AXIS))
    put(link, k, LINK_ACCELERATION, a)
    put(link, k, LINK_ACCELERATION + 3, alpha)
    add_to(body, b, ACCELERATION, plus(a, vector_product(alpha, get(link, k, LINK_CENTRE))))
    add_to(body, b, ACCELERATION + 3, alpha)


@inlined
def all_outwards(m, w, x, moving):
    """Accelerations and multipliers, once all forces have come to the ground."""
    if m.tree[0, LAST_NODE] > m.tree[0, FIRST_NODE]:
        forward_loops(m, w, 0, x)
        backward_loops(m, w, 0, x)
    for k in range(1, m.tree.shape[0]):
        outwards(m, w, k, x, moving)
        if m.tree[k, LAST_NODE] > m.tree[k, FIRST_NODE]:
            backward_loops(m, w, k, x)


@addressed(void(MODEL, WORK, VECTOR, float64))
def sweep_all(m, w, x, moving):
    """Overwrite the right-hand sides x of the loops by their multipliers; adds to the accelerations in `w`.

    The forces in `w.link` are used up. `moving` is 1 where velocities count, else 0.
    """
    for k in range(m.tree.shape[0] - 1, 0, -1):
        if m.tree[k, LAST_NODE] > m.tree[k, FIRST_NODE]:
            forward_loops(m, w, k, x)
        inwards(m, w, k, x, moving)
    all_outwards(m, w, x, moving)


@called
def clear_forces(m, w):
    """No force on any link."""
    w.link[:, LINK_FORCE : LINK_FORCE + 6] = 0.0


@called
def clear_accelerations(m, w):
    """No acceleration of any body or freedom."""
    w.body[:, ACCELERATION : ACCELERATION + 6] = 0.0
    w.freedom[:, FREE_ACCELERATION] = 0.0


@called
def efforts_of_forces(m, w, effort):
    """The efforts along all freedoms that the forces in `w.link` balance; uses the forces up."""
    link, F = w.link, w.freedom
    for k in range(m.tree.shape[0] - 1, 0, -1):
        v, slides, p = m.tree[k, TREE_VELOCITY], m.tree[k, SLIDES], m.tree[k, TREE_PARENT]
        force, torque = get(link, k, LINK_FORCE), get(link, k, LINK_FORCE + 3)
        for s in range(v, v + m.tree[k, FREEDOMS]):
            effort[s] = -dot(get(F, s, FREE_AXIS), force if s < v + slides else torque)
        if p > 0:
            add_to(link, p, LINK_FORCE, force)
            add_to(link, p, LINK_FORCE + 3, plus(torque, vector_product(get(link, k, LINK_ARM), force)))
