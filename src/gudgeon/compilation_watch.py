"""Sees what Numba compiles, as against what it reads from disk: how long it took, and a note if it takes long."""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event

from gudgeon import code_on_disk

QUIET_SECONDS = 3.0  # of compiling before a word is said
RARELY = (50_000, 20, 20)  # thresholds of Python's search for unused objects: Numba makes many, which it looks through


class Note:
    """Says what is being compiled, once that has taken a while; says nothing if all was on disk."""

    def __init__(self, what: str = "", stages: int = 0):
        self._what = what
        self._stages = stages
        self._stage = ""
        self._shown = False
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()

    def at(self, place: int, title: str) -> None:
        """The next stage begins."""
        with self._lock:
            self._stage = f"  {place + 1}/{self._stages} {title}"
            if self._shown:
                print(self._stage, file=sys.stderr, flush=True)

    def compiling(self) -> None:
        """Something is being compiled."""
        with self._lock:
            if self._timer is None:
                self._timer = threading.Timer(QUIET_SECONDS, self._show)
                self._timer.daemon = True
                self._timer.start()

    def close(self) -> None:
        """All is compiled or loaded."""
        if self._timer is None:
            return
        self._timer.cancel()
        with self._lock:
            if self._shown:
                later = "" if code_on_disk.is_lost() else "; the next start reads them from disk"
                print(f"gudgeon: compiled{later}", file=sys.stderr, flush=True)

    def _show(self) -> None:
        with self._lock:
            self._shown = True
            print(f"gudgeon: compiling kernels {self._what}once on this machine (about a minute)", file=sys.stderr)
            if self._stage:
                print(self._stage, file=sys.stderr)
            sys.stderr.flush()


class Watch(event.Listener):
    """Listens to Numba. What it is told or hears of while something else goes on in the same thread is part of that."""

    def __init__(self):
        self.count = 0  # kernels and functions compiled so far because they were not on disk
        self._here = _Here()
        self._lock = threading.Lock()
        self._busy = 0  # threads that compile
        self._thresholds = gc.get_threshold()  # before they began

    @property
    def seconds(self) -> float:
        """The time this thread has spent so far compiling, or loading what `preparing` tells of [s]."""
        return self._here.seconds

    @contextmanager
    def preparing(self, note: Note) -> Iterator[None]:
        """Kernels are compiled or loaded."""
        here, outer = self._here, self._here.note
        here.note = note
        self._enter()
        try:
            yield
        finally:
            self._leave()
            here.note = outer
            note.close()

    @contextmanager
    def compiling(self) -> Iterator[None]:
        """Something is compiled that Numba does not tell of."""
        self._started()
        try:
            yield
        finally:
            self._leave()

    def on_start(self, event):
        """Numba begins to compile a function that it did not find on disk."""
        if _is_ours(event):
            self._started()

    def on_end(self, event):
        """Numba has compiled it."""
        if _is_ours(event):
            self._leave()

    def _started(self) -> None:
        here = self._here
        if here.depth == 0:
            here.late = here.note = Note()
        with self._lock:
            self.count += 1
        if here.note is not None:
            here.note.compiling()
        self._enter()

    def _enter(self) -> None:
        if self._here.depth == 0:
            self._here.began = time.perf_counter()
            with self._lock:
                if self._busy == 0:
                    self._thresholds = gc.get_threshold()
                    gc.set_threshold(*RARELY)
                self._busy += 1
        self._here.depth += 1

    def _leave(self) -> None:
        here = self._here
        here.depth -= 1
        if here.depth == 0:
            here.seconds += time.perf_counter() - here.began
            with self._lock:
                self._busy -= 1
                if self._busy == 0:
                    gc.set_threshold(*self._thresholds)
            if here.late is not None:
                here.late.close()
                here.late = here.note = None


class _Here(threading.local):
    """What goes on in a thread."""

    def __init__(self):
        self.depth = 0  # of what is compiled within something else
        self.began = 0.0  # the outermost [s]
        self.seconds = 0.0  # spent so far [s]
        self.note: Note | None = None
        self.late: Note | None = None  # the note of a kernel that nobody announced


def _is_ours(event: Any) -> bool:
    return event.data["dispatcher"].py_func.__module__.startswith("gudgeon.")


watch = Watch()
event.register("numba:compile", watch)
