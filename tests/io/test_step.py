"""STEP files written by OpenCASCADE: every face as a Surface against OpenCASCADE's own points, normals and regions."""

from __future__ import annotations

import re

import numpy as np
import pytest

pytest.importorskip("OCP.STEPCAFControl", reason="OpenCASCADE is not installed: pip install gudgeon[cad]")

from cad_files import (
    SHAPES,
    block_with_bore,
    document,
    faces_of,
    one_part,
    spline_surface,
    tilted,
    write_step,
)
from OCP.BRep import BRep_Tool
from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeFace
from OCP.BRepClass import BRepClass_FaceClassifier
from OCP.BRepGProp import BRepGProp_Face
from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox, BRepPrimAPI_MakeCylinder
from OCP.gp import gp_Ax1, gp_Dir, gp_Pnt, gp_Pnt2d, gp_Trsf, gp_Vec
from OCP.TCollection import TCollection_ExtendedString
from OCP.TDataStd import TDataStd_Name
from OCP.TDocStd import TDocStd_Document
from OCP.TopAbs import TopAbs_State
from OCP.TopLoc import TopLoc_Location
from OCP.XCAFDoc import XCAFDoc_DocumentTool

from gudgeon import ModelError
from gudgeon.cad.document import Document
from gudgeon.cad.face_data import face_data
from gudgeon.cad.worker import read_document
from gudgeon.io import step

NO_TURN = ((0, 0, 1), 0.0)


@pytest.fixture(scope="module", params=["as made", "tilted"])
def everything(request, tmp_path_factory):
    """All shapes in one file, each a part of its own at a place of its own: ours and OpenCASCADE's faces by part."""
    parts = []
    for k, (name, make) in enumerate(SHAPES.items()):
        shape = make() if request.param == "as made" else tilted(make())
        placed = {name: (((1, k, -2), 0.3 * k), (20.0 * k, -7.0, 3.0))}
        parts.append((name, shape, {}, placed, None))
    path = write_step(tmp_path_factory.mktemp("step") / "all.step", document(parts, assembly="all"))
    ours = step.read(path)
    assert not ours.refused
    doc, _reader = read_document("step", str(path))
    tree = Document(doc)
    theirs = {x.name: (x, [face for solid in tree.solids(x.part) for face in solid.faces]) for x in tree.instances}
    return ours, theirs, {name: len(faces_of(shape)) for name, shape, *_ in parts}


def compare(face, shape, instance, seed):
    """Points, normals and kept regions of a Face at random parameters against OpenCASCADE; how many are not kept alike.

    `Net.parameters` says which ξ belongs to OpenCASCADE's (u, v): the loops rely on it as well.
    """
    rng = np.random.default_rng(seed)
    data = face_data(shape, 1e-6)
    geometry, normals = BRep_Tool.Surface_s(shape), BRepGProp_Face(shape)
    uv = np.stack([rng.uniform(x.low, x.high, 60) for x in data.net.parameters], axis=1)
    x1, x2 = (x.xi(uv[:, k]) for k, x in enumerate(data.net.parameters))
    x1 = 1.0 - x1 if data.reversed else x1
    local, world = face.local.point(x1, x2), face.surface.point(x1, x2)
    np.testing.assert_allclose(world, local @ instance.rotation.T + 1e-3 * instance.translation, atol=1e-14)
    n, kept, differ = face.local.normal(x1, x2), face.local.keeps(x1, x2), 0
    for (u, v), p, normal, keeps in zip(uv, local, n, kept, strict=True):
        at, direction = gp_Pnt(), gp_Vec()
        normals.Normal(u, v, at, direction)
        assert np.abs(p - 1e-3 * np.array([at.X(), at.Y(), at.Z()])).max() < 1e-12
        at = geometry.Value(u, v)
        assert np.abs(p - 1e-3 * np.array([at.X(), at.Y(), at.Z()])).max() < 1e-12
        towards = np.array([direction.X(), direction.Y(), direction.Z()])
        np.testing.assert_allclose(normal, towards / np.linalg.norm(towards), atol=1e-9)
        state = BRepClass_FaceClassifier(shape, gp_Pnt2d(u, v), 1e-7).State()
        differ += (state == TopAbs_State.TopAbs_IN) != keeps
    return differ


