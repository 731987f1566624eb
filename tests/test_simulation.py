"""What a user relies on in every run: sampling, tolerances, solvers, crossings, failures, springs, drives, restarts."""

from __future__ import annotations

import dataclasses
import json
import math
import pickle
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.integrate import cumulative_simpson
from scipy.special import ellipj, ellipk

import gudgeon as gd
from references import load

G = 9.81  # [m/s²]
TIGHT = gd.Explicit(rtol=1e-12, atol=1e-13)
QUARTER_PERIOD = ellipk(0.5) / math.sqrt(G)  # of a pendulum of 1 m released from the horizontal [s]


def pendulum(**changes: Any) -> gd.System:
    """A compound pendulum of reduced length (J + m d²)/(m d) = 1 m, at rest at x = −d; y points up."""
    parts: dict[str, Any] = {
        "name": "pendulum",
        "gravity": (0, -G, 0),
        "bodies": {"bob": gd.Body(mass=1.0, inertia=(0.25, 0.25, 0.25), position=(-0.5, 0, 0))},
        "joints": {"pivot": gd.Revolute("ground", "bob", at=(0, 0, 0))},
    }
    return gd.System(**{**parts, **changes})


def swing(t):
    """Where a pendulum of 1 m is at the times t: sin(φ/2) = k cd(√g t), k = sin 45°, φ from below."""
    _, cn, dn, _ = ellipj(math.sqrt(G) * np.asarray(t), 0.5)
    angle = 2.0 * np.arcsin(math.sqrt(0.5) * cn / dn)
    return np.stack([-np.sin(angle), -np.cos(angle)], axis=-1)


def tip(result: gd.Result) -> np.ndarray:
    """The point of the pendulum at the reduced length."""
    return 2.0 * result.data.position.sel(body="bob").values[:, :2]


def wheel(speed: float = 0.0, inertia: float = 0.02, **parts: Any) -> gd.System:
    """A balanced wheel on the axis z."""
    return gd.System(
        name="wheel",
        bodies={"wheel": gd.Body(mass=1.0, inertia=(inertia,) * 3, angular_velocity=(0, 0, speed))},
        joints={"axle": gd.Revolute("ground", "wheel", at=(0, 0, 0))},
        **parts,
    )


def trolley(speed: float = 0.0, **parts: Any) -> gd.System:
    """2 kg on a guide along x."""
    return gd.System(
        name="trolley",
        bodies={"trolley": gd.Body(mass=2.0, inertia=(1, 1, 1), velocity=(speed, 0, 0))},
        joints={"guide": gd.Prismatic("ground", "trolley", at=(0, 0, 0), axis=(1, 0, 0))},
        **parts,
    )


CRANK, ROD = 0.15, 0.35  # lengths [m]


def slider_crank(drive: gd.Drive) -> gd.System:
    return gd.System(
        name="slider-crank",
        gravity=(0, -G, 0),
        bodies={
            "crank": gd.Body(mass=0.8, inertia=(0.002, 0.002, 0.002)),
            "rod": gd.Body(mass=1.2, inertia=(0.001, 0.012, 0.012), position=(CRANK + ROD / 2, 0, 0)),
            "slider": gd.Body(mass=0.6, inertia=(0.001, 0.001, 0.001), position=(CRANK + ROD, 0, 0)),
        },
        joints={
            "pivot": gd.Revolute("ground", "crank", at=(0, 0, 0)),
            "crank pin": gd.Revolute("crank", "rod", at=(CRANK, 0, 0)),
            "wrist pin": gd.Revolute("rod", "slider", at=(CRANK + ROD, 0, 0)),
            "guide": gd.Prismatic("ground", "slider", at=(CRANK + ROD, 0, 0), axis=(1, 0, 0)),
        },
        drives={"motor": drive},
    )


def nearly_locking(offset: float) -> gd.System:
    """A slider-crank with crank and rod of 0.1 m, no redundant rows, whose rod passes nearly across the guide."""
    turn, length = 0.6, 0.1
    pin = np.array([length * math.cos(turn), length * math.sin(turn), 0.0])
    end = np.array([pin[0] + math.sqrt(length**2 - (pin[1] - offset) ** 2), offset, 0.0])
    light = {"mass": 0.1, "inertia": (1e-4, 1e-4, 1e-4)}
    return gd.System(
        name="nearly locking",
        gravity=(0, 0, 0),
        bodies={
            "crank": gd.Body(mass=1.0, inertia=(1e-3, 1e-3, 1e-3), angular_velocity=(0, 0, 10)),
            "rod": gd.Body(**light, position=(pin + end) / 2),
            "slider": gd.Body(**light, position=end),
        },
        joints={
            "pivot": gd.Revolute("ground", "crank", at=(0, 0, 0)),
            "crank pin": gd.Spherical("crank", "rod", at=pin),
            "wrist pin": gd.Universal("slider", "rod", at=end, axis_parent=(0, 0, 1), axis_child=(1, 0, 0)),
            "guide": gd.Prismatic("ground", "slider", at=end, axis=(1, 0, 0)),
        },
    )


