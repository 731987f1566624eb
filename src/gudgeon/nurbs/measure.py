"""Batched evaluation of a surface: derivatives, normals, curvature, area, trimming."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gudgeon.errors import ModelError

if TYPE_CHECKING:
    from gudgeon.nurbs.surface import Surface

Array = NDArray[np.float64]


def parameters(surface: Surface, xi1: ArrayLike, xi2: ArrayLike) -> tuple[Array, tuple[int, ...]]:
    """Parameters as rows (ξ1, ξ2) inside the domain, and the shape they came in."""
    both = np.broadcast_arrays(np.asarray(xi1, dtype=float), np.asarray(xi2, dtype=float))
    rows = np.stack([x.ravel() for x in both], axis=1)
    for axis in (0, 1):
        low, high = surface.domain[axis]
        column = rows[:, axis]
        outside = ~((column >= low) & (column <= high))
        if not outside.any():
            continue
        if surface.closed[axis] and np.isfinite(column).all():
            column[outside] = (column[outside] - low) % (high - low) + low
        else:
            raise ModelError(
                f"{surface.label}: ξ{axis + 1} = {column[outside][0]:g} is outside its domain {low:g} … {high:g}; "
                "give a parameter inside"
            )
    return rows, both[0].shape


def scratch(surface: Surface) -> tuple[Array, Array]:
    """Work space of the kernels that evaluate one point at a time."""
    return np.empty((6, max(surface.degree) + 1)), np.empty((6, 4))


def derivatives(surface: Surface, xi1: ArrayLike, xi2: ArrayLike, order: int) -> Array:
    """S and its derivatives up to `order` [m], as Surface.derivatives says."""
    from gudgeon.nurbs.kernels.evaluate import surface_derivatives

    if order not in (0, 1, 2):
        raise ModelError(f"{surface.label}: order of derivatives is {order!r}; give 0, 1 or 2")
    rows, shape = parameters(surface, xi1, xi2)
    out = np.empty((len(rows), 6, 3))
    surface_derivatives(surface.patches, rows, order == 2, *scratch(surface), out)
    count = (1, 3, 6)[order]
    return out[:, :count].reshape(*shape, count, 3)


def frames(surface: Surface, xi1: ArrayLike, xi2: ArrayLike) -> Array:
    """S [m], directions of S_1 and S_2 (at poles their limits), and the unit normal, in the second to last axis."""
    from gudgeon.nurbs.kernels.evaluate import surface_frames

    rows, shape = parameters(surface, xi1, xi2)
    out = np.empty((len(rows), 4, 3))
    surface_frames(surface.patches, rows, *scratch(surface), out)
    return out.reshape(*shape, 4, 3)


def curvature(surface: Surface, xi1: ArrayLike, xi2: ArrayLike) -> Array:
    """Principal curvatures [1/m], larger first: eigenvalues of the second fundamental form over the first; nan at poles."""
    d = derivatives(surface, xi1, xi2, 2)
    n = np.cross(d[..., 1, :], d[..., 2, :])
    area = np.linalg.norm(n, axis=-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        n = np.where(area > 1e-14 * surface.patches.length[0] ** 2, n / area, np.nan)
        e, f, g = (np.sum(d[..., a, :] * d[..., b, :], axis=-1) for a, b in ((1, 1), (1, 2), (2, 2)))
        p, q, r = (np.sum(n * d[..., a, :], axis=-1) for a in (3, 4, 5))
        det = e * g - f * f
        mean = 0.5 * (e * r - 2.0 * f * q + g * p) / det
        # (mean² − Gauss) as a sum of squares: exact where both curvatures are equal
        root = np.sqrt((0.5 * (e * r - g * p) / det) ** 2 + (e * q - f * p) * (g * q - f * r) / det**2 + 0.0 * mean)
    return np.stack([mean + root, mean - root], axis=-1)


def area(surface: Surface) -> float:
    """Area [m²]: Gauss's rule on every Bézier patch, refined until it agrees with itself to 1e-13."""
    m = surface.patches
    last = -1.0
    for count in (8, 16, 32, 64):
        x, w = np.polynomial.legendre.leggauss(count)
        u, wu = _composite(m.break1, x, w)
        v, wv = _composite(m.break2, x, w)
        d = derivatives(surface, u[:, None], v[None, :], 1)
        size = np.linalg.norm(np.cross(d[..., 1, :], d[..., 2, :]), axis=-1)
        total = float(wu @ size @ wv)
        if abs(total - last) <= 1e-13 * total:
            break
        last = total
    return total


def _composite(breaks: Array, x: Array, w: Array) -> tuple[Array, Array]:
    half, middle = 0.5 * np.diff(breaks)[:, None], 0.5 * (breaks[1:] + breaks[:-1])[:, None]
    return (middle + half * x).ravel(), (half * w).ravel()


def kept(surface: Surface, xi1: ArrayLike, xi2: ArrayLike) -> NDArray[np.bool_]:
    """Whether each (ξ1, ξ2) is inside the trimming loops."""
    from gudgeon.nurbs.kernels.trimming import which_are_kept

    rows, shape = parameters(surface, xi1, xi2)
    out = np.empty(len(rows), dtype=np.int64)
    which_are_kept(surface.patches, rows, out)
    return out.astype(bool).reshape(shape)
