"""Derivatives of loads that depend on signals, by differences of what they do to all bodies.

A signal may be of any body, so that such a load has a derivative by the motion of every body: columns of a dense
matrix. With D(h) = (Q(+h) − Q(−h))/2h each is (4 D(h/2) − D(h))/3, exact to the fourth order in h (Richardson).
"""

from __future__ import annotations

import numpy as np

from gudgeon.kernels.dynamics import arrays
from gudgeon.kernels.functions import opcodes
from gudgeon.mechanics.displacement import displace
from gudgeon.mechanics.equations import Equations

STEP = 2e-4  # of a displacement in sizes of the mechanism, of a turn [rad], of a velocity in sizes per second


def measured_lines(equations: Equations) -> np.ndarray:
    """The lines of loads that depend on signals, or act along joint coordinates."""
    model = equations.model
    lines = []
    for k, load in enumerate(model.load):
        first = load[arrays.LOAD_PROGRAM]
        begin, end = model.program_starts[first], model.program_starts[first + 3]
        if load[arrays.KIND] == arrays.JOINT_EFFORT or np.any(model.program_ops[begin:end] == opcodes.SIGNAL):
            lines.append(k)
    return np.array(lines, dtype=np.int64)


def slopes_of_loads(
    equations: Equations, time: float, y: np.ndarray, lines: np.ndarray, size: float
) -> tuple[np.ndarray, np.ndarray]:
    """∂Q/∂ξ and ∂Q/∂v of these loads about the state y, (6 bodies, 6 bodies) each; `size` is of the mechanism [m]."""
    from gudgeon.kernels.outputs.load_outputs import forces_of_loads

    count = len(equations.system.bodies)
    unit = np.tile([size] * 3 + [1.0] * 3, count)
    found = np.empty((count, 6))

    def forces(state: np.ndarray) -> np.ndarray:
        forces_of_loads(equations.model, equations.work, time, state, lines, found)
        return found.reshape(-1).copy()

    def moved(column: int, h: float, *, rate: bool) -> np.ndarray:
        state = y.copy()
        if rate:
            state[equations.layout.velocities.start + column] += h
        else:
            twist = np.zeros(6 * count)
            twist[column] = h
            displace(state, twist)
        return forces(state)

    slopes = np.zeros((2, 6 * count, 6 * count))
    for which in range(2):
        for column in range(6 * count):
            h = STEP * unit[column]
            wide, narrow = (
                (moved(column, s, rate=which == 1) - moved(column, -s, rate=which == 1)) / (2.0 * s)
                for s in (h, 0.5 * h)
            )
            slopes[which, :, column] = (4.0 * narrow - wide) / 3.0
    forces(y)
    return slopes[0], slopes[1]
