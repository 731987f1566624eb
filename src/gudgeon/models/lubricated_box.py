"""The lubricated prismatic joint: a box in a square guide full of oil."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from gudgeon.checks import choice, number
from gudgeon.errors import ModelError
from gudgeon.films.pad_table import RANGE
from gudgeon.models.box_in_guide import BoxInGuide
from gudgeon.models.part import Part
from gudgeon.models.remembered_speed import RememberedSpeed, check_remembered_speed
from gudgeon.models.walls import Contact, Friction
from gudgeon.quantities import Length, PerArea, Speed, Viscosity

if TYPE_CHECKING:
    from gudgeon.joints import Joint


@dataclass(frozen=True, kw_only=True)
class LubricatedBox(BoxInGuide):
    """A box between the four walls of a guide with oil at each, for Prismatic; the box may tilt and turn in its play.

    The oil between a face and its wall is a film that is squeezed where they approach and dragged into a wedge where a
    tilted box slides, by Reynolds' equation with p ≥ 0: Newtonian, isoviscous, laminar, always flooded, no inertia of
    the oil, pressure zero at the edges of the face, through which it leaks. The gap is linear over the face, and so is
    the speed at which it closes; load and both moments are from a table of solutions within 0.5 % where the film pushes
    everywhere (squeeze, or a box that slides) and within 3 % of the largest where it breaks on a part of the face. It
    holds for faces up to 16 times as long as wide. Shear is μ/h times the sliding over the whole face.

    `clearance` is that on each side of the centred box. The faces with the film, the pads, are those of the box, in a
    guide that is longer; with `pads_on="guide"` those of a guide of this `length`, out of which the box protrudes.

    The law ends where a film is thinner than `smallest_film`, h_r: there the run stops with an error, unless `contact`
    (a pressure, see DryBox; `friction` per area if wanted) carries on from there. Film and contact act side by side:
    contact begins where the gap is h_r, and the film goes on as it is there. A physical h_r is 3 to 4 times the
    roughness σ = √(R_q,i² + R_q,j²), `gd.roughness.smallest_film`. A run starts with the box centred; to start
    elsewhere, state both bodies of the joint in `System.start`.

    In a planar Guide it has the upper and the lower film.

    >>> import gudgeon as gd
    >>> box = gd.LubricatedBox(length=0.05, width=0.02, height=0.02, clearance=2e-5, viscosity=0.04)
    >>> slide = gd.Prismatic("ground", "table", at=(0, 0, 0), axis=(1, 0, 0), model=box)
    >>> [part.name for part in box.elements(slide)]
    ['upper film', 'lower film', 'left film', 'right film']
    """

    viscosity: Viscosity  # μ, dynamic [Pa·s]
    pads_on: Literal["box", "guide"] = "box"  # which of the two is the shorter one, of `length`
    smallest_film: Length = 1e-9  # h_r, where the law ends [m]
    contact: Annotated[Contact | None, PerArea] = None  # takes over there, pressure [Pa]; None: the run stops there
    friction: Annotated[Friction | None, PerArea] = None  # of the contact, per area [Pa]; None: frictionless
    smallest_impact_speed: Speed = 1e-4  # δ̇⁽⁻⁾ is not taken below this [m/s]
    remembered_speed: RememberedSpeed = "impact"  # δ̇⁽⁻⁾ of laws: that of the impact, or the largest δ̇ since
    note: str = dataclasses.field(default="", compare=False)  # where its numbers are from; for readers

    def __post_init__(self):
        super().__post_init__()
        owner = "LubricatedBox"
        for field, unit in (("viscosity", "Pa·s"), ("smallest_film", "m")):
            value = number(owner, field, getattr(self, field))
            if value <= 0.0:
                raise ModelError(f"{owner}: {field} is {value:g} {unit}; it must be positive")
            object.__setattr__(self, field, value)
        choice(owner, "pads_on", self.pads_on, ("box", "guide"))
        least = min(self.clearance, self.side_clearance or self.clearance)
        if self.smallest_film >= least:
            raise ModelError(
                f"{owner}: smallest_film is {self.smallest_film:g} m; it must lie below the clearance ({least:g} m)"
            )
        for field in ("width", "height"):
            slenderness = self.length / getattr(self, field)
            if not 1.0 / RANGE[1] <= slenderness <= RANGE[1]:
                raise ModelError(
                    f"{owner}: length over {field} is {slenderness:.4g}; the table of films under flat pads goes from "
                    f"1/{RANGE[1]:g} to {RANGE[1]:g}: make several boxes of a longer one"
                )
        if self.contact is None and self.friction is not None:
            raise ModelError(f"{owner}: friction is given without contact; give contact= too, or leave it out")
        self._check_touch(self.contact, self.friction, self.smallest_impact_speed)
        check_remembered_speed(owner, self)

    def elements(self, joint: Joint) -> tuple[Part, ...]:
        """The four films, then what touches."""
        faces, on_box = self.faces(joint), self.pads_on == "box"
        films = tuple(
            face.film(
                length=self.length,
                pad_on_block=on_box,
                viscosity=self.viscosity,
                smallest_film=self.smallest_film,
                ends=self.contact is None,
            )
            for face in faces
        )
        if self.contact is None:
            return films
        block, guide = (self.length, None) if on_box else (float("inf"), self.length)
        walls = tuple(
            face.wall(
                "wall",
                length=block,
                wall_length=guide,
                contact=self.contact,
                friction=self.friction,
                smallest_impact_speed=self.smallest_impact_speed,
                largest_speed=self.remembered_speed == "largest",
                nearer=self.smallest_film,
            )
            for face in faces
        )
        return (*films, *walls)
