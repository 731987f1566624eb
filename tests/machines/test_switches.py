"""Switches, locks, drives and couplings that hold for a while: closed forms, energy, every solver."""

import math
from itertools import product

import numpy as np
import pytest

import gudgeon as gd
from machines.controlled_arms import SOLVERS, WHOLE, G, angle_of, arm, cut_runs_agree, swung
from machines.energy_balance import unbalanced

FIRST, SECOND, SPEED = 0.02, 0.05, 10.0  # inertias of two shafts, speed of the first
TOGETHER = FIRST * SPEED / (FIRST + SECOND)  # momentum is conserved
LOST = 0.5 * FIRST * SPEED**2 - 0.5 * (FIRST + SECOND) * TOGETHER**2
EVERY = list(product(SOLVERS, ("absolute", "relative")))


def shafts(**parts) -> gd.System:
    """Two shafts on one axis, "clutch" between them."""
    first = gd.Body(mass=1.0, inertia=(FIRST,) * 3, angular_velocity=(0, 0, SPEED))
    second = gd.Body(mass=1.0, inertia=(SECOND,) * 3, position=(0, 0, 0.2), angular_velocity=(0, 0, 0))
    return gd.System(
        gravity=(0, 0, 0),
        bodies={"first": first, "second": second},
        joints={
            "main": gd.Revolute("ground", "first", at=(0, 0, 0)),
            "clutch": gd.Revolute("first", "second", at=(0, 0, 0.1)),
        },
        **parts,
    )


def speeds(result: gd.Result) -> np.ndarray:
    return result.data.angular_velocity.sel(axis="z").values


@pytest.mark.parametrize(("solver", "coordinates"), EVERY)
def test_a_clutch_engages_and_opens(solver, coordinates):
    brake = {"brake": gd.JointTorque("main", "-0.14*open")}
    system = shafts(
        drives={"lock": gd.Lock("clutch", since=0.1, until="open")}, switches={"open": gd.Switch(at=0.3)}, loads=brake
    )
    options = {"solver": SOLVERS[solver], "coordinates": coordinates}
    result = gd.simulate(system, 0.5, sample=0.05, **options)
    found = speeds(result)
    assert found[:3] == pytest.approx(np.array([[SPEED, 0.0]] * 3), abs=1e-9)  # a sample at an instant is before it
    assert found[3:7] == pytest.approx(np.full((4, 2), TOGETHER), abs=1e-6)
    assert found[-1] == pytest.approx([TOGETHER - 0.14 * 0.2 / FIRST, TOGETHER], abs=1e-5)
    told = result.switches
    assert told.switch.tolist() == ["lock.since", "open"] and told.time.tolist() == [0.1, 0.3] and told.on.all()
    assert told.energy_lost.tolist() == pytest.approx([LOST, 0.0], abs=1e-9)
    assert result.data.switch_state.sel(switch="open").values.tolist() == [0.0] * 7 + [1.0] * 4
    torque = result.data.drive_effort.sel(drive="lock").values
    assert torque == pytest.approx(np.zeros(11), abs=1e-6)
    energy = result.data.mechanical_energy.values + result.data.switch_energy.sum("switch").values
    assert np.ptp(energy[:7]) < 1e-6
    if solver != "Sundials":
        cut_runs_agree(system, 0.5, (0.05, 0.1, 0.2, 0.3, 0.4), **options)


@pytest.mark.parametrize(("solver", "coordinates"), EVERY)
def test_a_signal_locks_the_clutch(solver, coordinates):
    system = shafts(
        loads={"brake": gd.JointTorque("main", -0.2)},
        switches={"slow": gd.Switch(when="main.angle_rate", below=5.0)},
        drives={"lock": gd.Lock("clutch", since="slow")},
    )
    options = {"solver": SOLVERS[solver], "coordinates": coordinates}
    result = gd.simulate(system, 1.0, sample=0.5, **options)
    assert result.switches.time[0] == pytest.approx(0.5, abs=1e-9)
    after = 5.0 * FIRST / (FIRST + SECOND) - 0.2 / (FIRST + SECOND) * 0.5
    assert speeds(result)[-1] == pytest.approx([after, after], abs=1e-6)
    if solver != "Sundials":
        cut_runs_agree(system, 1.0, (0.3, 0.7), **options)


