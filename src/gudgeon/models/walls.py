"""Flat faces between which something slides: the wall of a guide, the side of a slot, as a part of a joint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Literal

import numpy as np

from gudgeon.errors import ModelError
from gudgeon.laws.base import ContactLaw, FrictionLaw
from gudgeon.models.part import Part

if TYPE_CHECKING:
    from gudgeon.checks import Vec3
    from gudgeon.joints import Prismatic

ACROSS_WITHIN = 1e-6  # cosine of the angle to the joint's axis of what must be across it [-]
DEEP_START = 0.5  # how deep a wall may be at the start, of the clearance

Contact = ContactLaw | Callable[..., float]
Friction = FrictionLaw | Callable[..., float]


@dataclass(frozen=True, kw_only=True)
class Wall:
    """A face of a block and the wall that it can touch, joint's axes; z is along the joint's axis.

    >>> import numpy as np
    >>> from gudgeon.laws.pad import steel_pad
    >>> from gudgeon.models.walls import Wall
    >>> up, right = np.array((0.0, 1.0, 0.0)), np.array((1.0, 0.0, 0.0))
    >>> size = {"half": 0.01, "width": 0.02, "clearance": 1e-5}
    >>> wall = Wall(name="upper", out=up, edge=right, **size, contact=steel_pad(0.1, 0.02))
    >>> wall.part(length=0.1, wall_length=0.05).carried_by
    'child'
    """

    name: str
    out: np.ndarray  # normal of the face, towards the wall [-]
    edge: np.ndarray  # direction of the face's width [-]
    half: float  # of the face from the joint's point along `out` [m]
    clearance: float  # between the face of the centred block and the wall [m]
    width: float  # of the face [m]
    shift: np.ndarray | None = None  # of the face's centre, across `out` [m]
    contact: Contact  # pressure [Pa]
    friction: Friction | None = None  # per area [Pa]
    smallest_impact_speed: float = 1e-4  # [m/s]

    def part(self, *, length: float, wall_length: float | None, block_on: Literal["child", "parent"] = "child") -> Part:
        """The element: the shorter of block and wall has the rectangle, the other one the plane."""
        along = np.array((0.0, 0.0, 1.0))
        other = inf if wall_length is None else wall_length
        face_on_block = length <= other
        normal, offset, centre = self.out, self.half + self.clearance, self.half * self.out
        if not face_on_block:
            normal, offset, centre = -self.out, -self.half, (self.half + self.clearance) * self.out
        if self.shift is not None:
            centre = centre + self.shift
        short, long = (length, other) if face_on_block else (other, length)
        numbers = (*normal, offset, *centre, *self.edge, *along, 0.5 * self.width, 0.5 * short, 0.5 * long)
        return Part(
            name=self.name,
            element="wall",
            numbers=tuple(float(x) for x in numbers),
            clearance=self.clearance,
            reach=float(np.linalg.norm([*centre, 0.5 * self.width, 0.5 * short])),
            deepest_start=DEEP_START,
            contact=self.contact,
            friction=self.friction,
            smallest_impact_speed=self.smallest_impact_speed,
            carried_by="parent" if (block_on == "child") == face_on_block else "child",
        )


def refuse_not_across(joint: Prismatic, what: str, towards: Vec3, rule: str) -> None:
    """ModelError where a direction, world axes, is not across the joint's axis."""
    cosine = float(np.dot(towards, joint.axis))
    if abs(cosine) > ACROSS_WITHIN:
        angle = np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))
        raise ModelError(f"{joint.label()}: {what} and axis enclose {angle:.6g} degrees; {rule}")
