"""Contacts whose laws are given the largest δ̇ of the contact so far, instead of that at its begin.

With the stored δ̇⁽⁻⁾ the loss χ δ̇/δ̇⁽⁻⁾ of a long contact may become many times χ, as δ̇ exceeds δ̇⁽⁻⁾ again and again;
with the largest so far it never exceeds χ, and in a single impact, which is fastest at its begin, the two are the same.
Laws are given max(memory, δ̇) (elements/laws.py), which is the largest so far as long as it grows. The memory follows
when a step is accepted; a step within which a contact is faster than ever and slows down again is taken anew so that it
ends there. What the memory was at any time stands in the table of contacts, in lines of their own.
"""

from __future__ import annotations

from math import nan

from numba import float64, void

from gudgeon.kernels.build.compiled import called, entrance, inlined
from gudgeon.kernels.dynamics.arrays import CONTACT_CALL, FLIGHT, IMPACT_SPEED, MODE, MODEL, WORK
from gudgeon.kernels.elements.lawforms import PLAIN_WITH_LARGEST_SPEED, WITH_LARGEST_SPEED_AND_PARAMETERS
from gudgeon.kernels.integrators.run import (
    CONTACT_BEGIN,
    CONTACT_LINE,
    CONTACT_LOOKS,
    CONTACT_SPEED,
    CONTACT_TABLE_COLUMNS,
    CONTACTS,
    FASTER,
    FLIGHT_RECORD,
    GAP_RATE,
)

AT_THE_TOP = 0.95  # of a step after which a contact slows down: near enough to its end


@inlined
def follows_speed(m, k):
    """Is the law of joint k given the largest δ̇ of its contact so far?"""
    return m.compliant[k, CONTACT_CALL] in (PLAIN_WITH_LARGEST_SPEED, WITH_LARGEST_SPEED_AND_PARAMETERS)


@called
def fastest_within(m, w, f):
    """Where within the step a contact is faster than ever and slows down again; 1: nowhere.

    Up to there the largest δ̇ so far is δ̇ itself, from there on it stays: a step must end there.
    """
    first = 1.0
    for k in range(m.compliant.shape[0]):
        if w.contact[k, MODE] == FLIGHT or not follows_speed(m, k):
            continue
        at = 0
        for j in range(1, CONTACT_LOOKS + 1):
            if f.looks[j, k, GAP_RATE] < f.looks[at, k, GAP_RATE]:
                at = j
        if 0 < at < CONTACT_LOOKS and -f.looks[at, k, GAP_RATE] > w.contact[k, IMPACT_SPEED]:
            a, b, c = f.looks[at - 1, k, GAP_RATE], f.looks[at, k, GAP_RATE], f.looks[at + 1, k, GAP_RATE]
            x = (at + 0.5 * (a - c) / (a - 2.0 * b + c)) / CONTACT_LOOKS
            if x < AT_THE_TOP:
                first = min(first, x)
    return first


@called
def write_speeds(m, w, f, t):
    """Add lines to the table that tell how fast the contacts have been whose laws follow that."""
    for k in range(m.compliant.shape[0]):
        if w.contact[k, MODE] != FLIGHT and follows_speed(m, k):
            line = f.count[CONTACTS]
            for c in range(CONTACT_TABLE_COLUMNS):
                f.contacts[line, c] = nan
            f.contacts[line, CONTACT_LINE], f.contacts[line, FASTER] = k, 1.0
            f.contacts[line, CONTACT_BEGIN], f.contacts[line, CONTACT_SPEED] = t, w.contact[k, IMPACT_SPEED]
            f.count[CONTACTS] = line + 1


@entrance(void(MODEL, WORK, FLIGHT_RECORD, float64))
def speeds_of_lasting_contacts(m, w, f, t):
    """The same of a run that goes on from another one."""
    write_speeds(m, w, f, t)
