"""Joints with clearance under nonsmooth time stepping: nothing is lost, no energy from nothing, films hand over."""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from conserved import drift, momenta
from real_joints import CLEARANCE, EVERY_MODEL, LOSSY, RADII, TOUCHING, ball_in_socket, two_bodies

KNOWN = [name for name in EVERY_MODEL if name != "LuGre"]  # whose bristles TimeStepping refuses


# ----------------------------------------------------------------------------------- a spinning ball with friction
def spinning_ball(
    *, radius: float, clearance: float, contact, friction, velocity, spin, mass: float = 0.1
) -> gd.System:
    model = gd.Dry(socket_radius=radius + clearance, ball_radius=radius, contact=contact, friction=friction)
    inertia = 0.4 * mass * radius**2
    return ball_in_socket(
        model,
        bodies={"ball": gd.Body(mass=mass, inertia=(inertia,) * 3)},
        start={
            "ball": gd.BodyState(position=(0, 0, 0), orientation=(1, 0, 0, 0), velocity=velocity, angular_velocity=spin)
        },
    )


def stays(system: gd.System, duration: float, solver: gd.TimeStepping) -> tuple[float, float]:
    """Largest penetration [m], and by how much the energy in flight rises, of that at the start."""
    data = gd.simulate(system, duration, solver=solver, sample=1e-4).data
    lost = data.dissipated_energy.sel(joint="J").values
    assert np.diff(lost).min() >= -1e-13 * lost[-1]
    energy = data.mechanical_energy.values[data.contact.sel(joint="J").values == 0.0]
    return float(data.penetration.max()), float((energy - np.minimum.accumulate(energy)).max() / energy[0])


@pytest.mark.filterwarnings("ignore:TimeStepping. a contact in")
@pytest.mark.parametrize("rtol", [None, 1e-4, 1e-6])
@pytest.mark.parametrize("step", [1e-4, 3e-5, 1e-5])
def test_a_ball_with_friction_is_not_lost(step, rtol):
    """It bounces four times; with a step of 0.1 ms, longer than a contact, it used to leave through the wall."""
    system = spinning_ball(
        radius=0.02,
        clearance=5e-4,
        contact=gd.laws.Flores(stiffness=1.8e10, restitution=0.8),
        friction=gd.laws.Coulomb(coefficient=0.3, velocity_tolerance=1e-3),
        velocity=(0.15, 0.20, 0.0),
        spin=(0.0, 0.0, 12.5),
    )
    depth, rise = stays(system, 0.02, gd.TimeStepping(step=step, rtol=rtol))
    assert depth < 1.1e-5  # Implicit: 1.032e-5 m
    assert rise < (1e-12 if rtol is None else 5e-4)


@pytest.mark.filterwarnings("ignore:TimeStepping")
def test_random_balls_with_friction():
    """Radii, clearances, laws, friction and steps at random, many of them longer than a contact: none is lost.

    No contact gives back more than it took, to rounding; with step control, which extrapolates more, to 5e-4.
    """
    random = np.random.default_rng(5)
    for _ in range(16):
        stiffness, mu, restitution = (
            10.0 ** random.uniform(9.0, 11.0),
            random.uniform(0.05, 0.6),
            random.uniform(0.4, 0.9),
        )
        contacts = (
            gd.laws.Hertz(stiffness=stiffness),
            gd.laws.HuntCrossley(stiffness=stiffness, damping=1.0),
            gd.laws.LankaraniNikravesh(stiffness=stiffness, restitution=restitution),
            gd.laws.Flores(stiffness=stiffness, restitution=restitution),
            gd.laws.KelvinVoigt(stiffness=stiffness**0.65, damping=10.0),
        )
        frictions = (
            gd.laws.Coulomb(coefficient=mu, velocity_tolerance=10.0 ** random.uniform(-4.0, -2.0)),
            gd.laws.Threlfall(coefficient=mu, velocity_tolerance=1e-2),
        )
        radius = random.choice([0.005, 0.01, 0.02])
        system = spinning_ball(
            radius=radius,
            clearance=random.choice([2e-5, 1e-4, 5e-4]),
            contact=contacts[random.integers(5)],
            friction=frictions[random.integers(2)],
            velocity=0.2 * random.normal(size=3),
            spin=20.0 * random.normal(size=3),
            mass=random.uniform(0.02, 1.0),
        )
        rtol = (None, 1e-4, 1e-6)[random.integers(3)]
        depth, rise = stays(system, 0.01, gd.TimeStepping(step=random.choice([1e-4, 3e-5]), rtol=rtol))
        assert depth < 0.05 * radius
        assert rise < (1e-12 if rtol is None else 5e-4)


