"""Sliders in guides, pins and flexible bodies of a System as flat arrays, and what their lines are called."""

from __future__ import annotations

from typing import Any

import numpy as np

from gudgeon.guide import Guide
from gudgeon.joints import Joint, Revolute, triad
from gudgeon.kernels.dynamics import arrays
from gudgeon.kernels.dynamics.arrays import Model
from gudgeon.kernels.elements import slider_arrays as places
from gudgeon.kernels.elements.slider_arrays import Sliders
from gudgeon.laws.base import ContactLaw
from gudgeon.laws.dry_friction import DryFriction
from gudgeon.laws.forms import law_form
from gudgeon.mechanics.carriers import Carriers
from gudgeon.mechanics.coordinates import ReferencePose
from gudgeon.mechanics.guide_walls import WALLS, corners, touches_by_rows, wall
from gudgeon.mechanics.state_layout import positions, quaternions, twists
from gudgeon.models.flexible_slider import FlexibleSlider
from gudgeon.models.impact import ImpactLaw, Newton, Poisson
from gudgeon.models.penalty_pin import PenaltyPin
from gudgeon.models.rigid_slider import RigidSlider
from gudgeon.models.slider import Slider
from gudgeon.rotations import rotation_matrix
from gudgeon.system import System


class SliderJoints:
    """Collects flexible bodies; where they are `rows` of a nonsmooth step also contacts of guides, and pins.

    Keeps their compiled laws and parameters alive.
    """

    def __init__(self, system: System, pose: ReferencePose, carriers: Carriers, first_state: int, *, rows: bool):
        self.system = system
        self.flexible = carriers.flexible
        self._pose = pose
        self._carriers = carriers
        self._first_node = carriers.first_node
        self._keep: list[Any] = []
        self.contact_names: list[str] = []  # "joint:corner" or "joint:node"
        self.contact_joint: list[str] = []
        self.contact_surface: list[str] = []  # "upper" or "lower"
        self.pin_names: list[str] = []
        self.node_names = [
            f"{name}:{node}" for name, body in self.flexible.items() for node in range(body.mesh.node_count)
        ]
        self.unknown_count = 2 * carriers.node_count
        self.first_state = first_state
        self.rows = rows
        contacts, pins = [], []
        for name, joint in system.joints.items() if rows else ():
            if isinstance(joint, Guide) and isinstance(joint.model, Slider) and touches_by_rows(joint.model):
                contacts += self._contacts(name, joint, joint.model)
            elif isinstance(joint, Revolute) and (
                isinstance(joint.model, PenaltyPin) or {joint.parent, joint.child} & set(self.flexible)
            ):
                pins.append(self._pin(name, joint))
        self._contact_lines, self._pin_lines = contacts, pins
        followers, follow, weights = self._followers()
        self.follower_bodies = [line[0] for line in followers]
        self.tables = Sliders(
            contact=_table([line for line, _ in contacts], places.CONTACT_COLUMNS, np.int64),
            contact_vector=_table([vector for _, vector in contacts], places.CONTACT_VECTOR_COLUMNS),
            pin=_table([line for line, _ in pins], places.PIN_COLUMNS, np.int64),
            pin_vector=_table([vector for _, vector in pins], places.PIN_VECTOR_COLUMNS),
            place=np.array([first_state, first_state + self.unknown_count]),
            follower=_table(followers, 4, np.int64),
            follow=np.array(follow, dtype=np.int64),
            follow_weight=_table(weights, 3),
            **carriers.arrays(),
            **self._elastic(),
        )

    @property
    def row_count(self) -> int:
        """Unknown forces of contacts and pins."""
        return 2 * (len(self.contact_names) + len(self.pin_names))

    def orientations(self) -> np.ndarray:
        """Reference orientations of the followers (followers, 4)."""
        bodies = list(self.system.bodies.values())
        return _table([bodies[b - 1].orientation for b in self.follower_bodies], 4)

    def carried_rows(self, model: Model) -> dict[int, tuple[int, np.ndarray]]:
        """The unknown forces of lines of `Model.compliant` that act on a node: its first unknown, direction on it."""
        t, rows = self.tables, {}
        for line in model.compliant:
            for side, sign in ((arrays.SOCKET, -1.0), (arrays.BALL, 1.0)):
                carrier = line[side] - len(model.body)
                if carrier >= 0:
                    frame, first, _ = t.carrier[carrier]
                    for c in range(3):
                        plane = sign * t.frame[frame].reshape(3, 3)[:2, c]
                        rows[int(line[arrays.UNKNOWN]) + c] = (2 * int(t.carry[first]), plane)
        return rows

    def ports(self, model: Model) -> np.ndarray:
        """The unknowns of all nodes that touch something, two by two."""
        t = self.tables
        carried = np.array([node for node, _ in self.carried_rows(model).values()], dtype=np.int64)
        nodes = np.concatenate([t.contact[:, places.NODE], t.pin[:, places.PIN_NODE], carried])
        first = np.unique(nodes[nodes >= 0])
        return np.stack([first, first + 1], axis=1).reshape(-1)

    @property
    def on_nodes(self) -> list[int]:
        """Joints without constraint rows whose reactions are those of contacts and pins alone."""
        t, joints = self.tables, list(self.system.joints.values())
        found = {*t.contact[:, places.CONTACT_JOINT].tolist(), *t.pin[:, places.PIN_JOINT].tolist()}
        return sorted(k for k in found if not isinstance(joints[k].model, RigidSlider))

    @property
    def guides_move(self) -> bool:
        """Whether the guide of a flexible slider is a moving body."""
        contact = self.tables.contact
        return bool(np.any(contact[contact[:, places.NODE] >= 0, places.GUIDE] > 0))

    def row_directions(self) -> list[tuple[int, np.ndarray]]:
        """For each unknown force of contacts and pins: first unknown of its node (−1: none), direction on it."""
        t = self.tables
        bodies = [np.eye(3), *(rotation_matrix(body.orientation) for body in self.system.bodies.values())]
        out = []
        for line, vector in zip(t.contact, t.contact_vector, strict=True):
            for at in (places.OUTWARD, places.ALONG):
                out.append((line[places.NODE], bodies[line[places.GUIDE]] @ vector[at : at + 3]))
        for line, vector in zip(t.pin, t.pin_vector, strict=True):
            for at in (places.PIN_ALONG, places.PIN_ACROSS):
                out.append((line[places.PIN_NODE], vector[at : at + 3]))
        frames = t.frame
        pairs = []
        for node, direction in out:
            plane = np.zeros(2)
            if node >= 0:
                frame = frames[t.frame_of[node // 2]]
                plane = np.array([direction @ frame[:3], direction @ frame[3:6]])
            pairs.append((int(node), plane))
        return pairs

    def start(self, y: np.ndarray) -> None:
        """Displacements and velocities of the nodes from the motion of their bodies as if rigid, into the state y."""
        n, names = len(self.system.bodies), list(self.system.bodies)
        place, twist = positions(y, n), twists(y, n)
        for name, body in self.flexible.items():
            b = names.index(name)
            axes = rotation_matrix(body.orientation)
            moved = axes.T @ (place[b] - np.array(body.position))
            turned = axes.T @ rotation_matrix(quaternions(y, n)[b])
            angle = float(np.arctan2(turned[1, 0], turned[0, 0]))
            v = axes.T @ twist[b, :3]
            spin = float(axes[:, 2] @ twist[b, 3:])
            across = np.stack([-body.rest[:, 1], body.rest[:, 0]], axis=1)
            at = self.first_state + 2 * self._first_node[name]
            size = 2 * body.mesh.node_count
            y[at : at + size] = (moved[:2] + angle * across).reshape(-1)
            at += self.unknown_count
            y[at : at + size] = (v[:2] + spin * across).reshape(-1)

    def _contacts(self, name: str, joint: Guide, model: Slider) -> list[tuple[np.ndarray, np.ndarray]]:
        label, pose = joint.label(name), self._pose
        in_child = pose.joint_points(joint)[1]
        height = self._height(joint, model)
        lines = []
        call = (0, 0, 0)
        if model.contact is not None:
            form = law_form(f"{label}: contact", model.contact, ContactLaw)
            function, parameters = form.compiled(f"{label}: contact"), np.array(form.parameters or (0.0,))
            self._keep += [function, parameters]
            call = (form.call, function.address, parameters.ctypes.data)
        for surface in WALLS:
            place, axes = wall(joint, pose, surface, height, model.play)
            for point, node, what in self._surface_points(joint, model, surface, in_child):
                line = np.zeros(places.CONTACT_COLUMNS, dtype=np.int64)
                vector = np.zeros(places.CONTACT_VECTOR_COLUMNS)
                line[places.GUIDE] = pose.body_index[joint.parent]
                line[places.SLIDER] = pose.body_index[joint.child]
                line[places.NODE] = node
                line[places.LAW_CALL : places.LAW_CALL + 3] = call
                line[places.CONTACT_JOINT] = list(self.system.joints).index(name)
                vector[places.IN_GUIDE : places.IN_GUIDE + 3] = place
                vector[places.ALONG : places.ALONG + 3], vector[places.OUTWARD : places.OUTWARD + 3] = axes[:2]
                vector[places.IN_SLIDER : places.IN_SLIDER + 3] = point
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
                self.contact_names.append(f"{name}:{what}")
                self.contact_joint.append(name)
                self.contact_surface.append(surface)
        return lines

    def _height(self, joint: Guide, model: Slider) -> float:
        if isinstance(model, FlexibleSlider):
            return float(np.ptp(self.flexible[joint.child].mesh.nodes[:, 1]))
        return model.slider_height

    def _surface_points(self, joint: Guide, model: Slider, side: str, in_child: np.ndarray):
        """Points that can touch the upper or lower surface: place in the body's axes, unknown, name."""
        if isinstance(model, FlexibleSlider):
            body = self.flexible[joint.child]
            for node in body.mesh.surface("upper" if side == "upper" else "lower").tolist():
                yield np.append(body.rest[node], 0.0), 2 * (self._first_node[joint.child] + node), str(node)
        elif isinstance(model, RigidSlider):
            for what, corner in corners(joint, model, self._pose, side):
                yield in_child + corner, -1, what

    def _pin(self, name: str, joint: Joint) -> tuple[np.ndarray, np.ndarray]:
        assert isinstance(joint, Revolute)
        pose, label = self._pose, joint.label(name)
        in_parent, in_child = pose.joint_points(joint)
        first, second, in_first, in_second = joint.parent, joint.child, in_parent, in_child
        if first in self.flexible:
            first, second, in_first, in_second = second, first, in_second, in_first
        line = np.zeros(places.PIN_COLUMNS, dtype=np.int64)
        vector = np.zeros(places.PIN_VECTOR_COLUMNS)
        line[places.PIN_FIRST], line[places.PIN_SECOND] = pose.body_index[first], pose.body_index[second]
        line[places.PIN_JOINT], line[places.PIN_ON_CHILD] = list(self.system.joints).index(name), second == joint.child
        line[places.PIN_NODE] = -1
        along, beside = across(np.array(joint.axis))
        if second in self.flexible:
            body = self.flexible[second]
            axes = rotation_matrix(body.orientation)
            along, beside = axes[:, 0], axes[:, 1]
            node = self._carriers.node_of_joint(label, second, in_second)
            line[places.PIN_NODE] = 2 * (self._first_node[second] + node)
        vector[places.IN_PIN_FIRST : places.IN_PIN_FIRST + 3] = in_first
        vector[places.IN_PIN_SECOND : places.IN_PIN_SECOND + 3] = in_second
        vector[places.PIN_ALONG : places.PIN_ALONG + 3] = along
        vector[places.PIN_ACROSS : places.PIN_ACROSS + 3] = beside
        vector[places.PIN_STIFFNESS] = joint.model.stiffness if isinstance(joint.model, PenaltyPin) else np.inf
        self.pin_names.append(name)
        return line, vector

    def _followers(self):
        """Which bodies follow which nodes: lines, nodes and weights."""
        lines, nodes, weights = [], [], []
        for frame, (name, body) in enumerate(self.flexible.items()):
            model = body.plane_model
            share = model.node_masses / model.total_mass
            inertia = float(model.node_masses @ np.sum(body.rest**2, axis=1))
            turn = model.node_masses[:, None] * np.stack([-body.rest[:, 1], body.rest[:, 0]], axis=1) / inertia
            begin = len(nodes)
            nodes += (self._first_node[name] + np.arange(len(share))).tolist()
            weights += np.column_stack([share, turn]).tolist()
            lines.append((self._pose.body_index[name], frame, begin, len(nodes)))
        return lines, nodes, weights

    def _elastic(self) -> dict[str, np.ndarray]:
        """Mass, damping, stiffness and weight of all nodes."""
        from scipy.sparse import block_diag, csr_array

        frames, frame_of, rest, mass, damping, weight, blocks = [], [], [], [], [], [], []
        gravity = np.array(self.system.gravity)
        for index, body in enumerate(self.flexible.values()):
            axes, model = rotation_matrix(body.orientation), body.plane_model
            frames.append((*axes[:, 0], *axes[:, 1], *body.position))
            frame_of += [index] * body.mesh.node_count
            rest.append(body.rest.reshape(-1))
            masses = np.repeat(model.node_masses, 2)
            mass.append(masses)
            damping.append(np.tile([body.damping.mass, body.damping.stiffness], (len(masses), 1)))
            weight.append(masses * np.tile(axes[:, :2].T @ gravity, body.mesh.node_count))
            blocks.append(model.K)
        stiffness = csr_array(block_diag(blocks, format="csr")) if blocks else csr_array((0, 0))
        stiffness.sort_indices()
        return {
            "frame": _table(frames, places.FRAME_COLUMNS),
            "frame_of": np.array(frame_of, dtype=np.int64),
            "rest": np.concatenate([np.zeros(0), *rest]),
            "mass": np.concatenate([np.zeros(0), *mass]),
            "damping": np.concatenate([np.zeros((0, 2)), *damping]),
            "weight": np.concatenate([np.zeros(0), *weight]),
            "K_start": stiffness.indptr.astype(np.int64),
            "K_column": stiffness.indices.astype(np.int64),
            "K_value": stiffness.data.astype(float),
        }


def across(axis: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """World x and y as seen across an axis; another pair where it is along x."""
    along = np.eye(3)[0] - axis[0] * axis
    if np.linalg.norm(along) < 1e-6:
        along = np.array(triad(tuple(axis.tolist()))[0])
    along = along / np.linalg.norm(along)
    return along, np.cross(axis, along)


def _table(lines: Any, columns: int, dtype: Any = float) -> np.ndarray:
    return np.array(lines, dtype=dtype).reshape(-1, columns)
