"""Points and directions of joints in the axes of their bodies, as the reference pose has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.bodies import GROUND
from gudgeon.rotations import rotation_matrix

if TYPE_CHECKING:
    from gudgeon.joints import Joint
    from gudgeon.system import System

Array = np.ndarray


class Frames:
    """The poses in which the bodies were described."""

    def __init__(self, system: System):
        self._at = {GROUND: np.zeros(3), **{name: np.array(body.position) for name, body in system.bodies.items()}}
        self._turn = {
            GROUND: np.eye(3),
            **{name: rotation_matrix(body.orientation) for name, body in system.bodies.items()},
        }

    def direction(self, body: str, world: Any) -> Array:
        """A world direction in the axes of a body."""
        return self._turn[body].T @ np.asarray(world, dtype=float)

    def point(self, body: str, world: Any) -> Array:
        """A world point in the frame of a body."""
        return self._turn[body].T @ (np.asarray(world, dtype=float) - self._at[body])

    def world(self, body: str, point: Any) -> Array:
        """A point of a body in the world."""
        return self._at[body] + self._turn[body] @ np.asarray(point, dtype=float)

    def joint_points(self, joint: Joint) -> tuple[Array, Array] | None:
        """The joint's point in the parent and in the child; None for a joint that has none."""
        if joint.own_points is not None:
            return np.array(joint.own_points[0]), np.array(joint.own_points[1])
        if joint.at is not None:
            at = np.array(joint.at)
        elif joint.at_parent is not None:
            at = self.world(joint.parent, joint.at_parent)
        elif joint.at_child is not None:
            at = self.world(joint.child, joint.at_child) - np.array(joint.apart)
        else:
            return None
        in_parent = self.point(joint.parent, at) if joint.at_parent is None else np.array(joint.at_parent)
        in_child = self.point(joint.child, at + joint.apart) if joint.at_child is None else np.array(joint.at_child)
        return in_parent, in_child