@pytest.mark.parametrize(("solver", "coordinates"), EVERY)
def test_free_after_a_time(solver, coordinates):
    """A driven arm is let go, and swings on as it would from there."""
    system = arm(drives={"lift": gd.Drive("main", "3*t**2", until=0.4)})
    result = gd.simulate(system, 1.0, sample=0.05, solver=SOLVERS[solver], coordinates=coordinates)
    later = result.data.time.values > 0.4
    swing = swung(lambda t, a, r, x: 0.0, 3 * 0.16, 6 * 0.4, begin=0.4, until=1.0)
    expected = np.where(later, swing(np.maximum(result.data.time.values, 0.4))[0], 3 * result.data.time.values**2)
    assert angle_of(result) == pytest.approx(expected, abs=3e-5 if solver == "TimeStepping" else 1e-7)
    assert np.abs(result.data.drive_effort.values[later]).max() == 0.0
    assert gd.assemble(system).degrees_of_freedom == 0


def test_energy_balances_before_and_after_a_drive_ends():
    system = arm(drives={"lift": gd.Drive("main", "3*t**2", until=0.4)})
    driven = gd.simulate(system, 0.4, sample=1e-3)
    assert unbalanced(driven) < 1e-6
    free = gd.simulate(system, 0.5, start=driven.state(), sample=np.linspace(0.401, 0.9, 500))
    assert unbalanced(free) < 1e-6


def test_a_drive_takes_over_a_moving_joint():
    """It goes on from where the joint is, at the speed of the drive: an impact, in which the drive does work."""
    system = shafts(drives={"motor": gd.Drive("main", "30*t", since=0.2)})
    for solver, coordinates in EVERY:
        result = gd.simulate(system, 0.4, sample=0.1, solver=SOLVERS[solver], coordinates=coordinates)
        assert speeds(result)[-1] == pytest.approx([30.0, 0.0], abs=1e-6)
        assert result.switches.energy_lost[0] == pytest.approx(0.5 * FIRST * (SPEED**2 - 30.0**2), rel=1e-9)
        turned = result.data.joint_position.sel(coordinate="main.angle").values[-1]
        assert turned == pytest.approx(SPEED * 0.2 + 30.0 * 0.2, abs=1e-6)


def test_a_gear_engages():
    parallel = shafts().replace(
        joints={
            "main": gd.Revolute("ground", "first", at=(0, 0, 0)),
            "other": gd.Revolute("ground", "second", at=(0, 0, 0.2)),
        },
        couplings={"mesh": gd.Gear("main", "other", teeth=(20, 60), since="mesh_now", until=0.5)},
        switches={"mesh_now": gd.Switch(when="t", above=0.25)},
    )
    wheel = -20 / 60  # speed of the second shaft for that of the first
    common = FIRST * SPEED / (FIRST + SECOND * wheel**2)  # momentum along the ratio is conserved
    for solver, coordinates in EVERY:
        result = gd.simulate(parallel, 0.6, sample=0.2, solver=SOLVERS[solver], coordinates=coordinates)
        assert speeds(result)[-1] == pytest.approx([common, wheel * common], abs=1e-6)
        assert result.switches.switch.tolist() == ["mesh_now", "mesh.until"]


def test_locks_that_are_redundant_do_no_harm():
    """Both shafts are held by the ground, and the clutch between them is locked as well."""
    system = shafts(
        drives={
            "a": gd.Lock("main", since=0.1),
            "b": gd.Lock("clutch", since=0.2),
            "c": gd.Lock("main", since=0.3, until=0.4),
        }
    )
    for solver, coordinates in EVERY:
        result = gd.simulate(system, 0.5, solver=SOLVERS[solver], coordinates=coordinates)
        assert speeds(result)[-1] == pytest.approx([0.0, 0.0], abs=1e-8)
        assert result.stats["redundant_rows"] == 1
    assert gd.assemble(system).redundant_rows == 0


def test_a_hysteresis_is_a_relay():
    """θ̈ = ±a, turning at two angles: its instants follow from v² = v₀² ± 2 a Δθ."""
    system = arm(
        rate=1.0,
        switches={"relay": gd.Switch(when="main.angle", above=0.1, below=-0.1)},
        loads={"push": gd.JointTorque("main", "1.0 - 2.0*relay")},
    ).replace(gravity=(0, 0, 0))
    a = 1.0 / WHOLE
    up = math.sqrt(1.0 + 2 * a * 0.1)  # where it turns on
    down = math.sqrt(up**2 + 2 * a * 0.2)  # where it turns off again
    for solver, coordinates in EVERY:
        result = gd.simulate(system, 1.0, solver=SOLVERS[solver], coordinates=coordinates)
        times = result.switches.time.values
        assert times[:2] == pytest.approx([(up - 1.0) / a, (up - 1.0) / a + (up + down) / a], abs=1e-5)
        assert result.switches.on.tolist()[:2] == [True, False]


