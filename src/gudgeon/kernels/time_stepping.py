"""Nonsmooth time stepping of the Moreau–Jean family, extrapolated: second order where the motion is smooth.

A step of h from (q, v), all forces and directions taken at its begin, all stiff and set-valued ones at its end:

    rigid bodies       v⁺ = v + h a(q, v, t) + Σ W Λ,              q⁺ = q ⊕ h v⁺
    flexible bodies    (M + hC + h²K) u̇⁺ = M u̇ + h (f − K u) + Bᵀ Λ,   u⁺ = u + h u̇⁺       (one factorisation)
    impulses Λ         the contact problem at v⁺, u̇⁺ (contact_problem.py)

It is of first order, L-stable in all that is stiff, and keeps every set-valued law at its end. One step of h and two of
h/2 are taken; where no contact changes its mode, 2 y(h/2, h/2) − y(h) is of second order, elsewhere the two half steps
are the result. Their difference controls the step. Source: Moreau (1988); Jean (1999); Acary and Brogliato (2008),
chapter 10; extrapolation of the linearly implicit Euler method: Deuflhard, Hairer, Zugck (1987).
"""

from __future__ import annotations

from math import isfinite, sqrt

from gudgeon.fem.kernels import solve as solve_nodes
from gudgeon.kernels.absolute import constrained_accelerations
from gudgeon.kernels.arrays import (
    ACCELERATION,
    POSITIONS,
    VELOCITIES,
    WORK_STATE,
)
from gudgeon.kernels.compiled import called, compiled, inlined
from gudgeon.kernels.contact_problem import solve_contacts
from gudgeon.kernels.crossings import crossing_gaps, record_crossings
from gudgeon.kernels.dense import evaluate_dense
from gudgeon.kernels.flight import (
    DONE,
    END,
    EVALUATIONS,
    FULL,
    MORE,
    NOT_A_NUMBER,
    PROJECTION_TOLERANCE,
    REJECTED,
    RESIZE,
    SAMPLED,
    STARTED,
    STEP,
    STEPS,
    STOPPED,
    TIME,
    UNDERFLOW,
    copy,
    is_full,
)
from gudgeon.kernels.force_rows import (
    choose_near,
    first_contact_row,
    joint_rows,
    responses,
    slider_rows,
    through_nodes,
)
from gudgeon.kernels.joint_laws import CONVERGED, begin_joints, improve_joints, record_contacts
from gudgeon.kernels.loads import applied_forces, start_turns_near
from gudgeon.kernels.motion import project
from gudgeon.kernels.nodes import follower_forces, set_followers, stiffness_times
from gudgeon.kernels.poses import kinematics, move, normalise, pose_rates
from gudgeon.kernels.sampling import sample_is_due
from gudgeon.kernels.slider_arrays import GAP, GAP_RATE, HARD, PLAY, TOUCH_SPEED
from gudgeon.kernels.sliders import contact_motion
from gudgeon.kernels.stepper_arrays import (
    CALM,
    DEEPEST,
    EXTRAPOLATED,
    FAILURES,
    HITS,
    IMPACTS,
    LEVEL,
    LONGEST,
    OPEN,
    ROW_AFTER,
    ROW_CHANGE,
    ROW_FREE,
    ROW_LOAD,
    ROW_RATE,
    STICKING,
    TOLERANCE_A,
    TOLERANCE_R,
    TOO_LONG,
    TURNING,
    WANTED,
    WINDOW,
)

JOINT_ROUNDS = 12  # linearisations of the laws of compliant joints in a step, at most
AIMS = 8  # trials to end a step at an impact
HIT = 1e-13  # gap that counts as closed there [m]
MOST_HITS = 200  # impacts that are located within a step
AT_REST = 1e-12  # sliding that counts as sticking [m/s]
SLOW = 1e-6  # approach that takes no restitution [m/s]
STRUCK = 1e-11  # gap up to which contacts are struck together [m]
UNSETTLED = 1e9  # error of a step whose contact problem found no solution
CALM_STEPS = 8  # steps without trouble after which a longer one is tried


