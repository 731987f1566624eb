"""Impact laws of hard contacts: one corner against an independent solution, several, and who creates energy."""

from __future__ import annotations

import re

import numpy as np
import pytest

import gudgeon as gd
import reference_impact as reference

LENGTH, HEIGHT, PLAY, TILT = 0.2, 0.48, 0.01, 0.01  # of the slider [m], [m], [m]; its angle [rad]
MASS, INERTIA = 1.0, 5e-3
LAWS = (gd.Newton, gd.Poisson, gd.Stronge)
CORNER = (  # the lower left one, from the centre of mass
    -0.5 * LENGTH * np.cos(TILT) + 0.5 * HEIGHT * np.sin(TILT),
    -0.5 * LENGTH * np.sin(TILT) - 0.5 * HEIGHT * np.cos(TILT),
)
D = reference.compliance(MASS, INERTIA, CORNER)
SHORTLY = 1e-6  # until the impact [s]


def thrown(impact, velocity, spin: float = 0.0, mu: float = 0.0, tilt: float = TILT) -> gd.System:
    """A slider whose lower left corner strikes the guide after SHORTLY; no gravity."""
    low = -0.5 * LENGTH * np.sin(tilt) - 0.5 * HEIGHT * np.cos(tilt)
    arm = -0.5 * LENGTH * np.cos(tilt) + 0.5 * HEIGHT * np.sin(tilt)
    falls = velocity[1] + spin * arm
    start = gd.BodyState(
        position=(0.0, -0.5 * HEIGHT - PLAY - low - falls * SHORTLY, 0.0),
        orientation=(np.cos(0.5 * tilt), 0.0, 0.0, np.sin(0.5 * tilt)),
        velocity=(*velocity, 0.0),
        angular_velocity=(0.0, 0.0, spin),
    )
    friction = gd.laws.DryFriction(static=mu) if mu else None
    model = gd.RigidSlider(length=LENGTH, height=HEIGHT, clearance=PLAY, impact=impact, friction=friction)
    return gd.System(
        name="thrown slider",
        gravity=(0.0, 0.0, 0.0),
        bodies={"slider": gd.Body(mass=MASS, inertia=(INERTIA,) * 3)},
        joints={"guide": gd.Guide("ground", "slider", at=(0.0, 0.0, 0.0), model=model)},
        start={"slider": start},
    )


def velocities(result: gd.Result) -> np.ndarray:
    """(v_x, v_y, ω) at the last sample."""
    data = result.data.isel(time=-1).sel(body="slider")
    return np.array([*data.velocity.values[:2], data.angular_velocity.values[2]])


def after(impact, velocity, spin: float = 0.0, mu: float = 0.0, **options) -> gd.Result:
    system = thrown(impact, velocity, spin, mu, **options)
    return gd.simulate(system, 2.0 * SHORTLY, solver=gd.TimeStepping(step=4.0 * SHORTLY), sample=[0.0, 2.0 * SHORTLY])


def expected(impulse: np.ndarray, velocity, spin: float) -> np.ndarray:
    """(v_x, v_y, ω) after an impulse on the corner."""
    turn = CORNER[0] * impulse[1] - CORNER[1] * impulse[0]
    return np.array([*velocity, spin]) + np.array([*impulse / MASS, turn / INERTIA])


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("restitution", [0.0, 0.4, 1.0])
def test_without_friction_all_laws_are_one(law, restitution):
    """γ⁺ = −ε γ⁻; the impulse is (1 + ε) |γ⁻| / D_nn and takes ½ (1 − ε²) γ⁻² / D_nn."""
    result = after(law(restitution_normal=restitution), (0.3, -0.5))
    impulse = np.array([0.0, (1.0 + restitution) * 0.5 / D[1, 1]])
    assert velocities(result) == pytest.approx(expected(impulse, (0.3, -0.5), 0.0), rel=1e-6)
    event = result.events.iloc[0]
    assert (event.joint, event.contact) == ("guide", "lower left")
    assert event.begin == pytest.approx(SHORTLY, rel=1e-6)
    assert event.impact_speed == pytest.approx(0.5, rel=1e-9)
    assert event.impulse == pytest.approx(impulse[1], rel=1e-6)
    assert event.energy_lost == pytest.approx(0.5 * (1.0 - restitution**2) * 0.25 / D[1, 1], rel=1e-6, abs=1e-9 * 0.25)
    assert np.isnan(event.peak_force)


