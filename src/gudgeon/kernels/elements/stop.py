"""An end of the way of a joint coordinate: a contact whose penetration is what the coordinate is beyond its limit.

    upper end: δ = x − x_max,  effort −f     lower end: δ = x_min − x,  effort +f     f = law(δ, δ̇, δ̇⁽⁻⁾)

x is the angle or displacement of the joint (kinematics/measures.py), f a torque along the gradient of the angle or a
force along the axis of the displacement, on the ball; opposite on the socket. The socket's body carries the axis, z of
its frame; x of both frames coincide at angle zero. Turns are counted by a state of their own, in BRISTLES.
"""

from __future__ import annotations

from math import atan2

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed, inlined
from gudgeon.kernels.dynamics.arrays import (
    ARM_OF,
    BRISTLES,
    DEPTH,
    DEPTH_RATE,
    ECCENTRICITY,
    FORCE_ON_BALL,
    FRAME,
    IMPACT_SPEED,
    MODEL,
    NORMAL,
    OMEGA_BALL,
    POWER,
    RATE_OF,
    REPORT_CONTACT,
    REPORT_NORMAL,
    REPORT_PENETRATION,
    REPORT_POWER,
    REPORT_RATE,
    REPORT_STORED,
    SMALLEST_IMPACT,
    STOP_AT,
    STOP_IS_ANGLE,
    STOP_SIDE,
    STOP_SIGN,
    TORQUE_ON_BALL,
    WORK,
)
from gudgeon.kernels.elements.bushing import axis, ball_axis, vector
from gudgeon.kernels.elements.joints import clear_force
from gudgeon.kernels.elements.laws import contact_energy, normal_force
from gudgeon.kernels.elements.pushes import pushes
from gudgeon.kernels.kinematics.measures import nearest_turn
from gudgeon.kernels.kinematics.vectors import dot


@inlined
def way_of_stop(m, w, k, a):
    """δ, δ̇ and the direction in which the ball moves when δ grows, for the motion in line a of `local`."""
    x, p = w.local[a], m.compliant_vector[k]
    side, sign = p[STOP_SIDE], p[STOP_SIGN]
    if p[STOP_IS_ANGLE] > 0.0:
        u = ball_axis(x, 0)  # the arm, in the axes of the socket
        square = u[0] * u[0] + u[1] * u[1]
        value = nearest_turn(sign * atan2(u[1], u[0]), x[BRISTLES])
        # γ = u × n, n = (u₀ g − u₁ f)/square
        g = (-u[0] * u[2] / square, -u[1] * u[2] / square, 1.0)
        f, s, h = axis(x, FRAME, 0), axis(x, FRAME, 1), axis(x, FRAME, 2)
        along = (
            g[0] * f[0] + g[1] * s[0] + g[2] * h[0],
            g[0] * f[1] + g[1] * s[1] + g[2] * h[1],
            g[0] * f[2] + g[1] * s[2] + g[2] * h[2],
        )
        rate = dot(along, vector(x, OMEGA_BALL))
    else:
        along = axis(x, FRAME, 2)
        value, rate = sign * dot(along, vector(x, ECCENTRICITY)), dot(along, vector(x, RATE_OF))
    n = side * sign
    return side * (value - p[STOP_AT]), n * rate, (n * along[0], n * along[1], n * along[2])


@addressed(void(MODEL, WORK, int64, int64, int64))
def depth_of_stop(m, w, k, a, b):
    """δ and δ̇ for the motion in line a of `local`, into line b of `force`."""
    depth, rate, _ = way_of_stop(m, w, k, a)
    w.force[b, DEPTH], w.force[b, DEPTH_RATE] = depth, rate


@addressed(void(MODEL, WORK, int64, int64, int64))
def force_of_stop(m, w, k, a, b):
    """Force or torque of the stop for the motion in line a of `local`, into line b of `force`."""
    force, at = w.force, TORQUE_ON_BALL if m.compliant_vector[k, STOP_IS_ANGLE] > 0.0 else FORCE_ON_BALL
    clear_force(force, b)
    for c in range(3):
        force[b, ARM_OF + c] = w.local[a, ECCENTRICITY + c]
    depth, rate, along = way_of_stop(m, w, k, a)
    if not pushes(w, k, depth):
        return
    impact, depth = max(w.contact[k, IMPACT_SPEED], m.compliant_vector[k, SMALLEST_IMPACT]), max(depth, 0.0)
    normal, elastic = normal_force(m, k, depth, rate, impact), normal_force(m, k, depth, 0.0, impact)
    force[b, NORMAL] = normal
    force[b, POWER] = (normal - elastic) * rate
    for c in range(3):
        force[b, at + c] = -normal * along[c]


@addressed(void(MODEL, WORK, int64))
def report_of_stop(m, w, k):
    """What the effort in line k does; a stop does not pull, though one between the stages of a step may seem to."""
    out, force = w.report, w.force
    at = TORQUE_ON_BALL if m.compliant_vector[k, STOP_IS_ANGLE] > 0.0 else FORCE_ON_BALL
    depth, rate, along = way_of_stop(m, w, k, k)
    square = dot(along, along)
    normal = -(force[k, at] * along[0] + force[k, at + 1] * along[1] + force[k, at + 2] * along[2]) / square
    if normal < 0.0:
        for c in range(3):
            force[k, at + c] += normal * along[c]
        normal = 0.0
    touching = pushes(w, k, depth)
    out[REPORT_PENETRATION], out[REPORT_RATE] = depth, rate
    out[REPORT_CONTACT], out[REPORT_NORMAL] = 1.0 if touching else 0.0, normal
    out[REPORT_POWER] = 0.0
    if touching:
        impact, pressed = max(w.contact[k, IMPACT_SPEED], m.compliant_vector[k, SMALLEST_IMPACT]), max(depth, 0.0)
        out[REPORT_STORED] = contact_energy(m, k, pressed, impact)
        out[REPORT_POWER] = (normal - normal_force(m, k, pressed, 0.0, impact)) * rate
