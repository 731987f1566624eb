"""The implicit solver, whole: force-reduced Radau IIA with s stages, adaptive, L-stable in the compliant joints.

Collocation of positions and velocities at the Radau nodes; the accelerations for given joint forces are slow and are
iterated by sweeps over the stages, the joint forces are solved for by Newton's method (forces.py):

    sweep: accelerations at all stages → collocate velocities, positions → Newton on the forces → put them back

The error estimate is the embedded one of order s, filtered in the stiff directions (E. Hairer, G. Wanner: Solving
Ordinary Differential Equations II, section IV.8). Tolerances: rtol and atol on positions, 1/TIME_SCALE times those on
velocities (ringing of stiff joints is harmless), and a fraction of the clearance on every eccentricity.
"""

from __future__ import annotations

from math import isfinite, sqrt
from typing import NamedTuple

import numpy as np

from gudgeon.kernels.absolute import accelerations_under, is_nearly_singular, project
from gudgeon.kernels.arrays import (
    ACCELERATION,
    BRISTLE,
    BRISTLE_STIFFNESS,
    CLEARANCE,
    ECCENTRICITY,
    FIRST_STEP,
    FORCE_ON_BALL,
    LOCAL_COLUMNS,
    POWER,
    RATE_OF,
    UNKNOWN,
    UNKNOWNS,
    WORK_STATE,
)
from gudgeon.kernels.compiled import called, compiled, inlined
from gudgeon.kernels.compliant import compliant_rates, law_force, local_motion, turned_by
from gudgeon.kernels.contacts import (
    SHORTEST,
    any_watched,
    film_ends,
    find_event,
    lost_ball,
    missed_by,
    start_modes,
    switch_modes,
    track_peaks,
    watched,
)
from gudgeon.kernels.crossings import crossing_gaps, record_crossings
from gudgeon.kernels.dense import evaluate_dense
from gudgeon.kernels.flight import (
    AIM,
    AIM_JOINT,
    AIM_TRIES,
    ATOL,
    BALL_LOST,
    BEFORE_EVENT,
    CULPRIT,
    DONE,
    END,
    EVALUATIONS,
    FILM_CLOSED,
    FULL,
    JUST_REJECTED,
    LARGEST_STEP,
    LAST_ERROR,
    LAST_STEP,
    MORE,
    NOT_A_NUMBER,
    PROJECTION,
    PROJECTION_TOLERANCE,
    REJECTED,
    RTOL,
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
from gudgeon.kernels.forces import (
    any_active,
    compliance,
    factorise_dense,
    is_active,
    relative,
    solve_dense,
    solve_forces,
)
from gudgeon.kernels.laws import friction_force
from gudgeon.kernels.loads import turn_rates
from gudgeon.kernels.rotation import kinematics
from gudgeon.kernels.sampling import sample_is_due, write_first_samples, write_samples

SAFETY = 0.9  # of the step size
TIME_SCALE = 1e-3  # tolerance of positions against that of velocities [s]
SWEEPS = 10  # at most
CONVERGED = 0.03  # what is left of the sweeps' error, against the tolerance
SETTLED = 1e-4  # relative change of the forces in their last iteration, at most
FARTHEST = 1.5  # steps to which the long steps of more than three stages are extrapolated
TRIES = 8  # to end a step at a contact event
CLEARANCE_WEIGHT = 100.0  # tolerance of eccentricities: rtol times this times the clearance

# places in Collocation.memory
THETA, FRESH, SWEPT = 0, 1, 2
MEMORY_SIZE = 3


class Collocation(NamedTuple):
    """What this method needs besides the Flight: coefficients (radau_table.py), stages, the algebra of the forces."""

    c: np.ndarray  # (s)
    A: np.ndarray  # (s, s)
    A2: np.ndarray  # (s, s)
    E: np.ndarray  # (s + 1)
    barycentric: np.ndarray  # (s + 1)
    predictor: np.ndarray  # (s + 1)
    dense_position: np.ndarray
    dense_velocity: np.ndarray
    dense_other: np.ndarray
    memory: np.ndarray  # (MEMORY_SIZE) rate of convergence of the last step; 1 if the last polynomial is of use
    y: np.ndarray  # (s, n) stage states
    rate: np.ndarray  # (s + 1, n) ẏ at the start and at the stages
    F: np.ndarray  # (s + 1, unknowns) forces likewise
    last_rate: np.ndarray  # (s + 1, n) of the last step
    last_F: np.ndarray  # (s + 1, unknowns)
    weight: np.ndarray  # (s + 1) of an extrapolation
    known: np.ndarray  # (s + 4) what is known of one component, for the dense output
    error: np.ndarray  # (2, 6 bodies) of velocities and positions
    scale: np.ndarray  # (2, 6 bodies) tolerances of velocities and positions
    W: np.ndarray  # (unknowns, 6 bodies)
    D: np.ndarray  # (unknowns, unknowns)
    arm: np.ndarray  # (compliant joints, 6) X from the centres of mass
    local: np.ndarray  # (s, compliant joints, LOCAL_COLUMNS) the joints' motions at the stages
    motion: np.ndarray  # (s, compliant joints, LOCAL_COLUMNS) where the laws are linearised
    last_motion: np.ndarray  # (s + 1, compliant joints, LOCAL_COLUMNS) of the last step, its start included
    phi_p: np.ndarray  # (s, compliant joints, 6, 6)
    phi_v: np.ndarray  # (s, compliant joints, 6, 6)
    dF: np.ndarray  # (s, unknowns)
    matrix: np.ndarray  # of the largest island
    pivot: np.ndarray
    x: np.ndarray
    z: np.ndarray  # (s, unknowns)
    base: np.ndarray  # (6)
    island_start: np.ndarray
    island_joint: np.ndarray
    island_size: np.ndarray  # unknowns of each island


@inlined
def pose_rates(n, y, rate):
    """Rates of all poses from the velocities in y."""
    for b in range(n):
        q, v = 7 * b, 7 * n + 6 * b
        e0, e1, e2, e3 = y[q + 3], y[q + 4], y[q + 5], y[q + 6]
        wx, wy, wz = y[v + 3], y[v + 4], y[v + 5]
        rate[q], rate[q + 1], rate[q + 2] = y[v], y[v + 1], y[v + 2]
        rate[q + 3] = 0.5 * (-wx * e1 - wy * e2 - wz * e3)
        rate[q + 4] = 0.5 * (wx * e0 + wy * e3 - wz * e2)
        rate[q + 5] = 0.5 * (wy * e0 + wz * e1 - wx * e3)
        rate[q + 6] = 0.5 * (wz * e0 + wx * e2 - wy * e1)


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
    n = m.body.shape[0] - 1
    integrate(f, r, h, 7 * n, 13 * n)
    for i in range(r.A.shape[0]):
        pose_rates(n, r.y[i], r.rate[i + 1])
    integrate(f, r, h, 0, 7 * n)
    integrate(f, r, h, 13 * n, f.y.shape[0])


@inlined
def extrapolate(m, f, r, h):
    """First guess of accelerations and forces at the stages: the polynomials of the last step, or constants."""
    n, stages = m.body.shape[0] - 1, r.A.shape[0]
    ratio = h / f.clock[LAST_STEP] if r.memory[FRESH] else 0.0
    if stages > 3 and ratio > FARTHEST:
        ratio = 0.0
    for i in range(stages):
        if ratio > 0.0:
            x = 1.0 + ratio * r.c[i]
            total = 0.0
            for j in range(stages + 1):
                node = r.c[j - 1] if j > 0 else 0.0
                r.weight[j] = r.predictor[j] / (x - node)
                total += r.weight[j]
            for c in range(7 * n, f.y.shape[0]):
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
            for c in range(7 * n, f.y.shape[0]):
                r.rate[i + 1, c] = r.rate[0, c]
            for c in range(r.F.shape[1]):
                r.F[i + 1, c] = r.F[0, c]
        for c in range(7 * n):  # a rough pose, for the first rates
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


@inlined
def put_back(m, f, r, h):
    """Change accelerations, velocities and poses at all stages by what the change `dF` of the forces does."""
    n, stages, unknowns = m.body.shape[0] - 1, r.A.shape[0], r.F.shape[1]
    for i in range(stages):
        for c in range(unknowns):
            r.F[i + 1, c] += r.dF[i, c]
    for d in range(6 * n):
        for i in range(stages):
            a = 0.0
            for c in range(unknowns):
                a += r.W[c, d] * r.dF[i, c]
            r.weight[i] = a
            r.rate[i + 1, 7 * n + d] += a
        b, axis = d // 6, d % 6
        for i in range(stages):
            velocity = position = 0.0
            for j in range(stages):
                velocity += r.A[i, j] * r.weight[j]
                position += r.A2[i, j] * r.weight[j]
            r.y[i, 7 * n + d] += h * velocity
            position *= h * h
            q = 7 * b + 3
            y = r.y[i]
            if axis < 3:
                y[7 * b + axis] += position
            else:  # a small turn about one world axis
                e0, e1, e2, e3 = y[q], y[q + 1], y[q + 2], y[q + 3]
                s = 0.5 * position
                if axis == 3:
                    y[q], y[q + 1], y[q + 2], y[q + 3] = e0 - s * e1, e1 + s * e0, e2 - s * e3, e3 + s * e2
                elif axis == 4:
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
def set_scales(m, f, r):
    """The tolerances of velocities and positions, body by body."""
    n = m.body.shape[0] - 1
    atol, rtol = f.clock[ATOL], f.clock[RTOL]
    for b in range(n):
        for c in range(3):
            r.scale[1, 6 * b + c] = atol + rtol * abs(f.y[7 * b + c])
            r.scale[1, 6 * b + 3 + c] = atol + rtol
        for c in range(6):
            r.scale[0, 6 * b + c] = r.scale[1, 6 * b + c] / TIME_SCALE + rtol * abs(f.y[7 * n + 6 * b + c])


@inlined
def take_step(m, w, f, r, t, h):
    """All stages of a step; returns 1 if they were found, 0 if the sweeps do not converge, −1 for no number."""
    n, stages = m.body.shape[0] - 1, r.A.shape[0]
    extrapolate(m, f, r, h)
    collocate(m, f, r, h)
    set_scales(m, f, r)
    pushes = any_active(m, w)
    middle = stages // 2
    before, theta, unsettled = 0.0, r.memory[THETA], 0.0
    for sweep in range(SWEEPS):
        for i in range(stages):
            rates_under(m, w, t + r.c[i] * h, r.y[i], r.F[i + 1], r.rate[i + 1])
            if sweep == 0 and i == middle:
                compliance(m, w, r)
        f.count[EVALUATIONS] += stages
        copy(r.y[stages - 1], f.y_new)
        copy(r.y[middle], f.y_stage)
        collocate(m, f, r, h)
        if pushes:
            unsettled = solve_forces(m, w, r, h, sweep == 0)
            if unsettled < 0.0:
                return -1
            put_back(m, f, r, h)
        change = 0.0
        for d in range(6 * n):
            last = r.y[stages - 1, 7 * n + d] - f.y_new[7 * n + d]
            half = r.y[middle, 7 * n + d] - f.y_stage[7 * n + d]
            change += (last * last + half * half) / r.scale[0, d] ** 2
        change = sqrt(change / (12 * n))
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
            r.memory[THETA] = min(max(theta, 0.05), 0.3)
            return 1
    return 0


@inlined
def estimate_error(m, w, f, r, h):
    """Estimated error of the step against the tolerance, filtered in the stiff directions; 1 is just accepted."""
    n, stages = m.body.shape[0] - 1, r.A.shape[0]
    f.y_stage[:] = 0.0
    for c in range(13 * n):
        x = 0.0
        for j in range(stages + 1):
            x += r.E[j] * r.rate[j, c]
        f.y_stage[c] = h * x
    for b in range(n):
        for c in range(3):
            r.error[1, 6 * b + c] = f.y_stage[7 * b + c]
        r.error[1, 6 * b + 3], r.error[1, 6 * b + 4], r.error[1, 6 * b + 5] = turned_by(f.y, f.y_stage, 7 * b + 3)
        for c in range(6):
            r.error[0, 6 * b + c] = f.y_stage[7 * n + 6 * b + c]
    if any_active(m, w):
        filter_error(m, w, r, h * r.E[0])
    total = 0.0
    for d in range(6 * n):
        total += (r.error[0, d] / r.scale[0, d]) ** 2 + (r.error[1, d] / r.scale[1, d]) ** 2
    worst = sqrt(total / (12 * n))
    for k in range(m.compliant.shape[0]):
        if watched(m, k):
            total = 0.0
            for c in range(3):
                total += relative(m, r, k, c, r.error[1]) ** 2
            scale = CLEARANCE_WEIGHT * f.clock[RTOL] * m.compliant_vector[k, CLEARANCE]
            worst = max(worst, sqrt(total / 3.0) / scale)
        if m.compliant[k, BRISTLE] >= 0 and is_active(m, w, k):
            worst = max(worst, bristle_error(m, f, r, k, h))
    return worst


@inlined
def bristle_error(m, f, r, k, h):
    """Estimated error of the bristles of joint k, filtered, against the tolerance: a fraction of what they give way."""
    stages, at, total = r.A.shape[0], m.compliant[k, BRISTLE], 0.0
    for c in range(3):
        x = 0.0
        for j in range(stages + 1):
            x += r.E[j] * r.rate[j, at + c]
        x *= h / (1.0 - min(h * r.E[0] * r.phi_v[stages - 1, k, 3 + c, 3 + c], 0.0))
        total += x * x
    most = friction_force(m, k, 0.0, 1.0) / m.compliant_vector[k, BRISTLE_STIFFNESS]
    return sqrt(total / 3.0) / (CLEARANCE_WEIGHT * f.clock[RTOL] * most)


@inlined
def filter_error(m, w, r, hg):
    """Solve (1 − hγ J) x = error, J the stiff part of the Jacobian: the joints' laws at the last stage."""
    n, stages, unknowns = m.body.shape[0] - 1, r.A.shape[0], r.F.shape[1]
    last = stages - 1
    # in the joints' relative motion: (1 − D (hγ φ_v + (hγ)² φ_p)) g = G e_v + hγ D φ_p G e_q
    for k in range(m.compliant.shape[0]):
        bristle = m.compliant[k, BRISTLE] >= 0
        for c in range(m.compliant[k, UNKNOWNS]):
            row = m.compliant[k, UNKNOWN] + c
            r.z[0, row] = r.z[1, row] = 0.0
            if not (bristle and c >= 3):
                r.z[0, row] = relative(m, r, k, c, r.error[0])
                r.z[1, row] = relative(m, r, k, c, r.error[1])
    for row in range(unknowns):
        r.x[row] = r.z[0, row]
        for column in range(unknowns):
            r.matrix[row, column] = 1.0 if row == column else 0.0
    for k in range(m.compliant.shape[0]):
        if not is_active(m, w, k):
            continue
        first = m.compliant[k, UNKNOWN]
        for c in range(m.compliant[k, UNKNOWNS]):
            for d in range(m.compliant[k, UNKNOWNS]):
                pull = hg * r.phi_v[last, k, c, d] + hg * hg * r.phi_p[last, k, c, d]
                slow = hg * r.phi_p[last, k, c, d] * r.z[1, first + d]
                for row in range(unknowns):
                    r.matrix[row, first + d] -= r.D[row, first + c] * pull
                    r.x[row] += r.D[row, first + c] * slow
    factorise_dense(r.matrix, r.pivot, unknowns)
    solve_dense(r.matrix, r.pivot, unknowns, r.x)
    for k in range(m.compliant.shape[0]):
        if not is_active(m, w, k):
            continue
        first = m.compliant[k, UNKNOWN]
        for c in range(m.compliant[k, UNKNOWNS]):
            force = 0.0
            for d in range(m.compliant[k, UNKNOWNS]):
                g = r.x[first + d]
                force += r.phi_v[last, k, c, d] * g + r.phi_p[last, k, c, d] * (r.z[1, first + d] + hg * g)
            for d in range(6 * n):
                r.error[0, d] += hg * force * r.W[first + c, d]
    for d in range(6 * n):
        r.error[1, d] += hg * r.error[0, d]


@inlined
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
def prepare_dense(m, f, r, h):
    """The polynomial of the step."""
    n, stages, terms = m.body.shape[0] - 1, r.A.shape[0], f.dense.shape[0]
    known = r.known
    for c in range(f.y.shape[0]):
        for i in range(stages):
            known[i] = r.y[i, c] - f.y[c]
        known[stages], known[stages + 1] = h * r.rate[0, c], h * r.rate[stages, c]
        if 7 * n <= c < 13 * n:
            mean = 0.0
            for i in range(stages):
                mean += r.A[stages - 1, i] * known[i]
            known[stages + 2] = mean
            for k in range(terms):
                x = 0.0
                for i in range(stages + 3):
                    x += r.dense_velocity[k, i] * known[i]
                f.dense[k, c] = x
        elif c < 7 * n:
            known[stages + 2], known[stages + 3] = second_rates(n, f.y, r.rate[0], c), 0.0
            known[stages + 2] *= h * h
            known[stages + 3] = h * h * second_rates(n, r.y[stages - 1], r.rate[stages], c)
            for k in range(terms):
                x = 0.0
                for i in range(stages + 4):
                    x += r.dense_position[k, i] * known[i]
                f.dense[k, c] = x
        else:
            for k in range(terms):
                x = 0.0
                for i in range(stages + 2):
                    x += r.dense_other[k, i] * known[i]
                f.dense[k, c] = x


@inlined
def second_rates(n, y, rate, c):
    """The second derivative of component c of the poses."""
    b, part = c // 7, c % 7
    q, v = 7 * b, 7 * n + 6 * b
    if part < 3:
        return rate[v + part]
    ax, ay, az = rate[v + 3], rate[v + 4], rate[v + 5]
    wx, wy, wz = y[v + 3], y[v + 4], y[v + 5]
    e0, e1, e2, e3 = y[q + 3], y[q + 4], y[q + 5], y[q + 6]
    d0, d1, d2, d3 = rate[q + 3], rate[q + 4], rate[q + 5], rate[q + 6]
    if part == 3:
        return 0.5 * (-ax * e1 - ay * e2 - az * e3 - wx * d1 - wy * d2 - wz * d3)
    if part == 4:
        return 0.5 * (ax * e0 + ay * e3 - az * e2 + wx * d0 + wy * d3 - wz * d2)
    if part == 5:
        return 0.5 * (ay * e0 + az * e1 - ax * e3 + wy * d0 + wz * d1 - wx * d3)
    return 0.5 * (az * e0 + ax * e2 - ay * e1 + wz * d0 + wx * d2 - wy * d1)


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


@inlined
def write_forces(f, r, t, h, until):
    """Interpolate the joints' forces at all samples up to the fraction `until` of the last step."""
    s = f.count[SAMPLED]
    while s < f.times.shape[0]:
        x = (f.times[s] - t) / h
        if x > until:
            return
        force_within(r, x, f.force_samples[s])
        s += 1


@inlined
def rates_under(m, w, t, y, force, rate):
    """Rates of velocities and counted angles at the state y under given joint forces."""
    n = m.body.shape[0] - 1
    accelerations_under(m, w, t, y, force)
    for b in range(n):
        for c in range(6):
            rate[7 * n + 6 * b + c] = w.body[b + 1, ACCELERATION + c]
    turn_rates(m, w, rate)


@called
def begin_anew(m, w, f, r, t):
    """Rates and forces at `f.y` as the laws give them, and no polynomial to go on from."""
    kinematics(m, w, f.y)
    for k in range(m.compliant.shape[0]):
        local_motion(m, w, k, f.y)
        law_force(m, w, k, k, k)
        for c in range(m.compliant[k, UNKNOWNS]):
            r.F[0, m.compliant[k, UNKNOWN] + c] = w.force[k, FORCE_ON_BALL + c]
        copy(w.local[k], r.last_motion[r.A.shape[0], k])
    compliant_rates(m, w, r.rate[0])
    pose_rates(m.body.shape[0] - 1, f.y, r.rate[0])
    rates_under(m, w, t, f.y, r.F[0], r.rate[0])
    f.count[EVALUATIONS] += 1
    r.memory[FRESH] = 0.0
    r.memory[THETA] = 0.3


@called
def start(m, w, f, r):
    """Modes, rates, the first step size and the samples at the start."""
    t = f.clock[TIME]
    start_modes(m, w, f, t)
    begin_anew(m, w, f, r, t)
    fastest = 0.0
    for i in range(f.y.shape[0]):
        if not isfinite(r.rate[0, i]):
            return NOT_A_NUMBER
        fastest = max(fastest, abs(r.rate[0, i]))
    if f.clock[STEP] <= 0.0:
        f.clock[STEP] = min(f.clock[LARGEST_STEP], 1e-3 * f.clock[END], 1e-4 / max(sqrt(fastest), 1e-3))
    if f.gaps.shape[1] > 0:
        crossing_gaps(m, w, f.y, f.gaps[0])
    before = f.count[SAMPLED]
    write_first_samples(f, t)
    for s in range(before, f.count[SAMPLED]):
        copy(r.F[0], f.force_samples[s])
    f.count[STARTED] = 1
    return MORE


@called
def after_event(m, w, f, h):
    """The step size to try after a contact event: what it was when this joint last touched or flew."""
    k = f.count[AIM_JOINT]
    last = w.contact[k, FIRST_STEP]
    w.contact[k, FIRST_STEP] = f.clock[BEFORE_EVENT]
    return last if last > 0.0 else 0.1 * h


@compiled
def advance(m, w, f, r, step_budget):
    """Go on for at most `step_budget` steps; says how it ended."""
    clock, count = f.clock, f.count
    if count[STARTED] == 0:
        status = start(m, w, f, r)
        if status != MORE:
            return status
    crossings, joints, touching = f.gaps.shape[1], m.compliant.shape[0], any_watched(m)
    n, stages = m.body.shape[0] - 1, r.A.shape[0]
    power = -1.0 / (stages + 1)
    spent = 0
    while True:
        t, h = clock[TIME], clock[STEP]
        left = clock[END] - t
        if left <= 0.0:
            return DONE
        if spent >= step_budget:
            return MORE
        if is_full(m, f):
            return FULL
        h = min(h, clock[LARGEST_STEP])
        aims = clock[AIM] > 0.0
        if aims:
            h = clock[AIM]
        last = left - h <= 1e-9 * h and not aims
        if last:
            h = left
        if h <= 1e-14 * max(abs(t), 1e-3) and not aims:
            return UNDERFLOW
        spent += 1
        found = take_step(m, w, f, r, t, h)
        if found != 1:
            count[REJECTED] += 1
            clock[STEP] = h * (0.5 if found == 0 else 0.1)
            clock[AIM] = 0.0
            count[JUST_REJECTED] = 1
            r.memory[THETA] = 0.3
            if clock[STEP] <= 1e-14 * max(abs(t), 1e-3):
                return NOT_A_NUMBER
            continue
        error = estimate_error(m, w, f, r, h)
        if not isfinite(error):
            error = 1e10
        swept = SAFETY * (2.0 * SWEEPS + 1.0) / (2.0 * SWEEPS + r.memory[SWEPT])
        factor = 8.0 if error == 0.0 else min(8.0, max(0.2, swept * error**power))
        if error > 1.0 and not aims:
            count[REJECTED] += 1
            clock[STEP] = h * min(0.9, factor)
            count[JUST_REJECTED] = 1
            continue
        if joints > 0:
            add_work(m, w, f, r, h)
        copy(r.y[stages - 1], f.y_new)
        if touching and not aims:
            prepare_dense(m, f, r, h)
            x = find_event(m, w, f)
            if x <= 1.0:  # take the step again, so that it ends there
                clock[AIM], clock[BEFORE_EVENT], count[AIM_TRIES] = max(x * h, SHORTEST), h, 0
                continue
            lost = lost_ball(m, w)
            if lost >= 0:
                count[CULPRIT] = lost
                return BALL_LOST
        if aims:
            gap, rate = missed_by(m, w, f, count[AIM_JOINT])
            count[AIM_TRIES] += 1
            missed = abs(gap) > 1e-16 and abs(gap) > 1e-13 * abs(rate)
            if missed and rate > 0.0 and count[AIM_TRIES] < TRIES:
                clock[AIM] = min(max(h - gap / rate, 0.1 * h), 2.0 * h)
                continue
        if not aims:
            if clock[LAST_ERROR] > 0.0 and error > 0.0:  # as the error has grown or shrunk since the last step
                trend = h / clock[LAST_STEP] * (error / clock[LAST_ERROR]) ** power
                factor = min(factor, max(0.2, swept * error**power * trend))
            clock[LAST_ERROR] = max(error, 1e-2)
        if count[JUST_REJECTED]:
            factor = min(1.0, factor)
            count[JUST_REJECTED] = 0
        count[STEPS] += 1
        t_new = clock[END] if last else t + h
        stop = 2.0
        due = sample_is_due(f, t_new)
        if due or crossings > 0 or touching:
            if not touching or aims:
                prepare_dense(m, f, r, h)
            if touching:
                track_peaks(m, w, f, aims)
            if crossings > 0:
                stop = record_crossings(m, w, f, t, h)
            if due:
                until = min(stop, 1.0) * (1.0 + 1e-9)
                write_forces(f, r, t, h, until)
                write_samples(m, w, f, t, h, until)
        if stop <= 1.0:
            force_within(r, stop, f.end_force)
            evaluate_dense(f.y, f.dense, stop, f.y_new)
            copy(f.y_new, f.y)
            clock[TIME] = t + stop * h
            return STOPPED
        if not last or factor < 1.0:
            clock[STEP] = h if 1.0 <= factor <= 1.1 else h * factor
        copy(f.y_new, f.y)
        for b in range(n):
            q = 7 * b + 3
            s = 1.0 / sqrt(f.y[q] ** 2 + f.y[q + 1] ** 2 + f.y[q + 2] ** 2 + f.y[q + 3] ** 2)
            for c in range(4):
                f.y[q + c] *= s
        clock[TIME], clock[LAST_STEP] = t_new, h
        projects = count[PROJECTION] or is_nearly_singular(w)
        if projects:
            project(m, w, t_new, f.y, clock[PROJECTION_TOLERANCE])
        if aims:
            clock[AIM] = 0.0
            k = count[AIM_JOINT]
            if film_ends(m, k):
                count[CULPRIT] = k
                return FILM_CLOSED
            switch_modes(m, w, f, t_new, k)
            clock[STEP], clock[LAST_ERROR] = after_event(m, w, f, clock[BEFORE_EVENT]), 0.0
            begin_anew(m, w, f, r, t_new)
        else:
            for j in range(stages + 1):
                copy(r.rate[j], r.last_rate[j])
                copy(r.F[j], r.last_F[j])
            for k in range(joints):
                copy(r.last_motion[stages, k], r.last_motion[0, k])
                for j in range(stages):
                    copy(r.local[j, k], r.last_motion[j + 1, k])
            r.memory[FRESH] = 1.0
            copy(r.rate[stages], r.rate[0])
            copy(r.F[stages], r.F[0])
            pose_rates(n, f.y, r.rate[0])
