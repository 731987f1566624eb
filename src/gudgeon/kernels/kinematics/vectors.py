"""Vectors of three as tuples, and the places of tables where they are kept."""

from __future__ import annotations

from gudgeon.kernels.build.compiled import inlined
from gudgeon.kernels.dynamics.arrays import ROTATION


@inlined
def get(table, k, at):
    """The vector table[k, at : at + 3]."""
    return table[k, at], table[k, at + 1], table[k, at + 2]


@inlined
def put(table, k, at, a):
    """table[k, at : at + 3] = a."""
    table[k, at] = a[0]
    table[k, at + 1] = a[1]
    table[k, at + 2] = a[2]


@inlined
def add_to(table, k, at, a):
    """table[k, at : at + 3] += a."""
    table[k, at] += a[0]
    table[k, at + 1] += a[1]
    table[k, at + 2] += a[2]


@inlined
def get_column(table, k, c):
    """The vector table[k : k + 3, c]."""
    return table[k, c], table[k + 1, c], table[k + 2, c]


@inlined
def add_to_column(table, k, c, a):
    """table[k : k + 3, c] += a."""
    table[k, c] += a[0]
    table[k + 1, c] += a[1]
    table[k + 2, c] += a[2]


@inlined
def plus(a, b):
    """a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@inlined
def plus_times(a, s, b):
    """a + s b."""
    return a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]


@inlined
def dot(a, b):
    """a · b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined
def vector_product(a, b):
    """a × b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inlined
def in_world(body, b, a):
    """World components of a vector given in the axes of body b."""
    return (
        dot(get(body, b, ROTATION), a),
        dot(get(body, b, ROTATION + 3), a),
        dot(get(body, b, ROTATION + 6), a),
    )


@inlined
def apply_transposed(A, a):
    """Aᵀ a."""
    return plus_times(plus_times((a[0] * A[0][0], a[0] * A[0][1], a[0] * A[0][2]), a[1], A[1]), a[2], A[2])


@inlined
def get_matrix(table, k, at):
    """The 3×3 matrix in nine places of a line, row by row."""
    return get(table, k, at), get(table, k, at + 3), get(table, k, at + 6)


@inlined
def put_matrix(table, k, at, A):
    """The way back."""
    put(table, k, at, A[0])
    put(table, k, at + 3, A[1])
    put(table, k, at + 6, A[2])


@inlined
def product(A, B):
    """A B."""
    return apply_transposed(B, A[0]), apply_transposed(B, A[1]), apply_transposed(B, A[2])
