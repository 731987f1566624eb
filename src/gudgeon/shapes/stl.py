"""STL files, binary or text: the triangles in them. (The format has no unit, and says nothing else that is needed.)"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from gudgeon.cad.read import SIZE_LIMIT, checked_file
from gudgeon.errors import ModelError
from gudgeon.shapes.triangles import MOST_TRIANGLES, Triangles

RECORD = np.dtype([("normal", "<f4", 3), ("points", "<f4", (3, 3)), ("attribute", "<u2")])
HEAD = 84  # bytes before the first record: a title, and how many there are
_VERTEX = re.compile(rb"vertex\s+(\S+)\s+(\S+)\s+(\S+)", re.IGNORECASE)


def read_stl(owner: str, path: str | Path) -> Triangles:
    """The triangles of an STL file; ModelError says what is wrong with it."""
    file = checked_file(owner, path, SIZE_LIMIT)
    if file.suffix.lower() != ".stl":
        raise ModelError(f"{owner}: {file.name!r} is not read; export it as STL (or give gd.Step a STEP file)")
    content = file.read_bytes()
    points = _text(content) if content.lstrip()[:5].lower() == b"solid" and b"vertex" in content else None
    if points is None:
        count = int.from_bytes(content[80:HEAD], "little") if len(content) >= HEAD else -1
        if count < 1 or len(content) < HEAD + RECORD.itemsize * count:
            raise ModelError(
                f"{owner}: {file.name!r} is cut off or no STL file ({len(content)} bytes, {count} triangles "
                "announced); export it again"
            )
        points = np.frombuffer(content, dtype=RECORD, count=count, offset=HEAD)["points"]
    if len(points) > MOST_TRIANGLES:
        raise ModelError(f"{owner}: {file.name!r} has {len(points)} triangles; at most {MOST_TRIANGLES} are read")
    if not len(points) or not np.isfinite(points).all() or np.abs(points).max() > 1e30:
        raise ModelError(f"{owner}: {file.name!r} has no triangles of finite numbers; export it again")
    return Triangles.of_soup(points)


def _text(content: bytes) -> np.ndarray | None:
    """Points of an STL file in text, (triangles, 3, 3); None if it is not one after all."""
    try:
        numbers = np.fromiter(
            (float(x) for found in _VERTEX.finditer(content) for x in found.groups()), dtype=np.float64
        )
    except ValueError:
        return None
    return numbers.reshape(-1, 3, 3) if len(numbers) and len(numbers) % 9 == 0 else None
