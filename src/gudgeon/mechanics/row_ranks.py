"""Which constraint rows others imply, now and when switches have turned; by pivoted QR of the scaled rows."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from gudgeon.kernels.dynamics import arrays
from gudgeon.mechanics.equations import Equations
from gudgeon.mechanics.lapack import lapack
from gudgeon.mechanics.least_squares import dense, scaled_columns

MOST_SWITCHES = 8  # whose states are all tried; beyond, all rows are taken to hold at once
TOLERANCE = 1e-8  # rows shorter than this against what other rows span are redundant [-]


def scaled_rows(equations: Equations) -> Any:
    """The Jacobian of the rows last evaluated, weighted by masses."""
    bodies = equations.system.bodies.values()
    mass = [(b.mass, (b.inertia[0][0] + b.inertia[1][1] + b.inertia[2][2]) / 3.0) for b in bodies]
    return scaled_columns(equations.jacobian(), np.repeat(1.0 / np.sqrt(mass), 3))


def dependent_rows(scaled: np.ndarray, tolerance: float = TOLERANCE) -> np.ndarray:
    """The places of rows that others imply, ascending."""
    if not len(scaled):
        return np.zeros(0, dtype=np.int64)
    scaled = scaled / np.sqrt((scaled * scaled).sum(axis=1, keepdims=True))
    factors, order, *_ = lapack().dgeqp3(scaled.T, overwrite_a=True)  # what qr calls after looking at everything
    rank = int(np.count_nonzero(np.abs(factors.diagonal()) > tolerance))
    return np.sort(order[rank:] - 1)


def released_rows(equations: Equations, y: np.ndarray) -> np.ndarray:
    """The rows that do not hold in the state y."""
    model = equations.model
    if not len(model.switched):
        return np.zeros(0, dtype=np.int64)
    lines = model.block[model.block[:, arrays.SWITCHED_BY] >= 0]
    own = y[equations.layout.controls]
    holds = own[model.switched[lines[:, arrays.SWITCHED_BY], arrays.SWITCHED_STATE]] > 0.0
    return lines[~holds, arrays.ROW]


def redundant_after_switches(equations: Equations, y: np.ndarray, time: float) -> int:
    """The most rows that others imply, in the position of y, whichever switches are on."""
    from gudgeon.kernels.dynamics.rows import rows_at

    model, names = equations.model, equations.controls.switch_names
    if not len(model.switched):
        return 0
    all_hold = y.copy()
    all_hold[equations.layout.controls][model.switched[:, arrays.SWITCHED_STATE]] = 1.0
    rows_at(model, equations.work, time, all_hold)
    scaled = dense(scaled_rows(equations))
    rows_of: list[list[int]] = [[] for _ in model.switched]
    for line in model.block[model.block[:, arrays.SWITCHED_BY] >= 0]:
        rows_of[line[arrays.SWITCHED_BY]].append(int(line[arrays.ROW]))
    worst = 0
    for states in product((False, True), repeat=len(names)) if len(names) <= MOST_SWITCHES else [None]:
        released = [
            row
            for k, line in enumerate(model.switched)
            for row in rows_of[k]
            if states is not None
            and not (
                (line[arrays.SWITCHED_SINCE] < 0 or states[line[arrays.SWITCHED_SINCE]])
                and (line[arrays.SWITCHED_UNTIL] < 0 or not states[line[arrays.SWITCHED_UNTIL]])
            )
        ]
        holding = ~np.isin(equations.joint_rows, released)
        worst = max(worst, len(dependent_rows(scaled[holding])))
    return worst
