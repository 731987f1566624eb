"""Contact events: the discrete state of every joint with clearance, and the instants at which it changes.

A joint is in flight or touching (`Work.contact`). Its gap is g = δ in flight and −δ while touching, δ = e − free path,
or the largest penetration of the points of surfaces: an event is the first instant at which g becomes positive. What
matters is the mode and the sign of the gap, never a sign change alone: after an event δ is ±1e-18 m, and whichever it
is, the next event is seen.

Within a step the gap and its rate are looked at in several places. Between two of them an event shows either as a
positive gap, or as a gap that first grows and then shrinks; then its largest value is found. The step is then taken
again so that it ends at the event, until the penetration there vanishes to the last digit.

Micro-impacts in a row (a ball that comes to rest on the socket in ever smaller jumps, faster than can be told apart)
end in the mode grazing: the joint touches, and only a real gap, a fraction of the clearance, ends that.
"""

from __future__ import annotations

from math import inf, isfinite, nan

from numba import boolean, float64, int64, void

from gudgeon.kernels.build.calls import call
from gudgeon.kernels.build.compiled import addressed, called, entrance, inlined
from gudgeon.kernels.build.records import MATRIX, VECTOR
from gudgeon.kernels.contact.contact_speeds import follows_speed, write_speeds
from gudgeon.kernels.contact.guide_events import write_open_touches
from gudgeon.kernels.dynamics.arrays import (
    BALL_FRAME,
    BEGIN,
    BRISTLE,
    CLEARANCE,
    CONTACT_CALL,
    DEPTH,
    DEPTH_RATE,
    FILM_CALL,
    FIRST_STEP,
    FLIGHT,
    FRAME,
    GAP_FUNCTION,
    GRAZING,
    IMPACT_SPEED,
    KIND,
    MICRO,
    MODE,
    MODEL,
    MOST_TILT,
    NORMAL,
    ONSET_SPEED,
    PART,
    PEAK,
    REMEMBERED,
    SOCKET_RADIUS,
    TOUCHING,
    WORK,
    WORK_BEGIN,
    WORK_STATE,
)
from gudgeon.kernels.dynamics.engine import kinematics, law_force, local_motion, look_at
from gudgeon.kernels.elements.joints import radial_direction
from gudgeon.kernels.integrators.dense import evaluate_dense
from gudgeon.kernels.integrators.run import (
    AIM,
    AIM_JOINT,
    AIM_TRIES,
    BEFORE_EVENT,
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
    GAP,
    GAP_RATE,
    GREW,
    JUST_REJECTED,
    LOOK_FORCE,
    REJECTED,
    STEP,
)

MICRO_SPEED = 1e-8  # impacts below this are micro-impacts [m/s]
MICRO_PAUSE = 1e-9  # so are impacts sooner than this after the last contact [s]
MICRO_IMPACTS = 4  # so many in a row end in grazing
RELEASE = 1e-6  # gap that ends grazing, of the clearance
AT_THE_LIMIT = 1e-14  # a gap this small may be the rounding of the last event [m]
AT_THE_ROOT = 1e-17  # a gap that is none [m]
SHORTEST = 1e-12  # the smallest time within which an event may be [s]
TRIES = 8  # to end a step at an event
FAR_OFF = 1e-9  # a gap that is no event, of the clearance
FIRST_WAY = 10.0  # that what has just met something goes in a step, of its clearance

# how a step that aims at an event ends
HIT, AGAIN, MISSED = 0, 1, 2


@inlined
def watched(m, k):
    """Has compliant joint k events at all?"""
    return isfinite(m.compliant_vector[k, CLEARANCE])


@inlined
def any_watched(m):
    """Has any joint events?"""
    for k in range(m.compliant.shape[0]):
        if watched(m, k):
            return True
    return False


@inlined
def film_ends(m, k):
    """Is the event of joint k the end of a film that nothing takes over?"""
    return m.compliant[k, FILM_CALL] != 0 and m.compliant[k, CONTACT_CALL] == 0


@inlined
def depth_in(m, w, k, a):
    """How deep the contact of joint k is, and its rate, for the motion in line a of `local`."""
    trial = m.compliant.shape[0]
    call(m.compliant[k, GAP_FUNCTION], (m, w, k, a, trial))
    return w.force[trial, DEPTH], w.force[trial, DEPTH_RATE]


@inlined
def gap_of(m, w, k):
    """The gap of joint k and its rate, for the motion in line k of `local`."""
    delta, rate = depth_in(m, w, k, k)
    if w.contact[k, MODE] == FLIGHT:
        return delta, rate
    if w.contact[k, MODE] == GRAZING:
        delta += RELEASE * m.compliant_vector[k, CLEARANCE]
    return -delta, -rate


