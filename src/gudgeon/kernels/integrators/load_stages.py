"""Loads that depend on the motion among the forces that Implicit solves for: springs, motors, functions of signals,
elastic couplings.

A load has one effort along a joint coordinate, or three components. Efforts E(q, v) at the stages are unknowns as the
forces F of joints are, and what a change of all these forces does to an effort is

    ΔE_i = Σ_j (h A_ij E_v W + h² (A²)_ij E_q W) ΔF_j

E_v W and E_q W, two lines of D, are differences: the efforts are asked again in the middle stage where it moves, or is
moved, a little as unit forces (of one colour) make it move. That is Newton's method with the slopes of one stage; the
sweeps ask the loads themselves.

A load that is soft in a step, |h E_v W + h² E_q W| small for its own efforts, is no unknown in it: the sweeps settle it
sooner than it can be solved for. It is looked at again when the sweeps are slow.
"""

from __future__ import annotations

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.build.records import Record, numbers
from gudgeon.kernels.dynamics.arrays import (
    EFFORT_AT,
    EFFORT_BODY,
    EFFORT_UNKNOWN,
    EFFORTS,
    IDLE,
    POSITIONS,
    SOLVED,
)
from gudgeon.kernels.dynamics.engine import efforts_of_loads, kinematics
from gudgeon.kernels.dynamics.force_pattern import (
    BLOCK,
    COLOUR,
    COLUMN,
    COLUMN_JOINT,
    D_AT,
    GRIP,
    HUB,
    HUB_AT,
    NODE,
    OWN,
    PAIR,
    SIZE,
    W_AT,
    WITHIN,
)
from gudgeon.kernels.dynamics.response import felt_by_loads, is_active, is_state, pushing, unknowns_of
from gudgeon.kernels.integrators.block_lu import place_of
from gudgeon.kernels.integrators.load_hubs import add_hubs_of_load, by_way_of_hubs, shift_by_hubs, write_hub_slopes
from gudgeon.kernels.integrators.run import copy
from gudgeon.kernels.kinematics.poses import move

STIFF = 0.05  # what is left of an error of an effort after a sweep, above which it is solved for
SOFT = 0.02  # below which it no longer is
SLOW = 5.0  # sweeps of the last step that make all loads be looked at
SWEPT_OUT = 2.0  # the same of wrenches, below which they no longer are solved for: sweeps settle them
PATIENCE = 5.0  # steps for which they are at least, while steps grow
MOVED = 1e-8  # largest displacement for differences [m or rad]
FASTER = 1e-7  # largest change of a velocity for differences, against the largest [-]
SLOWEST = 1e-2  # which counts as at least this [m/s or rad/s]


# LoadStages.wrenches
SINCE = 0  # steps for which wrenches have been solved for; 0: they are not
FAILED = 1  # 1: the sweeps of the last step did not converge


class LoadStages(Record):
    """What loads need, E efforts of them, at s stages."""

    effort = numbers(2)  # (s, E) as the loads give them, moved by the change of the forces
    base = numbers(1)  # (E) at the middle stage, or the last
    moved = numbers(1)  # (E) where it is moved a little
    direction = numbers(2)  # (2, velocities) of a change of velocities and positions
    step = numbers(1)  # (velocities) of the positions
    y = numbers(1)  # (n) a state that is moved
    wrenches = numbers(1)  # (2) SINCE, FAILED
    slope = numbers(2, 3)  # (loads, 3) of its own effort by its own motion [1/s, 1/s²], and by states (state_stages.py)


@inlined
def any_solved(m, w):
    """Is any load solved for?"""
    for e in range(m.effort.shape[0]):
        if is_active(m, w, m.compliant.shape[0] + e):
            return True
    return False


@inlined
def give_efforts(m, w, force):
    """Let loads that are solved for have the efforts among these forces, until they are taken back."""
    for e in range(m.effort.shape[0]):
        for c in range(m.effort[e, EFFORTS]):
            w.effort[1 + m.effort[e, EFFORT_AT] + c] = force[m.effort[e, EFFORT_UNKNOWN] + c]
    w.effort[0] = 1.0


