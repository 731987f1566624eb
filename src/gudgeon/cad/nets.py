"""Surfaces of OpenCASCADE as control nets, exactly: elementary ones, revolutions, extrusions, B-splines.

Each is cut to the rectangle of parameters that its face needs, with ξ1 along OpenCASCADE's u and ξ2 along its v.
"""

# OpenCASCADE is optional and has no types:
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gudgeon.cad.parameters import Even, Parameter
from gudgeon.cad.rows import NoExactForm, Row, arc, homogeneous, row_of_conic, row_of_curve, row_of_line, segment, xyz
from gudgeon.nurbs import knots as kv

Array = NDArray[np.float64]
Range = tuple[float, float]


@dataclass(frozen=True)
class Net:
    """A surface in millimetres over [0, 1]², and how its parameters follow from OpenCASCADE's."""

    kind: str
    degree: tuple[int, int]
    knots: tuple[Array, Array]
    net: Array  # (n1, n2, 4) homogeneous [mm]
    parameters: tuple[Parameter, Parameter]
    dimensions: dict[str, float] = field(default_factory=dict)  # what an engineer would measure [mm]
    outwards: bool | None = None  # whether S_1 × S_2 points away from the axis or centre; None: there is none


def net_of_surface(surface: Any, u: Range, v: Range) -> Net:
    """The part u × v of an adaptor surface."""
    from OCP.GeomAbs import GeomAbs_SurfaceType as Kind

    kind = surface.GetType()
    if kind == Kind.GeomAbs_Plane:
        return _plane(surface, u, v)
    if kind in (Kind.GeomAbs_Cylinder, Kind.GeomAbs_Cone, Kind.GeomAbs_Sphere, Kind.GeomAbs_Torus):
        return _round(surface, kind, Kind, u, v)
    if kind == Kind.GeomAbs_SurfaceOfRevolution:
        axis = surface.AxeOfRevolution()
        profile = row_of_curve(surface.BasisCurve(), *v)
        return revolved("revolution", xyz(axis.Location()), xyz(axis.Direction()), profile, u)
    if kind == Kind.GeomAbs_SurfaceOfExtrusion:
        profile = row_of_curve(surface.BasisCurve(), *u)
        path = xyz(surface.Direction())
        ends = [profile.net + np.concatenate([w * path, [0.0]]) * profile.net[:, 3:] for w in v]
        degree = (profile.degree, 1)
        net = np.stack(ends, axis=1)
        return Net("extrusion", degree, (profile.knots, kv.clamped(1)), net, (profile.parameter, Even(*v)))
    if kind == Kind.GeomAbs_BezierSurface:
        return _spline(surface.Bezier(), None, u, v)
    if kind == Kind.GeomAbs_BSplineSurface:
        return _spline(surface.BSpline(), True, u, v)
    raise NoExactForm(f"its surface has no exact NURBS form ({kind.name.removeprefix('GeomAbs_')})")


def _plane(surface: Any, u: Range, v: Range) -> Net:
    frame = surface.Plane().Position()
    x, y, origin = xyz(frame.XDirection()), xyz(frame.YDirection()), xyz(frame.Location())
    points = np.array([[origin + a * x + b * y for b in v] for a in u])
    return Net(
        "plane",
        (1, 1),
        (kv.clamped(1), kv.clamped(1)),
        homogeneous(points, np.ones((2, 2))),
        (Even(*u), Even(*v)),
        {"width": u[1] - u[0], "height": v[1] - v[0]},
    )


