"""What is refused when a mesh, material, damping or model is described, and in which words."""

from __future__ import annotations

import numpy as np
import pytest
from plane_bodies import SLIDER, refuses, slider

from gudgeon import fem
from gudgeon.fem import Material, Mesh, PlaneModel, Rayleigh, mesh_rules

SQUARE = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
TWO = [*SQUARE, (2.0, 0.0), (2.0, 1.0)]

MESHES = {
    "nodes are text": ("square", [(0, 1, 2, 3)], "Mesh: nodes are 'square'; give pairs (x, y) [m], …"),
    "nodes in space": (
        np.zeros((4, 3)),
        [(0, 1, 2, 3)],
        "Mesh: nodes are float64 of shape (4, 3); give pairs (x, y) [m], an array of shape (n, 2)",
    ),
    "no nodes": ([], [(0, 1, 2, 3)], "Mesh: nodes are []; give pairs…"),
    "nan": (
        [*SQUARE[:3], (0.0, float("nan"))],
        [(0, 1, 2, 3)],
        "Mesh: node 3 is at (0, nan) m; every coordinate must be finite",
    ),
    "triangles": (
        SQUARE,
        [(0, 1, 2)],
        "Mesh: quads are int64 of shape (1, 3); give the numbers of four nodes per element, an integer array of shape "
        "(m, 4)",
    ),
    "broken numbers": (SQUARE, [(0.0, 1.0, 2.0, 3.0)], "Mesh: quads are float64 of shape (1, 4); give the numbers…"),
    "ragged": (SQUARE, [(0, 1, 2, 3), (0, 1)], "Mesh: quads are [(0, 1, 2, 3), (0, 1)]; give the numbers…"),
    "unknown node": (
        SQUARE,
        [(0, 1, 2, 4)],
        "Mesh: element 0 (nodes 0, 1, 2, 4) has no node 4; there are nodes 0 to 3, counted from 0",
    ),
    "negative node": (SQUARE, [(0, 1, 2, -1)], "Mesh: element 0 (nodes 0, 1, 2, -1) has no node -1; there are…"),
    "node twice": (
        TWO,
        [(0, 1, 2, 3), (1, 4, 5, 5)],
        "Mesh: element 1 (nodes 1, 4, 5, 5) has a node twice; a quadrilateral needs four different "
        "nodes (triangles are "
        "not supported)",
    ),
    "unused node": (
        [*SQUARE, (5.0, 5.0)],
        [(0, 1, 2, 3)],
        "Mesh: node 4 belongs to no element (1 such of 5); leave such nodes out",
    ),
    "inverted": (
        TWO,
        [(0, 1, 2, 3), (2, 5, 4, 1)],
        "Mesh: element 1 (nodes 2, 5, 4, 1) is inverted, smallest sine of its angles -1; its nodes run clockwise; give "
        "them counter-clockwise",
    ),
    "crossed": (
        SQUARE,
        [(0, 1, 3, 2)],
        "Mesh: element 0 (nodes 0, 1, 3, 2) is not convex, smallest sine of its angles -0.707; its "
        "sides cross or it is "
        "re-entrant at node … m; order or move its nodes",
    ),
    "re-entrant": (
        [(0.0, 0.0), (1.0, 0.0), (0.2, 0.2), (0.0, 1.0)],
        [(0, 1, 2, 3)],
        "Mesh: element 0 (nodes 0, 1, 2, 3) is not convex, … re-entrant at node 2 at (0.2, 0.2) m; "
        "order or move its nodes",
    ),
    "in line": (
        [(0.0, 0.0), (1.0, 0.0), (0.5, 0.5), (0.0, 1.0)],
        [(0, 1, 2, 3)],
        "Mesh: element 0 (nodes 0, 1, 2, 3) is degenerate, … its sides at node 2 at (0.5, 0.5) m are in "
        "line; move that "
        "node",
    ),
    "same place": (
        [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0), (0.0, 1.0)],
        [(0, 1, 2, 3)],
        "Mesh: element 0 (nodes 0, 1, 2, 3) is degenerate, smallest sine of its angles 0; nodes 1 and 2 "
        "lie in the same "
        "place; move or merge them",
    ),
    "all in one place": (np.zeros((4, 2)), [(0, 1, 2, 3)], "Mesh: element 0 (nodes 0, 1, 2, 3) is degenerate, …"),
    "beyond numbers": (
        1e200 * np.array(SQUARE),
        [(0, 1, 2, 3)],
        "Mesh: node 1 is at (1e+200, 0) m; every coordinate must be finite",
    ),
    "beyond small numbers": (1e-200 * np.array(SQUARE), [(0, 1, 2, 3)], "Mesh: element 0 (nodes …) is degenerate, …"),
    "overlapping": (
        [*SQUARE, (0.5, 1.5), (-0.5, 1.5)],
        [(0, 1, 2, 3), (0, 1, 4, 5)],
        "Mesh: element 0 (nodes 0, 1, 2, 3) and element 1 (nodes 0, 1, 4, 5) both run along the side "
        "from node 0 to node 1; "
        "neighbours run along it in opposite directions, so they overlap or one is inverted: number the nodes of every "
        "element counter-clockwise",
    ),
    "two pieces": (
        [*SQUARE, *(np.array(SQUARE) + 2.0)],
        [(0, 1, 2, 3), (4, 5, 6, 7)],
        "Mesh: its elements form 2 pieces without a common side, e.g. element 0 (nodes 0, 1, 2, 3) and element 1 "
        "(nodes 4, 5, 6, 7); merge nodes that lie in the same place, or make one mesh for each body",
    ),
    "hinged in one node": (
        [*SQUARE, (2.0, 1.0), (2.0, 2.0), (1.0, 2.0)],
        [(0, 1, 2, 3), (2, 4, 5, 6)],
        "Mesh: its elements form 2 pieces without a common side, …",
    ),
}


