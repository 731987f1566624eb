"""Friction in ideal joints where the motion is known in closed form; every solver, both coordinates."""

import math

import numpy as np
import pytest

import gudgeon as gd
from friction.rubbing_mechanisms import GRAVITY, block, jack, rotor

SHARP = 1e-5  # velocity tolerance [m/s]


def solvers(mu):
    """Every solver with the law it takes: smooth, or sticking."""
    smooth = gd.laws.Coulomb(coefficient=mu, velocity_tolerance=SHARP)
    return {
        "Explicit": (gd.Explicit(rtol=1e-10, atol=1e-12), smooth),
        "Implicit": (gd.Implicit(rtol=1e-9, atol=1e-12), smooth),
        "Sundials": (gd.Sundials(rtol=1e-9, atol=1e-12), smooth),
        "TimeStepping": (gd.TimeStepping(step=1e-3), gd.laws.DryFriction(static=mu)),
    }


SOLVERS = tuple(solvers(0.1))


@pytest.mark.parametrize("name", SOLVERS)
def test_rotor_spins_down(coordinates, name):
    """J ω̇ = −μ r m g: a straight line; the heat is what the kinetic energy lost."""
    solver, law = solvers(0.1)[name]
    result = gd.simulate(rotor(law), 3.0, solver=solver, sample=0.5)
    rate = 0.1 * 0.01 * 2.0 * GRAVITY / 0.02
    assert result.data.joint_velocity.values[:, 0] == pytest.approx(50.0 - rate * result.data.time.values, rel=1e-8)
    energy = result.data.kinetic_energy.values
    assert result.data.dissipated_energy.values[:, 0] == pytest.approx(energy[0] - energy, abs=1e-6)
    assert result.data.friction_load.values == pytest.approx(2.0 * GRAVITY)
    assert result.data.friction_effort.sel(rubbing_coordinate="shaft.angle").values == pytest.approx(-rate * 0.02)
    assert result.data.friction_power.values[:, 0] == pytest.approx(
        rate * 0.02 * result.data.joint_velocity.values[:, 0], rel=1e-6
    )


def test_bearings_and_thrust(coordinates):
    """A wheel beside its two bearings, on a tilted shaft: |F/2 ± M/L| from statics, and the thrust on its ring."""
    tilt, arm, length, mass = 0.3, 0.07, 0.05, 2.0
    axis = (0.0, math.cos(tilt), math.sin(tilt))
    model = gd.Ideal(
        friction=gd.laws.Coulomb(coefficient=0.1, velocity_tolerance=SHARP),
        radius=0.01,
        length=length,
        thrust_radius=0.02,
    )
    place = tuple(arm * x for x in axis)
    body = gd.Body(mass=mass, inertia=(0.02,) * 3, position=place, angular_velocity=tuple(40.0 * x for x in axis))
    system = gd.System(
        gravity=(0, 0, -GRAVITY),
        bodies={"wheel": body},
        joints={"shaft": gd.Revolute("ground", "wheel", at=(0, 0, 0), axis=axis, model=model)},
    )
    result = gd.simulate(system, 0.5, solver=gd.Implicit(), sample=0.1)
    across, along = mass * GRAVITY * math.cos(tilt), mass * GRAVITY * math.sin(tilt)
    near, far = abs(across / 2 + across * arm / length), abs(across / 2 - across * arm / length)
    torque = 0.1 * (0.01 * (near + far) + 0.02 * along)
    assert result.data.friction_effort.values[:, 0] == pytest.approx(-torque, rel=1e-9)
    assert result.data.joint_velocity.values[-1, 0] == pytest.approx(40.0 - torque / 0.02 * 0.5, rel=1e-9)
    assert result.data.reaction_torque.values[2, 0] @ axis == pytest.approx(-torque, rel=1e-9)  # friction is in it


