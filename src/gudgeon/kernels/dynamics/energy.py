"""The kinetic energy of a mechanism."""

from __future__ import annotations

from gudgeon.kernels.build.compiled import inlined
from gudgeon.kernels.dynamics.arrays import (
    CHILD,
    INERTIA,
    KIND,
    MASS,
    OMEGA,
    PARENT,
    ROTATION,
    ROTOR,
    ROTOR_INERTIA,
    ROW,
    VELOCITY,
)


@inlined
def kinetic_energy(m, w):
    """½ m v² + ½ ω·Jω over all bodies, and ½ J s² over all rotors, from kinematics and rows held in `w` [J]."""
    energy, body, R = 0.0, w.body, ROTATION
    for b in range(1, m.body.shape[0]):
        for c in range(3):
            energy += 0.5 * m.body[b, MASS] * body[b, VELOCITY + c] ** 2
        wx, wy, wz = body[b, OMEGA], body[b, OMEGA + 1], body[b, OMEGA + 2]
        x = body[b, R] * wx + body[b, R + 3] * wy + body[b, R + 6] * wz
        y = body[b, R + 1] * wx + body[b, R + 4] * wy + body[b, R + 7] * wz
        z = body[b, R + 2] * wx + body[b, R + 5] * wy + body[b, R + 8] * wz
        J = INERTIA
        energy += 0.5 * x * (m.body[b, J] * x + m.body[b, J + 1] * y + m.body[b, J + 2] * z)
        energy += 0.5 * y * (m.body[b, J + 3] * x + m.body[b, J + 4] * y + m.body[b, J + 5] * z)
        energy += 0.5 * z * (m.body[b, J + 6] * x + m.body[b, J + 7] * y + m.body[b, J + 8] * z)
    for k in range(m.block.shape[0]):
        if m.block[k, KIND] == ROTOR:
            i, j, r, speed = m.block[k, PARENT], m.block[k, CHILD], m.block[k, ROW], 0.0
            for c in range(6):
                speed += w.jacobian[2 * r, c] * body[i, VELOCITY + c] + w.jacobian[2 * r + 1, c] * body[j, VELOCITY + c]
            energy += 0.5 * m.block_vector[k, ROTOR_INERTIA] * speed * speed
    return energy
