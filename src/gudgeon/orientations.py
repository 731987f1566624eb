"""Orientations as users give them: a quaternion with the scalar first, a SciPy `Rotation`, or a matrix."""

from __future__ import annotations

import math
import sys
import warnings
from typing import Any

import numpy as np

from gudgeon.checks import Quaternion, as_floats, vector
from gudgeon.errors import ModelError
from gudgeon.rotations import rotation_matrix

SCIPY_IDENTITY = (0.0, 0.0, 0.0, 1.0)  # no rotation with the scalar last; with the scalar first, half a turn about z
CONVENTION = "a unit quaternion (scalar first: 1, 0, 0, 0 is no rotation) or a scipy Rotation"


class ScalarFirst(tuple[float, float, float, float]):
    """A quaternion known to have its scalar first: checked before, or found by a run."""

    __slots__ = ()


def unit_quaternion(owner: str, value: Any) -> Quaternion:
    """`value` scaled to length one; a quaternion that is far from a rotation is refused.

    Warns of (0, 0, 0, 1), which is legal, but more often means SciPy's identity than half a turn about z.

    >>> unit_quaternion("Body", (0.6, 0, 0, 0.8))
    (0.6, 0.0, 0.0, 0.8)
    """
    value = without_scipy(owner, value)
    q = vector(owner, "orientation", value, 4, wanted=CONVENTION)
    length = math.sqrt(sum(x * x for x in q))
    if abs(length - 1.0) > 1e-2:
        raise ModelError(f"{owner}: orientation {q} has length {length:.6g}; give {CONVENTION}")
    if q == SCIPY_IDENTITY and not isinstance(value, ScalarFirst):
        warnings.warn(
            f"{owner}: orientation (0, 0, 0, 1) is half a turn about z: quaternions have their scalar first here, "
            "no rotation is (1, 0, 0, 0). Give a scipy Rotation to state either without doubt",
            UserWarning,
            stacklevel=4,  # of dataclasses: this function, __post_init__, __init__, the user
        )
    e0, e1, e2, e3 = (x / length for x in q)
    return ScalarFirst((e0, e1, e2, e3))


def without_scipy(owner: str, value: Any) -> Any:
    """A SciPy `Rotation` as a quaternion with the scalar first, anything else as it is. Does not import SciPy."""
    known: Any = sys.modules.get("scipy.spatial.transform")
    if known is None or not isinstance(value, known.Rotation):
        return value
    if not value.single:
        raise ModelError(f"{owner}: a scipy Rotation of {len(value)} rotations given; give one rotation")
    x, y, z, scalar = (float(component) for component in value.as_quat())
    return ScalarFirst((scalar, x, y, z))


def rotation_of(owner: str, value: Any) -> np.ndarray:
    """A rotation matrix from a matrix, a quaternion (e0, e1, e2, e3), a SciPy `Rotation`, or None for no rotation.

    >>> rotation_of("Pose", (0, 0, 0, 1)).tolist()
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
        return rotation_matrix(array / math.sqrt(length))
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