@pytest.mark.parametrize("name", SOLVERS)
def test_block_on_an_incline(coordinates, name):
    """Slides down with g (sin α − μ cos α) where tan α > μ; up, it stops after v²/2g(sin α + μ cos α), comes back."""
    alpha, mu = 0.4, 0.2
    solver, law = solvers(mu)[name]
    up = GRAVITY * (math.sin(alpha) + mu * math.cos(alpha))
    down = GRAVITY * (math.sin(alpha) - mu * math.cos(alpha))
    result = gd.simulate(block(law, incline=alpha, speed=-2.0), 1.0, solver=solver, sample=[0.2, 1.0])
    turn = 2.0 / up
    places = [-2.0 * 0.2 + 0.5 * up * 0.2**2, -(2.0**2) / (2 * up) + 0.5 * down * (1.0 - turn) ** 2]
    within = 2e-3 if name == "TimeStepping" else 2e-5  # it turns within one step; creep of the smooth law
    assert result.data.joint_position.values[:, 0] == pytest.approx(places, abs=within)


@pytest.mark.parametrize(("mu", "sticks"), [(0.21, True), (0.19, False)])
def test_sticking_on_an_incline(coordinates, mu, sticks):
    """tan α = 0.2 is the threshold; what sticks does not move at all."""
    system = block(gd.laws.DryFriction(static=mu), incline=math.atan(0.2))
    data = gd.simulate(system, 0.5, solver=gd.TimeStepping(step=1e-2), sample=0.1).data
    moved = abs(float(data.joint_position[-1, 0]))
    assert (moved < 1e-15) == sticks
    assert data.sticking.values[1:, 0] == pytest.approx(float(sticks))
    weight = 2.0 * GRAVITY * math.sin(math.atan(0.2))
    wanted = weight if sticks else mu * 2.0 * GRAVITY * math.cos(math.atan(0.2))
    assert data.friction_effort.values[:, 0] == pytest.approx(-wanted, rel=1e-9)
    if not sticks:
        assert moved == pytest.approx(0.5 * GRAVITY * math.sin(math.atan(0.2)) * (1 - mu / 0.2) * 0.25, rel=1e-3)


def test_static_above_kinetic_coefficient(coordinates):
    """A growing pull breaks the block away at μ_s m g; then μ_k holds it back."""
    law = gd.laws.DryFriction(static=0.3, kinetic=0.2)
    weight = 2.0 * GRAVITY
    pulled = block(law).replace(loads={"pull": gd.Force("block", (f"{weight}*t", 0, 0))})
    data = gd.simulate(pulled, 0.6, solver=gd.TimeStepping(step=1e-4), sample=0.01).data
    moves = data.time.values[np.flatnonzero(data.sticking.values[:, 0] == 0.0)[0]]
    assert moves == pytest.approx(0.31, abs=0.0101)
    assert data.joint_velocity.values[-1, 0] == pytest.approx(GRAVITY * ((0.6**2 - 0.3**2) / 2 - 0.2 * 0.3), rel=1e-3)


@pytest.mark.parametrize("name", SOLVERS)
def test_cocking(coordinates, name):
    """A load beside the axis cocks the block: N = 2 F a/L beyond the weight; it moves where L > 2 μ a, else it jams.

    Without gravity, pushed by F along the guide at the height a: m ẍ = F (1 − 2 μ a/L).
    """
    mu, height = 0.2, 0.15
    for length, moves in ((0.08, True), (0.05, False)):
        solver, law = solvers(mu)[name]
        system = block(law, length=length).replace(
            gravity=(0, 0, 0), loads={"push": gd.Force("block", (3.0, 0, 0), at=(0, 0, height))}
        )
        data = gd.simulate(system, 0.2, solver=solver, sample=0.1).data
        assert data.friction_load.values[-1, 0] == pytest.approx(2 * 3.0 * height / length, rel=1e-6)
        speed = 3.0 * max(1.0 - 2.0 * mu * height / length, 0.0) / 2.0 * 0.2
        assert float(data.joint_velocity[-1, 0]) == pytest.approx(speed, abs=0.05 * speed + 2 * SHARP)
        assert bool(data.sticking.values[-1, 0]) != moves


