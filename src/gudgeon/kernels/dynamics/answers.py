"""What the mechanism does under unit forces, in both formulations: W and D (response.py)."""

from __future__ import annotations

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.dynamics.arrays import (
    ACCELERATION,
    BALL,
    BRISTLE,
    CHANGE,
    CHILD,
    COUPLED_MEASURE,
    ECHO,
    EFFORT_BODY,
    EFFORT_LOAD,
    FIRST,
    FREE_ACCELERATION,
    INVERSE_MASS,
    KIND,
    LINK_CENTRE,
    LINK_FORCE,
    LOAD,
    LOAD_MEASURE,
    MODEL,
    PARENT,
    ROW,
    ROWS,
    RUB,
    RUB_ENDS,
    RUB_SLIDES,
    SECOND,
    SOCKET,
    TREE_BODY,
    WORK,
    WORLD_TENSOR,
)
from gudgeon.kernels.dynamics.engine import answer, joint_loads, solve_rows
from gudgeon.kernels.dynamics.force_pattern import (
    BALL_AT,
    BALL_LINK,
    COLUMN,
    COLUMN_JOINT,
    D_AT,
    G_AT,
    PAIR,
    REACH,
    ROW_JOINT,
    SOCKET_AT,
    SOCKET_LINK,
    W_AT,
)
from gudgeon.kernels.dynamics.loads import carried_by, place_of_load, push_by_load
from gudgeon.kernels.dynamics.relative import solve_tree
from gudgeon.kernels.dynamics.response import (
    PUSH,
    PUSHED,
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
from gudgeon.kernels.elements.coupled import push_by_coupling
from gudgeon.kernels.elements.node_pins import holds_node, inverse_mass, pulled_node
from gudgeon.kernels.elements.nodes import node_of
from gudgeon.kernels.elements.rub_motion import add_rub_push, along_rub
from gudgeon.kernels.elements.slider_arrays import CARRIER_FRAME, FIRST_CARRY, FRAME_X, FRAME_Y, LAST_CARRY
from gudgeon.kernels.kinematics.rotation import cross
from gudgeon.kernels.kinematics.vectors import add_to, dot, get, plus, put, vector_product


@inlined
def unit_push(m, w, b, sign, torque, c, ax, ay, az):
    """The free acceleration of body b, or of a node, under a unit force (at the arm a) or torque along axis c."""
    if b == 0:
        return
    body, v = w.body, WORLD_TENSOR
    if b >= m.body.shape[0]:
        s, f, scale = m.sliders.frame, m.sliders.carrier[b - m.body.shape[0], CARRIER_FRAME], sign * inverse_mass(m, b)
        if not torque:
            for d in range(3):
                along = s[f, FRAME_X + c] * s[f, FRAME_X + d] + s[f, FRAME_Y + c] * s[f, FRAME_Y + d]
                body[b, ACCELERATION + d] = scale * along
        return
    x, y, z = (1.0 if c == 0 else 0.0), (1.0 if c == 1 else 0.0), (1.0 if c == 2 else 0.0)
    if not torque:
        body[b, ACCELERATION + c] = sign * m.body[b, INVERSE_MASS]
        x, y, z = cross(ax, ay, az, x, y, z)
    for d in range(3):
        p = v + 3 * d
        body[b, ACCELERATION + 3 + d] = sign * (body[b, p] * x + body[b, p + 1] * y + body[b, p + 2] * z)


@inlined
def ends_of_load(m, k):
    """The bodies on which a load or an elastic coupling acts, line k of the algebra; 0: none."""
    load, b = m.effort[k - m.compliant.shape[0], EFFORT_LOAD], m.effort[k - m.compliant.shape[0], EFFORT_BODY]
    if b > 0:
        return b, 0 * b, 0 * b, 0 * b
    if load >= 0:
        i, j = carried_by(m, load)
        return i, j, 0 * i, 0 * i
    one, two = m.compliant[-1 - load, COUPLED_MEASURE], m.compliant[-1 - load, COUPLED_MEASURE + 1]
    i, j = m.measure[one, PARENT], m.measure[one, CHILD]
    p, q = 0 * i, 0 * i
    if two >= 0:
        p, q = m.measure[two, PARENT], m.measure[two, CHILD]
        p, q = (0 * i if p == i else p), (0 * i if q == i else q)
        p, q = (0 * i if p == j else p), (0 * i if q == j else q)
    return i, j, p, q


@called
def unit_effort(m, w, k, c):
    """Add the unit effort c of a load, line k of the algebra, to the forces in CHANGE of the bodies it acts on."""
    load, b = m.effort[k - m.compliant.shape[0], EFFORT_LOAD], m.effort[k - m.compliant.shape[0], EFFORT_BODY]
    if b > 0:
        w.body[b, CHANGE + c] += 1.0
    elif load < 0:
        push_by_coupling(m, w, -1 - load, 1.0, CHANGE)
    else:
        place_of_load(m, w, load)
        x, y, z = (1.0 if c == 0 else 0.0), (1.0 if c == 1 else 0.0), (1.0 if c == 2 else 0.0)
        push_by_load(m, w, load, x, y, z, CHANGE)
    for d in range(6):  # the ground does not move
        w.body[0, CHANGE + d] = 0.0


@inlined
def unit_effort_alone(m, w, k, c):
    """The same where nothing else is in CHANGE of these bodies, which are returned."""
    ends = ends_of_load(m, k)
    for b in ends:
        for d in range(6):
            w.body[b, CHANGE + d] = 0.0
    unit_effort(m, w, k, c)
    return ends


@called
def push_of_load(m, w, k, c):
    """Add the free accelerations of bodies under a unit effort of a load."""
    body = w.body
    for b in unit_effort_alone(m, w, k, c):
        if 0 < b < m.body.shape[0]:
            torque = get(body, b, CHANGE + 3)
            for d in range(3):
                body[b, ACCELERATION + d] += m.body[b, INVERSE_MASS] * body[b, CHANGE + d]
                body[b, ACCELERATION + 3 + d] += dot(get(body, b, WORLD_TENSOR + 3 * d), torque)
    if m.sliders.carrier.shape[0] > 0:
        push_pinned_nodes(m, w, k, c)


@called
def push_pinned_nodes(m, w, k, c):
    """The free accelerations of nodes held by pins under a unit effort of a load, to the carriers of the pins."""
    s = m.sliders
    for e in range(m.block.shape[0]):
        if holds_node(m, e):
            b = m.block[e, PARENT]
            d, f = node_of(m, b), s.carrier[b - m.body.shape[0], CARRIER_FRAME]
            u, v = push_on_node(m, k, c, d), push_on_node(m, k, c, d + 1)
            if u != 0.0 or v != 0.0:
                for x in range(3):
                    along = u * s.frame[f, FRAME_X + x] + v * s.frame[f, FRAME_Y + x]
                    w.body[b, ACCELERATION + x] = along / s.mass[d]


@called
def push_of_rub(m, w, k, c):
    """Add the free accelerations of bodies under a unit of friction in an ideal joint along its direction c."""
    push, body = w.rubbing.push[m.compliant[k, RUB], c], w.body
    for end in range(4):
        b, at = m.compliant[k, RUB_ENDS + end], 6 * end
        if b > 0:
            torque = (push[at + 3], push[at + 4], push[at + 5])
            for d in range(3):
                body[b, ACCELERATION + d] += m.body[b, INVERSE_MASS] * push[at + d]
                body[b, ACCELERATION + 3 + d] += dot(get(body, b, WORLD_TENSOR + 3 * d), torque)


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


@inlined
def push_on_node(m, k, c, unknown):
    """The unit force c of joint k, or of a load, along an unknown of nodes."""
    if is_load(m, k):
        return load_on_node(m, k, c, unknown)
    if c < 3:
        for side in range(2):
            b, s = m.compliant[k, SOCKET + side * (BALL - SOCKET)], m.sliders
            if b >= m.body.shape[0] and node_of(m, b) == unknown - unknown % 2:
                axis = FRAME_Y if unknown % 2 else FRAME_X
                along = s.frame[s.carrier[b - m.body.shape[0], CARRIER_FRAME], axis + c]
                return along if side else -along
    return 0.0


@called
def load_on_node(m, k, c, unknown):
    """The unit effort c of a load along an unknown of nodes: on its first point, and against it on its second."""
    s, load, total = m.sliders, m.effort[k - m.compliant.shape[0], EFFORT_LOAD], 0.0
    wrench = m.effort[k - m.compliant.shape[0], EFFORT_BODY] > 0
    if 0 <= load < m.load.shape[0] and not wrench and m.load[load, LOAD_MEASURE] < 0:
        for side in range(2):
            n = m.load[load, SECOND if side else FIRST] - m.body.shape[0]
            for i in range(s.carrier[n, FIRST_CARRY] if n >= 0 else 0, s.carrier[n, LAST_CARRY] if n >= 0 else 0):
                if 2 * s.carry[i] == unknown - unknown % 2:
                    axis = FRAME_Y if unknown % 2 else FRAME_X
                    along = s.carry_weight[i] * s.frame[s.carrier[n, CARRIER_FRAME], axis + c]
                    total += -along if side else along
    return total


@inlined
def answer_of_node(m, w, k, c, unknown):
    """The acceleration of an unknown of nodes under the unit force c of joint k and what pins do against it."""
    return push_on_node(m, k, c, unknown) / m.sliders.mass[unknown] + pulled_node(m, w, w.multiplier, unknown)


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
def push_carriers(m, w, k, c):
    """The free accelerations of nodes under a unit force of joint k along axis c, to their carriers."""
    if is_load(m, k):
        push_pinned_nodes(m, w, k, c)
        return
    for side in range(2):
        b = m.compliant[k, SOCKET + side * (BALL - SOCKET)]
        if b >= m.body.shape[0]:
            unit_push(m, w, b, 1.0 if side else -1.0, c >= 3, c % 3, 0.0, 0.0, 0.0)


@inlined
def rows_of_nodes(m, w):
    """What the accelerations held by carriers violate in the rows of pins at nodes, into the multipliers."""
    w.multiplier[:] = 0.0
    for k in range(m.block.shape[0]):
        if holds_node(m, k):
            b = m.block[k, PARENT]
            for e in range(m.block[k, ROW], m.block[k, ROW] + m.block[k, ROWS]):
                w.multiplier[e] = dot(get(w.jacobian, 2 * e, 0), get(w.body, b, ACCELERATION))


@inlined
def tree_push(m, w, r, k, c):
    """Add a unit force (at X) or torque of joint k along axis c, as what holds the links still."""
    if is_load(m, k):
        tree_push_of_load(m, w, r, k, c)
        return
    if m.compliant[k, RUB] >= 0:
        tree_push_of_rub(m, w, k, c)
        return
    for side in range(2):
        g = r.pattern.joint[k, SOCKET_LINK + side * (BALL_LINK - SOCKET_LINK)]
        if g > 0:
            sign = -1.0 if side else 1.0  # what holds still is opposite to what pushes
            axis = (sign if c % 3 == 0 else 0.0, sign if c % 3 == 1 else 0.0, sign if c % 3 == 2 else 0.0)
            torque = axis
            if c < 3:
                put(w.link, g, LINK_FORCE, axis)
                torque = vector_product(plus(get(w.link, g, LINK_CENTRE), get(r.arm, k, 3 * side)), axis)
            put(w.link, g, LINK_FORCE + 3, torque)


@called
def tree_push_of_load(m, w, r, k, c):
    """The same of a unit effort of a load."""
    ends = unit_effort_alone(m, w, k, c)
    hold_link(w, r.pattern.joint[k, SOCKET_LINK], ends[0])
    hold_link(w, r.pattern.joint[k, BALL_LINK], ends[1])
    for g in range(1, m.tree.shape[0] if ends[2] + ends[3] > 0 else 0):
        if m.tree[g, TREE_BODY] == ends[2] or m.tree[g, TREE_BODY] == ends[3]:
            hold_link(w, g, m.tree[g, TREE_BODY])


@inlined
def hold_link(w, g, b):
    """Add what holds link g still against the forces in CHANGE of its body b."""
    if g > 0:
        force = get(w.body, b, CHANGE)
        torque = plus(get(w.body, b, CHANGE + 3), vector_product(get(w.link, g, LINK_CENTRE), force))
        add_to(w.link, g, LINK_FORCE, (-force[0], -force[1], -force[2]))
        add_to(w.link, g, LINK_FORCE + 3, (-torque[0], -torque[1], -torque[2]))


@called
def tree_push_of_rub(m, w, k, c):
    """The same of a unit of friction in an ideal joint along its direction c."""
    w.body[:, CHANGE : CHANGE + 6] = 0.0
    add_rub_push(m, w, k, c, 1.0, CHANGE)
    for g in range(1, m.tree.shape[0]):
        hold_link(w, g, m.tree[g, TREE_BODY])


@called
def push_bodies_by(m, w, r, k, c):
    """Add a unit force or torque of joint k along axis c to the forces in CHANGE."""
    if is_load(m, k):
        unit_effort(m, w, k, c)
        return
    if m.compliant[k, RUB] >= 0:
        add_rub_push(m, w, k, c, 1.0, CHANGE)
        return
    axis = (1.0 if c % 3 == 0 else 0.0, 1.0 if c % 3 == 1 else 0.0, 1.0 if c % 3 == 2 else 0.0)
    for side in range(2):
        b, sign = m.compliant[k, SOCKET + side * (BALL - SOCKET)], 1.0 if side else -1.0
        if 0 < b < m.body.shape[0]:
            push = (sign * axis[0], sign * axis[1], sign * axis[2])
            if c < 3:
                add_to(w.body, b, CHANGE, push)
                push = vector_product(get(r.arm, k, 3 * side), push)
            add_to(w.body, b, CHANGE + 3, push)


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
