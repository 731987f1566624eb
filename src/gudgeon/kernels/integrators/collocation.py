"""Stages of a Radau IIA step: collocation of positions and velocities, joint forces by Newton's method.

The accelerations for given joint forces are slow and are iterated by sweeps over the stages; the forces are solved for
(forces.py):

    sweep: accelerations at all stages → collocate velocities, positions → Newton on the forces → put them back
"""

from __future__ import annotations

from math import isfinite, sqrt

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.build.records import Record, integers, numbers
from gudgeon.kernels.dynamics.arrays import (
    BRISTLE,
    ECCENTRICITY,
    FORCE_ON_BALL,
    LOAD,
    LOCAL_COLUMNS,
    PLACE,
    POSITIONS,
    RATE_OF,
    TURNS_ABOUT,
    UNKNOWN,
    UNKNOWNS,
    VELOCITIES,
)
from gudgeon.kernels.dynamics.controls import control_rates
from gudgeon.kernels.dynamics.engine import (
    accelerations,
    accelerations_under,
    kinematics,
    law_force,
    local_motion,
    response,
)
from gudgeon.kernels.dynamics.force_pattern import COLUMN, W_AT
from gudgeon.kernels.dynamics.motion import velocity_rates
from gudgeon.kernels.dynamics.response import Response, any_active, first_unknown, is_idle, unknowns_of
from gudgeon.kernels.dynamics.state_places import first_turn
from gudgeon.kernels.dynamics.turns import turn_rates
from gudgeon.kernels.elements.joints import compliant_rates
from gudgeon.kernels.integrators.control_stages import (
    ControlStages,
    keep_controls,
    linearise_controls,
    moved_controls,
    settle_controls,
)
from gudgeon.kernels.integrators.forces import solve_forces
from gudgeon.kernels.integrators.load_stages import (
    SLOW,
    LoadStages,
    any_solved,
    choose_loads,
    give_efforts,
    load_slopes,
    start_efforts,
    take_efforts_back,
)
from gudgeon.kernels.integrators.radau_error import set_scales
from gudgeon.kernels.integrators.run import EVALUATIONS, LAST_STEP, copy
from gudgeon.kernels.integrators.state_stages import (
    any_state_solved,
    choose_states,
    put_states_back,
    rates_as_unknowns,
    state_slopes,
)
from gudgeon.kernels.kinematics.poses import pose_rates, quaternion_rate

SWEEPS = 10  # at most
CONVERGED = 0.03  # what is left of the sweeps' error, against the tolerance
TURN_PASSES = 30  # over the orientations at the stages, at most
SETTLED = 1e-4  # relative change of the forces in their last iteration, at most
FARTHEST = 1.5  # steps to which the long steps of more than three stages are extrapolated

# places in Collocation.memory
THETA, FRESH, SWEPT = 0, 1, 2
MEMORY_SIZE = 3


class Collocation(Record):
    """What this method needs besides the Flight: coefficients (radau_table.py), stages, the algebra of the forces."""

    c = numbers(1)  # (s)
    A = numbers(2)  # (s, s)
    A2 = numbers(2)  # (s, s)
    E = numbers(1)  # (s + 1)
    barycentric = numbers(1)  # (s + 1)
    predictor = numbers(1)  # (s + 1)
    dense_position = numbers(2)  # see radau_table.py
    dense_velocity = numbers(2)
    dense_other = numbers(2)
    memory = numbers(1)  # (MEMORY_SIZE) rate of convergence of the last step; 1 if the last polynomial is of use
    y = numbers(2)  # (s, n) stage states
    rate = numbers(2)  # (s + 1, n) ẏ at the start and at the stages
    F = numbers(2)  # (s + 1, unknowns) forces likewise
    last_rate = numbers(2)  # (s + 1, n) of the last step
    last_F = numbers(2)  # (s + 1, unknowns)
    weight = numbers(1)  # (s + 1) of an extrapolation
    known = numbers(1)  # (s + 4) what is known of one component, for the dense output
    error = numbers(2)  # (2, velocities) of velocities and positions
    scale = numbers(2)  # (2, velocities) tolerances of velocities and positions
    response = Response()
    local = numbers(3, LOCAL_COLUMNS)  # (s, compliant joints, …) the joints' motions at the stages
    motion = numbers(3, LOCAL_COLUMNS)  # (s, compliant joints, …) where the laws are linearised
    last_motion = numbers(3, LOCAL_COLUMNS)  # (s + 1, compliant joints, …) of the last step, its start included
    phi_p = numbers(4, 6)  # (s, compliant joints, 6, 6)
    phi_v = numbers(4, 6)  # (s, compliant joints, 6, 6)
    phi_r = numbers(4, 6)  # (s, rubs, 3, 6) of friction in ideal joints, by its loads
    load = numbers(3, 6)  # (s, rubs, 6) these loads at the stages
    dF = numbers(2)  # (s, unknowns)
    matrix = numbers(2)  # blocks, one below the other (block_lu.py)
    pivot = integers(1)
    x = numbers(1)
    z = numbers(2)  # (s, unknowns)
    base = numbers(1)  # (6)
    slope = numbers(2, 6)  # (6, 6)
    push = numbers(2)  # (s, velocities)
    controls = ControlStages()
    loads = LoadStages()