@called
def evaluate(m, w, s, p, t, y):
    """Everything at the begin of a step: accelerations without unknown forces, rows, responses, forces on the nodes."""
    kinematics(m, w, y)
    applied_forces(m, w, t, y)
    if m.compliant.shape[0] > 0:
        joint_rows(m, w, p, y)
    slider_rows(m, w, s, w.sliders, p, y)
    constrained_accelerations(m, w, t)
    choose_near(m, w, s, w.sliders, p, p.whole.step[0])
    follower_forces(w, s, p.force)
    if p.control[TURNING] > 0.0:
        through_nodes(p, p.whole)
        through_nodes(p, p.half)
    for b in range(1, m.body.shape[0]):
        for c in range(6):
            p.acceleration[6 * (b - 1) + c] = w.body[b, ACCELERATION + c]
    responses(m, w, p)


@inlined
def free_motion(m, s, p, operator, y):
    """Velocities after a step without unknown forces, and the relative velocities of the rows."""
    h, first, n, place = operator.step[0], m.layout[POSITIONS], s.mass.shape[0], s.place[0]
    for d in range(m.layout[VELOCITIES]):
        p.velocity[d] = y[first + d] + h * p.acceleration[d]
    if n > 0:
        u = y[place : place + n]
        for d in range(n):
            p.node_load[d] = s.mass[d] * y[place + n + d] + h * (p.force[d] - stiffness_times(s, u, d))
        solve_nodes(operator.factor, p.node_load, p.node_velocity, p.solve_work)
    for r in range(p.row.shape[0]):
        if p.near[r]:
            rate = 0.0
            for side in range(2):
                b = p.row_body[r, side]
                if b > 0:
                    for c in range(6):
                        rate += p.row_vector[r, 6 * side + c] * p.velocity[6 * (b - 1) + c]
            d = p.row_node[r]
            if d >= 0:
                rate += p.row_direction[r, 0] * p.node_velocity[d] + p.row_direction[r, 1] * p.node_velocity[d + 1]
            p.row[r, ROW_FREE] = rate


@inlined
def apply_impulses(m, s, p, operator, y, out):
    """The state after the step."""
    h, first, n, place = operator.step[0], m.layout[POSITIONS], s.mass.shape[0], s.place[0]
    copy(y, out)
    loaded = False
    for d in range(n):
        p.node_load[d] = 0.0
    for r in range(p.row.shape[0]):
        load = p.row[r, ROW_LOAD]
        if not p.near[r] or load == 0.0:
            continue
        if p.on_bodies[r]:
            for d in range(m.layout[VELOCITIES]):
                p.velocity[d] += p.W[r, d] * load
        d = p.row_node[r]
        if d >= 0:
            loaded = True
            p.node_load[d] += p.row_direction[r, 0] * load
            p.node_load[d + 1] += p.row_direction[r, 1] * load
    if n > 0:
        for d in range(n):
            out[place + n + d] = p.node_velocity[d]
        if loaded:
            solve_nodes(operator.factor, p.node_load, p.node_velocity, p.solve_work)
            for d in range(n):
                out[place + n + d] += p.node_velocity[d]
        for d in range(n):
            out[place + d] += h * out[place + n + d]
    for d in range(m.layout[VELOCITIES]):
        out[first + d] = p.velocity[d]
        p.velocity[d] *= h
    move(m, out, p.velocity)
    set_followers(m, s, out, p.orientation)


@called
def step(m, w, s, p, operator, modes, y, out):
    """One step from the state that `evaluate` has seen."""
    h = operator.step[0]
    free_motion(m, s, p, operator, y)
    if m.compliant.shape[0] > 0:
        begin_joints(m, w, p, h)
    for _ in range(JOINT_ROUNDS):
        solve_contacts(m, w, s, w.sliders, p, operator, modes)
        if m.compliant.shape[0] == 0 or improve_joints(m, w, p, h) <= CONVERGED:
            break
    apply_impulses(m, s, p, operator, y, out)
    for k in range(m.compliant.shape[0]):  # dissipated energy
        out[m.compliant[k, WORK_STATE]] += h * p.power[k, 0]


@inlined
def too_long(s, w, h):
    """Would a surface point cross its clearance within a step?"""
    for c in range(s.contact.shape[0]):
        line = w.sliders.contact[c]
        if -line[GAP_RATE] * h > s.contact_vector[c, PLAY] and line[GAP] > 0.0:
            return True
    return False


