"""One face of OpenCASCADE as plain data: the net of its surface over the rectangle it needs, its loops and measures."""

# OpenCASCADE is optional and has no types:
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gudgeon.cad.loops import Edge, corners, loops_of_face, polygon
from gudgeon.cad.nets import Net, net_of_surface
from gudgeon.cad.rows import NoExactForm

Array = NDArray[np.float64]
MILLIMETRE = 1e-3  # OpenCASCADE's unit of length [m]
WHOLE = 1e-9  # a loop this near to the rectangle, as a fraction of it, trims nothing away [-]
EDGE = 1e-9  # corners on the border of the rectangle are moved out by this much, so that the border counts [-]


@dataclass(frozen=True)
class FaceData:
    """Everything about a face, in metres, in the frame of its part."""

    net: Net
    points: Array  # (n1, n2, 3) [m]
    weights: Array
    outer: list[Array]  # loops in (ξ1, ξ2); none if nothing is trimmed away
    inner: list[Array]
    reversed: bool  # whether the normal of the net points into the material
    hollow: bool | None  # whether the material is around it; None: neither pin nor bore
    area: float  # [m²]
    dimensions: dict[str, float]  # [m]


def face_data(face: Any, tolerance: float) -> FaceData:
    """The data of a face; loops as polygons within `tolerance` [m]. Raises NoExactForm for one that cannot be told."""
    from OCP.BRep import BRep_Tool
    from OCP.BRepGProp import BRepGProp
    from OCP.GeomAdaptor import GeomAdaptor_Surface
    from OCP.GProp import GProp_GProps
    from OCP.TopAbs import TopAbs_Orientation
    from OCP.TopoDS import TopoDS

    forward = TopoDS.Face(face.Oriented(TopAbs_Orientation.TopAbs_FORWARD))
    geometry = BRep_Tool.Surface_s(forward)
    if geometry is None:
        raise NoExactForm("it has no surface, only a mesh; export the exact geometry (AP214 or AP242 B-rep)")
    surface = GeomAdaptor_Surface(geometry)
    outer, inner = loops_of_face(forward)
    periods = (
        surface.UPeriod() if surface.IsUPeriodic() else 0.0,
        surface.VPeriod() if surface.IsVPeriodic() else 0.0,
    )
    u, v = _rectangle(surface, outer, periods)
    net = net_of_surface(surface, u, v)
    points = MILLIMETRE * net.net[..., :3] / net.net[..., 3:]

    def to_xi(rows: Array) -> Array:
        return np.stack([net.parameters[0].xi(rows[:, 0]), net.parameters[1].xi(rows[:, 1])], axis=1)

    chord = tolerance / _lengths(points)
    outside = [polygon(edges, to_xi, chord) for edges in outer]
    holes = []
    for edges in inner:
        box = corners(edges)
        for i in _shifts(box[:, 0], u, periods[0]):
            for j in _shifts(box[:, 1], v, periods[1]):
                by = np.array([i * periods[0], j * periods[1]])
                holes.append(polygon([_moved(edge, by) for edge in edges], to_xi, chord))
    outside = [loop for loop in outside if _enclosed(loop) > 0.0]
    holes = [loop for loop in holes if _enclosed(loop) > 0.0]
    if len(outside) == 1 and _enclosed(outside[0]) > 1.0 - WHOLE:
        outside = []
    is_reversed = face.Orientation() == TopAbs_Orientation.TopAbs_REVERSED
    properties = GProp_GProps()
    BRepGProp.SurfaceProperties_s(face, properties)
    return FaceData(
        net=net,
        points=points,
        weights=net.net[..., 3],
        outer=[_over_the_border(loop) for loop in outside],
        inner=[_over_the_border(loop) for loop in holes],
        reversed=is_reversed,
        hollow=None if net.outwards is None else net.outwards == is_reversed,
        area=abs(properties.Mass()) * MILLIMETRE**2,
        dimensions={name: value * MILLIMETRE for name, value in net.dimensions.items()},
    )


def _rectangle(surface: Any, outer: list[list[Edge]], periods: tuple[float, float]) -> tuple[Any, Any]:
    """The ranges of u and v that the outer loop needs; the natural ones where it comes near, and if there is none."""
    natural = (
        (surface.FirstUParameter(), surface.LastUParameter()),
        (surface.FirstVParameter(), surface.LastVParameter()),
    )
    rows = np.concatenate([corners(edges) for edges in outer]) if outer else None
    ranges = []
    for axis in (0, 1):
        low, high = natural[axis]
        period = periods[axis]
        if rows is None:
            a, b = low, high
            if abs(a) > 1e50 or abs(b) > 1e50:
                raise NoExactForm("it has no boundary, and its surface has no end")
        else:
            a, b = float(rows[:, axis].min()), float(rows[:, axis].max())
            near = 1e-9 * (b - a)
            if period:
                if abs(b - a - period) < 1e-7 * period:
                    a = low if abs(a - low) < 1e-7 * period else a
                    b = a + period
                elif b - a > period:
                    raise NoExactForm("its outer loop goes round more than once; split the face at its seam")
            else:
                a = low if a < low + near else a
                b = high if b > high - near else b
        if not b > a:
            raise NoExactForm("its boundary encloses no area")
        ranges.append((a, b))
    return ranges[0], ranges[1]


def _moved(edge: Edge, by: Array) -> Edge:
    """An edge shifted by whole periods."""

    def at(t: float) -> tuple[float, float]:
        u, v = edge.at(t)
        return u + by[0], v + by[1]

    return replace(edge, at=at)


def _shifts(values: Array, bounds: tuple[float, float], period: float) -> list[int]:
    """By how many periods a hole must be moved to show inside the bounds: more than one way if it crosses the seam."""
    if not period:
        return [0]
    low, high = values.min(), values.max()
    first, last = np.ceil((bounds[0] - high) / period + 1e-9), np.floor((bounds[1] - low) / period - 1e-9)
    return list(range(int(first), int(last) + 1))


def _enclosed(loop: Array) -> float:
    x, y = loop[:, 0], loop[:, 1]
    return 0.5 * abs(float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)))


def _over_the_border(loop: Array) -> Array:
    return np.where(loop < EDGE, loop - EDGE, np.where(loop > 1.0 - EDGE, loop + EDGE, loop))


def _lengths(points: Array) -> Array:
    """About how long the surface is in ξ1 and in ξ2 [m]: the longest row of its control net."""
    along = [np.linalg.norm(np.diff(points, axis=axis), axis=2).sum(axis=axis).max() for axis in (0, 1)]
    return np.maximum(np.array(along), 1e-12)