def test_roll_of_a_guide(coordinates):
    """A torque about the axis of a guide of width b presses it by 2 M/b."""
    system = block(gd.laws.Coulomb(coefficient=0.1, velocity_tolerance=SHARP), speed=1.0, width=0.05).replace(
        gravity=(0, 0, 0), loads={"twist": gd.Torque("block", (0.5, 0, 0))}
    )
    data = gd.simulate(system, 0.1, solver=gd.Implicit(), sample=0.1).data
    assert data.friction_load.values[-1, 0] == pytest.approx(2 * 0.5 / 0.05, rel=1e-9)
    assert float(data.joint_velocity[-1, 0]) == pytest.approx(1.0 - 0.1 * 20.0 / 2.0 * 0.1, rel=1e-9)


def test_where_the_bearing_is(coordinates):
    """A ram: with its bush on the parent the lever of its own weight grows as it comes out, on the child not."""
    loads = {}
    for side in ("parent", "child"):
        law = gd.laws.Coulomb(coefficient=0.05, velocity_tolerance=SHARP)
        system = block(law, speed=1.0, length=0.1, bearing_on=side)
        data = gd.simulate(system, 0.2, solver=gd.Implicit(), sample=0.2).data
        loads[side] = float(data.friction_load[-1, 0])
        place = float(data.joint_position[-1, 0])
        lever = place if side == "parent" else 0.0
        weight = 2.0 * GRAVITY
        assert loads[side] == pytest.approx(weight * (1.0 if lever < 0.05 else 2 * lever / 0.1), rel=1e-6)
    assert loads["parent"] > 1.5 * loads["child"]


def test_stick_slip(coordinates):
    """A block on a driven belt of springs: it sticks until k x = μ_s N, slips and sticks again (closed form of a slip).

    Pulled by a spring k whose end moves with v ≪ slip speeds, a slip begins at k x = μ_s N and ends after half a
    period, x falling by 2 (μ_s − μ_k) N/k.
    """
    k, mass, speed = 200.0, 2.0, 0.01
    law = gd.laws.DryFriction(static=0.3, kinetic=0.2)
    system = block(law).replace(loads={"spring": gd.JointSpring("guide", stiffness=k, rest=f"{speed}*t")})
    data = gd.simulate(system, 8.0, solver=gd.TimeStepping(step=1e-3), sample=1e-3).data
    weight = mass * GRAVITY
    place = data.joint_position.values[:, 0]
    first = 0.3 * weight / k / speed
    slips = np.flatnonzero(np.diff(np.concatenate([[0.0], (np.diff(place) > 1e-6).astype(float)])) > 0)
    assert data.time.values[slips[0]] == pytest.approx(first, abs=5e-3)
    omega = math.sqrt(k / mass)
    after = int(np.searchsorted(data.time.values, first + 1.05 * math.pi / omega))
    # the end of the spring moves on meanwhile: x(t) = v t − … solved exactly for μ_k
    tau = _slip_time(omega, 0.1 * weight / mass, speed)
    wanted = speed * tau + 0.1 * weight / k * (1 - math.cos(omega * tau)) - speed / omega * math.sin(omega * tau)
    assert place[after] == pytest.approx(wanted, rel=2e-3)
    again = np.diff(data.time.values[slips])[0]  # until the spring has what it lost
    assert again == pytest.approx(wanted / speed, rel=5e-3)


def _slip_time(omega, push, speed):
    """When ẋ = v (1 − cos ωt) + (a/ω) sin ωt vanishes again."""
    return (2.0 * math.pi - 2.0 * math.atan2(push / omega, speed)) / omega if speed else math.pi / omega


def test_presliding_of_bristles(coordinates):
    """LuGre holds a block on an incline by its bristles: z = tan α/σ₀, after a way of −(μ_s/σ₀) ln(1 − tan α/μ_s).

    Below the Stribeck speed dz/dx = 1 − σ₀ z/μ_s while the block goes one way.
    """
    law = gd.laws.LuGre(kinetic=0.25, static=0.3, stribeck_speed=1e-2, bristle_stiffness=1e3, bristle_damping=30.0)
    alpha = 0.1
    system = block(law, incline=alpha)
    for solver in (gd.Implicit(), gd.Explicit(), gd.TimeStepping(step=1e-3)):
        data = gd.simulate(system, 1.0, solver=solver, sample=0.5).data
        way = -0.3 / 1e3 * math.log(1.0 - math.tan(alpha) / 0.3)
        assert float(data.joint_position[-1, 0]) == pytest.approx(way, rel=1e-3)
        assert data.sticking.values[-1, 0] == 1.0