def kept_area(surface, count=400):
    """Area of the trimmed surface by midpoints [m²]."""
    x = (np.arange(count) + 0.5) / count
    d = surface.derivatives(x[:, None], x[None, :], order=1)
    size = np.linalg.norm(np.cross(d[..., 1, :], d[..., 2, :]), axis=-1)
    return float((size * surface.keeps(x[:, None], x[None, :])).sum() / count**2)


@pytest.mark.parametrize("name", SHAPES)
def test_every_kind_of_face(name, everything):
    ours, theirs, counts = everything
    faces = [x for x in ours.values() if x.body.split("/")[0] == name]
    instance, expected = theirs[name]
    assert len(faces) == len(expected) == counts[name]
    for seed, (face, occ) in enumerate(zip(faces, expected, strict=True)):
        assert face.local.domain == ((0.0, 1.0), (0.0, 1.0))
        assert compare(face, occ, instance, seed) == 0
        assert kept_area(face.local) == pytest.approx(face.area, rel=5e-3)


def test_splines_at_the_same_parameters(tmp_path):
    """The whole sheet: ξ is in proportion to u and v."""
    geometry = spline_surface()
    path = write_step(tmp_path / "sheet.step", one_part(BRepBuilderAPI_MakeFace(geometry, 1e-6).Face()))
    (face,) = step.read(path).values()
    assert face.kind == "spline" and face.local.degree == (3, 3) and face.local.trim is None
    for xi1, xi2 in np.random.default_rng(0).uniform(0, 1, (200, 2)):
        p = geometry.Value(3.0 * xi1, -1.0 + 3.0 * xi2)
        np.testing.assert_allclose(face.surface.point(xi1, xi2), 1e-3 * np.array([p.X(), p.Y(), p.Z()]), atol=1e-15)


def test_seams_are_closed(tmp_path):
    for name, closed in (("cylinder", (True, False)), ("sphere", (True, False)), ("torus", (True, True))):
        faces = step.read(write_step(tmp_path / "part.step", one_part(SHAPES[name]())))
        (face,) = [x for x in faces.values() if x.kind == name]
        assert face.surface.closed == closed
        assert face.surface.trim is None


@pytest.mark.parametrize("at_seam", ["drilled at the seam", "drilled beside the seam"])
def test_a_hole_at_the_seam(at_seam, tmp_path):
    faces = step.read(write_step(tmp_path / "pin.step", one_part(SHAPES[at_seam]())))
    (pin,) = [x for x in faces.values() if x.kind == "cylinder" and not x.hollow]
    (bore,) = [x for x in faces.values() if x.kind == "cylinder" and x.hollow]
    direction = np.array([1, 0, 0]) if at_seam == "drilled at the seam" else np.array([0.3, 1, 0])
    direction = direction / np.linalg.norm(direction)
    origin = np.array([0, 0, 0.018])
    hits = pin.surface.hits(origin, direction)[:, 0]
    np.testing.assert_allclose(hits, [-0.01], atol=1e-15)  # the other side is drilled away
    above = pin.surface.hits(origin + np.array([0, 0, 0.0031]), direction)[:, 0]
    np.testing.assert_allclose(above, [-0.01, 0.01], atol=1e-15)
    assert bore.dimensions["radius"] == pytest.approx(0.003)


@pytest.mark.parametrize(("unit", "declared"), [("MM", ".MILLI."), ("M", "SI_UNIT($,.METRE.)"), ("INCH", "INCH")])
def test_units(unit, declared, tmp_path):
    path = write_step(tmp_path / "block.step", one_part(block_with_bore()), unit)
    assert declared in path.read_text()
    faces = step.read(path)
    (bore,) = [x for x in faces.values() if x.kind == "cylinder"]
    assert bore.hollow and bore.dimensions["radius"] == pytest.approx(0.006, rel=1e-12)
    assert bore.area == pytest.approx(2 * np.pi * 0.006 * 0.020, rel=1e-9)
    low, high = np.min([x.surface.bounds()[0] for x in faces.values()], axis=0), (0.03, 0.04, 0.02)
    np.testing.assert_allclose(low, 0, atol=1e-12)
    np.testing.assert_allclose(np.max([x.surface.bounds()[1] for x in faces.values()], axis=0), high, atol=1e-12)


