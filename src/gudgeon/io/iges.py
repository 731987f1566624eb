"""Faces of IGES files (5.3) as NURBS surfaces in metres, read by OpenCASCADE."""

from __future__ import annotations

import os
import re

from gudgeon.cad.faces import Faces
from gudgeon.cad.read import SIZE_LIMIT, TIME_LIMIT, TRIM_TOLERANCE, checked_file, ends_of, read_faces
from gudgeon.errors import ModelError

START_LINE = re.compile(rb".{72}[SC]\s*\d+")
LAST_LINE = re.compile(rb"T\s*\d+\s*$")


def read(
    path: str | os.PathLike[str],
    *,
    size_limit: float = SIZE_LIMIT,
    time_limit: float = TIME_LIMIT,
    trim_tolerance: float = TRIM_TOLERANCE,
) -> Faces:
    """The faces of an IGES file, as `gudgeon.io.step.read` gives those of a STEP file.

    IGES knows no assemblies of placed parts; groups become bodies where they are kept apart. Surfaces in a file of
    trimmed surfaces bound no solid: which side the material is on is then the file's direction of the surface.

    >>> import gudgeon as gd
    >>> faces = gd.io.iges.read("bearing.igs")  # doctest: +SKIP
    """
    owner = "io.iges.read"
    file = checked_file(owner, path, size_limit)
    head, tail = ends_of(file)
    first = head.split(b"\n", 1)[0].rstrip(b"\r")
    if not START_LINE.fullmatch(first):
        raise ModelError(
            f"{owner}: {str(file)!r} is not an IGES file: column 73 of its first line is not 'S'; export it as IGES 5.3"
        )
    last = tail.rstrip().rsplit(b"\n", 1)[-1]
    if not LAST_LINE.search(last):
        raise ModelError(
            f"{owner}: {str(file)!r} is cut off: its last line is not the 'T' line; copy or export it again"
        )
    return read_faces(owner, "iges", file, time_limit=time_limit, trim_tolerance=trim_tolerance)
