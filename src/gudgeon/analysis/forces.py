"""Forces that a motion needs, and the reactions that give them.

M v̇ − Q = −Φ_qᵀ λ,    Q: gravity, loads, springs and the gyroscopic torque; M with the rotors of motors
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gudgeon.kernels.dynamics.arrays import APPLIED, ROTATION
from gudgeon.mechanics.equations import Equations
from gudgeon.mechanics.rotors import rotor_forces


def missing_forces(equations: Equations, t: float, y: np.ndarray, acceleration: np.ndarray) -> np.ndarray:
    """M v̇ − Q, world axes (6 bodies) [N, N·m]: what joints and actuators must give; leaves the rows of y in `work`."""
    from gudgeon.kernels.dynamics.motion import right_hand_side

    right_hand_side(equations.model, equations.work, t, y, np.zeros_like(y))
    n = len(equations.system.bodies)
    body = equations.work.body[1 : n + 1]
    turn = body[:, ROTATION : ROTATION + 9].reshape(n, 3, 3)
    inertia = np.array([part.inertia for part in equations.system.bodies.values()])
    mass = np.array([part.mass for part in equations.system.bodies.values()])
    a = acceleration.reshape(n, 6)
    spin = np.einsum("bij,bjk,blk,bl->bi", turn, inertia, turn, a[:, 3:])
    missing = np.hstack([mass[:, None] * a[:, :3], spin]) - body[:, APPLIED : APPLIED + 6]
    return missing.reshape(-1) + rotor_forces(equations, acceleration.reshape(-1))


class Reactions(NamedTuple):
    """What rows do, for given multipliers."""

    force: np.ndarray  # (joints, 3) of each joint on its child [N]
    torque: np.ndarray  # (joints, 3) about the child's joint point [N·m]
    drives: np.ndarray  # (drives) efforts [N·m or N]
    couplings: np.ndarray  # (couplings, 2) efforts on the children of the two coordinates [N·m or N]


def reactions_of(equations: Equations, multipliers: np.ndarray) -> Reactions:
    """Reactions and efforts for the rows in `work`."""
    from gudgeon.kernels.outputs.outputs import reactions

    system, joints = equations.system, len(equations.joint_point)
    force, torque = np.zeros((1, joints, 3)), np.zeros((1, joints, 3))
    effort, coupled = np.zeros((1, len(system.drives))), np.zeros((1, len(system.couplings), 2))
    equations.work.multiplier[:] = 0.0
    equations.work.multiplier[equations.joint_rows] = multipliers
    reactions(equations.model, equations.work, equations.joint_point, 0, force, torque, effort, coupled)
    return Reactions(force[0], torque[0], effort[0], coupled[0])
