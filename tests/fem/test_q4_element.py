"""The element: the published stiffness, closed forms, quadrature, and properties of every valid quadrilateral."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plane_bodies import UNIT, materials, quads, turned

import references
from gudgeon.fem import Material, Mesh, element

REFERENCE = references.load("q4_elements")["reference"]


def test_published_stiffness():
    """The unit square of Andreassen et al. (2011), Struct. Multidisc. Optim. 43."""
    (matrix,) = element.stiffness(Mesh.rectangle(1.0, 1.0, 1, 1), UNIT)
    assert np.abs(matrix - REFERENCE["KE"]).max() < 1e-14


@given(materials(), st.floats(0.1, 10.0), st.floats(0.1, 10.0))
def test_closed_form_of_a_rectangle(material, length, height):
    """Bilinear functions are products, so ∫ ∂N/∂x ∂N/∂x dA and the like are products of integrals along x and y."""
    stiff, mass, mixed = np.array([[1, -1], [-1, 1]]), np.array([[2, 1], [1, 2]]) / 6, np.array([[-1, -1], [1, 1]]) / 2
    at = [(0, 0), (1, 0), (1, 1), (0, 1)]
    d, t = material.elasticity, material.thickness
    expected = np.zeros((8, 8))
    for a, (i, j) in enumerate(at):
        for b, (k, m) in enumerate(at):
            xx, yy = stiff[i, k] * mass[j, m] * height / length, mass[i, k] * stiff[j, m] * length / height
            xy, yx = mixed[i, k] * mixed[m, j], mixed[k, i] * mixed[j, m]  # ∫ ∂N_a/∂x ∂N_b/∂y, ∫ ∂N_a/∂y ∂N_b/∂x
            expected[2 * a : 2 * a + 2, 2 * b : 2 * b + 2] = [
                [d[0, 0] * xx + d[2, 2] * yy, d[0, 1] * xy + d[2, 2] * yx],
                [d[0, 1] * yx + d[2, 2] * xy, d[0, 0] * yy + d[2, 2] * xx],
            ]
    (matrix,) = element.stiffness(Mesh.rectangle(length, height, 1, 1), material)
    assert matrix == pytest.approx(t * expected, rel=1e-9, abs=1e-12 * np.abs(t * expected).max())


@given(quads(), materials())
def test_textbook_quadrature(mesh, material):
    """K = Σ Bᵀ D B t det J with B written out, Hughes (1987), section 3.10."""
    expected = np.zeros((8, 8))
    for point in element.GAUSS:
        _, slope = element.shape_functions(point)
        jacobian = mesh.nodes[mesh.quads[0]].T @ slope
        (x, y) = (slope @ np.linalg.inv(jacobian)).T
        b = np.zeros((3, 8))
        b[0, 0::2], b[1, 1::2], b[2, 0::2], b[2, 1::2] = x, y, y, x
        expected += b.T @ material.elasticity @ b * material.thickness * np.linalg.det(jacobian)
    (matrix,) = element.stiffness(mesh, material)
    assert matrix == pytest.approx(expected, rel=1e-9, abs=1e-11 * np.abs(expected).max())


@given(quads(), materials())
def test_stiffness_is_symmetric_and_has_three_motions_without_energy(mesh, material):
    (matrix,) = element.stiffness(mesh, material)
    assert np.array_equal(matrix, matrix.T)
    values = np.linalg.eigvalsh(matrix)
    assert np.abs(values[:3]).max() < 1e-12 * values[-1]
    assert values[3] > 1e-4 * values[-1]
    x, y = mesh.nodes.T
    x, y = x - x.mean(), y - y.mean()
    rigid = np.zeros((3, 4, 2))
    rigid[0, :, 0] = rigid[1, :, 1] = 1.0
    rigid[2, :, 0], rigid[2, :, 1] = -y, x
    rigid[2] /= np.abs(rigid[2]).max()
    assert np.abs(matrix @ rigid.reshape(3, 8).T).max() < 1e-11 * values[-1]


@given(quads(), materials(), st.floats(-np.pi, np.pi))
def test_turning_an_element_turns_its_stiffness(mesh, material, angle):
    """K' = T K Tᵀ; the size and the place do not matter in the plane, nor which node comes first."""
    (matrix,) = element.stiffness(mesh, material)
    moved = Mesh(nodes=7.0 * turned(mesh.nodes - mesh.nodes.mean(axis=0), angle), quads=mesh.quads)
    turn = np.kron(np.eye(4), turned(np.eye(2), angle).T)
    (other,) = element.stiffness(moved, material)
    assert other == pytest.approx(turn @ matrix @ turn.T, abs=1e-9 * np.abs(matrix).max())
    (rolled,) = element.stiffness(Mesh(nodes=mesh.nodes, quads=np.roll(mesh.quads, -1)), material)
    assert np.roll(rolled, (2, 2), (0, 1)) == pytest.approx(matrix, abs=1e-9 * np.abs(matrix).max())


