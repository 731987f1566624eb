"""Flat faces between which something slides: the wall of a guide, the side of a slot, as parts of a joint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Literal, NamedTuple

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


class Rectangle(NamedTuple):
    """A face of one body over a plane of the other: the numbers of both (kernels/elements/wall_face.py)."""

    plane: tuple[float, ...]  # normal [-], offset [m]
    centre: np.ndarray  # of the rectangle [m]
    half: float  # of the rectangle along the joint's axis [m]
    half_plane: float  # of the plane along the joint's axis; inf: it has no ends [m]
    carried_by: Literal["parent", "child"]  # the plane


@dataclass(frozen=True, kw_only=True)
class Face:
    """A face of a block and the wall beside it, joint's axes; z is along the joint's axis.

    >>> import numpy as np
    >>> from gudgeon.laws.pad import steel_pad
    >>> from gudgeon.models.walls import Face
    >>> up, right = np.array((0.0, 1.0, 0.0)), np.array((1.0, 0.0, 0.0))
    >>> face = Face(name="upper", out=up, edge=right, half=0.01, width=0.02, clearance=1e-5)
    >>> face.wall("wall", length=0.1, wall_length=0.05, contact=steel_pad(0.1, 0.02)).carried_by
    'child'
    """

    name: str
    out: np.ndarray  # normal of the face, towards the wall [-]
    edge: np.ndarray  # direction of the face's width [-]
    half: float  # of the face from the joint's point along `out` [m]
    clearance: float  # between the face of the centred block and the wall [m]
    width: float  # of the face [m]
    shift: np.ndarray | None = None  # of the face's centre, across `out` [m]

    def _rectangle(self, length: float, wall_length: float, block_on: str, clearance: float) -> Rectangle:
        """The shorter of block and wall has the rectangle, the other one the plane."""
        on_block = length <= wall_length
        normal, offset, centre = self.out, self.half + clearance, self.half * self.out
        if not on_block:
            normal, offset, centre = -self.out, -self.half, (self.half + clearance) * self.out
        if self.shift is not None:
            centre = centre + self.shift
        short, long = (length, wall_length) if on_block else (wall_length, length)
        carried_by = "parent" if (block_on == "child") == on_block else "child"
        return Rectangle((*normal, offset), centre, 0.5 * short, 0.5 * long, carried_by)

    def wall(
        self,
        kind: str,
        *,
        length: float,  # of the block [m]
        wall_length: float | None,  # None: it has no ends [m]
        contact: Contact,  # pressure [Pa]
        friction: Friction | None = None,  # per area [Pa]
        smallest_impact_speed: float = 1e-4,  # [m/s]
        largest_speed: bool = False,
        block_on: Literal["child", "parent"] = "child",
        nearer: float = 0.0,  # they touch when the gap is this [m]
    ) -> Part:
        """What touches."""
        clearance = self.clearance - nearer
        face = self._rectangle(length, inf if wall_length is None else wall_length, block_on, clearance)
        face_reach = float(np.linalg.norm([*face.centre, 0.5 * self.width, face.half]))
        numbers = (*face.plane, *face.centre, *self.edge, 0.0, 0.0, 1.0, 0.5 * self.width, face.half, face.half_plane)
        return Part(
            name=f"{self.name} {kind}",
            element="wall",
            numbers=tuple(float(x) for x in numbers),
            clearance=clearance,
            reach=face_reach,
            swing=face_reach,
            turns_freely=False,
            deepest_start=DEEP_START,
            contact=contact,
            friction=friction,
            smallest_impact_speed=smallest_impact_speed,
            largest_speed=largest_speed,
            carried_by=face.carried_by,
        )

    def film(
        self,
        *,
        length: float,  # of the pad [m]
        pad_on_block: bool,
        viscosity: float,  # μ [Pa·s]
        smallest_film: float,  # [m]
        ends: bool,  # nothing takes over where it is that thin
    ) -> Part:
        """The oil between face and wall, on a pad that never reaches over its wall (kernels/elements/pad_film.py)."""
        from gudgeon.films.pad_table import pad_table

        block, wall = (length, inf) if pad_on_block else (inf, length)
        face = self._rectangle(block, wall, "child", self.clearance)
        sides = [(0.5 * self.width, tuple(self.edge)), (0.5 * length, (0.0, 0.0, 1.0))]
        face_reach = float(np.linalg.norm([*face.centre, 0.5 * self.width, 0.5 * length]))
        longer_along = length > self.width
        (X, first), (Y, second) = sides[::-1] if longer_along else sides
        numbers = (
            *face.plane,
            *face.centre,
            *first,
            *second,
            X,
            Y,
            inf,
            12.0 * viscosity * (X * Y) ** 2,
            4.0 * viscosity * X * Y,
            smallest_film,
            float(longer_along),
        )
        return Part(
            name=f"{self.name} film",
            element="pad film",
            numbers=tuple(float(x) for x in numbers),
            clearance=self.clearance if ends else inf,
            reach=face_reach,
            swing=face_reach,
            turns_freely=False,
            deepest_start=0.0,
            table=pad_table(X / Y),
            film_ends=ends,
            carried_by=face.carried_by,
        )


def refuse_not_across(joint: Prismatic, what: str, towards: Vec3, rule: str) -> None:
    """ModelError where a direction, world axes, is not across the joint's axis."""
    cosine = float(np.dot(towards, joint.axis))
    if abs(cosine) > ACROSS_WITHIN:
        angle = np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))
        raise ModelError(f"{joint.label()}: {what} and axis enclose {angle:.6g} degrees; {rule}")
