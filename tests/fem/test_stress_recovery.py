"""Recovery: exact for linear fields, extrapolation, von Mises against principal stresses, energy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plane_bodies import SLIDER, distorted, materials, order, slider

from gudgeon import fem
from gudgeon.fem import Material, Mesh, PlaneModel
from gudgeon.fem.element import GAUSS, shape_functions

component = st.floats(-1e3, 1e3)


@given(materials(), st.integers(0, 50))
def test_energy_of_elements_is_that_of_the_stiffness(material, seed):
    model = PlaneModel(mesh=distorted(1.0, 2.0, 3, 3, seed=seed), material=material)
    u = np.random.default_rng(seed).normal(size=model.unknown_count)
    energy = fem.strain_energy(model, u)
    assert energy.shape == (9,) and (energy >= 0.0).all()
    assert energy.sum() == pytest.approx(0.5 * u @ (model.K @ u), rel=1e-10)


def test_nodal_values_of_bilinear_fields_are_exact():
    """A field that is bilinear in a rectangle's own coordinates survives the way to the Gauss points and back."""
    model = slider(4, 3)
    x, y = model.mesh.nodes.T
    field = np.stack((1 + x, x * y), axis=1)
    shape, _ = shape_functions(GAUSS)
    at_gauss = np.einsum("ga,eai->egi", shape, field[model.mesh.quads])
    assert fem.nodal(model, at_gauss) == pytest.approx(field, abs=1e-13)
    assert fem.nodal(model, at_gauss[..., 0]) == pytest.approx(field[:, 0], abs=1e-13)


def test_nodal_stress_converges_with_order_two_inside():
    """u = sin x cosh y-like smooth field, interpolated: superconvergent points make the averaged stress of order 2."""
    errors, sizes = [], (8, 16, 32)
    for n in sizes:
        mesh = Mesh.rectangle(1.0, 1.0, n, n)
        model = PlaneModel(mesh=mesh, material=SLIDER)
        x, y = mesh.nodes.T
        u = np.stack((np.sin(2 * x) * y, np.cos(x) * y**2), axis=1)
        strain = np.stack(
            (2 * np.cos(2 * x) * y, 2 * np.cos(x) * y, np.sin(2 * x) - np.sin(x) * y**2), axis=1
        )  # ∂u/∂x, ∂v/∂y, ∂u/∂y + ∂v/∂x
        inside = np.setdiff1d(np.arange(mesh.node_count), mesh.boundary_nodes)
        found = fem.nodal(model, fem.stress(model, u))
        errors.append(np.abs(found - strain @ SLIDER.elasticity)[inside].max())
    assert order([1 / n for n in sizes], errors) == pytest.approx(2.0, abs=0.1)


@given(component, component, component, materials())
def test_von_mises(xx, yy, xy, material):
    """√(((σ₁ − σ₂)² + (σ₂ − σ₃)² + (σ₃ − σ₁)²)/2) of the principal stresses in space."""
    model = PlaneModel(mesh=Mesh.rectangle(1.0, 1.0, 1, 1), material=material)
    zz = material.poissons_ratio * (xx + yy) if material.plane == "strain" else 0.0
    a, b, c = np.linalg.eigvalsh([[xx, xy, 0.0], [xy, yy, 0.0], [0.0, 0.0, zz]])
    expected = np.sqrt(((a - b) ** 2 + (b - c) ** 2 + (c - a) ** 2) / 2)
    assert fem.von_mises(model, (xx, yy, xy)) == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_flat_and_paired_displacements_are_the_same():
    model = slider()
    u = np.random.default_rng(0).normal(size=(36, 2))
    assert np.array_equal(fem.strain(model, u), fem.strain(model, u.ravel()))


def test_bending_stress():
    """A cantilever of 32×8 elements: σ_x = 6 P (L − x)/h² at the surface (beam theory), in the middle to 2 %."""
    mesh = Mesh.rectangle(4.0, 1.0, 32, 8)
    material = Material(youngs_modulus=1e5, poissons_ratio=0.0, density=1.0)
    model = PlaneModel(mesh=mesh, material=material, fixed=dict.fromkeys(mesh.surface("left"), "xy"))
    end = mesh.surface("right")
    u = model.static(fem.edge_load(model, np.stack((end[:-1], end[1:]), axis=1), (0.0, -1.0)))
    top = mesh.surface("upper")[16]
    assert fem.nodal(model, fem.stress(model, u))[top, 0] == pytest.approx(6.0 * 2.0, rel=0.02)
