"""What happens within a step of an integrator that runs in Python: contacts, their peaks, crossings.

It leaves the polynomial of the step in `Flight.dense` (dense.py) and its end in `Flight.y_new`. A step within which a
contact begins or ends is given again, up to there: contacts change at the ends of steps only.
"""

from __future__ import annotations

from math import inf

from numba import boolean, float64, int64, void

from gudgeon.kernels.build.compiled import called, entrance, inlined
from gudgeon.kernels.contact.events import any_watched, film_ends, lost_ball
from gudgeon.kernels.contact.guide_events import has_guides, overlap, switch_touch
from gudgeon.kernels.dynamics.arrays import MODEL, WORK
from gudgeon.kernels.dynamics.engine import (
    find_event,
    kinematics,
    longest_step,
    look_along,
    record_crossings,
    start_modes,
    start_touches,
    switch_modes,
    track_peaks,
)
from gudgeon.kernels.elements.slider_arrays import TOUCHES
from gudgeon.kernels.integrators.dense import evaluate_dense
from gudgeon.kernels.integrators.run import (
    AIM_JOINT,
    CONTACT_LOOKS,
    CULPRIT,
    FILM_CLOSED,
    FLIGHT_RECORD,
    FULL,
    LARGEST_STEP,
    MORE,
    STOPPED,
    TIME,
    copy,
    is_full,
)
from gudgeon.kernels.integrators.starting import start_crossings

NONE = 2.0  # no event in a step
LOST = -1.0  # a ball has left its socket, see CULPRIT


@inlined
def limit_next_step(m, w, f):
    """How long the next step may be for its crossings to be told apart, into LARGEST_STEP."""
    f.clock[LARGEST_STEP] = inf
    if f.gaps.shape[1] > 0:
        kinematics(m, w, f.y)
        f.clock[LARGEST_STEP] = longest_step(m, w)


@entrance(void(MODEL, WORK, FLIGHT_RECORD))
def begin_events(m, w, f):
    """Contacts and crossings of the state a run starts from."""
    start_modes(m, w, f, f.clock[TIME])
    start_touches(m, w, f, f.clock[TIME])
    start_crossings(m, w, f)
    limit_next_step(m, w, f)


@inlined
def contact_beyond(m, w, f, x):
    """The contact of a guide that is beyond its state at the fraction x of the step; −1: none."""
    evaluate_dense(f.y, f.dense, x, f.y_stage)
    kinematics(m, w, f.y_stage)
    for c in range(m.sliders.contact.shape[0]):
        if overlap(m.sliders, w, w.sliders, f.y_stage, c) > 0.0:
            return c
    return -1


@called
def first_touch(m, w, f):
    """The contact of a guide that first begins or ends within the step, and at which fraction of it."""
    for j in range(1, CONTACT_LOOKS + 1):
        low, high = (j - 1) / CONTACT_LOOKS, j / CONTACT_LOOKS
        which = contact_beyond(m, w, f, high)
        while which >= 0:
            middle = 0.5 * (low + high)
            if middle <= low or middle >= high:
                return which, high
            found = contact_beyond(m, w, f, middle)
            if found >= 0:
                which, high = found, middle
            else:
                low = middle
    return -1, NONE


@inlined
def follow_guides(m, w, f, t, h, until, which):
    """Contacts of guides up to a fraction of the step, at whose end contact `which` begins or ends (−1: none).

    There its gap is 0 but for rounding, of either sign.
    """
    touches = which >= 0 and w.sliders.touch[which, TOUCHES] > 0.0
    look_along(m, w, f, t, h, until)
    if which >= 0 and touches == (w.sliders.touch[which, TOUCHES] > 0.0):
        kinematics(m, w, f.y_new)
        overlap(m.sliders, w, w.sliders, f.y_new, which)
        switch_touch(m.sliders, w, w.sliders, f, which, t + h)


@entrance(float64(MODEL, WORK, FLIGHT_RECORD))
def event_in_step(m, w, f):
    """The fraction of the step at which a contact first begins or ends (its joint, or −1 − its contact of a guide, into
    AIM_JOINT); NONE, or LOST.
    """
    x = NONE
    if any_watched(m):
        x = find_event(m, w, f)
        if x > 1.0:
            lost = lost_ball(m, w)
            if lost >= 0:
                f.count[CULPRIT] = lost
                return LOST
    if has_guides(m):
        which, touch = first_touch(m, w, f)
        if touch < x:
            f.count[AIM_JOINT], x = -1 - which, touch
    return x


@entrance(int64(MODEL, WORK, FLIGHT_RECORD, float64, boolean))
def take_over(m, w, f, t_new, is_event):
    """The step becomes part of the run; MORE, or how that ends there. FULL: nothing is done, there is no room."""
    if is_full(m, f):
        return FULL
    t, k = f.clock[TIME], f.count[AIM_JOINT]
    h, stop = t_new - t, NONE
    if any_watched(m):
        track_peaks(m, w, f, is_event)
    if f.gaps.shape[1] > 0:
        stop = record_crossings(m, w, f, t, h)
    if has_guides(m):
        follow_guides(m, w, f, t, h, min(stop, 1.0), -1 - k if is_event and k < 0 and stop > 1.0 else -1)
    if stop <= 1.0:
        evaluate_dense(f.y, f.dense, stop, f.y_new)
        copy(f.y_new, f.y)
        f.clock[TIME] = t + stop * h
        return STOPPED
    copy(f.y_new, f.y)
    f.clock[TIME] = t_new
    if is_event and k >= 0:
        if film_ends(m, k):
            f.count[CULPRIT] = k
            return FILM_CLOSED
        switch_modes(m, w, f, t_new, k)
    limit_next_step(m, w, f)
    return MORE
