"""Signals: numbers of the motion that loads depend on, measured before the loads are applied.

joint       x, ẋ of a joint coordinate, turns counted
point       Rᵀ(p − r), Rᵀ(ṗ − v − ω × (p − r)), Rᵀ(ω_b − ω): as a body at r with the axes R sees a point p
own         Aᵀ ṗ, Aᵀ ω_b: against the world, in the axes A of a marker
distance    |p_b − p_a| and its rate
gap         −δ, −δ̇ and the normal force of a joint that acts by forces, from its law
program     an expression, table or function of other signals
control     a number of the state: of a controller or switch (controls.py)
"""

from __future__ import annotations

from math import sqrt

from numba import float64, int64, void

from gudgeon.kernels.build.calls import call
from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.build.records import VECTOR
from gudgeon.kernels.dynamics.arrays import (
    CONTROL_SIGNAL,
    DEPTH,
    DEPTH_RATE,
    DISTANCE_SIGNAL,
    FLIGHT,
    GAP_FUNCTION,
    GAP_SIGNAL,
    JOINT_SIGNAL,
    KIND,
    MODE,
    MODEL,
    NORMAL,
    OMEGA,
    OWN_SIGNAL,
    POINT_SIGNAL,
    POSITION,
    SIGNAL_AGAINST,
    SIGNAL_AT,
    SIGNAL_AXES,
    SIGNAL_OF,
    SIGNAL_POINT,
    SIGNAL_SECOND,
    VECTOR_SIGNAL,
    VELOCITY,
    WORK,
)
from gudgeon.kernels.dynamics.engine import law_force, local_motion
from gudgeon.kernels.dynamics.state_places import first_control, first_turn
from gudgeon.kernels.functions.programs import function
from gudgeon.kernels.kinematics.measures import motion_of_measure, nearest_turn
from gudgeon.kernels.kinematics.rotation import in_own_axes, rotated
from gudgeon.kernels.kinematics.vectors import dot, get, plus, plus_times, vector_product


@inlined
def point_of(m, w, k, b, at):
    """Position and velocity of a point of body b, given in line k of `signal_vector`."""
    s = rotated(w.body, b, m.signal_vector, k, at)
    velocity = plus(get(w.body, b, VELOCITY), vector_product(get(w.body, b, OMEGA), s))
    return plus(get(w.body, b, POSITION), s), velocity


@called
def motion_signals(m, w, k):
    """Line k where it is the motion of a point or of two."""
    kind, at, b, a = m.signal[k, KIND], m.signal[k, SIGNAL_AT], m.signal[k, SIGNAL_OF], m.signal[k, SIGNAL_AGAINST]
    x, v = point_of(m, w, k, b, SIGNAL_POINT)
    omega = get(w.body, b, OMEGA)
    if kind == POINT_SIGNAL:
        turning = get(w.body, a, OMEGA)
        x = plus_times(x, -1.0, get(w.body, a, POSITION))
        v = plus_times(plus_times(v, -1.0, get(w.body, a, VELOCITY)), -1.0, vector_product(turning, x))
        omega = plus_times(omega, -1.0, turning)
        x = in_own_axes(w.body, a, x[0], x[1], x[2])
        v = in_own_axes(w.body, a, v[0], v[1], v[2])
        omega = in_own_axes(w.body, a, omega[0], omega[1], omega[2])
        for c in range(3):
            w.signal[at + c], w.signal[at + 3 + c], w.signal[at + 6 + c] = x[c], v[c], omega[c]
    elif kind == OWN_SIGNAL:
        for c in range(3):
            axis = rotated(w.body, b, m.signal_vector, k, SIGNAL_AXES + 3 * c)
            w.signal[at + c], w.signal[at + 3 + c] = dot(axis, v), dot(axis, omega)
    else:
        z, u = point_of(m, w, k, a, SIGNAL_SECOND)
        d, rate = plus_times(z, -1.0, x), plus_times(u, -1.0, v)
        length = sqrt(dot(d, d))
        w.signal[at] = length
        w.signal[at + 1] = dot(d, rate) / length if length > 0.0 else sqrt(dot(rate, rate))


@called
def gap_signals(m, w, k, y):
    """Gap, its rate and the normal force of a joint."""
    line, at, trial = m.signal[k, SIGNAL_OF], m.signal[k, SIGNAL_AT], m.compliant.shape[0]
    local_motion(m, w, line, y)
    call(m.compliant[line, GAP_FUNCTION], (m, w, line, line, trial))
    w.signal[at], w.signal[at + 1] = -w.force[trial, DEPTH], -w.force[trial, DEPTH_RATE]
    w.signal[at + 2] = 0.0
    if w.contact[line, MODE] != FLIGHT:
        law_force(m, w, line, line, trial)
        w.signal[at + 2] = w.force[trial, NORMAL]


@addressed(void(MODEL, WORK, float64, VECTOR, int64))
def measured_signals(m, w, t, y, last):
    """Lines 0 … last − 1 at the kinematics held in `w`, into `w.signal`."""
    for k in range(last):
        kind, at, of, against = (
            m.signal[k, KIND],
            m.signal[k, SIGNAL_AT],
            m.signal[k, SIGNAL_OF],
            m.signal[k, SIGNAL_AGAINST],
        )
        if kind == JOINT_SIGNAL:
            value, rate = motion_of_measure(m, w, of)
            if against >= 0:
                counted = y[first_turn(m) + against]
                value = nearest_turn(value, counted)
            w.signal[at], w.signal[at + 1] = value, rate
        elif kind <= DISTANCE_SIGNAL:
            motion_signals(m, w, k)
        elif kind == GAP_SIGNAL:
            gap_signals(m, w, k, y)
        elif kind == CONTROL_SIGNAL:
            w.signal[at] = y[first_control(m) + of]
        else:
            w.signal[at] = function(m, w, of, t)
            if kind == VECTOR_SIGNAL:
                for c in range(1, against):
                    w.signal[at + c] = w.stack[c]