@pytest.mark.parametrize(("nodes", "quads", "wording"), MESHES.values(), ids=MESHES.keys())
def test_mesh(nodes, quads, wording):
    with refuses(wording):
        Mesh(nodes=nodes, quads=quads)


@pytest.mark.parametrize(
    ("arguments", "wording"),
    [
        ((0.0, 1.0, 2, 2), "Mesh.rectangle: length is 0.0 m; give a positive length"),
        ((1.0, -1.0, 2, 2), "Mesh.rectangle: height is -1.0 m; give a positive length"),
        ((1.0, float("inf"), 2, 2), "Mesh.rectangle: height is inf; give a finite number"),
        ((1.0, 1.0, 0, 2), "Mesh.rectangle: nx is 0; give a number of elements, 1 or more"),
        ((1.0, 1.0, 2, 2.0), "Mesh.rectangle: ny is 2.0; give a number of elements, 1 or more"),
        ((1.0, 1.0, True, 2), "Mesh.rectangle: nx is True; give a number…"),
        (
            (1.0, 1.0, 10_000, 10_000),
            "Mesh.rectangle: 100000000 elements; the limit is 1000000, and a joint is resolved by far fewer",
        ),
    ],
)
def test_rectangle(arguments, wording):
    with refuses(wording):
        Mesh.rectangle(*arguments)


def test_size(monkeypatch):
    monkeypatch.setattr(mesh_rules, "MAX_ELEMENTS", 3)
    with refuses("Mesh.rectangle: 4 elements; the limit is 3, …"):
        Mesh.rectangle(1.0, 1.0, 2, 2)
    with refuses("Mesh: 4 elements; the limit is 3, …"):
        Mesh(nodes=np.zeros((9, 2)), quads=np.zeros((4, 4), dtype=int))


