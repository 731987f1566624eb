"""The spatial four-bar with a real spherical joint (Silva, Marques, Silva, Flores) against an independent formulation.

The reference (references/spatial_four_bar_real.json) was computed in tree coordinates, without constraints, by other
integrators: see reference_spherical_joint.py.
"""

import dataclasses

import numpy as np
import pytest

import gudgeon as gd
import reference_spherical_joint as tree
from references import load

REFERENCE = load("spatial_four_bar_real")["reference"]
ACCURATE = gd.Implicit(rtol=1e-9, atol=1e-12)


def four_bar(joint: str) -> gd.System:
    """The mechanism with bodies placed exactly where the reference starts, not as the tables round it."""
    _, *p, phi, _, _, _, _, _ = tree.start()
    ball = tree.D + tree.ROCKER * np.array([np.sin(phi), 0.0, np.cos(phi)])
    y = (tree.D - ball) / tree.ROCKER  # the rocker's y axis
    q = np.array([1.0 + y[1], y[2], 0.0, -y[0]])
    place = {
        "crank": ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)),
        "coupler": (0.5 * (tree.B_START + ball), p),
        "rocker": (0.5 * (tree.D + ball), q / np.linalg.norm(q)),
    }
    system = gd.examples.spatial_four_bar(joint)
    bodies = {
        name: dataclasses.replace(body, position=place[name][0], orientation=place[name][1])
        for name, body in system.bodies.items()
    }
    return system.replace(bodies=bodies)


def test_start_is_the_reference_start():
    start = gd.assemble(four_bar("dry")).system.start["rocker"]
    assert start.position == pytest.approx(REFERENCE["dry"]["samples"][0][1:4], abs=1e-15)


@pytest.mark.parametrize(("joint", "error"), [("dry", 1e-7), ("bushing", 1e-7), ("lubricated", 1e-6)])
def test_motion(joint, error, coordinates):
    samples = np.array(REFERENCE[joint]["samples"])
    result = gd.simulate(four_bar(joint), samples[-1, 0], sample=samples[:, 0], solver=ACCURATE)
    position = result.data.position.sel(body="rocker").values
    stroke = np.linalg.norm(np.ptp(samples[:, 1:4], axis=0))
    assert np.abs(position - samples[:, 1:4]).max() < (error if coordinates == "absolute" else 2.0 * error) * stroke


@pytest.mark.parametrize(("joint", "error"), [("dry", 1e-6), ("bushing", 1e-4), ("lubricated", 1e-4)])
def test_energy_lost(joint, error):
    table = np.array(REFERENCE[joint]["energy"])
    lost_and_not_stored = table[:, 1] - table[:, 2]
    times = np.append(0.0, table[:, 0])
    data = gd.simulate(four_bar(joint), times[-1], sample=times, solver=ACCURATE).data
    energy = data.mechanical_energy.values
    assert energy[0] - energy[1:] == pytest.approx(lost_and_not_stored, rel=error)
    assert data.dissipated_energy.sel(joint="C").values[1:] == pytest.approx(lost_and_not_stored, rel=error)
    assert data.stored_energy.sel(joint="C").values[1:] == pytest.approx(table[:, 2], rel=1e-2, abs=1e-10)


@pytest.mark.parametrize("joint", ["dry", "frictionless"])
def test_first_impacts(joint):
    impacts = np.array(REFERENCE[joint]["impacts"])[:5]
    events = gd.simulate(four_bar(joint), 0.025, solver=gd.Explicit(rtol=1e-12, atol=1e-14)).events
    assert events.begin.values[:5] == pytest.approx(impacts[:, 0], abs=1e-11)
    assert events.impact_speed.values[:5] == pytest.approx(impacts[:, 1], rel=1e-9)


def test_all_solvers_find_the_first_impacts_and_the_same_loss():
    """To 1e-9 s, and to 1e-4 of the energy lost."""
    impacts = np.array(REFERENCE["dry"]["impacts"])
    solvers = [
        gd.Implicit(rtol=1e-12, atol=1e-15, stages=5),
        gd.Explicit(rtol=1e-10, atol=1e-12),
        gd.Sundials(rtol=1e-12, atol=1e-15, method="BDF"),
    ]
    lost = []
    for solver in solvers:
        result = gd.simulate(four_bar("dry"), 0.3, sample=0.3, solver=solver)
        assert result.events.begin.values[:3] == pytest.approx(impacts[:3, 0], abs=1e-9)
        assert len(result.events) == len(impacts)
        lost.append(float(result.data.dissipated_energy.sel(joint="C")[-1]))
    assert lost == pytest.approx([lost[0]] * 3, rel=1e-4)


def test_dry_friction_is_robust_to_the_tolerance():
    """By default the error is below 1e-6 of the stroke."""
    samples = np.array(REFERENCE["dry"]["samples"])
    result = gd.simulate(four_bar("dry"), 2.0, sample=samples[:, 0])
    assert result.stats["solver"] == "Implicit"
    stroke = np.linalg.norm(np.ptp(samples[:, 1:4], axis=0))
    assert np.abs(result.data.position.sel(body="rocker").values - samples[:, 1:4]).max() < 1e-6 * stroke


def test_largest_film_eccentricity():
    expected = REFERENCE["lubricated"]["largest_eccentricity"]
    data = gd.simulate(four_bar("lubricated"), 0.8, sample=1e-4, solver=ACCURATE).data
    assert float(data.eccentricity_length.sel(joint="C").max()) == pytest.approx(expected, rel=1e-4)
