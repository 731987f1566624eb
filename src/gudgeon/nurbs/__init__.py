"""NURBS surfaces of real parts and the gap between them, point by point.

`Surface`, `Curve`, `Trim`                   geometry; `Surface.hits` gives every intersection with a line
`SurfacePair`, `Pose`, `gap_field`           gap height, gap rate and wall velocities between two moving surfaces
`GapState`, `GapField`, `Reason`             what a time loop keeps; what it gets
`gudgeon.nurbs.implicit`                     the published implicit-matrix method, corrected; a reference, not for speed

>>> from gudgeon.nurbs import Pose, Surface, SurfacePair, gap_field
>>> bore = Surface.cylinder(0.0101, -0.01, 0.01)
>>> pin = Surface.cylinder(0.0100, -0.02, 0.02)
>>> pair = SurfacePair(reference=bore, corresponding=pin, reference_side=-1, grid=(8, 3))
>>> field = gap_field(pair, Pose(), Pose(position=(5e-5, 0, 0)))
>>> (field.gap[:, 1] * 1e6).round(3)
array([ 50.   ,  64.707, 100.125, 135.418, 150.   , 135.418, 100.125,
        64.707])
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gudgeon.nurbs.curve import Curve
    from gudgeon.nurbs.gap import GapField, GapState, gap_field
    from gudgeon.nurbs.hits import hits_of_lines
    from gudgeon.nurbs.pair import Pose, Reason, SurfacePair
    from gudgeon.nurbs.surface import Surface
    from gudgeon.nurbs.trim import Trim

_HOME = {
    "Curve": "gudgeon.nurbs.curve",
    "Surface": "gudgeon.nurbs.surface",
    "Trim": "gudgeon.nurbs.trim",
    "hits_of_lines": "gudgeon.nurbs.hits",
    "Pose": "gudgeon.nurbs.pair",
    "Reason": "gudgeon.nurbs.pair",
    "SurfacePair": "gudgeon.nurbs.pair",
    "GapField": "gudgeon.nurbs.gap",
    "GapState": "gudgeon.nurbs.gap",
    "gap_field": "gudgeon.nurbs.gap",
}

__all__ = [  # noqa: RUF022 (the order of use)
    "Surface",
    "Curve",
    "Trim",
    "hits_of_lines",
    "SurfacePair",
    "Pose",
    "gap_field",
    "GapState",
    "GapField",
    "Reason",
]


def __getattr__(name: str):
    if name not in _HOME:
        raise AttributeError(f"module 'gudgeon.nurbs' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
