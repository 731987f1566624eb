"""Sparse matrices of a mesh: the pattern once, then values added in place. Unknown 2k is u_x of node k, 2k + 1 is u_y.

The pattern comes from the neighbours of each node, not from sorting element entries: linear in the elements.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gudgeon.fem import element
from gudgeon.fem.material import Material
from gudgeon.fem.mesh import Mesh

if TYPE_CHECKING:
    from scipy.sparse import csc_array


class Pattern(NamedTuple):
    """Where the entries of K and M are, in compressed columns; symmetric, so the same in compressed rows."""

    start: np.ndarray  # (node_count + 1,), the neighbours of node k are neighbours[start[k] : start[k + 1]]
    neighbours: np.ndarray  # ascending, the node itself among them
    place: np.ndarray  # (element_count, 4, 4), where row node b stands in the column of node a
    indptr: np.ndarray  # (2 node_count + 1,)
    indices: np.ndarray  # rows of the entries


def pattern(mesh: Mesh) -> Pattern:
    """The sparsity of all matrices of `mesh`.

    >>> from gudgeon.fem import Mesh
    >>> pattern(Mesh.rectangle(1.0, 1.0, 2, 2)).neighbours[:4].tolist()  # node 0 in the corner
    [0, 1, 3, 4]
    """
    from gudgeon.fem import assembly_kernels as kernels

    quads, n = mesh.quads, mesh.node_count
    elements = np.argsort(quads.ravel(), kind="stable") // 4
    first = np.concatenate(([0], np.cumsum(np.bincount(quads.ravel(), minlength=n))))
    start = np.empty(n + 1, dtype=np.int64)
    buffer = np.empty(4 * quads.size, dtype=np.int64)
    kernels.neighbours(quads, first, elements, np.full(n, -1), start, buffer)
    neighbours = buffer[: start[-1]].copy()
    place = np.empty((len(quads), 4, 4), dtype=np.int32)
    kernels.places(quads, start, neighbours, place)
    indptr = np.empty(2 * n + 1, dtype=np.int32)
    indices = np.empty(4 * start[-1], dtype=np.int32)
    kernels.expand(start, neighbours, indptr, indices)
    return Pattern(start, neighbours, place, indptr, indices)


def stiffness(mesh: Mesh, material: Material, where: Pattern | None = None) -> csc_array:
    """K of the whole mesh, sparse (2 node_count, 2 node_count) [N/m].

    >>> from gudgeon.fem import Material, Mesh
    >>> steel = Material(youngs_modulus=210e9, poissons_ratio=0.3, density=7850.0)
    >>> stiffness(Mesh.rectangle(1.0, 1.0, 10, 10), steel).shape
    (242, 242)
    """
    from gudgeon.fem import assembly_kernels as kernels

    where = pattern(mesh) if where is None else where
    data = np.zeros(len(where.indices))
    kernels.scatter_stiffness(mesh.quads, where.start, where.place, element.stiffness(mesh, material), data)
    return _matrix(where, data)


def mass(mesh: Mesh, material: Material, where: Pattern | None = None) -> csc_array:
    """The consistent M of the whole mesh [kg], with the pattern of K.

    >>> from gudgeon.fem import Material, Mesh
    >>> unit = Material(youngs_modulus=1.0, poissons_ratio=0.3, density=1.0)
    >>> float(mass(Mesh.rectangle(3.0, 2.0, 6, 4), unit).sum().round(9))  # 6 kg in x and in y
    12.0
    """
    from gudgeon.fem import assembly_kernels as kernels

    where = pattern(mesh) if where is None else where
    data = np.zeros(len(where.indices))
    kernels.scatter_mass(mesh.quads, where.start, where.place, element.mass(mesh, material), data)
    return _matrix(where, data)


def lumped_mass(mesh: Mesh, material: Material) -> np.ndarray:
    """The mass of each node (node_count,) [kg].

    >>> from gudgeon.fem import Material, Mesh
    >>> unit = Material(youngs_modulus=1.0, poissons_ratio=0.3, density=4.0)
    >>> lumped_mass(Mesh.rectangle(2.0, 1.0, 2, 1), unit).round(9).tolist()
    [1.0, 2.0, 1.0, 1.0, 2.0, 1.0]
    """
    return np.bincount(mesh.quads.ravel(), weights=element.lumped_mass(mesh, material).ravel())


def _matrix(where: Pattern, data: np.ndarray) -> csc_array:
    from scipy.sparse import csc_array

    size = len(where.indptr) - 1
    matrix: Any = csc_array((data, where.indices, where.indptr), shape=(size, size))
    matrix.has_canonical_format = True
    return matrix
