"""A NURBS curve cut into short pieces of rational polynomials, which compiled code evaluates and searches.

Every piece turns by a quarter radian at most, so that it is nearly its chord and has one nearest point to whatever is
not farther away than its radius of curvature.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import NamedTuple

import numpy as np

from gudgeon.nurbs import knots as kv
from gudgeon.nurbs.curve import Array, Curve

TURN = 0.25  # of a piece, at most [rad]
MOST_CUTS = 12  # halvings of a piece between two knots
CORNER = 1e-5  # turn between two pieces that makes a corner [rad]
LOOKS = 17  # points of a piece at which it is looked at
CLOSED = 1e-9  # distance of the two ends that is none, of the curve's size
MARGIN = 1.1  # on what a piece leaves its chord by, seen at some points only
# Gauss points and weights on [0, 1]
GAUSS, WEIGHT = (0.5 * (np.polynomial.legendre.leggauss(8)[0] + 1.0), 0.5 * np.polynomial.legendre.leggauss(8)[1])


class Pieces(NamedTuple):
    """The pieces of a curve, in its own axes."""

    breaks: Array  # (n + 1) ξ where they begin and end
    points: Array  # (n + 1, 3) the curve there [m]
    lengths: Array  # (n + 1) of the curve up to there [m]
    sags: Array  # (n) how far each leaves its chord, at most [m]
    coefficients: Array  # (n, 4, degree + 1) of w x, w y, w z, w in powers of ξ − ξ_k
    corners: tuple[float, ...]  # ξ of corners
    closed: bool

    @property
    def size(self) -> float:
        """Its largest extent [m]."""
        return float(np.ptp(self.points, axis=0).max())

    def nearest_to_itself(self) -> float:
        """How near parts of the curve come that are not neighbours [m], to the accuracy of fine chords."""
        x = np.concatenate([self.at(k, np.linspace(0.0, 1.0, LOOKS)[:-1])[0] for k in range(len(self.sags))])
        x = np.vstack([x, self.points[-1]])
        count, apart = len(x), max(2 * LOOKS, 4)
        found = np.inf
        for k in range(count - apart):
            last = count - apart if self.closed and k < apart else count
            others = x[k + apart : last if last > k + apart else k + apart]
            if len(others):
                found = min(found, float(np.linalg.norm(others - x[k], axis=1).min()))
        return found

    def length_to(self, point: Array, *, extruded: bool = False) -> float:
        """Length of the curve up to what of it is nearest to a point, seen along z where it is extruded [m]."""
        best, length, kept = np.inf, 0.0, np.array([1.0, 1.0, 0.0 if extruded else 1.0])
        for k in range(len(self.sags)):

            def along(share: float, k: int = k) -> float:
                x, slope = self.at(k, np.array([share]))
                return float(slope[0] * kept @ (point - x[0]))

            low, high = 0.0, 1.0
            while high - low > 1e-16 and low < (middle := 0.5 * (low + high)) < high:
                low, high = (middle, high) if along(middle) > 0.0 else (low, middle)
            away = kept * (self.at(k, np.array([low]))[0][0] - point)
            if away @ away < best:
                best = float(away @ away)
                _, slopes = self.at(k, low * GAUSS)
                whole = low * (self.breaks[k + 1] - self.breaks[k])
                length = float(self.lengths[k] + whole * (WEIGHT @ np.linalg.norm(slopes, axis=1)))
        return length

    def at(self, k: int, share: Array) -> tuple[Array, Array]:
        """Points and derivatives by ξ of piece k at parts of it, 0 … 1."""
        h = share * (self.breaks[k + 1] - self.breaks[k])
        powers = h[:, None] ** np.arange(self.coefficients.shape[2])
        value = powers @ self.coefficients[k].T
        slopes = np.arange(1, self.coefficients.shape[2]) * self.coefficients[k][:, 1:]
        change = powers[:, :-1] @ slopes.T
        point = value[:, :3] / value[:, 3:]
        return point, (change[:, :3] - change[:, 3:] * point) / value[:, 3:]


@lru_cache(maxsize=64)
def pieces_of(curve: Curve) -> Pieces:
    """The pieces of a curve.

    >>> from gudgeon.nurbs import Curve
    >>> from gudgeon.nurbs.pieces import pieces_of
    >>> circle = pieces_of(Curve.arc(radius=1.0))
    >>> circle.closed, len(circle.corners), round(float(circle.lengths[-1]), 12)
    (True, 0, 6.28318530718)
    """
    knots = kv.breaks(curve.knots, curve.degree)
    found: list[tuple[float, float, Array]] = []
    for a, b, bezier in zip(
        knots, knots[1:], kv.bezier_pieces(curve.homogeneous, curve.knots, curve.degree), strict=False
    ):
        found += _cut(float(a), float(b), bezier, MOST_CUTS)
    breaks = np.array([a for a, _, _ in found] + [found[-1][1]])
    coefficients = np.array([_powers(bezier, b - a) for a, b, bezier in found])
    ends = [*(bezier[0] for _, _, bezier in found), found[-1][2][-1]]
    points = np.array([end[:3] / end[3] for end in ends])
    size = float(np.ptp(points, axis=0).max())
    closed = bool(np.linalg.norm(points[-1] - points[0]) <= CLOSED * size) and len(found) > 1
    if closed:
        points[-1] = points[0]
    made = Pieces(breaks, points, np.zeros(len(points)), np.zeros(len(found)), coefficients, (), closed)
    lengths, sags = [0.0], []
    for k in range(len(found)):
        _, slopes = made.at(k, GAUSS)
        lengths.append(float(WEIGHT @ np.linalg.norm(slopes, axis=1)) * (breaks[k + 1] - breaks[k]))
        sags.append(_sag(made.at(k, np.linspace(0.0, 1.0, LOOKS))[0]))
    corners = _corners(found, breaks, closed)
    return made._replace(lengths=np.cumsum(lengths), sags=np.array(sags), corners=corners)


def _tangents(bezier: Array, share: Array) -> tuple[Array, Array]:
    """Unit tangents of a Bézier piece, and the speeds by its own parameter."""
    degree = len(bezier) - 1
    basis = np.array([comb(degree, i) * share**i * (1.0 - share) ** (degree - i) for i in range(degree + 1)]).T
    lower = np.array([comb(degree - 1, i) * share**i * (1.0 - share) ** (degree - 1 - i) for i in range(degree)]).T
    value, change = basis @ bezier, degree * lower @ np.diff(bezier, axis=0)
    slope = (change[:, :3] - change[:, 3:] * value[:, :3] / value[:, 3:]) / value[:, 3:]
    speed = np.linalg.norm(slope, axis=1)
    return slope / np.where(speed > 0.0, speed, 1.0)[:, None], speed


def _cut(a: float, b: float, bezier: Array, cuts: int) -> list[tuple[float, float, Array]]:
    """Halve a piece until it turns little."""
    tangents, _ = _tangents(bezier, np.linspace(0.0, 1.0, LOOKS))
    cosines = np.clip(np.sum(tangents[1:] * tangents[:-1], axis=1), -1.0, 1.0)
    if cuts == 0 or float(np.arccos(cosines).sum()) <= TURN:
        return [(a, b, bezier)]
    left, right, row = [bezier[0]], [bezier[-1]], bezier
    while len(row) > 1:
        row = 0.5 * (row[1:] + row[:-1])
        left.append(row[0])
        right.insert(0, row[-1])
    middle = 0.5 * (a + b)
    return _cut(a, middle, np.array(left), cuts - 1) + _cut(middle, b, np.array(right), cuts - 1)


def _powers(bezier: Array, length: float) -> Array:
    """(4, degree + 1) coefficients in powers of ξ − ξ_k of a Bézier piece."""
    degree = len(bezier) - 1
    out = np.zeros((degree + 1, 4))
    for j in range(degree + 1):
        for i in range(j + 1):
            out[j] += (-1.0) ** (j - i) * comb(degree, j) * comb(j, i) * bezier[i]
        out[j] /= length**j
    return out.T


def _sag(points: Array) -> float:
    """How far points leave the line between the first and the last."""
    chord, away = points[-1] - points[0], points - points[0]
    square = float(chord @ chord)
    share = np.clip(away @ chord / square, 0.0, 1.0) if square > 0.0 else np.zeros(len(points))
    return MARGIN * float(np.linalg.norm(away - share[:, None] * chord, axis=1).max())


def _corners(found: list[tuple[float, float, Array]], breaks: Array, closed: bool) -> tuple[float, ...]:
    """Where the tangent jumps."""
    begin = np.array([_tangents(bezier, np.array([0.0]))[0][0] for _, _, bezier in found])
    end = np.array([_tangents(bezier, np.array([1.0]))[0][0] for _, _, bezier in found])
    after = np.roll(begin, -1, axis=0)
    jump = np.linalg.norm(after - end, axis=1) > CORNER
    if not closed:
        jump[-1] = False
    return tuple(breaks[1:][jump].tolist())
