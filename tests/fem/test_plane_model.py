"""Statics: patch tests, published problems, orders of convergence, supports and reactions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plane_bodies import SLIDER, annulus, distorted, materials, order, slider, turned

import references
from gudgeon import fem
from gudgeon.fem import Material, Mesh, PlaneModel

REFERENCE = references.load("q4_elements")["reference"]


def clamped(mesh, material=SLIDER, **options):
    return PlaneModel(mesh=mesh, material=material, fixed=dict.fromkeys(mesh.boundary_nodes, "xy"), **options)


def edges(nodes):
    return np.stack((nodes[:-1], nodes[1:]), axis=1)


def test_patch_of_macneal_and_harder():
    """MacNeal and Harder (1985), Finite Elem. Anal. Des. 1, figure 2: σ_x = σ_y = 1333, τ = 400."""
    nodes = [(0, 0), (0.24, 0), (0.24, 0.12), (0, 0.12), (0.04, 0.02), (0.18, 0.03), (0.16, 0.08), (0.08, 0.08)]
    quads = [(0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7), (4, 5, 6, 7)]
    mesh = Mesh(nodes=nodes, quads=quads)
    material = Material(youngs_modulus=1e6, poissons_ratio=0.25, density=1.0, thickness=0.001)
    model = clamped(mesh, material)
    x, y = mesh.nodes.T
    exact = 1e-3 * np.stack((x + y / 2, y + x / 2), axis=1)
    u = model.static(displacement=exact)
    assert u == pytest.approx(exact, abs=1e-16)
    assert fem.stress(model, u) == pytest.approx(np.broadcast_to([4000 / 3, 4000 / 3, 400.0], (5, 4, 3)), rel=1e-11)


@settings(max_examples=30)
@given(materials(), st.integers(0, 100), st.lists(st.floats(-1.0, 1.0), min_size=6, max_size=6))
def test_patch(material, seed, numbers):
    """A linear field at the boundary of a distorted mesh is reproduced inside, to 1e-12."""
    mesh = distorted(1.3, 0.7, 4, 4, seed=seed)
    field = np.array(numbers).reshape(3, 2)
    exact = field[0] + mesh.nodes @ field[1:]
    u = clamped(mesh, material).static(displacement=exact)
    assert np.abs(u - exact).max() < 1e-12
    strain = (field[1, 0], field[2, 1], field[2, 0] + field[1, 1])
    assert fem.strain(clamped(mesh, material), u) == pytest.approx(np.broadcast_to(strain, (16, 4, 3)), abs=1e-11)


def test_patch_in_tension():
    """The same with forces: a distorted bar under uniform traction, held without redundance, stretches uniformly."""
    mesh = distorted(2.0, 1.0, 5, 4)
    left, right = mesh.surface("left"), mesh.surface("right")
    model = PlaneModel(mesh=mesh, material=SLIDER, fixed={n: "xy" if n == left[0] else "x" for n in left})
    u = model.static(fem.edge_load(model, edges(right), (5.0, 0.0)))
    exact = mesh.nodes * (0.005, -0.3 * 0.005)
    assert u == pytest.approx(exact, abs=1e-14)
    assert fem.stress(model, u) == pytest.approx(np.broadcast_to([5.0, 0.0, 0.0], (20, 4, 3)), abs=1e-11)


CANTILEVER = {"length": 48.0, "depth": 12.0, "load": 1000.0}
BEAM = Material(youngs_modulus=3e7, poissons_ratio=0.3, density=1.0)


def cantilever(nx, ny):
    """Timoshenko's cantilever: x = 0 clamped, parabolic shear at the end."""
    length, depth, load = CANTILEVER.values()
    mesh = Mesh.rectangle(length, depth, nx, ny, origin=(0.0, -depth / 2))
    model = PlaneModel(mesh=mesh, material=BEAM, fixed=dict.fromkeys(mesh.surface("left"), "xy"))
    end = mesh.surface("right")
    shear = load / (2 * depth**3 / 12)
    forces = fem.edge_load(model, edges(end), lambda x, y: (0.0, shear * (depth**2 / 4 - y**2)))
    return model, end, forces


