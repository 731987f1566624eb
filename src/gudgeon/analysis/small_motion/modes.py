"""Vibration modes of M δz̈ + C δż + K δz = 0.

With mass-orthonormal coordinates the eigenvalues λ of [[0, s], [−K/s, −C]] (s² = |K|, so that both halves are of one
size) are found by the QR algorithm. Freedoms that nothing holds and nothing damps have λ = 0 twice, which rounding
would scatter; they are taken out before. Without damping and with a symmetric K, λ² = −ω² follows from the symmetric
eigenproblem, with Rayleigh's quotient for soft modes beside stiff ones. A pair of conjugate λ is one mode, a real λ is
one as well.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

NOTHING = 1e-14  # stiffness or damping that is none, of the largest [-]
REAL = 1e-9  # imaginary part of λ that is none, of its size, where the real part is not small [-]


class Modes(NamedTuple):
    """Eigenvalues in ascending order of size, and the vectors of the displacement that go with them."""

    eigenvalues: np.ndarray  # (modes) complex, imaginary part ≥ 0 [1/s]
    vectors: np.ndarray  # (freedoms, modes) complex
    all_eigenvalues: np.ndarray  # (2 freedoms) complex [1/s]


def vibration_modes(stiffness: np.ndarray, damping: np.ndarray) -> Modes:
    """The modes for mass-orthonormal coordinates."""
    loose, held = _split(stiffness, damping)
    values, vectors = [0j] * loose.shape[1], [loose[:, k] + 0j for k in range(loose.shape[1])]
    everything = [0j] * (2 * loose.shape[1])
    if held.shape[1]:
        k, c = held.T @ stiffness @ held, held.T @ damping @ held
        conservative = not c.any() and np.array_equal(stiffness, stiffness.T)
        for value, vector in _conservative_pairs(k) if conservative else _pairs(k, c):
            everything.append(value)
            if value.imag >= 0.0:
                values.append(value)
                vectors.append(held @ vector)
    order = np.argsort(np.abs(values), kind="stable")
    everything = np.array(everything)
    return Modes(
        np.array(values)[order],
        np.array(vectors).T[:, order],
        everything[np.lexsort((np.imag(everything), np.round(np.abs(everything), 12)))],
    )


def _split(stiffness: np.ndarray, damping: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Orthonormal bases of the directions without stiffness and damping, and of the others."""
    whole = [
        part / size
        for matrix in (stiffness, damping)
        if (size := np.abs(matrix).max()) > 0.0
        for part in (matrix, matrix.T)
    ]
    count = len(stiffness)
    if not whole:
        return np.eye(count), np.zeros((count, 0))
    _, values, directions = np.linalg.svd(np.vstack(whole))
    free = values <= NOTHING * count
    return directions[free].T, directions[~free].T


def _conservative_pairs(k: np.ndarray):
    """Eigenvalues ±iω or ±σ, and real vectors."""
    _, vectors = np.linalg.eigh(0.5 * (k + k.T))
    for vector in vectors.T:
        square = float(vector @ k @ vector)
        root = np.sqrt(abs(square))
        for sign in (1.0, -1.0):
            yield (complex(0.0, sign * root) if square > 0.0 else complex(sign * root, 0.0)), vector + 0j


def _pairs(k: np.ndarray, c: np.ndarray):
    """Eigenvalues and vectors, conjugates exactly conjugate."""
    n = len(k)
    size = np.sqrt(max(np.abs(k).max(), 1e-300))
    size = size if size > 1e-8 * np.abs(c).max() else np.abs(c).max()
    matrix = np.block([[np.zeros((n, n)), size * np.eye(n)], [-k / size, -c]])
    values, vectors = np.linalg.eig(matrix)
    for value, vector in zip(values, vectors.T, strict=True):
        if abs(value) <= NOTHING * n * size:
            value = 0.0 * value
        elif abs(value.imag) <= REAL * abs(value):
            value = complex(value.real, 0.0)
        yield complex(value), vector[:n]
