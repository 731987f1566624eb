"""Contact laws that divide by the largest δ̇ of a contact so far instead of that at its begin."""

from __future__ import annotations

import pickle
from functools import cache
from typing import Any

import numpy as np
import pytest

import gudgeon as gd
from gudgeon import laws
from gudgeon.laws.restitution import loss_factor

MASS, PLAY, K = 0.1, 1e-4, 1e9  # [kg], [m], [N/m^1.5]
RADII = {"socket_radius": 0.01, "ball_radius": 0.01 - PLAY}
LAW = laws.LankaraniNikravesh(stiffness=K, restitution=0.8)
CHI = 0.75 * (1.0 - 0.8**2)
SOLVERS: dict[str, Any] = {
    "Explicit": gd.Explicit(rtol=1e-10, atol=1e-13),
    "Implicit": gd.Implicit(rtol=1e-9, atol=1e-12),
    "Sundials": gd.Sundials(rtol=1e-10, atol=1e-13),
    "TimeStepping": gd.TimeStepping(step=4e-7),
}
END, SAMPLES = 1.2e-3, 2401


@pytest.fixture(autouse=True)
def both_formulations():
    """Where it matters, tests ask for them."""


def dry(speed: Any) -> gd.Dry:
    return gd.Dry(**RADII, contact=LAW, remembered_speed=speed)


def shaken(model: Any, *, joint: Any = gd.Spherical, loads: bool = True) -> gd.System:
    """A ball that meets its wall at 0.02 m/s and is then shaken ever harder against it."""
    start = gd.BodyState(position=((1.0 - 1e-7) * PLAY, 0, 0), orientation=(1, 0, 0, 0), velocity=(0.02, 0, 0))
    shake = {"shake": gd.Force("ball", ("300 + 8e5*t*sin(2*pi*6000*t)", 0, 0))} if loads else {}
    return gd.System(
        gravity=(0, 0, 0),
        bodies={"ball": gd.Body(mass=MASS, inertia=(1e-5, 1e-5, 1e-5))},
        joints={"J": joint("ground", "ball", at=(0, 0, 0), model=model)},
        loads=shake,
        start={"ball": start},
    )


@cache
def run(speed: str, solver: str = "Explicit", coordinates: str = "absolute") -> gd.Result:
    times = np.linspace(0.0, END, SAMPLES)
    return gd.simulate(shaken(dry(speed)), END, solver=SOLVERS[solver], coordinates=coordinates, sample=times)


def motion(result: gd.Result) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """δ, δ̇ and the normal force while it touches."""
    data = result.data.sel(joint="J")
    rate = data.velocity.sel(body="ball", axis="x").values
    touching = data.penetration.values > 1e-12
    return data.penetration.values[touching], rate[touching], data.normal_force.values[touching]


def test_it_is_one_long_contact_that_becomes_faster():
    event = run("largest").events.iloc[0]
    _, rate, _ = motion(run("largest"))
    assert len(run("largest").events) == 1 and np.isnan(event.end)
    assert event.impact_speed == pytest.approx(0.02, rel=1e-3)  # that of the impact is what events tell
    assert rate.max() > 4.0 * event.impact_speed


def test_forces_are_those_of_the_largest_speed_so_far():
    """F = K δ^1.5 (1 + χ δ̇/max δ̇ so far) at all samples, by the samples themselves."""
    depth, rate, force = motion(run("largest"))
    so_far = np.maximum.accumulate(rate)
    expected = K * depth**1.5 * (1.0 + CHI * rate / so_far)
    assert np.abs(force - expected).max() < 2e-4 * force.max()
    assert (force / (K * depth**1.5) - 1.0).max() < CHI * (1.0 + 1e-9)


