"""Batched evaluation of a surface: derivatives, normals, curvature, area, bounds, trimming, lines."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gudgeon.errors import ModelError
from gudgeon.nurbs.net import ControlNet

Array = NDArray[np.float64]


class Evaluation(ControlNet):
    """The methods of Surface that compute something at parameters or along lines."""

    def point(self, xi1: ArrayLike, xi2: ArrayLike) -> Array:
        """S(ξ1, ξ2) [m]; arrays of parameters are broadcast, closed directions go round.

        >>> from gudgeon.nurbs import Surface
        >>> Surface.cylinder(1.0, 0.0, 2.0).point([0.0, 0.25], 0.5)
        array([[1., 0., 1.],
               [0., 1., 1.]])
        """
        return self.derivatives(xi1, xi2, order=0)[..., 0, :]

    def derivatives(self, xi1: ArrayLike, xi2: ArrayLike, *, order: int = 2) -> Array:
        """S, S_1, S_2, S_11, S_12, S_22 [m] in the second to last axis; three of them for order 1, one for order 0.

        >>> from gudgeon.nurbs import Surface
        >>> Surface.plane(edge1=(2, 0, 0), edge2=(0, 3, 0)).derivatives(0.5, 0.5, order=1)
        array([[1. , 1.5, 0. ],
               [2. , 0. , 0. ],
               [0. , 3. , 0. ]])
        """
        return derivatives(self, xi1, xi2, order)

    def normal(self, xi1: ArrayLike, xi2: ArrayLike) -> Array:
        """The unit normal S_1 × S_2/|S_1 × S_2| [-]; at a pole its limit, nan where there is none.

        >>> from gudgeon.nurbs import Surface
        >>> Surface.sphere(0.01).normal(0.25, [0.5, 1.0]).round(12) + 0.0
        array([[0., 1., 0.],
               [0., 0., 1.]])
        """
        return frames(self, xi1, xi2)[..., 3, :]

    def curvature(self, xi1: ArrayLike, xi2: ArrayLike) -> Array:
        """The two principal curvatures [1/m], larger first, positive where the surface bends towards its normal.

        >>> from gudgeon.nurbs import Surface
        >>> Surface.cylinder(0.5, 0.0, 1.0).curvature(0.1, 0.5).round(12)
        array([ 0., -2.])
        """
        return curvature(self, xi1, xi2)

    def area(self) -> float:
        """The area [m²] of the whole parameter rectangle, trimmed or not.

        >>> from gudgeon.nurbs import Surface
        >>> round(Surface.sphere(1.0).area(), 10)
        12.5663706144
        """
        return area(self)

    def bounds(self) -> Array:
        """A box around the surface, [[x, y, z] least, [x, y, z] largest] [m]: that of the patches' control points.

        >>> from gudgeon.nurbs import Surface
        >>> Surface.cylinder(1.0, 0.0, 2.0).bounds()
        array([[-1., -1.,  0.],
               [ 1.,  1.,  2.]])
        """
        net = self.patches.net
        points = (net[..., :3] / net[..., 3:]).reshape(-1, 3)
        return np.stack([points.min(axis=0), points.max(axis=0)])

    def hits(self, origin: ArrayLike, direction: ArrayLike) -> Array:
        """Every intersection (h, ξ1, ξ2) of the line origin + h·direction/|direction|, sorted by h [m, -, -].

        h is signed: what lies behind the origin has h < 0. Points of trimmed-away regions are no intersections. A point
        where the line touches the surface is listed once.

        >>> from gudgeon.nurbs import Surface
        >>> Surface.torus(0.03, 0.01).hits((1, 0, 0), (-1, 0, 0))[:, 0]
        array([0.96, 0.98, 1.02, 1.04])
        """
        from gudgeon.nurbs.hits import hits_of_line

        return hits_of_line(self, origin, direction)

    def keeps(self, xi1: ArrayLike, xi2: ArrayLike) -> NDArray[np.bool_]:
        """Whether (ξ1, ξ2) belongs to the trimmed surface.

        >>> from gudgeon.nurbs import Surface
        >>> Surface.plane().keeps(0.5, 0.5)
        array(True)
        """
        return kept(self, xi1, xi2)


def parameters(surface: ControlNet, xi1: ArrayLike, xi2: ArrayLike) -> tuple[Array, tuple[int, ...]]:
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


def scratch(surface: ControlNet) -> tuple[Array, Array]:
    """Work space of the kernels that evaluate one point at a time."""
    return np.empty((6, max(surface.degree) + 1)), np.empty((6, 4))


def derivatives(surface: ControlNet, xi1: ArrayLike, xi2: ArrayLike, order: int) -> Array:
    """S and its derivatives up to `order` [m], as Surface.derivatives says."""
    from gudgeon.nurbs.kernels.evaluate import surface_derivatives

    if order not in (0, 1, 2):
        raise ModelError(f"{surface.label}: order of derivatives is {order!r}; give 0, 1 or 2")
    rows, shape = parameters(surface, xi1, xi2)
    out = np.empty((len(rows), 6, 3))
    surface_derivatives(surface.patches, rows, order == 2, *scratch(surface), out)
    count = (1, 3, 6)[order]
    return out[:, :count].reshape(*shape, count, 3)


def frames(surface: ControlNet, xi1: ArrayLike, xi2: ArrayLike) -> Array:
    """S [m], directions of S_1 and S_2 (at poles their limits), and the unit normal, in the second to last axis."""
    from gudgeon.nurbs.kernels.evaluate import surface_frames

    rows, shape = parameters(surface, xi1, xi2)
    out = np.empty((len(rows), 4, 3))
    surface_frames(surface.patches, rows, *scratch(surface), out)
    return out.reshape(*shape, 4, 3)


def curvature(surface: ControlNet, xi1: ArrayLike, xi2: ArrayLike) -> Array:
    """Principal curvatures [1/m], larger first: the second fundamental form over the first; nan at poles."""
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


def area(surface: ControlNet) -> float:
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


def kept(surface: ControlNet, xi1: ArrayLike, xi2: ArrayLike) -> NDArray[np.bool_]:
    """Whether each (ξ1, ξ2) is inside the trimming loops."""
    from gudgeon.nurbs.kernels.trimming import which_are_kept

    rows, shape = parameters(surface, xi1, xi2)
    out = np.empty(len(rows), dtype=np.int64)
    which_are_kept(surface.patches, rows, out)
    return out.astype(bool).reshape(shape)
