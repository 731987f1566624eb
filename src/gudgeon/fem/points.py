"""Points of a mesh: which nodes carry them, with which weights (the shape functions of the element they lie in)."""

from __future__ import annotations

import numpy as np

from gudgeon.fem.element import shape_functions
from gudgeon.fem.mesh import Mesh

OUTSIDE = 1e-6  # of the reference square, by which rounding may put a point outside its element [-]


def weights_at(mesh: Mesh, point: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Nodes (4,) and weights (4,) whose mean is `point` (2,) [m]; None outside the mesh.

    >>> import numpy as np
    >>> from gudgeon.fem import Mesh
    >>> nodes, weights = weights_at(Mesh.rectangle(2.0, 1.0, 1, 1), np.array([0.5, 0.0]))
    >>> dict(zip(nodes.tolist(), weights.round(9).tolist()))
    {2: 0.75, 3: 0.25, 1: 0.0, 0: 0.0}
    """
    corners = mesh.nodes[mesh.quads]
    low, high = corners.min(axis=1), corners.max(axis=1)
    slack = OUTSIDE * (high - low).max(axis=1, keepdims=True)
    for element in np.flatnonzero(((point >= low - slack) & (point <= high + slack)).all(axis=1)):
        local = np.zeros(2)
        for _ in range(20):  # Newton on the bilinear map
            values, slopes = shape_functions(local)
            local = local + np.linalg.solve(corners[element].T @ slopes, point - values @ corners[element])
        if np.abs(local).max() <= 1.0 + OUTSIDE:
            return mesh.quads[element], shape_functions(np.clip(local, -1.0, 1.0))[0]
    return None


def node_at(mesh: Mesh, point: np.ndarray) -> tuple[int, float]:
    """The node nearest to `point` (2,) [m], and its distance [m].

    >>> import numpy as np
    >>> from gudgeon.fem import Mesh
    >>> node_at(Mesh.rectangle(2.0, 1.0, 1, 1), np.array([2.0, 1.0]))
    (1, 0.0)
    """
    distance = np.linalg.norm(mesh.nodes - point, axis=1)
    node = int(np.argmin(distance))
    return node, float(distance[node])
