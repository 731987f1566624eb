"""Couplings: two joint coordinates in a constant ratio, rigid or elastic; gears, racks, screws, belts.

A rigid coupling is one row c₁ x₁ + c₂ x₂ = 0 between the free coordinates of two joints (of one joint with two, a
screw), both zero in the reference pose. It carries the effort that this takes, and no power is lost in it. An elastic
one lets the sum, its deflection, differ from zero: by a spring and damper, and within `backlash` by nothing at all.
"""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from typing import Annotated, NamedTuple

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.laws.base import ContactLaw
from gudgeon.laws.contact import KelvinVoigt
from gudgeon.laws.forms import check_law
from gudgeon.models.dry import Contact
from gudgeon.quantities import Angle as Backlash
from gudgeon.quantities import Damping, Length, Stiffness, TiltDamping, TiltStiffness, Unit

MOST_TEETH = 100_000  # of a ratio of whole numbers


class Ratio(NamedTuple):
    """A row c₁ x₁ + c₂ x₂ = 0; angles are known up to full turns, so that the sum is known up to its period."""

    first: float
    second: float
    period: float  # 0: none


class Flank(NamedTuple):
    """What an elastic coupling pushes with: a flank of its teeth that is met at a deflection, or a spring."""

    name: str  # "forward", "backward" or "spring"
    side: float  # +1: met from below, −1: from above, 0: a spring
    at: float  # deflection at which it is met [rad or m]
    law: Contact | None  # of a flank


class Coupling:
    """Two joint coordinates in a constant ratio; abstract.

    With `stiffness` (and `damping`), or `contact`, a law of the teeth, it is elastic, and then may have `backlash`: the
    whole play between its two flanks, with the deflection zero of the reference pose in the middle of it.
    """

    stiffness: float | None
    damping: float
    backlash: float
    contact: Contact | None

    def coordinates(self) -> tuple[tuple[str, str | None, bool], tuple[str, str | None, bool]]:
        """Joint, coordinate (None: its only one of the kind) and whether it is an angle, of both."""
        raise NotImplementedError

    @property
    def ratio(self) -> Ratio:
        """The row."""
        raise NotImplementedError

    @property
    def unit(self) -> float:
        """What the row is multiplied by to be the deflection [rad or m]."""
        return 1.0

    @property
    def is_elastic(self) -> bool:
        """Whether it acts by an effort, not by a row."""
        return self.stiffness is not None or self.contact is not None

    def flanks(self) -> tuple[Flank, ...]:
        """What an elastic coupling pushes with."""
        if not self.is_elastic:
            return ()
        if self.contact is None and self.backlash == 0.0:
            return (Flank("spring", 0.0, 0.0, None),)
        law = self.contact
        if law is None:
            assert self.stiffness is not None
            law = KelvinVoigt(stiffness=self.stiffness, damping=self.damping)
        half = 0.5 * self.backlash
        return (Flank("forward", 1.0, half, law), Flank("backward", -1.0, -half, law))

    def _check_elastic(self, owner: str) -> None:
        keep = object.__setattr__
        for field in ("stiffness", "damping", "backlash"):
            if getattr(self, field) is not None:
                keep(self, field, number(owner, field, getattr(self, field)))
        if self.stiffness is not None and self.stiffness <= 0.0:
            raise ModelError(f"{owner}: stiffness is {self.stiffness:g}; it must be positive, or left out: rigid")
        if self.stiffness is not None and self.contact is not None:
            raise ModelError(
                f"{owner}: both stiffness and contact are given; a law says how stiff it is: give one of the two"
            )
        for field in ("damping", "backlash"):
            value = getattr(self, field)
            if value < 0.0:
                raise ModelError(f"{owner}: {field} is {value:g}; it must not be negative")
            if value and not self.is_elastic:
                raise ModelError(f"{owner}: {field} is given, but it is rigid; give stiffness= (or contact=) too")
        if self.damping and self.contact is not None:
            raise ModelError(f"{owner}: both damping and contact are given; a law says what is lost: leave out damping")
        if self.contact is not None:
            check_law(owner, "contact", self.contact, ContactLaw, max(self.backlash, 1e-3))


