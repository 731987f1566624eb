"""Surfaces as faces of OpenCASCADE and its intersections with lines; versions 7 and 8 name their arrays differently."""

from __future__ import annotations

import numpy as np
from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeFace
from OCP.Geom import Geom_BSplineSurface, Geom_CylindricalSurface, Geom_SphericalSurface
from OCP.gp import gp_Ax3, gp_Dir, gp_Lin, gp_Pnt
from OCP.IntCurvesFace import IntCurvesFace_Intersector

try:
    from OCP.collections import Array1_double, Array1_int, Array2_double, Array2_gp_Pnt
except ImportError:
    from OCP.TColgp import TColgp_Array2OfPnt as Array2_gp_Pnt
    from OCP.TColStd import TColStd_Array1OfInteger as Array1_int
    from OCP.TColStd import TColStd_Array1OfReal as Array1_double
    from OCP.TColStd import TColStd_Array2OfReal as Array2_double


def face(surface):
    """The whole of a Surface as a face."""
    n1, n2 = surface.points.shape[:2]
    poles, weights = Array2_gp_Pnt(1, n1, 1, n2), Array2_double(1, n1, 1, n2)
    for i in range(n1):
        for j in range(n2):
            poles.SetValue(i + 1, j + 1, gp_Pnt(*(float(x) for x in surface.points[i, j])))
            weights.SetValue(i + 1, j + 1, float(surface.weights[i, j]))
    knots = []
    for row in surface.knots:
        values, times = np.unique(row, return_counts=True)
        a, b = Array1_double(1, len(values)), Array1_int(1, len(values))
        for k, (value, count) in enumerate(zip(values, times, strict=True)):
            a.SetValue(k + 1, float(value))
            b.SetValue(k + 1, int(count))
        knots.append((a, b))
    (u, mu), (v, mv) = knots
    built = Geom_BSplineSurface(poles, weights, u, v, mu, mv, *surface.degree, False, False)
    return BRepBuilderAPI_MakeFace(built, 1e-12).Face()


def intersector(shape, tolerance=1e-10):
    """The object that is made once per face and asked once per line."""
    return IntCurvesFace_Intersector(shape, tolerance)


def heights(search, origin, direction, low=-1e3, high=1e3):
    """All h of one line, sorted."""
    search.Perform(gp_Lin(gp_Pnt(*origin), gp_Dir(*direction)), low, high)
    return sorted(search.WParameter(k + 1) for k in range(search.NbPnt()))


def cylinder(radius, bottom, top):
    """OpenCASCADE's own cylinder about z, which it intersects by a formula."""
    surface = Geom_CylindricalSurface(gp_Ax3(), radius)
    return BRepBuilderAPI_MakeFace(surface, 0.0, 2.0 * np.pi, bottom, top, 1e-12).Face()


def sphere(radius):
    """OpenCASCADE's own sphere, which it intersects by a formula."""
    surface = Geom_SphericalSurface(gp_Ax3(), radius)
    return BRepBuilderAPI_MakeFace(surface, 0.0, 2.0 * np.pi, -0.5 * np.pi, 0.5 * np.pi, 1e-12).Face()


def nearest(search, lines, low, high):
    """The h of least size of every line (a gp_Lin, made beforehand), nan where there is none."""
    out = []
    for line in lines:
        search.Perform(line, low, high)
        found = [search.WParameter(k + 1) for k in range(search.NbPnt())]
        out.append(min(found, key=abs) if found else float("nan"))
    return np.array(out)


def as_lines(points, directions):
    """Lines as OpenCASCADE wants them."""
    return [gp_Lin(gp_Pnt(*p), gp_Dir(*n)) for p, n in zip(points.tolist(), directions.tolist(), strict=True)]
