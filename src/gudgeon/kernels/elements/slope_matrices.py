"""The two 6 × 6 matrices of slopes that an element writes by address: ∂(force, torque)/∂(displacement, turn), by rates.

Torques are about the ball's joint point. A point X of the ball, pushed by f, gives the wrench (f, X × f); along the
same directions the ball's small motion shifts that point.
"""

from __future__ import annotations

from llvmlite import ir
from numba import float64, int64, void
from numba.extending import intrinsic

from gudgeon.kernels.build.compiled import inlined

SIX_BY_SIX = 36


@intrinsic
def set_number(typingctx, address, value):
    """The double at `address` becomes `value`."""

    def generate(context, builder, signature, args):
        builder.store(args[1], builder.inttoptr(args[0], ir.DoubleType().as_pointer()))
        return context.get_dummy_value()

    return void(int64, float64), generate


@intrinsic
def add_number(typingctx, address, value):
    """`value` is added to the double at `address`."""

    def generate(context, builder, signature, args):
        pointer = builder.inttoptr(args[0], ir.DoubleType().as_pointer())
        builder.store(builder.fadd(builder.load(pointer), args[1]), pointer)
        return context.get_dummy_value()

    return void(int64, float64), generate


@inlined
def clear_matrix(matrix):
    """All of a 6 × 6 matrix zero."""
    for c in range(SIX_BY_SIX):
        set_number(matrix + 8 * c, 0.0)


@inlined
def add_product(matrix, scale, a, b):
    """matrix += scale · a bᵀ."""
    for r in range(6):
        for c in range(6):
            add_number(matrix + 8 * (6 * r + c), scale * a[r] * b[c])


@inlined
def add_entry(matrix, r, c, value):
    """matrix[r, c] += value."""
    add_number(matrix + 8 * (6 * r + c), value)
