"""What a joint looks like: hubs and a pin at revolutes, ball and socket, a block on its rail, a slider in its guide.

Each joint gives parts to its two bodies. `r` is the radius of bars [m], the measure of everything that the description
has no dimensions for; radii of balls and sockets, sizes and play of sliders are the true ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.bodies import GROUND
from gudgeon.guide import Guide
from gudgeon.joints import Cylindrical, Joint, Prismatic, Revolute, Rigid, Spherical, Universal, UniversalPrismatic
from gudgeon.models.dry import Dry
from gudgeon.models.flexible_slider import FlexibleSlider
from gudgeon.models.lubricated import Lubricated
from gudgeon.models.rigid_slider import RigidSlider
from gudgeon.models.surface_contact import SurfaceContact
from gudgeon.view.scene.frames import Frames
from gudgeon.view.scene.parts import Array, Part, axes_along, part, rod

if TYPE_CHECKING:
    from gudgeon.system import System

Pair = tuple[list[Part], list[Part]]  # of the parent, of the child
CUP = 1.35  # how far a socket reaches round its ball, from its pole [rad]


class JointParts:
    """Draws the joints of a system.

    `travel` tells how far a joint's displacement goes [m], `up` is against gravity, `behind` where a slider begins
    behind the plane of its joints [m].
    """

    def __init__(
        self,
        system: System,
        frames: Frames,
        r: float,
        travel: Callable[[str], tuple[float, float]],
        up: Array,
        behind: Callable[[str], float | None],
    ):
        self.system, self.frames, self.r, self.travel, self.up, self.behind = system, frames, r, travel, up, behind

    def of(self, name: str, joint: Joint) -> Pair:
        """The parts of a joint."""
        points = self.frames.joint_points(joint)
        if points is None or isinstance(joint.model, SurfaceContact):
            return [], []
        p, c = points
        if isinstance(joint, Revolute):
            pair = self._revolute(joint, p, c)
        elif isinstance(joint, Spherical):
            pair = self._spherical(joint, p, c)
        elif isinstance(joint, Guide):
            return self._guide(name, joint, p, c)
        elif isinstance(joint, Prismatic | Cylindrical | UniversalPrismatic):
            return self._sliding(name, joint, p, c)
        elif isinstance(joint, Universal):
            pair = self._universal(joint, p, c)
        elif isinstance(joint, Rigid):
            pair = [part("box", (2.4 * self.r,) * 3, p, tone="dark")], []
        else:
            return [], []
        if joint.parent == GROUND:
            axis = np.asarray(getattr(joint, "axis", self.up))
            pair[0].extend(self._stand(p, axis))
        return pair

    def _revolute(self, joint: Revolute, p: Array, c: Array) -> Pair:
        r = self.r
        in_parent, in_child = (self.frames.direction(body, joint.axis) for body in (joint.parent, joint.child))
        pin = part("cylinder", (0.62 * r, 3.3 * r), p, in_parent, "pin")
        tone = "ground" if joint.parent == GROUND else "body"
        fork = part("cylinder", (1.30 * r, 2.7 * r), p, in_parent, tone)
        return [fork, pin], [part("cylinder", (1.62 * r, 1.9 * r), c, in_child)]

    def _spherical(self, joint: Spherical, p: Array, c: Array) -> Pair:
        model, r = joint.model, self.r
        ball, socket = 1.55 * r, 1.68 * r
        ball_on = "child"
        if isinstance(model, Dry | Lubricated):
            ball, socket, ball_on = model.ball_radius, model.socket_radius, model.ball_on
        with_ball, with_cup = (joint.child, joint.parent) if ball_on == "child" else (joint.parent, joint.child)
        at_ball, at_cup = (c, p) if ball_on == "child" else (p, c)
        towards = -at_ball if with_ball != GROUND else -self.up  # where the ball's own body is, from the joint
        if np.linalg.norm(towards) < 1e-9:
            towards = np.array([0.0, 0.0, 1.0])
        world = self.frames.world(with_ball, towards) - self.frames.world(with_ball, np.zeros(3))
        back = -self.frames.direction(with_cup, world)
        cup = part(
            "cup",
            (socket, 1.16 * socket, CUP),
            at_cup,
            back,
            "ground" if with_cup == GROUND else "body",
        )
        held = part("ball", (ball,), at_ball, None, "pin")
        return ([cup], [held]) if ball_on == "child" else ([held], [cup])

    def _sliding(self, name: str, joint: Any, p: Array, c: Array) -> Pair:
        r = self.r
        world = joint.slide if isinstance(joint, UniversalPrismatic) else joint.axis
        in_parent, in_child = (self.frames.direction(body, world) for body in (joint.parent, joint.child))
        low, high = self.travel(f"{name}.displacement")
        beyond = 4.5 * r
        tone = "ground" if joint.parent == GROUND else "body"
        rail = rod(p + (low - beyond) * in_parent, p + (high + beyond) * in_parent, 0.72 * r, "pin")
        for end in (low - beyond, high + beyond):
            rail.append(part("cylinder", (1.25 * r, 0.8 * r), p + end * in_parent, in_parent, tone))
        if joint.parent == GROUND:
            for end in (low - beyond, high + beyond):
                rail += self._stand(p + end * in_parent, np.asarray(world))
        if isinstance(joint, Prismatic):
            up = self.frames.direction(joint.child, self.up)
            return rail, [part("box", (3.0 * r, 3.0 * r, 4.6 * r), c, axes_along(in_child, up))]
        sleeve = [part("tube", (1.7 * r, 4.6 * r, 0.9 * r), c, in_child)]
        if isinstance(joint, UniversalPrismatic):
            sleeve.append(part("ball", (1.9 * r,), c))
        return rail, sleeve

    def _universal(self, joint: Universal, p: Array, c: Array) -> Pair:
        r = self.r
        first = self.frames.direction(joint.parent, joint.axis_parent)
        second = self.frames.direction(joint.child, joint.axis_child)
        parent = [part("cylinder", (0.62 * r, 4.2 * r), p, first, "pin"), part("ball", (1.05 * r,), p, None, "pin")]
        for side in (-1.9, 1.9):
            tone = "ground" if joint.parent == GROUND else "body"
            parent.append(part("cylinder", (1.15 * r, 0.7 * r), p + side * r * first, first, tone))
        child = [part("cylinder", (0.62 * r, 4.2 * r), c, second, "pin")]
        child += [part("cylinder", (1.15 * r, 0.7 * r), c + side * r * second, second) for side in (-1.9, 1.9)]
        return parent, child

    def _guide(self, name: str, joint: Guide, p: Array, c: Array) -> Pair:
        r, model = self.r, joint.model
        along, up = (self.frames.direction(joint.parent, v) for v in (joint.axis, joint.normal))
        length, height, play = 4.6 * r, 3.0 * r, 0.0
        if isinstance(model, RigidSlider):
            length, height, play = model.length, model.height, model.play
        elif isinstance(model, FlexibleSlider):
            body: Any = self.system.bodies[joint.child]
            mesh = model.mesh or body.mesh
            (length, height), play = np.ptp(mesh.nodes, axis=0), model.play
        low, high = self.travel(f"{name}.displacement")
        ends = low - 0.75 * length, high + 0.75 * length
        depth, thick = 0.62 * height, max(0.09 * height, 0.3 * r)
        out = np.cross(along, up)
        axes = np.stack([along, up, out], axis=1)
        behind = self.behind(joint.child)
        back = p if behind is None else p - (0.5 * depth + behind) * out
        tone = "ground" if joint.parent == GROUND else "body"
        walls = [
            part(
                "box",
                (ends[1] - ends[0], thick, depth),
                back + 0.5 * (ends[0] + ends[1]) * along + side * (0.5 * height + play + 0.5 * thick) * up,
                axes,
                tone,
            )
            for side in (-1.0, 1.0)
        ]
        if isinstance(model, FlexibleSlider):
            return walls, []
        own = np.stack([self.frames.direction(joint.child, v) for v in (joint.axis, joint.normal)], axis=1)
        own = np.column_stack([own, np.cross(own[:, 0], own[:, 1])])
        middle = c if behind is None else c - (0.4 * depth + behind) * own[:, 2]
        return walls, [part("box", (length, height, 0.8 * depth), middle, own)]

    def _stand(self, p: Array, axis: Array) -> list[Part]:
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
