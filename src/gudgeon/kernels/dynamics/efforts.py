"""The efforts of all loads that Implicit may solve for, behind the wall: they are asked from many places of a step."""

from __future__ import annotations

from numba import float64, void

from gudgeon.kernels.build.compiled import addressed, called
from gudgeon.kernels.build.records import VECTOR
from gudgeon.kernels.dynamics.arrays import (
    EFFORT_AT,
    EFFORT_BODY,
    EFFORT_LOAD,
    EFFORTS,
    FIRST_WRENCH,
    KIND,
    MODEL,
    SECOND_WRENCH,
    SPRING,
    USED_SIGNALS,
    WORK,
    WRENCH,
)
from gudgeon.kernels.dynamics.engine import law_force, signals
from gudgeon.kernels.dynamics.loads import add_wrench, efforts_of_load, wrench_of_load
from gudgeon.kernels.elements.coupled import EFFORT, coupled_motion
from gudgeon.kernels.kinematics.rotation import cross


@addressed(void(MODEL, WORK, float64, VECTOR, VECTOR))
def all_efforts(m, w, t, y, out):
    """Of springs, motors, functions of signals, elastic couplings, wrenches; and rates of states of controllers."""
    if m.signal.shape[0] > 0:
        signals(m, w, t, y, int(m.settings[USED_SIGNALS]))
    wrenches = False
    for e in range(m.effort.shape[0]):
        at, load = m.effort[e, EFFORT_AT], m.effort[e, EFFORT_LOAD]
        if m.effort[e, EFFORT_BODY] > 0:
            wrenches = True
            for c in range(WRENCH):
                out[at + c] = 0.0
        elif load < 0:  # an elastic coupling
            coupled_motion(m, w, -1 - load, y)
            law_force(m, w, -1 - load, -1 - load, -1 - load)
            out[at] = w.force[-1 - load, EFFORT]
        elif load >= m.load.shape[0]:  # a state of a controller
            out[at] = w.signal[m.control_rate[load - m.load.shape[0]]]
        else:
            x, second, third = efforts_of_load(m, w, load, t, y)
            out[at] = x
            if m.effort[e, EFFORTS] == 3:
                out[at + 1], out[at + 2] = second, third
    if wrenches:
        add_to_wrenches(m, w, t, y, out)


@called
def add_to_wrenches(m, w, t, y, out):
    """What each load of a wrench adds to those of its two bodies."""
    for k in range(m.load.shape[0]):
        one, two = m.load[k, FIRST_WRENCH], m.load[k, SECOND_WRENCH]
        if one >= 0 or two >= 0:
            x, y_, z, tx, ty, tz = wrench_of_load(m, w, k, t, y)
            if one >= 0:
                add_wrench(out, m.effort[one, EFFORT_AT], x, y_, z, tx, ty, tz)
            if two >= 0 and m.load[k, KIND] == SPRING:
                tx, ty, tz = cross(w.gradient[3], w.gradient[4], w.gradient[5], -x, -y_, -z)
                add_wrench(out, m.effort[two, EFFORT_AT], -x, -y_, -z, tx, ty, tz)
