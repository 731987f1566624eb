"""Nonsmooth time stepping as a solver among others: order, agreement with the event-driven ones, step control."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gudgeon as gd
from mechanisms import pendulum, swing, tip
from one_joint import one_joint
from sliding_blocks import GRAVITY, SLIDERS, block, block_on_spring, guide, model

FRICTIONLESS = gd.laws.DryFriction(static=0.0)


def swinging(kind: str) -> gd.System:
    """x = cos t, without friction."""
    system = block_on_spring(kind, x=1.0, v=0.0, stiffness=1.0, friction=FRICTIONLESS)
    return system.replace(joints={"guide": guide("ground", model(kind, None))})


def along(result: gd.Result, what: str = "position") -> np.ndarray:
    return result.data[what].sel(body="block", axis="x").values


# -------------------------------------------------------------------------------------------------------------- order
@pytest.mark.parametrize("kind", SLIDERS)
def test_order_two_where_the_motion_is_smooth(kind):
    times = np.arange(1.0, 6.0)
    errors = []
    for step in (4e-2, 2e-2, 1e-2):
        result = gd.simulate(swinging(kind), 5.0, solver=gd.TimeStepping(step=step), sample=times)
        errors.append(np.abs(along(result) - np.cos(times)).max())
        assert result.stats["second_order_steps"] >= result.stats["steps"] - 1
    assert errors[-1] < 5e-5
    assert np.log2(np.array(errors[:-1]) / errors[1:]) == pytest.approx([2.0, 2.0], abs=0.05)


def test_order_two_for_ideal_joints(coordinates):
    """A pendulum, against Jacobi's elliptic functions."""
    times = np.linspace(0.1, 3.0, 20)
    errors = [
        np.abs(tip(gd.simulate(pendulum(), 3.0, solver=gd.TimeStepping(step=h), sample=times)) - swing(times)).max()
        for h in (4e-3, 2e-3, 1e-3)
    ]
    assert errors[-1] < 1e-4
    assert np.log2(errors[0] / errors[-1]) / 2.0 == pytest.approx(2.0, abs=0.15)


# ------------------------------------------------------------------------------------------- against the other solvers
def four_bar(joint: str, duration: float, solver: gd.Implicit | gd.TimeStepping) -> gd.Result:
    return gd.simulate(gd.examples.spatial_four_bar(joint), duration, solver=solver, sample=duration / 10.0)


@pytest.mark.parametrize(
    ("joint", "duration", "steps", "within"),
    [
        ("dry", 0.05, (2e-6, 1e-6), 5e-8),  # with 11 contacts of 0.1 ms
        ("frictionless", 0.03, (2e-6, 1e-6), 5e-7),
        ("bushing", 0.1, (4e-4, 1e-4), 1e-9),
        ("lubricated", 0.1, (4e-4, 1e-4), 1e-9),
    ],
)
def test_real_spherical_joints(joint, duration, steps, within):
    exact = four_bar(joint, duration, gd.Implicit(rtol=1e-10, atol=1e-13))
    errors = []
    for step in steps:
        result = four_bar(joint, duration, gd.TimeStepping(step=step))
        errors.append(np.abs(result.data.position.values - exact.data.position.values).max())
    assert errors[-1] < within  # m
    assert np.log(errors[0] / errors[1]) / np.log(steps[0] / steps[1]) > 1.7
    lost, known = (run.data.dissipated_energy.sel(joint="C").values for run in (result, exact))
    assert lost == pytest.approx(known, rel=0.01, abs=1e-9)


@pytest.mark.parametrize("model", ["Dry, LuGre", "SurfaceContact"])
def test_bristles_and_surfaces(model, coordinates):
    """Order two against collocation of order five, while the ball is in contact."""
    system, times = one_joint("Spherical", model), np.linspace(0.0, 8e-4, 5)
    exact = gd.simulate(system, times[-1], solver=gd.Implicit(rtol=1e-10, atol=1e-13), sample=times).data
    errors = []
    for step in (1.6e-5, 8e-6):
        data = gd.simulate(system, times[-1], solver=gd.TimeStepping(step=step), sample=times).data
        errors.append(np.abs(data.position.values - exact.position.values).max())
    assert errors[-1] < 5e-9  # m
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.1)
    lost, known = (run.dissipated_energy.sel(joint="J").values for run in (data, exact))
    assert lost == pytest.approx(known, rel=1e-3, abs=1e-9)
    assert data.contact.values.all()


def test_contacts_of_a_dry_joint_are_recorded():
    exact = four_bar("dry", 0.05, gd.Implicit(rtol=1e-10, atol=1e-13)).events
    events = four_bar("dry", 0.05, gd.TimeStepping(step=1e-6)).events
    assert len(events) == len(exact) == 11
    assert events.joint.tolist() == exact.joint.tolist()
    assert events.begin.values == pytest.approx(exact.begin.values, abs=1e-5)
    assert events.end.values[:-1] == pytest.approx(exact.end.values[:-1], abs=1e-5)
    assert events.impact_speed.values == pytest.approx(exact.impact_speed.values, rel=2e-3)
    assert events.peak_force.values == pytest.approx(exact.peak_force.values, rel=5e-3)
    assert events.energy_lost.values == pytest.approx(exact.energy_lost.values, rel=0.02, abs=1e-8)


def test_a_step_too_long_for_the_contacts_of_a_dry_joint():
    with pytest.warns(
        UserWarning, match=r"TimeStepping: a contact in Spherical 'C' lasted \d steps of 5e-05 s, too few"
    ):
        gd.simulate(gd.examples.spatial_four_bar("dry"), 0.02, solver=gd.TimeStepping(step=5e-5))


