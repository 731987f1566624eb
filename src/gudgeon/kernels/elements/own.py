"""A user's own model of a joint: functions of the motion, called by their addresses (gudgeon.models.force_model).

They see the motion as the parent's body does, in the joint's axes: displacement and rotation x, their rates v. Force
and torque on the child at its joint point, in the same axes, are

    wrench(x, v, p)  +  contact(x, v, δ, δ̇, δ̇⁽⁻⁾, p) while it touches,   δ = −gap(x, p)

The normal force N of the contact is its force along the gradient of the gap, N = f·g′/|g′|² with g′ by displacements,
so that N ġ is its power; by rotations where the gap knows these alone. A contact does not pull. Rates and gradients of
a user's function of x are central differences, ġ along the motion: exact to 1e-10.
"""

from __future__ import annotations

from math import inf, sqrt

from llvmlite import ir
from numba import float64, int64, types, void
from numba.core import cgutils
from numba.extending import intrinsic

from gudgeon.kernels.build.compiled import addressed, called, entrance, inlined
from gudgeon.kernels.build.records import MATRIX, VECTOR
from gudgeon.kernels.dynamics.arrays import (
    ARM_OF,
    CLEARANCE,
    DEPTH,
    DEPTH_RATE,
    ECCENTRICITY,
    FORCE_ON_BALL,
    FRAME,
    IMPACT_SPEED,
    MODEL,
    NORMAL,
    OMEGA_BALL,
    OWN_CONTACT,
    OWN_GAP,
    OWN_PARAMETERS,
    OWN_STORED,
    OWN_WRENCH,
    POWER,
    RATE_OF,
    REPORT_CONTACT,
    REPORT_NORMAL,
    REPORT_PENETRATION,
    REPORT_POWER,
    REPORT_STORED,
    SMALLEST_IMPACT,
    TORQUE_ON_BALL,
    WORK,
)
from gudgeon.kernels.dynamics.engine import kinematics, local_motion
from gudgeon.kernels.elements.bushing import held_turn, in_joint_axes, vector
from gudgeon.kernels.elements.hidden_depth import FINE, HIDDEN, bend_of, gap_at, placed
from gudgeon.kernels.elements.joints import clear_force
from gudgeon.kernels.elements.pushes import pushes
from gudgeon.kernels.integrators.run import BEND_TURN, POSE
from gudgeon.kernels.kinematics.vectors import apply_transposed, dot, plus_times

SIX = types.UniTuple(float64, 6)
SMALL = 1e-5  # step of differences, of the length over which the function changes [-]
SHORTEST = 1e-6  # that length where there is no gap, besides the displacement [m]
STEEPER = 1.5  # slopes of a gap between two looks, of those at the looks
NO_SLOPE = 1e-6  # a gradient of a gap below this is none [m/m, m/rad]


def _asking(answer):
    """Six numbers go by address to a copy, an integer is the address of parameters."""

    def typed(typingctx, address, arguments):
        def generate(context, builder, signature, args):
            pointer, values = ir.DoubleType().as_pointer(), []
            for kind, value in zip(arguments, cgutils.unpack_tuple(builder, args[1], len(arguments)), strict=True):
                if kind == SIX:
                    value = builder.bitcast(cgutils.alloca_once_value(builder, value), pointer)
                elif kind == int64:
                    value = builder.inttoptr(value, pointer)
                values.append(value)
            function = ir.FunctionType(context.get_value_type(answer), [value.type for value in values])
            return builder.call(builder.inttoptr(args[0], function.as_pointer()), values)

        return answer(int64, arguments), generate

    return typed


six_of = intrinsic(_asking(SIX))
number_of = intrinsic(_asking(float64))


@inlined
def seen_by_user(m, w, k, a):
    """x, v and ẋ for the motion in line a of `local`, and B: the rotation's rate is B ω."""
    x = w.local[a]
    t, B = held_turn(m.compliant_vector[k], x)
    d, u = in_joint_axes(x, vector(x, ECCENTRICITY)), in_joint_axes(x, vector(x, RATE_OF))
    o = in_joint_axes(x, vector(x, OMEGA_BALL))
    turning = (dot(B[0], o), dot(B[1], o), dot(B[2], o))
    return (
        (d[0], d[1], d[2], t[0], t[1], t[2]),
        (u[0], u[1], u[2], o[0], o[1], o[2]),
        (u[0], u[1], u[2], turning[0], turning[1], turning[2]),
        B,
    )


