"""The dry universal joint: a cross with mass, whose four trunnions turn in bearings with play."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.laws.base import ContactLaw
from gudgeon.laws.forms import check_law
from gudgeon.models.dry_journal import Friction, Line, Pressure
from gudgeon.models.ideal import JointModel
from gudgeon.models.remembered_speed import RememberedSpeed
from gudgeon.models.trunnions import Trunnions, cup_law
from gudgeon.quantities import Density, Length, Mass, PerArea, Speed, Unit

STEEL = 7850.0  # [kg/m³]


@dataclass(frozen=True, kw_only=True)
class DryCross(JointModel):
    """A cross between the two forks of a universal joint: a body, with four trunnions in bearings with play.

    The pins lie along `axis_parent` and `axis_child` of the joint; each has two lands of `length`, whose middles are
    `span` apart, in the bores of a fork. Pins and bores touch as those of `gd.DryJournal`, by the line law `contact`,
    with friction. Along a pin an ideal row holds the cross in its fork; or, with a `cup_play`, the bottoms of the cups
    do, that far beyond each end of the centred pin: `cup` is their pressure law (Pa), by default that of a rigid disc
    of the line law's material.

    A System with such a joint J has three more parts, which come and go with this model: the body "J.cross", and the
    joints "J.parent" (fork of the parent and cross) and "J.child" (cross and fork of the child), where contacts,
    losses and events are told. J itself tells its two angles and what acts on the child. Mass and inertia of the cross
    are those of two cylinders of `density` that cross, as long as from end to end of the lands, unless given: `inertia`
    about the axis of the parent's pin, of the child's pin, and across both.

    >>> import gudgeon as gd
    >>> bearing = gd.laws.pin_in_bore(radius=0.00601, clearance=1e-5, materials="steel")
    >>> cross = gd.DryCross(span=0.04, bore_radius=0.00601, pin_radius=0.006, length=0.01, contact=bearing)
    >>> round(cross.mass_of_cross, 4)
    0.0797
    """

    span: Length  # from the middle of one land to that of the opposite one [m]
    bore_radius: Length  # R_i [m]
    pin_radius: Length  # R_j [m]
    length: Length  # of a land [m]
    contact: Line  # normal force per length [N/m]
    friction: Friction | None = None  # None: frictionless
    cup_play: Length | None = None  # between a pin's end and the bottom of its cup; None: an ideal row [m]
    cup: Annotated[Pressure | None, PerArea] = None  # pressure of a bottom [Pa]; None: of a rigid disc
    mass: Mass | None = None  # of the cross; None: of two cylinders [kg]
    inertia: Annotated[tuple[float, float, float] | None, Unit("kg·m²")] = None  # None: of two cylinders [kg·m²]
    density: Density = STEEL  # of the cylinders [kg/m³]
    smallest_impact_speed: Speed = 1e-4  # δ̇⁽⁻⁾ is not taken below this [m/s]
    remembered_speed: RememberedSpeed = "impact"  # δ̇⁽⁻⁾ of laws: that of the impact, or the largest δ̇ since

    def __post_init__(self):
        keep, owner = object.__setattr__, "DryCross"
        for field in ("span", "length", "cup_play", "mass", "density"):
            if getattr(self, field) is None:
                continue
            value = number(owner, field, getattr(self, field))
            unit = {"mass": "kg", "density": "kg/m³"}.get(field, "m")
            if value <= 0.0:
                raise ModelError(f"{owner}: {field} is {value:g} {unit}; it must be positive")
            keep(self, field, value)
        if self.inertia is not None:
            from gudgeon.bodies import Body

            matrix = Body(mass=1.0, inertia=self.inertia).inertia
            if any(matrix[r][c] for r in range(3) for c in range(3) if r != c):
                raise ModelError(f"{owner}: inertia has products; give three numbers, about the pins and across both")
            keep(self, "inertia", tuple(matrix[k][k] for k in range(3)))
        try:
            self.trunnions("child")
        except ModelError as error:
            raise ModelError(str(error).replace("Trunnions: ", f"{owner}: ", 1)) from None
        if self.span - self.length < 2.0 * self.bore_radius:
            raise ModelError(
                f"{owner}: span is {self.span:g} m, length {self.length:g} m and bore_radius {self.bore_radius:g} m; "
                "the lands would reach into the other pin: span − length must be at least twice the radius"
            )
        if self.cup is not None:
            if self.cup_play is None:
                raise ModelError(f"{owner}: cup is given, but no cup_play; give both, or neither for an ideal row")
            check_law(owner, "cup", self.cup, ContactLaw, self.cup_play, pressure=True)

    def trunnions(self, pin_on: Literal["child", "parent"]) -> Trunnions:
        """The model of one pin in the bores of its fork."""
        outer, inner = 0.5 * (self.span + self.length), 0.5 * (self.span - self.length)
        cup = self.cup
        if self.cup_play is not None and cup is None:
            cup = cup_law("DryCross", self.contact, self.pin_radius)
        return Trunnions(
            bore_radius=self.bore_radius,
            pin_radius=self.pin_radius,
            lands=((-outer, -inner), (inner, outer)),
            contact=self.contact,
            friction=self.friction,
            pin_on=pin_on,
            cup_play=self.cup_play,
            cup=cup,
            smallest_impact_speed=self.smallest_impact_speed,
            remembered_speed=self.remembered_speed,
        )

    @property
    def mass_of_cross(self) -> float:
        """m = ρ (2 π r² ℓ − 16/3 r³): two cylinders less what they share, Steinmetz's solid [kg]."""
        r, length = self.pin_radius, self.span + self.length
        return self.mass or self.density * (2.0 * math.pi * r * r * length - 16.0 / 3.0 * r**3)

    @property
    def inertia_of_cross(self) -> tuple[float, float, float]:
        """About the parent's pin, the child's pin, and across both; in proportion to a mass that is given [kg·m²]."""
        if self.inertia is not None:
            return self.inertia
        r, length = self.pin_radius, self.span + self.length
        cylinder = math.pi * r * r * length
        volume = 2.0 * cylinder - 16.0 / 3.0 * r**3
        along, across = 0.5 * cylinder * r * r, cylinder * (3.0 * r * r + length * length) / 12.0
        scale = self.mass_of_cross / volume
        pin, both = along + across - 112.0 / 45.0 * r**5, 2.0 * across - 128.0 / 45.0 * r**5
        return scale * pin, scale * pin, scale * both

    def check_joint(self, joint: Any) -> None:
        """Refuse a joint without a place."""
        if joint.at is None and (joint.at_parent is None or joint.at_child is None):
            raise ModelError(f"{joint.label()}: where is its cross? give at=(x, y, z), or at_parent= and at_child=")
