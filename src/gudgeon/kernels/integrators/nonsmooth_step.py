"""Nonsmooth time stepping of the Moreau–Jean family, extrapolated: second order where the motion is smooth.

A step of h from (q, v), all forces and directions taken at its begin, all stiff and set-valued ones at its end:

    rigid bodies       v⁺ = v + h a(q, v, t) + Σ W Λ,              q⁺ = q ⊕ h v⁺
    flexible bodies    (M + hC + h²K) u̇⁺ = M u̇ + h (f − K u) + Bᵀ Λ,   u⁺ = u + h u̇⁺       (one factorisation)
    controllers        (1 − h ∂f/∂x) (x⁺ − x) = h f(t⁺, q⁺, v⁺, x)
    impulses Λ         the contact problem at v⁺, u̇⁺ (contact/problem.py)

It is of first order, L-stable in all that is stiff, and keeps every set-valued law at its end. One step of h and two of
h/2 are taken; where no contact changes its mode, 2 y(h/2, h/2) − y(h) is of second order, elsewhere the two half steps
are the result. Their difference controls the step. Source: Moreau (1988); Jean (1999); Acary and Brogliato (2008),
chapter 10; extrapolation of the linearly implicit Euler method: Deuflhard, Hairer, Zugck (1987).
"""

from __future__ import annotations

from math import inf

from gudgeon.fem.kernels import solve as solve_nodes
from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.contact.force_rows import (
    choose_near,
    first_contact_row,
    joint_rows,
    point_rows,
    responses,
    through_nodes,
)
from gudgeon.kernels.contact.gaps import depth_in
from gudgeon.kernels.contact.joint_contacts import (
    closed_film,
    may_touch,
    note_pushes,
    recall_joints,
    same_joint_modes,
)
from gudgeon.kernels.contact.joint_laws import begin_joints, improve_joints
from gudgeon.kernels.contact.problem import solve_contacts
from gudgeon.kernels.dynamics.arrays import (
    APPLIED,
    BRISTLE,
    CLEARANCE,
    FLIGHT,
    IMPACT_SPEED,
    LOAD,
    MODE,
    OMEGA,
    POSITIONS,
    RATE_OF,
    SOCKET_RADIUS,
    UNKNOWN,
    USED_SIGNALS,
    VELOCITIES,
    WORK_STATE,
)
from gudgeon.kernels.dynamics.controls import control_slopes, solve_implicitly
from gudgeon.kernels.dynamics.engine import (
    accelerate_factorised,
    all_rows,
    applied_forces,
    factorised_rows,
    joint_loads,
    kinematics,
    signals,
)
from gudgeon.kernels.dynamics.motion import velocity_rates
from gudgeon.kernels.dynamics.response import rate_of_row
from gudgeon.kernels.dynamics.state_places import first_control
from gudgeon.kernels.elements.nodes import forces_on_nodes, hold_followers, set_followers, stiffness_times
from gudgeon.kernels.elements.point_arrays import (
    GAP,
    GAP_RATE,
    IN_PIN_FIRST,
    IN_PIN_SECOND,
    PIN_ACROSS,
    PIN_ALONG,
    PIN_FIRST,
    PIN_NODE,
    PIN_SECOND,
    PLAY,
)
from gudgeon.kernels.elements.points import contact_line
from gudgeon.kernels.integrators.run import (
    control_tolerance,
    copy,
)
from gudgeon.kernels.integrators.stepper_arrays import (
    EXTRAPOLATED,
    OPEN,
    ROW_AFTER,
    ROW_CHANGE,
    ROW_FREE,
    ROW_LOAD,
    ROW_RATE,
    TALLY_COLUMNS,
    TALLY_IMPULSE,
    TALLY_LOSS,
    TALLY_PEAK,
    TOLERANCE_A,
    TOLERANCE_R,
    WALL_MOVES,
)
from gudgeon.kernels.kinematics.poses import move, normalise
from gudgeon.kernels.kinematics.rotation import rotated
from gudgeon.kernels.kinematics.vectors import dot, get, vector_product

JOINT_ROUNDS = 40  # linearisations of the laws of compliant joints in a step, at most

# why a step is not taken
TOO_LONG_STEP = -1.0  # a point or ball would cross its clearance
UNSOLVED_STEP = -2.0  # the law of a compliant joint is not met
CLOSING_STEP = -3.0  # a film would end that nothing takes over