@inlined
def take_efforts_back(w):
    """Loads act by themselves again."""
    w.effort[0] = 0.0


@inlined
def left_of(r, e, h):
    """What is left of an error of the efforts of line e after a sweep over a step of length h."""
    return h * r.loads.slope[e, 0] + h * h * (r.loads.slope[e, 1] + r.loads.slope[e, 2])


@called
def choose_loads(m, w, r, t, y, h, all_of_them):
    """Which loads are solved for in a step of length h from the state y; those that begin to be start from theirs."""
    begins = choose_wrenches(m, w, r, h)
    for e in range(m.effort.shape[0]):
        if m.effort[e, EFFORT_BODY] > 0 or is_state(m, m.compliant.shape[0] + e):
            continue
        left = left_of(r, e, h)
        if w.solved[e] == SOLVED and left < SOFT and not all_of_them:
            w.solved[e] = IDLE
        elif w.solved[e] == IDLE and (left > STIFF or all_of_them):
            w.solved[e] = SOLVED
            begins = True
    if begins:
        start_efforts(m, w, r, t, y)


@called
def choose_wrenches(m, w, r, h):
    """The same of wrenches, all or none of them; returns whether they begin.

    All: what a load does to its two bodies is equal then, and momentum is kept. They are many unknowns, so that more
    sweeps cost less than to solve for them, until the sweeps fail.
    """
    left = -1.0
    for e in range(m.effort.shape[0]):
        if m.effort[e, EFFORT_BODY] > 0:
            left = max(left, left_of(r, e, h))
    if left < 0.0:
        return False
    steps = r.loads.wrenches[SINCE]
    begins = steps == 0.0 and r.loads.wrenches[FAILED] > 0.0
    if begins:
        steps = 1.0
    elif steps > PATIENCE and left < SWEPT_OUT:
        steps = 0.0
    elif steps > 0.0:
        steps += 1.0
    r.loads.wrenches[SINCE], r.loads.wrenches[FAILED] = steps, 0.0
    for e in range(m.effort.shape[0]):
        if m.effort[e, EFFORT_BODY] > 0:
            w.solved[e] = SOLVED if steps > 0.0 else IDLE
    return begins


@called
def start_efforts(m, w, r, t, y):
    """Efforts of loads at the state y, for all stages."""
    kinematics(m, w, y)
    efforts_of_loads(m, w, t, y, r.loads.base)
    for e in range(m.effort.shape[0]):
        for c in range(m.effort[e, EFFORTS]):
            at = m.effort[e, EFFORT_UNKNOWN] + c
            for j in range(r.F.shape[0]):
                r.F[j, at] = r.last_F[j, at] = r.loads.base[m.effort[e, EFFORT_AT] + c]


@called
def efforts_when_moved(m, w, r, t, y, faster, moved):
    """The efforts at the state y changed by `faster` and `moved` times the two directions, into `r.loads.moved`."""
    first, out, step = m.layout[POSITIONS], r.loads.y, r.loads.step
    copy(y, out)
    for k in range(step.shape[0]):
        out[first + k] += faster * r.loads.direction[0, k]
        step[k] = moved * r.loads.direction[1, k]
    move(m, out, step)
    kinematics(m, w, out)
    efforts_of_loads(m, w, t, out, r.loads.moved)


@inlined
def largest(x):
    """The largest of the numbers x, without their signs."""
    most = 0.0
    for k in range(x.shape[0]):
        most = max(most, abs(x[k]))
    return most


