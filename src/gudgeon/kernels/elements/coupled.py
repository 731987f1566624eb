"""Efforts on a sum of joint coordinates: the teeth of elastic gears, racks and screws, belts, ends of a way on a curve.

    x = c₁ x₁ + c₂ x₂,   effort c₁ f on the first coordinate, c₂ f on the second

    flanks that touch at x = b     forward: δ = x − b, f = −law(δ, δ̇, δ̇⁽⁻⁾)    backward: δ = b − x, f = +law
    a spring without backlash      f = −k x − d ẋ

Each coordinate belongs to two bodies, so that such an effort acts on up to four. It is applied as loads are; Implicit
solves for it as for these (integrators/load_stages.py), a nonsmooth step as for other forces of joints: there it is one
unknown, and a row. Line k of `local` has x and ẋ in its first places, of `force`
the effort f in EFFORT. Angles are counted; at the start so that x is as small as whole turns of both wheels make it.
BALL_RADIUS is the length (or angle) by which errors of x are judged.
"""

from __future__ import annotations

from math import pi

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.dynamics.arrays import (
    ALWAYS_ACTS,
    ANGLE,
    APPLIED,
    ARM_OF,
    CHANGE,
    CHILD,
    COUPLED,
    COUPLED_MEASURE,
    DEPTH,
    DEPTH_RATE,
    ECCENTRICITY,
    EFFORT_AT,
    EFFORT_LOAD,
    FLIGHT,
    FORCE_ON_BALL,
    IMPACT_SPEED,
    KIND,
    MODE,
    MODEL,
    NORMAL,
    PARENT,
    POWER,
    RATE_OF,
    REPORT_CONTACT,
    REPORT_NORMAL,
    REPORT_OWN,
    REPORT_PENETRATION,
    REPORT_POWER,
    REPORT_RATE,
    REPORT_STORED,
    SMALLEST_IMPACT,
    SOLVED,
    STOP_AT,
    STOP_SIDE,
    STOP_TURN,
    SUM_DAMPING,
    SUM_PERIOD,
    SUM_RATIO,
    SUM_STIFFNESS,
    SUM_TURNS,
    UNKNOWN,
    UNKNOWNS,
    WORK,
)
from gudgeon.kernels.dynamics.engine import law_force
from gudgeon.kernels.dynamics.state_places import first_turn
from gudgeon.kernels.elements.laws import contact_energy, normal_force
from gudgeon.kernels.elements.pushes import pushes
from gudgeon.kernels.kinematics.measures import measure, nearest_turn

EFFORT = ARM_OF  # in `force`: there is no arm


@inlined
def is_coupled(m, k):
    """Does line k act on a sum of joint coordinates?"""
    return m.compliant[k, KIND] == COUPLED


@inlined
def first_force(m, k):
    """Where the unknown forces of line k begin in its line of `force`."""
    return EFFORT if is_coupled(m, k) else FORCE_ON_BALL


@called
def coupled_motion(m, w, k, y):
    """x and ẋ of line k, into `local`."""
    x = rate = 0.0
    for c in range(2):
        which, ratio = m.compliant[k, COUPLED_MEASURE + c], m.compliant_vector[k, SUM_RATIO + c]
        if which >= 0:
            value, speed, _ = measure(m, w, which)
            if m.compliant[k, STOP_TURN + c] >= 0:
                counted = y[first_turn(m) + m.compliant[k, STOP_TURN + c]]
                value = nearest_turn(value, counted)
            x += ratio * value
            rate += ratio * speed
    for c in range(w.local.shape[1]):
        w.local[k, c] = 0.0
    w.local[k, ECCENTRICITY], w.local[k, RATE_OF] = x, rate


@called
def push_by_coupling(m, w, k, x, at):
    """Add the effort x of line k to the columns from `at` on of the bodies of both coordinates."""
    for c in range(2):
        which = m.compliant[k, COUPLED_MEASURE + c]
        if which >= 0:
            effort = m.compliant_vector[k, SUM_RATIO + c] * x
            measure(m, w, which)
            i, j = m.measure[which, PARENT], m.measure[which, CHILD]
            for e in range(6):
                w.body[i, at + e] += effort * w.gradient[e]
                w.body[j, at + e] += effort * w.gradient[6 + e]


@inlined
def push_coupled(m, w, k):
    """Apply the effort in line k of `force` to the bodies of both coordinates."""
    push_by_coupling(m, w, k, w.force[k, EFFORT], APPLIED)


