"""The motions that the joints of a mechanism allow in one position, by recursion along a tree of its joints.

Rows know relative motion only: where joints are closed, a body that moves with its parent in the tree as one rigid
piece violates none of the rows between the two. So from the ground outwards

    x_b = X_b x_parent + y_b,    J_b y_b = right-hand side of the rows between the two,    X_b the rigid transport

with one factorisation of the few rows J_b for each body. Motions T of the tree that also satisfy the rows of the joints
that were cut and of couplings, C T c = 0, are left: a matrix as large as the tree has freedoms, not bodies. Cost grows
linearly with the bodies where freedoms and loops are few, otherwise with the products of bodies and freedoms.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gudgeon.kernels.dynamics import arrays
from gudgeon.mechanics.clusters import row_graph
from gudgeon.mechanics.equations import Equations
from gudgeon.rotations import skew
from gudgeon.topology.graph import Components

RANK_TOLERANCE = 1e-8  # usual one [-]


class JointTree:
    """Which joints make the tree; bodies are numbered from 1, the ground is 0."""

    def __init__(self, equations: Equations):
        self.sides = equations.sides.bodies
        count = 1 + len(equations.system.bodies)
        graph, rows_of = row_graph(self.sides, count)
        parts = Components(graph, ())
        order = sorted(range(len(graph.ends)), key=lambda k: -graph.rows[k])
        tree = [k for k in order if parts.join(*graph.ends[k])]
        neighbours = graph.neighbours(tree)
        self.parents = np.zeros(count, dtype=np.int64)  # of every body; the ground where no row holds it
        self.rows = [np.zeros(0, dtype=np.int64)] * count  # between every body and its parent
        self.order: list[int] = []  # of the bodies, parents first
        reached = [False] * count
        for start in range(count):
            queue = [] if reached[start] else [start]
            for body in queue:
                reached[body] = True
                self.order.append(body)
                for other, edge in neighbours[body]:
                    if not reached[other]:
                        self.parents[other], self.rows[other] = body, np.array(rows_of[edge], dtype=np.int64)
                        queue.append(other)
        follow_nodes = {0, *(equations.flexible.follower_bodies if equations.flexible else ())}
        self.order = [body for body in self.order if body not in follow_nodes]
        self.cut = np.array(sorted({*range(len(self.sides))} - {int(r) for rows in self.rows for r in rows}), dtype=int)
        self.carriers = np.eye(count)  # 1 where a body moves with another one of the tree, or is that
        for body in self.order:
            self.carriers[body] += self.carriers[self.parents[body]]
        self.shapes: dict[int, list[int]] = {}  # bodies by the number of rows that tie them to their parents
        for body in self.order:
            self.shapes.setdefault(len(self.rows[body]), []).append(body)


class _Tie(NamedTuple):
    """The rows J_b between a body and its parent."""

    inverse: np.ndarray  # J_b⁺ (6, rows)
    free: np.ndarray  # (6, freedoms) J_b free = 0
    dependence: np.ndarray  # (rows, redundant rows) μ with μᵀ J_b = 0


class AllowedMotions:
    """The rows last evaluated in `equations.work`, factorised. `mass` is M x of several motions x (6 bodies, columns).

    `basis` are the motions allowed, orthonormal in the masses: Tᵀ M T = 1.
    """

    def __init__(
        self, equations: Equations, tree: JointTree, weight: np.ndarray, mass, tolerance: float = RANK_TOLERANCE
    ):
        """`weight` are masses and moments of inertia of the bodies (6 bodies), that make motions comparable.

        Singular values of scaled rows below the tolerance count as zero. Where bodies are flexible, motions are those
        of node_motion.py, and the rows of ideal pins at nodes come after all others.
        """
        self._nodes = equations.nodes
        self._pins = self._nodes.held()
        self._cut = np.concatenate([tree.cut, len(tree.sides) + np.arange(len(self._pins))])
        self._tree, self._tolerance = tree, tolerance
        self._count = len(weight) // 6
        self._values = equations.work.jacobian[equations.sides.lines]
        position = equations.work.body[: 1 + self._count, arrays.POSITION : arrays.POSITION + 3]
        self._place = skew(position - position[1:].mean(axis=0))  # r̃ of every body
        scale = np.vstack([np.zeros(6), 1.0 / np.sqrt(weight).reshape(-1, 6)])
        self._ties = self._factorised(scale)
        basis = self._tree_basis()
        if basis.size:
            lower = np.linalg.cholesky(basis.T @ mass(self._nodes.padded(basis))[: len(basis)])
            basis = np.linalg.solve(lower, basis.T).T
        basis = self._nodes.with_nodes(basis)
        self._tree_motions = basis
        self.basis = basis
        self._closing_inverse = None  # of C T
        self._loose = np.zeros((0, 0))  # dependences of the cut rows
        if len(self._cut):
            closing = self._cut_rows(basis)
            whole = self._values[tree.cut] * scale[tree.sides[tree.cut]]
            length, possible = np.linalg.norm(closing, axis=1), np.linalg.norm(whole, axis=(1, 2))
            possible = np.concatenate([possible, length[len(whole) :]])  # a node is always free to move
            length = np.where(length > tolerance * possible, length, possible)  # those that hold by themselves
            left, values, right = np.linalg.svd(closing / length[:, None])
            rank = int(np.count_nonzero(values > tolerance * values.max(initial=0.0)))
            self._closing_inverse = (right[:rank].T / values[:rank]) @ left[:, :rank].T / length
            self.basis = basis @ right[rank:].T
            self._loose = left[:, rank:] / length[:, None]

    def _factorised(self, scale: np.ndarray) -> list[_Tie]:
        """The rows of all bodies to their parents; as many rows at once as have one shape."""
        tree = self._tree
        ties = [_Tie(np.zeros((6, 0)), np.zeros((6, 0)), np.zeros((0, 0)))] * (1 + self._count)
        for rows, bodies in tree.shapes.items():
            own = scale[bodies]
            if not rows:
                for body, s in zip(bodies, own, strict=True):
                    ties[body] = ties[body]._replace(free=np.diag(s))
                continue
            which = np.array([tree.rows[body] for body in bodies])
            side = (tree.sides[which, 1] == np.array(bodies)[:, None]).astype(int)
            scaled = self._values[which, side] * own[:, None, :]
            length = np.linalg.norm(scaled, axis=2)
            length[length == 0.0] = 1.0
            left, values, right = np.linalg.svd(scaled / length[:, :, None])
            for k, body in enumerate(bodies):
                rank = int(np.count_nonzero(values[k] > self._tolerance * values[k, 0]))
                inverse = (right[k, :rank].T / values[k, :rank]) @ left[k, :, :rank].T / length[k]
                ties[body] = _Tie(
                    own[k, :, None] * inverse,
                    own[k, :, None] * right[k, rank:].T,
                    left[k, :, rank:] / length[k, :, None],
                )
        return ties

    def _tree_basis(self) -> np.ndarray:
        """(6 bodies, freedoms of the tree) each freedom with all that it carries along."""
        own = np.zeros((1 + self._count, 6, sum(tie.free.shape[1] for tie in self._ties)))
        first = 0
        for body in self._tree.order:
            free = self._ties[body].free
            own[body, :, first : first + free.shape[1]] = free
            first += free.shape[1]
        return self._carried(own)

    def _carried(self, own: np.ndarray) -> np.ndarray:
        """Motions (6 bodies, columns) of bodies that move by `own` (bodies, 6, columns) and with all before them.

        Seen at one point of space rigid motions simply add.
        """
        own[:, :3] += self._place @ own[:, 3:]
        x = np.tensordot(self._tree.carriers, own, 1)
        x[:, :3] -= self._place @ x[:, 3:]
        return x[1:].reshape(6 * self._count, own.shape[2])

    def _cut_rows(self, x: np.ndarray) -> np.ndarray:
        """C x of the cut rows for motions x (6 bodies and nodes, columns)."""
        cut, bodies = self._tree.cut, x[: 6 * self._count]
        moves = np.concatenate([np.zeros((1, 6, x.shape[1])), bodies.reshape(self._count, 6, x.shape[1])])
        out = np.einsum("rsc,rscf->rf", self._values[cut], moves[self._tree.sides[cut]])
        return np.vstack([out, self._pins @ x]) if len(self._pins) else out

    def motion(self, right: np.ndarray) -> np.ndarray:
        """A motion x with J x = right, (6 bodies, columns) for right-hand sides (rows, columns)."""
        own = np.zeros((1 + self._count, 6, right.shape[1]))
        for body in self._tree.order:
            own[body] = self._ties[body].inverse @ right[self._tree.rows[body]]
        found = self._nodes.padded(self._carried(own))
        if self._closing_inverse is not None:
            missing = right[self._cut] - self._cut_rows(found)
            found += self._tree_motions @ (self._closing_inverse @ missing)
        return found

    def _no_multipliers(self) -> np.ndarray:
        return np.zeros(len(self._tree.sides) + len(self._pins))

    def multipliers(self, wrench: np.ndarray) -> np.ndarray:
        """λ of Jᵀ λ = wrench (6 bodies), for a wrench that no allowed motion feels; any where rows are redundant."""
        out = self._no_multipliers()
        if self._closing_inverse is not None:
            out[self._cut] = self._closing_inverse.T @ (self._tree_motions.T @ wrench)
        return self._along_tree(wrench, out)

    def _along_tree(self, wrench: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Complete multipliers of the cut rows by those of the tree."""
        wrench = wrench - self._pins.T @ out[len(self._tree.sides) :] if len(self._pins) else wrench
        felt = np.vstack([np.zeros(6), wrench[: 6 * self._count].reshape(-1, 6)])
        for row in self._tree.cut:
            for side, body in enumerate(self._tree.sides[row]):
                felt[body] -= out[row] * self._values[row, side]
        felt[:, 3:] += (self._place @ felt[:, :3, None])[:, :, 0]
        felt = self._tree.carriers.T @ felt
        felt[:, 3:] -= (self._place @ felt[:, :3, None])[:, :, 0]
        for body in self._tree.order:
            out[self._tree.rows[body]] = self._ties[body].inverse.T @ felt[body]
        return out

    @property
    def has_redundant_rows(self) -> bool:
        """Whether rows depend on each other."""
        return self._loose.size > 0 or any(tie.dependence.size for tie in self._ties)

    def dependences(self) -> list[np.ndarray]:
        """Multipliers μ with Jᵀ μ = 0, one for each redundant row."""
        found = []
        for body in self._tree.order:
            for column in self._ties[body].dependence.T:
                found.append(self._no_multipliers())
                found[-1][self._tree.rows[body]] = column
        for column in self._loose.T:
            one = self._no_multipliers()
            one[self._cut] = column
            found.append(self._along_tree(np.zeros(self._nodes.size), one))
        return found
