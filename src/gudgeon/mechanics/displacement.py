"""Bodies of a state vector displaced by twists: translation and world rotation vector of every body.

r = r₀ + x,   R = exp(θ̃) R₀        (x, θ) the body's part of the twist
"""

from __future__ import annotations

import numpy as np

from gudgeon.mechanics.state_layout import VELOCITIES, positions, quaternions
from gudgeon.rotations import turned_by


def displace(y: np.ndarray, twist: np.ndarray) -> None:
    """Displace all bodies of a state, or of several, in place: y (…, state), twist (…, 6 bodies) [m, rad].

    >>> y = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    >>> displace(y, np.array([0.5, 0.0, 0.0, 0.0, 0.0, np.pi]))
    >>> y[:7].round(9).tolist()
    [0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]
    """
    n = twist.shape[-1] // VELOCITIES
    steps = twist.reshape(*twist.shape[:-1], n, VELOCITIES)
    positions(y, n)[:] += steps[..., :3]
    quaternions(y, n)[:] = turned_by(quaternions(y, n), steps[..., 3:])
