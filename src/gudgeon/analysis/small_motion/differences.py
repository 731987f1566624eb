"""Derivatives from differences: central, extrapolated to step zero, at the step where that is most accurate.

(f(h) − f(−h))/2h = f' + a h² + b h⁴ + …; halving h and eliminating a, b, … in turn (Richardson) leaves ever smaller
errors until rounding takes over. Two entries of that table that differ least are the result, and how much they differ
is its error.   Ridders (1982), Adv. Eng. Softw. 4, 75-76.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

MOST_HALVINGS = 24
TERMS = 5  # eliminated at most
GOOD = 1e-11  # weighted error that is good enough
FAIR = 1e-7  # weighted error beyond which a growing error does not end the halving


def derivatives(
    functions: Callable[[np.ndarray], np.ndarray], steps: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """f'(0) of several vector functions (functions, entries) and the estimated errors; each has its own step.

    `weights` (functions, entries) make entries comparable.

    >>> value, error = derivatives(lambda h: np.array([[np.sin(h[0]), np.exp(h[0])]]), np.array([0.1]), np.ones((1, 2)))
    >>> bool(np.abs(value - 1.0).max() < 1e-11)
    True
    """
    before: list[np.ndarray] = []
    best, error = np.zeros_like(weights), np.full(weights.shape, np.inf)
    smallest, done = np.full(len(steps), np.inf), np.zeros(len(steps), dtype=bool)
    for _ in range(MOST_HALVINGS):
        row = [(functions(steps) - functions(-steps)) / (2.0 * steps[:, None])]
        for k, entry in enumerate(before[:TERMS]):
            row.append(row[k] + (row[k] - entry) / (4.0 ** (k + 1) - 1.0))
            differences = np.maximum(np.abs(row[k + 1] - row[k]), np.abs(row[k + 1] - entry))
            size = np.max(weights * differences, axis=1, initial=0.0)
            better = ~done & (size < smallest)
            best[better], error[better] = row[k + 1][better], differences[better]
            smallest[better] = size[better]
        if not before:
            best = row[0].copy()
        else:
            newest = np.max(weights * np.abs(row[-1] - before[-1]), axis=1, initial=0.0)
            done |= smallest <= GOOD
            if len(row) > 3:
                done |= (smallest <= FAIR) & (newest > 2.0 * smallest)
            if done.all():
                break
        before, steps = row, 0.5 * steps
    return best, error
