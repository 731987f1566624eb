"""Expressions (expressions.py) as programs of the stack machine in `kernels/functions/stack_machine.py`."""

from __future__ import annotations

from gudgeon.errors import ModelError
from gudgeon.functions.expressions import Expression
from gudgeon.kernels.functions import opcodes

MAX_INSTRUCTIONS = 20_000
_OF_CONSTANTS = {opcodes.ADD: opcodes.PLUS, opcodes.SUBTRACT: opcodes.PLUS, opcodes.MULTIPLY: opcodes.TIMES}
_FORWARD_BACKWARD = {
    "add": (opcodes.ADD, opcodes.SUBTRACT),
    "mul": (opcodes.MULTIPLY, opcodes.DIVIDE),
}


def postfix(expression: Expression) -> list[tuple[int, float]]:
    """The program of an expression: (opcode, operand) …"""
    program, depth = _program(expression)
    if depth > opcodes.STACK_SIZE:
        raise ModelError(
            f"expression is too deeply nested: it needs {depth} intermediate results at once, "
            f"at most {opcodes.STACK_SIZE} are possible; use fewer brackets within brackets"
        )
    return _with_constants(program)


def _with_constants(program: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """The same, but a constant and the sum, difference or product that takes it are one instruction."""
    shorter: list[tuple[int, float]] = []
    for op, operand in program:
        taken = shorter[-1][1] if shorter and shorter[-1][0] == opcodes.CONSTANT and op in _OF_CONSTANTS else None
        if taken is None:
            shorter.append((op, operand))
        else:
            shorter[-1] = (_OF_CONSTANTS[op], -taken if op == opcodes.SUBTRACT else taken)
    return shorter


def _program(expression: Expression) -> tuple[list[tuple[int, float]], int]:
    """The program of an expression and the greatest number of values on the stack while it runs."""
    op, *arguments = expression
    if op == "number":
        return [(opcodes.CONSTANT, arguments[0])], 1
    if op == "t":
        return [(opcodes.TIME, 0.0)], 1
    if op == "slot":
        return [(opcodes.SIGNAL, float(arguments[0]))], 1
    if op in ("add", "mul"):
        program, depth = _chain_program(op, arguments)
    elif op == "if":  # the test comes last: a long "… else … if … else …" then needs no more stack than a short one
        (comparison, a, b), then, otherwise = arguments
        last = [(opcodes.BY_NAME[comparison], 0.0), (opcodes.SELECT, 0.0)]
        program, depth = _in_order([otherwise, then, a, b], last)
    else:
        program, depth = _in_order(arguments, [(opcodes.BY_NAME[op], 0.0)])
    if len(program) > MAX_INSTRUCTIONS:
        raise ModelError(f"expression is too long: its program has more than {MAX_INSTRUCTIONS} instructions")
    return program, depth


def _in_order(arguments: list[Expression], last: list[tuple[int, float]]) -> tuple[list[tuple[int, float]], int]:
    """All arguments pushed one after the other, then `last`."""
    parts = [_program(argument) for argument in arguments]
    program = [instruction for part, _ in parts for instruction in part]
    return program + last, max(k + depth for k, (_, depth) in enumerate(parts))


def _chain_program(op: str, arguments: list[Expression]) -> tuple[list[tuple[int, float]], int]:
    """A sum or product from left to right, but of a + b and a b the deeper argument first, and no constant."""
    marker = "neg" if op == "add" else "inv"
    forward, backward = _FORWARD_BACKWARD[op]
    parts = []
    for argument in arguments:
        marked = argument[0] == marker
        parts.append((*_program(argument[1] if marked else argument), marked))
    exact = op == "add" or not (parts[0][2] or parts[1][2])  # (1/a) b is not rounded as b/a is
    if exact and (parts[1][1] > parts[0][1] or arguments[0][0] == "number"):
        parts[:2] = parts[1], parts[0]
    program, depth, marked = parts[0]
    if marked:
        program = [*program, (opcodes.BY_NAME[marker], 0.0)]
    for part, part_depth, marked in parts[1:]:
        program = [*program, *part, (backward if marked else forward, 0.0)]
        depth = max(depth, 1 + part_depth)
    return program, depth
