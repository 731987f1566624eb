"""Many cycles at once: dw/dn = g(w), with g the wear of a cycle, integrated with error control.

Wear is stiff: where a surface is worn the pressure falls at once, over far fewer cycles than the surface lives. With
J, what is known of ∂g/∂w, the linearly implicit method of two stages (Verwer, Spee, Blom, Hundsdorfer (1999), A
second-order Rosenbrock method applied to photochemical dispersion problems, SIAM J. Sci. Comput. 20, 1456-1480)

    (1 − γ H J) k₁ = g(w, n) + γ H ∂g/∂n,   (1 − γ H J) k₂ = g(w + H k₁, n + H) − 2 k₁ − γ H ∂g/∂n
    w ← w + H (3 k₁ + k₂)/2,   γ = 1 − 1/√2

is of order two whatever J is, and stable for steps of any length as far as J is right. The linearly implicit Euler step
w + H k₁ is of order one: their difference is the error of a step.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

import numpy as np
from scipy.linalg import lu_factor, lu_solve

from gudgeon.errors import SimulationError
from gudgeon.mechanics.blas import one_blas_thread

GAMMA = 1.0 - 1.0 / sqrt(2.0)
SAFETY, LEAST, MOST = 0.85, 0.2, 4.0  # of the next step against this one
SHORTEST = 1e-9  # step, of the whole, below which something is wrong

Rates = Callable[[np.ndarray, float], np.ndarray]  # g, of depths and how much of the length is done
Changes = Callable[[np.ndarray, float], np.ndarray]  # J
Drifts = Callable[[np.ndarray], np.ndarray]  # how g changes over the whole length, of depths


@one_blas_thread()
def flow(
    rate: Rates,
    change: Changes,
    start: np.ndarray,
    length: float,
    allowed: float,
    first: float | None = None,
    areas: np.ndarray | None = None,
    drift: Drifts | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Depths after `length` cycles, each step within `allowed` [m], and ∫ areas·g dn, the volumes rubbed away.

    `first` is the first step to try; `areas` (surfaces, coefficients) [m²].
    """
    w, done, step = start.copy(), 0.0, length if first is None else min(first, length)
    weights = np.zeros((0, len(w))) if areas is None else areas
    rubbed = np.zeros(len(weights))
    while done < length * (1.0 - 1e-12):
        step = min(step, length - done)
        g, J = rate(w, done / length), change(w, done / length)
        ahead = GAMMA / length * drift(w) if drift is not None else np.zeros(len(w))
        while True:
            solve = implicit(GAMMA * step * J)
            k1 = solve(g + step * ahead)
            second = rate(np.maximum(w + step * k1, w), (done + step) / length)
            k2 = solve(second - 2.0 * k1 - step * ahead)
            error = 0.5 * step * float(np.abs(k1 + k2).max()) / allowed
            if not np.isfinite(error):
                raise SimulationError("the wear under its loads is no number; give a smaller jump= or tolerance=")
            if error <= 1.0 or step < SHORTEST * length:
                break
            step *= next_factor(error)
        w, done = w + np.maximum(step * (1.5 * k1 + 0.5 * k2), 0.0), done + step
        rubbed += 0.5 * step * (weights @ (g + second))
        step *= next_factor(error)
    return w, rubbed


def implicit(change: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """What solves (1 − change) x = b; most rows of `change`, of what does not touch, are empty."""
    (own,) = np.nonzero(np.any(change != 0.0, axis=1))
    factors = lu_factor(np.eye(len(own)) - change[np.ix_(own, own)], check_finite=False)
    (other,) = np.nonzero(~np.any(change != 0.0, axis=1))

    def solve(b: np.ndarray) -> np.ndarray:
        x = b.copy()
        x[own] = lu_solve(factors, b[own] + change[np.ix_(own, other)] @ b[other], check_finite=False)
        return x

    return solve


def next_factor(error: float) -> float:
    """By how much the next step is longer, for the error allowed, if errors go with its square."""
    return min(MOST, max(LEAST, SAFETY / sqrt(error))) if error > 0.0 else MOST
