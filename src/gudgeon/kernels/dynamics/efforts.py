"""The efforts of all loads that Implicit may solve for, behind the wall: they are asked from many places of a step."""

from __future__ import annotations

from numba import float64, void

from gudgeon.kernels.build.compiled import addressed
from gudgeon.kernels.build.records import VECTOR
from gudgeon.kernels.dynamics.arrays import BUNDLE, EFFORT_AT, EFFORT_LOAD, EFFORTS, MODEL, USED_SIGNALS, WORK
from gudgeon.kernels.dynamics.engine import law_force, signals
from gudgeon.kernels.dynamics.load_bundles import wrench_of_bundle
from gudgeon.kernels.dynamics.loads import efforts_of_load
from gudgeon.kernels.elements.coupled import EFFORT, coupled_motion


@addressed(void(MODEL, WORK, float64, VECTOR, VECTOR))
def all_efforts(m, w, t, y, out):
    """Of springs, motors, functions of signals, bundles, elastic couplings; and the rates of states of controllers."""
    if m.signal.shape[0] > 0:
        signals(m, w, t, y, int(m.settings[USED_SIGNALS]))
    for e in range(m.effort.shape[0]):
        at, load = m.effort[e, EFFORT_AT], m.effort[e, EFFORT_LOAD]
        if load < 0:  # an elastic coupling
            coupled_motion(m, w, -1 - load, y)
            law_force(m, w, -1 - load, -1 - load, -1 - load)
            out[at] = w.force[-1 - load, EFFORT]
            continue
        if load >= m.load.shape[0]:  # a state of a controller
            out[at] = w.signal[m.control_rate[load - m.load.shape[0]]]
            continue
        if m.effort[e, EFFORTS] == BUNDLE:
            wrench_of_bundle(m, w, e, t, y, out)
            continue
        x, second, third = efforts_of_load(m, w, load, t, y)
        out[at] = x
        if m.effort[e, EFFORTS] == 3:
            out[at + 1], out[at + 2] = second, third
