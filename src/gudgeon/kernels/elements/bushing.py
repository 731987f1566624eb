"""Elastic joints in their own axes: what the joint holds is held by stiffness and damping, what it leaves free is free.

The socket's body sees the ball's joint point displaced by d and, in the joint's axes, the ball turned by

    three rotations held (rigid, prismatic, a ball joint with matrices)      θ, the rotation vector of the ball's axes
    two (revolute, cylindrical; z is free)       θ = φ/sin φ z×a,  cos φ = z·a, a the ball's z: the tilt of its axis
    one (universal; x of the socket, y of the ball are free)   θ = (0, 0, ε),  sin ε = −x·y

whatever the joint has turned about its free axes. With x = (d, θ) and θ̇ = B ω, ω the relative angular velocity,

    V = ½ xᵀKx,   f = −(K x + C ẋ)_d on the ball at its joint point,   τ = −Bᵀ (K x + C ẋ)_θ,   power lost ẋᵀCẋ

so that force and torque are the gradient of an energy and the spin about a free axis is not felt. Rows and columns of K
and C that belong to free axes are zero. Where all rotations are held, C acts on ω itself.
"""

from __future__ import annotations

from math import atan2, cos, sin, sqrt

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.dynamics.arrays import (
    ARM_OF,
    BALL,
    BALL_AXES,
    BALL_FRAME,
    DAMPING_MATRIX,
    ECCENTRICITY,
    FORCE_ON_BALL,
    FRAME,
    HELD_TURNS,
    MODEL,
    OMEGA_BALL,
    OMEGA_SOCKET,
    POWER,
    RATE_OF,
    REPORT_STORED,
    ROTATION,
    SOCKET,
    SOCKET_AXES,
    STIFFNESS_MATRIX,
    TORQUE_ON_BALL,
    TURN,
    WORK,
)
from gudgeon.kernels.elements.joints import clear_force
from gudgeon.kernels.kinematics.vectors import apply_transposed, dot, plus, plus_times, vector_product

SMALL = 1e-4  # square of an angle below which series are exact to rounding [rad²]


@called
def seen_from_socket(m, w, k):
    """Turn the motion in line k of `local` into what the socket's body sees; add the joint's axes on both bodies."""
    V, body, x = m.compliant_vector[k], w.body, w.local[k]
    for b, axes, frame in (
        (m.compliant[k, SOCKET], SOCKET_AXES, FRAME),
        (m.compliant[k, BALL], BALL_AXES, BALL_FRAME),
    ):
        for r in range(3):
            for c in range(3):
                total = 0.0
                for d in range(3):
                    total += body[b, ROTATION + 3 * r + d] * V[axes + 3 * c + d]
                x[frame + 3 * r + c] = total
    s = vector_product(vector(x, OMEGA_SOCKET), vector(x, ECCENTRICITY))
    for c in range(3):
        x[RATE_OF + c] -= s[c]
        x[OMEGA_BALL + c] -= x[OMEGA_SOCKET + c]
        x[OMEGA_SOCKET + c] = x[TURN + c] = 0.0


@inlined
def vector(x, at):
    """x[at : at + 3]."""
    return x[at], x[at + 1], x[at + 2]


@inlined
def axis(x, at, c):
    """Axis c of the frame in x[at : at + 9], world components."""
    return x[at + c], x[at + 3 + c], x[at + 6 + c]


@inlined
def in_joint_axes(x, a):
    """Components in the joint's axes of the socket of a vector of the world."""
    return dot(axis(x, FRAME, 0), a), dot(axis(x, FRAME, 1), a), dot(axis(x, FRAME, 2), a)


@inlined
def ball_axis(x, c):
    """Axis c of the ball, turned by TURN, in the joint's axes of the socket."""
    a, t = axis(x, BALL_FRAME, c), vector(x, TURN)
    square = dot(t, t)
    if square == 0.0:
        return in_joint_axes(x, a)
    sine, versine = 1.0 - square / 6.0 * (1.0 - square / 20.0), 0.5 - square / 24.0 * (1.0 - square / 30.0)
    if square > SMALL:
        angle = sqrt(square)
        sine, versine = sin(angle) / angle, (1.0 - cos(angle)) / square
    b = vector_product(t, a)
    return in_joint_axes(x, plus_times(plus_times(a, sine, b), versine, vector_product(t, b)))