# --- sampling -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sample", "times"),
    [
        (None, np.linspace(0, 0.9, 1001)),
        (0.1, np.linspace(0, 0.9, 10)),
        (0.3, [0, 0.3, 0.6, 0.9]),
        (0.4, [0, 0.4, 0.8, 0.9]),  # the end is always there
        (0.9, [0, 0.9]),
        ([0.0, 0.2, 0.25], [0.0, 0.2, 0.25]),
        ((0.5,), [0.5]),
        (np.array([0.0]), [0.0]),
        ([0.9], [0.9]),
        ([0], [0.0]),
    ],
)
def test_sample_times(sample, times):
    result = gd.simulate(pendulum(), 0.9, sample=sample, solver=TIGHT)
    assert result.data.time.values == pytest.approx(times, abs=1e-15)
    assert tip(result) == pytest.approx(swing(times), abs=1e-10)
    assert (result.stats["end"], result.stats["end_time"]) == ("done", 0.9)


def test_first_and_last_sample_are_exact():
    result = gd.simulate(pendulum(), 0.7, sample=0.1)
    assert (result.data.time.values[0], result.data.time.values[-1]) == (0.0, 0.7)
    assert result.data.position.values[0, 0].tolist() == [-0.5, 0.0, 0.0]
    assert result.data.velocity.values[0, 0].tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("system", "options"),
    [
        (pendulum(), {}),
        (gd.examples.spatial_four_bar(), {}),
        (gd.examples.spatial_four_bar(), {"stabilization": gd.Projection()}),
        (gd.examples.spatial_four_bar(), {"crossings": {"A": gd.Crossing(joint="A", value=0.5)}}),
        (slider_crank(gd.Drive("pivot", "9*t")), {}),
        (nearly_locking(1e-7), {}),
    ],
    ids=["pendulum", "four-bar", "projection", "crossings", "redundant rows", "nearly locking"],
)
def test_sampling_changes_nothing(system, options):
    times = np.linspace(0, 2, 10001)
    none, few, many = (gd.simulate(system, 2.0, sample=times[::every], **options) for every in (10000, 1000, 1))
    for run in (few, many):
        assert run.stats["steps"] == none.stats["steps"]
        assert run.stats["rejections"] == none.stats["rejections"]
        assert np.array_equal(run.states[[0, -1]], none.states)
        assert run.crossings.equals(none.crossings)
    assert np.array_equal(many.states[::1000], few.states)


# --- accuracy -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stabilization", [gd.Baumgarte(), gd.Projection()])
def test_error_is_proportional_to_the_tolerance(stabilization):
    reference = np.array(load("iftomm_A01_pendulum")["reference"]["samples"])
    tolerances = 10.0 ** -np.arange(4, 13)
    errors = []
    for rtol in tolerances:
        solver = gd.Explicit(rtol=rtol, atol=rtol)
        result = gd.simulate(pendulum(), 10.0, sample=reference[:, 0], solver=solver, stabilization=stabilization)
        errors.append(np.abs(tip(result) - reference[:, 1:3]).max())
    assert all(later < earlier for earlier, later in pairwise(errors))
    assert np.all(errors < 100 * tolerances)
    slope = np.polyfit(np.log(tolerances), np.log(errors), 1)[0]
    assert 0.85 < slope < 1.2


def fixed_steps(count: int, duration: float, sample: Any) -> gd.Result:
    step = duration / count
    solver = gd.Explicit(rtol=0.9, atol=1e6, max_step=step, first_step=step)
    result = gd.simulate(pendulum(), duration, sample=sample, solver=solver)
    assert (result.stats["steps"], result.stats["rejections"]) == (count, 0)
    return result


@pytest.mark.parametrize(
    ("times", "least_order"),
    [
        (np.array([0.5, 1.0, 1.5, 2.0]), 7.5),  # ends of steps: method of order 8
        (np.linspace(0, 2, 997)[1:-1], 6.5),  # within steps: dense output of order 7
    ],
    ids=["steps", "dense output"],
)
def test_order_of_convergence(times, least_order):
    errors = [np.abs(tip(fixed_steps(count, 2.0, times)) - swing(times)).max() for count in (16, 32)]
    assert math.log2(errors[0] / errors[1]) > least_order


@pytest.mark.parametrize(("count", "duration"), [(300, 1.0), (1500, 5.0), (3000, 10.0), (1500, 50.0), (10, 1.0)])
def test_rounding_of_fixed_steps_leaves_no_tiny_last_step(count, duration):
    """300 steps of 1/300 s end 4e-15 s before 1 s; that is the end, not a step underflow."""
    step = duration / count
    result = gd.simulate(wheel(1.0), duration, solver=gd.Explicit(rtol=0.1, atol=1.0, max_step=step, first_step=step))
    assert (result.stats["end"], result.stats["end_time"]) == ("done", duration)
    assert result.stats["steps"] in (count, count + 1)


