"""Surfaces of everyday parts: exact planes, cylinders, cones, spheres, tori, revolutions, extrusions, ruled surfaces.

All live in their own frame with the axis along z; `Surface.moved` puts them anywhere. Normals of closed ones point out.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import ArrayLike

from gudgeon.errors import ModelError
from gudgeon.nurbs import knots as kv
from gudgeon.nurbs.curve import Curve, positive, unit_arc
from gudgeon.quantities import Angle, Length, Unit

if TYPE_CHECKING:
    from gudgeon.nurbs.surface import Surface

FULL_TURN = 2.0 * math.pi


class Constructors:
    """The class methods of Surface that build one."""

    @classmethod
    def _build(cls, **fields: Any) -> Surface:
        from gudgeon.nurbs.surface import Surface

        return Surface(**fields)

    @classmethod
    def plane(
        cls,
        *,
        origin: Annotated[ArrayLike, Unit("m")] = (0, 0, 0),
        edge1: Annotated[ArrayLike, Unit("m")] = (1, 0, 0),
        edge2: Annotated[ArrayLike, Unit("m")] = (0, 1, 0),
        name: str = "",
    ) -> Surface:
        """The parallelogram origin + ξ1·edge1 + ξ2·edge2 [m]; normal along edge1 × edge2.

        >>> from gudgeon.nurbs import Surface
        >>> Surface.plane(edge1=(2, 0, 0)).point(0.5, 0.5)
        array([1. , 0.5, 0. ])
        """
        o, a, b = (kv.as_floats("Surface.plane", f, v) for f, v in zip("oab", (origin, edge1, edge2), strict=True))
        points = np.array([[o, o + b], [o + a, o + a + b]])
        return cls._build(degree=(1, 1), knots=((0, 0, 1, 1), (0, 0, 1, 1)), points=points, name=name)

    @classmethod
    def cylinder(
        cls, radius: Length, bottom: Length, top: Length, *, angle: Angle = FULL_TURN, name: str = ""
    ) -> Surface:
        """The cylinder about z from z = bottom to z = top [m]; ξ1 goes round, ξ2 up, the normal points out.

        >>> from gudgeon.nurbs import Surface
        >>> Surface.cylinder(0.01, -0.02, 0.02).normal(0.25, 0.5).round(12) + 0.0
        array([0., 1., 0.])
        """
        positive("Surface.cylinder", "radius", radius, "m")
        _increasing("Surface.cylinder", bottom, top)
        return cls.revolution(Curve.line((radius, 0, bottom), (radius, 0, top)), angle=angle, name=name)

    @classmethod
    def cone(
        cls,
        bottom_radius: Length,
        top_radius: Length,
        bottom: Length,
        top: Length,
        *,
        angle: Angle = FULL_TURN,
        name: str = "",
    ) -> Surface:
        """The cone about z with these radii at z = bottom and z = top [m]; one may be 0. The normal points out.

        >>> from gudgeon.nurbs import Surface
        >>> Surface.cone(1.0, 0.0, 0.0, 1.0).point(0.0, 0.5)
        array([0.5, 0. , 0.5])
        """
        _increasing("Surface.cone", bottom, top)
        for field, value in (("bottom_radius", bottom_radius), ("top_radius", top_radius)):
            if not (isinstance(value, int | float | np.floating) and math.isfinite(value) and value >= 0.0):
                raise ModelError(f"Surface.cone: {field} is {value!r} m; give a number that is not negative")
        if bottom_radius == top_radius == 0.0:
            raise ModelError("Surface.cone: both radii are 0 m, which leaves a line; give one that is positive")
        return cls.revolution(Curve.line((bottom_radius, 0, bottom), (top_radius, 0, top)), angle=angle, name=name)

    @classmethod
    def sphere(cls, radius: Length, *, angle: Angle = FULL_TURN, name: str = "") -> Surface:
        """The sphere about the origin [m]; ξ1 goes round z, ξ2 from the south pole to the north pole; normal outwards.

        >>> from gudgeon.nurbs import Surface
        >>> Surface.sphere(0.01).point(0.0, 1.0).round(12)
        array([0.  , 0.  , 0.01])
        """
        positive("Surface.sphere", "radius", radius, "m")
        return cls.revolution(_meridian(radius, 0.0, -0.5 * math.pi, math.pi), angle=angle, name=name)

    @classmethod
    def torus(cls, major: Length, minor: Length, *, angle: Angle = FULL_TURN, name: str = "") -> Surface:
        """The torus about z: circles of radius `minor` round one of radius `major` [m]; normal outwards.

        >>> from gudgeon.nurbs import Surface
        >>> Surface.torus(0.03, 0.01).point(0.0, 0.25).round(12)
        array([0.03, 0.  , 0.01])
        """
        positive("Surface.torus", "major", major, "m")
        positive("Surface.torus", "minor", minor, "m")
        if minor >= major:
            raise ModelError(
                f"Surface.torus: minor radius {minor:g} m is not below the major one, {major:g} m; "
                "the surface would meet itself"
            )
        return cls.revolution(_meridian(minor, major, 0.0, FULL_TURN), angle=angle, name=name)

    @classmethod
    def revolution(cls, profile: Curve, *, angle: Angle = FULL_TURN, name: str = "") -> Surface:
        """A profile turned about z through `angle` [rad]; ξ1 goes round, ξ2 along the profile.

        A profile in the half plane x > 0, y = 0 that goes up has its normal outwards.

        >>> from gudgeon.nurbs import Curve, Surface
        >>> vase = Surface.revolution(Curve.polyline([(1, 0, 0), (2, 0, 1), (1, 0, 3)]))
        >>> vase.point(0.5, 0.5).round(12) + 0.0
        array([-2.,  0.,  1.])
        """
        if not isinstance(profile, Curve):
            raise ModelError(f"Surface.revolution: profile is a {type(profile).__name__}; give a Curve")
        knots, cosine, sine, weights = unit_arc("Surface.revolution", angle)
        x, y, z = profile.points.T
        points = np.stack(
            [
                np.outer(cosine, x) - np.outer(sine, y),
                np.outer(sine, x) + np.outer(cosine, y),
                np.outer(np.ones(len(sine)), z),
            ],
            axis=2,
        )
        return cls._build(
            degree=(2, profile.degree),
            knots=(knots, profile.knots),
            points=points,
            weights=np.outer(weights, profile.weights),
            name=name,
        )

    @classmethod
    def extrusion(cls, profile: Curve, path: ArrayLike, *, name: str = "") -> Surface:
        """A profile moved straight along `path` [m]; ξ1 along the profile, ξ2 along the path.

        >>> from gudgeon.nurbs import Curve, Surface
        >>> Surface.extrusion(Curve.arc(radius=1.0), (0, 0, 2)).point(0.25, 0.5)
        array([0., 1., 1.])
        """
        if not isinstance(profile, Curve):
            raise ModelError(f"Surface.extrusion: profile is a {type(profile).__name__}; give a Curve")
        shift = kv.as_floats("Surface.extrusion", "path", path)
        if shift.shape != (3,) or not shift.any():
            raise ModelError(f"Surface.extrusion: path is {path!r}; give a vector of 3 numbers that points somewhere")
        return cls._build(
            degree=(profile.degree, 1),
            knots=(profile.knots, (0, 0, 1, 1)),
            points=np.stack([profile.points, profile.points + shift], axis=1),
            weights=np.stack([profile.weights, profile.weights], axis=1),
            name=name,
        )

    @classmethod
    def ruled(cls, first: Curve, second: Curve, *, name: str = "") -> Surface:
        """Straight lines between points of equal parameter of two curves; ξ1 along the curves, ξ2 across.

        >>> from gudgeon.nurbs import Curve, Surface
        >>> ramp = Surface.ruled(Curve.line((0, 0, 0), (1, 0, 0)), Curve.arc(radius=1.0, angle=1.0, center=(0, 2, 0)))
        >>> ramp.degree
        (2, 1)
        """
        for curve in (first, second):
            if not isinstance(curve, Curve):
                raise ModelError(f"Surface.ruled: a {type(curve).__name__} is given; give two Curves")
        a, b = _alike(first, second)
        return cls._build(
            degree=(a.degree, 1),
            knots=(a.knots, (0, 0, 1, 1)),
            points=np.stack([a.points, b.points], axis=1),
            weights=np.stack([a.weights, b.weights], axis=1),
            name=name,
        )

    @classmethod
    def through(cls, points: ArrayLike, *, degree: tuple[int, int] = (3, 3), name: str = "") -> Surface:
        """The surface of the given degrees through a grid of points (n1, n2, 3) [m].

        >>> from gudgeon.nurbs import Surface
        >>> import numpy as np
        >>> x, y = np.meshgrid(np.linspace(0, 1, 6), np.linspace(0, 1, 5), indexing="ij")
        >>> Surface.through(np.stack([x, y, x * y], axis=2)).point(0.5, 0.5).round(12)
        array([0.5 , 0.5 , 0.25])
        """
        from gudgeon.nurbs.fit import interpolated

        return cls._build(**interpolated(points, degree), name=name)

    @classmethod
    def periodic(
        cls,
        *,
        degree: tuple[int, int],
        knots: tuple[ArrayLike, ArrayLike],
        points: ArrayLike,
        weights: ArrayLike | None = None,
        around: tuple[bool, bool] = (True, False),
        name: str = "",
    ) -> Surface:
        """A surface that closes smoothly in the directions `around`: n control points, n + 1 knots per period there.

        >>> from gudgeon.nurbs import Surface
        >>> import numpy as np
        >>> a = 2 * np.pi * np.arange(8) / 8
        >>> ring = np.stack([np.cos(a), np.sin(a), 0 * a], axis=1)
        >>> tube = np.stack([ring, ring + (0, 0, 1)], axis=1)
        >>> Surface.periodic(degree=(3, 1), knots=(np.arange(9), (0, 0, 1, 1)), points=tube).closed
        (True, False)
        """
        net = kv.as_floats("Surface.periodic", "points", points)
        mass = None if weights is None else kv.as_floats("Surface.periodic", "weights", weights)
        all_knots = [kv.as_floats(f"Surface.periodic, ξ{axis + 1}", "knots", knots[axis]) for axis in (0, 1)]
        for axis in (0, 1):
            if not around[axis]:
                continue
            d, t, count = kv.checked_degree("Surface.periodic", degree[axis]), all_knots[axis], net.shape[axis]
            if len(t) != count + 1 or count < d + 1:
                raise ModelError(
                    f"Surface.periodic, ξ{axis + 1}: {len(t)} knots for {count} control points; one period has "
                    f"control points + 1 knots, and at least {d + 1} control points"
                )
            period = t[-1] - t[0]
            all_knots[axis] = np.concatenate([t[-d - 1 : -1] - period, t, t[1 : d + 1] + period])
            again = np.arange(count + d) % count
            net = np.take(net, again, axis=axis)
            mass = None if mass is None else np.take(mass, again, axis=axis)
        return cls._build(degree=degree, knots=tuple(all_knots), points=net, weights=mass, name=name)


def _meridian(radius: float, offset: float, start: float, angle: float) -> Curve:
    """An arc in the half plane y = 0, its centre at x = offset."""
    flat = Curve.arc(radius=radius, angle=angle, start=start)
    x, z = flat.points[:, 0], flat.points[:, 1]
    x = np.where(np.abs(x) < 1e-15 * radius, 0.0, x)
    z = np.where(np.abs(z) < 1e-15 * radius, 0.0, z)
    points = np.stack([x + offset, np.zeros(len(x)), z], axis=1)
    return Curve(degree=2, knots=flat.knots, points=points, weights=flat.weights)


def _increasing(owner: str, bottom: float, top: float) -> None:
    for field, value in (("bottom", bottom), ("top", top)):
        if not (isinstance(value, int | float | np.floating | np.integer) and math.isfinite(value)):
            raise ModelError(f"{owner}: {field} is {value!r}; give a finite number [m]")
    if not bottom < top:
        raise ModelError(f"{owner}: top {top:g} m is not above bottom {bottom:g} m; give them in rising order")


def _alike(a: Curve, b: Curve) -> tuple[Curve, Curve]:
    """The same two curves with equal degrees and knots, on [0, 1]."""
    degree = max(a.degree, b.degree)
    alike = []
    for curve in (a, b):
        low, high = curve.domain
        unit = Curve(
            degree=curve.degree,
            knots=(curve.knots - low) / (high - low),
            points=curve.points,
            weights=curve.weights,
        )
        clamped = unit.elevated(degree + 1) if not _is_clamped(unit) else unit.elevated(degree)
        alike.append(clamped)
    if alike[0].degree != alike[1].degree:
        degree = max(c.degree for c in alike)
        alike = [c.elevated(degree) for c in alike]
    for mine, other in ((0, 1), (1, 0)):
        values, times = np.unique(alike[other].knots[degree + 1 : -degree - 1], return_counts=True)
        for value, count in zip(values, times, strict=True):
            missing = count - int(np.sum(alike[mine].knots == value))
            alike[mine] = alike[mine].inserted([value] * max(0, missing))
    return alike[0], alike[1]


def _is_clamped(curve: Curve) -> bool:
    d = curve.degree
    return curve.knots[0] == curve.knots[d] and curve.knots[-1] == curve.knots[-d - 1]
