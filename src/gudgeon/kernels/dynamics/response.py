"""What the bodies do under the forces of compliant joints: W = P Gᵀ and D = G W, in both formulations.

G is the relative velocity of the two bodies' points at X, and their relative angular velocity where a joint has
torques; P the inverse mass of the mechanism with its ideal joints.
"""

from __future__ import annotations

from gudgeon.kernels.build.compiled import inlined
from gudgeon.kernels.build.records import Record, integers, numbers
from gudgeon.kernels.dynamics.arrays import (
    ACCELERATION,
    ALWAYS_ACTS,
    ARM_OF,
    BALL,
    BRISTLE,
    CHILD,
    ECHO,
    EFFORT_LOAD,
    EFFORT_UNKNOWN,
    EFFORTS,
    FLIGHT,
    IN_SOCKET,
    KIND,
    MODE,
    PARENT,
    POSITION,
    ROW,
    ROWS,
    RUB,
    RUB_ENDS,
    SOCKET,
    SOLVED,
    UNKNOWN,
    UNKNOWNS,
)
from gudgeon.kernels.dynamics.force_pattern import G_AT, REACH, Pattern
from gudgeon.kernels.elements.flexible_arrays import CARRIER_FRAME, FRAME_X, FRAME_Y
from gudgeon.kernels.elements.nodes import node_of
from gudgeon.kernels.kinematics.rotation import rotated

PUSHED = 4  # bodies, at most, on which a row acts


class Response(Record):
    """What unit forces of the compliant joints do."""

    W = numbers(1)  # accelerations of the state per unit of force: joint by joint, a row of its columns for each force
    G = numbers(1)  # relative velocity per velocity, likewise; relative coordinates
    D = numbers(2, 6)  # G W, pair by pair
    arm = numbers(2, 6)  # (compliant joints, 6) X from the centres of mass
    rub = numbers(3, 24)  # (rubs, 3, 24) force and torque of unit efforts on their bodies
    R = numbers(2)  # (6 rubs, unknowns) loads of ideal joints that rub, per unit of force
    effort = numbers(1)  # (velocities)
    pattern = Pattern()


class Push(Record):
    """Forces on pairs of bodies (a thread: two pairs), one a row, and what a unit of each does."""

    body = integers(2, PUSHED)  # (rows, PUSHED) integers; 0: none
    vector = numbers(2, 6 * PUSHED)  # (rows, …) force and torque about the centre of mass on each of them, world axes
    G = numbers(2)  # (rows, velocities) relative velocity of a row per velocity of the state; relative coordinates
    W = numbers(2)  # (rows, velocities) accelerations of the state per unit of the row


RESPONSE, PUSH = Response.record_type, Push.record_type


@inlined
def is_load(m, k):
    """Is line k of the algebra a load? Those that are solved for come after the compliant joints."""
    return k >= m.compliant.shape[0]


@inlined
def is_state(m, k):
    """Is line k of the algebra the rate of a state of a controller? These come after the loads."""
    return k >= m.compliant.shape[0] and m.effort[k - m.compliant.shape[0], EFFORT_LOAD] >= m.load.shape[0]


@inlined
def unknowns_of(m, k):
    """How many unknowns line k of the algebra has."""
    return m.effort[k - m.compliant.shape[0], EFFORTS] if is_load(m, k) else m.compliant[k, UNKNOWNS]


@inlined
def first_unknown(m, k):
    """The first of them."""
    return m.effort[k - m.compliant.shape[0], EFFORT_UNKNOWN] if is_load(m, k) else m.compliant[k, UNKNOWN]


@inlined
def is_active(m, w, k):
    """Can joint k push at all in its present mode? Of a load: is it solved for?"""
    if is_load(m, k):
        e = k - m.compliant.shape[0]
        line = -1 - m.effort[e, EFFORT_LOAD]  # of an elastic coupling
        if line >= 0 and m.compliant[line, ALWAYS_ACTS] == 0 and w.contact[line, MODE] == FLIGHT:
            return False
        return w.solved[e] == SOLVED
    return m.compliant[k, ALWAYS_ACTS] == 1 or w.contact[k, MODE] != FLIGHT


