"""When the surface points of sliders touch their guides: what is remembered of a contact, and the table of contacts.

`TimeStepping` writes here only when a step is accepted, and tallies energy and impulse of every contact of its rows.
"""

from __future__ import annotations

from math import nan

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.elements.slider_arrays import (
    HARD,
    TOUCH_BEGIN,
    TOUCH_IMPULSE,
    TOUCH_LOSS,
    TOUCH_PEAK,
    TOUCH_SPEED,
    TOUCHES,
)
from gudgeon.kernels.integrators.run import (
    CONTACT_BEGIN,
    CONTACT_END,
    CONTACT_IMPULSE,
    CONTACT_JOINT,
    CONTACT_LOSS,
    CONTACT_PEAK,
    CONTACT_POINT,
    CONTACT_SPEED,
    CONTACTS,
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


@inlined
def write_open_touches(m, w, f):
    """Add the contacts of guides that last beyond the end of the run to the table, without an end."""
    for c in range(m.sliders.contact.shape[0]):
        if w.sliders.touch[c, TOUCHES] > 0.0:
            write_touch(w.sliders, f, c, nan)
