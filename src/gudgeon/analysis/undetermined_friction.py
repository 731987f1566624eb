"""Friction that depends on a reaction which redundant rows leave undetermined.

Where rows are redundant, multipliers ν with Jᵀ ν = 0 may be added to any others: nothing moves, reactions change. The
loads that press the surfaces of a joint are determined all the same where no such ν changes them, as in a plane linkage
the forces in its plane are. A random ν tells: ε (Ĵ Ĵᵀ + ε)⁻¹ of any vector, repeated, is its part in the null space.
"""

from __future__ import annotations

import numpy as np

from gudgeon.errors import ModelError
from gudgeon.mechanics.equations import Equations
from gudgeon.mechanics.least_squares import scaled_columns
from gudgeon.mechanics.typical_length import twist_units

SMALL = 1e-9  # square of a singular value of scaled rows that counts as none [-]
REPEATED = 4
CHANGED = 1e-5  # load of a joint per null vector of length one that is one [-]


def refuse_undetermined_friction(owner: str, equations: Equations, y: np.ndarray, time: float) -> None:
    """ModelError that names the joint whose friction depends on a reaction of which there are many.

    `equations` are those in absolute coordinates, y their assembled state.
    """
    if not equations.compliant.rubs:
        return
    from gudgeon.kernels.dynamics.joint_loads import friction_of_rows
    from gudgeon.kernels.dynamics.rows import rows_at

    rows_at(equations.model, equations.work, time, y)
    jacobian = scaled_columns(equations.jacobian(), twist_units(equations) / equations.joint_length)
    square = jacobian @ jacobian.T
    sizes = np.sqrt(square.diagonal())
    sizes[sizes == 0.0] = 1.0
    free = _null_vector(square, sizes)
    equations.work.multiplier[:] = 0.0
    equations.work.multiplier[equations.joint_rows] = free / sizes
    changes = np.zeros((len(equations.compliant.rubs), 11))
    friction_of_rows(equations.model, equations.work, changes)
    for rub, change in zip(equations.compliant.rubs, changes, strict=True):
        if change[6] + rub.thrust * change[7] > CHANGED * np.linalg.norm(free):
            raise ModelError(
                f"{owner}: {rub.label} has friction that depends on {_what(change, rub)}, and its reactions are not "
                "determined: rows of joints are redundant (gd.assemble tells which). Leave out the lengths for which "
                "the undetermined part matters (in a plane linkage length= and thrust_radius=), or hold one joint of "
                "the loop less: Spherical, Cylindrical or Universal instead of Revolute"
            )


def _what(change: np.ndarray, rub) -> str:
    """The part of the load that a null vector changes most."""
    if rub.coupling:
        return "the effort of its thread"
    length = rub.length or np.inf
    parts = {
        "the force across its axis": np.hypot(change[0], change[1]),
        "the moment across its axis": np.hypot(change[3], change[4]) / length,
        "the thrust along its axis": rub.thrust * abs(change[2]),
        "the moment about its axis": 2.0 * abs(change[5]) / (rub.width or np.inf),
    }
    return max(parts, key=lambda name: parts[name])


def _null_vector(square, sizes: np.ndarray) -> np.ndarray:
    """The part of a random vector in the null space of Ĵ Ĵᵀ, whose rows are scaled to length one."""
    from scipy.sparse import csc_array, diags_array, eye_array
    from scipy.sparse.linalg import splu

    scale = diags_array(1.0 / sizes)
    matrix = csc_array(scale @ csc_array(square) @ scale) + SMALL * eye_array(len(sizes), format="csc")
    factors = splu(matrix)
    x = np.random.default_rng(0).normal(size=len(sizes))
    x /= np.linalg.norm(x)
    for _ in range(REPEATED):
        x = SMALL * factors.solve(x)
    return x
