"""States of controllers among the unknowns that Implicit solves for: loops through states faster than a step.

Where the motion acts on a state x, and the state on a load, its rates ζ at the stages are unknowns as forces are:

    Δx_i = h Σ_j A_ij Δζ_j,   Δζ_i = Σ_j (h A_ij f_v W + h² (A²)_ij f_q W) ΔF_j + f_x Δx_i

and efforts feel Δx as they feel Δv. So a rate is one more line of the algebra (load_stages.py) which pushes nothing:
what its unknown does to efforts and rates, E_x and f_x, stands in D in the place of what velocities do. The sweeps
settle states at a given motion first (control_stages.py).

What a constant unit effort does to itself through the states within a step, over h², tells whether the loop is stiff.
"""

from __future__ import annotations

from math import isfinite

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.dynamics.arrays import EFFORT_AT, EFFORT_LOAD, EFFORT_UNKNOWN, EFFORTS, IDLE, SOLVED
from gudgeon.kernels.dynamics.controls import NUDGE
from gudgeon.kernels.dynamics.dense_lu import solve_dense
from gudgeon.kernels.dynamics.engine import efforts_of_loads, kinematics
from gudgeon.kernels.dynamics.force_pattern import COLUMN_JOINT, D_AT, PAIR
from gudgeon.kernels.dynamics.response import is_active, is_state
from gudgeon.kernels.dynamics.state_places import first_control
from gudgeon.kernels.integrators.block_lu import place_of
from gudgeon.kernels.integrators.load_hubs import by_way_of_hubs
from gudgeon.kernels.integrators.load_stages import SOFT, STIFF


@inlined
def state_of(m, e):
    """The state whose rate is line e of the efforts."""
    return m.effort[e, EFFORT_LOAD] - m.load.shape[0]


@inlined
def first_state(m):
    """The first line of the efforts that is the rate of a state."""
    e = m.effort.shape[0]
    while e > 0 and is_state(m, m.compliant.shape[0] + e - 1):
        e -= 1
    return e


@inlined
def any_state_solved(m, w):
    """Is any state solved for with the forces?"""
    for e in range(first_state(m), m.effort.shape[0]):
        if w.solved[e] == SOLVED:
            return True
    return False


@called
def choose_states(m, w, r, h, all_of_them):
    """Solve for states in a step of length h while a load that is solved for acts back on itself through them."""
    most, first = 0.0, first_state(m)
    for e in range(first):
        if w.solved[e] == SOLVED:
            most = max(most, h * h * r.loads.slope[e, 2])
    for e in range(first, m.effort.shape[0]):
        if all_of_them or most > STIFF:
            w.solved[e] = SOLVED
        elif most < SOFT:
            w.solved[e] = IDLE


@called
def state_slopes(m, w, r, t, h):
    """What states do to efforts and rates in the middle stage, at the time t: their columns of D; `slope` of loads."""
    p, joints, middle = r.response.pattern, m.compliant.shape[0], r.A.shape[0] // 2
    y, first = r.y[middle], first_control(m)
    kinematics(m, w, y)
    for e in range(first_state(m), m.effort.shape[0]):
        if w.solved[e] != SOLVED:
            continue
        at = first + state_of(m, e)
        kept = y[at]
        size = max(abs(kept), r.controls.size[state_of(m, e)])
        y[at] = kept + (NUDGE * size if size > 0.0 else NUDGE)
        step = y[at] - kept
        efforts_of_loads(m, w, t, y, r.loads.moved)
        y[at] = kept
        for k in range(joints, joints + m.effort.shape[0]):
            line, row = pair_of(p, k, joints + e), m.effort[k - joints, EFFORT_AT]
            for a in range(m.effort[k - joints, EFFORTS] if line >= 0 else 0):
                slope = (r.loads.moved[row + a] - r.loads.base[row + a]) / step
                r.response.D[line + a, 0] = slope if isfinite(slope) else 0.0
    for e in range(first_state(m)):
        if is_active(m, w, joints + e):
            r.loads.slope[e, 2] = through_states(m, w, r, e, h) / (h * h)