@pytest.mark.parametrize(
    "solver", [gd.Sundials(rtol=1e-11, atol=1e-13), gd.Sundials(rtol=1e-10, atol=1e-12, method="BDF")]
)
def test_solvers_agree(solver):
    system = gd.examples.spatial_four_bar()
    own = gd.simulate(system, 0.5, sample=0.05, solver=TIGHT).data
    other = gd.simulate(system, 0.5, sample=0.05, solver=solver).data
    for name in ("position", "orientation", "velocity", "angular_velocity"):
        scale = np.abs(own[name]).max()
        assert np.abs(own[name] - other[name]).max() < 1e-6 * scale
    assert np.abs(own.reaction_force - other.reaction_force).max() < 1e-6 * np.abs(own.reaction_force).max()


@pytest.mark.parametrize("solver", [gd.Explicit(rtol=1e-10, atol=1e-12), gd.Explicit()])
def test_stabilizations_agree(solver):
    system = gd.examples.spatial_four_bar()
    runs = [gd.simulate(system, 1.0, sample=0.01, solver=solver, stabilization=s) for s in ("baumgarte", "projection")]
    feedback, projected = (run.data for run in runs)
    size = np.abs(feedback.position).max()
    assert np.abs(feedback.position - projected.position).max() < 1e3 * solver.rtol * size
    assert [run.stats["stabilization"] for run in runs] == ["Baumgarte", "Projection"]


@pytest.mark.parametrize("rtol", [1e-4, 1e-8])
def test_projection_keeps_the_joints_closed_at_every_sample(rtol):
    solver = gd.Explicit(rtol=rtol, atol=rtol)
    for system in (gd.examples.spatial_four_bar(), slider_crank(gd.Drive("pivot", "9*t")), pendulum()):
        result = gd.simulate(system, 2.0, sample=0.01, solver=solver, stabilization=gd.Projection())
        assert result.data.constraint_residual.max() < 1e-12


@pytest.mark.parametrize("stabilization", [gd.Baumgarte(), gd.Projection()])
def test_two_runs_are_bitwise_equal(stabilization):
    first, second = (
        gd.simulate(gd.examples.spatial_four_bar(), 2.0, solver=gd.Explicit(rtol=1e-6), stabilization=stabilization)
        for _ in range(2)
    )
    assert np.array_equal(first.states, second.states)
    assert first.data.identical(second.data)


def test_the_clock_does_not_change_the_result(monkeypatch):
    """How many steps fit between two looks at the clock is not to be seen in the result."""
    solver = gd.Explicit(rtol=1e-6, atol=1e-8)
    system = nearly_locking(1e-4)
    usual = gd.simulate(system, 4.0, solver=solver)
    monkeypatch.setattr("gudgeon.solvers.explicit.SECONDS_PER_CALL", 0.0)  # back to Python after every step
    hasty = gd.simulate(system, 4.0, solver=solver)
    assert usual.stats["rejections"] > 10 and usual.stats["steps"] > 400
    assert hasty.stats["steps"] == usual.stats["steps"]
    assert np.array_equal(hasty.states, usual.states)


def test_stats():
    result = gd.simulate(slider_crank(gd.Drive("pivot", "9*t")), 0.5)
    stats = result.stats
    assert stats["solver"] == "Explicit" and stats["stabilization"] == "Baumgarte"
    assert stats["coordinates"] == "absolute"
    assert (stats["degrees_of_freedom"], stats["redundant_rows"]) == (0, 3)
    assert (stats["end"], stats["end_time"]) == ("done", 0.5)
    assert stats["steps"] > 5 and stats["rejections"] >= 0
    tried = stats["steps"] + stats["rejections"]
    assert 12 * tried < stats["evaluations"] < 20 * tried
    assert all(stats[f"seconds_{what}"] >= 0.0 for what in ("computing", "preparing", "compiling"))
    assert json.loads(json.dumps(stats)) == stats


def test_tighter_is_dearer():
    steps = [
        gd.simulate(pendulum(), 5.0, solver=gd.Explicit(rtol=r, atol=r)).stats["steps"] for r in (1e-4, 1e-8, 1e-12)
    ]
    assert steps[0] < steps[1] < steps[2]


def test_stats_of_sundials():
    result = gd.simulate(pendulum(), 0.5, solver=gd.Sundials(method="BDF"))
    assert result.stats["solver"] == "Sundials (BDF)" and result.stats["evaluations"] > 10
    assert result.stats["end"] == "done"
    assert "-1" not in repr(result)  # CVODE does not tell its steps


# --- crossings ----------------------------------------------------------------------------------------------


def times_of(result: gd.Result, name: str) -> np.ndarray:
    table = result.crossings
    return table[table["crossing"] == name]["time"].to_numpy()


