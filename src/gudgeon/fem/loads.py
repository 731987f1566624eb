"""Loads as nodal forces (node_count, 2) [N] that do the same work: f_a = ∫ N_a b t dA and f_a = ∫ N_a p t ds.

They add up: `gravity(model, …) + point_load(model, …)`. 2×2 Gauss points inside, two on a side, exact for loads that
vary linearly (on a straight side, up to the square).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gudgeon.checks import vector
from gudgeon.errors import ModelError
from gudgeon.fem.element import GAUSS, gradients, shape_functions
from gudgeon.fem.model import PlaneModel, node_number

_POINTS = 0.5 + np.array([-0.5, 0.5]) / np.sqrt(3.0)  # Gauss points of a side of length 1, weights 1/2
Field = tuple[float, float] | Callable[[np.ndarray, np.ndarray], Any]


def gravity(model: PlaneModel, acceleration: tuple[float, float]) -> np.ndarray:
    """Weight in a uniform field of `acceleration` [m/s²], the same for lumped and consistent mass.

    >>> from gudgeon.fem import Material, Mesh, PlaneModel, gravity
    >>> material = Material(youngs_modulus=1000.0, poissons_ratio=0.3, density=1 / 3)
    >>> model = PlaneModel(mesh=Mesh.rectangle(0.6, 0.5, 5, 5), material=material)
    >>> gravity(model, (0.0, -9.81)).sum(axis=0).round(9).tolist()
    [0.0, -0.981]
    """
    return model.node_masses[:, None] * np.array(vector("gravity", "acceleration", acceleration, 2))


def body_force(model: PlaneModel, density: Field) -> np.ndarray:
    """A force per volume [N/m³]: two numbers, or a function of the arrays x, y [m] that returns two arrays.

    >>> from gudgeon.fem import Material, Mesh, PlaneModel, body_force
    >>> material = Material(youngs_modulus=1000.0, poissons_ratio=0.3, density=1 / 3, thickness=0.5)
    >>> model = PlaneModel(mesh=Mesh.rectangle(2.0, 1.0, 4, 2), material=material)
    >>> body_force(model, lambda x, y: (x, 0 * x)).sum(axis=0).round(9).tolist()  # ½ m · 1 m · ∫ x dx
    [1.0, 0.0]
    """
    mesh = model.mesh
    shape, _ = shape_functions(GAUSS)
    values = _field("body_force", "density", density, shape @ mesh.nodes[mesh.quads])
    volume = model.material.thickness * gradients(mesh).area
    return _collect(mesh.node_count, mesh.quads, np.einsum("eg,ga,egi->eai", volume, shape, values))


def edge_load(model: PlaneModel, edges: Any, traction: Field) -> np.ndarray:
    """A force per area [Pa] on `edges` (k, 2), pairs of neighbouring nodes: two numbers, or a function of x, y [m].

    >>> from gudgeon.fem import Material, Mesh, PlaneModel, edge_load
    >>> material = Material(youngs_modulus=1000.0, poissons_ratio=0.3, density=1 / 3)
    >>> mesh = Mesh.rectangle(2.0, 1.0, 4, 2)
    >>> model = PlaneModel(mesh=mesh, material=material)
    >>> top = mesh.surface("upper")
    >>> edge_load(model, list(zip(top[:-1], top[1:])), (0.0, -3.0))[:, 1].round(9).tolist()[:5]
    [-0.75, -1.5, -1.5, -1.5, -0.75]
    """
    mesh = model.mesh
    pairs = np.asarray(edges)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu":
        raise ModelError(f"edge_load: edges have shape {pairs.shape}; give pairs of nodes, such as mesh.boundary_edges")
    sides = {tuple(sorted(pair)) for pair in mesh.boundary_edges.tolist()}
    for a, b in pairs.tolist():
        if tuple(sorted((a, b))) not in sides:
            raise ModelError(
                f"edge_load: nodes {node_number('edge_load', mesh, a)} and {node_number('edge_load', mesh, b)} "
                "are not the ends of a side on the boundary; take pairs from mesh.boundary_edges"
            )
    start, end = mesh.nodes[pairs[:, 0]], mesh.nodes[pairs[:, 1]]
    shape = np.stack((1.0 - _POINTS, _POINTS), axis=1)
    points = shape[None, :, :1] * start[:, None] + shape[None, :, 1:] * end[:, None]
    area = 0.5 * model.material.thickness * np.linalg.norm(end - start, axis=1)
    values = _field("edge_load", "traction", traction, points)
    return _collect(mesh.node_count, pairs, np.einsum("e,ga,egi->eai", area, shape, values))


def point_load(model: PlaneModel, *, node: int, force: tuple[float, float]) -> np.ndarray:
    """A `force` [N] at one node.

    >>> from gudgeon.fem import Material, Mesh, PlaneModel, point_load
    >>> material = Material(youngs_modulus=1000.0, poissons_ratio=0.3, density=1 / 3)
    >>> model = PlaneModel(mesh=Mesh.rectangle(0.6, 0.5, 1, 1), material=material)
    >>> point_load(model, node=1, force=(2.0, 0.0)).tolist()
    [[0.0, 0.0], [2.0, 0.0], [0.0, 0.0], [0.0, 0.0]]
    """
    forces = np.zeros((model.mesh.node_count, 2))
    forces[node_number("point_load", model.mesh, node)] = vector("point_load", "force", force, 2)
    return forces


def _field(owner: str, name: str, field: Field, points: np.ndarray) -> np.ndarray:
    """The field at `points` (…, 2)."""
    if not callable(field):
        return np.broadcast_to(np.array(vector(owner, name, field, 2)), points.shape)
    given = field(points[..., 0], points[..., 1])
    try:
        values = np.stack(
            [np.broadcast_to(np.asarray(part, dtype=float), points.shape[:-1]) for part in given], axis=-1
        )
    except (TypeError, ValueError):
        values = np.empty(0)
    if values.shape != points.shape or not np.isfinite(values).all():
        raise ModelError(f"{owner}: {name} must return two arrays of finite numbers, as large as x and y")
    return values


def _collect(node_count: int, nodes: np.ndarray, parts: np.ndarray) -> np.ndarray:
    """Sum contributions (k, a, 2) into their nodes (k, a)."""
    at = nodes.ravel()
    return np.stack([np.bincount(at, parts[..., i].ravel(), node_count) for i in (0, 1)], axis=1)