COLLOCATION = Collocation.record_type


@inlined
def integrate(f, r, h, first, last):
    """Collocate the components first … last − 1: y_i = y_n + h Σ A_ij ẏ_j."""
    stages = r.A.shape[0]
    for i in range(stages):
        for c in range(first, last):
            x = 0.0
            for j in range(stages):
                x += r.A[i, j] * r.rate[j + 1, c]
            r.y[i, c] = f.y[c] + h * x


@inlined
def collocate(m, f, r, h):
    """Velocities from accelerations, then poses from velocities, then the counted angles and bristles."""
    positions, others = m.layout[POSITIONS], first_turn(m)
    integrate(f, r, h, positions, others)
    for i in range(r.A.shape[0]):
        pose_rates(m, r.y[i], r.rate[i + 1])
    integrate(f, r, h, 0, positions)
    integrate(f, r, h, others, f.y.shape[0])


@called
def extrapolate(m, f, r, h):
    """First guess of accelerations and forces at the stages: the polynomials of the last step, or constants."""
    positions, stages = m.layout[POSITIONS], r.A.shape[0]
    ratio = h / f.clock[LAST_STEP] if r.memory[FRESH] else 0.0
    if (stages > 3 and ratio > FARTHEST) or 1.0 + ratio * r.c[0] == 1.0:  # so short that x would be a node
        ratio = 0.0
    for i in range(stages):
        if ratio > 0.0:
            x = 1.0 + ratio * r.c[i]
            total = 0.0
            for j in range(stages + 1):
                node = r.c[j - 1] if j > 0 else 0.0
                r.weight[j] = r.predictor[j] / (x - node)
                total += r.weight[j]
            for c in range(positions, f.y.shape[0]):
                a = 0.0
                for j in range(stages + 1):
                    a += r.weight[j] * r.last_rate[j, c]
                r.rate[i + 1, c] = a / total
            for c in range(r.F.shape[1]):
                a = 0.0
                for j in range(stages + 1):
                    a += r.weight[j] * r.last_F[j, c]
                r.F[i + 1, c] = a / total
        else:
            for c in range(positions, f.y.shape[0]):
                r.rate[i + 1, c] = r.rate[0, c]
            for c in range(r.F.shape[1]):
                r.F[i + 1, c] = r.F[0, c]
        for c in range(positions):  # a rough pose, for the first rates
            r.y[i, c] = f.y[c] + h * r.c[i] * r.rate[0, c]
    for k in range(m.compliant.shape[0]):
        for i in range(stages):
            if m.compliant[k, BRISTLE] >= 0:
                for c in range(3):
                    r.rate[i + 1, m.compliant[k, BRISTLE] + c] = r.F[i + 1, m.compliant[k, UNKNOWN] + 3 + c]
    guess_motion(m, r, h, ratio)


@inlined
def guess_motion(m, r, h, ratio):
    """First guess of the joints' motions at the stages."""
    stages = r.A.shape[0]
    for i in range(stages):
        total = 0.0
        for j in range(stages + 1):
            node = r.c[j - 1] if j > 0 else 0.0
            r.weight[j] = r.predictor[j] / (1.0 + ratio * r.c[i] - node)
            total += r.weight[j]
        for k in range(m.compliant.shape[0]):
            for c in range(LOCAL_COLUMNS):
                if ratio > 0.0:
                    x = 0.0
                    for j in range(stages + 1):
                        x += r.weight[j] * r.last_motion[j, k, c]
                    r.motion[i, k, c] = x / total
                else:
                    r.motion[i, k, c] = r.last_motion[stages, k, c]
            if ratio == 0.0:
                for c in range(3):
                    r.motion[i, k, ECCENTRICITY + c] += h * r.c[i] * r.motion[i, k, RATE_OF + c]


