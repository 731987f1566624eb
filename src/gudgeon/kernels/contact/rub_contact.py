"""Friction in ideal joints within a nonsmooth time step: impulses Λ along sliding γ, under loads that depend on them.

The loads at the end of the step are ℓ = ℓ₀ + R Λ/h, of all rows, N and A seminorms of them (elements/rubbing.py):

    smooth       Λ = h f(γ, ℓ)
    set-valued   sticks: γ = 0, |Λ| ≤ μ_s h P;   slides: Λ = −μ_k h P γ/|γ|,   P = N + τ A

The equations are linearised in γ and Λ about what was found last, for given modes; modes that turn out wrong are
changed. Where several joints stick that one freedom moves, a joint may be at its limit μ_s P without sliding, because
others hold it: a mode of its own. A joint whose sliding has no balance (Painlevé) sticks if it can: it jams.
"""

from __future__ import annotations

from math import sqrt

from gudgeon.kernels.build.calls import call
from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.dynamics.arrays import (
    BRISTLES,
    FORCE_ON_BALL,
    LOAD,
    LOCAL_COLUMNS,
    MU_KINETIC,
    MU_STATIC,
    RATE_OF,
    RUB,
    RUB_SLIDES,
    RUB_THRUST,
    SET_VALUED,
    SLOPES_FUNCTION,
    UNKNOWN,
    UNKNOWNS,
)
from gudgeon.kernels.dynamics.engine import law_force
from gudgeon.kernels.elements.rubbing import pressed, pressed_slopes
from gudgeon.kernels.integrators.stepper_arrays import (
    BALL_CHANGES,
    BALL_DIRECTION,
    BALL_PUSH,
    BALL_SLIDES,
    BALL_SPEED,
    BALL_TARGET,
    FEWEST_WRONG,
    PATIENCE,
    ROW_AFTER,
    ROW_FREE,
    ROW_LOAD,
    ROW_RATE,
    ROW_TRIED,
)

STICKS, SLIDES, AT_LIMIT = 0.0, 1.0, 2.0  # with the sign of sliding where it has one direction
SOFTNESS = 1e-6  # compliance of sticking against D, about the impulse found last: more may stick than freedoms need
AT_REST = 1e-10  # sliding that is none, of what the impulse would do to a free joint
ROUNDING = 1e-14  # of bristles [-]
SAME = 1e-9  # relative change that is none
NOTHING = 1e-13  # sliding that is none [m/s]
MOVING = 1e-9  # sliding that no sticking leaves behind [m/s]
HOPELESS = -10  # of PATIENCE: what slides and does not settle sticks
PATIENT = 5  # rounds in which all wrong modes are changed at once, though no fewer are wrong


@inlined
def rubs(m, k):
    """Is line k friction in an ideal joint?"""
    return m.compliant[k, RUB] >= 0


@called
def load_after(m, w, p, k, h):
    """The load of line k under the impulses found, into the line of `local` for trials; velocities as in ROW_TRIED."""
    a, trial, first = m.compliant[k, RUB], m.compliant.shape[0], m.compliant[k, UNKNOWN]
    for c in range(LOCAL_COLUMNS):
        w.local[trial, c] = w.local[k, c]
    for e in range(6):
        x = p.rub_load[a, e]
        for r in range(p.row.shape[0]):
            if p.near[r]:
                x += p.R[6 * a + e, r] * p.row[r, ROW_LOAD] / h
        w.local[trial, LOAD + e] = x
    for c in range(m.compliant[k, UNKNOWNS]):
        at = BRISTLES + c - 3 if c >= 3 else RATE_OF + c
        w.local[trial, at] = p.row[first + c, ROW_TRIED]


@inlined
def pressure(m, w, k):
    """P of line k under the load in the line for trials."""
    normal, thrust = pressed(m, k, w.local[m.compliant.shape[0]], LOAD)
    return normal + m.compliant_vector[k, RUB_THRUST] * thrust


@inlined
def parts_found(m, p, k):
    """Sizes of sliding and of the impulse found."""
    speed = size = 0.0
    for c in range(m.compliant[k, RUB_SLIDES]):
        r = m.compliant[k, UNKNOWN] + c
        speed += p.row[r, ROW_AFTER] ** 2
        size += p.row[r, ROW_LOAD] ** 2
    return sqrt(speed), sqrt(size)


