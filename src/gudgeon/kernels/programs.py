"""A function of time of the model, evaluated by the expression machine."""

from __future__ import annotations

from gudgeon.kernels.compiled import compiled
from gudgeon.kernels.postfix import run


@compiled
def function(m, w, k, t):
    """Program k at time t."""
    return run(
        m.program_ops,
        m.program_operands,
        m.program_addresses,
        m.program_starts[k],
        m.program_starts[k + 1],
        t,
        w.stack,
    )
