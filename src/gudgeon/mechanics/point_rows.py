"""Points at walls, and pins, as flat arrays, where they are rows of a nonsmooth step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gudgeon.guide import Guide
from gudgeon.joint_axes import ALONG_X, axes_about, triad
from gudgeon.joints import Joint, Revolute
from gudgeon.kernels.dynamics import arrays
from gudgeon.kernels.dynamics.arrays import Model
from gudgeon.kernels.elements import point_arrays as places
from gudgeon.kernels.elements.point_arrays import Points
from gudgeon.laws.base import ContactLaw
from gudgeon.laws.dry_friction import DryFriction
from gudgeon.mechanics.carriers import Carriers
from gudgeon.mechanics.coordinates import ReferencePose
from gudgeon.mechanics.guide_walls import WALLS, corners, touches_by_rows, wall
from gudgeon.mechanics.law_rows import LawRows
from gudgeon.models.flexible_slider import FlexibleSlider
from gudgeon.models.impact import ImpactLaw, Newton, Poisson
from gudgeon.models.penalty_pin import PenaltyPin
from gudgeon.models.rigid_slider import RigidSlider
from gudgeon.models.slider import Slider
from gudgeon.rotations import rotation_matrix
from gudgeon.system import System


class PointRows:
    """Collects them, and keeps their compiled laws and parameters alive."""

    def __init__(self, system: System, pose: ReferencePose, carriers: Carriers):
        self.system = system
        self._pose = pose
        self._carriers = carriers
        self._flexible = carriers.flexible
        self._laws = LawRows()
        self.names: list[str] = []  # "joint:corner" or "joint:node", of every point
        self.joints: list[str] = []
        self.parts: list[str] = []
        self.walls: list[str] = []  # "upper" or "lower"
        self.pin_names: list[str] = []
        lines, pins = [], []
        for name, joint in system.joints.items():
            if isinstance(joint, Guide) and isinstance(joint.model, Slider) and touches_by_rows(joint.model):
                lines += self._points(name, joint, joint.model)
            elif isinstance(joint, Revolute) and (
                isinstance(joint.model, PenaltyPin)
                or (not joint.is_real and not {joint.parent, joint.child}.isdisjoint(self._flexible))
            ):
                pins.append(self._pin(name, joint))
        self.tables = Points(
            wall=_table([line for line, _ in lines], places.WALL_COLUMNS, np.int64),
            wall_vector=_table([vector for _, vector in lines], places.WALL_VECTOR_COLUMNS),
            pin=_table([line for line, _ in pins], places.PIN_COLUMNS, np.int64),
            pin_vector=_table([vector for _, vector in pins], places.PIN_VECTOR_COLUMNS),
        )

    @property
    def row_count(self) -> int:
        """Unknown forces of points and pins."""
        return 2 * (len(self.names) + len(self.pin_names))

    def ports(self, model: Model) -> np.ndarray:
        """The unknowns of all nodes that touch something, two by two."""
        t = self.tables
        carried = np.array([node for node, _ in carried_rows(model).values()], dtype=np.int64)
        nodes = np.concatenate([t.wall[:, places.NODE], t.pin[:, places.PIN_NODE], carried])
        first = np.unique(nodes[nodes >= 0])
        return np.stack([first, first + 1], axis=1).reshape(-1)

    @property
    def on_nodes(self) -> list[int]:
        """Joints without constraint rows whose reactions are those of points and pins alone."""
        t, joints = self.tables, list(self.system.joints.values())
        found = {*t.wall[:, places.WALL_JOINT].tolist(), *t.pin[:, places.PIN_JOINT].tolist()}
        return sorted(k for k in found if not isinstance(joints[k].model, RigidSlider))

    @property
    def walls_move(self) -> bool:
        """Whether a wall that nodes can touch is of a moving body."""
        line = self.tables.wall
        return bool(np.any(line[line[:, places.NODE] >= 0, places.WALL_BODY] > 0))

    def row_directions(self, model: Model) -> list[tuple[int, np.ndarray]]:
        """For each unknown force of points and pins: first unknown of its node (−1: none), direction on it."""
        t = self.tables
        bodies = [np.eye(3), *(rotation_matrix(body.orientation) for body in self.system.bodies.values())]
        out = []
        for line, vector in zip(t.wall, t.wall_vector, strict=True):
            for at in (places.OUTWARD, places.ALONG):
                out.append((line[places.NODE], bodies[line[places.WALL_BODY]] @ vector[at : at + 3]))
        for line, vector in zip(t.pin, t.pin_vector, strict=True):
            for at in (places.PIN_ALONG, places.PIN_ACROSS):
                out.append((line[places.PIN_NODE], vector[at : at + 3]))
        flexible, pairs = model.flexible, []
        for node, direction in out:
            plane = np.zeros(2)
            if node >= 0:
                frame = flexible.frame[flexible.frame_of[node // 2]]
                plane = np.array([direction @ frame[:3], direction @ frame[3:6]])
            pairs.append((int(node), plane))
        return pairs

    def _points(self, name: str, joint: Guide, model: Slider) -> list[tuple[np.ndarray, np.ndarray]]:
        label, pose = joint.label(name), self._pose
        in_child = pose.joint_points(joint)[1]
        height = self._height(joint, model)
        lines = []
        call = (0, 0, 0)
        if model.contact is not None:
            call = self._laws.row(f"{label}: contact", model.contact, ContactLaw)
        for surface in WALLS:
            place, axes = wall(joint, pose, surface, height, model.play)
            for point, node, what in self._surface_points(joint, model, surface, in_child):
                line = np.zeros(places.WALL_COLUMNS, dtype=np.int64)
                vector = np.zeros(places.WALL_VECTOR_COLUMNS)
                line[places.WALL_BODY] = pose.body_index[joint.parent]
                line[places.POINT_BODY] = pose.body_index[joint.child]
                line[places.NODE] = node
                line[places.LAW_CALL : places.LAW_CALL + 3] = call
                line[places.WALL_JOINT] = list(self.system.joints).index(name)
                vector[places.IN_WALL : places.IN_WALL + 3] = place
                vector[places.ALONG : places.ALONG + 3], vector[places.OUTWARD : places.OUTWARD + 3] = axes[:2]
                vector[places.IN_POINT : places.IN_POINT + 3] = point
                vector[places.PLAY] = model.play
                if isinstance(model.friction, DryFriction):
                    line[places.STUCK_WITH] = 1
                    vector[places.STATIC], vector[places.KINETIC] = model.friction.static, model.friction.kinetic
                if isinstance(model, RigidSlider) and model.impact is not None:
                    law = model.impact
                    assert isinstance(law, ImpactLaw)
                    line[places.HARD] = 1
                    if isinstance(law, Newton):
                        line[places.IMPACT_LAW] = places.NEWTON
                        vector[places.RESTITUTION] = law.restitution_normal
                        vector[places.RESTITUTION_ALONG] = law.restitution_tangential
                    else:
                        line[places.IMPACT_LAW] = places.POISSON if isinstance(law, Poisson) else places.STRONGE
                        vector[places.RETURNED] = law.restitution_normal
                lines.append((line, vector))
                self.names.append(f"{name}:{what}")
                self.joints.append(name)
                self.parts.append(what)
                self.walls.append(surface)
        return lines

    def _height(self, joint: Guide, model: Slider) -> float:
        if isinstance(model, FlexibleSlider):
            return float(np.ptp(self._flexible[joint.child].mesh.nodes[:, 1]))
        return model.slider_height

    def _surface_points(
        self, joint: Guide, model: Slider, side: str, in_child: np.ndarray
    ) -> Iterator[tuple[np.ndarray, int, str]]:
        """Points that can touch the upper or lower surface: place in the body's axes, unknown, name."""
        if isinstance(model, FlexibleSlider):
            body = self._flexible[joint.child]
            for node in body.mesh.surface("upper" if side == "upper" else "lower").tolist():
                yield np.append(body.rest[node], 0.0), 2 * (self._carriers.first_node[joint.child] + node), str(node)
        elif isinstance(model, RigidSlider):
            for what, corner in corners(joint, model, self._pose, side):
                yield in_child + corner, -1, what

    def _pin(self, name: str, joint: Joint) -> tuple[np.ndarray, np.ndarray]:
        assert isinstance(joint, Revolute)
        pose, label = self._pose, joint.label(name)
        in_parent, in_child = pose.joint_points(joint)
        first, second, in_first, in_second = joint.parent, joint.child, in_parent, in_child
        if first in self._flexible:
            first, second, in_first, in_second = second, first, in_second, in_first
        line = np.zeros(places.PIN_COLUMNS, dtype=np.int64)
        vector = np.zeros(places.PIN_VECTOR_COLUMNS)
        line[places.PIN_FIRST], line[places.PIN_SECOND] = pose.body_index[first], pose.body_index[second]
        line[places.PIN_JOINT], line[places.PIN_ON_CHILD] = list(self.system.joints).index(name), second == joint.child
        line[places.PIN_NODE] = -1
        along, beside = across(np.array(joint.axis))
        if second in self._flexible:
            body = self._flexible[second]
            axes = rotation_matrix(body.orientation)
            along, beside = axes[:, 0], axes[:, 1]
            node = self._carriers.node_of_joint(label, second, in_second)
            line[places.PIN_NODE] = 2 * (self._carriers.first_node[second] + node)
        vector[places.IN_PIN_FIRST : places.IN_PIN_FIRST + 3] = in_first
        vector[places.IN_PIN_SECOND : places.IN_PIN_SECOND + 3] = in_second
        vector[places.PIN_ALONG : places.PIN_ALONG + 3] = along
        vector[places.PIN_ACROSS : places.PIN_ACROSS + 3] = beside
        vector[places.PIN_STIFFNESS] = joint.model.stiffness if isinstance(joint.model, PenaltyPin) else np.inf
        self.pin_names.append(name)
        return line, vector


def carried_rows(model: Model) -> dict[int, tuple[int, np.ndarray]]:
    """The unknown forces of lines of `Model.compliant` that act on a node: its first unknown, direction on it."""
    s, rows = model.flexible, {}
    for line in model.compliant:
        for side, sign in ((arrays.SOCKET, -1.0), (arrays.BALL, 1.0)):
            carrier = line[side] - len(model.body)
            if carrier >= 0:
                frame, first, _ = s.carrier[carrier]
                for c in range(3):
                    plane = sign * s.frame[frame].reshape(3, 3)[:2, c]
                    rows[int(line[arrays.UNKNOWN]) + c] = (2 * int(s.carry[first]), plane)
    return rows


def across(axis: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """World x and y as seen across an axis; another pair where it is along x."""
    along, beside, _ = np.array(triad(axis)) if abs(axis[0]) > ALONG_X else axes_about(axis)
    return along, beside


def _table(lines: Any, columns: int, dtype: Any = float) -> np.ndarray:
    return np.array(lines, dtype=dtype).reshape(-1, columns)
