"""What the child process tells of the solids of a document: volume properties and triangles, in metres."""

# OpenCASCADE is optional and has no types:
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

from __future__ import annotations

from typing import Any

import numpy as np

from gudgeon.cad.document import Document, explored
from gudgeon.cad.face_data import MILLIMETRE


def solid_data(tree: Document, coarse: float) -> tuple[dict[str, Any], np.ndarray]:
    """Volume, centre and moments of all solids where the assembly places them, and points of triangles."""
    from OCP.Bnd import Bnd_Box
    from OCP.BRep import BRep_Builder
    from OCP.BRepBndLib import BRepBndLib
    from OCP.BRepGProp import BRepGProp
    from OCP.BRepMesh import BRepMesh_IncrementalMesh
    from OCP.GProp import GProp_GProps
    from OCP.TopAbs import TopAbs_ShapeEnum as Kind
    from OCP.TopoDS import TopoDS_Compound

    whole, builder, count = TopoDS_Compound(), BRep_Builder(), 0
    builder.MakeCompound(whole)
    for instance in tree.instances:
        shape = tree.shapes.GetShape_s(tree.parts[instance.part]).Moved(_location(instance))
        for solid in explored(shape, Kind.TopAbs_SOLID):
            builder.Add(whole, solid)
            count += 1
    if not count:
        return {"solids": 0}, np.zeros((0, 3, 3))
    properties = GProp_GProps()
    BRepGProp.VolumeProperties_s(whole, properties)
    box = Bnd_Box()
    BRepBndLib.Add_s(whole, box)
    size = np.sqrt(box.SquareExtent())
    BRepMesh_IncrementalMesh(whole, coarse * size, False, 0.35, False)
    points = [part for face in explored(whole, Kind.TopAbs_FACE) for part in _triangles(face)]
    centre, matrix = properties.CentreOfMass(), properties.MatrixOfInertia()
    moments = np.array([[matrix.Value(i + 1, j + 1) for j in range(3)] for i in range(3)]) * MILLIMETRE**5
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = moments.tolist()
    contents = {
        "solids": count,
        "volume": properties.Mass() * MILLIMETRE**3,
        "centre": [MILLIMETRE * x for x in (centre.X(), centre.Y(), centre.Z())],
        "moments": [xx, yy, zz, xy, xz, yz],
    }
    return contents, MILLIMETRE * np.concatenate(points)


def _location(instance: Any) -> Any:
    from OCP.gp import gp_Trsf
    from OCP.TopLoc import TopLoc_Location

    rows = np.column_stack([instance.rotation, instance.translation])
    move = gp_Trsf()
    move.SetValues(*(float(x) for x in rows.ravel()))
    return TopLoc_Location(move)


def _triangles(shape: Any) -> list[np.ndarray]:
    """The triangles of a face as (count, 3, 3) points, counter-clockwise from outside [mm]."""
    from OCP.BRep import BRep_Tool
    from OCP.TopAbs import TopAbs_Orientation
    from OCP.TopLoc import TopLoc_Location
    from OCP.TopoDS import TopoDS

    face, location = TopoDS.Face(shape), TopLoc_Location()
    mesh = BRep_Tool.Triangulation_s(face, location)
    if mesh is None:
        return []
    move = location.Transformation()
    nodes = [mesh.Node(k + 1).Transformed(move) for k in range(mesh.NbNodes())]
    corners = np.array([[p.X(), p.Y(), p.Z()] for p in nodes])
    triples = np.array([mesh.Triangle(k + 1).Get() for k in range(mesh.NbTriangles())]).reshape(-1, 3) - 1
    if face.Orientation() == TopAbs_Orientation.TopAbs_REVERSED:
        triples = triples[:, ::-1]
    return [corners[triples]]
