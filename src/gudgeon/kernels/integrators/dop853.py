"""The explicit solver, whole: adaptive Runge–Kutta steps of order 8, dense output of order 7, sampling, crossings.

Method and error estimate follow E. Hairer, S. P. Nørsett, G. Wanner: Solving Ordinary Differential Equations I, section
II.5 (program DOP853); the step control adds Gustafsson's prediction (E. Hairer, G. Wanner: Solving Ordinary
Differential Equations II, section IV.8), which here saves a tenth of the evaluations. All that a run remembers lives in
the arrays of Flight and Stages. A step within which a joint begins or ends touching is taken again so that it ends
there (contact/events.py).
"""

from __future__ import annotations

from math import isfinite, sqrt

from numba import int64

from gudgeon.kernels.build.compiled import called, entrance, inlined
from gudgeon.kernels.build.records import Record, numbers
from gudgeon.kernels.contact.calm_steps import draw_to_event, is_calm, shortened
from gudgeon.kernels.contact.clear_way import bound_motion
from gudgeon.kernels.contact.contact_speeds import fastest_within, write_speeds
from gudgeon.kernels.contact.events import HIT
from gudgeon.kernels.contact.gaps import any_touches, any_watched, watched
from gudgeon.kernels.dynamics.arrays import CLEARANCE, CONTROLS, ECCENTRICITY, MODEL, POSITIONS, WORK
from gudgeon.kernels.dynamics.controls import control_slopes
from gudgeon.kernels.dynamics.engine import (
    body_changes,
    look_at,
    reached,
    record_crossings,
    start_modes,
    state_rate,
    track_peaks,
)
from gudgeon.kernels.dynamics.motion import project
from gudgeon.kernels.dynamics.state_places import first_control
from gudgeon.kernels.elements.joints import squared_change
from gudgeon.kernels.integrators.dense import evaluate_dense
from gudgeon.kernels.integrators.dop853_table import E3, E5, A, C, D
from gudgeon.kernels.integrators.loop import (
    AGAIN,
    GO,
    accept,
    begin_instants,
    change_contact,
    change_now,
    contact_in_step,
    end_of_step,
    is_tiny,
    keep_look,
    keeps_its_length,
    last_sample,
    next_step,
    reject,
    switch_in_step,
)
from gudgeon.kernels.integrators.run import (
    AIM,
    ATOL,
    CONTACT_LOOKS,
    CONTROL_SIZE,
    CUT,
    EVALUATIONS,
    FLIGHT_RECORD,
    GREW,
    JUST_REJECTED,
    LARGEST_STEP,
    LAST_ERROR,
    LAST_STEP,
    LONGEST_FIRST_STEP,
    LOOKED,
    MORE,
    NOT_A_NUMBER,
    PROJECTION_TOLERANCE,
    PROJECTIONS,
    RTOL,
    STARTED,
    STEP,
    STEPS,
    STOPPED,
    TIME,
    control_tolerance,
    copy,
)
from gudgeon.kernels.integrators.sampling import sample_is_due, wants_projection, write_samples
from gudgeon.kernels.integrators.starting import start_crossings, write_first_samples

SAFETY = 0.85  # of the step size
BETWEEN_STAGES = 2.0  # bound on accelerations during a step, of the largest at its stages
EXACT = 1e-2  # error of a step whose polynomial counts as exact, of the tolerance
NEAR = 1e-4  # of a step, for differences
MISSED = 100.0  # tolerances by which a polynomial may miss the rate of a state, over a step
REST = 100.0  # a state below this many tolerances says nothing about its own size


class Stages(Record):
    """What this method needs besides the Flight."""

    stage = numbers(2)  # (16, n) derivatives; line 0 belongs to y
    error = numbers(2)  # (2, n) the two error estimates, without the step size
    slope = numbers(2)  # (c, c) derivatives of the rates of controllers' states by these


STAGES = Stages.record_type


@inlined
def take_step(m, w, f, r, t, h):
    """All stages, the new value and its derivative."""
    n = f.y.shape[0]
    for s in range(1, 13):
        out = f.y_new if s == 12 else f.y_stage
        out[:] = 0.0
        for j in range(s):
            a = A[s, j]
            if a != 0.0:
                for i in range(n):
                    out[i] += a * r.stage[j, i]
        for i in range(n):
            out[i] = f.y[i] + h * out[i]
        state_rate(m, w, t + C[s] * h, out, r.stage[s])
    f.count[EVALUATIONS] += 12


