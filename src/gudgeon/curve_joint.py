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

    def touches(self, model: DryTouch) -> tuple[Part, ...]:
        """The one place where it touches."""
        length = GAP_LENGTH * self.size
        return (
            Part(
                name="touch",
                element="curve touch",
                numbers=(-1.0, FACE if self.is_flat else POINT, self.side_sign, self.distance, self.roller),
                clearance=length,
                reach=self.size,
                deepest_start=DEEPEST_START,
                contact=model.contact,
                friction=model.friction,
                smallest_impact_speed=model.smallest_impact_speed,
            ),
        )


def curve_joints(system: System) -> list[str]:
    """The joints that have a curve, in the order of their lines in `Model.curve`."""
    return [name for name, joint in system.joints.items() if isinstance(joint, CurveJoint)]
