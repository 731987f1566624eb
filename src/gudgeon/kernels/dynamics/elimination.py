"""Block-sparse factorisation S = L D Lᵀ of the Schur complement S = J M⁻¹ Jᵀ, and solves with it.

Every node has six rows and every block six columns, unused ones zero, so that the innermost loops can be written out
(the last three rows of a diagonal block only where the node has more than three): row c of node k is row 6 k + c. The
order of elimination and the places of all blocks, fill-in included, are prepared by mechanics/elimination.py; the work
is linear in the number of joints for chains and trees, and grows with the number of loops only where they meet.

Redundant rows make S singular, and which rows are the redundant ones changes as the mechanism moves, so no row may be
singled out. S + ε diag(S) is factorised instead and the solution is refined (proximal point iteration):

    λ₁ = (S + E)⁻¹ b,   λ_{k+1} = λ_k + (S + E)⁻¹ E (λ_k − λ_{k−1}),   E = ε diag(S)

Each iteration shrinks the error by ε/(ε + σ), σ the smallest non-zero eigenvalue of S against its diagonal; what
is left along the null space of S does not move anything. Without redundant rows ε = 0 and one solve is exact; a pivot
that vanishes all the same (a singular position hit exactly) is skipped.
"""

from __future__ import annotations

from gudgeon.kernels.build.compiled import inlined
from gudgeon.kernels.dynamics.arrays import (
    CHILD,
    DIAGONAL,
    ENTRY_OFFSET,
    ENTRY_ROW,
    ENTRY_ROWS,
    INVERSE_PIVOT,
    KIND,
    MEASURE,
    NODE_DIAGONAL,
    NODE_ENTRY,
    NODE_ROWS,
    NODE_UPDATE,
    PAIR_CHANGES,
    PAIR_COLUMNS,
    PAIR_FIRST,
    PAIR_ROWS,
    PAIR_SECOND,
    PAIR_TARGET,
    PARENT,
    PIVOT,
    PULL,
    REGULARIZATION,
    ROW,
    ROWS,
    UPDATE_COLUMNS,
    UPDATE_FIRST,
    UPDATE_ROWS,
    UPDATE_SECOND,
    UPDATE_TARGET,
    WORLD_TENSOR,
)
from gudgeon.kernels.elements.node_pins import inverse_mass

SMALLEST_PIVOT = 1e-14  # of the diagonal
REFINEMENTS = 12  # at most
NEGLIGIBLE = 1e-26  # square of the relative change of accelerations that ends the refinement


@inlined
def weight_rows(m, w, k):
    """M⁻¹ Jᵀ for both sides of the rows of block k."""
    J, Y, body, v = w.jacobian, w.weighted, w.body, WORLD_TENSOR
    first, rows, changes = m.block[k, ROW], m.block[k, ROWS], m.block[k, KIND] >= MEASURE
    for side in range(2):
        b = m.block[k, PARENT + side * (CHILD - PARENT)]
        if b == 0:
            continue
        c = inverse_mass(m, b)
        xx, xy, xz = body[b, v], body[b, v + 1], body[b, v + 2]
        yy, yz, zz = body[b, v + 4], body[b, v + 5], body[b, v + 8]
        for r in range(first, first + rows):
            x = 2 * r + side
            p, q, s = J[x, 3], J[x, 4], J[x, 5]
            Y[x, 3] = xx * p + xy * q + xz * s
            Y[x, 4] = xy * p + yy * q + yz * s
            Y[x, 5] = xz * p + yz * q + zz * s
            if changes:
                Y[x, 0], Y[x, 1], Y[x, 2] = c * J[x, 0], c * J[x, 1], c * J[x, 2]


