"""A journal whose mechanism other joints hold in a plane: no tilt, no axial motion, and its force at one point.

    δ = |d_⊥| − (R_i − R_j − onset),   F = −L (f′(δ, δ̇) n + friction) at X half-way between the surfaces

the special case k = 0, d_z = 0 of a land (land.py) of length L, with three unknowns instead of six; two
where mechanics/level_bodies.py says so.
"""

from __future__ import annotations

from math import sqrt

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed, inlined
from gudgeon.kernels.dynamics.arrays import (
    ARM_OF,
    DEPTH,
    DEPTH_RATE,
    ECCENTRICITY,
    FORCE_ON_BALL,
    FRAME,
    MODEL,
    NORMAL,
    OMEGA_BALL,
    POWER,
    RATE_OF,
    REPORT_CONTACT,
    REPORT_FRICTION,
    REPORT_NORMAL,
    REPORT_OWN,
    REPORT_PENETRATION,
    REPORT_PRESSURE,
    REPORT_RATE,
    REPORT_SLIDING,
    REPORT_STORED,
    WORK,
)
from gudgeon.kernels.elements.bushing import in_joint_axes, vector
from gudgeon.kernels.elements.joints import clear_force
from gudgeon.kernels.elements.journal_section import BORE_RADIUS, ONSET, PIN_RADIUS
from gudgeon.kernels.elements.land import BORE_LOWER, BORE_UPPER, LINE, OPEN, impact_speed, line_pressure
from gudgeon.kernels.elements.laws import contact_energy, normal_force
from gudgeon.kernels.elements.pushes import pushes
from gudgeon.kernels.elements.rubbing_point import push_of_point, velocity_at
from gudgeon.kernels.kinematics.vectors import dot, plus_times, vector_product


@inlined
def in_plane(p, x):
    """δ, n, X − P_j, v, w and |d_⊥| for the motion x."""
    d, v = in_joint_axes(x, vector(x, ECCENTRICITY)), in_joint_axes(x, vector(x, RATE_OF))
    w = in_joint_axes(x, vector(x, OMEGA_BALL))
    away = sqrt(d[0] * d[0] + d[1] * d[1])
    n = (d[0] / away, d[1] / away, 0.0) if away > 0.0 else (1.0, 0.0, 0.0)
    depth = away - (p[BORE_RADIUS] - p[PIN_RADIUS] - p[ONSET])
    far = p[PIN_RADIUS] - 0.5 * (depth - p[ONSET])
    return depth, n, (far * n[0], far * n[1], 0.0), (v[0], v[1], 0.0), (0.0, 0.0, w[2]), away


@addressed(void(MODEL, WORK, int64, int64, int64))
def depth_of_planar_land(m, w, k, a, b):
    """How deep the pin is, and its rate, for the motion in line a of `local`, into line b of `force`."""
    depth, n, _, v, _, _ = in_plane(m.compliant_vector[k], w.local[a])
    w.force[b, DEPTH], w.force[b, DEPTH_RATE] = depth, dot(n, v)


@addressed(void(MODEL, WORK, int64, int64, int64))
def force_of_planar_land(m, w, k, a, b):
    """The push of a land for the motion in line a of `local`, into line b of `force`."""
    p, x, out = m.compliant_vector[k], w.local[a], w.force[b]
    clear_force(w.force, b)
    depth, n, arm, v, turning, _ = in_plane(p, x)
    for r in range(3):
        out[ARM_OF + r] = x[ECCENTRICITY + r]
    if not pushes(w, k, depth):
        return
    length = p[BORE_UPPER] - p[BORE_LOWER]
    f, normal, power = push_of_point(m, k, impact_speed(m, w, k), max(depth, 0.0), n, arm, v, turning, True)
    for r in range(3):
        axes = vector(x, FRAME + 3 * r)
        out[FORCE_ON_BALL + r] = length * dot(axes, f)
        out[ARM_OF + r] += dot(axes, arm)
    out[NORMAL], out[POWER] = length * normal, length * power


@addressed(void(MODEL, WORK, int64))
def report_of_planar_land(m, w, k):
    """What a land does in the motion of line k of `local`, under the forces there."""
    p, x, out = m.compliant_vector[k], w.local[k], w.report
    depth, n, arm, v, turning, away = in_plane(p, x)
    length, touching = p[BORE_UPPER] - p[BORE_LOWER], pushes(w, k, depth)
    normal = power = largest = 0.0
    f = in_joint_axes(x, vector(w.force[k], FORCE_ON_BALL))
    u = velocity_at(v, turning, arm)
    along, rub = plus_times(u, -dot(n, u), n), plus_times(f, -dot(n, f), n)
    out[REPORT_PENETRATION], out[REPORT_RATE] = depth, dot(n, v)
    if touching:
        impact, deep = impact_speed(m, w, k), max(depth, 0.0)
        _, normal, power = push_of_point(m, k, impact, deep, n, arm, v, turning, True)
        normal, power = length * normal, length * power
        largest = normal_force(m, k, deep, 0.0, impact)
        out[REPORT_STORED] = length * contact_energy(m, k, deep, impact)
        for r in range(3):
            axes = vector(x, FRAME + 3 * r)
            out[REPORT_FRICTION + r], out[REPORT_SLIDING + r] = dot(axes, rub), dot(axes, along)
    out[REPORT_CONTACT], out[REPORT_NORMAL] = 1.0 if touching else 0.0, normal
    out[REPORT_PRESSURE] = line_pressure(p, largest)
    at = REPORT_OWN
    for end in range(2):
        out[at + end], out[at + 2 + end] = away, depth
    if touching and depth > 0.0:
        out[at + 5], out[at + 6] = length, LINE
    else:
        out[at + 6] = OPEN
    out[at + 7], out[at + 10] = normal, vector_product(arm, f)[2]
    out[at + 11], out[at + 12] = power, out[REPORT_PRESSURE]