def test_crossings_against_the_elliptic_integral():
    watch = {
        "passes": gd.Crossing(body="bob"),
        "to the right": gd.Crossing(body="bob", direction="rising"),
        "to the left": gd.Crossing(body="bob", direction="falling"),
        "angle": gd.Crossing(joint="pivot", value=math.pi / 2),
        "angle, turns away": gd.Crossing(joint="pivot", value=math.pi / 2 - 6 * math.pi),
        "tip": gd.Crossing(body="bob", at=(-0.5, 0, 0), along=(0, 2, 0), value=-0.5),  # at 60° from below
        "never": gd.Crossing(body="bob", along=(0, 0, 1), value=0.1),
    }
    result = gd.simulate(pendulum(), 10.0, crossings=watch, solver=TIGHT)
    odd = QUARTER_PERIOD * np.arange(1, 16, 2)
    for name in ("passes", "angle", "angle, turns away"):
        assert times_of(result, name) == pytest.approx(odd, abs=1e-11)
    assert times_of(result, "to the right") == pytest.approx(odd[::2], abs=1e-11)
    assert times_of(result, "to the left") == pytest.approx(odd[1::2], abs=1e-11)
    assert swing(times_of(result, "tip"))[:, 1] == pytest.approx(-0.5, abs=1e-10)
    assert len(times_of(result, "tip")) == 17
    assert len(times_of(result, "never")) == 0
    assert result.crossings["time"].is_monotonic_increasing
    assert list(result.crossings.columns) == ["crossing", "time"]


def test_no_crossings_is_an_empty_table():
    assert len(gd.simulate(pendulum(), 0.1).crossings) == 0
    assert list(gd.simulate(pendulum(), 0.1).crossings.columns) == ["crossing", "time"]


@pytest.mark.parametrize("stabilization", [gd.Baumgarte(), gd.Projection()])
def test_stop(stabilization):
    watch = {"stop": gd.Crossing(body="bob", stop=True), "before": gd.Crossing(body="bob", value=-0.25)}
    options = {"crossings": watch, "solver": TIGHT, "stabilization": stabilization}
    result = gd.simulate(pendulum(), 10.0, sample=0.01, **options)
    assert result.stats["end"] == "stopped"
    assert result.stats["end_time"] == pytest.approx(QUARTER_PERIOD, abs=1e-11)
    assert result.crossings["crossing"].tolist() == ["before", "stop"]
    expected = [*np.arange(0, 0.6, 0.01), QUARTER_PERIOD]  # the stop is the last sample
    assert result.data.time.values == pytest.approx(expected, abs=1e-11)
    assert tip(result) == pytest.approx(swing(result.data.time.values), abs=1e-10)


def test_stop_in_one_direction_only():
    stop = {"back": gd.Crossing(body="bob", direction="falling", stop=True)}
    result = gd.simulate(pendulum(), 10.0, crossings=stop, solver=TIGHT)
    assert result.stats["end_time"] == pytest.approx(3 * QUARTER_PERIOD, abs=1e-11)


def test_a_start_on_the_value_is_no_crossing():
    result = gd.simulate(wheel(2 * math.pi), 2.5, crossings={"turn": gd.Crossing(joint="axle")})
    assert times_of(result, "turn") == pytest.approx([1.0, 2.0], abs=1e-6)


@pytest.mark.parametrize("rtol", [1e-3, 1e-8])
@pytest.mark.parametrize("speed", [100.0, -100.0])
def test_many_crossings_of_an_angle(speed, rtol):
    """318 of them, more than the first buffer holds; none lost, none twice, whatever the tolerance."""
    watch = {"one": gd.Crossing(joint="axle", value=1.0), "two": gd.Crossing(joint="axle", value=1.0 - 20 * math.pi)}
    result = gd.simulate(wheel(speed), 10.0, crossings=watch, solver=gd.Explicit(rtol=rtol, atol=rtol))
    first = 1.0 if speed > 0 else 2 * math.pi - 1.0
    expected = np.arange(first, 1000.0, 2 * math.pi) / 100.0
    assert len(expected) == 159
    for name in watch:
        assert times_of(result, name) == pytest.approx(expected, abs=10 * rtol)


def test_crossing_of_a_displacement():
    spring = gd.JointSpring("guide", stiffness=8.0)  # ω = 2 rad/s
    watch = {"half": gd.Crossing(joint="guide", value=0.5, direction="rising")}
    result = gd.simulate(trolley(2.0, loads={"spring": spring}), 7.0, crossings=watch, solver=TIGHT)
    assert times_of(result, "half") == pytest.approx((math.pi / 6 + 2 * math.pi * np.arange(3)) / 2, abs=1e-10)


# --- failures -----------------------------------------------------------------------------------------------


def until_0_3(t):
    return 1.0 if t < 0.3 else math.nan


def pull_until_0_3(t):
    return (0.0, 1.0 if t < 0.3 else math.nan, 0.0)


def ramp(t):
    return 0.5 * t * t


