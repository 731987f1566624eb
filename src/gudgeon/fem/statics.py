"""Equilibrium K u = f with held displacements, solved by sparse elimination.

With f = free and h = held unknowns: K_ff u_f = f_f − K_fh u_h. A mesh in one piece has exactly three motions without
strain, so the solution is unique once the supports stop all three.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.errors import ModelError

if TYPE_CHECKING:
    from gudgeon.fem.model import PlaneModel


def static(model: PlaneModel, forces: Any, displacement: Any) -> np.ndarray:
    """Displacements (node_count, 2) [m]."""
    from scipy.sparse.linalg import splu

    owner = "PlaneModel.static"
    f = model.flat(owner, "forces", forces)
    prescribed = model.flat(owner, "displacement", displacement)
    missing = model.rigid_freedom
    if missing:
        raise ModelError(
            f"{owner}: the supports leave {missing} of 3 rigid motions free{_example(model)}; "
            "hold more displacements with fixed={node: 'xy', …}"
        )
    u = np.zeros(model.unknown_count)
    u[model.held] = prescribed[model.held]
    if len(model.free):
        rhs = (f - model.K @ u)[model.free]
        stiffness = model.K[model.free][:, model.free].tocsc()
        options = {"SymmetricMode": True}
        u[model.free] = splu(stiffness, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options).solve(rhs)
    return u.reshape(-1, 2)


def reactions(model: PlaneModel, displacement: Any, forces: Any) -> np.ndarray:
    """K u − f at the held unknowns (node_count, 2) [N]."""
    owner = "PlaneModel.reactions"
    rest = model.K @ model.flat(owner, "displacement", displacement) - model.flat(owner, "forces", forces)
    out = np.zeros(model.unknown_count)
    out[model.held] = rest[model.held]
    return out.reshape(-1, 2)


def _example(model: PlaneModel) -> str:
    """One of the motions that nothing stops."""
    rows = model.rigid_motions[model.held]
    for column, name in ((0, "along x"), (1, "along y")):
        if not rows[:, column].any():
            return f", e.g. the one {name}"
    return ", e.g. a turn"
