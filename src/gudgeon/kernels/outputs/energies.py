"""Kinetic and potential energy of mechanisms that nothing acts on but gravity and ideal joints."""

from __future__ import annotations

from numba import void

from gudgeon.kernels.build.compiled import entrance
from gudgeon.kernels.build.records import MATRIX
from gudgeon.kernels.dynamics.arrays import GRAVITY, MASS, MODEL, POSITION, WORK
from gudgeon.kernels.dynamics.energy import kinetic_energy
from gudgeon.kernels.dynamics.engine import kinematics


@entrance(void(MODEL, WORK, MATRIX, MATRIX))
def energies_of_bodies(m, w, states, out):
    """Kinetic and potential energy at a series of states, (samples, 2) [J]."""
    for s in range(states.shape[0]):
        kinematics(m, w, states[s])
        potential = 0.0
        for b in range(1, m.body.shape[0]):
            for c in range(3):
                potential -= m.body[b, MASS] * m.settings[GRAVITY + c] * w.body[b, POSITION + c]
        out[s, 0], out[s, 1] = kinetic_energy(m, w), potential
