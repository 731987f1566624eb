"""Calls of compiled functions by their address, with any arguments that compiled code can pass.

    call(address, (m, w, y))       no answer
    ask(address, (m, w, t, y))     a number
    count(address, (m, w))         an integer

At the address 0 there is nothing: nothing is done, and the answer is 0. Caller and callee are compiled apart; the types
of the arguments must be those of the callee.
"""

from __future__ import annotations

from llvmlite import ir
from numba import float64, int64, types, void
from numba.core import cgutils
from numba.extending import intrinsic


def _calling(answer):
    def typed(typingctx, address, arguments):
        def generate(context, builder, signature, args):
            values = cgutils.unpack_tuple(builder, args[1], len(arguments))
            kinds = [context.get_value_type(kind) for kind in arguments]
            result = ir.VoidType() if answer is void else context.get_value_type(answer)
            pointer = builder.inttoptr(args[0], ir.FunctionType(result, kinds).as_pointer())
            nothing = None if answer is void else ir.Constant(result, 0)
            answered = None if answer is void else cgutils.alloca_once_value(builder, nothing)
            with builder.if_then(cgutils.is_not_null(builder, args[0]), likely=True):
                called = builder.call(pointer, values)
                if answered is not None:
                    builder.store(called, answered)
            return context.get_dummy_value() if answered is None else builder.load(answered)

        return answer(types.int64, arguments), generate

    return typed


call = intrinsic(_calling(void))
ask = intrinsic(_calling(float64))
count = intrinsic(_calling(int64))
