"""What the loops over steps have in common: when a run ends, how long its next step is, contacts within a step.

A step within which a contact begins or ends is taken again so that it ends there (contact/events.py): it then `aims`.
A step that would go across an instant ends there (instants.py): it is `CUT`.
"""

from __future__ import annotations

from math import inf

from gudgeon.kernels.build.compiled import inlined
from gudgeon.kernels.contact.events import after_event, aim_at
from gudgeon.kernels.contact.gaps import film_ends
from gudgeon.kernels.contact.lost_balls import lost_ball, lost_pin
from gudgeon.kernels.dynamics.engine import (
    change_at,
    find_event,
    find_switch,
    keep_searches,
    longest_step,
    next_instant,
    switch_modes,
)
from gudgeon.kernels.dynamics.state_places import first_control
from gudgeon.kernels.integrators.instants import has_instants, nearly
from gudgeon.kernels.integrators.run import (
    AIM,
    AIM_JOINT,
    BALL_LOST,
    BEFORE_EVENT,
    CONTACT_LOOKS,
    CULPRIT,
    CUT,
    DONE,
    END,
    FILM_CLOSED,
    FULL,
    INSTANT,
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
    TRIGGER,
    UNDERFLOW,
    copy,
    is_full,
    note_sizes,
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
        h = min(h, longest_step(m, w, f.y))
    aims = clock[AIM] > 0.0
    if aims:
        h = clock[AIM]
    ahead = clock[INSTANT] - clock[TIME]
    count[CUT] = 1 if ahead - h <= 1e-9 * h and not aims else 0
    if count[CUT]:
        h = ahead
    last = left - h <= 1e-9 * h and not aims  # a step may be stretched a little, so that no tiny one is left over
    if last and count[PAUSED] == 0:
        count[PAUSED] = 1
        return PAUSE, h, last
    if last:
        h = left
        count[CUT] = 0  # what changes at the end of a run does so when another one goes on
    if is_tiny(f, h) and not aims and count[CUT] == 0:
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
    x = find_event(m, w, f, h)
    if x <= 1.0:
        aim_at(f, x, h)
        return AGAIN
    lost = lost_ball(m, w, f)
    if lost >= 0:
        f.count[CULPRIT] = lost
        return BALL_LOST
    return GO


@inlined
def keep_look(f):
    """The look at the end of the last step is that at the begin of the next."""
    for k in range(f.looks.shape[1]):
        copy(f.looks[CONTACT_LOOKS, k], f.looks[0, k])


@inlined
def end_of_step(f, t, h, last):
    """The time at the end of a step."""
    return f.clock[END] if last else f.clock[INSTANT] if f.count[CUT] else t + h


@inlined
def last_sample(f, t_new):
    """The latest sample that belongs to a step that ends at t_new: one at an instant is before what changes there."""
    return t_new + nearly(t_new) if f.count[CUT] else t_new


@inlined
def keeps_its_length(f, last, factor):
    """Was the step shorter than it could have been, so that its length says nothing about the next?"""
    return (last or f.count[CUT] == 1) and factor >= 1.0


@inlined
def accept(m, w, f, t_new):
    """The step becomes part of the run."""
    copy(f.y_new, f.y)
    f.clock[TIME] = t_new
    keep_searches(m, w)
    note_sizes(f, first_control(m))


@inlined
def begin_instants(m, w, f):
    """What changes at the start, and when anything does next."""
    f.clock[INSTANT] = inf
    f.count[TRIGGER] = -1
    note_sizes(f, first_control(m))
    if has_instants(m):
        change_at(m, w, f, f.clock[TIME])


@inlined
def change_now(m, w, f):
    """What changes at the end of a step that was cut; says whether anything did."""
    f.count[CUT] = 0
    changed = change_at(m, w, f, f.clock[TIME])
    if changed:
        f.clock[LAST_ERROR] = 0.0
    return changed


@inlined
def switch_in_step(m, w, f, t, h):
    """Does a signal turn a switch within the step, whose polynomial is ready? It is taken again then, to end there."""
    aimed = f.count[TRIGGER] if f.count[CUT] else -1
    x = find_switch(m, w, f, t, h)
    if aimed >= 0:
        f.count[TRIGGER] = aimed
        return False
    if x > 1.0:
        return False
    f.clock[INSTANT] = t + x * h
    f.clock[AIM] = 0.0
    return True


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
    if clock[INSTANT] < inf:  # the motion goes on differently
        clock[INSTANT] = next_instant(m, w, f.y)
        f.count[TRIGGER] = -1
    clock[STEP], clock[LAST_ERROR] = after_event(m, w, f, clock[BEFORE_EVENT]), 0.0
    return GO
