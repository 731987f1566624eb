"""Knot vectors: their rules, B-spline basis functions, blossoms, insertion. Eqs (3), (4) and (17) of Čerimagić et al.

A direction of degree d with n control points has n + d + 1 knots; it is defined from knot d to knot n. Clamped ends
(d + 1 equal knots) are usual and not required.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gudgeon.checks import as_floats
from gudgeon.errors import ModelError

Array = NDArray[np.float64]
HIGHEST_DEGREE = 25


def checked_degree(owner: str, value: Any) -> int:
    """A degree that the kernels can work with."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 1 <= value <= HIGHEST_DEGREE:
        raise ModelError(f"{owner}: degree is {value!r}; give a whole number from 1 to {HIGHEST_DEGREE}")
    return int(value)


def checked_knots(owner: str, values: ArrayLike, degree: int, count: int) -> Array:
    """A read-only knot vector that fits `count` control points."""
    knots = as_floats(owner, "knots", values)
    if knots.ndim != 1 or len(knots) != count + degree + 1:
        raise ModelError(
            f"{owner}: {knots.size} knots for {count} control points of degree {degree}; "
            f"give control points + degree + 1 = {count + degree + 1} knots in one row"
        )
    steps = np.diff(knots)
    if (steps < 0.0).any():
        at = int(np.argmax(steps < 0.0))
        raise ModelError(
            f"{owner}: knots decrease from {knots[at]:g} to {knots[at + 1]:g} (places {at} and {at + 1}); "
            "a knot vector never decreases"
        )
    if knots[degree] == knots[count]:
        raise ModelError(f"{owner}: knots leave an empty domain, all from {knots[degree]:g}; give increasing knots")
    inner = knots[1:-1]
    for value in np.unique(inner):
        times = int(np.sum(inner == value))
        if times > degree:
            raise ModelError(
                f"{owner}: the knot {value:g} occurs {times} times inside; more than the degree {degree} would tear "
                "the surface apart: split it there, or give the knot less often"
            )
    knots.setflags(write=False)
    return knots


def clamped(degree: int, inner: ArrayLike = ()) -> Array:
    """Knots on [0, 1] with full ends and the given inner ones."""
    return np.concatenate([np.zeros(degree + 1), np.asarray(inner, dtype=float), np.ones(degree + 1)])


def breaks(knots: Array, degree: int) -> Array:
    """The distinct knots of the domain: where Bézier pieces meet."""
    return np.unique(knots[degree : len(knots) - degree])


def basis_matrix(knots: Array, degree: int, parameters: ArrayLike) -> Array:
    """N_i(ξ) as a matrix (ξ, i), by the recurrence (3), (4); the domain's end belongs to its last piece."""
    x = np.atleast_1d(np.asarray(parameters, dtype=float))
    count = len(knots) - degree - 1
    span = np.clip(np.searchsorted(knots, x, side="right") - 1, degree, count - 1)
    while (empty := knots[span] == knots[span + 1]).any():
        span[empty] -= 1
    matrix = np.zeros((len(x), len(knots) - 1))
    matrix[np.arange(len(x)), span] = 1.0
    for d in range(1, degree + 1):
        for i in range(len(knots) - 1 - d):
            left, right = knots[i + d] - knots[i], knots[i + d + 1] - knots[i + 1]
            column = np.zeros(len(x))
            if left > 0.0:
                column += (x - knots[i]) / left * matrix[:, i]
            if right > 0.0:
                column += (knots[i + d + 1] - x) / right * matrix[:, i + 1]
            matrix[:, i] = column
    return matrix[:, :count]


def bezier_pieces(points: Array, knots: Array, degree: int) -> Array:
    """Control points (piece, degree + 1, ...) of the Bézier pieces of control points (n, ...) along axis 0.

    The control points of the piece [a, b] are its blossom at (a, …, a, b, …, b): what inserting every inner knot up to
    multiplicity `degree` leaves, whether the ends are clamped or not.
    """
    pieces = []
    for span in range(degree, len(knots) - degree - 1):
        a, b = knots[span], knots[span + 1]
        if a == b:
            continue
        local = points[span - degree : span + 1]
        t = knots[span - degree + 1 : span + degree + 1]  # the 2·degree knots that matter
        piece = [_blossom(local, t, degree, [a] * (degree - k) + [b] * k) for k in range(degree + 1)]
        if pieces:
            piece[0] = pieces[-1][-1]
        pieces.append(piece)
    return np.array(pieces)


def _blossom(local: Array, t: Array, degree: int, arguments: Sequence[float]) -> Array:
    q = [np.asarray(x) for x in local]
    for level, x in enumerate(arguments):
        for i in range(degree, level, -1):
            left, right = t[i - 1], t[i - 1 + degree - level]
            weight = (x - left) / (right - left)
            q[i] = (1.0 - weight) * q[i - 1] + weight * q[i]
    return q[degree]


def inserted(points: Array, knots: Array, degree: int, knot: float) -> tuple[Array, Array]:
    """Control points and knots with one knot more, the same curve: eq (17) with homogeneous points (n, ...)."""
    count = len(points)
    k = int(np.searchsorted(knots, knot, side="right")) - 1
    k = min(k, len(knots) - 2)
    new = np.empty((count + 1, *points.shape[1:]))
    for i in range(count + 1):
        if i <= k - degree:
            alpha = 1.0
        elif i <= k:
            alpha = (knot - knots[i]) / (knots[i + degree] - knots[i])
        else:
            alpha = 0.0
        here = points[i] if i < count else 0.0
        before = points[i - 1] if i > 0 else 0.0
        new[i] = alpha * here + (1.0 - alpha) * before
    return new, np.insert(knots, k + 1, knot)


def elevated(points: Array, knots: Array, degree: int) -> tuple[Array, Array]:
    """Control points and knots of the same curve as one of degree + 1: every knot once more.

    The curve of higher degree is determined by its values at the Greville points of its knots.
    """
    inner = knots[degree + 1 : len(knots) - degree - 1]
    ends = knots[degree], knots[len(knots) - degree - 1]
    inner = inner[(inner > ends[0]) & (inner < ends[1])]
    high = degree + 1
    new = np.sort(np.concatenate([np.repeat(ends, high + 1), inner, np.unique(inner)]))
    count = len(new) - high - 1
    greville = np.array([new[i + 1 : i + high + 1].mean() for i in range(count)])
    values = np.tensordot(basis_matrix(knots, degree, greville), points, axes=(1, 0))
    flat = np.linalg.solve(basis_matrix(new, high, greville), values.reshape(count, -1))
    return np.asarray(flat, dtype=np.float64).reshape(count, *points.shape[1:]), new
