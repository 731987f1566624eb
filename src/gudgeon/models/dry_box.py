"""The dry prismatic joint: a box in a square guide, with play at four walls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np

from gudgeon.checks import Vec3, direction, number
from gudgeon.errors import ModelError
from gudgeon.joint_axes import joint_axes
from gudgeon.laws.base import ContactLaw, FrictionLaw
from gudgeon.laws.forms import check_law
from gudgeon.laws.friction import LuGre
from gudgeon.laws.pad import steel_pad
from gudgeon.models.ideal import JointModel
from gudgeon.models.part import Part
from gudgeon.models.walls import Contact, Friction, Wall, refuse_not_across
from gudgeon.quantities import Length, PerArea, Speed

if TYPE_CHECKING:
    from gudgeon.joints import Joint


@dataclass(frozen=True, kw_only=True)
class DryBox(JointModel):
    """A box of `length` along the axis, `width` and `height` across it, between the four walls of a guide.

    The box is the child's, centred on the joint's point of it; the guide is the parent's. `clearance` is that on each
    side of the centred box, half of what the guide is larger than the box (as the radial clearance of a journal is half
    of the difference of diameters). The upper wall is where `up` points, by default the joint's y axis (gd.Bushing says
    which); left and right are as seen along the axis with `up` above.

    What touches of a wall is a polygon, the box's face as far as it is pressed in, and over it `contact` gives the
    pressure: a ContactLaw whose force is per area (stiffness of `KelvinVoigt` in N/m³), or a function of (delta,
    ddelta) or (delta, ddelta, impact_speed) in m and m/s that returns Pa. Left out, it is steel on steel:
    `HuntCrossley` of exponent 1 with the stiffness of `gd.laws.flat_pad` for each wall's face. `friction` is per area
    likewise, and acts in every point against its own sliding. At rest the force is the gradient of an energy, so that
    tilting a box that is pressed on a wall over all its length L meets k A L²/12; springs in the corners
    (`gd.RigidSlider`) of the same total stiffness resist three times as much.

    With a `guide_length`, centred on the joint's point of the parent, the box may reach out of its guide: only what is
    between the walls touches. The faces are those of the shorter of the two, box or guide.

    >>> import gudgeon as gd
    >>> box = gd.DryBox(length=0.05, width=0.02, height=0.02, clearance=2e-5, friction=gd.laws.Coulomb(
    ...     coefficient=0.1, velocity_tolerance=1e-3))
    >>> drawer = gd.Prismatic("ground", "drawer", at=(0, 0, 0), axis=(1, 0, 0), model=box)
    >>> [part.name for part in box.elements(drawer)]
    ['upper wall', 'lower wall', 'left wall', 'right wall']
    """

    length: Length  # L of the box along the axis [m]
    width: Length  # of the box from left to right [m]
    height: Length  # of the box from below to above [m]
    clearance: Length  # c between the centred box and the upper and the lower wall, and the others [m]
    side_clearance: Length | None = None  # of the left and the right wall, where it is another one [m]
    guide_length: Length | None = None  # of the guide along the axis; None: it has no ends [m]
    contact: Annotated[Contact | None, PerArea] = None  # pressure [Pa]; None: steel on steel
    friction: Annotated[Friction | None, PerArea] = None  # friction per area [Pa]; None: frictionless
    up: Vec3 | None = None  # world direction of the upper wall in the reference pose; None: the joint's y [-]
    smallest_impact_speed: Speed = 1e-4  # δ̇⁽⁻⁾ is not taken below this [m/s]
    stiff: ClassVar[bool] = False

    def __post_init__(self):
        keep = object.__setattr__
        for field in ("length", "width", "height", "side_clearance", "guide_length", "clearance"):
            value = getattr(self, field)
            if value is None and field in ("side_clearance", "guide_length"):
                continue
            value = number("DryBox", field, value)
            if value <= 0.0:
                without = " (use gd.Ideal() for a joint without clearance)" if "clearance" in field else ""
                raise ModelError(f"DryBox: {field} is {value:g} m; it must be positive{without}")
            keep(self, field, value)
        for field in ("clearance", "side_clearance"):
            size = min(self.width, self.height)
            if (getattr(self, field) or 0.0) >= 0.5 * size:
                raise ModelError(
                    f"DryBox: {field} is {getattr(self, field):g} m, the box is {size:g} m thick; the clearance is "
                    "that on each side of the box, half of the play, and must be small against the box"
                )
        if self.up is not None:
            keep(self, "up", direction("DryBox", "up", self.up))
        if self.contact is not None:
            check_law("DryBox", "contact", self.contact, ContactLaw, self.clearance, pressure=True)
        if isinstance(self.friction, LuGre):
            raise ModelError(
                "DryBox: friction is LuGre, whose bristles would be a state of every point; give a law without memory, "
                "such as gd.laws.Coulomb"
            )
        if self.friction is not None:
            check_law("DryBox", "friction", self.friction, FrictionLaw, self.clearance)
        if number("DryBox", "smallest_impact_speed", self.smallest_impact_speed) <= 0.0:
            raise ModelError(
                f"DryBox: smallest_impact_speed is {self.smallest_impact_speed:g} m/s; "
                "it must be positive, since contact laws divide by the impact speed"
            )

    def check_joint(self, joint: Any) -> None:
        """Refuse an upper wall that is not across the joint's axis."""
        if self.up is not None:
            refuse_not_across(joint, "up of its DryBox", self.up, "the upper wall must be across the axis")

    def elements(self, joint: Joint) -> tuple[Part, ...]:
        """The four walls."""
        up = np.array([0.0, 1.0, 0.0]) if self.up is None else joint_axes(joint)[1] @ np.array(self.up)
        right, side = np.cross((0.0, 0.0, 1.0), up), self.side_clearance or self.clearance
        walls = (
            ("upper wall", up, right, self.height, self.width, self.clearance),
            ("lower wall", -up, right, self.height, self.width, self.clearance),
            ("left wall", -right, up, self.width, self.height, side),
            ("right wall", right, up, self.width, self.height, side),
        )
        length = min(self.length, self.guide_length or self.length)
        return tuple(
            Wall(
                name=name,
                out=out,
                edge=edge,
                half=0.5 * thickness,
                clearance=clearance,
                width=width,
                contact=steel_pad(length, width) if self.contact is None else self.contact,
                friction=self.friction,
                smallest_impact_speed=self.smallest_impact_speed,
            ).part(length=self.length, wall_length=self.guide_length)
            for name, out, edge, thickness, width, clearance in walls
        )
