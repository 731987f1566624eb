"""Impact laws of hard contacts: how velocities jump where two rigid bodies meet."""

from __future__ import annotations

from dataclasses import dataclass

from gudgeon.checks import number
from gudgeon.errors import ModelError


@dataclass(frozen=True, kw_only=True)
class Newton:
    """Newton's impact law, normal and tangential: γ⁺ = −ε γ⁻ for each contact that takes an impulse.

    The normal impulse never pulls; the tangential one stays within Coulomb's cone. Source: Glocker (2001),
    Set-Valued Force Laws, as used by Flores, Leine and Glocker (2010), Multibody System Dynamics 23.

    >>> import gudgeon as gd
    >>> gd.Newton(restitution_normal=0.4)
    Newton(restitution_normal=0.4, restitution_tangential=0.0)
    """

    restitution_normal: float  # ε_N [-]
    restitution_tangential: float = 0.0  # ε_T [-]

    def __post_init__(self):
        for field in ("restitution_normal", "restitution_tangential"):
            value = number("Newton", field, getattr(self, field))
            if not 0.0 <= value <= 1.0:
                raise ModelError(f"Newton: {field} is {value:g}; it must lie between 0 (plastic) and 1 (elastic)")
            object.__setattr__(self, field, value)