@pytest.mark.parametrize("base", ["ground", "frame"])
@pytest.mark.parametrize("name", SOLVERS)
def test_screw(coordinates, name, base):
    """Square thread: raised by W r tan(λ + ρ) it stands still or goes on evenly; it sinks by itself where tan λ > μ."""
    mu, lam, load, radius = 0.1, 0.15, 100.0, 0.01
    solver, law = solvers(mu)[name]
    rho = math.atan(mu)
    pull = 1.2 * load * radius * math.tan(lam + rho)
    data = gd.simulate(jack(law, lam, torque=pull, base=base), 0.2, solver=solver, sample=0.1).data
    # (T − W r tan(λ+ρ)) θ̇ = d/dt of ½ J θ̇² + ½ m ẋ² with the load's inertia raised by friction, too
    p = radius * math.tan(lam)
    inertia = 2e-4 + load / GRAVITY * p * radius * math.tan(lam + rho)
    assert float(data.joint_velocity.sel(rate="spindle.angle")[-1]) == pytest.approx(
        (pull - load * radius * math.tan(lam + rho)) / inertia * 0.2, rel=1e-3
    )
    free = gd.simulate(jack(law, lam, base=base), 0.2, solver=solver, sample=0.1).data
    sinks = 2e-4 + load / GRAVITY * p * radius * math.tan(lam - rho)
    assert float(free.joint_velocity.sel(rate="spindle.angle")[-1]) == pytest.approx(
        -load * radius * math.tan(lam - rho) / sinks * 0.2, rel=1e-3
    )
    still = gd.simulate(jack(law, 0.09, base=base), 0.2, solver=solver, sample=0.1).data  # tan 0.09 < 0.1
    assert abs(float(still.joint_velocity.sel(rate="spindle.angle")[-1])) < 2 * SHARP / radius
    assert float(still.sticking[-1, 0]) == 1.0


def test_flanks(coordinates):
    """A trapezoidal thread rubs like a square one with μ/cos α_n."""
    lam, mu, angle = 0.1, 0.1, math.radians(30.0)
    normal = math.atan(math.tan(angle / 2) * math.cos(lam))
    speeds = []
    for law, more in (
        (gd.laws.Coulomb(coefficient=mu, velocity_tolerance=SHARP), {"thread_angle": angle}),
        (gd.laws.Coulomb(coefficient=mu / math.cos(normal), velocity_tolerance=SHARP), {}),
    ):
        data = gd.simulate(jack(law, lam, torque=0.3, **more), 0.1, solver=gd.Implicit(), sample=0.1).data
        speeds.append(float(data.joint_velocity.sel(rate="spindle.angle")[-1]))
    assert speeds[0] == pytest.approx(speeds[1], rel=1e-9)


def test_second_order_where_nothing_turns_back(coordinates):
    """TimeStepping with set-valued friction: errors of a sliding pendulum fall by four as the step is halved."""
    model = gd.Ideal(friction=gd.laws.DryFriction(static=0.2), radius=0.05, length=0.04)
    smooth = gd.Ideal(friction=gd.laws.Coulomb(coefficient=0.2, velocity_tolerance=1e-6), radius=0.05, length=0.04)

    def angle(model, solver):
        body = gd.Body(mass=2.0, inertia=(0.02,) * 3, position=(0.3, 0.05, -0.4), angular_velocity=(0, 3.0, 0))
        joint = gd.Revolute("ground", "bob", at=(0, 0, 0), axis=(0, 1, 0), model=model)
        system = gd.System(bodies={"bob": body}, joints={"pivot": joint})
        return float(gd.simulate(system, 0.25, solver=solver, sample=[0.25]).data.joint_position[0, 0])

    exact = angle(smooth, gd.Explicit(rtol=1e-11, atol=1e-13))
    errors = [abs(angle(model, gd.TimeStepping(step=h)) - exact) for h in (4e-3, 2e-3, 1e-3)]
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.2)
    assert errors[1] / errors[2] == pytest.approx(4.0, rel=0.2)
