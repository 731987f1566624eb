"""How commands end: what they print, and exit codes that scripts can use.

0   done
1   the model, or a file that is read, is not as it must be; nothing was computed
2   the command itself is wrong (said by typer)
3   the run failed, or all runs of a study; what was computed until then is kept
4   a file cannot be written: a full disk, a folder that is read-only
130 Ctrl-C, 143 terminated; what was computed until then is kept
"""

from __future__ import annotations

import signal
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import typer

from gudgeon.errors import ModelError, NotWritten, SimulationError, SimulationInterrupted
from gudgeon.files.yaml_text import written_json

MODEL, RUN, DISK, INTERRUPTED, TERMINATED = 1, 3, 4, 130, 143


class Told:
    """What a command has to say: lines for people, or one JSON object at the end."""

    def __init__(self, *, as_json: bool = False, quiet: bool = False):
        self.as_json, self.quiet = as_json, quiet
        self.data: dict[str, Any] = {}
        self.terminated = False

    @property
    def silent(self) -> bool:
        """Whether nothing is said to people."""
        return self.as_json or self.quiet

    @property
    def progress(self) -> bool | None:
        """What the `progress=` of long work is to be."""
        return False if self.silent else None

    def say(self, line: str = "", **data: Any) -> None:
        """A line for people, and what it says as data."""
        self.data |= data
        if line and not self.silent:
            typer.echo(line)

    def warn(self, message: Any, *_: Any, **__: Any) -> None:
        """A warning, to the error output."""
        self.data.setdefault("warnings", []).append(str(message))
        if not self.silent:
            typer.echo(f"gudgeon: warning: {message}", err=True)

    def complain(self, message: str) -> None:
        """A part that failed, where the others went on: to the error output, also if little is to be said."""
        self.data.setdefault("warnings", []).append(message)
        typer.echo(f"gudgeon: {message}", err=True)

    def end(self, signal_number: int, frame: FrameType | None) -> None:
        """Terminated: what Ctrl-C does, with a code of its own."""
        self.terminated = True
        raise KeyboardInterrupt

    def close(self) -> None:
        """Print the JSON object, if that is wanted."""
        if self.as_json:
            typer.echo(written_json(self.data))


@contextmanager
def told(*, as_json: bool = False, quiet: bool = False) -> Iterator[Told]:
    """Run a command: its mistakes are one line, and an exit code."""
    out = Told(as_json=as_json, quiet=quiet)
    code, message = 0, ""
    with warnings.catch_warnings(), _terminable(out):
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = out.warn
        try:
            yield out
        except SimulationInterrupted as error:
            code, message = INTERRUPTED, str(error).partition("; error.result")[0]
        except KeyboardInterrupt:
            code, message = INTERRUPTED, "interrupted"
        except SimulationError as error:
            code, message = RUN, str(error).partition("; error.result")[0]
        except (ModelError, OSError) as error:
            code, message = DISK if isinstance(error, NotWritten) else MODEL, str(error)
    if message:
        out.data["error"] = message
        typer.echo(f"gudgeon: {message}", err=True)
    code = TERMINATED if code == INTERRUPTED and out.terminated else code
    out.data["exit_code"] = code
    out.close()
    if code:
        raise typer.Exit(code)


@contextmanager
def _terminable(out: Told) -> Iterator[None]:
    """Within it a request to terminate, such as that of a cluster before it kills, is like Ctrl-C."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, out.end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