def _whole(owner: str, field: str, pair: tuple[int, int]) -> tuple[int, int]:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise ModelError(f"{owner}: {field} is {pair!r}; give two whole numbers, such as (20, 60)")
    for count in pair:
        if isinstance(count, bool) or not isinstance(count, int) or not 0 < count <= MOST_TEETH:
            raise ModelError(f"{owner}: {field} is {pair!r}; give two whole numbers of teeth, such as (20, 60)")
    return int(pair[0]), int(pair[1])


@dataclass(frozen=True)
class Gear(Coupling):
    """Two meshing gear wheels on the angles of two joints: z₁ θ₁ + z₂ θ₂ = 0, or z₁ θ₁ − z₂ θ₂ = 0 for an internal one.

    Both angles are those of the joints: of their children against their parents. For planetary gears both joints have
    the carrier as their parent (Willis). `internal` is for a pinion in a ring gear, which turn the same way.

    With `stiffness` or `contact` the teeth yield, by the angle θ₁ + θ₂ z₂/z₁ of the first joint, and may have
    `backlash`, in which they touch nothing; every contact of a flank is located and listed in `result.events`.

    >>> import gudgeon as gd
    >>> mesh = gd.Gear("pinion", "wheel", teeth=(20, 60))
    >>> worn = gd.Gear("pinion", "wheel", teeth=(20, 60), stiffness=2e4, damping=1.0, backlash=0.01)
    """

    first: str  # joint
    second: str  # joint
    _: KW_ONLY
    teeth: tuple[int, int]  # of the wheels on the first and the second joint
    internal: bool = False
    stiffness: TiltStiffness | None = None  # torque on the first joint for its deflection; None: rigid [N·m/rad]
    damping: TiltDamping = 0.0  # [N·m·s/rad]
    backlash: Backlash = 0.0  # between the flanks, of the first joint [rad]
    contact: Contact | None = None  # law of the teeth instead: torque [N·m] of a deflection [rad] of the first joint

    def __post_init__(self):
        owner = f"Gear {self.first}–{self.second}"
        object.__setattr__(self, "teeth", _whole(owner, "teeth", self.teeth))
        self._check_elastic(owner)

    @property
    def unit(self) -> float:
        """The deflection is an angle of the first joint."""
        return 1.0 / self.ratio.first

    def coordinates(self):
        """Two angles."""
        return (self.first, None, True), (self.second, None, True)

    @property
    def ratio(self) -> Ratio:
        """In whole numbers without a common divisor, so that full turns of both are whole periods."""
        one, two = Fraction(*self.teeth).as_integer_ratio()
        return Ratio(float(one), -float(two) if self.internal else float(two), 2.0 * math.pi)


@dataclass(frozen=True)
class Belt(Coupling):
    """Two pulleys with a belt or chain that does not slip: r₁ θ₁ = r₂ θ₂; crossed: r₁ θ₁ = −r₂ θ₂.

    The ratio of the radii must be one of whole numbers (such as of teeth, or of diameters in tenths of a millimetre),
    since angles are known up to full turns. With `stiffness` it stretches by r₁ θ₁ − r₂ θ₂; the pull of the taut side
    less that of the slack one is its force, either way: a belt that is tensioned well enough never goes slack.

    >>> import gudgeon as gd
    >>> drive = gd.Belt("motor", "drum", radii=(0.04, 0.1))
    >>> elastic = gd.Belt("motor", "drum", radii=(0.04, 0.1), stiffness=5e4, damping=20.0)
    """

    first: str  # joint
    second: str  # joint
    _: KW_ONLY
    radii: tuple[Length, Length]  # [m]
    crossed: bool = False
    stiffness: Stiffness | None = None  # force of the belt for what one pulley is ahead; None: rigid [N/m]
    damping: Damping = 0.0  # [N·s/m]
    backlash: Length = 0.0  # slack of a chain, to and fro [m]
    contact: Contact | None = None  # law of the belt instead: force [N] of a deflection [m]

    def __post_init__(self):
        owner = f"Belt {self.first}–{self.second}"
        if not isinstance(self.radii, tuple | list) or len(self.radii) != 2:
            raise ModelError(f"{owner}: radii is {self.radii!r}; give two radii")
        one, two = (number(owner, f"radii[{k}]", radius) for k, radius in enumerate(self.radii))
        if not (one > 0.0 and two > 0.0):
            raise ModelError(f"{owner}: radii are {one:g} and {two:g} m; they must be positive")
        object.__setattr__(self, "radii", (one, two))
        self._check_elastic(owner)
        near = Fraction(one / two).limit_denominator(10_000)
        if abs(float(near) * two / one - 1.0) > 1e-9:
            raise ModelError(
                f"{owner}: radii {one:g} and {two:g} m have the ratio {one / two:.12g}, which is none of whole numbers "
                "up to 10000; give radii that are, such as (0.04, 0.1)"
            )

    def coordinates(self):
        """Two angles."""
        return (self.first, None, True), (self.second, None, True)

    @property
    def ratio(self) -> Ratio:
        """In whole numbers."""
        one, two = Fraction(self.radii[0] / self.radii[1]).limit_denominator(10_000).as_integer_ratio()
        return Ratio(float(one), float(two) if self.crossed else -float(two), 2.0 * math.pi)

    @property
    def unit(self) -> float:
        """The deflection is a length of the belt."""
        return self.radii[0] / self.ratio.first


