"""Prescribed motion, its effort, and runs that go on where another ended."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import cumulative_simpson

import gudgeon as gd
from mechanisms import CRANK, ROD, TIGHT, G, path, path_acceleration, path_rate, pendulum, slider_crank, wheel

pytestmark = pytest.mark.usefixtures("coordinates")


def test_crank_at_5000_rpm():
    system = slider_crank(gd.Drive("pivot", "5000*2*pi/60*t"))
    data = gd.simulate(system, 0.06, solver=gd.Explicit(rtol=1e-10, atol=1e-12)).data  # five turns
    angle = 5000 * 2 * math.pi / 60 * data.time.values
    x = CRANK * np.cos(angle) + np.sqrt(ROD**2 - (CRANK * np.sin(angle)) ** 2)
    assert data.position.sel(body="slider").values[:, 0] == pytest.approx(x, abs=1e-8)
    assert data.angular_velocity.sel(body="crank", axis="z").values == pytest.approx(523.598775598, abs=1e-5)


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


@pytest.mark.parametrize("value", ["min(t, 0.5)", "1 if t < 0.5 else 2", "floor(2*t)"])
def test_a_drive_that_jumps_is_not_followed_silently(value):
    with pytest.raises(gd.SimulationError, match=r"Drive 'motor': at t = .* away from its prescribed value") as caught:
        gd.simulate(wheel(drives={"motor": gd.Drive("axle", value)}), 1.0)
    assert caught.value.owner == "motor" and caught.value.result.data.sizes["time"] == 1001


def test_a_drive_whose_rate_is_wrong_is_not_followed_silently():
    drive = gd.Drive("axle", lambda t: t, rate=lambda t: 3.0, acceleration=lambda t: 0.0)
    with pytest.raises(gd.SimulationError, match=r"Drive 'motor'.*check rate="):
        gd.simulate(wheel(drives={"motor": drive}), 1.0)


@pytest.mark.parametrize("value", ["sqrt(t)", "t**1.5"])
def test_a_drive_needs_finite_derivatives(value):
    with pytest.raises(gd.ModelError, match=r"Drive of 'axle': the (rate|acceleration) of .* at t = 0"):
        gd.Drive("axle", value)
