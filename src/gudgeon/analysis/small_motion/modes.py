"""Vibration modes of M δz̈ + C δż + K δz = 0.

With mass-orthonormal coordinates the eigenvalues λ of [[0, s], [−K/s, −C]] (s² = |K|, so that both halves are of one
size) are found by the QR algorithm. Freedoms that nothing holds and nothing damps have λ = 0 twice, which rounding
would scatter; they are taken out before. Without damping and with a symmetric K, λ² = −ω² follows from the symmetric
eigenproblem, with Rayleigh's quotient for soft modes beside stiff ones. A pair of conjugate λ is one mode, a real λ is
one as well. States of controllers are states more of the same matrix (control_slopes.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from gudgeon.analysis.small_motion.control_slopes import Controlled

NOTHING = 1e-14  # stiffness or damping that is none, of the largest [-]
REAL = 1e-9  # imaginary part of λ that is none, of its size, where the real part is not small [-]


class Modes(NamedTuple):
    """Eigenvalues in ascending order of size, and the vectors of the displacement that go with them."""

    eigenvalues: np.ndarray  # (modes) complex, imaginary part ≥ 0 [1/s]
    vectors: np.ndarray  # (freedoms, modes) complex
    all_eigenvalues: np.ndarray  # (2 freedoms, and states of controllers) complex [1/s]


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
    return _ordered(values, vectors, everything)


def controlled_modes(stiffness: np.ndarray, damping: np.ndarray, control: Controlled) -> Modes:
    """The modes with the states of controllers, for mass-orthonormal coordinates."""
    n, size = len(stiffness), np.sqrt(max(np.abs(stiffness).max(initial=0.0), 1e-300))
    size = max(size, 1e-8 * np.abs(damping).max(initial=0.0), 1e-8 * np.abs(control.own).max(initial=0.0)) or 1.0
    motion = np.hstack([np.zeros((n, n)), size * np.eye(n), np.zeros_like(control.push)])
    forces = np.hstack([-stiffness / size, -damping, control.push / size])
    states = np.hstack([control.by_displacement, size * control.by_velocity, control.own])
    values, vectors = np.linalg.eig(balanced(np.vstack([motion, forces, states]), n))
    kept, shapes, everything = [], [], []
    for value, vector in zip(values, vectors.T, strict=True):
        value = complex(value.real, 0.0) if abs(value.imag) <= REAL * abs(value) else complex(value)
        everything.append(value)
        if value.imag >= 0.0:
            kept.append(value)
            shapes.append(vector[:n])
    return _ordered(kept, shapes, everything)


def balanced(matrix: np.ndarray, n: int) -> np.ndarray:
    """A state matrix whose states after the first 2 n are scaled to couple as much forwards as backwards."""
    scale = np.ones(len(matrix))
    for k in range(2 * n, len(matrix)):
        column, row = np.abs(matrix[: 2 * n, k]).max(initial=0.0), np.abs(matrix[k, : 2 * n]).max(initial=0.0)
        if column > 0.0 and row > 0.0:
            scale[k] = np.sqrt(row / column)
    return matrix * scale[None, :] / scale[:, None]


def _ordered(values: list[complex], vectors: list[np.ndarray], everything: Iterable[complex]) -> Modes:
    """Modes in the order of their size."""
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