@pytest.mark.parametrize(
    "broken",
    [
        gd.Torque("wheel", (0, 0, until_0_3)),
        gd.Force("wheel", pull_until_0_3),
        gd.JointSpring("axle", stiffness=until_0_3),
        gd.SpringDamper("ground", "wheel", at_first=(2, 0, 0), at_second=(1, 0, 0), stiffness=1.0, length=until_0_3),
        gd.Torque("wheel", (0, 0, "sqrt(0.3 - t)")),
    ],
    ids=lambda load: type(load).__name__,
)
def test_a_load_that_loses_its_value(broken):
    system = wheel(1.0, loads={"fine": gd.Torque("wheel", (0, 0, 1)), "broken": broken})
    with pytest.raises(
        gd.SimulationError, match=f"{type(broken).__name__} 'broken' gives .*nan.*must stay finite"
    ) as caught:
        gd.simulate(system, 1.0, sample=0.01)
    error = caught.value
    assert error.time == pytest.approx(0.3, abs=1e-6)
    assert 0.0 < error.step < 1e-6
    assert error.owner == "broken"
    assert "System 'wheel': not a number at t = 0." in str(error)
    assert error.result is not None
    assert error.result.data.time.values == pytest.approx(np.arange(0, error.time, 0.01), abs=1e-12)
    assert np.all(np.isfinite(error.result.states))
    healthy = gd.simulate(system, 0.29, sample=0.01)
    assert error.result.states[:30] == pytest.approx(healthy.states, abs=1e-7)
    assert error.result.stats["end"] == "not a number"


def test_a_drive_that_loses_its_value():
    drive = gd.Drive("axle", ramp, rate="t", acceleration=until_0_3)
    with pytest.raises(gd.SimulationError, match=r"Drive 'motor' gives .*nan") as caught:
        gd.simulate(wheel(drives={"motor": drive}), 1.0)
    assert caught.value.owner == "motor"
    assert caught.value.time == pytest.approx(0.3, abs=1e-6)


@pytest.mark.parametrize("method", ["Adams", "BDF"])
def test_a_load_that_loses_its_value_under_sundials(method):
    system = wheel(1.0, loads={"fine": gd.Torque("wheel", (0, 0, 1)), "broken": gd.Torque("wheel", (0, 0, until_0_3))})
    with pytest.raises(gd.SimulationError, match=r"Torque 'broken' gives .*nan") as caught:
        gd.simulate(system, 1.0, sample=0.01, solver=gd.Sundials(method=method))
    assert caught.value.time == pytest.approx(0.3, abs=0.01)
    assert caught.value.owner == "broken"
    assert caught.value.result is not None
    assert np.all(np.isfinite(caught.value.result.states))


def test_a_force_that_explodes():
    """v = (1/(½ − t) − 2)/m up to the instant at which it is infinite."""
    system = trolley(loads={"blast": gd.Force("trolley", ("1/(0.5 - t)**2", 0, 0))})
    with pytest.raises(gd.SimulationError, match=r"System 'trolley': step underflow at t = 0\.") as caught:
        gd.simulate(system, 1.0, sample=0.01)
    error = caught.value
    assert error.time == pytest.approx(0.5, abs=1e-6)
    assert 0.0 < error.step < 1e-12
    assert f"step {error.step:.3g} s" in str(error) and "error.result holds everything up to then" in str(error)
    data = error.result.data.isel(time=slice(0, 50))
    assert data.velocity.values[:, 0, 0] == pytest.approx((1 / (0.5 - data.time.values) - 2) / 2, rel=1e-6)


def test_interruption_keeps_what_was_computed():
    system = gd.examples.spatial_four_bar()
    seen = []

    def stop_halfway(fraction):
        seen.append(fraction)
        if fraction > 0.02:
            raise KeyboardInterrupt

    solver = gd.Explicit(max_step=1e-4)
    with pytest.raises(
        gd.SimulationInterrupted, match=r"System 'spatial four-bar': interrupted at t = .* of 20 s"
    ) as caught:
        gd.simulate(system, 20.0, sample=0.01, progress=stop_halfway, solver=solver)
    assert isinstance(caught.value, KeyboardInterrupt)
    result = caught.value.result
    assert result is not None and result.stats["end"] == "interrupted"
    reached = result.stats["end_time"]
    assert reached == pytest.approx(20.0 * seen[-1], rel=1e-12) and 0.0 < reached < 20.0
    assert result.data.time.values == pytest.approx(np.arange(0, reached, 0.01)[: result.data.sizes["time"]], abs=1e-12)
    assert reached - result.data.time.values[-1] < 0.01 + 1e-4
    again = gd.simulate(system, 0.2, sample=0.01, solver=solver)
    assert np.array_equal(result.states[:20], again.states[:20])


def test_interruption_of_sundials():
    def stop(fraction):
        if fraction > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(gd.SimulationInterrupted) as caught:
        gd.simulate(pendulum(), 1.0, sample=0.1, progress=stop, solver=gd.Sundials())
    assert tip(caught.value.result) == pytest.approx(swing(0.1 * np.arange(7)), abs=1e-5)


@pytest.mark.parametrize(
    ("solver", "duration"),
    [(gd.Explicit(), 0.1), (gd.Explicit(max_step=1e-3), 2.0), (gd.Sundials(), 0.1)],
    ids=["short", "long", "Sundials"],
)
def test_progress_rises_to_one(solver, duration):
    seen: list[float] = []
    gd.simulate(pendulum(), duration, solver=solver, progress=seen.append)
    assert seen[-1] == 1.0
    assert all(0.0 <= earlier <= later for earlier, later in pairwise(seen))


def test_progress_is_quiet_when_told_so(capfd):
    gd.simulate(pendulum(), 0.1)
    capfd.readouterr()
    for progress in (False, None, True):  # even with a bar: nothing for less than a second
        gd.simulate(pendulum(), 0.1, progress=progress)
    assert capfd.readouterr() == ("", "")


