"""Bring a state onto the constraints: the smallest move of the bodies that closes all joints, or who stays open.

Damped Gauss–Newton (Levenberg–Marquardt with damping ∝ |Φ|², which keeps quadratic convergence for redundant rows too;
Yamashita & Fukushima 2001). Then velocities that the description leaves out follow the stated ones.
"""

from __future__ import annotations

import numpy as np

from gudgeon.errors import ModelError
from gudgeon.kernels.dynamics.arrays import RATE, RESIDUAL
from gudgeon.mechanics.closed_within import closed_within
from gudgeon.mechanics.displacement import displace
from gudgeon.mechanics.equations import Equations, equations_of_motion
from gudgeon.mechanics.known_positions import known_or
from gudgeon.mechanics.least_squares import damped_least_squares, scaled_columns
from gudgeon.mechanics.state_layout import moving
from gudgeon.mechanics.typical_length import twist_units

ITERATIONS = 200


def close_positions(equations: Equations, y: np.ndarray, time: float) -> None:
    """Bring all residuals to zero, changing y in place; ModelError if that is impossible."""
    before = y.copy()
    if known_or(_closes, equations, y, time):
        return
    y[:] = before
    worst, still_open = closest_position(equations, y, time)
    label = row_label(equations, equations.joint_rows[worst])
    if not np.isfinite(still_open):
        raise ModelError(
            f"{label}: the mechanism cannot be assembled: its point is beyond the end of its curve; place the bodies "
            "so that it is beside it, or make the curve longer"
        )
    drives = [repr(name) for name in _contradicting_drives(equations, time)]
    if drives:
        rule = f"Drive {drives[0]}: the joints do not reach its value at t = {time:g} s"
        if len(drives) > 1:
            rule = (
                f"Drives {', '.join(drives[:-1])} and {drives[-1]} contradict each other: the joints do not reach "
                f"their values at t = {time:g} s, but do without one of them"
            )
        raise ModelError(
            f"{rule}; in the closest position found {label} stays open by {still_open:.3g} (m or rad). Zero is the "
            "reference pose: check the values, or leave a drive out"
        )
    raise ModelError(
        f"{label}: the mechanism cannot be assembled; in the closest position found this joint stays open by "
        f"{still_open:.3g} (m or rad); check lengths, joint points and axes, or place the bodies closer"
    )


def _closes(equations: Equations, y: np.ndarray, time: float) -> bool:
    return closest_position(equations, y, time)[0] < 0


def _contradicting_drives(equations: Equations, time: float) -> list[str]:
    """The drives without any one of which the mechanism closes, or all if it takes more; none if it never does."""

    def closes_without(*names: str) -> bool:
        rest = {name: drive for name, drive in system.drives.items() if name not in names}
        released = equations_of_motion(system.replace(drives=rest))
        return closest_position(released, released.stated_state(), time)[0] < 0

    system = equations.system
    if not system.drives or not closes_without(*system.drives):
        return []
    return [name for name in system.drives if closes_without(name)] or list(system.drives)


def closest_position(equations: Equations, y: np.ndarray, time: float) -> tuple[int, float]:
    """Bring all residuals as near to zero as they get, changing y in place.

    Returns the row that stays open most, counted among the joints' rows, and by how much; −1 if none does.
    """
    closed = -1, 0.0
    n = len(equations.system.bodies)
    if not len(equations.joint_rows):
        return closed
    length, weight = equations.joint_length, twist_units(equations)
    tolerance, accepted = closed_within(equations, y)
    boost = 1.0
    residual, _, jacobian = joint_rows_at(equations, y, time)
    for _ in range(ITERATIONS):
        worst = float(np.abs(residual).max())
        if worst <= tolerance:
            return closed
        norm = float(residual @ residual)
        damping = boost * min(1.0, norm / length**2) * 1e-2 + 1e-18
        step = weight * damped_least_squares(scaled_columns(jacobian, weight), -residual, damping)
        turned = np.linalg.norm(step.reshape(n, 6)[:, 3:], axis=1).max()
        if turned > 0.5:
            step *= 0.5 / turned
        trial = y.copy()
        displace(trial, step)
        trial_residual, _, trial_jacobian = joint_rows_at(equations, trial, time)
        if float(trial_residual @ trial_residual) < norm:
            y[:] = trial
            residual, jacobian = trial_residual, trial_jacobian
            boost = max(0.1 * boost, 1e-6)
        else:
            if worst <= 1e3 * tolerance:
                return closed
            boost *= 10.0
            if boost > 1e20:
                break
    if float(np.abs(residual).max()) <= accepted:
        return closed
    worst = int(np.argmax(np.abs(residual)))
    return worst, float(abs(residual[worst]))


def follow_stated_velocities(equations: Equations, y: np.ndarray, time: float) -> None:
    """Choose the velocities left out of the description so that the joints hold; smallest such change."""
    stated = equations.stated_velocities()
    if not stated.all() and len(equations.joint_rows):
        known_or(_follow, equations, y, time, also=stated.tobytes())


def _follow(equations: Equations, y: np.ndarray, time: float) -> bool:
    free = np.flatnonzero(~equations.stated_velocities())
    n, described = len(equations.system.bodies), y
    y = equations.stated_state()  # these may be the equations of a twin, with other states than bodies
    y[: moving(n).stop] = described[: moving(n).stop]
    weight = twist_units(equations)[free]
    for _ in range(3):
        _, rate, jacobian = joint_rows_at(equations, y, time)
        if np.abs(rate).max() == 0.0:
            break
        y[moving(n)][free] += weight * damped_least_squares(scaled_columns(jacobian[:, free], weight), -rate, 1e-14)
    described[moving(n)] = y[moving(n)]
    return True


def joint_rows_at(equations: Equations, y: np.ndarray, time: float):
    """Residual and residual rate of the joints' rows, and their Jacobian."""
    from gudgeon.kernels.dynamics.rows import rows_at

    rows_at(equations.model, equations.work, time, y)
    row = equations.work.row[equations.joint_rows]
    return row[:, RESIDUAL], row[:, RATE], equations.jacobian()


def row_label(equations: Equations, row: int) -> str:
    """How error messages call the owner of a row."""
    owner, system = equations.row_owner[row], equations.system
    if owner in system.couplings:
        return f"{type(system.couplings[owner]).__name__} {owner!r}"
    return system.joints[owner].label(owner) if owner in system.joints else f"Drive {owner!r}"
