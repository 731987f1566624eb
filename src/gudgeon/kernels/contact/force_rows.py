"""The rows of unknown forces at a state: directions on bodies and nodes, relative velocities, responses.

γ_r = G_r v,   W_r = M̄⁻¹ G_rᵀ,   D_rc = G_r W_c        (M̄⁻¹: inverse mass of the mechanism with its ideal joints)
"""

from __future__ import annotations

from math import inf, sqrt

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.dynamics.arrays import (
    ACCELERATION,
    ARM_OF,
    BALL,
    BALL_RADIUS,
    BRISTLE,
    BRISTLES,
    CHANGE,
    CHILD,
    COUPLED_MEASURE,
    ECCENTRICITY,
    FREE_PATH,
    HARD_CONTACT,
    LOAD,
    OMEGA,
    PARENT,
    POSITION,
    RATE_OF,
    RUB,
    RUB_ENDS,
    SOCKET,
    SOCKET_RADIUS,
    SUM_RATIO,
    UNKNOWN,
    UNKNOWNS,
    VELOCITY,
)
from gudgeon.kernels.dynamics.engine import joint_loads, local_motion, pushed
from gudgeon.kernels.dynamics.response import PUSHED, arms, rate_of_row
from gudgeon.kernels.elements.coupled import is_coupled
from gudgeon.kernels.elements.flexible_arrays import FIRST_CARRY
from gudgeon.kernels.elements.joints import point_of_action, push_torque
from gudgeon.kernels.elements.nodes import in_plane
from gudgeon.kernels.elements.point_arrays import (
    GAP,
    GAP_RATE,
    HARD,
    NODE,
    PIN_ACROSS,
    PIN_ALONG,
    PIN_FIRST,
    PIN_NODE,
    PIN_RATE,
    PIN_SECOND,
    PLAY,
    POINT_BODY,
    SLIDING,
    WALL_BODY,
)
from gudgeon.kernels.elements.points import pin_motion, wall_motion
from gudgeon.kernels.elements.shear_couple import arm_and_couple, has_couple
from gudgeon.kernels.integrators.stepper_arrays import OPEN, RESTS, ROW_CHANGE, ROW_RATE
from gudgeon.kernels.kinematics.measures import measure


@inlined
def first_contact_row(m):
    """Rows of the compliant joints come first."""
    k = m.compliant.shape[0]
    return m.compliant[k - 1, UNKNOWN] + m.compliant[k - 1, UNKNOWNS] if k > 0 else 0


@inlined
def state_row(m, w, p, r, first, second, node, a0, a1, a2, b0, b1, b2, x, y, z):
    """Row r: a unit force along (x, y, z) on `second` (or its node) at b, the opposite on `first` at a."""
    p.push.body[r, 0] = first
    p.push.body[r, 1] = second if node < 0 else 0
    body, V = w.body, p.push.vector
    if first > 0:
        d0, d1, d2 = a0 - body[first, POSITION], a1 - body[first, POSITION + 1], a2 - body[first, POSITION + 2]
        V[r, 0], V[r, 1], V[r, 2] = -x, -y, -z
        V[r, 3], V[r, 4], V[r, 5] = d2 * y - d1 * z, d0 * z - d2 * x, d1 * x - d0 * y
    if node < 0 and second > 0:
        d0, d1, d2 = b0 - body[second, POSITION], b1 - body[second, POSITION + 1], b2 - body[second, POSITION + 2]
        V[r, 6], V[r, 7], V[r, 8] = x, y, z
        V[r, 9], V[r, 10], V[r, 11] = d1 * z - d2 * y, d2 * x - d0 * z, d0 * y - d1 * x
    p.row_node[r] = node
    if node >= 0:
        p.row_direction[r, 0], p.row_direction[r, 1] = in_plane(m.flexible, node, x, y, z)


