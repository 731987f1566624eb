"""Files written whole or not at all, and read only if they are whole.

What is written goes to a file beside the target, to the disk, and then takes the target's name: a full disk or a power
cut leaves the old file as it was. The last bytes are a digest of those before; readers of HDF5 do not look beyond the
end that its header names, so that other tools read the file as ever.
"""

from __future__ import annotations

import errno
import hashlib
import math
import os
import tempfile
from pathlib import Path

from gudgeon.errors import FileError, NotWritten, nearby
from gudgeon.files.memory import memory

SEAL = b"\ngudgeon sha256:"
PART = ".part"  # how the name of a file ends while it is written
ELSEWHERE = "choose a folder that you can write"
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def seal(content: bytes | memoryview) -> bytes:
    """What to write behind the content: its digest."""
    return SEAL + hashlib.sha256(content).digest()


def unsealed(owner: str, path: Path, content: bytes) -> bytes:
    """The content without the digest at its end, if it has one, or a FileError if that does not fit."""
    start = len(content) - len(SEAL) - 32
    if start < 0 or content[start : start + len(SEAL)] != SEAL:
        return content
    if hashlib.sha256(content[:start]).digest() != content[start + len(SEAL) :]:
        raise FileError(
            f"{owner}: {str(path)!r} is damaged: its content is not what was saved; take a copy or run it again"
        )
    return content[:start]


def read_file(owner: str, path: Path, most: float = math.inf) -> bytes:
    """All bytes of a file, or a FileError; `most` is how many there may be."""
    if not path.exists():
        raise FileError(f"{owner}: there is no file {str(path)!r}{nearby(path)}", errno.ENOENT)
    if not path.is_file():
        kind = "folder" if path.is_dir() else "device or a pipe"
        raise FileError(f"{owner}: {str(path)!r} is a {kind}; give the name of a file")
    try:
        size, most = path.stat().st_size, min(most, memory() / 2.0)
        if size <= most:
            return path.read_bytes()
    except OSError as error:
        raise FileError(f"{owner}: {str(path)!r} cannot be read: {reason(error)}", error.errno) from None
    raise FileError(f"{owner}: {str(path)!r} has {size / 1e6:,.0f} MB; at most {most / 1e6:,.0f} MB are read")


def require_place(owner: str, path: Path) -> None:
    """A FileError now, rather than after hours of work, where a file of this name could not be written."""
    _refuse_no_folder(owner, path)
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise NotWritten(
            f"{owner}: {str(path)!r} cannot be written: {reason(error)}; {ELSEWHERE}", error.errno
        ) from None


def write_file(owner: str, path: Path, *parts: bytes | memoryview) -> None:
    """Write a file of these parts, replacing one only when the new one is on the disk; a FileError says why not."""
    _refuse_no_folder(owner, path)
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=PART)
        with open(handle, "wb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except OSError as error:
        fix = ELSEWHERE
        if error.errno in FULL:
            fix = f"it takes {sum(map(len, parts)) / 1e6:.3g} MB: free some space, or choose another disk"
        message = f"{owner}: {str(path)!r} cannot be written: {reason(error)}; {fix}"
        raise NotWritten(message, error.errno) from None
    finally:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)


def make_folder(owner: str, path: Path) -> None:
    """Make a folder and those above it, or a FileError."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"{owner}: the folder {str(path)!r} cannot be made: {reason(error)}; choose another one"
        raise NotWritten(message, error.errno) from None


def _refuse_no_folder(owner: str, path: Path) -> None:
    if not path.parent.is_dir():
        raise NotWritten(f"{owner}: there is no folder {str(path.parent)!r}; make it first", errno.ENOENT)
    if path.is_dir():
        raise NotWritten(f"{owner}: {str(path)!r} is a folder; give the name of a file", errno.EISDIR)


def reason(error: OSError) -> str:
    """What the system says of an error."""
    return error.strerror or str(error)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
