"""Controllers in the small motion about a state: they add first-order states to those of the mechanism.

    M δz̈ + C δż + K δz = P δx,     δẋ = E δz + F δż + S δx

P = ∂Q/∂x along the coordinates; E, F and S the derivatives of the controllers' rates by the motion and by their states.
All are differences as those of loads (load_slopes.py): (4 D(h/2) − D(h))/3.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from gudgeon.analysis.small_motion.load_slopes import STEP
from gudgeon.kernels.dynamics.arrays import APPLIED
from gudgeon.mechanics.displacement import displace
from gudgeon.mechanics.equations import Equations


class ControlSlopes(NamedTuple):
    """Derivatives by motions of the bodies (6 each) and by states of controllers."""

    push: np.ndarray  # ∂Q/∂x (6 bodies, states)
    by_displacement: np.ndarray  # ∂ẋ/∂ξ (states, 6 bodies)
    by_velocity: np.ndarray  # ∂ẋ/∂v
    own: np.ndarray  # ∂ẋ/∂x


class Controlled(NamedTuple):
    """The same along coordinates."""

    names: tuple[str, ...]  # of the states
    push: np.ndarray  # P (freedoms, states)
    by_displacement: np.ndarray  # E (states, freedoms)
    by_velocity: np.ndarray  # F
    own: np.ndarray  # S

    def along(self, directions: np.ndarray) -> Controlled:
        """In coordinates δz = V δq of which these are q, mass-orthonormal: P per unit of mass."""
        back = np.linalg.inv(directions)
        return self._replace(
            push=directions @ self.push,
            by_displacement=self.by_displacement @ back,
            by_velocity=self.by_velocity @ back,
        )


def rates_and_forces(equations: Equations, time: float, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """ẋ of the controllers and Q on all bodies (6 each) in the state y."""
    from gudgeon.kernels.dynamics.motion import right_hand_side

    rate = np.zeros_like(y)
    right_hand_side(equations.model, equations.work, time, y, rate)
    last = 1 + len(equations.system.bodies)
    own = rate[equations.layout.controls][: len(equations.controls.states)]
    return own.copy(), equations.work.body[1:last, APPLIED : APPLIED + 6].reshape(-1).copy()


def control_slopes(equations: Equations, time: float, y: np.ndarray, size: float) -> ControlSlopes:
    """All derivatives about the state y; `size` is of the mechanism [m]."""
    bodies, count = 6 * len(equations.system.bodies), len(equations.controls.states)
    unit = np.tile([size] * 3 + [1.0] * 3, bodies // 6)
    first = equations.layout.controls.start

    def moved(column: int, h: float) -> np.ndarray:
        state, twist = y.copy(), np.zeros(bodies)
        twist[column] = h
        displace(state, twist)
        return state

    def faster(column: int, h: float) -> np.ndarray:
        state = y.copy()
        state[equations.layout.velocities.start + column] += h
        return state

    def changed(column: int, h: float) -> np.ndarray:
        state = y.copy()
        state[first + column] += h
        return state

    def slope(change: Callable[[int, float], np.ndarray], column: int, h: float) -> tuple[np.ndarray, np.ndarray]:
        parts = []
        for s in (h, 0.5 * h):
            after, before = (rates_and_forces(equations, time, change(column, x)) for x in (s, -s))
            parts.append([(a - b) / (2.0 * s) for a, b in zip(after, before, strict=True)])
        rate, force = ((4.0 * narrow - wide) / 3.0 for wide, narrow in zip(*parts, strict=True))
        return rate, force

    by_displacement, by_velocity = np.zeros((2, count, bodies))
    for k in range(bodies):
        by_displacement[:, k] = slope(moved, k, STEP * unit[k])[0]
        by_velocity[:, k] = slope(faster, k, STEP * unit[k])[0]
    push, own = np.zeros((bodies, count)), np.zeros((count, count))
    for k in range(count):
        scale = float(max(abs(y[first + k]), equations.controls.scales[k]))
        own[:, k], push[:, k] = slope(changed, k, STEP * (scale or 1.0))
    rates_and_forces(equations, time, y)
    return ControlSlopes(push, by_displacement, by_velocity, own)


def along_tangents(
    equations: Equations, time: float, y: np.ndarray, tangents: np.ndarray, change: np.ndarray | None, size: float
) -> Controlled:
    """Along mass-orthonormal tangents T; `change` is δv by displacements along T, where the state moves."""
    found, bodies = control_slopes(equations, time, y, size), 6 * len(equations.system.bodies)
    T = tangents[:bodies]
    by_displacement = found.by_displacement @ T
    if change is not None:
        by_displacement = by_displacement + found.by_velocity @ change[:bodies]
    return Controlled(
        names=tuple(equations.controls.states),
        push=T.T @ found.push,
        by_displacement=by_displacement,
        by_velocity=found.by_velocity @ T,
        own=found.own,
    )
