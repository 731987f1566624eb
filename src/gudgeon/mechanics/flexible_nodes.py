"""The nodes of all flexible bodies of a System as flat arrays: elasticity, what follows them, their start."""

from __future__ import annotations

from typing import Any

import numpy as np

from gudgeon.kernels.elements import flexible_arrays as places
from gudgeon.kernels.elements.flexible_arrays import Flexible
from gudgeon.mechanics.carriers import Carriers
from gudgeon.mechanics.coordinates import ReferencePose
from gudgeon.mechanics.state_layout import StateLayout, positions, quaternions, twists
from gudgeon.rotations import rotation_matrix
from gudgeon.system import System


class FlexibleNodes:
    """All flexible bodies; none is allowed, too."""

    def __init__(self, system: System, pose: ReferencePose, carriers: Carriers, layout: StateLayout):
        self.system = system
        self.bodies = carriers.flexible
        self._pose = pose
        self._carriers = carriers
        self.node_names = [
            f"{name}:{node}" for name, body in self.bodies.items() for node in range(body.mesh.node_count)
        ]
        self.unknown_count = 2 * carriers.node_count
        followers, follow, weights = self._followers()
        self.follower_bodies = [line[0] for line in followers]
        self.tables = Flexible(
            place=np.array([layout.displacements.start, layout.rates.start]),
            follower=_table(followers, 4, np.int64),
            follow=np.array(follow, dtype=np.int64),
            follow_weight=_table(weights, 3),
            **carriers.arrays(),
            **self._elastic(),
        )

    def node_at(self, label: str, name: str, point: np.ndarray, displacements: np.ndarray) -> np.ndarray:
        """Where the node at a joint's point of a flexible body, given in its axes, is with these displacements [m]."""
        body, node = self.bodies[name], self._carriers.node_of_joint(label, name, point)
        at, axes = 2 * (self._carriers.first_node[name] + node), rotation_matrix(body.orientation)
        return np.array(body.position) + axes[:, :2] @ (body.rest[node] + displacements[at : at + 2])

    def orientations(self) -> np.ndarray:
        """Reference orientations of the followers (followers, 4)."""
        bodies = list(self.system.bodies.values())
        return _table([bodies[b - 1].orientation for b in self.follower_bodies], 4)

    def start(self, y: np.ndarray, layout: StateLayout) -> None:
        """Displacements and velocities of the nodes from the motion of their bodies as if rigid, into the state y."""
        displacements, rates = y[layout.displacements], y[layout.rates]
        n, names = len(self.system.bodies), list(self.system.bodies)
        place, twist = positions(y, n), twists(y, n)
        for name, body in self.bodies.items():
            b = names.index(name)
            axes = rotation_matrix(body.orientation)
            moved = axes.T @ (place[b] - np.array(body.position))
            turned = axes.T @ rotation_matrix(quaternions(y, n)[b])
            angle = float(np.arctan2(turned[1, 0], turned[0, 0]))
            v = axes.T @ twist[b, :3]
            spin = float(axes[:, 2] @ twist[b, 3:])
            across = np.stack([-body.rest[:, 1], body.rest[:, 0]], axis=1)
            at = 2 * self._carriers.first_node[name]
            own = slice(at, at + 2 * body.mesh.node_count)
            displacements[own] = (moved[:2] + angle * across).reshape(-1)
            rates[own] = (v[:2] + spin * across).reshape(-1)

    def _followers(self):
        """Which bodies follow which nodes: lines, nodes and weights."""
        lines, nodes, weights = [], [], []
        for frame, (name, body) in enumerate(self.bodies.items()):
            model = body.plane_model
            share = model.node_masses / model.total_mass
            inertia = float(model.node_masses @ np.sum(body.rest**2, axis=1))
            turn = model.node_masses[:, None] * np.stack([-body.rest[:, 1], body.rest[:, 0]], axis=1) / inertia
            begin = len(nodes)
            nodes += (self._carriers.first_node[name] + np.arange(len(share))).tolist()
            weights += np.column_stack([share, turn]).tolist()
            lines.append((self._pose.body_index[name], frame, begin, len(nodes)))
        return lines, nodes, weights

    def _elastic(self) -> dict[str, np.ndarray]:
        """Mass, damping, stiffness and weight of all nodes."""
        from scipy.sparse import block_diag, csr_array

        frames, frame_of, rest, mass, damping, weight, blocks = [], [], [], [], [], [], []
        gravity = np.array(self.system.gravity)
        for index, body in enumerate(self.bodies.values()):
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


def _table(lines: Any, columns: int, dtype: Any = float) -> np.ndarray:
    return np.array(lines, dtype=dtype).reshape(-1, columns)
