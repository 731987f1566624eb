"""A body bounded by triangles, from an STL file. The description keeps the triangles, not the name of the file."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import Literal

from gudgeon.checks import choice
from gudgeon.errors import ModelError
from gudgeon.shapes.shape import Array, Shape
from gudgeon.shapes.triangles import Triangles, unpacked

METRES = {"mm": 1e-3, "cm": 1e-2, "m": 1.0, "inch": 0.0254}


@dataclass(frozen=True)
class Mesh(Shape):
    """The triangles of an STL file, in the file's own frame; `unit` is that of its numbers, of which STL says nothing.

    The file is read when the shape is made, and is not needed any more then. A mass needs a closed surface.

    >>> import gudgeon as gd
    >>> gd.Body.of_shape(gd.Mesh("bracket.stl", unit="mm"), density=2700)  # doctest: +SKIP
    """

    path: str | Path | None = None  # of an STL file; read once, then None
    _: KW_ONLY
    unit: Literal["mm", "cm", "m", "inch"] = "mm"  # of the numbers in the file
    triangles: str = field(default="", repr=False)  # what was in the file, packed; leave it out

    def __post_init__(self):
        super().__post_init__()
        choice("Mesh", "unit", self.unit, tuple(METRES))
        if self.path is not None:
            from gudgeon.shapes.stl import read_stl

            object.__setattr__(self, "triangles", read_stl("Mesh", self.path).packed())
            object.__setattr__(self, "path", None)
        if not self.triangles:
            raise ModelError("Mesh: which file? give gd.Mesh('part.stl')")
        self.surface()

    @property
    def scale(self) -> float:
        """Metres in a unit of the file."""
        return METRES[self.unit]

    def surface(self) -> Triangles:
        """Its triangles, in the file's unit."""
        return unpacked("Mesh", self.triangles)

    def own_volume(self) -> tuple[float, Array, Array]:
        """Volume, centre and moments; an open surface has none."""
        surface = self.surface()
        if edges := surface.open_edges():
            raise ModelError(
                f"Mesh: its surface is not closed ({edges} edges have a triangle on one side only, or two that "
                "disagree), so that its mass cannot be told; repair the file, or give mass and inertia yourself"
            )
        volume, centre, moments = surface.volume(self.scale)
        if volume <= 0.0:
            raise ModelError("Mesh: its surface encloses no volume; check the file, or give mass and inertia yourself")
        return volume, centre, moments
