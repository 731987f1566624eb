"""Loops in a tree of articulated bodies: multipliers are eliminated where both sides of a loop have come together.

The rows of a loop pull on its end links by K = Jᵀ; an articulated link hands on what its joint does not give way to:

    z = Sᵀ K,   L += z zᵀ / D,   K −= U zᵀ / D           (one freedom S after the other, then to the inner link)

L is the acceleration with which the loop gives way per multiplier while the last link common to both sides (its hub)
stands still, and K what it then feels there. With β the acceleration that is missing, the multipliers are

    λ = L⁻¹ (β + Kᵀ a),   so that the hub has the inertia + K L⁻¹ Kᵀ and feels the force K L⁻¹ β

and nothing of the loop is left further inwards. Loops that pass through a hub, or share one, are coupled by blocks of
L; the blocks are factorised like those of the absolute formulation (elimination.py, tables from mechanics/loops.py), so
the work grows with the number of links and loops, and faster only where many loops pass through one joint. Redundant
rows may have no diagonal at all in L (in a plane linkage nothing gives way out of the plane), so the regularisation's ε
multiplies the diagonal that the loop's two bodies would have if they were free.
"""

from __future__ import annotations

from numba import float64, void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.dynamics.arrays import (
    DIAGONAL,
    FIRST_MEETING,
    FIRST_NODE,
    FIRST_PATH,
    FREE_AXIS,
    FREE_INVERSE,
    FREE_PULL,
    FREEDOMS,
    GAMMA,
    GRIP_LINK,
    GRIP_PULL,
    GRIP_ROW,
    GRIP_ROWS,
    GRIP_SIDE,
    HUB,
    INERTIA,
    INVERSE_MASS,
    KIND,
    LAST_MEETING,
    LAST_NODE,
    LAST_PATH,
    LINK_ARM,
    LINK_CENTRE,
    LINK_INERTIA,
    MEETING_FIRST,
    MEETING_SECOND,
    MEETING_TARGET,
    MODEL,
    NODE_DIAGONAL,
    NODE_ROWS,
    OMEGA,
    OWN,
    PARENT,
    PATH_NEXT,
    PATH_PULL,
    PATH_ROW,
    PATH_ROWS,
    PIVOT,
    POINTS,
    RATE,
    REGULARIZATION,
    RESIDUAL,
    ROTOR,
    ROTOR_INERTIA,
    ROW,
    SLIDES,
    TREE_BODY,
    TREE_VELOCITY,
    WORK,
)
from gudgeon.kernels.dynamics.elimination import factorise_node
from gudgeon.kernels.dynamics.engine import all_rows
from gudgeon.kernels.elements.node_pins import give_way_at_nodes
from gudgeon.kernels.kinematics.vectors import add_to_column, dot, get, get_column, plus, plus_times, vector_product

VANISHING = 1e-10  # a row gives way by less than this, against its bodies if they were free: it is redundant


@inlined
def seen_from_parent(m, w, k):
    """Make the rows of coincident points d = 0 those of d in the parent's axes: Φ̇ = ḋ − ω × d.

    Then a motion of both bodies as one violates nothing, to the last digit, and nothing of a loop acts beyond its hub.
    """
    r, J, row, omega = m.block[k, ROW], w.jacobian, w.row, get(w.body, m.block[k, PARENT], OMEGA)
    d, rate = get_column(row, r, RESIDUAL), get_column(row, r, RATE)
    J[2 * r, 4] -= d[2]
    J[2 * r, 5] += d[1]
    J[2 * r + 2, 3] += d[2]
    J[2 * r + 2, 5] -= d[0]
    J[2 * r + 4, 3] -= d[1]
    J[2 * r + 4, 4] += d[0]
    carried = vector_product(omega, d)
    carried = (-carried[0], -carried[1], -carried[2])
    add_to_column(row, r, RATE, carried)
    add_to_column(row, r, GAMMA, vector_product(omega, plus_times(carried, 2.0, rate)))


