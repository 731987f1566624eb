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

from gudgeon.mechanics.clusters import Cluster, clusters_of
from gudgeon.mechanics.equations import Equations
from gudgeon.mechanics.typical_length import twist_units
from gudgeon.rotations import cross

ACCURATE = 1e-4  # σ, and more, that K⁺ tells to ten digits [-]


class Factors:
    """Matrices K of one shape, factorised as far as it is asked for.

    K⁺ solves the equations; far from singular positions it tells σ = 1/‖K⁺‖₂ too. The singular values themselves,
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
        if self._inverse is None or self.least_sigma.min() < ACCURATE:
            return np.linalg.svd(self.scaled, compute_uv=False)[:, -1]
        return 1.0 / np.sqrt(np.linalg.eigvalsh(self._inverse @ self._inverse.transpose(0, 2, 1))[:, -1])

    def dependence(self, which: int) -> np.ndarray:
        """The combination of rows that vanishes where σ does."""
        return self._singular[0][which, :, -1]

    @cached_property
    def _inverse(self) -> np.ndarray | None:
        """K⁺, from K itself or from K = Q T with a triangle T; None where a K has none."""
        _, rows, unknowns = self.scaled.shape
        if rows < unknowns:
            return None
        try:
            if rows == unknowns:
                return np.linalg.inv(self.scaled)
            orthogonal, triangle = np.linalg.qr(self.scaled)
            return np.linalg.inv(triangle) @ orthogonal.transpose(0, 2, 1)
        except np.linalg.LinAlgError:
            return None

    @cached_property
    def least_sigma(self) -> np.ndarray:
        """Values that σ is not below: 1/‖K⁺‖ of Frobenius, at most √unknowns too small."""
        if self._inverse is None:
            return np.zeros(len(self.scaled))
        return 1.0 / np.linalg.norm(self._inverse, axis=(1, 2))

    def solve(self, right_side: np.ndarray, least: float = 0.0) -> np.ndarray:
        """The x of K x = b for each K, singular values below `least` left out."""
        if least == 0.0 and self._inverse is not None:
            return (self._inverse @ right_side[:, :, None])[:, :, 0]
        left, values, right = self._singular
        kept = values > least
        along = np.where(kept, (left.transpose(0, 2, 1) @ right_side[:, :, None])[:, :, 0], 0.0)
        return (right.transpose(0, 2, 1) @ (along / np.where(kept, values, 1.0))[:, :, None])[:, :, 0]

    def changes(self, other: Factors) -> np.ndarray:
        """K⁺ (K′ − K) of each K and the other's K′."""
        if self._inverse is not None and self.least_sigma.min() >= ACCURATE:
            return self._inverse @ (other.scaled - self.scaled)
        left, values, right = self._singular
        change = left.transpose(0, 2, 1) @ (other.scaled - self.scaled)
        return right.transpose(0, 2, 1) @ (change / np.where(values > 0.0, values, 1e-300)[:, :, None])


class _Shape(NamedTuple):
    """Clusters with equally many rows and bodies."""

    rows: np.ndarray  # (clusters, rows)
    bodies: np.ndarray  # (clusters, bodies)
    columns: np.ndarray  # (2 or 4, clusters, rows) place of the row's bodies in `bodies`; −1: the root


class Layout:
    """Which numbers of the Jacobian belong to which cluster."""

    def __init__(self, equations: Equations):
        self.clusters = clusters_of(equations)
        self.sides = equations.sides.bodies
        self.unit = twist_units(equations)[:6]  # W of one body
        self.shapes = [self._shape(members) for members in self._by_shape().values()]
        self.carriers = np.eye(1 + len(equations.system.bodies))  # 1 where a body moves with another one, or is that
        for root, bodies, _ in self.clusters:  # from the ground outwards
            self.carriers[bodies] += self.carriers[root]

    def _by_shape(self) -> dict[tuple[int, int], list[Cluster]]:
        found: dict[tuple[int, int], list[Cluster]] = {}
        for cluster in self.clusters:
            found.setdefault((len(cluster.rows), len(cluster.bodies)), []).append(cluster)
        return found

    def _shape(self, members: Sequence[Cluster]) -> _Shape:
        rows, bodies = (np.array(list(part)) for part in zip(*((c.rows, c.bodies) for c in members), strict=True))
        columns = np.full((self.sides.shape[1], *rows.shape), -1)
        for side in range(len(columns)):
            cluster, row, place = np.nonzero(self.sides[rows, side][:, :, None] == bodies[:, None, :])
            columns[side][cluster, row] = place
        return _Shape(rows, bodies, columns)


