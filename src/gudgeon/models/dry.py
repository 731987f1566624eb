"""The dry clearance joint: a ball that moves freely in its socket until the two touch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.laws.base import ContactLaw, FrictionLaw
from gudgeon.laws.dry_friction import DryFriction
from gudgeon.laws.forms import check_law
from gudgeon.models.ideal import JointModel
from gudgeon.models.impact import ImpactLaw, Newton, impact_law
from gudgeon.models.sockets import check_ball_side, check_radii
from gudgeon.quantities import Length, Speed

Contact = ContactLaw | Callable[..., float]
Friction = FrictionLaw | Callable[..., float]


@dataclass(frozen=True, kw_only=True)
class Dry(JointModel):
    """Clearance with contact and friction (Silva, Marques, Silva, Flores, eqs 6–14).

    The ball of radius R_j moves in the socket of radius R_i; they touch when the eccentricity exceeds the clearance
    c = R_i − R_j. `contact` is a law of `gd.laws` or your own: a ContactLaw, or a function of (delta, ddelta) or
    (delta, ddelta, impact_speed) in m and m/s that returns N. `friction` likewise: a FrictionLaw, or a function of
    (speed, normal_force); None is frictionless. The arguments of a function come in this order, whatever their names.

    Instead of `contact`, `impact` makes ball and socket hard: velocities jump by Newton's law, a number is its
    restitution. Hard contact, and `gd.laws.DryFriction`, which sticks (a ball slides in any direction, against which
    its friction acts), are nonsmooth: `gd.TimeStepping` knows them.

    A run starts with the ball centred. To start at an eccentricity, state both bodies of the joint in `System.start`,
    moved against each other by it; a ball that touches may start up to a tenth of the clearance inside the wall.

    >>> import gudgeon as gd
    >>> model = gd.Dry(
    ...     socket_radius=0.010,
    ...     ball_radius=0.0099,
    ...     contact=gd.laws.LankaraniNikravesh(stiffness=1.51e11, restitution=0.9),
    ...     friction=gd.laws.Coulomb(coefficient=0.1, velocity_tolerance=1e-3),
    ... )
    >>> round(model.clearance, 6)
    0.0001
    >>> gd.Dry(socket_radius=0.010, ball_radius=0.0099, impact=0.5).impact
    Newton(restitution_normal=0.5, restitution_tangential=0.0)
    """

    socket_radius: Length  # R_i [m]
    ball_radius: Length  # R_j [m]
    contact: Contact | None = None  # normal force [N]
    impact: ImpactLaw | float | None = None  # hard contact instead; a number: Newton's law
    friction: Friction | DryFriction | None = None  # friction force [N]; DryFriction sticks; None: frictionless
    ball_on: Literal["child", "parent"] = "child"  # which body carries the ball
    smallest_impact_speed: Speed = 1e-4  # δ̇⁽⁻⁾ is not taken below this [m/s]

    def __post_init__(self):
        check_radii(self, "Dry")
        check_ball_side(self, "Dry")
        if (self.contact is None) == (self.impact is None):
            raise ModelError(
                "Dry: how does the ball meet its socket? give either contact= (a law of gd.laws, compliant) or impact= "
                "(hard; a restitution such as 0.5, or gd.Newton)"
            )
        if self.contact is not None:
            check_law("Dry", "contact", self.contact, ContactLaw, self.clearance)
        if self.impact is not None:
            self._settle_impact()
        if self.friction is not None and not isinstance(self.friction, DryFriction):
            check_law("Dry", "friction", self.friction, FrictionLaw, self.clearance)
        if number("Dry", "smallest_impact_speed", self.smallest_impact_speed) <= 0.0:
            raise ModelError(
                f"Dry: smallest_impact_speed is {self.smallest_impact_speed:g} m/s; "
                "it must be positive, since contact laws divide by the impact speed"
            )

    def _settle_impact(self) -> None:
        law = impact_law("Dry", self.impact, Newton)
        if not isinstance(law, Newton):
            raise ModelError(
                f"Dry: impact is {law!r}; in space sliding turns along the path of an impact, which "
                f"{type(law).__name__}'s law would have to follow: give a restitution, or gd.Newton(...)"
            )
        if self.friction is not None and not isinstance(self.friction, DryFriction):
            raise ModelError(
                f"Dry: impact= with friction={type(self.friction).__name__}: an impulse has no smooth friction; give "
                "gd.laws.DryFriction(static=, kinetic=), or contact= instead of impact="
            )
        object.__setattr__(self, "impact", law)

    @property
    def nonsmooth(self) -> bool:
        """Whether velocities jump or friction sticks."""
        return self.impact is not None or isinstance(self.friction, DryFriction)

    @property
    def clearance(self) -> float:
        """c = R_i − R_j [m]."""
        return self.socket_radius - self.ball_radius
