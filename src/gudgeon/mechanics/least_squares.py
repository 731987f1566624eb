"""Damped least squares with dense or sparse matrices."""

from __future__ import annotations

import numpy as np


def damped_least_squares(matrix, right: np.ndarray, damping: float) -> np.ndarray:
    """The x that minimises |A x − b|² + damping |x|².

    Solved as [[c, A], [Aᵀ, −c]] [u, x] = [b, 0] with c² = damping, which does not square the condition of A; with a
    tiny damping this is the solution of least norm.
    """
    rows, columns = matrix.shape
    c = np.sqrt(damping)
    both = np.concatenate([right, np.zeros(columns)])
    if isinstance(matrix, np.ndarray):
        whole = np.diag(np.repeat([c, -c], [rows, columns]))
        whole[:rows, rows:] = matrix
        whole[rows:, :rows] = matrix.T
        return np.linalg.solve(whole, both)[rows:]
    from scipy.sparse import block_array, eye_array
    from scipy.sparse.linalg import splu

    whole = block_array([[c * eye_array(rows), matrix], [matrix.T, -c * eye_array(columns)]], format="csc")
    return splu(whole).solve(both)[rows:]


def least_norm(matrix, right: np.ndarray) -> np.ndarray:
    """The shortest x with A x = b, for b in the range of A; A may have any rank."""
    scale = float(abs(matrix).max()) or 1.0
    damping = 1e-14 * scale**2
    x = damped_least_squares(matrix, right, damping)
    return x + damped_least_squares(matrix, right - matrix @ x, damping)


def scaled_columns(matrix, factors: np.ndarray):
    """A diag(factors)."""
    if isinstance(matrix, np.ndarray):
        return matrix * factors
    from scipy.sparse import diags_array

    return matrix @ diags_array(factors)
