"""From the journals of a store into its arrays.

Chunks are replaced whole, `status` last, and only then a journal goes. Folding twice does no harm, a lock keeps two
processes from doing it at once, and what a crash leaves half done is done again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from gudgeon.sweeps import zarr_files as zarr
from gudgeon.sweeps.journal import fcntl, records, remove_if_left
from gudgeon.sweeps.member import DONE, FAILED, Outcome
from gudgeon.sweeps.places import JOURNAL, journals

LOCK = "lock"
OWN = {  # variables of every store: type, what it is
    "error": (zarr.TEXT, {"long_name": "why a run failed"}),
    "warning": (zarr.TEXT, {"long_name": "what a run warned of"}),
    "seconds": ("<f8", {"long_name": "time a run took", "units": "s"}),
    "status": ("|i1", {"flag_values": [0, DONE, FAILED], "flag_meanings": "missing done failed"}),
}
FOLD_BYTES = 1 << 26  # held in memory at once


def fold(path: Path, shape: list[int]) -> None:
    """Move the records of all journals into the arrays; whoever calls it holds the lock."""
    found = journals(path / JOURNAL)
    status = _Array(path, "status")
    fresh: dict[int, Outcome] = {}
    held = 0  # [bytes]
    for journal in found:
        for _, outcome in records(journal):
            place = np.unravel_index(outcome.run, shape) if shape else ()
            if status.get(place) != DONE:
                fresh[outcome.run] = outcome
                held += sum(values.nbytes for values in outcome.variables.values())
            if held > FOLD_BYTES:
                _fold_some(path, shape, fresh, status)
                fresh, held = {}, 0
    _fold_some(path, shape, fresh, status)
    for journal in found:
        remove_if_left(journal)


def _fold_some(path: Path, shape: list[int], fresh: dict[int, Outcome], status: _Array) -> None:
    names = {name for outcome in fresh.values() for name in outcome.variables}
    arrays = {name: _Array(path, name) for name in sorted({*names, *OWN} - {"status"})}
    for run in sorted(fresh):
        outcome, place = fresh[run], np.unravel_index(run, shape) if shape else ()
        for name, values in outcome.variables.items():
            arrays[name].set(place, values)
        for name in ("error", "warning", "seconds"):
            arrays[name].set(place, getattr(outcome, name))
    for array in arrays.values():
        array.write()
    for run, outcome in fresh.items():
        status.set(np.unravel_index(run, shape) if shape else (), outcome.status)
    status.write()


class _Array:
    """An array of a store whose chunks are read, changed and written whole."""

    def __init__(self, store: Path, name: str):
        self._folder = store / name
        meta = json.loads((self._folder / "zarr.json").read_bytes())
        self._dtype = next(key for key, kind in zarr.TYPES.items() if kind == meta["data_type"])
        self._chunks = tuple(meta["chunk_grid"]["configuration"]["chunk_shape"])
        self._held: dict[tuple[int, ...], np.ndarray] = {}
        self._changed: set[tuple[int, ...]] = set()

    def _chunk(self, place: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
        n = len(place)
        chunk = tuple(int(k) // c for k, c in zip(place, self._chunks[:n], strict=True)) + (0,) * (
            len(self._chunks) - n
        )
        if chunk not in self._held:
            self._held[chunk] = zarr.read_chunk(self._folder, chunk, self._dtype, self._chunks)
        return chunk, tuple(int(k) % c for k, c in zip(place, self._chunks[:n], strict=True))

    def get(self, place: Any) -> Any:
        chunk, at = self._chunk(place)
        return self._held[chunk][at]

    def set(self, place: Any, values: Any) -> None:
        chunk, at = self._chunk(place)
        self._held[chunk][at] = values
        self._changed.add(chunk)

    def write(self) -> None:
        for chunk in sorted(self._changed):
            zarr.write_chunk(self._folder, chunk, self._dtype, self._held[chunk])
        self._changed.clear()


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Alone with the arrays of a store; waits for others."""
    if fcntl is None:
        yield
        return
    handle = os.open(path / JOURNAL / LOCK, os.O_CREAT | os.O_RDWR, 0o666)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
