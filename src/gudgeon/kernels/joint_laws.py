"""Compliant joints (dry, lubricated, elastic) within a nonsmooth time step: their laws at its end, linearised.

    φ(e + h ė⁺, ė⁺) ≈ φ₀ + J (γ − γ₀),   J = h ∂φ/∂e + ∂φ/∂ė

by differences in the joint's own motion, as in forces.py. A dry joint touches from the step in which its law first
pushes; δ̇⁽⁻⁾ is the rate it has then.
"""

from __future__ import annotations

from math import sqrt

from gudgeon.kernels.arrays import (
    BEGIN,
    DRY,
    ECCENTRICITY,
    FLIGHT,
    FORCE_ON_BALL,
    FREE_PATH,
    IMPACT_SPEED,
    KIND,
    LOCAL_COLUMNS,
    MODE,
    NORMAL,
    OMEGA_BALL,
    PEAK,
    POWER,
    RATE_OF,
    TOUCHING,
    TURN,
    UNKNOWN,
    UNKNOWNS,
    WORK_BEGIN,
    WORK_STATE,
)
from gudgeon.kernels.compiled import called, inlined
from gudgeon.kernels.compliant import law_force, radial_direction
from gudgeon.kernels.contacts import write_contact
from gudgeon.kernels.flight import TIME
from gudgeon.kernels.law_slopes import increments
from gudgeon.kernels.stepper_arrays import BRIEFEST, BRIEFEST_JOINT, ROW_AFTER, ROW_FREE, ROW_RATE

CONVERGED = 1e-9  # relative change of the forces


@inlined
def shift_motion(m, w, p, k, h, column):
    """The motion of joint k at the end of the step, from the velocities in `column`, into the trial line."""
    trial, local = m.compliant.shape[0], w.local
    for c in range(LOCAL_COLUMNS):
        local[trial, c] = local[k, c]
    for c in range(m.compliant[k, UNKNOWNS]):
        r = m.compliant[k, UNKNOWN] + c
        change = p.row[r, column] - p.row[r, ROW_RATE]
        if c < 3:
            local[trial, RATE_OF + c] += change
            local[trial, ECCENTRICITY + c] += h * local[trial, RATE_OF + c]
        else:
            local[trial, OMEGA_BALL + c - 3] += change
            local[trial, TURN + c - 3] += h * p.row[r, column]


@called
def linearise_joint(m, w, p, k, h, column):
    """Law and derivatives of joint k about the velocities in `column`; returns the relative change of its force."""
    trial, count, force = m.compliant.shape[0], m.compliant[k, UNKNOWNS], w.force
    shift_motion(m, w, p, k, h, column)
    small_p, small_v = increments(m, w, k, trial)
    small = max(small_v, small_p / h)
    law_force(m, w, k, trial, trial)
    p.power[k, 0], p.power[k, 1] = force[trial, POWER], force[trial, NORMAL]
    change = largest = 0.0
    first = m.compliant[k, UNKNOWN]
    base = p.law[k]
    for a in range(count):
        base[a, 7] = force[trial, FORCE_ON_BALL + a]
        predicted = base[a, 6]
        for e in range(count):
            predicted += base[a, e] * p.row[first + e, column]
        change = max(change, abs(predicted - base[a, 7]))
        largest = max(largest, abs(base[a, 7]))
    for e in range(count):
        step = small if e < 3 else 1e-7
        keep = p.row[first + e, column]
        p.row[first + e, column] = keep + step
        shift_motion(m, w, p, k, h, column)
        law_force(m, w, k, trial, trial)
        p.row[first + e, column] = keep
        for a in range(count):
            base[a, e] = (force[trial, FORCE_ON_BALL + a] - base[a, 7]) / step
    for a in range(count):
        base[a, 6] = base[a, 7]
        for e in range(count):
            base[a, 6] -= base[a, e] * p.row[first + e, column]
    return change / largest if largest > 0.0 else 0.0


@called
def begin_joints(m, w, p, h):
    """Modes of the dry joints for a step, and the first linearisation of all laws."""
    for k in range(m.compliant.shape[0]):
        if m.compliant[k, KIND] == DRY:
            e, _, _, _, rate = radial_direction(w.local, k)
            p.power[k, 0] = p.power[k, 1] = 0.0
            if e <= m.compliant_vector[k, FREE_PATH]:
                w.contact[k, MODE] = FLIGHT
                ahead = 0.0
                for c in range(3):
                    r = m.compliant[k, UNKNOWN] + c
                    ahead += (w.local[k, ECCENTRICITY + c] + h * p.row[r, ROW_FREE]) ** 2
                if sqrt(ahead) > m.compliant_vector[k, FREE_PATH]:
                    w.contact[k, MODE] = TOUCHING
                    w.contact[k, IMPACT_SPEED] = max(rate, 0.0)
        if m.compliant[k, KIND] != DRY or w.contact[k, MODE] != FLIGHT:
            linearise_joint(m, w, p, k, h, ROW_RATE)


@called
def improve_joints(m, w, p, h):
    """Linearise all laws about the velocities found; returns the largest relative change of a force."""
    worst = 0.0
    for k in range(m.compliant.shape[0]):
        if m.compliant[k, KIND] != DRY or w.contact[k, MODE] != FLIGHT:
            worst = max(worst, linearise_joint(m, w, p, k, h, ROW_AFTER))
    return worst


@called
def record_contacts(m, w, f, p, t):
    """Begin, go on with or end the contacts of dry joints after a step that ends at t."""
    for k in range(m.compliant.shape[0]):
        if m.compliant[k, KIND] != DRY:
            continue
        if w.contact[k, MODE] != FLIGHT:
            if p.touching[k] == 0:
                w.contact[k, BEGIN], w.contact[k, PEAK] = f.clock[TIME], 0.0
                w.contact[k, WORK_BEGIN] = f.y[m.compliant[k, WORK_STATE]]
            p.touching[k] += 1
            w.contact[k, PEAK] = max(w.contact[k, PEAK], p.power[k, 1])
        elif p.touching[k] > 0:
            write_contact(m, w, f, k, t, f.y_new)
            if p.count[BRIEFEST] == 0 or p.touching[k] < p.count[BRIEFEST]:
                p.count[BRIEFEST], p.count[BRIEFEST_JOINT] = p.touching[k], k
            p.touching[k] = 0
