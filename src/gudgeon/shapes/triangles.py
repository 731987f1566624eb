"""Triangles that bound a body: kept as text within a description; volume and moments by the divergence theorem.

With the tetrahedra between the origin and each triangle (a, b, c), V = Σ a·(b × c)/6, the volume and its first and
second moments are sums over triangles (Lien and Kajiya: A symbolic method for calculating the integral properties of
arbitrary nonconvex polyhedra, 1984; Eberly: Polyhedral mass properties):

    ∫ dV = Σ d/6      ∫ x dV = Σ d/24 (a + b + c)      ∫ x xᵀ dV = Σ d/120 (a aᵀ + b bᵀ + c cᵀ + s sᵀ), s = a + b + c

with d = a·(b × c).
"""

from __future__ import annotations

import base64
import binascii
import zlib
from dataclasses import dataclass
from functools import cache

import numpy as np

from gudgeon.errors import ModelError

MOST_TRIANGLES = 2_000_000
MOST_BYTES = 36 * MOST_TRIANGLES + 8  # unpacked
Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Triangles:
    """Corners and which three of them are a triangle, counter-clockwise from outside."""

    corners: Array  # (corner_count, 3) float32, in the file's unit
    triples: Array  # (triangle_count, 3) int32

    @classmethod
    def of_soup(cls, points: Array) -> Triangles:
        """Of (triangle_count, 3, 3) points: equal ones become one corner, triangles without area are left out."""
        flat = np.ascontiguousarray(points, dtype=np.float32).reshape(-1, 3) + np.float32(0.0)  # no −0
        corners, where = np.unique(flat, axis=0, return_inverse=True)
        triples = where.reshape(-1, 3).astype(np.int32)
        a, b, c = triples.T
        return cls(corners, triples[(a != b) & (b != c) & (c != a)])

    def packed(self) -> str:
        """As text: counts, corners and triples, compressed, base64."""
        counts = np.array([len(self.corners), len(self.triples)], dtype="<i4")
        content = counts.tobytes() + self.corners.astype("<f4").tobytes() + self.triples.astype("<i4").tobytes()
        return base64.b64encode(zlib.compress(content, 9)).decode()

    def open_edges(self) -> int:
        """How many directed edges have no triangle on their other side."""
        ends = np.concatenate([self.triples[:, [0, 1]], self.triples[:, [1, 2]], self.triples[:, [2, 0]]]).astype(int)
        n = len(self.corners)
        there, back = ends[:, 0] * n + ends[:, 1], ends[:, 1] * n + ends[:, 0]
        (a, times_there), (b, times_back) = np.unique(there, return_counts=True), np.unique(back, return_counts=True)
        balance = dict(zip(a.tolist(), times_there.tolist(), strict=True))
        for key, count in zip(b.tolist(), times_back.tolist(), strict=True):
            balance[key] = balance.get(key, 0) - count
        return sum(abs(count) for count in balance.values()) // 2

    def volume(self, scale: float = 1.0) -> tuple[float, Array, Array]:
        """Volume, its centre, and its moments about that as an inertia of density 1; lengths times `scale`."""
        points = scale * self.corners.astype(float)
        origin = 0.5 * (points.min(axis=0) + points.max(axis=0))  # near, so that little cancels
        a, b, c = np.moveaxis((points - origin)[self.triples], 1, 0)
        d = np.einsum("ti,ti->t", a, np.cross(b, c))
        s = a + b + c
        volume = d.sum() / 6.0
        first = d @ s / 24.0
        second = sum(np.einsum("t,ti,tj->ij", d, x, x) for x in (a, b, c, s)) / 120.0
        if volume < 0.0:  # inside out
            volume, first, second = -volume, -first, -second
        if volume <= 0.0:
            return 0.0, origin, np.zeros((3, 3))
        centre = first / volume
        about = second - volume * np.outer(centre, centre)
        return float(volume), origin + centre, np.trace(about) * np.eye(3) - about


@cache
def unpacked(owner: str, text: str) -> Triangles:
    """The triangles of `Triangles.packed`; ModelError where the text is something else."""
    try:
        unpacker = zlib.decompressobj()
        content = unpacker.decompress(base64.b64decode(text, validate=True), MOST_BYTES)
        corner_count, triangle_count = np.frombuffer(content[:8], dtype="<i4").tolist()
        if len(content) != 8 + 12 * (corner_count + triangle_count) or min(corner_count, triangle_count) < 1:
            raise ValueError
    except (ValueError, TypeError, AttributeError, binascii.Error, zlib.error):
        raise ModelError(f"{owner}: triangles is not what gudgeon wrote; give path=, the file they come from") from None
    corners = np.frombuffer(content, dtype="<f4", count=3 * corner_count, offset=8).reshape(-1, 3)
    triples = np.frombuffer(content, dtype="<i4", count=3 * triangle_count, offset=8 + 12 * corner_count).reshape(-1, 3)
    if not np.isfinite(corners).all() or triples.min() < 0 or triples.max() >= corner_count:
        raise ModelError(f"{owner}: triangles is damaged; give path=, the file they come from")
    return Triangles(corners, triples)
