"""Dense linear systems of a few unknowns: LU with row exchanges, or elimination where one right-hand side is all."""

from __future__ import annotations

from gudgeon.kernels.build.compiled import inlined


@inlined
def factorise_dense(matrix, pivot, n):
    """LU with row exchanges, in place."""
    for k in range(n):
        best, at = abs(matrix[k, k]), k
        for i in range(k + 1, n):
            if abs(matrix[i, k]) > best:
                best, at = abs(matrix[i, k]), i
        pivot[k] = at
        if at != k:
            for j in range(n):
                matrix[k, j], matrix[at, j] = matrix[at, j], matrix[k, j]
        inverse = 1.0 / matrix[k, k]
        for i in range(k + 1, n):
            x = matrix[i, k] * inverse
            matrix[i, k] = x
            if x != 0.0:
                for j in range(k + 1, n):
                    matrix[i, j] -= x * matrix[k, j]


@inlined
def solve_dense(matrix, pivot, n, x):
    """Overwrite x by the solution with the factors of `factorise_dense`."""
    for k in range(n):
        at = pivot[k]
        if at != k:
            x[k], x[at] = x[at], x[k]
    for i in range(1, n):
        y = x[i]
        for j in range(i):
            y -= matrix[i, j] * x[j]
        x[i] = y
    for i in range(n - 1, -1, -1):
        y = x[i]
        for j in range(i + 1, n):
            y -= matrix[i, j] * x[j]
        x[i] = y / matrix[i, i]


@inlined
def eliminate_dense(matrix, n, x):
    """Overwrite x by the solution, as the two above do; the matrix is used up."""
    for k in range(n):
        best, at = abs(matrix[k, k]), k
        for i in range(k + 1, n):
            if abs(matrix[i, k]) > best:
                best, at = abs(matrix[i, k]), i
        if at != k:
            x[k], x[at] = x[at], x[k]
            for j in range(k, n):
                matrix[k, j], matrix[at, j] = matrix[at, j], matrix[k, j]
        inverse = 1.0 / matrix[k, k]
        for i in range(k + 1, n):
            z = matrix[i, k] * inverse
            if z != 0.0:
                x[i] -= z * x[k]
                for j in range(k + 1, n):
                    matrix[i, j] -= z * matrix[k, j]
    for i in range(n - 1, -1, -1):
        y = x[i]
        for j in range(i + 1, n):
            y -= matrix[i, j] * x[j]
        x[i] = y / matrix[i, i]
