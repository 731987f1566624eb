"""Markers: named points and axes on bodies, whose motion signals tell."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from gudgeon.checks import Quaternion, vector
from gudgeon.orientations import unit_quaternion
from gudgeon.quantities import Point


@dataclass(frozen=True)
class Marker:
    """A named point of a body, with axes of its own.

    Its signals, in expressions and tables (`tip` the name of the marker): `tip.x`, `tip.y`, `tip.z` position in the
    world [m], `tip.vx` … velocity [m/s], `tip.wx` … angular velocity [rad/s]; `tip.x.rod` … the same as the body `rod`
    sees it, from its centre of mass and in its axes; `tip.own_vx` …, `tip.own_wx` … against the world in the marker's
    own axes; `distance(tip, eye)` and `distance_rate(tip, eye)` of two. Bodies are markers too, at their centres of
    mass.

    >>> import gudgeon as gd
    >>> tip = gd.Marker("blade", at=(0.3, 0, 0))
    """

    body: str
    _: KW_ONLY
    at: Point = (0.0, 0.0, 0.0)  # body axes, from the centre of mass [m]
    orientation: Quaternion = (1.0, 0.0, 0.0, 0.0)  # of its axes in those of the body, scalar first, or a Rotation

    def __post_init__(self):
        owner = f"Marker on {self.body!r}"
        object.__setattr__(self, "at", vector(owner, "at", self.at))
        object.__setattr__(self, "orientation", unit_quaternion(owner, self.orientation))
