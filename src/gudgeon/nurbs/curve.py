"""NURBS curves: profiles to revolve, extrude and rule, and what isoparametric lines of a surface are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gudgeon.errors import ModelError
from gudgeon.nurbs import knots as kv
from gudgeon.quantities import Angle, Length, Unit

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Curve:
    """A NURBS curve C(ξ) = Σ N_i(ξ) w_i P_i / Σ N_i(ξ) w_i in space [m].

    >>> from gudgeon.nurbs import Curve
    >>> quarter = Curve.arc(radius=2.0, angle=1.5707963267948966)
    >>> quarter.point(1.0).round(12)
    array([0., 2., 0.])
    """

    degree: int
    knots: Any  # n + degree + 1 numbers that never decrease [-]
    points: Annotated[Any, Unit("m")]  # control points (n, 3) [m]
    weights: Any = None  # (n,), positive, all 1 if not given [-]

    def __post_init__(self):
        degree = kv.checked_degree("Curve", self.degree)
        points = kv.as_floats("Curve", "points", self.points)
        if points.ndim != 2 or points.shape[1] != 3:
            raise ModelError(f"Curve: points have shape {points.shape}; give control points (n, 3)")
        if len(points) <= degree:
            raise ModelError(f"Curve: {len(points)} control points of degree {degree}; give at least {degree + 1}")
        object.__setattr__(self, "degree", degree)
        object.__setattr__(self, "knots", kv.checked_knots("Curve", self.knots, degree, len(points)))
        object.__setattr__(self, "weights", checked_weights("Curve", self.weights, points.shape[:1]))
        points.setflags(write=False)
        object.__setattr__(self, "points", points)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Curve)
            and self.degree == other.degree
            and np.array_equal(self.knots, other.knots)
            and np.array_equal(self.points, other.points)
            and np.array_equal(self.weights, other.weights)
        )

    def __hash__(self) -> int:
        return hash((self.degree, self.knots.tobytes(), self.points.tobytes(), self.weights.tobytes()))

    @property
    def domain(self) -> tuple[float, float]:
        """The ξ where the curve begins and ends [-].

        >>> from gudgeon.nurbs import Curve
        >>> Curve.line((0, 0, 0), (1, 0, 0)).domain
        (0.0, 1.0)
        """
        return float(self.knots[self.degree]), float(self.knots[len(self.points)])

    @property
    def homogeneous(self) -> Array:
        """Control points (w x, w y, w z, w) as an array (n, 4).

        >>> from gudgeon.nurbs import Curve
        >>> Curve.line((0, 0, 0), (1, 0, 0)).homogeneous[1]
        array([1., 0., 0., 1.])
        """
        return np.concatenate([self.points * self.weights[:, None], self.weights[:, None]], axis=1)

    def point(self, xi: ArrayLike) -> Array:
        """C(ξ) [m], for one or many ξ.

        >>> from gudgeon.nurbs import Curve
        >>> Curve.line((0, 0, 0), (1, 0, 0)).point([0.25, 0.5])
        array([[0.25, 0.  , 0.  ],
               [0.5 , 0.  , 0.  ]])
        """
        x = np.asarray(xi, dtype=float)
        low, high = self.domain
        if x.size and not (x.min() >= low and x.max() <= high):
            raise ModelError(f"Curve: ξ = {x.min():g} … {x.max():g} leaves the domain {low:g} … {high:g}")
        value = kv.basis_matrix(self.knots, self.degree, x.ravel()) @ self.homogeneous
        return (value[:, :3] / value[:, 3:]).reshape(*x.shape, 3)

    def elevated(self, degree: int) -> Curve:
        """The same curve with a higher degree.

        >>> from gudgeon.nurbs import Curve
        >>> Curve.line((0, 0, 0), (3, 0, 0)).elevated(3).points[:, 0].round(12)
        array([0., 1., 2., 3.])
        """
        if degree < self.degree:
            raise ModelError(f"Curve: degree {self.degree} cannot be raised to {degree}; give a higher one")
        points, knots = self.homogeneous, self.knots
        for d in range(self.degree, kv.checked_degree("Curve", degree)):
            points, knots = kv.elevated(points, knots, d)
        return from_homogeneous(degree, knots, points)

    def inserted(self, knots: ArrayLike) -> Curve:
        """The same curve with more knots.

        >>> from gudgeon.nurbs import Curve
        >>> Curve.line((0, 0, 0), (1, 0, 0)).inserted([0.5]).points[:, 0]
        array([0. , 0.5, 1. ])
        """
        points, old = self.homogeneous, self.knots
        for knot in np.atleast_1d(np.asarray(knots, dtype=float)):
            check_insertion("Curve", float(knot), old, self.degree)
            points, old = kv.inserted(points, old, self.degree, float(knot))
        return from_homogeneous(self.degree, old, points)

    def reversed(self) -> Curve:
        """The same curve run through the other way.

        >>> from gudgeon.nurbs import Curve
        >>> Curve.line((0, 0, 0), (1, 0, 0)).reversed().point(0.0)
        array([1., 0., 0.])
        """
        low, high = self.domain
        return Curve(
            degree=self.degree,
            knots=(low + high) - self.knots[::-1],
            points=self.points[::-1],
            weights=self.weights[::-1],
        )

    @classmethod
    def line(cls, start: Annotated[ArrayLike, Unit("m")], end: Annotated[ArrayLike, Unit("m")]) -> Curve:
        """The straight line from `start` to `end` [m].

        >>> from gudgeon.nurbs import Curve
        >>> Curve.line((0, 0, 0), (0, 0, 2)).point(0.5)
        array([0., 0., 1.])
        """
        return cls(degree=1, knots=(0, 0, 1, 1), points=kv.as_floats("Curve.line", "ends", np.array([start, end])))

    @classmethod
    def arc(
        cls,
        *,
        radius: Length,
        angle: Angle = 2.0 * math.pi,
        start: Angle = 0.0,
        center: Annotated[ArrayLike, Unit("m")] = (0, 0, 0),
    ) -> Curve:
        """An exact circular arc in a plane z = constant, from the angle `start` through `angle` [rad], radius [m].

        >>> from gudgeon.nurbs import Curve
        >>> Curve.arc(radius=1.0).point(0.5).round(12)
        array([-1.,  0.,  0.])
        """
        positive("Curve.arc", "radius", radius, "m")
        knots, cosine, sine, weights = unit_arc("Curve.arc", angle)
        x, y = math.cos(start), math.sin(start)
        points = radius * np.stack([x * cosine - y * sine, y * cosine + x * sine, np.zeros(len(sine))], axis=1)
        return cls(degree=2, knots=knots, points=points + kv.as_floats("Curve.arc", "center", center), weights=weights)

    @classmethod
    def polyline(cls, points: Annotated[ArrayLike, Unit("m")]) -> Curve:
        """Straight lines through points (n, 3) [m].

        >>> from gudgeon.nurbs import Curve
        >>> Curve.polyline([(0, 0, 0), (1, 0, 0), (1, 1, 0)]).point(0.75)
        array([1. , 0.5, 0. ])
        """
        corners = kv.as_floats("Curve.polyline", "points", points)
        return cls(degree=1, knots=kv.clamped(1, np.linspace(0, 1, len(corners))[1:-1]), points=corners)

    @classmethod
    def joined(cls, curves: tuple[Curve, ...] | list[Curve]) -> Curve:
        """Curves one after the other, each beginning where the last one ends: an outline of lines and arcs.

        >>> from gudgeon.nurbs import Curve
        >>> half = Curve.arc(radius=1.0, angle=3.141592653589793)
        >>> Curve.joined([half, Curve.line((-1, 0, 0), (1, 0, 0))]).point([0.0, 0.5, 1.5, 2.0]).round(12)[:, :2]
        array([[1., 0.],
               [0., 1.],
               [0., 0.],
               [1., 0.]])
        """
        parts = list(curves)
        if not parts or not all(isinstance(part, Curve) for part in parts):
            raise ModelError("Curve.joined: give a list of curves")
        degree = max(part.degree for part in parts)
        parts = [part.elevated(degree) for part in parts]
        points, knots = [parts[0].homogeneous[:1]], [np.zeros(degree + 1)]
        for k, part in enumerate(parts):
            (low, high), ends = part.domain, part.point(part.domain)
            if (part.knots[: degree + 1] != low).any() or (part.knots[-degree - 1 :] != high).any():
                raise ModelError(f"Curve.joined: curve {k} does not begin or end at a control point; clamp its knots")
            before = points[-1][-1, :3] / points[-1][-1, 3]
            if not np.abs(ends[0] - before).max() <= 1e-9 * max(np.ptp(part.points, axis=0).max(), 1e-300):
                raise ModelError(
                    f"Curve.joined: curve {k} begins at {ends[0].tolist()}, but the one before it ends at "
                    f"{before.tolist()}; make them meet, or use `reversed()`"
                )
            own = part.homogeneous * (points[-1][-1, 3] / part.weights[0])
            points.append(own[1:])
            inner = k + (part.knots[degree + 1 : -degree - 1] - low) / (high - low)
            knots += [inner, np.full(degree if k + 1 < len(parts) else degree + 1, k + 1.0)]
        return from_homogeneous(degree, np.concatenate(knots), np.concatenate(points))

    @classmethod
    def through(cls, points: Annotated[ArrayLike, Unit("m")], *, degree: int = 3, closed: bool = False) -> Curve:
        """A smooth curve through points (n, 3) [m], of degree 3, 5 or 7; its curvature has no jumps.

        Closed, it goes on from the last point to the first without a seam; then the first point is not repeated.

        >>> from gudgeon.nurbs import Curve
        >>> from math import cos, pi, sin
        >>> circle = [(cos(k * pi / 8), sin(k * pi / 8), 0.0) for k in range(16)]
        >>> bool(abs(Curve.through(circle, closed=True).point(1 / 32) - (cos(pi / 16), sin(pi / 16), 0)).max() < 2e-4)
        True
        """
        from scipy.interpolate import make_interp_spline

        given = kv.as_floats("Curve.through", "points", points)
        if given.ndim != 2 or given.shape[1] != 3:
            raise ModelError(f"Curve.through: points have shape {given.shape}; give points (n, 3)")
        if isinstance(degree, bool) or not isinstance(degree, int) or degree not in (3, 5, 7):
            raise ModelError(f"Curve.through: degree is {degree!r}; give 3, 5 or 7")
        if len(given) <= degree:
            raise ModelError(f"Curve.through: {len(given)} points; degree {degree} needs {degree + 1} at least")
        whole = np.vstack([given, given[:1]]) if closed else given
        steps = np.linalg.norm(np.diff(whole, axis=0), axis=1)
        if not (steps > 0.0).all():
            raise ModelError(f"Curve.through: point {int(np.argmin(steps))} is repeated; leave one of the two out")
        xi = np.concatenate([[0.0], np.cumsum(steps) / steps.sum()])
        xi[-1] = 1.0
        spline: Any = make_interp_spline(xi, whole, k=degree, bc_type="periodic" if closed else None)
        return cls(degree=degree, knots=spline.t, points=spline.c)


def from_homogeneous(degree: int, knots: Array, points: Array) -> Curve:
    """A curve from control points (w x, w y, w z, w); cartesian ones are divided by the new weight."""
    return Curve(degree=degree, knots=knots, points=points[:, :3] / points[:, 3:], weights=points[:, 3])


def checked_weights(owner: str, values: Any, shape: tuple[int, ...]) -> Array:
    """Positive weights of the given shape, read-only."""
    weights = np.ones(shape) if values is None else kv.as_floats(owner, "weights", values)
    if weights.shape != shape:
        raise ModelError(f"{owner}: weights have shape {weights.shape}; give one per control point, {shape}")
    if (weights <= 0.0).any():
        at = tuple(int(x) for x in np.argwhere(weights <= 0.0)[0])
        raise ModelError(
            f"{owner}: weights {list(at)} is {weights[at]:g}; every weight must be positive, leave a control point "
            "out instead of weighting it with zero"
        )
    weights.setflags(write=False)
    return weights


def check_insertion(owner: str, knot: float, knots: Array, degree: int) -> None:
    """Refuse a knot outside the domain or one that is already there `degree` times."""
    low, high = knots[degree], knots[len(knots) - degree - 1]
    if not low < knot < high:
        raise ModelError(f"{owner}: a knot at {knot:g} is not between {low:g} and {high:g}; insert inside the domain")
    if int(np.sum(knots == knot)) >= degree:
        raise ModelError(f"{owner}: the knot {knot:g} is already there {degree} times, as often as its degree allows")


def positive(owner: str, field: str, value: Any, unit: str) -> float:
    """A positive, finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.floating | np.integer):
        raise ModelError(f"{owner}: {field} is {value!r}; give a number [{unit}]")
    if not (math.isfinite(value) and value > 0.0):
        raise ModelError(f"{owner}: {field} is {float(value):g} {unit}; give a positive number")
    return float(value)


def unit_arc(owner: str, angle: float) -> tuple[Array, Array, Array, Array]:
    """Knots, control points (cosine, sine) and weights of an arc of the unit circle from angle 0."""
    if not (isinstance(angle, int | float | np.floating) and 1e-9 < angle <= 2.0 * math.pi * (1.0 + 1e-12)):
        raise ModelError(f"{owner}: angle is {angle!r} rad; give more than 0 and at most 2π")
    pieces = max(1, math.ceil(angle / (0.5 * math.pi) - 1e-9))
    half = 0.5 * angle / pieces
    weights = np.array([math.cos(half) if k % 2 else 1.0 for k in range(2 * pieces + 1)])
    turns = half * np.arange(2 * pieces + 1)
    cosine, sine = np.cos(turns) / weights, np.sin(turns) / weights
    for values in (cosine, sine):
        whole = np.abs(values - np.round(values)) < 4e-16
        values[whole] = np.round(values[whole])
    inner = np.repeat(np.arange(1, pieces) / pieces, 2)
    return kv.clamped(2, inner), cosine, sine, weights
