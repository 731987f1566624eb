"""A ball in its socket whose contact is hard or whose friction sticks, within a nonsmooth time step or an impact.

With the outward normal n at the end of the step, Λ the impulse on the ball, λ = −n·Λ ≥ 0 its normal part,
Λ_t = Λ + λ n, and γ_t the velocity of sliding, less what an impact gives back along the wall:

    across    hard: n·ė ≤ gap/h ⊥ λ ≥ 0, in an impact γ_n = −ε_N γ_n⁻;    compliant: λ = h law(δ, δ̇)
    along     sticks: γ_t = 0, |Λ_t| ≤ μ_s λ;    slides: Λ_t = −μ_k λ γ_t/|γ_t|

Coulomb's cone is round: the direction of sliding is found by Newton's method, as is the curvature of the wall. For
given modes (open or closed, sticks or slides) the linear equations A Λ + B γ = c, three a ball, go into the contact
problem; modes that turn out wrong are changed. Source: Alart and Curnier (1991), Comput. Methods Appl. Mech. Eng. 92.
"""

from __future__ import annotations

from math import sqrt

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.dynamics.arrays import (
    ECCENTRICITY,
    FLIGHT,
    FREE_PATH,
    HARD_CONTACT,
    IMPACT_SPEED,
    MODE,
    MU_KINETIC,
    MU_STATIC,
    NORMAL,
    POWER,
    RATE_OF,
    REBOUND,
    REBOUND_ALONG,
    RUB,
    SET_VALUED,
    TOUCHING,
    UNKNOWN,
)
from gudgeon.kernels.dynamics.engine import law_force
from gudgeon.kernels.elements.joints import radial_direction
from gudgeon.kernels.elements.law_slopes import increments
from gudgeon.kernels.integrators.stepper_arrays import (
    BALL_DIRECTION,
    BALL_HELD,
    BALL_NORMAL,
    BALL_PUSH,
    BALL_RESTED,
    BALL_SLIDES,
    BALL_SPEED,
    BALL_TARGET,
    RESTS,
    ROW_AFTER,
    ROW_LOAD,
    ROW_RATE,
    ROW_TRIED,
)
from gudgeon.kernels.kinematics.vectors import dot, get, plus, plus_times, put, vector_product

AT_REST = 1e-12  # sliding that counts as sticking [m/s]
SOFTNESS = 1e-12  # compliance of hard and sticking directions against D: several balls of a body may be redundant
MENDED = 0.1  # of a gap that errors of steps leave while a ball rests, in a step
DEEPEST = 1e-6  # penetration that is mended so, of the clearance
SAME = 1e-9  # relative change that is none


@inlined
def is_nonsmooth(m, k):
    """Is line k a ball with hard contact or set-valued friction, or friction in an ideal joint?"""
    return m.compliant[k, HARD_CONTACT] == 1 or m.compliant[k, SET_VALUED] == 1 or m.compliant[k, RUB] >= 0


@inlined
def of_rows(p, r, column):
    """The vector that three rows from r on have in a column."""
    return (p.row[r, column], p.row[r + 1, column], p.row[r + 2, column])


@inlined
def without(x, n):
    """The part of x across n."""
    return plus_times(x, -dot(n, x), n)


@inlined
def most_outward(m, w, p, k, h):
    """The rate n·ė that a hard ball may have at the end of a step. What the errors of steps leave is mended slowly."""
    c = m.compliant_vector[k, FREE_PATH]
    gap = c - radial_direction(w.local, k)[0]
    return (MENDED * max(gap, -DEEPEST * c) if p.ball[k, BALL_RESTED] > 0.0 else max(gap, 0.0)) / h


@inlined
def rate_after(w, p, k, r, column):
    """ė at the end of a step with the velocities in `column`, which are those at the point of contact."""
    return plus(get(w.local, k, RATE_OF), plus_times(of_rows(p, r, column), -1.0, of_rows(p, r, ROW_RATE)))


