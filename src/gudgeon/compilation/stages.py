"""Small calls that touch every kernel that Python calls, in stages: three for every run, one for each solver."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

COMMON = ("equations of motion", "assembly", "results")


def stages(variant: str) -> dict[str, Callable[[], None]]:
    """What compiles or loads the kernels of a variant, by title: those of `COMMON` and the names of solvers."""
    from gudgeon.bodies import Body
    from gudgeon.joints import Revolute
    from gudgeon.mechanics.equations import equations_of_motion
    from gudgeon.solvers.base import Task
    from gudgeon.solvers.progress import Progress
    from gudgeon.system import System

    system = System(
        bodies={"bob": Body(mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0.0, 0.0, -1.0))},
        joints={"pivot": Revolute("ground", "bob", at=(0.0, 0.0, 0.0), axis=(0.0, 1.0, 0.0))},
    )
    absolute = equations_of_motion(system, sliders=variant == "sliders")
    equations, y = absolute, absolute.stated_state()
    if variant == "relative":
        equations = equations_of_motion(system, topology=system.topology())
        y = np.zeros(equations.state_size)
    model, work = equations.model, equations.work
    task = Task(
        equations=equations,
        start=y,
        duration=1e-3,
        times=np.array([0.0]),
        projection_tolerance=None,
        progress=Progress("", False),
    )

    def motion() -> None:
        from gudgeon.kernels.motion import right_hand_side
        from gudgeon.kernels.programs import function
        from gudgeon.kernels.rows import rows_at

        right_hand_side(model, work, 0.0, y, np.zeros_like(y))
        rows_at(model, work, 0.0, y)
        _ready(function, model, work, 0, 0.0)

    def assembly() -> None:
        from gudgeon.analysis.assemble import assemble_equations
        from gudgeon.kernels.motion import begin, prepare_rows, project

        start = absolute.stated_state()
        assemble_equations(absolute)
        begin(model, work, 0.0, y)
        prepare_rows(absolute.model, absolute.work, 0.0, start)
        project(absolute.model, absolute.work, 0.0, start, 1e-12)

    def results() -> None:
        from gudgeon.kernels.contacts import write_open_contacts
        from gudgeon.kernels.outputs import reactions
        from gudgeon.kernels.slider_outputs import slider_reactions
        from gudgeon.results.dataset import evaluate_outputs
        from gudgeon.solvers.base import Trajectory

        trajectory = Trajectory(times=np.array([0.0]), states=y[None, :], end="done", end_time=0.0, end_state=y)
        write_open_contacts(model, work, _flight(task))
        out = evaluate_outputs(equations, trajectory, 0)
        reactions(absolute.model, absolute.work, absolute.joint_point, 0, out.force, out.torque, out.effort)
        if variant == "sliders":
            slider_reactions(model, work, y, 0, absolute.joint_point, out.force, out.torque)
        equations.body_motion(y[None, :])

    def explicit() -> None:
        from gudgeon.solvers.explicit import Explicit

        Explicit().run(task)

    def implicit() -> None:
        from gudgeon.solvers.implicit import Implicit

        Implicit().run(task)

    def time_stepping() -> None:
        from gudgeon.solvers.time_stepping import TimeStepping

        TimeStepping().run(task)

    def sundials() -> None:
        from gudgeon.kernels.contacts import begin_contacts, change_mode
        from gudgeon.kernels.guide_events import begin_touches, overlaps, switch_touches
        from gudgeon.solvers.sundials import Sundials

        Sundials().run(task)
        begin_contacts(model, work, _flight(task), 0.0)
        _ready(change_mode, model, work, _flight(task), 0.0, 0)
        if variant == "sliders":
            _ready(begin_touches, model, work, _flight(task), 0.0)
            _ready(overlaps, model, work, y, np.zeros(0))
            _ready(switch_touches, model, work, _flight(task), 0.0, y, 0)

    return {
        **dict(zip(COMMON, (motion, assembly, results), strict=True)),
        "Explicit": explicit,
        "Implicit": implicit,
        "TimeStepping": time_stepping,
        "Sundials": sundials,
    }


def _flight(task: Any) -> Any:
    from gudgeon.solvers.run import take_off

    return take_off(task, rtol=0.0, atol=0.0, max_step=0.0, first_step=None, dense_terms=1, keeps_forces=False)


def _ready(kernel: Any, *arguments: Any) -> None:
    """Compile or load a kernel for such arguments without calling it."""
    from numba import typeof

    kernel.compile(tuple(typeof(x) for x in arguments))


if __name__ == "__main__":
    stages(sys.argv[1])[sys.argv[2]]()
