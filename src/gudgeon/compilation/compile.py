"""Compile kernels once per machine, telling the user so; later processes read them from disk.

The kernels' types depend on the coordinates, and on whether there are sliders, but not on the mechanism, so compiling
them on a small one compiles them for all (stages.py). A process loads the solver that it uses, and the rest
when it is called. Where a solver is not on disk, all that a run may need and the usual solvers of the same variant are
compiled; the others, and the groups of groups.py, when they are first asked for. `gudgeon compile` compiles
everything.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from importlib import import_module
from typing import Any

from gudgeon.compilation.stages import COMMON, stages
from gudgeon.compilation_watch import Note, watch

WHAT = {"absolute": "", "relative": "for relative coordinates, ", "sliders": "for sliders in guides, "}
VARIANTS = tuple(WHAT)
SOLVERS = {  # what can run each variant; usually the first two, or the first
    "absolute": ("Explicit", "Implicit", "Sundials"),
    "relative": ("Explicit", "Implicit", "Sundials"),
    "sliders": ("TimeStepping", "Explicit", "Sundials"),
}
USUAL = {"absolute": ("Explicit", "Implicit"), "relative": ("Explicit", "Implicit"), "sliders": ("TimeStepping",)}
LARGEST = {"absolute": "Implicit", "relative": "Implicit", "sliders": "TimeStepping"}  # is compiled by a second process
KERNEL = {  # whose presence on disk tells that of the others: module, name
    "": ("motion", "right_hand_side"),
    "Explicit": ("dop853", "advance"),
    "Implicit": ("radau", "advance"),
    "TimeStepping": ("time_stepping", "advance"),
    "Sundials": ("contacts", "change_mode"),
}
_ready: set[tuple[str, str]] = set()
_one_at_a_time = threading.RLock()


def compile_kernels(variant: str = "absolute", solver: str = "") -> float:
    """Make sure the kernels that `solver` runs a variant with are compiled or loaded; without solver, the equations'.

    Returns the seconds it took (0 after the first time).
    """
    known = solver if solver in SOLVERS[variant] else ""
    with _one_at_a_time:
        if (variant, known) in _ready:
            return 0.0
        if is_on_disk(variant, known):
            return _prepare(variant, [known] if known else [])
        return _prepare(variant, [*COMMON, *dict.fromkeys((*USUAL[variant], known))])


def compile_everything() -> float:
    """Compile or load all kernels, those of every group as well; returns the seconds it took."""
    from gudgeon.compilation.groups import compile_groups

    with _one_at_a_time:
        return sum(_prepare(variant, [*COMMON, *SOLVERS[variant]]) for variant in VARIANTS) + compile_groups()


def variant_of(*, relative: bool, sliders: bool) -> str:
    """Which kernels a run needs."""
    return "relative" if relative else "sliders" if sliders else "absolute"


def is_on_disk(variant: str, solver: str) -> bool:
    """Whether the kernels of a solver have been compiled before."""
    from numba import types

    module, name = KERNEL[solver]
    kernel: Any = getattr(import_module(f"gudgeon.kernels.{module}"), name)
    wanted = [variant == "relative", variant == "sliders"]
    models = [signature[0].fields for signature, *_ in kernel._cache.index()]
    return any([model[field] is not types.none for field in ("tree", "sliders")] == wanted for model in models)


def _prepare(variant: str, wanted: list[str]) -> float:
    """Compile or load the kernels of these stages, the largest by a second process."""
    largest, helper = LARGEST[variant], None
    titles = sorted((title for title in wanted if title), key=lambda title: title == largest)  # that one last
    if largest in titles and not is_on_disk(variant, largest):
        helper = _second_process(variant, largest)
    before = watch.seconds
    note = Note(WHAT[variant], len(titles))
    with watch.preparing(note):
        run = stages(variant) if titles else {}
        for place, title in enumerate(titles):
            note.at(place, title)
            if title == largest and helper is not None:
                note.compiling()
                helper.wait()
            if (variant, title) not in _ready:
                run[title]()
                _ready.add((variant, title))
    _ready.add((variant, ""))
    return watch.seconds - before


def _second_process(variant: str, solver: str) -> subprocess.Popen:
    """It writes to disk what this process then reads; should it fail, this one compiles, so it says nothing."""
    command = [sys.executable, "-m", "gudgeon.compilation.stages", variant, solver]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
