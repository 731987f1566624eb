"""How the joints are kept closed while accelerations are integrated.

By default ("auto") feedback acts in the equations, and after a step that leaves a joint open by more than a small
residual the state is projected as well; where drift stays below that, this costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.quantities import Rate


class Stabilization:
    """Keeps the constraints at position and velocity level; abstract."""

    def name_with(self, solver: str) -> str:
        """What is done, with a solver of this name."""
        return type(self).__name__


@dataclass(frozen=True, kw_only=True)
class Baumgarte(Stabilization):
    """Feedback in the equations alone: Φ̈ + 2α Φ̇ + β² Φ = 0 (Baumgarte 1972).

    Drift settles where feedback meets the errors of the steps: after 1/α seconds of them, so that a fast mechanism
    opens its joints by many times the tolerance. The default of `simulate` projects such steps as well.

    Where rows are redundant, or nearly depend on each other near a singular position, feedback alone can push a
    mechanism onto another branch of its motion; after such steps `Explicit` projects the state as well.

    >>> import gudgeon as gd
    >>> gd.Baumgarte(alpha=20.0, beta=20.0).alpha
    20.0
    """

    alpha: Rate = 5.0  # [1/s]
    beta: Rate = 5.0  # [1/s]

    def __post_init__(self):
        for field in ("alpha", "beta"):
            value = number("Baumgarte", field, getattr(self, field))
            if value < 0.0:
                raise ModelError(f"Baumgarte: {field} is {value:g} 1/s; it must not be negative")
            object.__setattr__(self, field, value)


@dataclass(frozen=True, kw_only=True)
class Projection(Stabilization):
    """After each step, positions and velocities are moved onto the constraints, mass-weighted.

    >>> import gudgeon as gd
    >>> gd.Projection().tolerance
    1e-14
    """

    tolerance: float = 1e-14  # residual at which positions are left alone [m or rad]

    def __post_init__(self):
        if number("Projection", "tolerance", self.tolerance) <= 0.0:
            raise ModelError(f"Projection: tolerance is {self.tolerance:g}; give a small positive number")


@dataclass(frozen=True, kw_only=True)
class Automatic(Stabilization):
    """What `stabilization="auto"` means: the feedback of `Baumgarte()`, and projection of steps that leave joints open.

    `Sundials` has feedback alone, `TimeStepping` projects every step.
    """

    tolerances: float = 10.0  # residual that is left alone, of the solver's atol [-]
    clearances: float = 1e-5  # and at most this, of the smallest clearance in the system [-]

    def name_with(self, solver: str) -> str:
        """What is done, with a solver of this name."""
        if solver.startswith("Sundials"):
            return "Baumgarte"
        return "Projection" if solver.startswith("TimeStepping") else "Baumgarte and Projection"

    def largest_residual(self, atol: float, clearance: float) -> float:
        """The residual after a step that is left alone [m or rad]."""
        return min(self.tolerances * atol, self.clearances * clearance)


KNOWN = {"auto": Automatic(), "baumgarte": Baumgarte(), "projection": Projection()}


def stabilization_named(value: Stabilization | str) -> Stabilization:
    """The stabilisation a user asked for, by object or by name."""
    if isinstance(value, Stabilization):
        return value
    if isinstance(value, str) and value in KNOWN:
        return KNOWN[value]
    raise ModelError(
        f"simulate: stabilization is {value!r}; give gd.Baumgarte(...), gd.Projection(), or one of {sorted(KNOWN)}"
    )
