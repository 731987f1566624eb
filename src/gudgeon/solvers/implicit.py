"""Adaptive implicit Runge–Kutta for stiff joints, compiled whole: the solver for mechanisms with real joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.quantities import Time
from gudgeon.solvers.base import Solver, Task, Trajectory, check_steps, settle_tolerances
from gudgeon.solvers.run import fly, take_off

if TYPE_CHECKING:
    from gudgeon.mechanics.equations import Equations


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
        from gudgeon.kernels.integrators import radau
        from gudgeon.kernels.integrators.radau_table import dense_terms

        flight = take_off(
            task,
            rtol=self.rtol,
            atol=self.atol,
            max_step=self.max_step,
            first_step=self.first_step,
            dense_terms=dense_terms(self.stages),
            keeps_forces=True,
        )
        return fly(task, flight, radau.advance, collocation(task.equations, self.stages), "Implicit")


def collocation(equations: Equations, stages: int) -> Any:
    """The arrays of the method with this number of stages."""
    from gudgeon.kernels.dynamics import arrays
    from gudgeon.kernels.dynamics import force_pattern as force_places
    from gudgeon.kernels.dynamics.engine_table import let_loads_be_solved
    from gudgeon.kernels.dynamics.response import Response
    from gudgeon.kernels.integrators import collocation as places
    from gudgeon.kernels.integrators.control_stages import ControlStages
    from gudgeon.kernels.integrators.load_stages import LoadStages
    from gudgeon.kernels.integrators.radau_table import table
    from gudgeon.mechanics.force_pattern import force_pattern

    coefficients = table(stages)
    n, velocities = equations.state_size, len(equations.model.velocity)
    joints, efforts = len(equations.compliant.names), len(equations.work.effort) - 1
    unknowns = equations.compliant.unknown_count + efforts
    rubs = len(equations.compliant.rubs)
    controls = len(equations.model.control_rate)
    pattern = force_pattern(equations)
    if len(equations.model.effort):
        let_loads_be_solved(equations.model.engine, tree=equations.tree is not None)
    equations.work.solved[:] = arrays.SOLVED
    end, all_unknowns = pattern.joint[-1], stages * int(pattern.node[-1, force_places.NODE_AT])
    matrix_lines, width = int(pattern.node[-1, force_places.DIAGONAL]), int(pattern.node[:, force_places.SIZE].max())
    memory = np.zeros(places.MEMORY_SIZE)
    memory[places.THETA] = 0.3
    return places.Collocation(
        c=coefficients.nodes,
        A=coefficients.matrix,
        A2=coefficients.square,
        E=coefficients.error,
        barycentric=coefficients.barycentric,
        predictor=coefficients.predictor,
        dense_position=coefficients.dense_position,
        dense_velocity=coefficients.dense_velocity,
        dense_other=coefficients.dense_other,
        memory=memory,
        y=np.zeros((stages, n)),
        rate=np.zeros((stages + 1, n)),
        F=np.zeros((stages + 1, unknowns)),
        last_rate=np.zeros((stages + 1, n)),
        last_F=np.zeros((stages + 1, unknowns)),
        weight=np.zeros(stages + 1),
        known=np.zeros(stages + 4),
        error=np.zeros((2, velocities)),
        scale=np.zeros((2, velocities)),
        response=Response(
            W=np.zeros(end[force_places.W_AT]),
            G=np.zeros(end[force_places.G_AT]),
            D=np.zeros((end[force_places.OWN], 6)),
            arm=np.zeros((joints, 6)),
            rub=np.zeros((rubs, 3, 24)),
            R=np.zeros((6 * rubs, unknowns)),
            effort=np.zeros(velocities),
            pattern=pattern,
        ),
        local=np.zeros((stages, joints, arrays.LOCAL_COLUMNS)),
        motion=np.zeros((stages, joints, arrays.LOCAL_COLUMNS)),
        last_motion=np.zeros((stages + 1, joints, arrays.LOCAL_COLUMNS)),
        phi_p=np.zeros((stages, joints, 6, 6)),
        phi_v=np.zeros((stages, joints, 6, 6)),
        phi_r=np.zeros((stages, rubs, 3, 6)),
        load=np.zeros((stages, rubs, 6)),
        dF=np.zeros((stages, unknowns)),
        matrix=np.zeros((stages * matrix_lines, stages * width)),
        pivot=np.zeros(all_unknowns, dtype=np.int64),
        x=np.zeros(all_unknowns),
        z=np.zeros((stages, unknowns)),
        base=np.zeros(6),
        slope=np.zeros((6, 6)),
        push=np.zeros((stages, velocities)),
        controls=ControlStages(
            slope=np.zeros((controls, controls)),
            matrix=np.zeros((stages * controls, stages * controls)),
            pivot=np.zeros(stages * controls, dtype=np.int64),
            x=np.zeros(stages * controls),
            before=np.zeros((stages, controls)),
            size=np.zeros(controls),
            error=np.zeros(controls),
        ),
        loads=LoadStages(
            effort=np.zeros((stages, efforts)),
            base=np.zeros(efforts),
            moved=np.zeros(efforts),
            direction=np.zeros((2, velocities)),
            step=np.zeros(velocities),
            y=np.zeros(n),
            wrenches=np.zeros(2),
            slope=np.zeros((len(equations.model.effort), 3)),
        ),
    )
