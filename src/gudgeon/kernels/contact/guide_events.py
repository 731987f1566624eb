"""When the surface points of sliders touch their guides: what is remembered of a contact, and the table of contacts.

Solvers write here only when a step is accepted, so that forces at (t, y) depend on nothing but the contacts that have
begun. `TimeStepping` tallies energy and impulse of every contact; integrators that see no contact forces of a step
look at the gaps along its polynomial, and locate there where contacts begin and end.
"""

from __future__ import annotations

from math import nan

from numba import float64, int64, void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.dynamics.arrays import MODEL, WORK
from gudgeon.kernels.dynamics.engine import kinematics
from gudgeon.kernels.elements.slider_arrays import (
    GAP,
    GAP_RATE,
    HARD,
    TOUCH_BEGIN,
    TOUCH_IMPULSE,
    TOUCH_LOSS,
    TOUCH_PEAK,
    TOUCH_SPEED,
    TOUCHES,
)
from gudgeon.kernels.elements.sliders import SLOWEST_TOUCH, contact_motion, law_of
from gudgeon.kernels.integrators.dense import evaluate_dense
from gudgeon.kernels.integrators.run import (
    CONTACT_BEGIN,
    CONTACT_END,
    CONTACT_IMPULSE,
    CONTACT_JOINT,
    CONTACT_LOOKS,
    CONTACT_LOSS,
    CONTACT_PEAK,
    CONTACT_POINT,
    CONTACT_SPEED,
    CONTACTS,
    FLIGHT_RECORD,
)
from gudgeon.kernels.integrators.stepper_arrays import (
    OPEN,
    ROW_AFTER,
    ROW_FREE,
    ROW_LOAD,
    TALLY_IMPULSE,
    TALLY_LOSS,
    TALLY_PEAK,
)


@inlined
def begin_touch(sw, c, t, speed):
    """Contact c begins to touch."""
    line = sw.touch[c]
    line[TOUCHES], line[TOUCH_BEGIN], line[TOUCH_SPEED] = 1.0, t, speed
    line[TOUCH_PEAK] = line[TOUCH_LOSS] = line[TOUCH_IMPULSE] = 0.0


@inlined
def write_touch(sw, f, c, t):
    """Add contact c, which ends at t, to the table."""
    line, touch = f.contacts[f.count[CONTACTS]], sw.touch[c]
    line[CONTACT_JOINT], line[CONTACT_POINT] = -1.0, c
    line[CONTACT_BEGIN], line[CONTACT_END] = touch[TOUCH_BEGIN], t
    line[CONTACT_SPEED], line[CONTACT_PEAK] = touch[TOUCH_SPEED], touch[TOUCH_PEAK]
    line[CONTACT_LOSS], line[CONTACT_IMPULSE] = touch[TOUCH_LOSS], touch[TOUCH_IMPULSE]
    f.count[CONTACTS] += 1


@inlined
def end_touch(sw, f, c, t):
    """Contact c ends."""
    write_touch(sw, f, c, t)
    sw.touch[c, TOUCHES] = sw.touch[c, TOUCH_SPEED] = 0.0


@called
def note_step(s, sw, p, f, t, t_new, part):
    """What the contacts did in a nonsmooth step from t to t_new, of which the run takes a part."""
    for c in range(s.contact.shape[0]):
        touch, tally, closed = sw.touch[c], p.tally[1, c], p.mode[2, c, 0] != OPEN
        if closed or tally[TALLY_IMPULSE] > 0.0:
            if touch[TOUCHES] == 0.0:
                begin_touch(sw, c, t, touch[TOUCH_SPEED])
            touch[TOUCH_LOSS] += part * tally[TALLY_LOSS]
            touch[TOUCH_IMPULSE] += part * tally[TALLY_IMPULSE]
            touch[TOUCH_PEAK] = nan if s.contact[c, HARD] else max(touch[TOUCH_PEAK], tally[TALLY_PEAK])
        if not closed and touch[TOUCHES] > 0.0:
            end_touch(sw, f, c, t + part * (t_new - t))