def test_it_is_chosen_where_a_guide_has_play():
    assert gd.simulate(swinging("compliant"), 1e-2).stats["solver"] == "TimeStepping"
    assert gd.simulate(gd.examples.spatial_four_bar("dry"), 1e-4).stats["solver"] == "Implicit"


# ------------------------------------------------------------------------------------------------------- step control
def test_step_control():
    times = np.arange(1.0, 6.0)
    errors, steps = [], []
    for rtol in (1e-3, 1e-4, 1e-5):
        result = gd.simulate(swinging("compliant"), 5.0, solver=gd.TimeStepping(step=0.2, rtol=rtol), sample=times)
        errors.append(np.abs(along(result) - np.cos(times)).max())
        steps.append(result.stats["steps"])
        assert result.stats["mean_step"] == pytest.approx(5.0 / steps[-1])
    assert errors[0] > 3.0 * errors[1] > 9.0 * errors[2]
    assert errors[2] < 1e-4
    assert steps == sorted(steps) and steps[2] > 2 * steps[0]


def test_step_control_of_a_flexible_slider():
    """Every step size has its own factorisation; the published explicit procedure is the reference."""
    system = gd.examples.slider_crank_flexible_slider(4)
    exact = gd.simulate(system, 2.0, solver=gd.Explicit(rtol=1e-6, atol=1e-8), sample=0.25)
    errors = []
    for rtol in (1e-3, 1e-5):
        result = gd.simulate(system, 2.0, solver=gd.TimeStepping(step=1e-2, rtol=rtol, atol=1e-6), sample=0.25)
        errors.append(np.abs(result.data.position.values - exact.data.position.values).max())
    assert errors[1] < 0.3 * errors[0]
    assert errors[1] < 1e-4


@pytest.mark.parametrize("kind", ["compliant", "flexible"])
def test_a_step_too_long_for_the_clearance_is_halved(kind):
    """At 1 m/s across a clearance of 1 mm a step of 20 ms would carry the block through both walls."""
    system = gd.System(
        name="fast",
        gravity=(0.0, 0.0, 0.0),
        bodies={"block": block(position=(0.0, 0.0, 0.0), velocity=(0.0, 1.0, 0.0))},
        joints={"guide": guide("ground", model(kind, None))},
    )
    with pytest.warns(
        UserWarning, match=r"TimeStepping: a step of 0\.02 s would carry a slider or ball across its whole"
    ):
        result = gd.simulate(system, 0.1, solver=gd.TimeStepping(step=0.02), sample=1e-3)
    assert result.stats["steps"] > 25  # instead of 5
    assert result.data.guide_gap.values.min() > -2e-3  # it is stopped by walls of 1e6 N/m: √(m/k) v = 0.7 mm
    assert np.diff(result.data.mechanical_energy.values).max() < 1e-3


# ---------------------------------------------------------------------------------------------- samples and crossings
def test_samples_do_not_change_the_steps():
    solver = gd.TimeStepping(step=1e-2)
    few = gd.simulate(swinging("flexible"), 2.0, solver=solver, sample=1.0)
    many = gd.simulate(swinging("flexible"), 2.0, solver=solver, sample=np.linspace(0.0, 2.0, 401))
    assert few.stats["steps"] == many.stats["steps"] == 200
    assert np.array_equal(few.data.position.values[-1], many.data.position.values[-1])
    assert along(many) == pytest.approx(np.cos(many.data.time.values), abs=1e-4)  # between steps too
    odd = gd.simulate(swinging("flexible"), 1.2345, solver=solver, sample=[0.0, 1.2345])
    assert odd.data.time.values[-1] == odd.stats["end_time"] == 1.2345
    assert along(odd)[-1] == pytest.approx(math.cos(1.2345), abs=1e-4)


@pytest.mark.parametrize("kind", SLIDERS)
def test_crossings(kind):
    watch = {
        "body": gd.Crossing(body="block", value=0.0),
        "joint": gd.Crossing(joint="guide", coordinate="displacement", value=0.5, direction="falling"),
    }
    result = gd.simulate(swinging(kind), 7.0, solver=gd.TimeStepping(step=5e-3), crossings=watch)
    table = result.crossings
    body = table[table.crossing == "body"].time.values
    assert body == pytest.approx([0.5 * math.pi, 1.5 * math.pi], abs=2e-5)
    assert table[table.crossing == "joint"].time.values == pytest.approx([math.pi / 3.0], abs=2e-5)


def test_a_crossing_that_stops():
    stop = {"stop": gd.Crossing(body="block", value=0.0, stop=True)}
    result = gd.simulate(swinging("flexible"), 7.0, solver=gd.TimeStepping(step=5e-3), sample=0.1, crossings=stop)
    assert result.stats["end"] == "stopped"
    assert result.data.time.values[-1] == pytest.approx(0.5 * math.pi, abs=2e-5)
    assert along(result)[-1] == pytest.approx(0.0, abs=1e-9)
    assert along(result, "velocity")[-1] == pytest.approx(-1.0, abs=1e-4)


def test_normal_forces_carry_the_weight():
    result = gd.simulate(swinging("flexible"), 1.0, solver=gd.TimeStepping(step=5e-3), sample=[0.5, 1.0])
    assert result.data.guide_normal_force.sum("surface_point").values == pytest.approx([GRAVITY] * 2, rel=1e-3)


def test_the_mean_step_of_a_run_that_goes_on():
    """Steps of 1 ms stay such, whenever the run begins."""
    system = gd.System(bodies={"stone": gd.Body(mass=1.0, inertia=(1, 1, 1))})
    solver = gd.TimeStepping(step=1e-3)
    first = gd.simulate(system, 0.5, solver=solver)
    rest = gd.simulate(system, 0.1, solver=solver, start=first.state())
    assert rest.stats["mean_step"] == pytest.approx(first.stats["mean_step"], rel=0.02)
