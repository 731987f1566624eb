"""What the loops over steps have in common: when a run ends, how long its next step is, contacts within a step.

A step within which a contact begins or ends is taken again so that it ends there (contact/events.py): it then `aims`.
"""

from __future__ import annotations

from gudgeon.kernels.build.compiled import inlined
from gudgeon.kernels.contact.events import after_event, aim_at, film_ends, lost_ball, lost_pin
from gudgeon.kernels.dynamics.engine import find_event, keep_searches, longest_step, switch_modes
from gudgeon.kernels.integrators.run import (
    AIM,
    AIM_JOINT,
    BALL_LOST,
    BEFORE_EVENT,
    CULPRIT,
    DONE,
    END,
    FILM_CLOSED,
    FULL,
    JUST_REJECTED,
    LARGEST_STEP,
    LAST_ERROR,
    MORE,
    NO_PROGRESS,
    PAUSE,
    PAUSED,
    REJECTED,
    STEP,
    TIME,
    UNDERFLOW,
    copy,
    is_full,
)
from gudgeon.kernels.integrators.standstill import stands_still

GO, AGAIN = -1, -2  # a step goes on; it is taken again


@inlined
def next_step(m, w, f, spent, step_budget):
    """How the run ends before its next step (GO: it does not), the length of that, and whether it is the last one."""
    clock, count = f.clock, f.count
    h, left = clock[STEP], clock[END] - clock[TIME]
    if left <= 0.0:
        return DONE, h, False
    if spent >= step_budget:
        return MORE, h, False
    if is_full(m, f):
        return FULL, h, False
    h = min(h, clock[LARGEST_STEP])
    if f.gaps.shape[1] > 0:
        h = min(h, longest_step(m, w))
    aims = clock[AIM] > 0.0
    if aims:
        h = clock[AIM]
    last = left - h <= 1e-9 * h and not aims  # a step may be stretched a little, so that no tiny one is left over
    if last and count[PAUSED] == 0:
        count[PAUSED] = 1
        return PAUSE, h, last
    if last:
        h = left
    if is_tiny(f, h) and not aims:
        return UNDERFLOW, h, last
    if stands_still(f):
        return NO_PROGRESS, h, last
    return GO, h, last


@inlined
def is_tiny(f, h):
    """Would a step of h not move the time on?"""
    return h <= 1e-14 * max(abs(f.clock[TIME]), 1e-3)


@inlined
def reject(f, h):
    """The next attempt is a step of h."""
    f.count[REJECTED] += 1
    f.clock[STEP] = h
    f.count[JUST_REJECTED] = 1


@inlined
def contact_in_step(m, w, f, h):
    """AGAIN if a contact begins or ends within the step, which is then aimed at; BALL_LOST; otherwise GO."""
    x = find_event(m, w, f)
    if x <= 1.0:
        aim_at(f, x, h)
        return AGAIN
    lost = lost_ball(m, w, f)
    if lost >= 0:
        f.count[CULPRIT] = lost
        return BALL_LOST
    return GO


@inlined
def accept(m, w, f, t_new):
    """The step becomes part of the run."""
    copy(f.y_new, f.y)
    f.clock[TIME] = t_new
    keep_searches(m, w)


@inlined
def change_contact(m, w, f):
    """The contact that was aimed at begins or ends; FILM_CLOSED or BALL_LOST if the run ends, otherwise GO."""
    clock, k = f.clock, f.count[AIM_JOINT]
    clock[AIM] = 0.0
    if film_ends(m, k):
        f.count[CULPRIT] = k
        return FILM_CLOSED
    lost = lost_pin(m, w, f.y)
    if lost >= 0:
        f.count[CULPRIT] = lost
        return BALL_LOST
    switch_modes(m, w, f, clock[TIME], k)
    clock[STEP], clock[LAST_ERROR] = after_event(m, w, f, clock[BEFORE_EVENT]), 0.0
    return GO