@inlined
def place_after(w, k, rate, h):
    """|e| and n after h with the rate ė."""
    x = plus_times(get(w.local, k, ECCENTRICITY), h, rate)
    e = sqrt(dot(x, x))
    s = 1.0 / e if e > 0.0 else 0.0
    return e, (s * x[0], s * x[1], s * x[2])


@called
def begin_sliding(m, w, p, k):
    """Does the ball that begins to touch slide? Which way, and how fast."""
    r = m.compliant[k, UNKNOWN]
    _, nx, ny, nz, _ = radial_direction(w.local, k)
    t = without(of_rows(p, r, ROW_RATE), (nx, ny, nz))
    speed = sqrt(dot(t, t))
    p.ball[k, BALL_PUSH], p.ball[k, BALL_SPEED] = 0.0, speed
    p.ball[k, BALL_SLIDES] = 1.0 if speed > AT_REST else 0.0
    if speed > AT_REST:
        put(p.ball, k, BALL_DIRECTION, (t[0] / speed, t[1] / speed, t[2] / speed))


@called
def begin_ball(m, w, p, k, h, column):
    """The mode of a hard ball for a step in which it would have the velocities in `column` if nothing held it."""
    r, c = m.compliant[k, UNKNOWN], m.compliant_vector[k, FREE_PATH]
    e, _, _, _, rate = radial_direction(w.local, k)
    rested = w.contact[k, MODE] != FLIGHT and e > (1.0 - RESTS) * c
    mean = times(0.5, plus(get(w.local, k, RATE_OF), rate_after(w, p, k, r, column)))
    meets = rested or place_after(w, k, mean, h)[0] > max(c, e)
    p.ball[k, BALL_RESTED] = 1.0 if rested else 0.0
    if p.ball[k, BALL_HELD] > 0.0 or not meets:
        w.contact[k, MODE] = FLIGHT
    elif w.contact[k, MODE] == FLIGHT:
        w.contact[k, MODE], w.contact[k, IMPACT_SPEED] = TOUCHING, max(rate, 0.0)
        begin_sliding(m, w, p, k)


@inlined
def state_equation(p, k, line, on_impulse, on_rate, value):
    """One of the three equations A Λ + B γ = c."""
    for c in range(3):
        p.ball_law[k, line, c], p.ball_law[k, line, 3 + c] = on_impulse[c], on_rate[c]
    p.ball_law[k, line, 6] = value


@inlined
def times(s, x):
    """s x."""
    return (s * x[0], s * x[1], s * x[2])


@inlined
def mean_response(p, r):
    """Change of the relative velocity per impulse, about, of the three rows from r on."""
    return (p.D_bodies[r, r] + p.D_bodies[r + 1, r + 1] + p.D_bodies[r + 2, r + 2]) / 3.0


@called
def friction_equations(m, p, k):
    """The two equations along the wall."""
    r, n = m.compliant[k, UNKNOWN], get(p.ball, k, BALL_NORMAL)
    least = abs(n[0]) <= abs(n[1]) and abs(n[0]) <= abs(n[2])
    axis = (1.0, 0.0, 0.0) if least else (0.0, 1.0, 0.0) if abs(n[1]) <= abs(n[2]) else (0.0, 0.0, 1.0)
    first = without(axis, n)
    first = times(1.0 / sqrt(dot(first, first)), first)
    second = vector_product(n, first)
    target, d = get(p.ball, k, BALL_TARGET), get(p.ball, k, BALL_DIRECTION)
    mu = m.compliant_vector[k, MU_KINETIC]
    soft = SOFTNESS * mean_response(p, r)
    turns = mu * p.ball[k, BALL_PUSH] / p.ball[k, BALL_SPEED] if p.ball[k, BALL_SPEED] > 0.0 else 0.0
    for line in range(1, 3):
        t = first if line == 1 else second
        if not m.compliant[k, SET_VALUED]:
            state_equation(p, k, line, t, (0.0, 0.0, 0.0), 0.0)
        elif p.ball[k, BALL_SLIDES] == 0.0:
            state_equation(p, k, line, times(soft, t), t, dot(t, target))
        else:
            along = dot(t, d)
            across = times(turns, plus_times(t, -along, d))
            state_equation(p, k, line, plus_times(t, -mu * along, n), across, dot(across, target))


