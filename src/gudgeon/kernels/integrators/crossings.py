"""Crossings: the instants at which a watched coordinate or signal takes a value, found on the dense output of steps.

A crossing that turns a switch is found before a step is accepted: the step is then taken again so that it ends there.
"""

from __future__ import annotations

from math import inf, pi

from numba import float64, void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.build.records import VECTOR
from gudgeon.kernels.dynamics.arrays import (
    ANGLE,
    CROSSING_ALONG,
    CROSSING_BODY,
    CROSSING_DIRECTION,
    CROSSING_MEASURE,
    CROSSING_POINT,
    CROSSING_SIGNAL,
    CROSSING_STOP,
    CROSSING_SWITCH,
    CROSSING_VALUE,
    KIND,
    MODEL,
    POSITION,
    SWITCH_ON,
    SWITCH_STATE,
    WORK,
)
from gudgeon.kernels.dynamics.engine import crossing_gaps, kinematics, signals
from gudgeon.kernels.dynamics.state_places import first_control
from gudgeon.kernels.integrators.dense import evaluate_dense
from gudgeon.kernels.integrators.run import CROSSED, FLIGHT_RECORD, LOOKS, SCRATCH, TRIGGER, copy
from gudgeon.kernels.kinematics.measures import measure, wrapped
from gudgeon.kernels.kinematics.rotation import rotated


@addressed(float64(MODEL, WORK))
def longest_step_for_crossings(m, w):
    """The longest step in which no watched angle turns more than a quarter between two looks, at the motion in `w`.

    In relative coordinates a wheel at constant speed is a straight line, which a step of any length follows.
    """
    longest = inf
    for c in range(m.crossing.shape[0]):
        k = m.crossing[c, CROSSING_MEASURE]
        if k >= 0 and m.measure[k, KIND] == ANGLE:
            rate = abs(measure(m, w, k)[1])
            if rate * longest > 0.5 * pi * LOOKS:
                longest = 0.5 * pi * LOOKS / rate
    return longest


@addressed(void(MODEL, WORK, float64, VECTOR, VECTOR))
def gaps_of_crossings(m, w, t, y, gaps):
    """Coordinate or signal − value for every crossing at the state y."""
    kinematics(m, w, y)
    measured = False
    for k in range(gaps.shape[0]):
        c = m.crossing[k, CROSSING_MEASURE]
        if m.crossing[k, CROSSING_SIGNAL] >= 0:
            if not measured:
                signals(m, w, t, y, m.signal.shape[0])
                measured = True
            gaps[k] = w.signal[m.crossing[k, CROSSING_SIGNAL]] - m.crossing_vector[k, CROSSING_VALUE]
        elif c >= 0:
            gap = measure(m, w, c)[0] - m.crossing_vector[k, CROSSING_VALUE]
            gaps[k] = wrapped(gap) if m.measure[c, KIND] == ANGLE else gap
        else:
            b = m.crossing[k, CROSSING_BODY]
            s = rotated(w.body, b, m.crossing_vector, k, CROSSING_POINT)
            x = -m.crossing_vector[k, CROSSING_VALUE]
            for e in range(3):
                x += m.crossing_vector[k, CROSSING_ALONG + e] * (w.body[b, POSITION + e] + s[e])
            gaps[k] = x


@inlined
def is_crossing(m, k, before, after):
    """Does crossing k happen between two gaps? The jump of an angle by a full turn is none."""
    c, direction = m.crossing[k, CROSSING_MEASURE], m.crossing[k, CROSSING_DIRECTION]
    if c >= 0 and m.measure[c, KIND] == ANGLE and (abs(before) > 0.5 * pi or abs(after) > 0.5 * pi):
        return False
    return (direction >= 0 and before < 0.0 <= after) or (direction <= 0 and before > 0.0 >= after)


@called
def locate(m, w, f, t, h, k, low, high, before):
    """The fraction of the step at which crossing k happens, by bisection down to the last digit."""
    gaps = f.gaps[SCRATCH]
    while True:
        middle = 0.5 * (low + high)
        if middle <= low or middle >= high:
            return high
        evaluate_dense(f.y, f.dense, middle, f.y_stage)
        crossing_gaps(m, w, t + middle * h, f.y_stage, gaps)
        if (gaps[k] < 0.0) == (before < 0.0) and gaps[k] != 0.0:
            low = middle
        else:
            high = middle


@inlined
def look_for_crossings(m, w, f, t, h):
    """The gaps of all crossings at places within the last step."""
    for look in range(1, LOOKS + 1):
        evaluate_dense(f.y, f.dense, look / LOOKS, f.y_stage)
        crossing_gaps(m, w, t + look / LOOKS * h, f.y_stage, f.gaps[look])


@inlined
def turns_switch(m, y, k):
    """Would crossing k turn its switch now?"""
    s = m.crossing[k, CROSSING_SWITCH]
    return s >= 0 and (y[first_control(m) + m.switch[s, SWITCH_STATE]] == 0.0) == (m.switch[s, SWITCH_ON] == k)


@addressed(float64(MODEL, WORK, FLIGHT_RECORD, float64, float64))
def first_switch(m, w, f, t, h):
    """The fraction of the last step at which a crossing first turns a switch, the crossing into TRIGGER; 2: none."""
    look_for_crossings(m, w, f, t, h)
    first = 2.0
    for k in range(f.gaps.shape[1]):
        if turns_switch(m, f.y, k):
            for look in range(1, LOOKS + 1):
                before = f.gaps[look - 1, k]
                if is_crossing(m, k, before, f.gaps[look, k]):
                    x = locate(m, w, f, t, h, k, (look - 1) / LOOKS, look / LOOKS, before)
                    if x < first:
                        first = x
                        f.count[TRIGGER] = k
                    break
    return first


@addressed(float64(MODEL, WORK, FLIGHT_RECORD, float64, float64))
def crossings_in_step(m, w, f, t, h):
    """Find all crossings in the last step; returns the fraction at which the run stops (2: it goes on)."""
    count = f.gaps.shape[1]
    if m.switch.shape[0] == 0:  # otherwise it has been looked at already
        look_for_crossings(m, w, f, t, h)
    stop = 2.0
    for only_stops in (True, False):
        for look in range(1, LOOKS + 1):
            for k in range(count):
                before = f.gaps[look - 1, k]
                if m.crossing[k, CROSSING_SWITCH] >= 0 or not is_crossing(m, k, before, f.gaps[look, k]):
                    continue
                if only_stops and not m.crossing[k, CROSSING_STOP]:
                    continue
                x = locate(m, w, f, t, h, k, (look - 1) / LOOKS, look / LOOKS, before)
                if only_stops:
                    stop = min(stop, x)
                elif x <= stop:
                    c = f.count[CROSSED]
                    f.crossing_time[c] = t + x * h
                    f.crossing_which[c] = k
                    f.count[CROSSED] = c + 1
    copy(f.gaps[LOOKS], f.gaps[0])
    return stop
