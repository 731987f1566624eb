"""A box: m = ρ a b c, J_xx = m (b² + c²)/12."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gudgeon.checks import vector
from gudgeon.errors import ModelError
from gudgeon.quantities import Point
from gudgeon.shapes.shape import Array, Shape


@dataclass(frozen=True)
class Box(Shape):
    """A box whose edges are along its axes, centred in its frame.

    >>> import gudgeon as gd
    >>> gd.Body.of_shape(gd.Box((0.1, 0.02, 0.01)), density=7850).mass
    0.157
    """

    size: Point  # edges along x, y, z [m]

    def __post_init__(self):
        super().__post_init__()
        object.__setattr__(self, "size", vector("Box", "size", self.size))
        if min(self.size) <= 0.0:
            raise ModelError(f"Box: size is {self.size} m; every edge must be positive")

    def own_volume(self) -> tuple[float, Array, Array]:
        """Volume, centre and moments."""
        squares = np.array(self.size) ** 2
        volume = float(np.prod(self.size))
        return volume, np.zeros(3), np.diag(volume / 12.0 * (squares.sum() - squares))
