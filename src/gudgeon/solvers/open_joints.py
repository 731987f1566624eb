"""Ideal joints that a run has left open, seen beside the clearances of its real ones."""

from __future__ import annotations

import math
import warnings

import numpy as np

from gudgeon.kernels.dynamics.arrays import CLEARANCE, COUPLED, KIND, POINTS, RESIDUAL, ROW, STOP
from gudgeon.mechanics.equations import Equations
from gudgeon.models.slider import Slider
from gudgeon.solvers.base import Trajectory

OPEN = 1e-3  # residual of an ideal joint that distorts a real one, of its clearance
MOST_LOOKS = 200  # samples looked at


def smallest_clearance(equations: Equations) -> tuple[str, float]:
    """The real joint with the smallest clearance, and that [m]; infinity where there is none."""
    if not equations.compliant.names and equations.points is None:
        return "", math.inf
    table, vector = equations.model.compliant, equations.model.compliant_vector
    found = [
        (name, float(vector[k, CLEARANCE]))
        for k, name in enumerate(equations.compliant.names)
        if table[k, KIND] not in (STOP, COUPLED)
    ]
    if equations.points is not None:
        joints = equations.system.joints.items()
        found += [(name, joint.model.play) for name, joint in joints if isinstance(joint.model, Slider)]
    return min(found, key=lambda each: each[1], default=("", math.inf))


def warn_of_open_joints(equations: Equations, trajectory: Trajectory) -> None:
    """Warn if points that an ideal joint holds together were apart by more than a thousandth of the smallest clearance.

    At the samples; angles of ideal joints and drives, which have no length to compare, are not looked at.
    """
    from gudgeon.kernels.dynamics.rows import rows_at

    name, clearance = smallest_clearance(equations)
    if clearance == math.inf:
        return
    rows = [line[ROW] + c for line in equations.model.block if line[KIND] == POINTS for c in range(3)]
    if not rows:
        return
    if trajectory.stats["solver"] == "TimeStepping":  # it projects every step; samples between them are interpolated
        return
    worst, owner, when = 0.0, "", 0.0
    for s in range(0, len(trajectory.times), 1 + len(trajectory.times) // MOST_LOOKS):
        rows_at(equations.model, equations.work, trajectory.times[s], trajectory.states[s])
        residual = np.abs(equations.work.row[rows, RESIDUAL])
        if residual.max() > worst:
            owner = equations.row_owner[rows[int(np.argmax(residual))]]
            worst, when = float(residual.max()), float(trajectory.times[s])
    if worst > OPEN * clearance:
        joint = equations.system.joints[name]
        warnings.warn(
            f"System {equations.system.name!r}: the ideal joint {owner!r} is open by {worst:.2g} m at t = "
            f"{when:.6g} s, {worst / clearance:.1%} of the clearance of {joint.label(name)} ({clearance:.3g} m), whose "
            "motion it distorts; use stabilization=gd.Projection(), or a smaller rtol and atol",
            stacklevel=3,
        )