@called
def linearise_ball(m, w, p, k, h):
    """The equations of a ball about the velocities in ROW_TRIED."""
    r, trial = m.compliant[k, UNKNOWN], m.compliant.shape[0]
    rate = rate_after(w, p, k, r, ROW_TRIED)
    e, n = place_after(w, k, rate, h)
    put(p.ball, k, BALL_NORMAL, n)
    put(p.ball, k, BALL_TARGET, (0.0, 0.0, 0.0))
    tried = of_rows(p, r, ROW_TRIED)
    if m.compliant[k, HARD_CONTACT]:
        soft = SOFTNESS * mean_response(p, r)
        slope = plus_times(n, h / e, without(rate, n))  # n turns with the ball
        value = most_outward(m, w, p, k, h) - dot(n, rate) + dot(slope, tried)
        state_equation(p, k, 0, times(soft, n), slope, value)
    else:
        normal = normal_after(m, w, p, k, h, ROW_TRIED)
        small_p, small_v = increments(m, w, k, trial)
        small = max(small_v, small_p / h)
        value = -h * normal
        for c in range(3):
            p.row[r + c, ROW_TRIED] = tried[c] + small
            slope = h * (normal_after(m, w, p, k, h, ROW_TRIED) - normal) / small
            p.row[r + c, ROW_TRIED] = tried[c]
            p.ball_law[k, 0, c], p.ball_law[k, 0, 3 + c] = n[c], slope
            value += slope * tried[c]
        p.ball_law[k, 0, 6] = value
    friction_equations(m, p, k)


@inlined
def normal_after(m, w, p, k, h, column):
    """Normal force of the law after h with the velocities in `column`; its power too is left in the trial line."""
    r, trial, local = m.compliant[k, UNKNOWN], m.compliant.shape[0], w.local
    for c in range(local.shape[1]):
        local[trial, c] = local[k, c]
    for c in range(3):
        local[trial, RATE_OF + c] += p.row[r + c, column] - p.row[r + c, ROW_RATE]
        local[trial, ECCENTRICITY + c] += h * local[trial, RATE_OF + c]
    law_force(m, w, k, trial, trial)
    return w.force[trial, NORMAL]


@inlined
def parts_of(p, k, r):
    """λ, Λ_t and the velocity of sliding beyond its target, of the impulse and the velocities found."""
    n, impulse, rate = get(p.ball, k, BALL_NORMAL), of_rows(p, r, ROW_LOAD), of_rows(p, r, ROW_AFTER)
    sliding = without(plus_times(rate, -1.0, get(p.ball, k, BALL_TARGET)), n)
    return -dot(n, impulse), without(impulse, n), sliding


@called
def friction_agrees(m, p, k):
    """Is friction what it must be? Otherwise the ball's mode along the wall, or its direction, is changed."""
    r, V, ball = m.compliant[k, UNKNOWN], m.compliant_vector, p.ball
    if not m.compliant[k, SET_VALUED]:
        return True
    push, friction, sliding = parts_of(p, k, r)
    size, speed = sqrt(dot(friction, friction)), sqrt(dot(sliding, sliding))
    if ball[k, BALL_SLIDES] == 0.0:
        if size <= V[k, MU_STATIC] * push * (1.0 + 1e-10) + 1e-300:
            return True
        put(ball, k, BALL_DIRECTION, times(-1.0 / size, friction))
        ball[k, BALL_SLIDES], ball[k, BALL_PUSH] = 1.0, max(push, 0.0)
        ball[k, BALL_SPEED] = max(size - V[k, MU_KINETIC] * push, 0.0) * mean_response(p, r)
        return False
    most = V[k, MU_KINETIC] * push
    if not most > 0.0:
        ball[k, BALL_PUSH], ball[k, BALL_SPEED] = 0.0, speed
        return True
    if dot(sliding, get(ball, k, BALL_DIRECTION)) <= 0.0:
        ball[k, BALL_SLIDES] = 0.0
        return False
    d = times(1.0 / speed, sliding)
    put(ball, k, BALL_DIRECTION, d)
    ball[k, BALL_PUSH], ball[k, BALL_SPEED] = push, speed
    wrong = plus_times(friction, most, d)
    return dot(wrong, wrong) <= (SAME * most) ** 2