# --- loads --------------------------------------------------------------------------------------------------


def free_body(**changes: Any) -> gd.System:
    parts = {"mass": 2.0, "inertia": (0.4, 0.4, 0.4), **changes.pop("body", {})}
    return gd.System(name="free", **{"gravity": (0, 0, 0), "bodies": {"body": gd.Body(**parts)}, **changes})


def test_force_in_body_axes_turns_with_the_body():
    """Thrust F along x of a body that spins at ω: v = F/(mω) (sin ωt, 1 − cos ωt)."""
    thrust = gd.Force("body", (3, 0, 0), axes="body")
    system = free_body(body={"angular_velocity": (0, 0, 5)}, loads={"thrust": thrust})
    data = gd.simulate(system, 2.0, solver=TIGHT).data
    t, v = data.time.values, data.velocity.values[:, 0]
    assert v == pytest.approx(0.3 * np.stack([np.sin(5 * t), 1 - np.cos(5 * t), 0 * t], axis=1), abs=1e-10)


def test_force_off_centre_turns_the_body():
    push = gd.Force("body", (0, "t", 0), at=(0.1, 0, 0), axes="body")
    data = gd.simulate(free_body(loads={"push": push}), 1.0, solver=TIGHT).data
    t = data.time.values
    assert data.angular_velocity.values[:, 0, 2] == pytest.approx(0.1 * t**2 / 2 / 0.4, abs=1e-11)


@pytest.mark.parametrize(("axes", "expected"), [("world", (1, 2, 3)), ("body", (-2, 1, 3))])
def test_axes_of_torques_and_forces(axes, expected):
    """The body is turned by a quarter about z: its x is y of the world."""
    turned = {"orientation": (math.sqrt(0.5), 0, 0, math.sqrt(0.5))}
    loads = {"turn": gd.Torque("body", (1, 2, 3), axes=axes), "push": gd.Force("body", (1, 2, 3), axes=axes)}
    data = gd.simulate(free_body(body=turned, loads=loads), 0.1, sample=[0.0]).data
    assert data.angular_acceleration.values[0, 0] == pytest.approx(np.array(expected) / 0.4, rel=1e-12)
    assert data.acceleration.values[0, 0] == pytest.approx(np.array(expected) / 2.0, rel=1e-12)


def waves(t):
    return (math.sin(3 * t), t * t, 1.0)


def test_a_python_function_equals_its_expression():
    runs = [
        gd.simulate(free_body(loads={"push": gd.Force("body", force)}), 1.0)
        for force in (waves, ("sin(3*t)", "t*t", 1), (lambda t: math.sin(3 * t), "t**2", 1.0))
    ]
    for run in runs[1:]:
        assert run.states == pytest.approx(runs[0].states, abs=1e-14)


def test_spring_between_two_bodies():
    """Two balls on a spring, off the line of centres: energy, momentum and moment of momentum stay."""
    ball = {"mass": 1.0, "inertia": (0.1, 0.1, 0.1)}
    system = gd.System(
        gravity=(0, 0, 0),
        bodies={
            "left": gd.Body(**ball, position=(-0.5, 0, 0)),
            "right": gd.Body(**ball, position=(0.7, 0.2, 0), velocity=(0, 1, 2), angular_velocity=(1, 0, 0)),
        },
        loads={
            "spring": gd.SpringDamper(
                "left", "right", at_first=(0, 0.1, 0), at_second=(-0.1, 0, 0.2), stiffness=40.0, length=0.8
            )
        },
    )
    data = gd.simulate(system, 5.0, solver=TIGHT, sample=0.01).data
    energy, v = data.mechanical_energy.values, data.velocity.values
    spin = np.cross(data.position.values, v) + 0.1 * data.angular_velocity.values
    assert np.ptp(data.potential_energy.values) > 0.5
    assert energy == pytest.approx(energy[0], rel=1e-10)
    assert v.sum(axis=1) == pytest.approx(np.tile([0, 1, 2], (len(v), 1)), abs=1e-10)
    assert spin.sum(axis=1) == pytest.approx(np.tile(spin[0].sum(axis=0), (len(v), 1)), abs=1e-10)
    stretch = np.sqrt(2 * data.potential_energy.values[0] / 40.0)
    assert 0.8 + stretch == pytest.approx(np.linalg.norm([1.1, 0.1, 0.2]), rel=1e-12)


@pytest.mark.parametrize("spring", ["point to point", "joint"])
def test_damped_oscillator(spring):
    """2 kg, 200 N/m, 4 N·s/m: x = v₀/ω exp(−t) sin ωt, ω² = 99; what is lost went through the damper."""
    load = (
        gd.JointSpring("guide", stiffness=200.0, damping=4.0)
        if spring == "joint"
        else gd.SpringDamper("ground", "trolley", at_first=(-1, 0, 0), stiffness=200.0, damping=4.0, length=1.0)
    )
    data = gd.simulate(trolley(0.5, loads={"spring": load}), 3.0, solver=TIGHT).data
    t, omega = data.time.values, math.sqrt(99.0)
    assert data.position.values[:, 0, 0] == pytest.approx(0.5 / omega * np.exp(-t) * np.sin(omega * t), abs=1e-11)
    lost = cumulative_simpson(4.0 * data.velocity.values[:, 0, 0] ** 2, x=t, initial=0)
    energy = data.mechanical_energy.values
    assert energy[0] - energy == pytest.approx(lost, abs=1e-7)
    assert np.all(np.diff(energy) <= 1e-12)


