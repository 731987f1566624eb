"""Ctrl-C, wherever it comes, is a SimulationInterrupted that holds what was computed."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import gudgeon as gd
from closed_forms import slider_crank, slider_crank_motion
from gudgeon.analysis import actuation, kinematics
from gudgeon.analysis.small_motion.descent import Search
from mechanisms import pendulum


def stop_after(fraction: float):
    def stop(done: float) -> None:
        if done > fraction:
            raise KeyboardInterrupt

    return stop


def after(count: int, function):
    """The function, interrupted when it is called once more than `count` times."""
    calls = []

    def interrupted(*arguments, **options):
        calls.append(1)
        if len(calls) > count:
            raise KeyboardInterrupt
        return function(*arguments, **options)

    return interrupted


def slider_of(result: gd.Result) -> np.ndarray:
    return result.data["position"].sel(body="slider", axis="x").values


def test_progress_of_kinematics_covers_samples():
    seen: list[float] = []
    gd.kinematics(slider_crank(), 2.0, sample=0.005, progress=seen.append)
    assert len(seen) > 401 and seen[-1] == 1.0
    assert all(0.0 < earlier <= later for earlier, later in pairwise(seen))


def test_kinematics_while_it_samples():
    with pytest.raises(gd.SimulationInterrupted, match=r"interrupted at t = .* of 2 s; error\.result holds") as caught:
        gd.kinematics(slider_crank(), 2.0, sample=0.01, progress=stop_after(0.8))
    result = caught.value.result
    x = slider_of(result)
    assert 100 < len(x) < 200 and result.stats["end"] == "interrupted"
    assert result.stats["end_time"] == pytest.approx(0.01 * (len(x) - 1))
    assert x == pytest.approx(slider_crank_motion(0.01 * np.arange(len(x))).x, abs=1e-12)


def test_kinematics_while_it_steps_does_not_go_on_to_compute_all_samples(monkeypatch):
    """A hundred thousand samples would follow from the steps taken before; only a moment is spent on them."""
    monkeypatch.setattr(kinematics, "SECONDS_AFTER_STOP", 0.0)
    with pytest.raises(gd.SimulationInterrupted) as caught:
        gd.kinematics(slider_crank(), 2.0, sample=1e-5, progress=stop_after(2e-4))
    assert caught.value.result.stats["end_time"] > 0.1
    assert slider_of(caught.value.result) == pytest.approx([slider_crank_motion(np.zeros(1)).x[0]], abs=1e-12)


def test_equilibrium(monkeypatch):
    """The search can be taken up where it was."""
    monkeypatch.setattr(Search, "go", after(2, Search.go))
    with pytest.raises(
        gd.SimulationInterrupted, match=r"search for an equilibrium was interrupted after 2 steps"
    ) as stop:
        gd.equilibrium(pendulum())
    monkeypatch.undo()
    there = stop.value.result
    assert isinstance(there, gd.System) and there.start != pendulum().start
    whole, rest = gd.equilibrium(pendulum()), gd.equilibrium(there)
    assert rest.iterations < whole.iterations
    (name,) = whole.system.start
    assert rest.system.start[name].position == pytest.approx(whole.system.start[name].position, abs=1e-9)


def test_equilibrium_of_a_real_joint_keeps_joints_and_drives(monkeypatch):
    """The first search is one with ideal joints, drives are held; what it leaves is the system as described."""
    bob = gd.Body(mass=1.0, inertia=(0.01, 0.01, 0.01), position=(1, 0, 0))
    dry = gd.Dry(socket_radius=0.01, ball_radius=0.0099, contact=gd.laws.Hertz(stiffness=1e10))
    system = gd.System(
        bodies={"bob": bob, "rotor": bob},
        joints={
            "pivot": gd.Spherical("ground", "bob", at=(0, 0, 0), model=dry),
            "axle": gd.Revolute("ground", "rotor", at=(1, 0, 0)),
        },
        drives={"motor": gd.Drive("axle", "2*t")},
    )
    first = gd.equilibrium(system.with_model(pivot=gd.Ideal()), at=0.5).iterations
    for steps in (2, first + 1):  # within the first search, and after it
        monkeypatch.setattr(Search, "go", after(steps, Search.go))
        with pytest.raises(gd.SimulationInterrupted) as stop:
            gd.equilibrium(system, at=0.5)
        assert (stop.value.result.joints, stop.value.result.drives) == (system.joints, system.drives)
        monkeypatch.undo()


def test_inverse_dynamics(monkeypatch):
    system = slider_crank()
    motion = gd.kinematics(system, 1.0, sample=0.1)
    whole = gd.inverse_dynamics(system, motion)
    monkeypatch.setattr(actuation, "missing_forces", after(4, actuation.missing_forces))
    with pytest.raises(gd.SimulationInterrupted, match=r"inverse_dynamics: interrupted after 4 of 11 samples") as stop:
        gd.inverse_dynamics(system, motion)
    assert stop.value.result.equals(whole.isel(time=slice(0, 4)))


def test_where_nothing_is_computed_yet(monkeypatch):
    monkeypatch.setattr(actuation, "missing_forces", after(0, actuation.missing_forces))
    monkeypatch.setattr("gudgeon.analysis.small_motion.about.small_motion", after(0, None))
    motion = gd.kinematics(slider_crank(), 1.0, sample=0.5)
    for name, call in {
        "inverse_dynamics": lambda: gd.inverse_dynamics(slider_crank(), motion),
        "linearize": lambda: gd.linearize(pendulum()),
    }.items():
        with pytest.raises(gd.SimulationInterrupted, match=f"{name}: interrupted before there was anything") as stop:
            call()
        assert stop.value.result is None


def test_sundials_between_two_samples():
    """It says how far it came, not where the last sample was, and has reported on the way."""
    with pytest.raises(gd.SimulationInterrupted, match=r"interrupted at t = [5-9]\.\d+ of 10 s") as stop:
        gd.simulate(pendulum(), 10.0, sample=10.0, solver=gd.Sundials(), progress=stop_after(0.5))
    assert stop.value.result.stats["end_time"] > 5.0
    assert stop.value.result.data.time.values.tolist() == [0.0]
