"""Surfaces as model files say them, besides the constructors of `Surface`: faces of CAD files, and surfaces moved."""

from __future__ import annotations

from pathlib import Path

from gudgeon.checks import Quaternion
from gudgeon.nurbs.surface import Surface
from gudgeon.quantities import Point


def face(*, path: Path, name: str) -> Surface:
    """The face of this name of a STEP or IGES file, where the file places it."""
    from gudgeon.io import iges, step

    reader = iges if path.suffix.lower() in (".igs", ".iges") else step
    return reader.read(path)[name].surface


def moved(
    *, surface: Surface, rotation: Quaternion = (1.0, 0.0, 0.0, 0.0), translation: Point = (0.0, 0.0, 0.0)
) -> Surface:
    """A surface turned about the origin, then shifted.

    >>> from gudgeon.nurbs import Surface
    >>> moved(surface=Surface.plane(), translation=(0, 0, 1)).point(0.0, 0.0)
    array([0., 0., 1.])
    """
    return surface.moved(rotation=rotation, translation=translation)
