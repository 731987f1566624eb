"""What a planar film does besides its force: the couple by which it brakes rotation, and the point where it acts.

    X − P_i = ½ e,   on the pin −M_v ẑ, M_v = (2π μ R³ L/c) w_z/√(1 − ε²)

Both are functions of the motion and not of the force, which an implicit solver gives.
"""

from __future__ import annotations

from math import sqrt

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.dynamics.arrays import (
    ARM_OF,
    ECCENTRICITY,
    FRAME,
    HAS_TORQUE,
    OMEGA_BALL,
    TORQUE_ON_BALL,
    UNKNOWNS,
)
from gudgeon.kernels.elements.film_numbers import FULLEST, RADIAL_PLAY, SHEAR


@inlined
def has_couple(m, k):
    """Does joint k have a couple besides the forces that are solved for? Only a planar film has."""
    return m.compliant[k, HAS_TORQUE] == 1 and m.compliant[k, UNKNOWNS] < 6


@called
def arm_and_couple(m, w, k, a, b):
    """X and the couple for the motion in line a of `local`, into line b of `force`; returns M_v."""
    p, x, out = m.compliant_vector[k], w.local[a], w.force[b]
    square = spin = 0.0
    for c in range(2):
        d = 0.0
        for r in range(3):
            d += x[FRAME + 3 * r + c] * x[ECCENTRICITY + r]
        square += d * d
    for r in range(3):
        spin += x[FRAME + 3 * r + 2] * x[OMEGA_BALL + r]
        out[ARM_OF + r] = 0.5 * x[ECCENTRICITY + r]
    fullest = p[FULLEST] * p[RADIAL_PLAY]
    square = min(square, fullest * fullest) / (p[RADIAL_PLAY] * p[RADIAL_PLAY])
    couple = p[SHEAR] * spin / sqrt(1.0 - square)
    for r in range(3):
        out[TORQUE_ON_BALL + r] = -couple * x[FRAME + 3 * r + 2]
    return couple
