"""CVODE of SUNDIALS through scikit-sundae: an independent integrator on the same compiled equations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.solvers.base import Solver, Task, Trajectory, check_tolerances


@dataclass(frozen=True, kw_only=True)
class Sundials(Solver):
    """Variable-order multistep integration (Hindmarsh et al. 2005): Adams for smooth motion, BDF for stiff.

    Slower than `Explicit` on mechanisms with ideal joints, and independent of it: use it to check a result.
    Takes Baumgarte stabilisation only, since CVODE's history cannot be projected from outside.

    >>> import gudgeon as gd
    >>> gd.Sundials(rtol=1e-9, atol=1e-11, method="BDF").method
    'BDF'
    """

    rtol: float = 1e-8  # relative tolerance [-]
    atol: float = 1e-10  # absolute tolerance, SI units of each state
    method: Literal["Adams", "BDF"] = "Adams"
    max_steps: int = 1_000_000  # between two samples

    def __post_init__(self):
        check_tolerances("Sundials", self.rtol, self.atol)
        if number("Sundials", "max_steps", self.max_steps) < 1.0:
            raise ModelError(f"Sundials: max_steps is {self.max_steps}; give a positive whole number")
        if self.method not in ("Adams", "BDF"):
            raise ModelError(f"Sundials: method is {self.method!r}; give 'Adams' or 'BDF'")

    def run(self, task: Task) -> Trajectory:
        """Integrate sample by sample."""
        from sksundae.cvode import CVODE

        from gudgeon.kernels.absolute import right_hand_side

        if task.projection_tolerance is not None:
            raise ModelError("Sundials: projection is not available; use Baumgarte, or the solver Explicit")
        if task.equations.crossing_names:
            raise ModelError("Sundials: crossings are not available; use the solver Explicit")
        model, work = task.equations.model, task.equations.work
        evaluations = 0
        state, rate = (
            task.start.copy(),
            np.zeros_like(task.start),
        )  # the array types the kernel is compiled for

        def rhs(t, y, y_rate):
            nonlocal evaluations
            evaluations += 1
            state[:] = y
            right_hand_side(model, work, t, state, rate)
            y_rate[:] = rate

        solver = CVODE(
            rhs,
            method=self.method,
            rtol=self.rtol,
            atol=self.atol,
            max_num_steps=int(self.max_steps),
            min_step=1e-13 * task.duration,
            max_step=task.duration,
        )
        n = len(task.start)
        states = np.empty((len(task.times), n))
        sampled = 0
        end, message, now, goal, y = "done", "", 0.0, 0.0, task.start
        try:
            solver.init_step(0.0, task.start)
            goals = task.times if task.times[-1] >= task.duration else np.append(task.times, task.duration)
            for goal in goals:
                if goal > 0.0:
                    answer = solver.step(goal)
                    now, y = float(np.atleast_1d(answer.t)[-1]), np.atleast_2d(answer.y)[-1]
                    if not answer.success or not np.all(np.isfinite(y)):
                        finite = np.all(np.isfinite(y))
                        end, message = ("solver failure" if finite else "not a number"), str(answer.message)
                        break
                if sampled < len(task.times):
                    states[sampled] = y
                    sampled += 1
                task.progress.update(goal / task.duration)
        except KeyboardInterrupt:
            end = "interrupted"
        return Trajectory(
            times=task.times[:sampled],
            states=states[:sampled],
            end=end,
            end_time=now,
            end_state=np.array(y),
            step=goal - now,
            message=message,
            stats={
                "solver": f"Sundials ({self.method})",
                "steps": None,  # CVODE does not tell
                "rejections": None,
                "evaluations": evaluations,
            },
        )
