"""gudgeon's side of the four-bar with a real joint at C, and CVODE on the same compiled right-hand side.

gudgeon writes all of 200 001 samples, of which every 5000th is compared. CVODE is asked for these 41 samples only, in
its favour: each sample is a call from Python.
"""

import dataclasses
import time

import numpy as np

import gudgeon as gd
from gudgeon.analysis.assemble import assemble_equations
from gudgeon.mechanics.equations import equations_of_motion
from gudgeon.solvers.base import Solver, Task
from gudgeon.solvers.progress import Progress

from . import cvode_real_four_bar
from . import four_bar_data as data
from .gudgeon_four_bar import system as ideal_system
from .user_law import contact as user_contact

DURATION = 2.0  # [s]
SAMPLES = 200_001  # every 1e-5 s, as in table 3 of the paper
TIMES = np.linspace(0.0, DURATION, 41)


def system(joint: str) -> gd.System:
    """The mechanism that starts exactly closed; "user": dry, with the contact law of a user's file."""
    model = gd.examples.spherical_joint_model("dry" if joint == "user" else joint)
    if joint == "user":
        model = dataclasses.replace(model, contact=user_contact)
    return ideal_system().with_model(C=model)


def task_for(joint: str, times: np.ndarray) -> Task:
    equations = equations_of_motion(system(joint), alpha=5.0, beta=5.0)
    return Task(
        equations=equations,
        start=assemble_equations(equations).state,
        duration=DURATION,
        times=times,
        projection_tolerance=None,
        progress=Progress("", False),
    )


def timed(task: Task, solver: Solver) -> tuple[np.ndarray, float]:
    """Run; return the rocker's positions at all samples and the CPU seconds of the time loop."""
    began = time.process_time()
    trajectory = solver.run(task)
    seconds = time.process_time() - began
    return rocker_in(task, trajectory.states), seconds


def rocker_in(task: Task, states: np.ndarray) -> np.ndarray:
    """The rocker's positions in states."""
    rocker = 7 * list(task.equations.system.bodies).index("rocker")
    return states[:, rocker : rocker + 3]


def run_gudgeon(joint: str, rtol: float, stages: int = 3) -> tuple[np.ndarray, float]:
    task = task_for(joint, np.linspace(0.0, DURATION, SAMPLES))
    positions, seconds = timed(task, gd.Implicit(rtol=rtol, atol=1e-3 * rtol, stages=stages))
    return positions[::5000], seconds


def run_cvode(joint: str, rtol: float) -> tuple[np.ndarray, float]:
    task = task_for(joint, TIMES)
    states, seconds = cvode_real_four_bar.run(task, rtol, 1e-3 * rtol)
    return rocker_in(task, states), seconds


def run_sundials(joint: str, rtol: float) -> tuple[np.ndarray, float]:
    """`gd.Sundials`, which looks into every step for contacts and crossings."""
    return timed(task_for(joint, TIMES), gd.Sundials(rtol=rtol, atol=1e-3 * rtol, method="BDF"))


def reference(joint: str) -> np.ndarray:
    """The rocker's positions at TIMES, from gudgeon at a tight tolerance (see tests for an independent one)."""
    task = task_for(joint, TIMES)
    return timed(task, gd.Implicit(rtol=1e-11, atol=1e-14, stages=5))[0]


def relative_error(positions: np.ndarray, exact: np.ndarray, until: float) -> float:
    """The largest distance up to a time, over the stroke."""
    shown = until + 1e-9 >= TIMES
    return data.relative_error(positions[shown], exact[shown])
