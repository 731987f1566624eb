"""One corner of a free rigid body strikes a wall with friction, in the plane: impact laws, written down independently.

The impulse grows in small steps of the normal one (Routh's method); friction is Coulomb's at every step. Velocities
(v_x, v_y, ω) of the body, the corner at r from its centre of mass, the wall's normal along +y.
"""

from __future__ import annotations

import numpy as np


def compliance(mass: float, inertia: float, r: tuple[float, float]) -> np.ndarray:
    """D: velocity of the corner (along x, along y) per impulse on it (along x, along y)."""
    x, y = r
    return np.eye(2) / mass + np.array([[y * y, -x * y], [-x * y, x * x]]) / inertia


def corner_velocity(v: np.ndarray, r: tuple[float, float]) -> np.ndarray:
    return np.array([v[0] - v[2] * r[1], v[1] + v[2] * r[0]])


def friction_step(D: np.ndarray, u: np.ndarray, normal: float, mu: float) -> float:
    """The friction impulse beside a small normal impulse: it slides on, or sticks if that takes no more than μ."""
    to_stop = -(u[0] + D[0, 1] * normal) / D[0, 0]
    return float(np.clip(to_stop, -mu * normal, mu * normal))


def strike(law: str, restitution: float, mu: float, D: np.ndarray, u: np.ndarray, steps: int = 20_000) -> np.ndarray:
    """The impulse (along x, along y) on a corner that arrives with the velocity u, by Poisson's or Stronge's law."""
    d = 2.0 * abs(u[1]) / D[1, 1] / steps
    total, absorbed, returned, compression = np.zeros(2), 0.0, 0.0, None
    while True:
        impulse = np.array([friction_step(D, u, d, mu), d])
        after = u + D @ impulse
        work = 0.5 * d * (u[1] + after[1])
        if compression is None and after[1] >= 0.0:
            compression = total[1]
        if compression is None:
            absorbed -= work
        else:
            returned += work
            if law == "Stronge" and returned > restitution**2 * absorbed:
                return total
            if law == "Poisson" and total[1] > (1.0 + restitution) * compression:
                return total
        total, u = total + impulse, after


def newton(restitution: float, mu: float, D: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Newton's law: the corner leaves with −ε of its normal velocity, and sticks or slides at the end."""
    sticks = np.linalg.solve(D, np.array([-u[0], -(1.0 + restitution) * u[1]]))
    if abs(sticks[0]) <= mu * sticks[1]:
        return sticks
    for sign in (1.0, -1.0):
        normal = -(1.0 + restitution) * u[1] / (D[1, 1] - sign * mu * D[1, 0])
        impulse = np.array([-sign * mu * normal, normal])
        if normal > 0.0 and sign * (u + D @ impulse)[0] > 0.0:
            return impulse
    raise ValueError("no consistent impulse")


def gain(D: np.ndarray, u: np.ndarray, impulse: np.ndarray) -> float:
    """The change of kinetic energy: ½ Λ·(γ⁻ + γ⁺) [J]."""
    return float(impulse @ u + 0.5 * impulse @ D @ impulse)