def test_a_ball_that_does_leave_is_an_error():
    soft = gd.Dry(**RADII, contact=gd.laws.Hertz(stiffness=1e3))
    with pytest.raises(gd.SimulationError, match=r"ball lost at t = .*the ball of Spherical 'J' has left its socket"):
        gd.simulate(ball_in_socket(soft, velocity=(1.0, 0.0, 0.0)), 0.1, solver=gd.TimeStepping(step=5e-5))


def test_a_law_that_no_step_can_meet_is_an_error():
    """Any force of this contact throws the ball back, and then there should have been none."""

    def jumps(delta, ddelta):
        return 1e9 if ddelta > 0.0 else 0.0

    model = gd.Dry(**RADII, contact=jumps)
    with pytest.raises(gd.SimulationError) as caught:
        gd.simulate(ball_in_socket(model, velocity=(0.1, 0.0, 0.0)), 0.1, solver=gd.TimeStepping(step=1e-5))
    assert "joint not solved" in str(caught.value) and caught.value.owner == "J"


# ------------------------------------------------------------------------------------------------- every real joint
@pytest.mark.parametrize("name", KNOWN)
def test_every_model_like_the_event_driven_solver(name):
    """Two bodies that collide in their joint, rub and part: events, energy, momentum."""
    system = two_bodies(EVERY_MODEL[name])
    exact = gd.simulate(system, 0.02, solver=gd.Implicit(rtol=1e-9, atol=1e-12), sample=1e-3)
    result = gd.simulate(system, 0.02, solver=gd.TimeStepping(step=2e-6), sample=1e-3)
    linear, angular = momenta(result)
    assert drift(linear) < 1e-12 * np.abs(linear).max()
    assert drift(angular) < 1e-4 * np.abs(angular).max()
    energy, lost = result.data.mechanical_energy.values, result.data.dissipated_energy.sel(joint="J").values
    assert np.diff(energy).max() < 1e-4 * energy[0]
    assert np.diff(lost).min() >= 0.0
    assert lost[-1] == pytest.approx(exact.data.dissipated_energy.sel(joint="J").values[-1], rel=0.02)
    assert len(result.events) == len(exact.events)
    if name in TOUCHING:
        assert result.events.begin.values[:5] == pytest.approx(
            exact.events.begin.values[:5], abs=1e-5
        )  # then it drifts
        assert result.events.impact_speed[0] == pytest.approx(exact.events.impact_speed[0], rel=1e-2)


def test_a_film_hands_over_to_contact():
    """A ball is thrown at the wall: the film slows it, the contact throws it back."""
    model = gd.Lubricated(**RADII, viscosity=2e-4, smallest_film=2e-6, contact=LOSSY)
    system = ball_in_socket(model, velocity=(0.3, 0.0, 0.0))
    exact = gd.simulate(system, 8e-4, solver=gd.Implicit(rtol=1e-10, atol=1e-13), sample=1e-5)
    result = gd.simulate(system, 8e-4, solver=gd.TimeStepping(step=5e-7), sample=1e-5)
    assert len(result.events) == len(exact.events) == 1
    assert result.events.impact_speed[0] == pytest.approx(exact.events.impact_speed[0], rel=5e-3)
    farthest, known = (float(run.data.eccentricity_length.sel(joint="J").max()) for run in (result, exact))
    assert farthest == pytest.approx(known, rel=1e-3)
    assert known > CLEARANCE - 2e-6
    back, known = (float(run.data.velocity.sel(body="ball", axis="x")[-1]) for run in (result, exact))
    assert known < -0.01
    assert back == pytest.approx(known, rel=2e-2)


@pytest.mark.parametrize("solver", [gd.TimeStepping(step=1e-4), gd.TimeStepping(step=1e-3, rtol=1e-4)])
def test_a_film_that_closes(solver):
    """A thin oil, a fast ball: the film ends and nothing takes over."""
    model = gd.Lubricated(**RADII, viscosity=1e-4, smallest_film=1e-6)
    with pytest.raises(gd.SimulationError, match=r"film closed at t = .*give contact=") as caught:
        gd.simulate(ball_in_socket(model, velocity=(1.0, 0.0, 0.0)), 0.1, solver=solver, sample=1e-6)
    assert caught.value.owner == "J"
    exact = (CLEARANCE - 1e-6) / 1.0  # if the film did not slow it
    assert exact < caught.value.time < 1.5 * exact
    lost = caught.value.result.data.dissipated_energy.sel(joint="J").values
    assert np.diff(lost).min() >= 0.0
    assert lost[-1] < 0.5 * 0.2 * 1.0**2
