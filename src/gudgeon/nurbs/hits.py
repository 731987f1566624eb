"""All intersections of lines with a surface: by Bernstein subdivision and Newton's method, see kernels/search.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gudgeon.checks import as_floats
from gudgeon.errors import ModelError

if TYPE_CHECKING:
    from gudgeon.nurbs.evaluate import Evaluation

Array = NDArray[np.float64]
MOST_HITS = 256  # of one line


def hits_of_line(surface: Evaluation, origin: ArrayLike, direction: ArrayLike) -> Array:
    """(h, ξ1, ξ2) of every intersection, sorted by h; refuses a line that lies in the surface.

    >>> from gudgeon.nurbs import Surface
    >>> hits_of_line(Surface.plane(), (0.5, 0.5, 2), (0, 0, -1))
    array([[2. , 0.5, 0.5]])
    """
    found, counts = hits_of_lines(surface, np.asarray(origin)[None], np.asarray(direction)[None])
    if counts[0] < 0:
        raise ModelError(
            f"{surface.label}: the line from {np.asarray(origin).tolist()} along {np.asarray(direction).tolist()} "
            "lies in the surface, which has no finite number of intersections; tilt or shift it"
        )
    return found[0, : counts[0]].copy()


def hits_of_lines(surface: Evaluation, origins: ArrayLike, directions: ArrayLike) -> tuple[Array, NDArray[np.int64]]:
    """The same for many lines: an array (line, place, 3) and how many places of each line are filled, -1 if it lies in.

    >>> from gudgeon.nurbs import Surface
    >>> found, counts = hits_of_lines(Surface.sphere(1.0), [(0, 0, 5), (0, 3, 0.1)], [(0, 0.1, -1), (1, 0, 0)])
    >>> counts
    array([2, 0])
    """
    from gudgeon.nurbs.kernels.lines import lines_meet

    lines = as_lines(surface.label, origins, directions)
    away = _bring_near(surface, lines)
    work = search_space(surface.degree[0] + 1, surface.degree[1] + 1)
    room = 16
    while True:
        out = np.full((len(lines), room, 3), np.nan)
        counts = np.zeros(len(lines), dtype=np.int64)
        lines_meet(surface.patches, lines, *work, np.empty((room, 7)), out, counts)
        if room >= MOST_HITS or (counts >= 0).all():
            out[:, :, 0] += away[:, None]
            return out, counts
        room = MOST_HITS  # some line has many intersections, or lies in the surface


def _bring_near(surface: Evaluation, lines: Array) -> Array:
    """Move the origins of lines that start far away next to the surface; how far each was moved [m]."""
    low, high = surface.bounds()
    away = np.sum((0.5 * (low + high) - lines[:, :3]) * lines[:, 3:6], axis=1)
    away[np.abs(away) < 10.0 * surface.patches.length[0]] = 0.0
    lines[:, :3] += away[:, None] * lines[:, 3:6]
    return away


def search_space(n1: int, n2: int) -> tuple[Array, Array, Array, Array]:
    """Work space of the search for patches with n1 × n2 control points: coefficients, stack, boxes, basis."""
    from gudgeon.nurbs.kernels.search import DEPTH

    return np.empty((2, n1, n2)), np.empty((DEPTH, 2, n1, n2)), np.empty((DEPTH, 4)), np.empty((6, max(n1, n2)))


def as_lines(owner: str, origins: ArrayLike, directions: ArrayLike) -> Array:
    """Lines as the kernels see them, directions made unit vectors."""
    p, n = as_floats(owner, "origin", origins), as_floats(owner, "direction", directions)
    for field, value in (("origin", p), ("direction", n)):
        if value.ndim != 2 or value.shape[1] != 3:
            raise ModelError(f"{owner}: {field} has shape {value.shape[1:]}; give 3 numbers")
    p, n = np.broadcast_arrays(p, n)
    length = np.linalg.norm(n, axis=1)
    if (length < 1e-150).any():
        raise ModelError(f"{owner}: direction is {n[np.argmin(length)].tolist()}, which points nowhere; give a vector")
    n = n / length[:, None]
    least = np.eye(3)[np.argmin(np.abs(n), axis=1)]
    a = np.cross(n, least)
    a /= np.linalg.norm(a, axis=1)[:, None]
    return np.concatenate([p, n, a, np.cross(n, a)], axis=1)
