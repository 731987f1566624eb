"""Where a run is kept from time to time, so that a process that dies loses at most one interval of its work."""

from __future__ import annotations

import dataclasses
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gudgeon.checks import number, shown
from gudgeon.errors import ModelError
from gudgeon.quantities import Time
from gudgeon.solvers.base import Solver
from gudgeon.solvers.kept_run import STATE, read_state, refuse_other_files
from gudgeon.solvers.memory import Memory
from gudgeon.solvers.state_key import kernels_key, key_of
from gudgeon.solvers.sundials import Sundials
from gudgeon.state import State


@dataclass(frozen=True)
class Checkpoint:
    """A folder in which `gd.simulate(..., checkpoint=)` keeps its run every so many seconds of computing.

    The same call, in another process, goes on from there to the last bit as if nothing had happened: after a power cut,
    a kill, Ctrl-C, or a memory that was too small. A run that ends leaves its last checkpoint there: save the result,
    then `remove()`. A folder that keeps another run (system, solver, samples, code) is refused. Each time what is new
    since the last time is added, and the state replaced: long runs cost no more than short ones. A disk that fills up
    during a run is a warning; the run goes on, and the folder keeps what it had. Not with `Sundials`, whose memory is
    its own.

    >>> import gudgeon as gd
    >>> checkpoint = gd.Checkpoint("four-bar.checkpoint", every=30.0)
    >>> result = gd.simulate(gd.examples.spatial_four_bar(), 1e4, checkpoint=checkpoint)  # doctest: +SKIP
    """

    path: str | Path  # of the folder
    every: Time = 10.0  # of computing, between two times that the run is kept [s]

    def __post_init__(self):
        if not isinstance(self.path, str | os.PathLike) or not str(self.path):
            raise ModelError(f"Checkpoint: path is {shown(self.path)}; give the name of a folder")
        object.__setattr__(self, "path", Path(self.path))
        every = number("Checkpoint", "every", self.every)
        if every <= 0.0:
            raise ModelError(f"Checkpoint: every is {every:g} s; give a positive number of seconds, such as 10")
        object.__setattr__(self, "every", every)

    @property
    def time(self) -> float | None:
        """How far the run that is kept here has come [s]; None: there is none.

        >>> import gudgeon as gd
        >>> gd.Checkpoint("nothing").time is None
        True
        """
        state = Path(self.path) / STATE
        return read_state(state)[0]["time"] if state.is_file() else None

    def remove(self) -> None:
        """Remove what is kept, when it is needed no longer.

        >>> import gudgeon as gd
        >>> gd.Checkpoint("nothing").remove()
        """
        path = Path(self.path)
        if not path.is_dir():
            return
        refuse_other_files(path)
        shutil.rmtree(path)


def kept_in(path: Path) -> Checkpoint | None:
    """The checkpoint of a run that this folder keeps, with its interval; None: it keeps none."""
    state = path / STATE
    return Checkpoint(path, every=read_state(state)[0]["every"]) if state.is_file() else None


def refuse_unless_kept(checkpoint: Any, solver: Solver) -> None:
    """What cannot be kept, or not to the last bit."""
    if not isinstance(checkpoint, Checkpoint):
        raise ModelError(f"simulate: checkpoint is {shown(checkpoint)}; give gd.Checkpoint('run.checkpoint', every=10)")
    if isinstance(solver, Sundials):
        raise ModelError(
            "simulate: checkpoint: Sundials keeps the history of its steps to itself, and could not go on to the last "
            "bit; use Explicit, Implicit or TimeStepping"
        )


def identity_of(
    settings: tuple[Any, ...],
    duration: float,
    times: np.ndarray,
    y: np.ndarray,
    start: State | None,
    memory: Memory | None,
) -> dict[str, str]:
    """What tells a run from others, part by part, under the names that messages use."""
    system, solver, formulation, stabilization, crossings = settings
    before = (None if start is None else (start.time, start.contacts), None if memory is None else memory.arrays)
    return {
        "the system": key_of(dataclasses.replace(system, start={})),
        "the solver": key_of(solver),
        "coordinates": key_of(formulation),
        "stabilization": key_of(stabilization),
        "crossings": key_of(crossings),
        "the duration": key_of(duration),
        "the samples": key_of(times),
        "the start": key_of(y, before),
        "the version of gudgeon": kernels_key().hex(),
    }
