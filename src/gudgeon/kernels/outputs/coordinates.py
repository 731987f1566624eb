"""The joint coordinates of a model in the motion last evaluated, or in one that is known over time."""

from __future__ import annotations

from numba import void

from gudgeon.kernels.build.compiled import entrance
from gudgeon.kernels.build.records import CUBE, MATRIX
from gudgeon.kernels.dynamics.arrays import CHILD, MODEL, OMEGA, PARENT, POSITION, ROTATION, VELOCITY, WORK
from gudgeon.kernels.kinematics.measures import measure
from gudgeon.kernels.kinematics.rotation import quaternion_rotation
from gudgeon.kernels.kinematics.vectors import put_matrix


@entrance(void(MODEL, WORK, MATRIX))
def measures(m, w, out):
    """Value, rate, bias and the twelve numbers of the gradient of every measure, into lines of `out`."""
    for k in range(m.measure.shape[0]):
        out[k, 0], out[k, 1], out[k, 2] = measure(m, w, k)
        for c in range(12):
            out[k, 3 + c] = w.gradient[c]


@entrance(void(MODEL, WORK, CUBE, CUBE, CUBE, CUBE, CUBE, CUBE, CUBE))
def measures_over_time(m, w, position, orientation, velocity, omega, acceleration, omega_rate, out):
    """Value, rate and acceleration of every measure, at all instants; bodies without the ground."""
    for s in range(out.shape[0]):
        for b in range(position.shape[1]):
            put_matrix(w.body, 1 + b, ROTATION, quaternion_rotation(orientation[s, b], 0))
            for c in range(3):
                w.body[1 + b, POSITION + c], w.body[1 + b, VELOCITY + c] = position[s, b, c], velocity[s, b, c]
                w.body[1 + b, OMEGA + c] = omega[s, b, c]
        for k in range(m.measure.shape[0]):
            out[s, k, 0], out[s, k, 1], change = measure(m, w, k)
            for side in range(2):
                b = m.measure[k, CHILD if side else PARENT] - 1
                if b >= 0:
                    for c in range(3):
                        change += w.gradient[6 * side + c] * acceleration[s, b, c]
                        change += w.gradient[6 * side + 3 + c] * omega_rate[s, b, c]
            out[s, k, 2] = change
