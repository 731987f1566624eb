"""Kinematics of a fully driven mechanism: positions, velocities, accelerations and the forces they need.

No time integration: at every sample Newton's method finds the position from a predicted one (path.py), then linear
equations give velocities and accelerations (instant.py) and, with masses and loads, reactions and efforts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.analysis.forces import missing_forces, reactions_of
from gudgeon.analysis.freedoms import refuse_real_joints, require_fully_driven
from gudgeon.analysis.instant import Instant, Mechanism
from gudgeon.analysis.path import Path, Stuck
from gudgeon.analysis.singularities import SINGULAR, UNSAFE, Bridge, Crossings, owners_of
from gudgeon.analysis.stuck import why_stuck
from gudgeon.assembly import Assembly, assemble_equations
from gudgeon.checks import number
from gudgeon.dataset import dataset
from gudgeon.errors import ModelError, SimulationError, SimulationInterrupted
from gudgeon.mechanics.equations import REGULARIZATION, Equations, equations_of_motion
from gudgeon.mechanics.least_squares import least_norm
from gudgeon.progress import Progress
from gudgeon.result import Result, Singularity
from gudgeon.sampling import probe_functions, refuse_wrong_derivatives, sample_times
from gudgeon.solvers.base import Trajectory
from gudgeon.system import System

if TYPE_CHECKING:
    import xarray as xr

NEAR_SINGULAR = 1e-3  # σ below which forces are computed without squaring the condition, of the largest met


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

    The algebra is dense: a step costs time in proportion to the cube of the number of bodies (a millisecond for
    some ten bodies). Raises ModelError for a description that is not fully driven, SimulationError (with `.result`
    until then) where the mechanism locks or the drives ask for what the joints do not allow, SimulationInterrupted
    (likewise) on Ctrl-C.

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
    times = sample_times("kinematics", sample, duration)
    refuse_real_joints(system)
    probe_functions(system, duration)
    refuse_wrong_derivatives(system, duration)

    from gudgeon.compilation import compile_kernels

    seconds_compiling = compile_kernels()
    began = time.perf_counter()
    equations = equations_of_motion(system)
    assembly = assemble_equations(equations)
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
        "seconds_preparing": time.perf_counter() - began,
        "seconds_compiling": seconds_compiling,
    }
    crossings = Crossings()
    path = Path(mechanism, start, duration, crossings.obstacle)
    run = _Run(equations, assembly, path, crossings, times, stats)
    shown = Progress(system.name, progress)
    try:
        for instant in path.steps():
            shown.update(min(1.0, instant.t / duration))
    except Stuck as stuck:
        raise run.error(stuck) from None
    except KeyboardInterrupt:
        end = path.instants[-1].t
        result = run.result("interrupted", end)
        raise SimulationInterrupted(
            f"System {system.name!r}: interrupted at t = {end:.6g} of {duration:g} s; error.result holds what was "
            "computed",
            result=result,
        ) from None
    finally:
        shown.close()
    return run.result("done", duration)


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
    ):
        self.equations = equations
        self.assembly = assembly
        self.path = path
        self._crossings = crossings
        self._times = times
        self._stats = stats
        self._began = time.perf_counter()

    def result(self, end: str, end_time: float, locked: Singularity | None = None) -> Result:
        """What was computed, up to `end_time`."""
        path, last = self.path, self.path.instants[-1]
        found: list[Singularity] = []
        samples: list[Instant] = []
        if len(path.instants) > 1:
            found, bridges = self._crossings.found(path)
            if locked:
                found = [one for one in found if one[0] < path.instants[-2].t]
            times = self._times[self._times <= last.t]
            samples = [_sample(path, t, bridges) for t in times]
        elif len(self._times) and self._times[0] == 0.0:
            samples = [last]
        found = sorted([*found, *([locked] if locked else [])])
        states = np.array([instant.y for instant in samples]).reshape(-1, self.equations.state_size)
        self._stats |= {
            "steps": len(path.instants) - 1,
            "rejections": path.rejections,
            "evaluations": path.evaluations,
            "end": end,
            "end_time": end_time,
            "seconds_computing": time.perf_counter() - self._began,
        }
        trajectory = Trajectory(
            times=np.array([instant.t for instant in samples]),
            states=states,
            end=end,
            end_time=end_time,
            end_state=last.y,
            stats=self._stats,
        )
        return Result(
            stats=self._stats,
            crossings=([], np.zeros(0)),
            system=self.equations.system,
            assembly=self.assembly,
            data=_data(self.equations, trajectory, samples, path.largest_sigma, self.assembly.redundant_rows),
            source=(self.equations, trajectory),
            singularities=found,
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


def _sample(path: Path, t: float, bridges: list[Bridge]) -> Instant:
    """The instant of a sample; across a singular position from its bridge."""
    unsafe = UNSAFE * path.largest_sigma
    found = None
    for bridge in bridges:
        if t in bridge and bridge.sigma(t) < unsafe:
            found = bridge.at(t)
    if found is None:
        found = path.at(t)
    if found is None:
        raise SimulationError(f"kinematics: the position at t = {t:.9g} s cannot be refined", time=t)
    return found


def _data(
    equations: Equations, trajectory: Trajectory, samples: list[Instant], largest_sigma: float, redundant_rows: int
) -> xr.Dataset:
    """The Dataset of a simulation, with the accelerations of the path and forces that hold near singular positions."""
    data = dataset(equations, trajectory, redundant_rows)
    if samples:
        a = np.array([instant.acceleration for instant in samples]).reshape(len(samples), -1, 6)
        data["acceleration"].values[:] = a[:, :, :3]
        data["angular_acceleration"].values[:] = a[:, :, 3:]
    for place, instant in enumerate(samples):
        if instant.sigma > NEAR_SINGULAR * largest_sigma:
            continue
        forces = [np.nan] * 3
        if instant.sigma > SINGULAR * largest_sigma:
            missing = missing_forces(equations, instant.t, instant.y, instant.acceleration)
            transposed = equations.jacobian().T
            forces = list(reactions_of(equations, least_norm(transposed, -missing)))
        for name, values in zip(("reaction_force", "reaction_torque", "drive_effort"), forces, strict=True):
            data[name].values[place] = values
    return data
