"""The assembly tree of a document of OpenCASCADE: parts, where each is placed, the names and colours of faces."""

# OpenCASCADE is optional and has no types:
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_LEVELS = 64  # of an assembly
MEANINGLESS = ("", "NONE", "none", "*")  # what programs write for an item without a name


@dataclass(frozen=True)
class Instance:
    """A part at one place of the assembly."""

    part: int  # which of `Document.parts`
    name: str  # instance names from the top, joined by "/"
    rotation: NDArray[np.float64]
    translation: NDArray[np.float64]  # [mm]


@dataclass(frozen=True)
class Solid:
    """One body of a part: a solid, or its faces that bound none."""

    name: str
    faces: list[Any]


class Document:
    """The parts of a document, each once, and the instances that place them."""

    def __init__(self, document: Any):
        from OCP.TopLoc import TopLoc_Location
        from OCP.XCAFDoc import XCAFDoc_DocumentTool

        self.shapes = XCAFDoc_DocumentTool.ShapeTool_s(document.Main())
        self.colors = XCAFDoc_DocumentTool.ColorTool_s(document.Main())
        self.parts: list[Any] = []  # labels
        self.instances: list[Instance] = []
        self._place: dict[str, int] = {}
        roots = [x for x in children(self.shapes.Label()) if self.shapes.IsShape_s(x) and self.shapes.IsFree_s(x)]
        for root in roots:
            self._walk(root, TopLoc_Location(), "" if self.shapes.IsAssembly_s(root) else label_name(root), 0)

    def _walk(self, label: Any, location: Any, path: str, level: int) -> None:
        from OCP.TDF import TDF_Label

        if level > MOST_LEVELS:
            raise RecursionError(f"the assembly is nested more than {MOST_LEVELS} levels deep, or contains itself")
        if not self.shapes.IsAssembly_s(label):
            self._add(label, location, path)
            return
        for component in children(label):
            if not self.shapes.IsComponent_s(component):
                continue
            part = TDF_Label()
            self.shapes.GetReferredShape_s(component, part)
            name = label_name(component) or label_name(part)
            here = location.Multiplied(self.shapes.GetLocation_s(component))
            self._walk(part, here, f"{path}/{name}" if path else name, level + 1)

    def _add(self, label: Any, location: Any, path: str) -> None:
        key = entry(label)
        if key not in self._place:
            self._place[key] = len(self.parts)
            self.parts.append(label)
        t = location.Transformation()
        matrix = np.array([[t.Value(i + 1, j + 1) for j in range(4)] for i in range(3)])
        self.instances.append(Instance(self._place[key], path or "part", matrix[:, :3], matrix[:, 3]))

    def solids(self, part: int) -> list[Solid]:
        """The bodies of a part with their faces; a part that is one body has the name ""."""
        from OCP.TopAbs import TopAbs_ShapeEnum as Kind
        from OCP.TopoDS import TopoDS

        shape = self.shapes.GetShape_s(self.parts[part])
        names = self.subshape_names(part)
        solids = [
            Solid(find_name(names, x), [TopoDS.Face(f) for f in explored(x, Kind.TopAbs_FACE)])
            for x in explored(shape, Kind.TopAbs_SOLID)
        ]
        loose = [TopoDS.Face(f) for f in explored(shape, Kind.TopAbs_FACE, Kind.TopAbs_SOLID)]
        if loose:
            solids.append(Solid("", loose))
        if len(solids) < 2:
            return [Solid("", x.faces) for x in solids]
        return [Solid(x.name or f"body {k + 1}", x.faces) for k, x in enumerate(solids)]

    def subshape_names(self, part: int) -> dict[int, list[tuple[Any, str]]]:
        """Names of faces and solids of a part, by hash."""
        names: dict[int, list[tuple[Any, str]]] = {}
        for child in children(self.parts[part]):
            name = label_name(child)
            if name and not self.shapes.IsComponent_s(child):
                shape = self.shapes.GetShape_s(child)
                names.setdefault(hash(shape), []).append((shape, name))
        return names

    def color(self, shape: Any) -> tuple[float, float, float] | None:
        """The colour given to a shape as (red, green, blue) in sRGB, None if it has none."""
        from OCP.Quantity import Quantity_Color
        from OCP.XCAFDoc import XCAFDoc_ColorType as Kind

        color = Quantity_Color()
        for kind in (Kind.XCAFDoc_ColorSurf, Kind.XCAFDoc_ColorGen):
            if self.colors.GetColor(shape, kind, color):
                return _srgb(color.Red()), _srgb(color.Green()), _srgb(color.Blue())
        return None


def _srgb(linear: float) -> float:
    value = 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1.0 / 2.4) - 0.055
    return round(min(max(value, 0.0), 1.0), 4)


def children(label: Any) -> Iterator[Any]:
    """The labels right below a label."""
    from OCP.TDF import TDF_ChildIterator

    walk = TDF_ChildIterator(label, False)
    while walk.More():
        yield walk.Value()
        walk.Next()


def label_name(label: Any) -> str:
    """The name on a label, "" if there is none."""
    from OCP.TDataStd import TDataStd_Name

    name = TDataStd_Name()
    if not label.FindAttribute(TDataStd_Name.GetID_s(), name):
        return ""
    text = name.Get().ToExtString().strip()
    return "" if text in MEANINGLESS else text


def entry(label: Any) -> str:
    """The place of a label in the document, such as 0:1:1:2."""
    tags = []
    while not label.IsRoot():
        tags.append(str(label.Tag()))
        label = label.Father()
    return ":".join(reversed(tags))


def explored(shape: Any, kind: Any, avoid: Any = None) -> Iterator[Any]:
    """All parts of one kind of a shape, outside parts of the kind to avoid; each once."""
    from OCP.TopAbs import TopAbs_ShapeEnum
    from OCP.TopExp import TopExp_Explorer

    seen: dict[int, list[Any]] = {}
    walk = TopExp_Explorer(shape, kind, avoid or TopAbs_ShapeEnum.TopAbs_SHAPE)
    while walk.More():
        found = walk.Current()
        same = seen.setdefault(hash(found), [])
        if not any(found.IsSame(x) for x in same):
            same.append(found)
            yield found
        walk.Next()


def find_name(names: dict[int, list[tuple[Any, str]]], shape: Any) -> str:
    """The name of a shape among those of `subshape_names`."""
    for candidate, name in names.get(hash(shape), []):
        if shape.IsSame(candidate):
            return name
    return ""
