"""A run on the disk while it lasts: what a checkpoint writes, and how a run goes on from it.

Samples, crossings and contacts only grow: what is new is appended to one file, each piece with its digest. All else
that a run remembers is written whole into a second file, which takes the place of the last one when it is on the disk,
and which says how much of the first file counts. Whatever happens meanwhile, the older state and its samples are there.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import time
import warnings
import zipfile
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.errors import FileError, ModelError, NotWritten
from gudgeon.files.disk import PART, make_folder, read_file, reason, seal, unsealed, write_file
from gudgeon.solvers.memory import every_array

if TYPE_CHECKING:
    from gudgeon.mechanics.equations import Equations

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

STATE, GROWN, LOCK = "state", "samples", "lock"  # the files of a checkpoint
FORMAT = "gudgeon checkpoint 1"
HEAD = struct.Struct("<4sQ32s")  # magic, bytes, their digest
MAGIC = b"GC1\n"
UNLIMITED = ("crossing_time", "crossing_which", "contacts")  # results whose number nobody knows beforehand
ABOUT, TAKEN = "about", "taken"  # beside the arrays of a state
DAMAGED = (KeyError, TypeError, ValueError, EOFError, OSError, MemoryError, zipfile.BadZipFile, struct.error)


@dataclass(kw_only=True)
class KeptRun:
    """A run as it was kept."""

    time: float  # [s]
    arrays: dict[str, np.ndarray]  # all that it remembers, as in memory.py
    grown: dict[str, np.ndarray]  # samples, crossings, contacts
    taken: np.ndarray  # its counts when it began


@dataclass(kw_only=True)
class Keeper:
    """Keeps a run in a folder; `identity` tells the run from others, part by part."""

    folder: Path
    every: float  # of computing, between two times that it is kept [s]
    identity: dict[str, str]
    seconds_before: float = 0.0  # of computing, in processes before this one
    cpu_before: float = 0.0
    resumed_at: list[float] = field(default_factory=list)  # [s]
    kept: KeptRun | None = None
    _began: tuple[float, float] = (0.0, 0.0)
    _written: float = 0.0  # when it was last kept, by the clock
    _counts: dict[str, int] = field(default_factory=dict)  # rows that are on the disk
    _bytes: int = 0  # of the file that grows, which count
    _lock: int | None = None
    _told: set[int | None] = field(default_factory=set)  # reasons already warned of

    def open(self) -> KeptRun | None:
        """Hold the folder, and read the run that it keeps, if there is one; another run is refused."""
        make_folder("Checkpoint", self.folder)
        refuse_other_files(self.folder)
        self._hold()
        for left in self.folder.glob(f"{STATE}*{PART}"):  # by a process that died while it wrote
            left.unlink(missing_ok=True)
        self._began = time.perf_counter(), time.process_time()
        state = self.folder / STATE
        if not state.is_file():
            return None
        about, arrays = read_state(state)
        different = [part for part, key in self.identity.items() if about["identity"].get(part) != key]
        if different:
            raise ModelError(
                f"Checkpoint: {str(self.folder)!r} keeps another run, cut at t = {about['time']:g} s: "
                f"{' and '.join(different)} {'differs' if len(different) == 1 else 'differ'}; give another folder, or "
                "remove it"
            )
        grown = read_grown(self.folder / GROWN, about["bytes"])
        self._counts, self._bytes = {name: len(rows) for name, rows in grown.items()}, about["bytes"]
        self.seconds_before, self.cpu_before = about["seconds"], about["cpu_seconds"]
        self.resumed_at = [*about["resumed_at"], about["time"]]
        taken = arrays.pop(TAKEN)
        self.kept = KeptRun(time=about["time"], arrays=arrays, grown=grown, taken=taken)
        return self.kept

    def is_due(self) -> bool:
        """Whether it is time to keep the run again."""
        return time.perf_counter() - self._written >= self.every

    def keep_if_due(
        self, flight: Any, method: Any, equations: Equations, taken: np.ndarray, *, now: bool = False
    ) -> None:
        """Keep the run if that is due; where it cannot be written the run goes on, with a warning."""
        if not now and not self.is_due():
            return
        try:
            self.keep(flight, method, equations, taken)
        except OSError as error:
            self._written = time.perf_counter()
            if error.errno not in self._told:
                self._told.add(error.errno)
                warnings.warn(f"{error}. The run goes on; {self._kept_until()}", stacklevel=6)

    def keep(self, flight: Any, method: Any, equations: Equations, taken: np.ndarray) -> None:
        """Write what a run remembers; FileError where that is not possible, what was kept before stays."""
        from gudgeon.kernels.integrators import run as places

        grown = results_so_far(flight)
        fresh = _npz({name: rows[self._counts.get(name, 0) :] for name, rows in grown.items()})
        self._append(HEAD.pack(MAGIC, len(fresh), hashlib.sha256(fresh).digest()) + fresh)
        size = self._bytes + HEAD.size + len(fresh)
        about = {
            "format": FORMAT,
            "time": float(flight.clock[places.TIME]),
            "identity": self.identity,
            "every": self.every,
            "bytes": size,
            "seconds": self.seconds,
            "cpu_seconds": self.cpu_seconds,
            "resumed_at": self.resumed_at,
        }
        arrays = every_array(flight, method, equations)
        content = _npz({ABOUT: np.frombuffer(json.dumps(about).encode(), np.uint8), TAKEN: taken, **arrays})
        write_file("Checkpoint", self.folder / STATE, content, seal(content))
        self._counts, self._bytes = {name: len(rows) for name, rows in grown.items()}, size
        self._written = time.perf_counter()

    @property
    def seconds(self) -> float:
        """Of computing so far, in all processes."""
        return self.seconds_before + time.perf_counter() - self._began[0]

    @property
    def cpu_seconds(self) -> float:
        """The same, of the processor."""
        return self.cpu_before + time.process_time() - self._began[1]

    def close(self) -> None:
        """Let go of the folder."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _append(self, content: bytes) -> None:
        """Write behind what counts, onto the disk; on an error the file is as long as it was."""
        path = self.folder / GROWN
        try:
            handle = os.open(path, os.O_CREAT | os.O_WRONLY, 0o666)
            try:
                os.lseek(handle, self._bytes, os.SEEK_SET)
                rest = memoryview(content)
                while rest:
                    rest = rest[os.write(handle, rest) :]
                os.ftruncate(handle, self._bytes + len(content))
                os.fsync(handle)
            except OSError:
                with suppress(OSError):
                    os.ftruncate(handle, self._bytes)
                raise
            finally:
                os.close(handle)
        except OSError as error:
            message = f"Checkpoint: {str(path)!r} cannot be written: {reason(error)}"
            raise NotWritten(message, error.errno) from None

    def _hold(self) -> None:
        """One process at a time: the lock goes with it, however it ends."""
        path = self.folder / LOCK
        try:
            self._lock = os.open(path, os.O_CREAT | os.O_RDWR, 0o666)
            if fcntl is not None:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.close()
            raise FileError(
                f"Checkpoint: another process is at work on {str(self.folder)!r}; wait for it, or give another folder"
            ) from None
        except OSError as error:
            raise NotWritten(
                f"Checkpoint: {str(path)!r} cannot be written: {reason(error)}; choose a folder that you can write",
                error.errno,
            ) from None

    def _kept_until(self) -> str:
        with suppress(FileError):
            if (self.folder / STATE).is_file():
                return f"what is kept is that of t = {read_state(self.folder / STATE)[0]['time']:g} s"
        return "nothing is kept"


