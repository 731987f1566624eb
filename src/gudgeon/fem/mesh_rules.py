"""What makes a mesh valid, and the geometry of its elements.

The Jacobian determinant of a bilinear quadrilateral is linear in ξ and η, so it is positive everywhere in an element
when it is positive at the four corners, where it is the cross product of the two sides that meet there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gudgeon.errors import ModelError

MAX_ELEMENTS = 1_000_000
LARGEST = 1e100  # coordinate [m]; squares of larger ones overflow
SMALLEST_SINE = 1e-6  # of an element's angle; below it stiffnesses lose all digits


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a × b of vectors in the plane, on the last axis."""
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def sides(quads: np.ndarray) -> np.ndarray:
    """All sides of all elements as pairs of nodes (4 element_count, 2), counter-clockwise."""
    return np.stack((quads, np.roll(quads, -1, axis=1)), axis=-1).reshape(-1, 2)


def diagonals(nodes: np.ndarray, quads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The two diagonals of each element; half their cross product is its area."""
    a, b, c, d = nodes[quads].transpose(1, 0, 2)
    return c - a, d - b


def side_lengths(nodes: np.ndarray, quads: np.ndarray) -> np.ndarray:
    """(element_count, 4) [m]."""
    corners = nodes[quads]
    return np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)


def sines(nodes: np.ndarray, quads: np.ndarray) -> np.ndarray:
    """The sine of the angle at each corner (element_count, 4): negative where the corner is re-entrant."""
    corners = nodes[quads]
    after = np.roll(corners, -1, axis=1) - corners
    before = np.roll(after, 1, axis=1)
    lengths = np.linalg.norm(after, axis=2)
    product = lengths * np.roll(lengths, 1, axis=1)
    return np.divide(cross(before, after), product, out=np.zeros_like(product), where=product > 0.0)


def arrays(nodes: Any, quads: Any) -> tuple[np.ndarray, np.ndarray]:
    """Copies as arrays of floats (n, 2) and integers (m, 4)."""
    points = _array(nodes, float)
    if points.ndim != 2 or points.shape[1] != 2 or not len(points):
        raise ModelError(f"Mesh: nodes {_form(nodes, points)}; give pairs (x, y) [m], an array of shape (n, 2)")
    sound = (np.abs(points) < LARGEST).all(axis=1)
    if not sound.all():
        bad = int(np.flatnonzero(~sound)[0])
        raise ModelError(f"Mesh: node {bad} is at {_pair(points[bad])} m; every coordinate must be finite")
    elements = _array(quads, None)
    if elements.ndim != 2 or elements.shape[1] != 4 or not len(elements) or elements.dtype.kind not in "iu":
        raise ModelError(
            f"Mesh: quads {_form(quads, elements)}; give the numbers of four nodes per element, "
            "an integer array of shape (m, 4)"
        )
    check_size("Mesh", len(elements))
    return points, elements.astype(np.int64)


def _array(given: Any, kind: type | None) -> np.ndarray:
    """A copy as an array; an empty one for what is none."""
    try:
        return np.array(given, dtype=kind)
    except (TypeError, ValueError, OverflowError):
        return np.empty(0)


def check_size(owner: str, element_count: int) -> None:
    """Refuse what would fill the memory."""
    if element_count > MAX_ELEMENTS:
        raise ModelError(
            f"{owner}: {element_count} elements; the limit is {MAX_ELEMENTS}, and a joint is resolved by far fewer"
        )


def check_numbers(node_count: int, quads: np.ndarray) -> None:
    """Every element has four known nodes, and every node an element."""
    unknown = (quads < 0) | (quads >= node_count)
    if unknown.any():
        element = int(np.flatnonzero(unknown.any(axis=1))[0])
        node = int(quads[element][unknown[element]][0])
        raise ModelError(
            f"Mesh: {named(quads, element)} has no node {node}; there are nodes 0 to {node_count - 1}, counted from 0"
        )
    ordered = np.sort(quads, axis=1)
    twice = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    if twice.any():
        raise ModelError(
            f"Mesh: {named(quads, int(np.flatnonzero(twice)[0]))} has a node twice; "
            "a quadrilateral needs four different nodes (triangles are not supported)"
        )
    unused = np.bincount(quads.ravel(), minlength=node_count) == 0
    if unused.any():
        raise ModelError(
            f"Mesh: node {int(np.flatnonzero(unused)[0])} belongs to no element "
            f"({int(unused.sum())} such of {node_count}); leave such nodes out"
        )


def check_connection(node_count: int, quads: np.ndarray) -> None:
    """Every side has one or two elements, and all elements hang together."""
    _check_sides(node_count, quads)
    _check_one_piece(node_count, quads)


def _check_sides(node_count: int, quads: np.ndarray) -> None:
    directed = sides(quads) @ np.array([node_count, 1])
    order = np.argsort(directed, kind="stable")
    same = np.flatnonzero(directed[order][1:] == directed[order][:-1])
    if len(same):
        first, second = (int(order[same[0] + k]) for k in (0, 1))
        a, b = divmod(int(directed[first]), node_count)
        raise ModelError(
            f"Mesh: {named(quads, first // 4)} and {named(quads, second // 4)} both run along the side from node {a} "
            f"to node {b}; neighbours run along it in opposite directions, so they overlap or one is inverted: "
            "number the nodes of every element counter-clockwise"
        )


def _check_one_piece(node_count: int, quads: np.ndarray) -> None:
    """All elements hang together by sides: in a single node they could turn against each other without strain."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    key = np.sort(sides(quads), axis=1) @ np.array([node_count, 1])
    order = np.argsort(key, kind="stable")
    common = key[order][1:] == key[order][:-1]
    a, b = order[:-1][common] // 4, order[1:][common] // 4
    graph = coo_array((np.ones(len(a), dtype=np.int8), (a, b)), shape=(len(quads), len(quads)))
    pieces, label = connected_components(graph.tocsr(), directed=False)
    if pieces > 1:
        other = int(np.flatnonzero(label != label[0])[0])
        raise ModelError(
            f"Mesh: its elements form {pieces} pieces without a common side, e.g. {named(quads, 0)} and "
            f"{named(quads, other)}; merge nodes that lie in the same place, or make one mesh for each body"
        )


def check_shapes(nodes: np.ndarray, quads: np.ndarray) -> None:
    """No element is inverted, re-entrant or degenerate."""
    sine = sines(nodes, quads)
    bad = np.flatnonzero(sine.min(axis=1) < SMALLEST_SINE)
    if not len(bad):
        return
    element = int(bad[0])
    worst = int(sine[element].argmin())
    value = sine[element, worst]
    where = f"node {int(quads[element, worst])} at {_pair(nodes[quads[element, worst]])} m"
    more = f" ({len(bad)} such elements)" if len(bad) > 1 else ""
    lengths = side_lengths(nodes, quads)[element]
    if (sine[element] <= -SMALLEST_SINE).all():
        fault, fix = "is inverted", "its nodes run clockwise; give them counter-clockwise"
    elif lengths.min() == 0.0:
        side = int(lengths.argmin())
        a, b = int(quads[element, side]), int(quads[element, (side + 1) % 4])
        fault, fix = "is degenerate", f"nodes {a} and {b} lie in the same place; move or merge them"
    elif value > -SMALLEST_SINE:
        fault, fix = "is degenerate", f"its sides at {where} are in line; move that node"
    else:
        fault, fix = "is not convex", f"its sides cross or it is re-entrant at {where}; order or move its nodes"
    raise ModelError(f"Mesh: {named(quads, element)} {fault}, smallest sine of its angles {value:.3g}{more}; {fix}")


def named(quads: np.ndarray, element: int) -> str:
    """An element as error messages show it."""
    return f"element {element} (nodes {', '.join(str(int(n)) for n in quads[element])})"


def _pair(point: np.ndarray) -> str:
    return f"({point[0]:.6g}, {point[1]:.6g})"


def _form(given: Any, array: np.ndarray) -> str:
    if isinstance(given, np.ndarray) or array.size:
        return f"are {array.dtype} of shape {array.shape}"
    text = repr(given)
    return f"are {text if len(text) <= 60 else text[:57] + '...'}"