CASES = {  # how the corner slides during the impact: velocities of the body, μ
    "slides on": ((-1.0, -0.3), 0.0, 0.1),
    "stops and sticks": ((0.1, -0.5), 0.0, 0.9),
    "is turned round": ((0.4, -0.4), 0.0, 0.15),
    "sticks from the start": ((0.24, -0.4), -1.0, 0.9),
    "spins": ((0.2, -0.1), 3.0, 0.4),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("law", ["Poisson", "Stronge"])
def test_one_corner_with_friction(law, case):
    """Against small steps of the impulse; with Stronge's law also: the normal impulse returns ε² of what it took."""
    velocity, spin, mu = CASES[case]
    u = reference.corner_velocity(np.array([*velocity, spin]), CORNER)
    impulse = reference.strike(law, 0.7, mu, D, u)
    result = after(getattr(gd, law)(restitution_normal=0.7), velocity, spin, mu)
    scale = np.abs(velocities(result)).max()
    assert velocities(result) == pytest.approx(expected(impulse, velocity, spin), abs=1e-3 * scale)
    assert result.events.impulse[0] == pytest.approx(impulse[1], rel=1e-3)
    assert result.events.energy_lost[0] == pytest.approx(-reference.gain(D, u, impulse), rel=5e-3)


def test_newton_of_one_corner_with_friction():
    for velocity, spin, mu in CASES.values():
        u = reference.corner_velocity(np.array([*velocity, spin]), CORNER)
        impulse = reference.newton(0.2, mu, D, u)
        if reference.gain(D, u, impulse) < 0.0:
            result = after(gd.Newton(restitution_normal=0.2), velocity, spin, mu)
            assert velocities(result) == pytest.approx(
                expected(impulse, velocity, spin), abs=5e-6
            )  # it turns on the way


def test_newton_that_creates_energy_is_not_silent():
    """Kane's paradox: friction turns the corner round, and Newton's law would leave it with more than it had."""
    velocity, mu, restitution = (0.66, -0.38), 0.52, 0.9
    u = np.array(velocity)
    created = reference.gain(D, u, reference.newton(restitution, mu, D, u))
    before = 0.5 * MASS * (velocity[0] ** 2 + velocity[1] ** 2)
    assert created > 0.05 * before
    with pytest.raises(gd.SimulationError, match="energy created at t = 1e-06 s") as caught:
        after(gd.Newton(restitution_normal=restitution), velocity, mu=mu)
    assert re.search(r"Guide 'guide' has created energy, which Newton's law with friction can", str(caught.value))
    assert "give impact=gd.Stronge(restitution_normal=...), which cannot" in str(caught.value)
    assert f"[{created:.3g} J]" in str(caught.value)
    assert caught.value.owner == "guide"
    assert caught.value.time == pytest.approx(SHORTLY, rel=1e-6)
    for law in (gd.Poisson, gd.Stronge):
        assert after(law(restitution_normal=restitution), velocity, mu=mu).events.energy_lost[0] > 0.0


def test_newton_of_a_hard_ball_that_creates_energy_is_not_silent():
    """The same at the end of a rod, which it strikes aslant; a tangential restitution of the same size never does."""

    def struck(law: gd.Newton) -> gd.Result:
        friction = gd.laws.DryFriction(static=0.85)
        model = gd.Dry(socket_radius=0.02, ball_radius=0.01, impact=law, friction=friction)
        centre = np.array((-0.27, 0.12, 0.0))  # from the ball
        start = gd.BodyState(
            position=centre - (0.0, 0.0099, 0.0),
            orientation=(1, 0, 0, 0),
            velocity=(-0.46, -0.97, 0),
            angular_velocity=(0, 0, 0),
        )
        system = gd.System(
            gravity=(0, 0, 0),
            bodies={"rod": gd.Body(mass=0.2, inertia=(4.6e-3,) * 3, position=centre)},
            joints={"end": gd.Spherical("ground", "rod", at=(0, 0, 0), model=model)},
            start={"rod": start},
        )
        return gd.simulate(system, 2e-4, solver=gd.TimeStepping(step=1e-5), sample=2e-4)

    with pytest.raises(gd.SimulationError, match=r"energy created at t = 0\.0001") as caught:
        struck(gd.Newton(restitution_normal=0.95))
    assert re.search(
        r"; an impact of Spherical 'end' has created energy, which Newton's law with friction can; give it a "
        r"restitution_tangential that equals its restitution_normal, with which it cannot \[.* J\]; ",
        str(caught.value),
    )
    assert caught.value.owner == "end"
    energy = struck(gd.Newton(restitution_normal=0.95, restitution_tangential=0.95)).data.kinetic_energy.values
    assert energy[-1] < energy[0]


@pytest.mark.parametrize("tilt", [TILT, 0.0])
def test_stronge_never_creates_energy(tilt):
    """Random throws, onto one corner (tilt) or two at once, from plastic to elastic, with little and much friction."""
    random = np.random.default_rng(7)
    for _ in range(40):
        velocity, mu = (random.uniform(-1.0, 1.0), -random.uniform(0.05, 1.0)), random.uniform(0.0, 1.5)
        result = after(random.uniform(0.0, 1.0), velocity, random.uniform(-1.0, 1.0) if tilt else 0.0, mu, tilt=tilt)
        energy = result.data.kinetic_energy.values
        assert energy[1] <= energy[0] * (1.0 + 1e-12)
        assert result.events.energy_lost.sum() == pytest.approx(energy[0] - energy[1], abs=1e-9 * energy[0])
        gaps = result.data.guide_gap_rate.isel(time=-1)[result.data.guide_gap.isel(time=-1).values < 1e-5]
        assert gaps.values.min() > -1e-9  # what has struck does not approach any more


def test_two_corners_that_strike_together_bounce_flat():
    """Without friction a flat slider leaves with −ε of its velocity and does not turn."""
    for law in LAWS:
        result = after(law(restitution_normal=0.6), (0.2, -0.5), tilt=0.0)
        assert velocities(result) == pytest.approx([0.2, 0.3, 0.0], abs=1e-9)
        assert sorted(result.events.contact) == ["lower left", "lower right"]
        assert result.events.impulse.values == pytest.approx([0.4, 0.4], rel=1e-6)


def test_a_number_is_the_safe_law():
    model = gd.RigidSlider(length=0.1, height=0.1, clearance=1e-3, impact=0.5)
    assert model.impact == gd.Stronge(restitution_normal=0.5)
