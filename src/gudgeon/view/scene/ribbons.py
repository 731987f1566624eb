"""Meshes along a curve: round wires, flat bands, threads."""

from __future__ import annotations

import numpy as np

from gudgeon.joint_axes import triad
from gudgeon.view.scene.arrays import Arrays
from gudgeon.view.scene.parts import Array, Part

AROUND = 10  # corners of the section of a wire


def mesh(arrays: Arrays, points: Array, triples: Array, kind: str, tone: str) -> Part:
    """Triangles as a part, in the axes of its body."""
    found = {"points": arrays.add(points), "triples": arrays.add(triples, whole=True)}
    return {"kind": kind, "size": [], "at": [0.0] * 3, "turn": [1.0, 0.0, 0.0, 0.0], "tone": tone, **found}


def wire(arrays: Arrays, curve: Array, radius: float, tone: str, closed: bool = False) -> Part:
    """A round wire along points (n, 3)."""
    along = np.gradient(curve, axis=0)
    if closed:
        along[0] = along[-1] = along[0] + along[-1]
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    normal = -np.array(triad(along[0])[0])
    rings = []
    turn = 2.0 * np.pi * np.arange(AROUND) / AROUND
    for t, p in zip(along, curve, strict=True):  # the frame goes along without twist
        normal = normal - (normal @ t) * t
        normal /= np.linalg.norm(normal)
        rings.append(p + radius * (np.cos(turn)[:, None] * normal + np.sin(turn)[:, None] * np.cross(t, normal)))
    return _skin(arrays, np.array(rings), tone)


def band(arrays: Arrays, curve: Array, axis: Array, width: float, thick: float, tone: str) -> Part:
    """A flat band along a closed curve (n, 3) in a plane across `axis`; its last point is its first."""
    along = np.roll(curve[:-1], -1, axis=0) - np.roll(curve[:-1], 1, axis=0)
    along = np.concatenate([along, along[:1]])
    normal = np.cross(axis, along)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    corners = [s * 0.5 * thick * normal + w * 0.5 * width * axis for s, w in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
    return _skin(arrays, np.stack([curve + corner for corner in corners], axis=1), tone)


def helix(at: Array, axis: Array, radius: float, lead: float, low: float, high: float) -> Array:
    """Points (n, 3) of a helix about an axis, from `low` to `high` along it."""
    x, y, _ = -np.array(triad(axis))
    z = np.linspace(low, high, max(2, int(20 * (high - low) / abs(lead))))[:, None]
    turn = 2.0 * np.pi * z / lead
    return at + z * axis + radius * (np.cos(turn) * x + np.sin(turn) * y)


def _skin(arrays: Arrays, rings: Array, tone: str) -> Part:
    """Of rings (n, corners, 3), one after the other."""
    n, around = rings.shape[:2]
    k = np.arange(around)
    after, triples = (k + 1) % around, []
    for ring in range(n - 1):
        a, b = around * ring, around * (ring + 1)
        triples += [np.stack((a + k, a + after, b + after), axis=1), np.stack((a + k, b + after, b + k), axis=1)]
    return mesh(arrays, rings.reshape(-1, 3), np.concatenate(triples), "mesh", tone)
