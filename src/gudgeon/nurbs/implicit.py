"""Implicit matrices of Bézier patches and the intersections found with them: the published method, and corrected.

Čerimagić et al. (2020), section 3, after Busé (2014), Computer-Aided Design 46, 14–24. This is a reference to check the
production path (`Surface.hits`, `gap_field`) against: it shares no code with it and is thousands of times slower.

A rational Bézier patch (f1, f2, f3)/f0 of degree d has moving planes g0 f0 + g1 f1 + g2 f2 + g3 f3 = 0 of degree ν, the
null space of S_ν (29). Their coefficients, put together as M(x) = M0 + M1 x + M2 y + M3 z (32), (33), form a
matrix that has full row rank except where x is on the surface.

Where this departs from the paper, and why:

- (27) numbers the rows of S_ν with ξ1 fastest and its columns with ξ2 fastest. Rank and D do not mind, but the left
  kernel of M(x) has the order of the columns, and ξ is recovered from it. Here ξ2 is fastest in both.
- (28) lacks the sum over i, j: each entry of (29) collects one term, a row many. (24) lacks the index k on γ.
- The null space comes from a singular value decomposition; rref, as printed, is kept as `method="rref"` and is up to a
  thousand times worse conditioned.
- 'D(x) = 0 if and only if x is in Ω' (34) holds for the whole algebraic surface. A root counts here only if the ξ
  recovered from the kernel is in the patch and S(ξ) is x.
- (35) adds H = (0, h, 0) to world coordinates, but these are components in the local basis; a line p + h n says it all.
- (36) with h ≥ 0 cannot see penetration and (37) steps over roots: `golden_section` is as printed, for the record.
  Along a line M is a matrix pencil, whose eigenvalues are all intersections at once, of either sign: see `pencil`.
- Coordinates are made of order one before the null space is taken (`scaled=True`): millimetres beside weights of one
  would cost six digits.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gudgeon.checks import as_floats
from gudgeon.errors import ModelError
from gudgeon.nurbs.surface import Surface

Array = NDArray[np.float64]
GOLDEN = 0.5 * (sqrt(5.0) + 1.0)


@dataclass(frozen=True, kw_only=True, eq=False)
class ImplicitMatrix:
    """The implicit matrix representation of one Bézier patch, eqs (23), (32), (33).

    >>> import math
    >>> from gudgeon.nurbs import Surface
    >>> from gudgeon.nurbs.implicit import implicit_matrix
    >>> quarter = Surface.cylinder(1.0, -1.0, 1.0, angle=0.5 * math.pi)
    >>> m = implicit_matrix(quarter, nu=(1, 1))
    >>> m.blocks.shape, round(m.evaluation((0, 0, 0)) * 7, 12), m.evaluation((0.6, 0.8, 0)) < 1e-15
    ((4, 4, 6), 1.0, True)
    """

    patch: Surface
    nu: tuple[int, int]  # degree of the moving planes
    blocks: Array  # M0, M1, M2, M3 as (4, m, r), for coordinates (x − center)/scale
    center: Array  # [m]
    scale: float  # [m]

    def at(self, x: ArrayLike) -> Array:
        """M(x), eq (32).

        >>> from gudgeon.nurbs import Surface
        >>> from gudgeon.nurbs.implicit import implicit_matrix
        >>> implicit_matrix(Surface.plane()).at((0, 0, 1)).shape
        (2, 3)
        """
        y = (np.asarray(x, dtype=float) - self.center) / self.scale
        return self.blocks[0] + np.tensordot(y, self.blocks[1:], axes=(0, 0))

    def evaluation(self, x: ArrayLike) -> float:
        """The real evaluation function D(x) = Π σ_i(M(x)), eq (34): zero on the algebraic surface of the patch.

        >>> from gudgeon.nurbs import Surface
        >>> from gudgeon.nurbs.implicit import implicit_matrix
        >>> implicit_matrix(Surface.plane()).evaluation((5, 5, 0)) < 1e-15  # not on the patch, only on its plane
        True
        """
        return float(np.prod(np.linalg.svd(self.at(x), compute_uv=False)))

    def parameters(self, x: ArrayLike, *, tolerance: float = 1e-6) -> Array:
        """All ξ that the left kernel of M(x) holds, as rows (ξ1, ξ2): first those in the patch, then the farther ones.

        The vector of Bernstein polynomials of degree ν at ξ is in the kernel. With L1, L2 the parts of a kernel vector
        that belong to ξ and 1 − ξ times polynomials of degree ν − 1, kernels of several points are told apart by the
        eigenvalues of L1 y = ξ (L1 + L2) y; ξ of a single one is its centre of gravity, Σ (k/ν) β_k = ξ.

        >>> from gudgeon.nurbs import Surface
        >>> from gudgeon.nurbs.implicit import implicit_matrix
        >>> ball = Surface.sphere(1.0).bezier()[4]
        >>> implicit_matrix(ball).parameters(ball.point(0.6, 0.1)).round(9)[0]
        array([0.6, 0.1])
        """
        u, sigma, _ = np.linalg.svd(self.at(x))
        small = sigma <= tolerance * sigma[0]
        if not small.any():
            return np.empty((0, 2))
        kernel = u[:, : len(sigma)][:, small]
        mixed = _split_kernel(kernel, self.nu)
        rows = []
        for y in mixed.T:
            table = (y / y.sum()).reshape(self.nu[0] + 1, self.nu[1] + 1)
            first = float(table.sum(axis=1) @ np.linspace(0, 1, self.nu[0] + 1)) if self.nu[0] else None
            second = float(table.sum(axis=0) @ np.linspace(0, 1, self.nu[1] + 1)) if self.nu[1] else None
            rows.append(_complete(self.patch, x, first, second))
        rows.sort(key=lambda row: max(abs(row[0] - 0.5), abs(row[1] - 0.5)))
        (a, b), (c, d) = self.patch.domain
        return np.array(rows).reshape(-1, 2) * (b - a, d - c) + (a, c)


def product_matrix(patch: Surface, nu: tuple[int, int], *, center: ArrayLike = (0, 0, 0), scale: float = 1.0) -> Array:
    """S_ν of eq (29): the coefficients of g0 f0 + … + g3 f3 from those of g0 … g3, in Bernstein form.

    >>> from gudgeon.nurbs import Surface
    >>> product_matrix(Surface.plane(), (1, 0)).shape
    (6, 8)
    """
    (d1, d2), (v1, v2) = patch.degree, nu
    weights = patch.weights / patch.weights.max()
    xyz = (patch.points - np.asarray(center, dtype=float)) / scale
    f = np.concatenate([weights[..., None], xyz * weights[..., None]], axis=2)
    out = np.zeros(((v1 + d1 + 1), (v2 + d2 + 1), 4, (v1 + 1), (v2 + 1)))
    for i in range(d1 + 1):
        for j in range(d2 + 1):
            for k in range(v1 + 1):
                for q in range(v2 + 1):
                    above = comb(d1, i) * comb(d2, j) * comb(v1, k) * comb(v2, q)
                    below = comb(d1 + v1, i + k) * comb(d2 + v2, j + q)
                    out[i + k, j + q, :, k, q] += above / below * f[i, j]
    return out.reshape((v1 + d1 + 1) * (v2 + d2 + 1), 4 * (v1 + 1) * (v2 + 1))


def null_space(matrix: Array, *, method: str = "svd", tolerance: float = 1e-10) -> Array:
    """Columns that span {γ: S γ = 0}, eq (30): orthonormal by "svd", or as printed by "rref".

    >>> null_space(np.array([[1.0, 1.0, 0.0]])).shape
    (3, 2)
    """
    if method == "svd":
        _, sigma, vh = np.linalg.svd(matrix)
        rank = int(np.sum(sigma > tolerance * sigma[0]))
        return vh[rank:].T
    if method != "rref":
        raise ModelError(f'null_space: method is {method!r}; give "svd" or "rref"')
    a = matrix.copy()
    pivots: list[int] = []
    for column in range(a.shape[1]):
        row = len(pivots)
        if row == a.shape[0]:
            break
        best = row + int(np.argmax(np.abs(a[row:, column])))
        if abs(a[best, column]) <= tolerance * np.abs(matrix).max():
            continue
        a[[row, best]] = a[[best, row]]
        a[row] /= a[row, column]
        others = np.arange(a.shape[0]) != row
        a[others] -= np.outer(a[others, column], a[row])
        pivots.append(column)
    free = [c for c in range(a.shape[1]) if c not in pivots]
    out = np.zeros((a.shape[1], len(free)))
    out[free, range(len(free))] = 1.0
    out[pivots] = -a[: len(pivots), free]
    return out


def implicit_matrix(
    patch: Surface, *, nu: tuple[int, int] | None = None, method: str = "svd", scaled: bool = False
) -> ImplicitMatrix:
    """The implicit matrix of a surface that is one Bézier patch, of the critical degree ν0 = (2 d1 − 1, d2 − 1).

    >>> import math
    >>> from gudgeon.nurbs import Surface
    >>> implicit_matrix(Surface.sphere(1.0).bezier()[0]).blocks.shape
    (4, 8, 12)
    """
    if len(patch.patches.net) != 1:
        raise ModelError(f"{patch.label}: {len(patch.patches.net)} Bézier patches; give one, see Surface.bezier")
    d1, d2 = patch.degree
    nu = (2 * d1 - 1, d2 - 1) if nu is None else nu
    if not (nu[0] >= 2 * d1 - 1 and nu[1] >= d2 - 1) and not (nu[0] >= d1 - 1 and nu[1] >= 2 * d2 - 1):
        raise ModelError(
            f"{patch.label}: ν = {tuple(nu)} is below the critical degree; give at least {(2 * d1 - 1, d2 - 1)} or "
            f"{(d1 - 1, 2 * d2 - 1)}"
        )
    low, high = patch.bounds()
    center = 0.5 * (low + high) if scaled else np.zeros(3)
    scale = 0.5 * float(np.linalg.norm(high - low)) if scaled else 1.0
    null = null_space(product_matrix(patch, nu, center=center, scale=scale), method=method)
    m = (nu[0] + 1) * (nu[1] + 1)
    return ImplicitMatrix(patch=patch, nu=nu, blocks=null.reshape(4, m, -1), center=center, scale=scale)


def _split_kernel(kernel: Array, nu: tuple[int, int]) -> Array:
    """Kernel vectors of single points, from a basis of the kernel; complex ones are left out."""
    if kernel.shape[1] == 1:
        return kernel
    table = kernel.reshape(nu[0] + 1, nu[1] + 1, -1)
    mixing = np.zeros((kernel.shape[1], kernel.shape[1]))
    for axis, share in ((0, 1.0), (1, 0.6180339887)):  # a mixture of both, so that equal ξ1 do not stay together
        if nu[axis]:
            t = np.moveaxis(table, axis, 0)
            k = np.arange(nu[axis])[:, None, None]
            zero, one = (nu[axis] - k) * t[:-1] / nu[axis], (k + 1) * t[1:] / nu[axis]
            all_of_it = (zero + one).reshape(-1, kernel.shape[1])
            mixing += share * np.linalg.lstsq(all_of_it, one.reshape(all_of_it.shape), rcond=1e-9)[0]
    values, vectors = np.linalg.eig(mixing)
    real = np.abs(np.imag(values)) <= 1e-6 * (1.0 + np.abs(values))
    out = kernel @ np.real(vectors[:, real])
    sums = np.abs(out.sum(axis=0))
    return out[:, sums > 1e-9 * np.linalg.norm(out, axis=0)]


def _complete(patch: Surface, x: ArrayLike, first: float | None, second: float | None) -> tuple[float, float]:
    """ξ in [0, 1]² where ν = 0 in one direction, which is then of degree one: nearest point on a straight line."""
    if first is not None and second is not None:
        return first, second
    known, axis = (first, 0) if first is not None else (second, 1)
    known = 0.0 if known is None else known
    (low, high) = patch.domain[axis]
    at = float(np.clip(low + known * (high - low), low, high))
    curve = patch.isocurve(xi1=at) if axis == 0 else patch.isocurve(xi2=at)
    a, b = curve.points[0], curve.points[-1]
    share = float((np.asarray(x) - a) @ (b - a) / ((b - a) @ (b - a)))
    w0, w1 = curve.weights[0], curve.weights[-1]
    other = share * w0 / (share * w0 + (1.0 - share) * w1)
    return (known, other) if axis == 0 else (other, known)


def golden_section(
    matrix: ImplicitMatrix, origin: ArrayLike, direction: ArrayLike, *, delta: float, farthest: float
) -> tuple[float, float]:
    """h ≥ 0 of the first minimum of D along a line, and D there, exactly as (36), (37) say; (nan, nan) if none.

    `delta` is the first step [m], `farthest` where the search ends [m]. D is not convex, and a minimum need not be a
    root; between growing steps roots are lost; the answer may lie outside the patch. Kept for the record.

    >>> from gudgeon.nurbs import Surface
    >>> h, d = golden_section(
    ...     implicit_matrix(Surface.plane()), (0.5, 0.5, 1), (0, 0, -1), delta=0.01, farthest=9.0
    ... )
    >>> round(h, 6)
    1.0
    """
    p = as_floats("golden_section", "origin", origin)
    n = as_floats("golden_section", "direction", direction)
    n = n / np.linalg.norm(n)

    def d_at(h: float) -> float:
        return matrix.evaluation(p + h * n)

    heights, values = [0.0], [d_at(0.0)]
    step = delta
    while not (len(values) > 2 and values[-2] <= values[-1] and values[-2] <= values[-3]):
        if heights[-1] > farthest:
            return float("nan"), float("nan")
        heights.append(heights[-1] + step)
        values.append(d_at(heights[-1]))
        step *= GOLDEN
    low, high = heights[-3], heights[-1]
    a, b = high - (high - low) / GOLDEN, low + (high - low) / GOLDEN
    at_a, at_b = d_at(a), d_at(b)
    for _ in range(200):
        if at_a < at_b:
            high, b, at_b = b, a, at_a
            a = high - (high - low) / GOLDEN
            at_a = d_at(a)
        else:
            low, a, at_a = a, b, at_b
            b = low + (high - low) / GOLDEN
            at_b = d_at(b)
        if high - low <= 1e-16 * max(1.0, abs(high)):
            break
    h = 0.5 * (low + high)
    return h, d_at(h)
