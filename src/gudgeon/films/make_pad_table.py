"""Makes pad_film.npz: films under flat pads that tilt both ways, from Reynolds' equation with p ≥ 0.

    python -m gudgeon.films.make_pad_table [processes]            # some minutes

The gap H = 1 + α ξ + γ η is open where |α| + |γ| < 1, in terms of its two diagonals everywhere:

    A = atanh(α + γ),   B = atanh(α − γ)

On a regular grid of A ≥ |B| (other signs are mirrored), and of ln κ ≥ 0, κ the longer over the shorter edge, stand

    whole   ln L₀₀, L₁₀/L₀₀, L₂₀/L₀₀, ln L₁₁, L₂₁/L₁₁, ln L₂₂ of the whole film's K = L Lᵀ
    part    r, of which ψ = ½ r² |Lᵀ s|² is the potential of the film with p ≥ 0, over the direction of Lᵀ s: polar
            angle from (1, 0, 0), azimuth

r is 1 where the whole film does not pull, 0 where it would do nothing else, and hardly depends on anything but the
direction: that is why its grid is coarse.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path

import numpy as np

from gudgeon.films.pad_reynolds import Pad, full_film

PLACE = Path(__file__).with_name("pad_film.npz")
LONGEST = 4.0  # of A and B: the thinnest corner has 1/1490 of the mean gap
WHOLE_STEP, PART_STEP = 0.25, 1.0
POLAR, AROUND = 19, 20  # nodes of the two angles
WHOLE_LOG_KAPPA = np.log(2.0) * np.arange(0.0, 4.01, 0.5)  # κ 1 … 16
PART_LOG_KAPPA = np.log(2.0) * np.arange(0.0, 4.01, 1.0)
WHOLE_CELLS, PART_CELLS = 48, 20


def tilts(A: float, B: float) -> tuple[float, float]:
    """α and γ."""
    return 0.5 * (np.tanh(A) + np.tanh(B)), 0.5 * (np.tanh(A) - np.tanh(B))


def poses(step: float) -> list[tuple[float, float]]:
    """All A ≥ |B| of the grid."""
    places = step * np.arange(round(LONGEST / step) + 1)
    return [(float(A), float(B)) for A in places for B in np.arange(-A, A + 0.5 * step, step)]


def fields(K: np.ndarray) -> list[float]:
    """Of the whole film, as they are stored."""
    L = np.linalg.cholesky(K)
    return [
        np.log(L[0, 0]),
        L[1, 0] / L[0, 0],
        L[2, 0] / L[0, 0],
        np.log(L[1, 1]),
        L[2, 1] / L[1, 1],
        np.log(L[2, 2]),
    ]


def whole(job: tuple[float, tuple[float, float]]) -> list[float]:
    """The whole film of one κ and pose."""
    log_kappa, (A, B) = job
    return fields(full_film(*tilts(A, B), float(np.exp(log_kappa)), cells=WHOLE_CELLS))


def directions() -> tuple[np.ndarray, np.ndarray]:
    """Polar angles and azimuths of the grid."""
    return np.linspace(0.0, np.pi, POLAR), np.arange(AROUND) * (2.0 * np.pi / AROUND)


def part(job: tuple[float, tuple[float, float]]) -> np.ndarray:
    """r over all directions for one κ and pose; two grids, extrapolated."""
    log_kappa, (A, B) = job
    coarse, fine = (_part(*tilts(A, B), float(np.exp(log_kappa)), cells) for cells in (PART_CELLS, 2 * PART_CELLS))
    return fine + (fine - coarse) / 3.0


def _part(alpha: float, gamma: float, kappa: float, cells: int) -> np.ndarray:
    pad = Pad(alpha, gamma, kappa, cells=cells)
    back, (polar, around) = np.linalg.inv(np.linalg.cholesky(pad.full)).T, directions()
    r = np.zeros((len(polar), len(around)))
    for j, phi in enumerate(around):
        active = None
        for i, theta in enumerate(polar):
            s = back @ (np.cos(theta), np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi))
            at_corners = s[0] + np.abs(s[1]) * np.array([-1.0, 1.0]) + np.abs(s[2]) * np.array([-1.0, 1.0])
            if at_corners[0] >= 0.0:  # it approaches everywhere
                r[i, j] = 1.0
            elif at_corners[1] > 0.0:
                Q, active = pad.cavitated(s, active)
                r[i, j] = np.sqrt(max(Q @ s, 0.0))
    return r


def main(processes: int = 1) -> None:
    """Compute and save."""
    stored = {
        "whole_log_kappa": WHOLE_LOG_KAPPA,
        "part_log_kappa": PART_LOG_KAPPA,
        "whole_step": WHOLE_STEP,
        "part_step": PART_STEP,
    }
    with ProcessPoolExecutor(processes) as pool:
        for name, function, slenderness, step in (
            ("whole", whole, WHOLE_LOG_KAPPA, WHOLE_STEP),
            ("part", part, PART_LOG_KAPPA, PART_STEP),
        ):
            jobs = list(product(slenderness, poses(step)))
            found = np.array(list(pool.map(function, jobs, chunksize=8)))
            stored[name] = found.reshape(len(slenderness), len(poses(step)), *found.shape[1:])
    np.savez_compressed(PLACE, **stored)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