@called
def ball_agrees(m, w, p, k, h):
    """Does what was found in a step agree with contact and friction of the ball? Otherwise modes are changed."""
    r = m.compliant[k, UNKNOWN]
    if w.contact[k, MODE] == FLIGHT:
        if m.compliant[k, HARD_CONTACT]:
            begin_ball(m, w, p, k, h, ROW_AFTER)
        return w.contact[k, MODE] == FLIGHT
    push, _, _ = parts_of(p, k, r)
    if m.compliant[k, HARD_CONTACT] and push < 0.0:
        w.contact[k, MODE] = FLIGHT
        return False
    rate = rate_after(w, p, k, r, ROW_AFTER)
    _, n = place_after(w, k, rate, h)
    if m.compliant[k, HARD_CONTACT]:
        good = abs(dot(n, rate) - most_outward(m, w, p, k, h)) <= SAME * sqrt(dot(rate, rate)) + AT_REST
    else:
        force = h * normal_after(m, w, p, k, h, ROW_AFTER)
        good = abs(force - push) <= SAME * max(force, push)
    turned = plus_times(n, -1.0, get(p.ball, k, BALL_NORMAL))
    good = good and (dot(turned, turned) <= SAME * SAME or push <= 0.0)
    return friction_agrees(m, p, k) and good


@called
def tell_ball(m, w, p, k, h):
    """Power dissipated and normal force at the end of a step."""
    push, friction, sliding = parts_of(p, k, m.compliant[k, UNKNOWN])
    power = -dot(friction, sliding) / h
    if not m.compliant[k, HARD_CONTACT]:
        normal_after(m, w, p, k, h, ROW_AFTER)
        power += w.force[m.compliant.shape[0], POWER]
    p.power[k, 0], p.power[k, 1] = power, max(push, 0.0) / h


# in an impact


@called
def linearise_struck(m, w, p, k):
    """The equations of a hard ball in an impact; velocities before it are those in ROW_RATE."""
    r, V = m.compliant[k, UNKNOWN], m.compliant_vector
    _, nx, ny, nz, _ = radial_direction(w.local, k)
    n, before = (nx, ny, nz), of_rows(p, r, ROW_RATE)
    put(p.ball, k, BALL_NORMAL, n)
    put(p.ball, k, BALL_TARGET, times(-V[k, REBOUND_ALONG], without(before, n)))
    soft = SOFTNESS * mean_response(p, r)
    state_equation(p, k, 0, times(soft, n), n, -V[k, REBOUND] * max(dot(n, before), 0.0))
    friction_equations(m, p, k)


@called
def struck_agrees(m, w, p, k):
    """`ball_agrees` for an impact."""
    r, n = m.compliant[k, UNKNOWN], get(p.ball, k, BALL_NORMAL)
    if w.contact[k, MODE] == FLIGHT:
        if dot(n, of_rows(p, r, ROW_AFTER)) <= p.ball_law[k, 0, 6] + AT_REST:
            return True
        w.contact[k, MODE] = TOUCHING
        begin_sliding(m, w, p, k)
        return False
    if parts_of(p, k, r)[0] < 0.0:
        w.contact[k, MODE] = FLIGHT
        return False
    return friction_agrees(m, p, k)
