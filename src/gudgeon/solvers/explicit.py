"""Adaptive explicit Runge–Kutta of order 8, compiled whole: the solver for mechanisms without stiffness."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.solvers.base import Solver, Task, Trajectory, check_tolerances
from gudgeon.stabilization import Projection

SECONDS_PER_CALL = 0.1  # how long compiled code runs before Python may look at the clock and at Ctrl-C


@dataclass(frozen=True, kw_only=True)
class Explicit(Solver):
    """Dormand–Prince 8(5,3) with step control and dense output (Hairer, Nørsett, Wanner: DOP853).

    A step is accepted when its estimated error is below atol + rtol·|y| in the root-mean-square sense; a mechanism much
    smaller than a metre needs a smaller `atol`. A load that acts for less than a step can be stepped over: give
    `max_step` for short pulses.

    >>> import gudgeon as gd
    >>> gd.Explicit(rtol=1e-10, atol=1e-12).rtol
    1e-10
    """

    rtol: float = 1e-8  # relative tolerance [-]
    atol: float = 1e-10  # absolute tolerance, SI units of each state
    max_step: float = float("inf")  # [s]
    first_step: float | None = None  # None: chosen automatically [s]

    def __post_init__(self):
        check_tolerances("Explicit", self.rtol, self.atol)
        if self.max_step != float("inf") and number("Explicit", "max_step", self.max_step) <= 0.0:
            raise ModelError(f"Explicit: max_step is {self.max_step!r}; give a positive number of seconds")
        if self.first_step is not None and number("Explicit", "first_step", self.first_step) <= 0.0:
            raise ModelError(f"Explicit: first_step is {self.first_step!r}; give a positive number of seconds")

    def run(self, task: Task) -> Trajectory:
        """Integrate inside compiled code, a tenth of a second at a time."""
        from gudgeon.kernels import dop853

        flight = self._take_off(task)
        model, work = task.equations.model, task.equations.work
        clock, count = flight.clock, flight.count
        budget = 200
        end = "interrupted"
        try:
            while True:
                began = time.perf_counter()
                status = dop853.advance(model, work, flight, budget)
                elapsed = time.perf_counter() - began
                if status == dop853.FULL:
                    flight = _with_room(flight)
                elif status != dop853.MORE:
                    end = {
                        dop853.DONE: "done",
                        dop853.STOPPED: "stopped",
                        dop853.UNDERFLOW: "step underflow",
                        dop853.NOT_A_NUMBER: "not a number",
                    }[status]
                    break
                budget = int(np.clip(budget * SECONDS_PER_CALL / max(elapsed, 1e-6), 1, 4 * budget))
                task.progress.update(clock[dop853.TIME] / task.duration)
        except KeyboardInterrupt:
            end = "interrupted"
        sampled, crossed = count[dop853.SAMPLED], count[dop853.CROSSED]
        order = np.argsort(flight.crossing_time[:crossed], kind="stable")
        times, states = flight.times[:sampled], flight.samples[:sampled]
        if end == "stopped" and (sampled == 0 or times[-1] < clock[dop853.TIME]):  # the stop is a sample too
            times, states = np.append(times, clock[dop853.TIME]), np.vstack([states, flight.y])
        return Trajectory(
            times=times,
            states=states,
            end=end,
            end_time=float(clock[dop853.TIME]),
            end_state=flight.y.copy(),
            step=float(clock[dop853.STEP]),
            crossing_times=flight.crossing_time[order],
            crossing_which=flight.crossing_which[order],
            stats={
                "solver": "Explicit",
                "steps": int(count[dop853.STEPS]),
                "rejections": int(count[dop853.REJECTED]),
                "evaluations": int(count[dop853.EVALUATIONS]),
            },
        )

    def _take_off(self, task: Task):
        from gudgeon.kernels import dop853

        n, crossings = len(task.start), len(task.equations.crossing_names)
        clock = np.zeros(dop853.CLOCK_SIZE)
        clock[dop853.STEP] = self.first_step or 0.0
        clock[dop853.END] = task.duration
        clock[dop853.RTOL], clock[dop853.ATOL] = self.rtol, self.atol
        clock[dop853.LARGEST_STEP] = self.max_step
        clock[dop853.PROJECTION_TOLERANCE] = task.projection_tolerance or Projection().tolerance
        count = np.zeros(dop853.COUNT_SIZE, dtype=np.int64)
        count[dop853.PROJECTION] = task.projection_tolerance is not None
        room = 64 * crossings
        return dop853.Flight(
            clock=clock,
            count=count,
            y=task.start.copy(),
            stage=np.zeros((16, n)),
            y_new=np.zeros(n),
            y_stage=np.zeros(n),
            dense=np.zeros((7, n)),
            times=task.times,
            samples=np.empty((len(task.times), n)),
            gaps=np.zeros((dop853.LOOKS + 2, crossings)),
            crossing_time=np.empty(room),
            crossing_which=np.empty(room, dtype=np.int64),
        )


def _with_room(flight):
    """The same flight with twice the room for crossings."""

    def doubled(array: np.ndarray) -> np.ndarray:
        return np.concatenate([array, np.empty_like(array)])

    return flight._replace(
        crossing_time=doubled(flight.crossing_time),
        crossing_which=doubled(flight.crossing_which),
    )
