"""The dry prismatic joint: a box in a square guide, with play at four walls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

from gudgeon.laws.pad import steel_pad
from gudgeon.models.box_in_guide import BoxInGuide
from gudgeon.models.part import Part
from gudgeon.models.remembered_speed import RememberedSpeed, check_remembered_speed
from gudgeon.models.walls import Contact, Friction
from gudgeon.quantities import Length, PerArea, Speed

if TYPE_CHECKING:
    from gudgeon.joints import Joint


@dataclass(frozen=True, kw_only=True)
class DryBox(BoxInGuide):
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

    guide_length: Length | None = None  # of the guide along the axis; None: it has no ends [m]
    contact: Annotated[Contact | None, PerArea] = None  # pressure [Pa]; None: steel on steel
    friction: Annotated[Friction | None, PerArea] = None  # friction per area [Pa]; None: frictionless
    smallest_impact_speed: Speed = 1e-4  # δ̇⁽⁻⁾ is not taken below this [m/s]
    remembered_speed: RememberedSpeed = "impact"  # δ̇⁽⁻⁾ of laws: that of the impact, or the largest δ̇ since
    stiff: ClassVar[bool] = False

    def __post_init__(self):
        super().__post_init__()
        if self.guide_length is not None:
            object.__setattr__(self, "guide_length", self._positive("guide_length", self.guide_length))
        self._check_touch(self.contact, self.friction, self.smallest_impact_speed)
        check_remembered_speed("DryBox", self)

    def elements(self, joint: Joint) -> tuple[Part, ...]:
        """The four walls."""
        length = min(self.length, self.guide_length or self.length)
        return tuple(
            face.wall(
                "wall",
                length=self.length,
                wall_length=self.guide_length,
                contact=steel_pad(length, face.width) if self.contact is None else self.contact,
                friction=self.friction,
                smallest_impact_speed=self.smallest_impact_speed,
                largest_speed=self.remembered_speed == "largest",
            )
            for face in self.faces(joint)
        )
