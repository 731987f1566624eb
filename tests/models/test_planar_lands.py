"""Planar journals whose lands are not all of them about the joint's point: as the spatial ones, moments included."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import gudgeon as gd
from journal_cranks import REVOLUTION, journal, lost, slider_crank
from lubricated_cranks import SHORT, TURN, crank

EXACT = gd.Implicit(rtol=1e-9, atol=1e-12)
LANDS = {
    "lands on the pin": {"lands_on": "pin"},
    "a pin that ends inside": {"pin_length": 0.010},
    "a short bore": {"lands_on": "pin", "bore_length": 0.012},
    "one land aside": {"length": None, "lands": ((0.010, 0.030),)},
    "two lands": {"length": None, "lands": ((-0.010, 0.0), (0.010, 0.030))},
}


@pytest.mark.parametrize("name", LANDS)
def test_dry_lands(name):
    """The first contact and what follows."""
    model = journal(5e-4, 0.1)
    planar, spatial = (
        gd.simulate(
            slider_crank(replace(model, planar=planar, **LANDS[name])), 0.03 * REVOLUTION, sample=2e-6, solver=EXACT
        )
        for planar in (True, False)
    )
    assert lost(spatial)[-1] > 0.01
    assert lost(planar) == pytest.approx(lost(spatial), rel=1e-6, abs=1e-7)
    for what, axes in (("reaction_force", ["x", "y"]), ("reaction_torque", ["x", "y", "z"])):  # a Revolute takes z
        one, other = (run.data[what].sel(joint="gudgeon", axis=axes).values for run in (planar, spatial))
        np.testing.assert_allclose(one, other, atol=2e-4 * np.abs(other).max(), rtol=0.0)
    tilting = np.abs(spatial.data.reaction_torque.sel(joint="gudgeon", axis=["x", "y"])).max().item()
    assert (tilting > 1.0) is (name in ("one land aside", "two lands"))


def test_a_film_aside():
    """Its force acts in the middle of its land, 20 mm from the joint's point."""
    aside = replace(SHORT, length=None, lands=((0.010, 0.030),))
    planar, spatial = (
        gd.simulate(crank(replace(aside, planar=planar)), 0.2 * TURN, sample=TURN / 200, solver=EXACT).data
        for planar in (True, False)
    )
    for what in ("reaction_force", "reaction_torque"):
        expected = spatial[what].values
        np.testing.assert_allclose(planar[what].values, expected, atol=1e-5 * np.abs(expected).max(), rtol=0.0)
    force, torque = (planar[what].sel(joint="pin").values for what in ("reaction_force", "reaction_torque"))
    assert torque[:, 0] == pytest.approx(-0.02 * force[:, 1], abs=1e-4 * np.abs(torque).max())
    assert torque[:, 1] == pytest.approx(0.02 * force[:, 0], abs=1e-4 * np.abs(torque).max())
