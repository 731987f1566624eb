"""Two bodies that may meet: a ball on a floor, two balls, a ball in a tube. Geometry; `DryTouch` is the physics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from itertools import product
from typing import Any, ClassVar

import numpy as np

from gudgeon.checks import Vec3
from gudgeon.errors import ModelError
from gudgeon.joints import Blocks, Joint
from gudgeon.kernels.elements.kinds import IN_TUBE, ON_BOX, ON_PLANE, RIM_ON_PLANE, ROUND
from gudgeon.models.dry_touch import DryTouch
from gudgeon.models.ideal import Ideal
from gudgeon.models.part import Part
from gudgeon.rotations import rotation_matrix
from gudgeon.shapes.box import Box
from gudgeon.shapes.capsule import Capsule
from gudgeon.shapes.cylinder import Cylinder
from gudgeon.shapes.plane import Plane
from gudgeon.shapes.shape import Shape
from gudgeon.shapes.sphere import Sphere

GAP_LENGTH = 1e-2  # by which solvers judge a gap, of the smaller shape
DEEPEST_START = 20.0  # how deep shapes may be in each other at the start, of that length
NOTHING: Vec3 = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Meeting(Joint):
    """Two bodies that meet where their shapes do, and are free otherwise: 6 freedoms, no rows.

    `shapes` are that of the parent and that of the child: `gd.Sphere`, `gd.Plane`, `gd.Cylinder` (solid or a tube),
    `gd.Capsule`, `gd.Box`, with their place in the body. What can meet what, and in how many points at once:

    sphere      with a plane, sphere, capsule, box, cylinder (its edges too), in a tube, in one point
    capsule     with a plane in two (its ends), with a sphere or capsule in one
    cylinder    with a plane in two, one on each rim: its lowest point
    box         with a plane in eight, its corners

    `model` is a `gd.DryTouch(...)`. Bodies are drawn with these shapes where they have none of their own. Surfaces of
    any form meet by `gd.SurfaceContact` on `gd.Free`.

    >>> import gudgeon as gd
    >>> rubber = gd.DryTouch(contact=gd.laws.HuntCrossley(stiffness=1e6, damping=0.3))
    >>> floor = gd.Meeting("ground", "ball", shapes=(gd.Plane(), gd.Sphere(radius=0.05)), model=rubber)
    """

    _: KW_ONLY
    shapes: tuple[Shape, Shape]  # of the parent and of the child
    accepts: ClassVar = (DryTouch,)
    holds: ClassVar = False

    def __post_init__(self):
        owner = self.label()
        if self.at is not None or self.at_parent is not None or self.at_child is not None:
            raise ModelError(f"{owner}: it has no at; shapes have their own position in the body (body axes)")
        if (
            not isinstance(self.shapes, tuple | list)
            or len(self.shapes) != 2
            or not all(isinstance(s, Shape) for s in self.shapes)
        ):
            raise ModelError(
                f"{owner}: shapes is {self.shapes!r}; give two, such as (gd.Plane(), gd.Sphere(radius=0.1))"
            )
        object.__setattr__(self, "shapes", tuple(self.shapes))
        if isinstance(self.model, Ideal):
            raise ModelError(f"{owner}: what happens where they meet? give model=gd.DryTouch(contact=...)")
        self._pair()
        super().__post_init__()

    def _pair(self) -> tuple[Shape, Shape, bool, Callable[..., list[tuple[str, float, tuple[float, ...], float]]]]:
        """The shapes in the order of the table, whether they are exchanged, and what makes their points."""
        first, second = self.shapes
        for one, two, exchanged in ((first, second, False), (second, first, True)):
            make = PAIRS.get((type(one), type(two)))
            if make is not None:
                return one, two, exchanged, make
        names = sorted(f"{a.__name__} with {b.__name__}" for a, b in PAIRS)
        raise ModelError(
            f"{self.label()}: {type(first).__name__} with {type(second).__name__} is no pair that it knows; known are "
            f"{', '.join(names)}; other surfaces meet by gd.SurfaceContact on gd.Free"
        )

    def blocks(self) -> Blocks:
        """None."""
        return Blocks()

    @property
    def own_points(self) -> tuple[Vec3, Vec3]:
        """Where the shapes are in their bodies."""
        return self.shapes[0].position, self.shapes[1].position

    @property
    def own_frames(self) -> tuple[np.ndarray, np.ndarray]:
        """Axes of the shapes in those of their bodies, as columns."""
        return rotation_matrix(self.shapes[0].orientation), rotation_matrix(self.shapes[1].orientation)

    @property
    def yields(self) -> bool:
        """It holds nothing."""
        return False

    @property
    def out_there(self) -> str:
        """A plane has two sides."""
        return " (z of a Plane points out of its material)" if any(isinstance(s, Plane) for s in self.shapes) else ""

    def touches(self, model: DryTouch) -> tuple[Part, ...]:
        """The points in which the two can touch."""
        one, two, exchanged, make = self._pair()
        return tuple(
            Part(
                name=name,
                element="shapes touch",
                numbers=(kind, *numbers),
                clearance=GAP_LENGTH * size,
                deepest_start=DEEPEST_START,
                reach=size,
                swing=_swing(kind, numbers),
                turns_freely=not any(numbers[OFFSET : OFFSET + 2]),
                contact=model.contact,
                friction=model.friction,
                smallest_impact_speed=model.smallest_impact_speed,
                carried_by="child" if exchanged else "parent",
            )
            for name, kind, numbers, size in make(one, two)
        )


RADIUS, HALF_LENGTH, OFFSET = 3, 4, 5  # places of these numbers (kernels/elements/shapes_touch.py)


def _swing(kind: float, numbers: tuple[float, ...]) -> float:
    """From the second shape's frame to the farthest point of its axis, corner or rim [m]."""
    across = numbers[RADIUS] if kind == RIM_ON_PLANE else 0.0
    return float(np.linalg.norm([across, numbers[HALF_LENGTH], *numbers[OFFSET:]]))


