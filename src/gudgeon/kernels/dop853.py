"""The explicit solver, whole: adaptive Runge–Kutta steps of order 8, dense output of order 7, sampling, crossings.

Method and error estimate follow E. Hairer, S. P. Nørsett, G. Wanner: Solving Ordinary Differential Equations I, section
II.5 (program DOP853); the step control adds Gustafsson's prediction (E. Hairer, G. Wanner: Solving Ordinary
Differential Equations II, section IV.8), which here saves a tenth of the evaluations. All that a run remembers lives in
the arrays of Flight, so that `advance` can return to Python after a number of steps (progress bar, Ctrl-C) and go on
later with the very same next step.
"""

from __future__ import annotations

from math import isfinite, sqrt
from typing import NamedTuple

import numpy as np

from gudgeon.kernels.absolute import is_nearly_singular, project, right_hand_side, state_rate
from gudgeon.kernels.arrays import CROSSING_STOP
from gudgeon.kernels.compiled import compiled, inlined
from gudgeon.kernels.crossings import crossing_gaps, is_crossing
from gudgeon.kernels.dop853_table import E3, E5, A, C, D

# what `advance` returns
DONE, MORE, UNDERFLOW, NOT_A_NUMBER, STOPPED, FULL = 0, 1, 2, 3, 4, 5

# places in Flight.clock
TIME, STEP, END, RTOL, ATOL, LARGEST_STEP, PROJECTION_TOLERANCE, LAST_ERROR, LAST_STEP = 0, 1, 2, 3, 4, 5, 6, 7, 8
CLOCK_SIZE = 9

# places in Flight.count
STEPS, REJECTED, EVALUATIONS, SAMPLED, CROSSED, STARTED, PROJECTION, JUST_REJECTED = 0, 1, 2, 3, 4, 5, 6, 7
COUNT_SIZE = 8

SAFETY = 0.85  # of the step size
LOOKS = 16  # places within a step where crossings are looked for
SCRATCH = LOOKS + 1  # line of Flight.gaps used while a crossing is located


class Flight(NamedTuple):
    """The state of a run in progress."""

    clock: np.ndarray  # (CLOCK_SIZE) see above
    count: np.ndarray  # (COUNT_SIZE) see above
    y: np.ndarray  # (n) state at clock[TIME]
    stage: np.ndarray  # (16, n) derivatives; row 0 belongs to y
    y_new: np.ndarray  # (n)
    y_stage: np.ndarray  # (n)
    dense: np.ndarray  # (7, n) polynomial of the last step
    times: np.ndarray  # (samples) [s]
    samples: np.ndarray  # (samples, n)
    gaps: np.ndarray  # (LOOKS + 2, crossings)
    crossing_time: np.ndarray  # (capacity) [s]
    crossing_which: np.ndarray  # (capacity)


@inlined
def copy(source, target):
    """target = source."""
    for i in range(source.shape[0]):
        target[i] = source[i]


@inlined
def take_step(m, w, f, t, h):
    """All stages, the new value and its derivative."""
    n = f.y.shape[0]
    for s in range(1, 13):
        out = f.y_new if s == 12 else f.y_stage
        out[:] = 0.0
        for j in range(s):
            a = A[s, j]
            if a != 0.0:
                for i in range(n):
                    out[i] += a * f.stage[j, i]
        for i in range(n):
            out[i] = f.y[i] + h * out[i]
        state_rate(m, w, t + C[s] * h, out, f.stage[s])
    f.count[EVALUATIONS] += 12


@inlined
def error_norm(f, h):
    """Estimated error of the step against the tolerance; 1 is just accepted."""
    n = f.y.shape[0]
    sum5, sum3 = 0.0, 0.0
    for i in range(n):
        e5, e3 = 0.0, 0.0
        for s in range(12):
            e5 += E5[s] * f.stage[s, i]
            e3 += E3[s] * f.stage[s, i]
        scale = f.clock[ATOL] + f.clock[RTOL] * max(abs(f.y[i]), abs(f.y_new[i]))
        sum5 += (e5 / scale) ** 2
        sum3 += (e3 / scale) ** 2
    if sum5 == 0.0 and sum3 == 0.0:
        return 0.0
    return abs(h) * sum5 / sqrt((sum5 + 0.01 * sum3) * n)


