"""Worn depths on a NURBS surface: its own rational basis, and a surface whose control points have moved.

With w(ξ) = Σ w_i R_i(ξ) the surface Σ (P_i − w_i n_i) R_i is the one worn by w; n_i are such that Σ n_i R_i is the
normal out of the body where the control points belong, so that an even depth is met there exactly. Control points that
lie on each other (seams, poles) share a coefficient, so that the surface stays closed.
"""

from __future__ import annotations

import dataclasses
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.linalg import spsolve

from gudgeon.nurbs import knots as kv
from gudgeon.nurbs.surface import Surface

SAME = 1e-9  # distance of control points that are one, of the size of the surface
GAUSS = 4  # points in a cell, for areas


class WornNet:
    """A surface, refined to `spans` knot intervals or more; `side`: +1 where its normal points out of the body."""

    def __init__(self, surface: Surface, spans: tuple[int, int], side: int):
        self.surface, self.side = _refined(surface, spans), side
        points = self.surface.points.reshape(-1, 3)
        near = np.round(points / (SAME * self.surface.patches.length[0]))
        _, self.first, owner = np.unique(near, axis=0, return_index=True, return_inverse=True)
        self.owner = owner.reshape(-1)  # coefficient of every control point
        self.count = len(self.first)

    @property
    def shape(self) -> tuple[int, int]:
        """Control points in ξ1 and ξ2."""
        n1, n2 = self.surface.points.shape[:2]
        return n1, n2

    @cached_property
    def places(self) -> tuple[np.ndarray, np.ndarray]:
        """Parameters to which the control points belong most (Greville's)."""
        found = []
        for axis in (0, 1):
            degree, knots = self.surface.degree[axis], self.surface.knots[axis]
            low, high = self.surface.domain[axis]
            means = [knots[i + 1 : i + degree + 1].mean() for i in range(self.shape[axis])]
            found.append(np.clip(means, low, high))
        return found[0], found[1]

    @cached_property
    def normals(self) -> np.ndarray:
        """n_i of every coefficient (coefficient, 3)."""
        one, two = (x.ravel() for x in np.meshgrid(*self.places, indexing="ij"))
        n = np.nan_to_num(self.surface.normal(one, two))
        total = np.stack([np.bincount(self.owner, column, self.count) for column in n.T], axis=1)
        total *= self.side / np.linalg.norm(total, axis=1, keepdims=True)
        found: Any = spsolve(self.shapes(one[self.first], two[self.first]).tocsc(), total)
        return found

    def shapes(self, xi1: np.ndarray, xi2: np.ndarray) -> csr_array:
        """(point, coefficient) R_i at parameters."""
        s = self.surface
        one, two = (
            kv.basis_matrix(s.knots[axis], s.degree[axis], _inside(s, axis, x)) for axis, x in ((0, xi1), (1, xi2))
        )
        rows, columns, values = [], [], []
        i, a = np.nonzero(one)
        for k in range(s.degree[1] + 1):  # of the few that are not zero, one after the other
            order = np.argsort(-two, axis=1, kind="stable")[:, k]
            b = order[i]
            value = one[i, a] * two[i, b] * s.weights[a, b]
            rows.append(i)
            columns.append(self.owner[a * self.shape[1] + b])
            values.append(value)
        shape = (len(one), self.count)
        found = csr_array((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), shape=shape)
        found.sum_duplicates()
        total = np.asarray(found.sum(axis=1)).ravel()
        return csr_array(found.multiply(1.0 / total[:, None]))

    @cached_property
    def areas(self) -> np.ndarray:
        """∫ R_i dA, of the part that is not trimmed away [m²]."""
        s = self.surface
        x, w = np.polynomial.legendre.leggauss(GAUSS)
        rows, weights = [], []
        for axis in (0, 1):
            ends = np.array(list(pairwise(kv.breaks(s.knots[axis], s.degree[axis]))))
            half, middle = 0.5 * (ends[:, 1] - ends[:, 0]), 0.5 * (ends[:, 1] + ends[:, 0])
            rows.append((middle[:, None] + half[:, None] * x).ravel())
            weights.append((half[:, None] * w).ravel())
        d = s.derivatives(rows[0][:, None], rows[1][None, :], order=1)
        size = np.linalg.norm(np.cross(d[..., 1, :], d[..., 2, :]), axis=-1) * np.outer(*weights)
        size = np.where(s.keeps(rows[0][:, None], rows[1][None, :]), size, 0.0)
        one, two = np.meshgrid(*rows, indexing="ij")
        return np.asarray(self.shapes(one.ravel(), two.ravel()).T @ size.ravel())

    def worn(self, depths: np.ndarray) -> Surface:
        """The surface worn by these depths [m]."""
        moved = (depths[:, None] * self.normals)[self.owner].reshape(self.surface.points.shape)
        return dataclasses.replace(self.surface, points=self.surface.points - moved)


def _refined(surface: Surface, spans: tuple[int, int]) -> Surface:
    """The same surface with at least so many knot intervals."""
    new: list[np.ndarray] = []
    for axis in (0, 1):
        ends = kv.breaks(surface.knots[axis], surface.degree[axis])
        parts = max(1, -(-spans[axis] // (len(ends) - 1)))
        new.append(np.concatenate([np.linspace(a, b, parts + 1)[1:-1] for a, b in pairwise(ends)]))
    return surface.inserted(xi1=new[0], xi2=new[1])


def _inside(surface: Surface, axis: int, x: np.ndarray) -> np.ndarray:
    low, high = surface.domain[axis]
    return (np.asarray(x) - low) % (high - low) + low if surface.closed[axis] else np.clip(x, low, high)
