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

from gudgeon.public_names import public_names as _public_names

__all__, __getattr__, __dir__ = _public_names(__name__, __file__)  # listed in __init__.pyi
