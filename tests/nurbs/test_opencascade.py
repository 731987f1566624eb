"""Agreement with OpenCASCADE on random free-form surfaces, where it is installed (cadquery-ocp-novtk)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_surfaces import free_form, random_line

pytest.importorskip("OCP.Geom")


def face(surface):
    from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeFace
    from OCP.Geom import Geom_BSplineSurface
    from OCP.gp import gp_Pnt
    from OCP.TColgp import TColgp_Array2OfPnt
    from OCP.TColStd import TColStd_Array1OfInteger, TColStd_Array1OfReal, TColStd_Array2OfReal

    n1, n2 = surface.points.shape[:2]
    poles, weights = TColgp_Array2OfPnt(1, n1, 1, n2), TColStd_Array2OfReal(1, n1, 1, n2)
    for i in range(n1):
        for j in range(n2):
            poles.SetValue(i + 1, j + 1, gp_Pnt(*(float(x) for x in surface.points[i, j])))
            weights.SetValue(i + 1, j + 1, float(surface.weights[i, j]))
    given_knots = []
    for knots in surface.knots:
        values, times = np.unique(knots, return_counts=True)
        a, b = TColStd_Array1OfReal(1, len(values)), TColStd_Array1OfInteger(1, len(values))
        for k, (value, count) in enumerate(zip(values, times, strict=True)):
            a.SetValue(k + 1, float(value))
            b.SetValue(k + 1, int(count))
        given_knots.append((a, b))
    (u, mu), (v, mv) = given_knots
    built = Geom_BSplineSurface(poles, weights, u, v, mu, mv, *surface.degree, False, False)
    return BRepBuilderAPI_MakeFace(built, 1e-9).Face()


def their_hits(shape, origin, direction):
    from OCP.gp import gp_Dir, gp_Lin, gp_Pnt
    from OCP.IntCurvesFace import IntCurvesFace_Intersector

    search = IntCurvesFace_Intersector(shape, 1e-10)
    search.Perform(gp_Lin(gp_Pnt(*origin), gp_Dir(*direction)), -1e3, 1e3)
    return np.sort([search.WParameter(k + 1) for k in range(search.NbPnt())])


@settings(max_examples=25)
@given(seed=st.integers(0, 3000), roughness=st.sampled_from([0.05, 0.2]))
def test_the_same_intersections(seed, roughness):
    s = free_form(seed, roughness=roughness)
    shape = face(s)
    rng = np.random.default_rng(seed)
    for _ in range(6):
        origin, direction = random_line(rng, s, 0.3)
        ours, theirs = s.hits(origin, direction)[:, 0], their_hits(shape, origin.tolist(), direction.tolist())
        for h in theirs:  # what it finds is there; it is known to lose some
            assert np.abs(ours - h).min() < 1e-7
        if len(ours) == len(theirs):
            np.testing.assert_allclose(ours, theirs, atol=1e-7)
