"""Friction in an ideal joint, from the reaction of its own rows.

With F and M the force and torque of the joint's rows on its child, axis z (LOAD), the surfaces are pressed together by

    bearing, guide    N = |F⊥/2 + M×z/L| + |F⊥/2 − M×z/L| + c |M_z|     two bearing forces a length L apart, and a roll
                      A = |F_z|                                       thrust, on a ring of τ times the radius
    ball              N = |F|
    thread            N = |effort of the coupling| / (cos λ cos α_n)

and slide with s [m/s]. Friction is the effort along s,

    f = −(s/|s|) [law(|s|, N) + τ law(τ|s|, A)]

or with bristles z (LuGre), of the thrust too, f = −N (σ0 z + σ1 ż + σ2 s) − …, ż = s − σ0 |s|/g(|s|) z. N and A are
seminorms of LOAD. LOAD follows from the balance of all forces, friction among them (dynamics/friction_balance.py).
"""

from __future__ import annotations

from math import sqrt

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed, called, entrance, inlined
from gudgeon.kernels.build.places import add_at, put_at
from gudgeon.kernels.build.records import MATRIX
from gudgeon.kernels.dynamics.arrays import (
    BALL_BEARING,
    BRISTLE,
    BRISTLE_DAMPING,
    BRISTLE_STIFFNESS,
    BRISTLE_VISCOUS,
    BRISTLES,
    FORCE_ON_BALL,
    LOAD,
    MODEL,
    NORMAL,
    POWER,
    RATE_OF,
    REPORT_NORMAL,
    REPORT_OWN,
    REPORT_POWER,
    REPORT_RATE,
    RUB_INVERSE_LENGTH,
    RUB_LOAD,
    RUB_ROLL,
    RUB_SCALE,
    RUB_SLIDES,
    RUB_THRUST,
    THREAD,
    TORQUE_ON_BALL,
    WORK,
)
from gudgeon.kernels.elements.joints import clear_force
from gudgeon.kernels.elements.laws import friction_force

SLOWEST = 1e-12  # speed of sliding that stands for none in derivatives [m/s]
SMALL = 1e-6  # step of differences of the law, of its argument


@inlined
def bearing_forces(m, k, load, at):
    """The components of the two bearing forces across the axis, of the load in load[at : at + 6]."""
    give = m.compliant_vector[k, RUB_INVERSE_LENGTH]
    x, y = 0.5 * load[at], 0.5 * load[at + 1]
    u, v = give * load[at + 4], -give * load[at + 3]
    return x + u, y + v, x - u, y - v


@inlined
def pressed(m, k, load, at):
    """Normal load N and thrust A of line k under the load in load[at : at + 6]; seminorms of that."""
    V, kind = m.compliant_vector, m.compliant[k, RUB_LOAD]
    if kind == BALL_BEARING:
        return sqrt(load[at] ** 2 + load[at + 1] ** 2 + load[at + 2] ** 2), 0.0
    if kind == THREAD:
        return V[k, RUB_SCALE] * abs(load[at]), 0.0
    a, b, c, d = bearing_forces(m, k, load, at)
    normal = sqrt(a * a + b * b) + sqrt(c * c + d * d) + V[k, RUB_ROLL] * abs(load[at + 5])
    return normal, abs(load[at + 2]) if V[k, RUB_THRUST] > 0.0 else 0.0


@inlined
def sign(x):
    """−1, 0 or 1."""
    return 1.0 if x > 0.0 else -1.0 if x < 0.0 else 0.0


@called
def pressed_slopes(m, k, load, at, normal, thrust, out, line):
    """Add `normal` times the derivatives of N by the load, and `thrust` times those of A, to a line of `out`."""
    V, kind = m.compliant_vector, m.compliant[k, RUB_LOAD]
    if kind == BALL_BEARING:
        size = pressed(m, k, load, at)[0]
        for e in range(3):
            out[line, e] += normal * load[at + e] / size if size > 0.0 else 0.0
    elif kind == THREAD:
        out[line, 0] += normal * V[k, RUB_SCALE] * sign(load[at])
    else:
        a, b, c, d = bearing_forces(m, k, load, at)
        one, two, give = sqrt(a * a + b * b), sqrt(c * c + d * d), V[k, RUB_INVERSE_LENGTH]
        a, b = (a / one, b / one) if one > 0.0 else (0.0, 0.0)
        c, d = (c / two, d / two) if two > 0.0 else (0.0, 0.0)
        out[line, 0] += 0.5 * normal * (a + c)
        out[line, 1] += 0.5 * normal * (b + d)
        out[line, 3] -= normal * give * (b - d)
        out[line, 4] += normal * give * (a - c)
        out[line, 5] += normal * V[k, RUB_ROLL] * sign(load[at + 5])
        out[line, 2] += thrust * sign(load[at + 2])


