"""Contact events: the instants at which a joint begins or ends touching, and what its contact reaches between them.

An event is the first instant at which a gap (gaps.py) becomes positive. What matters is the mode and the sign of the
gap, never a sign change alone: after an event δ is ±1e-18 m, and whichever it is, the next event is seen.

In flight the first contact of a step is found by a bound (clear_way.py). A contact that touches is looked at in several
places: between two of them its end shows as a positive gap, or as a gap that first grows and then shrinks; then its
largest value is found. The step is taken again so that it ends at the event, until the penetration there vanishes to
the last digit.
"""

from __future__ import annotations

from math import inf, isnan

from numba import boolean, float64, int64, void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.contact.clear_way import copy_look, hidden_depth, look_at_one
from gudgeon.kernels.contact.contact_speeds import follows_speed
from gudgeon.kernels.contact.gaps import any_touches, gap_of, watched
from gudgeon.kernels.dynamics.arrays import (
    CLEARANCE,
    FIRST_STEP,
    FLIGHT,
    IMPACT_SPEED,
    MODE,
    MODEL,
    PEAK,
    SOCKET_RADIUS,
    WORK,
)
from gudgeon.kernels.dynamics.engine import kinematics, local_motion, look_at
from gudgeon.kernels.elements.hidden_depth import HIDDEN
from gudgeon.kernels.integrators.dense import evaluate_dense
from gudgeon.kernels.integrators.run import (
    AIM,
    AIM_JOINT,
    AIM_TRIES,
    AT,
    BEFORE_EVENT,
    BEND,
    BEND_TURN,
    CONTACT_LOOKS,
    FLIGHT_RECORD,
    GAP,
    GAP_RATE,
    GREW,
    HALVINGS,
    JUST_REJECTED,
    LOOK_FORCE,
    REJECTED,
    STEP,
)

AT_THE_LIMIT = 1e-14  # a gap this small may be the rounding of the last event [m]
AT_THE_ROOT = 1e-17  # a gap that is none [m]
SHORTEST = 1e-12  # the smallest time within which an event may be [s]
TRIES = 8  # to end a step at an event
FAR_OFF = 1e-9  # a gap that is no event, of the clearance
FIRST_WAY = 10.0  # that what has just met something goes in a step, of its clearance

# how a step that aims at an event ends
HIT, AGAIN, MISSED = 0, 1, 2


@inlined
def look_within(m, w, f, x, line):
    """`look_at` at the fraction x of the last step."""
    evaluate_dense(f.y, f.dense, x, f.y_stage)
    look_at(m, w, f, f.y_stage, line)


@called
def gap_within(m, w, f, k, x):
    """The gap of joint k, of this one alone, and its rate at the fraction x of the last step."""
    evaluate_dense(f.y, f.dense, x, f.y_stage)
    kinematics(m, w, f.y_stage)
    local_motion(m, w, k, f.y_stage)
    return gap_of(m, w, k)


@called
def turning_point(m, w, f, k, low, high, rising):
    """Where the rate of the gap changes sign between two fractions; `rising`: from plus to minus."""
    for _ in range(60):
        middle = 0.5 * (low + high)
        if middle <= low or middle >= high:
            break
        if (gap_within(m, w, f, k, middle)[1] > 0.0) == rising:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


@called
def first_positive(m, w, f, k, low, high):
    """Where the gap becomes positive between two fractions (Illinois, then bisection)."""
    a, b = gap_within(m, w, f, k, low)[0], gap_within(m, w, f, k, high)[0]
    if not a < 0.0:
        return low
    side = 0
    for step in range(100):
        x = (low * b - high * a) / (b - a)
        if step > 20 or not low < x < high:  # also where rounding leaves the root at an end
            x = 0.5 * (low + high)
        if not low < x < high:
            break
        g = gap_within(m, w, f, k, x)[0]
        if abs(g) < AT_THE_ROOT:
            return x
        if g > 0.0:
            high, b = x, g
            if side == 1:
                a *= 0.5
            side = 1
        else:
            low, a = x, g
            if side == -1:
                b *= 0.5
            side = -1
        if high - low < 1e-15:
            break
    return high


@inlined
def change_beside(f, k, j):
    """The largest change of the gap of joint k between looks j − 1 and j, and beside them."""
    change = abs(f.looks[j, k, GAP] - f.looks[j - 1, k, GAP])
    if j > 1:
        change = max(change, abs(f.looks[j - 1, k, GAP] - f.looks[j - 2, k, GAP]))
    if j < CONTACT_LOOKS:
        change = max(change, abs(f.looks[j + 1, k, GAP] - f.looks[j, k, GAP]))
    return change