def test_surface_and_corners():
    mesh = Mesh.rectangle(1.0, 1.0, 2, 2)
    with refuses("Mesh.surface: side is 'top'; give 'upper', 'lower', 'left' or 'right'"):
        mesh.surface("top")  # pyright: ignore
    with refuses("Mesh.surface: within is -1.0 m; give a distance of 0 or more"):
        mesh.surface("upper", within=-1.0)
    with refuses("Mesh.corners: angle is 'sharp'; give a number"):
        mesh.corners(angle="sharp")  # pyright: ignore


MATERIALS = {
    "negative modulus": (
        {"youngs_modulus": -1.0},
        "youngs_modulus is -1.0 Pa; an elastic material needs a positive modulus",
    ),
    "no density": ({"density": 0.0}, "density is 0.0 kg/m³; a body needs a positive density"),
    "no thickness": (
        {"thickness": 0.0},
        "thickness is 0.0 m; a plate needs a positive thickness (1 m for data per unit area)",
    ),
    "ratio too large": (
        {"poissons_ratio": 0.6},
        "poissons_ratio is 0.6; it lies between -1 and 0.5, for metals near 0.3",
    ),
    "ratio too small": ({"poissons_ratio": -1.0}, "poissons_ratio is -1.0; it lies between -1 and 0.5, …"),
    "incompressible": (
        {"poissons_ratio": 0.5, "plane": "strain"},
        "poissons_ratio is 0.5 in plane strain; these elements lock in a nearly incompressible "
        "material, so give at most "
        "0.499 or use plane='stress'",
    ),
    "nan": ({"youngs_modulus": float("nan")}, "youngs_modulus is nan; give a finite number"),
    "text": ({"density": "steel"}, "density is 'steel'; give a number"),
    "unknown plane": ({"plane": "xy"}, "plane is 'xy'; give 'stress' (thin plate) or 'strain' (long body)"),
}


@pytest.mark.parametrize(("change", "wording"), MATERIALS.values(), ids=MATERIALS.keys())
def test_material(change, wording):
    with refuses("Material: " + wording):
        Material(**{"youngs_modulus": 1.0, "poissons_ratio": 0.3, "density": 1.0, **change})


def test_rayleigh():
    with refuses("Rayleigh: stiffness is -1.0 s; give 0 or more, or the body gains energy"):
        Rayleigh(stiffness=-1.0)
    with refuses("Rayleigh.ratio: angular_frequency is 0.0 rad/s; a rigid motion has no ratio"):
        Rayleigh(mass=1.0).ratio(0.0)
    with refuses("Rayleigh.through: frequencies 2.0 and 2.0 rad/s; give two different positive ones"):
        Rayleigh.through((2.0, 0.1), (2.0, 0.2))
    with refuses("Rayleigh.through: ratio 0.01 at 1.0 rad/s and 0.5 at 2.0 rad/s need mass = … and stiffness = …"):
        Rayleigh.through((1.0, 0.01), (2.0, 0.5))


MODELS = {
    "mesh": ({"mesh": "slider"}, "PlaneModel: mesh is 'slider'; give a Mesh"),
    "material": ({"material": 210e9}, "PlaneModel: material is 210000000000.0; give a Material"),
    "damping": ({"damping": 0.01}, "PlaneModel: damping is 0.01; give a Rayleigh"),
    "mass": ({"mass": "diagonal"}, "PlaneModel: mass is 'diagonal'; give 'lumped' or 'consistent'"),
    "no such node": ({"fixed": {36: "xy"}}, "PlaneModel: fixed: no node 36; there are nodes 0 to 35, counted from 0"),
    "no such axis": ({"fixed": {3: "z"}}, "PlaneModel: fixed at node 3 is 'z'; give 'x', 'y' or 'xy'"),
    "only nodes": ({"fixed": [0, 1]}, "PlaneModel: fixed has 0; give {node: 'x', 'y' or 'xy'}"),
    "one node": ({"fixed": 7}, "PlaneModel: fixed is 7; give {node: 'x', 'y' or 'xy'}"),
}


