"""Tables that a kernel is given by their address."""

from __future__ import annotations

from llvmlite import ir
from numba import float64, int64
from numba.extending import intrinsic


@intrinsic
def number_at(typingctx, address, index):
    """The number `index` of those at `address`."""

    def generate(context, builder, signature, args):
        pointer = builder.inttoptr(args[0], ir.DoubleType().as_pointer())
        return builder.load(builder.gep(pointer, [args[1]]))

    return float64(int64, int64), generate