@inlined
def rotation_vector(a, b, c):
    """θ and B of a rotation that turns the axes into a, b, c."""
    s = (0.5 * (b[2] - c[1]), 0.5 * (c[0] - a[2]), 0.5 * (a[1] - b[0]))  # axis · sin
    sine, cosine = sqrt(dot(s, s)), 0.5 * (a[0] + b[1] + c[2] - 1.0)
    angle = atan2(sine, cosine)
    scale = 1.0 + sine * sine / 6.0 if sine < 1e-4 and cosine > 0.0 else angle / sine
    x, y, z = scale * s[0], scale * s[1], scale * s[2]
    kappa = 1.0 / 12.0
    if angle > 1e-3:
        kappa = 1.0 / (angle * angle) - (1.0 + cos(angle)) / (2.0 * angle * sin(angle))
    rest = 1.0 - kappa * (x * x + y * y + z * z)  # B = I − ½ θ̃ + κ θ̃²
    return (
        (x, y, z),
        (
            (rest + kappa * x * x, kappa * x * y + 0.5 * z, kappa * x * z - 0.5 * y),
            (kappa * x * y - 0.5 * z, rest + kappa * y * y, kappa * y * z + 0.5 * x),
            (kappa * x * z + 0.5 * y, kappa * y * z - 0.5 * x, rest + kappa * z * z),
        ),
    )


@inlined
def tilt(a):
    """θ and B of an axis that has come to a from z."""
    square, c = a[0] * a[0] + a[1] * a[1], a[2]
    scale, bend = 1.0 + square / 6.0 * (1.0 + 0.45 * square), 1.0 / 3.0 + 2.0 / 15.0 * square
    if square > 1e-6 or c < 0.0:
        sine = sqrt(square)
        scale = atan2(sine, c) / sine
        bend = (1.0 - scale * c) / square
    x, y = -a[1], a[0]
    return (
        (scale * x, scale * y, 0.0),
        (
            (bend * x * x + scale * c, bend * x * y, -scale * a[0]),
            (bend * x * y, bend * y * y + scale * c, -scale * a[1]),
            (0.0, 0.0, 0.0),
        ),
    )


@inlined
def right_angle(y):
    """θ and B of an axis y that should be perpendicular to x."""
    across = sqrt(y[1] * y[1] + y[2] * y[2])
    nothing = (0.0, 0.0, 0.0)
    return (0.0, 0.0, atan2(-y[0], across)), (nothing, nothing, (0.0, -y[2] / across, y[1] / across))


@inlined
def held_turn(p, x):
    """θ and B of the rotations that the joint holds."""
    if p[HELD_TURNS] == 3.0:
        return rotation_vector(ball_axis(x, 0), ball_axis(x, 1), ball_axis(x, 2))
    if p[HELD_TURNS] == 2.0:
        return tilt(ball_axis(x, 2))
    return right_angle(ball_axis(x, 1))


@inlined
def three_rows(p, at, d, turn):
    """Three rows of a 6×6 matrix, which begin at `at`, times (d, turn)."""
    return (
        dot(vector(p, at), d) + dot(vector(p, at + 3), turn),
        dot(vector(p, at + 6), d) + dot(vector(p, at + 9), turn),
        dot(vector(p, at + 12), d) + dot(vector(p, at + 15), turn),
    )


@called
def push_of_bushing(p, x, out):
    """Force, torque and power of the parameters p for the motion x seen from the socket, into `out`."""
    turn, B = held_turn(p, x)
    d, u = in_joint_axes(x, vector(x, ECCENTRICITY)), in_joint_axes(x, vector(x, RATE_OF))
    omega = in_joint_axes(x, vector(x, OMEGA_BALL))
    rate = omega
    if p[HELD_TURNS] < 3.0:
        rate = (dot(B[0], omega), dot(B[1], omega), dot(B[2], omega))
    damped, braked = three_rows(p, DAMPING_MATRIX, u, rate), three_rows(p, DAMPING_MATRIX + 18, u, rate)
    force = plus(three_rows(p, STIFFNESS_MATRIX, d, turn), damped)
    torque = apply_transposed(B, three_rows(p, STIFFNESS_MATRIX + 18, d, turn))
    torque = plus(torque, braked if p[HELD_TURNS] == 3.0 else apply_transposed(B, braked))
    for r in range(3):
        axes = vector(x, FRAME + 3 * r)
        out[FORCE_ON_BALL + r] = -dot(axes, force)
        out[TORQUE_ON_BALL + r] = -dot(axes, torque)
        out[ARM_OF + r] = x[ECCENTRICITY + r]
    out[POWER] = dot(u, damped) + dot(rate, braked)


@addressed(void(MODEL, WORK, int64, int64, int64))
def force_of_bushing(m, w, k, a, b):
    """Force and torque for the motion in line a of `local`, into line b of `force`."""
    clear_force(w.force, b)
    push_of_bushing(m.compliant_vector[k], w.local[a], w.force[b])


@addressed(void(MODEL, WORK, int64))
def report_of_bushing(m, w, k):
    """The energy V that it stores."""
    p, x = m.compliant_vector[k], w.local[k]
    turn, _ = held_turn(p, x)
    d = in_joint_axes(x, vector(x, ECCENTRICITY))
    w.report[REPORT_STORED] = 0.5 * (
        dot(d, three_rows(p, STIFFNESS_MATRIX, d, turn)) + dot(turn, three_rows(p, STIFFNESS_MATRIX + 18, d, turn))
    )
