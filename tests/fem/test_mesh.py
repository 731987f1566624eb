"""Meshes: the numbering of the seed, boundary, corners, surfaces, quality, data that compares and pickles."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from hypothesis import given
from plane_bodies import annulus, distorted, quads, turned

from gudgeon.fem import Mesh


def test_published_numbering():
    """docs/sliders.md: 5×5 elements with corners 1, 6, 31, 36 (figure 7); 2×2 with 5 amid and 7, 8, 9 below."""
    oscillator = Mesh.rectangle(0.6, 0.5, 5, 5)
    assert (oscillator.corners() + 1).tolist() == [1, 6, 31, 36]
    assert (oscillator.surface("upper") + 1).tolist() == [1, 2, 3, 4, 5, 6]
    assert (oscillator.surface("lower") + 1).tolist() == [31, 32, 33, 34, 35, 36]
    four = Mesh.rectangle(0.5, 0.3, 2, 2, origin=(-0.25, -0.15))
    assert np.allclose(four.nodes[5 - 1], 0.0)
    assert (four.surface("upper") + 1).tolist() == [1, 2, 3]
    assert (four.surface("lower") + 1).tolist() == [7, 8, 9]
    eight = Mesh.rectangle(0.5, 0.3, 4, 2, origin=(-0.25, -0.15))
    assert np.allclose(eight.nodes[8 - 1], 0.0)
    assert (eight.corners() + 1).tolist() == [1, 5, 11, 15]


def test_rectangle():
    mesh = Mesh.rectangle(3.0, 2.0, 6, 4, origin=(1.0, -1.0))
    assert (mesh.node_count, mesh.element_count) == (35, 24)
    assert mesh.nodes[0].tolist() == [1.0, 1.0]  # top left
    assert mesh.nodes[-1].tolist() == [4.0, -1.0]  # bottom right
    assert np.allclose(mesh.areas, 0.25)
    assert np.allclose(mesh.scaled_jacobian, 1.0)
    assert np.allclose(mesh.aspect_ratio, 1.0)
    assert np.allclose(mesh.nodes[mesh.quads].mean(axis=1)[0], (1.25, 0.75))  # the first element is at the top left
    assert mesh.surface("left").tolist() == [28, 21, 14, 7, 0]
    assert mesh.surface("right").tolist() == [34, 27, 20, 13, 6]


@pytest.mark.parametrize("mesh", [Mesh.rectangle(2.0, 1.0, 5, 3), distorted(2.0, 1.0, 6, 4), annulus()])
def test_boundary_keeps_the_material_on_its_left(mesh):
    """½ ∮ (x dy − y dx) along the boundary is the area (Green)."""
    start, end = mesh.nodes[mesh.boundary_edges].transpose(1, 0, 2)
    assert 0.5 * np.sum(start[:, 0] * end[:, 1] - start[:, 1] * end[:, 0]) == pytest.approx(mesh.areas.sum(), rel=1e-12)
    assert np.array_equal(np.unique(mesh.boundary_edges[:, 0]), np.unique(mesh.boundary_edges[:, 1]))
    assert len(mesh.boundary_nodes) == len(mesh.boundary_edges)  # closed loops


def test_corners_and_holes():
    ring = annulus(12)  # turns by 30° at every node
    assert len(ring.corners(angle=0.5)) == 24
    assert len(ring.corners(angle=0.6)) == 0
    assert len(ring.boundary_edges) == 24
    assert len(Mesh.rectangle(1.0, 1.0, 3, 3).corners()) == 4


def test_surface_within_a_distance():
    """A crowned top: nodes lie up to 1 mm below its highest point."""
    flat = Mesh.rectangle(1.0, 0.5, 4, 2)
    nodes = flat.nodes.copy()
    nodes[:5, 1] -= 0.004 * (nodes[:5, 0] - 0.5) ** 2
    crowned = replace(flat, nodes=nodes)
    assert crowned.surface("upper").tolist() == [2]
    assert crowned.surface("upper", within=0.001).tolist() == [0, 1, 2, 3, 4]
    assert crowned.surface("lower").tolist() == [10, 11, 12, 13, 14]


@given(quads())
def test_quality(mesh):
    assert 0.0 < mesh.scaled_jacobian[0] <= 1.0 + 1e-12
    assert mesh.aspect_ratio[0] >= 1.0
    assert mesh.boundary_nodes.tolist() == [0, 1, 2, 3]
    again = Mesh(nodes=3.0 * turned(mesh.nodes, 1.0), quads=np.roll(mesh.quads, 1, axis=1))
    assert again.scaled_jacobian == pytest.approx(mesh.scaled_jacobian, rel=1e-9)
    assert again.areas == pytest.approx(9.0 * mesh.areas, rel=1e-9)


def test_a_mesh_is_data():
    mesh = Mesh.rectangle(1.0, 1.0, 2, 2)
    same, other = Mesh.rectangle(1.0, 1.0, 2, 2), Mesh.rectangle(1.0, 1.1, 2, 2)
    assert mesh == same and hash(mesh) == hash(same) and mesh != other
    assert pickle.loads(pickle.dumps(mesh)) == mesh
    assert repr(mesh) == "Mesh(9 nodes, 4 elements, x 0…1 m, y 0…1 m)"
    with pytest.raises(ValueError, match="read-only"):
        mesh.nodes[0] = 1.0
    with pytest.raises(FrozenInstanceError):
        mesh.nodes = other.nodes


def test_input_is_copied():
    nodes = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
    mesh = Mesh(nodes=nodes, quads=[(0, 1, 2, 3)])
    nodes[0] = 9.0
    assert mesh.nodes[0].tolist() == [0.0, 0.0]


def test_describing_a_body_is_light():
    code = "import sys; from gudgeon import fem; fem.Rayleigh(mass=1.0); print({'numba', 'scipy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
