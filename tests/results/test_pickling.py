"""Results and errors leave their process: pickled, copied, returned from a pool."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
import pytest

import gudgeon as gd
import sliders_in_guides
from closed_forms import slider_crank
from gudgeon.nurbs import Surface
from mechanisms import pendulum, trolley


def stiff(delta, ddelta):
    return 2e10 * delta**1.5 * (1.0 + 0.2 * ddelta)


def push(t):
    return 0.1 * t


def dry_four_bar(clearance: float = 1e-4) -> gd.System:
    """A law and a load that are Python functions: their compiled code is known by addresses of this process."""
    model = gd.Dry(socket_radius=0.01, ball_radius=0.01 - clearance, contact=stiff)
    loads = {"push": gd.Force("rocker", (push, 0, 0))}
    return gd.examples.spatial_four_bar().with_model(C=model).replace(loads=loads)


def puck_on_a_film() -> gd.System:
    underside = Surface.plane(origin=(0, 0, 0.1)).reversed()
    film = gd.Interface(reference=("ground", Surface.plane()), corresponding=("puck", underside), grid=(4, 3))
    puck = gd.Body(mass=1.0, inertia=(1, 1, 1), position=(0, 0, 0.1))
    return gd.System(bodies={"puck": puck}, interfaces={"film": film})


def surfaces() -> gd.System:
    underside = Surface.plane(origin=(0, 0, 0)).reversed()
    touch = gd.Interface(reference=("ground", Surface.plane()), corresponding=("block", underside), grid=(4, 3))
    model = gd.SurfaceContact(touch, gd.laws.KelvinVoigt(stiffness=1e7, damping=1e5))
    block = gd.Body(mass=1.0, inertia=(1, 1, 1), position=(0.5, 0.5, 0.0))
    joint = gd.Free("ground", "block", at=(0.5, 0.5, 0), model=model)
    return gd.System(bodies={"block": block}, joints={"rest": joint})


RUNS: dict[str, Any] = {
    "ideal": lambda: gd.simulate(gd.examples.spatial_four_bar(), 0.02, sample=0.01),
    "dry": lambda: gd.simulate(dry_four_bar(), 0.03, sample=0.01, crossings={"A": gd.Crossing(joint="A", value=1.5)}),
    "relative": lambda: gd.simulate(dry_four_bar(), 0.03, sample=0.01, coordinates="relative"),
    "flexible slider": lambda: gd.simulate(
        sliders_in_guides.system(sliders_in_guides.flexible()), 0.01, solver=gd.TimeStepping(step=1e-3)
    ),
    "surfaces": lambda: gd.simulate(surfaces(), 1e-3, sample=5e-4),
    "interface": lambda: gd.simulate(puck_on_a_film(), 0.1, sample=0.05),
    "kinematics": lambda: gd.kinematics(slider_crank(), 0.2, sample=0.1),
}


@pytest.mark.parametrize("name", RUNS)
def test_pickled_and_copied_results(name):
    result = RUNS[name]()
    for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert again.data.identical(result.data)
        assert again.stats == result.stats and repr(again) == repr(result)
        assert again.events.equals(result.events) and again.crossings.equals(result.crossings)
        assert again.state() == result.state()
        assert np.array_equal(again.states, result.states)
        assert again.system == result.system
        assert again.plot().axes


def test_a_pickled_result_is_pickled_again_and_linearised():
    """Equations made anew are those of the run: the same matrices about its last sample."""
    result = gd.simulate(pendulum(), 0.5, sample=0.25, coordinates="relative")
    again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(result))))
    assert again.data.identical(result.data)
    here, there = gd.linearize(result), gd.linearize(again)
    assert there.coordinates == here.coordinates
    assert np.array_equal(there.stiffness, here.stiffness) and np.array_equal(there.damping, here.damping)


def run(clearance: float) -> gd.Result:
    return gd.simulate(dry_four_bar(clearance), 0.03, sample=0.01)


def fail(time: float) -> gd.Result:
    return gd.simulate(trolley(1.0, loads={"push": gd.Force("trolley", (f"1/({time}-t)**2", 0, 0))}), 1.0, sample=0.1)


@pytest.fixture(scope="module")
def pool():
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("fork")) as started:
        yield started


def test_a_pool_that_returns_results(pool):
    clearances = [5e-5, 2e-4]
    for clearance, found in zip(clearances, pool.map(run, clearances), strict=True):
        expected = run(clearance)
        assert found.data.equals(expected.data)
        assert found.events.equals(expected.events) and len(found.events) == len(expected.events)
        assert found.state() == expected.state()


def test_errors_arrive_with_what_they_hold(pool):
    with pytest.raises(gd.SimulationError) as there:
        pool.submit(fail, 0.5).result()
    with pytest.raises(gd.SimulationError) as here:
        fail(0.5)
    arrived, raised = there.value, here.value
    assert str(arrived) == str(raised)
    assert (arrived.owner, arrived.time, arrived.step) == ("push", raised.time, raised.step)
    assert arrived.result is not None and raised.result is not None
    assert arrived.result.data.equals(raised.result.data)


def test_other_errors_are_pickled():
    again = pickle.loads(pickle.dumps(gd.SimulationInterrupted("stopped", result=[1.0])))
    assert type(again) is gd.SimulationInterrupted and str(again) == "stopped" and again.result == [1.0]
    refused = pickle.loads(pickle.dumps(gd.ModelError("Body: mass is -1 kg")))
    assert type(refused) is gd.ModelError and str(refused) == "Body: mass is -1 kg"
    no_file = pickle.loads(pickle.dumps(gd.FileError("load: there is no file 'x'", 2)))
    assert str(no_file) == "load: there is no file 'x'" and no_file.errno == 2
