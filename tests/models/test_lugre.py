"""LuGre friction in a joint: sticking, presliding, the way to steady sliding; the bristles are states of the joint.

The ball sits on an axle that holds its centre off the socket's, pressed into the wall by a fixed penetration: the
normal force is constant, and the ball slides (or sticks) at the arm r = (R_i + R_j − e)/2 from its centre.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import gudgeon as gd
import reference_real_joints as reference
from gudgeon import laws
from real_joints import CLEARANCE, EVERY_MODEL, RADII, STEEL, two_bodies

DEPTH = 0.05 * CLEARANCE
NORMAL = STEEL * DEPTH**1.5  # [N]
ARM = 0.5 * (RADII["socket_radius"] + RADII["ball_radius"] - CLEARANCE - DEPTH)  # r [m]
LAW = laws.LuGre(
    kinetic=0.1, static=0.16, stribeck_speed=0.02, bristle_stiffness=1e5, bristle_damping=50.0, viscous=0.3
)
SOLVERS = [gd.Implicit(rtol=1e-8, atol=1e-12), gd.Explicit(rtol=1e-10, atol=1e-13)]
both = pytest.mark.parametrize("solver", SOLVERS, ids=["Implicit", "Explicit"])
INERTIA = 1e-4


def on_an_axle(law=LAW, *, speed=0.0, ball_on="child", **parts) -> gd.System:
    """The ball turns about y, its centre fixed at (0, 0, c + δ)."""
    at = (0.0, 0.0, CLEARANCE + DEPTH)
    model = gd.Dry(**RADII, contact=laws.Hertz(stiffness=STEEL), friction=law, ball_on=ball_on)
    socket, ball = ("ground", "ball") if ball_on == "child" else ("ball", "ground")
    points = {"at_parent": (0, 0, 0), "at_child": (0, 0, 0)}
    return gd.System(
        gravity=(0, 0, 0),
        bodies={"ball": gd.Body(mass=0.2, inertia=(INERTIA,) * 3, position=at)},
        joints={
            "axle": gd.Revolute("ground", "ball", at=at, axis=(0, 1, 0)),
            "J": gd.Spherical(socket, ball, **points, model=model),
        },
        start={"ball": gd.BodyState(position=at, orientation=(1, 0, 0, 0), angular_velocity=(0, speed / ARM, 0))},
        **parts,
    )


def g(speed: float) -> float:
    """Coefficient of the bristles in steady sliding."""
    return LAW.kinetic + (LAW.static - LAW.kinetic) * math.exp(-((speed / LAW.stribeck_speed) ** 2))


@both
@pytest.mark.parametrize("speed", [1e-4, 5e-3, 0.02, 0.1, 1.0])
def test_steady_sliding(speed, solver):
    """F = f_n (g(v) + σ₂ v), after many times g/(σ₀ v)."""
    duration = 20.0 * g(speed) / (LAW.bristle_stiffness * speed)
    system = on_an_axle(speed=speed, drives={"motor": gd.Drive("axle", f"{speed / ARM!r}*t")})
    result = gd.simulate(system, duration, sample=duration / 4, solver=solver)
    data = result.data.sel(joint="J")
    friction = NORMAL * (g(speed) + LAW.viscous * speed)
    assert data.normal_force.values == pytest.approx(NORMAL, rel=1e-7)
    assert data.sliding_velocity.values == pytest.approx(np.tile((speed, 0.0, 0.0), (5, 1)), abs=1e-9)
    assert data.friction_force.values[-1] == pytest.approx([-friction, 0.0, 0.0], abs=1e-5 * friction)
    assert data.drive_effort.values[-1, 0] == pytest.approx(friction * ARM, rel=1e-5)
    assert result.states[-1, -4:-1] == pytest.approx([g(speed) / LAW.bristle_stiffness, 0, 0], rel=1e-5, abs=1e-13)


def test_bristles_of_time_stepping():
    """z = g/σ₀ (1 − exp(−σ₀ v t/g)) at constant speed, with an error of second order."""
    speed, times = 0.01, np.linspace(5e-5, 2e-4, 4)
    system = on_an_axle(speed=speed, drives={"motor": gd.Drive("axle", f"{speed / ARM!r}*t")})
    steady = g(speed) / LAW.bristle_stiffness
    z = steady * (1.0 - np.exp(-speed * times / steady))
    errors = []
    for step in (5e-6, 2.5e-6):
        result = gd.simulate(system, times[-1], sample=times, solver=gd.TimeStepping(step=step))
        errors.append(np.abs(result.states[:, -4] - z).max())
    assert errors[-1] < 1e-4 * steady
    assert np.log2(errors[0] / errors[1]) > 1.8


@both
@pytest.mark.parametrize("ball_on", ["child", "parent"])
def test_the_way_to_steady_sliding(solver, ball_on):
    """At constant speed z = g/σ₀ (1 − exp(−σ₀ v t/g)), F = f_n (σ₀ z + σ₁ ż + σ₂ v)."""
    speed = 0.01
    system = on_an_axle(speed=speed, ball_on=ball_on, drives={"motor": gd.Drive("axle", f"{speed / ARM!r}*t")})
    data = gd.simulate(system, 1e-3, sample=2e-5, solver=solver).data
    decay = np.exp(-LAW.bristle_stiffness * speed / g(speed) * data.time.values)
    expected = NORMAL * (g(speed) * (1.0 - decay) + LAW.bristle_damping * speed * decay + LAW.viscous * speed)
    assert data.drive_effort.values[:, 0] == pytest.approx(expected * ARM, rel=1e-4)
    if ball_on == "child":
        assert -data.friction_force.sel(joint="J").values[:, 0] == pytest.approx(expected, rel=1e-4)


@both
@pytest.mark.parametrize("fraction", [0.1, 0.5, 0.9])
def test_presliding(fraction, solver):
    """A torque below static friction turns the ball a little, and it stays: z = F/(σ₀ f_n), and on the way there

    dz/dx = 1 − σ₀ z/μ_s for a slow pull, so that the surface moves by x = −(μ_s/σ₀) ln(1 − F/(μ_s f_n)).
    """
    force = fraction * LAW.static * NORMAL
    stiffness = LAW.bristle_stiffness * NORMAL * ARM**2 / INERTIA
    duration = 400.0 / math.sqrt(stiffness)
    load = {"twist": gd.Torque("ball", (0, f"{force * ARM!r}*(1 - exp(-{30.0 / duration!r}*t))", 0))}
    result = gd.simulate(on_an_axle(loads=load), duration, sample=duration / 10, solver=solver)
    angle = 2.0 * np.arctan2(result.data.orientation.values[:, 0, 2], result.data.orientation.values[:, 0, 0])
    assert result.states[-1, -4] == pytest.approx(force / (LAW.bristle_stiffness * NORMAL), rel=1e-5)
    moved = -LAW.static / LAW.bristle_stiffness * math.log1p(-fraction)
    assert angle[-1] * ARM == pytest.approx(moved, rel=1e-3)
    assert abs(result.data.angular_velocity.values[-1, 0, 1]) * ARM < 1e-7
    assert -result.data.friction_force.sel(joint="J").values[-1, 0] == pytest.approx(force, rel=1e-5)


def test_break_away():
    """Above static friction the ball slips; the speed then grows as (F − f_n (g + σ₂ v)) r/J."""
    force = 1.3 * LAW.static * NORMAL
    load = {"twist": gd.Torque("ball", (0, force * ARM, 0))}
    system = on_an_axle(loads=load)
    data = gd.simulate(system, 0.05, sample=1e-4, solver=SOLVERS[0]).data
    speed = data.angular_velocity.values[:, 0, 1] * ARM
    assert speed[-1] > 5.0 * LAW.stribeck_speed
    late = data.time.values > 0.03
    friction = -data.friction_force.sel(joint="J").values[:, 0]
    steady = NORMAL * (np.array([g(v) for v in speed]) + LAW.viscous * speed)
    assert friction[late] == pytest.approx(steady[late], rel=1e-3)
    assert data.angular_acceleration.values[late, 0, 1] == pytest.approx(
        (force - steady[late]) * ARM / INERTIA, rel=1e-2
    )


def test_a_block_held_by_friction():
    """A ball that does not turn, in a socket so wide that it is flat: x = −(μ_s/σ₀) ln(1 − F/(μ_s f_n)), no farther."""
    radii = {"socket_radius": 1.0, "ball_radius": 0.5}
    model = gd.Dry(**radii, contact=laws.HuntCrossley(stiffness=1e9, damping=50.0), friction=LAW)
    pressed, pulled = 100.0, 8.0
    depth = (pressed / 1e9) ** (2 / 3)
    start = gd.BodyState(position=(0, 0, -0.5 - depth), orientation=(1, 0, 0, 0))
    system = gd.System(
        gravity=(0, 0, 0),
        bodies={"ball": gd.Body(mass=1.0, inertia=(1e6,) * 3, position=(0, 0, -0.5 - depth))},
        joints={"J": gd.Spherical("ground", "ball", at_parent=(0, 0, 0), at_child=(0, 0, 0), model=model)},
        loads={
            "press": gd.Force("ball", (0, 0, -pressed)),
            "pull": gd.Force("ball", (f"{pulled}*(1 - exp(-20*t))", 0, 0), at=(0, 0, -0.5)),
        },
        start={"ball": start},
    )
    data = gd.simulate(system, 2.0, sample=0.1, solver=gd.Implicit(rtol=1e-8, atol=1e-12)).data
    expected = -LAW.static / LAW.bristle_stiffness * math.log1p(-pulled / (LAW.static * pressed))
    assert data.position.values[-1, 0, 0] == pytest.approx(expected, rel=1e-3)
    assert data.normal_force.values[-1, 0] == pytest.approx(pressed, rel=1e-6)
    assert data.position.values[-1, 0, 0] == pytest.approx(data.position.values[-5, 0, 0], rel=1e-3)
    assert -data.friction_force.values[-1, 0, 0] == pytest.approx(pulled, rel=1e-4)


def test_rates_of_bristles_and_dissipation():
    """ẏ of bristles and of the energy lost against the reference, socket and ball turning anyhow."""
    from gudgeon.kernels.dynamics.arrays import IMPACT_SPEED, MODE, TOUCHING
    from gudgeon.kernels.dynamics.motion import right_hand_side
    from gudgeon.mechanics.equations import equations_of_motion

    system = two_bodies(EVERY_MODEL["LuGre"])
    result = gd.simulate(system, 0.02, sample=2e-5, solver=SOLVERS[1], coordinates="absolute")
    equations = equations_of_motion(system)
    seen = 0
    for s in np.flatnonzero(result.data.contact.values[:, 0] == 1.0)[::4]:
        t, y, rate = result.data.time.values[s], result.states[s], np.zeros(30)
        event = result.events[result.events.begin <= t].iloc[-1]
        equations.work.contact[0, MODE], equations.work.contact[0, IMPACT_SPEED] = TOUCHING, event.impact_speed
        right_hand_side(equations.model, equations.work, t, y, rate)
        options = {"touching": True, "impact_speed": event.impact_speed, "bristles": y[26:29]}
        expected = reference.joint_force(system, "J", result.state(int(s)), **options)
        assert rate[26:29] == pytest.approx(expected.bristle_rate, abs=1e-10)
        assert rate[29] == pytest.approx(expected.power_dissipated, abs=1e-9)
        seen += np.linalg.norm(y[26:29]) > 1e-7
    assert seen > 10


def test_bristles_stay_in_the_contact_plane():
    """Parallel transport: z has no part along n while the ball rolls round the socket."""
    result = gd.simulate(two_bodies(EVERY_MODEL["LuGre"]), 0.02, sample=2e-5, solver=SOLVERS[1])
    on = np.flatnonzero(result.data.contact.values[:, 0] == 1.0)
    for s in on:
        sides = reference.Sides(result.system, "J", result.state(int(s)))
        z = sides.R_i @ result.states[s, 26:29]
        assert abs(z @ sides.n) < 1e-12
    assert np.abs(result.states[on, 26:29]).max() > 1e-6


def test_every_contact_starts_with_relaxed_bristles():
    result = gd.simulate(two_bodies(EVERY_MODEL["LuGre"]), 0.02, sample=2e-4, solver=SOLVERS[0])
    begins = result.events.begin.values
    again = gd.simulate(two_bodies(EVERY_MODEL["LuGre"]), 0.02, sample=begins + 1e-12, solver=SOLVERS[0])
    assert len(begins) > 5
    assert np.abs(again.states[:, 26:29]).max() < 1e-11
