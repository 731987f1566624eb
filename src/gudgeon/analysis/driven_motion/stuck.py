"""Why a driven mechanism cannot be followed further: it locks, drives contradict each other, or a drive jumps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gudgeon.analysis.driven_motion.path import Path, Stuck
from gudgeon.analysis.driven_motion.singularities import LOCKING, owners_of
from gudgeon.mechanics.closing import row_label

JUMP = 1e-6  # jump of a drive's value that ends a path [m or rad]


@dataclass(frozen=True)
class Reason:
    """When and why, and the joint or drive to blame."""

    time: float  # [s]
    owner: str
    text: str
    locked: bool = False


def why_stuck(path: Path, stuck: Stuck) -> Reason:
    """The reason, from what is found at the last instant and just beyond."""
    mechanism, last = path.mechanism, stuck.last
    equations = mechanism.equations
    beyond = min(last.t + stuck.step, path.duration)
    at = mechanism.rows([beyond], last.y[None])
    residual, gamma = at.residual[0], at.gamma[0]
    rows = equations.joint_rows
    for values in (residual, gamma):
        bad = np.flatnonzero(~np.isfinite(values))
        if len(bad):
            name = equations.row_owner[rows[bad[0]]]
            return Reason(beyond, name, f"Drive {name!r} is not a number at t = {beyond:.9g} s; it must stay finite")
    drives = [k for k, row in enumerate(rows) if equations.row_owner[row] in equations.system.drives]
    jump = max(drives, key=lambda k: abs(residual[k]), default=0)
    name = equations.row_owner[rows[jump]]
    if abs(residual[jump]) > JUMP:
        return Reason(
            last.t,
            name,
            f"Drive {name!r} jumps by {abs(residual[jump]):.3g} (m or rad) at t = {last.t:.9g} s; "
            "its value must be smooth",
        )
    if last.factors is not None and last.sigma < LOCKING * stuck.largest_sigma:
        involved = owners_of(equations, last.factors)
        pulling = last.factors.dependence * last.factors.row_scale
        culprit = equations.row_owner[rows[max(drives, key=lambda k: abs(pulling[k]))]] if drives else involved[0]
        moment = _moment_of_locking(path, stuck)
        return Reason(
            moment,
            culprit,
            f"it locks at t = {moment:.9g} s, where Drive {culprit!r} cannot move it further: no velocities satisfy "
            f"all joints and drives (smallest singular value {last.sigma:.1e}, dependent rows of "
            f"{', '.join(repr(one) for one in involved)})",
            locked=True,
        )
    worst = int(rows[mechanism.worst_row])
    return Reason(
        last.t,
        equations.row_owner[worst],
        f"no position or velocity satisfies all joints and drives after t = {last.t:.9g} s; "
        f"{row_label(equations, worst)} misses its own by {mechanism.worst_residual:.3g} (m or rad, or per second); "
        "look for drives that contradict each other",
    )


def _moment_of_locking(path: Path, stuck: Stuck) -> float:
    """Where σ² , which falls linearly there, is zero."""
    one, two = stuck.before, stuck.last
    fall = one.sigma**2 - two.sigma**2
    if fall <= 0.0:
        return two.t
    ahead = two.sigma**2 * (two.t - one.t) / fall
    return float(min(two.t + min(ahead, 10.0 * (two.t - one.t)), path.duration))
