"""STEP and IGES files made by OpenCASCADE for the tests, and its own answers about the shapes in them."""

from __future__ import annotations

import numpy as np
from OCP.BRepAlgoAPI import BRepAlgoAPI_Cut
from OCP.BRepBuilderAPI import (
    BRepBuilderAPI_MakeEdge,
    BRepBuilderAPI_MakeFace,
    BRepBuilderAPI_MakeWire,
    BRepBuilderAPI_Transform,
)
from OCP.BRepPrimAPI import (
    BRepPrimAPI_MakeBox,
    BRepPrimAPI_MakeCone,
    BRepPrimAPI_MakeCylinder,
    BRepPrimAPI_MakePrism,
    BRepPrimAPI_MakeRevol,
    BRepPrimAPI_MakeSphere,
    BRepPrimAPI_MakeTorus,
)
from OCP.collections import Array1_double, Array1_gp_Pnt, Array1_int, Array2_gp_Pnt
from OCP.GC import GC_MakeArcOfCircle
from OCP.Geom import (
    Geom_BezierCurve,
    Geom_BSplineCurve,
    Geom_BSplineSurface,
    Geom_Ellipse,
    Geom_Hyperbola,
    Geom_Parabola,
)
from OCP.gp import gp_Ax1, gp_Ax2, gp_Circ, gp_Dir, gp_Elips, gp_Hypr, gp_Parab, gp_Pnt, gp_Trsf, gp_Vec
from OCP.IFSelect import IFSelect_ReturnStatus
from OCP.IGESCAFControl import IGESCAFControl_Writer
from OCP.Interface import Interface_Static
from OCP.Quantity import Quantity_Color, Quantity_TypeOfColor
from OCP.STEPCAFControl import STEPCAFControl_Writer
from OCP.STEPControl import STEPControl_StepModelType
from OCP.TCollection import TCollection_ExtendedString
from OCP.TDataStd import TDataStd_Name
from OCP.TDocStd import TDocStd_Document
from OCP.TopAbs import TopAbs_ShapeEnum
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS
from OCP.XCAFDoc import XCAFDoc_ColorType, XCAFDoc_DocumentTool

from gudgeon.cad.document import explored

Z = gp_Ax2(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1))


def faces_of(shape):
    """The faces of a shape."""
    return [TopoDS.Face(x) for x in explored(shape, TopAbs_ShapeEnum.TopAbs_FACE)]


def points(rows):
    """A row of points for OpenCASCADE."""
    out = Array1_gp_Pnt(1, len(rows))
    for i, row in enumerate(rows):
        out.SetValue(i + 1, gp_Pnt(*(float(x) for x in row)))
    return out


def tilted(shape):
    """The shape somewhere else, so that nothing is along an axis by accident."""
    turn, shift = gp_Trsf(), gp_Trsf()
    turn.SetRotation(gp_Ax1(gp_Pnt(1, 2, 3), gp_Dir(1, -2, 0.7)), 1.1)
    shift.SetTranslation(gp_Vec(7, -4, 5))
    return BRepBuilderAPI_Transform(shape, shift.Multiplied(turn), True).Shape()


def prism(curve, first, last, path=(2.0, 1.0, 15.0)):
    """A curve swept straight: one face."""
    return BRepPrimAPI_MakePrism(BRepBuilderAPI_MakeEdge(curve, first, last).Edge(), gp_Vec(*path)).Shape()


def spline_curve(periodic=False):
    """A cubic B-spline in the plane y = 0, right of the axis z."""
    if periodic:
        a = 2 * np.pi * np.arange(8) / 8
        rows = np.stack([12 + 3 * np.cos(a) + np.cos(3 * a), 0 * a, 4 * np.sin(a)], axis=1)
        knots, times = Array1_double(1, 9), Array1_int(1, 9)
        for k in range(9):
            knots.SetValue(k + 1, float(k))
            times.SetValue(k + 1, 1)
        return Geom_BSplineCurve(points(rows), knots, times, 3, True)
    rows = [(10, 0, 0), (12, 0, 3), (8, 0, 6), (11, 0, 9), (14, 0, 12), (12, 0, 16)]
    knots, times = Array1_double(1, 4), Array1_int(1, 4)
    for k, (value, count) in enumerate([(0.0, 4), (0.3, 1), (0.8, 1), (2.0, 4)]):
        knots.SetValue(k + 1, value)
        times.SetValue(k + 1, count)
    return Geom_BSplineCurve(points(rows), knots, times, 3)


