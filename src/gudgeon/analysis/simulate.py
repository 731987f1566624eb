"""Simulate a System: assemble, integrate, return a Result."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated

import numpy as np

from gudgeon.analysis.assemble import assemble_equations, warn_of_notes
from gudgeon.analysis.checkpoint import Checkpoint, identity_of, refuse_unless_kept
from gudgeon.analysis.undetermined_friction import refuse_undetermined_friction
from gudgeon.checks import Named, number
from gudgeon.crossings import Crossing
from gudgeon.curve_joint import CurveJoint, curve_joints
from gudgeon.errors import ModelError
from gudgeon.flexible_bodies import flexible_bodies
from gudgeon.laws.dry_friction import DryFriction
from gudgeon.mechanics.equations import equations_of_motion, relative_equations
from gudgeon.mechanics.node_coordinates import with_node_coordinates
from gudgeon.mechanics.rubbing import friction_laws
from gudgeon.models.dry import Dry
from gudgeon.models.slider import Slider
from gudgeon.quantities import Time, Unit
from gudgeon.results.continuation import continued_from, recall_physics
from gudgeon.results.failure import raise_unless_complete, warn_of_large_turns
from gudgeon.results.guard import raise_unless_physical
from gudgeon.results.result import Result
from gudgeon.signals import uses_signals
from gudgeon.solvers.base import Solver, Task
from gudgeon.solvers.explicit import Explicit
from gudgeon.solvers.formulation import Formulation, Relative, formulation_named
from gudgeon.solvers.implicit import Implicit
from gudgeon.solvers.kept_run import Keeper
from gudgeon.solvers.open_joints import warn_of_open_joints
from gudgeon.solvers.progress import Progress
from gudgeon.solvers.rules import refuse_unless_able
from gudgeon.solvers.sampling import probe_functions, require_memory, sample_times
from gudgeon.solvers.stabilization import Automatic, Baumgarte, Projection, Stabilization, stabilization_named
from gudgeon.solvers.state_key import state_key
from gudgeon.solvers.time_stepping import TimeStepping
from gudgeon.state import State
from gudgeon.stops import has_elastic_couplings, has_stops
from gudgeon.switches import has_instants
from gudgeon.system import System

BY_DEFAULT: dict[type[Solver], Solver] = {kind: kind() for kind in (Explicit, Implicit)}


def simulate(
    system: System,
    duration: Time,
    *,
    start: State | None = None,
    coordinates: Formulation | str = "absolute",
    solver: Solver | str = "auto",
    stabilization: Stabilization | str = "auto",
    sample: Annotated[float | np.ndarray | None, Unit("s")] = None,
    crossings: Mapping[str, Crossing] | None = None,
    progress: bool | Callable[[float], None] | None = None,
    checkpoint: Checkpoint | None = None,
) -> Result:
    """Simulate `system` for `duration` seconds from its start, after assembling it.

    start          a state (`result.state()`) of a run to go on with, from its time on; by default `system.start` at
                   t = 0. From the end of a run of the same system with the same solver, coordinates, stabilization and
                   crossings it goes on to the last bit as if that had not ended (not so `Sundials`); otherwise, and
                   from other samples, from the physics alone
    coordinates    "absolute": position and quaternion of every body; "relative" or `Relative(cuts=)`: the joints' own
                   coordinates in a tree, loops closed by constraints; the results are the same
    solver         "auto" (`TimeStepping` where a guide has play, `Implicit` where another joint is real than one of dry
                   metal or a touch, or an ideal one rubs, else `Explicit`), or a solver with its options:
                   `Implicit(rtol=, atol=)`, `Explicit(...)`, `Sundials(...)`, `TimeStepping(step=, rtol=)`
    stabilization  "auto" (feedback, and projection after steps that leave a joint open: residuals stay below ten times
                   atol and 1e-5 of the smallest clearance), `Baumgarte(alpha=, beta=)` alone, or `Projection()`
    sample         interval between samples [s], or the times of all samples [s] (counted from t = 0 also where the run
                   goes on with another); never limits the step
    crossings      {name: Crossing}: instants to locate; a crossing may also stop the run
    progress       True, False, None (a bar on a terminal after a second), or a function of the fraction done
    checkpoint     `gd.Checkpoint(folder, every=10.0)`: keeps the run on the disk every so many seconds of computing;
                   the same call goes on from there, to the last bit as if it had not ended

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
    formulation = formulation_named(coordinates)
    chosen = _solver(solver, system)
    refuse_unless_able(chosen, system)
    if checkpoint is not None:
        refuse_unless_kept(checkpoint, chosen)
    topology = system.topology(formulation.cuts or None) if isinstance(formulation, Relative) else None
    begin = 0.0 if start is None else continued_from(system, start)
    probe_functions(system, duration, begin)
    times = sample_times("simulate", sample, duration, begin, system)
    if system.interfaces:
        from gudgeon.results.gap_history import require_room

        require_room(system, len(times))
    keep_closed = stabilization_named(stabilization)
    watched = Named("simulate, crossings", crossings or {}, Crossing)

    from gudgeon.compilation.compile import compile_kernels
    from gudgeon.compilation_watch import watch

    compiled_before = watch.seconds
    real = any(joint.is_real for joint in system.joints.values()) or has_stops(system) or has_elastic_couplings(system)
    real = real or bool(friction_laws(system))
    compile_kernels(
        type(chosen).__name__,
        tree=topology is not None,
        joints=real,
        crossings=bool(watched) or any(switch.when is not None for switch in system.switches.values()),
        flexible=bool(flexible_bodies(system)),
        stepped=isinstance(chosen, TimeStepping),
        measured=uses_signals(system) or any(crossing.signal for crossing in watched.values()),
        rubbing=bool(friction_laws(system)),
        instants=has_instants(system),
        curves=bool(curve_joints(system)),
    )
    began, compiled_kernels = time.perf_counter(), watch.seconds
    feedback = Baumgarte(alpha=0.0, beta=0.0) if isinstance(keep_closed, Projection) else keep_closed
    feedback = feedback if isinstance(feedback, Baumgarte) else Baumgarte()
    settings = (system, chosen, formulation, keep_closed, watched)
    memory = None if start is None else start.memory
    if memory is not None and memory.key != state_key(*settings):
        memory = None
    if start is not None:
        system = dataclasses.replace(system, start=dict(start.bodies))
    rows = isinstance(chosen, TimeStepping)
    equations = equations_of_motion(system, watched, alpha=feedback.alpha, beta=feedback.beta, rows=rows)
    require_memory("simulate", system, len(times), equations.state_size)
    nodes = () if start is None else start.nodes
    assembly = assemble_equations(equations, begin, goes_on=start is not None, nodes=nodes)
    if start is None:
        warn_of_notes(assembly)
    redundant_rows = max(assembly.redundant_rows, assembly.redundant_later)
    if memory is not None:
        redundant_rows = memory.redundant_rows
    if redundant_rows:
        refuse_undetermined_friction("simulate", equations, assembly.state, begin)
    y = assembly.state
    if topology is not None:
        equations, y = relative_equations(equations, watched, topology, y, begin)
    if isinstance(chosen, Implicit) and equations.flexible is not None:
        equations, y = with_node_coordinates(equations, y)
    if redundant_rows:
        equations = equations.regularized()
    if start is not None:
        recall_physics(equations, start, y)
    shown = Progress(system.name, progress)
    keeper = None
    if checkpoint is not None:
        identity = identity_of(settings, duration, times, y, start, memory)
        keeper = Keeper(folder=Path(checkpoint.path), every=checkpoint.every, identity=identity)
    task = Task(
        equations=equations,
        start=y,
        duration=duration,
        times=times,
        projection_tolerance=keep_closed.tolerance if isinstance(keep_closed, Projection) else None,
        progress=shown,
        automatic=keep_closed if isinstance(keep_closed, Automatic) else None,
        begin=begin,
        memory=None if memory is None else memory.arrays,
        keeper=keeper,
    )
    seconds_preparing = time.perf_counter() - began - (watch.seconds - compiled_kernels)
    began, cpu = time.perf_counter(), time.process_time()
    try:
        if keeper is not None:
            keeper.open()
        trajectory = chosen.run(task)
        try:
            if trajectory.end == "done":
                shown.update(1.0)
        except KeyboardInterrupt:  # at the last moment: the result is there
            trajectory.end = "interrupted"
    finally:
        shown.close()
        if keeper is not None:
            keeper.close()
    trajectory.stats |= {
        "stabilization": keep_closed.name_with(trajectory.stats["solver"]),
        "coordinates": "absolute" if topology is None else "relative",
        "cuts": [] if topology is None else list(topology.cuts),
        "degrees_of_freedom": assembly.degrees_of_freedom,
        "redundant_rows": redundant_rows,
        "end": trajectory.end,
        "begin_time": begin,
        "end_time": trajectory.end_time,
        "seconds_computing": time.perf_counter() - began,
        "cpu_seconds_computing": time.process_time() - cpu,
        "seconds_preparing": seconds_preparing,
        "seconds_compiling": watch.seconds - compiled_before,
    }
    if keeper is not None and keeper.resumed_at:
        trajectory.stats["resumed_at"] = keeper.resumed_at
        trajectory.stats["seconds_computing"] += keeper.seconds_before
        trajectory.stats["cpu_seconds_computing"] += keeper.cpu_before
    trajectory.joints_before = {} if start is None else dict(start.joints)
    result = Result.of_run(equations, assembly, trajectory, settings)
    warn_of_large_turns(equations, trajectory)
    warn_of_open_joints(equations, trajectory)
    raise_unless_complete(equations, trajectory, task.end, result)
    raise_unless_physical(equations, trajectory, result)
    return result


def _solver(solver: Solver | str, system: System) -> Solver:
    if isinstance(solver, Solver):
        return solver
    if solver == "auto":
        models = [joint.model for joint in system.joints.values()]
        nonsmooth = any(isinstance(model, Slider) or (isinstance(model, Dry) and model.nonsmooth) for model in models)
        laws = friction_laws(system)
        if flexible_bodies(system) or nonsmooth or any(isinstance(law, DryFriction) for law in laws):
            return TimeStepping()
        real = [joint for joint in system.joints.values() if joint.yields or isinstance(joint, CurveJoint)]
        stiff = any(joint.model.compliant and joint.model.stiff for joint in real)
        return BY_DEFAULT[Implicit if stiff or laws else Explicit]
    raise ModelError(
        f"simulate: solver is {solver!r}; give 'auto', gd.Implicit(...), gd.Explicit(...), gd.Sundials(...) or "
        "gd.TimeStepping(...)"
    )
