"""Faces of CAD files that a model file names: read from its folder, kept as NURBS when the System is saved."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("OCP.STEPCAFControl", reason="OpenCASCADE is not installed: pip install gudgeon[cad]")

from cad_files import one_part, write_iges, write_step
from OCP.BRepPrimAPI import BRepPrimAPI_MakeCylinder

import gudgeon as gd

MODEL = """
bodies: {pin: {mass: 1, inertia: [1, 1, 1]}}
interfaces:
  film:
    reference: [ground, {type: Surface.cylinder, radius: 11 mm, bottom: 0, top: 20 mm}]
    corresponding: [pin, {type: face, path: FILE, name: FACE}]
    reference_side: -1
"""


@pytest.mark.parametrize(("ending", "write"), [("step", write_step), ("igs", write_iges)])
def test_a_face_of_a_file_beside_the_model(tmp_path, ending, write):
    write(tmp_path / f"pin.{ending}", one_part(BRepPrimAPI_MakeCylinder(10.0, 20.0).Shape()))
    reader = gd.io.step if ending == "step" else gd.io.iges
    faces = reader.read(tmp_path / f"pin.{ending}")
    name = next(name for name, face in faces.items() if face.surface.closed[0])
    (tmp_path / "film.yaml").write_text(MODEL.replace("FILE", f"pin.{ending}").replace("FACE", name))
    system = gd.load_system(tmp_path / "film.yaml")
    assert system.interfaces["film"].corresponding == ("pin", faces[name].surface)
    assert gd.load_system(system.save(tmp_path / "kept.yaml")) == system


def test_a_face_or_file_that_is_not_there(tmp_path):
    (tmp_path / "film.yaml").write_text(MODEL.replace("FILE", "pin.step"))
    with pytest.raises(gd.ModelError, match=re.escape("film.yaml:6 interfaces.film.corresponding[1]")):
        gd.load_system(tmp_path / "film.yaml")
    write_step(tmp_path / "pin.step", one_part(BRepPrimAPI_MakeCylinder(10.0, 20.0).Shape()))
    with pytest.raises(gd.ModelError, match=r"film.yaml:6 interfaces.film.corresponding\[1\].*no face 'FACE'"):
        gd.load_system(tmp_path / "film.yaml")