@pytest.mark.parametrize("size", REFERENCE["cantilever_q4_tip"])
def test_reference_cantilever(size):
    """The deflection at mid-depth of the end, to 1e-8 of the reference for the same element."""
    nx, ny = map(int, size.split("x"))
    model, end, forces = cantilever(nx, ny)
    assert forces.sum(axis=0) == pytest.approx([0.0, 1000.0], abs=1e-9)
    tip = model.static(forces)[end[len(end) // 2], 1]
    assert tip == pytest.approx(REFERENCE["cantilever_q4_tip"][size], rel=1e-8)


def test_cantilever_approaches_timoshenko():
    """0.0089 with a wall that lets the section warp; a wall that does not changes it by less than a thousandth."""
    model, end, forces = cantilever(128, 32)
    tip = model.static(forces)[end[16], 1]
    assert tip > max(REFERENCE["cantilever_q4_tip"].values())
    assert tip == pytest.approx(REFERENCE["cantilever_exact"], rel=1e-3)


def timoshenko(points):
    """Displacement and strain energy of the cantilever whose wall warps freely. Timoshenko and Goodier, section 21."""
    length, depth, load = CANTILEVER.values()
    modulus, ratio = BEAM.youngs_modulus, BEAM.poissons_ratio
    inertia, (x, y) = depth**3 / 12, points.T
    u = -y * ((6 * length - 3 * x) * x + (2 + ratio) * (y**2 - depth**2 / 4))
    v = 3 * ratio * y**2 * (length - x) + (4 + 5 * ratio) * depth**2 * x / 4 + (3 * length - x) * x**2
    energy = load**2 * length**3 / (6 * modulus * inertia)  # of σ_x = −P (L − x) y / I, half force times way
    energy += 0.6 * load**2 * length * 2 * (1 + ratio) / (modulus * depth)  # of the parabolic shear
    return load / (6 * modulus * inertia) * np.stack((u, v), axis=1), energy


def test_order_of_convergence():
    """Against the exact field, held at the wall: displacements of order 2 (L²), energy of order 2."""
    length, depth, load = CANTILEVER.values()
    sizes, errors, energy_errors = [], [], []
    for n in (4, 8, 16):
        mesh = Mesh.rectangle(length, depth, 4 * n, n, origin=(0.0, -depth / 2))
        exact, energy = timoshenko(mesh.nodes)
        model = PlaneModel(mesh=mesh, material=BEAM, fixed=dict.fromkeys(mesh.surface("left"), "xy"))
        end, shear = mesh.surface("right"), 6 * load / depth**3
        forces = fem.edge_load(model, edges(end), lambda x, y, s=shear: (0.0, s * (depth**2 / 4 - y**2)))
        u = model.static(forces, displacement=exact)
        difference = (u - exact).ravel()
        consistent = PlaneModel(mesh=mesh, material=BEAM, mass="consistent").M
        errors.append(np.sqrt(difference @ (consistent @ difference)))
        energy_errors.append(abs(fem.strain_energy(model, u).sum() - energy))
        sizes.append(depth / n)
    assert order(sizes, errors) == pytest.approx(2.0, abs=0.1)
    assert order(sizes, energy_errors) == pytest.approx(2.0, abs=0.1)


def test_cooks_membrane():
    """Cook (1974), J. Struct. Div. 100: tip deflection 23.96 (refined meshes, Bergan and Felippa 1985)."""
    n = 64
    square = Mesh.rectangle(1.0, 1.0, n, n)
    s, t = square.nodes.T
    mesh = Mesh(nodes=np.stack((48 * s, 44 * s + t * (44 - 28 * s)), axis=1), quads=square.quads)
    material = Material(youngs_modulus=1.0, poissons_ratio=1 / 3, density=1.0)
    model = PlaneModel(mesh=mesh, material=material, fixed=dict.fromkeys(mesh.surface("left"), "xy"))
    u = model.static(fem.edge_load(model, edges(mesh.surface("right")), (0.0, 1 / 16)))
    assert u[mesh.surface("right")[n // 2], 1] == pytest.approx(23.96, rel=5e-3)


def test_lame_ring():
    """A thick ring under inner pressure, a quarter by symmetry: u_r = p a²/(E (b² − a²)) ((1 − ν) r + (1 + ν) b²/r)."""
    errors, sizes, (a, b, pressure) = [], (8, 16, 32), (1.0, 2.0, 100.0)
    for n in sizes:
        square = Mesh.rectangle(1.0, 1.0, n, 2 * n)
        radius, angle = a + square.nodes[:, 0] * (b - a), 0.5 * np.pi * square.nodes[:, 1]
        mesh = Mesh(nodes=radius[:, None] * np.stack((np.cos(angle), np.sin(angle)), axis=1), quads=square.quads)
        fixed = dict.fromkeys(square.surface("lower"), "y") | dict.fromkeys(square.surface("upper"), "x")
        model = PlaneModel(mesh=mesh, material=SLIDER, fixed=fixed)
        inside = edges(square.surface("left"))
        forces = fem.edge_load(
            model, inside, lambda x, y: (pressure * x / np.hypot(x, y), pressure * y / np.hypot(x, y))
        )
        u = np.linalg.norm(model.static(forces), axis=1)
        exact = pressure * a**2 / (1000.0 * (b**2 - a**2)) * (0.7 * radius + 1.3 * b**2 / radius)
        errors.append(np.abs(u / exact - 1).max())
    assert errors[-1] < 1e-3
    assert order([1 / n for n in sizes], errors) == pytest.approx(2.0, abs=0.15)


@pytest.mark.parametrize("mesh", [distorted(2.0, 1.0, 5, 4), annulus()], ids=["plate", "ring"])
def test_rigid_motions_store_no_energy(mesh):
    model = PlaneModel(mesh=mesh, material=SLIDER)
    assert model.rigid_freedom == 3
    largest = abs(model.K).max()
    for motion in model.rigid_motions.T:
        assert abs(motion @ (model.K @ motion)) < 1e-13 * largest
        assert np.abs(fem.strain(model, motion)).max() < 1e-13
    assert np.linalg.matrix_rank(model.K.toarray()) == model.unknown_count - 3


def test_turned_body():
    """The same body turned, moved and renumbered deforms the same."""
    mesh = distorted(2.0, 1.0, 6, 3)
    new = np.random.default_rng(5).permutation(mesh.node_count)
    nodes = np.empty_like(mesh.nodes)
    nodes[new] = turned(mesh.nodes, 2.0, (10.0, -7.0))
    other = Mesh(nodes=nodes, quads=new[mesh.quads])
    left, tip = mesh.surface("left"), int(mesh.surface("right")[0])
    one = PlaneModel(mesh=mesh, material=SLIDER, fixed=dict.fromkeys(left, "xy"))
    two = PlaneModel(mesh=other, material=SLIDER, fixed={new[n]: "xy" for n in left})
    force = np.array([0.3, -0.7])
    u = one.static(fem.point_load(one, node=tip, force=tuple(force)))
    v = two.static(fem.point_load(two, node=int(new[tip]), force=tuple(turned(force, 2.0))))
    assert v[new] == pytest.approx(turned(u, 2.0), abs=1e-12)
    assert fem.nodal(two, fem.von_mises(two, fem.stress(two, v)))[new] == pytest.approx(
        fem.nodal(one, fem.von_mises(one, fem.stress(one, u))), abs=1e-9
    )


def test_supports_and_reactions():
    """Forces and moments of the supports balance the loads; held unknowns keep their prescribed values."""
    mesh = distorted(2.0, 1.0, 5, 4)
    model = PlaneModel(mesh=mesh, material=SLIDER, fixed={0: "xy", 5: "y", 24: "x"})
    assert model.held.tolist() == [0, 1, 11, 48]
    assert len(model.free) == model.unknown_count - 4
    assert model.rigid_freedom == 0
    forces = fem.gravity(model, (0.0, -9.81)) + fem.point_load(model, node=29, force=(3.0, 1.0))
    prescribed = np.zeros((mesh.node_count, 2))
    prescribed[5, 1] = 0.01
    u = model.static(forces, displacement=prescribed)
    assert u[5, 1] == 0.01 and u[0].tolist() == [0.0, 0.0]
    total = forces + model.reactions(u, forces)
    x, y = mesh.nodes.T
    assert total.sum(axis=0) == pytest.approx([0.0, 0.0], abs=1e-10)
    assert (x * total[:, 1] - y * total[:, 0]).sum() == pytest.approx(0.0, abs=1e-10)
    assert np.count_nonzero(model.reactions(u, forces)) == 4


def test_maxwell_betti():
    """The way at B by a force at A is the way at A by the same force at B."""
    model = slider(fixed={30: "xy", 35: "y"})
    one = model.static(fem.point_load(model, node=0, force=(0.0, 1.0)))
    two = model.static(fem.point_load(model, node=9, force=(1.0, 0.0)))
    assert one[9, 0] == pytest.approx(two[0, 1], rel=1e-10)


def test_supports_as_data():
    model = slider(fixed=[(5, "y"), (0, "x"), (0, "y")])
    assert model.fixed == ((0, "xy"), (5, "y"))
    assert model == slider(fixed={0: "xy", 5: "y"}) and hash(model) == hash(slider(fixed={5: "y", 0: "xy"}))
    assert slider().rigid_freedom == 3
    assert slider(fixed={0: "x", 5: "x"}).rigid_freedom == 2  # side by side: both stop the same
    assert slider(fixed={0: "x", 30: "x"}).rigid_freedom == 1
