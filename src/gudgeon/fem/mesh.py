"""Quadrilateral meshes in the plane: nodes, elements, boundary, corners and flat sides.

All numbers of nodes and elements are array indices, counted from 0. A rectangle is numbered row by row from the top
left, as in the paper of docs/sliders.md, whose node k, counted from 1, is index k − 1 here. 2×2 elements (left) and 4×2
elements (right):

    0 ── 1 ── 2          0 ── 1 ── 2 ── 3 ── 4
    │ e0 │ e1 │          │ e0 │ e1 │ e2 │ e3 │
    3 ── 4 ── 5          5 ── 6 ── 7 ── 8 ── 9
    │ e2 │ e3 │          │ e4 │ e5 │ e6 │ e7 │
    6 ── 7 ── 8         10 ─ 11 ─ 12 ─ 13 ─ 14

Papers count from one: their 5×5 elements have the corners 1, 6, 31, 36, which are the indices 0, 5, 30, 35.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np

from gudgeon.checks import number, vector
from gudgeon.errors import ModelError
from gudgeon.fem import mesh_rules
from gudgeon.quantities import Length, Unit

Side = Literal["upper", "lower", "left", "right"]
_SIDES = {"upper": (1, 1.0), "lower": (1, -1.0), "left": (0, -1.0), "right": (0, 1.0)}  # axis and its sign


@dataclass(frozen=True, kw_only=True, eq=False)
class Mesh:
    """Four-node quadrilaterals in one piece; every node belongs to an element.

    `nodes` are positions, `quads` the four nodes of each element, counter-clockwise. Both become read-only arrays.

    >>> from gudgeon.fem import Mesh
    >>> mesh = Mesh(nodes=[(0, 0), (2, 0), (2, 1), (0, 1)], quads=[(0, 1, 2, 3)])
    >>> mesh.node_count, mesh.element_count, float(mesh.areas[0])
    (4, 1, 2.0)
    """

    nodes: Annotated[Any, Unit("m")]  # (node_count, 2) [m]
    quads: Any  # (element_count, 4)

    def __post_init__(self) -> None:
        nodes, quads = mesh_rules.arrays(self.nodes, self.quads)
        mesh_rules.check_numbers(len(nodes), quads)
        mesh_rules.check_shapes(nodes, quads)
        mesh_rules.check_connection(len(nodes), quads)
        for name, array in (("nodes", nodes), ("quads", quads)):
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    @classmethod
    def rectangle(
        cls, length: Length, height: Length, nx: int, ny: int, *, origin: tuple[Length, Length] = (0.0, 0.0)
    ) -> Mesh:
        """`length` [m] along x and `height` [m] along y in nx × ny equal elements, numbered row by row from the top.

        `origin` is the lower left corner [m].

        >>> from gudgeon.fem import Mesh
        >>> Mesh.rectangle(0.6, 0.5, 5, 5).corners().tolist()  # 1, 6, 31, 36 in the paper of docs/sliders.md
        [0, 5, 30, 35]
        """
        owner = "Mesh.rectangle"
        length, height = number(owner, "length", length), number(owner, "height", height)
        x, y = vector(owner, "origin", origin, 2)
        for name, size in (("length", length), ("height", height)):
            if size <= 0.0:
                raise ModelError(f"{owner}: {name} is {size} m; give a positive length")
        for name, count in (("nx", nx), ("ny", ny)):
            if not isinstance(count, int | np.integer) or isinstance(count, bool) or count < 1:
                raise ModelError(f"{owner}: {name} is {count!r}; give a number of elements, 1 or more")
        mesh_rules.check_size(owner, int(nx) * int(ny))
        xs = x + length * np.arange(nx + 1) / nx
        ys = y + height * np.arange(ny, -1, -1) / ny
        nodes = np.stack(np.broadcast_arrays(xs[None, :], ys[:, None]), axis=-1).reshape(-1, 2)
        upper_left = (np.arange(ny)[:, None] * (nx + 1) + np.arange(nx)).reshape(-1, 1)
        return cls(nodes=nodes, quads=upper_left + np.array([nx + 1, nx + 2, 1, 0]))

    @classmethod
    def read(cls, path: str | Path) -> Mesh:
        """The quadrilaterals of any file that meshio reads: Gmsh, Abaqus, VTK, Nastran and more; coordinates in m.

        Needs the extra `gudgeon[mesh]`. Clockwise elements are turned round, nodes of no element left out.

        >>> from gudgeon.fem import Mesh
        >>> Mesh.read("slider.msh").element_count  # doctest: +SKIP
        1200
        """
        from gudgeon.fem.files import read

        return cls(**read(path))

    @property
    def node_count(self) -> int:
        """How many nodes."""
        return len(self.nodes)

    @property
    def element_count(self) -> int:
        """How many elements."""
        return len(self.quads)

    @cached_property
    def areas(self) -> np.ndarray:
        """Area of each element [m²]."""
        return 0.5 * mesh_rules.cross(*mesh_rules.diagonals(self.nodes, self.quads))

    @cached_property
    def scaled_jacobian(self) -> np.ndarray:
        """Quality of each element: the smallest sine of its four angles, 1 for a rectangle, 0 for a degenerate one."""
        return mesh_rules.sines(self.nodes, self.quads).min(axis=1)

    @cached_property
    def aspect_ratio(self) -> np.ndarray:
        """Longest side over shortest side of each element."""
        lengths = mesh_rules.side_lengths(self.nodes, self.quads)
        return lengths.max(axis=1) / lengths.min(axis=1)

    @cached_property
    def boundary_edges(self) -> np.ndarray:
        """Pairs of nodes (k, 2) of the sides that belong to one element only, the material to their left."""
        sides = mesh_rules.sides(self.quads)
        key = np.sort(sides, axis=1) @ np.array([self.node_count, 1])
        _, index, count = np.unique(key, return_index=True, return_counts=True)
        return sides[np.sort(index[count == 1])]

    @cached_property
    def boundary_nodes(self) -> np.ndarray:
        """The nodes on the boundary, ascending."""
        return np.unique(self.boundary_edges)

    def corners(self, *, angle: float = np.pi / 6) -> np.ndarray:
        """The boundary nodes, ascending, where the boundary turns by more than `angle` [rad].

        >>> from gudgeon.fem import Mesh
        >>> Mesh.rectangle(0.5, 0.3, 2, 2).corners().tolist()
        [0, 2, 6, 8]
        """
        angle = number("Mesh.corners", "angle", angle)
        start, end = self.boundary_edges.T
        along = self.nodes[end] - self.nodes[start]
        along /= np.linalg.norm(along, axis=1, keepdims=True)
        sharp = np.bincount(end, minlength=self.node_count) > 1  # where two loops meet in a node
        before, after = np.full((2, self.node_count, 2), np.nan)
        before[end], after[start] = along, along
        cosine = np.einsum("ij,ij->i", before, after)
        sine = mesh_rules.cross(before, after)
        return np.flatnonzero(sharp | (np.abs(np.arctan2(sine, cosine)) > angle))

    def surface(self, side: Side, *, within: float = 0.0) -> np.ndarray:
        """The nodes of the `upper` or `lower` surface from left to right, of the `left` or `right` one upwards.

        These are the boundary nodes whose distance from the outermost one is at most `within` [m], and those that
        rounding puts beside them.

        >>> from gudgeon.fem import Mesh
        >>> mesh = Mesh.rectangle(0.5, 0.3, 2, 2)
        >>> mesh.surface("upper").tolist(), mesh.surface("lower").tolist()
        ([0, 1, 2], [6, 7, 8])
        """
        if side not in _SIDES:
            raise ModelError(f"Mesh.surface: side is {side!r}; give 'upper', 'lower', 'left' or 'right'")
        within = number("Mesh.surface", "within", within)
        if within < 0.0:
            raise ModelError(f"Mesh.surface: within is {within} m; give a distance of 0 or more")
        axis, sign = _SIDES[side]
        nodes = self.boundary_nodes
        height = sign * self.nodes[nodes, axis]
        rounding = 1e-9 * float(np.ptp(self.nodes, axis=0).max())
        nodes = nodes[height >= height.max() - within - rounding]
        return nodes[np.argsort(self.nodes[nodes, 1 - axis], kind="stable")]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Mesh)
            and np.array_equal(self.nodes, other.nodes)
            and np.array_equal(self.quads, other.quads)
        )

    def __hash__(self) -> int:
        return hash((self.nodes.tobytes(), self.quads.tobytes()))

    def __repr__(self) -> str:
        (left, lower), (right, upper) = self.nodes.min(axis=0), self.nodes.max(axis=0)
        size = f"x {left:.6g}…{right:.6g} m, y {lower:.6g}…{upper:.6g} m"
        return f"Mesh({self.node_count} nodes, {self.element_count} elements, {size})"
