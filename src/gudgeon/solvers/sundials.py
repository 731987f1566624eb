"""CVODE of SUNDIALS through scikit-sundae: an independent integrator on the same compiled equations."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from gudgeon.checks import choice, number
from gudgeon.errors import ModelError
from gudgeon.mechanics.state_layout import positions
from gudgeon.solvers.base import Solver, Task, Trajectory, settle_tolerances
from gudgeon.solvers.run import take_off, with_room_for_contacts

ROUNDING = 1e-15  # of a gap at the instant of its event [m]
EVALUATIONS_PER_REPORT = 200  # between two samples progress is reported, and Ctrl-C from there seen, so often
NO_TIME = 1e-13  # between two events, of the run
MOST_IN_VAIN = 1000  # events in a row without time between them
COARSE = 1e-3  # error of a position that spoils contacts, of the clearance


@dataclass(frozen=True, kw_only=True)
class Sundials(Solver):
    """Variable-order multistep integration (Hindmarsh et al. 2005): Adams for smooth motion, BDF for stiff.

    Slower than `Explicit` and `Implicit`, and independent of them: use it to check a result. Takes Baumgarte
    stabilisation only, since CVODE's history cannot be projected from outside. Contacts in joints with clearance are
    located by CVODE's root finding, after each of which it starts anew; so are those of sliders in guides. Their peak
    forces are not tracked (NaN in `result.events`). CVODE knows nothing of clearances: it warns where rtol·|r| + atol
    exceeds a thousandth of one.

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
        """Integrate sample by sample, and from contact event to contact event."""
        from gudgeon.kernels.integrators.run import CONTACT_PEAK, CONTACTS

        if task.projection_tolerance is not None:
            raise ModelError("Sundials: projection is not available; use Baumgarte, or the solver Explicit or Implicit")
        if task.equations.crossing_names:
            raise ModelError("Sundials: crossings are not available; use the solver Explicit or Implicit")
        self._warn_if_too_coarse(task)
        run = _Run(self, task)
        states = np.empty((len(task.times), len(task.start)))
        sampled, end, goal = 0, "done", task.begin
        try:
            goals = task.times if task.times[-1] >= task.end else np.append(task.times, task.end)
            for goal in goals:
                while run.time < goal and end == "done":
                    end = run.advance(goal)
                if end != "done":
                    break
                if sampled < len(task.times):
                    states[sampled] = run.y
                    sampled += 1
                task.progress.update(task.fraction(goal))
        except KeyboardInterrupt:
            end = "interrupted"
        touching = task.equations.work.contact.copy()
        run.close()
        contacts = run.flight.contacts[: run.flight.count[CONTACTS]].copy()
        contacts[:, CONTACT_PEAK] = np.nan
        return Trajectory(
            times=task.times[:sampled],
            states=states[:sampled],
            contacts=contacts,
            touching=touching,
            end=end,
            end_time=run.reached if end == "interrupted" else run.time,
            end_state=run.y.copy(),
            step=goal - run.time,
            message=run.message,
            culprit=run.culprit,
            stats={
                "solver": f"Sundials ({self.method})",
                "steps": None,  # CVODE does not tell
                "rejections": None,
                "evaluations": run.evaluations,
            },
        )

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
    """A CVODE integration that starts anew after every contact event."""

    def __init__(self, options: Sundials, task: Task):
        from sksundae.cvode import CVODE

        from gudgeon.kernels.contact import events as contacts
        from gudgeon.kernels.contact import guide_events
        from gudgeon.kernels.dynamics.arrays import CLEARANCE
        from gudgeon.kernels.dynamics.motion import right_hand_side

        model, work = task.equations.model, task.equations.work
        self.task, self.time, self.y = task, task.begin, task.start.copy()
        self.evaluations, self.message, self.culprit = 0, "", ""
        self.reached = task.begin  # the last time the equations were asked for [s]
        self._in_vain = 0  # events in a row without time between them
        self.flight = take_off(
            task, rtol=0.0, atol=0.0, max_step=0.0, first_step=None, dense_terms=1, keeps_forces=False
        )
        state, rate = task.start.copy(), np.zeros_like(task.start)  # the array types the kernels are compiled for
        sliders = task.equations.sliders
        self._gaps = np.zeros(len(task.equations.compliant.names))
        self._overlaps = np.zeros(0 if sliders is None else len(sliders.contact_names))
        self._contacts, self._guides = contacts, guide_events

        right_hand_side(model, work, task.begin, state, rate)
        evaluate = _entry_point(right_hand_side, model, work, 0.0, state, rate)
        contacts.gaps_at(model, work, self.flight, state, self._gaps)
        measure = _entry_point(contacts.gaps_at, model, work, self.flight, state, self._gaps)

        guided = len(self._overlaps) > 0
        overlaps = None
        if guided:
            guide_events.overlaps(model, work, state, self._overlaps)
            overlaps = _entry_point(guide_events.overlaps, model, work, state, self._overlaps)

        def rhs(t, y, y_rate):
            self.evaluations += 1
            self.reached = float(t)
            if self.evaluations % EVALUATIONS_PER_REPORT == 0:
                task.progress.update(task.fraction(self.reached))
            state[:] = y
            evaluate(model, work, t, state, rate)
            y_rate[:] = rate

        def events(t, y, gaps):
            state[:] = y
            measure(model, work, self.flight, state, self._gaps)
            if overlaps is not None:
                overlaps(model, work, state, self._overlaps)
            for k, gap in enumerate((*self._gaps, *self._overlaps)):
                gaps[k] = gap if abs(gap) > ROUNDING else -ROUNDING  # the rounding of the last event counts as closed

        watched = guided or np.isfinite(model.compliant_vector[:, CLEARANCE]).any()
        watch = {"eventsfn": events, "num_events": len(self._gaps) + len(self._overlaps)} if watched else {}
        self._solver = CVODE(
            rhs,
            method=options.method,
            rtol=options.rtol,
            atol=options.atol,
            max_num_steps=int(options.max_steps),
            min_step=0.0 if watch else 1e-13 * task.duration,
            max_step=task.duration,
            **watch,
        )
        if watch:
            contacts.begin_contacts(model, work, self.flight, task.begin)
        if guided:
            guide_events.begin_touches(model, work, self.flight, task.begin)
        self._solver.init_step(task.begin, self.y)

    def advance(self, goal: float) -> str:
        """Go on to the goal or to the next contact event; says how it went."""
        before = self.time
        answer = self._solver.step(goal)
        self.time, self.y = float(np.atleast_1d(answer.t)[-1]), np.atleast_2d(answer.y)[-1].copy()
        if not answer.success or not np.all(np.isfinite(self.y)):
            self.message = str(answer.message)
            return "solver failure" if np.all(np.isfinite(self.y)) else "not a number"
        self._in_vain = self._in_vain + 1 if self.time - before <= NO_TIME * self.task.duration else 0
        if self._in_vain > MOST_IN_VAIN:
            return "no progress"
        return self._change_mode() if self.time < goal else "done"

    def _change_mode(self) -> str:
        model, work = self.task.equations.model, self.task.equations.work
        self.flight.y[:] = self.y
        self.flight = with_room_for_contacts(self.flight)
        self._contacts.gaps_at(model, work, self.flight, self.y, self._gaps)
        which = int(np.argmax(self._gaps)) if len(self._gaps) else -1
        if len(self._overlaps):
            self._guides.overlaps(model, work, self.y, self._overlaps)
            guide = int(np.argmax(self._overlaps))
            if which < 0 or self._overlaps[guide] > self._gaps[which]:
                self._guides.switch_touches(model, work, self.flight, self.time, self.y, guide)
                self._solver.init_step(self.time, self.y)
                return "done"
        if self._contacts.change_mode(model, work, self.flight, self.time, which):
            self.culprit = self.task.equations.compliant.names[which]
            return "film closed"
        self.y = self.flight.y.copy()
        self._solver.init_step(self.time, self.y)
        return "done"

    def close(self) -> None:
        """Note the contacts that last."""
        if len(self._gaps) or len(self._overlaps):
            self.flight.y[:] = self.y
            self.flight = with_room_for_contacts(self.flight)
            self._contacts.write_open_contacts(self.task.equations.model, self.task.equations.work, self.flight)


def _entry_point(kernel: Any, *arguments: Any) -> Any:
    """The compiled code of a kernel that was just called with these arguments.

    Called without Numba's look at the types of its arguments it is four times as fast.
    """
    from numba import typeof

    return kernel.overloads[tuple(typeof(x) for x in arguments)].entry_point