@inlined
def prepare_dense(m, w, f, t, h):
    """The three extra stages and the polynomial of the step."""
    n = f.y.shape[0]
    for s in range(13, 16):
        f.y_stage[:] = 0.0
        for j in range(s):
            a = A[s, j]
            if a != 0.0:
                for i in range(n):
                    f.y_stage[i] += a * f.stage[j, i]
        for i in range(n):
            f.y_stage[i] = f.y[i] + h * f.y_stage[i]
        right_hand_side(m, w, t + C[s] * h, f.y_stage, f.stage[s])
    f.count[EVALUATIONS] += 3
    for i in range(n):
        change = f.y_new[i] - f.y[i]
        f.dense[0, i] = change
        f.dense[1, i] = h * f.stage[0, i] - change
        f.dense[2, i] = 2.0 * change - h * (f.stage[12, i] + f.stage[0, i])
        for k in range(4):
            x = 0.0
            for s in range(16):
                x += D[k, s] * f.stage[s, i]
            f.dense[3 + k, i] = h * x


@inlined
def evaluate_dense(f, x, out):
    """The state at the fraction x of the last step."""
    z = 1.0 - x
    for i in range(f.y.shape[0]):
        v = x * f.dense[6, i]
        v = z * (f.dense[5, i] + v)
        v = x * (f.dense[4, i] + v)
        v = z * (f.dense[3, i] + v)
        v = x * (f.dense[2, i] + v)
        v = z * (f.dense[1, i] + v)
        out[i] = f.y[i] + x * (f.dense[0, i] + v)


@compiled
def locate(m, w, f, k, low, high, before):
    """The fraction of the step at which crossing k happens, by bisection down to the last digit."""
    gaps = f.gaps[SCRATCH]
    while True:
        middle = 0.5 * (low + high)
        if middle <= low or middle >= high:
            return high
        evaluate_dense(f, middle, f.y_stage)
        crossing_gaps(m, w, f.y_stage, gaps)
        if (gaps[k] < 0.0) == (before < 0.0) and gaps[k] != 0.0:
            low = middle
        else:
            high = middle


@compiled
def record_crossings(m, w, f, t, h):
    """Find all crossings in the last step; returns the fraction at which the run stops (2: it goes on)."""
    count = f.gaps.shape[1]
    for look in range(1, LOOKS + 1):
        evaluate_dense(f, look / LOOKS, f.y_stage)
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


@compiled
def first_step(m, w, f):
    """A first step size from the size of y, ẏ and a rough ÿ (Hairer et al., section II.4)."""
    n = f.y.shape[0]
    d0, d1, d2 = 0.0, 0.0, 0.0
    for i in range(n):
        scale = f.clock[ATOL] + f.clock[RTOL] * abs(f.y[i])
        d0 += (f.y[i] / scale) ** 2
        d1 += (f.stage[0, i] / scale) ** 2
    d0, d1 = sqrt(d0 / n), sqrt(d1 / n)
    h = 1e-6 if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1
    h = min(h, f.clock[LARGEST_STEP])
    for i in range(n):
        f.y_stage[i] = f.y[i] + h * f.stage[0, i]
    right_hand_side(m, w, f.clock[TIME] + h, f.y_stage, f.stage[1])
    f.count[EVALUATIONS] += 1
    for i in range(n):
        scale = f.clock[ATOL] + f.clock[RTOL] * abs(f.y[i])
        d2 += ((f.stage[1, i] - f.stage[0, i]) / scale) ** 2
    d2 = sqrt(d2 / n) / h
    better = max(1e-6, 1e-3 * h) if max(d1, d2) <= 1e-15 else (0.01 / max(d1, d2)) ** 0.125
    return min(100.0 * h, better, f.clock[LARGEST_STEP])


