"""Reynolds' equation with p ≥ 0 in the gap of a journal bearing, solved on a grid.

In the frame that turns with the mean of the two surfaces there is only squeeze. With H = h/c = 1 − ε·n(θ), ζ = 2z/L and
p = 3 μ |V| (L²/c³) P,

    (L/D)² ∂(H³ ∂P/∂θ)/∂θ + ∂(H³ ∂P/∂ζ)/∂ζ + v·n ≥ 0 … = 0 where P > 0,   P ≥ 0,   P = 0 at ζ = ±1

(v = V/|V|; complementarity: the film breaks where it would pull; Christopherson 1941). The force on the journal is
F = −3/2 ∫∫ P n dθ dζ in units of μ R L³ |V|/c³. Finite volumes of second order, nodes gathered about the thinnest film
and the ends; the set where P > 0 by Newton's method (Hintermüller, Ito, Kunisch 2002), which ends exactly.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import solveh_banded
from scipy.sparse import coo_array
from scipy.sparse.linalg import splu

MOST_ROUNDS = 500
HELD = 1e30  # a sink that keeps P = 0


def film_force(
    eps: tuple[float, float],
    v: tuple[float, float],
    slenderness: float,
    *,
    nodes: tuple[int, int] = (128, 16),
    groove: bool = False,
) -> np.ndarray:
    """Force on an aligned journal over μ R L³/c³, for ε = e/c, the velocity v and L/D; two grids, extrapolated.

    With a `groove`, p = 0 along the widest gap, where the films of most published tables begin.

    >>> from gudgeon.films.reynolds import film_force
    >>> film_force((0.5, 0.0), (1.0, 0.0), 0.5).round(2) + 0.0
    array([-7.35,  0.  ])
    """
    coarse, P = _aligned(eps, v, slenderness, *nodes, None, groove)
    fine, _ = _aligned(eps, v, slenderness, 2 * nodes[0], 2 * nodes[1], _twice(P), groove)
    return fine + (fine - coarse) / 3.0


def _twice(P: np.ndarray) -> np.ndarray:
    """Where P > 0, on a grid of half the spacing."""
    return np.repeat(np.repeat(P > 0.0, 2, axis=0), 2, axis=1)[:, :-1]


def _aligned(
    eps, v, slenderness: float, around: int, along: int, active, groove: bool
) -> tuple[np.ndarray, np.ndarray]:
    e = float(np.hypot(*eps))
    squeezed = ((1.0 - e) / (1.0 + e)) ** 0.25
    phase = (np.arange(around) + 0.5) * (2.0 * np.pi / around) - np.pi
    theta = 2.0 * np.arctan(squeezed * np.tan(0.5 * phase)) + np.arctan2(eps[1], eps[0])
    n = np.array([np.cos(theta), np.sin(theta)])
    zeta = _graded(2 * along)[along:]  # from the middle to the end
    source = np.repeat((np.asarray(v, dtype=float) @ n)[:, None], along + 1, axis=1)
    if groove:
        source[[0, -1]] = -HELD
    P, weight = _pressure(theta, zeta, eps, source, slenderness, active)
    return -3.0 * np.einsum("at,tz->a", n, P * weight), P


def _height(eps, theta: np.ndarray) -> np.ndarray:
    """H."""
    return 1.0 - eps[0] * np.cos(theta) - eps[1] * np.sin(theta)


def _graded(cells: int) -> np.ndarray:
    """Nodes from −1 to 1, closer at both ends."""
    t = np.linspace(-1.0, 1.0, cells + 1)
    return t * (1.0 - 0.4 * (t * t - 1.0))


def _pressure(theta, zeta, eps, source, slenderness: float, active):
    """P at all nodes from the middle of the film to its end, and the area of each.

    `active`, where P > 0, is where the search begins.
    """
    width = np.diff(theta, append=theta[0] + 2.0 * np.pi)  # from each node to the next
    dual = 0.5 * (width + np.roll(width, 1))
    step = np.diff(zeta)
    ends = np.concatenate(([0.0], step)), np.concatenate((step, [0.0]))
    depth = 0.5 * (ends[0] + ends[1])
    round_about = slenderness**2 * _height(eps, theta + 0.5 * width)[:, None] ** 3 * depth / width[:, None]
    lengthwise = _height(eps, theta)[:, None] ** 3 * dual[:, None] / step
    weight = dual[:, None] * depth[None, :]
    a, b, load = round_about[:, :-1], lengthwise[:, :-1], (source * weight)[:, :-1]
    diagonal = a + np.roll(a, 1, axis=0)
    diagonal += lengthwise
    diagonal[:, 1:] += b
    P = np.zeros((len(theta), len(zeta)))
    P[:, :-1] = _complementary(diagonal, a, b, load, load > 0.0 if active is None else active[:, :-1])
    return P, weight


def _complementary(
    diagonal: np.ndarray, a: np.ndarray, b: np.ndarray, load: np.ndarray, active: np.ndarray
) -> np.ndarray:
    """p ≥ 0 with A p = load where p > 0: A has `diagonal`, −a to the next line (around), −b to the next column."""
    p = np.zeros_like(load)
    for _ in range(MOST_ROUNDS):
        p = _solve(diagonal, a, b, load, active)
        pulls = load - diagonal * p + a * np.roll(p, -1, axis=0)
        pulls += np.roll(a, 1, axis=0) * np.roll(p, 1, axis=0)
        pulls[:, :-1] += b * p[:, 1:]
        pulls[:, 1:] += b * p[:, :-1]
        after = np.where(active, p > 0.0, pulls > 0.0)
        if np.array_equal(after, active):
            return p
        active = after
    raise RuntimeError("the edge of the film was not found")


def _solve(diagonal, a, b, load, active) -> np.ndarray:
    lines, columns = load.shape
    empty = np.flatnonzero(~active.any(axis=1))
    if not len(empty):
        return _solve_around(diagonal, a, b, load, active)
    order = np.roll(np.arange(lines), -empty[len(empty) // 2])  # the film is not whole: cut it where it is broken
    on = active[order]
    D = np.where(on, diagonal[order], 1.0)
    along = np.zeros((lines, columns))
    along[:, 1:] = np.where(on[:, 1:] & on[:, :-1], -b[order], 0.0)
    around = np.zeros((lines, columns))
    around[1:] = np.where(on[1:] & on[:-1], -a[order][:-1], 0.0)
    band = np.zeros((columns + 1, lines * columns))
    band[-1], band[-2], band[0] = D.ravel(), along.ravel(), around.ravel()
    solved = solveh_banded(band, np.where(on, load[order], 0.0).ravel(), overwrite_ab=True, check_finite=False)
    p = np.empty_like(load)
    p[order] = solved.reshape(lines, columns)
    return p


def _solve_around(diagonal, a, b, load, active) -> np.ndarray:
    lines, columns = load.shape
    number = np.arange(lines * columns).reshape(lines, columns)
    D = np.where(active, diagonal, 1.0)
    rows, cols, values = [number.ravel()], [number.ravel()], [D.ravel()]
    after = np.roll(number, -1, axis=0)
    both = active & np.roll(active, -1, axis=0)
    sideways = active[:, 1:] & active[:, :-1]
    for i, j, value in (
        (number[both], after[both], -a[both]),
        (number[:, 1:][sideways], number[:, :-1][sideways], -b[sideways]),
    ):
        rows += [i, j]
        cols += [j, i]
        values += [value, value]
    matrix = coo_array((np.concatenate(values), (np.concatenate(rows), np.concatenate(cols))), shape=(number.size,) * 2)
    return splu(matrix.tocsc()).solve(np.where(active, load, 0.0).ravel()).reshape(lines, columns)
