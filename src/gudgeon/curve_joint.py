"""What joints have in common whose child is on a curve of the parent, or touches it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from gudgeon.functions.expressions import Expression
from gudgeon.functions.table import Table
from gudgeon.joints import Joint
from gudgeon.models.dry_touch import DryTouch
from gudgeon.models.ideal import Ideal
from gudgeon.models.part import Part
from gudgeon.nurbs.pieces import Pieces

if TYPE_CHECKING:
    from gudgeon.system import System

# numbers of the element "curve touch", after the place of its curve (kernels/elements/curve_touch.py)
POINT, FACE = 0.0, 1.0
GAP_LENGTH = 1e-2  # by which solvers judge the gap, of the size of what touches
DEEPEST_START = 20.0  # of that length
BULGE_SEEN = 0.9  # smallest radius of a curve, of that seen at close points of it
STRAIGHT = 1e-9  # curvature that is rounding, of the inverse of a curve's size
SLOWEST_WAY = 1e-3  # speed of a roller's centre, at least, of the rate of its way along a curve


class Profile(NamedTuple):
    """A curve in the joint's own axes, from the parent's joint point."""

    pieces: Pieces | None  # of a curve in space, or in a plane
    lift: Expression | Table | None  # of a cam: over its turn, which t stands for [m]
    base: float  # of a cam: ρ₀, what the lift is added to [m]
    extruded: bool  # along z of the joint, to a surface


@dataclass(frozen=True)
class CurveJoint(Joint):
    """A point or a flat face of the child, and a curve of the parent; abstract."""

    accepts: ClassVar = (Ideal, DryTouch)
    carries: ClassVar = False

    def profile(self, anchor: np.ndarray) -> Profile:
        """The curve; `anchor` is the world point of the parent's joint point in the reference pose [m]."""
        raise NotImplementedError

    @property
    def is_flat(self) -> bool:
        """Whether a flat face of the child touches the curve."""
        return False

    @property
    def side_sign(self) -> float:
        """+1 where the child is to the left of the curve, as one goes along it seen against z; −1 to its right."""
        return 1.0

    @property
    def distance(self) -> float:
        """At which the child's point is from the curve [m]."""
        return 0.0

    @property
    def roller(self) -> float:
        """Radius of a roller about the child's point [m]."""
        return 0.0

    @property
    def size(self) -> float:
        """Of what touches [m]."""
        raise NotImplementedError

    @property
    def outline(self) -> tuple[np.ndarray, bool]:
        """(n, 2) close points of the curve, seen against z of the joint [m], and whether it is closed."""
        raise NotImplementedError

    @property
    def fastest_way(self) -> float:
        """Largest rate of the way along the curve, of the speed of the child's point beside it [-]."""
        if self.distance == 0.0:
            return 1.0
        return 1.0 / max(1.0 - self.distance / sharpest_bulge(*self.outline, -self.side_sign), SLOWEST_WAY)

    @property
    def farthest(self) -> float:
        """From the parent's joint point to the farthest point of the curve that a flat face can touch [m]."""
        return 0.0

    def touches(self, model: DryTouch) -> tuple[Part, ...]:
        """The one place where it touches."""
        length, (points, closed) = GAP_LENGTH * self.size, self.outline
        return (
            Part(
                name="touch",
                element="curve touch",
                numbers=(
                    -1.0,
                    FACE if self.is_flat else POINT,
                    self.side_sign,
                    self.distance,
                    self.roller,
                    self.distance + (sharpest_bulge(points, closed, self.side_sign) if closed else 0.0),
                    self.farthest,
                ),
                clearance=length,
                reach=self.size,
                deepest_start=DEEPEST_START,
                contact=model.contact,
                friction=model.friction,
                smallest_impact_speed=model.smallest_impact_speed,
            ),
        )


def sharpest_bulge(points: np.ndarray, closed: bool, side: float) -> float:
    """Smallest radius with which a curve bulges to its left (`side` +1) or right (−1), by close points of it [m].

    Nearly 0 at a corner; inf where it bulges nowhere.

    >>> import numpy as np
    >>> from gudgeon.curve_joint import sharpest_bulge
    >>> turns = np.linspace(0, 2 * np.pi, 1000)
    >>> circle = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    >>> round(sharpest_bulge(circle, True, -1.0), 2), sharpest_bulge(circle, True, 1.0)
    (0.9, inf)
    """
    chords = np.diff(points, axis=0)
    chords = chords[np.linalg.norm(chords, axis=1) > 0.0]
    before = np.roll(chords, 1, axis=0)
    if not closed:
        before, chords = before[1:], chords[1:]
    turned = np.arctan2(before[:, 0] * chords[:, 1] - before[:, 1] * chords[:, 0], np.sum(before * chords, axis=1))
    length = 0.5 * (np.linalg.norm(before, axis=1) + np.linalg.norm(chords, axis=1))
    most = float(np.max(-side * turned / length, initial=0.0))
    return BULGE_SEEN / most if most > STRAIGHT / float(np.ptp(points, axis=0).max()) else np.inf


def curve_joints(system: System) -> list[str]:
    """The joints that have a curve, in the order of their lines in `Model.curve`."""
    return [name for name, joint in system.joints.items() if isinstance(joint, CurveJoint)]
