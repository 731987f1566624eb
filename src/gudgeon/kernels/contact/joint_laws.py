"""Compliant joints (dry, lubricated, elastic) within a nonsmooth time step: their laws at its end.

    φ(e + h ė⁺, ė⁺) ≈ φ₀ + J (γ − γ₀),   J = h ∂φ/∂e + ∂φ/∂ė

by differences in the joint's own motion, as in forces.py. The linear laws go into the contact problem, and Newton's
iteration goes on from the velocities it finds, shortened until

    r(γ) = γ − γ_free − h D φ(γ)

decreases: a wall that is left or met within a step bends the law sharply. A joint may touch from the step on in which
it would meet its wall if nothing held it, and touches while it is within its wall, whatever its law gives there; δ̇⁽⁻⁾
is its rate at the begin of the step in which that began.
"""

from __future__ import annotations

from math import isfinite, sqrt

from gudgeon.kernels.build.calls import call
from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.contact.ball_contact import (
    ball_agrees,
    begin_ball,
    begin_sliding,
    is_nonsmooth,
    linearise_ball,
    tell_ball,
)
from gudgeon.kernels.contact.force_rows import delassus
from gudgeon.kernels.contact.gaps import depth_in, film_ends
from gudgeon.kernels.contact.joint_contacts import may_touch
from gudgeon.kernels.contact.rub_contact import (
    begin_rub,
    linearise_rub,
    rubs,
    rubs_agree,
    tell_rub,
)
from gudgeon.kernels.dynamics.arrays import (
    BRISTLE,
    BRISTLES,
    ECCENTRICITY,
    FLIGHT,
    HARD_CONTACT,
    HAS_TORQUE,
    IMPACT_SPEED,
    LOCAL_COLUMNS,
    MODE,
    NORMAL,
    OMEGA_BALL,
    POWER,
    RATE_OF,
    SET_VALUED,
    SLOPES_FUNCTION,
    TOUCHING,
    TURN,
    UNKNOWN,
    UNKNOWNS,
)
from gudgeon.kernels.dynamics.engine import law_force
from gudgeon.kernels.dynamics.response import forces_of, is_active
from gudgeon.kernels.elements.coupled import first_force
from gudgeon.kernels.elements.law_slopes import increments
from gudgeon.kernels.elements.shear_couple import has_couple
from gudgeon.kernels.integrators.stepper_arrays import (
    ROW_AFTER,
    ROW_BASE,
    ROW_FREE,
    ROW_LOAD,
    ROW_RATE,
    ROW_TRIAL,
    ROW_TRIED,
    UNSOLVED_JOINT,
)

CONVERGED = 1e-9  # relative change of the forces
ROUNDING = 1e-11  # what the forces not yet balanced do to the velocities, relative: the same
HALVINGS = 12  # of a step of Newton's iteration


@inlined
def depth_ahead(m, w, p, k, h, column):
    """How deep the contact of joint k would be after h with the velocities in `column`; the trial line is used."""
    trial, local = m.compliant.shape[0], w.local
    for c in range(LOCAL_COLUMNS):
        local[trial, c] = local[k, c]
    for c in range(forces_of(m, k)):
        local[trial, ECCENTRICITY + c] += h * p.row[m.compliant[k, UNKNOWN] + c, column]
        if m.compliant[k, HAS_TORQUE] and not has_couple(m, k):
            local[trial, TURN + c] += h * p.row[m.compliant[k, UNKNOWN] + 3 + c, column]
    return depth_in(m, w, k, trial)[0]


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
        elif m.compliant[k, BRISTLE] >= 0:
            local[trial, BRISTLES + c - 3] += change
        else:
            local[trial, OMEGA_BALL + c - 3] += change
            local[trial, TURN + c - 3] += h * p.row[r, column]


@called
def ask_joint(m, w, p, k, h, column):
    """The force of joint k for the velocities in `column`; False where its film has ended or it is no number."""
    trial, force = m.compliant.shape[0], w.force
    if rubs(m, k):
        tell_rub(m, w, p, k, h)
        return True
    if is_nonsmooth(m, k):  # not a function of velocities: as found
        tell_ball(m, w, p, k, h)
        for a in range(3):
            p.law[k, a, 7] = p.row[m.compliant[k, UNKNOWN] + a, ROW_LOAD] / h
        return True
    shift_motion(m, w, p, k, h, column)
    if film_ends(m, k) and depth_in(m, w, k, trial)[0] >= 0.0:
        return False
    law_force(m, w, k, trial, trial)
    p.power[k, 0], p.power[k, 1] = force[trial, POWER], force[trial, NORMAL]
    good = True
    for a in range(m.compliant[k, UNKNOWNS]):
        p.law[k, a, 7] = force[trial, first_force(m, k) + a]
        good = good and isfinite(p.law[k, a, 7])
    return good