@inlined
def error_norm(m, w, f, r, h):
    """Estimated error of the step against the tolerance; 1 is just accepted."""
    n = f.y.shape[0]
    sum5, sum3 = 0.0, 0.0
    first, controls = first_control(m), f.control.shape[0]
    for i in range(n):
        e5, e3 = 0.0, 0.0
        for s in range(12):
            e5 += E5[s] * r.stage[s, i]
            e3 += E3[s] * r.stage[s, i]
        scale = f.clock[ATOL] + f.clock[RTOL] * max(abs(f.y[i]), abs(f.y_new[i]))
        if first <= i < first + controls:
            scale = control_tolerance(f, i - first, f.clock[RTOL], f.clock[ATOL], f.y[i], f.y_new[i])
        r.error[0, i], r.error[1, i] = e5, e3
        sum5 += (e5 / scale) ** 2
        sum3 += (e3 / scale) ** 2
    n -= m.layout[CONTROLS] - controls  # what is held has no error
    error = 0.0
    if sum5 != 0.0 or sum3 != 0.0:
        error = abs(h) * sum5 / sqrt((sum5 + 0.01 * sum3) * n)
    if m.compliant.shape[0] > 0:
        error = max(error, clearance_error(m, w, f, r, h))
    return error


@called
def clearance_error(m, w, f, r, h):
    """The same for the eccentricities, and for what tilts, against a fraction of their clearances."""
    worst = 0.0
    body_changes(m, w, f.y_new, r.error[0])
    for k in range(m.compliant.shape[0]):
        if watched(m, k):
            w.local[k, ECCENTRICITY] = squared_change(m, w, k)
    body_changes(m, w, f.y_new, r.error[1])
    for k in range(m.compliant.shape[0]):
        if watched(m, k):
            scale = 100.0 * f.clock[RTOL] * m.compliant_vector[k, CLEARANCE]
            sum5, sum3 = w.local[k, ECCENTRICITY] / scale**2, squared_change(m, w, k) / scale**2
            if sum5 != 0.0 or sum3 != 0.0:
                worst = max(worst, abs(h) * sum5 / sqrt((sum5 + 0.01 * sum3) * 3.0))
    return worst


@called
def bound_rates(m, f, r):
    """Bounds on the rates of velocities during the step, from its thirteen stages, into `hardest`.

    A polynomial of degree 5 exceeds its values at these instants by a factor of 1.8 at most.
    """
    for i in range(m.layout[POSITIONS], f.y.shape[0]):
        most = 0.0
        for s in range(13):
            most = max(most, abs(r.stage[s, i]))
        f.hardest[i] = BETWEEN_STAGES * most


@called
def prepare_dense(m, w, f, r, t, h):
    """The three extra stages and the polynomial of the step."""
    n = f.y.shape[0]
    for s in range(13, 16):
        f.y_stage[:] = 0.0
        for j in range(s):
            a = A[s, j]
            if a != 0.0:
                for i in range(n):
                    f.y_stage[i] += a * r.stage[j, i]
        for i in range(n):
            f.y_stage[i] = f.y[i] + h * f.y_stage[i]
        state_rate(m, w, t + C[s] * h, f.y_stage, r.stage[s])
    f.count[EVALUATIONS] += 3
    for i in range(n):
        change = f.y_new[i] - f.y[i]
        f.dense[0, i] = change
        f.dense[1, i] = h * r.stage[0, i] - change
        f.dense[2, i] = 2.0 * change - h * (r.stage[12, i] + r.stage[0, i])
        for k in range(4):
            x = 0.0
            for s in range(16):
                x += D[k, s] * r.stage[s, i]
            f.dense[3 + k, i] = h * x


@called
def is_long_for_controls(m, w, f, r, t, h):
    """Is the step longer than the time constants of controllers? `w` holds the motion at its end."""
    first, count = first_control(m), f.control.shape[0]
    control_slopes(m, w, t + h, f.y_new, f.control[:, CONTROL_SIZE], r.slope)
    for i in range(count):
        fastest = 0.0
        own = control_tolerance(f, i, f.clock[RTOL], f.clock[ATOL], f.y[first + i], f.y_new[first + i])
        for k in range(count):
            other = control_tolerance(f, k, f.clock[RTOL], f.clock[ATOL], f.y[first + k], f.y_new[first + k])
            fastest += abs(r.slope[i, k]) * other / own
        if h * fastest > 1.0:
            return True
    return False