@inlined
def point_of_contact(m, w, k, h):
    """X − P_i where ball and socket touch, or will if they go on like this for a step of h.

    There friction acts also in the step in which contact begins. A film pushes along the same line.
    """
    V, local = m.compliant_vector, w.local
    x, y, z = local[k, ECCENTRICITY], local[k, ECCENTRICITY + 1], local[k, ECCENTRICITY + 2]
    e = sqrt(x * x + y * y + z * z)
    at_wall = V[k, FREE_PATH] * (1.0 - RESTS if m.compliant[k, HARD_CONTACT] else 1.0)
    if e < at_wall:
        x, y, z = x + h * local[k, RATE_OF], y + h * local[k, RATE_OF + 1], z + h * local[k, RATE_OF + 2]
        ahead = sqrt(x * x + y * y + z * z)
        if ahead < V[k, FREE_PATH]:
            return
        x, y, z = V[k, FREE_PATH] / ahead * x, V[k, FREE_PATH] / ahead * y, V[k, FREE_PATH] / ahead * z
        e = V[k, FREE_PATH]
    scale = 0.5 * (V[k, SOCKET_RADIUS] + V[k, BALL_RADIUS] + e) / e
    w.force[k, ARM_OF], w.force[k, ARM_OF + 1], w.force[k, ARM_OF + 2] = scale * x, scale * y, scale * z


@called
def joint_rows(m, w, p, y):
    """The rows of all compliant joints: a unit force at the point X, or a unit torque, along each axis.

    The rate of bristles is a force that moves nothing but them: the relative velocity of its row is their deflection.
    """
    V = p.push.vector
    for k in range(m.compliant.shape[0]):
        local_motion(m, w, k, y)
        if m.compliant[k, RUB] >= 0:
            rub_rows(m, w, p, k)
            continue
        if is_coupled(m, k):
            row_of_coupling(m, w, p, k)
            continue
        if has_couple(m, k):  # of the motion at the begin of the step, as loads are
            arm_and_couple(m, w, k, k, k)
            push_torque(m, w, k)
        else:
            point_of_action(m, w, k)
        if m.compliant_vector[k, FREE_PATH] < inf:
            point_of_contact(m, w, k, p.whole.step[0])
        ax, ay, az, bx, by, bz = arms(m, w, k)
        i, j = m.compliant[k, SOCKET], m.compliant[k, BALL]
        for c in range(m.compliant[k, UNKNOWNS]):
            r = m.compliant[k, UNKNOWN] + c
            p.push.body[r, 0], p.push.body[r, 1], p.row_node[r], p.near[r] = i, j, -1, 1
            if c >= 3 and m.compliant[k, BRISTLE] >= 0:
                p.push.body[r, 0] = p.push.body[r, 1] = 0
                p.row[r, ROW_RATE] = w.local[k, BRISTLES + c - 3]
                continue
            for e in range(12):
                V[r, e] = 0.0
            x, y_, z = (1.0 if c % 3 == 0 else 0.0), (1.0 if c % 3 == 1 else 0.0), (1.0 if c % 3 == 2 else 0.0)
            if c >= 3:
                V[r, 3], V[r, 4], V[r, 5], V[r, 9], V[r, 10], V[r, 11] = -x, -y_, -z, x, y_, z
            else:
                V[r, 0], V[r, 1], V[r, 2], V[r, 6], V[r, 7], V[r, 8] = -x, -y_, -z, x, y_, z
                V[r, 3], V[r, 4], V[r, 5] = az * y_ - ay * z, ax * z - az * x, ay * x - ax * y_
                V[r, 9], V[r, 10], V[r, 11] = by * z - bz * y_, bz * x - bx * z, bx * y_ - by * x
            p.row[r, ROW_RATE] = of_bodies(w, p, r)
            if max(i, j) >= m.body.shape[0]:
                onto_node(m, p, r, c, x, y_, z)


@called
def rub_rows(m, w, p, k):
    """The rows of friction in an ideal joint: along its directions of sliding; then of its bristles."""
    push = w.rubbing.push[m.compliant[k, RUB]]
    for c in range(m.compliant[k, UNKNOWNS]):
        r = m.compliant[k, UNKNOWN] + c
        p.row_node[r], p.near[r] = -1, 1
        if c < 3:
            p.row[r, ROW_RATE] = w.local[k, RATE_OF + c]
            for end in range(PUSHED):
                p.push.body[r, end] = m.compliant[k, RUB_ENDS + end]
            for e in range(6 * PUSHED):
                p.push.vector[r, e] = push[c, e]
        else:
            p.row[r, ROW_RATE] = w.local[k, BRISTLES + c - 3]


