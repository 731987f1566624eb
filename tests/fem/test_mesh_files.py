"""Meshes from files: formats, what is left out, what is refused."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from plane_bodies import distorted, refuses

from gudgeon.fem import Mesh, files


@pytest.fixture
def meshio():
    return pytest.importorskip("meshio")


def write(meshio, path, points, cells):
    meshio.Mesh(points, cells).write(path)
    return path


@pytest.mark.parametrize("ending", ["msh", "vtk", "vtu", "inp", "bdf", "su2"])
def test_formats(meshio, tmp_path, ending):
    mesh = distorted(2.0, 1.0, 4, 3)
    points = np.column_stack((mesh.nodes, np.zeros(mesh.node_count))) if ending != "su2" else mesh.nodes
    path = write(meshio, tmp_path / f"plate.{ending}", points, [("quad", mesh.quads)])
    again = Mesh.read(path)
    assert np.array_equal(again.quads, mesh.quads)
    assert np.allclose(again.nodes, mesh.nodes, rtol=1e-12 if ending not in ("bdf", "inp") else 1e-6)


def test_boundary_cells_and_unused_points_are_left_out_and_clockwise_elements_turned(meshio, tmp_path):
    points = [(9.0, 9.0, 0.5), (0, 0, 0.5), (1, 0, 0.5), (1, 1, 0.5), (0, 1, 0.5), (2, 0, 0.5), (2, 1, 0.5)]
    cells = [("line", [(1, 2)]), ("quad", [(1, 2, 3, 4), (3, 6, 5, 2)]), ("vertex", [(1,)])]
    mesh = Mesh.read(write(meshio, tmp_path / "plate.vtk", np.array(points, dtype=float), cells))
    assert mesh.node_count == 6
    assert mesh.areas.tolist() == [1.0, 1.0]


def test_what_is_refused(meshio, tmp_path, capfd):
    plate = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], dtype=float)
    path = write(meshio, tmp_path / "t.vtk", plate, [("triangle", [(0, 1, 2), (0, 2, 3)])])
    with refuses(
        f"Mesh.read({str(path)!r}): 2 cells of type triangle; only four-node quadrilaterals (quad) are "
        "read, so mesh with "
        "those (in Gmsh: recombine)"
    ):
        Mesh.read(path)
    path = write(meshio, tmp_path / "l.vtk", plate, [("line", [(0, 1)])])
    with refuses(f"Mesh.read({str(path)!r}): no quadrilaterals in it; the file must hold cells of type quad"):
        Mesh.read(path)
    path = write(meshio, tmp_path / "z.vtk", plate + np.outer([0, 0, 0.1, 0], [0, 0, 1]), [("quad", [(0, 1, 2, 3)])])
    with refuses(f"Mesh.read({str(path)!r}): z runs from 0 to 0.1 m; the mesh must lie in a plane z = constant"):
        Mesh.read(path)
    for name in ("bad.msh", "bad.vtk", "bad.inp", "notes.txt", "bad.xyz"):
        path = tmp_path / name
        path.write_text("this is not a mesh\n" * 3)
        with refuses(f"Mesh.read({str(path)!r}): …"):
            Mesh.read(path)


def test_size_limit(tmp_path, monkeypatch):
    path = tmp_path / "large.msh"
    path.write_text("x" * 2_000_000)
    monkeypatch.setattr(files, "MAX_BYTES", 1_000_000)
    with refuses(f"Mesh.read({str(path)!r}): 2 MB; the limit is 1 MB"):
        Mesh.read(path)


def test_missing_file_and_missing_library(tmp_path, monkeypatch):
    with refuses("Mesh.read('nowhere.msh'): there is no such file"):
        Mesh.read("nowhere.msh")
    path = tmp_path / "plate.msh"
    path.write_text("")
    monkeypatch.setitem(sys.modules, "meshio", None)
    with refuses(f"Mesh.read({str(path)!r}): reading meshes needs meshio; install it with pip install 'gudgeon[mesh]'"):
        Mesh.read(path)
