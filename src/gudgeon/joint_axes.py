"""A joint's own axes: in them a bushing's matrices are given, and what the joint leaves free has a row of its own.

Axes across an axis are `triad`, any two, or `axes_about`, those of the world as seen along it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.checks import Vec3

if TYPE_CHECKING:
    from gudgeon.joints import Joint

ALONG_X = 1.0 - 1e-6  # cosine of the angle to the world's x-axis above which an axis counts as that one [-]
ROWS = ("x", "y", "z", "the turn about x", "the turn about y", "the turn about z")


def triad(axis: Any) -> tuple[Vec3, Vec3, Vec3]:
    """Unit vectors (f, g, h) with h along `axis` and h = f × g, where any two across it will do."""
    return _triad(axis if isinstance(axis, tuple) else tuple(np.asarray(axis, dtype=float).tolist()))


@lru_cache(maxsize=4096)
def _triad(axis: Vec3) -> tuple[Vec3, Vec3, Vec3]:
    h = np.asarray(axis, dtype=float)
    other = np.eye(3)[np.argmin(np.abs(h))]
    f = np.cross(other, h)
    f /= np.linalg.norm(f)
    g = np.cross(h, f)
    return tuple(f.tolist()), tuple(g.tolist()), tuple(h.tolist())


def axes_about(axis) -> np.ndarray:
    """Rows x, y, z with z along `axis` and x the world's x across it (the world's y where the axis is the world's x).

    >>> from gudgeon.joint_axes import axes_about
    >>> axes_about((0.0, 0.0, 1.0)).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    z = np.asarray(axis, dtype=float)
    x = np.array([0.0, 1.0, 0.0]) if abs(z[0]) > ALONG_X else np.array([1.0, 0.0, 0.0])
    x = x - (x @ z) * z
    x /= np.linalg.norm(x)
    return np.array([x, np.cross(z, x), z])


def joint_axes(joint: Joint) -> tuple[np.ndarray, np.ndarray]:
    """The axes of displacements and those of rotations, as rows, in world directions of the reference pose.

    z is the axis of a joint that has one, see `axes_about`. Rotations of a universal joint are about x = `axis_parent`,
    y = `axis_child` and z perpendicular to both. Without an axis, or with three, they are the world's.

    >>> import gudgeon as gd
    >>> from gudgeon.joint_axes import joint_axes
    >>> joint_axes(gd.Revolute("ground", "crank", at=(0, 0, 0), axis=(0, 1, 0)))[0][2].tolist()
    [0.0, 1.0, 0.0]
    """
    if joint.own_axes is not None:
        return np.array(joint.own_axes), np.array(joint.own_axes)
    blocks = joint.blocks()
    along = [axes_about(free.axis) for free in blocks.displacements] if len(blocks.displacements) < 3 else []
    if len(blocks.angles) == 2:
        x, y = (np.array(angle.axis) for angle in blocks.angles)
        turns = np.array([x, y, np.cross(x, y)])
    elif blocks.angles:
        turns = axes_about(blocks.angles[0].axis)
    else:
        turns = along[0] if along else np.eye(3)
    return (along[0] if along else turns), turns


def free_rows(joint: Joint) -> list[int]:
    """Which of displacements x, y, z (0–2) and turns about x, y, z (3–5) the joint leaves free, in its own axes.

    None for a joint that holds no rotation (Spherical, Free): there the matrices of a bushing alone say what it holds.

    >>> import gudgeon as gd
    >>> from gudgeon.joint_axes import free_rows
    >>> free_rows(gd.Cylindrical("ground", "rod", at=(0, 0, 0)))
    [2, 5]
    """
    blocks, (axes, _) = joint.blocks(), joint_axes(joint)
    turns = {0: [], 1: [3, 4], 2: [5], 3: []}[len(blocks.perpendicular)]
    return [*(int(np.argmax(np.abs(axes @ np.array(free.axis)))) for free in blocks.displacements), *turns]
