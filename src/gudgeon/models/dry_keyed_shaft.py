"""The dry prismatic joint of round parts: a shaft in a bore, kept from turning by a key."""

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
from gudgeon.models.dry_journal import DryJournal
from gudgeon.models.ideal import JointModel
from gudgeon.models.part import Part
from gudgeon.models.walls import Contact, Face, Friction, refuse_not_across
from gudgeon.quantities import Length, PerArea

if TYPE_CHECKING:
    from gudgeon.joints import Joint

LONGEST_LEVER = 2.0  # of a key, in radii of the bore [-]


@dataclass(frozen=True, kw_only=True)
class DryKeyedShaft(JointModel):
    """A round shaft that slides in a bore, with a key that takes the torque, for Prismatic.

    `shaft` is the pin in its bore, a `gd.DryJournal` without collars. The key sits on the shaft: `key_width` from flank
    to flank, whose middle is `key_lever` from the axis; `key_height` (radially) and `key_length` (along the axis) are
    those that can touch the slot in the bore. `key_clearance` is that on either side of the centred key, half of what
    the slot is wider: the shaft turns freely by about ± key_clearance/key_lever. The flanks are pressed like the walls
    of `gd.DryBox`: `key_contact` is a pressure law per area, steel on steel where it is left out, `key_friction`
    likewise. The key points along `key_towards`, by default the joint's y axis; left and right are as seen along the
    axis with the key above. A `slot_length`, about the joint's point, lets the key reach out of the slot.

    >>> import gudgeon as gd
    >>> shaft = gd.DryJournal(
    ...     bore_radius=0.01002,
    ...     pin_radius=0.010,
    ...     length=0.040,
    ...     contact=gd.laws.pin_in_bore(radius=0.01002, clearance=2e-5, materials="steel"),
    ... )
    >>> keyed = gd.DryKeyedShaft(
    ...     shaft=shaft, key_lever=0.010, key_clearance=1e-5, key_width=0.006, key_height=0.0025, key_length=0.030
    ... )
    >>> [part.name for part in keyed.elements(gd.Prismatic("hub", "shaft", at=(0, 0, 0), model=keyed))]
    ['land', 'left flank', 'right flank']
    """

    shaft: DryJournal
    key_lever: Length  # r_key, from the axis to the middle of the flanks [m]
    key_clearance: Length  # c_key, on either side of the centred key [m]
    key_width: Length  # from flank to flank [m]
    key_height: Length  # of the flanks, radially [m]
    key_length: Length  # of the flanks, along the axis [m]
    slot_length: Length | None = None  # None: the slot has no ends [m]
    key_contact: Annotated[Contact | None, PerArea] = None  # pressure [Pa]; None: steel on steel
    key_friction: Annotated[Friction | None, PerArea] = None  # per area [Pa]; None: frictionless
    key_towards: Vec3 | None = None  # world direction from the axis to the key; None: the joint's y [-]
    stiff: ClassVar[bool] = False

    def __post_init__(self):
        owner = "DryKeyedShaft"
        if not isinstance(self.shaft, DryJournal):
            raise ModelError(
                f"{owner}: shaft is a {type(self.shaft).__name__}; give a gd.DryJournal, the pin in its bore"
            )
        for field, why in (("axial_play", "collars would end its slide"), ("planar", "a key has three dimensions")):
            if getattr(self.shaft, field):
                raise ModelError(
                    f"{owner}: its shaft has {field}={getattr(self.shaft, field)!r}, but {why}; leave it out"
                )
        for field in ("key_lever", "key_clearance", "key_width", "key_height", "key_length", "slot_length"):
            if getattr(self, field) is None and field == "slot_length":
                continue
            value = number(owner, field, getattr(self, field))
            if value <= 0.0:
                raise ModelError(f"{owner}: {field} is {value:g} m; it must be positive")
            object.__setattr__(self, field, value)
        if self.key_lever <= 0.5 * self.key_height:
            raise ModelError(
                f"{owner}: key_lever is {self.key_lever:g} m, key_height {self.key_height:g} m; the key would reach "
                "over the axis: key_lever is from the axis to the middle of the flanks"
            )
        if self.key_lever > LONGEST_LEVER * self.shaft.bore_radius:
            raise ModelError(
                f"{owner}: key_lever is {self.key_lever:g} m, the bore's radius {self.shaft.bore_radius:g} m; the key "
                f"sits on the shaft, so that the middle of its flanks is about a radius from the axis: give at most "
                f"{LONGEST_LEVER * self.shaft.bore_radius:g} m"
            )
        if self.key_towards is not None:
            object.__setattr__(self, "key_towards", direction(owner, "key_towards", self.key_towards))
        if self.key_contact is not None:
            check_law(owner, "key_contact", self.key_contact, ContactLaw, self.key_clearance, pressure=True)
        if isinstance(self.key_friction, LuGre):
            raise ModelError(
                f"{owner}: key_friction is LuGre, whose bristles would be a state of every point; give a law without "
                "memory, such as gd.laws.Coulomb"
            )
        if self.key_friction is not None:
            check_law(owner, "key_friction", self.key_friction, FrictionLaw, self.key_clearance)

    def check_joint(self, joint: Any) -> None:
        """Refuse a key that is not across the joint's axis."""
        self.shaft.check_joint(joint)
        if self.key_towards is not None:
            refuse_not_across(
                joint, "key_towards of its DryKeyedShaft", self.key_towards, "the key must point across it"
            )

    def elements(self, joint: Joint) -> tuple[Part, ...]:
        """The lands of the shaft, and the two flanks of the key."""
        up = np.array([0.0, 1.0, 0.0])
        if self.key_towards is not None:
            up = joint_axes(joint)[1] @ np.array(self.key_towards)
        right = np.cross((0.0, 0.0, 1.0), up)
        length = min(self.key_length, self.slot_length or self.key_length)
        flanks = tuple(
            Face(
                name=name,
                out=out,
                edge=up,
                half=0.5 * self.key_width,
                clearance=self.key_clearance,
                width=self.key_height,
                shift=self.key_lever * up,
            ).wall(
                "flank",
                length=self.key_length,
                wall_length=self.slot_length,
                contact=steel_pad(length, self.key_height) if self.key_contact is None else self.key_contact,
                friction=self.key_friction,
                smallest_impact_speed=self.shaft.smallest_impact_speed,
                largest_speed=self.shaft.remembered_speed == "largest",
                block_on=self.shaft.pin_on,
            )
            for name, out in (("left", -right), ("right", right))
        )
        return (*self.shaft.elements(joint), *flanks)