def test_what_is_reached_at_the_start_turns_at_the_start():
    system = shafts(
        switches={"fast": gd.Switch(when="main.angle_rate", above=5.0)},
        drives={"lock": gd.Lock("clutch", since="fast")},
    )
    result = gd.simulate(system, 0.1)
    assert result.switches.time[0] == 0.0 and speeds(result)[0] == pytest.approx([TOGETHER, TOGETHER])
    locked = gd.simulate(shafts(drives={"lock": gd.Lock("clutch", until=0.05)}), 0.1)
    assert speeds(locked)[-1] == pytest.approx([TOGETHER, TOGETHER])
    assert locked.data.switch_energy.values[-1] == pytest.approx([LOST])


def test_switches_turn_each_other():
    system = shafts(
        switches={"a": gd.Switch(at=0.1), "b": gd.Switch(when="a", above=0.5), "c": gd.Switch(when="a + b", above=1.5)},
        controllers={"count": gd.Controller(period=0.05, outputs={"n": "a + b + c"})},
    )
    result = gd.simulate(system, 0.2, sample=np.array([0.09, 0.11]))
    assert result.switches.switch.tolist() == ["a", "b", "c"] and set(result.switches.time) == {0.1}
    assert result.data.controller_output.values[:, 0].tolist() == [0.0, 1.0]  # it acts before what a turns


def test_a_lock_stops_a_whole_mechanism():
    """Energy is lost once, and conserved before and after."""
    bar = gd.examples.spatial_four_bar()
    locked = bar.replace(drives={"stop": gd.Lock("A", since=0.3)})
    for coordinates in ("absolute", "relative"):
        result = gd.simulate(locked, 0.6, coordinates=coordinates)
        data = result.data
        energy = data.mechanical_energy.values + data.switch_energy.sum("switch").values
        assert np.ptp(energy) < 1e-6 * np.ptp(data.kinetic_energy.values)
        assert result.switches.energy_lost[0] > 0.0
        angle = data.joint_position.sel(coordinate="A.angle").values[data.time.values > 0.3]
        assert np.ptp(angle) < 1e-8


def test_analyses_see_switches_as_they_are():
    pendulum = arm(
        switches={"push": gd.Switch(at=0.5)},
        loads={"torque": gd.JointTorque("main", "2.0*push")},
        drives={"hold": gd.Lock("main", since=2.0)},
    )
    assert gd.equilibrium(pendulum).system.start["arm"].position[0] == pytest.approx(0.0, abs=1e-9)
    pushed = gd.equilibrium(pendulum, at=1.0)
    lean = math.asin(2.0 / (1.5 * G * 0.3))
    assert pushed.system.start["arm"].position[0] == pytest.approx(-0.3 * math.sin(lean), rel=1e-9)
    assert gd.linearize(pushed).freedoms == 1 and pushed.system.switches == pendulum.switches
    with pytest.raises(gd.ModelError, match="no freedom"):
        gd.linearize(pendulum, time=3.0)
    run = gd.simulate(pendulum, 3.0)
    assert gd.linearize(run, at=1.0).freedoms == 1
    for refused in (
        lambda: gd.kinematics(pendulum, 1.0),
        lambda: gd.inverse_dynamics(pendulum, {"main": "t"}, duration=1.0),
    ):
        with pytest.raises(gd.ModelError, match=r"switches or locks \(push, hold\)"):
            refused()


@pytest.mark.parametrize(("solver", "coordinates"), EVERY)
def test_a_hook_lets_go(solver, coordinates):
    """A load that swings from a trolley flies on as a free body; the trolley rolls on as it was."""
    swing = gd.System(
        bodies={
            "trolley": gd.Body(mass=5.0, inertia=(1, 1, 1), velocity=(0, 0, 0)),
            "load": gd.Body(mass=2.0, inertia=(0.1, 0.1, 0.1), position=(-0.8, 0, -0.6)),
        },
        joints={
            "rail": gd.Prismatic("ground", "trolley", at=(0, 0, 0), axis=(1, 0, 0)),
            "hook": gd.Revolute("trolley", "load", at=(0, 0, 0), axis=(0, 1, 0), model=gd.Ideal(until="low")),
        },
        switches={"low": gd.Switch(when="hook.angle", below=-0.5)},
    )
    options = {"solver": SOLVERS[solver], "coordinates": coordinates}
    result = gd.simulate(swing, 1.0, sample=0.01, **options)
    data, instant = result.data, float(result.switches.time[0])
    energy = data.mechanical_energy.values
    assert np.ptp(energy) < (1e-4 if solver == "TimeStepping" else 2e-6) and result.switches.energy_lost[0] == 0.0
    after = data.time.values > instant
    t = data.time.values[after] - data.time.values[after][0]
    place, fast = (data[name].sel(body="load").values[after] for name in ("position", "velocity"))
    flight = place[0] + t[:, None] * fast[0] + 0.5 * t[:, None] ** 2 * np.array([0.0, 0.0, -G])
    assert np.abs(place - flight).max() < 1e-9 and len(t) > 10
    assert np.ptp(data.velocity.sel(body="trolley", axis="x").values[after]) < 1e-12
    assert np.abs(data.reaction_force.sel(joint="hook").values[after]).max() == 0.0
    assert gd.assemble(swing).degrees_of_freedom == 2
    if solver == "Explicit":
        assert gd.linearize(result, at=0.1).freedoms == 2 and gd.linearize(result).freedoms == 7
    if solver != "Sundials":
        cut_runs_agree(swing, 0.8, (0.2, 0.7), **options)


