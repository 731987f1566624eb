"""Local processes for studies: an Executor whose workers are forked from one process that has read the kernels.

Unlike `concurrent.futures.ProcessPoolExecutor` it needs no `if __name__ == "__main__"`, says which task a killed
process took with it and goes on with a new one, and leaves no process behind when it is itself killed.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import Any

from gudgeon.checks import shown
from gudgeon.errors import ModelError
from gudgeon.sweeps.worker import receive, send

ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "NUMBA_NUM_THREADS"), "1"
)


class WorkerDied(RuntimeError):
    """The process that worked on a task is gone: killed, or out of memory."""


class Processes(Executor):
    """Processes of this machine, each with one thread: what `gd.sweep` uses by default.

    >>> import gudgeon as gd
    >>> with gd.Processes(1) as pool:
    ...     pool.submit(pow, 2, 10).result()
    1024
    """

    def __init__(self, workers: int | None = None):
        if workers is not None and (isinstance(workers, bool) or not isinstance(workers, int) or workers < 1):
            raise ModelError(f"Processes: workers is {shown(workers)}; give a whole number, at least 1")
        self.workers = workers or available_cores()
        self._tasks: queue.SimpleQueue[tuple[Future, Callable[..., Any], tuple] | None] = queue.SimpleQueue()
        self._links: set[socket.socket] = set()
        self._lock, self._control_lock = threading.Lock(), threading.Lock()
        self._closed = False
        self._prepared = ""  # the key of the last job
        self._threads: list[threading.Thread] = []
        self._start_server()

    def _start_server(self) -> None:
        self._control, theirs = socket.socketpair()
        command = [sys.executable, "-m", "gudgeon.sweeps.worker", str(theirs.fileno())]
        paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
        self._server = subprocess.Popen(
            command,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            env={**os.environ, **ONE_THREAD, "PYTHONPATH": paths},
        )
        theirs.close()

    def prepare(self, job: Any) -> None:
        """Read the kernels of a study once, before workers are forked; it does not wait."""
        if not self._threads and self._prepared != job.key:
            self._prepared = job.key
            first = threading.Thread(target=self._ask, args=("prepare", job), daemon=True)
            first.start()
            first.join(0.05)  # it holds the control socket by now

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future:
        """Run `fn(*args)` in a process; it and its arguments are pickled."""
        if self._closed:
            raise RuntimeError("Processes: this executor is shut down; make a new one")
        if kwargs:
            raise TypeError("Processes: give arguments by position")
        future: Future = Future()
        self._tasks.put((future, fn, args))
        if len(self._threads) < self.workers:
            thread = threading.Thread(target=self._attend, daemon=True, name="gudgeon worker")
            self._threads.append(thread)
            thread.start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes: after what was submitted is done, or at once with `cancel_futures`."""
        self._closed = True
        if cancel_futures:
            with contextlib.suppress(queue.Empty):
                while task := self._tasks.get_nowait():
                    task[0].cancel()
            self._end_server()
        for _ in self._threads:
            self._tasks.put(None)
        if wait or cancel_futures:
            for thread in self._threads:
                thread.join()
            self._end_server()

    def _end_server(self) -> None:
        with contextlib.suppress(OSError):
            self._control.shutdown(socket.SHUT_RDWR)
        with self._lock:
            for link in self._links:
                with contextlib.suppress(OSError):
                    link.shutdown(socket.SHUT_RDWR)
        try:
            self._server.wait(timeout=1.0 if self._threads else 0.0)  # it may be amid reading kernels
        except subprocess.TimeoutExpired:
            os.killpg(self._server.pid, signal.SIGKILL)
            self._server.wait()
        self._control.close()

    def _attend(self) -> None:
        """One thread for each worker: hand over a task, wait for its answer."""
        link, pid = None, 0
        while (task := self._tasks.get()) is not None:
            future, function, arguments = task
            if not future.set_running_or_notify_cancel():
                continue
            try:
                if link is None:
                    link, pid = self._new_worker()
                send(link, pickle.dumps((0, function, arguments), protocol=5))
                answer = receive(link)
                if answer is None:
                    raise WorkerDied(self._how_it_ended(pid))
                _, good, value = pickle.loads(answer)
            except (WorkerDied, OSError, EOFError) as error:
                self._drop(link)
                link = None
                future.set_exception(error if isinstance(error, WorkerDied) else WorkerDied(self._how_it_ended(pid)))
            except BaseException as error:  # what cannot be pickled
                future.set_exception(error)
            else:
                future.set_result(value) if good else future.set_exception(value)
            del task, future, arguments
        self._drop(link)

    def _drop(self, link: socket.socket | None) -> None:
        if link is not None:
            with self._lock:
                self._links.discard(link)
            link.close()

    def _new_worker(self) -> tuple[socket.socket, int]:
        ours, theirs = socket.socketpair()
        with theirs:
            pid = self._ask("fork", theirs.fileno(), handle=theirs.fileno())
        if pid is None:
            ours.close()
            raise BrokenExecutor("the process that makes workers is gone")
        with self._lock:
            self._links.add(ours)
        return ours, pid

    def _how_it_ended(self, pid: int) -> str:
        code = self._ask("status", pid)
        if isinstance(code, int) and code < 0:
            return f"its process was ended by {signal.Signals(-code).name}"
        return "its process ended" + (f" with code {code}" if isinstance(code, int) else "")

    def _ask(self, what: str, value: Any, handle: int | None = None) -> Any:
        """Ask the server; None if it is gone."""
        with self._control_lock:
            try:
                socket.send_fds(self._control, [b"g"], [] if handle is None else [handle])
                send(self._control, pickle.dumps((what, value)))
                answer = receive(self._control)
            except OSError:
                return None
        return None if answer is None else pickle.loads(answer)


def available_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def local_processes(workers: int | None) -> Executor:
    """The default executor of this system."""
    if hasattr(os, "fork") and sys.platform == "linux":
        return Processes(workers)
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    return ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))
