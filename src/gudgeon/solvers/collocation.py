"""The arrays of `Implicit`: what a method with some stages needs besides the Flight."""

from __future__ import annotations

import numpy as np

from gudgeon.kernels.dynamics import arrays
from gudgeon.kernels.dynamics import force_pattern as force_places
from gudgeon.kernels.dynamics.engine_table import let_loads_be_solved
from gudgeon.kernels.dynamics.response import Response
from gudgeon.kernels.integrators import collocation as places
from gudgeon.kernels.integrators.control_stages import ControlStages
from gudgeon.kernels.integrators.load_stages import LoadStages
from gudgeon.kernels.integrators.radau_table import table
from gudgeon.mechanics.equations import Equations
from gudgeon.mechanics.force_pattern import force_pattern


def collocation(equations: Equations, stages: int) -> places.Collocation:
    """The arrays of the method with this number of stages."""
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