def test_forces_of_the_stored_speed_exceed_that():
    """χ δ̇/δ̇⁽⁻⁾ becomes several times χ, and more energy is lost."""
    depth, _, force = motion(run("impact"))
    assert (force / (K * depth**1.5) - 1.0).max() > 3.0 * CHI
    lost = {speed: float(run(speed).data.dissipated_energy.sel(joint="J")[-1]) for speed in ("impact", "largest")}
    assert lost["impact"] > 1.5 * lost["largest"] > 0.0


@pytest.mark.parametrize("coordinates", ["absolute", "relative"])
@pytest.mark.parametrize("solver", SOLVERS)
def test_solvers_agree(solver, coordinates):
    """Motion, and the energy lost, to what a step of first order leaves of them."""
    exact, found = run("largest"), run("largest", solver, coordinates)
    within = {"TimeStepping": 2e-2, "Sundials": 1e-3}.get(solver, 2e-5)
    speed, other = (r.data.velocity.sel(body="ball", axis="x").values for r in (exact, found))
    assert np.abs(other - speed).max() < within * np.abs(speed).max()
    lost, told = (float(r.data.dissipated_energy.sel(joint="J")[-1]) for r in (exact, found))
    assert told == pytest.approx(lost, rel=within)


@pytest.mark.parametrize("solver", ["Explicit", "Implicit"])
def test_energy(solver):
    """What the shaking force puts in is kinetic, stored, or lost."""
    data = run("largest", solver).data
    force = 300.0 + 8e5 * data.time.values * np.sin(2.0 * np.pi * 6000.0 * data.time.values)
    power = force * data.velocity.sel(body="ball", axis="x").values
    work = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(data.time.values))])
    energy = data.mechanical_energy.values + data.dissipated_energy.sel(joint="J").values - work
    assert np.abs(energy - energy[0]).max() < 1e-4 * np.abs(work).max()


@pytest.mark.parametrize("speed", ["impact", "largest"])
@pytest.mark.parametrize("solver", ["Explicit", "Implicit", "TimeStepping"])
def test_a_single_impact_is_the_same(solver, speed):
    """The largest δ̇ is that at the begin: the restitution of the law, to the same digits."""
    result = gd.simulate(shaken(dry(speed), loads=False), 5e-3, solver=SOLVERS[solver], sample=5e-3)
    stored = gd.simulate(shaken(dry("impact"), loads=False), 5e-3, solver=SOLVERS[solver], sample=5e-3)
    back = float(result.data.velocity.sel(body="ball", axis="x")[-1])
    assert back == pytest.approx(float(stored.data.velocity.sel(body="ball", axis="x")[-1]), rel=1e-9)
    assert -0.02 < back < -0.8 * 0.02


@pytest.mark.parametrize("solver", ["Explicit", "Implicit"])
def test_going_on_to_the_bit(solver):
    """A run that is cut within the contact goes on as if it had not been, and tells the same forces."""
    system, times = shaken(dry("largest")), np.linspace(0.0, 1e-3, 101)
    whole = gd.simulate(system, 1e-3, solver=SOLVERS[solver], sample=times)
    first = gd.simulate(system, 6e-4, solver=SOLVERS[solver], sample=6e-4)
    second = gd.simulate(system, 4e-4, start=first.state(), solver=SOLVERS[solver], sample=times[61:])
    for name in ("position", "velocity"):
        assert np.array_equal(second.data[name].values[-40:], whole.data[name].values[61:])
    told = second.data.normal_force.sel(joint="J").values[-40:]
    assert told == pytest.approx(whole.data.normal_force.sel(joint="J").values[61:], rel=1e-12)
    contact = first.state().contacts["J"]
    assert contact.impact_speed == pytest.approx(0.02, rel=1e-3)
    assert contact.largest_speed > 2.0 * contact.impact_speed
    # without the solver's memory, from what a state says of contacts alone
    third = gd.simulate(system, 4e-4, start=pickle.loads(pickle.dumps(first.state())), solver=gd.Implicit(rtol=1e-10))
    assert third.data.velocity.values[-1] == pytest.approx(whole.data.velocity.values[-1], abs=1e-5)


