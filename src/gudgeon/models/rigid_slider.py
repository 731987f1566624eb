"""A rigid slider in its guide: four corners that meet the guide's two surfaces."""

from __future__ import annotations

from dataclasses import dataclass

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.models.impact import ImpactLaw, Stronge, impact_law
from gudgeon.models.slider import Slider
from gudgeon.quantities import Length


@dataclass(frozen=True, kw_only=True)
class RigidSlider(Slider):
    """A rigid block of `length` along the guide and `height` across it, centred on the joint's point of the child.

    Its corners meet the guide compliantly, by the law `contact` (δ, δ̇ of one corner to N), or hard, by the law of
    `impact`, where a number is the restitution of `gd.Stronge`: one of the two. The slider may lift and tilt in the
    plane of axis and normal; the guide has no ends.
    Where several corners stick, how they share the friction is not determined for a rigid body: here in proportion to
    their normal forces, so that all break away together at static · normal force.

    >>> import gudgeon as gd
    >>> soft = gd.RigidSlider(
    ...     length=0.5,
    ...     height=0.3,
    ...     clearance=2.5e-3,
    ...     contact=gd.laws.KelvinVoigt(stiffness=1e4, damping=1e3),
    ...     friction=gd.laws.DryFriction(static=0.04, kinetic=0.03),
    ... )
    >>> hard = gd.RigidSlider(length=0.5, height=0.3, guide_height=0.305, impact=0.4)
    >>> round(hard.play, 6)
    0.0025
    """

    length: Length  # along the guide [m]
    height: Length  # across the guide [m]
    impact: ImpactLaw | float | None = None  # hard contact; a number: Stronge's law; None: compliant

    def __post_init__(self):
        for field in ("length", "height"):
            value = number("RigidSlider", field, getattr(self, field))
            if value <= 0.0:
                raise ModelError(f"RigidSlider: {field} is {value:g} m; it must be positive")
            object.__setattr__(self, field, value)
        self.settle_clearance("RigidSlider")
        if (self.contact is None) == (self.impact is None):
            raise ModelError(
                "RigidSlider: how do its corners meet the guide? give either contact= (a law of gd.laws, compliant) "
                "or impact= (hard; a restitution such as 0.5, or gd.Stronge, gd.Poisson, gd.Newton)"
            )
        if self.impact is not None:
            object.__setattr__(self, "impact", impact_law("RigidSlider", self.impact, Stronge, self.friction))
        self.check_laws("RigidSlider")

    @property
    def slider_height(self) -> float:
        """From the lower to the upper surface of the slider [m]."""
        return self.height
