"""A ball in a socket full of lubricant: f = −law(e/c, ė) n at X = P_j, and contact below a smallest film.

At the very centre n has no meaning, see radial_rate in joints.py.
"""

from __future__ import annotations

from math import sqrt

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed
from gudgeon.kernels.dynamics.arrays import (
    CLEARANCE,
    FORCE_ON_BALL,
    FREE_PATH,
    MODEL,
    NORMAL,
    POWER,
    RATE_OF,
    REPORT_CONTACT,
    REPORT_FILM,
    REPORT_NORMAL,
    WORK,
)
from gudgeon.kernels.elements.ball_in_socket import contact_force, report_contact
from gudgeon.kernels.elements.joints import radial_begin, radial_rate, touches
from gudgeon.kernels.elements.laws import film_force


@addressed(void(MODEL, WORK, int64, int64, int64))
def force_of_film(m, w, k, a, b):
    """The force of a film, and of contact, for the motion in line a of `local`, into line b of `force`."""
    local, force, V = w.local, w.force, m.compliant_vector
    e, nx, ny, nz, rate = radial_begin(w, a, b)
    x, y, z, _, _ = radial_rate(local, a, e, nx, ny, nz, rate)
    speed = sqrt(x * x + y * y + z * z)
    if rate < 0.0:
        speed = -speed
    f = film_force(m, k, min(e, V[k, FREE_PATH]) / V[k, CLEARANCE], speed)
    s = f / speed if speed != 0.0 else 0.0
    force[b, FORCE_ON_BALL], force[b, FORCE_ON_BALL + 1], force[b, FORCE_ON_BALL + 2] = -s * x, -s * y, -s * z
    force[b, POWER] = s * (x * local[a, RATE_OF] + y * local[a, RATE_OF + 1] + z * local[a, RATE_OF + 2])
    if touches(m, w, k, e):
        contact_force(m, w, k, a, b, e, nx, ny, nz, rate)


@addressed(void(MODEL, WORK, int64))
def report_of_film(m, w, k):
    """What a film does, and contact, under the forces in line k."""
    out, trial = w.report, m.compliant.shape[0]
    radial = report_contact(m, w, k, True)
    if out[REPORT_CONTACT] > 0.0:
        force_of_film(m, w, k, k, trial)
        out[REPORT_NORMAL] = w.force[trial, NORMAL]
    out[REPORT_FILM] = -radial - out[REPORT_NORMAL]
