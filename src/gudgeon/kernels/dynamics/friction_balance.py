"""Friction in ideal joints and the reactions that it depends on, found together.

With efforts f along given directions, loads and accelerations are linear in f, and friction is a function of loads:

    ℓ = ℓ₀ + R f,   f_k = φ_k(ℓ_k)

ℓ₀ are the loads without friction, the columns of R what a unit of effort does to them: one solution each with the
factors that the mechanism has anyway. Newton's method finds f; φ is piecewise smooth (norms of forces).

Loads are seminorms N of ℓ. With K_kj = φ'_k N_k(R_kj), the most by which friction at j can raise that at k, and κ the
largest eigenvalue of K, f ↦ φ(ℓ₀ + R f) contracts where κ < 1: there is one solution. Where κ ≥ 1 there may be none
(no motion with these velocities exists) or several: the paradoxes of Painlevé (1895). Then accelerations are nan, and
`jam` says which, and of which joint.
"""

from __future__ import annotations

from math import inf, nan, sqrt

from numba import void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.dynamics.arrays import (
    ACCELERATION,
    APPLIED,
    BRISTLE,
    BRISTLES,
    CHANGE,
    FORCE_ON_BALL,
    FREE_ACCELERATION,
    LOAD,
    LOCAL_COLUMNS,
    MODEL,
    RATE_OF,
    RUB_SLIDES,
    WORK,
)
from gudgeon.kernels.dynamics.dense_lu import factorise_dense, solve_dense
from gudgeon.kernels.dynamics.engine import answer_change, joint_loads, law_force
from gudgeon.kernels.elements.node_pins import pull_on_nodes
from gudgeon.kernels.elements.rub_motion import add_rub_push, push_by_rub
from gudgeon.kernels.elements.rubbing import bristle, pressed, slopes_by_load, speed_of
from gudgeon.kernels.elements.rubbing_arrays import (
    BALANCED,
    JAM,
    JAM_COEFFICIENT,
    JAM_LINE,
    JAM_RATIO,
    NO_BALANCE,
    SEVERAL_BALANCES,
)

ITERATIONS = 60  # of Newton's method, at most
HALVINGS = 12  # of one of its steps
CONTRACTIONS = 400  # of the fixed point where Newton's method fails
ROUNDING = 2e-15  # relative residual that ends both
NEARLY = 1e-12  # relative residual that is good enough where rounding leaves no more
SAME = 1e-6  # relative difference of two balances that are one
FAR = 1e3  # times the efforts: where the search for another balance starts
GROWTHS = 60  # of the power method for κ
SHARES = 64  # in which friction grows where Newton's method fails


@inlined
def keep(m, w, out):
    """Accelerations and multipliers held in `w`, one after the other."""
    n = 0
    for b in range(w.body.shape[0]):
        for c in range(6):
            out[n] = w.body[b, ACCELERATION + c]
            n += 1
    for d in range(w.freedom.shape[0]):
        out[n] = w.freedom[d, FREE_ACCELERATION]
        n += 1
    for r in range(w.multiplier.shape[0]):
        out[n] = w.multiplier[r]
        n += 1


@inlined
def put_back(m, w, q):
    """The accelerations and multipliers without friction, and what the efforts found do to them."""
    n, rubs = 0, q.effort.shape[0]
    for b in range(w.body.shape[0]):
        for c in range(6):
            x = q.start[n]
            for a in range(rubs):
                x += q.effort[a] * q.answer[a, n]
            w.body[b, ACCELERATION + c] = x
            n += 1
    for d in range(w.freedom.shape[0]):
        x = q.start[n]
        for a in range(rubs):
            x += q.effort[a] * q.answer[a, n]
        w.freedom[d, FREE_ACCELERATION] = x
        n += 1
    for r in range(w.multiplier.shape[0]):
        x = 0.0
        for a in range(rubs):
            x += q.effort[a] * q.answer[a, n]
        w.increment[r] = x
        w.multiplier[r] = q.start[n] + x
        n += 1
    if w.body.shape[0] > m.body.shape[0]:
        pull_on_nodes(m, w, w.increment)


@called
def choose_direction(m, w, q, a, k):
    """The direction in which the effort of line k acts at its present sliding; returns whether it acts at all."""
    x, slides = w.local[k], m.compliant[k, RUB_SLIDES]
    speed, size = speed_of(m, x, k), 0.0
    for c in range(3):
        q.direction[a, c] = 0.0
    if slides == 1:
        q.direction[a, 0] = 1.0 if x[RATE_OF] < 0.0 else -1.0
        return speed > 0.0 or m.compliant[k, BRISTLE] >= 0
    for c in range(slides):
        along = x[RATE_OF + c]
        if m.compliant[k, BRISTLE] >= 0:
            along = bristle(m, k, x[BRISTLES + c], x[RATE_OF + c], speed)[1]
        q.direction[a, c] = -along
        size += along * along
    size = sqrt(size)
    for c in range(slides):
        q.direction[a, c] = q.direction[a, c] / size if size > 0.0 else 0.0
    return size > 0.0