@inlined
def schur_complement(m, w):
    """S, lower blocks; what the constant linear parts contribute is copied, not computed."""
    S, J, Y = w.schur, w.jacobian, w.weighted
    for k in range(S.shape[0]):
        for c in range(6):
            S[k, c] = w.constant_schur[k, c]
    for k in range(m.pair.shape[0]):
        a, b, at = m.pair[k, PAIR_FIRST], m.pair[k, PAIR_SECOND], m.pair[k, PAIR_TARGET]
        rows, columns, scale = (
            m.pair[k, PAIR_ROWS],
            m.pair[k, PAIR_COLUMNS],
            m.pair_scale[k],
        )
        changes = m.pair[k, PAIR_CHANGES]
        for i in range(rows):
            x = a + 2 * i
            last = i + 1 if a == b else columns
            j3, j4, j5 = scale * J[x, 3], scale * J[x, 4], scale * J[x, 5]
            for j in range(last):
                y = b + 2 * j
                S[at + i, j] += j3 * Y[y, 3] + j4 * Y[y, 4] + j5 * Y[y, 5]
            if changes:
                j0, j1, j2 = scale * J[x, 0], scale * J[x, 1], scale * J[x, 2]
                for j in range(last):
                    y = b + 2 * j
                    S[at + i, j] += j0 * Y[y, 0] + j1 * Y[y, 1] + j2 * Y[y, 2]


@inlined
def inverse_pivot(d, diagonal):
    """1/d, or 0 where d vanishes against what stood on the diagonal."""
    return 0.0 if abs(d) <= SMALLEST_PIVOT * diagonal else 1.0 / d


@inlined
def factorise(m, w):
    """S → L D Lᵀ in place, node by node."""
    epsilon = m.settings[REGULARIZATION]
    nodes = m.node.shape[0] - 1
    for k in range(nodes):
        at = m.node[k, NODE_DIAGONAL]
        for c in range(m.node[k, NODE_ROWS]):
            d = w.schur[at + c, c]
            w.row[6 * k + c, DIAGONAL] = d
            w.schur[at + c, c] = d + epsilon * d
    for k in range(nodes):
        factorise_node(m, w, k)


