"""The data of a NURBS surface and their rules: eqs (1) and (2) of Čerimagić et al. (2020)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from gudgeon.errors import ModelError
from gudgeon.nurbs import knots as kv
from gudgeon.nurbs.curve import checked_weights
from gudgeon.nurbs.patches import build_patches, with_reach
from gudgeon.nurbs.trim import Trim
from gudgeon.quantities import Unit

if TYPE_CHECKING:
    from gudgeon.nurbs.kernels.arrays import Patches

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class ControlNet:
    """Control points, weights and knots of a surface, checked; what Surface is made of."""

    degree: tuple[int, int]
    knots: Any  # two knot vectors that never decrease [-]
    points: Annotated[Any, Unit("m")]  # control points (n1, n2, 3) [m]
    weights: Any = None  # (n1, n2), positive, all 1 if not given [-]
    trim: Trim | None = None  # the part that counts, in (ξ1, ξ2); None: all of it
    name: str = ""  # said in error messages

    def __post_init__(self):
        points = kv.as_floats(self.label, "points", self.points)
        if points.ndim != 3 or points.shape[2] != 3:
            raise ModelError(
                f"{self.label}: points have shape {points.shape}; give a grid of control points (n1, n2, 3)"
            )
        for field, value in (("degree", self.degree), ("knots", self.knots)):
            if isinstance(value, str | int | float) or len(value) != 2:
                raise ModelError(f"{self.label}: {field} is {value!r}; give two, one for ξ1 and one for ξ2")
        degree, knots = [], []
        for axis in (0, 1):
            owner = f"{self.label}, ξ{axis + 1}"
            degree.append(kv.checked_degree(owner, self.degree[axis]))
            count = points.shape[axis]
            if count <= degree[axis]:
                raise ModelError(
                    f"{owner}: {count} control points of degree {degree[axis]}; give at least {degree[axis] + 1}"
                )
            knots.append(kv.checked_knots(owner, self.knots[axis], degree[axis], count))
        if self.trim is not None and not isinstance(self.trim, Trim):
            raise ModelError(f"{self.label}: trim is a {type(self.trim).__name__}; give a Trim or None")
        points.setflags(write=False)
        object.__setattr__(self, "degree", tuple(degree))
        object.__setattr__(self, "knots", tuple(knots))
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "weights", checked_weights(self.label, self.weights, points.shape[:2]))
        self.__dict__["patches"] = build_patches(self)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, ControlNet)
            and self.degree == other.degree
            and all(np.array_equal(a, b) for a, b in zip(self.knots, other.knots, strict=True))
            and np.array_equal(self.points, other.points)
            and np.array_equal(self.weights, other.weights)
            and self.trim == other.trim
            and self.name == other.name
        )

    def __hash__(self) -> int:
        return hash((self.degree, self.points.tobytes(), self.weights.tobytes(), self.trim, self.name))

    def __repr__(self) -> str:
        n1, n2 = self.points.shape[:2]
        return f"<{self.label}: degree {self.degree}, {n1}×{n2} control points, {len(self.patches.net)} patches>"

    @property
    def label(self) -> str:
        """How error messages call the surface.

        >>> from gudgeon.nurbs import Surface
        >>> Surface.sphere(0.01, name="ball").label
        "Surface 'ball'"
        """
        return f"Surface {self.name!r}" if self.name else "Surface"

    @cached_property
    def patches(self) -> Patches:
        """The surface as compiled code sees it: Bézier patches."""
        return build_patches(self)

    @cached_property
    def patches_with_reach(self) -> Patches:
        """The same, and how far around each part of it there is no other part."""
        return with_reach(self.patches)

    @property
    def domain(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Where ξ1 and ξ2 begin and end [-].

        >>> from gudgeon.nurbs import Surface
        >>> Surface.sphere(0.01).domain
        ((0.0, 1.0), (0.0, 1.0))
        """
        m = self.patches
        return (float(m.break1[0]), float(m.break1[-1])), (float(m.break2[0]), float(m.break2[-1]))

    @property
    def closed(self) -> tuple[bool, bool]:
        """Whether the surface meets itself at the ends of ξ1, of ξ2.

        >>> from gudgeon.nurbs import Surface
        >>> Surface.cylinder(0.01, 0.0, 0.02).closed
        (True, False)
        """
        return bool(self.patches.closed[0]), bool(self.patches.closed[1])

    @property
    def homogeneous(self) -> Array:
        """Control points (w x, w y, w z, w) as an array (n1, n2, 4).

        >>> from gudgeon.nurbs import Surface
        >>> Surface.plane().homogeneous[1, 1]
        array([1., 1., 0., 1.])
        """
        return np.concatenate([self.points * self.weights[..., None], self.weights[..., None]], axis=2)
