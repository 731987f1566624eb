"""Stops: the ends of the way of a joint coordinate."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Annotated

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.laws.base import ContactLaw
from gudgeon.laws.forms import check_law
from gudgeon.loads import Load
from gudgeon.models.dry import Contact
from gudgeon.quantities import Unit

if TYPE_CHECKING:
    from gudgeon.system import System


@dataclass(frozen=True)
class Stop(Load):
    """Limits of a joint's free coordinate, where a contact law pushes back: a door stop, an end of a cylinder.

    Beyond `upper` the penetration is δ = x − upper, below `lower` δ = lower − x; the law gives a torque where x is an
    angle (its stiffness then in N·m/radⁿ) and a force where it is a displacement. Angles are counted over full turns.
    Every contact is located and listed in `result.events` with its joint, as the contact "name upper" or "name lower".
    A description that starts beyond a limit by more than a tenth of the way (between the limits, or of the only one) is
    refused; a start from the state of a run or of an equilibrium may be as far beyond as the law lets it be.

    >>> import gudgeon as gd
    >>> rubber = gd.laws.KelvinVoigt(stiffness=400.0, damping=2.0)
    >>> door = gd.Stop("hinge", lower=0.0, upper=1.6, contact=rubber)
    """

    joint: str
    _: KW_ONLY
    lower: Annotated[float | None, Unit("rad", "m")] = None  # smallest angle or displacement; None: no limit [rad or m]
    upper: Annotated[float | None, Unit("rad", "m")] = None  # largest [rad or m]
    contact: Contact  # torque [N·m] or force [N] of a law, or of a function of δ and δ̇
    coordinate: str | None = None
    smallest_impact_speed: Annotated[float, Unit("rad/s", "m/s")] = 1e-4  # δ̇⁽⁻⁾ is not below this [rad/s or m/s]

    def __post_init__(self):
        owner, keep = f"Stop on {self.joint!r}", object.__setattr__
        for field in ("lower", "upper"):
            if getattr(self, field) is not None:
                keep(self, field, number(owner, field, getattr(self, field)))
        if self.lower is None and self.upper is None:
            raise ModelError(f"{owner}: it stops nothing; give lower=, upper= or both")
        if self.lower is not None and self.upper is not None and not self.lower < self.upper:
            raise ModelError(f"{owner}: lower is {self.lower:g}, upper {self.upper:g}; lower must be less than upper")
        keep(self, "smallest_impact_speed", number(owner, "smallest_impact_speed", self.smallest_impact_speed))
        if not self.smallest_impact_speed > 0.0:
            raise ModelError(f"{owner}: smallest_impact_speed is {self.smallest_impact_speed:g}; it must be positive")
        check_law(owner, "contact", self.contact, ContactLaw, self.way)

    @property
    def limits(self) -> dict[str, float]:
        """The limits there are, by side."""
        both = {"lower": self.lower, "upper": self.upper}
        return {side: limit for side, limit in both.items() if limit is not None}

    @property
    def way(self) -> float:
        """The length by which solvers judge its gaps [rad or m]."""
        if self.lower is not None and self.upper is not None:
            return self.upper - self.lower
        return max(math.fabs(next(iter(self.limits.values()))), 1e-3)


def has_stops(system: System) -> bool:
    """Whether a System has stops."""
    return any(isinstance(load, Stop) for load in system.loads.values())


def has_elastic_couplings(system: System) -> bool:
    """Whether a coupling of a System yields."""
    return any(coupling.is_elastic for coupling in system.couplings.values())
