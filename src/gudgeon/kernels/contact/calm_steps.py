"""Steps in which no contact begins or ends, told without looking inside; and steps that end where one does.

What is needed stands in `looks`: gap, rate and force at both ends of the step, lines 0 and CONTACT_LOOKS.
"""

from __future__ import annotations

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.contact.clear_way import stays_open
from gudgeon.kernels.contact.contact_speeds import follows_speed
from gudgeon.kernels.contact.gaps import watched
from gudgeon.kernels.dynamics.arrays import FLIGHT, MODE, PEAK
from gudgeon.kernels.dynamics.engine import look_at
from gudgeon.kernels.integrators.run import AIM_JOINT, CONTACT_LOOKS, GAP, GAP_RATE, LOOK_FORCE

NEAR = 1e-4  # so near to an event, of the step, a state is moved onto it along its rate


@inlined
def hull(f, k, h):
    """Between which two bounds the gap of joint k stays in a step of length h, by gaps and rates at its two ends.

    The control points of the cubic through them, with as much again for what a cubic does not show.
    """
    a, b = f.looks[0, k, GAP], f.looks[CONTACT_LOOKS, k, GAP]
    p, q = h * f.looks[0, k, GAP_RATE] / 3.0, h * f.looks[CONTACT_LOOKS, k, GAP_RATE] / 3.0
    more = 0.5 * (abs(p) + abs(q))
    return min(min(a, a + p), min(b - q, b)) - more, max(max(a, a + p), max(b - q, b)) + more


@called
def is_calm(m, w, f, h):
    """Can no contact begin, end or reach a new peak within the step of length h, by looks at its two ends alone?

    In flight that is proved; a contact that touches is judged by its hull.
    """
    for k in range(m.compliant.shape[0]):
        if not watched(m, k):
            continue
        if w.contact[k, MODE] == FLIGHT:
            if not stays_open(m, w, f, k):
                return False
            continue
        low, high = hull(f, k, h)
        if high >= 0.0 or follows_speed(m, k):
            return False
        shallow = max(-f.looks[0, k, GAP], -f.looks[CONTACT_LOOKS, k, GAP])
        force = max(f.looks[0, k, LOOK_FORCE], f.looks[CONTACT_LOOKS, k, LOOK_FORCE])
        if not force * (low / shallow) ** 2 < w.contact[k, PEAK]:
            return False
    return True


@called
def shortened(m, w, f, h, factor):
    """By which factor a step of length h is shortened after its error was too large: it ends where a contact does.

    Beyond there a law has a kink, which the error may be due to; the place is that of the cubic through both ends.
    """
    first = 2.0
    for k in range(m.compliant.shape[0]):
        if watched(m, k) and f.looks[CONTACT_LOOKS, k, GAP] > 0.0 and f.looks[0, k, GAP] < 0.0:
            a, b = f.looks[0, k, GAP], f.looks[CONTACT_LOOKS, k, GAP]
            p, q = h * f.looks[0, k, GAP_RATE], h * f.looks[CONTACT_LOOKS, k, GAP_RATE]
            low, high = 0.0, 1.0
            for _ in range(12):
                x = 0.5 * (low + high)
                z = 1.0 - x
                if (1.0 + 2.0 * x) * z * z * a + (3.0 - 2.0 * x) * x * x * b + x * z * (z * p - x * q) > 0.0:
                    high = x
                else:
                    low = x
            first = min(first, high)
    return 1.01 * first if 0.05 < first < 0.9 else factor


@called
def draw_to_event(m, w, f, rate_of_y, h):
    """Move `y_new`, a little beside the event that a step of length h has aimed at, along its rate onto it.

    Returns the length of the step to there; where it is farther away than a small part of the step it stays, and is
    aimed at again.
    """
    k, line, drawn = f.count[AIM_JOINT], CONTACT_LOOKS + 1, h
    for _ in range(4):
        look_at(m, w, f, f.y_new, line)
        gap, rate = f.looks[line, k, GAP], f.looks[line, k, GAP_RATE]
        if abs(gap) <= 1e-16 or not abs(gap) <= NEAR * h * rate:
            break
        drawn -= gap / rate
        for i in range(f.y.shape[0]):
            f.y_new[i] -= gap / rate * rate_of_y[i]
    return drawn
