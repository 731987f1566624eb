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


@pytest.mark.parametrize(("joint", "error"), [("dry", 5e-8), ("bushing", 1e-7), ("lubricated", 1e-6)])
def test_motion(joint, error):
    samples = np.array(REFERENCE[joint]["samples"])
    result = gd.simulate(four_bar(joint), samples[-1, 0], sample=samples[:, 0], solver=ACCURATE)
    position = result.data.position.sel(body="rocker").values
    stroke = np.linalg.norm(np.ptp(samples[:, 1:4], axis=0))
    assert np.abs(position - samples[:, 1:4]).max() < error * stroke