@inlined
def is_idle(m, w, k):
    """Is line k of the algebra a load that is not solved for?"""
    return is_load(m, k) and not is_active(m, w, k)


@inlined
def pushing(m, k):
    """How many unknowns of line k are forces on its bodies: not the rates of its bristles, or of a state."""
    if is_load(m, k):
        return 0 if is_state(m, k) else m.effort[k - m.compliant.shape[0], EFFORTS]
    return 3 if m.compliant[k, BRISTLE] >= 0 else m.compliant[k, UNKNOWNS]


@inlined
def felt_by_loads(m, k):
    """How many unknowns of line k act on loads: forces by what they move, a state by its value."""
    return 1 if is_state(m, k) else pushing(m, k)


@inlined
def forces_of(m, k):
    """How many components the force of joint k has: two of a planar journal across the world's z."""
    return min(3, m.compliant[k, UNKNOWNS])


@inlined
def any_active(m, w):
    """Is there any force to solve for?"""
    for k in range(m.compliant.shape[0] + m.effort.shape[0]):
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
        if m.block[k, KIND] == ECHO:
            w.multiplier[first - 1] += w.multiplier[first]
            w.multiplier[first] = 0.0


@inlined
def relative(m, r, k, c, x):
    """Row c of G for joint k times the velocities x."""
    if m.tree.shape[0] == 0 and m.compliant[k, RUB] >= 0:
        return relative_of_rub(m, r.rub[m.compliant[k, RUB], c], k, x)
    if m.tree.shape[0] == 0:
        socket, ball = velocities_of(m, m.compliant[k, SOCKET]), velocities_of(m, m.compliant[k, BALL])
        return relative_of_sides(m, r.arm, k, c, x, socket, ball)
    p, value = r.pattern, 0.0
    first, last = p.joint[k, REACH], p.joint[k + 1, REACH]
    at = p.joint[k, G_AT] + c * (last - first)
    for d in range(last - first):
        value += r.G[at + d] * x[p.reach[first + d]]
    return value


@inlined
def relative_of_rub(m, push, k, x):
    """The speed of sliding along one direction of line k for the velocities x of all bodies."""
    value = 0.0
    for end in range(4):
        b = m.compliant[k, RUB_ENDS + end]
        if b > 0:
            for e in range(6):
                value += push[6 * end + e] * x[6 * (b - 1) + e]
    return value


@inlined
def velocities_of(m, b):
    """Where the velocities of a body, or of a node, begin among those of the state; negative: the ground's."""
    return 6 * (b - 1) if b < m.body.shape[0] else 6 * (m.body.shape[0] - 1) + node_of(m, b)


@inlined
def relative_of_sides(m, arm, k, c, x, socket_at, ball_at):
    """The same where x has the velocities of the socket's and the ball's body at these places (negative: at rest)."""
    value = 0.0
    if socket_at >= 0:
        value -= of_side(m, m.compliant[k, SOCKET], arm[k], 0, c, x, socket_at)
    if ball_at >= 0:
        value += of_side(m, m.compliant[k, BALL], arm[k], 3, c, x, ball_at)
    return value


@inlined
def of_side(m, b, arm, a, c, x, at):
    """Component c of the velocity of the point of body b at arm[a : a + 3], or of its angular velocity."""
    if c >= 3:
        return x[at + c] if b < m.body.shape[0] else 0.0
    if b < m.body.shape[0]:
        p, q = (c + 1) % 3, (c + 2) % 3
        return x[at + c] + (x[at + 3 + p] * arm[a + q] - x[at + 3 + q] * arm[a + p])
    s = m.flexible
    frame = s.carrier[b - m.body.shape[0], CARRIER_FRAME]
    return s.frame[frame, FRAME_X + c] * x[at] + s.frame[frame, FRAME_Y + c] * x[at + 1]


@inlined
def rate_of_row(m, p, r, x):
    """The relative velocity along row r of the pushes p for the velocities x of the state."""
    rate = 0.0
    if m.tree.shape[0] > 0:
        for d in range(x.shape[0]):
            rate += p.G[r, d] * x[d]
        return rate
    for side in range(PUSHED):
        b = p.body[r, side]
        if b > 0:
            for c in range(6):
                rate += p.vector[r, 6 * side + c] * x[6 * (b - 1) + c]
    return rate