def test_a_joint_that_may_let_go_rubs_in_small_motions():
    """While it holds, its friction damps as that of one that never lets go: μ N R²/v in the bore, where it is steep."""
    rub = {"friction": gd.laws.Coulomb(coefficient=0.1, velocity_tolerance=1e-3), "radius": 0.01}

    def damping(**until) -> float:
        hook = gd.Revolute("ground", "arm", at=(0, 0, 0), axis=(0, 1, 0), model=gd.Ideal(**rub, **until))
        body = gd.Body(mass=1.0, inertia=(1e-2, 1e-2, 1e-2))
        springs = {"spring": gd.JointSpring("hook", stiffness=1.0)}
        return float(gd.linearize(gd.System(bodies={"arm": body}, joints={"hook": hook}, loads=springs)).damping[0, 0])

    assert damping(until=5.0) == damping() == pytest.approx(0.1 * G * 0.01**2 / 1e-3, rel=1e-6)


def test_files_keep_switches(tmp_path):
    system = shafts(
        switches={"slow": gd.Switch(when="main.angle_rate", below=5.0), "late": gd.Switch(at=0.5, until=0.7)},
        drives={"lock": gd.Lock("clutch", since="slow", until=0.9), "hold": gd.Drive("main", "t", since="late")},
        loads={"brake": gd.JointTorque("main", "-0.2 + 0.1*late")},
    )
    path = system.save(tmp_path / "shafts.yaml")
    assert gd.load_system(path) == system
    text = path.read_text().replace("until: 0.9", "until: 900 ms")
    path.write_text(text)
    assert gd.load_system(path).drives["lock"].until == pytest.approx(0.9)
    result = gd.simulate(system, 0.6)
    kept = gd.load(result.save(tmp_path / "shafts.nc"))
    assert kept.switches.equals(result.switches) and len(kept.switches) == 2
    ends = [gd.simulate(system, 0.4, start=each.state()).states[-1] for each in (result, kept)]
    assert np.array_equal(*ends)


MISTAKES = [
    (lambda: gd.Switch(), "give at= (a time in seconds), or when="),
    (lambda: gd.Switch(at=1.0, above=2.0), "above and below belong to when="),
    (lambda: gd.Switch(when="x"), "say where it turns on: above= or below="),
    (lambda: gd.Switch(when="x", above=1.0, below=2.0), "which must be smaller"),
    (lambda: gd.Switch(at=1.0, until=0.5), "until must be later"),
    (lambda: shafts(switches={"s": gd.Switch(when="main.angel", above=1.0)}), "no signal 'main.angel'; did you mean"),
    (lambda: shafts(switches={"pi": gd.Switch(at=1.0)}), "Switch 'pi': it is a signal by this name"),
    (lambda: shafts(drives={"d": gd.Lock("main", since="s")}), "Lock 'd': since: no switch 's'"),
    (lambda: shafts(drives={"d": gd.Lock("mian")}), "Lock 'd': no joint 'mian'; did you mean 'main'"),
    (
        lambda: shafts().with_model(main=gd.Ideal(until="later")),
        "Revolute 'main': until: no switch 'later'",
    ),
    (lambda: gd.Ideal(until=-1.0), "Ideal: until is -1 s"),
    (lambda: gd.Drive("main", "t", until=-1.0), "until is -1 s"),
    (lambda: gd.Drive("main", "t", since=2.0, until=1.0), "until must be later"),
    (
        lambda: shafts(drives={"d": gd.Drive("main", "t", until=1.0), "e": gd.Drive("main", "t")}),
        "a coordinate takes one drive at a time",
    ),
]


@pytest.mark.parametrize(("wrong", "says"), MISTAKES)
def test_mistakes_name_object_rule_value_and_fix(wrong, says):
    with pytest.raises(gd.ModelError) as refusal:
        wrong()
    assert says in str(refusal.value)


def test_a_switch_that_sees_no_number_is_told():
    system = arm(rate=1.0, switches={"s": gd.Switch(when="sqrt(0.05 - main.angle)", above=3.0)})
    with pytest.raises(gd.SimulationError, match="`when` of Switch 's' is not a finite number"):
        gd.simulate(system, 1.0)
