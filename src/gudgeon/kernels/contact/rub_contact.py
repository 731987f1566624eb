"""Friction in ideal joints within a nonsmooth time step: impulses Λ along sliding γ, pressed by loads that depend on them.

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
    BALL_DIRECTION,
    BALL_SLIDES,
    BALL_SPEED,
    BALL_TARGET,
    ROW_AFTER,
    ROW_FREE,
    ROW_LOAD,
    ROW_RATE,
    ROW_TRIED,
)

STICKS, SLIDES, AT_LIMIT = 0.0, 1.0, 2.0  # with the sign of sliding where it has one direction
SOFTNESS = 1e-10  # compliance of sticking against D: more joints may stick than freedoms need
AT_REST = 1e-8  # sliding that is none, of what the impulse would do to a free joint
SAME = 1e-9  # relative change that is none
NOTHING = 1e-13  # sliding that is none [m/s]


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


@called
def begin_rub(m, w, p, k):
    """Nothing is known yet of the impulses of a step: those of none; bristles go on from where they are."""
    first = m.compliant[k, UNKNOWN]
    p.row[:, ROW_LOAD] = 0.0
    for c in range(m.compliant[k, UNKNOWNS]):
        r = first + c
        if c >= 3:
            p.row[r, ROW_FREE] = p.row[r, ROW_RATE]
        p.row[r, ROW_TRIED] = p.row[r, ROW_RATE]
    for c in range(3):
        p.ball[k, BALL_TARGET + c] = 0.0


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


@inlined
def parts_found(m, p, k):
    """Sizes of sliding and of the impulse found, and how far these point the same way."""
    speed = size = along = 0.0
    for c in range(m.compliant[k, RUB_SLIDES]):
        r = m.compliant[k, UNKNOWN] + c
        speed += p.row[r, ROW_AFTER] ** 2
        size += p.row[r, ROW_LOAD] ** 2
        along += p.row[r, ROW_AFTER] * p.row[r, ROW_LOAD]
    return sqrt(speed), sqrt(size), along


@inlined
def set_direction(m, p, k, mode, scale, column):
    """The direction of sliding of line k: what its rows have in a column, scaled."""
    for c in range(3):
        p.ball[k, BALL_DIRECTION + c] = 0.0
    for c in range(m.compliant[k, RUB_SLIDES]):
        p.ball[k, BALL_DIRECTION + c] = scale * p.row[m.compliant[k, UNKNOWN] + c, column]
    one = m.compliant[k, RUB_SLIDES] == 1 and p.ball[k, BALL_DIRECTION] < 0.0
    p.ball[k, BALL_SLIDES] = -mode if one else mode


@called
def rub_agrees(m, w, p, k, h):
    """Is friction of line k what it must be at what was found? Otherwise its mode or direction is changed."""
    first, slides, trial = m.compliant[k, UNKNOWN], m.compliant[k, RUB_SLIDES], m.compliant.shape[0]
    for c in range(m.compliant[k, UNKNOWNS]):
        p.row[first + c, ROW_TRIED] = p.row[first + c, ROW_AFTER]
    load_after(m, w, p, k, h)
    speed, size, along = parts_found(m, p, k)
    if m.compliant[k, SET_VALUED] == 0:
        law_force(m, w, k, trial, trial)
        wrong, largest = 0.0, size / h
        for c in range(slides):
            force = w.force[trial, FORCE_ON_BALL + c]
            wrong = max(wrong, abs(force - p.row[first + c, ROW_LOAD] / h))
            largest = max(largest, abs(force))
        for c in range(3, m.compliant[k, UNKNOWNS]):
            rate = w.force[trial, FORCE_ON_BALL + c]
            if abs(rate - p.row[first + c, ROW_LOAD] / h) > SAME * (speed + abs(rate)):
                return False
        return wrong <= SAME * largest
    push, V, mode = h * pressure(m, w, k), m.compliant_vector, abs(p.ball[k, BALL_SLIDES])
    rest = AT_REST * mean_response(m, p, k) * size + NOTHING
    if mode == STICKS:
        if size <= V[k, MU_STATIC] * push * (1.0 + 1e-9) + 1e-300:
            return True
        set_direction(m, p, k, AT_LIMIT, -1.0 / size, ROW_LOAD)
        p.ball[k, BALL_SPEED] = max(size - V[k, MU_KINETIC] * push, 0.0) * mean_response(m, p, k)
        return False
    forward = backward = 0.0
    for c in range(slides):
        d = p.ball[k, BALL_DIRECTION + c]
        forward += d * p.row[first + c, ROW_AFTER]
        backward -= d * p.row[first + c, ROW_LOAD]
    if forward < -rest or backward < 0.0:  # it turns back, or friction would drive it: it sticks
        p.ball[k, BALL_SLIDES] = STICKS
        return False
    mu = V[k, MU_STATIC]
    if mode == SLIDES or speed > rest:
        agrees, mu = mode == SLIDES, V[k, MU_KINETIC]
        if speed > rest:
            set_direction(m, p, k, SLIDES, 1.0 / speed, ROW_AFTER)
            p.ball[k, BALL_SPEED] = speed
        if not agrees:
            return False
    wrong = 0.0
    for c in range(slides):
        wrong = max(wrong, abs(p.row[first + c, ROW_LOAD] + mu * push * p.ball[k, BALL_DIRECTION + c]))
    return wrong <= SAME * max(mu * push, size)


@called
def tell_rub(m, w, p, k, h):
    """Power dissipated and normal force at the end of a step."""
    p.power[k, 0] = max(-parts_found(m, p, k)[2] / h, 0.0)
    p.power[k, 1] = 0.0
    for c in range(m.compliant[k, UNKNOWNS]):
        p.law[k, c, 7] = p.row[m.compliant[k, UNKNOWN] + c, ROW_LOAD] / h


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