@addressed(void(MODEL, WORK, FLIGHT_RECORD, VECTOR, int64))
def gaps_of_joints(m, w, f, y, line):
    """Gaps, rates and normal forces of all watched joints at the state y, into a line of `looks`."""
    kinematics(m, w, y)
    for k in range(m.compliant.shape[0]):
        if watched(m, k):
            local_motion(m, w, k, y)
            f.looks[line, k, GAP], f.looks[line, k, GAP_RATE] = gap_of(m, w, k)
            force = 0.0
            if w.contact[k, MODE] != FLIGHT:
                law_force(m, w, k, k, k)
                force = w.force[k, NORMAL]
            f.looks[line, k, LOOK_FORCE] = force


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


@addressed(float64(MODEL, WORK, FLIGHT_RECORD))
def first_event(m, w, f):
    """The fraction of the last step at which its first contact event happens (2: none); the joint into AIM_JOINT."""
    for j in range(CONTACT_LOOKS + 1):
        look_within(m, w, f, j / CONTACT_LOOKS, j)
    first = 2.0
    for k in range(m.compliant.shape[0]):
        if not watched(m, k):
            continue
        for j in range(1, CONTACT_LOOKS + 1):
            if (j - 1) / CONTACT_LOOKS >= first:
                break
            x = event_between(m, w, f, k, j)
            if x <= 1.0:
                if x < first:
                    first = x
                    f.count[AIM_JOINT] = k
                break
    return first


@addressed(void(MODEL, WORK, FLIGHT_RECORD, boolean))
def peaks_of_joints(m, w, f, look_again):
    """Update the largest normal force of every contact over the last step."""
    if look_again:
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
    contact, line = w.contact, f.count[CONTACTS]
    f.contacts[line, CONTACT_JOINT] = k
    f.contacts[line, CONTACT_BEGIN] = contact[k, BEGIN]
    f.contacts[line, CONTACT_END] = t
    f.contacts[line, CONTACT_SPEED] = contact[k, ONSET_SPEED]
    f.contacts[line, CONTACT_PEAK] = contact[k, PEAK]
    f.contacts[line, CONTACT_LOSS] = y[m.compliant[k, WORK_STATE]] - contact[k, WORK_BEGIN]
    f.contacts[line, CONTACT_POINT], f.contacts[line, CONTACT_IMPULSE] = -1.0, nan
    f.count[CONTACTS] = line + 1


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


@inlined
def is_lost(m, w, k):
    """Has the ball of joint k left its socket, or a part tilted too far? By line k of `local`."""
    if radial_direction(w.local, k)[0] > m.compliant_vector[k, SOCKET_RADIUS]:
        return True
    most = m.compliant_vector[k, MOST_TILT]
    if m.compliant[k, KIND] != PART or not isfinite(most):
        return False
    cosine = 0.0
    for c in range(3):
        cosine += w.local[k, FRAME + 3 * c + 2] * w.local[k, BALL_FRAME + 3 * c + 2]
    return cosine <= 0.0 or 1.0 - cosine * cosine > most * most * cosine * cosine


@called
def lost_ball(m, w, f):
    """The joint whose ball is lost in the motion last looked at, or pin at the end of the step; −1: none."""
    for k in range(m.compliant.shape[0]):
        if m.compliant[k, KIND] == PART and isfinite(m.compliant_vector[k, MOST_TILT]):
            look_within(m, w, f, 1.0, CONTACT_LOOKS + 1)
            break
    for k in range(m.compliant.shape[0]):
        if watched(m, k) and is_lost(m, w, k):
            return k
    return -1


@called
def lost_pin(m, w, y):
    """The joint whose pin has tilted too far in the state y; −1: none."""
    looked = False
    for k in range(m.compliant.shape[0]):
        if m.compliant[k, KIND] == PART and isfinite(m.compliant_vector[k, MOST_TILT]):
            if not looked:
                kinematics(m, w, y)
                looked = True
            local_motion(m, w, k, y)
            if is_lost(m, w, k):
                return k
    return -1


@entrance(void(MODEL, WORK, FLIGHT_RECORD))
def write_open_contacts(m, w, f):
    """Add the contacts that last beyond the end of the run to the table, without an end."""
    for k in range(m.compliant.shape[0]):
        if w.contact[k, MODE] != FLIGHT:
            write_contact(m, w, f, k, nan, f.y)
    write_open_touches(m, w, f)


@entrance(void(MODEL, WORK, VECTOR, MATRIX))
def depths_at(m, w, y, out):
    """How deep the contact of every joint is at the state y, and its rate; −inf where it has none."""
    kinematics(m, w, y)
    for k in range(m.compliant.shape[0]):
        out[k, 0], out[k, 1] = -inf, 0.0
        if m.compliant[k, GAP_FUNCTION] != 0:
            local_motion(m, w, k, y)
            out[k, 0], out[k, 1] = depth_in(m, w, k, k)
