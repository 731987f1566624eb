"""Reynolds' equation with p ≥ 0 under a flat rectangular pad, solved on a grid.

ξ, η from −1 to 1 are the places on the pad over its half lengths X, Y, κ = X/Y; the gap is h = h₀ H, H = 1 + α ξ + γ η.
Pad and wall approach each other by σ(ξ, η), wedge included (kernels/elements/pad_film.py); p = 12 μ (X Y/h₀³) P,

    (1/κ) ∂(H³ ∂P/∂ξ)/∂ξ + κ ∂(H³ ∂P/∂η)/∂η + σ ≤ 0 … = 0 where P > 0,   P ≥ 0,   P = 0 at the edges

For σ = s·(1, ξ, η) the answer is Q = ∫∫ P (1, ξ, η) dξ dη: load and both moments over 12 μ (X Y)²/h₀³. Without p ≥ 0 it
is Q = K s, K symmetric and positive. Finite volumes of second order with the flow of a wedge exact between two nodes;
nodes gathered where the film is thin and at the edges. The set where P > 0 by Newton's method, as in reynolds.py.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy.linalg import solveh_banded

MOST_ROUNDS = 500


class Pad:
    """A pad on a grid of so many cells.

    >>> from gudgeon.films.pad_reynolds import Pad
    >>> round(float(Pad(0.0, 0.0, 1.0, cells=40).full[0, 0]), 2)  # squeezed flat: F = 0.4217 μ V L⁴/h³ = 12/16 · 0.5623
    0.56
    """

    def __init__(self, alpha: float, gamma: float, kappa: float, *, cells: int):
        x, y = _nodes(cells, alpha / (1.0 - abs(gamma))), _nodes(cells, gamma / (1.0 - abs(alpha)))
        H = 1.0 + alpha * x[:, None] + gamma * y[None, :]
        (dx, wx), (dy, wy) = ((np.diff(z), 0.5 * (np.diff(z, prepend=-1.0) + np.diff(z, append=1.0))) for z in (x, y))
        self._ahead = (_flow(H[1:], H[:-1]) / dx[:, None] * wy / kappa)[:, 1:-1]  # between a line and the next
        self._beside = (_flow(H[:, 1:], H[:, :-1]) / dy * wx[:, None] * kappa)[1:-1]  # between a column and the next
        self._diagonal = self._ahead[1:] + self._ahead[:-1] + self._beside[:, 1:] + self._beside[:, :-1]
        self._area = np.outer(wx, wy)[1:-1, 1:-1]
        self._ways = np.stack(np.broadcast_arrays(1.0, x[1:-1, None], y[None, 1:-1]))  # 1, ξ, η

    @cached_property
    def full(self) -> np.ndarray:
        """K of the whole film."""
        loads = (self._ways * self._area).reshape(3, -1)
        P = solveh_banded(self._band(np.ones_like(self._diagonal, dtype=bool)), loads.T, check_finite=False)
        return loads @ P

    def cavitated(self, s: np.ndarray, within: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Q where P ≥ 0, and where P > 0; `within`, where the search begins."""
        load = np.tensordot(s, self._ways, 1) * self._area
        active = load > 0.0 if within is None or not within.any() else within
        for _ in range(MOST_ROUNDS):
            P = np.zeros_like(load)
            if active.any():
                right = np.where(active, load, 0.0).ravel()
                P = solveh_banded(self._band(active), right, check_finite=False).reshape(load.shape)
            after = np.where(active, P > 0.0, load > self._times(P))
            if np.array_equal(after, active):
                return np.tensordot(self._ways, P * self._area, 2), active
            active = after
        raise RuntimeError("the edge of the film was not found")

    def _times(self, P: np.ndarray) -> np.ndarray:
        A, B, out = self._ahead[1:-1], self._beside[:, 1:-1], self._diagonal * P
        out[1:] -= A * P[:-1]
        out[:-1] -= A * P[1:]
        out[:, 1:] -= B * P[:, :-1]
        out[:, :-1] -= B * P[:, 1:]
        return out

    def _band(self, active: np.ndarray) -> np.ndarray:
        lines, columns = active.shape
        beside, ahead = np.zeros((lines, columns)), np.zeros((lines, columns))
        beside[:, 1:] = np.where(active[:, 1:] & active[:, :-1], -self._beside[:, 1:-1], 0.0)
        ahead[1:] = np.where(active[1:] & active[:-1], -self._ahead[1:-1], 0.0)
        band = np.zeros((columns + 1, lines * columns))
        band[-1], band[-2] = np.where(active, self._diagonal, 1.0).ravel(), beside.ravel()
        band[0] = ahead.ravel()
        return band


def pad_film(alpha: float, gamma: float, kappa: float, s: np.ndarray, *, cells: int = 32) -> np.ndarray:
    """Q of a film that does not pull; two grids, extrapolated.

    >>> import numpy as np
    >>> from gudgeon.films.pad_reynolds import pad_film
    >>> pad_film(0.0, 0.0, 1.0, np.array([-1.0, 0.0, 0.0])).tolist()  # a pad that is lifted
    [0.0, 0.0, 0.0]
    """
    coarse, fine = (Pad(alpha, gamma, kappa, cells=n).cavitated(s)[0] for n in (cells, 2 * cells))
    return fine + (fine - coarse) / 3.0


def full_film(alpha: float, gamma: float, kappa: float, *, cells: int = 32) -> np.ndarray:
    """K of a whole film; two grids, extrapolated."""
    coarse, fine = (Pad(alpha, gamma, kappa, cells=n).full for n in (cells, 2 * cells))
    return fine + (fine - coarse) / 3.0


def _flow(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The mean of H³ that a wedge from one gap to the other lets pass: 1/∫ dx/H³."""
    return 2.0 * (one * other) ** 2 / (one + other)


def _nodes(cells: int, slope: float) -> np.ndarray:
    """From −1 to 1: dense where 1 + slope x is small, and at both ends."""
    x = np.linspace(-1.0, 1.0, 20001)
    density = np.zeros_like(x)
    for part in (1.0 / (1.0 + slope * x), 1.0 / np.sqrt(1.0 + slope * x), 1.0 / np.sqrt(1.02 - x * x)):
        density += part / np.trapezoid(part, x)
    share = np.concatenate(([0.0], np.cumsum(density[1:] + density[:-1])))
    nodes = np.interp(np.linspace(0.0, share[-1], cells + 1), share, x)
    nodes[0], nodes[-1] = -1.0, 1.0
    return nodes