@pytest.mark.parametrize("solver", [TIGHT, gd.Sundials(rtol=1e-11, atol=1e-12)])
@pytest.mark.parametrize("stabilization", [gd.Baumgarte(), gd.Projection()])
def test_torsion_spring_over_several_turns(solver, stabilization):
    """J φ̈ = −k φ with an amplitude of three turns: φ̇ = A ω cos ωt."""
    if isinstance(solver, gd.Sundials) and isinstance(stabilization, gd.Projection):
        pytest.skip("not available")
    amplitude, omega = 6 * math.pi, 5.0
    system = wheel(amplitude * omega, loads={"spring": gd.JointSpring("axle", stiffness=0.5)})
    data = gd.simulate(system, 3.0, solver=solver, stabilization=stabilization).data
    t, speed = data.time.values, data.angular_velocity.values[:, 0, 2]
    assert speed == pytest.approx(amplitude * omega * np.cos(omega * t), abs=1e-8 * amplitude * omega)
    assert data.potential_energy.max() == pytest.approx(0.25 * amplitude**2, rel=1e-3)
    assert data.mechanical_energy.values == pytest.approx(0.25 * amplitude**2, rel=1e-8)


def test_torsion_spring_with_a_rest_angle_turns_away():
    amplitude, omega = 6 * math.pi, 5.0
    system = wheel(loads={"spring": gd.JointSpring("axle", stiffness=0.5, rest="6*pi")})
    data = gd.simulate(system, 3.0, solver=TIGHT).data
    speed = data.angular_velocity.values[:, 0, 2]
    assert speed == pytest.approx(amplitude * omega * np.sin(omega * data.time.values), abs=1e-8)


# --- drives -------------------------------------------------------------------------------------------------


def test_crank_at_5000_rpm():
    system = slider_crank(gd.Drive("pivot", "5000*2*pi/60*t"))
    data = gd.simulate(system, 0.06, solver=gd.Explicit(rtol=1e-10, atol=1e-12)).data  # five turns
    angle = 5000 * 2 * math.pi / 60 * data.time.values
    x = CRANK * np.cos(angle) + np.sqrt(ROD**2 - (CRANK * np.sin(angle)) ** 2)
    assert data.position.sel(body="slider").values[:, 0] == pytest.approx(x, abs=1e-8)
    assert data.angular_velocity.sel(body="crank", axis="z").values == pytest.approx(523.598775598, abs=1e-5)


def path(t):
    return 3.0 * t + 0.5 * math.sin(5.0 * t)


def path_rate(t):
    return 3.0 + 2.5 * math.cos(5.0 * t)


def path_acceleration(t):
    return -12.5 * math.sin(5.0 * t)


def test_drive_by_a_python_function_equals_the_expression():
    drives = (
        gd.Drive("pivot", "3*t + 0.5*sin(5*t)"),
        gd.Drive("pivot", path, rate=path_rate, acceleration=path_acceleration),
        gd.Drive("pivot", path, rate="3 + 2.5*cos(5*t)", acceleration="-12.5*sin(5*t)"),
    )
    first, *others = (gd.simulate(slider_crank(drive), 0.5) for drive in drives)
    for other in others:
        assert other.states == pytest.approx(first.states, abs=1e-12)
        assert other.data.drive_effort.values == pytest.approx(first.data.drive_effort.values, abs=1e-9)


def test_drive_effort_is_the_torque_that_changes_the_energy():
    data = gd.simulate(slider_crank(gd.Drive("pivot", "3*t + 0.5*sin(5*t)")), 1.0, solver=TIGHT).data
    power = data.drive_effort.sel(drive="motor").values * (3 + 2.5 * np.cos(5 * data.time.values))
    work = cumulative_simpson(power, x=data.time.values, initial=0)
    gain = data.mechanical_energy.values - data.mechanical_energy.values[0]
    assert np.ptp(gain) > 1.0
    assert work == pytest.approx(gain, abs=1e-8)