@pytest.mark.parametrize(("change", "wording"), MODELS.values(), ids=MODELS.keys())
def test_model(change, wording):
    with refuses(wording):
        slider(**change)


def test_statics():
    model = slider()
    with refuses("PlaneModel.static: the supports leave 3 of 3 rigid motions free, e.g. the one along x; hold more …"):
        model.static()
    with refuses("PlaneModel.static: the supports leave 1 of 3 rigid motions free, e.g. the one along y; hold more …"):
        slider(fixed={0: "x", 35: "x"}).static()
    with refuses(
        "PlaneModel.static: the supports leave 1 of 3 rigid motions free, e.g. a turn; hold more displacements with "
        "fixed={node: 'xy', …}"
    ):
        slider(fixed={0: "xy"}).static()
    held = slider(fixed={0: "xy", 5: "y"})
    with refuses("PlaneModel.static: forces has shape (3, 2); give (36, 2) numbers"):
        held.static(np.zeros((3, 2)))
    forces = np.zeros((36, 2))
    forces[7, 1] = np.nan
    with refuses("PlaneModel.static: forces at node 7 is [0.0, nan]; it must be finite"):
        held.static(forces)


def test_modes_and_steps():
    with refuses("PlaneModel.modes: count is 0; this body has 1 to 69 modes"):
        slider().modes(0)
    with refuses("PlaneModel.modes: count is 70; this body has 1 to 69 modes"):
        slider().modes(70)
    with refuses("PlaneModel.step_operator: step is 0.0; give a positive time [s]"):
        slider().step_operator(0.0)
    with refuses("PlaneModel.step_operator: gamma is -1.0; give 0 or more"):
        slider().step_operator(1e-3, gamma=-1.0)
    with refuses("Factorized.solve: b has 3 entries; the matrix has 72 rows"):
        slider().step_operator(1e-3).solve(np.zeros(3))


def test_loads():
    model = slider()
    with refuses("point_load: no node 36; there are nodes 0 to 35, counted from 0"):
        fem.point_load(model, node=36, force=(1.0, 0.0))
    with refuses("point_load: force is (1.0,); give 2 numbers"):
        fem.point_load(model, node=0, force=(1.0,))  # pyright: ignore
    with refuses(
        "edge_load: nodes 0 and 7 are not the ends of a side on the boundary; take pairs from mesh.boundary_edges"
    ):
        fem.edge_load(model, [(0, 7)], (1.0, 0.0))
    with refuses("edge_load: edges have shape (3,); give pairs of nodes, such as mesh.boundary_edges"):
        fem.edge_load(model, [0, 1, 2], (1.0, 0.0))
    with refuses("edge_load: no node 99; there are nodes 0 to 35, counted from 0"):
        fem.edge_load(model, [(0, 99)], (1.0, 0.0))
    with refuses("body_force: density must return two arrays of finite numbers, as large as x and y"):
        fem.body_force(model, lambda x, y: x)
    with refuses("gravity: acceleration is 9.81; give 2 numbers"):
        fem.gravity(model, 9.81)  # pyright: ignore


def test_recovery():
    model = slider()
    with refuses("strain: displacement has shape (5,); give (36, 2) numbers"):
        fem.strain(model, np.zeros(5))
    with refuses("nodal: values have shape (36, 3); give values at Gauss points, (25, 4, …)"):
        fem.nodal(model, np.zeros((36, 3)))
    with refuses("von_mises: stress has shape (4,); give (σ_xx, σ_yy, σ_xy) on the last axis"):
        fem.von_mises(model, np.zeros(4))


def test_one_element_is_enough():
    model = PlaneModel(mesh=Mesh(nodes=SQUARE, quads=[(0, 1, 2, 3)]), material=SLIDER)
    assert model.total_mass == pytest.approx(1 / 3, rel=1e-14)
