"""The Jacobian of rows, gathered from `Work.jacobian`: whom a row moves, and where its numbers for each of them stand.

A row of a joint has a parent and a child, on two lines. A coupling has those of two joints: the second two lines are
those of the next row, its echo.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gudgeon.kernels.dynamics import arrays
from gudgeon.kernels.dynamics.arrays import Model

DENSE_SIZE = 40_000  # entries of a Jacobian up to which dense algebra is faster


@dataclass(frozen=True)
class RowSides:
    """The sides of rows; bodies and carriers are numbered from 1, the ground is 0."""

    bodies: np.ndarray  # (rows, 2), or 4 where there are couplings: other rows have the ground in the last two places
    lines: np.ndarray  # (rows, 2 or 4) of `Work.jacobian`; what they say of the ground means nothing

    def of(self, rows: np.ndarray) -> RowSides:
        """The sides of these rows."""
        return RowSides(self.bodies[rows], self.lines[rows])

    @cached_property
    def _moving(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Row, body from 0 and line of every side that is not the ground's."""
        row, side = np.nonzero(self.bodies)
        return row, self.bodies[row, side] - 1, self.lines[row, side]

    def matrix(self, jacobian: np.ndarray, body_count: int):
        """The rows last evaluated, (rows, 6 bodies): sparse if that is large."""
        row, body, lines = self._moving
        values, shape = jacobian[lines], (len(self.bodies), 6 * body_count)
        if shape[0] * shape[1] <= DENSE_SIZE:
            dense = np.zeros((len(self.bodies), body_count, 6))
            if self.bodies.shape[1] > 2:
                np.add.at(dense, (row, body), values)  # a body may be on both sides
            else:
                dense[row, body] = values
            return dense.reshape(shape)
        from scipy.sparse import csc_array

        columns = 6 * body[:, None] + np.arange(6)
        return csc_array((values.reshape(-1), (np.repeat(row, 6), columns.reshape(-1))), shape=shape)


def row_sides(model: Model, row_count: int) -> RowSides:
    """The sides of all rows."""
    bodies = np.zeros((row_count, 4 if np.any(model.block[:, arrays.KIND] == arrays.ECHO) else 2), np.int64)
    for line in model.block:
        first, ends = line[arrays.ROW], (line[arrays.PARENT], line[arrays.CHILD])
        if line[arrays.KIND] == arrays.ECHO:
            bodies[first - 1, 2:] = ends
        else:
            bodies[first : first + line[arrays.ROWS], :2] = ends
    return RowSides(bodies, 2 * np.arange(row_count)[:, None] + np.where(bodies > 0, np.arange(bodies.shape[1]), 0))
