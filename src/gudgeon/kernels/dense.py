"""Dense output: the polynomial of the last step in the nested form x (d₀ + z (d₁ + x (d₂ + z (d₃ + …)))), z = 1 − x.

Its basis x, xz, x²z, x²z², … spans all polynomials that vanish at 0, whatever their degree, so that every method
states its interpolant in the same way.
"""

from __future__ import annotations

from gudgeon.kernels.compiled import inlined


@inlined
def evaluate_dense(y, dense, x, out):
    """The state at the fraction x of the step that started from y."""
    z = 1.0 - x
    terms = dense.shape[0]
    for i in range(y.shape[0]):
        v = 0.0
        for k in range(terms - 1, -1, -1):
            v = (x if k % 2 == 0 else z) * (dense[k, i] + v)
        out[i] = y[i] + v
