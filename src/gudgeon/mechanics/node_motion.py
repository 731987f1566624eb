"""Flexible bodies in small motions x = (twists of all bodies, displacements of all nodes along the axes of their body).

The twist of a flexible body follows its nodes, that of a carrier (a line of `Work.body` beyond the bodies') is a
weighted mean of nodes: both are linear in x, and forces go the other way. Nodes have masses m, and feel

    f − K (u + b u̇) − a m u̇ + weight        (Rayleigh damping a, b)

f from what acts on carriers. Without flexible bodies everything here is what it was for bodies alone.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import block_diag, csr_array, diags_array, eye_array, vstack

from gudgeon.mechanics.equations import Equations
from gudgeon.mechanics.least_squares import dense
from gudgeon.mechanics.state_layout import moving


class NodeMotion:
    """The nodes of all flexible bodies of a mechanism; `count` unknowns, none where all bodies are rigid."""

    def __init__(self, equations: Equations):
        s = equations.model.flexible
        self._equations = equations
        self.body_count = len(equations.system.bodies)
        self.line_count = self.body_count + len(s.carrier)
        self.count = len(s.mass)
        self.size = 6 * self.body_count + self.count
        self.mass = s.mass  # [kg]
        self._pins = equations.all_sides.of(equations.node_rows)
        if not self.count:
            return
        self.stiffness = csr_array((s.K_value, s.K_column, s.K_start), shape=(self.count, self.count))  # K
        self.damping = diags_array(s.damping[:, 0] * s.mass) + diags_array(s.damping[:, 1]) @ self.stiffness
        self._followed = self._of_followers()
        self._lines = vstack([eye_array(6 * self.body_count, self.size), self._of_carriers()], format="csr")

    def _of_followers(self) -> np.ndarray:
        """Twists of all bodies by displacements of nodes (6 bodies, nodes' unknowns); of rigid ones none."""
        s, out = self._equations.model.flexible, np.zeros((6 * self.body_count, self.count))
        for body, frame, first, last in s.follower:
            axes, at = s.frame[frame].reshape(3, 3)[:2], 6 * (body - 1)
            for node, (weight, turn_x, turn_y) in zip(s.follow[first:last], s.follow_weight[first:last], strict=True):
                out[at : at + 3, 2 * node : 2 * node + 2] = weight * axes.T
                out[at + 3 : at + 6, 2 * node : 2 * node + 2] = np.outer(np.cross(*axes), (turn_x, turn_y))
        return out

    def _of_carriers(self) -> csr_array:
        """Twists of all carriers by x."""
        s, out = self._equations.model.flexible, np.zeros((6 * len(self._equations.model.flexible.carrier), self.size))
        for k, (frame, first, last) in enumerate(s.carrier):
            for node, weight in zip(s.carry[first:last], s.carry_weight[first:last], strict=True):
                at = 6 * self.body_count + 2 * node
                out[6 * k : 6 * k + 3, at : at + 2] += weight * s.frame[frame].reshape(3, 3)[:2].T
        return csr_array(out)

    def lines(self, x: np.ndarray) -> np.ndarray:
        """The twists of all lines of `Work.body` but the ground's, for one motion or several columns."""
        return self._lines @ x if self.count else x

    def rows(self, matrix: csr_array) -> csr_array:
        """Rows on the twists of all lines as rows on x."""
        return csr_array(matrix @ self._lines) if self.count else matrix

    def both(self, matrix: csr_array) -> csr_array:
        """The derivatives of forces on all lines by their twists as those of forces along x by x."""
        return csr_array(self._lines.T @ matrix @ self._lines) if self.count else matrix

    def elastic(self, matrix: csr_array, part: str) -> csr_array:
        """The same with the `stiffness` or `damping` of the nodes."""
        if not self.count:
            return matrix
        return csr_array(self.both(matrix) - block_diag([csr_array((6 * self.body_count,) * 2), getattr(self, part)]))

    def forces(self, on_lines: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The forces along x in the state y, from those on all lines; elasticity, damping and weight of nodes with."""
        if not self.count:
            return on_lines
        layout, out = self._equations.layout, self._lines.T @ on_lines
        out[6 * self.body_count :] += self._equations.model.flexible.weight
        out[6 * self.body_count :] -= self.stiffness @ y[layout.displacements] + self.damping @ y[layout.rates]
        return out

    def velocity(self, y: np.ndarray) -> np.ndarray:
        """The rates of x in the state y."""
        return np.concatenate([y[moving(self.body_count)], y[self._equations.layout.rates]])

    def rest(self, y: np.ndarray) -> None:
        """Set the velocities in y to zero."""
        y[moving(self.body_count)] = 0.0
        y[self._equations.layout.rates] = 0.0

    def padded(self, x: np.ndarray) -> np.ndarray:
        """Motions of bodies (6 bodies, columns) that no node takes part in, as x."""
        return np.vstack([x, np.zeros((self.count, x.shape[1]))]) if self.count else x

    def with_nodes(self, basis: np.ndarray) -> np.ndarray:
        """Motions of bodies, as x, and one for each unknown of the nodes, of mass one."""
        if not self.count:
            return basis
        own = np.vstack([self._followed, np.eye(self.count)]) / np.sqrt(self.mass)
        return np.hstack([self.padded(basis), own])

    def held(self) -> np.ndarray:
        """The rows of ideal pins at nodes, last evaluated, on x (rows, size)."""
        out = dense(self._pins.matrix(self._equations.work.jacobian, self.line_count))
        return out @ self._lines if self.count else out

    def names(self) -> list[str]:
        """Of the nodes' unknowns: "body:node.x" and "body:node.y"."""
        flexible = self._equations.flexible
        return [f"{name}.{axis}" for name in (flexible.node_names if flexible else ()) for axis in "xy"]
