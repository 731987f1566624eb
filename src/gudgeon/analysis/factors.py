"""The scaled Jacobian of a fully driven mechanism, factorised cluster by cluster (mechanics/clusters.py).

Scaled Jacobian of a cluster K = R Φ_q W: W measures displacements in lengths of the mechanism (its longest arm), R
makes every row as long as one. A fully driven mechanism has as many independent rows as unknowns, so the smallest
singular value σ is positive, however many rows are redundant; σ = 0 is a singular position. Clusters of one shape are
factorised at once; bodies beyond a cluster are carried along.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from gudgeon.kernels.arrays import POSITION
from gudgeon.mechanics.clusters import Cluster, clusters_of, row_sides
from gudgeon.mechanics.equations import Equations


class Factors:
    """Matrices K of one shape, factorised as far as it is asked for.

    K = Q T with a triangle T solves the equations, and 1/‖T⁻¹‖ is never above σ. The singular values themselves,
    K = U S Xᵀ, cost ten times as much.
    """

    def __init__(self, scaled: np.ndarray):
        self.scaled = scaled  # K (matrices, rows, unknowns)

    @cached_property
    def _singular(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        left, values, right = np.linalg.svd(self.scaled, full_matrices=False)
        return left, values, right

    @cached_property
    def sigma(self) -> np.ndarray:
        """The smallest singular value of each K; zero where there are too few rows."""
        count, rows, unknowns = self.scaled.shape
        if rows < unknowns:
            return np.zeros(count)
        if "_singular" in self.__dict__:
            return self._singular[1][:, -1]
        return np.linalg.svd(self.scaled, compute_uv=False)[:, -1]

    def dependence(self, which: int) -> np.ndarray:
        """The combination of rows that vanishes where σ does."""
        return self._singular[0][which, :, -1]

    @cached_property
    def _triangular(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Q and T⁻¹; None where a T has none."""
        if self.scaled.shape[1] < self.scaled.shape[2]:
            return None
        orthogonal, triangle = np.linalg.qr(self.scaled)
        try:
            return orthogonal, np.linalg.inv(triangle)
        except np.linalg.LinAlgError:
            return None

    @property
    def least_sigma(self) -> np.ndarray:
        """Values that σ is not below: 1/‖T⁻¹‖ of Frobenius, at most √unknowns too small."""
        if self._triangular is None:
            return np.zeros(len(self.scaled))
        return 1.0 / np.linalg.norm(self._triangular[1], axis=(1, 2))

    def solve(self, right_side: np.ndarray, least: float = 0.0) -> np.ndarray:
        """The x of K x = b for each K, singular values below `least` left out."""
        if least == 0.0 and self._triangular is not None:
            orthogonal, inverse = self._triangular
            return (inverse @ (orthogonal.transpose(0, 2, 1) @ right_side[:, :, None]))[:, :, 0]
        left, values, right = self._singular
        kept = values > least
        along = np.where(kept, (left.transpose(0, 2, 1) @ right_side[:, :, None])[:, :, 0], 0.0)
        return (right.transpose(0, 2, 1) @ (along / np.where(kept, values, 1.0))[:, :, None])[:, :, 0]

    def changes(self, other: Factors) -> np.ndarray:
        """K⁺ (K′ − K) of each K and the other's K′."""
        left, values, right = self._singular
        change = left.transpose(0, 2, 1) @ (other.scaled - self.scaled)
        return right.transpose(0, 2, 1) @ (change / np.where(values > 0.0, values, 1e-300)[:, :, None])


class _Shape(NamedTuple):
    """Clusters with equally many rows and bodies."""

    rows: np.ndarray  # (clusters, rows)
    bodies: np.ndarray  # (clusters, bodies)
    columns: np.ndarray  # (2, clusters, rows) place of the row's parent and child in `bodies`; −1: the root


