"""Compile kernels once per machine, telling the user so; later processes read them from disk.

Every kernel has one type of arguments, whatever the mechanism, so each is compiled once: when it is first asked for, or
all of them by `gudgeon compile`. Before a run whose solver is not on disk, a second process compiles that, while this
one compiles the mechanics (kernels/dynamics/engine_table.py) and the rest.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

from gudgeon.compilation.kernels import MODULES, compile_module, is_on_disk
from gudgeon.compilation_watch import Note, watch

SOLVERS = {  # the largest kernels
    "Explicit": "integrators.dop853",
    "Implicit": "integrators.radau",
    "TimeStepping": "integrators.time_stepping",
}
RESULTS = (  # what every run calls from Python
    "dynamics.motion",
    "dynamics.rows",
    "functions.values",
    "contact.gaps",
    "contact.modes",
    "integrators.copied_arrays",
    "outputs.coordinates",
    "outputs.outputs",
    "outputs.joint_outputs",
)
SECOND = tuple(SOLVERS.values())  # of all, what the second process compiles
_ready: set[tuple] = set()  # what runs have needed so far
_one_at_a_time = threading.RLock()


def compile_kernels(solver: str, *, tree: bool, **has: bool) -> float:
    """Make sure that the kernels of a run with this solver are compiled or loaded.

    `has` is what the mechanism has, see `engine_table`. Returns the seconds it took (0 after the first time).
    """
    from gudgeon.kernels.dynamics.engine_table import engine_table

    modules = [SOLVERS[solver]] if solver in SOLVERS else []
    key = (solver, tree, *has.items())
    with _one_at_a_time:
        if key in _ready:
            return 0.0
        _ready.add(key)
        stages: dict[str, Callable[[], Any]] = {
            "equations of motion": lambda: [engine_table(tree=each, **has) for each in {False, tree}],  # assembly first
        }
        if not all(map(is_on_disk, modules)):
            stages["results"] = lambda: [compile_module(name) for name in RESULTS]
        return _compile(stages, {solver: modules})


def compile_everything() -> float:
    """Compile or load all kernels, those of every group as well; returns the seconds it took."""
    from gudgeon.compilation.groups import GROUPS, compile_group

    def group(name: str) -> Callable[[], Any]:
        return lambda: compile_group(name)

    stages: dict[str, Callable[[], Any]] = {
        "equations of motion and results": lambda: [compile_module(name) for name in MODULES if name not in SECOND],
        **{name: group(name) for name in GROUPS},
    }
    with _one_at_a_time:
        return _compile(stages, {"solvers": list(SECOND)})


def _compile(stages: dict[str, Callable[[], Any]], second: dict[str, list[str]]) -> float:
    """Do these in turn, while a second process compiles other modules of kernels; then read those."""
    ((title, modules),) = second.items()
    missing = [module for module in modules if not is_on_disk(module)]
    helper = _second_process(missing) if missing else None
    before, note = watch.seconds, Note("", len(stages) + 1)
    with watch.preparing(note):
        for place, (name, stage) in enumerate(stages.items()):
            note.at(place, name)
            stage()
        note.at(len(stages), title)
        if helper is not None:
            note.compiling()
            helper.wait()
        for module in modules:
            compile_module(module)
    return watch.seconds - before


def _second_process(modules: list[str]) -> subprocess.Popen:
    """It writes to disk what this process then reads; should it fail, this one compiles, so it says nothing."""
    command = [sys.executable, "-m", "gudgeon.compilation.kernels", *modules]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
