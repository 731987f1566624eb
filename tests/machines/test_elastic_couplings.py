"""Elastic couplings: two-mass oscillators in closed form, backlash, analyses, starts after many turns, mistakes."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gudgeon as gd
from machines.energy_balance import unbalanced

J1, J2, TEETH, K, D = 0.01, 0.09, (20, 60), 500.0, 0.05
RUNS = [
    pytest.param(solver, coordinates, id=f"{type(solver).__name__}-{coordinates}")
    for solver in (gd.Explicit(), gd.Implicit(), gd.Sundials(rtol=1e-9, atol=1e-12))
    for coordinates in ("absolute", "relative")
]


def train(**mesh) -> gd.System:
    """Two wheels in bearings, a torque of 1 N·m on the first."""
    return gd.System(
        gravity=(0, 0, 0),
        bodies={
            "a": gd.Body(mass=1.0, inertia=(J1, J1, J1)),
            "b": gd.Body(mass=1.0, inertia=(J2, J2, J2), position=(0.1, 0, 0)),
        },
        joints={"A": gd.Revolute("ground", "a", at=(0, 0, 0)), "B": gd.Revolute("ground", "b", at=(0.1, 0, 0))},
        couplings={"mesh": gd.Gear("A", "B", teeth=TEETH, **mesh)},
        loads={"T": gd.JointTorque("A", 1.0)},
    )


def two_masses(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Deflection e and angle θ₁ from rest: J e″ + d e′ + k e = T J/J₁, 1/J = 1/J₁ + 9/J₂; θ₁ = mean motion + e J/J₁."""
    J = 1.0 / (1.0 / J1 + 9.0 / J2)
    rest, decay = J / J1 / K, D / (2.0 * J)
    omega = math.sqrt(K / J - decay**2)
    e = rest * (1.0 - np.exp(-decay * t) * (np.cos(omega * t) + decay / omega * np.sin(omega * t)))
    return e, 0.5 * t**2 / (J1 + J2 / 9.0) + J / J1 * e


@pytest.mark.parametrize(("solver", "coordinates"), RUNS)
def test_a_gear_that_yields(solver, coordinates):
    data = gd.simulate(train(stiffness=K, damping=D), 0.5, solver=solver, coordinates=coordinates, sample=0.01).data
    e, angle = two_masses(data.time.values)
    assert data.joint_position.sel(coordinate="A.angle").values == pytest.approx(angle, abs=1e-6)
    assert data.coupling_deflection.sel(coupling="mesh").values == pytest.approx(e, abs=1e-6)
    rate = np.gradient(e, data.time.values)
    assert data.coupling_effort.sel(coupling="mesh", coupled="first").values[5:-5] == pytest.approx(
        -(K * e + D * rate)[5:-5], abs=0.06
    )
    stored = data.potential_energy.values
    assert stored == pytest.approx(0.5 * K * e**2, abs=1e-6)


@pytest.mark.parametrize("coordinates", ["absolute", "relative"])
def test_a_gear_that_yields_in_nonsmooth_steps(coordinates):
    """They are of second order."""
    errors = []
    for step in (1e-3, 5e-4, 2.5e-4):
        solver = gd.TimeStepping(step=step)
        data = gd.simulate(train(stiffness=K, damping=D), 0.5, solver=solver, coordinates=coordinates, sample=0.01).data
        e, angle = two_masses(data.time.values)
        errors.append(np.abs(data.coupling_deflection.sel(coupling="mesh").values - e).max())
        assert data.joint_position.sel(coordinate="A.angle").values == pytest.approx(angle, abs=errors[-1])
    assert errors[0] / errors[2] > 12.0 and errors[2] < 0.01 * e.max()


@pytest.mark.parametrize("coordinates", ["absolute", "relative"])
def test_what_sticks_is_wound_up_until_it_breaks_away(coordinates):
    """A wheel held by dry friction M = μ m g R turns when its elastic gear, ω t wound, pulls 3 k ω t = M."""
    mu, radius, omega = 0.3, 0.05, 1e-3
    bearing = gd.Ideal(friction=gd.laws.DryFriction(static=mu, kinetic=0.5 * mu), radius=radius)
    system = train(stiffness=K, damping=D).with_model(B=bearing)
    system = system.replace(gravity=(0, -9.81, 0), drives={"A": gd.Drive("A", f"{omega}*t")}, loads={})
    data = gd.simulate(system, 0.12, solver="auto", coordinates=coordinates, sample=1e-3).data
    away = mu * 9.81 * radius / (3.0 * K * omega)
    time, angle = data.time.values, data.joint_position.sel(coordinate="B.angle").values
    pulled = data.coupling_effort.sel(coupling="mesh", coupled="second").values
    stuck = time < away - 2e-3
    assert np.abs(angle[stuck]).max() < 1e-12 and np.count_nonzero(stuck) > 90
    assert pulled[stuck] == pytest.approx(-3.0 * K * omega * time[stuck], rel=0.02, abs=1e-3)
    assert np.abs(angle[time > away + 2e-3]).min() > 1e-7


