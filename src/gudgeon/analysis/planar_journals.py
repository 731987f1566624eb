"""Journals that are told to stay in a plane: whether the other joints keep them there."""

from __future__ import annotations

import numpy as np

from gudgeon.errors import ModelError
from gudgeon.mechanics.equations import Equations
from gudgeon.mechanics.least_squares import dense
from gudgeon.mechanics.relative_rates import relative_rates
from gudgeon.models.journal import Journal

OUT_OF_PLANE = slice(2, 5)  # of displacements x, y, z and turns x, y, z: along the axis, and the tilts
FREE = 1e-6  # part of a unit of motion out of the plane that counts as free


def refuse_unless_planar(equations: Equations, y: np.ndarray, time: float) -> None:
    """ModelError where a pin could move along its axis, or tilt: `planar` would not feel it.

    A motion out of the plane is impossible where its rate is a combination of the constraint rows.
    """
    from gudgeon.kernels.dynamics.rows import rows_at

    names, joints = equations.compliant.names, equations.system.joints
    planar = {}
    for k, name in enumerate(names):
        model = joints[name].model
        if isinstance(model, Journal) and model.planar:
            planar.setdefault(name, k)
    if not planar:
        return
    rows_at(equations.model, equations.work, time, y)
    rows = dense(equations.jacobian())
    for name, k in planar.items():
        wanted = relative_rates(equations, k)[OUT_OF_PLANE]
        held = np.linalg.lstsq(rows.T, wanted.T, rcond=1e-12)[0] if len(rows) else np.zeros((0, 3))
        missing = np.abs(wanted - held.T @ rows).max(axis=1)
        if missing.max() > FREE:
            what = "move along its axis" if missing[0] > FREE else "tilt"
            joint = joints[name]
            raise ModelError(
                f"{joint.label(name)}: its journal is planar, but no other joint keeps {joint.child!r} in the plane of "
                f"{joint.parent!r}: it can {what}; leave out planar=True, or hold the two by other joints"
            )
