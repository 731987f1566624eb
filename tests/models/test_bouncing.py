"""A ball thrown about in a fixed socket: impacts against closed forms and the published restitution of contact laws.

A ball that leaves the centre of its socket meets the wall head on: a bounce in one dimension, whatever the radii.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import gudgeon as gd
import references
from gudgeon import laws
from real_joints import BALL, CLEARANCE, RADII, STEEL, ball_in_socket

TABLE = references.load("contact_laws_restitution")
RECOVERED, IMPACT = TABLE["reference"]["recovered_restitution"], TABLE["reference"]["impact"]
ELASTIC, CASE = TABLE["reference"]["elastic"], TABLE["parameters"]["impact_case"]
MASS, SPEED = BALL["mass"], CASE["v0"]
LAWS = {
    "Hunt-Crossley": laws.HuntCrossley,
    "Lankarani-Nikravesh": laws.LankaraniNikravesh,
    "Flores2011": laws.Flores,
    "Gonthier2004": laws.Gonthier,
    "Zhiying-Qishao": laws.ZhiyingQishao,
    "Gharib-Hurmuzlu2012": laws.GharibHurmuzlu,
    "Hu-Guo2015": laws.HuGuo,
    "Lee-Wang1983": laws.LeeWang,
    "Herbert-McWhannell": laws.HerbertMcWhannell,
}
DIRECTIONS = [(1.0, 0.0, 0.0), (1 / 3, 2 / 3, -2 / 3), (0.36, -0.48, 0.8)]
TIGHT = [
    gd.Implicit(rtol=1e-8, atol=1e-12),
    gd.Implicit(rtol=1e-9, atol=1e-12, stages=5),
    gd.Explicit(rtol=1e-10),
    gd.Sundials(rtol=1e-12, atol=1e-15),
]
NAMES = ["Implicit", "five stages", "Explicit", "Sundials"]
HERTZ = laws.Hertz(stiffness=STEEL)


def throw(law, duration, *, speed=SPEED, solver=None, direction=DIRECTIONS[1], **parts) -> gd.Result:
    """From the centre of the socket; two samples."""
    system = ball_in_socket(gd.Dry(**RADII, contact=law), velocity=speed * np.array(direction), **parts)
    return gd.simulate(system, duration, sample=np.array([0.0, duration]), solver=solver or gd.Implicit())


def first_bounce(law, **options):
    """The only event of a throw, and the recovered restitution."""
    result = throw(law, CLEARANCE / SPEED + 3.5e-4, **options)
    assert len(result.events) == 1
    velocity = result.data.velocity.sel(body="ball").values[-1]
    direction = np.array(options.get("direction", DIRECTIONS[1]))
    assert np.linalg.norm(velocity - direction * (direction @ velocity)) < 1e-9
    return result.events.iloc[0], -float(direction @ velocity) / SPEED


@pytest.mark.parametrize(("name", "prescribed"), [(name, e) for name in LAWS for e in RECOVERED[name]])
def test_restitution(name, prescribed):
    """Every law, every entry of the table, at the default tolerance."""
    law = LAWS[name](stiffness=CASE["K"], restitution=float(prescribed))
    expected = RECOVERED[name][prescribed]
    event, found = first_bounce(law)
    assert found == pytest.approx(expected, abs=1e-5)
    assert event.begin == pytest.approx(CLEARANCE / SPEED, abs=1e-12)
    assert event.impact_speed == pytest.approx(SPEED, abs=1e-9)
    assert event.energy_lost == pytest.approx(0.5 * MASS * SPEED**2 * (1.0 - expected**2), abs=2e-5 * MASS * SPEED**2)


@pytest.mark.parametrize("case", IMPACT)
@pytest.mark.parametrize("solver", [gd.Implicit(), *TIGHT], ids=["default", *NAMES])
def test_peak_force_and_duration(case, solver):
    name, prescribed = case.split(" e=")
    restitution, _, force, duration = IMPACT[case]
    event, found = first_bounce(LAWS[name](stiffness=CASE["K"], restitution=float(prescribed)), solver=solver)
    assert event.peak_force == pytest.approx(force, rel=1e-4)
    assert event.end - event.begin == pytest.approx(duration, rel=1e-6)
    assert found == pytest.approx(restitution, abs=1e-5 if solver == gd.Implicit() else 1e-6)


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("solver", TIGHT, ids=NAMES)
def test_elastic_impact(direction, solver):
    """Hertz: e = 1, largest force K δ^1.5 with δ = (5 m v²/4K)^0.4, duration 2.943275184 δ/v."""
    deepest = (5.0 * MASS * SPEED**2 / (4.0 * CASE["K"])) ** 0.4
    event, found = first_bounce(HERTZ, solver=solver, direction=direction)
    assert found == pytest.approx(1.0, abs=1e-7)
    assert event.peak_force == pytest.approx(CASE["K"] * deepest**1.5, rel=1e-4)
    assert event.peak_force == pytest.approx(ELASTIC["Fmax"], rel=1e-4)
    assert event.end - event.begin == pytest.approx(2.943275184 * deepest / SPEED, rel=1e-7)
    assert event.energy_lost == 0.0


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("solver", [gd.Implicit(), gd.Explicit()], ids=["Implicit", "Explicit"])
def test_a_thousand_bounces(direction, solver):
    """To and fro without loss: no onset is missed, whatever the step, and the ball stays inside."""
    period = 2.0 * CLEARANCE / SPEED + ELASTIC["tc"]
    events = throw(HERTZ, 1000 * period, solver=solver, direction=direction).events
    assert len(events) == 1000
    assert events.end.notna().all()
    assert np.diff(events.begin) == pytest.approx(period, rel=1e-3)
    assert (events.end - events.begin).values == pytest.approx(ELASTIC["tc"], rel=5e-4)
    assert events.impact_speed.values == pytest.approx(SPEED, rel=2e-3)
    assert events.peak_force.values == pytest.approx(ELASTIC["Fmax"], rel=3e-3)


@pytest.mark.parametrize("tolerance", [1e-4, 1e-5, 1e-7])
@pytest.mark.parametrize("steps", [1e-2, 1e-3, 3.3e-4])
def test_no_step_is_too_long_to_see_an_impact(tolerance, steps):
    """Free flight asks for any step; the first may pass through the whole socket several times over."""
    for solver in (gd.Implicit(rtol=tolerance, first_step=steps), gd.Explicit(rtol=tolerance, first_step=steps)):
        events = throw(HERTZ, 0.02, solver=solver, direction=DIRECTIONS[2]).events
        assert events.begin[0] == pytest.approx(CLEARANCE / SPEED, abs=1e-12)
        assert np.all(np.abs(events.impact_speed - SPEED) < 0.02 * SPEED)


@pytest.mark.parametrize(
    ("solver", "accuracy"), [(gd.Implicit(), 5e-3), (gd.Explicit(), 1e-5), (TIGHT[0], 1e-4)], ids=["default", "b", "c"]
)
def test_speeds_fall_by_the_restitution(solver, accuracy):
    """v_k = v0 eᵏ; a contact lasts as v^−0.2, a flight 2c/v; 77 bounces over three decades of speed in 5 s."""
    law = laws.LankaraniNikravesh(stiffness=CASE["K"], restitution=0.9)
    restitution, first = RECOVERED["Lankarani-Nikravesh"]["0.9"], IMPACT["Lankarani-Nikravesh e=0.9"][3]
    speeds = SPEED * restitution ** np.arange(200)
    passed = first * (SPEED / speeds) ** 0.2 + 2.0 * CLEARANCE / (restitution * speeds)
    begins = CLEARANCE / SPEED + np.concatenate([[0.0], np.cumsum(passed)])
    events = throw(law, 5.0, solver=solver, direction=DIRECTIONS[0]).events
    count = int(np.sum(begins < 5.0))
    assert len(events) == count == 77
    assert events.impact_speed.values == pytest.approx(speeds[:count], rel=accuracy)
    assert events.begin.values == pytest.approx(begins[:count], rel=accuracy)
    lost = 0.5 * MASS * speeds[:count] ** 2 * (1.0 - restitution**2)
    assert events.energy_lost.values == pytest.approx(lost, rel=2.0 * accuracy)


@pytest.mark.parametrize("speed", [1e-4, 1e-3, 0.1, 5.0])
def test_speed_does_not_matter_to_the_restitution(speed):
    law, restitution = laws.Flores(stiffness=CASE["K"], restitution=0.5), RECOVERED["Flores2011"]["0.5"]
    touching = IMPACT["Flores2011 e=0.5"][3] * (SPEED / speed) ** 0.2
    back = CLEARANCE / speed + touching + CLEARANCE / (restitution * speed)  # in the centre again
    result = throw(law, back, speed=speed, solver=TIGHT[0])
    assert np.linalg.norm(result.data.velocity.values[-1]) / speed == pytest.approx(restitution, abs=1e-5)
    assert np.linalg.norm(result.data.position.values[-1]) < 1e-5 * CLEARANCE


def test_slow_impacts_take_the_smallest_impact_speed():
    """Below it the damping is that of the smallest speed: χ v/v_min instead of χ."""
    law = laws.LankaraniNikravesh(stiffness=CASE["K"], restitution=0.5)
    model = gd.Dry(**RADII, contact=law, smallest_impact_speed=1e-2)
    duration = 2.5 * CLEARANCE / 1e-3
    result = gd.simulate(
        ball_in_socket(model, velocity=(1e-3, 0, 0)), duration, sample=np.array([0.0, duration]), solver=TIGHT[0]
    )
    chi = 0.75 * (1.0 - 0.25) * 1e-3 / 1e-2
    weaker = laws.LankaraniNikravesh(stiffness=CASE["K"], restitution=float(np.sqrt(1.0 - chi / 0.75)))
    expected = laws.recovered_restitution(weaker)
    assert -result.data.velocity.values[-1, 0, 0] / 1e-3 == pytest.approx(expected, abs=1e-6)
    assert result.events.impact_speed[0] == pytest.approx(1e-3, rel=1e-9)  # as it was, not as it is used


@pytest.mark.parametrize("solver", [gd.Implicit(), gd.Explicit()], ids=["Implicit", "Explicit"])
@pytest.mark.parametrize(
    "law",
    [
        laws.LankaraniNikravesh(stiffness=STEEL, restitution=0.5),
        laws.LankaraniNikravesh(stiffness=STEEL, restitution=0.9),
        laws.Flores(stiffness=STEEL, restitution=0.3),
        laws.HuntCrossley(stiffness=STEEL, damping=10.0),
        laws.KelvinVoigt(stiffness=1e7, damping=300.0),
        laws.KelvinVoigt(stiffness=1e7, damping=3e4),  # overdamped: it never leaves again
    ],
)
def test_a_ball_dropped_comes_to_rest(law, solver):
    """In ever smaller jumps, then at m g = f_n(δ); all energy but the last drop of it is lost to the contact."""
    weight, g = MASS * 9.81, (0, 0, -9.81)
    system = ball_in_socket(gd.Dry(**RADII, contact=law), gravity=g)
    result = gd.simulate(system, 0.5, sample=0.01, solver=solver)
    depth = weight / law.stiffness if isinstance(law, laws.KelvinVoigt) else (weight / law.stiffness) ** (2 / 3)
    data, events = result.data.sel(joint="J"), result.events
    assert data.penetration.values[-1] == pytest.approx(depth, rel=1e-6)
    assert data.normal_force.values[-1] == pytest.approx(weight, rel=1e-5)
    assert np.linalg.norm(data.velocity.values[-1]) < 1e-8
    assert 1 <= len(events) < 60
    assert events.end.isna().tolist() == [False] * (len(events) - 1) + [True]
    assert events.impact_speed[0] == pytest.approx(np.sqrt(2.0 * 9.81 * CLEARANCE), rel=1e-9)
    assert np.all(np.diff(events.impact_speed) < 0.0)
    for (_, earlier), (_, later) in itertools.pairwise(events.iterrows()):
        assert earlier.end <= later.begin
    lost = weight * (CLEARANCE + depth) - data.stored_energy.values[-1]
    assert data.dissipated_energy.values[-1] == pytest.approx(lost, rel=2e-4)


def test_a_glancing_ball_goes_round():
    """Thrown off centre without friction: angular momentum about the socket's centre stays, every chord is as long.

    Speed stays, and so does the angle of impact: v cos α with sin α = y/(c + δ) for the offset y.
    """
    offset = 0.6 * CLEARANCE
    system = ball_in_socket(gd.Dry(**RADII, contact=HERTZ), velocity=(SPEED, 0, 0), offset=(0.0, offset, 0.0))
    result = gd.simulate(system, 0.02, sample=1e-4, solver=gd.Implicit(rtol=1e-9, atol=1e-13))
    r, v = result.data.position.values[:, 0], result.data.velocity.values[:, 0]
    assert np.cross(r, v)[:, 2] == pytest.approx(-offset * SPEED, rel=1e-6)
    assert result.events.impact_speed.values == pytest.approx(0.8 * SPEED, rel=1e-5)
    assert len(result.events) > 40


def test_reference_bounce_in_time():
    """The motion within the contact against SciPy."""
    law = laws.Flores(stiffness=CASE["K"], restitution=0.5)
    times = CLEARANCE / SPEED + np.linspace(0.0, 1e-4, 41)
    model = gd.Dry(**RADII, contact=law)
    data = gd.simulate(ball_in_socket(model, velocity=(SPEED, 0, 0)), 4e-4, sample=times, solver=TIGHT[0]).data

    def rate(t, y):
        return y[1], -law.normal_force(y[0], y[1], SPEED, law.parameters) / MASS

    scipy = solve_ivp(rate, (0.0, 1e-4), (0.0, SPEED), t_eval=times - times[0], method="DOP853", rtol=1e-12, atol=1e-16)
    assert data.penetration.sel(joint="J").values == pytest.approx(scipy.y[0], abs=1e-12)
    assert data.velocity.values[:, 0, 0] == pytest.approx(scipy.y[1], abs=1e-6)
