"""How the joints are kept closed while accelerations are integrated."""

from __future__ import annotations

from dataclasses import dataclass

from gudgeon.checks import number
from gudgeon.errors import ModelError


class Stabilization:
    """Keeps the constraints at position and velocity level; abstract."""


@dataclass(frozen=True, kw_only=True)
class Baumgarte(Stabilization):
    """Feedback in the equations: Φ̈ + 2α Φ̇ + β² Φ = 0 (Baumgarte 1972). Cheap; drift stays near the tolerance.

    Where rows are redundant, or nearly depend on each other near a singular position, feedback alone can push a
    mechanism onto another branch of its motion; after such steps `Explicit` projects the state as well.

    >>> import gudgeon as gd
    >>> gd.Baumgarte(alpha=20.0, beta=20.0).alpha
    20.0
    """

    alpha: float = 5.0  # [1/s]
    beta: float = 5.0  # [1/s]

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


def stabilization_named(value: Stabilization | str) -> Stabilization:
    """The stabilisation a user asked for, by object or by name."""
    known = {"baumgarte": Baumgarte(), "projection": Projection()}
    if isinstance(value, Stabilization):
        return value
    if isinstance(value, str) and value in known:
        return known[value]
    raise ModelError(
        f"simulate: stabilization is {value!r}; give gd.Baumgarte(...), gd.Projection(), or one of {sorted(known)}"
    )
