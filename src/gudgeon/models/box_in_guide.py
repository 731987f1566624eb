"""What the models of a box in a square guide have in common: their geometry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.checks import Vec3, direction, number
from gudgeon.errors import ModelError
from gudgeon.joint_axes import joint_axes
from gudgeon.laws.base import ContactLaw, FrictionLaw
from gudgeon.laws.forms import check_law
from gudgeon.laws.friction import LuGre
from gudgeon.models.ideal import JointModel
from gudgeon.models.walls import Contact, Face, Friction, refuse_not_across
from gudgeon.quantities import Length

if TYPE_CHECKING:
    from gudgeon.joints import Joint


@dataclass(frozen=True, kw_only=True)
class BoxInGuide(JointModel):
    """A box between the four walls of a guide; abstract.

    The box is the child's, centred on the joint's point of it; the guide is the parent's. `clearance` is that on each
    side of the centred box, half of what the guide is larger than the box (as the radial clearance of a journal is half
    of the difference of diameters). The upper wall is where `up` points, by default the joint's y axis (gd.Bushing says
    which); left and right are as seen along the axis with `up` above.
    """

    length: Length  # L of the box along the axis [m]
    width: Length  # of the box from left to right [m]
    height: Length  # of the box from below to above [m]
    clearance: Length  # c between the centred box and the upper and the lower wall, and the others [m]
    side_clearance: Length | None = None  # of the left and the right wall, where it is another one [m]
    up: Vec3 | None = None  # world direction of the upper wall in the reference pose; None: the joint's y [-]

    def __post_init__(self):
        keep, owner = object.__setattr__, type(self).__name__
        for field in ("length", "width", "height", "side_clearance", "clearance"):
            if field != "side_clearance" or self.side_clearance is not None:
                keep(self, field, self._positive(field, getattr(self, field)))
        for field in ("clearance", "side_clearance"):
            size = min(self.width, self.height)
            if (getattr(self, field) or 0.0) >= 0.5 * size:
                raise ModelError(
                    f"{owner}: {field} is {getattr(self, field):g} m, the box is {size:g} m thick; the clearance is "
                    "that on each side of the box, half of the play, and must be small against the box"
                )
        if self.up is not None:
            keep(self, "up", direction(owner, "up", self.up))

    def _positive(self, field: str, value: Any) -> float:
        """A length, or ModelError."""
        owner, value = type(self).__name__, number(type(self).__name__, field, value)
        if value <= 0.0:
            without = " (use gd.Ideal() for a joint without clearance)" if "clearance" in field else ""
            raise ModelError(f"{owner}: {field} is {value:g} m; it must be positive{without}")
        return value

    def _check_touch(self, contact: Contact | None, friction: Friction | None, slowest: Any) -> None:
        """Refuse laws of the walls that are none."""
        owner = type(self).__name__
        if contact is not None:
            check_law(owner, "contact", contact, ContactLaw, self.clearance, pressure=True)
        if isinstance(friction, LuGre):
            raise ModelError(
                f"{owner}: friction is LuGre, whose bristles would be a state of every point; give a law without "
                "memory, such as gd.laws.Coulomb"
            )
        if friction is not None:
            check_law(owner, "friction", friction, FrictionLaw, self.clearance)
        if number(owner, "smallest_impact_speed", slowest) <= 0.0:
            raise ModelError(
                f"{owner}: smallest_impact_speed is {slowest:g} m/s; it must be positive, since contact laws divide by "
                "the impact speed"
            )

    def check_joint(self, joint: Any) -> None:
        """Refuse an upper wall that is not across the joint's axis, or not that of a Guide, which has two."""
        if joint.flat:
            for field in ("up", "side_clearance"):
                if getattr(self, field) is not None:
                    raise ModelError(
                        f"{joint.label()}: {field} of its {type(self).__name__} is given, but a Guide has two walls, "
                        "across its normal: leave it out, or use gd.Prismatic for four"
                    )
        if self.up is not None:
            what = f"up of its {type(self).__name__}"
            refuse_not_across(joint, what, self.up, "the upper wall must be across the axis")

    def faces(self, joint: Joint) -> tuple[Face, ...]:
        """Upper, lower, left and right; of a Guide the first two."""
        up = np.array([0.0, 1.0, 0.0]) if self.up is None else joint_axes(joint)[1] @ np.array(self.up)
        right, side = np.cross((0.0, 0.0, 1.0), up), self.side_clearance or self.clearance
        return tuple(
            Face(name=name, out=out, edge=edge, half=0.5 * thickness, width=width, clearance=clearance)
            for name, out, edge, thickness, width, clearance in (
                ("upper", up, right, self.height, self.width, self.clearance),
                ("lower", -up, right, self.height, self.width, self.clearance),
                ("left", -right, up, self.width, self.height, side),
                ("right", right, up, self.width, self.height, side),
            )[: 2 if joint.flat else 4]
        )