@inlined
def same_modes(p):
    """Has no contact changed its mode within the step?"""
    for c in range(p.mode.shape[1]):
        a, b, d = p.mode[0, c, 0], p.mode[1, c, 0], p.mode[2, c, 0]
        if a != b or b != d:
            return False
        if a != OPEN and (p.mode[0, c, 1] != p.mode[1, c, 1] or p.mode[1, c, 1] != p.mode[2, c, 1]):
            return False
    return True


@inlined
def error_of(m, s, p):
    """Difference of the two results in positions, against the tolerance."""
    worst, a, r = 0.0, p.control[TOLERANCE_A], p.control[TOLERANCE_R]
    for i in range(m.layout[POSITIONS]):
        worst = max(worst, abs(p.y_half[i] - p.y_whole[i]) / (a + r * abs(p.y_half[i])))
    first = s.place[0]
    for i in range(first, first + s.mass.shape[0]):
        worst = max(worst, abs(p.y_half[i] - p.y_whole[i]) / (a + r * abs(p.y_half[i])))
    return worst


@called
def try_step(m, w, s, p, f, t):
    """A whole step and two half steps into `f.y_new`, from the state `f.y` that `evaluate` has seen.

    Returns the error against the tolerance, −1 if the step is too long.
    """
    h, modes = p.whole.step[0], p.mode
    if too_long(s, w, h):
        return -1.0
    for c in range(modes.shape[1]):
        for e in range(2):
            modes[1, c, e] = modes[2, c, e] = modes[0, c, e]
    step(m, w, s, p, p.whole, modes[1], f.y, p.y_whole)
    step(m, w, s, p, p.half, modes[2], f.y, p.y_half)
    evaluate(m, w, s, p, t + 0.5 * h, p.y_half)
    step(m, w, s, p, p.half, modes[2], p.y_half, f.y_new)
    copy(f.y_new, p.y_half)
    for r in range(p.row.shape[0]):
        p.last_force[r] = p.row[r, ROW_LOAD] / p.half.step[0] if p.near[r] else 0.0
    error = error_of(m, s, p) if p.control[TOLERANCE_R] > 0.0 else 0.0
    if same_modes(p):
        p.count[EXTRAPOLATED] += 1
        for i in range(f.y.shape[0]):
            f.y_new[i] = 2.0 * p.y_half[i] - p.y_whole[i]
        normalise(m, f.y_new)
        set_followers(m, s, f.y_new, p.orientation)
    return error


@called
def interpolant(m, f, p, h):
    """The polynomial of the step: cubic in positions, linear in all else."""
    pose_rates(m, f.y, p.y_whole)
    pose_rates(m, f.y_new, p.y_half)
    for i in range(f.y.shape[0]):
        change = f.y_new[i] - f.y[i]
        f.dense[0, i] = change
        f.dense[1, i] = f.dense[2, i] = 0.0
        if i < m.layout[POSITIONS]:
            f.dense[1, i] = h * p.y_whole[i] - change
            f.dense[2, i] = 2.0 * change - h * (p.y_half[i] + p.y_whole[i])


@inlined
def write_step_samples(f, p, t, h, until):
    """All samples up to the fraction `until` of the last step."""
    while f.count[SAMPLED] < f.times.shape[0]:
        x = (f.times[f.count[SAMPLED]] - t) / h
        if x > until:
            return
        evaluate_dense(f.y, f.dense, x, f.samples[f.count[SAMPLED]])
        copy(p.last_force, f.force_samples[f.count[SAMPLED]])
        f.count[SAMPLED] += 1


@inlined
def remember(s, w, p, first):
    """Modes and begins of contacts for the next step."""
    for c in range(p.mode.shape[1]):
        p.mode[0, c, 0], p.mode[0, c, 1] = p.mode[2, c, 0], p.mode[2, c, 1]
        touch = w.sliders.touch
        if abs(p.row[first + 2 * c + 1, ROW_AFTER]) < AT_REST:  # others may have stopped it
            p.mode[0, c, 1] = STICKING
        if p.mode[2, c, 0] == OPEN:
            touch[c, TOUCH_SPEED] = 0.0
        elif touch[c, TOUCH_SPEED] == 0.0:
            touch[c, TOUCH_SPEED] = max(-p.row[first + 2 * c, ROW_RATE], 1e-12)


