"""The loop of nonsmooth time stepping: steps, step control, samples, crossings. The scheme: see nonsmooth_step.py."""

from __future__ import annotations

from math import isfinite

from numba import int64

from gudgeon.kernels.build.compiled import called, entrance, inlined
from gudgeon.kernels.contact.force_rows import (
    first_contact_row,
)
from gudgeon.kernels.contact.impacts import advance_one, impact
from gudgeon.kernels.contact.joint_contacts import closed_film, record_contacts
from gudgeon.kernels.contact.point_contacts import note_step
from gudgeon.kernels.dynamics.arrays import (
    MODEL,
    POSITIONS,
    WORK,
)
from gudgeon.kernels.dynamics.engine import kinematics, record_crossings
from gudgeon.kernels.dynamics.motion import project
from gudgeon.kernels.dynamics.turns import start_turns_near
from gudgeon.kernels.integrators.dense import evaluate_dense
from gudgeon.kernels.integrators.loop import accept, begin_instants, change_now, is_tiny, last_sample, switch_in_step
from gudgeon.kernels.integrators.nonsmooth_step import TOO_LONG_STEP, set_step
from gudgeon.kernels.integrators.run import (
    BALL_LOST,
    CULPRIT,
    CUT,
    DONE,
    END,
    ENERGY_CREATED,
    EVALUATIONS,
    FILM_CLOSED,
    FLIGHT_RECORD,
    FULL,
    INSTANT,
    MORE,
    NOT_A_NUMBER,
    PAUSE,
    PAUSED,
    PROJECTION_TOLERANCE,
    REJECTED,
    RESIZE,
    SAMPLED,
    STARTED,
    STEP,
    STEPS,
    STOPPED,
    TIME,
    UNDERFLOW,
    UNSOLVED,
    copy,
    is_full,
)
from gudgeon.kernels.integrators.sampling import sample_is_due
from gudgeon.kernels.integrators.starting import start_crossings
from gudgeon.kernels.integrators.stepper_arrays import (
    CALM,
    DEEPEST,
    FAILURES,
    LEVEL,
    LONGEST,
    ROW_AFTER,
    SHORTER,
    STEPPER,
    STICKING,
    STRUCK_CONTACT,
    TOO_LONG,
    UNSOLVED_JOINT,
    WANTED,
)
from gudgeon.kernels.kinematics.poses import pose_rates

AT_REST = 1e-12  # sliding that counts as sticking [m/s]
UNSETTLED = 1e9  # error of a step whose contact problem found no solution
SMOOTH = 0.5  # the cubic part of a smooth step, of its quadratic one or of the change, at most
CALM_STEPS = 8  # steps without trouble after which a longer one is tried
ENDS = 2  # PAUSED of a run whose last step ends with it: beyond its end a load has no value


@called
def interpolant(m, f, p, h):
    """The polynomial of the step: cubic in positions, linear in all else.

    Where the cubic part is small neither beside the quadratic one nor beside the change, as where a stiff joint has
    stopped a motion within the step, the rates at the ends say nothing about the way between them: linear then.
    """
    pose_rates(m, f.y, p.y_whole)
    pose_rates(m, f.y_new, p.y_half)
    for i in range(f.y.shape[0]):
        change = f.y_new[i] - f.y[i]
        f.dense[0, i] = change
        f.dense[1, i] = f.dense[2, i] = 0.0
        if i < m.layout[POSITIONS]:
            cubic = 2.0 * change - h * (p.y_half[i] + p.y_whole[i])
            if abs(cubic) <= SMOOTH * max(abs(h * (p.y_half[i] - p.y_whole[i])), abs(change)):
                f.dense[1, i] = h * p.y_whole[i] - change
                f.dense[2, i] = cubic


