"""Faces of STEP files (ISO 10303-21; AP203, AP214, AP242) as NURBS surfaces in metres, read by OpenCASCADE."""

from __future__ import annotations

import os

from gudgeon.cad.faces import Faces
from gudgeon.cad.read import SIZE_LIMIT, TIME_LIMIT, TRIM_TOLERANCE, checked_file, ends_of, read_faces
from gudgeon.errors import ModelError

BEGIN, END = b"ISO-10303-21;", b"END-ISO-10303-21;"


def read(
    path: str | os.PathLike[str],
    *,
    size_limit: float = SIZE_LIMIT,
    time_limit: float = TIME_LIMIT,
    trim_tolerance: float = TRIM_TOLERANCE,
) -> Faces:
    """The faces of a STEP file by name, as exact NURBS surfaces in metres, whatever unit the file has.

    `faces["bore"].surface` is where the file places it, `.local` in the frame of its part, `.placement` the pose of
    that frame; normals point out of the material, and both parameters run from 0 to 1. Needs `pip install
    gudgeon[cad]`. The file is read in a process of its own, which is given up after `time_limit` [s].

    size_limit       files larger than this are refused [bytes]
    trim_tolerance   how far the polygons of trimming loops may leave the true edges [m]

    >>> import gudgeon as gd
    >>> faces = gd.io.step.read("engine.step")  # doctest: +SKIP
    >>> print(faces)  # doctest: +SKIP
    engine.step: 2 faces of 2 bodies
    face  kind              body    size             area
    bore  cylinder, hollow  piston  R 10.05 × 30 mm  1894 mm²
    pin   cylinder          rod     R 10 × 40 mm     2513 mm²
    """
    owner = "io.step.read"
    file = checked_file(owner, path, size_limit)
    head, tail = ends_of(file)
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start[:2] in (b"\x1f\x8b", b"PK"):
        raise ModelError(f"{owner}: {str(file)!r} is compressed; unpack it first")
    if not start.upper().startswith(BEGIN):
        raise ModelError(
            f"{owner}: {str(file)!r} is not a STEP file: it begins with {start[:20]!r}, not with {BEGIN.decode()!r}; "
            "export it as STEP (AP203, AP214 or AP242)"
        )
    if END not in tail.upper():
        raise ModelError(
            f"{owner}: {str(file)!r} is cut off: {END.decode()!r} is missing at its end; copy or export it again"
        )
    return read_faces(owner, "step", file, time_limit=time_limit, trim_tolerance=trim_tolerance)
