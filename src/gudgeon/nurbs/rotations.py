"""Rotations as users give them: a matrix, a quaternion with the scalar first, or a SciPy `Rotation`."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gudgeon.errors import ModelError
from gudgeon.nurbs.knots import as_floats
from gudgeon.orientations import without_scipy


def rotation_matrix(owner: str, value: ArrayLike | None) -> NDArray[np.float64]:
    """A rotation matrix from a matrix, a quaternion (e0, e1, e2, e3), a SciPy `Rotation`, or None for no rotation.

    >>> rotation_matrix("Pose", (0, 0, 0, 1)).tolist()
    [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    if value is None:
        return np.eye(3)
    array = as_floats(owner, "rotation", without_scipy(owner, value))
    if array.shape == (4,):
        length = float(array @ array)
        if length < 1e-24:
            raise ModelError(
                f"{owner}: rotation is the quaternion {array.tolist()}; give one of length 1, scalar first"
            )
        e0, e1, e2, e3 = (float(x) for x in array)
        s = 2.0 / length
        return np.array(
            [
                [1 - s * (e2 * e2 + e3 * e3), s * (e1 * e2 - e0 * e3), s * (e1 * e3 + e0 * e2)],
                [s * (e1 * e2 + e0 * e3), 1 - s * (e1 * e1 + e3 * e3), s * (e2 * e3 - e0 * e1)],
                [s * (e1 * e3 - e0 * e2), s * (e2 * e3 + e0 * e1), 1 - s * (e1 * e1 + e2 * e2)],
            ]
        )
    if array.shape != (3, 3):
        raise ModelError(
            f"{owner}: rotation has shape {array.shape}; give a 3×3 matrix, a quaternion of 4 numbers, scalar first, "
            "or a scipy Rotation"
        )
    error = float(np.abs(array @ array.T - np.eye(3)).max())
    if error > 1e-9 or np.linalg.det(array) < 0.0:
        what = f"off by {error:.1e}" if error > 1e-9 else "a reflection"
        raise ModelError(
            f"{owner}: rotation is not a rotation matrix ({what}); its columns must be a right-handed triad"
        )
    return array
