"""The compiled function of two surfaces, called from Python for the motion that a joint has now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gudgeon.kernels.dynamics import arrays

if TYPE_CHECKING:
    from gudgeon.mechanics.equations import Equations


def answer(equations: Equations, k: int, task: int, impact_speed: float = 1.0) -> np.ndarray:
    """What compliant joint k answers (see kernels/elements/joints.py) in the motion held in `equations.work.local`."""
    from gudgeon.surface_contact.kernels.forces import surfaces

    out = np.zeros(arrays.FORCE_COLUMNS)
    motion = equations.work.local[k]
    table = int(equations.model.compliant[k, arrays.SURFACE_TABLE])
    surfaces.ctypes(table, task, impact_speed, motion.ctypes.data, out.ctypes.data, 0)
    return out


def least_gap(equations: Equations, k: int) -> tuple[float, float]:
    """The least gap of the two surfaces [m] and its rate [m/s]."""
    from gudgeon.kernels.elements.surfaces import LEAST_GAP

    gap, rate = answer(equations, k, LEAST_GAP)[:2]
    return float(gap), float(rate)
