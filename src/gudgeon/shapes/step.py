"""The solids of a STEP file: volume and moments by OpenCASCADE from the exact surfaces, triangles for drawing."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import Annotated

import numpy as np

from gudgeon.checks import vector
from gudgeon.errors import ModelError
from gudgeon.quantities import Point, Unit
from gudgeon.shapes.shape import Array, Shape, positive
from gudgeon.shapes.triangles import Triangles, unpacked

Moments = tuple[float, float, float, float, float, float]


@dataclass(frozen=True)
class Step(Shape):
    """All solids of a STEP file as one rigid body, in the file's own frame and unit; needs `pip install gudgeon[cad]`.

    The file is read when the shape is made, by OpenCASCADE in a process of its own, and is not needed any more then.

    >>> import gudgeon as gd
    >>> gd.Body.of_shape(gd.Step("crank.step"), density=7850)  # doctest: +SKIP
    """

    path: str | Path | None = None  # of a STEP file; read once, then None
    _: KW_ONLY
    triangles: str = field(default="", repr=False)  # what was in the file, packed; leave it out, and what follows
    volume: Annotated[float, Unit("m³")] = 0.0  # [m³]
    centre: Point = (0.0, 0.0, 0.0)  # of the volume, own axes [m]
    moments: Annotated[Moments, Unit("m⁵")] = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)  # xx, yy, zz, xy, xz, yz [m⁵]

    def __post_init__(self):
        super().__post_init__()
        keep = object.__setattr__
        if self.path is not None:
            from gudgeon.cad.solids import read_solids

            found = read_solids("Step", self.path)
            keep(self, "triangles", Triangles.of_soup(found.points).packed())
            keep(self, "volume", found.volume)
            keep(self, "centre", found.centre)
            keep(self, "moments", found.moments)
            keep(self, "path", None)
        if not self.triangles:
            raise ModelError("Step: which file? give gd.Step('part.step')")
        keep(self, "volume", positive("Step", "volume", self.volume, "m³"))
        keep(self, "centre", vector("Step", "centre", self.centre))
        keep(self, "moments", vector("Step", "moments", self.moments, 6))
        self.surface()

    @property
    def scale(self) -> float:
        """Metres in a unit of the triangles."""
        return 1.0

    def surface(self) -> Triangles:
        """Triangles for drawing [m]."""
        return unpacked("Step", self.triangles)

    def own_volume(self) -> tuple[float, Array, Array]:
        """Volume, centre and moments."""
        xx, yy, zz, xy, xz, yz = self.moments
        return self.volume, np.array(self.centre), np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