@inlined
def speed_of(m, x, k):
    """Speed of sliding of line k for its motion x, a line of `local`."""
    square = 0.0
    for c in range(m.compliant[k, RUB_SLIDES]):
        square += x[RATE_OF + c] ** 2
    return sqrt(square)


@inlined
def bristle(m, k, z, s, speed):
    """ż and (σ0 z + σ1 ż + σ2 s) of a bristle, for its part s of the speed of sliding."""
    V = m.compliant_vector
    s0, s1, s2 = V[k, BRISTLE_STIFFNESS], V[k, BRISTLE_DAMPING], V[k, BRISTLE_VISCOUS]
    rate = s - s0 * speed / friction_force(m, k, speed, 1.0) * z
    return rate, s0 * z + s1 * rate + s2 * s


@called
def bristle_efforts(m, w, k, a, b, normal, thrust):
    """Efforts and rates of bristles into line b of `force`, for the motion in line a of `local`."""
    x, force, ratio = w.local[a], w.force, m.compliant_vector[k, RUB_THRUST]
    speed, slides = speed_of(m, x, k), m.compliant[k, RUB_SLIDES]
    for c in range(slides):
        rate, share = bristle(m, k, x[BRISTLES + c], x[RATE_OF + c], speed)
        force[b, FORCE_ON_BALL + c] = -normal * share
        force[b, TORQUE_ON_BALL + c] = rate
    if ratio > 0.0:  # the bristles of the thrust come after those of the bearing
        rate, share = bristle(m, k, x[BRISTLES + slides], ratio * x[RATE_OF], ratio * speed)
        force[b, FORCE_ON_BALL] -= ratio * thrust * share
        force[b, TORQUE_ON_BALL + slides] = rate


@addressed(void(MODEL, WORK, int64, int64, int64))
def force_of_rubbing(m, w, k, a, b):
    """Efforts along the directions of sliding for the motion and the load in line a of `local`, into line b."""
    x, force, ratio = w.local[a], w.force, m.compliant_vector[k, RUB_THRUST]
    clear_force(force, b)
    normal, thrust = pressed(m, k, x, LOAD)
    if m.compliant[k, BRISTLE] >= 0:
        bristle_efforts(m, w, k, a, b, normal, thrust)
    else:
        speed = speed_of(m, x, k)
        if speed > 0.0:
            effort = friction_force(m, k, speed, normal)
            if ratio > 0.0:
                effort += ratio * friction_force(m, k, ratio * speed, thrust)
            for c in range(m.compliant[k, RUB_SLIDES]):
                force[b, FORCE_ON_BALL + c] = -effort * x[RATE_OF + c] / speed
    force[b, NORMAL] = normal
    for c in range(m.compliant[k, RUB_SLIDES]):
        force[b, POWER] -= force[b, FORCE_ON_BALL + c] * x[RATE_OF + c]


@called
def slopes_by_load(m, w, k, a):
    """Derivatives of the efforts by the load, for the motion and the load in line a of `local`, into `w.rubbing`.

    Returns how much the efforts grow with N and with A.
    """
    x, slope, ratio = w.local[a], w.rubbing.slope, m.compliant_vector[k, RUB_THRUST]
    speed, slides, by_normal, by_thrust = speed_of(m, x, k), m.compliant[k, RUB_SLIDES], 0.0, 0.0
    normal, thrust = pressed(m, k, x, LOAD)
    slope[:] = 0.0
    if m.compliant[k, BRISTLE] >= 0:
        for c in range(slides):
            share = bristle(m, k, x[BRISTLES + c], x[RATE_OF + c], speed)[1]
            pressed_slopes(m, k, x, LOAD, -share, 0.0, slope, c)
            by_normal += share * share
        if ratio > 0.0:
            by_thrust = ratio * bristle(m, k, x[BRISTLES + slides], ratio * x[RATE_OF], ratio * speed)[1]
            pressed_slopes(m, k, x, LOAD, 0.0, -by_thrust, slope, 0)
        return sqrt(by_normal), abs(by_thrust)
    if speed > 0.0:
        by_normal = slope_of_law(m, k, speed, normal)
        by_thrust = ratio * slope_of_law(m, k, ratio * speed, thrust) if ratio > 0.0 else 0.0
        for c in range(slides):
            along = x[RATE_OF + c] / speed
            pressed_slopes(m, k, x, LOAD, -by_normal * along, -by_thrust * along, slope, c)
    return abs(by_normal), abs(by_thrust)


@inlined
def slope_of_law(m, k, speed, normal):
    """Derivative of the law by the normal force."""
    step = SMALL * max(normal, 1e-3)
    return (friction_force(m, k, speed, normal + step) - friction_force(m, k, speed, normal)) / step


