"""The ideal spatial four-bar against an independent differential-algebraic solution."""

import numpy as np
import pytest

import gudgeon as gd
from references import load

REFERENCE = load("spatial_four_bar_ideal")


@pytest.fixture(scope="module")
def result():
    times = np.array(REFERENCE["reference"]["samples"])[:, 0]
    solver = gd.Explicit(rtol=1e-10, atol=1e-12)
    return gd.simulate(gd.examples.spatial_four_bar(), 2.0, sample=times, solver=solver)


def test_follows_the_reference(result):
    """The tables are rounded to 1e-5 m, the reference is closed exactly: they differ by some micrometres."""
    expected = np.array(REFERENCE["reference"]["samples"])
    rocker = result.data.sel(body="rocker")
    assert np.abs(rocker.position.values - expected[:, 1:4]).max() < 1e-5
    assert np.abs(np.linalg.norm(rocker.velocity.values, axis=1) - expected[:, 4]).max() < 1e-4


def test_conserves_energy(result):
    energy = result.data.mechanical_energy.values
    assert np.abs(energy - energy[0]).max() < 1e-9 * result.data.kinetic_energy.values.max()


def test_coupler_does_not_spin(result):
    """Both balls sit on the coupler's axis and it starts from rest: no torque about that axis, ever."""
    coupler = result.data.sel(body="coupler")
    e0, e1, e2, e3 = coupler.orientation.values.T
    axis = np.column_stack([2 * (e1 * e2 - e0 * e3), e0**2 - e1**2 + e2**2 - e3**2, 2 * (e2 * e3 + e0 * e1)])
    assert np.abs(np.sum(axis * coupler.angular_velocity.values, axis=1)).max() < 1e-8


def test_has_two_freedoms_and_moves_by_micrometres_to_assemble(result):
    assert result.assembly.degrees_of_freedom == 2
    assert result.assembly.redundant_rows == 0
    assert max(distance for distance, _ in result.assembly.moved.values()) < 1e-5
