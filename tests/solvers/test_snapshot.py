"""A snapshot has every array in which a run remembers, as it was, and none that belongs to the run."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.solvers import run
from gudgeon.solvers.memory import SAMPLES, every_array
from gudgeon.solvers.snapshot import snapshot
from real_joints import EVERY_MODEL, two_bodies

CASES = {
    "ideal": (gd.examples.spatial_four_bar(), gd.Explicit(), "absolute"),
    "ideal, relative": (gd.examples.spatial_four_bar(), gd.Explicit(), "relative"),
    "dry": (gd.examples.spatial_four_bar("dry"), gd.Implicit(), "absolute"),
    "bristles": (two_bodies(EVERY_MODEL["LuGre"]), gd.Implicit(stages=5), "relative"),
    "flexible": (gd.examples.slider_crank_flexible_slider(4), gd.TimeStepping(step=2.0**-8), "absolute"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_snapshot_is_every_array_one_by_one(case, monkeypatch):
    """What is copied at once is what `every_array` finds; the run goes on and the snapshot does not change."""
    system, solver, coordinates = CASES[case]
    taken = []

    def both(flight, method, equations):
        one_by_one = {name: array.copy() for name, array in every_array(flight, method, equations).items()}
        at_once = snapshot(flight, method, equations)
        taken.append((one_by_one, at_once, every_array(flight, method, equations)))
        return at_once

    monkeypatch.setattr(run, "snapshot", both)
    result = gd.simulate(system, 0.02, solver=solver, coordinates=coordinates, sample=1e-3)
    (one_by_one, at_once, of_the_run), arrays = taken[0], result.state().memory.arrays
    again = pickle.loads(pickle.dumps(at_once)).arrays()
    assert set(arrays) == set(again) == {*one_by_one, SAMPLES}
    for name, array in one_by_one.items():
        assert arrays[name].dtype == array.dtype, name
        assert np.array_equal(arrays[name], array, equal_nan=True), name
        assert np.array_equal(again[name], array, equal_nan=True), name
    assert not np.array_equal(of_the_run["flight.y"], one_by_one["flight.y"])  # the run has gone on
    assert arrays[SAMPLES][-1] == 0.02


def test_arrays_of_a_snapshot_belong_to_who_asks():
    """One state can be changed without another."""
    result = gd.simulate(gd.examples.spatial_four_bar(), 0.02)
    result.state().memory.arrays["flight.y"][:] = 0.0
    assert np.any(result.state().memory.arrays["flight.y"] != 0.0)
