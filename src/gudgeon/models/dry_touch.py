"""Dry contact of two bodies that may part: a cam and its follower, a roller on its track, shapes that meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.laws.base import ContactLaw, FrictionLaw
from gudgeon.laws.dry_friction import DryFriction
from gudgeon.laws.forms import check_law
from gudgeon.laws.friction import LuGre
from gudgeon.models.dry import Contact, Friction
from gudgeon.models.ideal import JointModel
from gudgeon.quantities import Speed

if TYPE_CHECKING:
    from gudgeon.models.part import Part

TRIAL_DEPTH = 1e-3  # penetrations up to this are tried when a law is checked [m]


@dataclass(frozen=True, kw_only=True)
class DryTouch(JointModel):
    """Contact and friction where two bodies touch, nothing while they are apart: for `Meeting`, `PointOnCurve`, `Cam`.

    The geometry is that of the joint. `contact` is a law of `gd.laws`, or a function of (delta, ddelta) or (delta,
    ddelta, impact_speed) in m and m/s that returns N; `friction` a smooth friction law, or a function of (speed,
    normal_force); None is frictionless. Both forces act half-way between the two surfaces. Every contact is located,
    and listed in `result.events`.

    >>> import gudgeon as gd
    >>> steel = gd.laws.HuntCrossley(stiffness=1e9, damping=0.1)
    >>> touch = gd.DryTouch(contact=steel, friction=gd.laws.Coulomb(coefficient=0.1, velocity_tolerance=1e-3))
    """

    contact: Contact  # normal force [N]
    friction: Friction | None = None  # friction force [N]; None: frictionless
    smallest_impact_speed: Speed = 1e-4  # δ̇⁽⁻⁾ is not taken below this [m/s]
    stiff: ClassVar[bool] = False

    def __post_init__(self):
        owner = "DryTouch"
        check_law(owner, "contact", self.contact, ContactLaw, TRIAL_DEPTH)
        if isinstance(self.friction, LuGre | DryFriction):
            raise ModelError(
                f"{owner}: friction is {type(self.friction).__name__}; where bodies may part and meet elsewhere, "
                "friction has no memory of a point: give a smooth law, such as gd.laws.Coulomb(coefficient=, "
                "velocity_tolerance=)"
            )
        if self.friction is not None:
            check_law(owner, "friction", self.friction, FrictionLaw, TRIAL_DEPTH)
        if number(owner, "smallest_impact_speed", self.smallest_impact_speed) <= 0.0:
            raise ModelError(
                f"{owner}: smallest_impact_speed is {self.smallest_impact_speed:g} m/s; "
                "it must be positive, since contact laws divide by the impact speed"
            )

    def elements(self, joint: Any) -> tuple[Part, ...]:
        """Where the two bodies of the joint may touch."""
        return joint.touches(self)
