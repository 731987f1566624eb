"""A point of one body and a plane of another: the corner or node of a slider, and a wall of its guide.

    δ = −n·e,   u = ė − ω_i × e,   δ > 0:   f = law(δ, δ̇, δ̇⁽⁻⁾) n − friction(|u_t|, f_n) u_t/|u_t|

n is the wall's normal towards the slider, e from a point of the wall to the slider's point, where the forces act; u is
its velocity against the guide's material.
"""

from __future__ import annotations

from math import sqrt

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed, inlined
from gudgeon.kernels.dynamics.arrays import (
    ARM_OF,
    BRISTLE,
    DEPTH,
    DEPTH_RATE,
    ECCENTRICITY,
    FORCE_ON_BALL,
    FRAME,
    IMPACT_SPEED,
    MODEL,
    NORMAL,
    OMEGA_SOCKET,
    POWER,
    RATE_OF,
    REPORT_CONTACT,
    REPORT_FRICTION,
    REPORT_NORMAL,
    REPORT_PENETRATION,
    REPORT_RATE,
    REPORT_SLIDING,
    REPORT_STORED,
    SMALLEST_IMPACT,
    SOCKET_AXES,
    WORK,
)
from gudgeon.kernels.elements.bristles import bristle_friction
from gudgeon.kernels.elements.joints import clear_force
from gudgeon.kernels.elements.laws import contact_energy, friction_force, normal_force
from gudgeon.kernels.elements.pushes import pushes
from gudgeon.kernels.kinematics.vectors import dot, get, plus_times, vector_product

WALL = SOCKET_AXES + 3  # the second axis of the guide is the wall's normal


@inlined
def seen_from_wall(m, w, k, a):
    """e, n, u, δ and δ̇ for the motion in line a of `local`."""
    x, n = w.local, get(m.compliant_vector, k, WALL)
    n = (
        dot(get(x, a, FRAME), n),
        dot(get(x, a, FRAME + 3), n),
        dot(get(x, a, FRAME + 6), n),
    )
    e = get(x, a, ECCENTRICITY)
    u = plus_times(get(x, a, RATE_OF), -1.0, vector_product(get(x, a, OMEGA_SOCKET), e))
    return e, n, u, -dot(n, e), -dot(n, u)


@addressed(void(MODEL, WORK, int64, int64, int64))
def depth_of_plane(m, w, k, a, b):
    """How deep the point is in the wall, and its rate, for the motion in line a of `local`, into line b of `force`."""
    _, _, _, w.force[b, DEPTH], w.force[b, DEPTH_RATE] = seen_from_wall(m, w, k, a)


@addressed(void(MODEL, WORK, int64, int64, int64))
def force_of_plane(m, w, k, a, b):
    """The force of a wall for the motion in line a of `local`, into line b of `force`."""
    force = w.force
    clear_force(force, b)
    e, n, u, depth, rate = seen_from_wall(m, w, k, a)
    for c in range(3):
        force[b, ARM_OF + c] = e[c]
    if not pushes(w, k, depth):
        return
    impact, depth = max(w.contact[k, IMPACT_SPEED], m.compliant_vector[k, SMALLEST_IMPACT]), max(depth, 0.0)
    normal, elastic = normal_force(m, k, depth, rate, impact), normal_force(m, k, depth, 0.0, impact)
    t = plus_times(u, rate, n)
    speed = sqrt(dot(t, t))
    if m.compliant[k, BRISTLE] >= 0:
        g = bristle_friction(m, w, k, a, b, n, (0.0, 0.0, 0.0), 1.0, normal, speed, t)
    else:
        s = friction_force(m, k, speed, normal) / speed if speed > 0.0 else 0.0
        g = (-s * t[0], -s * t[1], -s * t[2])
    force[b, NORMAL] = normal
    force[b, POWER] = (normal - elastic) * rate - dot(g, t)
    for c in range(3):
        force[b, FORCE_ON_BALL + c] = normal * n[c] + g[c]


@addressed(void(MODEL, WORK, int64))
def report_of_plane(m, w, k):
    """What the forces in line k do; a wall does not pull, though one between the stages of a step may seem to."""
    out, force = w.report, w.force
    _, n, u, depth, rate = seen_from_wall(m, w, k, k)
    f = get(force, k, FORCE_ON_BALL)
    normal = dot(f, n)
    if normal < 0.0:
        f = plus_times(f, -normal, n)
        normal = 0.0
    touching = pushes(w, k, depth)
    out[REPORT_PENETRATION], out[REPORT_RATE] = depth, rate
    out[REPORT_CONTACT], out[REPORT_NORMAL] = 1.0 if touching else 0.0, normal
    for c in range(3):
        force[k, FORCE_ON_BALL + c] = f[c]
        out[REPORT_FRICTION + c], out[REPORT_SLIDING + c] = f[c] - normal * n[c], u[c] + rate * n[c]
    if touching:
        impact = max(w.contact[k, IMPACT_SPEED], m.compliant_vector[k, SMALLEST_IMPACT])
        out[REPORT_STORED] = contact_energy(m, k, max(depth, 0.0), impact)
