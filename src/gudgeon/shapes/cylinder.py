"""A cylinder or a tube along z: m = ρ π (R² − r²) l, J_zz = m (R² + r²)/2, J_xx = J_yy = m (3 (R² + r²) + l²)/12."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass

import numpy as np

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.quantities import Length
from gudgeon.shapes.shape import Array, Shape, positive


@dataclass(frozen=True)
class Cylinder(Shape):
    """A cylinder along its z axis, centred in its frame; with `inner_radius` a tube.

    >>> import gudgeon as gd
    >>> round(gd.Body.of_shape(gd.Cylinder(radius=0.01, length=0.1), density=7850).mass, 6)
    0.246615
    """

    radius: Length  # R [m]
    length: Length  # l, along z [m]
    _: KW_ONLY
    inner_radius: Length = 0.0  # r of a tube [m]

    def __post_init__(self):
        super().__post_init__()
        for name in ("radius", "length"):
            object.__setattr__(self, name, positive("Cylinder", name, getattr(self, name)))
        inner = number("Cylinder", "inner_radius", self.inner_radius)
        if not 0.0 <= inner < self.radius:
            raise ModelError(
                f"Cylinder: inner_radius is {inner:g} m, radius {self.radius:g} m; give 0 (solid) or less than radius"
            )
        object.__setattr__(self, "inner_radius", inner)

    def own_volume(self) -> tuple[float, Array, Array]:
        """Volume, centre and moments."""
        volume = math.pi * (self.radius**2 - self.inner_radius**2) * self.length
        squares = self.radius**2 + self.inner_radius**2
        across = volume * (3.0 * squares + self.length**2) / 12.0
        return volume, np.zeros(3), np.diag([across, across, 0.5 * volume * squares])