@inlined
def count_turns(m, w, y):
    """Counted angles keep their full turns and take their fractions from the pose."""
    if m.turn.shape[0] > 0:
        kinematics(m, w, y)
        start_turns_near(m, w, y)


@inlined
def set_step(p, h):
    """The step size where there is no matrix that belongs to it."""
    p.whole.step[0], p.half.step[0] = h, 0.5 * h


@called
def advance_one(m, w, s, p, f, t):
    """Try a step; where it would run into hard contacts, one that ends at the first of them. See `try_step`.

    Impacts that follow each other closely are left to the contact problem: located are only approaches faster than
    what the free acceleration makes of a tenth of a step, and at most MOST_HITS within a step.
    """
    contacts, h = s.contact.shape[0], p.whole.step[0]
    for c in range(contacts):
        p.held[c] = 0
    first, aim = first_contact_row(m), h
    evaluate(m, w, s, p, t, f.y)
    if s.mass.shape[0] > 0:  # the step cannot be cut, its matrices are factorised
        return try_step(m, w, s, p, f, t)
    if p.count[HITS] >= MOST_HITS and t < p.control[WINDOW]:
        return try_step(m, w, s, p, f, t)
    for c in range(contacts):
        if s.contact[c, HARD] and p.mode[0, c, 0] == OPEN:
            aim = min(aim, time_to_impact(w.sliders, p, c, first + 2 * c, h))
    if aim >= h:
        return try_step(m, w, s, p, f, t)
    for c in range(contacts):
        free = p.mode[0, c, 0] == OPEN and w.sliders.contact[c, GAP] > 0.0
        p.held[c] = 1 if s.contact[c, HARD] and free else 0
    error = 0.0
    for _ in range(AIMS):
        set_step(p, aim)
        evaluate(m, w, s, p, t, f.y)
        error = try_step(m, w, s, p, f, t)
        kinematics(m, w, f.y_new)
        missed, change = 0.0, 0.0
        for c in range(contacts):
            if p.held[c]:
                contact_motion(s, w, w.sliders, f.y_new, c)
                gap, rate = w.sliders.contact[c, GAP], w.sliders.contact[c, GAP_RATE]
                if rate < 0.0 and (change == 0.0 or aim - gap / rate < aim - missed):
                    missed, change = gap / rate, rate
        if change == 0.0 or abs(missed * change) <= HIT:
            break
        aim = min(max(aim - missed, 0.1 * aim), 2.0 * aim)
    return error


@inlined
def time_to_impact(sw, p, c, r, h):
    """When an open hard contact closes under its free acceleration; h or more: not in this step, or too slowly."""
    gap, rate, change = sw.contact[c, GAP], p.row[r, ROW_RATE], p.row[r, ROW_CHANGE]
    if gap <= 0.0 or gap + h * (rate + 0.5 * h * change) > 0.0:
        return h
    inside = rate * rate - 2.0 * gap * change
    if inside <= 0.0:
        return h
    speed = sqrt(inside)
    if speed < 0.1 * h * abs(change):
        return h
    return 2.0 * gap / (speed - rate)


@called
def impact(m, w, s, p, t, y):
    """Velocities jump by Newton's law where held contacts have closed; all that are closed take part."""
    h = p.whole.step[0]
    set_step(p, 1e-9 * h)
    evaluate(m, w, s, p, t, y)
    first = first_contact_row(m)
    for r in range(p.row.shape[0]):
        p.near[r] = 0
        p.row[r, ROW_FREE] = p.row[r, ROW_RATE]
    for c in range(s.contact.shape[0]):
        r = first + 2 * c
        if s.contact[c, HARD] and w.sliders.contact[c, GAP] <= STRUCK:
            if p.row[r, ROW_RATE] > -SLOW:
                p.row[r, ROW_RATE] = max(p.row[r, ROW_RATE], 0.0)  # at rest: it takes no restitution
            p.near[r] = p.near[r + 1] = 1
            p.row[r, ROW_CHANGE] = -1e300
        p.mode[2, c, 0] = OPEN
    responses(m, w, p)
    solve_contacts(m, w, s, w.sliders, p, p.whole, p.mode[2])
    place = m.layout[POSITIONS]
    for r in range(p.row.shape[0]):
        if p.near[r]:
            for d in range(m.layout[VELOCITIES]):
                y[place + d] += p.W[r, d] * p.row[r, ROW_LOAD]
    for c in range(s.contact.shape[0]):
        rests = p.near[first + 2 * c] and abs(p.row[first + 2 * c, ROW_AFTER]) < SLOW
        p.mode[0, c, 0] = p.mode[2, c, 0] if rests else OPEN
        p.mode[0, c, 1] = p.mode[2, c, 1]
    p.count[IMPACTS] += 1
    set_step(p, h)
    if t > p.control[WINDOW]:
        p.control[WINDOW] = t + p.control[LONGEST] / 2.0 ** p.count[LEVEL]
        p.count[HITS] = 0
    p.count[HITS] += 1