def revolved(curve, angle=2 * np.pi, first=None, last=None):
    """A curve turned about z."""
    edge = BRepBuilderAPI_MakeEdge(curve) if first is None else BRepBuilderAPI_MakeEdge(curve, first, last)
    return BRepPrimAPI_MakeRevol(edge.Edge(), gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1)), angle).Shape()


def spline_surface(seed=3):
    """A bicubic sheet over [0, 3] × [-1, 2] in the parameters of OpenCASCADE."""
    rng = np.random.default_rng(seed)
    n1, n2 = 7, 6
    poles = Array2_gp_Pnt(1, n1, 1, n2)
    for i in range(n1):
        for j in range(n2):
            poles.SetValue(i + 1, j + 1, gp_Pnt(6.0 * i, 5.0 * j, float(rng.uniform(-2, 2))))
    rows = []
    for values in ([(0.0, 4), (0.5, 1), (1.5, 1), (2.0, 1), (3.0, 4)], [(-1.0, 4), (0.0, 1), (1.2, 1), (2.0, 4)]):
        knots, times = Array1_double(1, len(values)), Array1_int(1, len(values))
        for k, (value, count) in enumerate(values):
            knots.SetValue(k + 1, value)
            times.SetValue(k + 1, count)
        rows.append((knots, times))
    return Geom_BSplineSurface(poles, rows[0][0], rows[1][0], rows[0][1], rows[1][1], 3, 3, False, False)


def trimmed_sheet():
    """A free-form sheet cut by a cylinder, with a hole through it."""
    sheet = BRepBuilderAPI_MakeFace(spline_surface(), 1e-6).Face()
    hole = BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(14, 13, -20), gp_Dir(0, 0, 1)), 4.0, 40.0).Shape()
    bite = BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(36, 0, -20), gp_Dir(0, 0.1, 1)), 9.0, 40.0).Shape()
    return BRepAlgoAPI_Cut(BRepAlgoAPI_Cut(sheet, hole).Shape(), bite).Shape()


def drilled(at_seam):
    """A pin with a cross bore, through its seam or beside it."""
    pin = BRepPrimAPI_MakeCylinder(10.0, 40.0).Shape()
    direction = gp_Dir(1, 0, 0) if at_seam else gp_Dir(0.3, 1, 0)
    bore = BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(0, 0, 18), direction), 3.0, 40.0).Shape()
    return BRepAlgoAPI_Cut(pin, bore).Shape()


def block_with_bore():
    """A block with a through hole of radius 6 mm."""
    block = BRepPrimAPI_MakeBox(30.0, 40.0, 20.0).Shape()
    bore = BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(15, 20, -5), gp_Dir(0, 0, 1)), 6.0, 50.0).Shape()
    return BRepAlgoAPI_Cut(block, bore).Shape()


def half_disc():
    """A plane face bounded by a straight line and an arc."""
    arc = GC_MakeArcOfCircle(gp_Circ(Z, 5.0), 0.3, 2.9, True).Value()
    first, last = arc.StartPoint(), arc.EndPoint()
    wire = BRepBuilderAPI_MakeWire(BRepBuilderAPI_MakeEdge(arc).Edge(), BRepBuilderAPI_MakeEdge(last, first).Edge())
    return BRepBuilderAPI_MakeFace(wire.Wire()).Face()