def test_a_file_really_in_inches(tmp_path):
    """Numbers in the file are inches: change the unit in the text and everything grows by 25.4."""
    path = write_step(tmp_path / "inch.step", one_part(BRepPrimAPI_MakeCylinder(25.4, 50.8).Shape()), "INCH")
    text = path.read_text()
    assert re.search(r"CYLINDRICAL_SURFACE\('',#\d+,1\.\)", text) or ",1.)" in text
    (pin,) = [x for x in step.read(path).values() if x.kind == "cylinder"]
    assert pin.dimensions["radius"] == pytest.approx(0.0254, rel=1e-14)
    assert pin.size == "R 25.4 × 50.8 mm"


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    """Two parts, one of them twice; 'bore' is a face of the block."""
    pin = ("pin", BRepPrimAPI_MakeCylinder(5.0, 30.0).Shape(), {0: "shank", 1: "end"}, {}, (0.2, 0.4, 0.8))
    turn = ((0.2, -1, 0.5), 0.8)
    placed = {"left pin": (NO_TURN, (100, 0, 0)), "right pin": (turn, (0, 50, -20))}
    block = block_with_bore()
    number = next(k for k, x in enumerate(faces_of(block)) if "Cylind" in type(BRep_Tool.Surface_s(x)).__name__)
    parts = [
        (*pin[:3], placed, pin[4]),
        ("block", block, {number: "bore"}, {"block": (NO_TURN, (0, 0, 0))}, None),
    ]
    return step.read(write_step(tmp_path_factory.mktemp("step") / "engine.step", document(parts, assembly="engine")))


def test_assembly(engine):
    faces = engine
    assert faces.bodies == ["left pin", "right pin", "block"]
    assert faces["bore"].body == "block" and faces["bore"].hollow
    left, right = faces["left pin/shank"], faces["right pin/shank"]
    assert left.local == right.local and left.local is right.local
    np.testing.assert_allclose(left.surface.bounds()[1], (0.105, 0.005, 0.03), atol=1e-12)
    axis, angle = np.array([0.2, -1, 0.5]) / np.linalg.norm([0.2, -1, 0.5]), 0.8
    x = left.local.point(0.3, 0.7)
    turned = (
        x * np.cos(angle) + np.cross(axis, x) * np.sin(angle) + axis * (axis @ x) * (1 - np.cos(angle))
    )  # Rodrigues
    np.testing.assert_allclose(right.surface.point(0.3, 0.7), turned + np.array([0, 0.05, -0.02]), atol=1e-12)
    np.testing.assert_allclose(left.color, (0.2, 0.4, 0.8), atol=2e-3)
    assert faces["bore"].color is None


def test_names(engine):
    faces = engine
    with pytest.raises(ModelError, match=r"engine.step: no face 'bor'; did you mean 'bore'\?"):
        faces["bor"]
    with pytest.raises(ModelError, match="2 faces are called 'shank'; say which of 'left pin/shank', 'ri"):
        faces["shank"]
    with pytest.raises(ModelError, match="no face 'zzzzzzzzz'; print the faces to see their names"):
        faces["zzzzzzzzz"]
    assert faces["block/bore"] is faces["bore"]
    assert "bore" in faces and "bor" not in faces and 3 not in faces
    assert len(set(faces)) == len(faces) == 3 + 3 + 7


def test_the_table(engine):
    lines = str(engine).splitlines()
    assert lines[0] == "engine.step: 13 faces of 3 bodies"
    assert re.split(r"  +", lines[1]) == ["face", "kind", "body", "size", "area"]
    (bore,) = [line for line in lines if line.startswith("bore ")]
    assert re.split(r"  +", bore) == ["bore", "cylinder, hollow", "block", "R 6 × 20 mm", "754 mm²"]
    assert repr(engine["bore"]) == "<Face 'bore' of 'block': cylinder, R 6 × 20 mm>"


def test_names_of_other_alphabets(tmp_path):
    doc = one_part(BRepPrimAPI_MakeBox(1.0, 2.0, 3.0).Shape(), "Gehäuse", {0: "Bohrung Ø12", 1: "孔"})
    faces = step.read(write_step(tmp_path / "Gehäuse mit Bohrung.step", doc))
    assert faces["Bohrung Ø12"].body == "Gehäuse"
    assert "孔" in faces


def test_the_same_name_twice_in_one_body(tmp_path):
    doc = one_part(BRepPrimAPI_MakeBox(1.0, 2.0, 3.0).Shape(), "box", {0: "side", 1: "side"})
    faces = step.read(write_step(tmp_path / "box.step", doc))
    assert list(faces)[:3] == ["box/side 1", "box/side 2", "face 1"]


