"""Numbers at addresses: what a kernel that is given an address reads and writes there."""

from __future__ import annotations

from llvmlite import ir
from numba import float64, int64, void
from numba.extending import intrinsic


def _place(builder, address, index):
    pointer = builder.inttoptr(address, ir.DoubleType().as_pointer())
    return builder.gep(pointer, [index])


@intrinsic
def put_at(typingctx, address, index, value):
    """Write the number `index` of those at `address`."""

    def generate(context, builder, signature, args):
        builder.store(args[2], _place(builder, args[0], args[1]))
        return context.get_dummy_value()

    return void(int64, int64, float64), generate


@intrinsic
def add_at(typingctx, address, index, value):
    """Add to the number `index` of those at `address`."""

    def generate(context, builder, signature, args):
        place = _place(builder, args[0], args[1])
        builder.store(builder.fadd(builder.load(place), args[2]), place)
        return context.get_dummy_value()

    return void(int64, int64, float64), generate