@called
def put_back(m, w, f, r, h):
    """Change accelerations, velocities and positions at all stages by what the change `dF` of the forces does."""
    first, stages, unknowns, p = m.layout[POSITIONS], r.A.shape[0], r.F.shape[1], r.response.pattern
    for i in range(stages):
        for d in range(m.velocity.shape[0]):
            r.push[i, d] = 0.0
        for c in range(unknowns):
            r.F[i + 1, c] += r.dF[i, c]
    for k in range(m.compliant.shape[0] + m.effort.shape[0]):
        if is_idle(m, w, k):
            continue
        row, rows = first_unknown(m, k), unknowns_of(m, k)
        column = p.column[p.joint[k, COLUMN] : p.joint[k + 1, COLUMN]]
        W = r.response.W[p.joint[k, W_AT] : p.joint[k + 1, W_AT]].reshape((rows, column.shape[0]))
        for i in range(stages):
            for d in range(column.shape[0]):
                a = r.push[i, column[d]]
                for c in range(rows):
                    a += W[c, d] * r.dF[i, row + c]
                r.push[i, column[d]] = a
    for d in range(m.velocity.shape[0]):
        for i in range(stages):
            r.rate[i + 1, first + d] += r.push[i, d]
        q, axis = m.velocity[d, PLACE], m.velocity[d, TURNS_ABOUT]
        for i in range(stages):
            velocity = position = 0.0
            for j in range(stages):
                velocity += r.A[i, j] * r.push[j, d]
                position += r.A2[i, j] * r.push[j, d]
            r.y[i, first + d] += h * velocity
            position *= h * h
            y = r.y[i]
            if axis < 0:
                y[q] += position
            else:  # a small turn about one axis
                e0, e1, e2, e3 = y[q], y[q + 1], y[q + 2], y[q + 3]
                s = 0.5 * position
                if axis == 0:
                    y[q], y[q + 1], y[q + 2], y[q + 3] = e0 - s * e1, e1 + s * e0, e2 - s * e3, e3 + s * e2
                elif axis == 1:
                    y[q], y[q + 1], y[q + 2], y[q + 3] = e0 - s * e2, e1 + s * e3, e2 + s * e0, e3 - s * e1
                else:
                    y[q], y[q + 1], y[q + 2], y[q + 3] = e0 - s * e3, e1 - s * e2, e2 + s * e1, e3 + s * e0
    for k in range(m.compliant.shape[0]):
        if m.compliant[k, BRISTLE] >= 0:
            for c in range(3):
                at, row = m.compliant[k, BRISTLE] + c, m.compliant[k, UNKNOWN] + 3 + c
                for i in range(stages):
                    r.rate[i + 1, at] = r.F[i + 1, row]
                for i in range(stages):
                    x = 0.0
                    for j in range(stages):
                        x += r.A[i, j] * r.rate[j + 1, at]
                    r.y[i, at] = f.y[at] + h * x


@inlined
def rates_under(m, w, t, y, force, rate):
    """Rates of velocities, counted angles and controls at the state y under given joint forces."""
    give_efforts(m, w, force)
    accelerations_under(m, w, t, y, force)
    take_efforts_back(w)
    velocity_rates(m, w, rate)
    turn_rates(m, w, rate)
    control_rates(m, w, rate)


@called
def turn_defect(m, f, r, h):
    """How far the orientations at the last stage are from ṗ = ½ ω p, collocated, against their tolerance."""
    first, last, worst = m.layout[POSITIONS], r.A.shape[0] - 1, 0.0
    for d in range(m.velocity.shape[0]):
        if m.velocity[d, TURNS_ABOUT] == 0:
            q, v = m.velocity[d, PLACE], first + d
            x0, x1, x2, x3 = f.y[q], f.y[q + 1], f.y[q + 2], f.y[q + 3]
            for j in range(last + 1):
                y, s = r.y[j], h * r.A[last, j]
                p0, p1, p2, p3 = quaternion_rate(y[q], y[q + 1], y[q + 2], y[q + 3], y[v], y[v + 1], y[v + 2])
                x0, x1, x2, x3 = x0 + s * p0, x1 + s * p1, x2 + s * p2, x3 + s * p3
            y = r.y[last]
            off = max(abs(x0 - y[q]), abs(x1 - y[q + 1]), abs(x2 - y[q + 2]), abs(x3 - y[q + 3]))
            worst = max(worst, off / r.scale[1, d])
    return worst


@called
def settle_turns(m, f, r, h):
    """Collocate the positions alone, until the orientations follow their angular velocities.

    The sweeps end when velocities and forces no longer change. A body that spins steadily has turned far by then, along
    a polynomial that does not yet know how.
    """
    for _ in range(TURN_PASSES):
        for i in range(r.A.shape[0]):
            pose_rates(m, r.y[i], r.rate[i + 1])
        integrate(f, r, h, 0, m.layout[POSITIONS])
        if turn_defect(m, f, r, h) <= 0.1 * CONVERGED:
            return


