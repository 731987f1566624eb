"""A function of time and signals of the model, evaluated by the expression machine."""

from __future__ import annotations

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.functions.opcodes import CONSTANT
from gudgeon.kernels.functions.stack_machine import run


@called
def result_of(m, w, first, last, t):
    """What a program gives; two addresses and three numbers are handed over, not six arrays."""
    return run(m.program_ops, m.program_operands, m.program_addresses, first, last, t, w.stack, w.signal, m.table)


@inlined
def function(m, w, k, t):
    """Program k at time t, and of the signals held in `w`."""
    first, last = m.program_starts[k], m.program_starts[k + 1]
    value = m.program_operands[first]
    if last > first + 1 or m.program_ops[first] != CONSTANT:
        value = result_of(m, w, first, last, t)
    return value
