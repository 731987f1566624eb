"""A pair of surfaces as the compiled function sees it: a table of integers, addresses and extents of all arrays.

Compiled solvers call the function by its C address and hand it the address of such a table. So they do not depend on
what it does, and a mechanism without surfaces never compiles it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gudgeon.nurbs.gap import GapState, gap_field
from gudgeon.nurbs.pair import Pose, SurfacePair
from gudgeon.surface_contact.kernels.layout import ANCHOR_COLUMNS, ENTRY, NAMES
from gudgeon.surface_contact.quadrature import area_weights, gauss_rows, trapezium_weights

Array = NDArray[np.float64]
SHORTEST_SHARE, CLOSED_SHARE, LONGEST_SHARE = 1e-6, 1e-3, 1e-2  # of the surface's size, for the length of its gap


def with_gauss_points(pair: SurfacePair) -> tuple[SurfacePair, Array]:
    """The pair with a grid of quadrature points, and their areas [m²]; rows of parameters that were given stay."""
    if all(isinstance(x, int | np.integer) for x in pair.grid):
        rows, weights = gauss_rows(pair.reference, (int(pair.grid[0]), int(pair.grid[1])))
        pair = replace(pair, grid=(tuple(rows[0].tolist()), tuple(rows[1].tolist())))
    else:
        weights = (
            trapezium_weights(pair.reference, 0, pair.xi1),
            trapezium_weights(pair.reference, 1, pair.xi2),
        )
    return pair, area_weights(pair, weights)


def length_of_gap(pair: SurfacePair, reference: Pose, corresponding: Pose) -> float:
    """A length that the gap has at these poses [m]: what accuracy of motion is measured by."""
    gap = gap_field(pair, reference, corresponding).gap
    size = float(pair.reference.patches.length[0])
    open_gaps = gap[np.isfinite(gap) & (gap > 0.0)]
    typical = float(np.median(open_gaps)) if len(open_gaps) else CLOSED_SHARE * size
    return min(max(typical, SHORTEST_SHARE * size), LONGEST_SHARE * size)


class SurfaceTable:
    """The table of one joint; keeps its arrays alive. Surfaces are in body axes, from the joint's points."""

    def __init__(self, pair: SurfacePair, weight: Array, *, reference_on_ball: bool, laws: NDArray[np.int64]):
        frame, reason = pair.frames
        count = len(reason)
        patches = pair.corresponding.patches_with_reach
        work: Any = GapState(pair)._work[0]
        settings = np.array([float(pair.corresponding_side), *pair.window, float(reference_on_ball)])
        arrays: dict[str, Any] = {**patches._asdict(), **work._asdict()}
        arrays |= {
            "frame": frame,
            "reason": reason,
            "weight": weight,
            "patch": np.full((count, 2), -1, dtype=np.int64),
            "local": np.zeros((count, 4)),
            "anchor": np.zeros((count, ANCHOR_COLUMNS)),
            "pose": np.zeros(30),
            "settings": settings,
            "least": np.zeros(1, dtype=np.int64),  # the point with the least gap when last asked
            "laws": laws.reshape(1, -1),  # the joint's line of Model.compliant
        }
        self._arrays = {name: np.ascontiguousarray(arrays[name]) for name in NAMES}
        self._table = np.zeros(len(NAMES) * ENTRY, dtype=np.int64)
        for k, array in enumerate(self._arrays.values()):
            extents = [*array.shape, *[1] * (ENTRY - 1 - array.ndim)]
            self._table[ENTRY * k : ENTRY * (k + 1)] = [array.ctypes.data, *extents]
        assert self._arrays["laws"].ctypes.data == laws.ctypes.data  # no copy: addresses are filled in later

    @property
    def remembered(self) -> dict[str, NDArray[Any]]:
        """What a search leaves for the next one, which decides about the last bits of what that finds."""
        return {name: self._arrays[name] for name in ("patch", "local", "anchor", "pose", "least")}

    @property
    def address(self) -> int:
        """Where the table is."""
        return self._table.ctypes.data