@called
def row_of_coupling(m, w, p, k):
    """The row of an effort on a sum of joint coordinates: along the gradient of the sum."""
    r = m.compliant[k, UNKNOWN]
    p.row_node[r], p.near[r], p.row[r, ROW_RATE] = -1, 1, w.local[k, RATE_OF]
    for c in range(2):
        which = m.compliant[k, COUPLED_MEASURE + c]
        for side in range(2):
            p.push.body[r, 2 * c + side] = m.measure[which, CHILD if side else PARENT] if which >= 0 else 0
        if which >= 0:
            measure(m, w, which)
        for e in range(12):
            p.push.vector[r, 12 * c + e] = m.compliant_vector[k, SUM_RATIO + c] * w.gradient[e] if which >= 0 else 0.0


@inlined
def onto_node(m, p, r, c, x, y, z):
    """Row r acts along (x, y, z) on a node instead of a body, where one of its sides is a carrier; no torque does."""
    s = m.flexible
    for side in range(2):
        carrier = p.push.body[r, side] - m.body.shape[0]
        if carrier >= 0:
            p.push.body[r, side] = 0
            if c < 3:
                p.row_node[r], sign = 2 * s.carry[s.carrier[carrier, FIRST_CARRY]], 1.0 if side else -1.0
                p.row_direction[r, 0], p.row_direction[r, 1] = in_plane(s, p.row_node[r], sign * x, sign * y, sign * z)


@inlined
def of_bodies(w, p, r):
    """γ of row r from the velocities of its bodies."""
    rate = 0.0
    for side in range(PUSHED):
        b = p.push.body[r, side]
        if b > 0:
            for c in range(3):
                rate += p.push.vector[r, 6 * side + c] * w.body[b, VELOCITY + c]
                rate += p.push.vector[r, 6 * side + 3 + c] * w.body[b, OMEGA + c]
    return rate


@inlined
def point_rows(m, w, p, y):
    """The rows of all points at walls and of all pins."""
    r = first_contact_row(m)
    for c in range(m.points.wall.shape[0]):
        p0, p1, p2, n0, n1, n2, t0, t1, t2 = wall_motion(m, w, y, c)
        line, node = w.points.wall[c], m.points.wall[c, NODE]
        i, j = m.points.wall[c, WALL_BODY], m.points.wall[c, POINT_BODY]
        p.row[r, ROW_RATE], p.row[r + 1, ROW_RATE] = line[GAP_RATE], line[SLIDING]
        if i == 0 and node >= 0 and p.row_node[r + 1] == node:  # a node before a wall at rest: nothing has changed
            r += 2
            continue
        state_row(m, w, p, r, i, j, node, p0, p1, p2, p0, p1, p2, n0, n1, n2)
        g = line[GAP] if node < 0 else 0.0  # friction acts at the surface: there all corners slide alike
        q0, q1, q2 = p0 - g * n0, p1 - g * n1, p2 - g * n2
        state_row(m, w, p, r + 1, i, j, node, q0, q1, q2, q0, q1, q2, t0, t1, t2)
        if node < 0:
            p.row[r + 1, ROW_RATE] = of_bodies(w, p, r + 1)
        r += 2
    for k in range(m.points.pin.shape[0]):
        a0, a1, a2, b0, b1, b2 = pin_motion(m, w, y, k)
        V, pin = m.points.pin_vector, m.points.pin
        i, j, node = pin[k, PIN_FIRST], pin[k, PIN_SECOND], pin[k, PIN_NODE]
        for c in range(2):
            at = PIN_ALONG + c * (PIN_ACROSS - PIN_ALONG)
            state_row(m, w, p, r + c, i, j, node, a0, a1, a2, b0, b1, b2, V[k, at], V[k, at + 1], V[k, at + 2])
            p.row[r + c, ROW_RATE] = w.points.pin[k, PIN_RATE + c]
            p.near[r + c] = 1
        r += 2


@inlined
def ahead(w, p, c, r, h):
    """The gap of hard contact c after a step of h without contact, nearly."""
    return w.points.wall[c, GAP] + h * (p.row[r, ROW_RATE] + 0.5 * h * p.row[r, ROW_CHANGE])


@inlined
def meets(m, w, p, modes, c, r, h):
    """Does hard contact c close in a step of h, or has it rested so far? Then forces tell whether it goes on to."""
    rested = modes[c, 0] != OPEN and w.points.wall[c, GAP] < RESTS * m.points.wall_vector[c, PLAY]
    return rested or ahead(w, p, c, r, h) <= 0.0