@inlined
def set_loads(m, w, q, a, k, effort):
    """The motion of line k, and its load under the given efforts, into the line of `local` for trials."""
    trial = m.compliant.shape[0]
    for c in range(LOCAL_COLUMNS):
        w.local[trial, c] = w.local[k, c]
    for e in range(6):
        x = q.base[a, e]
        for b in range(effort.shape[0]):
            x += q.felt[a, b, e] * effort[b]
        w.local[trial, LOAD + e] = x


@inlined
def friction_now(m, w, q, a, k):
    """The effort of line k for the motion and load in the line for trials."""
    trial, value = m.compliant.shape[0], 0.0
    law_force(m, w, k, trial, trial)
    for c in range(m.compliant[k, RUB_SLIDES]):
        value += q.direction[a, c] * w.force[trial, FORCE_ON_BALL + c]
    return q.share[0] * value


@called
def missing(m, w, q, effort):
    """φ(ℓ₀ + R f) − f into `q.x`; returns the largest of them, and the largest effort."""
    worst = largest = 0.0
    for a in range(effort.shape[0]):
        set_loads(m, w, q, a, m.rubbing[a], effort)
        value = friction_now(m, w, q, a, m.rubbing[a])
        q.x[a] = value - effort[a]
        if not abs(q.x[a]) <= worst:
            worst = abs(q.x[a])
        largest = max(largest, abs(value), abs(effort[a]))
    return worst, largest


@called
def newton_step(m, w, q):
    """The change of the efforts that makes the residuals in `q.x` vanish; returns the largest."""
    rubs, most = q.effort.shape[0], 0.0
    for a in range(rubs):
        k = m.rubbing[a]
        set_loads(m, w, q, a, k, q.effort)
        slopes_by_load(m, w, k, m.compliant.shape[0])
        for b in range(rubs):
            x = 1.0 if a == b else 0.0
            for c in range(m.compliant[k, RUB_SLIDES]):
                for e in range(6):
                    x -= q.share[0] * q.direction[a, c] * q.slope[c, e] * q.felt[a, b, e]
            q.matrix[a, b] = x
        q.step[a] = q.x[a]
    factorise_dense(q.matrix, q.pivot, rubs)
    solve_dense(q.matrix, q.pivot, rubs, q.step)
    for a in range(rubs):
        if not abs(q.step[a]) <= most:
            most = abs(q.step[a])
    return most


@inlined
def go_on(q, share):
    """The efforts after a share of the step, into `q.trial`."""
    for a in range(q.effort.shape[0]):
        q.trial[a] = q.effort[a] + share * q.step[a]


@called
def find_balance(m, w, q):
    """Newton's method from the efforts in `q`; returns whether it has found a balance."""
    worst, largest = missing(m, w, q, q.effort)
    for _ in range(ITERATIONS):
        if worst <= ROUNDING * largest:
            return True
        most = newton_step(m, w, q)
        if not most < inf:
            return False
        share, before, last = 1.0, worst, most <= NEARLY * largest
        for _ in range(1 if last else HALVINGS):
            go_on(q, share)
            worst, largest = missing(m, w, q, q.trial)
            if worst < (1.0 - 0.1 * share) * before:
                break
            share *= 0.5
        if not (last or worst < before):
            return before <= NEARLY * largest
        for a in range(q.effort.shape[0]):
            q.effort[a] = q.trial[a]
        if last:
            return True
    return worst <= NEARLY * largest


@called
def follow(m, w, q):
    """The balance that grows out of no friction, as friction grows; returns whether there is one with all of it."""
    found = True
    for a in range(q.effort.shape[0]):
        q.effort[a] = 0.0
    for n in range(SHARES):
        q.share[0] = (n + 1.0) / SHARES
        found = found and find_balance(m, w, q)
    q.share[0] = 1.0
    return found


@called
def contract(m, w, q):
    """The fixed point by repetition, which κ < 1 lets converge."""
    for a in range(q.effort.shape[0]):
        q.effort[a] = 0.0
    for _ in range(CONTRACTIONS):
        worst, largest = missing(m, w, q, q.effort)
        if worst <= NEARLY * largest:
            return True
        for a in range(q.effort.shape[0]):
            q.effort[a] += q.x[a]
    return False