@inlined
def value_and_slope(m, k, speed, normal):
    """The law, and its derivative by the speed."""
    step = SMALL * speed
    rise, fall = friction_force(m, k, speed + step, normal), friction_force(m, k, speed - step, normal)
    return friction_force(m, k, speed, normal), (rise - fall) / (2.0 * step)


@addressed(void(MODEL, WORK, int64, int64, int64, int64))
def slopes_of_rubbing(m, w, k, a, by_position, by_velocity):
    """Derivatives of efforts (and rates of bristles) by sliding (and bristles), and by the load into `w.rubbing`."""
    x, ratio, slides = w.local[a], m.compliant_vector[k, RUB_THRUST], m.compliant[k, RUB_SLIDES]
    for c in range(36):
        put_at(by_position, c, 0.0)
        put_at(by_velocity, c, 0.0)
    slopes_by_load(m, w, k, a)
    if m.compliant[k, BRISTLE] >= 0:
        bristle_slopes(m, w, k, a, by_velocity)
        return
    normal, thrust = pressed(m, k, x, LOAD)
    speed = max(speed_of(m, x, k), SLOWEST)
    value, by_speed = value_and_slope(m, k, speed, normal)
    if ratio > 0.0:
        more, faster = value_and_slope(m, k, ratio * speed, thrust)
        value, by_speed = value + ratio * more, by_speed + ratio * ratio * faster
    for c in range(slides):
        along = x[RATE_OF + c] / speed
        for d in range(slides):
            turning = -(by_speed - value / speed) * along * x[RATE_OF + d] / speed
            put_at(by_velocity, 6 * c + d, turning - (value / speed if c == d else 0.0))


@inlined
def wear_of(m, k, speed):
    """σ0 |s|/g(|s|), and its derivative by the speed."""
    s0, step = m.compliant_vector[k, BRISTLE_STIFFNESS], SMALL * speed
    rise = s0 * (speed + step) / friction_force(m, k, speed + step, 1.0)
    fall = s0 * (speed - step) / friction_force(m, k, speed - step, 1.0)
    return s0 * speed / friction_force(m, k, speed, 1.0), (rise - fall) / (2.0 * step)


@called
def bristle_slopes(m, w, k, a, by_velocity):
    """Derivatives of efforts and rates of bristles by sliding and bristles."""
    x, V, slides = w.local[a], m.compliant_vector, m.compliant[k, RUB_SLIDES]
    s0, s1, s2, ratio = V[k, BRISTLE_STIFFNESS], V[k, BRISTLE_DAMPING], V[k, BRISTLE_VISCOUS], V[k, RUB_THRUST]
    normal, thrust = pressed(m, k, x, LOAD)
    speed = max(speed_of(m, x, k), SLOWEST)
    wear, wearing = wear_of(m, k, speed)
    for c in range(slides):
        for d in range(slides):
            own = 1.0 if c == d else 0.0
            rate = own - wearing * x[BRISTLES + c] * x[RATE_OF + d] / speed
            add_at(by_velocity, 6 * c + d, -normal * (s1 * rate + s2 * own))
            add_at(by_velocity, 6 * (3 + c) + d, rate)
        add_at(by_velocity, 6 * c + 3 + c, -normal * (s0 - s1 * wear))
        add_at(by_velocity, 6 * (3 + c) + 3 + c, -wear)
    if ratio > 0.0:
        wear, wearing = wear_of(m, k, ratio * speed)
        rate = ratio * (1.0 - wearing * x[BRISTLES + slides] * x[RATE_OF] / speed)
        add_at(by_velocity, 0, -ratio * thrust * (s1 * rate + s2 * ratio))
        add_at(by_velocity, 6 * (3 + slides), rate)
        add_at(by_velocity, 3 + slides, -ratio * thrust * (s0 - s1 * wear))
        add_at(by_velocity, 6 * (3 + slides) + 3 + slides, -wear)


@addressed(void(MODEL, WORK, int64))
def report_of_rubbing(m, w, k):
    """What the efforts in line k do: load, speed, power."""
    out, x = w.report, w.local[k]
    normal, thrust = pressed(m, k, x, LOAD)
    out[REPORT_POWER] = 0.0
    for c in range(m.compliant[k, RUB_SLIDES]):
        out[REPORT_OWN + c] = w.force[k, FORCE_ON_BALL + c]
        out[REPORT_POWER] -= w.force[k, FORCE_ON_BALL + c] * x[RATE_OF + c]
    out[REPORT_RATE] = speed_of(m, x, k)
    out[REPORT_NORMAL] = normal + m.compliant_vector[k, RUB_THRUST] * thrust


@entrance(void(MODEL, WORK, MATRIX))
def pressed_by(m, w, out):
    """Normal load and thrust of all lines that rub (rubs, 2) under the loads held in `w`."""
    for a in range(m.rubbing.shape[0]):
        out[a, 0], out[a, 1] = pressed(m, m.rubbing[a], w.local[m.rubbing[a]], LOAD)
