"""Damped least squares with dense or sparse matrices."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gudgeon.mechanics.lapack import lapack


def damped_least_squares(matrix, right: np.ndarray, damping: float) -> np.ndarray:
    """The x that minimises |A x − b|² + damping |x|².

    Solved as [[c, A], [Aᵀ, −c]] [u, x] = [b, 0] with c² = damping, which does not square the condition of A; with a
    tiny damping this is the solution of least norm.
    """
    return _damped_solver(matrix, damping)(right)


def least_norm(matrix, right: np.ndarray) -> np.ndarray:
    """The shortest x with A x = b, for b in the range of A; A may have any rank."""
    scale = float(abs(matrix).max()) or 1.0
    solve = _damped_solver(matrix, 1e-14 * scale**2)
    x = solve(right)
    return x + solve(right - matrix @ x)


def _damped_solver(matrix, damping: float) -> Callable[[np.ndarray], np.ndarray]:
    """The function b → x of `damped_least_squares`, with one factorisation for all b."""
    rows, columns = matrix.shape
    c = np.sqrt(damping)
    if isinstance(matrix, np.ndarray):
        whole = np.zeros((rows + columns, rows + columns), order="F")
        np.fill_diagonal(whole, np.repeat([c, -c], [rows, columns]))
        whole[:rows, rows:] = matrix
        whole[rows:, :rows] = matrix.T
        factors, pivots, _ = lapack().dgetrf(whole, overwrite_a=True)  # lu_factor calls it after looking at everything

        def solve(both: np.ndarray) -> np.ndarray:
            return lapack().dgetrs(factors, pivots, both, overwrite_b=True)[0]

    else:
        from scipy.sparse import block_array, eye_array
        from scipy.sparse.linalg import splu

        solve = splu(
            block_array([[c * eye_array(rows), matrix], [matrix.T, -c * eye_array(columns)]], format="csc")
        ).solve
    return lambda right: solve(np.concatenate([right, np.zeros(columns)]))[rows:]


def dense(matrix) -> np.ndarray:
    """The same, not sparse."""
    return matrix if isinstance(matrix, np.ndarray) else matrix.toarray()


def scaled_columns(matrix, factors: np.ndarray):
    """A diag(factors)."""
    if isinstance(matrix, np.ndarray):
        return matrix * factors
    from scipy.sparse import diags_array

    return matrix @ diags_array(factors)
