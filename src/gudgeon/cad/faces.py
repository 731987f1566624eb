"""The faces of a CAD file: surfaces with their names, bodies and placements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from gudgeon.errors import ModelError, did_you_mean
from gudgeon.nurbs.pair import Pose
from gudgeon.nurbs.surface import Surface


@dataclass(frozen=True, kw_only=True, eq=False)
class Face:
    """A face of a CAD file. The normal S_1 × S_2 of its surface points out of the material.

    >>> from gudgeon.cad.faces import Face
    >>> from gudgeon.nurbs import Pose, Surface
    >>> pin = Face(name="pin", body="rod", kind="cylinder", local=Surface.cylinder(0.01, 0.0, 0.03),
    ...            placement=Pose(position=(1, 0, 0)), dimensions={"radius": 0.01, "length": 0.03})
    >>> pin.surface.point(0.0, 0.0)
    array([1.01, 0.  , 0.  ])
    >>> pin.size
    'R 10 × 30 mm'
    """

    name: str  # as in the file; "face 7" if it has none there
    body: str  # the instance of the part it belongs to, assemblies joined by "/"
    kind: str  # "plane", "cylinder", "cone", "sphere", "torus", "revolution", "extrusion" or "spline"
    local: Surface  # in the frame of the part [m]
    placement: Pose  # of the part's frame in the world of the file
    hollow: bool | None = None  # whether the material is around it, as around a bore; None: not round
    area: float = float("nan")  # of the trimmed face [m²]
    color: tuple[float, float, float] | None = None  # red, green, blue, 0 to 1 [-]
    dimensions: Mapping[str, float] = field(default_factory=dict)  # radius, length … of elementary surfaces [m]

    @cached_property
    def surface(self) -> Surface:
        """The surface where the file places it [m].

        >>> from gudgeon.cad.faces import Face
        >>> from gudgeon.nurbs import Pose, Surface
        >>> lid = Face(name="lid", body="box", kind="plane", local=Surface.plane(), placement=Pose(position=(0, 0, 2)))
        >>> lid.surface.point(0.5, 0.5)
        array([0.5, 0.5, 2. ])
        """
        return self.local.moved(rotation=self.placement.packed[:9].reshape(3, 3), translation=self.placement.position)

    @property
    def size(self) -> str:
        """Its dimensions as text: radii as R, lengths, or the box around it in the frame of the part.

        >>> from gudgeon.cad.faces import Face
        >>> from gudgeon.nurbs import Pose, Surface
        >>> Face(name="", body="", kind="spline", local=Surface.plane(), placement=Pose()).size
        '1000 × 1000 × 0 mm'
        """
        d = {name: f"{1e3 * value:.4g}" for name, value in self.dimensions.items()}
        if "minor" in d:
            return f"R {d['major']}, r {d['minor']} mm"
        if "radius_2" in d:
            return f"R {d['radius']} … {d['radius_2']} × {d['length']} mm"
        if "length" in d:
            return f"R {d['radius']} × {d['length']} mm"
        if "radius" in d:
            return f"R {d['radius']} mm"
        if "width" in d:
            return f"{d['width']} × {d['height']} mm"
        low, high = self.local.bounds()
        return " × ".join(f"{1e3 * x:.4g}" for x in high - low) + " mm"

    def __repr__(self) -> str:
        return f"<Face {self.name!r} of {self.body!r}: {self.kind}, {self.size}>"


class Faces(Mapping[str, Face]):
    """The faces of a file by name; `print` shows them as a table.

    A name that several faces share is told apart as "body/name", then by a number. `refused` says of every face that
    could not be read why.

    >>> from gudgeon.cad.faces import Face, Faces
    >>> from gudgeon.nurbs import Pose, Surface
    >>> bore = Face(name="bore", body="rod", kind="cylinder", local=Surface.cylinder(0.01, 0, 0.02), placement=Pose())
    >>> faces = Faces("rod.step", [bore])
    >>> faces["bore"].body
    'rod'
    >>> faces["bor"]
    Traceback (most recent call last):
    gudgeon.errors.ModelError: rod.step: no face 'bor'; did you mean 'bore'?
    """

    def __init__(self, file: str, faces: Iterable[Face], refused: Mapping[str, str] | None = None):
        self.file = file
        self.refused = dict(refused or {})  # why a face is not here
        faces = list(faces)
        shared = _shared(face.name for face in faces)
        names = [f"{face.body}/{face.name}" if face.name in shared else face.name for face in faces]
        still_shared, count = _shared(names), dict.fromkeys(names, 0)
        self._faces: dict[str, Face] = {}
        for name, face in zip(names, faces, strict=True):
            count[name] += 1
            self._faces[f"{name} {count[name]}" if name in still_shared else name] = face

    @property
    def bodies(self) -> list[str]:
        """The bodies that have a face here, in order.

        >>> from gudgeon.cad.faces import Faces
        >>> Faces("empty.step", []).bodies
        []
        """
        return list(dict.fromkeys(face.body for face in self.values()))

    def __getitem__(self, name: str) -> Face:
        if name in self._faces:
            return self._faces[name]
        same = [key for key, face in self._faces.items() if name in (face.name, f"{face.body}/{face.name}")]
        if len(same) == 1:
            return self._faces[same[0]]
        if same:
            known = ", ".join(repr(x) for x in same)
            raise ModelError(f"{self.file}: {len(same)} faces are called {name!r}; say which of {known}")
        if name in self.refused:
            raise ModelError(f"{self.file}: face {name!r} could not be read: {self.refused[name]}")
        raise ModelError(f"{self.file}: no face {name!r}; {_near(name, self._faces)}")

    def __contains__(self, name: Any) -> bool:
        return name in self._faces

    def __iter__(self) -> Iterator[str]:
        return iter(self._faces)

    def __len__(self) -> int:
        return len(self._faces)

    def __repr__(self) -> str:
        rows = [("face", "kind", "body", "size", "area")]
        for name, face in self._faces.items():
            kind = f"{face.kind}, hollow" if face.hollow else face.kind
            if face.local.trim is not None:
                kind += ", trimmed"
            rows.append((name, kind, face.body, face.size, f"{1e6 * face.area:.4g} mm²"))
        widths = [max(len(row[c]) for row in rows) for c in range(len(rows[0]))]
        lines = ["  ".join(x.ljust(w) for x, w in zip(row, widths, strict=True)).rstrip() for row in rows]
        faces, bodies = len(self), len(self.bodies)
        head = f"{self.file}: {faces} face{'s' * (faces != 1)} of {bodies} bod{'y' if bodies == 1 else 'ies'}"
        refused = [f"refused: {name}: {why}" for name, why in self.refused.items()]
        return "\n".join([head, *lines, *refused])


def _shared(names: Iterable[str]) -> set[str]:
    """The names that occur more than once."""
    once, twice = set(), set()
    for name in names:
        (twice if name in once else once).add(name)
    return twice


def _near(name: str, known: Mapping[str, Face]) -> str:
    """The end of an error message; not the whole list, files have thousands of faces."""
    text = did_you_mean(name, known)
    return text if len(known) <= 12 or text.startswith("did") else "print the faces to see their names"
