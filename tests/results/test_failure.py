"""Runs that break off: what they say and what they keep."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

import gudgeon as gd
from mechanisms import pendulum, swing, tip, trolley, wheel


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


SOLVERS = [gd.Explicit(), gd.Implicit(), gd.Sundials(), gd.TimeStepping()]


def slide(force) -> gd.System:
    """1 kg on a straight way under a force."""
    return gd.System(
        gravity=(0, 0, 0),
        bodies={"b": gd.Body(mass=1.0, inertia=(1, 1, 1))},
        joints={"s": gd.Prismatic("ground", "b", at=(0, 0, 0))},
        loads={"f": gd.JointForce("s", force)},
    )


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: type(solver).__name__)
@pytest.mark.parametrize(
    ("force", "told"),
    [
        (gd.Table([-1.0, 0.5], [1.0, 1.0], of="s.displacement"), "a table that covers -1 … 0.5"),
        ("1 + 0*sqrt(0.5 - s.displacement)", "must stay finite"),
    ],
    ids=["table", "expression"],
)
def test_every_solver_names_the_load_that_is_no_number(solver, force, told, capfd):
    """With 1 N the way of 0.5 m takes 1 s: there the force ends."""
    with pytest.raises(
        gd.SimulationError, match=r"JointForce 'f' gives nan at .* with s.displacement = 0.5"
    ) as failure:
        gd.simulate(slide(force), 2.0, solver=solver)
    assert told in str(failure.value) and failure.value.owner == "f"
    assert failure.value.time == pytest.approx(1.0, abs=0.01)
    assert "Error" not in "".join(capfd.readouterr())


@pytest.mark.parametrize("duration", [0.7, 1.0 / 3.0])
@pytest.mark.parametrize(
    "solver", [gd.TimeStepping(), gd.TimeStepping(step=1e-3), gd.TimeStepping(step=3e-3)], ids=["auto", "1 ms", "3 ms"]
)
def test_a_table_of_the_whole_run_is_not_left(solver, duration):
    """Up and down again, linearly: ½ T N·s in the end, within the errors of the steps."""
    force = gd.Table([0.0, 0.5 * duration, duration], [0.0, 1.0, 0.0])
    result = gd.simulate(slide(force), duration, solver=solver)
    assert result.stats["end_time"] == duration
    assert result.data.velocity.values[-1, 0, 2] == pytest.approx(0.5 * duration, rel=1e-3)