@called
def linearise_joint(m, w, p, k, h):
    """Law and derivatives of joint k about the velocities in ROW_TRIED."""
    trial, count, force = m.compliant.shape[0], m.compliant[k, UNKNOWNS], w.force
    first, base = m.compliant[k, UNKNOWN], p.law[k]
    if rubs(m, k):
        linearise_rub(m, w, p, k, h)
        return
    if is_nonsmooth(m, k):
        linearise_ball(m, w, p, k, h)
        return
    ask_joint(m, w, p, k, h, ROW_TRIED)
    knows_slopes = m.compliant[k, SLOPES_FUNCTION] != 0
    if knows_slopes:
        at = p.slopes.ctypes.data
        call(m.compliant[k, SLOPES_FUNCTION], (m, w, k, trial, at, at + 8 * 36))
    small_p, small_v = increments(m, w, k, trial)
    small = max(small_v, small_p / h)
    for e in range(count):
        if knows_slopes:
            for a in range(count):
                base[a, e] = h * p.slopes[0, a, e] + p.slopes[1, a, e]
            continue
        keep = p.row[first + e, ROW_TRIED]
        step = small if e < 3 else 1e-7 if m.compliant[k, BRISTLE] < 0 else 1e-9 + 1e-6 * abs(keep)
        p.row[first + e, ROW_TRIED] = keep + step
        shift_motion(m, w, p, k, h, ROW_TRIED)
        law_force(m, w, k, trial, trial)
        p.row[first + e, ROW_TRIED] = keep
        for a in range(count):
            base[a, e] = (force[trial, first_force(m, k) + a] - base[a, 7]) / step
    for a in range(count):
        base[a, 6] = base[a, 7]
        for e in range(count):
            base[a, 6] -= base[a, e] * p.row[first + e, ROW_TRIED]


@called
def begin_joints(m, w, p, h):
    """Modes of the joints for a step, and the first linearisation of all laws."""
    for k in range(m.compliant.shape[0]):
        first, count = m.compliant[k, UNKNOWN], m.compliant[k, UNKNOWNS]
        p.power[k, 0] = p.power[k, 1] = 0.0
        if rubs(m, k):
            begin_rub(m, w, p, k)
            continue
        if m.compliant[k, HARD_CONTACT]:
            begin_ball(m, w, p, k, h, ROW_FREE)
        elif may_touch(m, k):
            depth, rate = depth_in(m, w, k, k)
            if depth <= 0.0:
                w.contact[k, MODE] = FLIGHT
            if w.contact[k, MODE] == FLIGHT and (depth > 0.0 or depth_ahead(m, w, p, k, h, ROW_FREE) > 0.0):
                w.contact[k, MODE] = TOUCHING
                w.contact[k, IMPACT_SPEED] = max(rate, 0.0)
                if m.compliant[k, SET_VALUED]:
                    begin_sliding(m, w, p, k)
            if m.compliant[k, BRISTLE] >= 0:
                for c in range(3):
                    if depth <= 0.0:  # a contact that begins, begins with bristles at rest
                        w.local[k, BRISTLES + c] = p.row[first + 3 + c, ROW_RATE] = 0.0
                    p.row[first + 3 + c, ROW_FREE] = p.row[first + 3 + c, ROW_RATE]
        closes = film_ends(m, k) and depth_ahead(m, w, p, k, h, ROW_RATE) >= 0.0
        for c in range(count):
            p.row[first + c, ROW_TRIED] = 0.0 if closes else p.row[first + c, ROW_RATE]
        if is_active(m, w, k):
            linearise_joint(m, w, p, k, h)
    for n in range(m.rubbing.shape[0]):  # no impulse of any of them is known yet
        linearise_rub(m, w, p, m.rubbing[n], h)


@inlined
def ask_joints(m, w, p, h, column):
    """The forces of all joints for the velocities in `column`; False where one has none."""
    good = True
    for k in range(m.compliant.shape[0]):
        if is_active(m, w, k) and not ask_joint(m, w, p, k, h, column):
            good = False
    return good


@called
def unbalanced(m, w, p, operator, h, column):
    """|r| at the velocities in `column`, for the forces that were asked for there [m/s]."""
    total = 0.0
    for k in range(m.compliant.shape[0]):
        if is_active(m, w, k) and not is_nonsmooth(m, k):
            for a in range(m.compliant[k, UNKNOWNS]):
                r = m.compliant[k, UNKNOWN] + a
                x = p.row[r, column] - p.row[r, ROW_BASE]
                for j in range(m.compliant.shape[0]):
                    if is_active(m, w, j):
                        for b in range(m.compliant[j, UNKNOWNS]):
                            x -= h * delassus(p, operator, r, m.compliant[j, UNKNOWN] + b) * p.law[j, b, 7]
                if a >= 3 and m.compliant[k, BRISTLE] >= 0:
                    x /= h
                total += x * x
    return sqrt(total)


