"""What Python asks of signals and loads in a state."""

from __future__ import annotations

from numba import float64, int64, types, void

from gudgeon.kernels.build.compiled import entrance
from gudgeon.kernels.build.records import MATRIX, VECTOR
from gudgeon.kernels.dynamics.arrays import APPLIED, MODEL, USED_SIGNALS, WORK
from gudgeon.kernels.dynamics.engine import kinematics, signals
from gudgeon.kernels.dynamics.loads import apply_load


@entrance(void(MODEL, WORK, float64, VECTOR))
def signals_at(m, w, t, y):
    """All signals of the state y, into `w.signal`."""
    kinematics(m, w, y)
    signals(m, w, t, y, m.signal.shape[0])


@entrance(void(MODEL, WORK, float64, VECTOR, types.Array(int64, 1, "C"), MATRIX))
def forces_of_loads(m, w, t, y, lines, out):
    """Forces and torques of some loads on all bodies (bodies, 6) in the state y."""
    kinematics(m, w, y)
    signals(m, w, t, y, int(m.settings[USED_SIGNALS]))
    for b in range(w.body.shape[0]):
        for c in range(6):
            w.body[b, APPLIED + c] = 0.0
    for k in range(lines.shape[0]):
        apply_load(m, w, lines[k], t, y)
    for b in range(1, m.body.shape[0]):
        for c in range(6):
            out[b - 1, c] = w.body[b, APPLIED + c]