@called
def largest_rise(m, w, q):
    """κ at the efforts in `q`, and the place of the rub it is about; `q.trial`: in which proportion efforts would rise.

    No sum of a row of K is below κ: where all are small, the largest of them is told instead.
    """
    rubs, ratio, at = q.effort.shape[0], 0.0, 0
    for a in range(rubs):
        k, row = m.rubbing[a], 0.0
        set_loads(m, w, q, a, k, q.effort)
        q.coefficient[a], by_thrust = slopes_by_load(m, w, k, m.compliant.shape[0])
        for b in range(rubs):
            normal, thrust = pressed(m, k, q.felt[a, b], 0)
            q.matrix[a, b] = q.coefficient[a] * normal + by_thrust * thrust
            row += q.matrix[a, b]
        q.trial[a] = 1.0
        if row > ratio:
            ratio, at = row, a
    if rubs == 1 or ratio < 1.0:
        return ratio, at
    for _ in range(GROWTHS):
        ratio = 0.0
        for a in range(rubs):
            q.x[a] = 0.0
            for b in range(rubs):
                q.x[a] += q.matrix[a, b] * q.trial[b]
            if q.x[a] > ratio:
                ratio, at = q.x[a], a
        for a in range(rubs):
            q.trial[a] = q.x[a] / ratio if ratio > 0.0 else 0.0
    return ratio, at


@called
def solve_balance(m, w, q):
    """Find the efforts; BALANCED, or what is wrong."""
    rubs = q.effort.shape[0]
    for a in range(rubs):
        q.effort[a] = 0.0
    worst, scale = missing(m, w, q, q.effort)
    if not worst < inf:
        return BALANCED  # other forces are no numbers
    found = find_balance(m, w, q)  # from no friction: of several balances, the first on the way from there
    ratio, at = largest_rise(m, w, q)
    q.jam[JAM_RATIO], q.jam[JAM_LINE], q.jam[JAM_COEFFICIENT] = ratio, m.rubbing[at], q.coefficient[at]
    if ratio < 1.0:
        return BALANCED if found or contract(m, w, q) else NO_BALANCE
    found = found or follow(m, w, q)
    if rubs == 1:
        return SEVERAL_BALANCES if found else NO_BALANCE
    for a in range(rubs):
        q.kept[a], q.effort[a] = q.effort[a], FAR * scale * q.trial[a]
    other, apart = find_balance(m, w, q), 0.0
    if not (found or other):
        return NO_BALANCE
    for a in range(rubs):
        apart = max(apart, abs(q.effort[a] - q.kept[a]))
        if found:
            q.effort[a] = q.kept[a]
    return SEVERAL_BALANCES if found and other and apart > SAME * scale else BALANCED


@addressed(void(MODEL, WORK))
def balance_of_friction(m, w):
    """Add friction in ideal joints to accelerations, multipliers and forces that `w` holds without it."""
    q, rubs = w.rubbing, m.rubbing.shape[0]
    joint_loads(m, w, APPLIED)
    keep(m, w, q.start)
    for a in range(rubs):
        for e in range(6):
            q.base[a, e] = w.local[m.rubbing[a], LOAD + e]
    for a in range(rubs):
        k = m.rubbing[a]
        acts = choose_direction(m, w, q, a, k)
        if acts:
            w.body[:, CHANGE : CHANGE + 6] = 0.0
            for c in range(m.compliant[k, RUB_SLIDES]):
                add_rub_push(m, w, k, c, q.direction[a, c], CHANGE)
            answer_change(m, w)
            keep(m, w, q.answer[a])
            joint_loads(m, w, CHANGE)
        else:
            q.answer[a, :] = 0.0
        for b in range(rubs):
            for e in range(6):
                q.felt[b, a, e] = w.local[m.rubbing[b], LOAD + e] if acts else 0.0
    q.jam[JAM] = solve_balance(m, w, q)
    put_back(m, w, q)
    for a in range(rubs):
        k = m.rubbing[a]
        set_loads(m, w, q, a, k, q.effort)
        for e in range(6):
            w.local[k, LOAD + e] = w.local[m.compliant.shape[0], LOAD + e]
        law_force(m, w, k, k, k)
        push_by_rub(m, w, k, APPLIED)
    if q.jam[JAM] != BALANCED:
        w.body[1 : m.body.shape[0], ACCELERATION : ACCELERATION + 6] = nan  # the ground stays where it is
        w.freedom[:, FREE_ACCELERATION] = nan
