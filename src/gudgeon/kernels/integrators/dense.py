"""Dense output: the polynomial of the last step in the nested form x (d₀ + z (d₁ + x (d₂ + z (d₃ + …)))), z = 1 − x.

Its basis x, xz, x²z, x²z², … spans all polynomials that vanish at 0, whatever their degree, so that every method
states its interpolant in the same way.
"""

from __future__ import annotations

from gudgeon.kernels.build.compiled import inlined


@inlined
def evaluate_dense(y, dense, x, out):
    """The state at the fraction x of the step that started from y."""
    n, terms = y.shape[0], dense.shape[0]
    for i in range(n):
        out[i] = 0.0
    for k in range(terms - 1, -1, -1):
        factor = x if k % 2 == 0 else 1.0 - x
        for i in range(n):
            out[i] = factor * (dense[k, i] + out[i])
    for i in range(n):
        out[i] += y[i]


@inlined
def steepest(k):
    """The largest slope of basis function k, x, xz, x²z, x²z², … between 0 and 1, rounded up."""
    return 1.0 if k < 3 else 0.2


@inlined
def bound_slopes(dense, h, first, out):
    """Bounds on the rates of the components from `first` on during a step of length h, by its polynomial."""
    for i in range(first, dense.shape[1]):
        total = 0.0
        for k in range(dense.shape[0]):
            total += steepest(k) * abs(dense[k, i])
        out[i] = total / h
