"""The two 6 × 6 matrices of slopes that an element writes by address: ∂(force, torque)/∂(displacement, turn), by rates.

Torques are about the ball's joint point. A point X of the ball, pushed by f, gives the wrench (f, X × f); along the
same directions the ball's small motion shifts that point.
"""

from __future__ import annotations

from gudgeon.kernels.build.compiled import inlined
from gudgeon.kernels.build.places import add_at, put_at


@inlined
def clear_matrix(matrix):
    """All of a 6 × 6 matrix zero."""
    for c in range(36):
        put_at(matrix, c, 0.0)


@inlined
def add_product(matrix, scale, a, b):
    """matrix += scale · a bᵀ."""
    for r in range(6):
        for c in range(6):
            add_at(matrix, 6 * r + c, scale * a[r] * b[c])


@inlined
def add_entry(matrix, r, c, value):
    """matrix[r, c] += value."""
    add_at(matrix, 6 * r + c, value)
