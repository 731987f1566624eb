"""The stack machine that evaluates functions of time and of signals inside compiled code.

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
from numba.core import cgutils
from numba.extending import intrinsic

from gudgeon.kernels.build.compiled import exact
from gudgeon.kernels.functions import opcodes as op
from gudgeon.kernels.functions.tables import look_up


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


BELOW = types.UniTuple(float64, op.MOST_ARGUMENTS - 1)  # arguments but the last, from the stack


@intrinsic
def call_of(typingctx, address, count, below, x):
    """f of the first `count` − 1 of seven numbers and of x, f: doubles to a double, at the address."""

    def generate(context, builder, signature, args):
        return _called(builder, *args, {(n, 1): n for n in range(1, op.MOST_ARGUMENTS + 1)})

    return float64(int64, int64, BELOW, float64), generate


@intrinsic
def call_vector_of(typingctx, address, key, below, x):
    """The same of a function that returns several doubles as a tuple; `key` is what CALL_VECTOR_OF says."""
    most = range(2, op.MOST_ANSWERS + 1)
    shapes = {(n, a): int(n + op.SEVERAL * a) for n in range(1, op.MOST_ARGUMENTS + 1) for a in most}

    def generate(context, builder, signature, args):
        return _called(builder, *args, shapes)

    return types.UniTuple(float64, op.MOST_ANSWERS)(int64, int64, BELOW, float64), generate


def _called(builder, address, key, below, x, shapes):
    """What the function at the address gives: of as many arguments and answers as the key stands for."""
    double = ir.DoubleType()
    several = max(answers for _, answers in shapes) > 1
    whole = ir.ArrayType(double, op.MOST_ANSWERS) if several else double
    values = cgutils.unpack_tuple(builder, below, op.MOST_ARGUMENTS - 1)
    out = cgutils.alloca_once_value(builder, cgutils.get_null_value(whole))
    after = builder.append_basic_block("after")
    switch = builder.switch(key, after)
    for (count, answers), case in shapes.items():
        block = builder.append_basic_block(f"of_{count}_{answers}")
        switch.add_case(ir.Constant(ir.IntType(64), case), block)
        builder.position_at_end(block)
        answer = ir.ArrayType(double, answers) if several else double
        pointer = builder.inttoptr(address, ir.FunctionType(answer, [double] * count).as_pointer())
        builder.store(builder.call(pointer, [*values[: count - 1], x]), builder.bitcast(out, answer.as_pointer()))
        builder.branch(after)
    builder.position_at_end(after)
    return builder.load(out)


@exact
def _seven(stack, at):
    """Seven numbers of the stack."""
    return stack[at], stack[at + 1], stack[at + 2], stack[at + 3], stack[at + 4], stack[at + 5], stack[at + 6]


@exact
def _several(address, key, stack, at, x):
    """Call a function that returns several numbers, onto the stack; returns the first."""
    answers = call_vector_of(address, key, _seven(stack, at), x)  # pyright: ignore[reportCallIssue]
    for k in range(int(key // int(op.SEVERAL))):
        stack[k] = answers[k]
    return answers[0]


@exact
def run(ops, operands, addresses, first, last, t, stack, signals, tables):
    """Value at time t of the program first … last-1; `stack` has room for `STACK_SIZE` + `MOST_ARGUMENTS` floats.

    The topmost value is x; below it stand stack[depth − 1] … stack[1]: a number that was just written to memory takes
    longer to come back than an instruction takes. `CALL_VECTOR_OF` ends its program and leaves all its values on the
    stack. One way out only: with an early return numba counts references to the arrays, which takes longer than a
    constant program does.
    """
    depth, x = 0, 0.0
    for k in range(first, last):
        code = ops[k]
        if code == op.CONSTANT:
            stack[depth], x = x, operands[k]
            depth += 1
        elif code == op.SIGNAL:
            stack[depth], x = x, signals[int(operands[k])]
            depth += 1
        elif code == op.ADD:
            depth -= 1
            x = stack[depth] + x
        elif code == op.SUBTRACT:
            depth -= 1
            x = stack[depth] - x
        elif code == op.MULTIPLY:
            depth -= 1
            x = stack[depth] * x
        elif code == op.PLUS:
            x += operands[k]
        elif code == op.TIMES:
            x *= operands[k]
        elif code == op.CALL_OF:
            depth -= int(operands[k]) - 1
            x = call_of(addresses[k], int(operands[k]), _seven(stack, depth), x)  # pyright: ignore[reportCallIssue]
        elif code == op.TIME:
            stack[depth], x = x, t
            depth += 1
        elif code == op.CALL:
            stack[depth], x = x, call(addresses[k], t)  # pyright: ignore[reportCallIssue]
            depth += 1
        elif code == op.CALL_VECTOR:
            three = call_vector(addresses[k], t)  # pyright: ignore[reportCallIssue]
            stack[depth], x = x, three[0] if operands[k] == 0.0 else three[1] if operands[k] == 1.0 else three[2]
            depth += 1
        elif code == op.SELECT:
            depth -= 2
            x = stack[depth + 1] if x != 0.0 else stack[depth]
        elif code == op.CALL_VECTOR_OF:
            depth -= int(operands[k]) % int(op.SEVERAL) - 1
            x = _several(addresses[k], int(operands[k]), stack, depth, x)
        elif code <= op.MAX:
            depth -= 1
            x = _of_two(code, stack[depth], x)
        elif code <= op.STEP:
            x = _of_one(code, x)
        else:
            x = look_up(tables, int(operands[k]), x, code - op.TABLE)
    return x


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
