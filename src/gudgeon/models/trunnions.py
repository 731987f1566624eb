"""Two trunnions on one line, each in its own bearing: one half of the cross of a universal joint."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

from gudgeon.errors import ModelError
from gudgeon.laws.contact import HuntCrossley
from gudgeon.models.dry_journal import DryJournal, Line, Pressure
from gudgeon.models.part import Part
from gudgeon.quantities import Length, PerArea

if TYPE_CHECKING:
    from gudgeon.joints import Joint


@dataclass(frozen=True, kw_only=True)
class Trunnions(DryJournal):
    """A pin with two lands in bearings that may be cups: their bottoms, `cup_play` beyond its ends, hold it axially.

    Without a cup play an ideal row holds it along its axis.
    """

    cup_play: Length | None = None  # between each end of the centred pin and the bottom of its cup [m]
    cup: Annotated[Pressure | None, PerArea] = None  # pressure of a bottom [Pa]

    def holds_axis(self) -> bool:
        """Whether an ideal row keeps the pin in place along the axis."""
        return self.cup_play is None

    def elements(self, joint: Joint) -> tuple[Part, ...]:
        """The lands, and the bottoms of the cups."""
        lands = super().elements(joint)
        if self.cup_play is None:
            return lands
        lower, upper = self.all_lands[0][0], self.all_lands[-1][1]
        # a bottom beyond the end of the pin is a collar's face from the other side, its ring begins at the axis
        bottoms = tuple(
            replace(
                lands[0],
                name=name,
                element="collar",
                numbers=(0.0, self.pin_radius, end - side * self.cup_play, end, side),
                clearance=self.cup_play,
                reach=self.pin_radius,
                swing=self.pin_radius + abs(end) + self.cup_play,
                contact=self.cup,
            )
            for name, end, side in (("upper cup", upper, -1.0), ("lower cup", lower, 1.0))
        )
        return (*lands, *bottoms)


def cup_law(owner: str, contact: Line, radius: float) -> HuntCrossley:
    """p = k δ of a rigid disc on a half-space, k = 2 E*/(π R), with the loss of the line law."""
    modulus = getattr(contact, "modulus", None)
    if modulus is None:
        raise ModelError(
            f"{owner}: what is the pressure of its cups? contact knows no modulus E*: give cup=, a law in Pa such as "
            "gd.laws.HuntCrossley(stiffness=1e13, exponent=1)"
        )
    damping, loss = getattr(contact, "damping", 0.0), min(getattr(contact, "loss", 0.0), 1.5)
    stiffness = 2.0 * modulus / (math.pi * radius)
    return HuntCrossley(stiffness=stiffness, damping=damping / 1.5, exponent=1.0, restitution=1.0 - loss / 1.5)
