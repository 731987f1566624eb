"""Coefficients of the Radau IIA methods with s = 3, 5, 7 stages (order 2s − 1), computed when first used.

E. Hairer, G. Wanner: Solving Ordinary Differential Equations II, sections IV.5 and IV.8. The nodes are the zeros of
P_s − P_{s−1} (Legendre, on [0, 1]); A integrates the polynomial through the nodes exactly. The embedded formula of
order s is y₀ + h (γ₀ f₀ + Σ b̂_i f_i), γ₀ the real eigenvalue of A.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.polynomial import legendre


class Table(NamedTuple):
    """The coefficients of a method with s stages."""

    nodes: np.ndarray  # (s) c
    matrix: np.ndarray  # (s, s) A
    square: np.ndarray  # (s, s) A²
    error: np.ndarray  # (s + 1) of f₀ … f_s in the error estimate; the first is γ₀
    barycentric: np.ndarray  # (s + 1) weights of the nodes 0, c₁ … c_s
    predictor: np.ndarray  # (s + 1) the same for the cubic through four of them, to extrapolate
    dense_position: np.ndarray  # (terms, s + 5) of y₁ … y_s − y₀, h ẏ₀, h ẏ_s, h² ÿ₀, h² ÿ_s
    dense_velocity: np.ndarray  # (terms, s + 3) of y₁ … y_s − y₀, h ẏ₀, h ẏ_s, ∫ y − y₀
    dense_other: np.ndarray  # (terms, s + 2) of y₁ … y_s − y₀, h ẏ₀, h ẏ_s


@cache
def table(s: int) -> Table:
    """The method with s stages."""
    c = _nodes(s)
    # Legendre polynomials on [0, 1] at the nodes and their integrals from 0 to the nodes
    values = legendre.legvander(2.0 * c - 1.0, s - 1)
    integrals = np.array([[_integral(k, x) for k in range(s)] for x in c])
    matrix = np.ascontiguousarray(np.linalg.solve(values.T, integrals.T).T)
    eigenvalues = np.linalg.eigvals(matrix)
    gamma = float(eigenvalues[np.argmin(np.abs(eigenvalues.imag))].real)
    moments = np.array([_integral(k, 1.0) - gamma * (-1.0) ** k for k in range(s)])  # P_k(−1) = (−1)^k
    embedded = np.linalg.solve(values.T, moments)
    points = np.append(0.0, c)
    predictor = np.zeros(s + 1)
    few = [0, s // 2, s - 1, s]
    predictor[few] = _barycentric(points[few])
    return Table(
        nodes=c,
        matrix=matrix,
        square=matrix @ matrix,
        error=np.append(gamma, embedded - matrix[-1]),
        barycentric=_barycentric(points),
        predictor=predictor,
        dense_position=_dense(c, interior=s > 3, second=True, mean=False),
        dense_velocity=_dense(c, interior=s > 3, second=False, mean=True),
        dense_other=_dense(c, interior=True, second=False, mean=False),
    )


def dense_terms(s: int) -> int:
    """Terms of the nested polynomial."""
    return 5 if s == 3 else s + 4


def _nodes(s: int) -> np.ndarray:
    polynomial = np.zeros(s + 1)
    polynomial[s], polynomial[s - 1] = 1.0, -1.0
    x = np.sort(legendre.legroots(polynomial).real)
    slope = legendre.legder(polynomial)
    for _ in range(3):
        x = x - legendre.legval(x, polynomial) / legendre.legval(x, slope)
    x[-1] = 1.0
    return 0.5 * (x + 1.0)


def _barycentric(points: np.ndarray) -> np.ndarray:
    """Weights of the interpolating polynomial through these points."""
    return 1.0 / (points[:, None] - points[None, :] + np.eye(len(points))).prod(axis=1)


def _integral(k: int, x: float) -> float:
    """∫ P_k(2 ξ − 1) dξ from 0 to x."""
    unit = np.zeros(k + 1)
    unit[k] = 1.0
    antiderivative = legendre.legint(unit)
    return 0.5 * float(legendre.legval(2.0 * x - 1.0, antiderivative) - legendre.legval(-1.0, antiderivative))


def _dense(c: np.ndarray, *, interior: bool, second: bool, mean: bool) -> np.ndarray:
    """The matrix from what is known of a step to the nested form of the polynomial that takes these values.

    Known are the values at the stages (or at the end alone), the slopes at both ends, perhaps the second derivatives at
    both ends, perhaps the mean.
    """
    s, terms = len(c), dense_terms(len(c))
    stages = list(range(s)) if interior else [s - 1]
    conditions = len(stages) + 2 + 2 * second + (mean and not interior)  # the stages imply the mean
    columns = s + 2 + 2 * second + mean
    basis = [_basis(k) for k in range(conditions)]
    rows, places = [], []
    for i in stages:
        rows.append([b(c[i]) for b in basis])
        places.append(i)
    for place, x in ((s, 0.0), (s + 1, 1.0)):
        rows.append([b.deriv(1)(x) for b in basis])
        places.append(place)
        if second:
            rows.append([b.deriv(2)(x) for b in basis])
            places.append(place + 2)
    if mean and not interior:
        rows.append([b.integ(1)(1.0) - b.integ(1)(0.0) for b in basis])
        places.append(s + 2)
    out = np.zeros((terms, columns))
    out[:conditions, places] = np.linalg.inv(np.array(rows))
    return out


def _basis(k: int):
    """x^⌈(k+1)/2⌉ (1 − x)^⌊(k+1)/2⌋."""
    from numpy.polynomial import Polynomial

    x, z = Polynomial([0.0, 1.0]), Polynomial([1.0, -1.0])
    return x ** ((k + 2) // 2) * z ** ((k + 1) // 2)
