"""Joint coordinates x in the motion that was last evaluated, as kernels/kinematics/measures.py defines them.

ẋ = G v,    ẍ = G v̇ + bias        v velocities of all bodies
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gudgeon.kernels.dynamics.arrays import CHILD, PARENT
from gudgeon.mechanics.equations import Equations


class JointMotion(NamedTuple):
    """Some joint coordinates."""

    value: np.ndarray  # angles within half a turn [rad or m]
    rate: np.ndarray  # [rad/s or m/s]
    bias: np.ndarray  # [rad/s² or m/s²]
    gradient: np.ndarray  # G (coordinates, 6 bodies)


def joint_motion(equations: Equations, table: np.ndarray, vectors: np.ndarray) -> JointMotion:
    """The coordinates given by lines of `Model.measure` and `Model.measure_vector`, whether they are there or not."""
    from gudgeon.kernels.outputs.coordinates import measures

    count, bodies = len(table), 1 + len(equations.system.bodies)
    found, gradient = np.empty((count, 15)), np.zeros((count, bodies, 6))
    measures(equations.model.replaced(measure=table, measure_vector=vectors), equations.work, found)
    lines = np.arange(count)
    gradient[lines, table[:, PARENT]] += found[:, 3:9]
    gradient[lines, table[:, CHILD]] += found[:, 9:]
    return JointMotion(found[:, 0], found[:, 1], found[:, 2], gradient[:, 1:].reshape(count, 6 * bodies - 6))