class RowsAt(NamedTuple):
    """The rows of joints and drives, and where the bodies are, in several states."""

    residual: np.ndarray  # (states, rows) Φ
    rate: np.ndarray  # Φ̇
    gamma: np.ndarray  # γ
    jacobian: np.ndarray  # (states, rows, 2 or 4, 6) on the parent and the child, of couplings those of two joints
    position: np.ndarray  # (states, bodies with the ground, 3) [m]

    def times_jacobian(self, layout: Layout, x: np.ndarray) -> np.ndarray:
        """Φ_q x (states, rows), x of all bodies (states, 6 bodies)."""
        moves = np.concatenate([np.zeros((len(x), 1, 6)), x.reshape(len(x), -1, 6)], axis=1)
        return np.einsum("srbc,srbc->sr", self.jacobian, moves[:, layout.sides])


class ClusterFactors:
    """The Jacobians of one or several states, scaled and factorised."""

    def __init__(self, at: RowsAt, layout: Layout):
        self._layout, self._count = layout, len(at.residual)
        self._place = at.position - at.position[:, 1:].mean(axis=1, keepdims=True)
        values = at.jacobian * layout.unit
        self._groups: list[tuple[_Shape, Factors, np.ndarray]] = []  # with R (states, clusters, rows)
        for shape in layout.shapes:
            count, rows = shape.rows.shape
            matrix = np.zeros((self._count, count, rows, shape.bodies.shape[1], 6))
            for side in range(len(shape.columns)):
                cluster, row = np.nonzero(shape.columns[side] >= 0)
                place = shape.columns[side][cluster, row]
                matrix[:, cluster, row, place] += values[:, shape.rows[cluster, row], side]
            scaled = matrix.reshape(self._count, count, rows, -1)
            length = np.linalg.norm(scaled, axis=3)
            scale = np.divide(1.0, length, out=np.zeros_like(length), where=length > 0.0)
            scaled = (scaled * scale[..., None]).reshape(self._count * count, rows, -1)
            self._groups.append((shape, Factors(scaled), scale))

    @cached_property
    def sigma(self) -> float:
        """The smallest singular value of all clusters."""
        return float(min(factors.sigma.min() for _, factors, _ in self._groups))

    @property
    def least_sigma(self) -> np.ndarray:
        """(states) values that σ is not below."""
        each = [factors.least_sigma.reshape(self._count, -1).min(axis=1) for _, factors, _ in self._groups]
        return np.min(each, axis=0)

    @cached_property
    def dependence(self) -> np.ndarray:
        """(rows) the combination of scaled rows that vanishes where σ does; of one state."""
        shape, factors, _ = min(self._groups, key=lambda group: group[1].sigma.min())
        which = int(np.argmin(factors.sigma))
        out = np.zeros(len(self._layout.sides))
        out[shape.rows[which]] = factors.dependence(which)
        return out

    @property
    def row_scale(self) -> np.ndarray:
        """R of all rows; of one state."""
        out = np.zeros(len(self._layout.sides))
        for shape, _, scale in self._groups:
            out[shape.rows] = scale[0]
        return out

    def solve(self, right_side: np.ndarray, least: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
        """The x of Φ_q x = b (states, 6 bodies), and its part within clusters, scaled; `least`: see Factors.solve."""
        count, layout = self._count, self._layout
        own = np.zeros((count, len(layout.carriers), 6))
        for shape, factors, scale in self._groups:
            right = (scale * right_side[:, shape.rows]).reshape(len(factors.scaled), -1)
            own[:, shape.bodies] = factors.solve(right, least).reshape(count, *shape.bodies.shape, 6)
        x = own * layout.unit
        x[:, :, :3] -= cross(x[:, :, 3:], self._place)  # as seen at one point of space: there rigid motions add
        x = layout.carriers @ x
        x[:, :, :3] += cross(x[:, :, 3:], self._place)
        return x[:, 1:].reshape(count, -1), own[:, 1:].reshape(count, -1)

    def changes(self, other: ClusterFactors) -> list[np.ndarray]:
        """K⁺ (K′ − K), K′ the other's, of the clusters of each shape."""
        return [one[1].changes(two[1]) for one, two in zip(self._groups, other._groups, strict=True)]
