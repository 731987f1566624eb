"""Simulate a System: assemble, integrate, return a Result."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from gudgeon.assembly import Assembly, assemble_equations
from gudgeon.checks import Named, number
from gudgeon.crossings import Crossing
from gudgeon.errors import ModelError, SimulationError, SimulationInterrupted
from gudgeon.kernels.arrays import DRIVE_OF, LOAD_PROGRAM, PROGRAM_OF, RATE, RESIDUAL
from gudgeon.mechanics.absolute import REGULARIZATION, Equations, equations_of_motion
from gudgeon.progress import Progress
from gudgeon.result import Result
from gudgeon.solvers.base import Solver, Task, Trajectory
from gudgeon.solvers.explicit import Explicit
from gudgeon.stabilization import Baumgarte, Projection, Stabilization, stabilization_named
from gudgeon.system import System

SAMPLES = 1000  # intervals, when no sampling is asked for
MOST_SAMPLES = 100_000_000


def simulate(
    system: System,
    duration: float,
    *,
    coordinates: str = "absolute",
    solver: Solver | str = "auto",
    stabilization: Stabilization | str = Baumgarte(),  # noqa: B008 (frozen)
    sample: float | np.ndarray | None = None,
    crossings: Mapping[str, Crossing] | None = None,
    progress: bool | Callable[[float], None] | None = None,
) -> Result:
    """Simulate `system` for `duration` seconds from its start, after assembling it.

    coordinates    "absolute": position and quaternion of every body
    solver         "auto", or a solver with its options: `Explicit(rtol=, atol=)`, `Sundials(...)`
    stabilization  `Baumgarte(alpha=, beta=)` or `Projection()`
    sample         interval between samples [s], or the times of all samples [s]; never limits the step
    crossings      {name: Crossing}: instants to locate; a crossing may also stop the run
    progress       True, False, None (a bar on a terminal after a second), or a function of the fraction done

    Raises ModelError for a description that cannot run, SimulationError (with `.result` until then) for a run that
    fails, SimulationInterrupted (likewise) on Ctrl-C.

    >>> import gudgeon as gd
    >>> result = gd.simulate(gd.examples.spatial_four_bar(), 0.1, sample=0.01)
    >>> float(abs(result.data.mechanical_energy - result.data.mechanical_energy[0]).max()) < 1e-9
    True
    """
    if not isinstance(system, System):
        raise ModelError(f"simulate: {type(system).__name__} given; give a gd.System (an Assembly has .system)")
    duration = number("simulate", "duration", duration)
    if duration <= 0.0:
        raise ModelError(f"simulate: duration is {duration:g} s; give a positive number of seconds")
    if coordinates != "absolute":
        raise ModelError(f"simulate: coordinates is {coordinates!r}; known are 'absolute'")
    chosen = _solver(solver)
    times = _sample_times(sample, duration)
    keep_closed = stabilization_named(stabilization)

    from gudgeon.compilation import compile_kernels

    seconds_compiling = compile_kernels()
    began = time.perf_counter()
    feedback = keep_closed if isinstance(keep_closed, Baumgarte) else Baumgarte(alpha=0.0, beta=0.0)
    watched = Named("simulate, crossings", crossings or {}, Crossing)
    equations = equations_of_motion(system, watched, alpha=feedback.alpha, beta=feedback.beta)
    assembly = assemble_equations(equations)
    if assembly.redundant_rows:
        equations = equations.with_regularization(REGULARIZATION)
    shown = Progress(system.name, progress)
    task = Task(
        equations=equations,
        start=assembly.state,
        duration=duration,
        times=times,
        projection_tolerance=keep_closed.tolerance if isinstance(keep_closed, Projection) else None,
        progress=shown,
    )
    seconds_preparing = time.perf_counter() - began
    began = time.perf_counter()
    try:
        trajectory = chosen.run(task)
        if trajectory.end == "done":
            shown.update(1.0)
    finally:
        shown.close()
    trajectory.stats |= {
        "stabilization": type(keep_closed).__name__,
        "coordinates": coordinates,
        "degrees_of_freedom": assembly.degrees_of_freedom,
        "redundant_rows": assembly.redundant_rows,
        "end": trajectory.end,
        "end_time": trajectory.end_time,
        "seconds_computing": time.perf_counter() - began,
        "seconds_preparing": seconds_preparing,
        "seconds_compiling": seconds_compiling,
    }
    result = Result.of_run(equations, assembly, trajectory)
    _raise_unless_complete(equations, assembly, trajectory, duration, result)
    return result


def _solver(solver: Solver | str) -> Solver:
    if isinstance(solver, Solver):
        return solver
    if solver == "auto":
        return Explicit()
    raise ModelError(f"simulate: solver is {solver!r}; give 'auto', gd.Explicit(...) or gd.Sundials(...)")


def _sample_times(sample: Any, duration: float) -> np.ndarray:
    """All sample times, ascending, the end included where an interval was given."""
    if sample is None:
        return np.linspace(0.0, duration, SAMPLES + 1)
    try:
        times = np.array(sample, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise ModelError(f"simulate: sample is {sample!r}; give an interval or an array of times") from None
    if times.ndim == 0:
        interval = number("simulate", "sample", sample)
        if not 0.0 < interval <= duration:
            raise ModelError(
                f"simulate: sample is {interval:g} s; give an interval above 0 and up to the duration ({duration:g} s)"
            )
        if duration / interval > MOST_SAMPLES:
            raise ModelError(
                f"simulate: sample is {interval:g} s; {duration / interval:.0e} samples do not fit into memory, "
                "give a longer interval"
            )
        count = round(duration / interval)
        if abs(count * interval - duration) <= 1e-9 * duration:
            return np.linspace(0.0, duration, count + 1)
        return np.append(np.arange(int(duration / interval) + 1) * interval, duration)
    if times.ndim != 1 or len(times) == 0 or not np.all(np.isfinite(times)):
        raise ModelError("simulate: sample must be an interval or a one-dimensional array of finite times")
    if np.any(np.diff(times) <= 0.0) or times[0] < 0.0 or times[-1] > duration * (1.0 + 1e-12):
        raise ModelError(
            f"simulate: sample times run from {times.min():g} to {times.max():g} s; "
            f"they must increase and lie between 0 and the duration ({duration:g} s)"
        )
    return np.minimum(times, duration)


def _raise_unless_complete(
    equations: Equations, assembly: Assembly, trajectory: Trajectory, duration: float, result: Result
) -> None:
    if trajectory.end in ("done", "stopped"):
        return
    name, t = equations.system.name, trajectory.end_time
    if trajectory.end == "interrupted":
        raise SimulationInterrupted(
            f"System {name!r}: interrupted at t = {t:.6g} of {duration:g} s; error.result holds what was computed",
            result=result,
        )
    owner, why = _culprit(equations, assembly, trajectory)
    raise SimulationError(
        f"System {name!r}: {trajectory.end} at t = {t:.9g} s, step {trajectory.step:.3g} s; {why}"
        + (f" [{trajectory.message}]" if trajectory.message else "")
        + "; error.result holds everything up to then",
        time=t,
        step=trajectory.step,
        owner=owner,
        result=result,
    )


def _culprit(equations: Equations, assembly: Assembly, trajectory: Trajectory) -> tuple[str, str]:
    """The load, drive or joint that owns the worst term where the run failed, and a sentence about it."""
    from gudgeon.kernels.absolute import right_hand_side
    from gudgeon.kernels.programs import function

    model, work, system = equations.model, equations.work, equations.system
    t, y = trajectory.end_time, trajectory.end_state
    ahead = trajectory.step if np.isfinite(trajectory.step) else 0.0
    instants = [t + ahead * x for x in (*np.linspace(0.0, 1.0, 101), 2.0, 10.0, 100.0)] + [np.nextafter(t, np.inf)]
    programs = [(name, model.load[k, LOAD_PROGRAM]) for k, name in enumerate(system.loads)]
    programs += [(list(system.drives)[line[DRIVE_OF]], line[PROGRAM_OF]) for line in model.block if line[DRIVE_OF] >= 0]
    for name, first in programs:
        kind = type(system.loads[name]).__name__ if name in system.loads else "Drive"
        for instant in instants:
            values = [function(model, work, first + c, instant) for c in range(3)]
            if not np.all(np.isfinite(values)):
                return name, f"{kind} {name!r} gives {values} at t = {instant:.9g} s; it must stay finite"
        before, now = (max(abs(function(model, work, first + c, x)) for c in range(3)) for x in (0.5 * t, t + ahead))
        if now > 1e6 * before > 0.0:
            return name, f"{kind} {name!r} has grown to {now:.3g} at t = {t + ahead:.9g} s; it must stay bounded"
    right_hand_side(model, work, t, y, np.zeros_like(y))
    if len(work.row):
        worst = np.abs(work.row[:, RESIDUAL]) + np.abs(work.row[:, RATE])
        row = int(np.argmax(np.where(np.isfinite(worst), worst, np.inf)))
        owner = equations.row_owner[row]
        return owner, (
            f"the worst constraint residual is {work.row[row, RESIDUAL]:.3g} (rate {work.row[row, RATE]:.3g}) at "
            f"{owner!r}; loosen rtol, or look for a position where the mechanism locks or a force that explodes"
        )
    n = len(system.bodies)
    owner = list(system.bodies)[int(np.argmax(np.abs(y[7 * n : 13 * n]))) // 6]
    return owner, f"body {owner!r} moves fastest; look for a force that explodes"
