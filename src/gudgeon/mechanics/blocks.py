"""The constraint blocks of a System as flat arrays, joint by joint."""

from __future__ import annotations

from typing import Any

import numpy as np

from gudgeon.drives import Lock
from gudgeon.functions.function import Programs
from gudgeon.joints import Blocks, Revolute
from gudgeon.kernels.dynamics import arrays
from gudgeon.loads import Motor
from gudgeon.mechanics.carriers import Carriers
from gudgeon.mechanics.coordinates import Measures, ReferencePose
from gudgeon.mechanics.elimination import Node
from gudgeon.mechanics.loads import turns_with_parent
from gudgeon.switches import releasable_joints
from gudgeon.system import System


class ConstraintBlocks:
    """Collects constraint blocks, joint by joint, each joint with its drives being one node.

    With `cuts`, only the joints named there have blocks of their own: the tree keeps the others closed. Ideal pins at
    nodes of flexible bodies have rows of a carrier, unless they are `rows` of a nonsmooth step. `switched` are drives,
    locks and couplings that hold for a while.
    """

    def __init__(
        self,
        system: System,
        pose: ReferencePose,
        measures: Measures,
        programs: Programs,
        cuts: tuple[str, ...] | None,
        carriers: Carriers,
        switched: list[str],
        *,
        rows: bool,
    ):
        self.nodes: list[Node] = []
        self.rows: list[dict[str, Any]] = []  # one entry per block
        self._switched = {name: line for line, name in enumerate(switched)}
        flexible, self._pose, self._measures, self._carriers = carriers.flexible, pose, measures, carriers
        releasable = releasable_joints(system)
        drives_of: dict[str, list[str]] = {}
        for name, drive in system.drives.items():
            drives_of.setdefault(drive.joint, []).append(name)
        for index, (name, joint) in enumerate(system.joints.items()):
            parent, child = pose.body_index[joint.parent], pose.body_index[joint.child]
            node = {"node": len(self.nodes), "parent": parent, "child": child}
            own = {**node, "joint": index, "owner": name}
            before = len(self.rows)
            in_tree = cuts is not None and name not in cuts
            on_nodes = joint.parent in flexible or joint.child in flexible
            blocks = Blocks() if joint.is_compliant or in_tree or on_nodes else joint.blocks()
            if on_nodes and not rows and isinstance(joint, Revolute) and not joint.is_compliant:
                self._add_pin(index, name, joint)
                continue
            own["switched"] = self._switched.get(name, -1) if name in releasable else -1
            if blocks.points and own["switched"] >= 0:  # rows whose linear parts may vanish
                for axis in np.eye(3):
                    displacement = measures.add_displacement(joint, tuple(axis))
                    self.rows.append({**own, "kind": arrays.MEASURE, "measure": displacement})
            elif blocks.points:
                in_parent, in_child = pose.joint_points(joint)
                self.rows.append({**own, "kind": arrays.POINTS, "in_parent": in_parent, "in_child": in_child})
            for a, b in blocks.perpendicular:
                in_parent, in_child = pose.to_body(joint.parent, a), pose.to_body(joint.child, b)
                self.rows.append({**own, "kind": arrays.PERPENDICULAR, "in_parent": in_parent, "in_child": in_child})
            for axis in blocks.no_displacement:
                self.rows.append({**own, "kind": arrays.MEASURE, "measure": measures.add_displacement(joint, axis)})
            for which in range(blocks.on_curve):
                self.rows.append({**own, "kind": arrays.MEASURE, "measure": measures.add_across(name, which)})
            own_drives = [drive for drive in drives_of.get(name, ()) if drive not in self._switched]
            for drive in own_drives:
                self._add_drive(system, programs, drive, node)
            own_blocks = self.rows[before:]
            if own_blocks:
                size = sum(_row_count(block) for block in own_blocks)
                changes = any(block["kind"] == arrays.MEASURE for block in own_blocks)
                self.nodes.append(Node(size, parent, child, changes))
            for drive in drives_of.get(name, ()):
                if drive in self._switched:  # of any number on a coordinate: a node of its own
                    self._add_drive(system, programs, drive, {**node, "node": len(self.nodes)})
                    self.nodes.append(Node(1, parent, child, True))
        self._add_couplings(system, pose, measures)
        self._add_rotors(system, pose, measures)

    def _add_drive(self, system: System, programs: Programs, name: str, node: dict[str, Any]) -> None:
        """The row of a drive or lock."""
        drive, program = system.drives[name], -1
        label = f"{type(drive).__name__} {name!r}"
        coordinate = system.coordinate(label, drive.joint, drive.coordinate)
        if not isinstance(drive, Lock):
            program = programs.add_derivatives(label, "value", drive.value, drive.rate, drive.acceleration)
        self.rows.append(
            {
                **node,
                "kind": arrays.MEASURE,
                "measure": self._measures.index(drive.joint, coordinate),
                "program": program,
                "drive": list(system.drives).index(name),
                "switched": self._switched.get(name, -1),
                "owner": name,
            }
        )

    def _add_couplings(self, system: System, pose: ReferencePose, measures: Measures) -> None:
        """Rows between two joint coordinates, each a node of its own on the bodies of both joints."""
        for name, coupling in system.couplings.items():
            if coupling.is_elastic:
                continue
            pairs, which = system.coupled(name), []
            ends: list[int] = []
            for joint_name, coordinate in pairs:
                joint = system.joints[joint_name]
                which.append(measures.index(joint_name, coordinate))
                ends += [pose.body_index[joint.parent], pose.body_index[joint.child]]
            node = {"node": len(self.nodes)}
            self.rows.append(
                {
                    **node,
                    "switched": self._switched.get(name, -1),
                    "kind": arrays.COUPLING,
                    "parent": ends[0],
                    "child": ends[1],
                    "measure": which[0],
                    "second": which[1],
                    "in_parent": coupling.ratio,
                    "owner": name,
                }
            )
            self.rows.append({**node, "kind": arrays.ECHO, "parent": ends[2], "child": ends[3], "owner": ""})
            self.nodes.append(Node(1, ends[0], ends[1], True, (ends[2], ends[3])))

    def _add_rotors(self, system: System, pose: ReferencePose, measures: Measures) -> None:
        """The rows of rotors; where one turns with the parent, its momentum reaches the ground."""
        for name, motor in system.loads.items():
            if not isinstance(motor, Motor) or motor.rotor_inertia == 0.0:
                continue
            joint = system.joints[motor.joint]
            parent, child = pose.body_index[joint.parent], pose.body_index[joint.child]
            coordinate = system.coordinate(f"Motor {name!r}", motor.joint, motor.coordinate)
            with_parent = turns_with_parent(coordinate)
            self.rows.append(
                {
                    "node": len(self.nodes),
                    "kind": arrays.ROTOR,
                    "parent": parent,
                    "child": child,
                    "measure": measures.index(motor.joint, coordinate),
                    "in_parent": (motor.gear_ratio, motor.rotor_inertia, float(with_parent)),
                    "owner": "",
                }
            )
            self.nodes.append(Node(1, parent, child, True, (0,) if with_parent else ()))

    def _add_pin(self, index: int, name: str, joint: Revolute) -> None:
        """Two displacements of the rigid body's point from a node of the flexible one, along that one's axes."""
        child_first = int(joint.child in self._carriers.flexible)
        bodies, points = (joint.parent, joint.child), self._pose.joint_points(joint)
        flexible, body = bodies[child_first], bodies[1 - child_first]
        at, point = points[child_first], points[1 - child_first]
        carrier = self._carriers.add_node(flexible, self._carriers.node_of_joint(joint.label(name), flexible, at))
        for axis in ((1, 0, 0), (0, 1, 0)):
            self.rows.append(
                {
                    "node": len(self.nodes),
                    "parent": carrier,
                    "child": self._pose.body_index[body],
                    "joint": index,
                    "owner": name,
                    "kind": arrays.MEASURE,
                    "measure": self._measures.add_from_carrier(carrier, self._pose.body_index[body], axis, point),
                    "child_first": child_first,
                }
            )
        self.nodes.append(Node(2, carrier, self._pose.body_index[body]))

    def add_link(self, body: int) -> None:
        """A weld between two shares of one body."""
        node = 1 + max((block["node"] for block in self.rows), default=-1)
        self.rows.append({"kind": arrays.LINK, "parent": body, "child": body, "node": node, "owner": ""})

    def arrays(self, first_row: np.ndarray) -> tuple[dict[str, np.ndarray], tuple[str, ...]]:
        """The block arrays of the model, and the owner of each row."""
        next_row = first_row.copy()
        owners = [""] * (6 * len(first_row))
        lines, vectors = [], []
        for block in self.rows:
            row, count = next_row[block["node"]], _row_count(block)
            owners[row : row + count] = [block["owner"]] * count
            next_row[block["node"]] += count
            optional = [block.get(key, -1) for key in ("measure", "program", "joint", "drive")]
            last = (block.get("child_first", 0), block.get("second", -1), block.get("switched", -1))
            lines.append((block["kind"], block["parent"], block["child"], row, count, *optional, *last))
            vectors.append((*block.get("in_parent", np.zeros(3)), *block.get("in_child", np.zeros(3))))
        table = {
            "block": np.array(lines, dtype=np.int64).reshape(-1, arrays.BLOCK_COLUMNS),
            "block_vector": np.array(vectors, dtype=float).reshape(-1, 6),
        }
        return table, tuple(owners)


def _row_count(block: dict[str, Any]) -> int:
    return {arrays.POINTS: 3, arrays.LINK: 6}.get(block["kind"], 1)
