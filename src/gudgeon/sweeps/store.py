"""The store of a study: one labelled dataset, Zarr format 3, that grows run by run and survives being killed.

A finished run first goes to the journal of its process (journal.py), where one flush makes it durable. From time to
time, at the end, and whenever the store is opened, the journals are folded into the arrays (folding.py).
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import tempfile
import time
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from gudgeon.errors import FileError, ModelError, NotWritten
from gudgeon.files.disk import FULL
from gudgeon.sweeps import zarr_files as zarr
from gudgeon.sweeps.fitting import fitted
from gudgeon.sweeps.folding import FOLD_BYTES, OWN, fold, locked
from gudgeon.sweeps.journal import Journal, is_held, records
from gudgeon.sweeps.member import DONE, Outcome
from gudgeon.sweeps.perturb import MEMBER
from gudgeon.sweeps.places import JOURNAL, journals
from gudgeon.sweeps.study import Study, differences

FORMAT = "gudgeon study 1"
LAYOUT = "layout.json"  # what the outputs are, in the folder of the journals
LOOK_SECONDS = 1.0  # between two looks at what other processes did
FOLD_SECONDS = 30.0  # between two times of folding


class Store:
    """A store that is being written."""

    def __init__(self, path: Path, head: dict[str, Any]):
        self.path, self.head = path, head
        self.dims: list[str] = list(head["study"]["dimensions"])
        self.shape: list[int] = list(head["study"]["dimensions"].values())
        self._read_until: dict[Path, int] = {}  # places in the journals of others
        self._finished: dict[int, int] = {}  # run → status
        self._journal: Journal | None = None
        self._layout: dict[str, Any] | None = None
        self._folded = self._looked = time.monotonic()

    @classmethod
    def of(cls, study: Study, path: Path) -> Store:
        """The store of a study: made, or found; that of another study is refused with the difference."""
        store = cls(path, {"format": FORMAT, "study": study.description(), "code": study.code()})
        with store._told():
            if not path.exists():
                store._make(study)
            found = head_of(path)
        told = differences(found["study"], store.head["study"])
        if told:
            raise ModelError(
                f"sweep: {str(path)!r} is the store of another study: {'; '.join(told)}; give another store=, or "
                "remove it"
            )
        if found["code"] != store.head["code"]:
            warnings.warn(
                f"sweep: runs in {str(path)!r} were computed by another version of gudgeon; bits may differ",
                UserWarning,
                stacklevel=3,
            )
        return store

    @property
    def layout_key(self) -> str:
        """Of the outputs that runs have; nothing before the first one."""
        layout = self._known_layout()
        return "" if layout is None else layout["key"]

    def finished(self) -> dict[int, int]:
        """The status of every run that is finished, whoever ran it."""
        with self._told():
            status = self._array("status")
            for k in np.flatnonzero(status.reshape(-1)):
                self._finished[int(k)] = int(status.reshape(-1)[k])
            for path in journals(self.path / JOURNAL):
                for place, outcome in records(path, self._read_until.get(path, 0)):
                    self._read_until[path] = place
                    if self._finished.get(outcome.run) != DONE:
                        self._finished[outcome.run] = outcome.status
        return self._finished

    def is_finished(self, run: int) -> bool:
        """Whether a run is finished, as far as this process knows; it looks at what others did now and then."""
        if time.monotonic() - self._looked > LOOK_SECONDS:
            self._looked = time.monotonic()
            self.finished()
        return run in self._finished

    def is_shared(self) -> bool:
        """Whether another process is at work on this store."""
        return any(is_held(path) for path in journals(self.path / JOURNAL))

    def commit(self, outcomes: Iterable[Outcome]) -> list[Outcome]:
        """Keep finished runs, durably; gives them as they are kept."""
        with self._told():
            kept = [self._fitting(outcome) for outcome in outcomes]
            if self._journal is None:
                self._journal = Journal(self.path / JOURNAL)
            self._journal.append(kept)
            for outcome in kept:
                self._finished[outcome.run] = outcome.status
            if self._journal.size > FOLD_BYTES or time.monotonic() - self._folded > FOLD_SECONDS:
                self.fold()
        return kept

    def close(self) -> None:
        """Fold all that is there and let go."""
        with self._told():
            self.fold()

    def release(self) -> None:
        """Let go without folding: what is in the journal stays there."""
        if self._journal is not None:
            self._journal.close(remove=False)
            self._journal = None

    def fold(self) -> None:
        """Move what the journals have into the arrays."""
        with self._told(), locked(self.path):
            own, self._journal = self._journal, None
            try:
                fold(self.path, self.shape)
            except BaseException:
                if own is not None:
                    own.close(remove=False)
                raise
            if own is not None:
                own.close(remove=True)
        self._folded = time.monotonic()

    def _fitting(self, outcome: Outcome) -> Outcome:
        """The outcome as the store can keep it, or a failed one if its outputs do not fit those of the first run."""
        if outcome.status != DONE:
            return outcome
        if outcome.layout is not None and self._known_layout() is None:
            self._settle(outcome.layout | {"key": outcome.layout_key})
        if outcome.layout_key == self.layout_key:
            return outcome
        return fitted(outcome, self._known_layout() or {})

    def _known_layout(self) -> dict[str, Any] | None:
        if self._layout is None:
            file = self.path / JOURNAL / LAYOUT
            if file.exists():
                self._layout = json.loads(file.read_bytes())
        return self._layout

    def _settle(self, layout: dict[str, Any]) -> None:
        """Make the arrays of the outputs, unless another process was first."""
        with locked(self.path):
            if self._known_layout() is not None:
                return
            for name, each in layout["coordinates"].items():
                values = np.asarray(each["values"])
                dtype = zarr.TEXT if values.dtype.kind == "U" else values.dtype.str
                self._write_whole(self.path, name, values, dtype, each["dims"], each["attrs"])
            for name, each in layout["variables"].items():
                chunks = zarr.chunk_shape(each["dtype"], self.shape, each["shape"])
                shape = (*self.shape, *each["shape"])
                dims = (*self.dims, *each["dims"])
                _make_array(self.path, name, zarr.array_metadata(shape, chunks, each["dtype"], dims, each["attrs"]))
            _write_head(self.path, self.head)
            zarr.write_durably(self.path / JOURNAL / LAYOUT, zarr.as_json(layout))

    def _make(self, study: Study) -> None:
        """A store without runs, beside its place, then moved there in one step."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(dir=self.path.parent, prefix=f".{self.path.name}"))
        try:
            (folder / JOURNAL).mkdir()
            for p in study.design.parameters:
                dims = [self.dims[0]] if study.design.sampled else [p.name]
                values = np.array(p.labels, dtype=float if p.is_number else object)
                attrs = {"path": p.path} | ({"units": p.unit} if p.unit else {})
                self._write_whole(folder, p.name, values, "<f8" if p.is_number else zarr.TEXT, dims, attrs)
            if study.design.members:
                self._write_whole(folder, MEMBER, np.arange(study.design.members), "<i8", [MEMBER], {})
            for name, (dtype, attrs) in OWN.items():
                chunks = zarr.chunk_shape(dtype, self.shape, ())
                _make_array(folder, name, zarr.array_metadata(self.shape, chunks, dtype, self.dims, attrs))
            _write_head(folder, self.head)
            os.chmod(folder, 0o777 & ~_umask())
            os.rename(folder, self.path)
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):  # another process was first
                raise
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _write_whole(
        self, store: Path, name: str, values: np.ndarray, dtype: str, dims: list[str], attrs: dict[str, Any]
    ) -> None:
        _make_array(store, name, zarr.array_metadata(values.shape, values.shape, dtype, dims, attrs))
        zarr.write_chunk(store / name, [0] * values.ndim, dtype, values)

    def _array(self, name: str) -> np.ndarray:
        """All values of an array of the store's own."""
        dtype = OWN[name][0]
        chunks = zarr.chunk_shape(dtype, self.shape, ())
        out = zarr.empty_chunk(dtype, self.shape)
        for chunk in zarr.whole_chunks(self.shape, chunks):
            place = tuple(slice(k * n, (k + 1) * n) for k, n in zip(chunk, chunks, strict=True))
            part = out[place]
            part[...] = zarr.read_chunk(self.path / name, chunk, dtype, chunks)[tuple(map(slice, part.shape))]
        return out

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What the disk refuses, in words."""
        try:
            yield
        except FileError:
            raise
        except OSError as error:
            fix = "free some space" if error.errno in FULL else "see to it"
            raise NotWritten(
                f"sweep: the store {str(self.path)!r} cannot be written: {error.strerror or error}; "
                f"{len(self._finished)} runs are kept: {fix}, then start the same study again",
                error.errno,
            ) from None


def head_of(path: Path) -> dict[str, Any]:
    """What a store says of itself; FileError if it is none."""
    if not path.is_dir():
        raise FileError(f"study: there is no store {str(path)!r}", errno.ENOENT)
    try:
        attrs = json.loads((path / "zarr.json").read_bytes())["attributes"]
        if attrs["format"] != FORMAT:
            raise KeyError("format")
        return attrs | {"study": json.loads(attrs["study"])}
    except (OSError, KeyError, TypeError, ValueError):
        raise FileError(
            f"study: {str(path)!r} is there and is no gudgeon study; give another name, or remove it"
        ) from None


def _make_array(store: Path, name: str, metadata: dict[str, Any]) -> None:
    (store / name).mkdir(exist_ok=True)
    zarr.write_durably(store / name / "zarr.json", zarr.as_json(metadata))


def _write_head(store: Path, head: dict[str, Any]) -> None:
    arrays = {file.parent.name: json.loads(file.read_bytes()) for file in sorted(store.glob("*/zarr.json"))}
    attrs = {**head, "study": json.dumps(head["study"])}
    zarr.write_durably(store / "zarr.json", zarr.group_metadata(attrs, arrays))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
