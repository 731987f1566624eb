"""Adaptive implicit Runge–Kutta for stiff joints, compiled whole: the solver for mechanisms with real joints."""

from __future__ import annotations

from dataclasses import dataclass

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.quantities import Time
from gudgeon.solvers.base import Solver, Task, Trajectory, check_steps, settle_tolerances


@dataclass(frozen=True, kw_only=True)
class Implicit(Solver):
    """Force-reduced Radau IIA: L-stable in the forces of real joints and in loads of the motion, explicit in all else.

    The stiff algebra has the size of these forces, whatever the number of bodies; loads are in it while they are stiff.
    A step is accepted when its estimated error is below atol + rtol·|q| in positions and angles, a thousand times that
    per second in velocities, below 100·rtol·clearance in the eccentricity of every joint with clearance, and while it
    touches below 100·rtol (at most 1e-3) of the kinetic energy in its energy. Where a joint's force hardly acts back on
    its motion, as that of a ball which a drive moves through its film, the energy dissipated is controlled as well, to
    100·rtol of itself. The estimate is of lower order than the method: the error of the result is usually far smaller.
    `stages` is 3 (order 5), 5 (order 9) or 7 (order 13).

    >>> import gudgeon as gd
    >>> gd.Implicit(rtol=1e-7).stages
    3
    """

    rtol: float = 1e-8  # relative tolerance [-]
    atol: float = 1e-11  # absolute tolerance [m or rad]
    stages: int = 3
    max_step: Time = float("inf")  # [s]
    first_step: Time | None = None  # None: chosen automatically [s]

    def __post_init__(self):
        settle_tolerances(self)
        stages = number("Implicit", "stages", self.stages)
        if stages not in (3.0, 5.0, 7.0):
            raise ModelError(f"Implicit: stages is {self.stages!r}; give 3, 5 or 7")
        object.__setattr__(self, "stages", int(stages))
        check_steps("Implicit", self.max_step, self.first_step)

    def run(self, task: Task) -> Trajectory:
        """Integrate inside compiled code."""
        from gudgeon.kernels.integrators.radau import advance
        from gudgeon.kernels.integrators.radau_table import dense_terms
        from gudgeon.solvers.collocation import collocation
        from gudgeon.solvers.run import fly, take_off

        flight = take_off(
            task,
            rtol=self.rtol,
            atol=self.atol,
            max_step=self.max_step,
            first_step=self.first_step,
            dense_terms=dense_terms(self.stages),
            keeps_forces=True,
        )
        return fly(task, flight, advance, collocation(task.equations, self.stages), "Implicit")
