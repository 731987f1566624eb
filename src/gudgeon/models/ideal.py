"""The ideal joint: no play, no friction, no compliance; the joint's constraint rows hold exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from gudgeon.models.part import Part


class JointModel:
    """What happens physically at a joint; abstract."""

    compliant: ClassVar[bool] = True  # acts by forces of a law, not by constraint rows
    stiff: ClassVar[bool] = True  # best solved implicitly; parts of dry metal are not

    def elements(self, joint: Any) -> tuple[Part, ...]:
        """The elements that it is made of at this joint; none where it has its own way into the arrays."""
        return ()


@dataclass(frozen=True, kw_only=True)
class Ideal(JointModel):
    """A perfect joint: constraint equations, reactions without work.

    >>> import gudgeon as gd
    >>> gd.Spherical("rod", "slider", at=(0, 0, 0)).model
    Ideal()
    """

    compliant: ClassVar[bool] = False
