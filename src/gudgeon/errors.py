"""What gudgeon raises. Every message names the object, the rule, the value and the fix."""

from __future__ import annotations

from contextlib import contextmanager
from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from gudgeon.results.result import Result


class ModelError(ValueError):
    """The description of a mechanism breaks a rule; raised before anything runs.

    >>> import gudgeon as gd
    >>> gd.Body(mass=-1.0, inertia=(1, 1, 1))
    Traceback (most recent call last):
    gudgeon.errors.ModelError: Body: mass is -1.0 kg; a body needs a positive mass
    """


class FileError(ModelError, OSError):
    """A file cannot be written or read; `.errno` is the system's reason, where it gave one. Also an OSError.

    >>> import gudgeon as gd
    >>> try:
    ...     gd.load("no_such_run.nc")
    ... except OSError as error:
    ...     print(error)
    load: there is no file 'no_such_run.nc'
    """

    def __init__(self, message: str, errno: int | None = None):
        super().__init__(message)
        self.errno = errno

    def __reduce__(self):
        return type(self), (str(self), self.errno)


class NotWritten(FileError):
    """A file cannot be written: a full disk, a folder that is read-only or not there."""


class SimulationError(RuntimeError):
    """A run could not go on. `.result` holds everything computed until then (None if nothing was).

    `.time` [s] and `.step` [s] say where the run stopped, `.owner` which joint or load owns the worst term.

    >>> import gudgeon as gd
    >>> system = gd.examples.spatial_four_bar().replace(loads={"push": gd.Force("rocker", ("1/(0.1-t)**2", 0, 0))})
    >>> try:
    ...     gd.simulate(system, 1.0)
    ... except gd.SimulationError as error:
    ...     print(error.owner, round(error.time, 2))
    push 0.1
    """

    def __init__(
        self,
        message: str,
        *,
        time: float = float("nan"),
        step: float = float("nan"),
        owner: str = "",
        result: Result | None = None,
    ):
        super().__init__(message)
        self.time = time
        self.step = step
        self.owner = owner
        self.result = result

    def __reduce__(self):
        return type(self), self.args, self.__dict__  # so that it reaches the process that started a pool


class SimulationInterrupted(KeyboardInterrupt):
    """Ctrl-C during a run or an analysis. `.result` holds everything computed until then (None if nothing was).

    It is what the function would have returned, as far as it got: a Result, a Dataset for `gap_history` and
    `inverse_dynamics`; for `equilibrium` a System that starts where the search was.

    >>> try:
    ...     result = gd.simulate(system, 1000.0)
    ... except gd.SimulationInterrupted as stop:
    ...     result = stop.result  # doctest: +SKIP
    """

    def __init__(self, message: str, *, result: Any = None):
        super().__init__(message)
        self.result = result

    def __reduce__(self):
        return type(self), self.args, self.__dict__


@contextmanager
def interruptible(what: str) -> Iterator[None]:
    """Ctrl-C within it, where nothing is computed yet, is a SimulationInterrupted too; also a decorator."""
    try:
        yield
    except SimulationInterrupted:
        raise
    except KeyboardInterrupt:
        raise SimulationInterrupted(f"{what}: interrupted before there was anything to keep") from None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of an error message: the nearest known name, or all of them."""
    known = list(known)
    near = get_close_matches(name, known, n=1, cutoff=0.5) if isinstance(name, str) else []
    if near:
        return f"did you mean {near[0]!r}?"
    return f"known are {', '.join(repr(k) for k in known)}" if known else "there are none"


def nearby(path: Path) -> str:
    """The end of an error message about a file that is not there: which one of its folder may be meant."""
    if not path.parent.is_dir():
        return f"; there is no folder {str(path.parent)!r} either"
    try:
        names = [entry.name for entry in islice(path.parent.iterdir(), 1000)]
    except OSError:
        return ""
    near = get_close_matches(path.name, names, n=1, cutoff=0.75)
    return f"; did you mean {near[0]!r}?" if near else ""
