"""Contacts, outputs and energies of a user's joint models: closed forms, and the library's own ball in its socket."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import gudgeon as gd
from gudgeon import laws
from gudgeon.models.force_model import DATA
from one_joint import one_joint
from real_joints import CLEARANCE, RADII, ball_in_socket

STIFFNESS, RESTITUTION = 1e10, 0.7  # [N/m^1.5, -]
ARM, STOP, TORSION, TURN_INERTIA, SPIN = 0.05, 0.2, 400.0, 0.01, 6.0  # [m, rad, N·m/rad, kg·m², rad/s]
SOLVERS = {
    "Explicit": gd.Explicit(rtol=1e-10, atol=1e-13),
    "Implicit": gd.Implicit(rtol=1e-9, atol=1e-12),
    "Sundials": gd.Sundials(rtol=1e-9, atol=1e-12),
    "TimeStepping": gd.TimeStepping(step=1e-6),
}


@dataclass(frozen=True, kw_only=True)
class Ball(gd.ForceModel):
    """A ball in a socket whose contact is LankaraniNikravesh: k δ^1.5 (1 + 3/4 (1 − e²) δ̇/δ̇⁽⁻⁾)."""

    clearance: float  # [m]
    stiffness: float  # [N/m^1.5]
    restitution: float  # [-]
    outputs: ClassVar = {"room": "m", "closing_speed": "m/s"}

    @staticmethod
    def gap(x, p):
        """Radial."""
        return p[0] - (x[0] ** 2 + x[1] ** 2 + x[2] ** 2) ** 0.5

    @staticmethod
    def contact(x, v, delta, ddelta, impact_speed, p):
        """Towards the centre."""
        push = p[1] * delta**1.5 * (1.0 + 0.75 * (1.0 - p[2] ** 2) * ddelta / impact_speed) / (p[0] + delta)
        return (-push * x[0], -push * x[1], -push * x[2], 0.0, 0.0, 0.0)

    @staticmethod
    def stored_energy(x, p):
        """∫ k δ^1.5 dδ."""
        delta = (x[0] ** 2 + x[1] ** 2 + x[2] ** 2) ** 0.5 - p[0]
        return 0.4 * p[1] * delta**2.5 if delta > 0.0 else 0.0

    @staticmethod
    def report(x, v, p):
        """Gap, and its rate but for the sign."""
        e = (x[0] ** 2 + x[1] ** 2 + x[2] ** 2) ** 0.5
        return (p[0] - e, (x[0] * v[0] + x[1] * v[1] + x[2] * v[2]) / max(e, 1e-12))


@dataclass(frozen=True, kw_only=True)
class Stop(gd.ForceModel):
    """An elastic stop of a rotation about z, with an arm that meets it."""

    arm: float  # [m]
    angle: float  # [rad]
    stiffness: float  # [N·m/rad]

    @staticmethod
    def gap(x, p):
        """Along the arc."""
        return p[0] * (p[1] - x[5])

    @staticmethod
    def contact(x, v, delta, ddelta, impact_speed, p):
        """A torque alone."""
        return (0.0, 0.0, 0.0, 0.0, 0.0, -p[2] * delta / p[0])

    @staticmethod
    def stored_energy(x, p):
        """½ κ (φ − φ₀)²."""
        return 0.5 * p[2] * max(x[5] - p[1], 0.0) ** 2


def thrown(model) -> gd.System:
    return ball_in_socket(model, velocity=(0.05, 0.02, 0.1), gravity=(0, 0, -9.81))


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_ball_of_ones_own_is_the_dry_ball(solver):
    dry = gd.Dry(**RADII, contact=laws.LankaraniNikravesh(stiffness=STIFFNESS, restitution=RESTITUTION))
    own = Ball(clearance=CLEARANCE, stiffness=STIFFNESS, restitution=RESTITUTION)
    ours, users = (gd.simulate(thrown(model), 4e-3, solver=SOLVERS[solver], sample=1e-4) for model in (dry, own))
    assert len(ours.events) == len(users.events) == 2
    for column in ("begin", "end", "impact_speed", "energy_lost"):
        assert users.events[column].values == pytest.approx(ours.events[column].values, rel=1e-7)
    if solver != "Sundials":  # which tells no peaks
        assert users.events.peak_force.values == pytest.approx(ours.events.peak_force.values, rel=1e-4)
    data = users.data.sel(joint="J")
    for name in ("position", "velocity", "reaction_force", "penetration", "contact", "normal_force", "stored_energy"):
        scale = np.abs(ours.data[name].values).max()
        assert users.data[name].values == pytest.approx(ours.data[name].values, abs=1e-6 * scale), name
    for name in ("power_dissipated", "dissipated_energy"):
        scale = np.abs(ours.data[name].values).max()
        assert users.data[name].values == pytest.approx(ours.data[name].values, abs=1e-6 * scale), name
    assert data.room.attrs["units"] == "m" and data.closing_speed.attrs["units"] == "m/s"
    assert data.room.values == pytest.approx(-data.penetration.values, abs=1e-15)
    radial = np.sum(users.data.position.values[:, 0] * users.data.velocity.values[:, 0], axis=1)
    e = np.linalg.norm(users.data.position.values[:, 0], axis=1)
    assert data.closing_speed.values[1:] == pytest.approx(radial[1:] / e[1:], rel=1e-9)


def wheel() -> gd.System:
    return gd.System(
        gravity=(0, 0, 0),
        bodies={"wheel": gd.Body(mass=1.0, inertia=(0.01, 0.01, TURN_INERTIA), angular_velocity=(0, 0, SPIN))},
        joints={
            "axle": gd.Revolute("ground", "wheel", at=(0, 0, 0)),
            "stop": gd.Free("ground", "wheel", at=(0, 0, 0), model=Stop(arm=ARM, angle=STOP, stiffness=TORSION)),
        },
    )


@pytest.mark.parametrize("solver", ["Explicit", "Implicit", "TimeStepping"])
def test_an_elastic_stop_turns_a_wheel_back(solver):
    """It touches for half a period, π √(J/κ); its force at the arm reaches ω √(J κ)/r, its energy ½ J ω²."""
    long, begin = np.pi * np.sqrt(TURN_INERTIA / TORSION), STOP / SPIN
    times = begin + long * np.array([0.0, 0.25, 0.5, 1.2])
    chosen = gd.TimeStepping(step=4e-6) if solver == "TimeStepping" else SOLVERS[solver]
    result = gd.simulate(wheel(), begin + 1.2 * long, sample=times, solver=chosen)
    event, within = result.events.iloc[0], 1e-4 if solver == "TimeStepping" else 1e-7
    assert len(result.events) == 1 and (event.joint, event.contact) == ("stop", "own")
    assert event.begin == pytest.approx(begin, rel=5 * within)
    assert event.end - event.begin == pytest.approx(long, rel=20 * within)
    assert event.impact_speed == pytest.approx(ARM * SPIN, rel=within)
    assert event.peak_force == pytest.approx(SPIN * np.sqrt(TURN_INERTIA * TORSION) / ARM, rel=1e-3)
    assert abs(event.energy_lost) < 0.5 * TURN_INERTIA * SPIN**2 * 10 * within
    data = result.data
    assert data.angular_velocity.values[-1, 0, 2] == pytest.approx(-SPIN, rel=10 * within)
    stored = 0.5 * TURN_INERTIA * SPIN**2 * np.array([0.0, 0.5, 1.0, 0.0])
    assert data.stored_energy.sel(joint="stop").values == pytest.approx(stored, abs=1e-3 * stored[2])
    assert np.isnan(data.stored_energy.sel(joint="axle")).all()


def test_a_wheel_that_rests_against_its_stop():
    """A torque τ presses it in by τ/κ, where it swings with √(κ/J)."""
    torque, still = 2.0, gd.Body(mass=1.0, inertia=(0.01, 0.01, TURN_INERTIA))
    system = wheel().replace(bodies={"wheel": still}, loads={"torque": gd.Torque("wheel", (0, 0, torque))})
    rest = gd.equilibrium(system, find="stable")
    e0, _, _, e3 = rest.system.start["wheel"].orientation
    assert 2.0 * math.atan2(e3, e0) == pytest.approx(STOP + torque / TORSION, rel=1e-9)
    found = gd.linearize(rest).undamped_frequencies
    assert found == pytest.approx([math.sqrt(TORSION / TURN_INERTIA) / (2.0 * math.pi)], rel=1e-8)


@dataclass(frozen=True, kw_only=True)
class Spring(gd.ForceModel):
    """Pushes more on the way out than on the way in by `share`, which creates energy."""

    stiffness: float
    share: float

    @staticmethod
    def wrench(x, v, p):
        """Along x."""
        return (-p[0] * x[0] * (1.0 - p[1] * math.tanh(100.0 * x[0] * v[0])), 0.0, 0.0, 0.0, 0.0, 0.0)

    @staticmethod
    def stored_energy(x, p):
        """½ k x²."""
        return 0.5 * p[0] * x[0] ** 2


def sprung(share: float) -> gd.System:
    joint = gd.Free("ground", "box", at=(0, 0, 0), model=Spring(stiffness=100.0, share=share))
    box = gd.Body(mass=1.0, inertia=(1e-2,) * 3, velocity=(1.0, 0, 0))
    return gd.System(gravity=(0, 0, 0), bodies={"box": box}, joints={"J": joint})


def test_energy_stored_is_not_energy_lost():
    """½ k x² is in the potential energy, so that the mechanical one stays and nothing is lost."""
    data = gd.simulate(sprung(0.0), 1.0, sample=0.05, solver=SOLVERS["Explicit"]).data
    assert data.mechanical_energy.values == pytest.approx(np.full(21, 0.5), rel=1e-9)
    assert data.stored_energy.values[:, 0] == pytest.approx(50.0 * data.position.values[:, 0, 0] ** 2, rel=1e-9)
    assert np.abs(data.dissipated_energy.values).max() < 1e-9
    assert np.abs(data.power_dissipated.values).max() < 1e-8


def test_a_model_that_says_what_it_stores_may_not_create_energy():
    with pytest.raises(gd.SimulationError, match=r"Free 'J' has given back .* more than it took"):
        gd.simulate(sprung(0.2), 1.0, sample=0.05)


def test_outputs_of_several_models_and_from_files(tmp_path):
    """NaN where a joint has no such output; a file keeps them."""
    own = Ball(clearance=CLEARANCE, stiffness=STIFFNESS, restitution=RESTITUTION)
    system = thrown(own)
    box = gd.Body(mass=1.0, inertia=(1e-2,) * 3, position=(1, 0, 0))
    system = system.replace(
        bodies={**system.bodies, "box": box},
        joints={**system.joints, "plain": gd.Free("ground", "box", at=(1, 0, 0), model=Spring(stiffness=1.0, share=0))},
    )
    data = gd.simulate(system, 1e-3, sample=1e-4).data
    assert np.isfinite(data.room.sel(joint="J")).all() and np.isnan(data.room.sel(joint="plain")).all()
    assert np.isnan(data.penetration.sel(joint="plain")).all()
    kept = gd.load(gd.simulate(system, 1e-3, sample=1e-4).save(tmp_path / "run.nc")).data
    assert kept.room.equals(data.room) and kept.room.attrs == data.room.attrs


def test_names_of_data_are_known():
    """Those that outputs may not have are those that results of all kinds have."""
    for joint, model in (("Spherical", "SurfaceContact"), ("Guide", "FlexibleSlider"), ("Revolute", "PenaltyPin")):
        data = gd.simulate(one_joint(joint, model), 1e-5, sample=1e-5, coordinates="absolute").data
        assert {str(name) for name in data.variables} <= set(DATA)
    driven = gd.simulate(one_joint("Revolute", "Ideal", driven=True), 1e-5, sample=1e-5).data
    assert {str(name) for name in driven.variables} <= set(DATA)


def model(**members) -> type:
    """A model with these members, functions as static methods."""
    made = {name: staticmethod(value) if callable(value) else value for name, value in members.items()}
    return dataclass(frozen=True, kw_only=True)(type("Wrong", (gd.ForceModel,), made))


def nothing(x, v, p):
    return (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def push(x, v, delta, ddelta, impact_speed, p):
    return (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def ahead(x, p):
    return 1.0 - x[0]


@pytest.mark.parametrize(
    ("members", "says"),
    [
        ({"gap": ahead}, r"Wrong has gap but no contact; write contact\(x, v, delta, ddelta, impact_speed, p\) too"),
        ({"contact": push}, r"Wrong has contact but no gap; write gap\(x, p\) too"),
        ({"gap": nothing, "contact": push}, r"Wrong.gap takes \(x, v, p\); it must take \(x, p\)"),
        ({"gap": ahead, "contact": nothing}, r"Wrong.contact takes \(x, v, p\); it must take \(x, v, delta"),
        ({"gap": lambda x, p: math.inf, "contact": push}, r"Wrong.gap at x = \(0, …\) returns inf; .* a finite number"),
        ({"gap": lambda x, p: -x[0], "contact": push}, r"Wrong: gap_length is -?0, the gap at x = 0; give it a prop"),
        (
            {"wrench": nothing, "stored_energy": nothing},
            r"Wrong.stored_energy takes \(x, v, p\); it must",
        ),
        ({"wrench": nothing, "report": nothing}, r"Wrong: outputs and report belong together; give it outputs = "),
        ({"wrench": nothing, "outputs": {"h": "m"}}, r"Wrong: outputs and report .* give it report\(x, v, p\) too"),
        (
            {"wrench": nothing, "report": nothing, "outputs": {"h": "m", "c": "A"}},
            r"Wrong.report at x = .* must return a tuple of 2",
        ),
        ({"wrench": nothing, "report": nothing, "outputs": {"position": "m"}}, r"'position', which result.data has al"),
        ({"wrench": nothing, "report": nothing, "outputs": {"h": 1.0}}, r"the unit of output 'h' is 1.0; give one as"),
    ],
)
def test_mistakes_are_named(members, says):
    with pytest.raises(gd.ModelError, match=says):
        model(**members)()


def test_methods_must_be_static():
    made = type("Wrong", (gd.ForceModel,), {"wrench": nothing})
    with pytest.raises(gd.ModelError, match=r"Wrong.wrench is not a static method; write @staticmethod above wrench"):
        dataclass(frozen=True, kw_only=True)(made)()


def test_one_name_has_one_unit():
    one = model(wrench=nothing, outputs={"height": "m"}, report=lambda x, v, p: x[2])()
    other = model(wrench=nothing, outputs={"height": "mm"}, report=lambda x, v, p: x[2])()
    joints = {name: gd.Free("ground", "box", at=(0, 0, 0), model=each) for name, each in (("a", one), ("b", other))}
    system = gd.System(name="two", bodies={"box": gd.Body(mass=1.0, inertia=(1, 1, 1))}, joints=joints)
    with pytest.raises(gd.ModelError, match=r"Free 'b': Wrong gives the output 'height' in 'mm', another .* 'm'; give"):
        gd.simulate(system, 0.1)


def test_a_gap_that_is_lost_on_the_way_is_told():
    """Finite wherever it is tried, but not where the body goes."""

    def lost(x, p):
        return 1.0 if x[0] < 0.5 else math.nan

    system = gd.System(
        gravity=(0, 0, 0),
        bodies={"box": gd.Body(mass=1.0, inertia=(1, 1, 1), velocity=(1, 0, 0))},
        joints={"J": gd.Free("ground", "box", at=(0, 0, 0), model=model(gap=lost, contact=push)())},
    )
    with pytest.raises(gd.SimulationError, match=r"Wrong.gap of Free 'J' is not a finite number, so that no contact"):
        gd.simulate(system, 1.0, sample=0.1)


def test_an_output_that_fails_is_told_with_its_time():
    made = model(wrench=nothing, outputs={"y": "1"}, report=lambda x, v, p: 1.0 / (0.5 - x[0]) if x[0] != 0.5 else "no")
    system = gd.System(
        gravity=(0, 0, 0),
        bodies={"box": gd.Body(mass=1.0, inertia=(1, 1, 1), velocity=(0.5, 0, 0))},
        joints={"J": gd.Free("ground", "box", at=(0, 0, 0), model=made())},
    )
    result = gd.simulate(system, 1.0, sample=1.0)
    with pytest.raises(gd.ModelError, match=r"Free 'J', at t = 1 s: Wrong.report at x = \(0.5, …\).* returns 'no'"):
        _ = result.data
