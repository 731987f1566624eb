"""Forces that a motion needs, and the reactions that give them.

M v̇ − Q = −Φ_qᵀ λ,    Q: gravity, loads, springs and the gyroscopic torque; M with the rotors of motors
"""

from __future__ import annotations

import numpy as np

from gudgeon.kernels.dynamics.arrays import APPLIED, ROTATION
from gudgeon.mechanics.equations import Equations
from gudgeon.mechanics.rotors import rotor_forces


def missing_forces(equations: Equations, t: float, y: np.ndarray, acceleration: np.ndarray) -> np.ndarray:
    """M v̇ − Q, world axes (6 bodies) [N, N·m]: what joints and actuators must give; leaves the rows of y in `work`."""
    from gudgeon.kernels.dynamics.motion import right_hand_side

    right_hand_side(equations.model, equations.work, t, y, np.zeros_like(y))
    n = len(equations.system.bodies)
    body = equations.work.body[1:]
    turn = body[:, ROTATION : ROTATION + 9].reshape(n, 3, 3)
    inertia = np.array([part.inertia for part in equations.system.bodies.values()])
    mass = np.array([part.mass for part in equations.system.bodies.values()])
    a = acceleration.reshape(n, 6)
    spin = np.einsum("bij,bjk,blk,bl->bi", turn, inertia, turn, a[:, 3:])
    missing = np.hstack([mass[:, None] * a[:, :3], spin]) - body[:, APPLIED : APPLIED + 6]
    return missing.reshape(-1) + rotor_forces(equations, acceleration.reshape(-1))


def reactions_of(equations: Equations, multipliers: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Force and torque of each joint on its child (joints, 3), effort of each drive, for the rows in `work`."""
    from gudgeon.kernels.outputs.outputs import reactions

    joints, drives = len(equations.joint_point), len(equations.system.drives)
    force, torque, effort = np.zeros((1, joints, 3)), np.zeros((1, joints, 3)), np.zeros((1, drives))
    equations.work.multiplier[:] = 0.0
    equations.work.multiplier[equations.joint_rows] = multipliers
    reactions(equations.model, equations.work, equations.joint_point, 0, force, torque, effort)
    return force[0], torque[0], effort[0]
