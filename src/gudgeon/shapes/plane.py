"""A plane: the boundary of a half space, for bodies to meet; it has no mass."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from gudgeon.errors import ModelError
from gudgeon.quantities import Length
from gudgeon.shapes.shape import Array, Shape, positive


@dataclass(frozen=True)
class Plane(Shape):
    """A plane without end through its frame, across z, which points out of the material; drawn as a square of `size`.

    >>> import gudgeon as gd
    >>> floor = gd.Plane(position=(0, 0, -0.1))
    """

    _: KW_ONLY
    size: Length = 1.0  # of what is drawn of it [m]

    def __post_init__(self):
        super().__post_init__()
        object.__setattr__(self, "size", positive("Plane", "size", self.size))

    def own_volume(self) -> tuple[float, Array, Array]:
        """None."""
        raise ModelError(
            "Plane: it has no volume, and no mass; give a body gd.Box or another shape, or mass and inertia"
        )
