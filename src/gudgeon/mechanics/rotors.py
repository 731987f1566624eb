"""Rotors of motors as inertia of bodies: J gᵀg, g the gradient of the rotor's speed s = g v (dynamics/rows.py)."""

from __future__ import annotations

import numpy as np

from gudgeon.kernels.dynamics import arrays
from gudgeon.mechanics.equations import Equations
from gudgeon.mechanics.least_squares import dense


def rotor_gradients(equations: Equations) -> tuple[np.ndarray, np.ndarray]:
    """g (rotors, 6 bodies) in the rows last evaluated, and J of all rotors [kg·m²]."""
    model = equations.model
    lines = np.flatnonzero(model.block[:, arrays.KIND] == arrays.ROTOR)
    sides = equations.all_sides.of(model.block[lines, arrays.ROW])
    gradients = dense(sides.matrix(equations.work.jacobian, len(equations.system.bodies)))
    return gradients, model.block_vector[lines, arrays.ROTOR_INERTIA]


def rotor_inertia(equations: Equations, x: np.ndarray) -> np.ndarray:
    """Σ J gᵀ(g x) for one or several columns of 6 numbers per body."""
    gradients, inertia = rotor_gradients(equations)
    if not len(inertia):
        return np.zeros_like(x)
    return np.tensordot(gradients.T * inertia, np.tensordot(gradients, x, 1), 1)


def rotor_forces(equations: Equations, acceleration: np.ndarray) -> np.ndarray:
    """Σ gᵀ J ṡ of accelerations (6 bodies), ṡ = g v̇ − γ: what the rotors take, in the rows last evaluated."""
    gradients, inertia = rotor_gradients(equations)
    rows = equations.model.block[equations.model.block[:, arrays.KIND] == arrays.ROTOR, arrays.ROW]
    return gradients.T @ (inertia * (gradients @ acceleration - equations.work.row[rows, arrays.GAMMA]))