@inlined
def factorise_node(m, w, k):
    """Eliminate node k in place; X keeps L D below the diagonal block."""
    S, X, row = w.schur, w.scaled, w.row
    first, at = 6 * k, m.node[k, NODE_DIAGONAL]
    a00 = S[at, 0]
    a10, a11 = S[at + 1, 0], S[at + 1, 1]
    a20, a21, a22 = S[at + 2, 0], S[at + 2, 1], S[at + 2, 2]
    d0 = inverse_pivot(a00, row[first, DIAGONAL])
    l10, l20 = a10 * d0, a20 * d0
    a11 -= l10 * a10
    a21 -= l20 * a10
    a22 -= l20 * a20
    d1 = inverse_pivot(a11, row[first + 1, DIAGONAL])
    l21 = a21 * d1
    a22 -= l21 * a21
    d2 = inverse_pivot(a22, row[first + 2, DIAGONAL])
    S[at + 1, 0] = l10
    S[at + 2, 0], S[at + 2, 1] = l20, l21
    row[first, PIVOT], row[first, INVERSE_PIVOT] = a00, d0
    row[first + 1, PIVOT], row[first + 1, INVERSE_PIVOT] = a11, d1
    row[first + 2, PIVOT], row[first + 2, INVERSE_PIVOT] = a22, d2
    l30 = l31 = l32 = l40 = l41 = l42 = l43 = l50 = l51 = l52 = l53 = l54 = d3 = d4 = d5 = 0.0
    if m.node[k, NODE_ROWS] > 3:
        a30, a31, a32, a33 = S[at + 3, 0], S[at + 3, 1], S[at + 3, 2], S[at + 3, 3]
        a40, a41, a42, a43, a44 = S[at + 4, 0], S[at + 4, 1], S[at + 4, 2], S[at + 4, 3], S[at + 4, 4]
        a50, a51, a52, a53, a54, a55 = (
            S[at + 5, 0],
            S[at + 5, 1],
            S[at + 5, 2],
            S[at + 5, 3],
            S[at + 5, 4],
            S[at + 5, 5],
        )
        l30, l40, l50 = a30 * d0, a40 * d0, a50 * d0
        a31 -= l30 * a10
        a32 -= l30 * a20
        a33 -= l30 * a30
        a41 -= l40 * a10
        a42 -= l40 * a20
        a43 -= l40 * a30
        a44 -= l40 * a40
        a51 -= l50 * a10
        a52 -= l50 * a20
        a53 -= l50 * a30
        a54 -= l50 * a40
        a55 -= l50 * a50
        l31, l41, l51 = a31 * d1, a41 * d1, a51 * d1
        a32 -= l31 * a21
        a33 -= l31 * a31
        a42 -= l41 * a21
        a43 -= l41 * a31
        a44 -= l41 * a41
        a52 -= l51 * a21
        a53 -= l51 * a31
        a54 -= l51 * a41
        a55 -= l51 * a51
        l32, l42, l52 = a32 * d2, a42 * d2, a52 * d2
        a33 -= l32 * a32
        a43 -= l42 * a32
        a44 -= l42 * a42
        a53 -= l52 * a32
        a54 -= l52 * a42
        a55 -= l52 * a52
        d3 = inverse_pivot(a33, row[first + 3, DIAGONAL])
        l43, l53 = a43 * d3, a53 * d3
        a44 -= l43 * a43
        a54 -= l53 * a43
        a55 -= l53 * a53
        d4 = inverse_pivot(a44, row[first + 4, DIAGONAL])
        l54 = a54 * d4
        a55 -= l54 * a54
        d5 = inverse_pivot(a55, row[first + 5, DIAGONAL])
        S[at + 3, 0], S[at + 3, 1], S[at + 3, 2] = l30, l31, l32
        S[at + 4, 0], S[at + 4, 1], S[at + 4, 2], S[at + 4, 3] = l40, l41, l42, l43
        S[at + 5, 0], S[at + 5, 1], S[at + 5, 2], S[at + 5, 3], S[at + 5, 4] = l50, l51, l52, l53, l54
        row[first + 3, PIVOT], row[first + 3, INVERSE_PIVOT] = a33, d3
        row[first + 4, PIVOT], row[first + 4, INVERSE_PIVOT] = a44, d4
        row[first + 5, PIVOT], row[first + 5, INVERSE_PIVOT] = a55, d5
    for e in range(m.node[k, NODE_ENTRY], m.node[k + 1, NODE_ENTRY]):
        o = m.entry[e, ENTRY_OFFSET]
        for r in range(o, o + m.entry[e, ENTRY_ROWS]):
            x0 = S[r, 0]
            x1 = S[r, 1] - x0 * l10
            x2 = S[r, 2] - x0 * l20 - x1 * l21
            x3 = S[r, 3] - x0 * l30 - x1 * l31 - x2 * l32
            x4 = S[r, 4] - x0 * l40 - x1 * l41 - x2 * l42 - x3 * l43
            x5 = S[r, 5] - x0 * l50 - x1 * l51 - x2 * l52 - x3 * l53 - x4 * l54
            X[r, 0], X[r, 1], X[r, 2], X[r, 3], X[r, 4], X[r, 5] = (
                x0,
                x1,
                x2,
                x3,
                x4,
                x5,
            )
            S[r, 0], S[r, 1], S[r, 2] = x0 * d0, x1 * d1, x2 * d2
            S[r, 3], S[r, 4], S[r, 5] = x3 * d3, x4 * d4, x5 * d5
    for u in range(m.node[k, NODE_UPDATE], m.node[k + 1, NODE_UPDATE]):
        one, two, target = (
            m.update[u, UPDATE_FIRST],
            m.update[u, UPDATE_SECOND],
            m.update[u, UPDATE_TARGET],
        )
        rows, columns = m.update[u, UPDATE_ROWS], m.update[u, UPDATE_COLUMNS]
        for r in range(rows):
            x0, x1, x2 = S[one + r, 0], S[one + r, 1], S[one + r, 2]
            x3, x4, x5 = S[one + r, 3], S[one + r, 4], S[one + r, 5]
            for q in range(r + 1 if one == two else columns):
                z = two + q
                left = x0 * X[z, 0] + x1 * X[z, 1] + x2 * X[z, 2]
                S[target + r, q] -= left + (x3 * X[z, 3] + x4 * X[z, 4] + x5 * X[z, 5])


@inlined
def solve(m, w, x):
    """Overwrite the right-hand side x by S⁻¹ x, a solution of S λ = x if S is singular."""
    if m.settings[REGULARIZATION] == 0.0:
        solve_once(m, w, x)
    else:
        solve_singular(m, w, x)


