"""In which coordinates the equations of motion are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gudgeon.errors import ModelError


class Formulation:
    """A choice of coordinates; abstract."""


@dataclass(frozen=True, kw_only=True)
class Absolute(Formulation):
    """Position and quaternion of every body; all joints are constraint rows. The same as `"absolute"`.

    >>> import gudgeon as gd
    >>> result = gd.simulate(gd.examples.spatial_four_bar(), 0.1, coordinates=gd.Absolute())
    >>> result.stats["coordinates"]
    'absolute'
    """


@dataclass(frozen=True, kw_only=True)
class Relative(Formulation):
    """The free coordinates of the joints of a spanning tree; only what closes loops is constraint rows.

    `cuts` names joints at which loops are to be cut; other loops are cut where it is cheapest, as
    `system.topology(cuts=...)` shows. `"relative"` stands for `Relative()`.

    >>> import gudgeon as gd
    >>> result = gd.simulate(gd.examples.spatial_four_bar(), 0.1, coordinates=gd.Relative(cuts=("C",)))
    >>> result.stats["cuts"]
    ['C']
    """

    cuts: tuple[str, ...] = ()  # names of joints

    def __post_init__(self):
        if isinstance(self.cuts, str) or not all(isinstance(name, str) for name in self.cuts):
            raise ModelError(f"Relative: cuts is {self.cuts!r}; give a tuple of names of joints")
        object.__setattr__(self, "cuts", tuple(self.cuts))


def formulation_named(value: Any) -> Formulation:
    """The coordinates a user asked for, by object or by name."""
    if isinstance(value, Formulation):
        return value
    known = {"absolute": Absolute(), "relative": Relative()}
    if isinstance(value, str) and value in known:
        return known[value]
    raise ModelError(f"simulate: coordinates is {value!r}; give 'absolute', 'relative', or gd.Relative(cuts=(...))")
