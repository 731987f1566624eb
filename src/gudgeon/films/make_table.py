"""Makes finite_film.npz: films of finite length against the short film, from Reynolds' equation with p ≥ 0.

    python -m gudgeon.films.make_table            # some minutes

For V at the angle φ from e, q = J_v/J_v,short and ρ = (J_t/J_t,short)/q on a regular grid of

    x = −ln(1 − ε),   t = ½ (cos φ + atan(ε cos φ/s)/atan(ε/s)),  s² = 1 − ε²,   ln(L/D)

stored as y = ln(1/q − 1) and ρ. t gathers the angles about 90°, where a thin film changes from closing to opening.
About the centre both are linear in ε cos φ: y_x = C t at x = 0, C stored too.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from scipy.optimize import brentq

from gudgeon.films.reynolds import film_force
from gudgeon.films.short_film import short_film

PLACE = Path(__file__).with_name("finite_film.npz")
THICK = np.linspace(0.0, 7.2, 19)  # x; ε up to 0.99925
SIDE = np.linspace(-1.0, 1.0, 21)  # t
LOG_SLENDERNESS = np.log(2.0) * np.arange(-4.0, 3.01, 0.5)  # L/D 1/16 … 8
NODES = (160, 20)
ASIDE = 0.06  # ρ of V along e is taken so far beside it [rad]
NEARLY_CENTRED = 0.03  # ρ of a centred journal is taken at this ε


def side(eps: float, cosine: float) -> float:
    """t of an eccentricity and the cosine of the angle from V to e."""
    if eps == 0.0:
        return cosine
    reach = eps / np.sqrt(1.0 - eps * eps)
    return 0.5 * (cosine + np.arctan(reach * cosine) / np.arctan(reach))


def ratios(eps: float, cosine: float, slenderness: float, nodes: tuple[int, int] = NODES) -> tuple[float, float]:
    """q and ρ."""
    angle = float(np.clip(np.arccos(np.clip(cosine, -1.0, 1.0)), ASIDE, np.pi - ASIDE))
    a, b = eps * np.cos(angle), eps * np.sin(angle)
    exact = film_force((eps * cosine, eps * np.sqrt(1.0 - cosine**2)), (1.0, 0.0), slenderness, nodes=nodes)
    q = -exact[0] / short_film(eps * cosine, eps * np.sqrt(1.0 - cosine**2))[0]
    if eps == 0.0:
        return float(q), np.nan
    force = film_force((a, b), (1.0, 0.0), slenderness, nodes=nodes)
    along, across = short_film(a, b)
    return float(q), float(force[1] / across / (force[0] / along))


def one_length(log_slenderness: float) -> np.ndarray:
    """y and ρ over (x, t) for one L/D."""
    slenderness = float(np.exp(log_slenderness))
    out = np.empty((2, len(THICK), len(SIDE)))
    for i, x in enumerate(THICK):
        eps = 1.0 - float(np.exp(-x))
        for j, t in enumerate(SIDE):
            cosine = t if abs(t) == 1.0 else brentq(lambda c, t=t, eps=eps: side(eps, c) - t, -1.0, 1.0, xtol=1e-14)
            q, rho = ratios(eps, float(cosine), slenderness)
            out[:, i, j] = np.log(1.0 / q - 1.0), rho
    angles = np.linspace(0.4, 2.7, 24)
    beside = [ratios(NEARLY_CENTRED, float(np.cos(angle)), slenderness)[1] for angle in angles]
    out[1, 0] = np.mean(beside)
    return out


def slopes_at_centre(log_slenderness: float) -> tuple[float, float]:
    """C of y and of ρ, from either side of the centre."""
    slenderness, far = float(np.exp(log_slenderness)), 0.7
    towards, away = (ratios(NEARLY_CENTRED, cosine, slenderness)[0] for cosine in (1.0, -1.0))
    ahead, behind = (ratios(NEARLY_CENTRED, cosine, slenderness)[1] for cosine in (far, -far))
    y = np.log(1.0 / towards - 1.0) - np.log(1.0 / away - 1.0)
    return float(y / (2.0 * NEARLY_CENTRED)), float((ahead - behind) / (2.0 * far * NEARLY_CENTRED))


def main(processes: int = 1) -> None:
    """Compute and save."""
    with ProcessPoolExecutor(processes) as pool:
        tables = np.array(list(pool.map(one_length, LOG_SLENDERNESS)))
        slopes = np.array(list(pool.map(slopes_at_centre, LOG_SLENDERNESS)))
    np.savez_compressed(
        PLACE,
        thick=THICK,
        side=SIDE,
        log_slenderness=LOG_SLENDERNESS,
        y=tables[:, 0],
        rho=tables[:, 1],
        y_slope=slopes[:, 0],
        rho_slope=slopes[:, 1],
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