@inlined
def change_of(w, p, r):
    """Rate of γ of row r from the accelerations of its bodies, its direction fixed."""
    change = 0.0
    for side in range(PUSHED):
        b = p.push.body[r, side]
        if b > 0:
            for e in range(6):
                change += p.push.vector[r, 6 * side + e] * w.body[b, ACCELERATION + e]
    return change


@inlined
def choose_near(m, w, p, h, modes):
    """Which contacts may carry force in a step of h, from the accelerations held in `w` and the modes at its begin."""
    r = first_contact_row(m)
    if m.tree.shape[0] > 0:
        for e in range(p.row.shape[0]):
            p.row[e, ROW_CHANGE] = change_of(w, p, e)
    for k in range(m.compliant.shape[0]):
        if m.compliant[k, HARD_CONTACT]:
            for e in range(m.compliant[k, UNKNOWN], m.compliant[k, UNKNOWN] + 3):
                p.row[e, ROW_CHANGE] = change_of(w, p, e)
    for c in range(m.points.wall.shape[0]):
        change = change_of(w, p, r) if m.points.wall[c, NODE] < 0 or m.points.wall[c, WALL_BODY] > 0 else 0.0
        p.row[r, ROW_CHANGE] = change
        if m.points.wall[c, HARD]:
            near = not p.held[c] and meets(m, w, p, modes, c, r, h)
        elif m.points.wall[c, NODE] >= 0:
            near = True
        else:
            gap, rate = w.points.wall[c, GAP], w.points.wall[c, GAP_RATE]
            near = gap < h * (2.0 * abs(rate) + h * abs(change)) or p.mode[0, c, 0] != OPEN
        p.near[r] = p.near[r + 1] = 1 if near else 0
        r += 2


@inlined
def responses(m, w, p):
    """W and D of all near rows through the rigid bodies, whose constraints are factorised in `w`."""
    rows = p.row.shape[0]
    for r in range(rows):
        body, acted = p.push.body[r], p.on_bodies[r]
        acts = p.near[r] == 1 and max(body[0], body[1], body[2], body[3]) > 0
        p.on_bodies[r] = 1 if acts else 0
        if acts:
            pushed(m, w, p.push, r)
        elif acted:
            for c in range(rows):
                p.D_bodies[r, c] = 0.0
        if m.rubbing.shape[0] > 0:
            loads_of_row(m, w, p, r)
    for r in range(rows):
        if p.on_bodies[r]:
            line = p.D_bodies[r]
            for c in range(rows):
                line[c] = rate_of_row(m, p.push, r, p.push.W[c]) if p.on_bodies[c] else 0.0
    for k in range(m.compliant.shape[0]):
        if m.compliant[k, BRISTLE] >= 0:
            for r in range(m.compliant[k, UNKNOWN] + 3, m.compliant[k, UNKNOWN] + 6):
                p.D_bodies[r, r] = 1.0


@called
def loads_of_row(m, w, p, r):
    """What a unit of row r, just answered, does to the loads of ideal joints that rub."""
    if p.on_bodies[r]:
        w.body[:, CHANGE : CHANGE + 6] = 0.0
        for side in range(PUSHED):
            b = p.push.body[r, side]
            if b > 0:
                for e in range(6):
                    w.body[b, CHANGE + e] += p.push.vector[r, 6 * side + e]
        joint_loads(m, w, CHANGE)
    for a in range(m.rubbing.shape[0]):
        for e in range(6):
            p.R[6 * a + e, r] = w.local[m.rubbing[a], LOAD + e] if p.on_bodies[r] else 0.0


@inlined
def delassus(p, operator, r, c):
    """D of two rows for a step of the operator: through bodies and nodes."""
    return operator.D[r, c] + p.D_bodies[r, c]


@called
def through_nodes(p, operator):
    """D through the nodes, for the directions that the rows have now."""
    rows, S = p.row.shape[0], operator.port
    for r in range(rows):
        for c in range(rows):
            if p.row_node[r] >= 0 and p.row_node[c] >= 0:
                i, j = p.row_port[r], p.row_port[c]
                a, b = p.row_direction[c, 0], p.row_direction[c, 1]
                x = p.row_direction[r, 0] * (S[i, j] * a + S[i, j + 1] * b)
                x += p.row_direction[r, 1] * (S[i + 1, j] * a + S[i + 1, j + 1] * b)
                operator.D[r, c] = x