STRUCK_AGAIN = (  # shaken for 0.8 ms, pulled off, and pressed against its wall again with less speed than it had [N]
    "(300 + 8e5*t*sin(2*pi*6000*t))*exp(-(t/8e-4)**8) - 20*exp(-((t - 1.5e-3)/3e-4)**4) + 5"
)


def test_what_a_contact_before_was_is_forgotten():
    """A state in the second contact has its speed alone, and the run goes on as if it had not been cut."""
    system = shaken(dry("largest")).replace(loads={"shake": gd.Force("ball", (STRUCK_AGAIN, 0, 0))})
    whole = gd.simulate(system, 2.6e-3, solver=SOLVERS["Explicit"], sample=1e-5)
    first, second = whole.events.itertuples()
    before = whole.state(int(0.5 * (first.begin + first.end) / 1e-5)).contacts["J"]
    assert before.largest_speed > 1.2 * second.impact_speed > 10.0 * before.impact_speed
    state = whole.state(int((second.begin + 0.2 * (second.end - second.begin)) / 1e-5))
    contact = state.contacts["J"]
    assert contact.begin == second.begin
    assert max(contact.largest_speed, contact.impact_speed) == pytest.approx(second.impact_speed, rel=1e-9)
    rest = gd.simulate(system, 2.6e-3 - state.time, start=state, solver=SOLVERS["Explicit"])
    assert rest.data.velocity.values[-1] == pytest.approx(whole.data.velocity.values[-1], abs=1e-6)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("speed", ["impact", "largest"])
def test_small_motions_know_it(speed, solver):
    """∂F/∂δ̇ = χ K δ^1.5/δ̇⁽⁻⁾ about a sample at which the ball moves back."""
    result, sample = run(speed, solver), 650
    rate = result.data.velocity.sel(body="ball", axis="x").values[: sample + 1]
    assert rate[-1] < 0.0
    memory = {"impact": result.events.impact_speed[0], "largest": rate.max()}[speed]
    small = gd.linearize(result, at=float(result.data.time[sample]))
    damping = small.damping[small.coordinates.index("ball.x"), small.coordinates.index("ball.x")]
    now = float(result.data.penetration.sel(joint="J")[sample])
    assert damping == pytest.approx(CHI * K * now**1.5 / memory, rel=1e-3)


def test_journals_and_walls():
    """The same memory for the lands of a pin and the walls of a guide."""
    line = laws.PinInBore(modulus=1e9, clearance=PLAY, loss=loss_factor(0.8))
    pin = {"bore_radius": 0.01, "pin_radius": 0.01 - PLAY, "length": 0.02, "contact": line}
    flat = {
        "length": 0.02,
        "width": 0.02,
        "height": 0.02,
        "clearance": PLAY,
        "contact": laws.Flores(stiffness=3e12, restitution=0.8),
    }
    for kind, joint, fields in ((gd.DryJournal, gd.Cylindrical, pin), (gd.DryBox, gd.Prismatic, flat)):
        runs = [
            gd.simulate(shaken(kind(**fields, remembered_speed=speed), joint=joint), 6e-4, solver=gd.Explicit())
            for speed in ("impact", "largest")
        ]
        lost = [float(run.data.dissipated_energy.sel(joint="J")[-1]) for run in runs]
        assert lost[0] > 1.1 * lost[1] > 0.0
        assert [run.events.impact_speed[0] for run in runs] == pytest.approx([runs[0].events.impact_speed[0]] * 2)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"remembered_speed": "mean"}, "Dry: remembered_speed is 'mean'; give 'impact' or 'largest'"),
        (
            {"remembered_speed": "largest", "contact": laws.Hertz(stiffness=1e9)},
            "Dry: remembered_speed is 'largest', but its contact, Hertz, does not depend on the speed of an impact",
        ),
    ],
)
def test_mistakes(changes, says):
    with pytest.raises(gd.ModelError) as told:
        gd.Dry(**RADII | {"contact": LAW} | changes)
    assert says in str(told.value)
