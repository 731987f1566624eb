"""Implicit with many real joints: sparse algebra in their forces against dense algebra."""

from __future__ import annotations

import pytest

import gudgeon as gd
from gudgeon.mechanics import force_pattern
from random_mechanisms import MADE_TO_FIT
from real_joint_trees import crowded_hub, real_joint_tree


@MADE_TO_FIT
@pytest.mark.parametrize("coordinates", ["absolute", "relative"])
@pytest.mark.parametrize("make", [real_joint_tree, crowded_hub])
@pytest.mark.parametrize("seed", range(4))
def test_as_with_all_forces_at_once(make, seed, coordinates, monkeypatch):
    """With a node for each joint as with one for all: the same steps, at the same cost, to the same motion."""
    system, results = make(seed), []
    for few in (0, 100):
        monkeypatch.setattr(force_pattern, "FEW", few)
        solver = gd.Implicit(rtol=1e-6, atol=1e-9)
        results.append(gd.simulate(system, 1e-3, solver=solver, coordinates=coordinates, sample=2e-4))
    sparse, dense = results
    assert sparse.stats["evaluations"] == pytest.approx(dense.stats["evaluations"], rel=0.01)
    assert sparse.data.position.values == pytest.approx(dense.data.position.values, abs=1e-12)
    assert sparse.data.velocity.values == pytest.approx(dense.data.velocity.values, abs=1e-9)
