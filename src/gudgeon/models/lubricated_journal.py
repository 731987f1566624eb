"""The lubricated journal: a pin that turns in a bore full of oil."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, pi
from typing import TYPE_CHECKING, Any, Literal

from gudgeon.checks import choice, number
from gudgeon.errors import ModelError
from gudgeon.films.finite_table import RANGE, finite_table
from gudgeon.models.ideal import JointModel
from gudgeon.models.part import Part
from gudgeon.quantities import Length, Viscosity

if TYPE_CHECKING:
    import numpy as np

KINDS = {"short": 0.0, "finite": 1.0, "long": 2.0}
LEVER_STATION, GAP_STATION = 0.16, 0.25  # of the length: where velocity and force, and where the gap is taken [-]
SHORTEST_LONG = 4.0  # L/D above which a film counts as long [-]


@dataclass(frozen=True, kw_only=True)
class LubricatedJournal(JointModel):
    """A pin of radius R_j in a bore of radius R_i and length L with oil between them, pin and bore free to tilt.

    The film carries by squeeze and rotation alike, any motion of the two bodies: Reynolds' equation, Newtonian, isoviscous,
    laminar, flooded, p ≥ 0, no inertia of the oil. `film` is its length:

    "finite"   L/D from 1/16 to 8, a table of solutions of Reynolds' equation, within 1 % (2 % for ε ≥ 0.9)
    "short"    Ocvirk's closed form, the limit L/D → 0; far too strong near the wall unless L is much shorter than
               √(1 − ε) D
    "long"     Sommerfeld's endless film, the limit L/D → ∞; L/D > 4 only

    A tilted pin is taken at two stations along the bore: force within 15 %, tilting moment within 45 % of Reynolds' equation
    up to tilts of half the gap. The film brakes rotation by the couple 2π μ R_i³ L (ω_j − ω_i)/(c √(1 − ε²)); it does not
    brake sliding along the axis, and leaves that free.

    The law ends where the film is thinner than `smallest_film` at an end of the bore: there the run stops with an error.
    A run starts with the pin centred; to start at an eccentricity, state both bodies of the joint in `System.start`.

    >>> import gudgeon as gd
    >>> model = gd.LubricatedJournal(bore_radius=0.010, pin_radius=0.0098, length=0.04, viscosity=0.4)
    >>> round(model.clearance, 6), round(model.slenderness, 3)
    (0.0002, 2.0)
    """

    bore_radius: Length  # R_i [m]
    pin_radius: Length  # R_j [m]
    length: Length  # L, of the bore that bears [m]
    viscosity: Viscosity  # μ, dynamic [Pa·s]
    film: Literal["finite", "short", "long"] = "finite"
    smallest_film: Length = 1e-9  # thickness where the law ends [m]
    pin_on: Literal["child", "parent"] = "child"  # which body carries the pin

    def __post_init__(self):
        owner = "LubricatedJournal"
        for field in ("bore_radius", "pin_radius", "length", "viscosity", "smallest_film"):
            value = number(owner, field, getattr(self, field))
            unit = "Pa·s" if field == "viscosity" else "m"
            if value <= 0.0:
                raise ModelError(f"{owner}: {field} is {value:g} {unit}; it must be positive")
            object.__setattr__(self, field, value)
        choice(owner, "film", self.film, tuple(KINDS))
        choice(owner, "pin_on", self.pin_on, ("child", "parent"))
        if self.pin_radius >= self.bore_radius:
            raise ModelError(
                f"{owner}: pin_radius is {self.pin_radius:g} m, bore_radius {self.bore_radius:g} m; the pin must be "
                "smaller than its bore (use gd.Ideal() for a joint without clearance)"
            )
        if self.smallest_film >= self.clearance:
            raise ModelError(
                f"{owner}: smallest_film is {self.smallest_film:g} m; it must lie below the radial clearance "
                f"({self.clearance:g} m)"
            )
        if self.film == "finite" and not RANGE[0] <= self.slenderness <= RANGE[1]:
            instead = "short" if self.slenderness < RANGE[0] else "long"
            raise ModelError(
                f"{owner}: length/(2 bore_radius) is {self.slenderness:.4g}; the table of finite films goes from "
                f"{RANGE[0]:g} to {RANGE[1]:g}: give film={instead!r}"
            )
        if self.film == "long" and self.slenderness <= SHORTEST_LONG:
            raise ModelError(
                f"{owner}: length/(2 bore_radius) is {self.slenderness:.4g}; film='long' has no ends and needs more "
                f"than {SHORTEST_LONG:g}: give film='finite'"
            )

    @property
    def clearance(self) -> float:
        """c = R_i − R_j, radial [m]."""
        return self.bore_radius - self.pin_radius

    @property
    def slenderness(self) -> float:
        """L/D, D = 2 R_i [-]."""
        return self.length / (2.0 * self.bore_radius)

    def elements(self, joint: Any) -> tuple[Part, ...]:
        """The film."""
        return (self.film_part,)

    @property
    def film_part(self) -> Part:
        """The film with its numbers (kernels/elements/journal_film.py)."""
        R, L, c = self.bore_radius, self.length, self.clearance
        table: np.ndarray | None = finite_table(self.slenderness) if self.film == "finite" else None
        return Part(
            name="film",
            element="journal_film",
            numbers=(
                c,
                0.5 * L,
                self.viscosity * R * L**3 / c**3,
                2.0 * pi * self.viscosity * R**3 * L / c,
                1.0 - self.smallest_film / c,
                KINDS[self.film],
                12.0 * pi * (R / L) ** 2,
                GAP_STATION * L,
                LEVER_STATION * L,
                self.smallest_film,
            ),
            clearance=c,
            reach=R,
            table=table,
            film_ends=True,
            carried_by="parent" if self.pin_on == "child" else "child",
        )
