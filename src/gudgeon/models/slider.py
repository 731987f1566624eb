"""What the sliders in a guide with play have in common: clearance, contact and friction of their surface points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.laws.base import ContactLaw, FrictionLaw
from gudgeon.laws.dry_friction import DryFriction
from gudgeon.laws.forms import check_law
from gudgeon.models.ideal import JointModel
from gudgeon.quantities import Length

Contact = ContactLaw | Callable[..., float]
Friction = FrictionLaw | Callable[..., float]


@dataclass(frozen=True, kw_only=True)
class Slider(JointModel):
    """A slider between the two surfaces of a guide; abstract.

    Give the `clearance` on each side, or the `guide_height` from surface to surface.
    """

    clearance: Length | None = None  # c, on each side of the centred slider [m]
    guide_height: Length | None = None  # from surface to surface [m]
    contact: Contact | None = None  # normal force of one surface point [N]
    friction: DryFriction | Friction | None = None  # DryFriction sticks (set-valued); others are smooth; None: none
    compliant: ClassVar[bool] = False

    @property
    def slider_height(self) -> float:
        """From the lower to the upper surface of the slider [m]."""
        raise NotImplementedError

    @property
    def play(self) -> float:
        """c, the clearance on each side of the centred slider [m]."""
        assert self.clearance is not None
        return self.clearance

    def settle_clearance(self, owner: str) -> None:
        """`clearance` from whichever of the two was given."""
        height = self.slider_height
        if (self.clearance is None) == (self.guide_height is None):
            raise ModelError(f"{owner}: give either clearance (on each side) or guide_height, in metres")
        if self.guide_height is not None:
            inside = number(owner, "guide_height", self.guide_height)
            if inside <= height:
                raise ModelError(
                    f"{owner}: the slider is {height:g} m high, the guide {inside:g} m; the slider must be lower than "
                    "its guide (use gd.Ideal() for a joint without clearance)"
                )
            object.__setattr__(self, "clearance", 0.5 * (inside - height))
            object.__setattr__(self, "guide_height", None)
        clearance = number(owner, "clearance", self.clearance)
        if clearance <= 0.0:
            raise ModelError(
                f"{owner}: clearance is {clearance:g} m; it must be positive "
                "(use gd.Ideal() for a joint without clearance)"
            )
        object.__setattr__(self, "clearance", clearance)

    def check_laws(self, owner: str) -> None:
        """Contact and friction are laws of the right kind."""
        if self.contact is not None:
            check_law(owner, "contact", self.contact, ContactLaw, self.play)
        if self.friction is not None and not isinstance(self.friction, DryFriction):
            check_law(owner, "friction", self.friction, FrictionLaw, self.play)
