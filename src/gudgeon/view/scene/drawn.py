"""What all that draws joints goes by: the measure of what has no dimensions, where is up, how far joints travel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.bodies import GROUND
from gudgeon.view.scene.frames import Frames
from gudgeon.view.scene.parts import Array, Part, part

if TYPE_CHECKING:
    from gudgeon.joints import Joint
    from gudgeon.system import System

Pair = tuple[list[Part], list[Part]]  # of the parent, of the child


def backwards(axis: Any, up: Array) -> Array:
    """Along an axis, away from those who look at the picture: they stand in front, and above (viewer: Views)."""
    axis = np.asarray(axis, dtype=float)
    right = np.eye(3)[0 if abs(up[0]) < 0.9 else 1]
    right = right - (right @ up) * up
    front = np.cross(right / np.linalg.norm(right), up)
    return -axis if axis @ (front + 0.5 * up + 0.25 * right) >= 0.0 else axis


@dataclass(frozen=True)
class Drawn:
    """A system as it is drawn."""

    system: System
    frames: Frames
    r: float  # radius of bars, the measure of everything that the description has no dimensions for [m]
    up: Array  # against gravity
    travel: Callable[[str], tuple[float, float]]  # how far a displacement goes, by its name [m]
    behind: Callable[[str], float | None]  # where a slider begins behind the plane of its joints [m]
    aside: Mapping[str, Array] = field(default_factory=dict)  # where bearings stand beside what turns, world axes [m]

    def tone(self, body: str) -> str:
        """The ground is grey."""
        return "ground" if body == GROUND else "body"

    def directions(self, joint: Joint, world: Any) -> tuple[Array, Array]:
        """A world direction in the axes of parent and child."""
        return self.frames.direction(joint.parent, world), self.frames.direction(joint.child, world)

    def beside(self, name: str) -> Array:
        """How far from its point a joint is drawn, in world axes [m]."""
        return self.aside.get(name, np.zeros(3))

    def stand(self, p: Array, axis: Array) -> list[Part]:
        """What holds a bearing: a foot below it; beside it where the axis is upright."""
        r, down = self.r, -self.up
        if abs(axis @ down) > 0.9 * np.linalg.norm(axis):
            return [part("cylinder", (2.3 * r, 0.9 * r), p + 1.9 * r * down, down, "ground")]
        across = np.cross(axis, down)
        axes = np.stack([across, np.cross(down, across), down], axis=1) / np.linalg.norm(across)
        axes[:, 2] = down
        axes[:, 1] = np.cross(axes[:, 2], axes[:, 0])
        post = part("box", (1.7 * r, 2.2 * r, 3.4 * r), p + 1.9 * r * down, axes, "ground")
        foot = part("box", (5.2 * r, 3.2 * r, 0.8 * r), p + 3.8 * r * down, axes, "ground")
        return [post, foot]
