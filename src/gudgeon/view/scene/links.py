"""Bodies drawn from their joints: bars between joint points, a disc, a bob at the centre of mass, a box of inertia.

What a shape is given for is drawn as that shape, and as nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gudgeon.bodies import GROUND, Body
from gudgeon.curve_joint import CurveJoint
from gudgeon.flexible_bodies import flexible_bodies
from gudgeon.joints import Joint, Revolute
from gudgeon.loads import SpringDamper
from gudgeon.meeting import Meeting
from gudgeon.models.dry import Dry
from gudgeon.models.lubricated import Lubricated
from gudgeon.view.scene.arrays import Arrays
from gudgeon.view.scene.curves import CurveParts
from gudgeon.view.scene.frames import Frames
from gudgeon.view.scene.gears import gear_wheels
from gudgeon.view.scene.joints import JointParts
from gudgeon.view.scene.parts import Array, Part, bar, inertia_box, of_shape, part, rod

if TYPE_CHECKING:
    from collections.abc import Callable

    from gudgeon.system import System

SLENDER = 0.042  # radius of a bar against the length of a typical body [-]
BEHIND = 1.05  # where a slider and its guide begin behind the bars of their plane, in radii of bars [-]
STOUTEST = 0.17  # the same against that of the shortest one [-]
VISIBLE = 0.004  # a bar is not thinner than this against the whole, as long as it stays slender itself [-]


class Links:
    """The parts of all bodies of a system."""

    def __init__(self, system: System, up: Array, travel: Callable[[str], tuple[float, float]], arrays: Arrays):
        self.system, self.frames, self.arrays = system, Frames(system), arrays
        self.flexible = flexible_bodies(system)
        self.ends = self._joint_points()
        self.r = self._bar_radius()
        self._joints = JointParts(system, self.frames, self.r, travel, up, self.behind)
        self._curves = CurveParts(system, self.frames, self.r, arrays)

    def _joint_points(self) -> dict[str, list[tuple[Array, Joint | None]]]:
        """Of every body its joint points in body axes, and where springs hold it (no joint)."""
        found: dict[str, list[tuple[Array, Joint | None]]] = {GROUND: [], **{name: [] for name in self.system.bodies}}
        for joint in self.system.joints.values():
            points = self.frames.joint_points(joint) if joint.holds else None
            if points is not None:
                found[joint.parent].append((points[0], joint))
                found[joint.child].append((points[1], joint))
        for load in self.system.loads.values():
            if isinstance(load, SpringDamper):
                for body, at in ((load.first, load.at_first), (load.second, load.at_second)):
                    if body != GROUND:
                        found[body].append((np.array(at), None))
        return found

    def _anchors(self) -> list[Part]:
        """Where springs are held by the ground, unless that is far away from everything."""
        others = np.array([self.frames.world(name, p) for name, ends in self.ends.items() for p, _ in ends])
        found: list[Part] = []
        for load in self.system.loads.values():
            if isinstance(load, SpringDamper):
                for body, at in ((load.first, load.at_first), (load.second, load.at_second)):
                    near = float(np.linalg.norm(np.ptp(others, axis=0))) + 40.0 * self.r
                    if body == GROUND and np.linalg.norm(others - at, axis=1).min() < near:
                        found.append(part("box", (2.6 * self.r,) * 3, at, None, "ground"))
        return found

    def _bar_radius(self) -> float:
        sizes = [size for name in self.system.bodies if (size := self._extent(name)) > 0.0]
        if not sizes:
            edges = [inertia_box(body.mass, body.inertia)[0].max() for body in self.system.bodies.values()]
            return 0.1 * float(np.median(edges))
        longest = max(sizes)
        counted = [size for size in sizes if size > 0.02 * longest]
        usual = min(SLENDER * np.median(counted), STOUTEST * min(counted))
        points = [self.frames.world(name, p) for name, ends in self.ends.items() for p, _ in ends]
        whole = float(np.linalg.norm(np.ptp(points, axis=0)))
        return float(max(usual, min(VISIBLE * whole, 0.42 * min(counted))))

    def behind(self, slider: str) -> float | None:
        """How far behind the plane of its joints a slider in a guide begins [m]; None: it is in the middle of it."""
        return BEHIND * self.r if sum(joint is not None for _, joint in self.ends[slider]) > 1 else None

    def _extent(self, name: str) -> float:
        """The largest distance between two joint points of a body, or between one and the centre of mass."""
        points = np.array([p for p, _ in self.ends[name]] + [np.zeros(3)])
        return float(np.linalg.norm(points[:, None] - points[None], axis=2).max())

    def parts(self) -> dict[str, list[Part]]:
        """The parts of the ground and of every body."""
        found: dict[str, list[Part]] = {GROUND: [], **{name: [] for name in self.system.bodies}}
        for name, joint in self.system.joints.items():
            drawn = isinstance(joint, CurveJoint | Meeting)
            of_parent, of_child = self._curves.of(joint) if drawn else self._joints.of(name, joint)
            found[joint.parent] += of_parent
            found[joint.child] += of_child
        found[GROUND] += self._anchors()
        wheels = gear_wheels(self.system, self.frames, self.r)
        for name, parts in wheels.items():
            found[name] += parts
        for name, body in self.system.bodies.items():
            if body.shape is not None:
                found[name] = of_shape(body.shape, self.arrays)
            elif name in self.flexible:
                found[name] = []  # drawn from its mesh
            else:
                found[name] += self._link(name, body, bool(found[name]), name in wheels)
        return found

    def _link(self, name: str, body: Body, drawn: bool, is_wheel: bool) -> list[Part]:
        """What connects the joints of a body."""
        points = _distinct([p for p, _ in self.ends[name]], 0.2 * self.r)
        if not points:
            edges, axes = inertia_box(body.mass, body.inertia)
            return [] if drawn else [part("box", edges, np.zeros(3), axes)]
        if len(points) == 1:
            return [] if is_wheel else self._one_joint(name, body, points[0])
        pairs = [(points[0], points[1])]
        if len(points) == 3:
            pairs = [(points[k], points[(k + 1) % 3]) for k in range(3)]
        elif len(points) > 3:
            middle = np.mean(points, axis=0)
            pairs = [(middle, p) for p in points]
        out: list[Part] = []
        for a, b in pairs:
            out += self._bar(name, a, b)
        return out

    def _bar(self, name: str, a: Array, b: Array) -> list[Part]:
        """Flat between pins of one direction, else round; it ends where a ball or its socket begins."""
        r = self.r
        at = [[j for p, j in self.ends[name] if np.linalg.norm(p - end) < 0.2 * r] for end in (a, b)]
        axes = [self.frames.direction(name, j.axis) for here in at for j in here if isinstance(j, Revolute)]
        sides = [any(isinstance(j, Revolute) for j in here) for here in at]
        along = (b - a) / np.linalg.norm(b - a)
        begin, end = (a + along * self._covered(at[0], name), b - along * self._covered(at[1], name))
        if (end - begin) @ along <= 0.0:
            return []
        if all(sides) and all(abs(abs(axes[0] @ x) - 1.0) < 1e-6 for x in axes) and abs(axes[0] @ along) < 0.5:
            return bar(begin, end, axes[0], 2.0 * r, 1.15 * r)
        return rod(begin, end, 0.8 * r)

    def _covered(self, joints: list[Joint | None], name: str) -> float:
        """How far from a joint point a bar begins: within the socket's wall, within a ball."""
        for joint in joints:
            model = None if joint is None else joint.model
            if joint is not None and isinstance(model, Dry | Lubricated):
                ball_here = (joint.child if model.ball_on == "child" else joint.parent) == name
                return 0.9 * model.ball_radius if ball_here else 1.08 * model.socket_radius
        return 0.0

    def _one_joint(self, name: str, body: Body, at: Array) -> list[Part]:
        """A bar to the centre of mass and a bob there; about its own centre a disc."""
        r = self.r
        if np.linalg.norm(at) > 0.5 * r:
            return [*rod(at, np.zeros(3), 0.8 * r), part("ball", (2.3 * r,), np.zeros(3))]
        axes = [self.frames.direction(name, j.axis) for _, j in self.ends[name] if isinstance(j, Revolute)]
        if len(axes) < len(self.ends[name]):
            return []  # a block on a rail, a ball: drawn with its joint
        radius = float(np.sqrt(2.0 * axes[0] @ np.array(body.inertia) @ axes[0] / body.mass))
        return [part("cylinder", (max(radius, 2.2 * r), 0.9 * r), np.zeros(3), axes[0])]


def _distinct(points: list[Array], near: float) -> list[Array]:
    """Points without those that are as good as another one."""
    out: list[Array] = []
    for point in points:
        if all(np.linalg.norm(point - other) > near for other in out):
            out.append(point)
    return out
