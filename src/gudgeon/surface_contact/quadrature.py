"""Points and weights on a reference surface: ∫ f dA ≈ Σ f(ξ_q) w_q.

Every knot interval is cut into equal cells with the two-point Gauss rule in each: of order four where f is smooth. The
pressure is not, at the edge of the touching area: there the order is two.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gudgeon.nurbs import evaluate
from gudgeon.nurbs import knots as kv
from gudgeon.nurbs.pair import SurfacePair
from gudgeon.nurbs.surface import Surface

Array = NDArray[np.float64]
GAUSS = 0.5 / np.sqrt(3.0)  # of the two points from the middle of a cell [-]


def gauss_rows(surface: Surface, counts: tuple[int, int]) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Parameters and weights in ξ1 and ξ2, at least `counts` points, evenly over the knot intervals."""
    rows, weights = [], []
    for axis, count in enumerate(counts):
        breaks = kv.breaks(surface.knots[axis], surface.degree[axis])
        cells = max(1, -(-count // (2 * (len(breaks) - 1))))  # in each interval
        ends = np.concatenate([np.linspace(a, b, cells, endpoint=False) for a, b in pairwise(breaks)])
        ends = np.append(ends, breaks[-1])
        middle, length = 0.5 * (ends[1:] + ends[:-1]), np.diff(ends)
        rows.append(np.stack([middle - GAUSS * length, middle + GAUSS * length], axis=1).ravel())
        weights.append(np.repeat(0.5 * length, 2))
    return (rows[0], rows[1]), (weights[0], weights[1])


def trapezium_weights(surface: Surface, axis: int, row: Array) -> Array:
    """Weights of given parameters, in any order; round a closed direction they meet at the seam."""
    order = np.argsort(row)
    sorted_row = row[order]
    low, high = surface.domain[axis]
    if surface.closed[axis]:
        gaps = np.diff(np.append(sorted_row, sorted_row[0] + high - low))
        weights = 0.5 * (gaps + np.roll(gaps, 1))
    else:
        middles = 0.5 * (sorted_row[1:] + sorted_row[:-1])
        weights = np.diff(np.concatenate([[low], middles, [high]]))  # each stands for what is nearest to it
    out = np.empty_like(weights)
    out[order] = weights
    return out


def area_weights(pair: SurfacePair, weights: tuple[Array, Array]) -> Array:
    """w_q [m²] at all points of the pair's grid; 0 where the reference surface is trimmed away."""
    d = evaluate.derivatives(pair.reference, pair.xi1[:, None], pair.xi2[None, :], 1)
    area = np.linalg.norm(np.cross(d[..., 1, :], d[..., 2, :]), axis=-1) * np.outer(*weights)
    kept = evaluate.kept(pair.reference, pair.xi1[:, None], pair.xi2[None, :])
    return np.where(kept, area, 0.0).ravel()
