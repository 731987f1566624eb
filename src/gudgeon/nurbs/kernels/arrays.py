"""What the kernels see of a surface and of a line.

A surface is a grid of rational Bézier patches, each with its own parameters (s, t) in [0, 1]². Patch k = k1·count2 + k2
covers ξ1 from break1[k1] to break1[k1 + 1] and ξ2 from break2[k2] to break2[k2 + 1].

A line is twelve numbers: a point p, a unit vector n, and two unit vectors that span the plane across n.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

POINT, ALONG, ACROSS1, ACROSS2 = 0, 3, 6, 9  # where the parts of a line begin
SIZE, MAGNITUDE = 0, 1  # the places in Patches.length

GROUP = 16  # patches in a row that are passed by together
EDGE_TOLERANCE = 1e-10  # how far outside [0, 1] a parameter still counts as on the edge [-]
MEETING_TOLERANCE = 1e-9  # roots nearer than this fraction of the surface's size may be one [-]


class Patches(NamedTuple):
    """A surface as the kernels see it."""

    net: NDArray[np.float64]  # (patch, i, j, 4) control points (w x, w y, w z, w), largest w = 1 [m, -]
    break1: NDArray[np.float64]  # (count1 + 1,) ξ1 where patches meet [-]
    break2: NDArray[np.float64]  # (count2 + 1,) ξ2 where patches meet [-]
    closed: NDArray[np.int64]  # (2,) whether the surface meets itself at the ends of ξ1, of ξ2
    ball: NDArray[np.float64]  # (patch, 4) centre and radius of a ball around each patch [m]
    group: NDArray[np.float64]  # (groups, 4) centre and radius of a ball around each GROUP patches in a row [m]
    pole: NDArray[np.int64]  # (patch, 4) whether the edge s = 0, s = 1, t = 0, t = 1 is a single point
    reach: NDArray[np.float64]  # (patch, cells, cells) radius of empty balls that touch the patch [m]
    length: NDArray[np.float64]  # (2,) SIZE: radius of the whole surface; MAGNITUDE: largest coordinate [m]
    loop: NDArray[np.float64]  # (corners, 2) corners of all trimming loops [-]
    loop_start: NDArray[np.int64]  # (loops + 1,) where each loop begins in `loop`
    loop_outer: NDArray[np.int64]  # (loops,) 1 for outer loops, 0 for holes
