"""Wear under loads that stay as they were in a run, while the surfaces change.

At some instants of the run, chosen so that each stands for the same part of what was rubbed, all points of the surfaces
that may touch are looked at. If these are worn by dw, the other body moves by x until it carries the same load,

    δ = δ₀ + G x − N dw,   Σ A K [δ]₊ G = Σ A K [δ₀]₊ G

(K the pressure over the depth that the instant had: a linear foundation), and the wear of a cycle is what the pressures
K [δ]₊ rub away with the speeds of the run. It is right for small changes; what it misses of the wear of the run itself
is added to it as it is there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array, hstack

from gudgeon.wearing.pressed import Pressed

INSTANTS = 120  # that stand for a cycle


@dataclass(frozen=True, eq=False)
class Reachable:
    """Points of a joint that may touch at some instants, and how deep they are."""

    instant: np.ndarray  # (point) number of the instant
    depth: np.ndarray  # δ₀ [m]
    area: np.ndarray  # [m²]
    push: np.ndarray  # (point, directions) G
    shapes: tuple[csr_array, ...]  # (point, coefficient) N, surface by surface


def chosen(pressed: Pressed, count: int = INSTANTS) -> tuple[np.ndarray, np.ndarray]:
    """Samples that stand for the run, and for how much of what was rubbed each stands [N·m]."""
    rubbed = np.bincount(pressed.sample, pressed.rubbed)
    total = np.cumsum(rubbed)
    if len(total) == 0 or total[-1] <= 0.0:
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    levels = (np.arange(count) + 0.5) / count * total[-1]
    found, times = np.unique(np.searchsorted(total, levels), return_counts=True)
    return found, times * total[-1] / count


class Frozen:
    """The loads of a run, at the instants chosen of it."""

    def __init__(
        self,
        pressed: Pressed,
        samples: np.ndarray,
        shares: np.ndarray,
        reachable: Reachable,
        coefficients: tuple[float, ...],
    ):
        self.reachable, self.coefficients, self.count = reachable, coefficients, len(samples)
        place = np.full(int(pressed.sample.max(initial=-1)) + 1, -1)
        place[samples] = np.arange(self.count)
        instant = place[pressed.sample]
        own = instant >= 0
        instant, load = instant[own], (pressed.pressure * pressed.area)[own]
        rub = np.bincount(instant, load * pressed.speed[own], self.count)  # [W]
        force = np.bincount(instant, load, self.count)
        deep = np.maximum(reachable.depth, 0.0) * reachable.area
        pressed_in = np.bincount(reachable.instant, deep, self.count)
        seen = pressed_in > 0.0  # a touch so light that it lies between the points stands for nothing
        self.stiffness = np.divide(force, pressed_in, out=np.zeros(self.count), where=seen)  # K [Pa/m]
        self.speed = rub / force  # mean of the instant [m/s]
        self.time = np.where(seen, shares / rub, 0.0)  # that it stands for [s]
        self._way = self.speed * self.time
        self._begin = np.searchsorted(reachable.instant, np.arange(self.count + 1)).astype(np.int64)
        shapes: Any = hstack(reachable.shapes, format="csr")
        shapes.indices, shapes.indptr = shapes.indices.astype(np.int32), shapes.indptr.astype(np.int32)
        self._shapes = shapes
        self._push, self._area = np.ascontiguousarray(reachable.push), np.ascontiguousarray(reachable.area)
        self._wear = np.repeat(coefficients, [columns_of(shape) for shape in reachable.shapes])
        pressure = self.stiffness[reachable.instant] * deep
        directions = reachable.push.shape[1]
        self._wanted = np.zeros((self.count, directions))
        for d in range(directions):
            self._wanted[:, d] = np.bincount(reachable.instant, pressure * reachable.push[:, d], self.count)
        self._moved = np.zeros((self.count, directions))
        self._scratch = np.empty((directions, directions)), np.empty((directions, directions))

    def depths(self, worn: np.ndarray) -> np.ndarray:
        """δ at all points where the surfaces are worn by `worn` more than in the run."""
        from gudgeon.wearing.kernels.frozen import balance

        fixed, depth = self.reachable.depth - self._shapes @ worn, np.empty(len(self._area))
        missing = np.empty(self._push.shape[1])
        balance(
            self._begin,
            fixed,
            self._area,
            self.stiffness,
            self._push,
            self._wanted,
            self._moved,
            depth,
            *self._scratch,
            missing,
        )
        return depth

    def volumes(self, worn: np.ndarray) -> np.ndarray:
        """Worn away in the time of the run, all coefficients [m³]."""
        from gudgeon.wearing.kernels.frozen import rubbed_away

        s, out = self._shapes, np.empty(len(self._wear))
        rubbed_away(
            self._begin,
            self.depths(worn),
            self._area,
            self.stiffness,
            self._way,
            s.indptr,
            s.indices,
            s.data,
            self._wear,
            out,
        )
        return out

    def change(self, worn: np.ndarray) -> np.ndarray:
        """How `volumes` change with what is worn [m³/m]."""
        from gudgeon.wearing.kernels.frozen import change_of_rubbed

        s, n = self._shapes, len(self._wear)
        out, carried, own = np.empty((n, n)), np.empty((n, self._push.shape[1] + 1)), np.empty(n, dtype=np.int64)
        change_of_rubbed(
            self._begin,
            self.depths(worn),
            self._area,
            self.stiffness,
            self._way,
            self._push,
            s.indptr,
            s.indices,
            s.data,
            self._wear,
            *self._scratch,
            carried,
            np.empty(self._push.shape[1]),
            out,
            own,
        )
        return out


def columns_of(shapes: Any) -> int:
    """How many coefficients they belong to."""
    return int(shapes.shape[1])