class Layout:
    """Which numbers of the Jacobian belong to which cluster."""

    def __init__(self, equations: Equations, length: float):
        self.clusters = clusters_of(equations)
        self.sides = row_sides(equations)
        self.unit = np.array([length] * 3 + [1.0] * 3)  # W of one body
        self.shapes = [self._shape(members) for members in self._by_shape().values()]
        self.carried = [(root, int(body)) for root, bodies, _ in self.clusters if root for body in bodies]
        self.roots = np.zeros(1 + len(equations.system.bodies), dtype=np.int64)  # of every body
        for root, body in self.carried:
            self.roots[body] = root

    def times_jacobian(self, equations: Equations, x: np.ndarray) -> np.ndarray:
        """Φ_q x (6 bodies) with the rows last evaluated."""
        values = equations.work.jacobian.reshape(-1, 12)[equations.joint_rows]
        moves = np.vstack([np.zeros(6), x.reshape(-1, 6)])
        return np.einsum("rc,rc->r", values, moves[self.sides].reshape(-1, 12))

    def _by_shape(self) -> dict[tuple[int, int], list[Cluster]]:
        found: dict[tuple[int, int], list[Cluster]] = {}
        for cluster in self.clusters:
            found.setdefault((len(cluster.rows), len(cluster.bodies)), []).append(cluster)
        return found

    def _shape(self, members: Sequence[Cluster]) -> _Shape:
        rows, bodies = (np.array(list(part)) for part in zip(*((c.rows, c.bodies) for c in members), strict=True))
        columns = np.full((2, *rows.shape), -1)
        for side in (0, 1):
            cluster, row, place = np.nonzero(self.sides[rows, side][:, :, None] == bodies[:, None, :])
            columns[side][cluster, row] = place
        return _Shape(rows, bodies, columns)


class ClusterFactors:
    """The rows last evaluated in `equations.work`, scaled and factorised."""

    def __init__(self, equations: Equations, layout: Layout):
        self._layout = layout
        position = equations.work.body[:, POSITION : POSITION + 3]
        self._arms = (position - position[layout.roots]).tolist()  # of every body from the root of its cluster [m]
        values = equations.work.jacobian.reshape(-1, 2, 6)[equations.joint_rows] * layout.unit
        self._groups: list[tuple[_Shape, Factors, np.ndarray]] = []  # with R (clusters, rows)
        for shape in layout.shapes:
            count, rows = shape.rows.shape
            matrix = np.zeros((count, rows, shape.bodies.shape[1], 6))
            for side in (0, 1):
                cluster, row = np.nonzero(shape.columns[side] >= 0)
                matrix[cluster, row, shape.columns[side][cluster, row]] += values[shape.rows[cluster, row], side]
            scaled = matrix.reshape(count, rows, -1)
            length = np.linalg.norm(scaled, axis=2)
            row_scale = np.divide(1.0, length, out=np.zeros_like(length), where=length > 0.0)
            self._groups.append((shape, Factors(scaled * row_scale[:, :, None]), row_scale))

    @cached_property
    def sigma(self) -> float:
        """The smallest singular value of all clusters."""
        return float(min(factors.sigma.min() for _, factors, _ in self._groups))

    @property
    def least_sigma(self) -> float:
        """A value that σ is not below."""
        return float(min(factors.least_sigma.min() for _, factors, _ in self._groups))

    @cached_property
    def dependence(self) -> np.ndarray:
        """(rows) the combination of scaled rows that vanishes where σ does."""
        shape, factors, _ = min(self._groups, key=lambda group: group[1].sigma.min())
        which = int(np.argmin(factors.sigma))
        out = np.zeros(len(self._layout.sides))
        out[shape.rows[which]] = factors.dependence(which)
        return out

    @property
    def row_scale(self) -> np.ndarray:
        """R of all rows."""
        out = np.zeros(len(self._layout.sides))
        for shape, _, scale in self._groups:
            out[shape.rows] = scale
        return out

    def solve(self, right_side: np.ndarray, least: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
        """The x of Φ_q x = b (6 bodies), and the part of it within clusters, scaled; `least`: see Factors.solve."""
        own = np.zeros((len(self._arms), 6))
        for shape, factors, scale in self._groups:
            found = factors.solve(scale * right_side[shape.rows], least)
            own[shape.bodies] = found.reshape(*shape.bodies.shape, 6)
        moves, arms = (own * self._layout.unit).tolist(), self._arms
        for root, body in self._layout.carried:  # numbers in lists: faster than arrays of three
            (x, y, z, a, b, c), (p, q, r), own_move = moves[root], arms[body], moves[body]
            carried = (x + b * r - c * q, y + c * p - a * r, z + a * q - b * p, a, b, c)
            moves[body] = [one + two for one, two in zip(own_move, carried, strict=True)]
        return np.array(moves[1:]).reshape(-1), own[1:].reshape(-1)

    def changes(self, other: ClusterFactors) -> list[np.ndarray]:
        """K⁺ (K′ − K), K′ the other's, of the clusters of each shape."""
        return [one[1].changes(two[1]) for one, two in zip(self._groups, other._groups, strict=True)]
