"""Slider-crank with a driven crank: motion, energy and guide force in closed form (tests/closed_forms.py)."""

import numpy as np
import pytest

import gudgeon as gd
from closed_forms import slider_crank
from closed_forms import slider_crank_motion as closed_form

TIMES = np.linspace(0.0, 2.0, 401)  # [s]


@pytest.fixture(scope="module")
def run():
    solver = gd.Explicit(rtol=1e-10, atol=1e-12)
    return gd.simulate(slider_crank(), TIMES[-1], solver=solver, sample=TIMES).data


def test_nothing_is_left_free():
    assembly = gd.assemble(slider_crank())
    assert (assembly.degrees_of_freedom, assembly.redundant_rows) == (0, 3)


def test_crank_follows_the_drive(run):
    a, da, *_ = closed_form(TIMES)
    half_turn = run["orientation"].sel(body="crank").values
    found = np.unwrap(2 * np.arctan2(half_turn[:, 3], half_turn[:, 0]))
    assert found == pytest.approx(a, abs=1e-8)
    assert run["angular_velocity"].sel(body="crank").values[:, 2] == pytest.approx(da, abs=1e-7)


def test_slider_moves_as_the_closed_form(run):
    _, _, x, dx, ddx, *_ = closed_form(TIMES)
    assert run["position"].sel(body="slider").values[:, 0] == pytest.approx(x, abs=5e-9)
    assert run["velocity"].sel(body="slider").values[:, 0] == pytest.approx(dx, abs=5e-8)
    assert run["acceleration"].sel(body="slider").values[:, 0] == pytest.approx(ddx, abs=1e-6)


def test_energy_and_guide_force(run):
    *_, kinetic, potential, guide, _ = closed_form(TIMES)
    assert run["kinetic_energy"].values == pytest.approx(kinetic, abs=5e-8)
    gain = run["potential_energy"].values - run["potential_energy"].values[0]
    assert gain == pytest.approx(potential, abs=1e-8)
    force = run["reaction_force"].sel(joint="guide").values
    assert force[:, 1] == pytest.approx(guide, abs=1e-6)
    assert np.abs(force[:, [0, 2]]).max() < 1e-8
