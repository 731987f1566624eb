"""Crossings: the instants at which a watched coordinate takes a value, found on the dense output of each step."""

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
    CROSSING_STOP,
    CROSSING_VALUE,
    KIND,
    MODEL,
    POSITION,
    WORK,
)
from gudgeon.kernels.dynamics.engine import crossing_gaps, kinematics
from gudgeon.kernels.integrators.dense import evaluate_dense
from gudgeon.kernels.integrators.run import CROSSED, FLIGHT_RECORD, LOOKS, SCRATCH, copy
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


@addressed(void(MODEL, WORK, VECTOR, VECTOR))
def gaps_of_crossings(m, w, y, gaps):
    """Coordinate − value for every crossing at the state y."""
    kinematics(m, w, y)
    for k in range(gaps.shape[0]):
        c = m.crossing[k, CROSSING_MEASURE]
        if c >= 0:
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
def locate(m, w, f, k, low, high, before):
    """The fraction of the step at which crossing k happens, by bisection down to the last digit."""
    gaps = f.gaps[SCRATCH]
    while True:
        middle = 0.5 * (low + high)
        if middle <= low or middle >= high:
            return high
        evaluate_dense(f.y, f.dense, middle, f.y_stage)
        crossing_gaps(m, w, f.y_stage, gaps)
        if (gaps[k] < 0.0) == (before < 0.0) and gaps[k] != 0.0:
            low = middle
        else:
            high = middle


@addressed(float64(MODEL, WORK, FLIGHT_RECORD, float64, float64))
def crossings_in_step(m, w, f, t, h):
    """Find all crossings in the last step; returns the fraction at which the run stops (2: it goes on)."""
    count = f.gaps.shape[1]
    for look in range(1, LOOKS + 1):
        evaluate_dense(f.y, f.dense, look / LOOKS, f.y_stage)
        crossing_gaps(m, w, f.y_stage, f.gaps[look])
    stop = 2.0
    for only_stops in (True, False):
        for look in range(1, LOOKS + 1):
            for k in range(count):
                before = f.gaps[look - 1, k]
                if not is_crossing(m, k, before, f.gaps[look, k]):
                    continue
                if only_stops and not m.crossing[k, CROSSING_STOP]:
                    continue
                x = locate(m, w, f, k, (look - 1) / LOOKS, look / LOOKS, before)
                if only_stops:
                    stop = min(stop, x)
                elif x <= stop:
                    c = f.count[CROSSED]
                    f.crossing_time[c] = t + x * h
                    f.crossing_which[c] = k
                    f.count[CROSSED] = c + 1
    copy(f.gaps[LOOKS], f.gaps[0])
    return stop
