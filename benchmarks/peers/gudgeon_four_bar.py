"""gudgeon's side of the ideal four-bar: absolute coordinates, `Explicit`, Baumgarte with the default coefficients."""

import time

import numpy as np

import gudgeon as gd
from gudgeon.analysis.assemble import assemble_equations
from gudgeon.mechanics.equations import equations_of_motion
from gudgeon.solvers.base import Task
from gudgeon.solvers.progress import Progress

from . import four_bar_data as data

NAME = "gudgeon (Explicit)"
LADDER = (1e-5, 1e-6, 3e-7, 1e-7, 3e-8, 1e-8, 1e-9, 1e-10, 1e-11)  # rtol
ATOL_OVER_RTOL = 3.0  # chosen on this problem, as was done for the peers; the defaults' 0.01 costs a fifth more


def quaternion(matrix: np.ndarray) -> np.ndarray:
    """Return the quaternion (scalar first) of a rotation matrix."""
    from scipy.spatial.transform import Rotation

    return np.roll(Rotation.from_matrix(matrix).as_quat(), 1)


def system() -> gd.System:
    half_coupler, half_rocker = data.COUPLER_LENGTH / 2, data.ROCKER_LENGTH / 2
    return gd.System(
        name="ideal four-bar",
        gravity=data.GRAVITY,
        bodies={
            "crank": gd.Body(data.CRANK_MASS, data.CRANK_INERTIA),
            "coupler": gd.Body(
                data.COUPLER_MASS, data.COUPLER_INERTIA, data.COUPLER_CENTRE, quaternion(data.COUPLER_FRAME)
            ),
            "rocker": gd.Body(data.ROCKER_MASS, data.ROCKER_INERTIA, data.ROCKER_CENTRE, quaternion(data.ROCKER_FRAME)),
        },
        joints={
            "A": gd.Revolute("ground", "crank", at=data.A, axis=(1, 0, 0)),
            "B": gd.Spherical("crank", "coupler", at_parent=data.B0, at_child=(0, half_coupler, 0)),
            "C": gd.Spherical("coupler", "rocker", at_parent=(0, -half_coupler, 0), at_child=(0, -half_rocker, 0)),
            "D": gd.Revolute("ground", "rocker", at=data.D, axis=(0, 1, 0)),
        },
    )


def run(accuracy: float, times: np.ndarray) -> tuple[np.ndarray, float]:
    """Simulate at rtol `accuracy`; return the rocker's positions and the CPU seconds of the time loop."""
    equations = equations_of_motion(system(), alpha=5.0, beta=5.0)
    task = Task(
        equations=equations,
        start=assemble_equations(equations).state,
        duration=float(times[-1]),
        times=times,
        projection_tolerance=None,
        progress=Progress("", False),
    )
    solver = gd.Explicit(rtol=accuracy, atol=ATOL_OVER_RTOL * accuracy)
    began = time.process_time()
    trajectory = solver.run(task)
    seconds = time.process_time() - began
    rocker = 7 * list(equations.system.bodies).index("rocker")
    return trajectory.states[:, rocker : rocker + 3], seconds