@called
def evaluate(m, w, p, t, y, modes, projected):
    """Everything at the begin of a step: accelerations without unknown forces, rows, responses, forces on the nodes.

    `projected` is 1 where `w` holds the factors that the projection of y has left, in absolute coordinates.
    """
    kinematics(m, w, y)
    applied_forces(m, w, t, y)
    if m.compliant.shape[0] > 0:
        joint_rows(m, w, p, y)
    point_rows(m, w, p, y)
    if projected:
        all_rows(m, w, t)
    else:
        factorised_rows(m, w, t)
    accelerate_factorised(m, w, t)
    if m.rubbing.shape[0] > 0:
        joint_loads(m, w, APPLIED)
        for a in range(m.rubbing.shape[0]):
            for e in range(6):
                p.rub_load[a, e] = w.local[m.rubbing[a], LOAD + e]
    choose_near(m, w, p, p.whole.step[0], modes)
    forces_on_nodes(m, w, p.force)
    elastic_forces(m, p, y)
    if p.control[WALL_MOVES] > 0.0:
        through_nodes(p, p.whole)
        through_nodes(p, p.half)
    velocity_rates(m, w, p.acceleration)
    responses(m, w, p)


@inlined
def elastic_forces(m, p, y):
    """Subtract K u from the forces on the nodes: of few nodes column by column, which runs in vector registers."""
    first, n, size, sums = m.flexible.place[0], m.flexible.mass.shape[0], p.stiffness.shape[1], p.solve_work
    if size == 0:
        u = y[first : first + n]
        for d in range(n):
            p.force[d] -= stiffness_times(m.flexible, u, d)
        return
    for i in range(size):
        sums[i] = 0.0
    for d in range(0, n, 2):
        u, v, one, two = y[first + d], y[first + d + 1], p.stiffness[d], p.stiffness[d + 1]
        for i in range(size):
            sums[i] = (sums[i] + one[i] * u) + two[i] * v
    for d in range(n):
        p.force[d] -= sums[d]


@called
def move_controls(m, w, p, t, h, y, out):
    """The states of controllers after a step to `out` at t + h; what `w` holds stays that of y at t."""
    first, last = first_control(m), int(m.settings[USED_SIGNALS])
    kinematics(m, w, out)
    signals(m, w, t + h, out, last)
    for k in range(m.control_rate.shape[0]):
        p.control_rate[k], p.control_x[k] = h * w.signal[m.control_rate[k]], 0.0
    control_slopes(m, w, t + h, out, p.control_x, p.control_slope)
    solve_implicitly(p.control_slope, h, p.control_matrix, p.control_pivot, p.control_rate)
    for k in range(m.control_rate.shape[0]):
        out[first + k] += p.control_rate[k]
    kinematics(m, w, y)
    signals(m, w, t, y, last)


@inlined
def swung(w, b, vectors, k, at):
    """ω × (ω × s) of a point of body b, given in its axes."""
    omega = get(w.body, b, OMEGA)
    return vector_product(omega, vector_product(omega, rotated(w.body, b, vectors, k, at)))


@inlined
def at_the_end(m, w, p, r, k, axis, h, second):
    """What is to be added to γ of row r of pin k so that the pin holds with the directions at the end of a step.

    With the acceleration x of its gap at constant velocities (of the state) that is h x. The step then leaves a gap of
    −h² x/2, which extrapolation takes away: the second half step must not. Otherwise a stiff pin has velocities wrong
    by some h x after each step, and with them all forces that depend on velocities.
    """
    first, n = m.layout[POSITIONS], get(m.points.pin_vector, k, axis)
    swing = -dot(n, swung(w, m.points.pin[k, PIN_FIRST], m.points.pin_vector, k, IN_PIN_FIRST))
    if m.points.pin[k, PIN_NODE] < 0:
        swing += dot(n, swung(w, m.points.pin[k, PIN_SECOND], m.points.pin_vector, k, IN_PIN_SECOND))
    whole = swing
    if m.tree.shape[0] > 0:  # the change of γ has the rate of G already
        own = rate_of_row(m, p.push, r, p.acceleration[first : first + m.layout[VELOCITIES]])
        whole += p.row[r, ROW_CHANGE] - own
    return h * (swing + 0.5 * second * whole)


