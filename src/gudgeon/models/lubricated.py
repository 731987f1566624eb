"""The lubricated clearance joint: a ball in a socket filled with oil."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from gudgeon.checks import Vec3, number, vector
from gudgeon.errors import ModelError
from gudgeon.inputs import oils
from gudgeon.inputs.material import PairOfMaterials
from gudgeon.inputs.roughness import smallest_film
from gudgeon.laws.base import ContactLaw, FilmLaw, FrictionLaw
from gudgeon.laws.film import SqueezeFilm
from gudgeon.laws.forms import check_law
from gudgeon.models.dry import Contact, Friction
from gudgeon.models.fitted_box import clearances, touching
from gudgeon.models.fitted_journal import WordOrClearance, fitted, friction_law, line_law
from gudgeon.models.ideal import JointModel
from gudgeon.models.law_clearance import check_law_clearance
from gudgeon.models.lubricated_box import LubricatedBox
from gudgeon.models.lubricated_journal import LubricatedJournal, is_too_long_for_short
from gudgeon.models.sockets import check_ball_side, check_radii
from gudgeon.quantities import Angle, Length, Speed, Viscosity


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

    A pin in its bore full of oil is gd.LubricatedJournal; `Lubricated.journal` makes one from a drawing and an oil.
    A box in its guide is gd.LubricatedBox and `Lubricated.box`.
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
        check_law_clearance(owner, "film", self.film, self.clearance)
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

    @classmethod
    def journal(
        cls,
        *,
        diameter: Length,  # D, nominal, of bore and pin [m]
        length: Length | None = None,  # of one land [m]
        lands: tuple[tuple[Length, Length], ...] = (),  # or several, as LubricatedJournal
        fit: str | None = None,  # of ISO 286, as "H7/f7"
        clearance: WordOrClearance = "mean",  # radial: which of the fit, or c itself [m]
        oil: str | None = None,  # an ISO VG grade, as "ISO VG 46"
        temperature: float | None = None,  # of the oil [°C]
        viscosity: Viscosity | None = None,  # μ instead of oil and temperature [Pa·s]
        film: Literal["finite", "short", "long"] = "finite",
        roughness: tuple[Length, Length] | None = None,  # R_a of bore and pin: they touch below 3.5 σ [m]
        materials: PairOfMaterials = "steel",  # of both, or of bearing and pin
        friction: Friction | float | None = None,  # where they touch: a law, or a coefficient
        wall: float = 2.0,  # R_o/R of the bearing [-]
        restitution: float = 0.9,
        reference_speed: Speed | None = 1.0,  # at which it is that [m/s]; None: at all
        hot: bool = False,  # the clearance at `temperature` instead of 20 °C
        axial_play: Length | None = None,
        collar_radius: Length | None = None,
        pin_on: Literal["child", "parent"] = "child",
        pin_tilt: tuple[Angle, Angle] = (0.0, 0.0),
        planar: bool = False,
    ) -> LubricatedJournal:
        """A pin in a bore full of oil in one line, from its fit, oil and temperature; `note` says what was taken.

        The film is that of `gd.LubricatedJournal`. With `roughness`, R_a of both surfaces, peaks touch where the film
        is thinner than 3.5 σ (`gd.roughness.smallest_film`), with the default law of the materials; without it the run
        stops where a film closes. `materials` count where they touch, and for the clearance of `hot=True`. Clearances
        are **radial**, half of the play in diameter.

        >>> import gudgeon as gd
        >>> model = gd.Lubricated.journal(fit="H7/f7", diameter=0.020, length=0.020, oil="ISO VG 46", temperature=60)
        >>> print(model.note)
        20 mm H7/f7: radial clearance 20.5 µm (mean of 10 to 31 µm); ISO VG 46 at 60 °C: 0.01806 Pa·s; finite film
        """
        owner = "Lubricated.journal"
        pin = fitted(
            owner,
            diameter=diameter,
            fit=fit,
            clearance=clearance,
            materials=materials,
            temperature=temperature,
            hot=hot,
        )
        mu, of_oil = _viscosity(owner, oil, temperature, viscosity)
        notes = [pin.note, of_oil, f"{film} film"]
        touching: dict[str, Any] = {}
        if roughness is not None:
            Ra = vector(owner, "roughness", roughness, 2, "R_a of bore and pin in metres")
            law, of_law = line_law(pin, wall=wall, restitution=restitution, reference_speed=reference_speed)
            rubbing, of_friction = friction_law(owner, friction)
            touching = {"smallest_film": smallest_film(*Ra), "contact": law, "friction": rubbing}
            notes += [f"touches below {1e6 * touching['smallest_film']:.3g} µm: {of_law}", of_friction]
        elif given := [
            field
            for field, value, usual in (
                ("friction", friction, None),
                ("axial_play", axial_play, None),
                ("wall", wall, 2.0),
                ("restitution", restitution, 0.9),
            )
            if value != usual
        ]:
            raise ModelError(
                f"{owner}: {given[0]} is given, but nothing touches as long as there is a film; give roughness=, R_a "
                "of bore and pin in metres, too, or leave it out"
            )
        model = LubricatedJournal(
            bore_radius=pin.bore_radius,
            pin_radius=pin.pin_radius,
            length=length,
            lands=lands,
            axial_play=axial_play,
            collar_radius=collar_radius,
            pin_on=pin_on,
            pin_tilt=pin_tilt,
            planar=planar,
            viscosity=mu,
            film=film,
            note="; ".join(notes),
            **touching,
        )
        slenderness = max(upper - lower for lower, upper in model.all_lands) / (2.0 * model.bore_radius)
        if is_too_long_for_short(film, slenderness):
            notes[2] += f", much too strong at L/D = {slenderness:.3g}"
            object.__setattr__(model, "note", "; ".join(notes))
        return model

    @classmethod
    def box(
        cls,
        *,
        length: Length,  # of the box along the axis [m]
        width: Length,  # from left to right [m]
        height: Length,  # from below to above [m]
        fit: str | None = None,  # of ISO 286, as "H7/f7", of height and width
        clearance: WordOrClearance = "mean",  # on each side: which of the fit, or c itself [m]
        oil: str | None = None,  # an ISO VG grade, as "ISO VG 46"
        temperature: float | None = None,  # of the oil [°C]
        viscosity: Viscosity | None = None,  # μ instead of oil and temperature [Pa·s]
        roughness: tuple[Length, Length] | None = None,  # R_a of guide and box: they touch below 3.5 σ [m]
        materials: PairOfMaterials = "steel",  # of both, or of guide and box
        friction: Friction | float | None = None,  # where they touch: a law per area, or a coefficient
        pads_on: Literal["box", "guide"] = "box",
        up: Vec3 | None = None,
    ) -> LubricatedBox:
        """A box in a guide full of oil in one line, a `gd.LubricatedBox`; `note` says what was taken.

        With `roughness`, R_a of both surfaces, peaks touch where the film is thinner than 3.5 σ, with the stiffness of
        `gd.laws.flat_pad`; without it the run stops where a film closes. Clearances are those on each side of the
        centred box, half of the play.

        >>> import gudgeon as gd
        >>> model = gd.Lubricated.box(
        ...     length=0.05, width=0.02, height=0.02, fit="H7/f7", oil="ISO VG 68", temperature=40
        ... )
        >>> print(model.note.replace("; ", "\\n"))
        20 mm H7/f7: clearance on each side 20.5 µm (mean of 10 to 31 µm)
        ISO VG 68 at 40 °C: 0.0612 Pa·s
        """
        owner = "Lubricated.box"
        mu, of_oil = _viscosity(owner, oil, temperature, viscosity)
        play, of_fit = clearances(owner, height, width, fit, clearance)
        size = {"length": length, "width": width, "height": height}
        touch, of_touch = touching(owner, **size, roughness=roughness, materials=materials, friction=friction)
        notes = "; ".join((of_fit, of_oil, *of_touch))
        return LubricatedBox(**size, **play, viscosity=mu, pads_on=pads_on, up=up, note=notes, **touch)

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


def _viscosity(owner: str, oil: str | None, temperature: float | None, given: float | None) -> tuple[float, str]:
    """Of the oil [Pa·s], and what it is."""
    if (oil is None) == (given is None):
        raise ModelError(
            f"{owner}: which oil? give oil=, as 'ISO VG 46', and temperature= in °C, or viscosity= in Pa·s"
        )
    if given is not None:
        return given, f"{number(owner, 'viscosity', given):g} Pa·s"
    if temperature is None:
        raise ModelError(f"{owner}: {oil} at which temperature? give temperature= in °C")
    mu = oils.viscosity(oil, temperature)
    return mu, f"{oil} at {temperature:g} °C: {mu:.4g} Pa·s"
