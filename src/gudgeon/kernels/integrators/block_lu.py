"""LU of a matrix of blocks, without the blocks that are zero: row exchanges within a node, none between nodes.

Node k hands on what is left to the nodes i, j with which it is coupled:

    A_kj ← A_kk⁻¹ A_kj,   A_ij ← A_ij − A_ik A_kj

Unknowns come stage by stage within a node; all tables (kernels/dynamics/force_pattern.py) are for one stage. The forces
of joints are unknowns that can be taken in any order: the blocks I − φ' D that are left on the diagonal are those of a
mechanism that gives way where joints were taken before, as regular as that of the whole one.
"""

from __future__ import annotations

from gudgeon.kernels.build.compiled import inlined
from gudgeon.kernels.dynamics.dense_lu import factorise_dense, solve_dense
from gudgeon.kernels.dynamics.force_pattern import (
    BELOW,
    BESIDE,
    DIAGONAL,
    ENTRY,
    ENTRY_NODE,
    LEFT,
    LEFT_SIZE,
    NODE,
    NODE_AT,
    RIGHT,
    RIGHT_SIZE,
    SIZE,
    TARGET,
    UPDATE,
    WITHIN,
)


@inlined
def place_of(p, k, i, stages):
    """Where the first unknown of joint k at stage i stands among all unknowns."""
    n = p.joint[k, NODE]
    return stages * p.node[n, NODE_AT] + i * p.node[n, SIZE] + p.joint[k, WITHIN]


@inlined
def clear_blocks(p, matrix, stages, first, last):
    """Zero in all blocks of the nodes first … last − 1."""
    matrix[stages * p.node[first, DIAGONAL] : stages * p.node[last, DIAGONAL]] = 0.0


@inlined
def factorise_blocks(p, matrix, pivot, stages, first, last):
    """Eliminate the nodes first … last − 1, in place."""
    for k in range(first, last):
        n, at, place = stages * p.node[k, SIZE], stages * p.node[k, DIAGONAL], stages * p.node[k, NODE_AT]
        own, exchanged = matrix[at : at + n], pivot[place : place + n]
        factorise_dense(own, exchanged, n)
        for e in range(p.node[k, ENTRY], p.node[k + 1, ENTRY]):
            beside = stages * p.entry[e, BESIDE]
            columns = stages * p.node[p.entry[e, ENTRY_NODE], SIZE]
            solve_columns(own, exchanged, n, matrix[beside : beside + n], columns)
        for u in range(p.node[k, UPDATE], p.node[k + 1, UPDATE]):
            target, left, right = p.update[u, TARGET], p.update[u, LEFT], p.update[u, RIGHT]
            target, left, right = stages * target, stages * left, stages * right
            columns = stages * p.update[u, RIGHT_SIZE]
            for i in range(stages * p.update[u, LEFT_SIZE]):
                for j in range(n):
                    x = matrix[left + i, j]
                    for c in range(columns):
                        matrix[target + i, c] -= x * matrix[right + j, c]


@inlined
def solve_columns(own, exchanged, n, B, columns):
    """Overwrite the first columns of B by the solutions with the factors of `factorise_dense`."""
    for i in range(n):
        at = exchanged[i]
        if at != i:
            for c in range(columns):
                B[i, c], B[at, c] = B[at, c], B[i, c]
    for i in range(1, n):
        for j in range(i):
            x = own[i, j]
            for c in range(columns):
                B[i, c] -= x * B[j, c]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            x = own[i, j]
            for c in range(columns):
                B[i, c] -= x * B[j, c]
        x = 1.0 / own[i, i]
        for c in range(columns):
            B[i, c] *= x


@inlined
def solve_blocks(p, matrix, pivot, stages, first, last, x):
    """Overwrite the unknowns of these nodes in x by the solution."""
    for k in range(first, last):
        n, at, place = stages * p.node[k, SIZE], stages * p.node[k, DIAGONAL], stages * p.node[k, NODE_AT]
        solve_dense(matrix[at : at + n], pivot[place : place + n], n, x[place : place + n])
        for e in range(p.node[k, ENTRY], p.node[k + 1, ENTRY]):
            other, below = p.entry[e, ENTRY_NODE], stages * p.entry[e, BELOW]
            to = stages * p.node[other, NODE_AT]
            for i in range(stages * p.node[other, SIZE]):
                y = 0.0
                for j in range(n):
                    y += matrix[below + i, j] * x[place + j]
                x[to + i] -= y
    for k in range(last - 1, first - 1, -1):
        n, place = stages * p.node[k, SIZE], stages * p.node[k, NODE_AT]
        for e in range(p.node[k, ENTRY], p.node[k + 1, ENTRY]):
            other, beside = p.entry[e, ENTRY_NODE], stages * p.entry[e, BESIDE]
            known = stages * p.node[other, NODE_AT]
            for i in range(n):
                y = 0.0
                for j in range(stages * p.node[other, SIZE]):
                    y += matrix[beside + i, j] * x[known + j]
                x[place + i] -= y
