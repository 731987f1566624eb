"""Loads: resultants, moments and work."""

from __future__ import annotations

import numpy as np
import pytest
from plane_bodies import SLIDER, annulus, distorted, slider

from gudgeon import fem
from gudgeon.fem import Material, Mesh, PlaneModel

THICK = Material(youngs_modulus=1.0, poissons_ratio=0.3, density=2.0, thickness=0.25)


def test_weight():
    """m g in total, through the centre of mass, whichever the form of the mass matrix."""
    for mass in ("lumped", "consistent"):
        model = PlaneModel(mesh=distorted(2.0, 1.0, 5, 4), material=THICK, mass=mass)
        forces = fem.gravity(model, (0.0, -9.81))
        assert forces.sum(axis=0) == pytest.approx([0.0, -9.81], rel=1e-12)  # 2 kg/m³ · 2 m² · ¼ m = 1 kg
        assert (model.mesh.nodes[:, 0] * forces[:, 1]).sum() == pytest.approx(-9.81 * 1.0, rel=1e-12)
        acceleration = np.tile((0.0, -9.81), model.mesh.node_count)
        assert (model.M @ acceleration).reshape(-1, 2) == pytest.approx(forces, abs=1e-12)
        assert fem.body_force(model, (0.0, -9.81 * 2.0)) == pytest.approx(forces, abs=1e-12)


def test_linear_body_force():
    """∫ x dA and ∫ x² dA of a 2 × 1 rectangle, 2 and 8/3, on a distorted mesh."""
    model = PlaneModel(mesh=distorted(2.0, 1.0, 5, 4), material=THICK)
    forces = fem.body_force(model, lambda x, y: (x, 1.0))
    assert forces.sum(axis=0) == pytest.approx(0.25 * np.array([2.0, 2.0]), rel=1e-12)
    assert forces[:, 0] @ model.mesh.nodes[:, 0] == pytest.approx(0.25 * 8 / 3, rel=1e-12)


def test_pressure_on_a_closed_boundary_has_no_resultant():
    """Archimedes: a linear pressure on the outside lifts by the displaced area."""
    for mesh in (annulus(), distorted(2.0, 1.0, 5, 4)):
        model = PlaneModel(mesh=mesh, material=THICK)
        total = np.zeros((mesh.node_count, 2))
        for a, b in mesh.boundary_edges:
            along = mesh.nodes[b] - mesh.nodes[a]
            x, y = np.array([along[1], -along[0]]) / np.linalg.norm(along)  # outward
            total += fem.edge_load(model, [(a, b)], lambda _, height, x=x, y=y: (height * x, height * y))
        assert total.sum(axis=0) == pytest.approx([0.0, 0.25 * mesh.areas.sum()], abs=1e-12)


def test_parabolic_traction_is_exact():
    """∫ N_a (1 − s²) ds on one side of length 2: 2/3 each; weighted by s it vanishes."""
    model = PlaneModel(mesh=Mesh.rectangle(1.0, 2.0, 1, 1, origin=(0.0, -1.0)), material=SLIDER)
    forces = fem.edge_load(model, [(3, 1)], lambda x, y: (1 - y**2, 0.0))
    assert forces[[1, 3], 0] == pytest.approx([2 / 3, 2 / 3], rel=1e-14)


def test_loads_add_up():
    model = slider()
    both = fem.point_load(model, node=0, force=(1.0, 2.0)) + fem.gravity(model, (0.0, -9.81))
    assert both.sum(axis=0) == pytest.approx([1.0, 2.0 - 0.981], rel=1e-12)
