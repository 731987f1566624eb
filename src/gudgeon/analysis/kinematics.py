"""Kinematics of a fully driven mechanism: positions, velocities, accelerations and the forces they need.

No time integration: at every sample Newton's method finds the position from a predicted one, then linear
equations give velocities and accelerations (driven_motion/) and, with masses and loads, reactions and efforts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.analysis.assemble import Assembly, assemble_equations
from gudgeon.analysis.contacts_of_motion import contacts_of_motion
from gudgeon.analysis.driven_motion.freedoms import refuse_real_joints, require_fully_driven
from gudgeon.analysis.driven_motion.instant import Mechanism
from gudgeon.analysis.driven_motion.path import Path, Stuck
from gudgeon.analysis.driven_motion.samples import NEAR_SINGULAR, Samples, samples_of
from gudgeon.analysis.driven_motion.singularities import SINGULAR, Bridge, Crossings, owners_of
from gudgeon.analysis.driven_motion.stuck import why_stuck
from gudgeon.analysis.forces import missing_forces, reactions_of
from gudgeon.analysis.frozen import refuse_instants, refuse_states
from gudgeon.analysis.refusals import refuse_belts_without_positions, refuse_flanks, refuse_friction_with_memory
from gudgeon.analysis.undetermined_friction import refuse_undetermined_friction
from gudgeon.checks import number
from gudgeon.errors import ModelError, SimulationError, SimulationInterrupted, interruptible
from gudgeon.mechanics.blas import one_blas_thread
from gudgeon.mechanics.equations import REGULARIZATION, Equations, equations_of_motion
from gudgeon.mechanics.least_squares import least_norm
from gudgeon.results.contacts_at import ContactsAt
from gudgeon.results.dataset import dataset
from gudgeon.results.result import Result, Singularity
from gudgeon.solvers.base import Trajectory
from gudgeon.solvers.progress import Progress
from gudgeon.solvers.sampling import probe_functions, refuse_wrong_derivatives, require_memory, sample_times
from gudgeon.system import System

if TYPE_CHECKING:
    import xarray as xr

STEPS_WORTH = 100  # samples that take about as long as all steps
SECONDS_AFTER_STOP = 1.0  # spent on samples of the steps that were taken before Ctrl-C [s]


@interruptible("kinematics")
@one_blas_thread()
def kinematics(
    system: System,
    duration: float,
    *,
    sample: float | np.ndarray | None = None,
    progress: bool | Callable[[float], None] | None = None,
) -> Result:
    """Position, velocity and acceleration analysis of a fully driven mechanism for `duration` seconds.

    Every freedom must be moved by a drive; then the motion follows from the drives alone, without integration and
    without drift. Reactions and drive efforts are those that this motion needs (gravity, loads and springs included).
    The result is that of `gd.simulate`, with the singular positions of the motion in `result.singularities`: there
    constraint rows depend on each other. Where the motion passes through ("branching": it could also go on
    differently), the smooth continuation is taken; reactions and efforts of a sample exactly there are NaN.

    sample     interval between samples [s], or the times of all samples [s]; never limits the steps in between
    progress   True, False, None (a bar on a terminal after a second), or a function of the fraction done

    Steps and samples cost time in proportion to the number of bodies, and to the cube of those that loops tie together.
    Raises ModelError for a description that is not fully
    driven, SimulationError (with `.result` until then) where the mechanism locks or the drives ask for what the joints
    do not allow, SimulationInterrupted (likewise) on Ctrl-C.

    >>> import gudgeon as gd
    >>> wheel = gd.System(
    ...     bodies={"wheel": gd.Body(mass=1.0, inertia=(0.02, 0.02, 0.02))},
    ...     joints={"axle": gd.Revolute("ground", "wheel", at=(0, 0, 0))},
    ...     drives={"motor": gd.Drive("axle", "3*t**2")},
    ... )
    >>> result = gd.kinematics(wheel, 1.0, sample=0.5)
    >>> result.data.drive_effort.sel(drive="motor").values.round(9).tolist()  # J α, α = 6 rad/s²
    [0.12, 0.12, 0.12]
    """
    if not isinstance(system, System):
        raise ModelError(f"kinematics: {type(system).__name__} given; give a gd.System (an Assembly has .system)")
    duration = number("kinematics", "duration", duration)
    if duration <= 0.0:
        raise ModelError(f"kinematics: duration is {duration:g} s; give a positive number of seconds")
    times = sample_times("kinematics", sample, duration, system=system)
    refuse_real_joints(system)
    refuse_belts_without_positions("kinematics", system)
    refuse_flanks("kinematics", system)
    refuse_states("kinematics", system)
    refuse_instants("kinematics", system, "this analysis knows one motion without events; use gd.simulate")
    refuse_friction_with_memory("kinematics", system)
    probe_functions(system, duration)
    refuse_wrong_derivatives(system, duration)

    from gudgeon.compilation_watch import watch

    compiled_before = watch.seconds
    began = time.perf_counter()
    equations = equations_of_motion(system)
    require_memory("kinematics", system, len(times), equations.state_size)
    assembly = assemble_equations(equations)
    if assembly.redundant_rows:
        refuse_undetermined_friction("kinematics", equations, assembly.state, 0.0)
    mechanism = Mechanism(equations)
    start = require_fully_driven(mechanism, assembly, duration)
    if assembly.redundant_rows:
        equations = equations.with_regularization(REGULARIZATION)
    stats: dict[str, Any] = {
        "solver": "kinematics",
        "stabilization": None,
        "coordinates": "absolute",
        "degrees_of_freedom": 0,
        "redundant_rows": assembly.redundant_rows,
        "seconds_preparing": time.perf_counter() - began - (watch.seconds - compiled_before),
        "seconds_compiling": watch.seconds - compiled_before,
    }
    crossings = Crossings()
    path = Path(mechanism, start, duration, crossings.obstacle)
    shown = Progress(system.name, progress)
    run = _Run(equations, assembly, path, crossings, times, stats, shown)
    try:
        for instant in path.steps():
            shown.update(run.share_of_steps * min(1.0, instant.t / duration))
        result = run.result("done", duration)
    except Stuck as stuck:
        raise run.error(stuck) from None
    except KeyboardInterrupt:
        raise run.interruption(run.result("interrupted", path.instants[-1].t)) from None
    finally:
        shown.close()
    if result.stats["end"] == "interrupted":
        raise run.interruption(result)
    return result


class _Run:
    """A path on its way to a Result."""

    def __init__(
        self,
        equations: Equations,
        assembly: Assembly,
        path: Path,
        crossings: Crossings,
        times: np.ndarray,
        stats: dict[str, Any],
        progress: Progress,
    ):
        self.equations = equations
        self.assembly = assembly
        self.path = path
        self.share_of_steps = STEPS_WORTH / (STEPS_WORTH + len(times))  # in the progress shown
        self._crossings = crossings
        self._times = times
        self._stats = stats
        self._progress = progress
        self._began = time.perf_counter()

    def result(self, end: str, end_time: float, locked: Singularity | None = None) -> Result:
        """What was computed, up to `end_time`; after Ctrl-C with as many samples as a short time allows."""
        path, last = self.path, self.path.instants[-1]
        found: list[Singularity] = []
        bridges: list[Bridge] = []
        if len(path.instants) > 1:
            found, bridges = self._crossings.found(path)
            if locked:
                found = [one for one in found if one[0] < path.instants[-2].t]
        found = sorted([*found, *([locked] if locked else [])])
        seconds = SECONDS_AFTER_STOP if end == "interrupted" else np.inf
        report = self._report_samples if end == "done" else None
        samples = samples_of(path, bridges, self._times[self._times <= last.t], report, seconds)
        if samples.interrupted and end == "done":
            end, end_time = "interrupted", float(samples.times[-1]) if len(samples.times) else 0.0
        self._stats |= {
            "steps": len(path.instants) - 1,
            "rejections": path.rejections,
            "evaluations": path.evaluations,
            "end": end,
            "end_time": end_time,
            "seconds_computing": time.perf_counter() - self._began,
        }
        trajectory = Trajectory(
            times=samples.times,
            states=samples.states,
            end=end,
            end_time=end_time,
            end_state=last.y,
            stats=self._stats,
            contacts=contacts_of_motion(self.equations, samples.times, samples.states),
        )
        return Result(
            stats=self._stats,
            crossings=([], np.zeros(0)),
            system=self.equations.system,
            assembly=self.assembly,
            data=partial(_data, self.equations, trajectory, samples, self.assembly.redundant_rows),
            source=(self.equations, trajectory),
            singularities=found,
        )

    def _report_samples(self, fraction: float) -> None:
        self._progress.update(self.share_of_steps + (1.0 - self.share_of_steps) * fraction)

    def interruption(self, result: Result) -> SimulationInterrupted:
        """Ctrl-C, with what was computed."""
        return SimulationInterrupted(
            f"System {self.equations.system.name!r}: interrupted at t = {result.stats['end_time']:.6g} of "
            f"{self.path.duration:g} s; error.result holds what was computed",
            result=result,
        )

    def error(self, stuck: Stuck) -> SimulationError:
        """Why the path ends here."""
        path, system = self.path, self.equations.system
        reason = why_stuck(path, stuck)
        locked = None
        if reason.locked and stuck.last.factors is not None:
            locked = (reason.time, "locked", stuck.last.sigma, owners_of(self.equations, stuck.last.factors))
        result = self.result("locked" if reason.locked else "failed", reason.time, locked)
        return SimulationError(
            f"System {system.name!r}: {reason.text}; error.result holds everything up to then",
            time=reason.time,
            step=stuck.step,
            owner=reason.owner,
            result=result,
        )


def _data(equations: Equations, trajectory: Trajectory, samples: Samples, redundant_rows: int) -> xr.Dataset:
    """The Dataset of a simulation, with the accelerations of the path and forces that hold near singular positions."""
    data = dataset(equations, trajectory, redundant_rows).drop_vars("dissipated_energy", errors="ignore")  # no history
    a = samples.accelerations.reshape(len(samples.times), -1, 6)
    data["acceleration"].values[:] = a[:, :, :3]
    data["angular_acceleration"].values[:] = a[:, :, 3:]
    contacts = ContactsAt(trajectory.contacts, len(equations.work.contact))
    for s in np.flatnonzero(samples.sigma <= NEAR_SINGULAR):
        forces = [np.nan] * 4
        contacts.at(samples.times[s]).put(equations.work.contact)
        if samples.sigma[s] > SINGULAR:
            missing = missing_forces(equations, samples.times[s], samples.states[s], samples.accelerations[s])
            transposed = equations.jacobian().T
            forces = list(reactions_of(equations, least_norm(transposed, -missing)))
        names = ("reaction_force", "reaction_torque", "drive_effort", "coupling_effort")
        for name, values in zip(names, forces, strict=True):
            if name in data:
                data[name].values[s] = values
    return data