@called
def take_step(m, w, f, r, t, h):
    """All stages of a step; returns 1 if they were found, 0 if the sweeps do not converge, −1 for no number."""
    first, velocities, stages = m.layout[POSITIONS], m.layout[VELOCITIES], r.A.shape[0]
    if m.effort.shape[0] > 0:
        choose_loads(m, w, r, t, f.y, h, r.memory[SWEPT] >= SLOW)
        choose_states(m, w, r, h, r.memory[SWEPT] >= SLOW)
    extrapolate(m, f, r, h)
    collocate(m, f, r, h)
    set_scales(m, f, r)
    pushes = any_active(m, w)
    loads, states = any_solved(m, w), any_state_solved(m, w)
    middle, controls = stages // 2, m.control_rate.shape[0]
    before, theta, unsettled = 0.0, r.memory[THETA], 0.0
    for sweep in range(SWEEPS):
        for i in range(stages):
            rates_under(m, w, t + r.c[i] * h, r.y[i], r.F[i + 1], r.rate[i + 1])
            for a in range(m.rubbing.shape[0]):
                for e in range(6):
                    r.load[i, a, e] = w.local[m.rubbing[a], LOAD + e]
            if sweep == 0 and i == middle:
                if controls > 0:
                    linearise_controls(m, w, f, r, t + r.c[i] * h, h)
                if pushes or m.compliant.shape[0] > 0:
                    response(m, w, r.response)
                if loads:
                    load_slopes(m, w, r, t + r.c[i] * h)
                if states:
                    state_slopes(m, w, r, t + r.c[i] * h, h)
        f.count[EVALUATIONS] += stages
        copy(r.y[stages - 1], f.y_new)
        copy(r.y[middle], f.y_stage)
        if controls > 0:
            keep_controls(m, r)
        collocate(m, f, r, h)
        if controls > 0:
            settle_controls(m, r)
        if states:
            rates_as_unknowns(m, w, r)
        if pushes:
            unsettled = solve_forces(m, w, r, t, h, sweep == 0)
            if unsettled < 0.0:
                return -1
            put_back(m, w, f, r, h)
            if states:
                put_states_back(m, w, r, h)
            for i in range(stages if loads else 0):  # a load that has just begun to be solved for moves it by much
                pose_rates(m, r.y[i], r.rate[i + 1])
        change = 0.0
        for d in range(velocities):
            last = r.y[stages - 1, first + d] - f.y_new[first + d]
            half = r.y[middle, first + d] - f.y_stage[first + d]
            change += (last * last + half * half) / r.scale[0, d] ** 2
        if controls > 0:
            change += moved_controls(m, f, r)
        change = sqrt(change / max(2 * (velocities + controls), 1))
        if not isfinite(change):
            return -1
        if sweep > 0:
            theta = change / before if before > 0.0 else 0.0
            if theta > 2.0 and sweep > 1:
                return 0
            theta = min(theta, 0.9)
        before = change
        r.memory[SWEPT] = sweep + 1.0
        if change * theta / (1.0 - theta) <= CONVERGED and unsettled <= SETTLED:
            if turn_defect(m, f, r, h) > CONVERGED:
                settle_turns(m, f, r, h)
                continue
            r.memory[THETA] = min(max(theta, 0.05), 0.3)
            return 1
    return 0


@called
def begin_anew(m, w, f, r, t):
    """Rates and forces at `f.y` as the laws give them, and no polynomial to go on from."""
    kinematics(m, w, f.y)
    if m.rubbing.shape[0] > 0:
        accelerations(m, w, t, f.y)  # friction in ideal joints is known with all other forces
    for k in range(m.compliant.shape[0]):
        local_motion(m, w, k, f.y)
        law_force(m, w, k, k, k)
        for c in range(m.compliant[k, UNKNOWNS]):
            r.F[0, m.compliant[k, UNKNOWN] + c] = w.force[k, FORCE_ON_BALL + c]
        copy(w.local[k], r.last_motion[r.A.shape[0], k])
    if m.effort.shape[0] > 0:
        start_efforts(m, w, r, t, f.y)
    compliant_rates(m, w, r.rate[0])
    pose_rates(m, f.y, r.rate[0])
    rates_under(m, w, t, f.y, r.F[0], r.rate[0])
    f.count[EVALUATIONS] += 1
    r.memory[FRESH] = 0.0
    r.memory[THETA] = 0.3
    r.memory[SWEPT] = SWEEPS
