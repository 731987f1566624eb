"""What a law is: one scalar function of the local motion, and the numbers it needs.

A law is a frozen dataclass whose fields are all numbers, with one static method: a pure scalar function that uses
numbers and `math` only. It receives the fields, in order, as its last argument `p`: p[0], p[1], … The same text runs
as Python and compiled (as a C function, reached by its address: a new law compiles nothing but itself). A user's own
law is written exactly like those of `gudgeon.laws`, or is a plain function of the same arguments without `p`. Arguments
come by place; they may have other names, but not the name of another place.

    contact    normal_force(delta, ddelta, p)  or  normal_force(delta, ddelta, impact_speed, p)     [N]
    friction   friction_force(speed, normal_force, p)                                               [N]
    film       film_force(ratio, rate, p)                                                           [N]
    line       line_force(delta, ddelta, p)  or  line_force(delta, ddelta, impact_speed, p)         [N/m]
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import ClassVar

from gudgeon.checks import number
from gudgeon.errors import ModelError


@dataclass(frozen=True, kw_only=True)
class Law:
    """A scalar function of the local motion at a joint; abstract."""

    positive: ClassVar[tuple[str, ...]] = ()  # fields that must be above zero
    not_negative: ClassVar[tuple[str, ...]] = ()  # fields that must be zero or more
    fraction: ClassVar[tuple[str, ...]] = ()  # fields that must lie in [0, 1]

    def __post_init__(self):
        owner = type(self).__name__
        for field in dataclasses.fields(self):
            value = number(owner, field.name, getattr(self, field.name))
            object.__setattr__(self, field.name, value)
            if field.name in self.positive and value <= 0.0:
                raise ModelError(f"{owner}: {field.name} is {value:g}; it must be positive")
            if field.name in self.not_negative and value < 0.0:
                raise ModelError(f"{owner}: {field.name} is {value:g}; it must not be negative")
            if field.name in self.fraction and not 0.0 <= value <= 1.0:
                raise ModelError(f"{owner}: {field.name} is {value:g}; it must lie between 0 and 1")

    @property
    def parameters(self) -> tuple[float, ...]:
        """The fields in order: what the function receives as `p`."""
        return tuple(float(getattr(self, field.name)) for field in dataclasses.fields(self))


@dataclass(frozen=True, kw_only=True)
class ContactLaw(Law):
    """The normal force between two bodies that touch.

    Subclasses state `normal_force(delta, ddelta, p)` or `normal_force(delta, ddelta, impact_speed, p)`: penetration
    δ > 0 [m], its rate δ̇ [m/s], and the rate at the instant this contact began δ̇⁽⁻⁾ [m/s]. At rest it must grow from
    zero with δ. The joint never pulls: a negative force counts as zero.

    >>> import gudgeon as gd
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True, kw_only=True)
    ... class Cubic(gd.laws.ContactLaw):
    ...     stiffness: float  # [N/m³]
    ...     @staticmethod
    ...     def normal_force(delta, ddelta, p):
    ...         return p[0] * delta**3
    >>> Cubic(stiffness=1e15).parameters
    (1000000000000000.0,)
    """


@dataclass(frozen=True, kw_only=True)
class FrictionLaw(Law):
    """The friction force against sliding.

    Subclasses state `friction_force(speed, normal_force, p)`: the magnitude [N], not negative, for the sliding speed
    ≥ 0 [m/s] and the normal force ≥ 0 [N]. It must vanish towards rest (regularised), or the direction jumps there.

    >>> import gudgeon as gd
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True, kw_only=True)
    ... class Viscous(gd.laws.FrictionLaw):
    ...     slope: float  # [s/m]
    ...     @staticmethod
    ...     def friction_force(speed, normal_force, p):
    ...         return p[0] * speed * normal_force
    >>> Viscous(slope=0.1).parameters
    (0.1,)
    """


@dataclass(frozen=True, kw_only=True)
class FilmLaw(Law):
    """The radial force of a lubricant film.

    Subclasses state `film_force(ratio, rate, p)`: the force against the motion [N] for the eccentricity ratio
    0 ≤ ε < 1 and the rate ė [m/s] of the eccentricity; it has the sign of ė.

    >>> import gudgeon as gd
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True, kw_only=True)
    ... class Dashpot(gd.laws.FilmLaw):
    ...     damping: float  # [N·s/m]
    ...     @staticmethod
    ...     def film_force(ratio, rate, p):
    ...         return p[0] * rate
    >>> Dashpot(damping=10.0).parameters
    (10.0,)
    """


@dataclass(frozen=True, kw_only=True)
class LineLaw(Law):
    """The normal force per length of a pin in its bore, at one place along the axis.

    Subclasses state `line_force(delta, ddelta, p)` or `line_force(delta, ddelta, impact_speed, p)` [N/m]: depth δ > 0
    of the pin's section beyond the bore [m], its rate δ̇ [m/s], and the speed of this contact [m/s] (when it began, or
    the largest since: the joint decides). At rest it must grow from zero with δ. It never pulls: a negative force
    counts as zero. Where a law is void it returns nan, which ends a run with the name of the joint.

    >>> import gudgeon as gd
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True, kw_only=True)
    ... class Foundation(gd.laws.LineLaw):
    ...     stiffness: float  # [N/m²]
    ...     @staticmethod
    ...     def line_force(delta, ddelta, p):
    ...         return p[0] * delta
    >>> Foundation(stiffness=1e11).parameters, Foundation(stiffness=1e11).deepest
    ((100000000000.0,), inf)
    """

    @property
    def deepest(self) -> float:
        """The depth beyond which the law is void [m]."""
        return math.inf
