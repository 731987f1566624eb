"""CVODE of SUNDIALS through scikit-sundae: an independent integrator on the same compiled equations."""

from __future__ import annotations

import math
import warnings
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gudgeon.checks import choice, number
from gudgeon.errors import ModelError
from gudgeon.mechanics.state_layout import positions
from gudgeon.solvers.base import Solver, Task, Trajectory, settle_tolerances
from gudgeon.solvers.entry_point import entry_point

HIGHEST_ORDER = {"Adams": 12, "BDF": 5}  # of CVODE's polynomials
STEPS_PER_REPORT = 100  # between two samples progress is reported, and Ctrl-C from there seen, so often
NO_TIME = 1e-13  # between two events, of the run
MOST_IN_VAIN = 1000  # events in a row without time between them
COARSE = 1e-3  # error of a position that spoils contacts, of the clearance


@dataclass(frozen=True, kw_only=True)
class Sundials(Solver):
    """Variable-order multistep integration (Hindmarsh et al. 2005): Adams for smooth motion, BDF for stiff.

    Slower than `Explicit` and `Implicit`, and independent of them: use it to check a result. Takes Baumgarte
    stabilisation only, since CVODE's history cannot be projected from outside. Contacts and crossings are located on
    the polynomial of their step; where a contact begins or ends CVODE starts anew. It knows nothing of clearances: it
    warns where rtol·|r| + atol exceeds a thousandth of one.

    >>> import gudgeon as gd
    >>> gd.Sundials(rtol=1e-9, atol=1e-11, method="BDF").method
    'BDF'
    """

    rtol: float = 1e-8  # relative tolerance [-]
    atol: float = 1e-10  # absolute tolerance, SI units of each state
    method: Literal["Adams", "BDF"] = "Adams"
    max_steps: int = 1_000_000  # between two samples

    def __post_init__(self):
        settle_tolerances(self)
        if number("Sundials", "max_steps", self.max_steps) < 1.0:
            raise ModelError(f"Sundials: max_steps is {self.max_steps}; give a positive whole number")
        choice("Sundials", "method", self.method, ("Adams", "BDF"))

    def run(self, task: Task) -> Trajectory:
        """Integrate step by step, and from contact event to contact event."""
        from gudgeon.solvers.run import landed

        if task.projection_tolerance is not None:
            raise ModelError("Sundials: projection is not available; use Baumgarte, or the solver Explicit or Implicit")
        self._warn_if_too_coarse(task)
        run = _Run(self, task)
        end = run.fly()
        trajectory = landed(task, run.flight, end, f"Sundials ({self.method})", message=run.message)
        trajectory.stats["rejections"] = None  # CVODE does not tell
        return trajectory

    def _warn_if_too_coarse(self, task: Task) -> None:
        """CVODE controls positions against their own size, whatever the clearance they have to tell apart."""
        from gudgeon.solvers.open_joints import smallest_clearance

        name, clearance = smallest_clearance(task.equations)
        at = positions(task.equations.body_motion(task.start[None, :]), len(task.equations.system.bodies))
        error = self.rtol * float(np.abs(at).max(initial=0.0)) + self.atol
        if error > COARSE * clearance:
            warnings.warn(
                f"Sundials: with rtol {self.rtol:g} and atol {self.atol:g} positions may err by {error:.2g} m a step, "
                f"{error / clearance:.1%} of the clearance of joint {name!r} ({clearance:.3g} m), and its contacts "
                f"create energy; divide both by {math.ceil(error / (COARSE * clearance))} or more, or use gd.Implicit, "
                "which controls clearances",
                stacklevel=4,
            )


