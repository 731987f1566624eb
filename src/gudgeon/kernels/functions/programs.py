"""A function of time and signals of the model, evaluated by the expression machine."""

from __future__ import annotations

from numba import float64, int64

from gudgeon.kernels.build.compiled import entrance
from gudgeon.kernels.dynamics.arrays import MODEL, WORK
from gudgeon.kernels.functions.opcodes import CONSTANT
from gudgeon.kernels.functions.postfix import run


@entrance(float64(MODEL, WORK, int64, float64))
def function(m, w, k, t):
    """Program k at time t, and of the signals held in `w`."""
    first, last = m.program_starts[k], m.program_starts[k + 1]
    value = m.program_operands[first]
    if last > first + 1 or m.program_ops[first] != CONSTANT:
        value = run(m.program_ops, m.program_operands, m.program_addresses, first, last, t, w.stack, w.signal, m.table)
    return value