@pytest.mark.parametrize("coordinates", ["absolute", "relative"])
def test_backlash_in_nonsmooth_steps(coordinates):
    """As smooth solvers have it, to a step."""
    geared = train(stiffness=K, damping=0.5, backlash=0.02)
    result = gd.simulate(geared, 0.3, solver=gd.TimeStepping(step=5e-5), coordinates=coordinates, sample=1e-3)
    smooth = gd.simulate(geared, 0.3, coordinates=coordinates, sample=1e-3)
    first, expected = result.events.iloc[0], smooth.events.iloc[0]
    assert (first.joint, first.contact) == ("A", "mesh forward")
    assert first.begin == pytest.approx(expected.begin, abs=5e-5)
    assert (first.impact_speed, first.peak_force) == pytest.approx(
        (expected.impact_speed, expected.peak_force), rel=5e-3
    )
    assert first.energy_lost == pytest.approx(expected.energy_lost, rel=5e-3)
    assert unbalanced(result) < 2e-3
    turned = [run.data.joint_position.sel(coordinate="B.angle").values for run in (result, smooth)]
    assert turned[0] == pytest.approx(turned[1], abs=1e-3 * np.abs(turned[1]).max())


@pytest.mark.parametrize(("solver", "coordinates"), RUNS[:4])
def test_backlash(solver, coordinates):
    """Half of it is crossed in √(b J₁/T); then the wheels meet with T t/J₁."""
    result = gd.simulate(
        train(stiffness=K, damping=0.5, backlash=0.02), 0.3, solver=solver, coordinates=coordinates, sample=1e-3
    )
    first = result.events.iloc[0]
    assert (first.joint, first.contact) == ("A", "mesh forward")
    assert first.begin == pytest.approx(math.sqrt(0.02 * J1), rel=1e-6)
    assert first.impact_speed == pytest.approx(math.sqrt(0.02 / J1), rel=1e-6)
    assert unbalanced(result) < 2e-3
    data = result.data
    apart = np.abs(data.coupling_deflection.values[:, 0]) < 0.01
    assert np.abs(data.coupling_effort.values[apart]).max() == 0.0
    assert data.coupling_effort.values[-1, 0, 0] == pytest.approx(-0.5, rel=0.02)  # the inertia of b takes half of T


def test_a_gear_without_losses_rattles_forever():
    """Two wheels in each other's backlash: the relative speed is kept, the impacts are as far apart as ever."""
    law = gd.laws.HuntCrossley(stiffness=1e6, exponent=1.5)
    system = train(contact=law, backlash=0.1).replace(loads={})
    bodies = dict(system.bodies)
    bodies["a"] = gd.Body(mass=1.0, inertia=(J1, J1, J1), angular_velocity=(0, 0, 3))
    bodies["b"] = gd.Body(mass=1.0, inertia=(J2, J2, J2), position=(0.1, 0, 0), angular_velocity=(0, 0, 0))
    result = gd.simulate(system.replace(bodies=bodies), 1.0, sample=1e-3)
    events = result.events
    assert set(events.contact) == {"mesh forward", "mesh backward"}
    assert events.impact_speed.values == pytest.approx(3.0, rel=1e-6)
    flights = events.begin.values[1:] - events.end.values[:-1]
    assert flights == pytest.approx(0.1 / 3.0, rel=1e-6)
    assert events.energy_lost.abs().max() < 1e-9
    momentum = J1 * result.data.angular_velocity.sel(body="a", axis="z") - J2 / 3.0 * result.data.angular_velocity.sel(
        body="b", axis="z"
    )
    assert momentum.values == pytest.approx(3.0 * J1, rel=1e-9)


def test_small_motions_and_rest():
    """About rest against a spring: the matrices of the two-mass oscillator; a flank that is pressed has its slope."""
    spring = {"spring": gd.JointSpring("B", stiffness=50.0), "T": gd.JointTorque("A", 2.0)}
    M = np.diag([J1, J2])
    stiff, damp = K * np.array([[1, 3], [3, 9]]) + np.diag([0.0, 50.0]), D * np.array([[1.0, 3.0], [3.0, 9.0]])
    for mesh in ({"stiffness": K, "damping": D}, {"stiffness": K, "damping": D, "backlash": 0.02}):
        rest = gd.equilibrium(train(**mesh).replace(loads=spring))
        data = gd.simulate(rest.system, 0.01).data
        second = -6.0 / 50.0
        assert data.joint_position.values[0] == pytest.approx(
            [2.0 / K + mesh.get("backlash", 0.0) / 2 - 3 * second, second], rel=1e-7
        )
        A = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, stiff), -np.linalg.solve(M, damp)]])
        expected = np.sort_complex(np.linalg.eigvals(A))
        assert np.sort_complex(gd.linearize(rest).eigenvalues) == pytest.approx(expected, rel=1e-6)


