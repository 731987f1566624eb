"""Calls of laws by their C addresses: contact, friction and film forces.

A law is a C function of doubles; laws that are dataclasses take a pointer to their parameters last. Which form it has
says its entry in `Model.compliant`: the call, the address of the function, the address of the parameters.
"""

from __future__ import annotations

from llvmlite import ir
from numba import float64, int64, void
from numba.extending import intrinsic

from gudgeon.kernels.build.compiled import inlined
from gudgeon.kernels.dynamics.arrays import CONTACT_CALL, FILM_CALL, FRICTION_CALL
from gudgeon.kernels.elements.lawforms import (
    NO_LAW,
    PLAIN_WITH_LARGEST_SPEED,
    PLAIN_WITH_SPEED,
    WITH_LARGEST_SPEED_AND_PARAMETERS,
    WITH_PARAMETERS,
    WITH_SPEED_AND_PARAMETERS,
)

# Gauss points and weights on [0, 1], of which the other half is mirrored
GAUSS_POINTS = (0.019855071751231884, 0.10166676129318664, 0.2372337950418355, 0.4082826787521751)
GAUSS_WEIGHTS = (0.05061426814518813, 0.1111905172266872, 0.1568533229389436, 0.1813418916891810)


def _call(builder, address, numbers, parameters=None):
    double = ir.DoubleType()
    types, arguments = [double] * len(numbers), list(numbers)
    if parameters is not None:
        types.append(double.as_pointer())
        arguments.append(builder.inttoptr(parameters, double.as_pointer()))
    pointer = builder.inttoptr(address, ir.FunctionType(double, types).as_pointer())
    return builder.call(pointer, arguments)


@intrinsic
def call_2(typingctx, address, x, y):
    """f(x, y) of the C function at `address`."""

    def generate(context, builder, signature, args):
        return _call(builder, args[0], args[1:])

    return float64(int64, float64, float64), generate


@intrinsic
def call_3(typingctx, address, x, y, z):
    """f(x, y, z) of the C function at `address`."""

    def generate(context, builder, signature, args):
        return _call(builder, args[0], args[1:])

    return float64(int64, float64, float64, float64), generate


@intrinsic
def call_2_p(typingctx, address, parameters, x, y):
    """f(x, y, p) of the C function at `address`, p the address of its parameters."""

    def generate(context, builder, signature, args):
        return _call(builder, args[0], args[2:], args[1])

    return float64(int64, int64, float64, float64), generate


@intrinsic
def call_3_p(typingctx, address, parameters, x, y, z):
    """f(x, y, z, p) of the C function at `address`, p the address of its parameters."""

    def generate(context, builder, signature, args):
        return _call(builder, args[0], args[2:], args[1])

    return float64(int64, int64, float64, float64, float64), generate


@intrinsic
def call_surface(typingctx, address, table, task, impact_speed, motion, out, more):
    """The C function at `address` that integrates over surfaces (gudgeon.surface_contact.kernels.forces)."""

    def generate(context, builder, signature, args):
        types = [ir.IntType(64), ir.IntType(64), ir.DoubleType(), *[ir.IntType(64)] * 3]
        pointer = builder.inttoptr(args[0], ir.FunctionType(ir.VoidType(), types).as_pointer())
        builder.call(pointer, list(args[1:]))
        return context.get_dummy_value()

    return void(int64, int64, int64, float64, int64, int64, int64), generate


@inlined
def contact_law(call, address, parameters, delta, ddelta, impact_speed):
    """A contact law, never attractive [N]."""
    if call == NO_LAW:
        f = 0.0
    elif call == WITH_SPEED_AND_PARAMETERS:
        f = call_3_p(address, parameters, delta, ddelta, impact_speed)
    elif call == WITH_PARAMETERS:
        f = call_2_p(address, parameters, delta, ddelta)
    elif call == PLAIN_WITH_SPEED:
        f = call_3(address, delta, ddelta, impact_speed)
    elif call == WITH_LARGEST_SPEED_AND_PARAMETERS:
        f = call_3_p(address, parameters, delta, ddelta, max(impact_speed, ddelta))
    elif call == PLAIN_WITH_LARGEST_SPEED:
        f = call_3(address, delta, ddelta, max(impact_speed, ddelta))
    else:
        f = call_2(address, delta, ddelta)
    return 0.0 if f < 0.0 else f  # not max(): nan must pass


@inlined
def normal_force(m, k, delta, ddelta, impact_speed):
    """The contact law of compliant joint k, never attractive [N]."""
    C = CONTACT_CALL
    return contact_law(m.compliant[k, C], m.compliant[k, C + 1], m.compliant[k, C + 2], delta, ddelta, impact_speed)


@inlined
def energy_of_law(call, address, parameters, delta, impact):
    """Energy stored in a contact: the work of its law at rate zero from 0 to δ, with δ = δ_max x² [J]."""
    energy = 0.0
    for g in range(4):
        for mirrored in range(2):
            x = 1.0 - GAUSS_POINTS[g] if mirrored else GAUSS_POINTS[g]
            force = contact_law(call, address, parameters, delta * x * x, 0.0, impact)
            energy += GAUSS_WEIGHTS[g] * force * 2.0 * delta * x
    return energy


@inlined
def contact_energy(m, k, delta, impact):
    """Energy stored in the contact of compliant joint k [J]."""
    C = CONTACT_CALL
    return energy_of_law(m.compliant[k, C], m.compliant[k, C + 1], m.compliant[k, C + 2], delta, impact)


@inlined
def friction_force(m, k, speed, normal):
    """The friction law of compliant joint k [N]; 0 where there is none."""
    call, address, parameters = (
        m.compliant[k, FRICTION_CALL],
        m.compliant[k, FRICTION_CALL + 1],
        m.compliant[k, FRICTION_CALL + 2],
    )
    if call == NO_LAW:
        f = 0.0
    elif call == WITH_PARAMETERS:
        f = call_2_p(address, parameters, speed, normal)
    else:
        f = call_2(address, speed, normal)
    return f


@inlined
def film_force(m, k, ratio, rate):
    """The film law of compliant joint k [N]."""
    call, address, parameters = m.compliant[k, FILM_CALL], m.compliant[k, FILM_CALL + 1], m.compliant[k, FILM_CALL + 2]
    return call_2_p(address, parameters, ratio, rate) if call == WITH_PARAMETERS else call_2(address, ratio, rate)
