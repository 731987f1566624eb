"""Assembly: against adding element matrices one by one, under renumbering and motion, totals, speed."""

from __future__ import annotations

import time

import numpy as np
import pytest
from plane_bodies import SLIDER, UNIT, annulus, distorted, turned

from gudgeon import fem
from gudgeon.fem import Mesh, assembly, element

MESHES = {
    "one": Mesh.rectangle(1.0, 1.0, 1, 1),
    "row": Mesh.rectangle(5.0, 1.0, 7, 1),
    "distorted": distorted(2.0, 1.0, 5, 4),
    "ring": annulus(),
}
every_mesh = pytest.mark.parametrize("mesh", MESHES.values(), ids=MESHES.keys())


def added_one_by_one(mesh, matrices, per_node):
    out = np.zeros((per_node * mesh.node_count,) * 2)
    for quad, matrix in zip(mesh.quads, matrices, strict=True):
        at = (per_node * quad[:, None] + np.arange(per_node)).ravel()
        out[np.ix_(at, at)] += matrix
    return out


@every_mesh
def test_values(mesh):
    stiffness = added_one_by_one(mesh, element.stiffness(mesh, SLIDER), 2)
    assert assembly.stiffness(mesh, SLIDER).toarray() == pytest.approx(stiffness, rel=1e-13, abs=1e-10)
    mass = added_one_by_one(mesh, element.mass(mesh, SLIDER), 1)
    assert assembly.mass(mesh, SLIDER).toarray() == pytest.approx(np.kron(mass, np.eye(2)), rel=1e-13, abs=1e-15)
    assert assembly.lumped_mass(mesh, SLIDER) == pytest.approx(mass.sum(axis=1), rel=1e-13)


@every_mesh
def test_pattern(mesh):
    """Canonical compressed columns: sorted, without duplicates, each pair of nodes of an element exactly once."""
    matrix = assembly.stiffness(mesh, SLIDER)
    assert (matrix != matrix.T).nnz == 0  # symmetric to the last digit
    pairs = {(int(a), int(b)) for quad in mesh.quads for a in quad for b in quad}
    assert matrix.nnz == 4 * len(pairs)
    for start, end in zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True):
        assert (np.diff(matrix.indices[start:end]) > 0).all()
    matrix.has_canonical_format = False
    again = matrix.copy()
    again.sum_duplicates()
    assert again.nnz == matrix.nnz


def test_a_node_of_many_elements():
    """Elements around a hub: a column much longer than the nine neighbours of a regular mesh."""
    count = 40
    angle = np.pi * np.arange(2 * count) / count
    rim = np.stack((np.cos(angle), np.sin(angle)), axis=1)
    k = 2 * np.arange(count)
    quads = np.stack((np.zeros_like(k), k + 1, k + 2, (k + 2) % (2 * count) + 1), axis=1)
    mesh = Mesh(nodes=[(0.0, 0.0), *rim], quads=quads)
    matrix = assembly.stiffness(mesh, UNIT)
    assert matrix.toarray() == pytest.approx(added_one_by_one(mesh, element.stiffness(mesh, UNIT), 2), abs=1e-12)
    assert matrix[:, [0]].nnz == 2 * (2 * count + 1)


@every_mesh
def test_renumbering_permutes_the_matrices(mesh):
    rng = np.random.default_rng(3)
    new = rng.permutation(mesh.node_count)  # new number of each node
    nodes = np.empty_like(mesh.nodes)
    nodes[new] = mesh.nodes
    other = Mesh(nodes=nodes, quads=new[mesh.quads][rng.permutation(mesh.element_count)])
    at = (2 * new[:, None] + [0, 1]).ravel()
    for assemble in (assembly.stiffness, assembly.mass):
        there = assemble(other, SLIDER).toarray()[np.ix_(at, at)]
        assert there == pytest.approx(assemble(mesh, SLIDER).toarray(), rel=1e-12, abs=1e-10)


@every_mesh
def test_motion_turns_the_stiffness_and_keeps_the_mass(mesh):
    moved = Mesh(nodes=turned(mesh.nodes, 0.7, (3.0, -2.0)), quads=mesh.quads)
    turn = np.kron(np.eye(mesh.node_count), turned(np.eye(2), 0.7).T)
    stiffness = turn @ assembly.stiffness(mesh, SLIDER).toarray() @ turn.T
    assert assembly.stiffness(moved, SLIDER).toarray() == pytest.approx(stiffness, abs=1e-8)
    assert assembly.mass(moved, SLIDER).toarray() == pytest.approx(assembly.mass(mesh, SLIDER).toarray(), abs=1e-12)


@every_mesh
def test_totals(mesh):
    """Mass, centre of mass and moment of inertia about it, ρ ∫ r² dA, the last exact for the consistent mass."""
    model = fem.PlaneModel(mesh=mesh, material=SLIDER, mass="consistent")
    total = SLIDER.density * mesh.areas.sum()
    assert model.total_mass == pytest.approx(total, rel=1e-13)
    inertia = model.rigid_motions.T @ (model.M @ model.rigid_motions)
    assert inertia[:2, :2] == pytest.approx(total * np.eye(2), abs=1e-12)
    assert np.abs(inertia[2, :2]).max() < 1e-12  # about the centre of mass


def test_moment_of_inertia():
    """Consistent: m (a² + b²)/12 exactly. Lumped: more, by the elements' own spread, of second order in their size."""
    exact = 0.1 * (0.6**2 + 0.5**2) / 12
    errors = []
    for n in (1, 2, 4, 8):
        mesh = Mesh.rectangle(0.6, 0.5, n, n)
        for mass in ("consistent", "lumped"):
            model = fem.PlaneModel(mesh=mesh, material=SLIDER, mass=mass)
            turn = model.rigid_motions[:, 2]
            inertia = turn @ (model.M @ turn)
            if mass == "consistent":
                assert inertia == pytest.approx(exact, rel=1e-12)
            else:
                errors.append(inertia - exact)
    assert errors == pytest.approx([2.0 * exact / n**2 for n in (1, 2, 4, 8)], rel=1e-9)


def test_ten_thousand_elements_assemble_in_under_a_second():
    """Pattern, K and M (issue 5); measured 0.03 s on a quiet core."""
    mesh = Mesh.rectangle(1.0, 1.0, 100, 100)
    small = fem.PlaneModel(mesh=Mesh.rectangle(1.0, 1.0, 1, 1), material=UNIT, mass="consistent")
    assert small.K.nnz and small.M.nnz  # compiled
    began = time.perf_counter()
    model = fem.PlaneModel(mesh=mesh, material=UNIT, mass="consistent")
    assert model.K.nnz == model.M.nnz
    assert time.perf_counter() - began < 1.0
