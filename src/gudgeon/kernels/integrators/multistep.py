"""What happens within a step of an integrator that runs in Python: contacts, their peaks, crossings, instants.

It leaves the polynomial of the step in `Flight.dense` (dense.py) and its end in `Flight.y_new`. A step within which a
contact begins or ends, or a switch turns, is given again, up to there: all that changes at the ends of steps only.
"""

from __future__ import annotations

from math import inf

from numba import boolean, float64, int64, void

from gudgeon.kernels.build.compiled import entrance, inlined
from gudgeon.kernels.contact.clear_way import bound_motion
from gudgeon.kernels.contact.contact_speeds import write_speeds
from gudgeon.kernels.contact.gaps import any_watched, film_ends
from gudgeon.kernels.contact.lost_balls import lost_ball, lost_pin
from gudgeon.kernels.dynamics.arrays import MODEL, POSITIONS, WORK
from gudgeon.kernels.dynamics.engine import (
    change_at,
    find_event,
    find_switch,
    longest_step,
    look_at,
    record_crossings,
    start_modes,
    switch_modes,
    track_peaks,
)
from gudgeon.kernels.integrators.dense import bound_slopes, evaluate_dense
from gudgeon.kernels.integrators.loop import accept, begin_instants
from gudgeon.kernels.integrators.run import (
    AIM_JOINT,
    BALL_LOST,
    CONTACT_LOOKS,
    CULPRIT,
    DONE,
    FILM_CLOSED,
    FLIGHT_RECORD,
    FULL,
    GREW,
    LARGEST_STEP,
    MORE,
    STOPPED,
    TIME,
    TRIGGER,
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
        f.clock[LARGEST_STEP] = longest_step(m, w, f.y)


@entrance(void(MODEL, WORK, FLIGHT_RECORD))
def begin_events(m, w, f):
    """Contacts and crossings of the state a run starts from."""
    start_modes(m, w, f, f.clock[TIME])
    begin_instants(m, w, f)
    start_crossings(m, w, f)
    limit_next_step(m, w, f)


@entrance(float64(MODEL, WORK, FLIGHT_RECORD, float64))
def event_in_step(m, w, f, h):
    """The fraction of the step, h long, at which a contact first begins or ends (its joint into AIM_JOINT).

    NONE, or LOST.
    """
    x = NONE
    if any_watched(m):
        bound_slopes(f.dense, h, m.layout[POSITIONS], f.hardest)
        look_at(m, w, f, f.y, 0)
        look_at(m, w, f, f.y_new, CONTACT_LOOKS)
        bound_motion(m, w, f, h)
        x = find_event(m, w, f, h)
        if x > 1.0:
            lost = lost_ball(m, w, f)
            if lost >= 0:
                f.count[CULPRIT] = lost
                return LOST
    return x


@entrance(float64(MODEL, WORK, FLIGHT_RECORD, float64))
def switch_in_piece(m, w, f, t_new):
    """The fraction of the step to t_new at which a signal first turns a switch; NONE."""
    x, t = NONE, f.clock[TIME]
    if m.switch.shape[0] > 0 and f.gaps.shape[1] > 0:
        x = find_switch(m, w, f, t, t_new - t)
    return x


@entrance(int64(MODEL, WORK, FLIGHT_RECORD))
def changes_now(m, w, f):
    """What changes at the present time, which is an instant; FULL: nothing is done, there is no room."""
    if is_full(m, f):
        return FULL
    changed = change_at(m, w, f, f.clock[TIME])
    limit_next_step(m, w, f)
    return MORE if changed else DONE


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
    if stop <= 1.0:
        evaluate_dense(f.y, f.dense, stop, f.y_new)
        copy(f.y_new, f.y)
        f.clock[TIME] = t + stop * h
        return STOPPED
    accept(m, w, f, t_new)
    if f.count[GREW]:
        write_speeds(m, w, f, t_new)
        f.count[GREW] = 0
    if is_event:
        if film_ends(m, k):
            f.count[CULPRIT] = k
            return FILM_CLOSED
        lost = lost_pin(m, w, f.y)
        if lost >= 0:
            f.count[CULPRIT] = lost
            return BALL_LOST
        switch_modes(m, w, f, t_new, k)
        f.count[TRIGGER] = -1
    limit_next_step(m, w, f)
    return MORE