def _round(surface: Any, kind: Any, known: Any, u: Range, v: Range) -> Net:
    """Cylinder, cone, sphere and torus: a meridian in the plane of x and z, turned about z."""
    (a, b), dimensions = v, {}
    if kind == known.GeomAbs_Cylinder:
        shape, name = surface.Cylinder(), "cylinder"
    elif kind == known.GeomAbs_Cone:
        shape, name = surface.Cone(), "cone"
    elif kind == known.GeomAbs_Sphere:
        shape, name = surface.Sphere(), "sphere"
    else:
        shape, name = surface.Torus(), "torus"
    frame = shape.Position()
    origin, x, z = xyz(frame.Location()), xyz(frame.XDirection()), xyz(frame.Direction())
    turn = z if frame.Direct() else -z  # a left-handed frame turns the other way
    if name == "cylinder":
        r = shape.Radius()
        meridian = row_of_line(origin + r * x + a * z, origin + r * x + b * z, a, b)
        dimensions = {"radius": r, "length": b - a}
    elif name == "cone":
        slope = shape.SemiAngle()
        radii = [shape.RefRadius() + w * np.sin(slope) for w in v]
        ends = [origin + r * x + w * np.cos(slope) * z for r, w in zip(radii, v, strict=True)]
        meridian = row_of_line(ends[0], ends[1], a, b)
        dimensions = {"radius": abs(radii[0]), "radius_2": abs(radii[1]), "length": (b - a) * float(np.cos(slope))}
    elif name == "sphere":
        r = shape.Radius()
        meridian = row_of_conic(origin, r * x, r * z, a, b)
        dimensions = {"radius": r}
    else:
        r = shape.MinorRadius()
        meridian = row_of_conic(origin + shape.MajorRadius() * x, r * x, r * z, a, b)
        dimensions = {"major": shape.MajorRadius(), "minor": r}
    return revolved(name, origin, turn, meridian, u, dimensions, outwards=bool(frame.Direct()))


def revolved(
    kind: str,
    origin: Array,
    axis: Array,
    profile: Row,
    u: Range,
    dimensions: dict[str, float] | None = None,
    outwards: bool | None = None,
) -> Net:
    """A profile turned about an axis through the angles u [rad]: ξ1 round, ξ2 along the profile."""
    knots, cosine, sine, weights, parameter = arc(*u)
    points = profile.net[:, :3] / profile.net[:, 3:]
    along = np.outer((points - origin) @ axis, axis) + origin
    arm = points - along
    across = np.cross(axis, arm)
    swept = along + cosine[:, None, None] * arm + sine[:, None, None] * across
    net = homogeneous(swept, np.outer(weights, profile.net[:, 3]))
    rows = (knots, profile.knots)
    return Net(kind, (2, profile.degree), rows, net, (parameter, profile.parameter), dimensions or {}, outwards)


def _spline(spline: Any, has_knots: bool | None, u: Range, v: Range) -> Net:
    periods = [0.0, 0.0]
    if has_knots:
        periods = [spline.UPeriod() if spline.IsUPeriodic() else 0.0, spline.VPeriod() if spline.IsVPeriodic() else 0.0]
        if any(periods):
            spline = spline.Copy()
            spline.SetUNotPeriodic()
            spline.SetVNotPeriodic()
    n1, n2 = spline.NbUPoles(), spline.NbVPoles()
    points = np.array([[xyz(spline.Pole(i + 1, j + 1)) for j in range(n2)] for i in range(n1)])
    weights = np.array([[spline.Weight(i + 1, j + 1) for j in range(n2)] for i in range(n1)])
    degree = spline.UDegree(), spline.VDegree()
    if has_knots:
        u_knots = [spline.UKnot(i + 1) for i in range(spline.NbUKnots())]
        v_knots = [spline.VKnot(i + 1) for i in range(spline.NbVKnots())]
        knots = [
            np.repeat(u_knots, [spline.UMultiplicity(i + 1) for i in range(len(u_knots))]),
            np.repeat(v_knots, [spline.VMultiplicity(i + 1) for i in range(len(v_knots))]),
        ]
    else:
        knots = [kv.clamped(degree[0]), kv.clamped(degree[1])]
    net = homogeneous(points, weights)
    net, knots[0] = segment(net, knots[0], degree[0], *u, periods[0])
    net, knots[1] = segment(np.moveaxis(net, 1, 0), knots[1], degree[1], *v, periods[1])
    return Net("spline", degree, (knots[0], knots[1]), np.moveaxis(net, 0, 1), (Even(*u), Even(*v)))
