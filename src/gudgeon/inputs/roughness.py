"""Roughness of two surfaces in contact.

R_q ≈ 1.25 R_a for surfaces with a normal distribution of heights (√(π/2) = 1.253); two independent surfaces together
have σ² = R_q,i² + R_q,j². Their peaks touch where the film is thinner than 3 to 4 σ.

>>> import gudgeon as gd
>>> round(1e6 * gd.roughness.composite(0.4e-6, 0.2e-6), 3)
0.559
"""

from __future__ import annotations

import math

from gudgeon.checks import number
from gudgeon.errors import ModelError

ROUGHEST = 1e-4  # R_a of no machined surface [m]


def composite(Ra_i: float, Ra_j: float) -> float:
    """Standard deviation σ [m] of the gap between two surfaces of mean roughness R_a [m].

    >>> import gudgeon as gd
    >>> round(1e6 * gd.roughness.composite(0.8e-6, 0.8e-6), 3)
    1.414
    """
    return math.hypot(*(1.25 * _mean_roughness("roughness.composite", *each) for each in _pair(Ra_i, Ra_j)))


def smallest_film(Ra_i: float, Ra_j: float, *, ratio: float = 3.5) -> float:
    """The film thickness [m] at which two surfaces of mean roughness R_a [m] begin to touch: `ratio` (3 to 4) σ.

    >>> import gudgeon as gd
    >>> round(1e6 * gd.roughness.smallest_film(0.4e-6, 0.2e-6, ratio=3.0), 3)
    1.677
    """
    owner = "roughness.smallest_film"
    sigma = math.hypot(*(1.25 * _mean_roughness(owner, *each) for each in _pair(Ra_i, Ra_j)))
    lam = number(owner, "ratio", ratio)
    if not 1.0 <= lam <= 10.0:
        raise ModelError(f"{owner}: ratio is {lam:g}; peaks begin to touch at 3 to 4 times σ")
    return lam * sigma


def _pair(Ra_i: float, Ra_j: float) -> tuple[tuple[str, float], tuple[str, float]]:
    return ("Ra_i", Ra_i), ("Ra_j", Ra_j)


def _mean_roughness(owner: str, field: str, value: float) -> float:
    Ra = number(owner, field, value)
    if not 0.0 <= Ra <= ROUGHEST:
        hint = f"; in metres: {Ra:g} µm is {Ra * 1e-6:g}" if 0.0 < Ra <= 100.0 else ""
        raise ModelError(f"{owner}: {field} is {Ra:g} m; a machined surface has 0 to {ROUGHEST:g} m{hint}")
    return Ra
