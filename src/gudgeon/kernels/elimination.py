"""Block-sparse factorisation S = L D Lᵀ of the Schur complement S = J M⁻¹ Jᵀ, and solves with it.

The order of elimination and the places of all blocks, fill-in included, are prepared by mechanics/elimination.py; the
work is linear in the number of joints for chains and trees, and grows with the number of loops only where they meet.
A pivot that vanishes against its original diagonal belongs to a redundant row: the row is skipped (its multiplier is
zero), which leaves the motion unchanged because the other rows imply it.
"""

from __future__ import annotations

from gudgeon.kernels.arrays import (
    CHILD,
    DIAGONAL,
    ENTRY_OFFSET,
    ENTRY_ROW,
    ENTRY_ROWS,
    INVERSE_MASS,
    INVERSE_PIVOT,
    NODE_DIAGONAL,
    NODE_ENTRY,
    NODE_ROW,
    NODE_UPDATE,
    PAIR_COLUMNS,
    PAIR_FIRST,
    PAIR_ROWS,
    PAIR_SECOND,
    PAIR_TARGET,
    PARENT,
    PIVOT,
    PIVOT_TOLERANCE,
    ROW,
    ROWS,
    UPDATE_COLUMNS,
    UPDATE_FIRST,
    UPDATE_ROWS,
    UPDATE_SECOND,
    UPDATE_TARGET,
    WORLD_INVERSE,
)
from gudgeon.kernels.compiled import inlined


@inlined
def weight_rows(m, w):
    """M⁻¹ Jᵀ for both sides of every row."""
    J, Y, body, v = w.jacobian, w.weighted, w.body, WORLD_INVERSE
    for k in range(m.block.shape[0]):
        first = m.block[k, ROW]
        for side in range(2):
            b = m.block[k, PARENT + side * (CHILD - PARENT)]
            if b == 0:
                continue
            c = m.body[b, INVERSE_MASS]
            for r in range(first, first + m.block[k, ROWS]):
                x = 2 * r + side
                for e in range(3):
                    Y[x, e] = c * J[x, e]
                    Y[x, 3 + e] = (
                        body[b, v + 3 * e] * J[x, 3]
                        + body[b, v + 3 * e + 1] * J[x, 4]
                        + body[b, v + 3 * e + 2] * J[x, 5]
                    )


@inlined
def schur_complement(m, w):
    """S, lower blocks."""
    S, J, Y = w.schur, w.jacobian, w.weighted
    for k in range(S.shape[0]):
        S[k] = 0.0
    for k in range(m.pair.shape[0]):
        a, b = m.pair[k, PAIR_FIRST], m.pair[k, PAIR_SECOND]
        columns, at, scale = m.pair[k, PAIR_COLUMNS], m.pair[k, PAIR_TARGET], m.pair_scale[k]
        for i in range(m.pair[k, PAIR_ROWS]):
            x = a + 2 * i
            for j in range(i + 1 if a == b else columns):
                y = b + 2 * j
                S[at + i * columns + j] += scale * (
                    J[x, 0] * Y[y, 0]
                    + J[x, 1] * Y[y, 1]
                    + J[x, 2] * Y[y, 2]
                    + J[x, 3] * Y[y, 3]
                    + J[x, 4] * Y[y, 4]
                    + J[x, 5] * Y[y, 5]
                )


@inlined
def factorise(m, w):
    """S → L D Lᵀ in place, node by node."""
    S, X, row = w.schur, w.scaled, w.row
    tolerance = m.settings[PIVOT_TOLERANCE]
    nodes = m.node.shape[0] - 1
    for k in range(nodes):
        first, at = m.node[k, NODE_ROW], m.node[k, NODE_DIAGONAL]
        n = m.node[k + 1, NODE_ROW] - first
        for c in range(n):
            row[first + c, DIAGONAL] = S[at + c * n + c]
    for k in range(nodes):
        first, at = m.node[k, NODE_ROW], m.node[k, NODE_DIAGONAL]
        n = m.node[k + 1, NODE_ROW] - first
        for c in range(n):
            d = S[at + c * n + c]
            inverse = 1.0 / d
            if d <= tolerance * row[first + c, DIAGONAL]:
                d, inverse = 0.0, 0.0
            row[first + c, PIVOT] = d
            row[first + c, INVERSE_PIVOT] = inverse
            for i in range(c + 1, n):
                X[at + i * n + c] = S[at + i * n + c]
                S[at + i * n + c] *= inverse
                for j in range(c + 1, i + 1):
                    S[at + i * n + j] -= S[at + i * n + c] * X[at + j * n + c]
        for e in range(m.node[k, NODE_ENTRY], m.node[k + 1, NODE_ENTRY]):
            o = m.entry[e, ENTRY_OFFSET]
            for r in range(m.entry[e, ENTRY_ROWS]):
                for c in range(n):
                    x = S[o + r * n + c]
                    for p in range(c):
                        x -= X[o + r * n + p] * S[at + c * n + p]
                    X[o + r * n + c] = x
                for c in range(n):
                    S[o + r * n + c] = X[o + r * n + c] * row[first + c, INVERSE_PIVOT]
        for u in range(m.node[k, NODE_UPDATE], m.node[k + 1, NODE_UPDATE]):
            one, two, target = m.update[u, UPDATE_FIRST], m.update[u, UPDATE_SECOND], m.update[u, UPDATE_TARGET]
            columns = m.update[u, UPDATE_COLUMNS]
            for r in range(m.update[u, UPDATE_ROWS]):
                for q in range(r + 1 if one == two else columns):
                    x = 0.0
                    for c in range(n):
                        x += S[one + r * n + c] * X[two + q * n + c]
                    S[target + r * columns + q] -= x


@inlined
def solve(m, w, x):
    """Overwrite the right-hand side x by S⁻¹ x (rows in the order of elimination)."""
    S = w.schur
    for k in range(m.node.shape[0] - 1):
        first, at = m.node[k, NODE_ROW], m.node[k, NODE_DIAGONAL]
        n = m.node[k + 1, NODE_ROW] - first
        for c in range(n):
            for p in range(c):
                x[first + c] -= S[at + c * n + p] * x[first + p]
        for e in range(m.node[k, NODE_ENTRY], m.node[k + 1, NODE_ENTRY]):
            i, o = m.entry[e, ENTRY_ROW], m.entry[e, ENTRY_OFFSET]
            for r in range(m.entry[e, ENTRY_ROWS]):
                for c in range(n):
                    x[i + r] -= S[o + r * n + c] * x[first + c]
    for r in range(x.shape[0]):
        x[r] *= w.row[r, INVERSE_PIVOT]
    transposed_solve(m, w, x)


@inlined
def transposed_solve(m, w, x):
    """Overwrite x by L⁻ᵀ x."""
    S = w.schur
    for k in range(m.node.shape[0] - 2, -1, -1):
        first, at = m.node[k, NODE_ROW], m.node[k, NODE_DIAGONAL]
        n = m.node[k + 1, NODE_ROW] - first
        for e in range(m.node[k, NODE_ENTRY], m.node[k + 1, NODE_ENTRY]):
            i, o = m.entry[e, ENTRY_ROW], m.entry[e, ENTRY_OFFSET]
            for r in range(m.entry[e, ENTRY_ROWS]):
                for c in range(n):
                    x[first + c] -= S[o + r * n + c] * x[i + r]
        for c in range(n - 1, -1, -1):
            for p in range(c + 1, n):
                x[first + c] -= S[at + p * n + c] * x[first + p]
