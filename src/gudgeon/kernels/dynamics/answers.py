"""What the mechanism does under unit forces, in both formulations: W and D (response.py)."""

from __future__ import annotations

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.dynamics.arrays import (
    ACCELERATION,
    BALL,
    BRISTLE,
    CHANGE,
    FREE_ACCELERATION,
    LOAD,
    MODEL,
    PARENT,
    ROW,
    ROWS,
    RUB,
    RUB_SLIDES,
    SOCKET,
    WORK,
)
from gudgeon.kernels.dynamics.engine import answer, joint_loads, solve_rows
from gudgeon.kernels.dynamics.force_pattern import (
    BALL_AT,
    COLUMN,
    COLUMN_JOINT,
    D_AT,
    G_AT,
    PAIR,
    REACH,
    ROW_JOINT,
    SOCKET_AT,
    W_AT,
)
from gudgeon.kernels.dynamics.relative import solve_tree
from gudgeon.kernels.dynamics.response import (
    RESPONSE,
    arms,
    first_unknown,
    is_active,
    is_idle,
    is_load,
    pushing,
    relative_of_sides,
    rows_of_accelerations,
)
from gudgeon.kernels.dynamics.sweep import clear_accelerations, clear_forces, efforts_of_forces
from gudgeon.kernels.dynamics.unit_pushes import (
    push_bodies_by,
    push_carriers,
    push_of_load,
    push_of_rub,
    push_on_node,
    tree_push,
    unit_push,
)
from gudgeon.kernels.elements.node_pins import holds_node, pulled_node
from gudgeon.kernels.elements.rub_motion import along_rub
from gudgeon.kernels.kinematics.vectors import dot, get


@inlined
def answer_of_node(m, w, k, c, unknown):
    """The acceleration of an unknown of nodes under the unit force c of joint k and what pins do against it."""
    return push_on_node(m, k, c, unknown) / m.flexible.mass[unknown] + pulled_node(m, w, w.multiplier, unknown)


