"""The lubricated journal: a pin that turns in a bore full of oil."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from math import inf, pi
from typing import TYPE_CHECKING, Annotated, Literal

from gudgeon.checks import choice, number
from gudgeon.errors import ModelError
from gudgeon.films.finite_table import RANGE, finite_table
from gudgeon.kernels.elements.kinds import FINITE, LONG, SHORT
from gudgeon.laws.greenwood_tripp import GreenwoodTripp
from gudgeon.models.dry_journal import DryJournal, Friction, Line, Pressure
from gudgeon.models.journal import LARGEST_TILT, Journal
from gudgeon.models.law_clearance import check_law_clearance
from gudgeon.models.part import Part
from gudgeon.models.remembered_speed import RememberedSpeed, check_remembered_speed
from gudgeon.quantities import Length, PerArea, Speed, Viscosity

if TYPE_CHECKING:
    from gudgeon.joints import Joint

KINDS = {"short": SHORT, "finite": FINITE, "long": LONG}
LEVER_STATION, GAP_STATION = 0.16, 0.25  # of the length: where velocity and force, and where the gap is taken [-]
SHORTEST_LONG = 4.0  # L/D above which a film counts as long [-]
LONGEST_SHORT = 1.0  # L/D up to which a film may be taken as short: at ε 0.6 it is then twice too strong [-]


@dataclass(frozen=True, kw_only=True)
class LubricatedJournal(Journal):
    """A pin in a bore with oil between them, for Revolute and Cylindrical; the pin may tilt.

    The film answers any motion of the two bodies, squeeze and rotation alike, by Reynolds' equation with p ≥ 0:
    Newtonian, isoviscous, laminar, always flooded, no inertia of the oil, no grooves. `film` says how long it is:

    "finite"   L/D from 1/16 to 8, a table of solutions of Reynolds' equation, within 1 % (2 % for ε ≥ 0.9)
    "short"    Ocvirk's closed form, the limit L/D → 0; far too strong in thin films unless L is much shorter than
               √(1 − ε) D: a warning for L/D > 1
    "long"     Sommerfeld's film without ends, the limit L/D → ∞; refused for L/D ≤ 4, where "finite" knows better

    It brakes rotation by the couple 2π μ R_i³ L (ω_j − ω_i)/(c √(1 − ε²)), and does not brake sliding along the axis.
    A tilted pin is taken at two stations along each land: force within 15 %, tilting moment within 45 % of Reynolds'
    equation up to tilts of half the gap.

    The law ends where a film is thinner than `smallest_film`, h_r: there the run stops with an error, unless `contact`
    (a line law, see DryJournal; `friction` if wanted) carries on from there. Film and contact act side by side: contact
    begins where the gap is h_r, and the film goes on as it is there. A physical h_r is 3 to 4 times the roughness
    σ = √(R_q,i² + R_q,j²); `gd.laws.GreenwoodTripp` is the contact of such surfaces, from h_r = 4σ on.

    Lands, collars and `pin_tilt` are those of DryJournal; lands are on the bore, out of which the pin protrudes.
    Without collars a Revolute keeps an ideal support along its axis, a Cylindrical slides. `planar=True`, where other
    joints keep the two bodies in a plane across the axis, is the same without tilt, in two unknowns (three where the
    axis is not the world's z) instead of six (but in six where the couple alone would stop a body of the joint within
    1e-4 s: then it is solved for too). A run starts with the pin centred; to start elsewhere, state both bodies
    of the joint in `System.start`.

    >>> import gudgeon as gd
    >>> model = gd.LubricatedJournal(bore_radius=0.010, pin_radius=0.0098, length=0.04, viscosity=0.4)
    >>> round(model.clearance, 6)
    0.0002
    >>> gd.Revolute("rod", "piston", at=(0, 0, 0), model=model).blocks().row_count
    1
    """

    viscosity: Viscosity  # μ, dynamic [Pa·s]
    film: Literal["finite", "short", "long"] = "finite"
    smallest_film: Length = 1e-9  # h_r, where the law ends [m]
    contact: Line | None = None  # takes over there, force per length [N/m]; None: the run stops there
    face: Annotated[Pressure | None, PerArea] = None  # pressure of the collars [Pa]; None: as DryJournal
    friction: Friction | None = None  # of contact and collars; None: frictionless
    smallest_impact_speed: Speed = 1e-4  # δ̇⁽⁻⁾ is not taken below this [m/s]
    remembered_speed: RememberedSpeed = "impact"  # δ̇⁽⁻⁾ of laws: that of the impact, or the largest δ̇ since

    def __post_init__(self):
        super().__post_init__()
        owner = "LubricatedJournal"
        for field, unit in (("viscosity", "Pa·s"), ("smallest_film", "m")):
            value = number(owner, field, getattr(self, field))
            if value <= 0.0:
                raise ModelError(f"{owner}: {field} is {value:g} {unit}; it must be positive")
            object.__setattr__(self, field, value)
        choice(owner, "film", self.film, tuple(KINDS))
        if self.smallest_film >= self.clearance:
            raise ModelError(
                f"{owner}: smallest_film is {self.smallest_film:g} m; it must lie below the radial clearance "
                f"({self.clearance:g} m)"
            )
        for field in ("pin_length", "bore_length"):
            if getattr(self, field) is not None or self.lands_on != "bore":
                raise ModelError(
                    f"{owner}: {field if self.lands_on == 'bore' else 'lands_on'} is given; a film fills lands of the "
                    "bore, out of which the pin protrudes: leave it out"
                )
        for lower, upper in self.all_lands:
            self._check_length(owner, (upper - lower) / (2.0 * self.bore_radius))
        if self.contact is None and self.friction is not None and self.axial_play is None:
            raise ModelError(f"{owner}: friction is given without contact; give contact= too, or leave it out")
        if self.contact is None and self.axial_play is not None and self.face is None:
            raise ModelError(
                f"{owner}: what is the pressure of its collars? give face=, a law in Pa such as "
                "gd.laws.HuntCrossley(stiffness=1e13, exponent=1), or contact= with a modulus"
            )
        if isinstance(self.contact, GreenwoodTripp) and abs(self.smallest_film / self.contact.onset - 1.0) > 1e-6:
            raise ModelError(
                f"{owner}: smallest_film is {self.smallest_film:g} m, but the asperities of its GreenwoodTripp begin "
                f"to touch at 4 roughness: give smallest_film={self.contact.onset:g}"
            )
        check_law_clearance(owner, "contact", self.contact, self.clearance)
        check_remembered_speed(owner, self)
        if self.contact is not None or self.axial_play is not None:
            self.touching()

    def _check_length(self, owner: str, slenderness: float) -> None:
        """Refuse L/D for which the film does not hold."""
        if self.film == "finite" and not RANGE[0] <= slenderness <= RANGE[1]:
            instead = "short" if slenderness < RANGE[0] else "long"
            raise ModelError(
                f"{owner}: length over bore diameter is {slenderness:.4g}; the table of finite films goes from "
                f"{RANGE[0]:g} to {RANGE[1]:g}: give film={instead!r}"
            )
        if is_too_long_for_short(self.film, slenderness):
            instead = "finite" if slenderness <= RANGE[1] else "long"
            warnings.warn(
                f"{owner}: length over bore diameter is {slenderness:.4g}; film='short' holds far below "
                f"{LONGEST_SHORT:g}, and is much too strong here: give film={instead!r}",
                stacklevel=4,
            )
        if self.film == "long" and slenderness <= SHORTEST_LONG:
            raise ModelError(
                f"{owner}: length over bore diameter is {slenderness:.4g}; film='long' has no ends and needs more "
                f"than {SHORTEST_LONG:g}: give film='finite'"
            )

    def touching(self) -> DryJournal:
        """What touches: lands and collars of a dry journal of the same shape."""
        return DryJournal(
            bore_radius=self.bore_radius,
            pin_radius=self.pin_radius,
            length=self.length,
            lands=self.lands,
            axial_play=self.axial_play,
            collar_radius=self.collar_radius,
            pin_on=self.pin_on,
            pin_tilt=self.pin_tilt,
            planar=self.planar,
            contact=_nothing if self.contact is None else self.contact,
            face=self.face,
            friction=self.friction,
            smallest_impact_speed=self.smallest_impact_speed,
            remembered_speed="impact" if self.contact is None else self.remembered_speed,
        )

    def elements(self, joint: Joint) -> tuple[Part, ...]:
        """A film per land, then what touches."""
        films = tuple(self._film(place, *land) for place, land in enumerate(self.all_lands))
        if self.contact is None and self.axial_play is None:
            return films
        touching = []
        for part in self.touching().elements(joint):
            if part.element == "collar":
                touching.append(part)
            elif self.contact is not None:
                radii, pin, _, *rest = part.numbers
                numbers = (radii, pin, self.smallest_film, *rest)
                touching.append(replace(part, numbers=numbers, clearance=self.clearance - self.smallest_film))
        return (*films, *touching)

    def _film(self, place: int, lower: float, upper: float) -> Part:
        """The film of a land with its numbers (kernels/elements/film_numbers.py)."""
        R, L, c = self.bore_radius, upper - lower, self.clearance
        ends, brake = self.contact is None, 2.0 * pi * self.viscosity * R**3 * L / c
        return Part(
            name="film" if place == 0 else f"film {place + 1}",
            element="planar film" if self.planar else "journal film",
            numbers=(
                c,
                0.5 * L,
                self.viscosity * R * L**3 / c**3,
                brake,
                1.0 - self.smallest_film / c,
                KINDS[self.film],
                12.0 * pi * (R / L) ** 2,
                GAP_STATION * L,
                LEVER_STATION * L,
                self.smallest_film,
                0.5 * (lower + upper),
            ),
            turned=(*self.pin_tilt, 0.0),
            along=0.5 * (lower + upper) if self.planar else 0.0,
            clearance=c if ends else inf,
            reach=max(abs(lower), abs(upper)),
            swing=0.0 if self.planar else max(abs(lower), abs(upper)),
            deepest_start=0.0,
            largest_tilt=LARGEST_TILT,
            table=finite_table(L / (2.0 * R)) if self.film == "finite" else None,
            followed=(brake, "journal film") if self.planar else None,
            film_ends=ends,
            carried_by="parent" if self.pin_on == "child" else "child",
        )


def is_too_long_for_short(film: str, slenderness: float) -> bool:
    """Whether a film of this L/D is taken as short, though it is not."""
    return film == "short" and slenderness > LONGEST_SHORT * (1.0 + 1e-9)


def _nothing(delta, ddelta):
    """No contact, of a journal whose collars alone touch."""
    return 0.0 * delta
