"""When joints are closed: residuals of their rows [m or rad] that rounding leaves, of the size of the mechanism."""

from __future__ import annotations

import numpy as np

from gudgeon.mechanics.equations import Equations
from gudgeon.mechanics.state_layout import positions

FINEST = 1e-15  # residual at which the compiled projection ends where nothing may be left but rounding, of a size [-]


def closed_within(equations: Equations, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The residual at which closing ends, and the largest that is accepted where rounding allows no better.

    Of one state or of many: rounding is that of the places of the bodies and of the points of the joints.
    """
    places = np.abs(positions(states, len(equations.system.bodies))).max(axis=(-2, -1))
    size = np.maximum(equations.joint_length, places)
    return 4e-15 * size + 2e-15, 1e-10 * np.maximum(1.0, size)