@compiled
def advance(m, w, f, p, step_budget):
    """Go on for at most `step_budget` steps; says how it ended."""
    s, clock, count = m.sliders, f.clock, f.count
    crossings = f.gaps.shape[1]
    first = first_contact_row(m)
    if count[STARTED] == 0:
        if crossings > 0:
            crossing_gaps(m, w, f.y, f.gaps[0])
        while sample_is_due(f, clock[TIME]):
            copy(f.y, f.samples[count[SAMPLED]])
            copy(p.last_force, f.force_samples[count[SAMPLED]])
            count[SAMPLED] += 1
        count[STARTED] = 1
    spent = 0
    while True:
        if s.mass.shape[0] == 0:
            p.count[LEVEL] = p.count[WANTED]
            set_step(p, p.control[LONGEST] / 2.0 ** p.count[LEVEL])
        t, h = clock[TIME], p.whole.step[0]
        clock[STEP] = h
        if clock[END] - t <= 1e-9 * h:
            return DONE
        if spent >= step_budget:
            return MORE
        if is_full(m, f):
            return FULL
        if p.count[WANTED] != p.count[LEVEL]:
            return RESIZE
        spent += 1
        failures = p.count[FAILURES]
        error = advance_one(m, w, s, p, f, t)
        hits = p.whole.step[0] != h
        if p.count[FAILURES] > failures and error >= 0.0:
            error = UNSETTLED
            if p.count[LEVEL] + 1 < p.control[DEEPEST]:
                p.count[FAILURES] = failures  # a shorter step may settle
        h = p.whole.step[0]
        count[EVALUATIONS] += 2
        if error < 0.0 or error > 1.0:
            count[REJECTED] += 1
            if error < 0.0:
                p.count[TOO_LONG] += 1
            p.count[CALM] = 0
            if p.count[LEVEL] + 1 < p.control[DEEPEST]:
                p.count[WANTED] = p.count[LEVEL] + 1
                continue
            if error < 0.0:
                return UNDERFLOW
        if w.row.shape[0] > 0:
            project(m, w, t + h, f.y_new, clock[PROJECTION_TOLERANCE])
        if hits:
            impact(m, w, s, p, t + h, f.y_new)
        for i in range(f.y.shape[0]):
            if not isfinite(f.y_new[i]):
                return NOT_A_NUMBER
        count[STEPS] += 1
        p.count[CALM] += 1
        stop = 2.0
        t_new = clock[END] if abs(clock[END] - t - h) < 1e-6 * h else t + h  # many sums of h miss it by rounding
        if sample_is_due(f, t_new) or crossings > 0:
            interpolant(m, f, p, h)
            if crossings > 0:
                stop = record_crossings(m, w, f, t, t_new - t)
            write_step_samples(f, p, t, t_new - t, min(stop, 1.0) * (1.0 + 1e-9))
        if not hits:
            remember(s, w, p, first)
        if m.compliant.shape[0] > 0:
            record_contacts(m, w, f, p, t_new)
        rest = (clock[END] - t) / (t_new - t)
        if stop <= 1.0 or rest < 1.0:
            interpolant(m, f, p, h)
            evaluate_dense(f.y, f.dense, min(stop, rest), f.y_new)
            copy(f.y_new, f.y)
            copy(p.last_force, f.end_force)
            clock[TIME] = clock[END] if rest < stop else t + stop * h
            return DONE if rest < stop else STOPPED
        copy(f.y_new, f.y)
        count_turns(m, w, f.y)
        clock[TIME] = t_new
        if p.count[LEVEL] > 0 and p.count[CALM] >= CALM_STEPS and error < 0.2:
            p.count[WANTED] = p.count[LEVEL] - 1
            p.count[CALM] = 0
