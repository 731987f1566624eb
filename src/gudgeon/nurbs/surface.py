"""NURBS surfaces: eqs (1) and (2) of Čerimagić et al. (2020), Modeling, Identification and Control 41(1), 29–40."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gudgeon.errors import ModelError
from gudgeon.nurbs import knots as kv
from gudgeon.nurbs.construct import Constructors
from gudgeon.nurbs.curve import Curve, check_insertion, checked_weights, from_homogeneous
from gudgeon.nurbs.patches import build_patches, with_reach
from gudgeon.nurbs.rotations import rotation_matrix
from gudgeon.nurbs.trim import Trim

if TYPE_CHECKING:
    from gudgeon.nurbs.kernels.arrays import Patches

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Surface(Constructors):
    """A NURBS surface S(ξ1, ξ2) = Σ N_i(ξ1) N_j(ξ2) w_ij P_ij / Σ N_i(ξ1) N_j(ξ2) w_ij in space [m].

    Its normal is S_1 × S_2. Knot vectors need not be clamped: each direction is defined from knot `degree` to knot
    `count`. A surface that meets itself (`closed`) is followed over the seam; edges that are single points are poles.

    >>> from gudgeon.nurbs import Surface
    >>> ball = Surface.sphere(0.01)
    >>> ball.point(0.0, 0.5)
    array([0.01, 0.  , 0.  ])
    >>> ball.hits((1, 0, 0), (-1, 0, 0))[:, 0]
    array([0.99, 1.01])
    """

    degree: tuple[int, int]
    knots: Any  # two knot vectors that never decrease [-]
    points: Any  # control points (n1, n2, 3) [m]
    weights: Any = None  # (n1, n2), positive, all 1 if not given [-]
    trim: Trim | None = None  # the part that counts, in (ξ1, ξ2); None: all of it
    name: str = ""  # said in error messages

    def __post_init__(self):
        points = kv.as_floats(self.label, "points", self.points)
        if points.ndim != 3 or points.shape[2] != 3:
            raise ModelError(f"{self.label}: points have shape {points.shape}; give a grid of control points (n1, n2, 3)")
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
            isinstance(other, Surface)
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

    def point(self, xi1: ArrayLike, xi2: ArrayLike) -> Array:
        """S(ξ1, ξ2) [m]; arrays of parameters are broadcast, closed directions go round.

        >>> from gudgeon.nurbs import Surface
        >>> Surface.cylinder(1.0, 0.0, 2.0).point([0.0, 0.25], 0.5)
        array([[1., 0., 1.],
               [0., 1., 1.]])
        """
        return self.derivatives(xi1, xi2, order=0)[..., 0, :]

    def derivatives(self, xi1: ArrayLike, xi2: ArrayLike, *, order: int = 2) -> Array:
        """S, S_1, S_2, S_11, S_12, S_22 [m] in the second to last axis; three of them for order 1, one for order 0.

        >>> from gudgeon.nurbs import Surface
        >>> Surface.plane(edge1=(2, 0, 0), edge2=(0, 3, 0)).derivatives(0.5, 0.5, order=1)
        array([[1. , 1.5, 0. ],
               [2. , 0. , 0. ],
               [0. , 3. , 0. ]])
        """
        from gudgeon.nurbs import measure

        return measure.derivatives(self, xi1, xi2, order)

    def normal(self, xi1: ArrayLike, xi2: ArrayLike) -> Array:
        """The unit normal S_1 × S_2/|S_1 × S_2| [-]; at a pole its limit, nan where there is none.

        >>> from gudgeon.nurbs import Surface
        >>> Surface.sphere(0.01).normal(0.25, [0.5, 1.0]).round(12) + 0.0
        array([[0., 1., 0.],
               [0., 0., 1.]])
        """
        from gudgeon.nurbs import measure

        return measure.frames(self, xi1, xi2)[..., 3, :]

    def curvature(self, xi1: ArrayLike, xi2: ArrayLike) -> Array:
        """The two principal curvatures [1/m], larger first, positive where the surface bends towards its normal.

        >>> from gudgeon.nurbs import Surface
        >>> Surface.cylinder(0.5, 0.0, 1.0).curvature(0.1, 0.5).round(12)
        array([ 0., -2.])
        """
        from gudgeon.nurbs import measure

        return measure.curvature(self, xi1, xi2)

    def area(self) -> float:
        """The area [m²] of the whole parameter rectangle, trimmed or not.

        >>> from gudgeon.nurbs import Surface
        >>> round(Surface.sphere(1.0).area(), 10)
        12.5663706144
        """
        from gudgeon.nurbs import measure

        return measure.area(self)

    def bounds(self) -> Array:
        """A box around the surface, [[x, y, z] least, [x, y, z] largest] [m]: that of the patches' control points.

        >>> from gudgeon.nurbs import Surface
        >>> Surface.cylinder(1.0, 0.0, 2.0).bounds()
        array([[-1., -1.,  0.],
               [ 1.,  1.,  2.]])
        """
        net = self.patches.net
        points = (net[..., :3] / net[..., 3:]).reshape(-1, 3)
        return np.stack([points.min(axis=0), points.max(axis=0)])

    def hits(self, origin: ArrayLike, direction: ArrayLike) -> Array:
        """Every intersection (h, ξ1, ξ2) of the line origin + h·direction/|direction|, sorted by h [m, -, -].

        h is signed: what lies behind the origin has h < 0. Points of trimmed-away regions are no intersections. A point
        where the line touches the surface is listed once.

        >>> from gudgeon.nurbs import Surface
        >>> Surface.torus(0.03, 0.01).hits((1, 0, 0), (-1, 0, 0))[:, 0]
        array([0.96, 0.98, 1.02, 1.04])
        """
        from gudgeon.nurbs.hits import hits_of_line

        return hits_of_line(self, origin, direction)

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

    @property
    def homogeneous(self) -> Array:
        """Control points (w x, w y, w z, w) as an array (n1, n2, 4).

        >>> from gudgeon.nurbs import Surface
        >>> Surface.plane().homogeneous[1, 1]
        array([1., 1., 0., 1.])
        """
        return np.concatenate([self.points * self.weights[..., None], self.weights[..., None]], axis=2)

    def _with_net(self, axis: int, degree: int, knots: Array, net: Array) -> Surface:
        degrees, all_knots = list(self.degree), list(self.knots)
        degrees[axis], all_knots[axis] = degree, knots
        return replace(
            self,
            degree=(degrees[0], degrees[1]),
            knots=tuple(all_knots),
            points=net[..., :3] / net[..., 3:],
            weights=net[..., 3],
        )

    def inserted(self, *, xi1: ArrayLike = (), xi2: ArrayLike = ()) -> Surface:
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

    def elevated(self, degree: tuple[int, int]) -> Surface:
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

    def bezier(self) -> list[Surface]:
        """The Bézier patches as surfaces of their own, ξ2 fastest, each over its part of the domain, untrimmed.

        >>> from gudgeon.nurbs import Surface
        >>> len(Surface.sphere(0.01).bezier())
        8
        """
        m, (d1, d2) = self.patches, self.degree
        count2 = len(m.break2) - 1
        return [
            Surface(
                degree=self.degree,
                knots=(
                    np.repeat(m.break1[k // count2 : k // count2 + 2], d1 + 1),
                    np.repeat(m.break2[k % count2 : k % count2 + 2], d2 + 1),
                ),
                points=net[..., :3] / net[..., 3:],
                weights=net[..., 3],
                name=self.name,
            )
            for k, net in enumerate(m.net)
        ]

    def moved(self, *, rotation: ArrayLike | None = None, translation: ArrayLike = (0.0, 0.0, 0.0)) -> Surface:
        """The surface turned by a rotation matrix or a quaternion (scalar first), then shifted [m].

        >>> from gudgeon.nurbs import Surface
        >>> Surface.sphere(0.01).moved(translation=(1, 0, 0)).bounds()[0].round(12)
        array([ 0.99, -0.01, -0.01])
        """
        matrix = rotation_matrix(self.label, rotation)
        shift = kv.as_floats(self.label, "translation", translation)
        if shift.shape != (3,):
            raise ModelError(f"{self.label}: translation has shape {shift.shape}; give 3 numbers")
        return replace(self, points=self.points @ matrix.T + shift)

    def reversed(self) -> Surface:
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

    def trimmed(self, trim: Trim | None) -> Surface:
        """The surface with other trimming loops.

        >>> from gudgeon.nurbs import Surface, Trim
        >>> half = Surface.plane().trimmed(Trim(outer=[[(0, 0), (1, 0), (1, 1)]]))
        >>> half.keeps(0.9, 0.1), half.keeps(0.1, 0.9)
        (array(True), array(False))
        """
        return replace(self, trim=trim)

    def keeps(self, xi1: ArrayLike, xi2: ArrayLike) -> NDArray[np.bool_]:
        """Whether (ξ1, ξ2) belongs to the trimmed surface.

        >>> from gudgeon.nurbs import Surface
        >>> Surface.plane().keeps(0.5, 0.5)
        array(True)
        """
        from gudgeon.nurbs import measure

        return measure.kept(self, xi1, xi2)