@inlined
def pair_of(p, k, o):
    """The first line of D of what line o does to line k; −1: nothing."""
    for q in range(p.joint[k, PAIR], p.joint[k + 1, PAIR]):
        if p.pair[q, COLUMN_JOINT] == o:
            return p.pair[q, D_AT]
    return -1


@called
def through_states(m, w, r, e, h):
    """What a unit effort of load e, constant over the step, does to its efforts at the end through the states."""
    p, joints, stages, x = r.response.pattern, m.compliant.shape[0], r.A.shape[0], r.controls.x
    count, most, D = r.controls.slope.shape[0], 0.0, r.response.D
    for c in range(m.effort[e, EFFORTS]):
        x[:] = 0.0
        for o in range(first_state(m), m.effort.shape[0]):
            line = pair_of(p, joints + o, joints + e)
            if w.solved[o] != SOLVED:
                continue
            by_velocity = by_way_of_hubs(m, r, joints + o, joints + e, 0, 0, c)
            by_position = by_way_of_hubs(m, r, joints + o, joints + e, 1, 0, c)
            if line >= 0:
                by_velocity += D[line, c]
                by_position += D[line + 1, c]
            if by_velocity != 0.0 or by_position != 0.0:
                for i in range(stages):
                    for j in range(stages):
                        rate = by_velocity * h * r.c[j] + by_position * 0.5 * (h * r.c[j]) ** 2
                        x[i * count + state_of(m, o)] += h * r.A[i, j] * rate
        solve_dense(r.controls.matrix, r.controls.pivot, stages * count, x)
        for a in range(m.effort[e, EFFORTS]):
            back = 0.0
            for o in range(first_state(m), m.effort.shape[0]):
                line = pair_of(p, joints + e, joints + o)
                if w.solved[o] == SOLVED and line >= 0:
                    back += D[line + a, 0] * x[(stages - 1) * count + state_of(m, o)]
            most = max(most, abs(back))
    return most


@called
def rates_as_unknowns(m, w, r):
    """The rates of states that are solved for, at all stages, as the algebra begins with them."""
    for e in range(first_state(m), m.effort.shape[0]):
        if w.solved[e] == SOLVED:
            for i in range(r.A.shape[0]):
                r.F[i + 1, m.effort[e, EFFORT_UNKNOWN]] = r.rate[i + 1, first_control(m) + state_of(m, e)]


@called
def put_states_back(m, w, r, h):
    """Change states and their rates at all stages by what was found."""
    stages, first, count = r.A.shape[0], first_control(m), r.controls.slope.shape[0]
    for e in range(first_state(m), m.effort.shape[0]):
        if w.solved[e] == SOLVED:
            k, row = state_of(m, e), m.effort[e, EFFORT_UNKNOWN]
            for i in range(stages):
                x = 0.0
                for j in range(stages):
                    x += r.A[i, j] * r.dF[j, row]
                r.y[i, first + k] += h * x
                r.controls.x[i * count + k] += h * x
                r.rate[i + 1, first + k] += r.dF[i, row]


@called
def errors_of_states(m, w, r, k, at):
    """Add what the errors of states that are solved for do to line k of the filter (radau_error.py), into `r.x`."""
    joints = m.compliant.shape[0]
    for e in range(first_state(m), m.effort.shape[0]):
        line = pair_of(r.response.pattern, k, joints + e)
        for c in range(m.effort[k - joints, EFFORTS] if w.solved[e] == SOLVED and line >= 0 else 0):
            r.x[at + c] += r.response.D[line + c, 0] * r.controls.error[state_of(m, e)]


@called
def filter_states(m, w, r, hg):
    """The filtered errors of states that are solved for, from the changes of their rates in `r.x`."""
    for e in range(first_state(m), m.effort.shape[0]):
        if w.solved[e] == SOLVED:
            at = place_of(r.response.pattern, m.compliant.shape[0] + e, 0, 1)
            r.controls.error[state_of(m, e)] += hg * r.x[at]


@inlined
def keep_filtered(m, w, r):
    """Errors of states that are solved for are filtered with the motion; those of others alone."""
    for e in range(first_state(m), m.effort.shape[0]):
        if w.solved[e] == SOLVED:
            r.controls.x[state_of(m, e)] = r.controls.error[state_of(m, e)]
