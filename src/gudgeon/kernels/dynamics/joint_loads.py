"""What presses the surfaces of ideal joints that rub: force and torque of a joint's rows on its child (LOAD).

They are told about a point of the body that carries the bearing, in the joint's axes there. Rows give them by their
multipliers, F = −J_vᵀ λ; joints of a tree, which have no rows, by Newton and Euler: what a link and all it carries take
beyond the forces on them. Both are linear in accelerations, forces and multipliers, so that the same tells what a
change of these does to the loads.
"""

from __future__ import annotations

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed, called, entrance, inlined
from gudgeon.kernels.build.records import MATRIX, VECTOR
from gudgeon.kernels.dynamics.arrays import (
    ACCELERATION,
    CHILD,
    FORCE_ON_BALL,
    GRIP_LINK,
    GRIP_ROW,
    GRIP_ROWS,
    GRIP_SIDE,
    IN_SOCKET,
    LINK_ARM,
    LINK_CENTRE,
    LINK_FORCE,
    LOAD,
    MASS,
    MODEL,
    POSITION,
    RATE_OF,
    ROW,
    ROWS,
    RUB_BLOCK,
    RUB_BLOCKS,
    RUB_CARRIER,
    RUB_LINK,
    RUB_LOAD,
    RUB_REVERSED,
    SOCKET_AXES,
    THREAD,
    TREE_BODY,
    TREE_PARENT,
    WORK,
    WORLD_TENSOR,
)
from gudgeon.kernels.dynamics.engine import law_force, local_motion
from gudgeon.kernels.elements.rubbing import pressed
from gudgeon.kernels.kinematics.rotation import rotated
from gudgeon.kernels.kinematics.vectors import (
    add_to,
    apply_transposed,
    dot,
    get,
    get_matrix,
    plus,
    plus_times,
    put,
    vector_product,
)


@inlined
def point_of_load(m, w, k):
    """The point about which the load of line k is told, world."""
    b = m.compliant[k, RUB_CARRIER]
    return plus(get(w.body, b, POSITION), rotated(w.body, b, m.compliant_vector, k, IN_SOCKET))


@inlined
def put_load(m, w, k, force, torque):
    """A force and a torque, world axes, into LOAD of line k."""
    for c in range(3):
        axis = rotated(w.body, m.compliant[k, RUB_CARRIER], m.compliant_vector, k, SOCKET_AXES + 3 * c)
        w.local[k, LOAD + c], w.local[k, LOAD + 3 + c] = dot(axis, force), dot(axis, torque)


@called
def load_of_rows(m, w, k):
    """The load of a joint with rows of its own, or of a thread: the effort along its axis."""
    J, x, first = w.jacobian, w.multiplier, m.compliant[k, RUB_BLOCK]
    if m.compliant[k, RUB_LOAD] == THREAD:
        w.local[k, LOAD] = -x[m.block[first, ROW]]
        return
    point = point_of_load(m, w, k)
    force = torque = (0.0, 0.0, 0.0)
    for block in range(first, first + m.compliant[k, RUB_BLOCKS]):
        arm = plus_times(get(w.body, m.block[block, CHILD], POSITION), -1.0, point)
        for r in range(m.block[block, ROW], m.block[block, ROW] + m.block[block, ROWS]):
            push = get(J, 2 * r + 1, 0)
            force = plus_times(force, -x[r], push)
            torque = plus_times(torque, -x[r], plus(get(J, 2 * r + 1, 3), vector_product(arm, push)))
    put_load(m, w, k, force, torque)


@called
def forces_through_tree(m, w, at):
    """Force and torque about its centre of mass with which its joint acts on each link and all it carries.

    Into LINK_FORCE, for the accelerations and multipliers held in `w` and the forces in the columns from `at` on.
    """
    link, body, o = w.link, w.body, LINK_FORCE
    for k in range(1, m.tree.shape[0]):
        b = m.tree[k, TREE_BODY]
        a, alpha = get(body, b, ACCELERATION), get(body, b, ACCELERATION + 3)
        put(link, k, o, plus_times((-body[b, at], -body[b, at + 1], -body[b, at + 2]), m.body[b, MASS], a))
        turned = apply_transposed(get_matrix(body, b, WORLD_TENSOR), alpha)  # the tensor is symmetric
        put(link, k, o + 3, plus_times(turned, -1.0, get(body, b, at + 3)))
    for g in range(m.grip.shape[0]):
        k, side = m.grip[g, GRIP_LINK], m.grip[g, GRIP_SIDE]
        for r in range(m.grip[g, GRIP_ROW], m.grip[g, GRIP_ROW] + m.grip[g, GRIP_ROWS]):
            for c in range(6):
                link[k, o + c] += w.jacobian[2 * r + side, c] * w.multiplier[r]
    for k in range(m.tree.shape[0] - 1, 0, -1):
        p = m.tree[k, TREE_PARENT]
        if p > 0:
            f = get(link, k, o)
            about_c = plus(get(link, k, o + 3), vector_product(get(link, k, LINK_CENTRE), f))
            arm = plus_times(get(link, k, LINK_ARM), -1.0, get(link, p, LINK_CENTRE))  # from the inner centre of mass
            add_to(link, p, o, f)
            add_to(link, p, o + 3, plus(about_c, vector_product(arm, f)))


@addressed(void(MODEL, WORK, int64))
def loads_of_bodies(m, w, at):
    """The loads of all lines that rub, in absolute coordinates: from the multipliers held in `w`."""
    for a in range(m.rubbing.shape[0]):
        load_of_rows(m, w, m.rubbing[a])


@addressed(void(MODEL, WORK, int64))
def loads_of_tree(m, w, at):
    """The same in relative coordinates, under the forces in the columns from `at` on of the bodies."""
    forces_through_tree(m, w, at)
    for a in range(m.rubbing.shape[0]):
        k = m.rubbing[a]
        g = m.compliant[k, RUB_LINK]
        if g == 0:
            load_of_rows(m, w, k)
            continue
        f = get(w.link, g, LINK_FORCE)
        arm = plus_times(get(w.body, m.tree[g, TREE_BODY], POSITION), -1.0, point_of_load(m, w, k))
        torque = plus(get(w.link, g, LINK_FORCE + 3), vector_product(arm, f))
        if m.compliant[k, RUB_REVERSED]:
            f, torque = (-f[0], -f[1], -f[2]), (-torque[0], -torque[1], -torque[2])
        put_load(m, w, k, f, torque)


@entrance(void(MODEL, WORK, VECTOR, MATRIX))
def sliding_of_rubs(m, w, y, out):
    """How all lines that rub slide at the kinematics held in `w` (rubs, 3); what unit efforts push stays in `w`."""
    for a in range(m.rubbing.shape[0]):
        k = m.rubbing[a]
        local_motion(m, w, k, y)
        for c in range(3):
            out[a, c] = w.local[k, RATE_OF + c]


@entrance(void(MODEL, WORK, MATRIX))
def friction_of_rows(m, w, out):
    """Loads, normal load, thrust and efforts of all lines that rub (rubs, 11), in absolute coordinates.

    For the rows, the multipliers and the sliding held in `w`.
    """
    for a in range(m.rubbing.shape[0]):
        k = m.rubbing[a]
        load_of_rows(m, w, k)
        law_force(m, w, k, k, k)
        for e in range(6):
            out[a, e] = w.local[k, LOAD + e]
        out[a, 6], out[a, 7] = pressed(m, k, w.local[k], LOAD)
        for c in range(3):
            out[a, 8 + c] = w.force[k, FORCE_ON_BALL + c]
