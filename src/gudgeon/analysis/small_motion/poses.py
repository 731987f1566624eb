"""Poses of all bodies in a state vector, displaced by twists: translation and world rotation vector of every body.

r = r₀ + x,   R = exp(θ̃) R₀        (x, θ) the body's part of the twist
"""

from __future__ import annotations

import numpy as np

from gudgeon.mechanics.state_layout import positions, quaternions
from gudgeon.rotations import turned_by


def move(y: np.ndarray, twist: np.ndarray) -> None:
    """Displace all bodies of the state y, in place."""
    n = len(twist) // 6
    steps = twist.reshape(n, 6)
    positions(y, n)[:] += steps[:, :3]
    quaternions(y, n)[:] = turned_by(quaternions(y, n), steps[:, 3:])


def skew(s: np.ndarray) -> np.ndarray:
    """s̃ of vectors, s̃ x = s × x."""
    out = np.zeros((*s.shape, 3), dtype=s.dtype)
    out[..., 0, 1], out[..., 0, 2], out[..., 1, 2] = -s[..., 2], s[..., 1], -s[..., 0]
    out[..., 1, 0], out[..., 2, 0], out[..., 2, 1] = s[..., 2], -s[..., 1], s[..., 0]
    return out
