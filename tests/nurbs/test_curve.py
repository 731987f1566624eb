"""Curves: exact arcs, other forms of the same curve, bad input."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gudgeon import ModelError
from gudgeon.nurbs import Curve


@pytest.mark.parametrize("angle", [0.1, 1.0, math.pi / 2, 2.0, math.pi, 5.0, 2 * math.pi])
def test_arc_is_exact(angle):
    arc = Curve.arc(radius=0.3, angle=angle, start=0.7, center=(1, 2, 3))
    p = arc.point(np.linspace(0, 1, 200)) - (1, 2, 3)
    np.testing.assert_allclose(np.hypot(p[:, 0], p[:, 1]), 0.3, atol=1e-15)
    np.testing.assert_allclose(p[-1], (0.3 * math.cos(0.7 + angle), 0.3 * math.sin(0.7 + angle), 0), atol=1e-15)
    assert abs(p[:, 2]).max() < 2e-15


def test_other_forms_are_the_same_curve():
    arc = Curve.arc(radius=1.0, angle=4.0)
    x = np.linspace(0, 1, 50)
    p = arc.point(x)
    np.testing.assert_allclose(arc.elevated(5).point(x), p, atol=1e-13)
    np.testing.assert_allclose(arc.inserted([0.1, 0.5, 0.77]).point(x), p, atol=1e-14)
    np.testing.assert_allclose(arc.reversed().point(1 - x), p, atol=1e-14)


def test_equal_and_hashable():
    assert Curve.arc(radius=1.0) == Curve.arc(radius=1.0)
    assert Curve.arc(radius=1.0) != Curve.arc(radius=2.0)
    assert len({Curve.arc(radius=1.0), Curve.arc(radius=1.0)}) == 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Curve(degree=2, knots=[0, 0, 1, 1], points=[(0, 0, 0), (1, 0, 0)]), "2 control points of degree 2"),
        (lambda: Curve(degree=1, knots=[0, 0, 1, 1], points=[(0, 0), (1, 0)]), r"give control points \(n, 3\)"),
        (
            lambda: Curve(degree=1, knots=[0, 0, 1, 1], points=[(0, 0, 0), (1, 0, 0)], weights=(1, 0)),
            r"weights \[1\] is 0; every weight must be positive",
        ),
        (lambda: Curve.arc(radius=-1.0), "Curve.arc: radius is -1 m; give a positive number"),
        (lambda: Curve.arc(radius="1"), "give a number"),
        (lambda: Curve.arc(radius=1.0, angle=7.0), "angle is 7.0 rad; give more than 0 and at most 2π"),
        (lambda: Curve.arc(radius=1.0).point(1.5), "leaves the domain 0 … 1"),
        (lambda: Curve.arc(radius=1.0).elevated(1), "cannot be raised to 1"),
        (lambda: Curve.arc(radius=1.0).inserted([1.0]), "a knot at 1 is not between 0 and 1"),
        (lambda: Curve.arc(radius=1.0).inserted([0.25]), "already there 2 times"),
    ],
)
def test_bad_input(make, message):
    with pytest.raises(ModelError, match=message):
        make()


def test_joined_curves_are_the_curves():
    arc, line = Curve.arc(radius=2.0, angle=2.5, start=0.3), Curve.line((0, 0, 0), (1, 1, 0))
    end = arc.point(1.0)
    bend = Curve.through(end + np.array([(0, 0, 0), (0, 1, 0), (1, 2, 0), (3, 1, 0)]))
    back = Curve.line(bend.point(1.0), arc.point(0.0))
    whole = Curve.joined([arc, bend, back])
    xi = np.linspace(0.0, 1.0, 11)
    for k, part in enumerate((arc, bend, back)):
        assert whole.point(k + xi) == pytest.approx(part.point(xi), abs=1e-13)
    assert whole.domain == (0.0, 3.0) and whole.degree == 3
    for curves, says in (
        ([], "give a list of curves"),
        ([arc, line], "curve 1 begins at .* but the one before it ends at"),
        ([Curve.through([(1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0)], closed=True)], "clamp its knots"),
    ):
        with pytest.raises(ModelError, match=says):
            Curve.joined(curves)