@inlined
def write_step_samples(f, p, t, h, until):
    """All samples up to the fraction `until` of the last step."""
    while f.count[SAMPLED] < f.times.shape[0]:
        x = (f.times[f.count[SAMPLED]] - t) / h
        if x > until:
            return
        evaluate_dense(f.y, f.dense, x, f.samples[f.count[SAMPLED]])
        copy(p.last_force, f.force_samples[f.count[SAMPLED]])
        f.count[SAMPLED] += 1


@called
def tell_start(f, p, t):
    """At the start nobody knows whether an ideal joint sticks: the forces of the first step are told there."""
    s = 0
    while s < f.count[SAMPLED] and f.times[s] <= t:
        copy(p.last_force, f.force_samples[s])
        s += 1


@inlined
def remember(p, first):
    """Modes of contacts for the next step."""
    for c in range(p.mode.shape[1]):
        p.mode[0, c, 0], p.mode[0, c, 1] = p.mode[2, c, 0], p.mode[2, c, 1]
        if abs(p.row[first + 2 * c + 1, ROW_AFTER]) < AT_REST:  # others may have stopped it
            p.mode[0, c, 1] = STICKING


@inlined
def count_turns(m, w, y):
    """Counted angles keep their full turns and take their fractions from the pose."""
    if m.turn.shape[0] > 0:
        kinematics(m, w, y)
        start_turns_near(m, w, y)


@inlined
def choose_step(m, p, f):
    """The length of the next step, into `p` where it needs no matrices; False: they are not there yet.

    A step ends at an instant, if that is near, and with the run where that has to be. Its matrices are those of a
    length that is rounded, see `Operators`.
    """
    h, ahead = p.control[LONGEST] / 2.0 ** p.count[WANTED], f.clock[INSTANT] - f.clock[TIME]
    f.count[CUT] = 1 if ahead <= (1.0 + 1e-9) * h else 0
    if f.count[CUT]:
        h = ahead
    left = f.clock[END] - f.clock[TIME]
    ends = f.count[PAUSED] == ENDS and 1e-9 * h < left < h
    if ends:
        h, f.count[CUT] = left, 0
    if m.flexible.mass.shape[0] == 0:
        p.count[LEVEL] = p.count[WANTED]
        set_step(p, h)
        return True
    p.control[SHORTER] = h if f.count[CUT] or ends else 0.0
    return p.count[WANTED] == p.count[LEVEL] and abs(p.whole.step[0] - h) <= 1e-9 * h


@inlined
def is_lost(p, f, error):
    """Has the step met what is no number?"""
    lost = not isfinite(error)
    for i in range(f.y.shape[0]):
        lost = lost or not isfinite(f.y_new[i]) or not isfinite(p.acceleration[i])
    return lost


