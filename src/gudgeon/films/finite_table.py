"""The table of finite films for one L/D, as kernels read it (kernels/elements/film_coefficients.py)."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

PLACE = Path(__file__).with_name("finite_film.npz")
RANGE = (1.0 / 16.0, 8.0)  # of L/D


@lru_cache(maxsize=1)
def stored() -> dict[str, np.ndarray]:
    """What make_table.py has stored."""
    with np.load(PLACE) as file:
        return {name: file[name] for name in file.files}


@lru_cache(maxsize=64)
def finite_table(slenderness: float) -> np.ndarray:
    """A head and, per node of (x, t), y and ρ with their derivatives by x, by t and by both; splines in all three.

    >>> from gudgeon.films.finite_table import finite_table
    >>> finite_table(0.5)[:4].round(3)
    array([18. , 20. ,  0.4,  0.1])
    """
    from scipy.interpolate import CubicSpline

    data = stored()
    x, t = data["thick"], data["side"]
    nodes = []
    for name in ("y", "rho"):
        f, slope = (
            CubicSpline(data["log_slenderness"], data[field])(np.log(slenderness)) for field in (name, f"{name}_slope")
        )
        by_x = CubicSpline(x, f, axis=0, bc_type=((1, slope * t), "not-a-knot"))(x, 1)
        by_t, by_both = CubicSpline(t, f, axis=1)(t, 1), CubicSpline(t, by_x, axis=1)(t, 1)
        nodes += [f, by_x, by_t, by_both]
    head = [len(x) - 1, len(t) - 1, x[1] - x[0], t[1] - t[0]]
    table = np.concatenate((head, np.stack(nodes, axis=-1).ravel()))
    table.flags.writeable = False
    return table
