"""Unit forces of joints and loads that are solved for: what they do to free bodies, nodes and links."""

from __future__ import annotations

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.dynamics.arrays import (
    ACCELERATION,
    BALL,
    CHANGE,
    CHILD,
    COUPLED_MEASURE,
    EFFORT_BODY,
    EFFORT_LOAD,
    FIRST,
    INVERSE_MASS,
    LINK_CENTRE,
    LINK_FORCE,
    LOAD_MEASURE,
    PARENT,
    RUB,
    RUB_ENDS,
    SECOND,
    SOCKET,
    TREE_BODY,
    WORLD_TENSOR,
)
from gudgeon.kernels.dynamics.force_pattern import BALL_LINK, SOCKET_LINK
from gudgeon.kernels.dynamics.loads import carried_by, place_of_load, push_by_load
from gudgeon.kernels.dynamics.response import is_load
from gudgeon.kernels.elements.coupled import push_by_coupling
from gudgeon.kernels.elements.flexible_arrays import CARRIER_FRAME, FIRST_CARRY, FRAME_X, FRAME_Y, LAST_CARRY
from gudgeon.kernels.elements.node_pins import holds_node, inverse_mass
from gudgeon.kernels.elements.nodes import node_of
from gudgeon.kernels.elements.rub_motion import add_rub_push
from gudgeon.kernels.kinematics.rotation import cross
from gudgeon.kernels.kinematics.vectors import add_to, dot, get, plus, put, vector_product


@inlined
def unit_push(m, w, b, sign, torque, c, ax, ay, az):
    """The free acceleration of body b, or of a node, under a unit force (at the arm a) or torque along axis c."""
    if b == 0:
        return
    body, v = w.body, WORLD_TENSOR
    if b >= m.body.shape[0]:
        s, scale = m.flexible.frame, sign * inverse_mass(m, b)
        f = m.flexible.carrier[b - m.body.shape[0], CARRIER_FRAME]
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
    if m.flexible.carrier.shape[0] > 0:
        push_pinned_nodes(m, w, k, c)


@called
def push_pinned_nodes(m, w, k, c):
    """The free accelerations of nodes held by pins under a unit effort of a load, to the carriers of the pins."""
    s = m.flexible
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
def push_on_node(m, k, c, unknown):
    """The unit force c of joint k, or of a load, along an unknown of nodes."""
    if is_load(m, k):
        return load_on_node(m, k, c, unknown)
    if c < 3:
        for side in range(2):
            b, s = m.compliant[k, SOCKET + side * (BALL - SOCKET)], m.flexible
            if b >= m.body.shape[0] and node_of(m, b) == unknown - unknown % 2:
                axis = FRAME_Y if unknown % 2 else FRAME_X
                along = s.frame[s.carrier[b - m.body.shape[0], CARRIER_FRAME], axis + c]
                return along if side else -along
    return 0.0


@called
def load_on_node(m, k, c, unknown):
    """The unit effort c of a load along an unknown of nodes: on its first point, and against it on its second."""
    s, load, total = m.flexible, m.effort[k - m.compliant.shape[0], EFFORT_LOAD], 0.0
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
