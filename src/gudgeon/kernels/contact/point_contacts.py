"""When points touch their walls in nonsmooth steps: what is remembered of a contact.

`TimeStepping` writes here only when a step is accepted, and tallies energy and impulse of every contact of its rows.
"""

from __future__ import annotations

from math import nan

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.contact.contact_table import write_line
from gudgeon.kernels.dynamics.arrays import (
    BEGIN,
    FLIGHT,
    IMPACT_SPEED,
    IMPULSE,
    MODE,
    ONSET_SPEED,
    PEAK,
    TAKEN,
    TOUCHING,
)
from gudgeon.kernels.elements.point_arrays import HARD
from gudgeon.kernels.elements.points import contact_line
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
def begin_contact(contact, t, speed):
    """A point begins to touch."""
    contact[MODE], contact[BEGIN], contact[IMPACT_SPEED], contact[ONSET_SPEED] = TOUCHING, t, speed, speed
    contact[PEAK] = contact[TAKEN] = contact[IMPULSE] = 0.0


@inlined
def end_contact(w, f, k, t):
    """The contact of a point, in line k, ends."""
    write_line(w, f, k, t, w.contact[k, TAKEN], w.contact[k, IMPULSE])
    w.contact[k, MODE], w.contact[k, IMPACT_SPEED] = FLIGHT, 0.0


@called
def note_step(m, w, p, f, t, t_new, part):
    """What the points did in a nonsmooth step from t to t_new, of which the run takes a part."""
    for c in range(m.points.wall.shape[0]):
        k = contact_line(m, c)
        contact, tally, closed = w.contact[k], p.tally[1, c], p.mode[2, c, 0] != OPEN
        if closed or tally[TALLY_IMPULSE] > 0.0:
            if contact[MODE] == FLIGHT:
                begin_contact(contact, t, contact[IMPACT_SPEED])
            contact[TAKEN] += part * tally[TALLY_LOSS]
            contact[IMPULSE] += part * tally[TALLY_IMPULSE]
            contact[PEAK] = nan if m.points.wall[c, HARD] else max(contact[PEAK], tally[TALLY_PEAK])
        if not closed and contact[MODE] != FLIGHT:
            end_contact(w, f, k, t + part * (t_new - t))


@inlined
def note_impact(m, w, p, f, c, r, t, rests):
    """What hard contact c did in an impact at t; `rests`: it stays closed."""
    k = contact_line(m, c)
    contact = w.contact[k]
    if p.row[r, ROW_LOAD] > 0.0:
        if contact[MODE] == FLIGHT:
            begin_contact(contact, t, max(-p.row[r, ROW_FREE], 0.0))
            contact[PEAK] = nan
        for e in range(2):
            contact[TAKEN] -= 0.5 * p.row[r + e, ROW_LOAD] * (p.row[r + e, ROW_FREE] + p.row[r + e, ROW_AFTER])
        contact[IMPULSE] += p.row[r, ROW_LOAD]
        if not rests:
            end_contact(w, f, k, t)


@inlined
def write_open_points(m, w, f):
    """Add the contacts of points that last beyond the end of the run to the table, without an end."""
    for c in range(m.points.wall.shape[0]):
        k = contact_line(m, c)
        if w.contact[k, MODE] != FLIGHT:
            write_line(w, f, k, nan, w.contact[k, TAKEN], w.contact[k, IMPULSE])
