"""The joint coordinates of a model in the motion last evaluated."""

from __future__ import annotations

from numba import void

from gudgeon.kernels.build.compiled import entrance
from gudgeon.kernels.build.records import MATRIX
from gudgeon.kernels.dynamics.arrays import MODEL, WORK
from gudgeon.kernels.kinematics.measures import measure


@entrance(void(MODEL, WORK, MATRIX))
def measures(m, w, out):
    """Value, rate, bias and the twelve numbers of the gradient of every measure, into lines of `out`."""
    for k in range(m.measure.shape[0]):
        out[k, 0], out[k, 1], out[k, 2] = measure(m, w, k)
        for c in range(12):
            out[k, 3 + c] = w.gradient[c]
