"""Trimming: the part of a surface's parameter rectangle that belongs to the face."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gudgeon.checks import as_floats
from gudgeon.errors import ModelError


@dataclass(frozen=True, kw_only=True, eq=False)
class Trim:
    """Loops in parameter space: a face is what lies inside an outer loop and in no inner one.

    Each loop is a polygon of at least three corners (ξ1, ξ2), closed by itself, in any direction of turning. Without
    an outer loop the whole parameter rectangle counts. Loops inside loops of the same kind alternate.

    >>> from gudgeon.nurbs import Surface, Trim
    >>> square = Surface.plane(edge1=(2, 0, 0), edge2=(0, 2, 0))
    >>> window = Trim(inner=[[(0.4, 0.4), (0.6, 0.4), (0.6, 0.6), (0.4, 0.6)]])
    >>> len(square.hits((1, 1, 1), (0, 0, -1))), len(square.trimmed(window).hits((1, 1, 1), (0, 0, -1)))
    (1, 0)
    """

    outer: Iterable[ArrayLike] = ()  # corners (corner, 2) of each outer loop [-]
    inner: Iterable[ArrayLike] = ()  # corners (corner, 2) of each hole [-]

    def __post_init__(self):
        object.__setattr__(self, "outer", tuple(_loop("outer", q, x) for q, x in enumerate(self.outer)))
        object.__setattr__(self, "inner", tuple(_loop("inner", q, x) for q, x in enumerate(self.inner)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trim) and all(
            len(mine) == len(theirs) and all(np.array_equal(a, b) for a, b in zip(mine, theirs, strict=True))
            for mine, theirs in ((self.loops[0], other.loops[0]), (self.loops[1], other.loops[1]))
        )

    def __hash__(self) -> int:
        return hash(tuple(loop.tobytes() for kind in self.loops for loop in kind))

    @property
    def loops(self) -> tuple[tuple[NDArray[np.float64], ...], tuple[NDArray[np.float64], ...]]:
        """The outer and the inner loops as arrays (corner, 2) [-].

        >>> from gudgeon.nurbs import Trim
        >>> len(Trim(outer=[[(0, 0), (1, 0), (0, 1)]]).loops[0])
        1
        """
        return tuple(np.asarray(x) for x in self.outer), tuple(np.asarray(x) for x in self.inner)

    def flat(self) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
        """All corners in one array, where each loop starts, and whether it is an outer one.

        >>> from gudgeon.nurbs import Trim
        >>> Trim(outer=[[(0, 0), (1, 0), (0, 1)]]).flat()[1]
        array([0, 3])
        """
        outer, inner = self.loops
        loops = [*outer, *inner]
        starts = np.cumsum([0, *(len(loop) for loop in loops)]).astype(np.int64)
        kinds = np.array([1] * len(outer) + [0] * len(inner), dtype=np.int64)
        return np.concatenate([*loops, np.empty((0, 2))]), starts, kinds

    def mapped(self, scale: ArrayLike, shift: ArrayLike) -> Trim:
        """The same loops after ξ → scale·ξ + shift in each direction.

        >>> from gudgeon.nurbs import Trim
        >>> Trim(outer=[[(0, 0), (1, 0), (0, 1)]]).mapped((-1, 1), (1, 0)).loops[0][0][0]
        array([1., 0.])
        """
        a, b = np.asarray(scale, dtype=float), np.asarray(shift, dtype=float)
        outer, inner = self.loops
        return Trim(outer=[x * a + b for x in outer], inner=[x * a + b for x in inner])


def _loop(kind: str, place: int, corners: ArrayLike) -> NDArray[np.float64]:
    owner = f"Trim: {kind} loop {place}"
    loop = as_floats(owner, "corners", corners)
    if loop.ndim != 2 or loop.shape[1] != 2 or len(loop) < 3:
        raise ModelError(f"{owner} has shape {loop.shape}; give at least three corners (ξ1, ξ2)")
    if np.array_equal(loop[0], loop[-1]):
        loop = loop[:-1].copy()
    x, y = loop[:, 0], loop[:, 1]
    area = 0.5 * abs(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))
    if len(loop) < 3 or area == 0.0:
        raise ModelError(f"{owner} encloses no area; give corners that go round a region")
    loop.setflags(write=False)
    return loop