@inlined
def set_direction(m, p, k, mode, scale, column):
    """The direction of sliding of line k: what its rows have in a column, scaled."""
    for c in range(m.compliant[k, RUB_SLIDES]):
        p.ball[k, BALL_DIRECTION + c] = scale * p.row[m.compliant[k, UNKNOWN] + c, column]
    one = m.compliant[k, RUB_SLIDES] == 1 and p.ball[k, BALL_DIRECTION] < 0.0
    p.ball[k, BALL_SLIDES] = -mode if one else mode


@called
def begin_rub(m, w, p, k):
    """The first guess of a step: no impulses, sliding goes on, bristles go on from where they are."""
    first, slides, mode = m.compliant[k, UNKNOWN], m.compliant[k, RUB_SLIDES], p.ball[k, BALL_SLIDES]
    p.row[:, ROW_LOAD] = 0.0
    p.count[FEWEST_WRONG], p.count[PATIENCE] = m.rubbing.shape[0] + 1, PATIENT
    speed = 0.0
    for c in range(m.compliant[k, UNKNOWNS]):
        r = first + c
        if c >= 3:
            p.row[r, ROW_FREE] = p.row[r, ROW_RATE]
        p.row[r, ROW_TRIED] = p.row[r, ROW_RATE]
        speed += p.row[r, ROW_RATE] ** 2 if c < slides else 0.0
    for c in range(3):
        p.ball[k, BALL_TARGET + c] = 0.0
    speed = sqrt(speed)
    if m.compliant[k, SET_VALUED] and speed > (NOTHING if abs(mode) == SLIDES else MOVING):
        set_direction(m, p, k, SLIDES, 1.0 / speed, ROW_RATE)
        p.ball[k, BALL_SPEED] = speed
    elif m.compliant[k, SET_VALUED]:
        p.ball[k, BALL_SLIDES] = STICKS


@inlined
def mean_response(m, p, k):
    """Change of sliding per impulse, about."""
    total, first, slides = 0.0, m.compliant[k, UNKNOWN], m.compliant[k, RUB_SLIDES]
    for r in range(first, first + slides):
        total += p.D_bodies[r, r]
    return total / slides


@called
def linearise_rub(m, w, p, k, h):
    """The equations of line k about the velocities in ROW_TRIED and the impulses in ROW_LOAD."""
    load_after(m, w, p, k, h)
    if m.compliant[k, SET_VALUED]:
        state_set_valued(m, w, p, k, h)
    else:
        state_smooth(m, w, p, k, h)


@called
def state_smooth(m, w, p, k, h):
    """Λ − h J γ − S R Λ = h (f − J γ₀ + S (ℓ₀ − ℓ)) of a law with derivatives J by γ, S by the load."""
    a, trial, count, x = (
        m.compliant[k, RUB],
        m.compliant.shape[0],
        m.compliant[k, UNKNOWNS],
        w.local[m.compliant.shape[0]],
    )
    back = 0.0
    for c in range(m.compliant[k, RUB_SLIDES]):
        back += x[RATE_OF + c] * p.ball[k, BALL_TARGET + c]
        p.ball[k, BALL_TARGET + c] = x[RATE_OF + c]
    if back < 0.0:  # over the steep part: friction is concave from rest on, from where Newton's method goes no too far
        for c in range(m.compliant[k, RUB_SLIDES]):
            x[RATE_OF + c] = 0.0
    law_force(m, w, k, trial, trial)
    at = p.slopes.ctypes.data
    call(m.compliant[k, SLOPES_FUNCTION], (m, w, k, trial, at, at + 8 * 36))
    for c in range(count):
        line = p.law[k, c]
        line[6] = w.force[trial, FORCE_ON_BALL + c]
        for e in range(count):
            line[e] = p.slopes[1, c, e]
            line[6] -= line[e] * x[BRISTLES + e - 3 if e >= 3 else RATE_OF + e]
        if c < 3:
            for e in range(6):
                line[6] += w.rubbing.slope[c, e] * (p.rub_load[a, e] - x[LOAD + e])
            for r in range(p.row.shape[0]):
                p.rub_slope[a, c, r] = 0.0
                for e in range(6):
                    p.rub_slope[a, c, r] += w.rubbing.slope[c, e] * p.R[6 * a + e, r]


