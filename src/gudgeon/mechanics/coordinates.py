"""Points and directions of the reference pose in the axes of each body, and the joints' free coordinates."""

from __future__ import annotations

import numpy as np

from gudgeon.bodies import GROUND
from gudgeon.checks import known
from gudgeon.curve_joint import CurveJoint, curve_joints
from gudgeon.joint_axes import joint_axes
from gudgeon.joints import Joint
from gudgeon.kernels.dynamics import arrays
from gudgeon.rotations import rotation_matrix
from gudgeon.system import System


class ReferencePose:
    """The poses in which the bodies were described."""

    def __init__(self, system: System):
        self.body_index = {GROUND: 0, **{name: 1 + k for k, name in enumerate(system.bodies)}}
        self._position = {GROUND: np.zeros(3)}
        self._rotation = {GROUND: np.eye(3)}
        turned = rotation_matrix([body.orientation for body in system.bodies.values()])
        for (name, body), rotation in zip(system.bodies.items(), turned, strict=True):
            self._position[name] = np.array(body.position)
            self._rotation[name] = rotation
        self._points: dict[int, tuple[Joint, tuple[np.ndarray, np.ndarray]]] = {}  # by identity of the joint

    def to_body(self, body: str, direction) -> np.ndarray:
        """A world direction in the axes of a body."""
        return self._rotation[body].T @ np.asarray(direction, dtype=float)

    def rotation(self, body: str) -> np.ndarray:
        """R_WB of a body."""
        return self._rotation[body]

    def joint_points(self, joint: Joint) -> tuple[np.ndarray, np.ndarray]:
        """The joint's point in the parent and in the child, each in body axes; zero for a joint without points."""
        if id(joint) not in self._points:
            self._points[id(joint)] = joint, self._joint_points(joint)
        return self._points[id(joint)][1]

    def _joint_points(self, joint: Joint) -> tuple[np.ndarray, np.ndarray]:
        if joint.own_points is not None:
            return np.array(joint.own_points[0]), np.array(joint.own_points[1])
        at = None if joint.at is None else np.array(joint.at)
        if at is None and joint.at_parent is not None:
            at = self._position[joint.parent] + self._rotation[joint.parent] @ known(joint.at_parent)
        if at is None and joint.at_child is not None:
            at = self._position[joint.child] + self._rotation[joint.child] @ known(joint.at_child) - joint.apart
        if at is None:
            return np.zeros(3), np.zeros(3)
        in_parent = self.to_body(joint.parent, at - self._position[joint.parent])
        in_child = self.to_body(joint.child, at + joint.apart - self._position[joint.child])
        if joint.at_parent is not None:
            in_parent = np.array(joint.at_parent)
        if joint.at_child is not None:
            in_child = np.array(joint.at_child)
        return in_parent, in_child

    def child_in_parent(self, joint: Joint) -> np.ndarray:
        """The child's centre of mass from that of the parent, in the parent's axes."""
        return self.to_body(joint.parent, self._position[joint.child] - self._position[joint.parent])

    def anchor(self, joint: Joint) -> np.ndarray:
        """The world point of the parent's joint point."""
        return self._position[joint.parent] + self._rotation[joint.parent] @ self.joint_points(joint)[0]

    def seen(self, joint: Joint) -> np.ndarray:
        """The child's joint point from the parent's, in the joint's own axes."""
        at = self._position[joint.child] + self._rotation[joint.child] @ self.joint_points(joint)[1]
        return np.array(joint.own_axes) @ (at - self.anchor(joint))


