"""What the models of a pin in a bore have in common: their geometry, and what of the joint stays ideal."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, Literal

from gudgeon.checks import choice, number, vector
from gudgeon.errors import ModelError
from gudgeon.models.ideal import JointModel
from gudgeon.quantities import Angle, Length

if TYPE_CHECKING:
    from gudgeon.joints import Joint

LARGEST_TILT = 0.2  # tan ψ up to which the sections of a tilted pin are those of the theory [-]
LARGEST_PIN_TILT = 0.1  # of a pin that is askew in its body [rad]
DEEP_START = 0.5  # how deep a land may be at the start, of the clearance


@dataclass(frozen=True, kw_only=True)
class Journal(JointModel):
    """A pin in a bore; abstract.

    Lands are the lengths over which pin and bore can touch: one of `length` about the joint's point, or `lands`, each
    from a lower to an upper end along the joint's axis, on the bore or on the pin (`lands_on`). A pin protrudes from
    its bore, and a bore from its lands on the pin, unless `pin_length` or `bore_length` says where it ends. All
    clearances are radial.
    """

    bore_radius: Length  # R_i [m]
    pin_radius: Length  # R_j [m]
    length: Length | None = None  # of one land about the joint's point [m]
    lands: tuple[tuple[Length, Length], ...] = ()  # (lower, upper) ends from the joint's point along the axis [m]
    lands_on: Literal["bore", "pin"] = "bore"
    pin_length: Length | None = None  # about the joint's point; None: it protrudes [m]
    bore_length: Length | None = None  # likewise, of lands on the pin [m]
    axial_play: Length | None = None  # on each side, from the bore's faces to collars of the pin; None: no collars [m]
    collar_radius: Length | None = None  # R_c [m]
    pin_on: Literal["child", "parent"] = "child"  # which body carries the pin
    pin_tilt: tuple[Angle, Angle] = (0.0, 0.0)  # of a pin askew in its body, about the joint's x and y [rad]
    planar: bool = False  # other joints keep pin and bore parallel and axially in place
    note: str = dataclasses.field(default="", compare=False)  # where its numbers are from; for readers

    def __post_init__(self):
        keep, owner = object.__setattr__, type(self).__name__
        for field in (
            "bore_radius",
            "pin_radius",
            "length",
            "pin_length",
            "bore_length",
            "axial_play",
            "collar_radius",
        ):
            value = getattr(self, field)
            if value is None and field not in ("bore_radius", "pin_radius"):
                continue
            value = number(owner, field, value)
            if value <= 0.0:
                raise ModelError(f"{owner}: {field} is {value:g} m; it must be positive")
            keep(self, field, value)
        if self.pin_radius >= self.bore_radius:
            raise ModelError(
                f"{owner}: pin_radius is {self.pin_radius:g} m, bore_radius {self.bore_radius:g} m; the pin must be "
                "smaller than its bore (use gd.Ideal() for a joint without clearance)"
            )
        if not isinstance(self.note, str):
            raise ModelError(f"{owner}: note is {self.note!r}; give a text")
        choice(owner, "lands_on", self.lands_on, ("bore", "pin"))
        choice(owner, "pin_on", self.pin_on, ("child", "parent"))
        if not isinstance(self.planar, bool):
            raise ModelError(f"{owner}: planar is {self.planar!r}; give True or False")
        self._settle_lands(owner)
        self._settle_collars(owner)
        keep(self, "pin_tilt", vector(owner, "pin_tilt", self.pin_tilt, 2))
        if max(map(abs, self.pin_tilt)) > LARGEST_PIN_TILT:
            raise ModelError(
                f"{owner}: pin_tilt is {self.pin_tilt} rad; a pin may be askew by at most {LARGEST_PIN_TILT:g} rad"
            )
        if self.planar and (any(self.pin_tilt) or self.axial_play is not None):
            given = "pin_tilt" if any(self.pin_tilt) else "axial_play"
            raise ModelError(
                f"{owner}: planar=True and {given} are given; in the plane pin and bore stay parallel and in place: "
                "leave out one of the two"
            )

    def _settle_lands(self, owner: str) -> None:
        """Lands in order, from whichever of `length` and `lands` was given."""
        if (self.length is None) == (not self.lands):
            raise ModelError(
                f"{owner}: how long is it? give either length= (of one land about the joint's point) or "
                "lands=((lower, upper), ...), in metres along the axis"
            )
        given = self.lands
        if self.length is not None:
            given = ((-0.5 * self.length, 0.5 * self.length),)
        try:
            lands = tuple(sorted(vector(owner, "a land", land, 2, "(lower, upper) in metres") for land in given))
        except TypeError:
            raise ModelError(f"{owner}: lands is {given!r}; give ((lower, upper), ...) in metres") from None
        for lower, upper in lands:
            if lower >= upper:
                raise ModelError(f"{owner}: the land ({lower:g}, {upper:g}) ends before it begins; give (lower, upper)")
        for (_, below), (above, _) in pairwise(lands):
            if above < below:
                raise ModelError(f"{owner}: two lands overlap between {above:g} m and {below:g} m; make one of them")
        if self.length is None:
            object.__setattr__(self, "lands", lands)
        ends, other = ("pin_length", "bore_length")[:: 1 if self.lands_on == "bore" else -1]
        if getattr(self, other) is not None:
            raise ModelError(
                f"{owner}: {other} is given, but its lands are on the {self.lands_on}, which they end; "
                f"give {ends}, or lands_on={'pin' if self.lands_on == 'bore' else 'bore'!r}"
            )
        reach = getattr(self, ends)
        for lower, upper in lands:
            if reach is not None and (lower >= 0.5 * reach or upper <= -0.5 * reach):
                raise ModelError(
                    f"{owner}: the land from {lower:g} to {upper:g} m is outside {ends} = {reach:g} m, which ends at "
                    f"±{0.5 * reach:g} m; move it, or make {ends} longer"
                )

    def _settle_collars(self, owner: str) -> None:
        """Play and collars come together, and a collar is larger than the bore."""
        if (self.axial_play is None) != (self.collar_radius is None):
            given, other = ("axial_play", "collar_radius")[:: 1 if self.collar_radius is None else -1]
            raise ModelError(
                f"{owner}: {given} is given without {other}; collars need both (leave out both for an ideal axial "
                "support of a Revolute, and for a Cylindrical)"
            )
        if self.collar_radius is None:
            return
        if self.collar_radius <= self.bore_radius:
            raise ModelError(
                f"{owner}: collar_radius is {self.collar_radius:g} m, bore_radius {self.bore_radius:g} m; a collar "
                "must be larger than the bore, or it goes through"
            )
        if self.lands_on == "pin" and self.bore_length is None:
            raise ModelError(f"{owner}: where are the faces of the bore, which its collars meet? give bore_length=")

    @property
    def clearance(self) -> float:
        """c = R_i − R_j, radial [m]."""
        return self.bore_radius - self.pin_radius

    @property
    def all_lands(self) -> tuple[tuple[float, float], ...]:
        """(lower, upper) ends of all lands [m]."""
        return self.lands if self.length is None else ((-0.5 * self.length, 0.5 * self.length),)

    @property
    def other_ends(self) -> tuple[float, float]:
        """Where the part that has no lands ends, pin or bore [m]."""
        other = self.bore_length if self.lands_on == "pin" else self.pin_length
        return (-inf, inf) if other is None else (-0.5 * other, 0.5 * other)

    @property
    def facing_lands(self) -> tuple[tuple[float, float], ...]:
        """(lower, upper) of what of each land faces the other part while nothing moves along the axis [m]."""
        first, last = self.other_ends
        return tuple((max(lower, first), min(upper, last)) for lower, upper in self.all_lands)

    @property
    def faces(self) -> tuple[float, float]:
        """Lower and upper end of the bore [m]."""
        if self.lands_on == "pin":
            assert self.bore_length is not None
            return -0.5 * self.bore_length, 0.5 * self.bore_length
        return self.all_lands[0][0], self.all_lands[-1][1]

    def check_joint(self, joint: Joint) -> None:
        """Refuse collars where the joint slides, and a joint without a place."""
        owner = type(self).__name__
        if joint.at is None and joint.at_parent is None and joint.at_child is None:
            raise ModelError(f"{joint.label()}: where is its pin? give at=(x, y, z), or at_parent= and at_child=")
        if self.axial_play is not None and joint.blocks().displacements:
            raise ModelError(
                f"{joint.label()}: it slides along its axis, but its {owner} has collars (axial_play = "
                f"{self.axial_play:g} m); leave out axial_play and collar_radius, or use gd.Revolute"
            )

    def holds_axis(self) -> bool:
        """Whether an ideal row keeps the pin in place along a Revolute's axis."""
        return self.axial_play is None and not self.planar