@called
def event_between(m, w, f, k, j):
    """The fraction of the step at which joint k has an event between looks j − 1 and j; 2: none."""
    low, high = (j - 1) / CONTACT_LOOKS, j / CONTACT_LOOKS
    a, b = f.looks[j - 1, k, GAP], f.looks[j, k, GAP]
    ra, rb = f.looks[j - 1, k, GAP_RATE], f.looks[j, k, GAP_RATE]
    if b > 0.0:
        if a > -AT_THE_LIMIT and ra < 0.0:  # leaves the limit, and comes back
            low = turning_point(m, w, f, k, low, high, False)
        return first_positive(m, w, f, k, low, high)
    if ra > 0.0 and rb < 0.0 and max(a, b) + change_beside(f, k, j) >= 0.0:
        top = turning_point(m, w, f, k, low, high, True)
        if gap_within(m, w, f, k, top)[0] > 0.0:
            return first_positive(m, w, f, k, low, top)
    return 2.0


@called
def first_touch(m, w, f, k, limit):
    """The fraction of the last step at which contact k, in flight, first touches, if that is before `limit`; else 2.

    Conservative advancement: intervals are halved until each is proved open, or may hide no more than HIDDEN of the
    clearance; so the first contact of a step is found however long that is. Line 0 of `way` is the end of what is
    proved open; the other lines are ends of intervals still to prove, the nearest last.
    """
    way, found, top = f.way, 2.0, 1
    copy_look(f.looks[0, k], way[0])
    copy_look(f.looks[CONTACT_LOOKS, k], way[1])
    way[0, AT], way[1, AT] = 0.0, 1.0
    way[0, BEND], way[0, BEND_TURN] = way[1, BEND], way[1, BEND_TURN]
    if limit < 1.0:
        look_at_one(m, w, f, k, limit, way[1])
    while top > 0:
        low, high = way[0, AT], way[top, AT]
        leaves = way[0, GAP] > -AT_THE_LIMIT and way[0, GAP_RATE] < 0.0
        if leaves and 0.0 < way[top, GAP] < AT_THE_LIMIT and way[top, GAP_RATE] < 0.0:
            way[top, GAP] = 0.0  # the contact has just ended, and rounding hides the gap
        if way[top, GAP] > 0.0:
            if leaves:  # and comes back
                low = turning_point(m, w, f, k, low, high, False)
            found, top = first_positive(m, w, f, k, low, high), 1
            if found <= way[0, AT]:
                return found
            look_at_one(m, w, f, k, found, way[1])
            way[1, GAP] = 0.0
            high = found
        hidden = hidden_depth(m, w, k, way[0], way[top], high - way[0, AT])
        if isnan(hidden):  # the gap is no number: nothing can be proved, and the run is refused after its end
            return 2.0
        proved = hidden <= 0.0
        if not proved and (hidden <= HIDDEN * m.compliant_vector[k, CLEARANCE] or top > HALVINGS):
            proved = True  # but for what slopes tell
            if way[0, GAP_RATE] > 0.0 and way[top, GAP_RATE] < 0.0 and found > 1.0:
                peak = turning_point(m, w, f, k, way[0, AT], high, True)
                if gap_within(m, w, f, k, peak)[0] > 0.0:
                    return first_positive(m, w, f, k, way[0, AT], peak)
        if proved:
            copy_look(way[top], way[0])
            top -= 1
        else:
            way[top + 1, BEND], way[top + 1, BEND_TURN] = way[0, BEND], way[0, BEND_TURN]
            look_at_one(m, w, f, k, 0.5 * (way[0, AT] + high), way[top + 1])
            top += 1
    return found


@inlined
def first_release(m, w, f, k, first):
    """The fraction of the last step at which contact k, now touching, first ends, if that is before `first`; else 2."""
    for j in range(1, CONTACT_LOOKS + 1):
        if (j - 1) / CONTACT_LOOKS >= first:
            break
        x = event_between(m, w, f, k, j)
        if x <= 1.0:
            return x
    return 2.0


@addressed(float64(MODEL, WORK, FLIGHT_RECORD, float64))
def first_event(m, w, f, h):
    """The fraction of the last step at which its first contact event happens (2: none); the joint into AIM_JOINT.

    Both ends of the step have been looked at, and its motion is bounded (clear_way.py).
    """
    if any_touches(m, w):
        for j in range(1, CONTACT_LOOKS):
            look_within(m, w, f, j / CONTACT_LOOKS, j)
    first = 2.0
    for k in range(m.compliant.shape[0]):
        if not watched(m, k):
            continue
        in_flight = w.contact[k, MODE] == FLIGHT
        x = first_touch(m, w, f, k, first) if in_flight else first_release(m, w, f, k, first)
        if x < first:
            first = x
            f.count[AIM_JOINT] = k
    return first