@inlined
def shifted(x, h, v):
    """x + h v."""
    return (
        x[0] + h * v[0],
        x[1] + h * v[1],
        x[2] + h * v[2],
        x[3] + h * v[3],
        x[4] + h * v[4],
        x[5] + h * v[5],
    )


@inlined
def change_along(m, k, function, x, v, h):
    """Derivative along v of a function of x, from a step of h to either side."""
    address, p = m.compliant[k, function], m.compliant[k, OWN_PARAMETERS]
    return (number_of(address, (shifted(x, h, v), p)) - number_of(address, (shifted(x, -h, v), p))) / (2.0 * h)


@inlined
def length_of(m, k, x):
    """Over which the functions of joint k change [m]."""
    length = m.compliant_vector[k, CLEARANCE]
    return length if length < inf else sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) + SHORTEST


@called
def rate_along(m, k, function, x, v):
    """Rate of a function of x that moves with v."""
    length = length_of(m, k, x)
    moved = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + length * sqrt(v[3] * v[3] + v[4] * v[4] + v[5] * v[5])
    return change_along(m, k, function, x, v, SMALL * length / moved) if moved > 0.0 else 0.0


@inlined
def depth_of(m, k, x):
    """How deep the contact is; −inf where there is none."""
    address = m.compliant[k, OWN_GAP]
    return -number_of(address, (x, m.compliant[k, OWN_PARAMETERS])) if address != 0 else -inf


@called
def slopes_of_gap(m, k, x, first, h):
    """Derivatives of the gap by three of x, from `first` on."""
    a, b = (1.0, 0.0) if first == 0 else (0.0, 1.0)
    return (
        change_along(m, k, OWN_GAP, x, (a, 0.0, 0.0, b, 0.0, 0.0), h),
        change_along(m, k, OWN_GAP, x, (0.0, a, 0.0, 0.0, b, 0.0), h),
        change_along(m, k, OWN_GAP, x, (0.0, 0.0, a, 0.0, 0.0, b), h),
    )


@called
def normal_part(m, k, x, B, force):
    """N of the six `force` of a contact."""
    g = slopes_of_gap(m, k, x, 0, SMALL * length_of(m, k, x))
    square = dot(g, g)
    if square > NO_SLOPE * NO_SLOPE:
        return dot((force[0], force[1], force[2]), g) / square
    g = apply_transposed(B, slopes_of_gap(m, k, x, 3, SMALL))
    square = dot(g, g)
    return dot((force[3], force[4], force[5]), g) / square if square > NO_SLOPE * NO_SLOPE else 0.0


@addressed(void(MODEL, WORK, int64, int64, int64))
def depth_of_own_model(m, w, k, a, b):
    """How deep the contact is, and its rate, for the motion in line a of `local`, into line b of `force`."""
    x, _, rate, _ = seen_by_user(m, w, k, a)
    w.force[b, DEPTH], w.force[b, DEPTH_RATE] = depth_of(m, k, x), -rate_along(m, k, OWN_GAP, x, rate)


@addressed(void(MODEL, WORK, int64, VECTOR))
def pose_of_own_model(m, w, k, look):
    """x in the motion of line k of `local`, into a look."""
    x, _, _, _ = seen_by_user(m, w, k, k)
    for c in range(6):
        look[POSE + c] = x[c]


@called
def steepness(m, k, look):
    """How much the gap changes at a look, per displacement and per rotation."""
    x = (look[POSE], look[POSE + 1], look[POSE + 2], look[POSE + 3], look[POSE + 4], look[POSE + 5])
    by_place = slopes_of_gap(m, k, x, 0, SMALL * length_of(m, k, x))
    by_turn = slopes_of_gap(m, k, x, 3, SMALL)
    return sqrt(dot(by_place, by_place)), sqrt(dot(by_turn, by_turn))


@addressed(float64(MODEL, WORK, int64, VECTOR, VECTOR, float64))
def hidden_by_own_model(m, w, k, first, second, share):
    """A bound on the depth between two looks that are a share of the step apart.

    Nothing is known of a user's gap; it is taken to change no faster than STEEPER times what it does at both looks.
    """
    way = plus_times(placed(second, 0), -1.0, placed(first, 0))
    turn = plus_times(placed(second, 3), -1.0, placed(first, 3))
    one, other = steepness(m, k, first), steepness(m, k, second)
    by_place, by_turn = STEEPER * max(one[0], other[0]), STEEPER * max(one[1], other[1])
    moved = by_place * (sqrt(dot(way, way)) + bend_of(first, 0.0, share))
    moved += by_turn * (sqrt(dot(turn, turn)) + first[BEND_TURN] * share * share)
    clearance = m.compliant_vector[k, CLEARANCE]
    hidden = 0.5 * (moved - gap_at(first) - gap_at(second))
    return hidden if moved > FINE * clearance else min(hidden, 0.5 * HIDDEN * clearance)


