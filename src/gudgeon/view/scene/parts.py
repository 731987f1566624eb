"""The solids that bodies are drawn of, as plain data: kind, size [m], place in the body, tone.

Cylinders, tubes and cups have their axis along z, boxes their edges along the axes. Tones: "body" is the colour of the
body, "pin" bright metal, "dark" and "ground" what does not move.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gudgeon.joint_axes import triad
from gudgeon.rotations import quaternion_of, turned
from gudgeon.shapes.box import Box
from gudgeon.shapes.capsule import Capsule
from gudgeon.shapes.cylinder import Cylinder
from gudgeon.shapes.mesh import Mesh
from gudgeon.shapes.plane import Plane
from gudgeon.shapes.shape import Shape
from gudgeon.shapes.sphere import Sphere
from gudgeon.shapes.step import Step
from gudgeon.view.scene.arrays import Arrays

Part = dict[str, Any]
Array = np.ndarray


def part(kind: str, size: Any, at: Any, axes: Any = None, tone: str = "body", **more: Any) -> Part:
    """A solid; `axes` are its own x, y, z as columns, or its z alone."""
    turn = np.eye(3) if axes is None else np.asarray(axes, dtype=float)
    if turn.ndim == 1:
        turn = axes_along(turn)
    return {
        "kind": kind,
        "size": [float(x) for x in np.atleast_1d(size)],
        "at": [float(x) for x in at],
        "turn": quaternion_of(turn).tolist(),
        "tone": tone,
        **more,
    }


def axes_along(direction: Any, up: Any = None) -> Array:
    """Axes as columns, z along `direction`, and y as near to `up` as can be."""
    z = np.asarray(direction, dtype=float)
    z = z / np.linalg.norm(z)
    x = np.zeros(3) if up is None else np.cross(up, z)
    if np.linalg.norm(x) < 1e-9:
        x = np.array(triad(z)[0])
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z], axis=1)


def rod(a: Any, b: Any, radius: float, tone: str = "body") -> list[Part]:
    """A round bar from a to b; none where they coincide."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    length = float(np.linalg.norm(b - a))
    return [part("cylinder", (radius, length), 0.5 * (a + b), b - a, tone)] if length > 1e-3 * radius else []


def bar(a: Any, b: Any, normal: Any, width: float, thickness: float, tone: str = "body") -> list[Part]:
    """A flat bar from a to b, its faces across `normal`."""
    a, b, n = (np.asarray(x, dtype=float) for x in (a, b, normal))
    length = float(np.linalg.norm(b - a))
    if length < 1e-3 * width:
        return []
    along = (b - a) / length
    n = n - (n @ along) * along
    if np.linalg.norm(n) < 1e-6:
        return rod(a, b, 0.5 * width, tone)
    n /= np.linalg.norm(n)
    axes = np.stack([along, np.cross(n, along), n], axis=1)
    return [part("box", (length, width, thickness), 0.5 * (a + b), axes, tone)]


def of_shape(shape: Shape, arrays: Arrays) -> list[Part]:
    """The part of a shape that a body was given."""
    more = {} if shape.color is None else {"color": shape.color}
    place = {"at": list(shape.position), "turn": list(shape.orientation), "tone": "body", **more}
    if isinstance(shape, Box):
        return [{"kind": "box", "size": list(shape.size), **place}]
    if isinstance(shape, Cylinder):
        if shape.inner_radius:
            return [{"kind": "tube", "size": [shape.radius, shape.length, shape.inner_radius], **place}]
        return [{"kind": "cylinder", "size": [shape.radius, shape.length], **place}]
    if isinstance(shape, Capsule | Plane):
        return [{**each, **more, **_carried(each, shape)} for each in _parts_of(shape)]
    if isinstance(shape, Sphere):
        return [{"kind": "ball", "size": [shape.radius], **place}]
    if isinstance(shape, Mesh | Step):
        surface = shape.surface()
        points, triples = arrays.add(shape.scale * surface.corners), arrays.add(surface.triples, whole=True)
        return [{"kind": "mesh", "size": [], "points": points, "triples": triples, **place}]
    raise TypeError(f"no way to draw a {type(shape).__name__}")


def _parts_of(shape: Capsule | Plane) -> list[Part]:
    """In the axes of the shape."""
    if isinstance(shape, Plane):
        thick = 0.01 * shape.size
        return [part("box", (shape.size, shape.size, thick), (0.0, 0.0, -0.5 * thick))]
    ends = [part("ball", (shape.radius,), (0.0, 0.0, side * 0.5 * shape.length)) for side in (-1.0, 1.0)]
    return [part("cylinder", (shape.radius, shape.length), (0.0, 0.0, 0.0)), *ends]


def _carried(each: Part, shape: Shape) -> dict[str, list[float]]:
    """Where a part of a shape is in the body; parts have the axes of the shape."""
    turn = np.array(shape.orientation)
    return {"at": (np.array(shape.position) + turned(turn, np.array(each["at"]))).tolist(), "turn": turn.tolist()}


def inertia_box(mass: float, inertia: Any) -> tuple[Array, Array]:
    """Edges and axes (as columns) of the uniform box with this mass and inertia: aᵢ² = 6 (J_j + J_k − Jᵢ)/m."""
    principal, axes = np.linalg.eigh(np.asarray(inertia, dtype=float))
    if np.linalg.det(axes) < 0.0:
        axes[:, 2] *= -1.0
    edges = np.sqrt(np.maximum(6.0 * (principal.sum() - 2.0 * principal) / mass, 0.0))
    return np.maximum(edges, 0.02 * edges.max()), axes
