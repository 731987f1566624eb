"""What a Radau IIA step leaves behind: its polynomial, the joints' forces at the samples, the energy dissipated."""

from __future__ import annotations

from gudgeon.kernels.arrays import POWER, WORK_STATE
from gudgeon.kernels.compiled import inlined
from gudgeon.kernels.compliant import law_force
from gudgeon.kernels.flight import SAMPLED


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