@inlined
def solve_singular(m, w, x):
    """Overwrite x by a solution of S λ = x, refined until it moves the bodies no more.

    The last change d of λ moves them by dᵀ S d = dᵀ E (d' − d), d' the change before, against λᵀ S λ ≈ λᵀ x.
    """
    epsilon, change, row = m.settings[REGULARIZATION], w.increment, w.row
    for r in range(x.shape[0]):
        change[r] = x[r]
    solve_once(m, w, x)
    whole = 0.0
    for r in range(x.shape[0]):
        whole += x[r] * change[r]
        change[r] = x[r]
    for _ in range(REFINEMENTS):
        for r in range(x.shape[0]):
            row[r, PULL] = epsilon * row[r, DIAGONAL] * change[r]
            change[r] = row[r, PULL]
        solve_once(m, w, change)
        moved = 0.0
        for r in range(x.shape[0]):
            x[r] += change[r]
            moved += change[r] * (row[r, PULL] - epsilon * row[r, DIAGONAL] * change[r])
        if not moved > NEGLIGIBLE * whole:
            break


@inlined
def solve_once(m, w, x):
    """Overwrite x by (S + E)⁻¹ x."""
    S = w.schur
    for k in range(m.node.shape[0] - 1):
        f, at = 6 * k, m.node[k, NODE_DIAGONAL]
        z0 = x[f]
        z1 = x[f + 1] - S[at + 1, 0] * z0
        z2 = x[f + 2] - S[at + 2, 0] * z0 - S[at + 2, 1] * z1
        x[f + 1], x[f + 2] = z1, z2
        z3 = z4 = z5 = 0.0
        if m.node[k, NODE_ROWS] > 3:
            z3 = x[f + 3] - S[at + 3, 0] * z0 - S[at + 3, 1] * z1 - S[at + 3, 2] * z2
            z4 = x[f + 4] - S[at + 4, 0] * z0 - S[at + 4, 1] * z1 - S[at + 4, 2] * z2 - S[at + 4, 3] * z3
            z5 = x[f + 5] - S[at + 5, 0] * z0 - S[at + 5, 1] * z1 - S[at + 5, 2] * z2
            z5 -= S[at + 5, 3] * z3 + S[at + 5, 4] * z4
            x[f + 3], x[f + 4], x[f + 5] = z3, z4, z5
        for e in range(m.node[k, NODE_ENTRY], m.node[k + 1, NODE_ENTRY]):
            i, o = m.entry[e, ENTRY_ROW], m.entry[e, ENTRY_OFFSET]
            for r in range(m.entry[e, ENTRY_ROWS]):
                left = S[o + r, 0] * z0 + S[o + r, 1] * z1 + S[o + r, 2] * z2
                x[i + r] -= left + (S[o + r, 3] * z3 + S[o + r, 4] * z4 + S[o + r, 5] * z5)
    for r in range(x.shape[0]):
        x[r] *= w.row[r, INVERSE_PIVOT]
    for k in range(m.node.shape[0] - 2, -1, -1):
        f, at = 6 * k, m.node[k, NODE_DIAGONAL]
        z0, z1, z2, z3, z4, z5 = x[f], x[f + 1], x[f + 2], x[f + 3], x[f + 4], x[f + 5]
        for e in range(m.node[k, NODE_ENTRY], m.node[k + 1, NODE_ENTRY]):
            i, o = m.entry[e, ENTRY_ROW], m.entry[e, ENTRY_OFFSET]
            for r in range(m.entry[e, ENTRY_ROWS]):
                y = x[i + r]
                z0 -= S[o + r, 0] * y
                z1 -= S[o + r, 1] * y
                z2 -= S[o + r, 2] * y
                z3 -= S[o + r, 3] * y
                z4 -= S[o + r, 4] * y
                z5 -= S[o + r, 5] * y
        if m.node[k, NODE_ROWS] > 3:
            z4 -= S[at + 5, 4] * z5
            z3 -= S[at + 5, 3] * z5 + S[at + 4, 3] * z4
            z2 -= S[at + 5, 2] * z5 + S[at + 4, 2] * z4 + S[at + 3, 2] * z3
            z1 -= S[at + 5, 1] * z5 + S[at + 4, 1] * z4 + S[at + 3, 1] * z3
            z0 -= S[at + 5, 0] * z5 + S[at + 4, 0] * z4 + S[at + 3, 0] * z3
            x[f + 3], x[f + 4], x[f + 5] = z3, z4, z5
        z1 -= S[at + 2, 1] * z2
        z0 -= S[at + 2, 0] * z2 + S[at + 1, 0] * z1
        x[f], x[f + 1], x[f + 2] = z0, z1, z2
