"""Joints that jam: friction and reaction have no balance, or several, where a run ended."""

from __future__ import annotations

import numpy as np

from gudgeon.mechanics.equations import Equations

AHEAD = (0.0, *np.logspace(-15, -6, 19).tolist())  # how long the motion is followed beyond the end of the run [s]


def jammed_joint(equations: Equations, t: float, y: np.ndarray) -> tuple[str, str] | None:
    """The joint or coupling that jams at the state y, or just after, and a sentence about it."""
    if not equations.compliant.rubs:
        return None
    from gudgeon.kernels.dynamics.motion import right_hand_side
    from gudgeon.kernels.elements.rubbing_arrays import (
        BALANCED,
        JAM,
        JAM_COEFFICIENT,
        JAM_LINE,
        JAM_RATIO,
        NO_BALANCE,
    )

    rate, moving, jam = np.zeros_like(y), np.zeros_like(y), equations.work.rubbing.jam
    for ahead in AHEAD:
        right_hand_side(equations.model, equations.work, t + ahead, y + ahead * moving, rate)
        if jam[JAM] != BALANCED:
            break
        if ahead == 0.0:
            moving = np.where(np.isfinite(rate), rate, 0.0)
    else:
        return None
    line, ratio, coefficient = int(jam[JAM_LINE]), float(jam[JAM_RATIO]), float(jam[JAM_COEFFICIENT])
    rub = equations.compliant.rubs[int(equations.model.rubbing.tolist().index(line))]
    what = "no motion with these velocities exists" if jam[JAM] == NO_BALANCE else "several motions are possible"
    critical = f", critical is {coefficient / ratio:.4g}" if ratio < np.inf else ""
    return rub.coupling or rub.joint, (
        f"{rub.label} jams: its friction raises the reaction on which it depends, by {ratio:.4g} times itself (its "
        f"coefficient is {coefficient:.4g}{critical}), so that {what} (Painlevé's paradox); give a longer bearing or "
        "guide, a load nearer to its axis or less friction, or gd.laws.DryFriction with gd.TimeStepping: it sticks"
    )
