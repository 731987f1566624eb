"""Interpolation of a grid of points: Piegl & Tiller (1995), The NURBS Book, section 9.2."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gudgeon.errors import ModelError
from gudgeon.nurbs import knots as kv

Array = NDArray[np.float64]


def interpolated(points: ArrayLike, degree: tuple[int, int]) -> dict[str, Any]:
    """Degree, knots and control points of the surface through points (n1, n2, 3) [m], for the constructor.

    Parameters are chord lengths averaged over the rows, knots are averages of parameters.

    >>> interpolated([[(0, 0, 0), (0, 1, 0)], [(1, 0, 0), (1, 1, 0)]], (1, 1))["points"].shape
    (2, 2, 3)
    """
    owner = "Surface.through"
    net = kv.as_floats(owner, "points", points)
    if net.ndim != 3 or net.shape[2] != 3:
        raise ModelError(f"{owner}: points have shape {net.shape}; give a grid of points (n1, n2, 3)")
    all_knots = []
    for axis in (0, 1):
        d = kv.checked_degree(f"{owner}, ξ{axis + 1}", degree[axis])
        if net.shape[axis] <= d:
            raise ModelError(
                f"{owner}: {net.shape[axis]} points along ξ{axis + 1} for degree {d}; give at least {d + 1}"
            )
    given = net
    for axis in (0, 1):
        d = degree[axis]
        at = _chord_parameters(owner, given, axis)
        knots = kv.clamped(d, [at[j : j + d].mean() for j in range(1, len(at) - d)])
        rows = np.moveaxis(net, axis, 0)
        solved = np.linalg.solve(kv.basis_matrix(knots, d, at), rows.reshape(len(at), -1))
        net = np.moveaxis(solved.reshape(rows.shape), 0, axis)
        all_knots.append(knots)
    return {"degree": (int(degree[0]), int(degree[1])), "knots": tuple(all_knots), "points": net}


def _chord_parameters(owner: str, points: Array, axis: int) -> Array:
    steps = np.linalg.norm(np.diff(points, axis=axis), axis=2)
    steps = np.moveaxis(steps, axis, 0).reshape(points.shape[axis] - 1, -1)
    total = steps.sum(axis=0)
    rows = total > 0.0
    if not rows.any():
        raise ModelError(f"{owner}: all points along ξ{axis + 1} coincide; give points that differ")
    mean = (steps[:, rows] / total[rows]).mean(axis=1)
    if (mean <= 0.0).any():
        at = int(np.argmin(mean))
        raise ModelError(f"{owner}: rows {at} and {at + 1} along ξ{axis + 1} coincide; give each point once")
    at = np.concatenate([[0.0], np.cumsum(mean)])
    at /= at[-1]
    return at
