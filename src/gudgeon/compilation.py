"""Compile all kernels once per machine, telling the user so; later processes read them from disk.

The kernels' types do not depend on the mechanism, so compiling them on a small one compiles them for all.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from gudgeon.solvers.base import Solver

QUIET_SECONDS = 3.0
IN_PARALLEL = "implicit solver"
_ready = False


def compile_kernels() -> float:
    """Make sure every kernel is compiled or loaded; returns the seconds it took (0 after the first time).

    The implicit solver, the largest part, is compiled by a second process at the same time.
    """
    global _ready
    if _ready:
        return 0.0
    began = time.perf_counter()
    other = None
    if not _is_on_disk():
        other = subprocess.Popen([sys.executable, "-m", __name__], stdin=subprocess.DEVNULL)
    stages = _stages()
    note = _Note(len(stages))
    for place, (title, run) in enumerate(stages.items()):
        note.at(place, title)
        if title == IN_PARALLEL and other is not None:
            other.wait()
        run()
    note.close()
    _ready = True
    return time.perf_counter() - began


def _is_on_disk() -> bool:
    """Whether the implicit solver has been compiled before, or cannot be kept at all."""
    from gudgeon.kernels.radau import advance

    folder = advance.stats.cache_path
    return folder is None or any(Path(folder).glob("radau.advance-*.nbi"))


class _Note:
    """Says what is being compiled, but only if it takes a while."""

    def __init__(self, count: int):
        self._count = count
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
            print("gudgeon: compiling its kernels, once on this machine (about a minute)", file=sys.stderr)
            print(self._text, file=sys.stderr, flush=True)

    def close(self) -> None:
        self._timer.cancel()
        with self._lock:
            if self._shown:
                print("gudgeon: compiled; the next start reads them from disk", file=sys.stderr, flush=True)


def _stages() -> dict[str, Callable[[], None]]:
    """Small calls that together touch every kernel that Python calls."""
    from gudgeon.body import Body
    from gudgeon.joints import Revolute
    from gudgeon.mechanics.absolute import equations_of_motion
    from gudgeon.system import System

    system = System(
        bodies={"bob": Body(mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0.0, 0.0, -1.0))},
        joints={"pivot": Revolute("ground", "bob", at=(0.0, 0.0, 0.0), axis=(0.0, 1.0, 0.0))},
    )
    equations = equations_of_motion(system)
    model, work, y = equations.model, equations.work, equations.stated_state()

    def assembly() -> None:
        from gudgeon.assembly import assemble_equations

        assemble_equations(equations)

    def motion() -> None:
        from gudgeon.kernels.absolute import right_hand_side

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

    def results() -> None:
        from gudgeon.dataset import evaluate_outputs
        from gudgeon.solvers.base import Trajectory

        trajectory = Trajectory(times=np.array([0.0]), states=y[None, :], end="done", end_time=0.0, end_state=y)
        evaluate_outputs(equations, trajectory, 0)

    return {
        "equations of motion": motion,
        "assembly": assembly,
        "explicit solver": explicit,
        "results": results,
        IN_PARALLEL: implicit,
    }


if __name__ == "__main__":
    _stages()[IN_PARALLEL]()
