"""Mass, damping and stiffness of the small motion about a state, by differences on the constraint manifold.

The force that the undisturbed accelerations leave unbalanced, ρ(z, ż) of `Chart.missing_force`, is −K z − C ż to first
order. K holds the stiffness of springs and joints, that of the reactions (constraint curvature), and the inertia
forces of a moving state; C holds damping and gyroscopic terms. Differences are taken along approximate modes: a soft
one then allows a step that stiff joints, which it hardly moves, would not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from gudgeon.analysis.small_motion.chart import Chart
from gudgeon.analysis.small_motion.contacts import Steps
from gudgeon.analysis.small_motion.differences import derivative

SYMMETRIC_WITHIN = 1e-6  # asymmetry of a stiffness that is error only, of the modes' own stiffness [-]
SOFTEST = 1e-14  # stiffness that is rounding, of the stiffest mode's [-]
NEGLIGIBLE = 1e-10  # stiffness whose relative error does not matter, of the stiffest mode's [-]
TIMES_ERROR = 4.0  # an entry is nothing if it is smaller than so many times its error


class Stiffness(NamedTuple):
    """K in mass-orthonormal coordinates x along approximate modes, z = V x."""

    matrix: np.ndarray  # [1/s²]
    error: np.ndarray  # estimated, of its entries
    directions: np.ndarray  # V, with Vᵀ M V = 1
    size: np.ndarray  # √|K_kk| of each direction, not quite zero where that is [1/s]


class Matrices(NamedTuple):
    """K and C in mass-orthonormal coordinates x, δz = V x."""

    stiffness: np.ndarray  # [1/s²]
    damping: np.ndarray  # [1/s]
    directions: np.ndarray  # V
    accuracy: float  # estimated relative error of the worst entry
    worst: int  # coordinate it belongs to, roughly


def stiffness_along_modes(force: Callable[[np.ndarray], np.ndarray], chart: Chart, steps: Steps) -> Stiffness:
    """K = −∂force/∂z, first roughly, then along the modes of that."""
    first = np.linalg.inv(np.linalg.cholesky(chart.mass)).T
    rough = np.empty_like(first)
    for k, direction in enumerate(first.T):
        step = 0.1 * steps.displacement(chart.basis @ direction)
        rough[:, k] = first.T @ (force(-step * direction) - force(step * direction)) / (2.0 * step)
    rough = np.nan_to_num(rough)  # a law may end within these steps; smaller ones follow
    values, turned = np.linalg.eigh(0.5 * (rough + rough.T))
    directions = first @ turned
    size = _at_least(np.sqrt(np.abs(values)), chart.typical_rate)
    matrix, error = np.empty_like(first), np.empty_like(first)
    for k, direction in enumerate(directions.T):
        matrix[:, k], error[:, k] = derivative(
            lambda h, direction=direction: -directions.T @ force(h * direction),
            steps.displacement(chart.basis @ direction),
            1.0 / (size * size[k]),
        )
    matrix, error = np.nan_to_num(matrix), np.where(np.isfinite(matrix), error, np.inf)
    _, turned = np.linalg.eigh(0.5 * (matrix + matrix.T))  # closer to the modes
    matrix = turned.T @ matrix @ turned
    error = np.abs(turned.T) @ error @ np.abs(turned)
    largest = max(size.max(), chart.typical_rate)
    matrix[np.abs(matrix) <= TIMES_ERROR * error + SOFTEST * largest**2] = 0.0
    size = _at_least(np.sqrt(np.abs(np.diag(matrix))), chart.typical_rate)
    if np.all(np.abs(matrix - matrix.T) <= SYMMETRIC_WITHIN * np.outer(size, size)):
        matrix = 0.5 * (matrix + matrix.T)
    return Stiffness(matrix, error, directions @ turned, size)


def _at_least(size: np.ndarray, typical: float) -> np.ndarray:
    """Rates, none smaller than a small part of the largest."""
    return np.maximum(size, 1e-6 * max(size.max(), typical, 1e-6))


def small_motion(chart: Chart, steps: Steps) -> Matrices:
    """The matrices of the small motion about the state of a chart."""
    nothing = np.zeros(chart.coordinates.count)
    stiffness, error, directions, size = stiffness_along_modes(lambda z: chart.missing_force(z, nothing), chart, steps)
    damping, damping_error = np.empty_like(stiffness), np.empty_like(stiffness)
    for k, direction in enumerate(directions.T):
        damping[:, k], damping_error[:, k] = derivative(
            lambda h, direction=direction: -directions.T @ chart.missing_force(nothing, h * direction),
            steps.velocity(chart.basis @ direction),
            1.0 / np.sqrt(size * size[k]),
        )
    damping, damping_error = np.nan_to_num(damping), np.where(np.isfinite(damping), damping_error, np.inf)
    stiffest = max(size.max(), chart.typical_rate)
    largest = max(np.abs(damping).max(), stiffest)
    damping[np.abs(damping) <= TIMES_ERROR * damping_error + SOFTEST * largest] = 0.0
    pairs = np.maximum(np.outer(size, size), NEGLIGIBLE * stiffest**2)
    relative = np.maximum(
        error / np.where(stiffness != 0.0, np.maximum(pairs, np.abs(stiffness)), stiffest**2),
        damping_error / np.where(damping != 0.0, np.maximum(np.sqrt(pairs), np.abs(damping)), largest),
    )
    worst = int(np.argmax(relative.max(axis=0)))
    coordinate = int(np.argmax(np.abs(directions[:, worst]) * np.sqrt(np.diag(chart.mass))))
    return Matrices(stiffness, damping, directions, float(relative.max()), coordinate)
