"""A bonded incompressible sleeve, a = 1, G = 1, by two other ways: plane elasticity, and finite elements in r and z.

Displacements are u_r cos θ, u_θ sin θ, u_z cos θ; the finite elements are biquadratic, with a bilinear pressure.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import spsolve


def plane(b: float, kappa: float) -> float:
    """Radial stiffness per length of a ring held at r = b whose inner edge r = 1 moves sideways; Kolosov's κ.

    Michell's solutions r³, 1/r, r θ sin θ with r ln r cos θ, and a translation (Barber, Elasticity, table 9.1).
    """
    k, c = kappa, -(kappa - 1.0) / (kappa + 1.0)

    def moves(r):
        ln = math.log(r)
        log = 0.5 * (k + 1 + c * (k - 1)) * ln
        return [
            [(k - 2) * r * r, 1 / r**2, -0.5 * (1 + c) + log, 1.0],
            [(k + 2) * r * r, 1 / r**2, -0.5 * (1 + c) - log, -1.0],
        ]

    amounts = np.linalg.solve(np.array(moves(1.0) + moves(b)), [2.0, -2.0, 0.0, 0.0])  # 2G u
    return abs(2.0 * math.pi * amounts[2])  # the force of r θ sin θ


@cache
def finite_elements(b: float, L: float, *, tilt: bool, across: int = 8, along: int = 16) -> float:
    """Stiffness against a sideways motion of the inner tube, or against a tilt."""
    r_edges, z_edges = np.linspace(1.0, b, across + 1), 0.5 * L * np.sin(0.5 * np.pi * np.linspace(-1, 1, along + 1))
    z_nodes = np.interp(np.arange(2 * along + 1), np.arange(0, 2 * along + 1, 2), z_edges)
    rows, count = 2 * along + 1, (2 * across + 1) * (2 * along + 1)
    points, weights = np.polynomial.legendre.leggauss(3)
    stiff, divergence = [], []
    for i in range(across):
        for j in range(along):
            hr, hz = r_edges[i + 1] - r_edges[i], z_edges[j + 1] - z_edges[j]
            nodes = np.array([(2 * i + k) * rows + 2 * j + m for k in range(3) for m in range(3)])
            freedoms = np.concatenate([nodes, count + nodes, 2 * count + nodes])
            corners = np.array([(i + k) * (along + 1) + j + m for k in range(2) for m in range(2)])
            K, B = np.zeros((27, 27)), np.zeros((4, 27))
            for x, wx in zip(points, weights, strict=True):
                for y, wy in zip(points, weights, strict=True):
                    r = r_edges[i] + 0.5 * hr * (x + 1.0)
                    (fx, dx), (fy, dy) = _quadratic(x), _quadratic(y)
                    N, Nr, Nz = (
                        np.outer(fx, fy).ravel(),
                        np.outer(dx, fy).ravel() * 2 / hr,
                        np.outer(fx, dy).ravel() * 2 / hz,
                    )
                    none = np.zeros(9)
                    normal = np.array([np.r_[Nr, none, none], np.r_[N / r, N / r, none], np.r_[none, none, Nz]])
                    shear = np.array([np.r_[-N / r, Nr - N / r, none], np.r_[Nz, none, Nr], np.r_[none, Nz, -N / r]])
                    w = math.pi * wx * wy * hr * hz / 4.0 * r
                    K += w * (2.0 * normal.T @ normal + shear.T @ shear)
                    B += w * np.outer(np.outer([1 - x, 1 + x], [1 - y, 1 + y]).ravel() / 4.0, normal.sum(axis=0))
            stiff.append((freedoms, freedoms, K))
            divergence.append((corners, freedoms, B))
    K = _assembled(stiff, (3 * count, 3 * count))
    B = _assembled(divergence, ((across + 1) * (along + 1), 3 * count))
    inner, outer = np.arange(rows), count - rows + np.arange(rows)
    u = np.zeros(3 * count)
    u[inner] = z_nodes if tilt else 1.0
    u[count + inner] = -u[inner]
    u[2 * count + inner] = -1.0 if tilt else 0.0
    held = np.concatenate([inner, outer])
    free = np.setdiff1d(np.arange(3 * count), np.concatenate([held, count + held, 2 * count + held]))
    whole = sp.bmat([[K[free][:, free], B[:, free].T], [B[:, free], None]], format="csc")
    u[free] = spsolve(whole, -np.concatenate([K[free] @ u, B @ u]))[: len(free)]
    return float(u @ (K @ u))


def _quadratic(x: float) -> tuple[np.ndarray, np.ndarray]:
    return np.array([x * (x - 1) / 2, 1 - x * x, x * (x + 1) / 2]), np.array([x - 0.5, -2 * x, x + 0.5])


def _assembled(parts, shape):
    row = np.concatenate([np.repeat(i, len(j)) for i, j, _ in parts])
    column = np.concatenate([np.tile(j, len(i)) for i, j, _ in parts])
    return sp.csr_matrix((np.concatenate([part.ravel() for _, _, part in parts]), (row, column)), shape)