@addressed(void(MODEL, WORK, RESPONSE, int64, int64))
def answer_of_bodies(m, w, r, colour, c):
    """W of the unit forces c of the joints of one colour in absolute coordinates: what the bodies do that they move."""
    body, p, bodies = w.body, r.pattern, 6 * (m.body.shape[0] - 1)
    body[:, ACCELERATION : ACCELERATION + 6] = 0.0
    pushed = False
    for q in range(p.colour[colour], p.colour[colour + 1]):
        k = p.colour_joint[q]
        if c >= pushing(m, k) or not is_active(m, w, k):
            continue
        if is_load(m, k):
            push_of_load(m, w, k, c)
            pushed = True
        elif m.compliant[k, RUB] >= 0:
            push_of_rub(m, w, k, c)
            pushed = True
        else:
            unit_push(m, w, m.compliant[k, SOCKET], -1.0, c >= 3, c % 3, r.arm[k, 0], r.arm[k, 1], r.arm[k, 2])
            unit_push(m, w, m.compliant[k, BALL], 1.0, c >= 3, c % 3, r.arm[k, 3], r.arm[k, 4], r.arm[k, 5])
            pushed = True
    if not pushed:
        return
    if w.row.shape[0] > 0:
        rows_of_accelerations(m, w)
        solve_rows(m, w, w.multiplier)
    for q in range(p.colour[colour], p.colour[colour + 1]):
        k = p.colour_joint[q]
        if c < pushing(m, k):
            first, last = p.joint[k, COLUMN], p.joint[k + 1, COLUMN]
            at = p.joint[k, W_AT] + c * (last - first)
            d = 0
            while d < last - first:
                column = p.column[first + d]
                if column < bodies:
                    for e in range(6):
                        r.W[at + d + e] = body[1 + column // 6, ACCELERATION + e]
                    d += 6
                else:
                    r.W[at + d] = answer_of_node(m, w, k, c, column - bodies)
                    d += 1


@addressed(void(MODEL, WORK, RESPONSE, int64, int64))
def answer_of_tree(m, w, r, colour, c):
    """G and W of the same in relative coordinates: what the freedoms feel, and what they do."""
    p, freedoms = r.pattern, w.freedom.shape[0]
    clear_forces(m, w)
    pushed = False
    for q in range(p.colour[colour], p.colour[colour + 1]):
        k = p.colour_joint[q]
        if c < pushing(m, k) and not is_idle(m, w, k):
            tree_push(m, w, r, k, c)
            pushed = pushed or is_active(m, w, k)
    efforts_of_forces(m, w, r.effort)
    for q in range(p.colour[colour], p.colour[colour + 1]):
        k = p.colour_joint[q]
        if c < pushing(m, k):
            first, last = p.joint[k, REACH], p.joint[k + 1, REACH]
            at = p.joint[k, G_AT] + c * (last - first)
            for d in range(last - first):
                place = p.reach[first + d]
                r.G[at + d] = r.effort[place] if place < freedoms else push_on_node(m, k, c, place - freedoms)
    if not pushed:
        return
    clear_forces(m, w)
    for q in range(p.colour[colour], p.colour[colour + 1]):
        k = p.colour_joint[q]
        if c < pushing(m, k) and is_active(m, w, k):
            tree_push(m, w, r, k, c)
    clear_accelerations(m, w)
    for q in range(p.colour[colour], p.colour[colour + 1]):
        k = p.colour_joint[q]
        if c < pushing(m, k) and is_active(m, w, k):
            push_carriers(m, w, k, c)
    rows_of_nodes(m, w)
    solve_tree(m, w, w.multiplier, 0.0)
    for q in range(p.colour[colour], p.colour[colour + 1]):
        k = p.colour_joint[q]
        if c < pushing(m, k) and is_active(m, w, k):
            first, last = p.joint[k, COLUMN], p.joint[k + 1, COLUMN]
            at = p.joint[k, W_AT] + c * (last - first)
            for d in range(last - first):
                place = p.column[first + d]
                if place < freedoms:
                    r.W[at + d] = w.freedom[place, FREE_ACCELERATION]
                else:
                    r.W[at + d] = answer_of_node(m, w, k, c, place - freedoms)


@inlined
def rows_of_nodes(m, w):
    """What the accelerations held by carriers violate in the rows of pins at nodes, into the multipliers."""
    w.multiplier[:] = 0.0
    for k in range(m.block.shape[0]):
        if holds_node(m, k):
            b = m.block[k, PARENT]
            for e in range(m.block[k, ROW], m.block[k, ROW] + m.block[k, ROWS]):
                w.multiplier[e] = dot(get(w.jacobian, 2 * e, 0), get(w.body, b, ACCELERATION))


@called
def felt_by_rubs(m, w, r, colour, c):
    """What the unit forces c of the joints of a colour, just answered, do to ideal joints that rub.

    Their loads into R; in absolute coordinates their sliding into D, which W alone does not tell: some of them slide
    along two joints.
    """
    p, bodies = r.pattern, m.tree.shape[0] == 0
    w.body[:, CHANGE : CHANGE + 6] = 0.0
    for n in range(p.colour[colour], p.colour[colour + 1]):
        o = p.colour_joint[n]
        if c < pushing(m, o) and is_active(m, w, o):
            push_bodies_by(m, w, r, o, c)
    joint_loads(m, w, CHANGE)
    for n in range(p.colour[colour], p.colour[colour + 1]):
        o = p.colour_joint[n]
        if c < pushing(m, o) and is_active(m, w, o):
            for a in range(m.rubbing.shape[0]):
                k = m.rubbing[a]
                for q in range(p.joint[k, PAIR], p.joint[k + 1, PAIR]):
                    if p.pair[q, COLUMN_JOINT] == o:
                        for e in range(6):
                            r.R[6 * a + e, first_unknown(m, o) + c] = w.local[k, LOAD + e]
                        for d in range(m.compliant[k, RUB_SLIDES] if bodies else 0):
                            r.D[p.pair[q, D_AT] + d, c] = along_rub(m, w, k, d, ACCELERATION)


@addressed(void(MODEL, WORK, RESPONSE))
def compliance(m, w, r):
    """W and D at the state last evaluated in `w`, which is ready to be solved for other forces."""
    p = r.pattern
    r.W[:] = 0.0
    r.D[:] = 0.0
    for k in range(m.compliant.shape[0]):
        r.arm[k, 0], r.arm[k, 1], r.arm[k, 2], r.arm[k, 3], r.arm[k, 4], r.arm[k, 5] = arms(m, w, k)
    if m.rubbing.shape[0] > 0:
        r.R[:] = 0.0
        for a in range(m.rubbing.shape[0]):
            for c in range(3):
                for e in range(24):
                    r.rub[a, c, e] = w.rubbing.push[a, c, e]
    for colour in range(p.colour.shape[0] - 1):
        most = 0
        for q in range(p.colour[colour], p.colour[colour + 1]):
            most = max(most, 0 if is_idle(m, w, p.colour_joint[q]) else pushing(m, p.colour_joint[q]))
        for c in range(most):
            answer(m, w, r, colour, c)
            if m.rubbing.shape[0] > 0:
                felt_by_rubs(m, w, r, colour, c)
    for q in range(p.pair.shape[0]):
        k = p.pair[q, ROW_JOINT]
        if is_active(m, w, k) and not is_load(m, k):  # what loads feel: integrators/load_stages.py
            if m.tree.shape[0] == 0 and m.compliant[k, RUB] < 0:
                felt_by_bodies(m, r, q)
            elif m.tree.shape[0] > 0:
                felt_in_tree(m, r, q)
            if m.compliant[k, BRISTLE] >= 0 and p.pair[q, COLUMN_JOINT] == k:
                for c in range(3, 6):
                    r.D[p.pair[q, D_AT] + c, c] = 1.0


@inlined
def felt_by_bodies(m, r, q):
    """D of the pair q in absolute coordinates."""
    p = r.pattern
    k, o, line = p.pair[q, ROW_JOINT], p.pair[q, COLUMN_JOINT], p.pair[q, D_AT]
    at, width = p.joint[o, W_AT], p.joint[o + 1, COLUMN] - p.joint[o, COLUMN]
    for d in range(pushing(m, o)):
        socket = at + p.pair[q, SOCKET_AT] if p.pair[q, SOCKET_AT] >= 0 else -1
        ball = at + p.pair[q, BALL_AT] if p.pair[q, BALL_AT] >= 0 else -1
        for c in range(pushing(m, k)):
            r.D[line + c, d] = relative_of_sides(m, r.arm, k, c, r.W, socket, ball)
        at += width


@inlined
def felt_in_tree(m, r, q):
    """D of the pair q in relative coordinates: G W, summed over the velocities that both know."""
    p = r.pattern
    k, o, line = p.pair[q, ROW_JOINT], p.pair[q, COLUMN_JOINT], p.pair[q, D_AT]
    reach, last_reach, column, last_column = (
        p.joint[k, REACH],
        p.joint[k + 1, REACH],
        p.joint[o, COLUMN],
        p.joint[o + 1, COLUMN],
    )
    g, reaches = p.joint[k, G_AT] - reach, last_reach - reach
    at, width = p.joint[o, W_AT] - column, last_column - column
    while reach < last_reach and column < last_column:
        if p.reach[reach] < p.column[column]:
            reach += 1
        elif p.reach[reach] > p.column[column]:
            column += 1
        else:
            for c in range(pushing(m, k)):
                for d in range(pushing(m, o)):
                    r.D[line + c, d] += r.G[g + c * reaches + reach] * r.W[at + d * width + column]
            reach += 1
            column += 1