@called
def given_effort(m, w, k, unknown):
    """The effort of line k, into its line of `force`: of its law, or as a solver has given it."""
    law_force(m, w, k, k, k)
    if m.compliant[k, UNKNOWNS] == 1:
        w.force[k, EFFORT] = unknown[m.compliant[k, UNKNOWN]]
    elif w.effort[0] > 0.0 and (m.compliant[k, ALWAYS_ACTS] == 1 or w.contact[k, MODE] != FLIGHT):
        e = 0
        while e < m.effort.shape[0] and m.effort[e, EFFORT_LOAD] < 0:  # couplings come first
            if m.effort[e, EFFORT_LOAD] == -1 - k and w.solved[e] == SOLVED:
                w.force[k, EFFORT] = w.effort[1 + m.effort[e, EFFORT_AT]]
            e += 1


@called
def coupled_change(m, w, k):
    """The change of x that belongs to the changes of the bodies held in `w`."""
    change = 0.0
    for c in range(2):
        which = m.compliant[k, COUPLED_MEASURE + c]
        if which >= 0:
            measure(m, w, which)
            for side in range(2):
                b = m.measure[which, CHILD if side else PARENT]
                for e in range(6 if b > 0 else 0):
                    change += m.compliant_vector[k, SUM_RATIO + c] * w.gradient[6 * side + e] * w.body[b, CHANGE + e]
    return change


@called
def settle_coupled(m, w, y):
    """Count the angles of couplings at a start so that their sums are as small as whole turns make them."""
    first = first_turn(m)
    for k in range(m.compliant.shape[0]):
        if is_coupled(m, k) and m.compliant_vector[k, SUM_PERIOD] > 0.0:
            coupled_motion(m, w, k, y)
            periods = round(w.local[k, ECCENTRICITY] / m.compliant_vector[k, SUM_PERIOD])
            for c in range(2):
                if m.compliant[k, STOP_TURN + c] >= 0 and m.measure[m.compliant[k, COUPLED_MEASURE + c], KIND] == ANGLE:
                    turns = m.compliant_vector[k, SUM_TURNS + c] * periods
                    y[first + m.compliant[k, STOP_TURN + c]] -= 2.0 * pi * turns


@inlined
def depth_of(m, w, k, a):
    """δ and δ̇ of a flank for the motion in line a of `local`."""
    side = m.compliant_vector[k, STOP_SIDE]
    return side * (w.local[a, ECCENTRICITY] - m.compliant_vector[k, STOP_AT]), side * w.local[a, RATE_OF]


@addressed(void(MODEL, WORK, int64, int64, int64))
def depth_of_coupling(m, w, k, a, b):
    """δ and δ̇ for the motion in line a of `local`, into line b of `force`."""
    w.force[b, DEPTH], w.force[b, DEPTH_RATE] = depth_of(m, w, k, a)


@inlined
def effort_of(m, w, k, a):
    """f, what of it is pushed by a flank, and the power lost, for the motion in line a of `local`."""
    V, x, rate = m.compliant_vector, w.local[a, ECCENTRICITY], w.local[a, RATE_OF]
    side = V[k, STOP_SIDE]
    if side == 0.0:
        damped = V[k, SUM_DAMPING] * rate
        return -V[k, SUM_STIFFNESS] * x - damped, 0.0, damped * rate
    depth, closing = depth_of(m, w, k, a)
    if not pushes(w, k, depth):
        return 0.0, 0.0, 0.0
    impact, depth = max(w.contact[k, IMPACT_SPEED], V[k, SMALLEST_IMPACT]), max(depth, 0.0)
    f, elastic = normal_force(m, k, depth, closing, impact), normal_force(m, k, depth, 0.0, impact)
    return -side * f, f, (f - elastic) * closing


@addressed(void(MODEL, WORK, int64, int64, int64))
def force_of_coupling(m, w, k, a, b):
    """The effort for the motion in line a of `local`, into line b of `force`."""
    for c in range(w.force.shape[1]):
        w.force[b, c] = 0.0
    w.force[b, EFFORT], w.force[b, NORMAL], w.force[b, POWER] = effort_of(m, w, k, a)


@addressed(void(MODEL, WORK, int64))
def report_of_coupling(m, w, k):
    """What a coupling does in the motion of line k of `local`."""
    out, V = w.report, m.compliant_vector
    f, normal, power = effort_of(m, w, k, k)
    out[REPORT_POWER], out[REPORT_NORMAL], out[REPORT_OWN] = power, normal, f
    if V[k, STOP_SIDE] == 0.0:
        out[REPORT_STORED] = 0.5 * V[k, SUM_STIFFNESS] * w.local[k, ECCENTRICITY] ** 2
        return
    depth, rate = depth_of(m, w, k, k)
    out[REPORT_PENETRATION], out[REPORT_RATE] = depth, rate
    if pushes(w, k, depth):
        out[REPORT_CONTACT] = 1.0
        impact = max(w.contact[k, IMPACT_SPEED], V[k, SMALLEST_IMPACT])
        out[REPORT_STORED] = contact_energy(m, k, max(depth, 0.0), impact)