class _Run:
    """A CVODE integration, step by step, that starts anew after every contact event."""

    def __init__(self, options: Sundials, task: Task):
        from sksundae.cvode import CVODE

        from gudgeon.kernels.dynamics.arrays import CLEARANCE
        from gudgeon.kernels.dynamics.motion import right_hand_side
        from gudgeon.kernels.integrators import multistep, run
        from gudgeon.solvers.run import take_off

        equations = task.equations
        model, work = equations.model, equations.work
        self.message = ""
        self._task, self._max_steps, self._kernels, self._places = task, options.max_steps, multistep, run
        kernels = (multistep.event_in_step, multistep.switch_in_piece, multistep.take_over)
        for kernel in kernels:
            kernel.compile(kernel.arguments)
        self._event_in_step, self._switch_in_piece, self._take_over = map(entry_point, kernels)
        self._nodes, self._to_dense = _interpolation(HIGHEST_ORDER[options.method])
        terms = len(self._nodes)
        self.flight = take_off(
            task, rtol=0.0, atol=0.0, max_step=0.0, first_step=None, dense_terms=terms, keeps_forces=False
        )
        touches = np.isfinite(model.compliant_vector[:, CLEARANCE]).any()
        self._happens = bool(touches or len(model.crossing))  # anything within steps
        self._changes = bool(len(model.sampled) or len(model.switch))
        self._only_touches = not (len(model.crossing) or self._changes)
        self._steps_since_sample = 0
        self._in_vain = 0  # events in a row without time between them
        self._asked = task.begin  # the time of the last state asked of CVODE [s]
        state, rate = task.start.copy(), np.zeros_like(task.start)  # the array types the kernels are compiled for
        right_hand_side(model, work, task.begin, state, rate)
        evaluate = self._evaluate = entry_point(right_hand_side)
        self._rates = np.zeros((2, len(state)))  # ẏ at the ends of a step
        self._rated = math.nan  # the time of the first of them [s]

        def rhs(t, y, y_rate):
            self.flight.count[run.EVALUATIONS] += 1
            state[:] = y
            evaluate(model, work, t, state, rate)
            y_rate[:] = rate

        self._solver = CVODE(
            rhs,
            method=options.method,
            rtol=options.rtol,
            atol=equations.controls.absolute_tolerances(equations.layout, options.rtol, options.atol),
            min_step=0.0 if self._happens or self._changes else 1e-13 * task.duration,
            max_step=task.duration,
        )
        self._kernels.begin_events(model, work, self.flight)
        self._solver.init_step(task.begin, self.flight.y)

    @property
    def _time(self) -> float:
        return float(self.flight.clock[self._places.TIME])

    def fly(self) -> str:
        """Integrate to the end, or as far as it goes; says how it ended."""
        task, end = self._task, "done"
        try:
            self._sample()
            while self._time < task.end and end == "done":
                end = self._step()
                if self._steps_since_sample % STEPS_PER_REPORT == STEPS_PER_REPORT - 1:
                    task.progress.update(task.fraction(self._time))
        except KeyboardInterrupt:
            end = "interrupted"
        return end

    def _step(self) -> str:
        """One step of CVODE, in pieces between events; says how it went."""
        flight, places = self.flight, self._places
        sampled, before = flight.count[places.SAMPLED], self._time
        if self._task.end - before <= NO_TIME * max(abs(before), 1e-3):
            flight.clock[places.TIME] = self._task.end
            self._sample_here()
            return "done"
        sampled, least = int(sampled), before + NO_TIME * max(abs(before), 1e-3)  # what CVODE can tell from now
        while sampled < len(flight.times) and flight.times[sampled] <= least:
            sampled += 1
        goal = float(flight.times[sampled]) if sampled < len(flight.times) else self._task.end
        flight.clock[places.STEP] = goal - before
        instant = float(flight.clock[places.INSTANT])
        with redirect_stdout(None):  # it prints what its answer says, too
            answer = self._solver.step(min(goal, instant), "onestep", tstop=instant if instant < np.inf else None)
        finite = bool(np.isfinite(answer.y).all())
        if not answer.success or not finite:
            self.message = str(answer.message)
            return "solver failure" if finite else "not a number"
        reached = float(answer.t)
        flight.count[places.STEPS] += 1
        self._steps_since_sample += 1
        until = min(reached, self._task.end)
        if self._only_touches and reached <= self._task.end and self._nothing_within(reached, answer.y):
            self._asked = reached
            self._sample()
        while self._time < until:
            status, event = self._piece(until)
            at_instant = event == "switch" or instant - self._time <= NO_TIME * abs(instant)
            self._sample(NO_TIME * max(abs(self._time), 1e-3) if at_instant else 0.0)
            if status != "done":
                return status
            if event == "switch":
                self._changed()
            if event:
                self._in_vain = self._in_vain + 1 if self._time - before <= NO_TIME * self._task.duration else 0
                self._solver.init_step(self._time, self.flight.y)
                return "no progress" if self._in_vain > MOST_IN_VAIN else "done"
        self._in_vain = 0
        if self._changes and instant - self._time <= NO_TIME * abs(instant) and self._time < self._task.end:
            if self._changed():
                self._solver.init_step(self._time, self.flight.y)
            return "done"
        if self._asked != reached:
            self._state_at(reached)  # it goes on from the last that was asked of it
        if self._steps_since_sample > self._max_steps:
            self.message = f"more than max_steps = {self._max_steps:g} steps between two samples"
            return "solver failure"
        return "done"

    def _nothing_within(self, reached: float, y: np.ndarray) -> bool:
        """Whether no contact begins or ends within CVODE's last step, by the cubic through its ends; if so, go there.

        CVODE's own polynomial takes several calls of it, and is asked for where something happens alone.
        """
        flight, places = self.flight, self._places
        if not self._happens:
            flight.y[:], flight.clock[places.TIME] = y, reached
            return True
        model, work = self._task.equations.model, self._task.equations.work
        first, last, h = self._rates[0], self._rates[1], reached - self._time
        if self._rated != self._time:
            self._evaluate(model, work, self._time, flight.y, first)
        flight.y_new[:], self._rated = y, math.nan
        self._evaluate(model, work, reached, flight.y_new, last)
        flight.count[places.EVALUATIONS] += 1
        change, dense = flight.y_new - flight.y, flight.dense
        dense[0], dense[1], dense[2], dense[3:] = change, h * first - change, 2.0 * change - h * (first + last), 0.0
        if not self._event_in_step(model, work, flight, h) > 1.0:
            return False
        if self._take_over(model, work, flight, reached, False) == places.FULL:
            return False
        first[:], self._rated = last, reached
        return True

    def _piece(self, until: float) -> tuple[str, str]:
        """Go on within CVODE's last step, at most to a time; says how it went, and whether something changes there."""
        equations, flight, places = self._task.equations, self.flight, self._places
        if not self._happens:
            flight.y[:] = self._state_at(until)
            flight.clock[places.TIME] = until
            return "done", ""
        until = min(until, self._time + float(flight.clock[places.LARGEST_STEP]))
        self._interpolate(until)
        x = self._event_in_step(equations.model, equations.work, flight, until - self._time)
        if x == self._kernels.LOST:
            return "ball lost", ""
        is_event = x <= 1.0
        if is_event:
            until = self._time + x * (until - self._time)
            self._interpolate(until)
        turns = self._switch_in_piece(equations.model, equations.work, flight, until)
        if turns <= 1.0:
            is_event, until = False, self._time + turns * (until - self._time)
            self._interpolate(until)
        status = self._take_over(equations.model, equations.work, flight, until, is_event)
        if status == places.FULL:
            self._make_room()
            status = self._take_over(equations.model, equations.work, self.flight, until, is_event)
        ends = {
            places.MORE: "done",
            places.STOPPED: "stopped",
            places.FILM_CLOSED: "film closed",
            places.BALL_LOST: "ball lost",
        }
        return ends[status], "switch" if turns <= 1.0 else "contact" if is_event else ""

    def _make_room(self) -> None:
        from gudgeon.solvers.run import with_room

        self.flight = with_room(self.flight)

    def _changed(self) -> bool:
        """Whether anything changes at the present time, and change it."""
        equations, places = self._task.equations, self._places
        status = self._kernels.changes_now(equations.model, equations.work, self.flight)
        if status == places.FULL:
            self._make_room()
            status = self._kernels.changes_now(equations.model, equations.work, self.flight)
        return status == places.MORE

    def _interpolate(self, until: float) -> None:
        """CVODE's polynomial from the present time to another one, into the flight."""
        times = self._time + self._nodes * (until - self._time)
        times[-1] = until
        states = np.array([self._state_at(t) for t in times])
        self.flight.dense[:] = self._to_dense @ (states - self.flight.y)
        self.flight.y_new[:] = states[-1]

    def _state_at(self, time: float) -> np.ndarray:
        """CVODE's state at a time within its last step."""
        self._asked = time
        return self._solver.step(time).y

    def _sample_here(self) -> None:
        """All samples that are left are at the present time, but for rounding."""
        flight, places = self.flight, self._places
        flight.samples[flight.count[places.SAMPLED] :] = flight.y
        flight.count[places.SAMPLED] = len(flight.times)

    def _sample(self, slack: float = 0.0) -> None:
        """All samples up to the present time, and a little later."""
        flight, count = self.flight, self.flight.count
        while (k := count[self._places.SAMPLED]) < len(flight.times) and flight.times[k] <= self._time + slack:
            flight.samples[k] = flight.y if flight.times[k] >= self._time else self._state_at(float(flight.times[k]))
            count[self._places.SAMPLED] += 1
            self._steps_since_sample = 0
            self._task.progress.update(self._task.fraction(flight.times[k]))


def _interpolation(degree: int) -> tuple[np.ndarray, np.ndarray]:
    """Where in a step to ask for a polynomial of this degree, and the matrix that turns its values into dense output.

    The values are differences from that at the beginning of the step; `kernels/integrators/dense.py` has the basis.
    """
    x = 0.5 - 0.5 * np.cos(np.pi * np.arange(1, degree + 1) / degree)
    basis = np.cumprod([x if k % 2 == 0 else 1.0 - x for k in range(degree)], axis=0)
    return x, np.linalg.inv(basis.T)