@called
def is_settled(m, w, p, operator, h):
    """Are the forces of the laws at the velocities found those that led there? Sets ROW_BASE, γ without them."""
    worst, pushed, fastest = 0.0, 0.0, 0.0
    for k in range(m.compliant.shape[0]):
        if not is_active(m, w, k):
            continue
        change = largest = 0.0
        for a in range(m.compliant[k, UNKNOWNS]):
            r = m.compliant[k, UNKNOWN] + a
            predicted, force = p.row[r, ROW_LOAD] / h, p.law[k, a, 7]
            if a == 3 and m.compliant[k, BRISTLE] >= 0:  # their rates, beside forces
                if change > worst * largest:
                    worst = change / largest
                    p.count[UNSOLVED_JOINT] = k
                change = largest = 0.0
            change = max(change, abs(predicted - force))
            largest = max(largest, abs(force), abs(predicted))
            x, base = 0.0, p.row[r, ROW_AFTER]
            for j in range(m.compliant.shape[0]):
                if is_active(m, w, j):
                    for b in range(m.compliant[j, UNKNOWNS]):
                        c = m.compliant[j, UNKNOWN] + b
                        d = delassus(p, operator, r, c)
                        base -= d * p.row[c, ROW_LOAD]
                        x += d * (p.row[c, ROW_LOAD] - h * p.law[j, b, 7])
            p.row[r, ROW_BASE] = base
            if a < 3 or m.compliant[k, BRISTLE] < 0:
                pushed = max(pushed, abs(x))
                fastest = max(fastest, abs(p.row[r, ROW_AFTER]), abs(p.row[r, ROW_FREE]))
        if largest > 0.0 and not change <= worst * largest:
            worst = change / largest
            p.count[UNSOLVED_JOINT] = k
    return worst <= CONVERGED or pushed <= ROUNDING * fastest


@inlined
def balls_agree(m, w, p, h):
    """Does what was found agree with contact and friction of all nonsmooth balls, and of ideal joints?"""
    agree = m.rubbing.shape[0] == 0 or rubs_agree(m, w, p, h)
    for k in range(m.compliant.shape[0]):
        if not rubs(m, k) and is_nonsmooth(m, k) and not ball_agrees(m, w, p, k, h):
            agree = False
    return agree


@inlined
def go_on_from_found(m, w, p, h):
    """Linearise all laws about the velocities found."""
    for k in range(m.compliant.shape[0]):
        for r in range(m.compliant[k, UNKNOWN], m.compliant[k, UNKNOWN] + m.compliant[k, UNKNOWNS]):
            p.row[r, ROW_TRIED] = p.row[r, ROW_AFTER]
        if is_active(m, w, k):
            linearise_joint(m, w, p, k, h)


@called
def improve_joints(m, w, p, operator, h):
    """Go on from the velocities found by the contact problem; True: the laws agree with them."""
    agree = balls_agree(m, w, p, h)
    good = ask_joints(m, w, p, h, ROW_AFTER)
    settled = is_settled(m, w, p, operator, h)
    if good and settled and agree:
        return True
    if good and settled:
        go_on_from_found(m, w, p, h)
        return False
    ask_joints(m, w, p, h, ROW_TRIED)
    before, share = unbalanced(m, w, p, operator, h, ROW_TRIED), 1.0
    for _ in range(HALVINGS):
        for k in range(m.compliant.shape[0]):
            for a in range(m.compliant[k, UNKNOWNS]):
                r = m.compliant[k, UNKNOWN] + a
                p.row[r, ROW_TRIAL] = p.row[r, ROW_TRIED] + share * (p.row[r, ROW_AFTER] - p.row[r, ROW_TRIED])
        good = ask_joints(m, w, p, h, ROW_TRIAL)
        if good and unbalanced(m, w, p, operator, h, ROW_TRIAL) <= (1.0 - 0.1 * share) * before:
            break
        share *= 0.5
    for k in range(m.compliant.shape[0]):
        if good or is_nonsmooth(m, k):
            for a in range(m.compliant[k, UNKNOWNS]):
                r = m.compliant[k, UNKNOWN] + a
                p.row[r, ROW_TRIED] = p.row[r, ROW_AFTER if is_nonsmooth(m, k) else ROW_TRIAL]
        if is_active(m, w, k):
            linearise_joint(m, w, p, k, h)
    return False
