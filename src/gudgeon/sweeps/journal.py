"""The journal of a store: finished runs as they come, each one record with a digest, on the disk before it counts.

Every process that works on a study appends to a file of its own, which it holds locked as long as it lives. A record is
whole or it is none: what a crash cut off has no digest that fits, and is not read.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from gudgeon.sweeps.member import Outcome
from gudgeon.sweeps.places import SUFFIX

try:
    import fcntl
except ImportError:  # not on Windows: one process at a time there
    fcntl = None  # type: ignore[assignment]

MAGIC = b"GJ1\n"
HEAD = struct.Struct("<4sIQ32s")  # magic, bytes of the header, of the body, digest of both


def record(outcome: Outcome) -> bytes:
    """An outcome as the journal keeps it: what it is in JSON, then the numbers."""
    shapes = {name: [values.dtype.str, list(values.shape)] for name, values in outcome.variables.items()}
    header = json.dumps(
        {
            "run": outcome.run,
            "status": outcome.status,
            "error": outcome.error,
            "warning": outcome.warning,
            "seconds": outcome.seconds,
            "variables": shapes,
        }
    ).encode()
    body = b"".join(values.tobytes() for values in outcome.variables.values())
    return HEAD.pack(MAGIC, len(header), len(body), hashlib.sha256(header + body).digest()) + header + body


def records(path: Path, start: int = 0) -> Iterator[tuple[int, Outcome]]:
    """The whole records of a journal from a place on, each with the place behind it."""
    with suppress(FileNotFoundError), open(path, "rb") as file:
        file.seek(start)
        while len(head := file.read(HEAD.size)) == HEAD.size:
            magic, header_size, body_size, digest = HEAD.unpack(head)
            if magic != MAGIC or header_size + body_size > os.fstat(file.fileno()).st_size:
                return
            content = file.read(header_size + body_size)
            if len(content) < header_size + body_size or hashlib.sha256(content).digest() != digest:
                return
            yield file.tell(), _outcome(json.loads(content[:header_size]), content[header_size:])


def _outcome(header: dict[str, Any], body: bytes) -> Outcome:
    variables, place = {}, 0
    for name, (dtype, shape) in header.pop("variables").items():
        count = int(np.prod(shape, dtype=int))
        variables[name] = np.frombuffer(body, dtype=dtype, count=count, offset=place).reshape(shape)
        place += count * np.dtype(dtype).itemsize
    return Outcome(**header, variables=variables)


class Journal:
    """The file that one process appends to."""

    def __init__(self, folder: Path):
        self.path = folder / f"{uuid.uuid4().hex}{SUFFIX}"
        self._file = os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_APPEND, 0o666)
        if fcntl is not None:
            fcntl.flock(self._file, fcntl.LOCK_EX)
        self.size = 0  # of what is surely there [bytes]

    def append(self, outcomes: Iterable[Outcome]) -> None:
        """Add records; when this returns they are on the disk. On an error nothing of them remains."""
        content = memoryview(b"".join(map(record, outcomes)))
        try:
            written = 0
            while written < len(content):
                written += os.write(self._file, content[written:])
            os.fdatasync(self._file) if hasattr(os, "fdatasync") else os.fsync(self._file)
        except OSError:
            with suppress(OSError):
                os.ftruncate(self._file, self.size)
            raise
        self.size += len(content)

    def close(self, *, remove: bool) -> None:
        """Let go of the file, and remove it if all of it is kept elsewhere."""
        if remove:
            self.path.unlink(missing_ok=True)
        os.close(self._file)


def is_held(path: Path) -> bool:
    """Whether the process of a journal lives; a journal that is gone is held by nobody."""
    return not _alone_with(path, lambda: None)


def remove_if_left(path: Path) -> None:
    """Remove a journal whose process is gone."""
    _alone_with(path, lambda: path.unlink(missing_ok=True))


def _alone_with(path: Path, act: Callable[[], None]) -> bool:
    """Do this unless a living process holds the journal."""
    if fcntl is None:
        return False
    try:
        handle = os.open(path, os.O_RDWR)
    except OSError:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        act()
    except BlockingIOError:
        return False
    finally:
        os.close(handle)
    return True
