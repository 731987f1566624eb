"""Two surfaces that press and rub at a point, per unit of length or area, and how that changes with their motion.

At a point X of the body that moves, a = X − P_j, with the normal ν (not of length one: δ̇ = ν·u) and u = v + w × a

    f = law(δ, δ̇, δ̇⁽⁻⁾),   force = −f ν − σ u_t,   u_t = u − ν δ̇/ν²,   σ = friction(|u_t|, f |ν|)/|u_t|

Elastic parts are the gradient of ∫ law(δ, 0) dδ; what is lost is (f − law(δ, 0)) δ̇ + σ u_t².
"""

from __future__ import annotations

from math import sqrt

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.build.places import add_at
from gudgeon.kernels.dynamics.arrays import FRAME, FRICTION_CALL
from gudgeon.kernels.elements.lawforms import NO_LAW
from gudgeon.kernels.elements.laws import friction_force, normal_force
from gudgeon.kernels.kinematics.vectors import dot, plus, plus_times, vector_product

SMALL = 1e-5  # step of differences of laws, of their argument
SLOWEST = 1e-9  # sliding speed that stands for none [m/s]


@inlined
def velocity_at(v, w, a):
    """v + w × a."""
    return plus(v, vector_product(w, a))


@inlined
def push_of_point(m, k, impact, depth, nu, a, v, w, rubs):
    """Force on the body that moves, normal force, power lost, all per unit; friction only where it `rubs`."""
    u = velocity_at(v, w, a)
    rate, square = dot(nu, u), dot(nu, nu)
    f, elastic = normal_force(m, k, depth, rate, impact), normal_force(m, k, depth, 0.0, impact)
    normal = f * sqrt(square)
    force, power = (-f * nu[0], -f * nu[1], -f * nu[2]), (f - elastic) * rate
    if rubs and m.compliant[k, FRICTION_CALL] != NO_LAW:
        along = plus_times(u, -rate / square, nu)
        speed = sqrt(dot(along, along))
        if speed > 0.0:
            rub = friction_force(m, k, speed, normal)
            force = plus_times(force, -rub / speed, along)
            power += rub * speed
    return force, normal, power


@inlined
def differences(m, k, impact, depth, rate, normal, speed):
    """Derivatives of the contact law by δ and δ̇, of the friction law by speed and normal force."""
    x, y = SMALL * depth, SMALL * (abs(rate) + 1e-3)
    by_depth = (normal_force(m, k, depth + x, rate, impact) - normal_force(m, k, depth - x, rate, impact)) / (2.0 * x)
    by_rate = (normal_force(m, k, depth, rate + y, impact) - normal_force(m, k, depth, rate - y, impact)) / (2.0 * y)
    by_speed = by_normal = 0.0
    if m.compliant[k, FRICTION_CALL] != NO_LAW and normal > 0.0:
        x, y = SMALL * speed, SMALL * normal
        by_speed = (friction_force(m, k, speed + x, normal) - friction_force(m, k, speed - x, normal)) / (2.0 * x)
        by_normal = (friction_force(m, k, speed, normal + y) - friction_force(m, k, speed, normal - y)) / (2.0 * y)
    return by_depth, by_rate, by_speed, by_normal


@inlined
def state_of_point(m, k, impact, depth, nu, a, v, w):
    """What `change_of_push` needs: ν, a, u, δ̇, ν², f, u_t, its length, σ, derivatives of the laws, the force."""
    u = velocity_at(v, w, a)
    rate, square = dot(nu, u), dot(nu, nu)
    f = normal_force(m, k, depth, rate, impact)
    along = plus_times(u, -rate / square, nu)
    speed = max(sqrt(dot(along, along)), SLOWEST)
    normal = f * sqrt(square)
    sigma = friction_force(m, k, speed, normal) / speed
    slopes = differences(m, k, impact, depth, rate, normal, speed)
    force = plus_times((-f * nu[0], -f * nu[1], -f * nu[2]), -sigma, along)
    return nu, a, u, rate, square, f, along, speed, sigma, slopes, force


@inlined
def change_of_push(state, du, da, dnu, ddepth):
    """Changes of force and torque about P_j of a point where u, a, ν and δ change by so much."""
    nu, a, u, rate, square, f, along, speed, sigma, slopes, force = state
    drate, dsquare = dot(dnu, u) + dot(nu, du), 2.0 * dot(nu, dnu)
    length = sqrt(square)
    df = slopes[0] * ddepth + slopes[1] * drate
    dnormal = df * length + 0.5 * f * dsquare / length
    dalong = plus_times(plus_times(du, -rate / square, dnu), rate * dsquare / square**2 - drate / square, nu)
    dspeed = dot(along, dalong) / speed
    dsigma = (slopes[2] * dspeed + slopes[3] * dnormal - sigma * dspeed) / speed
    change = plus_times((-df * nu[0], -df * nu[1], -df * nu[2]), -f, dnu)
    change = plus_times(plus_times(change, -dsigma, along), -sigma, dalong)
    return change, plus(vector_product(da, force), vector_product(a, change))


@inlined
def add_column(x, out, c, weight, force, torque):
    """Add force and torque, of joint axes, to column c of a 6 × 6 matrix of world axes at the address `out`."""
    for r in range(3):
        axes = (x[FRAME + 3 * r], x[FRAME + 3 * r + 1], x[FRAME + 3 * r + 2])
        add_at(out, 6 * r + c, weight * dot(axes, force))
        add_at(out, 6 * (r + 3) + c, weight * dot(axes, torque))


@called
def add_velocity_slopes(x, state, weight, out):
    """Add the derivatives of a point's push by v and w, world axes, to the matrix at `out`."""
    nothing = (0.0, 0.0, 0.0)
    a = state[1]
    for c in range(3):
        direction = (x[FRAME + 3 * c], x[FRAME + 3 * c + 1], x[FRAME + 3 * c + 2])  # of the world, in joint axes
        force, torque = change_of_push(state, direction, nothing, nothing, 0.0)
        add_column(x, out, c, weight, force, torque)
        force, torque = change_of_push(state, vector_product(direction, a), nothing, nothing, 0.0)
        add_column(x, out, 3 + c, weight, force, torque)
