"""Several functions of time of the model at once."""

from __future__ import annotations

from numba import float64, int64, types, void

from gudgeon.kernels.build.compiled import entrance
from gudgeon.kernels.build.records import VECTOR
from gudgeon.kernels.dynamics.arrays import MODEL, WORK
from gudgeon.kernels.functions.programs import function


@entrance(void(MODEL, WORK, types.Array(int64, 1, "C"), float64, VECTOR))
def values(m, w, programs, t, out):
    """The programs at time t."""
    for k in range(programs.shape[0]):
        out[k] = function(m, w, programs[k], t)