@addressed(void(MODEL, WORK, float64))
def rows_of_loops(m, w, t):
    """The rows of all loops and drives, and their pulls on their end links."""
    S, J, link = w.schur, w.jacobian, w.link
    all_rows(m, w, t)
    for k in range(m.block.shape[0]):
        if m.block[k, KIND] == POINTS:
            seen_from_parent(m, w, k)
    S[:] = 0.0
    w.row[:, DIAGONAL] = 0.0
    w.row[:, OWN] = 0.0
    for g in range(m.grip.shape[0]):
        k, side, at = m.grip[g, GRIP_LINK], m.grip[g, GRIP_SIDE], m.grip[g, GRIP_PULL]
        centre, b = get(link, k, LINK_CENTRE), m.tree[k, TREE_BODY]
        light, slim = (
            m.body[b, INVERSE_MASS],
            3.0 / (m.body[b, INERTIA] + m.body[b, INERTIA + 4] + m.body[b, INERTIA + 8]),
        )
        for c in range(m.grip[g, GRIP_ROWS]):
            x = 2 * (m.grip[g, GRIP_ROW] + c) + side
            force, torque = get(J, x, 0), get(J, x, 3)
            w.row[m.grip[g, GRIP_ROW] + c, DIAGONAL] += light * dot(force, force) + slim * dot(torque, torque)
            add_to_column(S, at, c, force)
            add_to_column(S, at + 3, c, plus(torque, vector_product(centre, force)))
    if w.body.shape[0] > m.body.shape[0]:
        give_way_at_nodes(m, w)
    for k in range(m.block.shape[0]):
        if m.block[k, KIND] == ROTOR:
            r = m.block[k, ROW]
            give = 1.0 / m.block_vector[k, ROTOR_INERTIA]
            S[m.node[r // 6, NODE_DIAGONAL] + r % 6, r % 6] += give
            w.row[r, DIAGONAL] += give
            w.row[r, OWN] += give


@called
def pull_through(m, w, k):
    """Hand the pulls of all loops that pass through the joint of link k on to its inner link."""
    S, F, link, Z = w.schur, w.freedom, w.link, w.reach
    v, slides, freedoms = m.tree[k, TREE_VELOCITY], m.tree[k, SLIDES], m.tree[k, FREEDOMS]
    first, last = m.tree[k, FIRST_PATH], m.tree[k, LAST_PATH]
    for s in range(freedoms):
        axis, d = get(F, v + s, FREE_AXIS), F[v + s, FREE_INVERSE]
        for e in range(first, last):
            at = m.path[e, PATH_PULL]
            o = at if s < slides else at + 3
            for c in range(m.path[e, PATH_ROWS]):
                reach = dot(axis, get_column(S, o, c))
                Z[6 * e + s, c] = reach
                for g in range(6):
                    S[at + g, c] -= F[v + s, FREE_PULL + g] * (d * reach)
        for n in range(m.tree[k, FIRST_MEETING], m.tree[k, LAST_MEETING]):
            one, two, at = m.meeting[n, MEETING_FIRST], m.meeting[n, MEETING_SECOND], m.meeting[n, MEETING_TARGET]
            for i in range(m.path[one, PATH_ROWS]):
                reach = d * Z[6 * one + s, i]
                for j in range(i + 1 if one == two else m.path[two, PATH_ROWS]):
                    S[at + i, j] += reach * Z[6 * two + s, j]
                if one == two:
                    w.row[m.path[one, PATH_ROW] + i, OWN] += reach * Z[6 * one + s, i]
    arm = get(link, k, LINK_ARM)
    for e in range(first, last):
        at, to = m.path[e, PATH_PULL], m.path[e, PATH_NEXT]
        if to >= 0:
            for c in range(m.path[e, PATH_ROWS]):
                force = get_column(S, at, c)
                add_to_column(S, to, c, force)
                add_to_column(S, to + 3, c, plus(get_column(S, at + 3, c), vector_product(arm, force)))


@called
def close_loops(m, w, k):
    """Eliminate the multipliers of the loops whose two sides come together at link k, and stiffen it by them."""
    S, row, epsilon = w.schur, w.row, m.settings[REGULARIZATION]
    for n in range(m.tree[k, FIRST_NODE], m.tree[k, LAST_NODE]):
        at = m.node[n, NODE_DIAGONAL]
        for c in range(m.node[n, NODE_ROWS]):
            S[at + c, c] += epsilon * row[6 * n + c, DIAGONAL]
        factorise_node(m, w, n)
        for r in range(6 * n, 6 * n + m.node[n, NODE_ROWS]):  # as `is_nearly_singular` compares it
            own = row[r, OWN] > VANISHING * row[r, DIAGONAL]
            row[r, PIVOT] = row[r, PIVOT] * row[r, DIAGONAL] / row[r, OWN] if own else 0.0
    at = m.tree[k, HUB]
    if at >= 0:
        X, link, place = LINK_INERTIA, w.link, 0
        for i in range(3):
            for j in range(i, 3):
                link[k, X + place] -= S[at + j, i]
                link[k, X + 15 + place] -= S[at + 3 + j, 3 + i]
                place += 1
            for j in range(3):
                link[k, X + 6 + 3 * i + j] -= S[at + 3 + j, i]