@called
def interpolates_controls(m, w, f, r, t, h):
    """Do the states of controllers follow their equations half-way through the step, on its polynomial?

    Where a step is long beside a time constant, its end may be right and the polynomial between is not.
    """
    first, middle, before, after = first_control(m), r.stage[13], r.stage[14], r.stage[15]
    evaluate_dense(f.y, f.dense, 0.5 - NEAR, before)
    evaluate_dense(f.y, f.dense, 0.5 + NEAR, after)
    evaluate_dense(f.y, f.dense, 0.5, f.y_stage)
    state_rate(m, w, t + 0.5 * h, f.y_stage, middle)
    f.count[EVALUATIONS] += 1
    for k in range(f.control.shape[0]):
        i = first + k
        missed = (after[i] - before[i]) / (2.0 * NEAR) - h * middle[i]
        if abs(missed) > MISSED * control_tolerance(f, k, f.clock[RTOL], f.clock[ATOL], f.y[i], f.y_new[i]):
            return False
    return True


@called
def first_step(m, w, f, r):
    """A first step size from the size of y, ẏ and a rough ÿ (Hairer et al., section II.4)."""
    n = f.y.shape[0]
    d0, d1, d2 = 0.0, 0.0, 0.0
    for i in range(n):
        scale = f.clock[ATOL] + f.clock[RTOL] * abs(f.y[i])
        d0 += (f.y[i] / scale) ** 2
        d1 += (r.stage[0, i] / scale) ** 2
    d0, d1 = sqrt(d0 / n), sqrt(d1 / n)
    h = 1e-6 if d0 < REST or d1 < 1e-5 else 0.01 * d0 / d1
    h = min(h, LONGEST_FIRST_STEP, f.clock[LARGEST_STEP])
    for i in range(n):
        f.y_stage[i] = f.y[i] + h * r.stage[0, i]
    state_rate(m, w, f.clock[TIME] + h, f.y_stage, r.stage[1])
    f.count[EVALUATIONS] += 1
    for i in range(n):
        scale = f.clock[ATOL] + f.clock[RTOL] * abs(f.y[i])
        d2 += ((r.stage[1, i] - r.stage[0, i]) / scale) ** 2
    d2 = sqrt(d2 / n) / h
    better = max(1e-6, 1e-3 * h) if max(d1, d2) <= 1e-15 else (0.01 / max(d1, d2)) ** 0.125
    return min(100.0 * h, better, f.clock[LARGEST_STEP])


@called
def start(m, w, f, r):
    """The first derivative, the first step size and the samples at the start; DONE if there is nothing to do."""
    t = f.clock[TIME]
    start_modes(m, w, f, t)
    begin_instants(m, w, f)
    state_rate(m, w, t, f.y, r.stage[0])
    f.count[EVALUATIONS] += 1
    for i in range(f.y.shape[0]):
        if not isfinite(r.stage[0, i]):
            return NOT_A_NUMBER
    if f.clock[STEP] <= 0.0:
        f.clock[STEP] = first_step(m, w, f, r)
    start_crossings(m, w, f)
    write_first_samples(f, t)
    f.count[STARTED] = 1
    return MORE