def test_finer_loops(tmp_path):
    path = write_step(tmp_path / "part.step", one_part(SHAPES["half disc"]()))
    (coarse,) = step.read(path, trim_tolerance=1e-4).values()
    (fine,) = step.read(path, trim_tolerance=1e-8).values()
    few, many = (len(x.local.trim.loops[0][0]) for x in (coarse, fine))
    assert few < 20 and many > 100
    loop = fine.local.trim.loops[0][0].clip(0, 1)
    radius = np.linalg.norm(fine.local.point(*(0.5 * (loop[10:100] + loop[11:101])).T), axis=1)
    assert np.abs(radius - 0.005).max() < 1e-8


def test_assembly_in_an_assembly(tmp_path):
    """Placements multiply, names are joined."""
    text = TCollection_ExtendedString
    doc = TDocStd_Document(text("BinXCAF"))
    tool = XCAFDoc_DocumentTool.ShapeTool_s(doc.Main())
    root, group = tool.NewShape(), tool.NewShape()
    part = tool.AddShape(BRepPrimAPI_MakeBox(1.0, 2.0, 3.0).Shape(), False)
    quarter, shift = gp_Trsf(), gp_Trsf()
    quarter.SetRotation(gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1)), 0.5 * np.pi)
    shift.SetTranslation(gp_Vec(100, 0, 0))
    for label, name in (
        (root, "machine"),
        (group, "arm"),
        (part, "plate"),
        (tool.AddComponent(root, group, TopLoc_Location(quarter)), "arm 1"),
        (tool.AddComponent(group, part, TopLoc_Location(shift)), "plate 1"),
        (tool.AddComponent(group, part, TopLoc_Location(shift.Multiplied(shift))), "plate 1"),
    ):
        TDataStd_Name.Set_s(label, text(name))
    tool.UpdateAssemblies()
    faces = step.read(write_step(tmp_path / "machine.step", doc))
    assert faces.bodies == ["arm 1/plate 1", "arm 1/plate 1 2"]
    for body, low in zip(faces.bodies, ((-0.002, 0.1, 0), (-0.002, 0.2, 0)), strict=True):
        bounds = np.array([x.surface.bounds() for x in faces.values() if x.body == body])
        np.testing.assert_allclose(bounds[:, 0].min(axis=0), low, atol=1e-12)
        np.testing.assert_allclose(bounds[:, 1].max(axis=0), np.add(low, (0.002, 0.001, 0.003)), atol=1e-12)


def test_a_cylinder_without_a_seam(tmp_path):
    """Many programs bound a whole cylinder by two circles and no seam edge."""
    path = write_step(
        tmp_path / "pin.step", one_part(BRepPrimAPI_MakeCylinder(10.0, 20.0).Shape(), "pin", {0: "shank"})
    )
    start, data = path.read_text().replace("\n", "").split("DATA;")
    rows = dict(re.findall(r"#(\d+) = ([^;]*);", data))

    def refers(key):
        return re.findall(r"#(\d+)", rows[key])

    (face,) = [key for key, row in rows.items() if row.startswith("ADVANCED_FACE('shank'")]
    bound = refers(face)[0]
    circles = []
    for edge in refers(refers(bound)[0]):
        curve = rows[refers(refers(edge)[0])[2]]
        curve = rows[re.findall(r"#(\d+)", curve)[0]] if "_CURVE" in curve else curve
        circles += [edge] if curve.startswith("CIRCLE") else []
    assert len(circles) == 2
    rows[face] = rows[face].replace(f"(#{bound})", "(#9001,#9002)")
    for k, edge in enumerate(circles):
        rows |= {f"900{k + 1}": f"FACE_BOUND('',#900{k + 3},.T.)", f"900{k + 3}": f"EDGE_LOOP('',(#{edge}))"}
    text = start + "DATA;\n" + "".join(f"#{key} = {row};\n" for key, row in rows.items())
    path.write_text(text + "ENDSEC;\nEND-ISO-10303-21;\n")
    shank = step.read(path)["shank"]
    assert shank.surface.closed == (True, False) and shank.surface.trim is None
    assert shank.surface.area() == pytest.approx(2 * np.pi * 0.01 * 0.02, rel=1e-12)