@inlined
def free_motion(m, w, p, operator, y, second):
    """Velocities after a step without unknown forces, and the relative velocities of the rows."""
    h, first, n, place = operator.step[0], m.layout[POSITIONS], m.flexible.mass.shape[0], m.flexible.place[0]
    for d in range(m.layout[VELOCITIES]):
        p.velocity[d] = y[first + d] + h * p.acceleration[first + d]
    if n > 0:
        for d in range(n):
            p.node_load[d] = m.flexible.mass[d] * y[place + n + d] + h * p.force[d]
        solve_nodes(operator.factor, p.node_load, p.node_velocity, p.solve_work)
    pins = first_contact_row(m) + 2 * m.points.wall.shape[0]
    for r in range(p.row.shape[0]):
        if p.near[r]:
            d, at = p.row_node[r], place + n + p.row_node[r]
            if m.tree.shape[0] > 0:  # G changes with the pose: its rate is in the accelerations of the bodies
                rate = p.row[r, ROW_RATE] + h * p.row[r, ROW_CHANGE]
                if d >= 0:
                    rate -= p.row_direction[r, 0] * y[at] + p.row_direction[r, 1] * y[at + 1]
            else:
                rate = rate_of_row(m, p.push, r, p.velocity) if p.on_bodies[r] else 0.0
            if d >= 0:
                rate += p.row_direction[r, 0] * p.node_velocity[d] + p.row_direction[r, 1] * p.node_velocity[d + 1]
            k = r - pins
            if k >= 0 and p.on_bodies[r]:
                axis = PIN_ALONG + k % 2 * (PIN_ACROSS - PIN_ALONG)
                rate += at_the_end(m, w, p, r, k // 2, axis, h, second)
            p.row[r, ROW_FREE] = rate


@inlined
def apply_impulses(m, p, operator, y, out):
    """The state after the step."""
    h, first, n, place = operator.step[0], m.layout[POSITIONS], m.flexible.mass.shape[0], m.flexible.place[0]
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
                p.velocity[d] += p.push.W[r, d] * load
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
    if m.tree.shape[0] == 0:
        hold_followers(m, p.velocity)
    move(m, out, p.velocity)


@called
def step(m, w, p, operator, modes, t, y, out, second):
    """One step from the state that `evaluate` has seen; False: the laws of the compliant joints are not met.

    `second` is 1 for the second of two half steps.
    """
    h = operator.step[0]
    free_motion(m, w, p, operator, y, second)
    if m.compliant.shape[0] > 0:
        begin_joints(m, w, p, h)
    settled = False
    for _ in range(JOINT_ROUNDS):
        solve_contacts(m, w, p, operator, modes)
        settled = m.compliant.shape[0] == 0 or improve_joints(m, w, p, operator, h)
        if settled:
            break
    apply_impulses(m, p, operator, y, out)
    if m.control_rate.shape[0] > 0:
        set_followers(m, out, p.orientation)
        move_controls(m, w, p, t, h, y, out)
    for k in range(m.compliant.shape[0]):  # dissipated energy, and bristles
        out[m.compliant[k, WORK_STATE]] += h * p.power[k, 0]
        if m.compliant[k, BRISTLE] >= 0:
            for c in range(3):
                out[m.compliant[k, BRISTLE] + c] = p.row[m.compliant[k, UNKNOWN] + 3 + c, ROW_AFTER]
    return settled


@inlined
def clear_tally(p):
    """Nothing has happened at the walls."""
    for line in range(2):
        for c in range(p.tally.shape[1]):
            for e in range(TALLY_COLUMNS):
                p.tally[line, c, e] = 0.0


@inlined
def tally_contacts(m, p, h, line):
    """Add energy, impulse and force of every point at its wall in a step of h that has been solved."""
    r = first_contact_row(m)
    for c in range(p.tally.shape[1]):
        if p.near[r] and (p.row[r, ROW_LOAD] != 0.0 or p.row[r + 1, ROW_LOAD] != 0.0):
            total = p.tally[line, c]
            for e in range(2):
                total[TALLY_LOSS] -= 0.5 * p.row[r + e, ROW_LOAD] * (p.row[r + e, ROW_RATE] + p.row[r + e, ROW_AFTER])
            total[TALLY_IMPULSE] += p.row[r, ROW_LOAD]
            total[TALLY_PEAK] = max(total[TALLY_PEAK], p.row[r, ROW_LOAD] / h)
        r += 2


@inlined
def too_long(m, w, h):
    """Would a surface point or a ball cross its clearance within a step?"""
    for k in range(m.compliant.shape[0]):
        if may_touch(m, k):
            x, y, z = w.local[k, RATE_OF], w.local[k, RATE_OF + 1], w.local[k, RATE_OF + 2]
            if m.compliant_vector[k, SOCKET_RADIUS] == inf:  # not a ball: it may slide along its wall
                x, y, z = depth_in(m, w, k, k)[1], 0.0, 0.0
            if h * h * (x * x + y * y + z * z) > m.compliant_vector[k, CLEARANCE] ** 2:
                return True
    for c in range(m.points.wall.shape[0]):
        line = w.points.wall[c]
        if -line[GAP_RATE] * h > m.points.wall_vector[c, PLAY] and line[GAP] > 0.0:
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
def error_of(m, p, f):
    """Difference of the two results in positions and in states of controllers, against the tolerance."""
    worst, a, r = 0.0, p.control[TOLERANCE_A], p.control[TOLERANCE_R]
    for i in range(m.layout[POSITIONS]):
        worst = max(worst, abs(p.y_half[i] - p.y_whole[i]) / (a + r * abs(p.y_half[i])))
    first = m.flexible.place[0]
    for i in range(first, first + m.flexible.mass.shape[0]):
        worst = max(worst, abs(p.y_half[i] - p.y_whole[i]) / (a + r * abs(p.y_half[i])))
    for k in range(f.control.shape[0]):
        i = first_control(m) + k
        tolerance = control_tolerance(f, k, r, a, f.y[i], p.y_half[i])
        worst = max(worst, abs(p.y_half[i] - p.y_whole[i]) / tolerance)
    return worst


@inlined
def set_step(p, h):
    """The step size where there is no matrix that belongs to it."""
    p.whole.step[0], p.half.step[0] = h, 0.5 * h


@called
def try_step(m, w, p, f, t):
    """A whole step and two half steps into `f.y_new`, from the state `f.y` that `evaluate` has seen.

    Returns the error against the tolerance, or why the step cannot be taken.
    """
    h, modes = p.whole.step[0], p.mode
    if too_long(m, w, h):
        return TOO_LONG_STEP
    for c in range(modes.shape[1]):
        contact = w.contact[contact_line(m, c)]
        if contact[MODE] == FLIGHT:  # if it begins to touch, it does so with this rate
            contact[IMPACT_SPEED] = max(-w.points.wall[c, GAP_RATE], 1e-12)
    for c in range(modes.shape[1]):
        for e in range(2):
            modes[1, c, e] = modes[2, c, e] = modes[0, c, e]
    clear_tally(p)
    recall_joints(m, w, p)
    if not step(m, w, p, p.whole, modes[1], t, f.y, p.y_whole, 0.0):
        return UNSOLVED_STEP
    note_pushes(m, p, 0)
    tally_contacts(m, p, h, 0)
    recall_joints(m, w, p)
    if not step(m, w, p, p.half, modes[2], t, f.y, p.y_half, 0.0):
        return UNSOLVED_STEP
    note_pushes(m, p, 1)
    tally_contacts(m, p, 0.5 * h, 1)
    set_followers(m, p.y_half, p.orientation)
    evaluate(m, w, p, t + 0.5 * h, p.y_half, modes[2], 0)
    if not step(m, w, p, p.half, modes[2], t + 0.5 * h, p.y_half, f.y_new, 1.0):
        return UNSOLVED_STEP
    note_pushes(m, p, 2)
    tally_contacts(m, p, 0.5 * h, 1)
    copy(f.y_new, p.y_half)
    for r in range(p.row.shape[0]):
        p.last_force[r] = p.row[r, ROW_LOAD] / p.half.step[0] if p.near[r] else 0.0
    error = 0.0
    if p.control[TOLERANCE_R] > 0.0:
        set_followers(m, p.y_whole, p.orientation)
        set_followers(m, p.y_half, p.orientation)
        error = error_of(m, p, f)
    if same_modes(p) and same_joint_modes(m, p):
        p.count[EXTRAPOLATED] += 1
        for i in range(f.y.shape[0]):
            f.y_new[i] = 2.0 * p.y_half[i] - p.y_whole[i]
        for k in range(m.compliant.shape[0]):  # what is dissipated does not come back
            i = m.compliant[k, WORK_STATE]
            if f.y_new[i] < f.y[i]:
                f.y_new[i] = p.y_half[i]
        for c in range(modes.shape[1]):
            for e in range(2):
                p.tally[1, c, e] = 2.0 * p.tally[1, c, e] - p.tally[0, c, e]
        normalise(m, f.y_new)
    set_followers(m, f.y_new, p.orientation)
    if m.compliant.shape[0] > 0 and closed_film(m, w, f.y_new, 0.0) >= 0:
        return CLOSING_STEP
    return error
