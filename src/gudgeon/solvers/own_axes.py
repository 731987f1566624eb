"""Angular velocities in the bodies' own axes while `Explicit` integrates in absolute coordinates.

A body that spins carries its small motions round with it. In world components they are buried in the large ones and
share their tolerance; in its own axes they stand by themselves. Since d(Rᵀω)/dt = Rᵀω̇, nothing else changes: kernels
turn ω where they read and where they write a state (`OWN_AXES` of dynamics/arrays.py), and results are in the world.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from gudgeon.solvers.base import Task, Trajectory

if TYPE_CHECKING:
    from gudgeon.mechanics.equations import Equations


def suits(equations: Equations) -> bool:
    """Is the state made of poses and velocities of bodies alone?"""
    return equations.tree is None and equations.flexible is None


def into_own_axes(task: Task) -> Task:
    """The same task on a state whose angular velocities are in the bodies' own axes."""
    from gudgeon.kernels.dynamics.arrays import OWN_AXES
    from gudgeon.kernels.kinematics.own_axes import turn_angular_velocities

    equations = task.equations
    settings = equations.model.settings.copy()
    settings[OWN_AXES] = 1.0
    equations = dataclasses.replace(equations, model=equations.model.replaced(settings=settings))
    start = task.start.copy()
    turn_angular_velocities(start[None, :], len(equations.system.bodies), -1.0)
    return dataclasses.replace(task, equations=equations, start=start)


def back_to_world(trajectory: Trajectory, body_count: int) -> Trajectory:
    """A trajectory computed so, with its angular velocities in world components again."""
    from gudgeon.kernels.kinematics.own_axes import turn_angular_velocities

    turn_angular_velocities(trajectory.states, body_count, 1.0)
    turn_angular_velocities(trajectory.end_state[None, :], body_count, 1.0)
    return trajectory