@dataclass(frozen=True)
class Rack(Coupling):
    """A pinion on the angle of one joint moves a rack on the displacement of another: x = r θ.

    Give a negative radius where the rack moves against its axis when the pinion turns forward.

    >>> import gudgeon as gd
    >>> steering = gd.Rack("pinion", "rack", radius=0.008)
    """

    pinion: str  # joint with an angle
    rack: str  # joint with a displacement
    _: KW_ONLY
    radius: Length  # r of the pinion's pitch circle [m]
    stiffness: Stiffness | None = None  # force of the teeth; None: rigid [N/m]
    damping: Damping = 0.0  # [N·s/m]
    backlash: Length = 0.0  # between the flanks, along the rack [m]
    contact: Contact | None = None  # law of the teeth instead: force [N] of a deflection [m]

    def __post_init__(self):
        owner = f"Rack {self.pinion}–{self.rack}"
        object.__setattr__(self, "radius", number(owner, "radius", self.radius))
        if self.radius == 0.0:
            raise ModelError(f"{owner}: radius is 0; give the radius of the pinion's pitch circle")
        self._check_elastic(owner)

    def coordinates(self):
        """An angle and a displacement."""
        return (self.pinion, None, True), (self.rack, None, False)

    @property
    def ratio(self) -> Ratio:
        """x − r θ."""
        return Ratio(-self.radius, 1.0, 2.0 * math.pi * abs(self.radius))


@dataclass(frozen=True)
class Screw(Coupling):
    """A screw: the displacement of a joint is its lead for every turn, x = lead θ/2π.

    `joint` is a Cylindrical joint, whose angle and displacement are coupled; with `nut` the angle is that of `joint`
    and the displacement that of the joint `nut`. A left-handed thread has a negative lead.

    >>> import gudgeon as gd
    >>> spindle = gd.Screw("spindle", lead=0.005)
    """

    joint: str
    _: KW_ONLY
    lead: Annotated[float, Unit("m")]  # displacement for one turn [m]
    nut: str | None = None  # joint with the displacement
    stiffness: Stiffness | None = None  # axial force of the thread; None: rigid [N/m]
    damping: Damping = 0.0  # [N·s/m]
    backlash: Length = 0.0  # axial play of the nut [m]
    contact: Contact | None = None  # law of the thread instead: force [N] of a deflection [m]

    def __post_init__(self):
        owner = f"Screw {self.joint!r}"
        object.__setattr__(self, "lead", number(owner, "lead", self.lead))
        if self.lead == 0.0:
            raise ModelError(f"{owner}: lead is 0; give the displacement for one turn")
        self._check_elastic(owner)

    def coordinates(self):
        """An angle and a displacement."""
        return (self.joint, None, True), (self.nut or self.joint, None, False)

    @property
    def ratio(self) -> Ratio:
        """x − lead θ/2π."""
        return Ratio(-self.lead / (2.0 * math.pi), 1.0, abs(self.lead))
