"""The ideal joint: no play, no friction, no compliance; the joint's constraint rows hold exactly."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from gudgeon.quantities import Unit
from gudgeon.switches import check_while

if TYPE_CHECKING:
    from gudgeon.models.part import Part


class JointModel:
    """What happens physically at a joint; abstract."""

    compliant: ClassVar[bool] = True  # acts by forces of a law, not by constraint rows
    stiff: ClassVar[bool] = True  # best solved implicitly; parts of dry metal are not

    def elements(self, joint: Any) -> tuple[Part, ...]:
        """The elements that it is made of at this joint; none where it has its own way into the arrays."""
        return ()


@dataclass(frozen=True, kw_only=True, repr=False)
class Ideal(JointModel):
    """A perfect joint: constraint equations, reactions without work.

    With `until`, a time or the name of a switch (`gd.Switch`), it lets go then, for good: a hook, a bolt that breaks.
    In relative coordinates such a joint is cut, and what it alone holds floats.

    >>> import gudgeon as gd
    >>> gd.Spherical("rod", "slider", at=(0, 0, 0)).model
    Ideal()
    """

    compliant: ClassVar[bool] = False
    until: Annotated[float | str | None, Unit("s")] = None  # time or switch up to which it holds [s]

    since: ClassVar[None] = None  # bodies do not jump together

    def __post_init__(self):
        check_while("Ideal", self)

    @property
    def is_switched(self) -> bool:
        """Whether it holds for a while."""
        return self.until is not None

    def __repr__(self) -> str:
        """With what is not as usual."""
        given = [
            (each.name, getattr(self, each.name)) for each in fields(self) if getattr(self, each.name) != each.default
        ]
        return f"Ideal({', '.join(f'{name}={value!r}' for name, value in given)})"
