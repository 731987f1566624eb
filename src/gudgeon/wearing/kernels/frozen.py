"""Surfaces under loads that stay as they were (wearing/frozen.py): balance, wear, and how it changes; compiled.

Points are sorted by instant; those of instant t are begin[t] : begin[t + 1]. Shapes N are rows of a compressed sparse
matrix: columns and values of point p are row[p] : row[p + 1].
"""

from __future__ import annotations

from math import inf, sqrt

from numba import int64, types, void

from gudgeon.kernels.build.compiled import called, entrance
from gudgeon.kernels.build.records import MATRIX, VECTOR

INTEGERS = types.Array(int64, 1, "C")
INTEGERS_32 = types.Array(types.int32, 1, "C")
NEWTON = 60  # steps, at most
SLOWER = 20  # steps, after which they are halved
BALANCED = 1e-10  # of the load
SOFT = 1e-12  # of the stiffness, in directions that nothing holds
TOUCH = 1e-9  # how deep a body comes that touched nothing [m]


@called
def invert(matrix, inverse, count):
    """inverse = matrix⁻¹, of a symmetric and positive matrix, which is destroyed."""
    for i in range(count):
        for j in range(count):
            inverse[i, j] = 1.0 if i == j else 0.0
    for i in range(count):
        pivot = 1.0 / matrix[i, i]
        for j in range(count):
            matrix[i, j] *= pivot
            inverse[i, j] *= pivot
        for r in range(count):
            factor = matrix[r, i]
            if r != i and factor != 0.0:
                for j in range(count):
                    matrix[r, j] -= factor * matrix[i, j]
                    inverse[r, j] -= factor * inverse[i, j]


@called
def stiffness_of(begin, end, depth, area, push, K, matrix):
    """matrix = Σ A K G Gᵀ over what touches, a little more on its diagonal; its trace without that."""
    count, trace = push.shape[1], 0.0
    for a in range(count):
        for b in range(count):
            matrix[a, b] = 0.0
    for p in range(begin, end):
        if depth[p] > 0.0:
            s = area[p] * K
            for a in range(count):
                for b in range(count):
                    matrix[a, b] += s * push[p, a] * push[p, b]
    for a in range(count):
        trace += matrix[a, a]
    for a in range(count):
        matrix[a, a] += SOFT * trace
    return trace


@entrance(void(INTEGERS, VECTOR, VECTOR, VECTOR, MATRIX, MATRIX, MATRIX, VECTOR, MATRIX, MATRIX, VECTOR))
def balance(begin, fixed, area, K, push, wanted, moved, depth, matrix, inverse, missing):
    """Depths δ = fixed + G x at which every instant carries the load wanted; `moved` are x, before and after."""
    count = push.shape[1]
    for t in range(begin.shape[0] - 1):
        load = 0.0
        for a in range(count):
            load = max(load, abs(wanted[t, a]))
        for iteration in range(NEWTON):
            nearest = -inf
            for a in range(count):
                missing[a] = wanted[t, a]
            for p in range(begin[t], begin[t + 1]):
                depth[p] = fixed[p]
                for a in range(count):
                    depth[p] += push[p, a] * moved[t, a]
                nearest = max(nearest, depth[p])
                if depth[p] > 0.0:
                    for a in range(count):
                        missing[a] -= area[p] * K[t] * depth[p] * push[p, a]
            most = 0.0
            for a in range(count):
                most = max(most, abs(missing[a]))
            if most <= BALANCED * load:
                break
            trace = stiffness_of(begin[t], begin[t + 1], depth, area, push, K[t], matrix)
            if trace > 0.0:
                invert(matrix, inverse, count)
                scale = 1.0 if iteration < SLOWER else 0.5
                for a in range(count):
                    for b in range(count):
                        moved[t, a] += scale * inverse[a, b] * missing[b]
            else:  # nothing touches: towards what is nearest to that
                size = 0.0
                for a in range(count):
                    size += wanted[t, a] * wanted[t, a]
                for a in range(count):
                    moved[t, a] += (TOUCH - 1.2 * nearest) / sqrt(size) * wanted[t, a]


@entrance(void(INTEGERS, VECTOR, VECTOR, VECTOR, VECTOR, INTEGERS_32, INTEGERS_32, VECTOR, VECTOR, VECTOR))
def rubbed_away(begin, depth, area, K, way, row, column, value, wear, out):
    """k ∫∫ p |v_t| N dA dt of all coefficients; `way` is speed times time, `wear` k of every coefficient."""
    out[:] = 0.0
    for t in range(begin.shape[0] - 1):
        for p in range(begin[t], begin[t + 1]):
            if depth[p] > 0.0 and K[t] > 0.0:
                rubbed = area[p] * K[t] * depth[p] * way[t]
                for c in range(row[p], row[p + 1]):
                    out[column[c]] += wear[column[c]] * value[c] * rubbed


@entrance(
    void(
        INTEGERS, VECTOR, VECTOR, VECTOR, VECTOR, MATRIX, INTEGERS_32, INTEGERS_32, VECTOR, VECTOR, MATRIX, MATRIX,
        MATRIX, VECTOR, MATRIX, INTEGERS,
    )
)  # fmt: skip
def change_of_rubbed(
    begin, depth, area, K, way, push, row, column, value, wear, matrix, inverse, carried, moves, out, own
):
    """How `rubbed_away` changes with the coefficients while every instant carries the same load."""
    out[:, :] = 0.0
    carried[:, :] = 0.0  # (coefficients, directions and one that counts)
    directions = push.shape[1]
    for t in range(begin.shape[0] - 1):
        if stiffness_of(begin[t], begin[t + 1], depth, area, push, K[t], matrix) <= 0.0:
            continue
        invert(matrix, inverse, directions)
        used = 0  # coefficients that have a part in what touches
        for p in range(begin[t], begin[t + 1]):
            if depth[p] <= 0.0:
                continue
            s = area[p] * K[t]
            for c in range(row[p], row[p + 1]):
                i = column[c]
                if carried[i, directions] == 0.0:
                    carried[i, directions] = 1.0
                    own[used] = i
                    used += 1
                for a in range(directions):
                    carried[i, a] += s * push[p, a] * value[c]
                for d in range(row[p], row[p + 1] if wear[i] > 0.0 else row[p]):
                    out[i, column[d]] -= wear[i] * s * way[t] * value[c] * value[d]
        for u in range(used):
            i = own[u]
            for a in range(directions):
                moves[a] = 0.0
                for b in range(directions):
                    moves[a] += wear[i] * way[t] * carried[i, b] * inverse[b, a]
            for v in range(used if wear[i] > 0.0 else 0):
                for a in range(directions):
                    out[i, own[v]] += moves[a] * carried[own[v], a]
        for u in range(used):
            for a in range(directions + 1):
                carried[own[u], a] = 0.0