def restored(kept: KeptRun, flight: Any, method: Any, equations: Equations) -> Any:
    """The flight where the kept one was, with all that it had brought."""
    try:
        for name, array in every_array(flight, method, equations).items():
            array[...] = kept.arrays[name]
        roomy = {name: _with_room(getattr(flight, name), len(kept.grown[name])) for name in UNLIMITED}
        flight = flight.replaced(**roomy)
        for name, rows in kept.grown.items():
            getattr(flight, name)[: len(rows)] = rows
    except (KeyError, ValueError) as error:
        raise FileError(f"Checkpoint: what is kept does not fit this run ({error}); remove it and run anew") from None
    return flight


def _with_room(array: np.ndarray, count: int) -> np.ndarray:
    return np.concatenate([array, np.zeros((max(0, count - len(array)), *array.shape[1:]), array.dtype)])


def refuse_other_files(folder: Path) -> None:
    """A folder of a checkpoint has nothing else in it."""
    for item in folder.iterdir():
        is_part = item.name.startswith(STATE) and item.name.endswith(PART)
        if item.name not in (STATE, GROWN, LOCK) and not is_part:
            raise FileError(
                f"Checkpoint: the folder {str(folder)!r} has other files in it ({item.name!r}); give one of its own"
            )


def results_so_far(flight: Any) -> dict[str, np.ndarray]:
    """What a run has brought, of which earlier rows never change."""
    from gudgeon.kernels.integrators import run as places

    count = flight.count
    sampled, crossed, contacts = count[places.SAMPLED], count[places.CROSSED], count[places.CONTACTS]
    return {
        "samples": flight.samples[:sampled],
        "force_samples": flight.force_samples[:sampled],
        "crossing_time": flight.crossing_time[:crossed],
        "crossing_which": flight.crossing_which[:crossed],
        "contacts": flight.contacts[:contacts],
    }


