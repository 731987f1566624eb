"""Linear parts of point rows in J, M⁻¹ Jᵀ and S: ∓1 and its products with the inverse mass, for all times.

Where they stand, and all that does not depend on masses, is found once for mechanisms that differ in masses alone.
"""

from __future__ import annotations

import numpy as np

from gudgeon.kernels.dynamics import arrays
from gudgeon.kernels.dynamics.arrays import Model, Work

SIX = np.arange(6)  # rows of a node
COLUMNS = 6  # of `Work.weighted` and `Work.constant_schur`


class ConstantParts:
    """Of a model and of those that have other bodies."""

    def __init__(self, model: Model, work: Work):
        """Write what does not depend on masses into a new `work`, and keep where the rest belongs."""
        lines, xyz = model.block[model.block[:, arrays.KIND] == arrays.POINTS], np.arange(3)
        places, signs, bodies = [], [], []
        for side, sign in ((0, -1.0), (1, 1.0)):
            rows = 2 * (lines[:, arrays.ROW, None] + xyz) + side
            work.jacobian[rows, xyz] = sign
            places.append((COLUMNS * rows + xyz).reshape(-1))
            signs.append(np.full(rows.size, sign))
            bodies.append(np.repeat(lines[:, arrays.CHILD if side else arrays.PARENT], 3))
        self._weighted = bool(len(work.weighted))
        self._places, self._signs, self._bodies = map(np.concatenate, (places, signs, bodies))
        if len(work.constant_schur):
            for block in np.flatnonzero(model.block[:, arrays.KIND] == arrays.ROTOR):
                node, row = divmod(int(model.block[block, arrays.ROW]), 6)
                give = 1.0 / model.block_vector[block, arrays.ROTOR_INERTIA]
                work.constant_schur[model.node[node, arrays.NODE_DIAGONAL] + row, row] += give
        fixed = model.pair[:, arrays.PAIR_CHANGES] == 0  # absolute coordinates
        one, two, rows, columns, at, _ = model.pair[fixed].T
        pair, i, j = np.nonzero((SIX[:, None] < rows[:, None, None]) & (columns[:, None, None] > SIX))
        self._first = model.pair_scale[fixed][pair, None] * work.jacobian[one[pair] + 2 * i, :3]
        self._second = two[pair] + 2 * j  # lines of `weighted`
        self._schur = COLUMNS * (at[pair] + i) + j

    def write(self, model: Model, work: Work) -> None:
        """Write what depends on the masses of these bodies."""
        if self._weighted:
            work.weighted.reshape(-1)[self._places] = self._signs * model.body[self._bodies, arrays.INVERSE_MASS]
        products = (self._first * work.weighted[self._second, :3]).sum(axis=1)
        np.add.at(work.constant_schur.reshape(-1), self._schur, products)
