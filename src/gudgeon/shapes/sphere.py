"""A ball: m = 4/3 ρ π r³, J = 2/5 m r²."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gudgeon.quantities import Length
from gudgeon.shapes.shape import Array, Shape, positive


@dataclass(frozen=True)
class Sphere(Shape):
    """A ball, centred in its frame.

    >>> import gudgeon as gd
    >>> round(gd.Body.of_shape(gd.Sphere(radius=0.05), density=1000).mass, 6)
    0.523599
    """

    radius: Length  # r [m]

    def __post_init__(self):
        super().__post_init__()
        object.__setattr__(self, "radius", positive("Sphere", "radius", self.radius))

    def own_volume(self) -> tuple[float, Array, Array]:
        """Volume, centre and moments."""
        volume = 4.0 / 3.0 * math.pi * self.radius**3
        return volume, np.zeros(3), 0.4 * volume * self.radius**2 * np.eye(3)
