"""Curves of OpenCASCADE as rows of control points, exactly: lines, conics, B-splines."""

# OpenCASCADE is optional and has no types:
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gudgeon.cad.parameters import Even, Hyperbolic, Parameter, Turning
from gudgeon.nurbs import knots as kv
from gudgeon.nurbs.curve import unit_arc

Array = NDArray[np.float64]
SAME = 1e-10  # parameters nearer than this fraction of their range are one [-]


class NoExactForm(Exception):
    """A curve or surface that no NURBS equals; the message says which."""


@dataclass(frozen=True)
class Row:
    """One direction of a net: homogeneous control points (n, 4) over knots from 0 to 1."""

    degree: int
    knots: Array
    net: Array  # (w x, w y, w z, w) [mm]
    parameter: Parameter


def xyz(thing: Any) -> Array:
    """A point, vector or direction of OpenCASCADE as an array."""
    return np.array([thing.X(), thing.Y(), thing.Z()])


def arc(a: float, b: float) -> tuple[Array, Array, Array, Array, Turning]:
    """Knots, cosines, sines (control points of the unit circle) and weights of the arc from the angle a to b [rad]."""
    angle = min(b - a, 2.0 * np.pi)
    knots, cosine, sine, weights = unit_arc("arc", angle)
    c, s = np.cos(a), np.sin(a)
    return knots, c * cosine - s * sine, s * cosine + c * sine, weights, Turning(a, b)


def row_of_conic(center: Array, x: Array, y: Array, a: float, b: float) -> Row:
    """The arc center + cos u·x + sin u·y from a to b [rad]."""
    knots, cosine, sine, weights, parameter = arc(a, b)
    points = center + np.outer(cosine, x) + np.outer(sine, y)
    return Row(2, knots, homogeneous(points, weights), parameter)


def row_of_line(start: Array, end: Array, a: float, b: float) -> Row:
    """The straight line that is at `start` where u = a and at `end` where u = b."""
    return Row(1, kv.clamped(1), homogeneous(np.array([start, end]), np.ones(2)), Even(a, b))


def homogeneous(points: Array, weights: Array) -> Array:
    """(w x, w y, w z, w) of points and weights."""
    return np.concatenate([points * weights[..., None], weights[..., None]], axis=-1)


def row_of_curve(curve: Any, a: float, b: float) -> Row:
    """The part from u = a to u = b of an adaptor curve."""
    from OCP.GeomAbs import GeomAbs_CurveType as Kind

    kind = curve.GetType()
    if kind == Kind.GeomAbs_Line:
        return row_of_line(xyz(curve.Value(a)), xyz(curve.Value(b)), a, b)
    if kind in (Kind.GeomAbs_Circle, Kind.GeomAbs_Ellipse):
        is_circle = kind == Kind.GeomAbs_Circle
        conic = curve.Circle() if is_circle else curve.Ellipse()
        large = conic.Radius() if is_circle else conic.MajorRadius()
        small = conic.Radius() if is_circle else conic.MinorRadius()
        frame = conic.Position()
        return row_of_conic(
            xyz(conic.Location()), large * xyz(frame.XDirection()), small * xyz(frame.YDirection()), a, b
        )
    if kind == Kind.GeomAbs_Hyperbola:
        conic = curve.Hyperbola()
        x = conic.MajorRadius() * xyz(conic.Position().XDirection())
        y = conic.MinorRadius() * xyz(conic.Position().YDirection())
        middle, half = 0.5 * (a + b), 0.5 * (b - a)
        at, weights = np.array([a, middle, b]), np.array([1.0, np.cosh(half), 1.0])
        points = xyz(conic.Location()) + (np.cosh(at) / weights)[:, None] * x + (np.sinh(at) / weights)[:, None] * y
        return Row(2, kv.clamped(2), homogeneous(points, weights), Hyperbolic(a, b))
    if kind == Kind.GeomAbs_Parabola:
        conic = curve.Parabola()
        x, y = xyz(conic.Position().XDirection()) / (4.0 * conic.Focal()), xyz(conic.Position().YDirection())
        squares, firsts = np.array([a * a, a * b, b * b]), np.array([a, 0.5 * (a + b), b])  # blossoms of u² and u
        points = xyz(conic.Location()) + np.outer(squares, x) + np.outer(firsts, y)
        return Row(2, kv.clamped(2), homogeneous(points, np.ones(3)), Even(a, b))
    if kind == Kind.GeomAbs_BezierCurve:
        bezier = curve.Bezier()
        count, degree = bezier.NbPoles(), bezier.Degree()
        points = np.array([xyz(bezier.Pole(i + 1)) for i in range(count)])
        weights = np.array([bezier.Weight(i + 1) for i in range(count)])
        net, knots = segment(homogeneous(points, weights), kv.clamped(degree), degree, a, b)
        return Row(degree, knots, net, Even(a, b))
    if kind == Kind.GeomAbs_BSplineCurve:
        spline = curve.BSpline()
        period = spline.Period() if spline.IsPeriodic() else 0.0
        if period:
            spline = spline.Copy()
            spline.SetNotPeriodic()
        count, degree = spline.NbPoles(), spline.Degree()
        points = np.array([xyz(spline.Pole(i + 1)) for i in range(count)])
        weights = np.array([spline.Weight(i + 1) for i in range(count)])
        values = [spline.Knot(i + 1) for i in range(spline.NbKnots())]
        knots = np.repeat(values, [spline.Multiplicity(i + 1) for i in range(len(values))])
        net, knots = segment(homogeneous(points, weights), knots, degree, a, b, period)
        return Row(degree, knots, net, Even(a, b))
    raise NoExactForm(f"it is swept from a curve without an exact NURBS form ({kind.name})")


def segment(net: Array, knots: Array, degree: int, a: float, b: float, period: float = 0.0) -> tuple[Array, Array]:
    """The part [a, b] of a B-spline along axis 0, over knots from 0 to 1; a periodic one may be cut across its seam."""
    if period:
        low = knots[degree]
        turns = np.floor((a - low) / period + SAME)
        a, b = a - turns * period, b - turns * period
        if b > low + period * (1.0 + SAME):
            net = np.concatenate([net, net[1:]])
            knots = np.concatenate([knots[:-1], knots[degree + 1 :] + period])
    span = b - a
    values = np.unique(knots)
    for value in values[(np.abs(values - a) < SAME * span) | (np.abs(values - b) < SAME * span)]:
        a, b = (value, b) if abs(value - a) < SAME * span else (a, value)
    low, high = knots[degree], knots[len(knots) - degree - 1]
    a, b = max(a, low), min(b, high)
    for end in (a, b):
        while int(np.sum(knots == end)) < degree:
            net, knots = kv.inserted(net, knots, degree, float(end))
    first = int(np.searchsorted(knots, a, side="right")) - 1 - degree
    last = int(np.searchsorted(knots, b, side="left"))
    inner = knots[(knots > a) & (knots < b)]
    new = np.concatenate([np.zeros(degree + 1), (inner - a) / (b - a), np.ones(degree + 1)])
    return net[first:last], new
