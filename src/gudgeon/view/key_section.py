"""The key of a shaft in the slot of its hub, in the picture of the shaft: its play as much too large as that of this.

Units are the radius of the bore; displacements are magnified by `scale` [1/m].
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gudgeon.view.colours import INK, PIN
from gudgeon.view.orbits import Key

DEEPER = 0.06  # the slot than the key
BEHIND = 0.08  # the slot, of the bearing


def slot_in(axes: Any, key: Key, scale: float, radius: float) -> None:
    """The slot, cut out of the bearing."""
    up, right = _ways(key)
    half = _half(key, scale, radius)
    top = _top(key, radius) + DEEPER
    low = np.sqrt(max(1.0 - half * half, 0.0))
    axes.fill(*_around(up, right, low - 0.03, top, half), facecolor="white", edgecolor="none")
    axes.plot(*_around(up, right, low, top, half), color=INK, linewidth=0.8)


def draw_key(axes: Any, key: Key, scale: float, radius: float, path: np.ndarray, turned: float) -> None:
    """The key of a shaft whose axis is at `path` (2) and which is turned: its corners are displaced, magnified."""
    up, right = _ways(key)
    at = _around(up, right, 0.0, _top(key, radius), 0.5 * key.width / radius).T
    off = path + radius * ((np.cos(turned) - 1.0) * at + np.sin(turned) * np.stack([-at[:, 1], at[:, 0]], axis=1))
    axes.fill(*(at + scale * off).T, facecolor=PIN, edgecolor=INK, linewidth=0.8, alpha=0.45)


def wall_with_slot(key: Key, scale: float, radius: float) -> float:
    """Thickness of a bearing that has room for the slot."""
    return float(np.hypot(_top(key, radius) + DEEPER, _half(key, scale, radius))) + BEHIND - 1.0


def _half(key: Key, scale: float, radius: float) -> float:
    """Half the width of the slot."""
    return 0.5 * key.width / radius + scale * key.clearance


def _top(key: Key, radius: float) -> float:
    return (key.lever + 0.5 * key.height) / radius


def _ways(key: Key) -> tuple[np.ndarray, np.ndarray]:
    return key.towards, np.array([key.towards[1], -key.towards[0]])


def _around(up: np.ndarray, right: np.ndarray, low: float, top: float, half: float) -> np.ndarray:
    """(2, 4) corners of a rectangle."""
    left, far = -half * right, half * right
    return np.transpose([low * up + left, top * up + left, top * up + far, low * up + far])
