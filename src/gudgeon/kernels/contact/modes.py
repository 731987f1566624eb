"""The discrete state of every joint with clearance: in flight, touching or grazing, and the table of its contacts.

Micro-impacts in a row (a ball that comes to rest on the socket in ever smaller jumps, faster than can be told apart)
end in the mode grazing: the joint touches, and only a real gap, a fraction of the clearance, ends that.
"""

from __future__ import annotations

from math import nan

from numba import float64, int64, void

from gudgeon.kernels.build.compiled import addressed, entrance, inlined
from gudgeon.kernels.contact.contact_speeds import write_speeds
from gudgeon.kernels.contact.contact_table import write_line
from gudgeon.kernels.contact.gaps import RELEASE, film_ends, gap_of, watched
from gudgeon.kernels.contact.point_contacts import write_open_points
from gudgeon.kernels.dynamics.arrays import (
    BEGIN,
    BRISTLE,
    CLEARANCE,
    FIRST_STEP,
    FLIGHT,
    GRAZING,
    IMPACT_SPEED,
    MICRO,
    MODE,
    MODEL,
    ONSET_SPEED,
    PEAK,
    REMEMBERED,
    TOUCHING,
    WORK,
    WORK_BEGIN,
    WORK_STATE,
)
from gudgeon.kernels.dynamics.engine import kinematics, local_motion
from gudgeon.kernels.integrators.run import FLIGHT_RECORD

MICRO_SPEED = 1e-8  # impacts below this are micro-impacts [m/s]
MICRO_PAUSE = 1e-9  # so are impacts sooner than this after the last contact [s]
MICRO_IMPACTS = 4  # so many in a row end in grazing


@inlined
def touch(m, w, f, k, t, speed):
    """Joint k begins to touch at the state held in `f.y`."""
    contact, y = w.contact, f.y
    micro = speed < MICRO_SPEED or t - contact[k, BEGIN] < MICRO_PAUSE  # BEGIN: when the last contact ended
    contact[k, MICRO] = contact[k, MICRO] + 1.0 if micro else 0.0
    contact[k, MODE] = GRAZING if contact[k, MICRO] >= MICRO_IMPACTS else TOUCHING
    contact[k, IMPACT_SPEED] = contact[k, ONSET_SPEED] = max(speed, 0.0)
    contact[k, BEGIN] = t
    contact[k, PEAK] = 0.0
    contact[k, WORK_BEGIN] = y[m.compliant[k, WORK_STATE]]
    if m.compliant[k, BRISTLE] >= 0:
        for c in range(3):
            y[m.compliant[k, BRISTLE] + c] = 0.0


@inlined
def write_contact(m, w, f, k, t, y):
    """Add the contact of joint k, which ends at t, to the table."""
    write_line(w, f, k, t, y[m.compliant[k, WORK_STATE]] - w.contact[k, WORK_BEGIN], nan)


@inlined
def release(m, w, f, k, t):
    """Joint k ends touching."""
    write_contact(m, w, f, k, t, f.y)
    w.contact[k, BEGIN] = t
    if w.contact[k, MODE] == GRAZING:
        w.contact[k, MICRO] = 0.0
    w.contact[k, MODE] = FLIGHT


@addressed(int64(MODEL, WORK, FLIGHT_RECORD, float64, int64))
def modes_after_event(m, w, f, t, which):
    """At the state `f.y`: joint `which` has its event (−1: none); others follow whose gap is open and growing.

    Returns whether a joint began or ended touching.
    """
    kinematics(m, w, f.y)
    switched = 0
    for k in range(m.compliant.shape[0]):
        if not watched(m, k) or film_ends(m, k):
            continue
        local_motion(m, w, k, f.y)
        gap, rate = gap_of(m, w, k)
        if k == which or (gap >= 0.0 and rate > 0.0):
            if w.contact[k, MODE] == FLIGHT:
                touch(m, w, f, k, t, max(rate, 0.0))
            else:
                release(m, w, f, k, t)
            switched = 1
    return switched


@addressed(void(MODEL, WORK, FLIGHT_RECORD, float64))
def modes_at_start(m, w, f, t):
    """The modes of the state a run starts from; a joint that overlaps touches, however it moves.

    A state that is continued has its contacts in `w` already: those that still touch go on.
    """
    kinematics(m, w, f.y)
    for k in range(m.compliant.shape[0]):
        mode = w.contact[k, MODE] - REMEMBERED
        w.contact[k, MODE] = FLIGHT
        if mode < 0.0:
            w.contact[k, MICRO] = w.contact[k, FIRST_STEP] = w.contact[k, PEAK] = 0.0
            w.contact[k, BEGIN] = -1.0
        if not watched(m, k) or film_ends(m, k):
            continue
        local_motion(m, w, k, f.y)
        gap, rate = gap_of(m, w, k)
        release = RELEASE * m.compliant_vector[k, CLEARANCE] if mode == GRAZING else 0.0
        if mode > FLIGHT and gap >= -release:
            w.contact[k, MODE] = mode
        elif gap > 0.0 or (gap == 0.0 and rate > 0.0):
            touch(m, w, f, k, t, max(rate, 0.0))
    write_speeds(m, w, f, t)


@entrance(void(MODEL, WORK, FLIGHT_RECORD))
def write_open_contacts(m, w, f):
    """Add the contacts that last beyond the end of the run to the table, without an end."""
    for k in range(m.compliant.shape[0]):
        if w.contact[k, MODE] != FLIGHT:
            write_contact(m, w, f, k, nan, f.y)
    write_open_points(m, w, f)
