"""Rows of the constraints that others imply, in a position."""

from __future__ import annotations

import numpy as np

from gudgeon.kernels.dynamics.arrays import PIVOT
from gudgeon.mechanics.equations import Equations
from gudgeon.mechanics.least_squares import dense
from gudgeon.mechanics.row_ranks import dependent_rows, released_rows, scaled_rows

LARGEST_RANK_CHECK = 400  # rows up to which the rank is found by a dense factorisation
SMALL_EIGENVALUE = 1e-8  # of S against its diagonal, in very large systems
RANK_TOLERANCE = 1e-8  # rows shorter than this against what other rows span are redundant [-]


def redundant_rows_of(equations: Equations, y: np.ndarray, time: float) -> tuple[int, list[str]]:
    """How many rows others imply in the position y, and who owns those."""
    from gudgeon.kernels.dynamics.rows import rows_at

    if not len(equations.joint_rows):
        return 0, []
    rows_at(equations.model, equations.work, time, y)
    scaled = scaled_rows(equations)
    if not isinstance(scaled, np.ndarray) and scaled.shape[0] > LARGEST_RANK_CHECK:
        return _by_elimination(equations, y, time)
    scaled = dense(scaled)
    rows, released = equations.joint_rows, released_rows(equations, y)
    if len(released):
        holding = ~np.isin(rows, released)
        rows, scaled = rows[holding], scaled[holding]
    redundant = rows[dependent_rows(scaled, RANK_TOLERANCE)]
    return len(redundant), [equations.row_owner[r] for r in redundant]


def _by_elimination(equations: Equations, y: np.ndarray, time: float) -> tuple[int, list[str]]:
    """The same for very large systems: S − τ diag(S) has as many negative pivots as S has eigenvalues below τ."""
    from gudgeon.kernels.dynamics.motion import prepare_rows

    prepare_rows(equations.with_regularization(-SMALL_EIGENVALUE).model, equations.work, time, y)
    negative = np.flatnonzero(equations.work.row[:, PIVOT] < 0.0)
    return len(negative), [equations.row_owner[r] for r in negative if equations.row_owner[r]]