BEZIER = [(9, 0, 0), (12, 0, 4), (7, 0, 9), (10, 0, 12)]
SHAPES = {
    "box": lambda: BRepPrimAPI_MakeBox(10.0, 20.0, 30.0).Shape(),
    "block with bore": block_with_bore,
    "cylinder": lambda: BRepPrimAPI_MakeCylinder(10.0, 20.0).Shape(),
    "part of a cylinder": lambda: BRepPrimAPI_MakeCylinder(10.0, 20.0, 2.3).Shape(),
    "drilled beside the seam": lambda: drilled(False),
    "drilled at the seam": lambda: drilled(True),
    "frustum": lambda: BRepPrimAPI_MakeCone(10.0, 4.0, 15.0).Shape(),
    "cone": lambda: BRepPrimAPI_MakeCone(0.0, 8.0, 15.0).Shape(),
    "sphere": lambda: BRepPrimAPI_MakeSphere(9.0).Shape(),
    "part of a sphere": lambda: BRepPrimAPI_MakeSphere(9.0, -0.4, 0.9, 2.0).Shape(),
    "torus": lambda: BRepPrimAPI_MakeTorus(20.0, 6.0).Shape(),
    "part of a torus": lambda: BRepPrimAPI_MakeTorus(20.0, 6.0, 4.0).Shape(),
    "half disc": half_disc,
    "revolved spline": lambda: revolved(spline_curve()),
    "revolved spline, part": lambda: revolved(spline_curve(), 1.7, 0.2, 1.1),
    "revolved ring": lambda: revolved(spline_curve(periodic=True)),
    "revolved Bézier": lambda: revolved(Geom_BezierCurve(points(BEZIER)), 4.0),
    "extruded spline": lambda: prism(spline_curve(), 0.1, 1.9),
    "extruded ellipse": lambda: prism(Geom_Ellipse(gp_Elips(Z, 9.0, 4.0)), 0.3, 5.1),
    "extruded hyperbola": lambda: prism(Geom_Hyperbola(gp_Hypr(Z, 5.0, 3.0)), -1.1, 0.8),
    "extruded parabola": lambda: prism(Geom_Parabola(gp_Parab(Z, 2.0)), -3.0, 7.0),
    "sheet": lambda: BRepBuilderAPI_MakeFace(spline_surface(), 1e-6).Face(),
    "trimmed sheet": trimmed_sheet,
}


def document(parts, *, assembly=None):
    """A document with `parts`: (name, shape, {face number: name}, placements, colour); one assembly if it is named."""

    def text(string):
        return TCollection_ExtendedString(string, True)

    doc = TDocStd_Document(text("BinXCAF"))
    tool = XCAFDoc_DocumentTool.ShapeTool_s(doc.Main())
    colors = XCAFDoc_DocumentTool.ColorTool_s(doc.Main())
    root = None
    if assembly:
        root = tool.NewShape()
        TDataStd_Name.Set_s(root, text(assembly))
    for name, shape, names, placements, color in parts:
        label = tool.AddShape(shape, False)
        TDataStd_Name.Set_s(label, text(name))
        for number, face in enumerate(faces_of(shape)):
            if number in names:
                below = tool.AddSubShape(label, face)
                TDataStd_Name.Set_s(below, text(names[number]))
                if color:
                    srgb = Quantity_Color(*color, Quantity_TypeOfColor.Quantity_TOC_sRGB)
                    colors.SetColor(below, srgb, XCAFDoc_ColorType.XCAFDoc_ColorSurf)
        for instance, (rotation, translation) in placements.items():
            turn, shift = gp_Trsf(), gp_Trsf()
            axis, angle = rotation
            turn.SetRotation(gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(*axis)), angle)
            shift.SetTranslation(gp_Vec(*translation))
            placed = tool.AddComponent(root, label, TopLoc_Location(shift.Multiplied(turn)))
            TDataStd_Name.Set_s(placed, text(instance))
    tool.UpdateAssemblies()
    return doc


def write_step(path, doc, unit="MM"):
    """Write a document as STEP in a unit: MM, M, INCH."""
    writer = STEPCAFControl_Writer()
    Interface_Static.SetCVal_s("write.step.unit", unit)
    Interface_Static.SetIVal_s("write.stepcaf.subshapes.name", 1)
    writer.SetNameMode(True)
    writer.SetColorMode(True)
    assert writer.Transfer(doc, STEPControl_StepModelType.STEPControl_AsIs)
    assert writer.Write(str(path)) == IFSelect_ReturnStatus.IFSelect_RetDone
    Interface_Static.SetCVal_s("write.step.unit", "MM")
    return path


def write_iges(path, doc):
    """Write a document as IGES."""
    writer = IGESCAFControl_Writer()
    assert writer.Transfer(doc)
    assert writer.Write(str(path))
    return path


def one_part(shape, name="part", names=None, color=None):
    """A document of one part."""
    return document([(name, shape, names or {}, {}, color)])
