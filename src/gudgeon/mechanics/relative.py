"""The tree of a System in relative coordinates as flat arrays, and the way between body states and joint coordinates.

Every link (a body with the joint that carries it) keeps the free coordinates of its joint: slides first, then angles or
a quaternion. A coordinate has the sign of the joint's own (child against parent), also where the tree meets the joint
from its child. Bodies that no ideal joint carries float: three displacements and a quaternion.
"""

from __future__ import annotations

import numpy as np

from gudgeon.bodies import GROUND
from gudgeon.checks import Vec3
from gudgeon.flexible_bodies import flexible_bodies
from gudgeon.joint_axes import triad
from gudgeon.joints import Joint
from gudgeon.kernels.dynamics import arrays
from gudgeon.mechanics.coordinates import ReferencePose
from gudgeon.mechanics.state_layout import positions, quaternions, twists
from gudgeon.rotations import quaternion_of, rotation_matrix, skew, unit
from gudgeon.system import System
from gudgeon.topology.topology import Link, Topology


class Tree:
    """The links of a system: tables of kernels/kinematics/tree.py, names of coordinates, and conversions of states."""

    def __init__(self, system: System, pose: ReferencePose, topology: Topology):
        flexible = flexible_bodies(system)
        links = [link for link in topology.links if link.body not in flexible]  # those follow their nodes
        self.line = {GROUND: 0, **{link.body: k for k, link in enumerate(links, start=1)}}
        self._system, self._pose, self.topology = system, pose, topology
        count = len(links)
        self.table = np.zeros((count + 1, arrays.TREE_COLUMNS), dtype=np.int64)
        self.vector = np.zeros((count + 1, arrays.TREE_VECTOR_COLUMNS))
        self.table[:, arrays.TREE_JOINT] = self.table[:, arrays.HUB] = -1
        self.velocity: list[tuple[int, int]] = []  # place of its position, axis of an angular velocity or −1
        self.position_count = 0
        self.place: dict[str, int] = {}  # of "joint.coordinate" in the state
        for link in links:
            self._add(link)

    @property
    def parents(self) -> list[int]:
        """The inner link of every link."""
        return self.table[:, arrays.TREE_PARENT].tolist()

    def _add(self, link: Link) -> None:
        k = self.line[link.body]
        line, vector = self.table[k], self.vector[k]
        line[arrays.TREE_BODY] = self._pose.body_index[link.body]
        line[arrays.TREE_PARENT] = self.line[link.parent]
        line[arrays.TREE_POSITION], line[arrays.TREE_VELOCITY] = self.position_count, len(self.velocity)
        joint = self._system.joints[link.joint] if link.joint is not None else None
        in_inner, in_outer = np.zeros(3), np.zeros(3)
        if joint is not None:
            in_inner, in_outer = self._pose.joint_points(joint)
            if link.reversed:
                in_inner, in_outer = in_outer, in_inner
        vector[arrays.IN_INNER : arrays.IN_INNER + 3] = in_inner
        vector[arrays.CENTRE : arrays.CENTRE + 3] = -in_outer
        reference = self._pose.to_body(link.parent, np.eye(3)) @ self._pose.to_body(link.body, np.eye(3)).T
        vector[arrays.TURN_INNER : arrays.TURN_INNER + 9] = reference.reshape(-1)
        if joint is None or joint.is_compliant or not joint.blocks().row_count:
            self._float(line, vector)
        else:
            line[arrays.TREE_JOINT] = list(self._system.joints).index(str(link.joint))
            line[arrays.TREE_REVERSED] = link.reversed
            self._carry(line, vector, link, joint, reference)
        line[arrays.FREEDOMS] = len(self.velocity) - line[arrays.TREE_VELOCITY]

    def _float(self, line: np.ndarray, vector: np.ndarray) -> None:
        """Six freedoms: displacement and rotation in the inner body's axes."""
        line[arrays.SLIDES] = 3
        vector[arrays.SLIDE_AXES : arrays.SLIDE_AXES + 9] = np.eye(3).reshape(-1)
        for _ in range(3):
            self._add_scalar()
        self._add_ball(line)

    def _carry(self, line: np.ndarray, vector: np.ndarray, link: Link, joint: Joint, reference: np.ndarray) -> None:
        """The freedoms that the blocks of an ideal joint leave."""
        blocks, sign = joint.blocks(), -1.0 if link.reversed else 1.0
        inner, outer = link.parent, link.body
        if joint.keeps_rows:
            self._carry_in_plane(line, vector, link, blocks.no_displacement[0])
            return
        turning_twice = len(blocks.angles) == 2
        turns_slides = turning_twice or len(blocks.displacements) > 1
        for displacement in blocks.displacements:
            line[arrays.OUTER_SLIDE] = link.reversed and turns_slides  # slides are fixed in the joint's parent
            carrier, at = outer if line[arrays.OUTER_SLIDE] else inner, arrays.SLIDE_AXES + 3 * line[arrays.SLIDES]
            vector[at : at + 3] = sign * self._pose.to_body(carrier, displacement.axis)
            line[arrays.SLIDES] += 1
            self.place[f"{link.joint}.{displacement.name}"] = self._add_scalar()
        if not blocks.angles and not blocks.displacements and blocks.row_count == 3:
            self._add_ball(line)
        angles = blocks.angles[::-1] if link.reversed else blocks.angles
        if angles:
            axis = sign * self._pose.to_body(inner, angles[0].axis)
            line[arrays.TURNS] = arrays.ONE_AXIS
            vector[arrays.INNER_AXIS : arrays.INNER_AXIS + 3] = axis
            vector[arrays.TURN_INNER : arrays.TURN_INNER + 27] = _turn_matrices(axis, reference)
            self.place[f"{link.joint}.{angles[0].name}"] = self._add_scalar()
        if turning_twice:
            axis = sign * self._pose.to_body(outer, angles[1].axis)
            line[arrays.TURNS] = arrays.TWO_AXES
            vector[arrays.OUTER_AXIS : arrays.OUTER_AXIS + 3] = axis
            vector[arrays.TURN_OUTER : arrays.TURN_OUTER + 27] = _turn_matrices(axis, np.eye(3))
            self.place[f"{link.joint}.{angles[1].name}"] = self._add_scalar()

    def _carry_in_plane(self, line: np.ndarray, vector: np.ndarray, link: Link, axis: Vec3) -> None:
        """Five freedoms of a journal that is held along its axis: two displacements across it, and all rotations."""
        line[arrays.SLIDES], line[arrays.OUTER_SLIDE] = 2, link.reversed
        carrier, sign = link.body if link.reversed else link.parent, -1.0 if link.reversed else 1.0
        for slide, direction in enumerate(triad(axis)[:2]):
            at = arrays.SLIDE_AXES + 3 * slide
            vector[at : at + 3] = sign * self._pose.to_body(carrier, direction)
            self._add_scalar()
        self._add_ball(line)

    def _add_scalar(self) -> int:
        self.velocity.append((self.position_count, -1))
        self.position_count += 1
        return self.position_count - 1

    def _add_ball(self, line: np.ndarray) -> None:
        line[arrays.TURNS] = arrays.BALL_TURN
        self.velocity += [(self.position_count, axis) for axis in range(3)]
        self.position_count += 4

    def from_bodies(self, y: np.ndarray) -> np.ndarray:
        """Positions and velocities of the tree's joints from the poses and velocities of the bodies."""
        n = len(self._system.bodies)
        position, rotation = np.zeros((n + 1, 3)), np.tile(np.eye(3), (n + 1, 1, 1))
        velocity, omega = np.zeros((n + 1, 3)), np.zeros((n + 1, 3))
        position[1:], velocity[1:], omega[1:] = positions(y, n), twists(y, n)[:, :3], twists(y, n)[:, 3:]
        for b, q in enumerate(quaternions(y, n)):
            rotation[b + 1] = rotation_matrix(unit(q))
        out = np.zeros(self.position_count + len(self.velocity))
        for line, vector in zip(self.table[1:], self.vector[1:], strict=True):
            o, i = line[arrays.TREE_BODY], self.table[line[arrays.TREE_PARENT], arrays.TREE_BODY]
            at, rate = line[arrays.TREE_POSITION], self.position_count + line[arrays.TREE_VELOCITY]
            inner_arm = rotation[i] @ vector[arrays.IN_INNER : arrays.IN_INNER + 3]
            outer_arm = -rotation[o] @ vector[arrays.CENTRE : arrays.CENTRE + 3]
            d = position[o] + outer_arm - position[i] - inner_arm
            u = velocity[o] + np.cross(omega[o], outer_arm) - velocity[i] - np.cross(omega[i], inner_arm)
            carrier = o if line[arrays.OUTER_SLIDE] else i
            u = u - np.cross(omega[carrier], d)
            slides = line[arrays.SLIDES]
            for s in range(slides):
                axis = rotation[carrier] @ vector[arrays.SLIDE_AXES + 3 * s :][:3]
                out[at + s], out[rate + s] = axis @ d, axis @ u
            at, rate = at + slides, rate + slides
            turned = rotation[i].T @ rotation[o]
            spin = rotation[i].T @ (omega[o] - omega[i])
            first = vector[arrays.INNER_AXIS : arrays.INNER_AXIS + 3]
            second = vector[arrays.OUTER_AXIS : arrays.OUTER_AXIS + 3]
            if line[arrays.TURNS] == arrays.BALL_TURN:
                reference = vector[arrays.TURN_INNER : arrays.TURN_INNER + 9].reshape(3, 3)
                out[at : at + 4], out[rate : rate + 3] = quaternion_of(turned @ reference.T), spin
            elif line[arrays.TURNS] == arrays.ONE_AXIS:
                back = turned @ _at_zero(vector[arrays.TURN_INNER :]).T
                sine = 0.5 * first @ [back[2, 1] - back[1, 2], back[0, 2] - back[2, 0], back[1, 0] - back[0, 1]]
                out[at], out[rate] = np.arctan2(sine, 0.5 * (np.trace(back) - 1.0)), first @ spin
            elif line[arrays.TURNS] == arrays.TWO_AXES:
                reference = _at_zero(vector[arrays.TURN_INNER :])
                out[at] = _angle_about(first, reference @ second, turned @ second)
                out[at + 1] = -_angle_about(second, reference.T @ first, turned.T @ first)
                out[rate], out[rate + 1] = first @ spin, (turned @ second) @ spin
        return out


def _turn_matrices(axis: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """X, Y, Z with (rotation by θ about `axis`) · reference = X + cos θ Y + sin θ Z."""
    along = np.outer(axis, axis)
    return np.concatenate([(part @ reference).reshape(-1) for part in (along, np.eye(3) - along, skew(axis))])


def _at_zero(matrices: np.ndarray) -> np.ndarray:
    """The rotation at θ = 0."""
    return (matrices[:9] + matrices[9:18]).reshape(3, 3)


def _angle_about(axis: np.ndarray, start: np.ndarray, end: np.ndarray) -> float:
    """The angle about `axis` from one perpendicular direction to another."""
    return float(np.arctan2(np.cross(axis, start) @ end, start @ end))