@called
def state_set_valued(m, w, p, k, h):
    """The equations A Λ + B γ = c of sticking or sliding; what loads add to A into `rub_slope`."""
    a, slides, V, law = m.compliant[k, RUB], m.compliant[k, RUB_SLIDES], m.compliant_vector, p.ball_law[k]
    mode, x, slope = p.ball[k, BALL_SLIDES], w.local[m.compliant.shape[0]], w.rubbing.slope
    for c in range(slides):
        for e in range(7):
            law[c, e] = 0.0
        for r in range(p.row.shape[0]):
            p.rub_slope[a, c, r] = 0.0
    if mode == STICKS:
        for c in range(slides):
            law[c, c], law[c, 3 + c] = SOFTNESS * mean_response(m, p, k), 1.0
            law[c, 6] = law[c, c] * p.row[m.compliant[k, UNKNOWN] + c, ROW_LOAD]
        return
    mu = V[k, MU_STATIC] if abs(mode) == AT_LIMIT else V[k, MU_KINETIC]
    push, speed = pressure(m, w, k), p.ball[k, BALL_SPEED]
    slope[:] = 0.0
    pressed_slopes(m, k, x, LOAD, 1.0, V[k, RUB_THRUST], slope, 0)
    missing = push
    for e in range(6):
        missing += slope[0, e] * (p.rub_load[a, e] - x[LOAD + e])
    turns = mu * h * push / speed if speed > 0.0 and slides > 1 else 0.0
    for c in range(slides):
        d = p.ball[k, BALL_DIRECTION + c]
        law[c, c] = 1.0
        for e in range(slides):
            law[c, 3 + e] = turns * ((1.0 if c == e else 0.0) - d * p.ball[k, BALL_DIRECTION + e])
        law[c, 6] = -mu * h * d * missing
        for r in range(p.row.shape[0]):
            for e in range(6):
                p.rub_slope[a, c, r] -= mu * d * slope[0, e] * p.R[6 * a + e, r]


@called
def wanted_mode(m, w, p, k, h):
    """The mode that line k should have at what was found, whether it is another one, and whether friction is right.

    What slides the wrong way sticks, unless the impulse that stops it is more than it can have: then it turns back.
    """
    first, slides, V = m.compliant[k, UNKNOWN], m.compliant[k, RUB_SLIDES], m.compliant_vector
    speed, size = parts_found(m, p, k)
    push, mode = h * pressure(m, w, k), abs(p.ball[k, BALL_SLIDES])
    rest = AT_REST * mean_response(m, p, k) * size + NOTHING
    if mode == STICKS:
        if size > V[k, MU_STATIC] * push * (1.0 + 1e-9) + 1e-300:
            return AT_LIMIT, True, False
        return STICKS, False, speed <= rest
    forward = backward = wrong = 0.0
    mu = V[k, MU_KINETIC] if mode == SLIDES else V[k, MU_STATIC]
    for c in range(slides):
        d = p.ball[k, BALL_DIRECTION + c]
        forward += d * p.row[first + c, ROW_AFTER]
        backward -= d * p.row[first + c, ROW_LOAD]
    if forward < -rest:
        stops = -forward / mean_response(m, p, k) - backward <= V[k, MU_STATIC] * push
        return STICKS if stops else SLIDES, True, False
    if backward < 0.0:  # friction would drive it
        return STICKS, True, False
    if mode == AT_LIMIT and speed > rest:
        return SLIDES, True, False
    for c in range(slides):
        d = p.row[first + c, ROW_AFTER] / speed if slides > 1 and speed > rest else p.ball[k, BALL_DIRECTION + c]
        wrong = max(wrong, abs(p.row[first + c, ROW_LOAD] + mu * push * d))
    return mode, False, wrong <= SAME * max(mu * push, size)


@inlined
def change_mode(m, p, k, mode):
    """Line k shall have another mode, in the direction of what was found; or slide on in that direction."""
    speed, size = parts_found(m, p, k)
    if mode == STICKS:
        p.ball[k, BALL_SLIDES] = STICKS
    elif mode == AT_LIMIT and abs(p.ball[k, BALL_SLIDES]) != AT_LIMIT:
        set_direction(m, p, k, AT_LIMIT, -1.0 / size, ROW_LOAD)
        p.ball[k, BALL_SPEED] = size * mean_response(m, p, k)
    elif mode == SLIDES and speed > 0.0:
        set_direction(m, p, k, SLIDES, 1.0 / speed, ROW_AFTER)
        p.ball[k, BALL_SPEED] = speed