@entrance(int64(MODEL, WORK, FLIGHT_RECORD, STEPPER, int64))
def advance(m, w, f, p, step_budget):
    """Go on for at most `step_budget` steps; says how it ended."""
    clock, count = f.clock, f.count
    crossings = f.gaps.shape[1]
    first = first_contact_row(m)
    switches = m.switch.shape[0] > 0 and crossings > 0
    if count[STARTED] == 0:
        begin_instants(m, w, f)
        start_crossings(m, w, f)
        while sample_is_due(f, clock[TIME]):
            copy(f.y, f.samples[count[SAMPLED]])
            copy(p.last_force, f.force_samples[count[SAMPLED]])
            count[SAMPLED] += 1
        count[STARTED] = 1
    spent = projected = 0
    while True:
        ready = choose_step(m, p, f)
        t, h = clock[TIME], p.whole.step[0]
        clock[STEP] = h
        if clock[END] - t <= 1e-9 * h:
            return DONE
        if spent >= step_budget:
            return MORE
        if is_full(m, f):
            return FULL
        if count[CUT] == 1 and is_tiny(f, clock[INSTANT] - t):
            change_now(m, w, f)
            continue
        if not ready:
            return RESIZE
        if count[PAUSED] == 0 and clock[END] - t <= (1.0 + 1e-6) * h:
            count[PAUSED] = 1
            return PAUSE
        spent += 1
        failures = p.count[FAILURES]
        error = advance_one(m, w, p, f, t, projected)
        projected = 0
        if t + h > clock[END] and count[PAUSED] == 1 and is_lost(p, f, error):
            p.count[FAILURES] = failures
            count[REJECTED] += 1
            count[PAUSED] = ENDS
            continue
        hits = p.whole.step[0] != h
        if hits:
            count[CUT] = 0
        if p.count[FAILURES] > failures and error >= 0.0:
            error = UNSETTLED
            if p.count[LEVEL] + 1 < p.control[DEEPEST]:
                p.count[FAILURES] = failures  # a shorter step may settle
        h = p.whole.step[0]
        count[EVALUATIONS] += 2
        if error < 0.0 or error > 1.0:
            count[REJECTED] += 1
            if error == TOO_LONG_STEP:
                p.count[TOO_LONG] += 1
            p.count[CALM] = 0
            if p.count[LEVEL] + 1 < p.control[DEEPEST]:
                p.count[WANTED] = p.count[LEVEL] + 1
                continue
            if error < TOO_LONG_STEP:
                closed = closed_film(m, w, f.y, 2.0 * h)
                count[CULPRIT] = closed if closed >= 0 else p.count[UNSOLVED_JOINT]
                return FILM_CLOSED if closed >= 0 else UNSOLVED
            if error < 0.0:
                return UNDERFLOW
        if w.row.shape[0] > 0:
            project(m, w, t + h, f.y_new, clock[PROJECTION_TOLERANCE])
        broken = 0
        for i in range(f.y.shape[0]):
            broken += 0 if isfinite(f.y_new[i]) else 1
        if broken > 0:
            return NOT_A_NUMBER
        if switches:
            interpolant(m, f, p, h)
            if switch_in_step(m, w, f, t, h):
                continue
        count[STEPS] += 1
        p.count[CALM] += 1
        stop = 2.0
        t_new = clock[INSTANT] if count[CUT] else t + h
        if abs(clock[END] - t_new) < 1e-6 * h:  # many sums of h miss it by rounding
            t_new = clock[END]
        if sample_is_due(f, last_sample(f, t_new)) or crossings > 0:
            interpolant(m, f, p, h)
            if crossings > 0:
                stop = record_crossings(m, w, f, t, t_new - t)
            write_step_samples(f, p, t, t_new - t, min(stop, 1.0) * (1.0 + 1e-9))
        if m.rubbing.shape[0] > 0 and count[STEPS] == 1:
            tell_start(f, p, t)
        rest = (clock[END] - t) / (t_new - t)
        note_step(m, w, p, f, t, t_new, min(stop, rest, 1.0))
        if not hits:
            remember(p, first)
        if m.compliant.shape[0] > 0:
            lost = record_contacts(m, w, f, p, t_new)
            if lost >= 0:
                count[CULPRIT] = lost
                return BALL_LOST
        if stop <= 1.0 or rest < 1.0:
            interpolant(m, f, p, h)
            evaluate_dense(f.y, f.dense, min(stop, rest), f.y_new)
            copy(f.y_new, f.y)
            copy(p.last_force, f.end_force)
            clock[TIME] = clock[END] if rest < stop else t + stop * h
            return DONE if rest < stop else STOPPED
        if hits and not impact(m, w, p, f, t_new, f.y_new):
            count[CULPRIT] = p.count[STRUCK_CONTACT]
            clock[TIME] = t_new
            return ENERGY_CREATED
        accept(m, w, f, t_new)
        count_turns(m, w, f.y)
        projected = 1 if m.tree.shape[0] == 0 and t_new == t + h and crossings == 0 and not hits else 0
        if count[CUT] and t_new < clock[END]:
            change_now(m, w, f)
            projected = 0
        if p.count[LEVEL] > 0 and p.count[CALM] >= CALM_STEPS and error < 0.2:
            p.count[WANTED] = p.count[LEVEL] - 1
            p.count[CALM] = 0
