"""A capsule, a cylinder along z between two half balls: J of its parts about the middle (Steiner)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gudgeon.quantities import Length
from gudgeon.shapes.shape import Array, Shape, positive


@dataclass(frozen=True)
class Capsule(Shape):
    """A cylinder along its z axis with half balls at both ends, centred in its frame; `length` is without these.

    >>> import gudgeon as gd
    >>> round(gd.Body.of_shape(gd.Capsule(radius=0.01, length=0.05), density=7850).mass, 6)
    0.15619
    """

    radius: Length  # r [m]
    length: Length  # l, between the centres of the half balls [m]

    def __post_init__(self):
        super().__post_init__()
        for name in ("radius", "length"):
            object.__setattr__(self, name, positive("Capsule", name, getattr(self, name)))

    def own_volume(self) -> tuple[float, Array, Array]:
        """Volume, centre and moments."""
        r, length = self.radius, self.length
        tube, ball = math.pi * r**2 * length, 4.0 / 3.0 * math.pi * r**3
        along = 0.5 * tube * r**2 + 0.4 * ball * r**2
        # a half ball has its centre 3/8 r from its face, about which J = (2/5 − 9/64) m r²
        apart = 0.5 * length + 0.375 * r
        across = tube * (3.0 * r**2 + length**2) / 12.0 + ball * ((0.4 - 9.0 / 64.0) * r**2 + apart**2)
        return tube + ball, np.zeros(3), np.diag([across, across, along])
