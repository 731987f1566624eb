"""The same surface written otherwise: knots inserted, degree raised, cut into Bézier patches, moved, turned over."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gudgeon.errors import ModelError
from gudgeon.nurbs import knots as kv
from gudgeon.nurbs.curve import Curve, check_insertion, from_homogeneous
from gudgeon.nurbs.net import ControlNet
from gudgeon.orientations import rotation_of

if TYPE_CHECKING:
    from gudgeon.nurbs.trim import Trim

Array = NDArray[np.float64]


class Refinement(ControlNet):
    """The methods of Surface that give another Surface, or a curve on it."""

    def isocurve(self, *, xi1: float | None = None, xi2: float | None = None) -> Curve:
        """The curve on the surface with ξ1 or ξ2 kept.

        >>> from gudgeon.nurbs import Surface
        >>> Surface.cylinder(1.0, 0.0, 2.0).isocurve(xi2=0.5).point(0.25)
        array([0., 1., 1.])
        """
        if (xi1 is None) == (xi2 is None):
            raise ModelError(f"{self.label}: isocurve needs exactly one of xi1 and xi2")
        axis, value = (0, xi1) if xi1 is not None else (1, xi2)
        (low, high), degree = self.domain[axis], self.degree[axis]
        if not low <= float(value or 0.0) <= high:
            raise ModelError(f"{self.label}: isocurve at ξ{axis + 1} = {value:g} leaves the domain {low:g} … {high:g}")
        basis = kv.basis_matrix(self.knots[axis], degree, value or 0.0)[0]
        net = np.tensordot(basis, self.homogeneous, axes=(0, axis))
        return from_homogeneous(self.degree[1 - axis], self.knots[1 - axis], net)

    def _with_net(self, axis: int, degree: int, knots: Array, net: Array) -> Self:
        degrees, all_knots = list(self.degree), list(self.knots)
        degrees[axis], all_knots[axis] = degree, knots
        return replace(
            self,
            degree=(degrees[0], degrees[1]),
            knots=tuple(all_knots),
            points=net[..., :3] / net[..., 3:],
            weights=net[..., 3],
        )

    def inserted(self, *, xi1: ArrayLike = (), xi2: ArrayLike = ()) -> Self:
        """The same surface with more knots, eq (17).

        >>> from gudgeon.nurbs import Surface
        >>> Surface.plane().inserted(xi1=[0.5]).points.shape
        (3, 2, 3)
        """
        surface = self
        for axis, values in ((0, xi1), (1, xi2)):
            degree, knots = self.degree[axis], self.knots[axis]
            net = np.moveaxis(surface.homogeneous, axis, 0)
            for knot in np.atleast_1d(np.asarray(values, dtype=float)):
                check_insertion(f"{self.label}, ξ{axis + 1}", float(knot), knots, degree)
                net, knots = kv.inserted(net, knots, degree, float(knot))
            surface = surface._with_net(axis, degree, knots, np.moveaxis(net, 0, axis))
        return surface

    def elevated(self, degree: tuple[int, int]) -> Self:
        """The same surface with higher degrees and clamped knots.

        >>> from gudgeon.nurbs import Surface
        >>> Surface.plane().elevated((2, 3)).points.shape
        (3, 4, 3)
        """
        surface = self
        for axis in (0, 1):
            wanted = kv.checked_degree(f"{self.label}, ξ{axis + 1}", degree[axis])
            if wanted < self.degree[axis]:
                raise ModelError(
                    f"{self.label}: degree {self.degree[axis]} in ξ{axis + 1} cannot be raised to {wanted}; "
                    "give a higher one"
                )
            net, knots = np.moveaxis(surface.homogeneous, axis, 0), self.knots[axis]
            for d in range(self.degree[axis], wanted):
                net, knots = kv.elevated(net, knots, d)
            surface = surface._with_net(axis, wanted, knots, np.moveaxis(net, 0, axis))
        return surface

    def bezier(self) -> list[Self]:
        """The Bézier patches as surfaces of their own, ξ2 fastest, each over its part of the domain, untrimmed.

        >>> from gudgeon.nurbs import Surface
        >>> len(Surface.sphere(0.01).bezier())
        8
        """
        m, (d1, d2) = self.patches, self.degree
        count2 = len(m.break2) - 1
        return [
            replace(
                self,
                degree=self.degree,
                knots=(
                    np.repeat(m.break1[k // count2 : k // count2 + 2], d1 + 1),
                    np.repeat(m.break2[k % count2 : k % count2 + 2], d2 + 1),
                ),
                points=net[..., :3] / net[..., 3:],
                weights=net[..., 3],
                trim=None,
            )
            for k, net in enumerate(m.net)
        ]

    def moved(
        self, *, rotation: ArrayLike | None = None, translation: ArrayLike = (0.0, 0.0, 0.0), **unknown: Any
    ) -> Self:
        """The surface turned by a rotation matrix, a quaternion (scalar first) or a scipy Rotation, then shifted [m].

        >>> from gudgeon.nurbs import Surface
        >>> Surface.sphere(0.01).moved(translation=(1, 0, 0)).bounds()[0].round(12)
        array([ 0.99, -0.01, -0.01])
        """
        if unknown:  # Pose has a position, which is where something is, not how far it is moved
            raise ModelError(f"{self.label}: moved takes rotation= and translation=, not {next(iter(unknown))}=")
        matrix = rotation_of(self.label, rotation)
        shift = kv.as_floats(self.label, "translation", translation)
        if shift.shape != (3,):
            raise ModelError(f"{self.label}: translation has shape {shift.shape}; give 3 numbers")
        return replace(self, points=self.points @ matrix.T + shift)

    def reversed(self) -> Self:
        """The same surface with ξ1 run through the other way, so that the normal points to the other side.

        >>> from gudgeon.nurbs import Surface
        >>> Surface.cylinder(1.0, 0.0, 1.0).reversed().normal(0.0, 0.5).round(12) + 0.0
        array([-1.,  0.,  0.])
        """
        low, high = self.domain[0]
        return replace(
            self,
            knots=((low + high) - self.knots[0][::-1], self.knots[1]),
            points=self.points[::-1],
            weights=self.weights[::-1],
            trim=None if self.trim is None else self.trim.mapped((-1.0, 1.0), (low + high, 0.0)),
        )

    def trimmed(self, trim: Trim | None) -> Self:
        """The surface with other trimming loops.

        >>> from gudgeon.nurbs import Surface, Trim
        >>> half = Surface.plane().trimmed(Trim(outer=[[(0, 0), (1, 0), (1, 1)]]))
        >>> half.keeps(0.9, 0.1), half.keeps(0.1, 0.9)
        (array(True), array(False))
        """
        return replace(self, trim=trim)
