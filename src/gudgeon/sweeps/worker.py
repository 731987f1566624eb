"""The other side of `gd.Processes`: one process that has read all kernels, and the workers it forks.

Messages are pickled and preceded by their length. On the control socket come requests of the process that started this
one: `prepare` (a job whose kernels to read), `fork` (with the socket of a new worker), `status` (how a worker ended). A
worker gets (number, function, arguments) on its own socket and answers (number, is it good, result). Both end when the
other side is gone.
"""

from __future__ import annotations

import gc
import os
import pickle
import queue
import signal
import socket
import struct
import sys
import threading
import time
from contextlib import suppress
from typing import Any

LENGTH = struct.Struct("<Q")
PATIENCE = 2.0  # for the end of a worker to be known [s]


def send(link: socket.socket, content: bytes) -> None:
    """Send a message."""
    link.sendall(LENGTH.pack(len(content)))
    link.sendall(content)


def receive(link: socket.socket) -> bytes | None:
    """The next message; None when the other side is gone."""
    head = _exactly(link, LENGTH.size)
    return None if head is None else _exactly(link, LENGTH.unpack(head)[0])


def _exactly(link: socket.socket, count: int) -> bytes | None:
    parts = []
    while count:
        try:
            part = link.recv(min(count, 1 << 20))
        except OSError:
            return None
        if not part:
            return None
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def work(link: socket.socket) -> None:
    """What a worker does until its socket closes, even amid a run."""
    tasks: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def listen() -> None:
        while (message := receive(link)) is not None:
            tasks.put(message)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        number, function, arguments = pickle.loads(tasks.get())
        try:
            answer = pickle.dumps((number, True, function(*arguments)), protocol=5)
        except BaseException as error:
            answer = _refusal(number, error)
        try:
            send(link, answer)
        except OSError:
            os._exit(0)


def _refusal(number: int, error: BaseException) -> bytes:
    try:
        return pickle.dumps((number, False, error))
    except Exception:
        return pickle.dumps((number, False, RuntimeError(f"{type(error).__name__}: {error}")))


def prepare(job: Any) -> None:
    """Read what the runs of a job need, by a short run of its first member, so that workers have it by their birth."""
    from gudgeon.sweeps.member import warm_up

    with suppress(Exception):  # what is wrong with a run is told by the run
        warm_up(job)


def serve(control: socket.socket) -> None:
    """Fork workers until the control socket closes; then end them all."""
    children: dict[int, int | None] = {}  # pid → how it ended
    try:
        while True:
            content, handles, _, _ = socket.recv_fds(control, 1, 1)
            if not content:
                return
            message = receive(control)
            if message is None:
                return
            what, value = pickle.loads(message)
            answer: Any = None
            if what == "path":
                sys.path[:] = value
            elif what == "prepare":
                prepare(value)
            elif what == "fork":
                answer = _forked(handles[0], control)
                children[answer] = None
            elif what == "status":
                answer = _how_it_ended(value, children)
            send(control, pickle.dumps(answer))
    finally:
        for pid, ended in children.items():
            if ended is None:
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
                    os.waitpid(pid, 0)


def _forked(handle: int, control: socket.socket) -> int:
    gc.freeze()  # what there is stays, in the memory that all workers share
    pid = os.fork()
    if pid:
        os.close(handle)
        return pid
    try:
        gc.enable()
        control.close()
        work(socket.socket(fileno=handle))
    finally:
        os._exit(1)


def _how_it_ended(pid: int, children: dict[int, int | None]) -> int | None:
    """The exit code of a worker, negative for a signal; None if it is still there."""
    until = time.monotonic() + PATIENCE
    while children.get(pid) is None:
        found, status = os.waitpid(pid, os.WNOHANG)
        if found:
            children[pid] = os.waitstatus_to_exitcode(status)
        elif time.monotonic() > until:
            break
        else:
            time.sleep(0.01)
    return children.get(pid)


if __name__ == "__main__":
    gc.disable()  # until there are workers: what is made now stays
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started this one
    with suppress(ImportError):  # what is missing is told where it is used
        import gudgeon.analysis.simulate
        import gudgeon.sweeps.member  # noqa: F401 (while the first message is on its way)
    serve(socket.socket(fileno=int(sys.argv[1])))
