"""The stack machine that evaluates functions of time inside compiled code.

A program is the range first … last-1 of three parallel arrays: opcode (`opcodes.py`), operand and C address
of each instruction; `gudgeon.functions.Programs` makes them. Nothing is allocated, nothing raises: 1/0 is inf
and 0/0 is nan, as in IEEE 754. Both branches of a conditional are evaluated and one is selected, so a nan in
the other one never shows. No fastmath here: the machine gives what Python gives.
"""

from __future__ import annotations

import math

import numpy as np
from llvmlite import ir
from numba import float64, int64, types
from numba.extending import intrinsic

from gudgeon.kernels.build.compiled import exact
from gudgeon.kernels.functions import opcodes as op


@intrinsic
def call(typingctx, address, t):
    """f(t) of the C function double(double) at `address`."""

    def generate(context, builder, signature, arguments):
        double = ir.DoubleType()
        pointer = builder.inttoptr(arguments[0], ir.FunctionType(double, [double]).as_pointer())
        return builder.call(pointer, [arguments[1]])

    return float64(int64, float64), generate


@intrinsic
def call_vector(typingctx, address, t):
    """f(t) of a numba cfunc at `address` that returns three floats as a tuple.

    The return type is the LLVM array that numba itself uses for such a tuple: LLVM lowers both sides from the
    same type, so they agree on every platform, whatever its rules for C structures.
    """

    def generate(context, builder, signature, arguments):
        double = ir.DoubleType()
        function = ir.FunctionType(ir.ArrayType(double, 3), [double])
        pointer = builder.inttoptr(arguments[0], function.as_pointer())
        return builder.call(pointer, [arguments[1]])

    return types.UniTuple(float64, 3)(int64, float64), generate


@exact
def run(ops, operands, addresses, first, last, t, stack):
    """Value at time t of the program first … last-1; `stack` has room for `STACK_SIZE` floats.

    One way out only: with an early return numba counts references to the arrays, which takes longer than a
    constant program does.
    """
    top = -1
    for k in range(first, last):
        code = ops[k]
        if code == op.CONSTANT:
            top += 1
            stack[top] = operands[k]
        elif code == op.TIME:
            top += 1
            stack[top] = t
        elif code == op.CALL:
            top += 1
            stack[top] = call(addresses[k], t)  # pyright: ignore[reportCallIssue]
        elif code == op.CALL_VECTOR:
            top += 1
            x, y, z = call_vector(addresses[k], t)  # pyright: ignore[reportCallIssue]
            stack[top] = x if operands[k] == 0.0 else y if operands[k] == 1.0 else z
        elif code == op.SELECT:
            top -= 2
            if stack[top + 2] != 0.0:
                stack[top] = stack[top + 1]
        elif code <= op.MAX:
            top -= 1
            stack[top] = _of_two(code, stack[top], stack[top + 1])
        else:
            stack[top] = _of_one(code, stack[top])
    return stack[0]


@exact
def _of_two(code, a, b):
    """The instruction `code` applied to a and b; min and max of a nan are nan."""
    if code == op.ADD:
        return a + b
    if code == op.SUBTRACT:
        return a - b
    if code == op.MULTIPLY:
        return a * b
    if code == op.DIVIDE:
        return a / b
    if code == op.POWER:
        return math.pow(a, b)
    if code == op.LESS:
        return 1.0 if a < b else 0.0
    if code == op.LESS_EQUAL:
        return 1.0 if a <= b else 0.0
    if code == op.GREATER:
        return 1.0 if a > b else 0.0
    if code == op.GREATER_EQUAL:
        return 1.0 if a >= b else 0.0
    if code == op.ATAN2:
        return math.atan2(a, b)
    if code == op.MIN:
        return a if a <= b or a != a else b
    if code == op.MAX:
        return a if a >= b or a != a else b
    return math.nan


@exact
def _of_one(code, x):
    """The instruction `code` applied to x; sign and step of a nan are nan."""
    if code == op.NEGATE:
        return -x
    if code == op.INVERT:
        return 1.0 / x
    if code == op.SIN:
        return math.sin(x)
    if code == op.COS:
        return math.cos(x)
    if code == op.TAN:
        return math.tan(x)
    if code == op.ASIN:
        return math.asin(x)
    if code == op.ACOS:
        return math.acos(x)
    if code == op.ATAN:
        return math.atan(x)
    if code == op.SINH:
        return math.sinh(x)
    if code == op.COSH:
        return math.cosh(x)
    if code == op.TANH:
        return math.tanh(x)
    if code == op.EXP:
        return math.exp(x)
    if code == op.LOG:
        return math.log(x)
    if code == op.SQRT:
        return math.sqrt(x)
    if code == op.ABS:
        return abs(x)
    if code == op.SIGN:
        return 1.0 if x > 0.0 else -1.0 if x < 0.0 else x
    if code == op.FLOOR:
        return np.floor(x)
    if code == op.STEP:
        return 0.0 if x < 0.0 else 1.0 if x >= 0.0 else x
    return math.nan
