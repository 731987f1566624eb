"""Two integrators, three orders, two stabilisations, one system or two: the same motion with real joints."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import numpy as np
import pytest

import gudgeon as gd
from gudgeon import laws
from real_joints import EVERY_MODEL, LUGRE, RADII, ball_in_socket, two_bodies

EXPLICIT = gd.Explicit(rtol=1e-10, atol=1e-12)
IMPLICIT = gd.Implicit(rtol=1e-9, atol=1e-12)
four_bar = gd.examples.spatial_four_bar
DRY = four_bar("dry").joints["C"].model


def lost(result: gd.Result, joint: str = "C") -> float:
    return float(result.data.dissipated_energy.sel(joint=joint).values[-1])


def position_gap(one: gd.Result, two: gd.Result) -> float:
    return float(np.abs(one.data.position.values - two.data.position.values).max())


@pytest.fixture(scope="module")
def dry() -> gd.Result:
    """The dry four-bar with friction: it rattles for 0.08 s, then stays in contact."""
    return gd.simulate(four_bar("dry"), 0.3, sample=0.01, solver=EXPLICIT)


@pytest.mark.parametrize(
    "options",
    [
        {"solver": IMPLICIT},
        {"solver": dataclasses.replace(IMPLICIT, stages=5)},
        {"solver": dataclasses.replace(IMPLICIT, stages=7)},
        {"solver": IMPLICIT, "stabilization": gd.Projection()},
        {"solver": EXPLICIT, "stabilization": gd.Projection()},
        {"solver": dataclasses.replace(EXPLICIT, max_step=1e-4)},
        {"solver": dataclasses.replace(IMPLICIT, max_step=1e-4, first_step=1e-6)},
    ],
    ids=["Implicit", "five stages", "seven stages", "projected", "Explicit projected", "short steps", "short implicit"],
)
def test_dry_four_bar(options, dry):
    other = gd.simulate(four_bar("dry"), 0.3, sample=0.01, **options)
    assert len(other.events) == len(dry.events) == 30
    assert other.events.begin.values[:3] == pytest.approx(dry.events.begin.values[:3], abs=1e-9)
    assert other.events.begin.values == pytest.approx(dry.events.begin.values, abs=3e-6)
    assert other.events.impact_speed.values[:10] == pytest.approx(dry.events.impact_speed.values[:10], rel=1e-5)
    assert lost(other) == pytest.approx(lost(dry), rel=1e-6)
    assert position_gap(other, dry) < 2e-8
    assert other.data.constraint_residual.values.max() < 1e-8


def test_dry_four_bar_at_default_tolerance(dry):
    other = gd.simulate(four_bar("dry"), 0.3, sample=0.01)
    assert other.stats["solver"] == "Implicit"
    assert other.events.begin[0] == pytest.approx(dry.events.begin[0], abs=1e-9)
    assert lost(other) == pytest.approx(lost(dry), rel=1e-3)
    assert position_gap(other, dry) < 3e-6


def test_impact_speeds_are_not_negative():
    """Contacts that begin with almost no speed, over 3 s; a coarse tolerance adds none to the 30 there are."""
    events = gd.simulate(four_bar("dry"), 3.0, sample=0.1, solver=gd.Implicit(rtol=1e-6, atol=1e-9)).events
    assert 25 < len(events) < 35
    assert events.impact_speed.min() >= 0.0
    assert np.all(events.begin.values[1:] >= events.end.values[:-1])


@pytest.mark.parametrize("joint", ["dry", "lubricated", "bushing"])
def test_more_stages_do_not_need_more_steps(joint):
    steps = {n: gd.simulate(four_bar(joint), 0.8, solver=gd.Implicit(stages=n)).stats["steps"] for n in (3, 5, 7)}
    assert max(steps[5], steps[7]) < 3 * steps[3]


def test_events_and_dissipation_tell_the_same(dry):
    """Flights lose nothing: the energy lost is that of the contacts; they follow each other."""
    assert dry.events.energy_lost.sum() == pytest.approx(lost(dry), rel=1e-9)
    assert np.all(dry.events.begin.values[1:] >= dry.events.end.values[:-1])
    assert np.isnan(dry.events.end.values[-1]) and set(dry.events.joint) == {"C"}
    energy = dry.data.mechanical_energy.values
    assert energy[0] - energy[-1] == pytest.approx(lost(dry), rel=1e-8)


MIXED = {
    "dry and dry": {"B": DRY, "C": DRY},
    "bushing and dry": {"B": gd.Bushing(stiffness=2e6, damping_time=1e-4), "C": DRY},
    "matrix and LuGre": {
        "B": gd.Bushing(stiffness=1e6 * np.eye(3), damping_time=1e-4),
        "C": dataclasses.replace(DRY, friction=LUGRE),
    },
    "film and bushing": {
        "B": gd.Lubricated(socket_radius=0.01, ball_radius=0.0099, viscosity=0.01),
        "C": gd.Bushing(stiffness=2e6, damping_time=1e-4),
    },
}


@pytest.mark.parametrize("name", MIXED)
def test_two_real_joints(name):
    """They share the coupler: forces in one are felt in the other. Rattling, each impact makes differences grow."""
    system = four_bar().with_model(**MIXED[name])
    one = gd.simulate(system, 0.03, sample=1e-3, solver=gd.Explicit(rtol=1e-12, atol=1e-14))
    for stages in (3, 5, 7):
        two = gd.simulate(system, 0.03, sample=1e-3, solver=gd.Implicit(rtol=1e-11, atol=1e-14, stages=stages))
        assert position_gap(one, two) < 1e-8
        assert list(two.events.joint) == list(one.events.joint)
        assert two.events.begin.values == pytest.approx(one.events.begin.values, abs=2e-6)
        for joint in ("B", "C"):
            assert lost(two, joint) == pytest.approx(lost(one, joint), rel=2e-4, abs=1e-9)
        energy = two.data.mechanical_energy.values
        assert energy[0] - energy[-1] == pytest.approx(lost(two, "B") + lost(two, "C"), rel=1e-4)


def together(**systems: gd.System) -> gd.System:
    """Several mechanisms in one System, side by side; names get the prefix."""

    def named(prefix, body):
        return body if body == "ground" else f"{prefix} {body}"

    bodies, joints, start = {}, {}, {}
    for prefix, system in systems.items():
        bodies |= {named(prefix, name): body for name, body in system.bodies.items()}
        start |= {named(prefix, name): state for name, state in system.start.items()}
        joints |= {
            named(prefix, name): dataclasses.replace(
                joint, parent=named(prefix, joint.parent), child=named(prefix, joint.child)
            )
            for name, joint in system.joints.items()
        }
    return gd.System(gravity=(0, 0, -9.81), bodies=bodies, joints=joints, start=start)


@pytest.mark.parametrize("solver", [IMPLICIT, EXPLICIT], ids=["Implicit", "Explicit"])
def test_islands(solver):
    """Mechanisms that do not feel each other move in one System as each alone."""
    flying = two_bodies(EVERY_MODEL["ball on parent"]).replace(gravity=(0, 0, -9.81))
    parts = {"first": four_bar("dry"), "second": four_bar("bushing"), "third": flying}
    parts["second"] = parts["second"].with_model(C=gd.Bushing(stiffness=2e6, damping_time=1e-4))
    whole = gd.simulate(together(**parts), 0.02, sample=1e-3, solver=solver)
    for prefix, system in parts.items():
        alone = gd.simulate(system, 0.02, sample=1e-3, solver=solver)
        mine = whole.data.sel(body=[f"{prefix} {name}" for name in system.bodies])
        assert mine.position.values == pytest.approx(alone.data.position.values, abs=1e-9)
        events = whole.events[whole.events.joint.str.startswith(prefix)]
        assert events.begin.values == pytest.approx(alone.events.begin.values, abs=1e-7)
        assert events.impact_speed.values == pytest.approx(alone.events.impact_speed.values, abs=1e-5)
        for name in system.joints:
            found = whole.data.dissipated_energy.sel(joint=f"{prefix} {name}").values
            assert found == pytest.approx(alone.data.dissipated_energy.sel(joint=name).values, abs=1e-8, nan_ok=True)


@pytest.mark.parametrize("solver", [gd.Implicit(), gd.Implicit(stages=5), gd.Explicit()])
def test_events_at_the_same_instant(solver):
    """Three balls thrown alike touch and leave their sockets together."""
    one = ball_in_socket(EVERY_MODEL["Coulomb"], velocity=(0.3, 0.1, -0.2)).replace(gravity=(0, 0, -9.81))
    alone = gd.simulate(one, 0.05, sample=1e-3, solver=solver)
    whole = gd.simulate(together(a=one, b=one, c=one), 0.05, sample=1e-3, solver=solver)
    assert len(whole.events) == 3 * len(alone.events) > 20
    assert whole.events.groupby("joint").size().nunique() == 1
    assert whole.events.begin.values == pytest.approx(np.repeat(alone.events.begin.values, 3), abs=1e-6)
    assert whole.data.position.values == pytest.approx(np.tile(alone.data.position.values, (1, 3, 1)), abs=1e-7)


STICKING = [  # throws during whose impacts sliding ends: a kink in the friction force
    (laws.Hertz(stiffness=4.7e10), (0.229, 1.27e-3), (0.3623, 0.2148, -0.1687), (-2.158e-5, -6.447e-6, -5.207e-5)),
    (
        laws.LankaraniNikravesh(stiffness=1.4e10, restitution=0.914),
        (0.1513, 5.73e-4),
        (-0.01354, -0.2542, -0.4108),
        (8.07e-6, 1.266e-5, 2.976e-5),
    ),
]


@pytest.mark.parametrize("stages", [3, 5, 7])
@pytest.mark.parametrize(("contact", "friction", "velocity", "offset"), STICKING, ids=["elastic", "lossy"])
def test_steps_over_the_end_of_sliding(contact, friction, velocity, offset, stages):
    """A long step must find the forces that fit the law at all its stages, or be refused."""
    coefficient, tolerance = friction
    law = laws.Coulomb(coefficient=coefficient, velocity_tolerance=tolerance)
    model = gd.Dry(**RADII, contact=contact, friction=law)
    system = ball_in_socket(model, velocity=velocity, offset=offset)
    exact = gd.simulate(system, 0.006, sample=1e-4, solver=EXPLICIT)
    found = gd.simulate(system, 0.006, sample=1e-4, solver=gd.Implicit(stages=stages))
    assert found.data.angular_velocity.values == pytest.approx(exact.data.angular_velocity.values, abs=1e-2)
    assert position_gap(found, exact) < 1e-3 * model.clearance
    assert lost(found, "J") == pytest.approx(lost(exact, "J"), rel=1e-4)


def test_sampling_changes_nothing():
    """Samples are read off the steps taken; forces, contacts and energies belong to the same instant."""
    rng = np.random.default_rng(1)
    some = np.sort(rng.uniform(0.0, 0.05, 40))
    every = np.union1d(some, np.linspace(0.0, 0.05, 3001))
    few, many = (gd.simulate(four_bar("dry"), 0.05, sample=times) for times in (some, every))
    shared = np.searchsorted(every, some)
    assert np.array_equal(few.states, many.states[shared])
    assert few.events.equals(many.events)
    for name in ("reaction_force", "normal_force", "penetration", "power_dissipated", "contact", "acceleration"):
        assert np.array_equal(few.data[name].values, many.data[name].values[shared], equal_nan=True), name
    t, contact = every, many.data.contact.sel(joint="C").values
    inside = np.any([(t >= e.begin) & ~(t > e.end) for e in many.events.itertuples()], axis=0)
    assert np.array_equal(contact == 1.0, inside)
    assert np.all(many.data.normal_force.sel(joint="C").values[~inside] == 0.0)


@pytest.mark.parametrize("joint", ["dry", "lubricated", "bushing"])
def test_crossings_and_stop(joint):
    """Located by both solvers alike; a stop ends the run there, and the last sample is complete."""
    low = gd.Crossing(body="rocker", along=(1, 0, 0), value=-0.0580)
    watch = {"low": low, "end": dataclasses.replace(low, value=-0.0590, stop=True)}
    system = four_bar(joint)
    result = gd.simulate(system, 0.3, sample=0.01, crossings=watch, solver=IMPLICIT)
    assert list(result.crossings["crossing"]) == ["low", "end"]
    assert result.stats["end"] == "stopped"
    end = result.crossings["time"].values[-1]
    assert result.data.time.values[-1] == result.stats["end_time"] == pytest.approx(end, abs=1e-15)
    last = result.data.sel(body="rocker", joint="C").isel(time=-1)
    assert last.position.values[0] == pytest.approx(-0.0590, abs=1e-12)
    again = gd.simulate(system, 0.3, sample=np.array([end]), solver=IMPLICIT).data.sel(body="rocker", joint="C")
    scale = np.abs(again.reaction_force.values).max()
    assert last.reaction_force.values == pytest.approx(again.reaction_force.values[0], abs=1e-3 * scale)
    assert last.acceleration.values == pytest.approx(again.acceleration.values[0], rel=1e-2, abs=1e-2)
    if joint == "dry":
        other = gd.simulate(system, 0.3, sample=0.01, crossings=watch, solver=EXPLICIT)
        assert other.crossings["time"].values == pytest.approx(result.crossings["time"].values, abs=2e-8)


@pytest.mark.parametrize("joint", ["dry", "frictionless", "lubricated", "bushing", "ideal"])
def test_save_and_load(joint, tmp_path):
    result = gd.simulate(four_bar(joint), 0.03, sample=1e-3)
    again = gd.load(result.save(tmp_path / "run.nc"))
    assert again.events.equals(result.events)
    columns = ["joint", "contact", "begin", "end", "impact_speed", "peak_force", "energy_lost", "impulse"]
    assert list(again.events.columns) == columns
    assert len(again.events) == (0 if joint in ("lubricated", "bushing", "ideal") else len(result.events) or -1)
    assert again.data.identical(result.data)
    assert ("penetration" in again.data) == (joint != "ideal")
    assert again.crossings.equals(result.crossings)


def plain(delta, ddelta, impact_speed):
    return 150888204748.03735 * delta**1.5 * (1.0 + 0.75 * (1.0 - 0.9 * 0.9) * ddelta / impact_speed)


def plain_friction(speed, normal_force):
    return 0.1 * normal_force * math.tanh(speed / 1e-3)


def made(stiffness, restitution):
    loss = 0.75 * (1.0 - restitution * restitution)
    return lambda delta, ddelta, impact_speed: stiffness * delta**1.5 * (1.0 + loss * ddelta / impact_speed)


@dataclass(frozen=True, kw_only=True)
class Mine(laws.ContactLaw):
    stiffness: float
    restitution: float

    @staticmethod
    def normal_force(delta, ddelta, impact_speed, p):
        return p[0] * delta**1.5 * (1.0 + 0.75 * (1.0 - p[1] * p[1]) * ddelta / impact_speed)


@pytest.mark.parametrize(
    "changes",
    [
        {"contact": plain},
        {"contact": plain, "friction": plain_friction},
        {"contact": made(150888204748.03735, 0.9)},
        {"contact": Mine(stiffness=150888204748.03735, restitution=0.9)},
    ],
    ids=["function", "two functions", "closure", "law"],
)
def test_a_law_of_ones_own(changes, dry):
    """Written by the user it runs as ours does."""
    system = four_bar().with_model(C=dataclasses.replace(DRY, **changes))
    mine = gd.simulate(system, 0.3, sample=0.01, solver=EXPLICIT, coordinates=dry.stats["coordinates"])
    assert mine.stats["steps"] == pytest.approx(dry.stats["steps"], rel=0.02)
    assert mine.events.begin.values == pytest.approx(dry.events.begin.values, abs=1e-8)
    assert lost(mine) == pytest.approx(lost(dry), rel=1e-9)
    assert position_gap(mine, dry) < 1e-11
