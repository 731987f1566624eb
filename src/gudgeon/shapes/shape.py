"""The shape of a body: for drawing, and for its mass, centre of mass and inertia at a uniform density.

A shape has a frame of its own. `position` and `orientation` say where this frame is in the body: measured from the
body's centre of mass, in body axes.
"""

from __future__ import annotations

import math
import re
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from gudgeon.checks import Quaternion, number, vector
from gudgeon.errors import ModelError
from gudgeon.orientations import unit_quaternion
from gudgeon.quantities import Point
from gudgeon.rotations import rotation_matrix, turned

Array = np.ndarray
_COLOR = re.compile(r"#[0-9a-fA-F]{6}")


@dataclass(frozen=True)
class Shape:
    """Common to all shapes; abstract."""

    _: KW_ONLY
    position: Point = (0.0, 0.0, 0.0)  # of the shape's frame from the centre of mass, body axes [m]
    orientation: Quaternion = (1.0, 0.0, 0.0, 0.0)  # shape's axes to body axes, scalar first [-]
    color: str | None = None  # such as "#4c6a92"; by default the viewer chooses

    def __post_init__(self):
        owner = type(self).__name__
        object.__setattr__(self, "position", vector(owner, "position", self.position))
        object.__setattr__(self, "orientation", unit_quaternion(owner, self.orientation))
        if self.color is not None and not (isinstance(self.color, str) and _COLOR.fullmatch(self.color)):
            raise ModelError(f"{owner}: color is {self.color!r}; give red, green and blue, such as '#4c6a92'")

    def own_volume(self) -> tuple[float, Array, Array]:
        """Volume [m³], its centre [m] and its second moments about that as an inertia of density 1 [m⁵], own axes."""
        raise NotImplementedError

    def mass_properties(self, density: float) -> tuple[float, Array, Array]:
        """Mass [kg], centre of mass [m] and inertia about it [kg·m²] at a uniform density [kg/m³], body axes.

        >>> import gudgeon as gd
        >>> mass, centre, inertia = gd.Box((0.1, 0.2, 0.3)).mass_properties(1000.0)
        >>> round(mass, 9), inertia.diagonal().round(9).tolist()
        (6.0, [0.065, 0.05, 0.025])
        """
        owner = type(self).__name__
        rho = number(owner, "density", density)
        if rho <= 0.0:
            raise ModelError(f"{owner}: density is {rho:g} kg/m³; a body needs a positive one (steel has 7850)")
        volume, centre, moments = self.own_volume()
        turn = rotation_matrix(self.orientation)
        place = np.array(self.position) + turned(np.array(self.orientation), centre)
        return rho * volume, place, rho * turn @ moments @ turn.T


def positive(owner: str, name: str, value: Any, unit: str = "m") -> float:
    """A positive number."""
    x = number(owner, name, value)
    if x <= 0.0 or not math.isfinite(x):
        raise ModelError(f"{owner}: {name} is {x:g} {unit}; it must be positive")
    return x