@entrance(int64(MODEL, WORK, FLIGHT_RECORD, STAGES, int64))
def advance(m, w, f, r, step_budget):
    """Go on for at most `step_budget` steps; says how it ended."""
    clock, count = f.clock, f.count
    if count[STARTED] == 0:
        status = start(m, w, f, r)
        if status != MORE:
            return status
    crossings, touching, switches = f.gaps.shape[1], any_watched(m), m.switch.shape[0] > 0 and f.gaps.shape[1] > 0
    spent = 0
    while True:
        status, h, last = next_step(m, w, f, spent, step_budget)
        if status != GO:
            return status
        t, aims = clock[TIME], clock[AIM] > 0.0
        spent += 1
        if count[CUT] == 1 and is_tiny(f, h):
            change_now(m, w, f)
            count[LOOKED] = 0
            state_rate(m, w, t, f.y, r.stage[0])
            count[EVALUATIONS] += 1
            continue
        take_step(m, w, f, r, t, h)
        error = error_norm(m, w, f, r, h)
        if not isfinite(error):
            reject(f, 0.1 * h)
            clock[AIM] = 0.0
            if is_tiny(f, clock[STEP]):
                return NOT_A_NUMBER
            continue
        factor = 6.0 if error == 0.0 else min(6.0, max(0.333, SAFETY * error**-0.125))
        if touching and not aims:
            if count[LOOKED] == 0:
                look_at(m, w, f, f.y, 0)
                count[LOOKED] = 1
            look_at(m, w, f, f.y_new, CONTACT_LOOKS)
        if error > 1.0 and not aims:
            factor = min(1.0, factor)
            reject(f, h * (shortened(m, w, f, h, factor) if touching else factor))
            continue
        if touching and not aims:
            bound_rates(m, f, r)
            bound_motion(m, w, f, h)
        long = f.control.shape[0] > 0 and not aims and is_long_for_controls(m, w, f, r, t, h)
        calm = touching and not aims and is_calm(m, w, f, h)
        met, end = False, 1.0  # the step ends at an event; it goes that far
        if touching and not aims and not calm:
            prepare_dense(m, w, f, r, t, h)
            status = contact_in_step(m, w, f, h)
            met = status == AGAIN and error < EXACT and crossings == 0 and not long and not any_touches(m, w)
            if status == AGAIN and not met:
                continue
            if status != GO and not met:
                return status
            slower = fastest_within(m, w, f)
            if slower < 1.0 and not met:
                reject(f, slower * h)
                continue
        if met:  # a step in flight is as good within as at its end
            end = clock[AIM] / h
            evaluate_dense(f.y, f.dense, end, f.y_new)
            count[CUT] = 0
        if aims:
            prepare_dense(m, w, f, r, t, h)
            end = draw_to_event(m, w, f, r.stage[12], h) / h
            if reached(m, w, f, h) != HIT:
                continue
            met = True
        dense = aims or (touching and not calm)
        if switches:
            if not dense:
                prepare_dense(m, w, f, r, t, h)
                dense = True
            if switch_in_step(m, w, f, t, h):
                continue
        if long:
            if not dense:
                prepare_dense(m, w, f, r, t, h)
                dense = True
            if not interpolates_controls(m, w, f, r, t, h):
                reject(f, 0.5 * h)
                continue
        if not aims:
            if clock[LAST_ERROR] > 0.0 and error > 0.0:  # as the error has grown or shrunk since the last step
                trend = h / clock[LAST_STEP] * (clock[LAST_ERROR] / error) ** 0.125
                factor = min(factor, max(0.333, SAFETY * error**-0.125 * trend))
            clock[LAST_ERROR], clock[LAST_STEP] = max(error, 1e-2), h
        if count[JUST_REJECTED]:
            factor = min(1.0, factor)
            count[JUST_REJECTED] = 0
        count[STEPS] += 1
        t_new = t + end * h if met else end_of_step(f, t, h, last)
        projects = wants_projection(w, f)  # of the rows at the new state, last evaluated
        stop = 2.0
        if sample_is_due(f, last_sample(f, t_new)) or crossings > 0 or (touching and not calm):
            if not dense:
                prepare_dense(m, w, f, r, t, h)
            if touching and not calm and (aims or not met):
                track_peaks(m, w, f, aims)
            if crossings > 0:
                stop = record_crossings(m, w, f, t, h)
            write_samples(m, w, f, t, h, min(stop, end) * (1.0 + 1e-9))
        if stop <= 1.0:
            evaluate_dense(f.y, f.dense, stop, f.y_new)
            copy(f.y_new, f.y)
            clock[TIME] = t + stop * h
            return STOPPED
        if not keeps_its_length(f, last, factor):
            clock[STEP] = h * factor
        accept(m, w, f, t_new)
        if met:
            status = change_contact(m, w, f)
            if status != GO:
                return status
        if projects:
            project(m, w, t_new, f.y, clock[PROJECTION_TOLERANCE])
            count[PROJECTIONS] += 1
        changed = count[CUT] == 1 and change_now(m, w, f)
        if count[GREW]:
            write_speeds(m, w, f, t_new)
        if projects or met or changed or count[GREW]:
            state_rate(m, w, t_new, f.y, r.stage[0])
            count[EVALUATIONS] += 1
        else:
            copy(r.stage[12], r.stage[0])
        count[LOOKED] = 1 if touching and not met and not projects and not changed else 0
        count[GREW] = 0
        if count[LOOKED]:
            keep_look(f)
