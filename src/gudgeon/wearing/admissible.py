"""Which motions of a pin in its bore, or of one body against another, the rest of a mechanism leaves possible.

Loads balance along these alone: what other joints hold does not give way when a surface is worn. With the constraint
rows Φ_q, the rates C of the joint's relative motion and N, Φ_q N = 0, they are the columns of C N.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.linalg import null_space

from gudgeon.mechanics.equations import equations_of_motion
from gudgeon.mechanics.least_squares import dense
from gudgeon.mechanics.relative_rates import relative_rates

if TYPE_CHECKING:
    from gudgeon.results.result import Result

HELD = 1e-6  # part of a unit of motion that counts as none


def admissible(result: Result, name: str, length: float) -> np.ndarray:
    """(6, count) displacements along and turns about the joint's axes that are possible at the start of a run.

    Columns are orthonormal where turns are multiplied with `length` [m].
    """
    from gudgeon.kernels.dynamics.rows import rows_at

    assert result.system is not None and result.assembly is not None
    equations = equations_of_motion(result.system)
    rows_at(equations.model, equations.work, 0.0, result.assembly.state)
    rows = dense(equations.jacobian())
    rates = relative_rates(equations, list(equations.compliant.names).index(name))
    scale = np.array([1.0] * 3 + [length] * 3)
    possible = scale[:, None] * rates @ (null_space(rows) if len(rows) else np.eye(rows.shape[1]))
    ways, sizes, _ = np.linalg.svd(possible, full_matrices=False)
    kept = ways[:, sizes > HELD * max(1.0, float(sizes.max(initial=0.0)))]
    return kept / scale[:, None]