@addressed(void(MODEL, WORK, int64, int64, int64))
def force_of_own_model(m, w, k, a, b):
    """Force and torque for the motion in line a of `local`, into line b of `force`; what it does not store is lost."""
    out, p = w.force[b], m.compliant[k, OWN_PARAMETERS]
    clear_force(w.force, b)
    x, v, rate, B = seen_by_user(m, w, k, a)
    total = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if m.compliant[k, OWN_WRENCH] != 0:
        total = six_of(m.compliant[k, OWN_WRENCH], (x, v, p))
    depth = depth_of(m, k, x)
    if pushes(w, k, depth):
        impact = max(w.contact[k, IMPACT_SPEED], m.compliant_vector[k, SMALLEST_IMPACT])
        closing = -rate_along(m, k, OWN_GAP, x, rate)
        pushed = six_of(m.compliant[k, OWN_CONTACT], (x, v, max(depth, 0.0), closing, impact, p))
        normal = normal_part(m, k, x, B, pushed)
        if not normal < 0.0:  # nan must pass
            out[NORMAL], total = normal, shifted(total, 1.0, pushed)
    for r in range(3):
        axes = vector(w.local[a], FRAME + 3 * r)
        out[FORCE_ON_BALL + r] = dot(axes, (total[0], total[1], total[2]))
        out[TORQUE_ON_BALL + r] = dot(axes, (total[3], total[4], total[5]))
        out[ARM_OF + r] = w.local[a, ECCENTRICITY + r]
    out[POWER] = -dot((v[0], v[1], v[2]), (total[0], total[1], total[2]))
    out[POWER] -= dot((v[3], v[4], v[5]), (total[3], total[4], total[5]))
    if m.compliant[k, OWN_STORED] != 0 and (m.compliant[k, OWN_WRENCH] != 0 or pushes(w, k, depth)):
        out[POWER] -= rate_along(m, k, OWN_STORED, x, rate)


@addressed(void(MODEL, WORK, int64))
def report_of_own_model(m, w, k):
    """Contact, energy stored and power lost under the forces in line k."""
    out, p = w.report, m.compliant[k, OWN_PARAMETERS]
    x, v, rate, B = seen_by_user(m, w, k, k)
    out[REPORT_POWER] = 0.0
    for c in range(3):
        out[REPORT_POWER] -= w.local[k, RATE_OF + c] * w.force[k, FORCE_ON_BALL + c]
        out[REPORT_POWER] -= w.local[k, OMEGA_BALL + c] * w.force[k, TORQUE_ON_BALL + c]
    if m.compliant[k, OWN_STORED] != 0:
        out[REPORT_STORED] = number_of(m.compliant[k, OWN_STORED], (x, p))
        out[REPORT_POWER] -= rate_along(m, k, OWN_STORED, x, rate)
    if m.compliant[k, OWN_GAP] != 0:
        out[REPORT_PENETRATION] = depth_of(m, k, x)
        if pushes(w, k, out[REPORT_PENETRATION]):
            f = in_joint_axes(w.local[k], vector(w.force[k], FORCE_ON_BALL))
            t = in_joint_axes(w.local[k], vector(w.force[k], TORQUE_ON_BALL))
            pushed = (f[0], f[1], f[2], t[0], t[1], t[2])
            if m.compliant[k, OWN_WRENCH] != 0:
                pushed = shifted(pushed, -1.0, six_of(m.compliant[k, OWN_WRENCH], (x, v, p)))
            out[REPORT_CONTACT], out[REPORT_NORMAL] = 1.0, max(normal_part(m, k, x, B, pushed), 0.0)


@entrance(void(MODEL, WORK, int64, MATRIX, MATRIX))
def motions_seen_by_user(m, w, k, states, out):
    """x and v of joint k at a series of states, 12 numbers each."""
    for s in range(states.shape[0]):
        kinematics(m, w, states[s])
        local_motion(m, w, k, states[s])
        x, v, _, _ = seen_by_user(m, w, k, k)
        for c in range(6):
            out[s, c], out[s, 6 + c] = x[c], v[c]
