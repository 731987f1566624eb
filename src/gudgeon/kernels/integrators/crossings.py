"""Crossings: the instants at which a watched coordinate or signal takes a value, found on the dense output of steps.

A crossing that turns a switch is found before a step is accepted: the step is then taken again so that it ends there.
"""

from __future__ import annotations

from math import inf, pi, sqrt

from numba import float64, void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.build.records import VECTOR
from gudgeon.kernels.dynamics.arrays import (
    ANGLE,
    BEND_SPIN,
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
    OMEGA,
    POSITION,
    POSITIONS,
    SWITCH_ON,
    SWITCH_STATE,
    WORK,
)
from gudgeon.kernels.dynamics.engine import bends, crossing_gaps, kinematics, signals
from gudgeon.kernels.dynamics.state_places import first_control
from gudgeon.kernels.integrators.dense import bound_slopes, evaluate_dense
from gudgeon.kernels.integrators.run import CROSSED, FLIGHT_RECORD, LOOKS, MOST_WINDOWS, SCRATCH, START, TRIGGER, copy
from gudgeon.kernels.kinematics.measures import measure, wrapped
from gudgeon.kernels.kinematics.rotation import rotated
from gudgeon.kernels.kinematics.vectors import dot, get

LOOK_TURN = 0.1  # that a body turns between two looks at most [rad]
NEAR_VALUE = 2.0  # gap, of its largest change nearby, from which on a dip between two looks is sought
SLOPE = 1e-6  # part of the way between two looks over which a slope is seen


@addressed(float64(MODEL, WORK, VECTOR))
def longest_step_for_crossings(m, w, y):
    """The longest step from the state y that needs few enough windows.

    In relative coordinates a wheel at constant speed is a straight line, which a step of any length follows.
    """
    kinematics(m, w, y)
    fastest = 0.0
    for b in range(1, m.body.shape[0]):
        fastest = max(fastest, dot(get(w.body, b, OMEGA), get(w.body, b, OMEGA)))
    return 0.5 * LOOK_TURN * LOOKS * MOST_WINDOWS / sqrt(fastest) if fastest > 0.0 else inf


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
def is_jump(m, k, before, after):
    """May an angle have jumped by a full turn between two gaps?"""
    c = m.crossing[k, CROSSING_MEASURE]
    return c >= 0 and m.measure[c, KIND] == ANGLE and (abs(before) > 0.5 * pi or abs(after) > 0.5 * pi)


@inlined
def is_crossing(m, k, before, after):
    """Does crossing k happen between two gaps? The jump of an angle by a full turn is none."""
    direction = m.crossing[k, CROSSING_DIRECTION]
    if is_jump(m, k, before, after):
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


@called
def windows_of_step(m, w, f, h):
    """Into how many windows of LOOKS looks the last step is divided, so that no body turns far between looks."""
    bound_slopes(f.dense, h, m.layout[POSITIONS], f.hardest)
    kinematics(m, w, f.y_new)
    bends(m, w, f.y_new, f.hardest, h)
    fastest = 0.0
    for b in range(1, w.bend.shape[0]):
        fastest = max(fastest, w.bend[b, BEND_SPIN])
    return int(min(fastest * h / (LOOK_TURN * LOOKS), MOST_WINDOWS - 1.0)) + 1


@inlined
def look_into_window(m, w, f, t, h, window, windows):
    """The gaps of all crossings at the looks of a window; at its first look they are known from the one before."""
    copy(f.gaps[LOOKS if window > 0 else START], f.gaps[0])
    for look in range(1, LOOKS + 1):
        x = (window + look / LOOKS) / windows
        evaluate_dense(f.y, f.dense, x, f.y_stage)
        crossing_gaps(m, w, t + x * h, f.y_stage, f.gaps[look])


@called
def gap_within(m, w, f, t, h, k, x):
    """The gap of crossing k at the fraction x of the step."""
    evaluate_dense(f.y, f.dense, x, f.y_stage)
    crossing_gaps(m, w, t + x * h, f.y_stage, f.gaps[SCRATCH])
    return f.gaps[SCRATCH, k]


@called
def dip(m, w, f, t, h, k, look, low, high):
    """A fraction of the step between two looks at which crossing k has passed its value and comes back; −1: none.

    It is sought where the gap at one of the two looks is small beside what it changes nearby, and first falls, then
    grows.
    """
    a, b = f.gaps[look - 1, k], f.gaps[look, k]
    change = abs(b - a)
    if look > 1:
        change = max(change, abs(a - f.gaps[look - 2, k]))
    if look < LOOKS:
        change = max(change, abs(f.gaps[look + 1, k] - b))
    if not min(abs(a), abs(b)) < NEAR_VALUE * change:
        return -1.0
    side, nearby = (1.0 if a > 0.0 else -1.0), SLOPE * (high - low)
    if side * (gap_within(m, w, f, t, h, k, low + nearby) - a) >= 0.0:
        return -1.0
    if side * (gap_within(m, w, f, t, h, k, high - nearby) - b) >= 0.0:
        return -1.0
    while high - low > 4.0 * nearby:
        middle = 0.5 * (low + high)
        gap = gap_within(m, w, f, t, h, k, middle)
        if side * gap < 0.0:
            return middle
        if side * (gap_within(m, w, f, t, h, k, middle + nearby) - gap) < 0.0:
            low = middle
        else:
            high = middle
    return -1.0


