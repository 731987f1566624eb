"""Sampling never changes a run; tolerances, orders, solvers and stabilisations do what they promise."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.files import memory as machine
from mechanisms import TIGHT, nearly_locking, pendulum, slider_crank, swing, tip, wheel
from references import load


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
    monkeypatch.setattr("gudgeon.solvers.run.SECONDS_PER_CALL", 0.0)  # back to Python after every step
    hasty = gd.simulate(system, 4.0, solver=solver)
    assert usual.stats["rejections"] > 10 and usual.stats["steps"] > 400
    assert hasty.stats["steps"] == usual.stats["steps"]
    assert np.array_equal(hasty.states, usual.states)


def test_stats():
    result = gd.simulate(slider_crank(gd.Drive("pivot", "9*t")), 0.5)
    stats = result.stats
    assert stats["solver"] == "Explicit" and stats["stabilization"] == "Baumgarte and Projection"
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


def test_samples_that_no_memory_holds_are_refused_before_the_run(monkeypatch):
    monkeypatch.setattr(machine, "memory", lambda: 1e6)  # [bytes]
    with pytest.raises(
        gd.ModelError, match=r"simulate: 10001 samples of 3 bodies and 4 joints take 0\.0\d+ GB, this mach"
    ):
        gd.simulate(gd.examples.spatial_four_bar(), 1.0, sample=1e-4)


def test_so_are_those_of_kinematics(monkeypatch):
    monkeypatch.setattr(machine, "memory", lambda: 1e6)  # [bytes]
    crank = gd.System(
        bodies={"crank": gd.Body(mass=1.0, inertia=(1, 1, 1))},
        joints={"pin": gd.Revolute("ground", "crank", at=(0, 0, 0))},
        drives={"motor": gd.Drive("pin", "t")},
    )
    with pytest.raises(
        gd.ModelError, match=r"kinematics: 100001 samples of 1 bodies and 1 joints take .* GB, this mach"
    ):
        gd.kinematics(crank, 1.0, sample=1e-5)


def test_memory_of_this_machine():
    assert 1e8 < machine.memory() < 1e15
