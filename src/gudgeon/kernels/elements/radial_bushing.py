"""A radial spring and damper: f = −k (e + b ė) n at X = P_j.

At the very centre n has no meaning, see radial_rate in joints.py.
"""

from __future__ import annotations

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed
from gudgeon.kernels.dynamics.arrays import (
    DAMPING_TIME,
    FORCE_ON_BALL,
    MODEL,
    POWER,
    RATE_OF,
    REPORT_STORED,
    STIFFNESS,
    WORK,
)
from gudgeon.kernels.elements.joints import radial_begin, radial_direction, radial_rate


@addressed(void(MODEL, WORK, int64, int64, int64))
def force_of_radial_bushing(m, w, k, a, b):
    """The force of a radial bushing for the motion in line a of `local`, into line b of `force`."""
    local, force, V = w.local, w.force, m.compliant_vector
    e, nx, ny, nz, rate = radial_begin(w, a, b)
    x, y, z, outer, core = radial_rate(local, a, e, nx, ny, nz, rate)
    stiffness = V[k, STIFFNESS]
    damping = stiffness * V[k, DAMPING_TIME]
    force[b, FORCE_ON_BALL] = -stiffness * e * nx - damping * x
    force[b, FORCE_ON_BALL + 1] = -stiffness * e * ny - damping * y
    force[b, FORCE_ON_BALL + 2] = -stiffness * e * nz - damping * z
    force[b, POWER] = damping * (
        outer * rate * rate + core * (local[a, RATE_OF] ** 2 + local[a, RATE_OF + 1] ** 2 + local[a, RATE_OF + 2] ** 2)
    )


@addressed(void(MODEL, WORK, int64))
def report_of_radial_bushing(m, w, k):
    """The energy it stores."""
    e = radial_direction(w.local, k)[0]
    w.report[REPORT_STORED] = 0.5 * m.compliant_vector[k, STIFFNESS] * e * e
