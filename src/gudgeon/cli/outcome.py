"""How commands end: what they print, and exit codes that scripts can use.

0   done
1   the model, or a file, is not as it must be: nothing was computed
2   the command itself is wrong (said by typer)
3   the run failed; what was computed until then is kept
130 interrupted; what was computed until then is kept
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer

from gudgeon.errors import ModelError, SimulationError, SimulationInterrupted
from gudgeon.files.yaml_text import written_json

MODEL, RUN, INTERRUPTED = 1, 3, 130


class Told:
    """What a command has to say: lines for people, or one JSON object at the end."""

    def __init__(self, *, as_json: bool = False, quiet: bool = False):
        self.as_json, self.quiet = as_json, quiet
        self.data: dict[str, Any] = {}

    def say(self, line: str = "", **data: Any) -> None:
        """A line for people, and what it says as data."""
        self.data |= data
        if line and not (self.quiet or self.as_json):
            typer.echo(line)

    def warn(self, message: Any, *_: Any, **__: Any) -> None:
        """A warning, to the error output."""
        self.data.setdefault("warnings", []).append(str(message))
        if not (self.quiet or self.as_json):
            typer.echo(f"gudgeon: warning: {message}", err=True)

    def close(self) -> None:
        """Print the JSON object, if that is wanted."""
        if self.as_json:
            typer.echo(written_json(self.data))


@contextmanager
def told(*, as_json: bool = False, quiet: bool = False) -> Iterator[Told]:
    """Run a command: its mistakes are one line, and an exit code."""
    out = Told(as_json=as_json, quiet=quiet)
    code, message = 0, ""
    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = out.warn
        try:
            yield out
        except SimulationInterrupted as error:
            code, message = INTERRUPTED, str(error)
        except KeyboardInterrupt:
            code, message = INTERRUPTED, "interrupted"
        except SimulationError as error:
            code, message = RUN, str(error).partition("; error.result")[0]
        except (ModelError, OSError) as error:
            code, message = MODEL, str(error)
    if message:
        out.data["error"] = message
        typer.echo(f"gudgeon: {message}", err=True)
    out.data["exit_code"] = code
    out.close()
    if code:
        raise typer.Exit(code)
