"""The lubricated clearance joint: a ball in a socket filled with oil."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.laws.base import ContactLaw, FilmLaw, FrictionLaw
from gudgeon.laws.film import SqueezeFilm
from gudgeon.laws.forms import check_law
from gudgeon.models.dry import Contact, Friction
from gudgeon.models.ideal import JointModel
from gudgeon.models.sockets import check_ball_side, check_radii
from gudgeon.quantities import Length, Speed, Viscosity


@dataclass(frozen=True, kw_only=True)
class Lubricated(JointModel):
    """A squeeze film between ball and socket (Silva, Marques, Silva, Flores, eqs 15, 16).

    The film force grows without bound as the film closes; the law ends where the film is thinner than `smallest_film`.
    There the run stops with an error, unless `contact` (and perhaps `friction`) is given, which then carries the
    load: dry contact begins at that thickness, and the film keeps damping as it does there. A run starts with the ball
    centred; to start at an eccentricity, state both bodies of the joint in `System.start`.

    >>> import gudgeon as gd
    >>> gd.Lubricated(socket_radius=0.010, ball_radius=0.0099, viscosity=0.4).film_law.viscosity
    0.4
    """

    socket_radius: Length  # R_i [m]
    ball_radius: Length  # R_j [m]
    viscosity: Viscosity | None = None  # μ, dynamic [Pa·s]; for the default film law
    film: FilmLaw | Callable[..., float] | None = None  # None: SqueezeFilm of this viscosity and these radii
    smallest_film: Length = 1e-9  # thickness where the law ends [m]
    contact: Contact | None = None  # takes over there; None: the run stops there
    friction: Friction | None = None
    ball_on: Literal["child", "parent"] = "child"
    smallest_impact_speed: Speed = 1e-4  # δ̇⁽⁻⁾ is not taken below this [m/s]

    def __post_init__(self):
        owner = "Lubricated"
        check_radii(self, owner)
        check_ball_side(self, owner)
        if (self.viscosity is None) == (self.film is None):
            raise ModelError(f"{owner}: give either viscosity= or film=, a law of your own")
        if self.film is None:
            viscosity = number(owner, "viscosity", self.viscosity)
            if viscosity <= 0.0:
                raise ModelError(f"{owner}: viscosity is {viscosity:g} Pa·s; it must be positive")
        check_law(owner, "film", self.film_law, FilmLaw, self.clearance)
        if not 0.0 < number(owner, "smallest_film", self.smallest_film) < self.clearance:
            raise ModelError(
                f"{owner}: smallest_film is {self.smallest_film:g} m; it must lie between 0 and the clearance "
                f"({self.clearance:g} m)"
            )
        if self.contact is not None:
            check_law(owner, "contact", self.contact, ContactLaw, self.clearance)
        if self.friction is not None:
            check_law(owner, "friction", self.friction, FrictionLaw, self.clearance)
            if self.contact is None:
                raise ModelError(f"{owner}: friction is given without contact; give contact= too, or leave it out")
        if number(owner, "smallest_impact_speed", self.smallest_impact_speed) <= 0.0:
            raise ModelError(f"{owner}: smallest_impact_speed is {self.smallest_impact_speed:g} m/s; make it positive")

    @property
    def clearance(self) -> float:
        """c = R_i − R_j [m]."""
        return self.socket_radius - self.ball_radius

    @property
    def film_law(self) -> FilmLaw | Callable[..., float]:
        """The law given, or the squeeze film of the viscosity and the radii."""
        if self.film is not None:
            return self.film
        return SqueezeFilm(
            viscosity=float(self.viscosity or 0.0), socket_radius=self.socket_radius, clearance=self.clearance
        )
