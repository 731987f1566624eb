"""Implicit with many real joints: sparse algebra in their forces against dense algebra."""

from __future__ import annotations

import pytest

import gudgeon as gd
from gudgeon.mechanics import force_pattern
from random_mechanisms import MADE_TO_FIT
from real_joint_trees import real_joint_tree


@MADE_TO_FIT
@pytest.mark.parametrize("coordinates", ["absolute", "relative"])
@pytest.mark.parametrize("seed", range(5))
def test_as_with_all_forces_at_once(seed, coordinates, monkeypatch):
    """The same steps, to rounding, with a node for each joint and with one for all."""
    system = real_joint_tree(seed)
    results = []
    for few in (0, 100):
        monkeypatch.setattr(force_pattern, "FEW", few)
        solver = gd.Implicit(rtol=1e-3, atol=1e-6, first_step=1e-4, max_step=1e-4)
        results.append(gd.simulate(system, 2e-3, solver=solver, coordinates=coordinates, sample=5e-4))
    sparse, dense = results
    assert sparse.stats["steps"] == dense.stats["steps"]
    assert sparse.data.position.values == pytest.approx(dense.data.position.values, abs=1e-11)
    assert sparse.data.velocity.values == pytest.approx(dense.data.velocity.values, abs=1e-8)
