"""Points that sit on nodes of flexible bodies: to joints and loads they are bodies like any other."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from gudgeon.bodies import FlexibleBody
from gudgeon.errors import ModelError
from gudgeon.fem.points import node_at

NODE_WITHIN = 1e-6  # distance of a joint's point from its node, of the mesh's size [-]


class Carriers:
    """Collects such points, each a line of `Work.body` beyond those of the bodies.

    >>> Carriers({}, 3).arrays()["carrier"].shape
    (0, 3)
    """

    def __init__(self, flexible: dict[str, FlexibleBody], body_count: int):
        self.flexible = flexible
        self.first_node: dict[str, int] = {}  # of each flexible body, among all nodes
        self.node_count = 0
        for name, body in flexible.items():
            self.first_node[name] = self.node_count
            self.node_count += body.mesh.node_count
        self._first_line = 1 + body_count
        self._points: list[tuple[str, tuple[int, ...], tuple[float, ...]]] = []

    def add(self, body: str, nodes: Iterable[int], weights: Iterable[float]) -> int:
        """The line of a point that moves as a weighted mean of nodes of a flexible body."""
        point = (body, tuple(int(node) for node in nodes), tuple(float(weight) for weight in weights))
        if point not in self._points:
            self._points.append(point)
        return self._first_line + self._points.index(point)

    @property
    def count(self) -> int:
        """How many there are so far."""
        return len(self._points)

    def add_node(self, body: str, node: int) -> int:
        """The line of a node."""
        return self.add(body, (node,), (1.0,))

    def node_of_joint(self, label: str, body: str, point: np.ndarray) -> int:
        """The node at a joint's point of a flexible body, given in its axes; ModelError if there is none."""
        flexible = self.flexible[body]
        node, distance = node_at(flexible.mesh, point[:2] + flexible.plane_model.centre_of_mass)
        if distance > NODE_WITHIN * float(np.ptp(flexible.mesh.nodes, axis=0).max()):
            raise ModelError(
                f"{label}: the flexible {body!r} has no node at {tuple(point[:2].round(9).tolist())}; the nearest is "
                f"node {node} at {tuple(flexible.rest[node].round(9).tolist())}, {distance:.3g} m away: move the "
                "joint, or choose elements so that a node lies there"
            )
        return node

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays of the model."""
        lines, nodes, weights, frames = [], [], [], list(self.flexible)
        for body, own, shares in self._points:
            begin = len(nodes)
            nodes += [self.first_node[body] + node for node in own]
            weights += shares
            lines.append((frames.index(body), begin, len(nodes)))
        return {
            "carrier": np.array(lines, dtype=np.int64).reshape(-1, 3),
            "carry": np.array(nodes, dtype=np.int64),
            "carry_weight": np.array(weights, dtype=float),
        }
