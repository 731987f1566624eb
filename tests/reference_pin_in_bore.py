"""A pin in a ring by exact plane elasticity: Fourier series (Michell's solutions, Barber, Elasticity, table 9.1)
with p ≥ 0, gap ≥ 0 and p · gap = 0 on cells. Written for the tests, apart from what the library's fit was made with.

All for R = 1, both bodies of one material with ν = 0.3; pressures over 2 µ, so that E* = 2 µ/(2 (1 − ν)) = 1/1.4.
"""

from __future__ import annotations

from functools import cache

import numpy as np

NU = 0.3
KAPPA = 3.0 - 4.0 * NU
E_STAR = 0.5 / (1.0 - NU)  # over 2 µ


def michell(n: int, power: int, r: float) -> tuple[float, float, float, float]:
    """σ_rr, σ_rθ, 2µ u_r, 2µ u_θ at r of the stress function r^power cos nθ, power n + 2, n, −n or −n + 2."""
    k = KAPPA
    if power == n + 2:
        return -(n + 1) * (n - 2) * r**n, n * (n + 1) * r**n, (k - n - 1) * r ** (n + 1), (k + n + 1) * r ** (n + 1)
    if power == n:
        return -n * (n - 1) * r ** (n - 2), n * (n - 1) * r ** (n - 2), -n * r ** (n - 1), n * r ** (n - 1)
    if power == -n:
        return -n * (n + 1) * r ** (-n - 2), -n * (n + 1) * r ** (-n - 2), n * r ** (-n - 1), n * r ** (-n - 1)
    return (
        -(n + 2) * (n - 1) * r**-n,
        -n * (n - 1) * r**-n,
        (k + n - 1) * r ** (1 - n),
        -(k - n + 1) * r ** (1 - n),
    )


def ring(n: int, outer: float) -> float:
    """2µ u_r at r = 1 of a ring held at r = outer under the pressure cos nθ at r = 1."""
    k = KAPPA
    if n == 0:  # u = α r + β/r
        alpha = -1.0 / (2.0 / (k - 1.0) + outer**2)  # σ_rr/2µ = 2 α/(κ − 1) − β/r² = −1
        return alpha * (1.0 - outer**2)
    if n == 1:  # r³, 1/r, the force (r θ sin θ, made single-valued by r ln r cos θ), a translation
        log, c = np.log(outer), -(k - 1.0) / (k + 1.0)

        def force(r, ln):
            return (
                (2.0 + c) / r,
                c / r,
                0.5 * (-1 - c + (k + 1 + c * (k - 1)) * ln),
                0.5 * (-1 - c - (k + 1 + c * (k - 1)) * ln),
            )

        inner = [michell(1, 3, 1.0), michell(1, -1, 1.0), force(1.0, 0.0), (0.0, 0.0, 1.0, -1.0)]
        far = [michell(1, 3, outer), michell(1, -1, float(outer)), force(outer, log), (0.0, 0.0, 1.0, -1.0)]
    else:
        powers = (n + 2, n, -n, 2 - n)
        scale = [float(outer) ** -p if p > 0 else 1.0 for p in powers]
        inner = [tuple(s * x for x in michell(n, p, 1.0)) for p, s in zip(powers, scale, strict=True)]
        far = [tuple(s * x for x in michell(n, p, float(outer))) for p, s in zip(powers, scale, strict=True)]
    equations = np.array([[x[row] for x in inner] for row in (0, 1)] + [[x[row] for x in far] for row in (2, 3)])
    size = np.abs(equations).max(axis=1)
    amounts = np.linalg.solve(equations / size[:, None], np.array([-1.0, 0.0, 0.0, 0.0]) / size)
    return float(sum(a * x[2] for a, x in zip(amounts, inner, strict=True)))


def pin(n: int) -> float:
    """2µ u_r at r = 1 of a disc under the pressure cos nθ; n = 1: held by a uniform body force, against its centre."""
    if n == 0:
        return -0.5 * (KAPPA - 1.0)
    if n == 1:
        return -0.25 * (KAPPA - 1.0)
    a, b = -0.5 / (n + 1), 0.5 / (n - 1)
    return (KAPPA - n - 1) * a - n * b


@cache
def compliance(outer: float, reach: float, cells: int) -> tuple[np.ndarray, np.ndarray]:
    """Edges of cells over 0 ≤ θ ≤ reach, and the mean opening 2µ g of each under a unit pressure on each."""
    edges = np.linspace(0.0, reach, cells + 1)
    n = np.arange(0, int(12 * cells * np.pi / reach))
    opening = np.array([ring(k, outer) - pin(k) if k < 200 else 0.0 for k in n.tolist()])
    opening[200:] = opening[199] * 199 / n[200:]  # far modes decay in the layer: both bodies are half-planes
    integral = np.empty((cells, len(n)))
    integral[:, 0] = np.diff(edges)
    integral[:, 1:] = np.diff(np.sin(np.outer(edges, n[1:])), axis=0) / n[1:]
    weight = np.where(n == 0, 1.0, 2.0) / np.pi * opening
    return edges, (integral * weight) @ integral.T / np.diff(edges)[:, None]


def force(outer: float, depth: float, reach: float, cells: int = 120) -> float:
    """f′/(E* ΔR) for δ/ΔR = depth, contact within |θ| < reach [rad]."""
    edges, opening = compliance(outer, reach, cells)
    approach = np.diff(np.sin(edges)) / np.diff(edges)  # mean of cos θ
    free = (1.0 + depth) * approach - 1.0  # overlap of the undeformed bodies, over ΔR
    touching = free > 0.0
    for _ in range(200):
        pressure = np.zeros(cells)
        pressure[touching] = np.linalg.solve(opening[np.ix_(touching, touching)], free[touching])
        gap = opening @ pressure - free
        changed = (touching & (pressure >= 0.0)) | (~touching & (gap < -1e-12))
        if (changed == touching).all():
            break
        touching = changed
    else:
        raise AssertionError("the contact did not settle")
    assert not touching[-1]
    return 2.0 * float(pressure @ np.diff(np.sin(edges))) / E_STAR