@called
def smooth_agrees(m, w, p, k, h):
    """Is friction of line k what its smooth law gives at what was found?"""
    first, trial, speed = m.compliant[k, UNKNOWN], m.compliant.shape[0], parts_found(m, p, k)[0]
    law_force(m, w, k, trial, trial)
    wrong = largest = 0.0
    for c in range(m.compliant[k, UNKNOWNS]):
        force, found = w.force[trial, FORCE_ON_BALL + c], p.row[first + c, ROW_LOAD] / h
        if c < 3:
            wrong, largest = max(wrong, abs(force - found)), max(largest, abs(force), abs(found))
        else:  # rates of bristles, which at rest are rounding
            rounding = ROUNDING * abs(w.local[trial, BRISTLES + c - 3]) / h
            if abs(force - found) > SAME * (speed + abs(force)) + rounding:
                return False
    return wrong <= SAME * largest


@called
def rubs_agree(m, w, p, h):
    """Is friction in all ideal joints what it must be? Otherwise modes and directions are changed.

    All that are wrong at once; where that does not lead on, one after the other (block pivoting with a fallback:
    Júdice and Pires (1994), Comput. Oper. Res. 21).
    """
    agree, wrong, last = True, 0, -1
    for n in range(m.rubbing.shape[0]):
        k = m.rubbing[n]
        for r in range(m.compliant[k, UNKNOWN], m.compliant[k, UNKNOWN] + m.compliant[k, UNKNOWNS]):
            p.row[r, ROW_TRIED] = p.row[r, ROW_AFTER]
        load_after(m, w, p, k, h)
        if m.compliant[k, SET_VALUED] == 0:
            agree = smooth_agrees(m, w, p, k, h) and agree
            continue
        mode, other, right = wanted_mode(m, w, p, k, h)
        p.ball[k, BALL_PUSH], p.ball[k, BALL_CHANGES] = mode, 1.0 if other else 0.0
        if not right and p.count[PATIENCE] == HOPELESS:  # sliding has no balance: it jams
            p.ball[k, BALL_PUSH] = STICKS
        agree = agree and right
        if other:
            wrong, last = wrong + 1, k
    if wrong < p.count[FEWEST_WRONG]:
        p.count[FEWEST_WRONG], p.count[PATIENCE] = wrong, PATIENT
    else:
        p.count[PATIENCE] -= 1
    for n in range(m.rubbing.shape[0]):
        k = m.rubbing[n]
        may_change = p.ball[k, BALL_CHANGES] == 0.0 or p.count[PATIENCE] > 0 or k == last
        if m.compliant[k, SET_VALUED] and may_change:
            change_mode(m, p, k, p.ball[k, BALL_PUSH])
    return agree


@called
def tell_rub(m, w, p, k, h):
    """Power dissipated in a step: impulses times the mean of the sliding before and after."""
    power, first = 0.0, m.compliant[k, UNKNOWN]
    for c in range(m.compliant[k, UNKNOWNS]):
        r = first + c
        p.law[k, c, 7] = p.row[r, ROW_LOAD] / h
        if c < m.compliant[k, RUB_SLIDES]:
            power -= 0.5 * p.law[k, c, 7] * (p.row[r, ROW_RATE] + p.row[r, ROW_AFTER])
    p.power[k, 0], p.power[k, 1] = max(power, 0.0), 0.0


@inlined
def add_loads(m, p, k, at, count):
    """Subtract what all impulses do to friction by the loads from the equations of line k, which begin at `at`."""
    a = m.compliant[k, RUB]
    for c in range(m.compliant[k, RUB_SLIDES]):
        for b in range(count):
            r = p.index[b]
            x = p.rub_slope[a, c, r]
            if p.slip[b] != 0.0:
                x += p.slip[b] * p.rub_slope[a, c, r + 1]
            p.matrix[at + c, b] -= x


@inlined
def same_rub_modes(m, p, slid):
    """Has no joint begun or ended to slide within the step, or turned back? `slid` is the first column of its modes."""
    for n in range(m.rubbing.shape[0]):
        k = m.rubbing[n]
        if m.compliant[k, SET_VALUED]:
            for part in range(3):
                one, two = p.ball[k, slid + part], p.ball[k, slid + 3]
                held = abs(one) != SLIDES and abs(two) != SLIDES
                if one != two and not held:
                    return False
    return True
