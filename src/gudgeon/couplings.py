"""Couplings: two joint coordinates in a constant ratio, rigid or elastic; gears, racks, screws, belts.

A rigid coupling is one row c₁ x₁ + c₂ x₂ = 0 between the free coordinates of two joints (of one joint with two, a
screw), both zero in the reference pose. It carries the effort that this takes, and no power is lost in it but that of a
thread's friction. An elastic one lets the sum, its deflection, differ from zero: by a spring and damper, and within
`backlash` by nothing at all.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, NamedTuple

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.laws.base import ContactLaw, FrictionLaw
from gudgeon.laws.contact import KelvinVoigt
from gudgeon.laws.dry_friction import DryFriction
from gudgeon.laws.forms import check_law
from gudgeon.models.dry import Contact
from gudgeon.quantities import Angle, Damping, Length, Stiffness, TiltDamping, TiltStiffness, Unit

MOST_TEETH = 100_000  # of a ratio of whole numbers
MOST_PARTS = 10_000  # whole numbers up to which a belt's ratio is one of such
WHOLE = 1e-9  # relative difference from a ratio of whole numbers that is none [-]


class Ratio(NamedTuple):
    """A row c₁ x₁ + c₂ x₂ = 0; angles are known up to full turns, so that the sum is known up to its period."""

    first: float
    second: float
    period: float  # 0: none; negative: the sum itself has no meaning, only its rate is zero


class Flank(NamedTuple):
    """What an elastic coupling pushes with: a flank of its teeth that is met at a deflection, or a spring."""

    name: str  # "forward", "backward" or "spring"
    side: float  # +1: met from below, −1: from above, 0: a spring
    at: float  # deflection at which it is met [rad or m]
    law: Contact | None  # of a flank


@dataclass(frozen=True)
class Coupling:
    """Two joint coordinates in a constant ratio; abstract.

    With `stiffness` (and `damping`), or `contact`, a law of the teeth, it is elastic, and then may have `backlash`: the
    whole play between its two flanks, with the deflection zero of the reference pose in the middle of it.

    Rigid couplings take `since` and `until`, times or names of switches (`gd.Switch`). One that engages goes on from
    where its two coordinates then are, and their rates jump into the ratio.
    """

    _: KW_ONLY
    since: Annotated[float | str | None, Unit("s")] = None  # time or switch from which on it holds [s]
    until: Annotated[float | str | None, Unit("s")] = None  # time or switch up to which it holds [s]

    @property
    def is_switched(self) -> bool:
        """Whether it holds for a while."""
        return self.since is not None or self.until is not None

    if TYPE_CHECKING:  # each kind has them in its own units
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
        if self.is_elastic and self.is_switched:
            raise ModelError(
                f"{owner}: it is elastic and has {'since' if self.until is None else 'until'}; only a rigid coupling "
                "engages and lets go: leave out one of the two"
            )
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
    backlash: Angle = 0.0  # between the flanks, of the first joint [rad]
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

    Where the ratio of the radii is one of whole numbers up to 10000 (of teeth, of diameters in tenths of a millimetre),
    it holds for angles, zero in the reference pose. Angles are known up to full turns, so that any other ratio holds
    for their rates, r₁ ω₁ = r₂ ω₂: a belt has no teeth by which angles could be told. `gd.kinematics` and
    `gd.equilibrium`, which look at positions alone, refuse such a belt.

    With `stiffness` it stretches by r₁ θ₁ − r₂ θ₂; the pull of the taut side less that of the slack one is its force,
    either way: a belt that is tensioned well enough never goes slack.

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
        if self.is_elastic and self.ratio.period < 0.0:
            raise ModelError(
                f"{owner}: radii {one:g} and {two:g} m have the ratio {one / two:.12g}, which is none of whole numbers "
                "up to 10000, so that what an elastic belt stretches is not known; give radii that are, such as "
                "(0.04, 0.1), or leave out stiffness= and contact="
            )

    def coordinates(self):
        """Two angles."""
        return (self.first, None, True), (self.second, None, True)

    @property
    def ratio(self) -> Ratio:
        """In whole numbers, where there are some; a ratio of rates otherwise."""
        one, two = self.radii
        near, period = Fraction(one / two).limit_denominator(MOST_PARTS), 2.0 * math.pi
        if abs(float(near) * two / one - 1.0) <= WHOLE and near.numerator <= MOST_PARTS:
            one, two = map(float, near.as_integer_ratio())
        else:
            one, two, period = one / max(self.radii), two / max(self.radii), -1.0
        return Ratio(one, two if self.crossed else -two, period)

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

    With `friction` (a law of `gd.laws`, a function of speed and normal force, or `gd.laws.DryFriction`) the flanks rub
    at the mean `radius` r of the thread: with tan λ = lead/(2π r), Q the effort of the coupling along the axis, they
    are pressed by |Q|/(cos λ cos α_n), tan α_n = tan α cos λ, α half of the `thread_angle` between the flanks, and
    friction acts along the helix. A square thread locks itself where tan λ < μ.

    >>> import gudgeon as gd
    >>> spindle = gd.Screw("spindle", lead=0.005)
    >>> dry = gd.laws.Coulomb(coefficient=0.1, velocity_tolerance=1e-4)
    >>> round(gd.Screw("spindle", lead=0.005, friction=dry, radius=0.009).lead_angle, 4)
    0.0882
    """

    joint: str
    _: KW_ONLY
    lead: Annotated[float, Unit("m")]  # displacement for one turn [m]
    nut: str | None = None  # joint with the displacement
    friction: FrictionLaw | Callable[..., float] | DryFriction | None = None  # of the flanks [N]; None: frictionless
    radius: Length | None = None  # mean radius of the thread [m]; with friction
    thread_angle: Angle = 0.0  # between the flanks; 0: a square thread [rad]
    stiffness: Stiffness | None = None  # axial force of the thread; None: rigid [N/m]
    damping: Damping = 0.0  # [N·s/m]
    backlash: Length = 0.0  # axial play of the nut [m]
    contact: Contact | None = None  # law of the thread instead: force [N] of a deflection [m]

    def __post_init__(self):
        owner = f"Screw {self.joint!r}"
        for field in ("lead", "thread_angle"):
            object.__setattr__(self, field, number(owner, field, getattr(self, field)))
        if self.lead == 0.0:
            raise ModelError(f"{owner}: lead is 0; give the displacement for one turn")
        if not 0.0 <= self.thread_angle < 0.75 * math.pi:
            raise ModelError(
                f"{owner}: thread_angle is {self.thread_angle:g} rad; it is the angle between the flanks, such as "
                "0 (square), 0.524 (trapezoidal) or 1.047 (metric)"
            )
        if (self.radius is None) != (self.friction is None):
            given, other = ("friction", "radius") if self.radius is None else ("radius", "friction")
            raise ModelError(f"{owner}: {given} is given without {other}=; friction in a thread needs both")
        if self.radius is not None:
            object.__setattr__(self, "radius", number(owner, "radius", self.radius))
            if self.radius <= 0.0:
                raise ModelError(f"{owner}: radius is {self.radius:g} m; it must be positive")
        self._check_elastic(owner)
        if self.friction is not None and self.is_elastic:
            raise ModelError(
                f"{owner}: friction and {'stiffness' if self.contact is None else 'contact'} are given; the friction "
                "of a thread is known where it is rigid: leave out one of the two"
            )
        if self.friction is not None and not isinstance(self.friction, DryFriction):
            check_law(owner, "friction", self.friction, FrictionLaw, 1.0)

    @property
    def lead_angle(self) -> float:
        """λ of the helix at the mean radius [rad]; only with a radius."""
        if self.radius is None:
            raise ModelError(
                f"Screw {self.joint!r}: it has no lead angle without radius=, the mean radius of its thread"
            )
        return math.atan2(self.lead, 2.0 * math.pi * self.radius)

    def coordinates(self):
        """An angle and a displacement."""
        return (self.joint, None, True), (self.nut or self.joint, None, False)

    @property
    def ratio(self) -> Ratio:
        """x − lead θ/2π."""
        return Ratio(-self.lead / (2.0 * math.pi), 1.0, abs(self.lead))