Points = list[tuple[str, float, tuple[float, ...], float]]  # name, kind of pair, numbers, size


def _round(one: Any, two: Any) -> Points:
    """Spheres and capsules: radius and half length of both axes."""
    halves = [0.5 * getattr(shape, "length", 0.0) for shape in (one, two)]
    return [
        ("touch", ROUND, (one.radius, halves[0], 0.0, two.radius, halves[1], *NOTHING), min(one.radius, two.radius))
    ]


def _ball_on_plane(_: Plane, two: Sphere) -> Points:
    return [("touch", ON_PLANE, (*NOTHING, two.radius, 0.0, *NOTHING), two.radius)]


def _capsule_on_plane(_: Plane, two: Capsule) -> Points:
    return [
        (name, ON_PLANE, (*NOTHING, two.radius, 0.0, 0.0, 0.0, side * 0.5 * two.length), two.radius)
        for name, side in (("upper end", 1.0), ("lower end", -1.0))
    ]


def _cylinder_on_plane(_: Plane, two: Cylinder) -> Points:
    return [
        (name, RIM_ON_PLANE, (*NOTHING, two.radius, 0.0, 0.0, 0.0, side * 0.5 * two.length), two.radius)
        for name, side in (("upper rim", 1.0), ("lower rim", -1.0))
    ]


def _box_on_plane(_: Plane, two: Box) -> Points:
    size = 0.5 * min(two.size)
    return [
        (
            f"corner {''.join('+' if s > 0 else '-' for s in signs)}",
            ON_PLANE,
            (*NOTHING, 0.0, 0.0, *(0.5 * s * edge for s, edge in zip(signs, two.size, strict=True))),
            size,
        )
        for signs in product((-1, 1), repeat=3)
    ]


def _ball_and_cylinder(one: Cylinder, two: Sphere) -> Points:
    if one.inner_radius and two.radius >= one.inner_radius:
        small = min(two.radius, one.radius - one.inner_radius)
    else:
        small = min(two.radius, one.radius)
    return [("touch", IN_TUBE, (one.inner_radius, one.radius, 0.5 * one.length, two.radius, 0.0, *NOTHING), small)]


def _ball_and_box(one: Box, two: Sphere) -> Points:
    x, y, z = (0.5 * edge for edge in one.size)
    return [("touch", ON_BOX, (x, y, z, two.radius, 0.0, *NOTHING), min(two.radius, x, y, z))]


PAIRS: dict[tuple[type, type], Callable[..., Points]] = {
    (Plane, Sphere): _ball_on_plane,
    (Plane, Capsule): _capsule_on_plane,
    (Plane, Cylinder): _cylinder_on_plane,
    (Plane, Box): _box_on_plane,
    (Sphere, Sphere): _round,
    (Capsule, Sphere): _round,
    (Capsule, Capsule): _round,
    (Cylinder, Sphere): _ball_and_cylinder,
    (Box, Sphere): _ball_and_box,
}
