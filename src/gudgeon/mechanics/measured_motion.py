"""Joint coordinates of bodies whose motion is known at some instants: values, rates and accelerations.

x, ẋ and bias of each coordinate are those of kernels/kinematics/measures.py; ẍ = G v̇ + bias.
"""

from __future__ import annotations

import numpy as np

from gudgeon.functions.function import Programs
from gudgeon.kernels.dynamics import arrays
from gudgeon.kernels.dynamics.arrays import Model, Work
from gudgeon.mechanics.coordinates import Measures, ReferencePose
from gudgeon.mechanics.curve_tables import curve_tables
from gudgeon.system import System


def measured_motion(
    system: System, pose: ReferencePose, measures: Measures, motion: tuple[np.ndarray, ...]
) -> np.ndarray:
    """All measures, (instants, measures, 3): value (of angles within half a turn), rate, acceleration.

    The motion is position, orientation, velocity, angular velocity, acceleration and angular acceleration of all
    bodies, each (instants, bodies, …) in world axes.
    """
    from gudgeon.kernels.dynamics.engine import CURVES, ENGINE_SIZE
    from gudgeon.kernels.kinematics.curve_measures import measure_of_curve
    from gudgeon.kernels.outputs.coordinates import measures_over_time

    table, programs, more = measures.arrays(), Programs(), {}
    if np.any(table["measure"][:, arrays.CURVE_OF] >= 0):
        more = curve_tables(system, pose, programs)
        ops, operands, addresses, starts = programs.arrays()
        more |= {"program_ops": ops, "program_operands": operands, "program_addresses": addresses}
        more |= {"program_starts": starts, "table": programs.tables(), "engine": np.zeros(ENGINE_SIZE, dtype=np.int64)}
        more["engine"][CURVES] = measure_of_curve.address
    work = Work(body=np.zeros((1 + len(system.bodies), arrays.BODY_COLUMNS)), gradient=np.zeros(15), stack=np.zeros(40))
    work.body[0, arrays.ROTATION : arrays.ROTATION + 9] = np.eye(3).reshape(-1)
    out = np.empty((len(motion[0]), len(table["measure"]), 3))
    measures_over_time(Model(**table, **more), work, *map(np.ascontiguousarray, motion), out)
    return out
