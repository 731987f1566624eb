"""IGES files written by OpenCASCADE: faces against its own points."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("OCP.IGESCAFControl", reason="OpenCASCADE is not installed: pip install gudgeon[cad]")

from cad_files import SHAPES, one_part, write_iges
from OCP.BRep import BRep_Tool
from OCP.GeomAPI import GeomAPI_ProjectPointOnSurf
from OCP.gp import gp_Pnt

from gudgeon.cad.document import Document
from gudgeon.cad.worker import read_document
from gudgeon.io import iges


@pytest.mark.parametrize("name", ["box", "drilled at the seam", "torus", "revolved spline", "trimmed sheet"])
def test_faces(name, tmp_path):
    path = write_iges(tmp_path / "part.igs", one_part(SHAPES[name]()))
    faces = iges.read(path)
    assert not faces.refused
    doc, _reader = read_document("iges", str(path))
    tree = Document(doc)
    theirs = [face for x in tree.instances for solid in tree.solids(x.part) for face in solid.faces]
    assert len(theirs) == len(faces)
    rng = np.random.default_rng(0)
    for face, occ in zip(faces.values(), theirs, strict=True):
        geometry = BRep_Tool.Surface_s(occ)
        for p in 1e3 * face.surface.point(*rng.uniform(0, 1, (2, 30))):
            assert GeomAPI_ProjectPointOnSurf(gp_Pnt(*p), geometry).LowerDistance() < 1e-9


def test_unit_of_the_file(tmp_path):
    path = write_iges(tmp_path / "part.igs", one_part(SHAPES["sphere"]()))
    text = path.read_text()
    assert ",2,2HMM," in text
    path.write_text(text.replace(",2,2HMM,", ",6,1HM ,"))
    (face,) = iges.read(path).values()
    assert np.ptp(face.surface.bounds(), axis=0) == pytest.approx(18.0, rel=1e-9)  # 9 metres radius
