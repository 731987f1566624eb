"""The dry clearance joint: a ball that moves freely in its socket until the two touch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.inputs.material import PairOfMaterials
from gudgeon.laws.base import ContactLaw, FrictionLaw
from gudgeon.laws.dry_friction import DryFriction
from gudgeon.laws.forms import check_law
from gudgeon.models.dry_journal import DryJournal
from gudgeon.models.fitted_journal import WordOrClearance, fitted, friction_law, line_law
from gudgeon.models.ideal import JointModel
from gudgeon.models.impact import ImpactLaw, Newton, impact_law
from gudgeon.models.remembered_speed import RememberedSpeed, check_remembered_speed
from gudgeon.models.sockets import check_ball_side, check_radii
from gudgeon.quantities import Angle, Length, Speed

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

    A pin in its bore is `gd.DryJournal`; `Dry.journal` makes one from a drawing.

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
    remembered_speed: RememberedSpeed = "impact"  # δ̇⁽⁻⁾ of laws: that of the impact, or the largest δ̇ since

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
        check_remembered_speed("Dry", self)
        if number("Dry", "smallest_impact_speed", self.smallest_impact_speed) <= 0.0:
            raise ModelError(
                f"Dry: smallest_impact_speed is {self.smallest_impact_speed:g} m/s; "
                "it must be positive, since contact laws divide by the impact speed"
            )

    def _settle_impact(self) -> None:
        law = impact_law("Dry", self.impact, Newton, self.friction)
        if not isinstance(law, Newton):
            raise ModelError(
                f"Dry: impact is {law!r}; in space sliding turns along the path of an impact, which "
                f"{type(law).__name__}'s law would have to follow: give a restitution, or gd.Newton(...)"
            )
        object.__setattr__(self, "impact", law)

    @classmethod
    def journal(
        cls,
        *,
        diameter: Length,  # D, nominal, of bore and pin [m]
        length: Length | None = None,  # of one land [m]
        lands: tuple[tuple[Length, Length], ...] = (),  # or several, as DryJournal
        fit: str | None = None,  # of ISO 286, as "H7/g6"
        clearance: WordOrClearance = "mean",  # radial: which of the fit, or c itself [m]
        materials: PairOfMaterials = "steel",  # of both, or of bearing and pin
        friction: Friction | float | None = None,  # a law, or a coefficient [-]
        wall: float = 2.0,  # R_o/R of the bearing [-]
        restitution: float = 0.9,
        reference_speed: Speed | None = 1.0,  # at which it is that [m/s]; None: at all
        temperature: float | None = None,  # [°C]; with hot
        hot: bool = False,  # the clearance at `temperature` instead of 20 °C
        axial_play: Length | None = None,
        collar_radius: Length | None = None,
        pin_on: Literal["child", "parent"] = "child",
        pin_tilt: tuple[Angle, Angle] = (0.0, 0.0),
        planar: bool = False,
    ) -> DryJournal:
        """A pin in its bore in one line, from its fit, materials and friction: a `gd.DryJournal`.

        Its `note`, shown by `repr` too, says what was taken. Clearances are **radial**, half of the play in diameter:
        "mean", "smallest" or "largest" of the fit, or a number [m]. Contact is `gd.laws.pin_in_bore`. A coefficient of
        friction becomes `gd.laws.Coulomb`, smooth below 0.01 m/s.

        >>> import gudgeon as gd
        >>> model = gd.Dry.journal(
        ...     fit="H7/g6", diameter=0.020, length=0.020, materials=("bronze", "steel"), friction=0.1
        ... )
        >>> print(model.note.replace("; ", "\\n"))
        20 mm H7/g6: radial clearance 12 µm (mean of 3.5 to 20.5 µm)
        bronze bearing, steel pin, E* 82.7 GPa, wall R_o/R 2, restitution 0.9 at 1 m/s
        friction 0.1, smoothed below 0.01 m/s
        """
        owner = "Dry.journal"
        if temperature is not None and not hot:
            raise ModelError(
                f"{owner}: temperature is {temperature:g} °C, on which only the clearance of a dry joint depends: give "
                "hot=True too, or leave it out"
            )
        pin = fitted(
            owner,
            diameter=diameter,
            fit=fit,
            clearance=clearance,
            materials=materials,
            temperature=temperature,
            hot=hot,
        )
        law, of_law = line_law(pin, wall=wall, restitution=restitution, reference_speed=reference_speed)
        rubbing, of_friction = friction_law(owner, friction)
        return DryJournal(
            bore_radius=pin.bore_radius,
            pin_radius=pin.pin_radius,
            length=length,
            lands=lands,
            axial_play=axial_play,
            collar_radius=collar_radius,
            pin_on=pin_on,
            pin_tilt=pin_tilt,
            planar=planar,
            contact=law,
            friction=rubbing,
            note="; ".join((pin.note, of_law, of_friction)),
        )

    @property
    def nonsmooth(self) -> bool:
        """Whether velocities jump or friction sticks."""
        return self.impact is not None or isinstance(self.friction, DryFriction)

    @property
    def clearance(self) -> float:
        """c = R_i − R_j [m]."""
        return self.socket_radius - self.ball_radius
