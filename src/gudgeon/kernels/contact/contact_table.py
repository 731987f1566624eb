"""The table of contacts of a run: a line of `Work.contact` when it ends, or when the run does."""

from __future__ import annotations

from gudgeon.kernels.build.compiled import inlined
from gudgeon.kernels.dynamics.arrays import BEGIN, ONSET_SPEED, PEAK
from gudgeon.kernels.integrators.run import (
    CONTACT_BEGIN,
    CONTACT_END,
    CONTACT_IMPULSE,
    CONTACT_LINE,
    CONTACT_LOSS,
    CONTACT_PEAK,
    CONTACT_SPEED,
    CONTACTS,
    FASTER,
)


@inlined
def write_line(w, f, k, end, loss, impulse):
    """Add what is remembered of contact k, which ends then, having taken this energy and this normal impulse."""
    line, contact = f.contacts[f.count[CONTACTS]], w.contact[k]
    line[CONTACT_LINE], line[FASTER] = k, 0.0
    line[CONTACT_BEGIN], line[CONTACT_END] = contact[BEGIN], end
    line[CONTACT_SPEED], line[CONTACT_PEAK] = contact[ONSET_SPEED], contact[PEAK]
    line[CONTACT_LOSS], line[CONTACT_IMPULSE] = loss, impulse
    f.count[CONTACTS] += 1
