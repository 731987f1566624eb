"""The ideal joint: no play, no friction, no compliance; the joint's constraint rows hold exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


class JointModel:
    """What happens physically at a joint; abstract."""

    compliant: ClassVar[bool] = True  # acts by forces of a law, not by constraint rows


@dataclass(frozen=True, kw_only=True)
class Ideal(JointModel):
    """A perfect joint: constraint equations, reactions without work.

    >>> import gudgeon as gd
    >>> gd.Spherical("rod", "slider", at=(0, 0, 0)).model
    Ideal()
    """

    compliant: ClassVar[bool] = False
