"""Pinocchio: small motion of a hanging chain of hinges from its exact derivatives, M δq̈ + K δq = 0."""

import time

import numpy as np
import pinocchio as pin
from scipy.linalg import eigh


def linearized(count: int, length: float, mass: float, inertia: float) -> tuple[float, np.ndarray]:
    """CPU seconds for M, K and the natural frequencies [Hz], and these."""
    model = pin.Model()
    model.gravity.linear = np.array([0.0, 0.0, -9.81])
    for k in range(count):
        place = pin.SE3(np.eye(3), np.array([0.0, 0.0, -length if k else 0.0]))
        joint = model.addJoint(k, pin.JointModelRY(), place, f"j{k}")
        body = pin.Inertia(mass, np.array([0.0, 0.0, -0.5 * length]), inertia * np.eye(3))
        model.appendBodyToJoint(joint, body, pin.SE3.Identity())
    best = np.inf
    for _ in range(5):
        began = time.process_time()
        data, nothing = model.createData(), np.zeros(model.nv)
        stiffness = pin.computeRNEADerivatives(model, data, np.zeros(model.nq), nothing, nothing)[0]
        mass_matrix = pin.crba(model, data, np.zeros(model.nq))
        mass_matrix = np.triu(mass_matrix) + np.triu(mass_matrix, 1).T
        squares = eigh(0.5 * (stiffness + stiffness.T), mass_matrix, eigvals_only=True)
        best = min(best, time.process_time() - began)
    return best, np.sqrt(squares) / (2.0 * np.pi)
