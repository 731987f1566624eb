"""What every time integrator takes and gives back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.solvers.progress import Progress
from gudgeon.solvers.stabilization import Automatic

if TYPE_CHECKING:
    from gudgeon.mechanics.equations import Equations
    from gudgeon.solvers.kept_run import Keeper
    from gudgeon.solvers.snapshot import Snapshot


@dataclass(frozen=True, kw_only=True)
class Task:
    """One run: from the assembled state at `begin` to `end`."""

    equations: Equations
    start: np.ndarray  # y at the begin
    duration: float  # [s]
    times: np.ndarray  # samples [s], ascending, within the run
    projection_tolerance: float | None  # None: steps are not projected [m or rad]
    progress: Progress
    automatic: Automatic | None = None  # projects the steps that leave joints open; None: no such projection
    begin: float = 0.0  # [s]
    memory: dict[str, np.ndarray] | None = None  # how the solver goes on (memory.py), in place of `start`
    keeper: Keeper | None = None  # keeps the run on the disk, and has what was kept of it (kept_run.py)

    @property
    def remembered(self) -> dict[str, np.ndarray] | None:
        """The arrays that the solver goes on with, if it does."""
        return self.keeper.kept.arrays if self.keeper is not None and self.keeper.kept is not None else self.memory

    @property
    def end(self) -> float:
        """When the run ends [s]."""
        return self.begin + self.duration

    def fraction(self, time: float) -> float:
        """How much of the run is done at a time."""
        return min(1.0, max(0.0, (time - self.begin) / self.duration))


@dataclass(kw_only=True)
class Trajectory:
    """What a run computed: states at the samples reached, and how it ended."""

    times: np.ndarray  # [s]
    states: np.ndarray  # (time, state)
    end: str  # "done", "stopped" by a crossing, "interrupted", or what went wrong: "step underflow", "not a number", …
    end_time: float  # [s]
    end_state: np.ndarray
    step: float = float("nan")  # last step size tried [s]
    message: str = ""
    culprit: str = ""  # the joint that ended the run, where that is known
    forces: np.ndarray | None = None  # (time, unknowns) of the compliant joints; None: as the laws give them
    contacts: np.ndarray = field(default_factory=lambda: np.zeros((0, 8)))  # columns as in kernels/integrators/run.py
    crossing_times: np.ndarray = field(default_factory=lambda: np.zeros(0))  # [s]
    crossing_which: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    switchings: np.ndarray = field(default_factory=lambda: np.zeros((0, 4)))  # columns as in kernels/integrators/run.py
    stats: dict[str, Any] = field(default_factory=dict)
    memory: Snapshot | None = None  # how the solver goes on from before the last step
    touching: np.ndarray | None = None  # Work.contact at the end
    joints_before: dict[str, float] = field(default_factory=dict)  # joint coordinates of the state it goes on from


class Solver:
    """A time integrator with its options; abstract."""

    def run(self, task: Task) -> Trajectory:
        """Integrate; never raises for numerical failure, but says in `Trajectory.end` how it ended."""
        raise NotImplementedError


def settle_tolerances(solver: Any) -> None:
    """Make `rtol` and `atol` of a solver floats; refuse what double precision cannot keep."""
    owner = type(solver).__name__
    for name, least in (("rtol", 1e-14), ("atol", 0.0)):
        x = number(owner, name, getattr(solver, name))
        if x < least or (name == "atol" and x == 0.0):
            raise ModelError(f"{owner}: {name} is {x:g}; give a value of at least {max(least, 1e-300):g}")
        object.__setattr__(solver, name, x)
    if solver.rtol >= 1.0:
        raise ModelError(f"{owner}: rtol is {solver.rtol:g}; give a value well below 1, such as 1e-8")


def check_steps(owner: str, max_step: Any, first_step: Any) -> None:
    """Refuse step sizes that are none; infinity is no limit, None is a choice left to the solver."""
    if not (isinstance(max_step, float) and max_step == float("inf")) and number(owner, "max_step", max_step) <= 0.0:
        raise ModelError(f"{owner}: max_step is {max_step!r}; give a positive number of seconds")
    if first_step is not None and number(owner, "first_step", first_step) <= 0.0:
        raise ModelError(f"{owner}: first_step is {first_step!r}; give a positive number of seconds")
