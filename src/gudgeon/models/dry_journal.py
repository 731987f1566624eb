"""The dry journal: a pin that moves and tilts in its bore until the two touch, with collars or without."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.laws.base import ContactLaw, FrictionLaw, LineLaw
from gudgeon.laws.contact import HuntCrossley
from gudgeon.laws.forms import check_law
from gudgeon.laws.friction import LuGre
from gudgeon.models.journal import DEEP_START, LARGEST_TILT, Journal
from gudgeon.models.law_clearance import check_law_clearance
from gudgeon.models.part import Part
from gudgeon.models.remembered_speed import RememberedSpeed, check_remembered_speed
from gudgeon.quantities import PerArea, Speed

if TYPE_CHECKING:
    from gudgeon.joints import Joint

Line = LineLaw | Callable[..., float]
Pressure = ContactLaw | Callable[..., float]
Friction = FrictionLaw | Callable[..., float]


@dataclass(frozen=True, kw_only=True)
class DryJournal(Journal):
    """A pin in a bore with radial clearance c = R_i − R_j, contact and friction, for Revolute and Cylindrical.

    The pin may tilt. Its surface is cut into slices across the axis, each pressed into the bore by its depth δ with the
    force per length of `contact`: a LineLaw of `gd.laws`, or a function of (delta, ddelta) or (delta, ddelta,
    impact_speed) that returns N/m. So force and moment are continuous through all modes of contact (open, one edge, the
    whole line, two edges of a crossed pin), and the elastic part is the gradient of one energy. `friction` is a smooth
    FrictionLaw, or a function of (speed, normal_force), of each slice.

    Lands: `length` of one, or several `lands=((lower, upper), ...)` along the axis from the joint's point; on the bore,
    out of which the pin protrudes (`pin_length`: it ends inside), or on the pin (`lands_on="pin"`, a short piston in a
    long bore). Collars: `axial_play` is the free path on each side between the faces of the bore and collars of
    `collar_radius` on the pin; `face` their pressure law (δ, δ̇ to Pa), by default k_A δ with k_A of a rigid ring and
    the loss of `contact`. Without collars a Revolute keeps an ideal support along its axis, a Cylindrical slides.
    `pin_tilt` is how far the pin is askew in its body in the reference pose, about the joint's x and y axis (x is the
    world's x across the axis). `planar=True`, where other joints keep the two bodies in a plane across the axis, is the
    same without tilt, in two unknowns (three where the axis is not the world's z) instead of six.

    Limits: tilts up to 0.2; slices do not know of each other: a touching length shorter than its width is really a
    point, and stiffer. Five slices a part meet the integral within 1e-4; friction that reverses within a land, because
    the pin tilts faster than it slides, or within the face of a collar, within a tenth of itself. Laws with an impact
    speed take that of the deepest end where contact began.

    A run starts with the pin centred; state both bodies in `System.start` to start elsewhere within the play.

    >>> import gudgeon as gd
    >>> model = gd.DryJournal(
    ...     bore_radius=0.010,
    ...     pin_radius=0.00995,
    ...     length=0.020,
    ...     contact=lambda delta, ddelta: 1e11 * delta,
    ...     friction=gd.laws.Coulomb(coefficient=0.1, velocity_tolerance=1e-2),
    ... )
    >>> round(model.clearance, 6)
    5e-05
    >>> gd.Revolute("rod", "piston", at=(0, 0, 0), model=model).blocks().row_count
    1
    """

    contact: Line  # normal force per length [N/m]
    face: Annotated[Pressure | None, PerArea] = None  # pressure of the collars [Pa]; None: of a rigid ring
    friction: Friction | None = None  # None: frictionless
    smallest_impact_speed: Speed = 1e-4  # δ̇⁽⁻⁾ is not taken below this [m/s]
    remembered_speed: RememberedSpeed = "impact"  # δ̇⁽⁻⁾ of laws: that of the impact, or the largest δ̇ since
    stiff: ClassVar[bool] = False

    def __post_init__(self):
        super().__post_init__()
        owner = "DryJournal"
        check_law(owner, "contact", self.contact, LineLaw, self.clearance)
        check_law_clearance(owner, "contact", self.contact, self.clearance)
        if self.face is not None:
            if self.axial_play is None:
                raise ModelError(
                    f"{owner}: face is given, but no collars; give axial_play and collar_radius, or leave it"
                )
            check_law(owner, "face", self.face, ContactLaw, self.axial_play, pressure=True)
        elif self.axial_play is not None:
            self.face_law()
        if isinstance(self.friction, LuGre):
            raise ModelError(
                f"{owner}: friction is LuGre, whose bristles are the state of one point, but a pin slides differently "
                "along its length; give gd.laws.Coulomb, gd.laws.Threlfall or another smooth law"
            )
        if self.friction is not None:
            check_law(owner, "friction", self.friction, FrictionLaw, self.clearance)
        check_remembered_speed(owner, self)
        if number(owner, "smallest_impact_speed", self.smallest_impact_speed) <= 0.0:
            raise ModelError(
                f"{owner}: smallest_impact_speed is {self.smallest_impact_speed:g} m/s; "
                "it must be positive, since contact laws divide by the impact speed"
            )

    def face_law(self) -> Pressure:
        """`face`, or p = k_A δ (1 + loss) with k_A = 2 E* R_c/(π (R_c² − R_i²)) of a rigid ring on a half-space."""
        if self.face is not None:
            return self.face
        modulus = getattr(self.contact, "modulus", None)
        assert self.collar_radius is not None
        if modulus is None:
            raise ModelError(
                "DryJournal: what is the pressure of its collars? contact knows no modulus E*: give face=, a law in Pa "
                "such as gd.laws.HuntCrossley(stiffness=1e13, exponent=1)"
            )
        stiffness = 2.0 * modulus * self.collar_radius / (math.pi * (self.collar_radius**2 - self.bore_radius**2))
        loss, damping = getattr(self.contact, "loss", 0.0), getattr(self.contact, "damping", 0.0)
        if loss > 1.5:
            raise ModelError(
                f"DryJournal: contact has a loss χ of {loss:g}; above 1.5 no law of collars is made of it: give face="
            )
        return HuntCrossley(stiffness=stiffness, damping=damping / 1.5, exponent=1.0, restitution=1.0 - loss / 1.5)

    def elements(self, joint: Joint) -> tuple[Part, ...]:
        """Its lands, and its collars."""
        carried_by = "parent" if self.pin_on == "child" else "child"
        common = {
            "friction": self.friction,
            "smallest_impact_speed": self.smallest_impact_speed,
            "largest_speed": self.remembered_speed == "largest",
            "carried_by": carried_by,
            "turned": (*self.pin_tilt, 0.0),
        }
        modulus, parts = getattr(self.contact, "modulus", 0.0), []
        for place, (lower, upper) in enumerate(self.all_lands):
            ends = self.other_ends
            on_bore, on_pin = ((lower, upper), ends) if self.lands_on == "bore" else (ends, (lower, upper))
            if self.planar:
                on_bore = self.facing_lands[place]
            parts.append(
                Part(
                    name="land" if place == 0 else f"land {place + 1}",
                    element="planar land" if self.planar else "land",
                    numbers=(self.bore_radius, self.pin_radius, 0.0, *on_bore, *on_pin, modulus),
                    clearance=self.clearance,
                    reach=max(abs(lower), abs(upper)),
                    swing=0.0 if self.planar else max(abs(lower), abs(upper)),
                    along=0.5 * sum(on_bore) if self.planar else 0.0,
                    radii=(self.bore_radius, self.pin_radius) if self.planar else None,
                    deepest_start=DEEP_START,
                    largest_tilt=LARGEST_TILT,
                    contact=self.contact,
                    **common,
                )
            )
        if self.axial_play is None:
            return tuple(parts)
        assert self.collar_radius is not None
        for side, name, face in ((1.0, "upper collar", self.faces[1]), (-1.0, "lower collar", self.faces[0])):
            parts.append(
                Part(
                    name=name,
                    element="collar",
                    numbers=(self.bore_radius, self.collar_radius, face, face + side * self.axial_play, side),
                    clearance=self.axial_play,
                    reach=self.collar_radius,
                    swing=self.collar_radius + abs(face) + self.axial_play,
                    deepest_start=DEEP_START,
                    largest_tilt=LARGEST_TILT,
                    contact=self.face_law(),
                    **common,
                )
            )
        return tuple(parts)
