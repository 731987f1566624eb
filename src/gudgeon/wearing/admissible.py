"""Which motions of a pin in its bore, or of one body against another, the rest of a mechanism leaves possible.

Loads balance along these alone: what other joints hold does not give way when a surface is worn. With the constraint
rows Φ_q, the rates C of the joint's relative motion and N, Φ_q N = 0, they are the columns of C N.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.linalg import null_space

from gudgeon.kernels.dynamics.arrays import IN_BALL, IN_SOCKET, ROTATION, SOCKET, SOCKET_AXES
from gudgeon.mechanics.equations import Equations, equations_of_motion
from gudgeon.rotations import skew

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
    jacobian = equations.jacobian()
    rows = jacobian if isinstance(jacobian, np.ndarray) else jacobian.toarray()
    k = list(equations.compliant.names).index(name)
    rates = _relative_rates(equations, k)
    scale = np.array([1.0] * 3 + [length] * 3)
    possible = scale[:, None] * rates @ (null_space(rows) if len(rows) else np.eye(rows.shape[1]))
    ways, sizes, _ = np.linalg.svd(possible, full_matrices=False)
    kept = ways[:, sizes > HELD * max(1.0, float(sizes.max(initial=0.0)))]
    return kept / scale[:, None]


def _relative_rates(equations: Equations, k: int) -> np.ndarray:
    """(6, 6 bodies) rates of displacement and turn of the ball of line k against its socket, joint's axes."""
    model, body = equations.model, equations.work.body
    out = np.zeros((6, 6 * len(equations.system.bodies)))
    socket = model.compliant[k, SOCKET]
    axes = model.compliant_vector[k, SOCKET_AXES : SOCKET_AXES + 9].reshape(3, 3)
    if not np.any(axes):  # of surfaces: the socket's own
        axes = np.eye(3)
    frame = np.array([body[socket, ROTATION : ROTATION + 9].reshape(3, 3) @ axis for axis in axes])
    for side, sign in ((0, -1.0), (1, 1.0)):
        b = model.compliant[k, SOCKET + side]
        if b:
            turn = body[b, ROTATION : ROTATION + 9].reshape(3, 3)
            arm = turn @ model.compliant_vector[k, (IN_SOCKET, IN_BALL)[side] :][:3]
            at = 6 * (b - 1)
            out[:3, at : at + 3], out[:3, at + 3 : at + 6] = sign * frame, -sign * (frame @ skew(arm))
            out[3:, at + 3 : at + 6] = sign * frame
    return out
