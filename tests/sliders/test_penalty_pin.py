"""Pins of springs (eq 4 of the paper of docs/sliders.md) against ideal pins."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

import gudgeon as gd
from mechanisms import double_pendulum

ROD = (0.01, 0.1, 0.1)  # [kg·m²]
TIMES = np.linspace(0.1, 1.0, 10)
SOLVERS = [gd.TimeStepping(step=2e-4), gd.Explicit(rtol=1e-9, atol=1e-11)]


@lru_cache
def ideal() -> gd.Result:
    return gd.simulate(double_pendulum(gd.Ideal()), 1.0, solver=gd.Explicit(rtol=1e-11, atol=1e-13), sample=TIMES)


@pytest.mark.parametrize("solver", SOLVERS, ids=["TimeStepping", "Explicit"])
def test_a_stiff_pin_is_an_ideal_one(solver):
    """The motion differs by O(1/k)."""
    errors = []
    for stiffness in (1e4, 1e5, 1e6):
        result = gd.simulate(double_pendulum(gd.PenaltyPin(stiffness=stiffness)), 1.0, solver=solver, sample=TIMES)
        errors.append(np.abs(result.data.position.values - ideal().data.position.values).max())
    assert errors[0] < 1e-2
    assert np.array(errors[:-1]) / errors[1:] == pytest.approx([10.0, 10.0], rel=0.1)


@pytest.mark.parametrize("solver", SOLVERS, ids=["TimeStepping", "Explicit"])
def test_gap_and_force(solver):
    """F = k gap; it is what an ideal pin carries, up to ringing; and the reaction of the joint."""
    stiffness = 1e5
    data = gd.simulate(double_pendulum(gd.PenaltyPin(stiffness=stiffness)), 1.0, solver=solver, sample=TIMES).data
    gap, force = data.pin_gap.sel(pin="pin").values, data.pin_force.sel(pin="pin").values
    assert force == pytest.approx(-stiffness * gap, abs=0.2)  # N; forces of TimeStepping are means of half a step
    size = np.linalg.norm(force, axis=1)
    reaction = np.linalg.norm(data.reaction_force.sel(joint="pin").values, axis=1)
    assert size == pytest.approx(reaction, rel=1e-9)
    expected = np.linalg.norm(ideal().data.reaction_force.sel(joint="pin").values, axis=1)
    assert np.abs(size - expected).max() < 1.0
    assert expected.max() > 30.0  # N


def test_solvers_agree():
    system = double_pendulum(gd.PenaltyPin(stiffness=1e5))
    one, other = (gd.simulate(system, 1.0, solver=solver, sample=TIMES).data.position.values for solver in SOLVERS)
    assert one == pytest.approx(other, abs=1e-5)


def test_no_support_along_the_axis():
    """Eq (4) acts in the plane: a push along the axis of the pin accelerates the rod freely."""
    system = double_pendulum(gd.PenaltyPin(stiffness=1e5)).replace(
        gravity=(0.0, 0.0, 0.0), loads={"push": gd.Force("lower", (0.0, 0.0, 2.0))}
    )
    z = gd.simulate(system, 0.5, sample=[0.5]).data.position.sel(body="lower", axis="z").values[0]
    assert z == pytest.approx(0.5 * 2.0 * 0.5**2, rel=1e-9)
