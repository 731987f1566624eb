"""A user's own model of a joint: one function of the motion, called by its address (gudgeon.models.force_model).

The function sees the motion as the parent's body does, in the joint's axes: displacement and rotation, their rates. It
answers force and torque on the child at its joint point, in the same axes.
"""

from __future__ import annotations

from llvmlite import ir
from numba import float64, int64, types, void
from numba.core import cgutils
from numba.extending import intrinsic

from gudgeon.kernels.build.compiled import addressed
from gudgeon.kernels.dynamics.arrays import (
    ARM_OF,
    ECCENTRICITY,
    FORCE_ON_BALL,
    FRAME,
    MODEL,
    OMEGA_BALL,
    OWN_FUNCTION,
    POWER,
    RATE_OF,
    TORQUE_ON_BALL,
    WORK,
)
from gudgeon.kernels.elements.bushing import held_turn, in_joint_axes, vector
from gudgeon.kernels.elements.joints import clear_force
from gudgeon.kernels.kinematics.vectors import dot

SIX = types.UniTuple(float64, 6)


@intrinsic
def wrench_of(typingctx, address, motion, rates, parameters):
    """The six numbers that the C function at `address` gives for six, six rates, and parameters by address."""

    def generate(context, builder, signature, args):
        number, six = ir.DoubleType(), context.get_value_type(SIX)
        pointers = []
        for given in args[1:3]:
            place = cgutils.alloca_once_value(builder, given)
            pointers.append(builder.bitcast(place, number.as_pointer()))
        pointers.append(builder.inttoptr(args[3], number.as_pointer()))
        function = ir.FunctionType(six, [number.as_pointer()] * 3)
        return builder.call(builder.inttoptr(args[0], function.as_pointer()), pointers)

    return SIX(int64, SIX, SIX, int64), generate


@addressed(void(MODEL, WORK, int64, int64, int64))
def force_of_own_model(m, w, k, a, b):
    """Force and torque for the motion in line a of `local`, into line b of `force`; what it takes in counts as lost."""
    x, out = w.local[a], w.force[b]
    clear_force(w.force, b)
    turn, _ = held_turn(m.compliant_vector[k], x)
    d, u = in_joint_axes(x, vector(x, ECCENTRICITY)), in_joint_axes(x, vector(x, RATE_OF))
    omega = in_joint_axes(x, vector(x, OMEGA_BALL))
    address, parameters = m.compliant[k, OWN_FUNCTION], m.compliant[k, OWN_FUNCTION + 1]
    f0, f1, f2, t0, t1, t2 = wrench_of(
        address,
        (d[0], d[1], d[2], turn[0], turn[1], turn[2]),
        (u[0], u[1], u[2], omega[0], omega[1], omega[2]),
        parameters,
    )
    force, torque = (f0, f1, f2), (t0, t1, t2)
    for r in range(3):
        axes = vector(x, FRAME + 3 * r)
        out[FORCE_ON_BALL + r] = dot(axes, force)
        out[TORQUE_ON_BALL + r] = dot(axes, torque)
        out[ARM_OF + r] = x[ECCENTRICITY + r]
    out[POWER] = -dot(u, force) - dot(omega, torque)


@addressed(void(MODEL, WORK, int64))
def report_of_own_model(m, w, k):
    """Nothing more than its force."""
