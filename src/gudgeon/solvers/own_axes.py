"""Angular velocities in the bodies' own axes while `Explicit` integrates in absolute coordinates.

A body that spins carries its small motions round with it. In world components they are buried in the large ones and
share their tolerance; in its own axes they stand by themselves. Since d(Rᵀω)/dt = Rᵀω̇, nothing else changes: kernels
turn ω where they read and where they write a state (`OWN_AXES` of dynamics/arrays.py), and results are in the world.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from gudgeon.mechanics.state_layout import quaternions, twists
from gudgeon.solvers.base import Task, Trajectory

if TYPE_CHECKING:
    from gudgeon.mechanics.equations import Equations


def suits(equations: Equations) -> bool:
    """Is the state made of poses and velocities of bodies alone?"""
    return equations.tree is None and equations.sliders is None


def into_own_axes(task: Task) -> Task:
    """The same task on a state whose angular velocities are in the bodies' own axes."""
    from gudgeon.kernels.dynamics.arrays import OWN_AXES

    equations = task.equations
    settings = equations.model.settings.copy()
    settings[OWN_AXES] = 1.0
    equations = dataclasses.replace(equations, model=equations.model.replaced(settings=settings))
    start = task.start.copy()
    _turn(start[None, :], len(equations.system.bodies), backwards=True)
    return dataclasses.replace(task, equations=equations, start=start)


def back_to_world(trajectory: Trajectory, body_count: int) -> Trajectory:
    """A trajectory computed so, with its angular velocities in world components again."""
    _turn(trajectory.states, body_count)
    _turn(trajectory.end_state[None, :], body_count)
    return trajectory


def _turn(states: np.ndarray, n: int, backwards: bool = False) -> None:
    """Turn the angular velocities of n bodies in place, from their own axes to the world's or backwards."""
    omega = twists(states, n)[..., 3:]
    if not omega.any():
        return
    p = quaternions(states, n)
    s, a, b, c = (p[..., k] for k in range(4))
    if backwards:
        s = -s
    x, y, z = (omega[..., k].copy() for k in range(3))
    u, v, w = b * z - c * y, c * x - a * z, a * y - b * x  # p × ω
    double = 2.0 / (s * s + a * a + b * b + c * c)
    omega[..., 0] += double * (s * u + b * w - c * v)
    omega[..., 1] += double * (s * v + c * u - a * w)
    omega[..., 2] += double * (s * w + a * v - b * u)
