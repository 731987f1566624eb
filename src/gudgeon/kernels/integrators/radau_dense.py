"""What a Radau IIA step leaves behind: its polynomial, the joints' forces at the samples, the energy dissipated."""

from __future__ import annotations

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.dynamics.arrays import (
    FORCE_ON_BALL,
    PLACE,
    POSITIONS,
    POWER,
    RUB,
    TURNS_ABOUT,
    UNKNOWN,
    UNKNOWNS,
    WORK_STATE,
)
from gudgeon.kernels.dynamics.engine import kinematics, law_force, local_motion
from gudgeon.kernels.dynamics.response import is_active
from gudgeon.kernels.dynamics.state_places import first_turn
from gudgeon.kernels.integrators.radau_error import hardly_acts_back
from gudgeon.kernels.integrators.run import SAMPLED
from gudgeon.kernels.kinematics.poses import quaternion_rate


@called
def add_work(m, w, f, r, h):
    """The energy dissipated in the joints over the step, into the stage states; rates too."""
    stages, trial = r.A.shape[0], m.compliant.shape[0]
    for k in range(m.compliant.shape[0]):
        at = m.compliant[k, WORK_STATE]
        for i in range(stages):
            for c in range(w.local.shape[1]):
                w.local[trial, c] = r.local[i, k, c]
            law_force(m, w, k, trial, trial)
            r.rate[i + 1, at] = w.force[trial, POWER]
        for i in range(stages):
            x = 0.0
            for j in range(stages):
                x += r.A[i, j] * r.rate[j + 1, at]
            r.y[i, at] = f.y[at] + h * x


@inlined
def polynomial(f, r, h, c, table, more, second, last_second):
    """The polynomial of component c from its values at the stages, its rates and `more` further facts."""
    stages, known = r.A.shape[0], r.known
    for i in range(stages):
        known[i] = r.y[i, c] - f.y[c]
    known[stages], known[stages + 1] = h * r.rate[0, c], h * r.rate[stages, c]
    if more == 1:
        mean = 0.0
        for i in range(stages):
            mean += r.A[stages - 1, i] * known[i]
        known[stages + 2] = mean
    elif more == 2:
        known[stages + 2], known[stages + 3] = h * h * second, h * h * last_second
    for k in range(f.dense.shape[0]):
        x = 0.0
        for i in range(stages + 2 + more):
            x += table[k, i] * known[i]
        f.dense[k, c] = x


@called
def prepare_dense(m, f, r, h):
    """The polynomial of the step: positions know their second rates, velocities their mean."""
    positions, stages = m.layout[POSITIONS], r.A.shape[0]
    for d in range(m.velocity.shape[0]):
        v, q, axis = positions + d, m.velocity[d, PLACE], m.velocity[d, TURNS_ABOUT]
        polynomial(f, r, h, v, r.dense_velocity, 1, 0.0, 0.0)
        if axis < 0:
            polynomial(f, r, h, q, r.dense_position, 2, r.rate[0, v], r.rate[stages, v])
        elif axis == 0:
            first, last = second_rates(f.y, r.rate[0], q, v), second_rates(r.y[stages - 1], r.rate[stages], q, v)
            for c in range(4):
                polynomial(f, r, h, q + c, r.dense_position, 2, first[c], last[c])
    for c in range(first_turn(m), f.y.shape[0]):
        polynomial(f, r, h, c, r.dense_other, 0, 0.0, 0.0)


@inlined
def second_rates(y, rate, q, v):
    """The second derivative of the quaternion y[q : q + 4] whose angular velocity is y[v : v + 3]."""
    a = quaternion_rate(y[q], y[q + 1], y[q + 2], y[q + 3], rate[v], rate[v + 1], rate[v + 2])
    b = quaternion_rate(rate[q], rate[q + 1], rate[q + 2], rate[q + 3], y[v], y[v + 1], y[v + 2])
    return a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]


@inlined
def force_within(r, x, out):
    """The joints' forces at the fraction x of the last step."""
    stages = r.A.shape[0]
    total = 0.0
    for j in range(stages + 1):
        node = r.c[j - 1] if j > 0 else 0.0
        if x == node:
            x += 1e-14
        r.weight[j] = r.barycentric[j] / (x - node)
        total += r.weight[j]
    for c in range(out.shape[0]):
        a = 0.0
        for j in range(stages + 1):
            a += r.weight[j] * r.F[j, c]
        out[c] = a / total


@called
def ask_law(m, w, k, y, out):
    """The force of joint k as its law gives it at the state y."""
    kinematics(m, w, y)
    local_motion(m, w, k, y)
    law_force(m, w, k, k, k)
    for c in range(m.compliant[k, UNKNOWNS]):
        out[m.compliant[k, UNKNOWN] + c] = w.force[k, FORCE_ON_BALL + c]


@called
def force_at(m, w, r, h, x, y, out):
    """The joints' forces at the fraction x of the last step, where the state is y.

    A force that hardly acts back is known better from the motion than from its own values at the stages; not friction
    in an ideal joint, which motion alone does not tell.
    """
    force_within(r, x, out)
    for k in range(m.compliant.shape[0]):
        if is_active(m, w, k) and m.compliant[k, RUB] < 0 and hardly_acts_back(m, r, k, h):
            ask_law(m, w, k, y, out)


@called
def write_forces(m, w, f, r, t, h, first):
    """The joints' forces at the samples of the last step, which begin with `first`."""
    for s in range(first, f.count[SAMPLED]):
        force_within(r, (f.times[s] - t) / h, f.force_samples[s])
    if first < f.count[SAMPLED]:
        for k in range(m.compliant.shape[0]):
            if is_active(m, w, k) and m.compliant[k, RUB] < 0 and hardly_acts_back(m, r, k, h):
                for s in range(first, f.count[SAMPLED]):
                    ask_law(m, w, k, f.samples[s], f.force_samples[s])
