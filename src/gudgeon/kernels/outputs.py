"""What a result reports besides the state: accelerations, reactions, drive efforts, energies, residual."""

from __future__ import annotations

from gudgeon.kernels.absolute import accelerations, largest
from gudgeon.kernels.arrays import (
    ACCELERATION,
    CHILD,
    DRIVE_OF,
    GRAVITY,
    INERTIA,
    JOINT_OF,
    MASS,
    OMEGA,
    POSITION,
    RESIDUAL,
    ROTATION,
    ROW,
    ROWS,
    VELOCITY,
)
from gudgeon.kernels.compiled import compiled, inlined
from gudgeon.kernels.loads import spring_energy
from gudgeon.kernels.rotation import cross, rotated


@compiled
def reactions(m, w, joint_point, s, force, torque, effort):
    """Force and torque on each child at its joint point, and the effort of each drive, at sample s, from λ."""
    force[s, :, :] = 0.0
    torque[s, :, :] = 0.0
    for k in range(m.block.shape[0]):
        first, joint = m.block[k, ROW], m.block[k, JOINT_OF]
        if m.block[k, DRIVE_OF] >= 0:
            effort[s, m.block[k, DRIVE_OF]] = -w.multiplier[first]
        if joint < 0:
            continue
        px, py, pz = rotated(w.body, m.block[k, CHILD], joint_point, joint, 0)
        for r in range(first, first + m.block[k, ROWS]):
            x = w.multiplier[r]
            fx, fy, fz = (
                -w.jacobian[2 * r + 1, 0] * x,
                -w.jacobian[2 * r + 1, 1] * x,
                -w.jacobian[2 * r + 1, 2] * x,
            )
            tx, ty, tz = cross(px, py, pz, fx, fy, fz)
            force[s, joint, 0] += fx
            force[s, joint, 1] += fy
            force[s, joint, 2] += fz
            torque[s, joint, 0] -= w.jacobian[2 * r + 1, 3] * x + tx
            torque[s, joint, 1] -= w.jacobian[2 * r + 1, 4] * x + ty
            torque[s, joint, 2] -= w.jacobian[2 * r + 1, 5] * x + tz


@inlined
def kinetic_energy(m, w):
    """½ m v² + ½ ω·Jω over all bodies [J]."""
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
    return energy


@compiled
def outputs(m, w, times, states, joint_point, acceleration, force, torque, effort, energy, residual, first, last):
    """Fill the output arrays for the samples first … last − 1. `energy` has the columns kinetic, potential."""
    for s in range(first, last):
        y = states[s]
        accelerations(m, w, times[s], y)
        for b in range(1, m.body.shape[0]):
            for c in range(6):
                acceleration[s, b - 1, c] = w.body[b, ACCELERATION + c]
        reactions(m, w, joint_point, s, force, torque, effort)
        energy[s, 0] = kinetic_energy(m, w)
        potential = spring_energy(m, w, times[s], y)
        for b in range(1, m.body.shape[0]):
            for c in range(3):
                potential -= m.body[b, MASS] * m.settings[GRAVITY + c] * w.body[b, POSITION + c]
        energy[s, 1] = potential
        residual[s] = largest(w.row, RESIDUAL)