@called
def load_slopes(m, w, r, t):
    """What unit forces do to the efforts of loads in the middle stage, at the time t: their lines of D."""
    p, y, first = r.response.pattern, r.y[r.A.shape[0] // 2], m.layout[POSITIONS]
    kinematics(m, w, y)
    efforts_of_loads(m, w, t, y, r.loads.base)
    fastest = max(largest(y[first : first + m.velocity.shape[0]]), SLOWEST)
    for colour in range(p.colour.shape[0] - 1):
        most = 0
        for q in range(p.colour[colour], p.colour[colour + 1]):
            most = max(most, pushing(m, p.colour_joint[q]))
        for c in range(most):
            r.loads.direction[:] = 0.0
            for q in range(p.colour[colour], p.colour[colour + 1]):
                k = p.colour_joint[q]
                if c < pushing(m, k) and is_active(m, w, k):
                    column, width = p.joint[k, COLUMN], p.joint[k + 1, COLUMN] - p.joint[k, COLUMN]
                    at = p.joint[k, W_AT] + c * width
                    for d in range(width):
                        r.loads.direction[0, p.column[column + d]] = r.response.W[at + d]
                    for g in range(p.joint[k, GRIP], p.joint[k + 1, GRIP]):  # hubs are unknowns of their own
                        first_of_hub = column + p.grip[g, HUB_AT]
                        for d in range(p.node[p.grip[g, HUB], SIZE] if p.grip[g, HUB_AT] >= 0 else 0):
                            r.loads.direction[0, p.column[first_of_hub + d]] = 0.0
            copy(r.loads.direction[0], r.loads.direction[1])
            size = largest(r.loads.direction[0])
            if size == 0.0:
                continue
            step = FASTER * fastest / size
            efforts_when_moved(m, w, r, t, y, step, 0.0)
            write_slopes(m, w, r, colour, c, 0, step)
            step = MOVED / size
            efforts_when_moved(m, w, r, t, y, 0.0, step)
            write_slopes(m, w, r, colour, c, 1, step)
    if p.grip.shape[0] > 0:
        slopes_by_hubs(m, w, r, t, y, fastest)
    for e in range(m.effort.shape[0]):
        k = m.compliant.shape[0] + e
        if is_active(m, w, k) and not is_state(m, k):
            own, count = p.joint[k, OWN], m.effort[e, EFFORTS]
            for which in range(2):
                most_of_own = 0.0
                for a in range(count):
                    for b in range(count):
                        x = r.response.D[own + which * count + a, b]
                        if p.joint[k + 1, GRIP] > p.joint[k, GRIP]:
                            x += by_way_of_hubs(m, r, k, k, which, a, b)
                        most_of_own = max(most_of_own, abs(x))
                r.loads.slope[e, which] = most_of_own


@called
def slopes_by_hubs(m, w, r, t, y, fastest):
    """What velocities and positions of hubs do to the efforts of loads on them: their lines of D."""
    p, joints = r.response.pattern, m.compliant.shape[0]
    for g in range(p.joint[joints, GRIP], p.grip.shape[0]):
        hub, first, done = p.grip[g, HUB], -1, False
        for e in range(p.joint[joints, GRIP], g):
            done = done or p.grip[e, HUB] == hub
        for k in range(p.joint.shape[0] - 1):  # any line that moves the hub knows its velocities
            for e in range(p.joint[k, GRIP], p.joint[k + 1, GRIP]):
                if p.grip[e, HUB] == hub and p.grip[e, HUB_AT] >= 0:
                    first = p.joint[k, COLUMN] + p.grip[e, HUB_AT]
        for d in range(0 if done else p.node[hub, SIZE]):
            for which in range(2):
                step = FASTER * fastest if which == 0 else MOVED
                r.loads.direction[:] = 0.0
                r.loads.direction[which, p.column[first + d]] = 1.0
                efforts_when_moved(m, w, r, t, y, step, step)
                write_hub_slopes(m, w, r, hub, d, which, step)


@inlined
def write_slopes(m, w, r, colour, c, which, step):
    """The change of the efforts to the lines of D of all loads, for the unit forces c of the joints of a colour."""
    p = r.response.pattern
    for e in range(m.effort.shape[0]):
        k = m.compliant.shape[0] + e
        count, at = m.effort[e, EFFORTS], m.effort[e, EFFORT_AT]
        for q in range(p.joint[k, PAIR], p.joint[k + 1, PAIR]):
            o, line = p.pair[q, COLUMN_JOINT], p.pair[q, D_AT] + which * count
            if p.joint[o, COLOUR] == colour and c < pushing(m, o):
                for a in range(count):
                    r.response.D[line + a, c] = (r.loads.moved[at + a] - r.loads.base[at + a]) / step


@called
def add_load(m, w, r, k, h):
    """The rows of a load in Newton's matrix."""
    if not is_active(m, w, k):
        return
    stages, p = r.A.shape[0], r.response.pattern
    rows, within, size = unknowns_of(m, k), p.joint[k, WITHIN], p.node[p.joint[k, NODE], SIZE]
    for q in range(p.joint[k, PAIR], p.joint[k + 1, PAIR]):
        o, line = p.pair[q, COLUMN_JOINT], p.pair[q, D_AT]
        width, columns = p.node[p.joint[o, NODE], SIZE], felt_by_loads(m, o)
        for i in range(stages):
            at_row = stages * p.pair[q, BLOCK] + i * size + within
            for j in range(stages):
                hp, hv, at_column = h * h * r.A2[i, j], h * r.A[i, j], j * width + p.joint[o, WITHIN]
                for c in range(rows):
                    for d in range(columns):
                        x = hv * r.response.D[line + c, d] + hp * r.response.D[line + rows + c, d]
                        r.matrix[at_row + c, at_column + d] -= x
    if p.joint[k + 1, GRIP] > p.joint[k, GRIP]:
        add_hubs_of_load(m, r, k, h)


@called
def shift_load(m, w, r, k, h):
    """Move the efforts of a load at all stages by what the change `r.x` of the forces does."""
    if not is_active(m, w, k):
        return
    stages, p, rows = r.A.shape[0], r.response.pattern, unknowns_of(m, k)
    first = m.effort[k - m.compliant.shape[0], EFFORT_AT]
    for q in range(p.joint[k, PAIR], p.joint[k + 1, PAIR]):
        o, line = p.pair[q, COLUMN_JOINT], p.pair[q, D_AT]
        for j in range(stages):
            at = place_of(p, o, j, stages)
            for c in range(rows):
                by_velocity = by_position = 0.0
                for d in range(felt_by_loads(m, o)):
                    by_velocity += r.response.D[line + c, d] * r.x[at + d]
                    by_position += r.response.D[line + rows + c, d] * r.x[at + d]
                for i in range(stages):
                    r.loads.effort[i, first + c] += h * r.A[i, j] * by_velocity + h * h * r.A2[i, j] * by_position
    if p.joint[k + 1, GRIP] > p.joint[k, GRIP]:
        shift_by_hubs(m, r, k, h)


@inlined
def effort_left(m, w, r, k, i, at):
    """By how much the efforts of a load at stage i are not yet what it gives, into `r.x`."""
    e = k - m.compliant.shape[0]
    if is_active(m, w, k):
        for c in range(m.effort[e, EFFORTS]):
            row = m.effort[e, EFFORT_UNKNOWN] + c
            r.x[at + c] = r.loads.effort[i, m.effort[e, EFFORT_AT] + c] - r.F[i + 1, row] - r.dF[i, row]


@called
def load_errors(m, w, r, t, hg):
    """What the errors of velocities and positions held in `r.error` do to the efforts at the end of the step.

    By differences, hγ times the error of velocities added to that of positions; into `r.loads.moved`.
    """
    y, first = r.y[r.A.shape[0] - 1], m.layout[POSITIONS]
    for d in range(m.velocity.shape[0]):
        r.loads.direction[0, d] = r.error[0, d]
        r.loads.direction[1, d] = r.error[1, d] + hg * r.error[0, d]
    fastest = max(largest(y[first : first + m.velocity.shape[0]]), SLOWEST)
    most = max(largest(r.loads.direction[0]) / (FASTER * fastest), largest(r.loads.direction[1]) / MOVED)
    step = 1.0 / most if most > 0.0 else 1.0
    kinematics(m, w, y)
    efforts_of_loads(m, w, t, y, r.loads.base)
    efforts_when_moved(m, w, r, t, y, step, step)
    for a in range(r.loads.base.shape[0]):
        r.loads.moved[a] = (r.loads.moved[a] - r.loads.base[a]) / step