def test_effort_of_a_drive_in_closed_form():
    """J α + c ω on a damped wheel, m (a + g) on a lift."""
    damper = gd.JointSpring("axle", damping=0.3)
    data = gd.simulate(wheel(loads={"damper": damper}, drives={"motor": gd.Drive("axle", "sin(4*t)")}), 1.0).data
    t = data.time.values
    effort = data.drive_effort.sel(drive="motor").values
    assert effort == pytest.approx(-0.02 * 16 * np.sin(4 * t) + 0.3 * 4 * np.cos(4 * t), abs=1e-6)
    lift = gd.System(
        bodies={"cabin": gd.Body(mass=2.0, inertia=(1, 1, 1))},
        joints={"guide": gd.Prismatic("ground", "cabin", at=(0, 0, 0), axis=(0, 0, 1))},
        drives={"winch": gd.Drive("guide", "0.1*t**3")},
    )
    data = gd.simulate(lift, 1.0).data
    assert data.drive_effort.sel(drive="winch").values == pytest.approx(2.0 * (0.6 * data.time.values + G), abs=1e-6)
    assert data.position.sel(body="cabin", axis="z").values == pytest.approx(0.1 * data.time.values**3, abs=1e-8)


# --- restart ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", [gd.examples.spatial_four_bar(), pendulum()], ids=["four-bar", "pendulum"])
def test_restart_continues_the_motion(system):
    whole = gd.simulate(system, 1.0, sample=0.1, solver=TIGHT)
    half = gd.simulate(system, 0.5, sample=0.1, solver=TIGHT)
    rest = gd.simulate(system.replace(start=half.state()), 0.5, sample=0.1, solver=TIGHT)
    assert rest.data.position.values == pytest.approx(whole.data.position.values[5:], abs=1e-10)
    assert rest.data.velocity.values == pytest.approx(whole.data.velocity.values[5:], abs=1e-9)
    early = gd.simulate(system.replace(start=whole.state(3)), 0.2, sample=0.1, solver=TIGHT)
    assert early.data.position.values == pytest.approx(whole.data.position.values[3:6], abs=1e-10)


def test_assembled_system_starts_where_assembly_ended():
    assembly = gd.assemble(gd.examples.spatial_four_bar())
    first = gd.simulate(assembly.system, 0.5, sample=0.1)
    second = gd.simulate(gd.examples.spatial_four_bar(), 0.5, sample=0.1)
    assert first.states == pytest.approx(second.states, abs=1e-12)
    assert gd.assemble(assembly.system).residual < 1e-14


# --- a System is data ---------------------------------------------------------------------------------------


def loaded_system() -> gd.System:
    loads = {
        "push": gd.Force("rod", waves, at=(0.1, 0, 0), axes="body"),
        "turn": gd.Torque("crank", (0, 0, "sin(t)")),
        "spring": gd.SpringDamper("ground", "slider", at_first=(1, 0, 0), stiffness=10.0),
        "coil": gd.JointSpring("pivot", stiffness=1.0),
    }
    return slider_crank(gd.Drive("pivot", path, rate=path_rate, acceleration=path_acceleration)).replace(loads=loads)


def test_equal_descriptions_are_equal():
    assert loaded_system() == loaded_system()
    assert hash(loaded_system()) == hash(loaded_system())
    assert len({loaded_system(), loaded_system(), pendulum()}) == 2
    assert loaded_system() != loaded_system().replace(gravity=(0, 0, 0))
    assert pendulum() != pendulum(bodies={"bob": gd.Body(mass=2.0, inertia=(0.25, 0.25, 0.25), position=(-0.5, 0, 0))})


def test_the_order_of_parts_in_equality_and_hash():
    one, two = gd.Body(mass=1.0, inertia=(1, 1, 1)), gd.Body(mass=2.0, inertia=(1, 1, 1))
    first, second = gd.System(bodies={"a": one, "b": two}), gd.System(bodies={"b": two, "a": one})
    assert first != second or hash(first) == hash(second)


def test_pickle():
    system = loaded_system()
    again = pickle.loads(pickle.dumps(system))
    assert again == system and hash(again) == hash(system)
    assert np.array_equal(gd.simulate(again, 0.1).states, gd.simulate(system, 0.1).states)


def test_frozen():
    system = pendulum()
    with pytest.raises(dataclasses.FrozenInstanceError):
        system.gravity = (0, 0, 0)  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        system.bodies["bob"].mass = 2.0  # type: ignore[misc]
    with pytest.raises(TypeError):
        system.bodies["other"] = system.bodies["bob"]  # type: ignore[index]
    given = {"bob": system.bodies["bob"]}
    kept = gd.System(bodies=given)
    given["other"] = system.bodies["bob"]
    assert list(kept.bodies) == ["bob"]


def test_replace_and_with_model():
    system = pendulum()
    heavier = system.replace(name="moon", gravity=(0, -1.62, 0))
    assert (heavier.name, heavier.gravity) == ("moon", (0.0, -1.62, 0.0))
    assert system.gravity == (0.0, -G, 0.0)
    assert heavier.bodies == system.bodies and heavier.joints == system.joints
    assert system.with_model(pivot=gd.Ideal()) == system
    named = slider_crank(gd.Drive("pivot", "t")).with_model(**{"crank pin": gd.Ideal()})
    assert list(named.joints) == ["pivot", "crank pin", "wrist pin", "guide"]
    with pytest.raises(gd.ModelError, match="no body 'bob'"):
        system.replace(bodies={"bab": system.bodies["bob"]})


def test_simulating_changes_no_description():
    system = loaded_system()
    before = pickle.dumps(system)
    gd.simulate(system, 0.1)
    assert pickle.dumps(system) == before
