"""All intersections of a line with a surface as eigenvalues of matrix pencils: the corrected search with M-reps.

Along the line x = p + h n the implicit matrix (32) is M = A + h B. Where the line meets the algebraic surface M drops
in rank: h is a generalized eigenvalue. This replaces the minimization (36), (37), which sees one root of one sign
and may step over it. What the eigenvalues cannot know, whether a root is on the patch, the kernel tells: it holds ξ.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gudgeon.checks import as_floats
from gudgeon.nurbs.implicit import ImplicitMatrix, implicit_matrix
from gudgeon.nurbs.surface import Surface

Array = NDArray[np.float64]


def pencil_heights(matrix: ImplicitMatrix, origin: ArrayLike, direction: ArrayLike) -> Array:
    """All h where the line origin + h·direction meets the algebraic surface of the patch: real eigenvalues of A + h B.

    M has more columns than rows: fixed random mixtures of them make the pencil square, and only those h count at which
    the whole of M drops in rank.

    >>> from gudgeon.nurbs import Surface
    >>> from gudgeon.nurbs.implicit import implicit_matrix
    >>> octant = implicit_matrix(Surface.sphere(1.0).bezier()[1], scaled=True)
    >>> np.unique(pencil_heights(octant, (0.4, 0.3, 5), (0, 0, -1)).round(6))
    array([4.133975, 5.866025])
    """
    from scipy.linalg import eigvals

    p, n = np.asarray(origin, dtype=float), np.asarray(direction, dtype=float)
    n = n / np.linalg.norm(n)
    a, b = matrix.at(p), np.tensordot(n, matrix.blocks[1:], axes=(0, 0))  # h in units of `scale`
    rows, columns = a.shape
    mix = np.linalg.qr(np.random.default_rng(4).normal(size=(columns, rows)))[0] if columns > rows else np.eye(rows)
    alpha, beta = np.asarray(eigvals(a @ mix, -(b @ mix), homogeneous_eigvals=True))
    finite = np.abs(beta) > 1e-12 * np.abs(alpha)
    h = alpha[finite] / beta[finite]
    h = np.sort(h.real[np.abs(h.imag) <= 1e-5 * (1.0 + np.abs(h))])
    sigma = np.array([np.linalg.svd(a + x * b, compute_uv=False)[[0, -1]] for x in h]).reshape(-1, 2)
    return matrix.scale * h[sigma[:, 1] <= 1e-6 * sigma[:, 0]]


def pencil_hits(
    surface: Surface, origin: ArrayLike, direction: ArrayLike, *, matrices: list[ImplicitMatrix] | None = None
) -> Array:
    """Every intersection (h, ξ1, ξ2) of a line with a surface, sorted, by pencils: the same as `Surface.hits`.

    Each eigenvalue gives a point x, its kernel ξ; it counts if S(ξ) is x. Two steps of Newton's method then remove the
    errors of the eigenvalues (1e-8 and better), and ξ must lie in the patch. `matrices` are the scaled
    ones of Surface.bezier, if many lines share them.

    >>> from gudgeon.nurbs import Surface
    >>> pencil_hits(Surface.sphere(1.0), (0.4, 0.3, 5), (0, 0, -1))[:, 0].round(6)
    array([4.133975, 5.866025])
    """
    p = as_floats("pencil_hits", "origin", origin)
    n = as_floats("pencil_hits", "direction", direction)
    n = n / np.linalg.norm(n)
    if matrices is None:
        matrices = [implicit_matrix(patch, scaled=True) for patch in surface.bezier()]
    found: list[Array] = []
    for matrix in matrices:
        offset = matrix.center - p
        if np.linalg.norm(offset - (offset @ n) * n) > (1.0 + 1e-9) * matrix.scale:
            continue  # the line passes the ball around the patch
        for h in pencil_heights(matrix, p, n):
            x = p + h * n
            for xi in matrix.parameters(x, tolerance=1e-5):
                root = _polished(matrix.patch, p, n, h, xi, 1e-4 * matrix.scale)
                if root is not None and surface.keeps(root[1], root[2]):
                    found.append(root)
    found.sort(key=lambda root: root[0])
    size = float(surface.patches.length[0])
    kept: list[Array] = []
    for root in found:
        if not any(abs(root[0] - other[0]) <= 1e-7 * size and _near(surface, root, other) for other in kept):
            kept.append(root)
    return np.array(kept).reshape(-1, 3)


def _polished(patch: Surface, p: Array, n: Array, h: float, xi: Array, near: float) -> Array | None:
    """(h, ξ1, ξ2) after Newton's method, or None if S(ξ) is not p + h n or ξ leaves the patch."""
    low, high = np.array(patch.domain).T
    edge = 1e-5 * (high - low)
    if not ((xi >= low - edge) & (xi <= high + edge)).all():
        return None
    for step in range(4):
        inside = np.clip(xi, low, high)
        s, s1, s2 = patch.derivatives(*inside, order=1)
        miss = s + s1 * (xi - inside)[0] + s2 * (xi - inside)[1] - (p + h * n)
        if step == 0 and np.linalg.norm(miss) > near:
            return None
        change, *_ = np.linalg.lstsq(np.stack([s1, s2, -n], axis=1), -miss, rcond=1e-12)
        xi, h = xi + change[:2], h + change[2]
    edge = 1e-9 * (high - low)
    if not ((xi >= low - edge) & (xi <= high + edge)).all():
        return None
    return np.array([h, *np.clip(xi, low, high)])


def _near(surface: Surface, a: Array, b: Array) -> bool:
    """Whether two roots of equal height have parameters that meet: at patch edges, over a seam, at a pole."""
    (low1, high1), (low2, high2) = surface.domain
    apart = np.abs(a[1:] - b[1:]) / (high1 - low1, high2 - low2)
    apart = np.where(surface.closed, np.minimum(apart, 1.0 - apart), apart)
    if (apart <= 1e-6).all():
        return True
    d = surface.derivatives(*a[1:], order=1)
    short = np.linalg.norm(d[1:], axis=1) * (high1 - low1, high2 - low2)
    return bool((short <= 1e-6 * surface.patches.length[0]).any())
