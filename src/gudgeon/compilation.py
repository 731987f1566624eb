"""Compile all kernels once per machine, telling the user so; later processes read them from disk.

The kernels' types depend on the coordinates, and on whether there are sliders, but not on the mechanism, so compiling
them on a small one compiles them for all. Each of these variants is compiled when it is first asked for, as are the
groups of compilation_groups.py.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from gudgeon.solvers.base import Solver

QUIET_SECONDS = 3.0
VARIANTS = ("absolute", "relative", "sliders")
IN_PARALLEL = {"absolute": "implicit solver", "relative": "implicit solver", "sliders": "time stepping"}
WHAT = {"absolute": "", "relative": "for relative coordinates, ", "sliders": "for sliders in guides, "}
_ready: set[str] = set()


def compile_kernels(variant: str = "absolute") -> float:
    """Make sure every kernel of a variant is compiled or loaded; returns the seconds it took (0 after the first time).

    The largest part is compiled by a second process at the same time.
    """
    if variant in _ready:
        return 0.0
    began = time.perf_counter()
    other = None
    if not _is_on_disk(variant):
        other = subprocess.Popen([sys.executable, "-m", __name__, variant], stdin=subprocess.DEVNULL)
    stages = _stages(variant)
    note = _Note(len(stages), WHAT[variant])
    for place, (title, run) in enumerate(stages.items()):
        note.at(place, title)
        if title == IN_PARALLEL[variant] and other is not None:
            other.wait()
        run()
    note.close()
    _ready.add(variant)
    return time.perf_counter() - began


def variant_of(*, relative: bool, sliders: bool) -> str:
    """Which kernels a run needs."""
    return "relative" if relative else "sliders" if sliders else "absolute"


def _is_on_disk(variant: str) -> bool:
    """Whether the largest part has been compiled before, or cannot be kept at all."""
    from numba import types

    from gudgeon.kernels.arrays import Model

    largest: Any
    if variant == "sliders":
        from gudgeon.kernels.time_stepping import advance as largest
    else:
        from gudgeon.kernels.radau import advance as largest

    try:
        # Numba's table of what it has compiled, by argument types
        kept = largest._cache._cache_file._load_index()
        tree = Model._fields.index("tree")
        relative = variant == "relative"
        return any((signature[0].types[tree] is not types.none) == relative for signature, *_ in kept)
    except AttributeError:  # no cache, or another version of Numba
        return True


class _Note:
    """Says what is being compiled, but only if it takes a while."""

    def __init__(self, count: int, what: str):
        self._count = count
        self._what = what
        self._text = ""
        self._shown = False
        self._lock = threading.Lock()
        self._timer = threading.Timer(QUIET_SECONDS, self._show)
        self._timer.daemon = True
        self._timer.start()

    def at(self, place: int, title: str) -> None:
        with self._lock:
            self._text = f"  {place + 1}/{self._count} {title}"
            if self._shown:
                print(self._text, file=sys.stderr, flush=True)

    def _show(self) -> None:
        with self._lock:
            self._shown = True
            print(f"gudgeon: compiling kernels {self._what}once on this machine (a minute or two)", file=sys.stderr)
            print(self._text, file=sys.stderr, flush=True)

    def close(self) -> None:
        self._timer.cancel()
        with self._lock:
            if self._shown:
                print("gudgeon: compiled; the next start reads them from disk", file=sys.stderr, flush=True)


def _stages(variant: str) -> dict[str, Callable[[], None]]:
    """Small calls that together touch every kernel that Python calls."""
    from gudgeon.body import Body
    from gudgeon.joints import Revolute
    from gudgeon.mechanics.equations import equations_of_motion
    from gudgeon.system import System

    system = System(
        bodies={"bob": Body(mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0.0, 0.0, -1.0))},
        joints={"pivot": Revolute("ground", "bob", at=(0.0, 0.0, 0.0), axis=(0.0, 1.0, 0.0))},
    )
    absolute = equations_of_motion(system, sliders=variant == "sliders")
    equations, y = absolute, absolute.stated_state()
    if variant == "relative":
        equations = equations_of_motion(system, topology=system.topology())
        y = np.zeros(equations.state_size)
    model, work = equations.model, equations.work

    def assembly() -> None:
        from gudgeon.assembly import assemble_equations
        from gudgeon.kernels.motion import begin

        assemble_equations(absolute)
        begin(model, work, 0.0, y)

    def motion() -> None:
        from gudgeon.kernels.motion import right_hand_side

        right_hand_side(model, work, 0.0, y, np.zeros_like(y))

    def fly(solver: Solver) -> None:
        from gudgeon.progress import Progress
        from gudgeon.solvers.base import Task

        task = Task(
            equations=equations,
            start=y,
            duration=1e-3,
            times=np.array([0.0]),
            projection_tolerance=None,
            progress=Progress("", False),
        )
        solver.run(task)

    def explicit() -> None:
        from gudgeon.solvers.explicit import Explicit

        fly(Explicit())

    def implicit() -> None:
        from gudgeon.solvers.implicit import Implicit

        fly(Implicit())

    def time_stepping() -> None:
        from gudgeon.solvers.time_stepping import TimeStepping

        fly(TimeStepping())

    def results() -> None:
        from gudgeon.dataset import evaluate_outputs
        from gudgeon.solvers.base import Trajectory

        trajectory = Trajectory(times=np.array([0.0]), states=y[None, :], end="done", end_time=0.0, end_state=y)
        evaluate_outputs(equations, trajectory, 0)
        equations.body_motion(y[None, :])

    if variant == "sliders":
        return {
            "equations of motion": motion,
            "assembly": assembly,
            "results": results,
            "time stepping": time_stepping,
        }
    return {
        "equations of motion": motion,
        "assembly": assembly,
        "explicit solver": explicit,
        "results": results,
        "implicit solver": implicit,
    }


if __name__ == "__main__":
    _stages(sys.argv[1])[IN_PARALLEL[sys.argv[1]]]()
