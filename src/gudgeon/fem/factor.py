"""Symmetric positive definite matrices factorised once and solved with many times.

The order of the unknowns is the best of: as numbered, along x, along y, reverse Cuthill–McKee. Across the short side of
an nx × ny rectangle it leaves a half-bandwidth of 2 min(nx, ny) + 5. Measured on one core (benchmarks/fem_assembly.py):
an explicit inverse is fastest up to some 100 unknowns, banded panels beyond. SuperLU takes 4 to 9 times as long as
these up to 3000 elements and catches up at 10 000, where the band no longer fits the cache.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gudgeon.errors import ModelError

if TYPE_CHECKING:
    from scipy.sparse import csc_array

    from gudgeon.fem.kernels import Factor

LARGEST_INVERSE = 100  # unknowns
LARGEST_BAND = 20_000_000  # entries, 160 MB
Form = Literal["inverse", "banded", "sparse"]


@dataclass(frozen=True, eq=False)
class Factorized:
    """A factorised matrix. `unknowns` are the rows and columns it covers; solutions are zero elsewhere.

    >>> import numpy as np
    >>> from gudgeon.fem import Material, Mesh, PlaneModel
    >>> material = Material(youngs_modulus=1000.0, poissons_ratio=0.3, density=1 / 3)
    >>> model = PlaneModel(mesh=Mesh.rectangle(0.6, 0.5, 20, 20), material=material)
    >>> operator = model.step_operator(1e-3)
    >>> operator.form, operator.bandwidth
    ('banded', 45)
    >>> b = np.ones(model.unknown_count)
    >>> bool(np.allclose(operator.matrix @ operator.solve(b), b))
    True
    """

    matrix: csc_array  # A, all unknowns
    unknowns: np.ndarray  # in the order of elimination
    bandwidth: int  # largest distance of an entry from the diagonal in that order
    form: Form

    def solve(self, b: np.ndarray) -> np.ndarray:
        """x with A x = b on the covered unknowns and x = 0 elsewhere; flat or (node_count, 2) like b."""
        rhs = np.ascontiguousarray(b, dtype=float)
        rows = len(self.matrix.indptr) - 1
        if rhs.size != rows:
            raise ModelError(f"Factorized.solve: b has {rhs.size} entries; the matrix has {rows} rows")
        if self.form == "sparse":
            x = np.zeros(rhs.size)
            x[self.unknowns] = self._superlu.solve(rhs.ravel()[self.unknowns])
            return x.reshape(rhs.shape)
        from gudgeon.fem.kernels import solve

        x = np.empty(rhs.size)
        solve(self.arrays, rhs.ravel(), x, np.empty(self.arrays.work_size))
        return x.reshape(rhs.shape)

    @cached_property
    def arrays(self) -> Factor:
        """The factor in plain arrays for `gudgeon.fem.kernels.solve` within compiled loops."""
        from gudgeon.fem.kernels import Factor

        n = len(self.unknowns)
        if self.form == "inverse":
            inverse = np.linalg.inv(self._ordered.toarray())
            columns = np.zeros((n, -(-(len(self.matrix.indptr) - 1) // 8) * 8))  # full vector registers
            columns[:, self.unknowns] = 0.5 * (inverse + inverse.T)
            return Factor(order=self.unknowns, inverse=columns)
        if self.form == "banded":
            corners, panels, pivots = self._panels()
            return Factor(order=self.unknowns, corners=corners, panels=panels, pivots=pivots)
        raise ModelError(
            f"Factorized: {n} unknowns with bandwidth {self.bandwidth} make a band of {n * (self.bandwidth + 1)} "
            f"entries; compiled time steps take at most {LARGEST_BAND}, so use a coarser mesh"
        )

    @property
    def _ordered(self) -> csc_array:
        return self.matrix[self.unknowns][:, self.unknowns].tocsc()  # pyright: ignore[reportReturnType]

    @cached_property
    def _superlu(self) -> Any:
        from scipy.sparse.linalg import splu

        return splu(self._ordered, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})

    def _panels(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        from scipy.linalg import cholesky_banded

        n = len(self.unknowns)
        width = -(-self.bandwidth // 8) * 8  # full vector registers
        count = -(-n // 4)
        entries = self._ordered.tocoo()
        below = entries.row >= entries.col
        band = np.zeros((self.bandwidth + 1, n))
        band[(entries.row - entries.col)[below], entries.col[below]] = entries.data[below]
        band = cholesky_banded(band, lower=True, overwrite_ab=True, check_finite=False)
        diagonal = band[0].copy()
        columns = np.zeros((4 * count, width + 4))  # columns[j, k] = L[j + k, j]
        columns[:n, : self.bandwidth + 1] = (band / diagonal).T
        corners = np.stack([columns[j::4, i - j] for i in range(1, 4) for j in range(i)], axis=1)
        panels = np.stack([columns[j::4, 4 - j : 4 - j + width] for j in range(4)], axis=1)
        return np.ascontiguousarray(corners), np.ascontiguousarray(panels), 1.0 / diagonal**2


def factorize(matrix: csc_array, unknowns: np.ndarray, nodes: np.ndarray, form: Form | None = None) -> Factorized:
    """Order and factorise the rows and columns `unknowns` of a symmetric positive definite matrix.

    `nodes` (n, 2) are the positions that the ordering may use, unknowns 2k and 2k + 1 being those of node k.
    """
    order, bandwidth = _best_order(matrix, unknowns, nodes) if len(unknowns) else (unknowns, 0)
    if form is None:
        banded = len(order) * (bandwidth + 1) <= LARGEST_BAND
        form = "inverse" if len(order) <= LARGEST_INVERSE else "banded" if banded else "sparse"
    return Factorized(matrix, order, bandwidth, form)


def _best_order(matrix: csc_array, unknowns: np.ndarray, nodes: np.ndarray) -> tuple[np.ndarray, int]:
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    x, y = nodes[unknowns // 2].T
    chosen = matrix[unknowns][:, unknowns].tocsr()
    orders = [
        np.arange(len(unknowns)),
        np.lexsort((unknowns, y, x)),
        np.lexsort((unknowns, x, y)),
        reverse_cuthill_mckee(chosen, symmetric_mode=True).astype(np.int64),
    ]
    entries = chosen.tocoo()
    best, least = orders[0], len(unknowns)
    for order in orders:
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        bandwidth = int(np.abs(place[entries.row] - place[entries.col]).max(initial=0))
        if bandwidth < least:
            best, least = order, bandwidth
    return unknowns[best], least
