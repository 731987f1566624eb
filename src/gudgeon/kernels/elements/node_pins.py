"""Ideal pins at nodes of flexible bodies: constraint rows between a body and a node, which has a mass of its own.

The rows of such a pin are those of two displacements along the axes of the flexible body; their parent is the carrier
of the node (a line of `Work.body` beyond those of the bodies). With J the node's part of a row, in its plane, and m the
node's mass, the pin gives way by J·J/m per multiplier λ and accelerates the node by −J λ/m, in both formulations.
"""

from __future__ import annotations

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.dynamics.arrays import (
    ACCELERATION,
    DIAGONAL,
    INVERSE_MASS,
    NODE_DIAGONAL,
    OWN,
    PARENT,
    ROW,
    ROWS,
    SHARED_CARRIER,
    SHARED_COLUMN,
    SHARED_FIRST,
    SHARED_LINE,
    SHARED_SECOND,
)
from gudgeon.kernels.elements.flexible_arrays import CARRIER_FRAME, FRAME_X, FRAME_Y
from gudgeon.kernels.elements.nodes import in_plane, node_of
from gudgeon.kernels.kinematics.vectors import dot, get


@inlined
def holds_node(m, k):
    """Is block k part of a pin at a node?"""
    return m.block[k, PARENT] >= m.body.shape[0]


@inlined
def inverse_mass(m, b):
    """1/mass of the body, or of the node, in line b of `Work.body`."""
    return m.body[b, INVERSE_MASS] if b < m.body.shape[0] else 1.0 / m.flexible.mass[node_of(m, b)]


@called
def carry_accelerations(m, w):
    """The accelerations of nodes that are held by pins, to their carriers."""
    s, a = m.flexible, w.flexible.acceleration
    for k in range(m.block.shape[0]):
        if holds_node(m, k):
            b = m.block[k, PARENT]
            d, f = node_of(m, b), s.carrier[b - m.body.shape[0], CARRIER_FRAME]
            for c in range(3):
                w.body[b, ACCELERATION + c] = a[d] * s.frame[f, FRAME_X + c] + a[d + 1] * s.frame[f, FRAME_Y + c]


@called
def pull_on_nodes(m, w, x):
    """Add what the multipliers x do to the accelerations of nodes that are held by pins."""
    s, a, J = m.flexible, w.flexible.acceleration, w.jacobian
    for k in range(m.block.shape[0]):
        if holds_node(m, k):
            d = node_of(m, m.block[k, PARENT])
            for r in range(m.block[k, ROW], m.block[k, ROW] + m.block[k, ROWS]):
                u, v = in_plane(s, d, J[2 * r, 0], J[2 * r, 1], J[2 * r, 2])
                a[d] -= u * x[r] / s.mass[d]
                a[d + 1] -= v * x[r] / s.mass[d]


@called
def move_nodes(m, w, x, y, at):
    """Add what the multipliers x do to the nodes, to their places in y from `at` on; keeps it as accelerations."""
    w.flexible.acceleration[:] = 0.0
    pull_on_nodes(m, w, x)
    for d in range(m.flexible.mass.shape[0]):
        y[at + d] += w.flexible.acceleration[d]


@called
def pulled_node(m, w, x, unknown):
    """The acceleration of an unknown of nodes under the multipliers x of pins."""
    total = 0.0
    for k in range(m.block.shape[0]):
        if holds_node(m, k) and node_of(m, m.block[k, PARENT]) == unknown - unknown % 2:
            for r in range(m.block[k, ROW], m.block[k, ROW] + m.block[k, ROWS]):
                J = w.jacobian[2 * r]
                u, v = in_plane(m.flexible, unknown - unknown % 2, J[0], J[1], J[2])
                total -= (v if unknown % 2 else u) * x[r] / m.flexible.mass[unknown]
    return total


@called
def give_way_at_nodes(m, w):
    """Relative coordinates: add to the loops' accelerations per multiplier what nodes give way, to two pins as well."""
    for k in range(m.block.shape[0]):
        if holds_node(m, k):
            mass = m.flexible.mass[node_of(m, m.block[k, PARENT])]
            for r in range(m.block[k, ROW], m.block[k, ROW] + m.block[k, ROWS]):
                way = (w.jacobian[2 * r, 0] ** 2 + w.jacobian[2 * r, 1] ** 2 + w.jacobian[2 * r, 2] ** 2) / mass
                n, c = r // 6, r % 6
                w.schur[m.node[n, NODE_DIAGONAL] + c, c] += way
                w.row[r, DIAGONAL] += way
                w.row[r, OWN] += way
    for e in range(m.shared.shape[0]):
        one, two = get(w.jacobian, 2 * m.shared[e, SHARED_FIRST], 0), get(w.jacobian, 2 * m.shared[e, SHARED_SECOND], 0)
        way = dot(one, two) * inverse_mass(m, m.shared[e, SHARED_CARRIER])
        w.schur[m.shared[e, SHARED_LINE], m.shared[e, SHARED_COLUMN]] += way
