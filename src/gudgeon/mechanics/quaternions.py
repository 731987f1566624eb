"""Unit quaternions of rotation matrices."""

from __future__ import annotations

import numpy as np


def quaternion_of(rotation: np.ndarray) -> np.ndarray:
    """Quaternions (scalar first) of rotation matrices (…, 3, 3), by the largest of their four components (Shepperd)."""
    R = np.asarray(rotation, dtype=float)
    xx, yy, zz = R[..., 0, 0], R[..., 1, 1], R[..., 2, 2]
    a, b, c = R[..., 2, 1], R[..., 0, 2], R[..., 1, 0]
    d, e, f = R[..., 1, 2], R[..., 2, 0], R[..., 0, 1]
    # 4 p pᵀ, row by row
    outer = np.stack(
        [
            np.stack([1.0 + xx + yy + zz, a - d, b - e, c - f], axis=-1),
            np.stack([a - d, 1.0 + xx - yy - zz, c + f, b + e], axis=-1),
            np.stack([b - e, c + f, 1.0 - xx + yy - zz, a + d], axis=-1),
            np.stack([c - f, b + e, a + d, 1.0 - xx - yy + zz], axis=-1),
        ],
        axis=-2,
    )
    largest = np.argmax(np.diagonal(outer, axis1=-2, axis2=-1), axis=-1)
    row = np.take_along_axis(outer, largest[..., None, None], axis=-2)[..., 0, :]
    return row / np.linalg.norm(row, axis=-1, keepdims=True)


def continuous(quaternions: np.ndarray) -> np.ndarray:
    """The same rotations over time (first axis) without jumps of sign."""
    flips = np.sum(quaternions[1:] * quaternions[:-1], axis=-1) < 0.0
    sign = np.where(np.cumsum(flips, axis=0) % 2, -1.0, 1.0)
    out = quaternions.copy()
    out[1:] *= sign[..., None]
    return out
