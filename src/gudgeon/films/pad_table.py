"""The table of films under flat pads, of one ratio of edges, as its kernel reads it (kernels/elements/pad_film.py).

Everything is a tensor product of uniform cubic B-splines over all A and B, from −LONGEST to LONGEST. Besides what
make_pad_table.py has stored it has four fields of the shear: ln J, J = ∫∫ dξ dη/(4 H); the centre ξ̄, η̄ of 1/H; and the
mean of κ (ξ − ξ̄)² + (η − η̄)²/κ about it, which resists turning about the wall's normal.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

PLACE = Path(__file__).with_name("pad_film.npz")
RANGE = (1.0, 16.0)  # of the longer edge over the shorter
MIRRORED = ((1.0, -1.0, 1.0, 1.0, -1.0, 1.0), (1.0, 1.0, -1.0, 1.0, -1.0, 1.0))  # signs of the fields at −α, at −γ


@lru_cache(maxsize=1)
def stored() -> dict[str, np.ndarray]:
    """What make_pad_table.py has stored."""
    with np.load(PLACE) as file:
        return {name: file[name] for name in file.files}


@lru_cache(maxsize=64)
def pad_table(kappa: float) -> np.ndarray:
    """A head, then coefficients: ten fields over (A, B), r over (A, B, polar angle, azimuth).

    >>> from gudgeon.films.pad_table import pad_table
    >>> pad_table(2.0)[:4].tolist()  # cells of A, their width; the same for r
    [32.0, 0.25, 8.0, 1.0]
    """
    from scipy.interpolate import CubicSpline

    data = stored()
    whole, part = (CubicSpline(data[f"{name}_log_kappa"], data[name])(np.log(kappa)) for name in ("whole", "part"))
    fields = _everywhere(whole, float(data["whole_step"]), _mirrored_fields)
    fields = np.concatenate((fields, _shear(float(data["whole_step"]), len(fields), kappa)), axis=-1)
    r = _everywhere(part, float(data["part_step"]), _mirrored_directions)
    for axis in (0, 1):
        fields, r = _spline(fields, axis, "smooth"), _spline(r, axis, "smooth")
    r = _spline(_spline(r, 2, "level"), 3, "round")
    head = []
    for name, array in (("whole", fields), ("part", r)):
        head += [array.shape[0] - 3, float(data[f"{name}_step"])]
    head += [r.shape[2] - 3, r.shape[3] - 3, fields.size]
    table = np.concatenate((head, np.zeros(8 - len(head)), fields.ravel(), r.ravel()))
    table.flags.writeable = False
    return table


def _everywhere(quarter: np.ndarray, step: float, mirrored) -> np.ndarray:
    """Values at all A, B from those at A ≥ |B|, in the order of make_pad_table.poses."""
    count = int(np.sqrt(len(quarter)))  # of A ≥ 0
    out = np.empty((2 * count - 1, 2 * count - 1, *quarter.shape[1:]))
    for i in range(1 - count, count):
        for j in range(1 - count, count):
            A, B, left, below = i, j, i + j < 0, i - j < 0  # α < 0, γ < 0
            if left:
                A, B = -B, -A
            if below:
                A, B = B, A
            out[i + count - 1, j + count - 1] = mirrored(quarter[A * A + A + B], left, below)
    return out


def _mirrored_fields(values: np.ndarray, left: bool, below: bool) -> np.ndarray:
    for turned, signs in zip((left, below), MIRRORED, strict=True):
        values = values * signs if turned else values
    return values


def _mirrored_directions(values: np.ndarray, left: bool, below: bool) -> np.ndarray:
    """The azimuth φ of Lᵀ s becomes π − φ, and −φ."""
    around = np.arange(values.shape[1])
    if left:
        around = len(around) // 2 - around
    if below:
        around = -around
    return values[:, around % values.shape[1]]


def _shear(step: float, count: int, kappa: float) -> np.ndarray:
    """Of the shear, over A, B: exact along η, Gauss in ln H along ξ."""
    from gudgeon.films.make_pad_table import tilts

    places, (x, weight) = step * (np.arange(count) - count // 2), np.polynomial.legendre.leggauss(48)
    out = np.empty((count, count, 4))
    for i, A in enumerate(places):
        for j, B in enumerate(places):
            alpha, gamma = tilts(A, B)
            slope = alpha / (1.0 - abs(gamma))
            xi, size = x, weight
            if slope:
                reach = np.arctanh(slope)
                xi = np.expm1(reach * (1.0 + x) + np.log1p(-slope)) / slope
                size = weight * reach * (1.0 + slope * xi) / slope
            H = 1.0 + alpha * xi
            none, once, twice = _over_gap(gamma / H)
            J = 0.5 * size @ (none / H)
            mean, beside = 0.5 * size @ (xi * none / H) / J, 0.5 * size @ (once / H) / J
            along, across = 0.5 * size @ (xi * xi * none / H) / J, 0.5 * size @ (twice / H) / J
            spread = kappa * (along - mean**2) + (across - beside**2) / kappa
            out[i, j] = np.log(J), mean, beside, spread
    return out


def _over_gap(z: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """½ ∫ (1, η, η²) dη/(1 + z η) from −1 to 1."""
    small = np.abs(z) < 1e-2
    safe = np.where(small, 0.5, z)
    whole = np.arctanh(safe) / safe
    none = np.where(small, 1.0 + z**2 / 3.0 + z**4 / 5.0, whole)
    once = np.where(small, -z / 3.0 - z**3 / 5.0 - z**5 / 7.0, (1.0 - whole) / safe)
    twice = np.where(small, 1.0 / 3.0 + z**2 / 5.0 + z**4 / 7.0, (whole - 1.0) / safe**2)
    return none, once, twice


def _spline(values: np.ndarray, axis: int, ends: str) -> np.ndarray:
    """Coefficients of the uniform cubic B-splines through `values` along an axis: four belong to every cell.

    Ends: "smooth", the first two cells and the last two are one cubic each; "level", slope zero; "round", periodic.
    """
    values = np.moveaxis(values, axis, 0)
    if ends == "round":
        values = np.concatenate((values, values[:1]))
    count = len(values)
    matrix, right = np.zeros((count + 2, count + 2)), np.zeros((count + 2, *values.shape[1:]))
    for i in range(count):
        matrix[i + 1, i : i + 3] = 1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0
    right[1:-1] = values
    if ends == "level":
        matrix[0, [0, 2]] = matrix[-1, [-3, -1]] = -0.5, 0.5
    elif ends == "smooth":
        matrix[0, :5] = matrix[-1, -5:] = 1.0, -4.0, 6.0, -4.0, 1.0
    else:
        matrix[0, [0, 2]], matrix[0, [-3, -1]] = (-0.5, 0.5), (0.5, -0.5)
        matrix[-1, :3], matrix[-1, -3:] = (1.0, -2.0, 1.0), (-1.0, 2.0, -1.0)
    found = np.linalg.solve(matrix, right.reshape(count + 2, -1)).reshape(right.shape)
    return np.moveaxis(found, 0, axis)
