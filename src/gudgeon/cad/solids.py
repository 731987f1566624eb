"""The solids of a STEP file, read in a process of its own: exact volume and moments, and triangles for drawing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gudgeon.cad.read import SIZE_LIMIT, TIME_LIMIT, checked_file, worked
from gudgeon.errors import ModelError

COARSE = 2e-3  # how far triangles may leave the surfaces, of the size of the whole [-]


class Solids(NamedTuple):
    """All solids of a file together, metres."""

    points: np.ndarray  # of triangles (triangle_count, 3, 3) [m]
    volume: float  # [m³]
    centre: tuple[float, float, float]  # [m]
    moments: tuple[float, float, float, float, float, float]  # xx, yy, zz, xy, xz, yz about it, density 1 [m⁵]


def read_solids(owner: str, path: str | os.PathLike[str]) -> Solids:
    """The solids of a STEP file; ModelError where it has none, or cannot be read."""
    file = checked_file(owner, path, SIZE_LIMIT)
    if Path(file).suffix.lower() not in (".step", ".stp"):
        raise ModelError(f"{owner}: {file.name!r} is not read; export it as STEP (or give gd.Mesh an STL file)")
    contents, arrays = worked(owner, "solids", file, seconds=TIME_LIMIT, tolerance=COARSE)
    if not contents["solids"]:
        raise ModelError(f"{owner}: {file.name!r} has no solid; export solids, not surfaces or curves")
    xx, yy, zz, xy, xz, yz = contents["moments"]
    x, y, z = contents["centre"]
    return Solids(arrays["points"], contents["volume"], (x, y, z), (xx, yy, zz, xy, xz, yz))
