"""Orientations as users give them: a unit quaternion with the scalar first, or a SciPy `Rotation`."""

from __future__ import annotations

import math
import sys
import warnings
from typing import Any

from gudgeon.checks import Quaternion, vector
from gudgeon.errors import ModelError

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
