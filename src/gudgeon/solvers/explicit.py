"""Adaptive explicit Runge–Kutta of order 8, compiled whole: the solver for mechanisms without stiffness."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from gudgeon.quantities import Time
from gudgeon.solvers.base import Solver, Task, Trajectory, check_steps, settle_tolerances
from gudgeon.solvers.own_axes import back_to_world, into_own_axes, suits


@dataclass(frozen=True, kw_only=True)
class Explicit(Solver):
    """Dormand–Prince 8(5,3) with step control and dense output (Hairer, Nørsett, Wanner: DOP853).

    A step is accepted when its estimated error is below atol + rtol·|y| in the root-mean-square sense; a mechanism much
    smaller than a metre needs a smaller `atol`. Angular velocities count in the bodies' own axes (in absolute
    coordinates), so that spinning bodies keep what disturbs their spin. A load that acts for less than a step can be
    stepped over: give `max_step` for short pulses.

    >>> import gudgeon as gd
    >>> gd.Explicit(rtol=1e-10, atol=1e-12).rtol
    1e-10
    """

    rtol: float = 1e-8  # relative tolerance [-]
    atol: float = 1e-10  # absolute tolerance, SI units of each state
    max_step: Time = float("inf")  # [s]
    first_step: Time | None = None  # None: chosen automatically [s]

    def __post_init__(self):
        settle_tolerances(self)
        check_steps("Explicit", self.max_step, self.first_step)

    def run(self, task: Task) -> Trajectory:
        """Integrate inside compiled code."""
        Stages, advance, take_off, fly = _machinery()
        spins = suits(task.equations)
        if spins:
            task = into_own_axes(task)
        flight = take_off(
            task,
            rtol=self.rtol,
            atol=self.atol,
            max_step=self.max_step,
            first_step=self.first_step,
            dense_terms=7,
            keeps_forces=False,
        )
        n = len(task.start)
        controls = len(task.equations.model.control_rate)
        given = {"slope": np.zeros((controls, controls))} if controls else {}
        stages = Stages(stage=np.zeros((16, n)), error=np.zeros((2, n)), **given)
        trajectory = fly(task, flight, advance, stages, "Explicit")
        return back_to_world(trajectory, len(task.equations.system.bodies)) if spins else trajectory


@cache
def _machinery() -> tuple[Any, ...]:
    """What runs are made with, loaded by the first one; naming it in each costs a short run more than its last step."""
    from gudgeon.kernels.integrators.dop853 import Stages, advance
    from gudgeon.solvers.run import fly, take_off

    return Stages, advance, take_off, fly