@compiled
def start(m, w, f):
    """The first derivative, the first step size and the samples at the start; DONE if there is nothing to do."""
    t = f.clock[TIME]
    right_hand_side(m, w, t, f.y, f.stage[0])
    f.count[EVALUATIONS] += 1
    for i in range(f.y.shape[0]):
        if not isfinite(f.stage[0, i]):
            return NOT_A_NUMBER
    if f.clock[STEP] <= 0.0:
        f.clock[STEP] = first_step(m, w, f)
    if f.gaps.shape[1] > 0:
        crossing_gaps(m, w, f.y, f.gaps[0])
    while f.count[SAMPLED] < f.times.shape[0] and f.times[f.count[SAMPLED]] <= t:
        copy(f.y, f.samples[f.count[SAMPLED]])
        f.count[SAMPLED] += 1
    f.count[STARTED] = 1
    return MORE


@inlined
def write_samples(m, w, f, t, h, until):
    """Interpolate all samples up to the fraction `until` of the last step, and project them if steps are projected."""
    while f.count[SAMPLED] < f.times.shape[0]:
        x = (f.times[f.count[SAMPLED]] - t) / h
        if x > until:
            return
        sample = f.samples[f.count[SAMPLED]]
        evaluate_dense(f, x, sample)
        if f.count[PROJECTION]:
            project(m, w, t + x * h, sample, f.clock[PROJECTION_TOLERANCE])
        f.count[SAMPLED] += 1


@compiled
def advance(m, w, f, step_budget):
    """Go on for at most `step_budget` steps; says how it ended."""
    clock, count = f.clock, f.count
    if count[STARTED] == 0:
        status = start(m, w, f)
        if status != MORE:
            return status
    crossings = f.gaps.shape[1]
    spent = 0
    while True:
        t, h = clock[TIME], clock[STEP]
        left = clock[END] - t
        if left <= 0.0:
            return DONE
        if spent >= step_budget:
            return MORE
        if crossings > 0 and count[CROSSED] + LOOKS * crossings > f.crossing_time.shape[0]:
            return FULL
        h = min(h, clock[LARGEST_STEP])
        last = left - h <= 1e-9 * h  # a step may be stretched a little, so that no tiny one is left over
        if last:
            h = left
        if h <= 1e-14 * max(abs(t), 1e-3):
            return UNDERFLOW
        spent += 1
        take_step(m, w, f, t, h)
        error = error_norm(f, h)
        if not isfinite(error):
            count[REJECTED] += 1
            clock[STEP] = 0.1 * h
            count[JUST_REJECTED] = 1
            if clock[STEP] <= 1e-14 * max(abs(t), 1e-3):
                return NOT_A_NUMBER
            continue
        factor = 6.0 if error == 0.0 else min(6.0, max(0.333, SAFETY * error**-0.125))
        if error > 1.0:
            count[REJECTED] += 1
            clock[STEP] = h * min(1.0, factor)
            count[JUST_REJECTED] = 1
            continue
        if clock[LAST_ERROR] > 0.0 and error > 0.0:  # go on as the error has grown or shrunk since the last step
            trend = h / clock[LAST_STEP] * (clock[LAST_ERROR] / error) ** 0.125
            factor = min(factor, max(0.333, SAFETY * error**-0.125 * trend))
        clock[LAST_ERROR], clock[LAST_STEP] = max(error, 1e-2), h
        if count[JUST_REJECTED]:
            factor = min(1.0, factor)
            count[JUST_REJECTED] = 0
        count[STEPS] += 1
        t_new = clock[END] if last else t + h
        projects = count[PROJECTION] or is_nearly_singular(w)  # of the rows at the new state, last evaluated
        stop = 2.0
        sample_due = count[SAMPLED] < f.times.shape[0] and f.times[count[SAMPLED]] <= t_new
        if sample_due or crossings > 0:
            prepare_dense(m, w, f, t, h)
            if crossings > 0:
                stop = record_crossings(m, w, f, t, h)
            write_samples(m, w, f, t, h, min(stop, 1.0) * (1.0 + 1e-9))
        if stop <= 1.0:
            evaluate_dense(f, stop, f.y_new)
            copy(f.y_new, f.y)
            clock[TIME] = t + stop * h
            return STOPPED
        if not last or factor < 1.0:
            clock[STEP] = h * factor
        copy(f.y_new, f.y)
        clock[TIME] = t_new
        if projects:
            project(m, w, t_new, f.y, clock[PROJECTION_TOLERANCE])
            right_hand_side(m, w, t_new, f.y, f.stage[0])
            count[EVALUATIONS] += 3
        else:
            copy(f.stage[12], f.stage[0])