@called
def parts_between(m, w, f, t, h, k, look, low, high):
    """Two parts of the way between two looks, each with one crossing k at most: where they meet, and the gap there."""
    a, b = f.gaps[look - 1, k], f.gaps[look, k]
    if (a < 0.0) == (b < 0.0) and a != 0.0 and b != 0.0 and not is_jump(m, k, a, b):
        middle = dip(m, w, f, t, h, k, look, low, high)
        if middle > 0.0:
            return middle, -a
    return high, b


@inlined
def turns_switch(m, y, k):
    """Would crossing k turn its switch now?"""
    s = m.crossing[k, CROSSING_SWITCH]
    return s >= 0 and (y[first_control(m) + m.switch[s, SWITCH_STATE]] == 0.0) == (m.switch[s, SWITCH_ON] == k)


@addressed(float64(MODEL, WORK, FLIGHT_RECORD, float64, float64))
def first_switch(m, w, f, t, h):
    """The fraction of the last step at which a crossing first turns a switch, the crossing into TRIGGER; 2: none."""
    copy(f.gaps[0], f.gaps[START])
    first, windows, window = 2.0, windows_of_step(m, w, f, h), 0
    while window < windows and first > 1.0:
        look_into_window(m, w, f, t, h, window, windows)
        for k in range(f.gaps.shape[1]):
            if not turns_switch(m, f.y, k):
                continue
            for look in range(1, LOOKS + 1):
                low, high = (window + (look - 1) / LOOKS) / windows, (window + look / LOOKS) / windows
                before, after = f.gaps[look - 1, k], f.gaps[look, k]
                middle, between = parts_between(m, w, f, t, h, k, look, low, high)
                x = 2.0
                if is_crossing(m, k, before, between):
                    x = locate(m, w, f, t, h, k, low, middle, before)
                elif middle < high and is_crossing(m, k, between, after):
                    x = locate(m, w, f, t, h, k, middle, high, between)
                if x < first:
                    first = x
                    f.count[TRIGGER] = k
                if x <= 1.0:
                    break
        window += 1
    copy(f.gaps[START], f.gaps[0])
    return first


@inlined
def note_crossing(f, k, time):
    """One more crossing of the run."""
    c = f.count[CROSSED]
    f.crossing_time[c], f.crossing_which[c] = time, k
    f.count[CROSSED] = c + 1


@called
def stop_in_window(m, w, f, t, h, window, windows):
    """The fraction of the step at which a crossing of a window stops the run; 2: none."""
    stop = 2.0
    for k in range(f.gaps.shape[1]):
        if m.crossing[k, CROSSING_STOP] == 0 or m.crossing[k, CROSSING_SWITCH] >= 0:
            continue
        for look in range(1, LOOKS + 1):
            low, high = (window + (look - 1) / LOOKS) / windows, (window + look / LOOKS) / windows
            before, after = f.gaps[look - 1, k], f.gaps[look, k]
            middle, between = parts_between(m, w, f, t, h, k, look, low, high)
            if is_crossing(m, k, before, between):
                stop = min(stop, locate(m, w, f, t, h, k, low, middle, before))
            elif middle < high and is_crossing(m, k, between, after):
                stop = min(stop, locate(m, w, f, t, h, k, middle, high, between))
    return stop


@addressed(float64(MODEL, WORK, FLIGHT_RECORD, float64, float64))
def crossings_in_step(m, w, f, t, h):
    """Find all crossings in the last step; returns the fraction at which the run stops (2: it goes on)."""
    plain = 0
    for k in range(f.gaps.shape[1]):
        plain += 1 if m.crossing[k, CROSSING_SWITCH] < 0 else 0
    if plain == 0:
        evaluate_dense(f.y, f.dense, 1.0, f.y_stage)
        crossing_gaps(m, w, t + h, f.y_stage, f.gaps[0])
        return 2.0
    copy(f.gaps[0], f.gaps[START])
    stop, windows, window = 2.0, windows_of_step(m, w, f, h), 0
    while window < windows and stop > 1.0:
        look_into_window(m, w, f, t, h, window, windows)
        stop = stop_in_window(m, w, f, t, h, window, windows)
        for look in range(1, LOOKS + 1):
            low, high = (window + (look - 1) / LOOKS) / windows, (window + look / LOOKS) / windows
            for k in range(f.gaps.shape[1]):
                if m.crossing[k, CROSSING_SWITCH] >= 0:
                    continue
                before, after = f.gaps[look - 1, k], f.gaps[look, k]
                middle, between = parts_between(m, w, f, t, h, k, look, low, high)
                if is_crossing(m, k, before, between):
                    x = locate(m, w, f, t, h, k, low, middle, before)
                    if x <= stop:
                        note_crossing(f, k, t + x * h)
                if middle < high and is_crossing(m, k, between, after):
                    x = locate(m, w, f, t, h, k, middle, high, between)
                    if x <= stop:
                        note_crossing(f, k, t + x * h)
        window += 1
    copy(f.gaps[LOOKS], f.gaps[0])
    return stop
