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


def derivative(
    function: Callable[[float], np.ndarray], step: float, weight: np.ndarray | float = 1.0
) -> tuple[np.ndarray, np.ndarray]:
    """f'(0) of a vector function and its estimated error; `weight` makes entries comparable.

    >>> value, error = derivative(lambda h: np.array([np.sin(h), np.exp(h)]), 0.1)
    >>> bool(np.abs(value - 1.0).max() < 1e-11)
    True
    """
    before: list[np.ndarray] = []
    best, error, smallest = np.zeros(0), np.zeros(0), np.inf  # until two entries agree at all
    for _ in range(MOST_HALVINGS):
        row = [(function(step) - function(-step)) / (2.0 * step)]
        for k, entry in enumerate(before[:TERMS]):
            row.append(row[k] + (row[k] - entry) / (4.0 ** (k + 1) - 1.0))
            differences = np.maximum(np.abs(row[k + 1] - row[k]), np.abs(row[k + 1] - entry))
            size = float(np.max(weight * differences, initial=0.0))
            if size < smallest:
                best, error, smallest = row[k + 1], differences, size
        if not before:
            best, error = row[0], np.full(row[0].shape, np.inf)
        else:
            newest = float(np.max(weight * np.abs(row[-1] - before[-1]), initial=0.0))
            if smallest <= GOOD or (smallest <= FAIR and newest > 2.0 * smallest and len(row) > 3):
                break
        before, step = row, 0.5 * step
    return best, error
