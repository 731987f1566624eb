"""Controls: numbers of the state that are no motion. States of controllers come first, and have rates; the others (what
sampled controllers keep, switches) are held between the instants at which they change (integrators/instants.py).
"""

from __future__ import annotations

from math import isfinite

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.dynamics.arrays import CONTROLS, USED_SIGNALS
from gudgeon.kernels.dynamics.dense_lu import factorise_dense, solve_dense
from gudgeon.kernels.dynamics.engine import signals
from gudgeon.kernels.dynamics.state_places import first_control

NUDGE = 1.5e-8  # of a state, for differences


@inlined
def hold_controls(m, w, y):
    """The controls of the state y, for rows that depend on them."""
    for k in range(w.control.shape[0]):
        w.control[k] = y[first_control(m) + k]


@inlined
def control_rates(m, w, y_rate):
    """The rates of all controls, from the signals held in `w`."""
    first = first_control(m)
    for k in range(m.layout[CONTROLS]):
        y_rate[first + k] = 0.0
    for k in range(m.control_rate.shape[0]):
        y_rate[first + k] = w.signal[m.control_rate[k]]


@called
def control_slopes(m, w, t, y, sizes, slopes):
    """∂ẋ/∂x of the states x of controllers at the motion held in `w`, by differences; the signals stay those of y.

    `sizes` are the sizes that the states have had so far.
    """
    first, count, last = first_control(m), m.control_rate.shape[0], int(m.settings[USED_SIGNALS])
    for k in range(count):
        for i in range(count):
            slopes[i, k] = w.signal[m.control_rate[i]]
    for k in range(count):
        kept = y[first + k]
        size = max(abs(kept), sizes[k])
        y[first + k] = kept + (NUDGE * size if size > 0.0 else NUDGE)
        step = y[first + k] - kept
        signals(m, w, t, y, last)
        for i in range(count):
            slope = (w.signal[m.control_rate[i]] - slopes[i, k]) / step
            slopes[i, k] = slope if isfinite(slope) else 0.0
        y[first + k] = kept
    signals(m, w, t, y, last)


@inlined
def solve_implicitly(slopes, h, matrix, pivot, x):
    """Overwrite x by (1 − h S)⁻¹ x, S the slopes."""
    count = slopes.shape[0]
    for i in range(count):
        for k in range(count):
            matrix[i, k] = (1.0 if i == k else 0.0) - h * slopes[i, k]
    factorise_dense(matrix, pivot, count)
    solve_dense(matrix, pivot, count, x)
