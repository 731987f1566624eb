"""Trimming loops of a face: its edges as curves in the parameter plane, and as polygons within a tolerance."""

# OpenCASCADE is optional and has no types:
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gudgeon.cad.rows import NoExactForm

Array = NDArray[np.float64]
MOST_CORNERS = 4096  # of one edge
START = 9  # parameters at which an edge is looked at first
LARGEST_GAP = 0.02  # between edges of a loop that follow each other, as a fraction of its size [-]


@dataclass(frozen=True)
class Edge:
    """One edge of a loop: (u, v) at parameters from `first` to `last`, in the direction of the loop."""

    at: Callable[[float], tuple[float, float]]
    first: float
    last: float
    is_line: bool


def loops_of_face(face: Any) -> tuple[list[list[Edge]], list[list[Edge]]]:
    """The edges of the outer loop (a list of one, or none) and of every hole."""
    from OCP.BRepTools import BRepTools
    from OCP.TopAbs import TopAbs_ShapeEnum
    from OCP.TopExp import TopExp_Explorer
    from OCP.TopoDS import TopoDS

    boundary = BRepTools.OuterWire_s(face)
    outer, inner = [], []
    wires = TopExp_Explorer(face, TopAbs_ShapeEnum.TopAbs_WIRE)
    while wires.More():
        wire = TopoDS.Wire(wires.Current())
        edges = _edges(wire, face)
        if edges:
            (outer if wire.IsSame(boundary) else inner).append(edges)
        wires.Next()
    return outer, inner


def _edges(wire: Any, face: Any) -> list[Edge]:
    """The edges of a wire in the order in which their ends meet in the parameter plane."""
    from OCP.BRepAdaptor import BRepAdaptor_Curve2d
    from OCP.GeomAbs import GeomAbs_CurveType
    from OCP.TopAbs import TopAbs_Orientation, TopAbs_ShapeEnum
    from OCP.TopExp import TopExp_Explorer
    from OCP.TopoDS import TopoDS

    edges = []
    walk = TopExp_Explorer(wire, TopAbs_ShapeEnum.TopAbs_EDGE)
    while walk.More():
        edge = TopoDS.Edge(walk.Current())
        walk.Next()
        backwards = edge.Orientation() == TopAbs_Orientation.TopAbs_REVERSED
        if not backwards and edge.Orientation() != TopAbs_Orientation.TopAbs_FORWARD:
            continue  # inside the face, bounds nothing
        curve = BRepAdaptor_Curve2d(edge, face)
        first, last = curve.FirstParameter(), curve.LastParameter()
        if backwards:
            first, last = last, first
        is_line = curve.GetType() == GeomAbs_CurveType.GeomAbs_Line
        edges.append(Edge(_evaluation(curve), first, last, is_line))
    return chained(edges)


def chained(edges: list[Edge]) -> list[Edge]:
    """The same edges, each followed by the one that starts nearest to its end; refuses loops with gaps."""
    if not edges:
        return []
    ends = np.array([[edge.at(edge.first), edge.at(edge.last)] for edge in edges])
    size = np.maximum(np.ptp(corners(edges), axis=0), 1e-12)
    starts, stops = ends[:, 0] / size, ends[:, 1] / size
    left, order = list(range(1, len(edges))), [0]
    while left:
        gaps = np.abs(starts[left] - stops[order[-1]]).max(axis=1)
        order.append(left.pop(int(np.argmin(gaps))))
    gaps = np.abs(np.roll(starts[order], -1, axis=0) - stops[order]).max(axis=1)
    if gaps.max() > LARGEST_GAP:
        raise NoExactForm(
            "one of its loops is not closed in the parameters of its surface, or goes round it without a seam; "
            "repair the face in your CAD program"
        )
    return [edges[k] for k in order]


def _evaluation(curve: Any) -> Callable[[float], tuple[float, float]]:
    def at(t: float) -> tuple[float, float]:
        p = curve.Value(t)
        return p.X(), p.Y()

    return at


def corners(edges: list[Edge]) -> Array:
    """(u, v) at the ends of straight edges and along curved ones, extremes included to rounding: for boxes."""
    rows = []
    for edge in edges:
        t = np.linspace(edge.first, edge.last, 2 if edge.is_line else 33)
        part = np.array([edge.at(x) for x in t])
        rows.append(part)
        for axis, sign in () if edge.is_line else ((0, -1.0), (0, 1.0), (1, -1.0), (1, 1.0)):
            rows.append(_extreme(edge, t, part, axis, sign))
    return np.concatenate(rows)


def _extreme(edge: Edge, t: Array, part: Array, axis: int, sign: float) -> Array:
    """The place where u or v is largest (sign 1) or least (-1), looked for ever closer to the best so far."""
    for _ in range(4):
        best = int(np.argmax(sign * part[:, axis]))
        t = np.linspace(t[max(best - 1, 0)], t[min(best + 1, len(t) - 1)], 17)
        part = np.array([edge.at(x) for x in t])
    return part[[int(np.argmax(sign * part[:, axis]))]]


def polygon(edges: list[Edge], to_xi: Callable[[Array], Array], tolerance: Array) -> Array:
    """The loop in (ξ1, ξ2), with chords that leave it by less than `tolerance` [-] in each direction."""
    rows: list[Array] = []
    for edge in edges:
        part = _chords(edge, to_xi, tolerance)
        rows.append(part[1:] if rows and np.abs(rows[-1][-1] - part[0]).max() < 1e-9 else part)
    loop = np.concatenate(rows)
    return loop[:-1] if len(loop) > 1 and np.abs(loop[0] - loop[-1]).max() < 1e-9 else loop


def _chords(edge: Edge, to_xi: Callable[[Array], Array], tolerance: Array) -> Array:
    """Halve every chord that is too far from the edge at its middle or at its quarters."""

    def at(t: Array) -> Array:
        return to_xi(np.array([edge.at(x) for x in t]))

    ends = to_xi(np.array([edge.at(edge.first), edge.at(edge.last)]))
    if edge.is_line and np.abs(ends[1] - ends[0]).min() < 1e-12:  # along ξ1 or ξ2: straight whatever the parameters
        return ends
    t = np.linspace(edge.first, edge.last, START)
    points = at(t)
    while len(t) < MOST_CORNERS:
        worst = np.zeros(len(t) - 1)
        for part in (0.25, 0.5, 0.75):
            between = at(t[:-1] + part * np.diff(t))
            chord = points[:-1] + part * np.diff(points, axis=0)
            across = _across(between - chord, np.diff(points, axis=0), tolerance)
            worst = np.maximum(worst, across)
        late = np.flatnonzero(worst > 1.0)
        if not len(late):
            break
        middle = 0.5 * (t[late] + t[late + 1])
        points = np.insert(points, late + 1, at(middle), axis=0)
        t = np.insert(t, late + 1, middle)
    return points


def _across(off: Array, chord: Array, tolerance: Array) -> Array:
    """How far a point is from its chord, in tolerances."""
    off, chord = off / tolerance, chord / tolerance
    length = np.linalg.norm(chord, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        across = np.abs(off[:, 0] * chord[:, 1] - off[:, 1] * chord[:, 0]) / length
    return np.where(length > 0.0, across, np.linalg.norm(off, axis=1))
