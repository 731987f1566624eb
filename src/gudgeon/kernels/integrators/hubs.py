"""Hubs in the algebra of the forces: bodies which so many joints push that their accelerations are unknowns too.

A joint k feels the acceleration a of its hub, and gives its share to it:

    ΔF − φ' (D ΔF + G_k a) = …,   a − Σ_k W_kᵀ ΔF_k = 0

D is what the joint feels without the hub. Eliminating a would couple all joints of the hub with each other; the joints
are eliminated first instead.
"""

from __future__ import annotations

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.dynamics.arrays import UNKNOWN, UNKNOWNS
from gudgeon.kernels.dynamics.force_pattern import (
    BALL_IN,
    COLUMN,
    FROM_HUB,
    GRIP,
    HUB,
    HUB_AT,
    NODE,
    NODE_AT,
    SIZE,
    SOCKET_IN,
    TO_HUB,
    W_AT,
    WITHIN,
)
from gudgeon.kernels.dynamics.response import pushing, relative_of_sides


@inlined
def subtract_row(matrix, row, column, x, arm, k, c, socket, ball):
    """Subtract x times row c of G of joint k from a row of the matrix; the hub's velocities begin at `column`."""
    for side in range(2):
        at, y, a = (ball, x, 3) if side else (socket, -x, 0)
        if at >= 0:
            at += column
            matrix[row, at + c] -= y
            if c < 3:
                p, q = (c + 1) % 3, (c + 2) % 3
                matrix[row, at + 3 + p] -= y * arm[k, a + q]
                matrix[row, at + 3 + q] += y * arm[k, a + p]


@called
def add_hubs(m, r, k, h):
    """The blocks of Newton's matrix between joint k and its hubs."""
    stages, p = r.A.shape[0], r.response.pattern
    rows, within, size = m.compliant[k, UNKNOWNS], p.joint[k, WITHIN], p.node[p.joint[k, NODE], SIZE]
    for g in range(p.joint[k, GRIP], p.joint[k + 1, GRIP]):
        width = p.node[p.grip[g, HUB], SIZE]
        for i in range(stages):
            row = stages * p.grip[g, FROM_HUB] + i * size + within
            for j in range(stages):
                hp, hv = h * h * r.A2[i, j], h * r.A[i, j]
                for c in range(rows):
                    for e in range(pushing(m, k)):
                        x = hp * r.phi_p[i, k, c, e] + hv * r.phi_v[i, k, c, e]
                        socket, ball = p.grip[g, SOCKET_IN], p.grip[g, BALL_IN]
                        subtract_row(r.matrix, row + c, j * width, x, r.response.arm, k, e, socket, ball)
            at = p.joint[k, W_AT] + p.grip[g, HUB_AT]
            for c in range(pushing(m, k)):
                for d in range(width):
                    line = stages * p.grip[g, TO_HUB] + i * width + d
                    r.matrix[line, i * size + within + c] = -r.response.W[at + d]
                at += p.joint[k + 1, COLUMN] - p.joint[k, COLUMN]


@called
def add_hub_motion(m, r, k):
    """Add what the change of its hubs' accelerations in `r.x` does to the relative acceleration of joint k in `r.z`."""
    stages, p = r.A.shape[0], r.response.pattern
    for g in range(p.joint[k, GRIP], p.joint[k + 1, GRIP]):
        n = p.grip[g, HUB]
        for i in range(stages):
            at = stages * p.node[n, NODE_AT] + i * p.node[n, SIZE]
            hub = r.x[at : at + p.node[n, SIZE]]
            for c in range(pushing(m, k)):
                felt = relative_of_sides(m, r.response.arm, k, c, hub, p.grip[g, SOCKET_IN], p.grip[g, BALL_IN])
                r.z[i, m.compliant[k, UNKNOWN] + c] += felt


@called
def add_hubs_to_filter(m, r, k, hg):
    """The same blocks of the filter of the error (radau_error.py), and what slow errors give to the hubs."""
    last, p, first = r.A.shape[0] - 1, r.response.pattern, m.compliant[k, UNKNOWN]
    within = p.joint[k, WITHIN]
    for g in range(p.joint[k, GRIP], p.joint[k + 1, GRIP]):
        n, row = p.grip[g, HUB], p.grip[g, FROM_HUB] + within
        at = p.joint[k, W_AT] + p.grip[g, HUB_AT]
        for c in range(pushing(m, k)):
            socket, ball = p.grip[g, SOCKET_IN], p.grip[g, BALL_IN]
            subtract_row(r.matrix, row + c, 0, 1.0, r.response.arm, k, c, socket, ball)
            for d in range(m.compliant[k, UNKNOWNS]):
                pull = hg * r.phi_v[last, k, c, d] + hg * hg * r.phi_p[last, k, c, d]
                slow = hg * r.phi_p[last, k, c, d] * r.z[1, first + d]
                for e in range(p.node[n, SIZE]):
                    r.matrix[p.grip[g, TO_HUB] + e, within + d] -= r.response.W[at + e] * pull
                    r.x[p.node[n, NODE_AT] + e] += r.response.W[at + e] * slow
            at += p.joint[k + 1, COLUMN] - p.joint[k, COLUMN]
