"""What a compiled time step needs of a finite-element body: products with sparse matrices and solves with a factor.

Every kernel takes plain arrays, so that solvers elsewhere can call it within their own compiled loops.
A Factor is L D Lᵀ of a symmetric positive definite matrix in a banded order, cut into panels of four columns: one pass
over a panel serves four unknowns, and its inner loops are contiguous. Small matrices carry their inverse instead, whose
product has no chain of dependent steps.
"""

from __future__ import annotations

from gudgeon.kernels.build.compiled import summed as _compiled  # scalar products run in vector registers
from gudgeon.kernels.build.records import Record, integers, numbers


class Factor(Record):
    """A factorised matrix in plain arrays; `inverse` is empty for the banded form, `panels` for the dense one."""

    order = integers(1)  # (n,) unknown at each place of the factor; unknowns not in it stay zero
    inverse = numbers(2)  # (n, unknowns, padded) or (0, 0): its column for the unknown at each place, as numbered
    corners = numbers(2)  # (panel_count, 6) the entries of L within each panel's own rows: 10, 20, 21, 30, 31, 32
    panels = numbers(3)  # (panel_count, 4, width) four columns of L below those rows
    pivots = numbers(1)  # (n,) 1/D

    @property
    def work_size(self) -> int:
        """Length of the scratch array that `solve` needs."""
        return self.inverse.shape[1] if len(self.inverse) else 4 * len(self.panels) + self.panels.shape[2]


@_compiled
def solve(factor, b, x, work):
    """x = A⁻¹ b. `work` has at least factor.work_size places; x may be b."""
    if factor.inverse.shape[0] > 0:
        _multiply_dense(factor.inverse, factor.order, b, work)
        for i in range(x.shape[0]):
            x[i] = work[i]
        return
    order = factor.order
    n = order.shape[0]
    for i in range(n):
        work[i] = b[order[i]]
    if n < x.shape[0]:
        for i in range(x.shape[0]):
            x[i] = 0.0
    _forward(factor.corners, factor.panels, n, work)
    for i in range(n):
        work[i] *= factor.pivots[i]
    _backward(factor.corners, factor.panels, work)
    for i in range(n):
        x[order[i]] = work[i]


@_compiled
def _multiply_dense(columns, order, b, out):
    """out = A b for the columns of A that b has anything for, two at a time."""
    n, size = columns.shape
    for i in range(size):
        out[i] = 0.0
    for pair in range(n // 2):
        p, q = b[order[2 * pair]], b[order[2 * pair + 1]]
        if p != 0.0 or q != 0.0:
            first, second = columns[2 * pair], columns[2 * pair + 1]
            for i in range(size):
                out[i] += first[i] * p + second[i] * q
    if n % 2:
        last, p = columns[n - 1], b[order[n - 1]]
        for i in range(size):
            out[i] += last[i] * p


@_compiled
def _forward(corners, panels, n, y):
    """L y' = y in place, y padded with zeros."""
    width = panels.shape[2]
    for i in range(n, 4 * panels.shape[0] + width):
        y[i] = 0.0
    for k in range(panels.shape[0]):
        corner, head, tail = corners[k], y[4 * k : 4 * k + 4], y[4 * k + 4 : 4 * k + 4 + width]
        a, b, c, d = panels[k, 0], panels[k, 1], panels[k, 2], panels[k, 3]
        p = head[0]
        q = head[1] - corner[0] * p
        r = head[2] - corner[1] * p - corner[2] * q
        s = head[3] - corner[3] * p - corner[4] * q - corner[5] * r
        head[1], head[2], head[3] = q, r, s
        for i in range(width):
            tail[i] -= a[i] * p + b[i] * q + c[i] * r + d[i] * s


@_compiled
def _backward(corners, panels, y):
    """Lᵀ y' = y in place."""
    width = panels.shape[2]
    for k in range(panels.shape[0] - 1, -1, -1):
        corner, head, tail = corners[k], y[4 * k : 4 * k + 4], y[4 * k + 4 : 4 * k + 4 + width]
        a, b, c, d = panels[k, 0], panels[k, 1], panels[k, 2], panels[k, 3]
        p = q = r = s = 0.0
        for i in range(width):
            t = tail[i]
            p += a[i] * t
            q += b[i] * t
            r += c[i] * t
            s += d[i] * t
        s = head[3] - s
        r = head[2] - r - corner[5] * s
        q = head[1] - q - corner[2] * r - corner[4] * s
        head[0] -= p + corner[0] * q + corner[1] * r + corner[3] * s
        head[1], head[2], head[3] = q, r, s


@_compiled
def multiply(indptr, indices, data, x, out):
    """out = A x for A in compressed rows; K, M and C are symmetric, so their compressed columns will do."""
    for i in range(out.shape[0]):
        values = data[indptr[i] : indptr[i + 1]]
        columns = indices[indptr[i] : indptr[i + 1]]
        total = 0.0
        for k in range(values.shape[0]):
            total += values[k] * x[columns[k]]
        out[i] = total
