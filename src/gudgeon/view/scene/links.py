"""Bodies drawn from their joints: bars between joint points, a disc, a bob at the centre of mass, a box of inertia.

What a shape is given for is drawn as that shape, and as nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gudgeon.bodies import GROUND, Body
from gudgeon.cam import Cam
from gudgeon.couplings import Rack
from gudgeon.curve_joint import CurveJoint
from gudgeon.flexible_bodies import flexible_bodies
from gudgeon.joints import Joint, Revolute, Universal
from gudgeon.loads import SpringDamper
from gudgeon.meeting import Meeting
from gudgeon.models.box_in_guide import BoxInGuide
from gudgeon.models.dry import Dry
from gudgeon.models.dry_keyed_shaft import DryKeyedShaft
from gudgeon.models.lubricated import Lubricated
from gudgeon.point_on_curve import PointOnCurve
from gudgeon.view.scene.arrays import Arrays
from gudgeon.view.scene.bumpers import bumpers
from gudgeon.view.scene.couplings import WIDTH, coupled, coupling_parts
from gudgeon.view.scene.curves import CAM_WIDTH, CurveParts
from gudgeon.view.scene.drawn import Drawn, backwards
from gudgeon.view.scene.frames import Frames
from gudgeon.view.scene.gears import disc
from gudgeon.view.scene.joints import BESIDE, joint_parts, yoke_reach
from gudgeon.view.scene.parts import Array, Part, axes_along, bar, inertia_box, of_shape, part, rod

if TYPE_CHECKING:
    from collections.abc import Callable

    from gudgeon.system import System

SLENDER = 0.042  # radius of a bar against the length of a typical body [-]
BEHIND = 1.05  # where a slider and its guide begin behind the bars of their plane, in radii of bars [-]
STOUTEST = 0.17  # the same against that of the shortest one [-]
WHEEL = 0.12  # the same against the radius of a wheel, or the thickness of a box [-]
VISIBLE = 0.004  # a bar is not thinner than this against the whole, as long as it stays slender itself [-]


class Links:
    """The parts of all bodies of a system."""

    def __init__(self, system: System, up: Array, travel: Callable[[str], tuple[float, float]], arrays: Arrays):
        self.system, self.frames, self.arrays = system, Frames(system), arrays
        self.flexible = flexible_bodies(system)
        self.ends = self._joint_points()
        self._wheels = coupled(system, self.frames)
        self.r = self._bar_radius()
        self.drawn = Drawn(system, self.frames, self.r, up, travel, self.behind, self._aside(up))
        self._curves = CurveParts(system, self.frames, self.r, arrays)
        self.bumpers = bumpers(self.drawn, self._arms())

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
                    near = 8.0 * float(np.linalg.norm(np.ptp(others, axis=0))) + 40.0 * self.r
                    if body == GROUND and np.linalg.norm(others - at, axis=1).min() < near:
                        found.append(part("box", (2.6 * self.r,) * 3, at, None, "ground"))
        return found

    def _bar_radius(self) -> float:
        sizes = [size for name in self.system.bodies if (size := self._extent(name)) > 0.0]
        stout = self._stout()
        points = [self.frames.world(name, p) for name, ends in self.ends.items() for p, _ in ends]
        for joint in self.system.joints.values():
            if isinstance(joint, PointOnCurve):
                points += list(np.asarray(joint.curve.points))
        whole = float(np.linalg.norm(np.ptp(points, axis=0))) if points else 0.0
        if not sizes:
            edges = [inertia_box(body.mass, body.inertia)[0].max() for body in self.system.bodies.values()]
            return min([WHEEL * x for x in stout] or ([0.018 * whole] if whole else [0.1 * float(np.median(edges))]))
        longest = max(sizes)
        counted = [size for size in sizes if size > 0.02 * longest]
        usual = min([SLENDER * float(np.median(counted)), STOUTEST * min(counted), *(WHEEL * x for x in stout)])
        return float(max(usual, min([VISIBLE * whole, 0.42 * min(counted), *(0.5 * x for x in stout)])))

    def _stout(self) -> list[float]:
        """What has a size of its own that bars should suit: radii of wheels and cams, thickness of boxes [m]."""
        found = [wheel.radius for pair in self._wheels.values() for wheel in pair]
        for joint in self.system.joints.values():
            if isinstance(joint, Cam):
                found.append(joint.base_radius)
            elif isinstance(joint.model, BoxInGuide):
                found.append(min(joint.model.width, joint.model.height))
            elif isinstance(joint.model, DryKeyedShaft):
                found.append(2.0 * joint.model.shaft.pin_radius)
        return found

    def _aside(self, up: Array) -> dict[str, Array]:
        """How far the bearings of bodies with wheels or cams, and the rails of racks, stand behind these [m]."""
        thick = {wheel.body: WIDTH * self.r for pair in self._wheels.values() for wheel in pair}
        for joint in self.system.joints.values():
            if isinstance(joint, Cam):
                thick[joint.parent] = CAM_WIDTH * joint.base_radius
        found = {
            name: (0.5 * thick[joint.child] + BESIDE * self.r) * backwards(joint.axis, up)
            for name, joint in self.system.joints.items()
            if isinstance(joint, Revolute) and joint.parent == GROUND and joint.child in thick
        }
        for coupling in self.system.couplings.values():
            if isinstance(coupling, Rack) and coupling.pinion in found:
                found[coupling.rack] = found[coupling.pinion]
        return found

    def _arms(self) -> dict[str, Array]:
        """From every joint to the farthest point of its child, in world axes [m]."""
        found = {}
        for name, joint in self.system.joints.items():
            points = self.frames.joint_points(joint)
            if points is not None and joint.child != GROUND:
                ways = np.array([*(p for p, _ in self.ends[joint.child]), np.zeros(3)]) - points[1]
                far = ways[np.argmax(np.linalg.norm(ways, axis=1))]
                found[name] = self.frames.world(joint.child, far) - self.frames.world(joint.child, np.zeros(3))
        return found

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
            of_parent, of_child = self._curves.of(joint) if drawn else joint_parts(self.drawn, name, joint)
            found[joint.parent] += of_parent
            found[joint.child] += of_child
        found[GROUND] += self._anchors()
        for name, parts in coupling_parts(self.drawn, self._wheels, self.arrays).items():
            found[name] += parts
        for carrier, _, parts in self.bumpers.values():
            found[carrier] += parts
        wheels = {wheel.body for pair in self._wheels.values() for wheel in pair}
        wheels |= {joint.parent for joint in self.system.joints.values() if isinstance(joint, Cam)}
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
            if isinstance(joint, Universal):
                return yoke_reach(self.r, joint)
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
        return disc(max(radius, 2.2 * r), 0.9 * r, np.zeros(3), axes_along(axes[0]))


def _distinct(points: list[Array], near: float) -> list[Array]:
    """Points without those that are as good as another one."""
    out: list[Array] = []
    for point in points:
        if all(np.linalg.norm(point - other) > near for other in out):
            out.append(point)
    return out