def test_racks_screws_and_belts_yield_too():
    """Each against its own static deflection: the load F on the second coordinate, the first one held."""
    body = gd.Body(mass=1.0, inertia=(0.01, 0.01, 0.01))
    sliding = {"B": gd.Prismatic("ground", "b", at=(0, 0, 0), axis=(1, 0, 0))}
    turning = {"B": gd.Revolute("ground", "b", at=(0, 0, 0))}
    for coupling, joints, load in (
        (gd.Rack("A", "B", radius=0.05, stiffness=1e4, damping=100.0), sliding, gd.JointForce("B", 20.0)),
        (gd.Screw("A", lead=0.01, nut="B", stiffness=1e4, damping=100.0), sliding, gd.JointForce("B", 20.0)),
        (gd.Belt("A", "B", radii=(0.1, 0.05), stiffness=1e4, damping=100.0), turning, gd.JointTorque("B", 1.0)),
    ):
        system = gd.System(
            gravity=(0, 0, 0),
            bodies={"a": body, "b": body},
            joints={"A": gd.Revolute("ground", "a", at=(0, 0, 0)), **joints},
            couplings={"c": coupling},
            drives={"held": gd.Drive("A", "0*t")},
            loads={"load": load},
        )
        rest = gd.equilibrium(system)
        data = gd.simulate(rest.system, 0.01).data
        arm = coupling.unit * abs(coupling.ratio.second)
        assert abs(data.coupling_effort.values[0, 0, 1]) == pytest.approx(20.0 * arm, rel=1e-9)
        assert abs(data.coupling_deflection.values[0, 0]) == pytest.approx(20.0 / 1e4, rel=1e-9)
        torque = {"Rack": 20.0 * 0.05, "Screw": 20.0 * 0.01 / (2 * math.pi), "Belt": 20.0 * 0.1}[
            type(coupling).__name__
        ]
        assert abs(data.drive_effort.values[0, 0]) == pytest.approx(torque, rel=1e-9)
        needed = gd.inverse_dynamics(
            rest.system.replace(drives={}), gd.simulate(rest.system, 0.01, sample=0.005), actuators=["A"]
        )
        assert np.abs(needed.effort.values) == pytest.approx(torque, rel=1e-6)


def test_a_carrier_feels_what_its_wheels_do():
    """A planetary pair on a free carrier: the angular momentum of all stays."""
    wheel = gd.Body(mass=1.0, inertia=(0.01, 0.01, 0.01), position=(0.1, 0, 0), angular_velocity=(0, 0, 5.0))
    system = gd.System(
        gravity=(0, 0, 0),
        bodies={
            "carrier": gd.Body(mass=2.0, inertia=(0.1, 0.1, 0.1), angular_velocity=(0, 0, 1.0)),
            "sun": gd.Body(mass=1.0, inertia=(0.02, 0.02, 0.02)),
            "planet": wheel,
        },
        joints={
            "S": gd.Revolute("carrier", "sun", at=(0, 0, 0)),
            "P": gd.Revolute("carrier", "planet", at=(0.1, 0, 0)),
        },
        couplings={"mesh": gd.Gear("S", "P", teeth=(30, 20), stiffness=200.0, damping=0.1, backlash=0.02)},
    )
    for coordinates in ("absolute", "relative"):
        data = gd.simulate(system, 0.5, coordinates=coordinates, sample=0.01).data
        about = np.zeros(len(data.time))
        for name, body in system.bodies.items():
            r, v = data.position.sel(body=name).values, data.velocity.sel(body=name).values
            about += (
                body.mass * np.cross(r, v)[:, 2]
                + body.inertia[2][2] * data.angular_velocity.sel(body=name, axis="z").values
            )
        assert about == pytest.approx(about[0], rel=1e-8)