class Measures:
    """Collects the joint coordinates that constraints, drives, springs and crossings refer to."""

    def __init__(self, system: System, pose: ReferencePose):
        self._system = system
        self._pose = pose
        self._index: dict[tuple[str, str], int] = {}
        self._rows: list[tuple] = []

    def index(self, joint_name: str, coordinate: str) -> int:
        """The measure of a joint's free coordinate."""
        key = (joint_name, coordinate)
        if key not in self._index:
            joint = self._system.joints[joint_name]
            blocks = joint.blocks()
            for angle in blocks.angles:
                if angle.name == coordinate:
                    self._index[key] = self._add_angle(joint, angle.carrier, angle.axis, angle.arm)
            for displacement in blocks.displacements:
                if displacement.name == coordinate:
                    self._index[key] = self.add_displacement(joint, displacement.axis)
            for way in blocks.ways:
                if way.name == coordinate:
                    self._index[key] = self.add_way(joint_name)
        return self._index[key]

    def add_displacement(self, joint: Joint, axis, points: tuple[np.ndarray, np.ndarray] | None = None) -> int:
        """Displacement of the joint's points, or of others, in body axes, along a direction of the parent."""
        in_parent, in_child = points or self._pose.joint_points(joint)
        h = self._pose.to_body(joint.parent, axis)
        nothing = np.zeros(3)
        return self._add(arrays.DISPLACEMENT, joint, False, h, nothing, nothing, nothing, in_parent, in_child)

    def add_across(self, joint_name: str, which: int) -> int:
        """Displacement of the child's point, or face, from the joint's curve, along one of its normals."""
        joint = self._system.joints[joint_name]
        assert isinstance(joint, CurveJoint)
        if joint.is_flat:
            normal = self._pose.to_body(joint.child, joint_axes(joint)[0][0])
            return self._add_on_curve(arrays.FLAT, joint_name, 0, normal)
        return self._add_on_curve(arrays.ACROSS, joint_name, which, np.array([joint.side_sign, joint.distance, 0.0]))

    def add_way(self, joint_name: str) -> int:
        """The length of the joint's curve from where its point is in the reference pose."""
        joint = self._system.joints[joint_name]
        assert isinstance(joint, CurveJoint)
        return self._add_on_curve(arrays.ALONG, joint_name, 0, np.array([self.begin_of_way(joint), 0.0, 0.0]))

    def begin_of_way(self, joint: CurveJoint) -> float:
        """The length of a joint's curve up to where its point is in the reference pose."""
        profile = joint.profile(self._pose.anchor(joint))
        assert profile.pieces is not None
        return profile.pieces.length_to(self._pose.seen(joint), extruded=profile.extruded)

    def _add_on_curve(self, kind: int, joint_name: str, which: int, numbers: np.ndarray) -> int:
        joint, bodies = self._system.joints[joint_name], self._pose.body_index
        in_parent, in_child = self._pose.joint_points(joint)
        x, y, z = (self._pose.to_body(joint.parent, axis) for axis in joint_axes(joint)[0])
        line = curve_joints(self._system).index(joint_name)
        ends = bodies[joint.parent], bodies[joint.child]
        self._rows.append((kind, *ends, 0, 0, line, which, z, x, y, numbers, in_parent, in_child))
        return len(self._rows) - 1

    def add_from_carrier(self, carrier: int, body: int, axis, point: np.ndarray) -> int:
        """Displacement of a body's point from a carrier, a line of `Work.body`, along a direction in its axes."""
        zero = np.zeros(3)
        vectors = (np.array(axis, dtype=float), zero, zero, zero, zero, point)
        self._rows.append((arrays.DISPLACEMENT, carrier, body, 0, 0, -1, 0, *vectors))
        return len(self._rows) - 1

    def _add_angle(self, joint: Joint, carrier: str, axis, arm) -> int:
        on_child = carrier == "child"
        body, other = (joint.child, joint.parent) if on_child else (joint.parent, joint.child)
        h, f = self._pose.to_body(body, axis), self._pose.to_body(body, arm)
        nothing = np.zeros(3)
        u = self._pose.to_body(other, arm)
        return self._add(arrays.ANGLE, joint, on_child, h, f, np.cross(h, f), u, nothing, nothing)

    def _add(self, kind: int, joint: Joint, on_child: bool, *vectors: np.ndarray) -> int:
        bodies = self._pose.body_index
        tilts = int(joint.axes_may_tilt)
        self._rows.append((kind, bodies[joint.parent], bodies[joint.child], int(on_child), tilts, -1, 0, *vectors))
        return len(self._rows) - 1

    def arrays(self) -> dict[str, np.ndarray]:
        """The measure arrays of the model."""
        columns = arrays.MEASURE_COLUMNS
        return {
            "measure": np.array([row[:columns] for row in self._rows], dtype=np.int64).reshape(-1, columns),
            "measure_vector": np.array([np.concatenate(row[columns:]) for row in self._rows]).reshape(-1, 18),
        }