@inlined
def note_impact(sw, p, f, c, r, t, rests):
    """What hard contact c did in an impact at t; `rests`: it stays closed."""
    touch = sw.touch[c]
    if p.row[r, ROW_LOAD] > 0.0:
        if touch[TOUCHES] == 0.0:
            begin_touch(sw, c, t, max(-p.row[r, ROW_FREE], 0.0))
            touch[TOUCH_PEAK] = nan
        for e in range(2):
            touch[TOUCH_LOSS] -= 0.5 * p.row[r + e, ROW_LOAD] * (p.row[r + e, ROW_FREE] + p.row[r + e, ROW_AFTER])
        touch[TOUCH_IMPULSE] += p.row[r, ROW_LOAD]
        if not rests:
            end_touch(sw, f, c, t)


# for integrators that locate contacts along the polynomial of a step


@inlined
def overlap(s, w, sw, y, c):
    """How far contact c is beyond its state: positive where it touches and is open, or is open and touches [m]."""
    contact_motion(s, w, sw, y, c)
    return sw.contact[c, GAP] if sw.touch[c, TOUCHES] > 0.0 else -sw.contact[c, GAP]


@inlined
def switch_touch(s, w, sw, f, c, t):
    """Contact c begins or ends to touch at t, in the motion last evaluated."""
    if sw.touch[c, TOUCHES] > 0.0:
        end_touch(sw, f, c, t)
    else:
        begin_touch(sw, c, t, max(-sw.contact[c, GAP_RATE], SLOWEST_TOUCH))
        sw.touch[c, TOUCH_LOSS] = sw.touch[c, TOUCH_IMPULSE] = nan


@addressed(void(MODEL, WORK, FLIGHT_RECORD, float64))
def touches_at_start(m, w, f, t):
    """The contacts of the state a run starts from."""
    s, sw, y = m.sliders, w.sliders, f.y
    kinematics(m, w, y)
    for c in range(s.contact.shape[0]):
        sw.touch[c, TOUCHES] = sw.touch[c, TOUCH_SPEED] = 0.0
        if not s.contact[c, HARD] and overlap(s, w, sw, y, c) > 0.0:
            switch_touch(s, w, sw, f, c, t)


@addressed(int64(MODEL, WORK, FLIGHT_RECORD, float64, float64, float64))
def touches_along(m, w, f, t, h, until):
    """Contacts that begin or end in the fraction `until` of a step of h from t; 1: there were some."""
    s, sw = m.sliders, w.sliders
    before, changed = 0.0, 0
    for j in range(1, CONTACT_LOOKS + 1):
        x = until * j / CONTACT_LOOKS
        evaluate_dense(f.y, f.dense, x, f.y_stage)
        kinematics(m, w, f.y_stage)
        for c in range(s.contact.shape[0]):
            if overlap(s, w, sw, f.y_stage, c) > 0.0:
                low, high = before, x
                for _ in range(50):
                    middle = 0.5 * (low + high)
                    evaluate_dense(f.y, f.dense, middle, f.y_stage)
                    kinematics(m, w, f.y_stage)
                    if overlap(s, w, sw, f.y_stage, c) > 0.0:
                        high = middle
                    else:
                        low = middle
                switch_touch(s, w, sw, f, c, t + high * h)
                changed = 1
                evaluate_dense(f.y, f.dense, x, f.y_stage)
                kinematics(m, w, f.y_stage)
            elif sw.touch[c, TOUCHES] > 0.0:
                force = law_of(s, sw, c, -sw.contact[c, GAP], -sw.contact[c, GAP_RATE])
                sw.touch[c, TOUCH_PEAK] = max(sw.touch[c, TOUCH_PEAK], force)
        before = x
    return changed


@inlined
def has_guides(m):
    """Are there contacts of guides to follow?"""
    return m.sliders.contact.shape[0] > 0


@inlined
def write_open_touches(m, w, f):
    """Add the contacts of guides that last beyond the end of the run to the table, without an end."""
    for c in range(m.sliders.contact.shape[0]):
        if w.sliders.touch[c, TOUCHES] > 0.0:
            write_touch(w.sliders, f, c, nan)