def test_after_many_turns():
    """A state of a run, and bodies that start many turns off, mesh as they did: whole turns change nothing."""
    system = train(stiffness=K, damping=0.5, backlash=0.02)
    whole = gd.simulate(system, 2.0, sample=0.5)  # 10 turns of the pinion
    first = gd.simulate(system, 1.0, sample=0.5)
    assert whole.data.joint_position.sel(coordinate="A.angle").values[-1] > 60.0
    again = gd.simulate(system, 1.0, start=first.state(), sample=0.5)
    for name in ("angular_velocity", "coupling_deflection"):
        assert again.data[name].values[-1].tolist() == whole.data[name].values[-1].tolist()
    anew = gd.simulate(system.replace(start=first.state()), 1.0, sample=0.5)  # t = 0, turns forgotten
    assert anew.data.coupling_deflection.values[-1] == pytest.approx(
        whole.data.coupling_deflection.values[-1], abs=1e-7
    )
    odd = train(stiffness=K, damping=0.5).replace(
        couplings={"mesh": gd.Gear("A", "B", teeth=(17, 31), stiffness=K, damping=0.5)}
    )
    run = gd.simulate(odd, 1.0, sample=0.5)
    assert gd.simulate(odd.replace(start=run.state()), 0.5, sample=0.5).data.coupling_deflection.values[
        0
    ] == pytest.approx(run.data.coupling_deflection.values[-1], abs=1e-9)


def test_a_stop_on_a_curve():
    """A bead that falls down a wire onto a stop at its way: met with √(2 g h)."""
    wire = gd.nurbs.Curve.through([(0, 0, 1), (0.1, 0, 0.6), (0.4, 0, 0.2), (1, 0, 0), (2, 0, 0.1)])
    system = gd.System(
        bodies={"bead": gd.Body(mass=0.5, inertia=(1e-4, 1e-4, 1e-4), position=(0, 0, 1))},
        joints={"wire": gd.PointOnCurve("ground", "bead", at=(0, 0, 1), curve=wire)},
        loads={"end": gd.Stop("wire", upper=0.9, contact=gd.laws.KelvinVoigt(stiffness=1e5, damping=50.0))},
    )
    for coordinates in ("absolute", "relative"):
        result = gd.simulate(system, 0.6, coordinates=coordinates, sample=1e-3)
        event = result.events.iloc[0]
        fallen = 1.0 - float(result.data.position.sel(body="bead", axis="z").interp(time=event.begin))
        assert event.contact == "end upper"
        assert event.impact_speed == pytest.approx(math.sqrt(2.0 * 9.81 * fallen), rel=1e-4)
        assert result.data.joint_position.sel(coordinate="wire.along").values.max() < 0.92
        assert result.data.stop_effort.sel(stop="end upper").values.max() > 100.0


def test_files_and_pickles(tmp_path):
    import pickle

    system = train(contact=gd.laws.HuntCrossley(stiffness=1e5), backlash=0.02)
    assert gd.load_system(system.save(tmp_path / "train.yaml")) == system
    assert pickle.loads(pickle.dumps(system)) == system
    text = (tmp_path / "train.yaml").read_text().replace("backlash: 0.02", "backlash: 1 deg")
    (tmp_path / "train.yaml").write_text(text)
    assert gd.load_system(tmp_path / "train.yaml").couplings["mesh"].backlash == pytest.approx(math.radians(1.0))
    result = gd.simulate(system, 0.05)
    assert gd.load(result.save(tmp_path / "run.nc")).data.equals(result.data)


def test_mistakes():
    law = gd.laws.Hertz(stiffness=1e5)
    for more, says in (
        ({"backlash": 0.01}, "backlash is given, but it is rigid; give stiffness="),
        ({"damping": 0.01}, "damping is given, but it is rigid"),
        ({"stiffness": 0.0}, "stiffness is 0; it must be positive"),
        ({"stiffness": 1.0, "backlash": -0.1}, "backlash is -0.1; it must not be negative"),
        ({"stiffness": 1.0, "contact": law}, "both stiffness and contact are given"),
        ({"damping": 1.0, "contact": law}, "both damping and contact are given"),
        ({"contact": "steel"}, "contact is 'steel'"),
    ):
        with pytest.raises(gd.ModelError) as error:
            gd.Gear("A", "B", teeth=TEETH, **more)
        assert "Gear A–B" in str(error.value)
        assert says in str(error.value)
    driven = train(stiffness=K, backlash=0.1).replace(
        drives={"A": gd.Drive("A", "t"), "B": gd.Drive("B", "-t/3")}, loads={}
    )
    with pytest.raises(gd.ModelError, match="has flanks that touch and part"):
        gd.kinematics(driven, 0.1)
    springy = driven.replace(
        couplings={"mesh": gd.Gear("A", "B", teeth=TEETH, stiffness=K)},
        drives={"A": gd.Drive("A", "t"), "B": gd.Drive("B", "0.01-t/3")},
    )
    assert gd.kinematics(springy, 0.1, sample=0.05).data.drive_effort.sel(drive="A").values == pytest.approx(K * 0.03)
