"""Coulomb's dry friction as it is: a set-valued law with true sticking. Source: see docs/sliders.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gudgeon.errors import ModelError
from gudgeon.laws.base import Law


@dataclass(frozen=True, kw_only=True)
class DryFriction(Law):
    """Sliding: f = −μ_k f_n sgn v.   Sticking: v = 0 as long as |f| ≤ μ_s f_n.

    No velocity tolerance, nothing smoothed: `gd.TimeStepping` finds out who sticks. `kinetic` defaults to `static`.

    >>> import gudgeon as gd
    >>> gd.laws.DryFriction(static=0.20, kinetic=0.15)
    DryFriction(static=0.2, kinetic=0.15)
    """

    static: float  # μ_s [-]
    kinetic: float | None = None  # μ_k [-]
    not_negative: ClassVar = ("static", "kinetic")

    def __post_init__(self):
        if self.kinetic is None:
            object.__setattr__(self, "kinetic", self.static)
        super().__post_init__()
        assert self.kinetic is not None
        if self.static < self.kinetic:
            raise ModelError(
                f"DryFriction: static is {self.static:g}, kinetic {self.kinetic:g}; static friction must not be below "
                "kinetic friction: have they been exchanged?"
            )