@addressed(void(MODEL, WORK, FLIGHT_RECORD, boolean))
def peaks_of_joints(m, w, f, look_again):
    """Update the largest normal force of every contact over the last step."""
    if look_again and any_touches(m, w):
        for j in range(CONTACT_LOOKS + 1):
            look_within(m, w, f, j / CONTACT_LOOKS, j)
    for k in range(m.compliant.shape[0]):
        if not watched(m, k) or w.contact[k, MODE] == FLIGHT:
            continue
        peak = w.contact[k, PEAK]
        for j in range(CONTACT_LOOKS + 1):
            force = f.looks[j, k, LOOK_FORCE]
            peak = max(peak, force)
            if 0 < j < CONTACT_LOOKS:  # top of the parabola through three looks
                a, b = f.looks[j - 1, k, LOOK_FORCE], f.looks[j + 1, k, LOOK_FORCE]
                bend = 2.0 * force - a - b
                near = min(a, b) >= 0.5 * force  # not across the jump of a force that begins or ends
                if near and abs(b - a) <= 2.0 * bend and bend > 0.0:  # between the three, also beside the middle one
                    peak = max(peak, force + 0.125 * (b - a) ** 2 / bend)
        w.contact[k, PEAK] = peak
        if follows_speed(m, k):
            fastest = w.contact[k, IMPACT_SPEED]
            for j in range(CONTACT_LOOKS + 1):
                fastest = max(fastest, -f.looks[j, k, GAP_RATE])
            if fastest > w.contact[k, IMPACT_SPEED]:
                w.contact[k, IMPACT_SPEED], f.count[GREW] = fastest, 1


@inlined
def aim_at(f, x, h):
    """Take the step of length h again, so that it ends at the event at its fraction x."""
    f.clock[AIM], f.clock[BEFORE_EVENT], f.count[AIM_TRIES] = min(max(x * h, SHORTEST), h), h, 0


@addressed(int64(MODEL, WORK, FLIGHT_RECORD, float64))
def event_reached(m, w, f, h):
    """Does the step of length h end at the event it aims at? HIT, AGAIN (with another AIM), or MISSED.

    The event was seen in the polynomial of a step; a step that ends there may not see it. It is looked for up to the
    end of that step and no further. If it is not there, the polynomial was wrong: a shorter step is tried.
    """
    clock, count, k = f.clock, f.count, f.count[AIM_JOINT]
    look_at(m, w, f, f.y_new, CONTACT_LOOKS + 1)
    gap, rate = f.looks[CONTACT_LOOKS + 1, k, GAP], f.looks[CONTACT_LOOKS + 1, k, GAP_RATE]
    count[AIM_TRIES] += 1
    if abs(gap) <= 1e-16 or abs(gap) <= 1e-13 * abs(rate):
        return HIT
    if rate > 0.0 and count[AIM_TRIES] < TRIES:
        aim = min(max(h - gap / rate, 0.1 * h), 2.0 * h, clock[BEFORE_EVENT])
        if aim != h:
            clock[AIM] = aim
            return AGAIN
    if abs(gap) <= max(AT_THE_LIMIT, FAR_OFF * m.compliant_vector[k, CLEARANCE]) or h <= SHORTEST:
        return HIT
    count[REJECTED] += 1
    count[JUST_REJECTED] = 1
    clock[STEP], clock[AIM] = 0.5 * clock[BEFORE_EVENT], 0.0
    return MISSED


@called
def after_event(m, w, f, h):
    """The step size to try after a contact event: what it was when this joint last touched or flew.

    What no socket holds could be through and beyond within a step in which no stage sees a force: after it has met
    something, it goes a few of its clearances at most.
    """
    k = f.count[AIM_JOINT]
    last = w.contact[k, FIRST_STEP]
    w.contact[k, FIRST_STEP] = f.clock[BEFORE_EVENT]
    first = last if last > 0.0 else 0.1 * h
    if w.contact[k, MODE] != FLIGHT and m.compliant_vector[k, SOCKET_RADIUS] == inf:
        way, speed = FIRST_WAY * m.compliant_vector[k, CLEARANCE], abs(w.contact[k, IMPACT_SPEED])
        if first * speed > way:
            first = way / speed
    return first
