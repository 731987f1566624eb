"""Trimming loops of a face: its edges as curves in the parameter plane, and as polygons within a tolerance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gudgeon.cad.rows import NoExactForm

Array = NDArray[np.float64]
MOST_CORNERS = 4096  # of one edge
START = 9  # parameters at which an edge is looked at first; odd, and not a divisor of common symmetries


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
    from OCP.BRepAdaptor import BRepAdaptor_Curve2d
    from OCP.BRepTools import BRepTools_WireExplorer
    from OCP.GeomAbs import GeomAbs_CurveType
    from OCP.TopAbs import TopAbs_Orientation, TopAbs_ShapeEnum
    from OCP.TopExp import TopExp_Explorer

    usual = (TopAbs_Orientation.TopAbs_FORWARD, TopAbs_Orientation.TopAbs_REVERSED)
    walk, edges = BRepTools_WireExplorer(wire, face), []
    while walk.More():
        edge = walk.Current()
        curve = BRepAdaptor_Curve2d(edge, face)
        first, last = curve.FirstParameter(), curve.LastParameter()
        if walk.Orientation() == TopAbs_Orientation.TopAbs_REVERSED:
            first, last = last, first
        is_line = curve.GetType() == GeomAbs_CurveType.GeomAbs_Line
        edges.append(Edge(_evaluation(curve), first, last, is_line))
        walk.Next()
    count, every = 0, TopExp_Explorer(wire, TopAbs_ShapeEnum.TopAbs_EDGE)
    while every.More():
        count += every.Current().Orientation() in usual
        every.Next()
    if edges and count != len(edges):
        raise NoExactForm(f"one of its loops is not connected ({len(edges)} of {count} edges follow each other)")
    return edges


def _evaluation(curve: Any) -> Callable[[float], tuple[float, float]]:
    def at(t: float) -> tuple[float, float]:
        p = curve.Value(t)
        return p.X(), p.Y()

    return at


def corners(edges: list[Edge]) -> Array:
    """(u, v) at a few places of every edge: exact for straight ones, for boxes of the others."""
    rows = []
    for edge in edges:
        count = 2 if edge.is_line else 65
        rows += [edge.at(t) for t in np.linspace(edge.first, edge.last, count)]
    return np.array(rows)


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
