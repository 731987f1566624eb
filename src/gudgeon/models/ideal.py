"""The ideal joint: no play, no compliance; the joint's constraint rows hold exactly. Its surfaces may rub."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from gudgeon.checks import choice, number
from gudgeon.errors import ModelError
from gudgeon.laws.base import FrictionLaw
from gudgeon.laws.dry_friction import DryFriction
from gudgeon.laws.forms import check_law
from gudgeon.quantities import Length, Unit
from gudgeon.switches import check_while

if TYPE_CHECKING:
    from gudgeon.models.part import Part

# of each joint that may rub: the lengths that its friction needs, and those that it knows besides
RUBBING: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "Revolute": (("radius",), ("length", "thrust_radius")),
    "Prismatic": ((), ("length", "width", "bearing_on")),
    "Guide": ((), ("length", "width", "bearing_on")),
    "Cylindrical": (("radius",), ("length", "bearing_on")),
    "Spherical": (("radius",), ()),
    "Universal": (("radius",), ("length", "thrust_radius")),
}
MEANING = {
    "radius": "radius of the bearing, or of the ball",
    "length": "distance of the two bearings, or length of the guide",
    "thrust_radius": "mean radius of the thrust bearing",
    "width": "width of the guide",
}


class JointModel:
    """What happens physically at a joint; abstract."""

    compliant: ClassVar[bool] = True  # acts by forces of a law, not by constraint rows
    stiff: ClassVar[bool] = True  # best solved implicitly; parts of dry metal are not

    def elements(self, joint: Any) -> tuple[Part, ...]:
        """The elements that it is made of at this joint; none where it has its own way into the arrays."""
        return ()


@dataclass(frozen=True, kw_only=True, repr=False)
class Ideal(JointModel):
    """A perfect joint: constraint equations, reactions without work; with `friction` its surfaces rub on each other.

    Friction depends on the joint's own reaction, and the two are found together. `friction` is a law of `gd.laws`, a
    function of (speed, normal_force), or `gd.laws.DryFriction`, which sticks (`gd.TimeStepping`). What presses the
    surfaces, F and M being force and torque of the joint's rows on its child (drives and springs not among them):

    Revolute       at `radius` r: |F⊥|, or with a `length` L between two bearings |F⊥/2 + M×z/L| + |F⊥/2 − M×z/L|;
                   with a `thrust_radius` besides the thrust |F_z| on a ring of that radius
    Prismatic,     |F⊥|, or with a `length` L of the guide the forces at its two ends as above, so that a load beside
    Guide          the axis cocks it; with a `width` b besides 2 |M_z|/b
    Cylindrical    as Revolute, at a surface that slides along and about its axis
    Spherical      |F| on a ball of `radius` r; its torque is opposite to the relative angular velocity
    Universal      each pair of trunnions as a Revolute

    The length is centred on the joint's point, that of `bearing_on` where the joint slides. docs/machines.md has the
    formulas, their limits, and what happens where a joint jams.

    With `until`, a time or the name of a switch (`gd.Switch`), it lets go then, for good: a hook, a bolt that breaks.
    In relative coordinates such a joint is cut, and what it alone holds floats.

    >>> import gudgeon as gd
    >>> gd.Spherical("rod", "slider", at=(0, 0, 0)).model
    Ideal()
    >>> bush = gd.Ideal(friction=gd.laws.Coulomb(coefficient=0.1, velocity_tolerance=1e-3), radius=0.01)
    >>> pivot = gd.Revolute("ground", "arm", at=(0, 0, 0), model=bush)
    """

    friction: FrictionLaw | Callable[..., float] | DryFriction | None = None  # friction force [N]; None: frictionless
    radius: Length | None = None  # of the bearing's or the ball's surface [m]
    length: Length | None = None  # between two bearings, of the guide; None: moments do not press it [m]
    thrust_radius: Length | None = None  # of the ring that takes a thrust; None: that does not rub [m]
    width: Length | None = None  # of the guide, across it; None: a moment about its axis does not press it [m]
    bearing_on: Literal["child", "parent"] = "child"  # body whose joint point is the middle of the length
    compliant: ClassVar[bool] = False
    until: Annotated[float | str | None, Unit("s")] = None  # time or switch up to which it holds [s]

    since: ClassVar[None] = None  # bodies do not jump together

    def __post_init__(self):
        check_while("Ideal", self)
        for field in MEANING:
            if getattr(self, field) is None:
                continue
            value = number("Ideal", field, getattr(self, field))
            if value <= 0.0:
                raise ModelError(f"Ideal: {field} is {value:g} m; it must be positive")
            if self.friction is None:
                raise ModelError(f"Ideal: {field} is given without friction=, for which alone it matters; give both")
            object.__setattr__(self, field, value)
        choice("Ideal", "bearing_on", self.bearing_on, ("child", "parent"))
        if self.friction is not None and not isinstance(self.friction, DryFriction):
            check_law("Ideal", "friction", self.friction, FrictionLaw, 1.0)

    @property
    def is_switched(self) -> bool:
        """Whether it holds for a while."""
        return self.until is not None

    def check_joint(self, joint: Any) -> None:
        """Refuse friction that this joint cannot have, and lengths that are missing or mean nothing there."""
        if self.friction is None:
            return
        kind, owner = type(joint).__name__, joint.label()
        if kind not in RUBBING:
            raise ModelError(f"{owner}: Ideal(friction=...) is for {', '.join(RUBBING)}; leave friction out")
        needed, known = RUBBING[kind]
        for field in needed:
            if getattr(self, field) is None:
                raise ModelError(f"{owner}: Ideal(friction=...) needs {field}= [m], the {MEANING[field]}")
        for field in MEANING:
            if getattr(self, field) is not None and field not in (*needed, *known):
                raise ModelError(
                    f"{owner}: {field} of its Ideal(friction=...) means nothing to a {kind}, which knows "
                    f"{', '.join((*needed, *known)) or 'none'}; leave it out"
                )
        if self.bearing_on != "child" and "bearing_on" not in known:
            raise ModelError(
                f"{owner}: bearing_on of its Ideal(friction=...) is for joints that slide; leave it out, its two "
                "joint points coincide"
            )

    def __repr__(self) -> str:
        """What is given."""
        given = [
            f"{field.name}={getattr(self, field.name)!r}"
            for field in fields(self)
            if getattr(self, field.name) != field.default
        ]
        return f"Ideal({', '.join(given)})"