def polygon_moments(points):
    """∫ 1, x, x² dA of a polygon by its corners (Steger 1996)."""
    (x, y), (p, q) = points.T, np.roll(points, -1, axis=0).T
    c = x * q - p * y
    return c.sum() / 2, (c * (x + p)).sum() / 6, (c * (x * x + x * p + p * p)).sum() / 12


@given(quads(), materials())
def test_mass(mesh, material):
    """Total, first and second moment: exact for the consistent mass, the first two for the lumped one."""
    nodes = mesh.nodes - mesh.nodes.mean(axis=0)
    centred = Mesh(nodes=nodes, quads=mesh.quads)
    (matrix,), (lumped,) = element.mass(centred, material), element.lumped_mass(centred, material)
    area, first, second = material.density * material.thickness * np.array(polygon_moments(nodes))
    x, one = nodes[:, 0], np.ones(4)
    size = np.abs(x).max()
    assert one @ matrix @ one == pytest.approx(area, rel=1e-11)
    assert one @ matrix @ x == pytest.approx(first, abs=1e-11 * area * size)
    assert x @ matrix @ x == pytest.approx(second, rel=1e-10)
    assert lumped == pytest.approx(matrix.sum(axis=1), rel=1e-12)
    assert lumped.min() > 0.0
    assert lumped.sum() == pytest.approx(area, rel=1e-11)
    assert lumped @ x == pytest.approx(first, abs=1e-11 * area * size)
    assert np.linalg.eigvalsh(matrix)[0] > 0.0


@given(st.floats(-1.0, 1.0), st.floats(-1.0, 1.0))
def test_shape_functions(xi, eta):
    """A partition of unity that interpolates bilinearly; slopes against differences."""
    point = np.array([xi, eta])
    shape, slope = element.shape_functions(point)
    assert shape.sum() == pytest.approx(1.0, abs=1e-15)
    assert shape @ element.CORNERS == pytest.approx(point, abs=1e-15)
    assert shape @ np.prod(element.CORNERS, axis=1) == pytest.approx(xi * eta, abs=1e-15)
    for i in (0, 1):
        step = 1e-6 * np.eye(2)[i]
        difference = element.shape_functions(point + step)[0] - element.shape_functions(point - step)[0]
        assert slope[:, i] == pytest.approx(difference / 2e-6, abs=1e-9)


@given(st.floats(1.0, 1e12), st.floats(-0.9, 0.45))
def test_elasticity_matrices(modulus, ratio):
    """D⁻¹ against Hooke's law in space with σ_zz = 0, and with ε_zz = 0. Timoshenko and Goodier (1970), eqs 3–6."""
    options = {"youngs_modulus": modulus, "poissons_ratio": ratio, "density": 1.0}
    flexibility = np.linalg.inv(Material(**options).elasticity) * modulus
    assert flexibility == pytest.approx(np.array([[1, -ratio, 0], [-ratio, 1, 0], [0, 0, 2 * (1 + ratio)]]), abs=1e-9)
    xx, yy = np.linalg.inv(Material(**options, plane="strain").elasticity)[:2, :2] @ (3.0, 5.0)
    zz = ratio * 8.0
    assert modulus * xx == pytest.approx(3.0 - ratio * (5.0 + zz), abs=1e-9)
    assert modulus * yy == pytest.approx(5.0 - ratio * (3.0 + zz), abs=1e-9)