def read_state(path: Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """What a state says of itself, and its arrays; FileError where it is damaged."""
    content = unsealed("Checkpoint", path, read_file("Checkpoint", path))
    try:
        arrays = _arrays(content)
        about = json.loads(arrays.pop(ABOUT).tobytes())
        known = about["format"] == FORMAT and all(
            name in about for name in ("bytes", "seconds", "cpu_seconds", "resumed_at", "identity")
        )
        if not known or not isinstance(about["time"], float) or TAKEN not in arrays:
            raise ValueError(f"it is not of the format {FORMAT!r}")
    except DAMAGED as error:
        raise FileError(f"Checkpoint: {str(path)!r} is damaged ({error}); remove its folder and run anew") from None
    return about, arrays


def read_grown(path: Path, size: int) -> dict[str, np.ndarray]:
    """The samples, crossings and contacts in the first `size` bytes of a file; FileError where they are damaged."""
    content = memoryview(read_file("Checkpoint", path))
    pieces: list[dict[str, np.ndarray]] = []
    place = 0
    try:
        while place < size:
            magic, length, digest = HEAD.unpack_from(content, place)
            body = content[place + HEAD.size : place + HEAD.size + length]
            if magic != MAGIC or hashlib.sha256(body).digest() != digest:
                raise ValueError(f"byte {place} and those behind it are not what was written")
            pieces.append(_arrays(bytes(body)))
            place += HEAD.size + length
        return {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}
    except (*DAMAGED, IndexError) as error:
        raise FileError(f"Checkpoint: {str(path)!r} is damaged ({error}); remove its folder and run anew") from None


def _npz(arrays: dict[str, np.ndarray]) -> bytes:
    file = BytesIO()
    np.savez(file, **arrays)  # type: ignore[arg-type]
    return file.getvalue()


def _arrays(content: bytes) -> dict[str, np.ndarray]:
    """The arrays of an NPZ file that is not compressed: it holds no more than it shows."""
    with zipfile.ZipFile(BytesIO(content)) as file:
        if any(item.compress_type != zipfile.ZIP_STORED for item in file.infolist()):
            raise ValueError("it is compressed")
    with np.load(BytesIO(content), allow_pickle=False) as file:
        return {name: file[name] for name in file.files}
