"""A radial cam and its follower: a knife edge, a roller, or a flat face."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from functools import cached_property, lru_cache
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from gudgeon.checks import Vec3, choice, known, number
from gudgeon.curve_joint import CurveJoint, Profile
from gudgeon.errors import ModelError
from gudgeon.functions.expressions import Expression, derivative, evaluate, parse, replaced
from gudgeon.functions.function import Function
from gudgeon.functions.table import Table
from gudgeon.joints import Blocks, require_perpendicular
from gudgeon.models.dry_touch import DryTouch
from gudgeon.quantities import Length, Unit

LOOKS = 1440  # turns at which a profile is looked at
CLOSES = 1e-9  # difference of lifts after a full turn that is none, of the base radius
FOLLOWERS = {"knife": "an edge", "roller": "with roller_radius=", "flat": "a face across `towards`"}


@dataclass(frozen=True)
class Cam(CurveJoint):
    """A radial cam on the parent and a follower on the child: 5 freedoms, 1 row.

    The cam turns about `axis` through `at`; from there `towards` points to the follower in the reference pose, across
    the axis. `lift` is the height s(θ) [m] by which the cam, turned by θ = `angle` [rad] out of the reference pose,
    lifts a follower that moves along `towards`: an expression in `angle`, from 0 to 2π, a number, or a `gd.Table` over
    the angle (best kind="periodic"); after a full turn it begins anew. With the base radius R

    knife     its edge is at R + s from the axis
    roller    its centre is at R + roller_radius + s
    flat      its face, across `towards`, is at R + s (so that the profile's support function is that)

    In the reference pose the follower's edge, centre of the roller, or face, is there; how the follower is guided,
    along `towards` or otherwise, is up to other joints. A roller or face that would cut away the profile is refused.

    Models: `Ideal()`, the follower stays on the cam, pulled back if need be (a groove cam); `DryTouch(...)`: it may
    lift off.

    >>> import gudgeon as gd
    >>> valve = gd.Cam(
    ...     "camshaft", "tappet", at=(0, 0, 0), towards=(0, 1, 0), base_radius=0.015, follower="flat",
    ...     lift="0.004*(1 - cos(angle))",
    ... )
    >>> valve.blocks().row_count
    1
    """

    _: KW_ONLY
    axis: Vec3 | str = (0.0, 0.0, 1.0)  # of the cam, world direction in the reference pose, fixed in the parent [-]
    towards: Vec3 | str = (1.0, 0.0, 0.0)  # from the axis to the follower, world direction in the reference pose [-]
    base_radius: Length  # R [m]
    lift: Annotated[Function, Unit("m")]  # s of the cam's turn `angle` [m]
    follower: Literal["knife", "roller", "flat"] = "knife"
    roller_radius: Length = 0.0  # [m]
    axis_fields: ClassVar = ("axis", "towards")

    def __post_init__(self):
        keep, owner = object.__setattr__, self.label()
        choice(owner, "follower", self.follower, FOLLOWERS)
        for field in ("base_radius", "roller_radius"):
            keep(self, field, number(owner, field, getattr(self, field)))
        if self.base_radius <= 0.0:
            raise ModelError(f"{owner}: base_radius is {self.base_radius:g} m; it must be positive")
        if (self.roller_radius > 0.0) != (self.follower == "roller"):
            raise ModelError(
                f"{owner}: follower is {self.follower!r}, roller_radius {self.roller_radius:g} m; a roller has a "
                "positive radius, nothing else has one"
            )
        if not isinstance(self.lift, Table | str):
            if not isinstance(self.lift, int | float | np.number):
                raise ModelError(
                    f"{owner}: lift is {self.lift!r}; give an expression in 'angle', such as '0.005*(1 - cos(angle))', "
                    "a gd.Table of it, or a number"
                )
            keep(self, "lift", number(owner, "lift", self.lift))
        self.law  # noqa: B018 (refuses what is none)
        super().__post_init__()
        if not self.is_marked:
            require_perpendicular(self, "axis", "towards")
            self._check_profile(owner)

    @property
    def law(self) -> Expression | Table:
        """The lift as an expression in t, which stands for the angle, or as a table."""
        return _law(self.label(), self.lift)

    def lift_at(self, angle: float, derivative: int = 0) -> float:
        """s [m], or its first or second derivative by the turn [m/rad, m/rad²].

        >>> import gudgeon as gd
        >>> cam = gd.Cam("shaft", "follower", at=(0, 0, 0), base_radius=0.02, lift="0.005*(1 - cos(angle))")
        >>> round(cam.lift_at(3.141592653589793), 12)
        0.01
        """
        return self._at(angle - 2.0 * math.pi * math.floor(angle / (2.0 * math.pi)), derivative)

    def _at(self, angle: float, derivative: int) -> float:
        law = self.law
        return law.at(angle, derivative) if isinstance(law, Table) else evaluate(_slopes(law)[derivative], angle)

    def _check_profile(self, owner: str) -> None:
        """Refuse a profile that does not close, that reaches the axis, or that its follower cannot follow."""
        turns = np.linspace(0.0, 2.0 * math.pi, LOOKS + 1)
        s, slope, bend = (np.array([self._at(x, order) for x in turns.tolist()]) for order in range(3))
        if not np.all(np.isfinite([s, slope, bend])):
            worst = float(turns[np.flatnonzero(~np.isfinite(s + slope + bend))[0]])
            raise ModelError(
                f"{owner}: lift has no finite value, slope or curvature at angle = {worst:.4g} rad; give one that "
                "has at every turn from 0 to 2π"
            )
        for what, values in (("", s), ("the slope of ", slope)):
            if abs(values[-1] - values[0]) > CLOSES * self.base_radius:
                raise ModelError(
                    f"{owner}: {what}lift is {values[0]:.6g} at 0 and {values[-1]:.6g} after a full turn; a profile "
                    "must close: give one of period 2π rad (of a table: kind='periodic', first and last value equal)"
                )
        radius = self.pitch_radius + s
        if radius.min() <= 0.0:
            raise ModelError(
                f"{owner}: the lift of {s.min():.3g} m takes the profile through its axis; make base_radius larger"
            )
        if self.follower == "flat" and (radius + bend).min() <= 0.0:
            worst = float((radius + bend).min())
            raise ModelError(
                f"{owner}: a flat follower cannot reach its profile at angle = {turns[np.argmin(radius + bend)]:.4g} "
                f"rad, where that is hollow or cut away; base_radius must be more than {self.base_radius - worst:.4g} m"
            )
        if self.follower == "roller":
            bent = (radius**2 + 2.0 * slope**2 - radius * bend) / (radius**2 + slope**2) ** 1.5
            if bent.max() >= 1.0 / self.roller_radius:
                raise ModelError(
                    f"{owner}: the roller cuts away the profile at angle = {turns[np.argmax(bent)]:.4g} rad, where its "
                    f"path has a radius of {1.0 / bent.max():.3g} m; make base_radius larger, or roller_radius smaller"
                )

    def blocks(self) -> Blocks:
        """One row; none where the follower may lift off."""
        return Blocks(on_curve=0 if isinstance(self.model, DryTouch) else 1)

    @property
    def pitch_radius(self) -> float:
        """Of the follower's edge, centre or face, without lift [m]."""
        return self.base_radius + self.roller_radius

    @property
    def apart(self) -> Vec3:
        """From the axis to the follower."""
        far = self.pitch_radius + self.lift_at(0.0)
        return tuple(far * x for x in known(self.towards))  # pyright: ignore[reportReturnType]

    @property
    def own_axes(self) -> tuple[Vec3, Vec3, Vec3]:
        """x to the follower, z along the axis."""
        axis, towards = known(self.axis), known(self.towards)
        across: Any = tuple(np.cross(axis, towards).tolist())
        return towards, across, axis

    @property
    def is_flat(self) -> bool:
        """A face."""
        return self.follower == "flat"

    @property
    def side_sign(self) -> float:
        """Outside of the profile."""
        return -1.0

    @property
    def roller(self) -> float:
        """Its radius [m]."""
        return self.roller_radius

    @property
    def size(self) -> float:
        """Of the cam."""
        return self.base_radius

    @cached_property
    def _support(self) -> np.ndarray:
        """(LOOKS + 1, 3): turn of a point of the profile, its height over the axis, and the slope of that."""
        turns = np.linspace(0.0, 2.0 * math.pi, LOOKS + 1)
        heights = [(self.pitch_radius + self._at(-x, 0), -self._at(-x, 1)) for x in (turns - 2.0 * math.pi).tolist()]
        return np.column_stack([turns, np.array(heights)])

    @property
    def outline(self) -> tuple[np.ndarray, bool]:
        """The profile; closed."""
        turns, radius, _ = self._support.T
        return np.stack([radius * np.cos(turns), radius * np.sin(turns)], axis=1), True

    @property
    def farthest(self) -> float:
        """Of a profile with a flat face."""
        return float(np.hypot(*self._support[:, 1:].T).max()) if self.is_flat else 0.0

    def profile(self, anchor: np.ndarray) -> Profile:
        """The lift over the pitch radius."""
        return Profile(None, self.law, self.pitch_radius, True)


@lru_cache(maxsize=64)
def _law(owner: str, lift: float | str | Table) -> Expression | Table:
    if isinstance(lift, Table):
        if lift.of not in ("t", "angle"):
            raise ModelError(f"{owner}: its table is of {lift.of!r}; give one of 'angle', the turn of the cam")
        return lift
    if not isinstance(lift, str):
        return ("number", float(lift))

    def turned(leaf: Expression) -> Expression:
        if leaf == ("signal", "angle"):
            return ("t",)
        if leaf[0] in ("t", "signal"):
            raise ModelError(
                f"{owner}: lift is {lift!r}, in which {leaf[-1]!r} is unknown; it is a function of 'angle' alone"
            )
        return leaf

    try:
        expression = parse(lift, signals=True)
    except ModelError as error:
        raise ModelError(f"{owner}: lift: {error}") from None
    return replaced(expression, turned)


@lru_cache(maxsize=64)
def _slopes(law: Expression) -> tuple[Expression, Expression, Expression]:
    first = derivative(law)
    return law, first, derivative(first)
