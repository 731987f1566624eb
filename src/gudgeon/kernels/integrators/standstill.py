"""Is a run still getting anywhere? Adaptive steps that shrink for ever end in an error, not in an endless loop.

A run stands still when
    no step is accepted, however often it is tried; or
    many attempts together advance the time by no more than LEAST_ADVANCE of the run; or
    it creeps through a jump of a law: about every other attempt is rejected, although no contact begins or ends,
    and at this pace the run would take PATIENCE attempts.
"""

from __future__ import annotations

from gudgeon.kernels.build.compiled import called
from gudgeon.kernels.integrators.run import (
    ATTEMPTS,
    CONTACTS,
    END,
    IN_VAIN,
    REJECTED,
    SEEN_CONTACTS,
    SEEN_REJECTED,
    SEEN_STEPS,
    SEEN_TIME,
    STEPS,
    TIME,
)

MOST_IN_VAIN = 1000  # attempts at one step
WINDOW = 10_000  # attempts that are looked at together
LEAST_ADVANCE = 1e-9  # by these, of the run
PATIENCE = 1e8  # attempts for the whole run
CREEPING = 0.45  # rejected, of all attempts


@called
def stands_still(f):
    """To be asked before every attempt at a step."""
    clock, count = f.clock, f.count
    if count[STEPS] != count[SEEN_STEPS]:
        count[SEEN_STEPS] = count[STEPS]
        count[IN_VAIN] = 0
    count[IN_VAIN] += 1
    if count[IN_VAIN] > MOST_IN_VAIN:
        return True
    count[ATTEMPTS] += 1
    if count[ATTEMPTS] < WINDOW:
        return False
    advance = (clock[TIME] - clock[SEEN_TIME]) / clock[END]
    rejected = count[REJECTED] - count[SEEN_REJECTED]
    undisturbed = count[CONTACTS] == count[SEEN_CONTACTS]
    count[ATTEMPTS], count[SEEN_REJECTED], count[SEEN_CONTACTS] = 0, count[REJECTED], count[CONTACTS]
    clock[SEEN_TIME] = clock[TIME]
    if advance <= LEAST_ADVANCE:
        return True
    return undisturbed and rejected > CREEPING * WINDOW and advance * PATIENCE < WINDOW
