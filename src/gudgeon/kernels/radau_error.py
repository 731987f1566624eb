"""The error of a Radau IIA step: the embedded estimate of order s, filtered in the stiff directions.

E. Hairer, G. Wanner: Solving Ordinary Differential Equations II, section IV.8. Tolerances: rtol and atol on positions,
1/TIME_SCALE times those on velocities (ringing of stiff joints is harmless), a fraction of the clearance on every
eccentricity, and a fraction of the largest deflection on bristles.
"""

from __future__ import annotations

from math import sqrt

from gudgeon.kernels.arrays import (
    BRISTLE,
    BRISTLE_STIFFNESS,
    CLEARANCE,
    PLACE,
    POSITIONS,
    TURNS_ABOUT,
    UNKNOWN,
    UNKNOWNS,
    VELOCITIES,
)
from gudgeon.kernels.compiled import inlined
from gudgeon.kernels.compliance import any_active, is_active, relative
from gudgeon.kernels.contacts import watched
from gudgeon.kernels.dense_lu import factorise_dense, solve_dense
from gudgeon.kernels.flight import ATOL, RTOL
from gudgeon.kernels.laws import friction_force
from gudgeon.kernels.rotation import turned_by

TIME_SCALE = 1e-3  # tolerance of positions against that of velocities [s]
CLEARANCE_WEIGHT = 100.0  # tolerance of eccentricities: rtol times this times the clearance


@inlined
def set_scales(m, f, r):
    """The tolerances of velocities and positions."""
    first, atol, rtol = m.layout[POSITIONS], f.clock[ATOL], f.clock[RTOL]
    for d in range(m.velocity.shape[0]):
        size = 1.0 if m.velocity[d, TURNS_ABOUT] >= 0 else abs(f.y[m.velocity[d, PLACE]])
        r.scale[1, d] = atol + rtol * size
        r.scale[0, d] = r.scale[1, d] / TIME_SCALE + rtol * abs(f.y[first + d])


@inlined
def estimate_error(m, w, f, r, h):
    """Estimated error of the step against the tolerance, filtered in the stiff directions; 1 is just accepted."""
    first, velocities, stages = m.layout[POSITIONS], m.layout[VELOCITIES], r.A.shape[0]
    f.y_stage[:] = 0.0
    for c in range(first + velocities):
        x = 0.0
        for j in range(stages + 1):
            x += r.E[j] * r.rate[j, c]
        f.y_stage[c] = h * x
    for d in range(velocities):
        r.error[0, d] = f.y_stage[first + d]
        q, axis = m.velocity[d, PLACE], m.velocity[d, TURNS_ABOUT]
        if axis < 0:
            r.error[1, d] = f.y_stage[q]
        elif axis == 0:
            r.error[1, d], r.error[1, d + 1], r.error[1, d + 2] = turned_by(f.y, f.y_stage, q)
    if any_active(m, w):
        filter_error(m, w, r, h * r.E[0])
    total = 0.0
    for d in range(velocities):
        total += (r.error[0, d] / r.scale[0, d]) ** 2 + (r.error[1, d] / r.scale[1, d]) ** 2
    worst = sqrt(total / max(2 * velocities, 1))
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
    velocities, stages, unknowns = m.layout[VELOCITIES], r.A.shape[0], r.F.shape[1]
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
            for d in range(velocities):
                r.error[0, d] += hg * force * r.W[first + c, d]
    for d in range(velocities):
        r.error[1, d] += hg * r.error[0, d]
