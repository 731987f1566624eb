"""Files written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from gudgeon.errors import ModelError


def write_file(owner: str, path: Path, *parts: bytes | memoryview) -> None:
    """Write a file of these parts, replacing one only when the new one is complete."""
    if not path.parent.is_dir():
        raise ModelError(f"{owner}: there is no folder {str(path.parent)!r}; make it first")
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    try:
        with open(handle, "wb") as file:
            for part in parts:
                file.write(part)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    finally:
        Path(temporary).unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
