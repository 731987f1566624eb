"""Derivatives of the laws of compliant joints by the joints' own motion, by differences."""

from __future__ import annotations

from math import inf, sqrt

from gudgeon.kernels.build.calls import call
from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.dynamics.arrays import (
    BRISTLE,
    BRISTLES,
    CLEARANCE,
    DEPTH,
    ECCENTRICITY,
    FILM_CALL,
    FORCE_ON_BALL,
    GAP_FUNCTION,
    LOCAL_COLUMNS,
    OMEGA_BALL,
    RATE_OF,
    RUB,
    SLOPES_FUNCTION,
    TURN,
    UNKNOWNS,
)
from gudgeon.kernels.dynamics.engine import law_force


@inlined
def moved(m, k, c, position):
    """Which column of `local` component c of the relative motion of joint k is; −1: none."""
    if c < 3:
        return ECCENTRICITY + c if position else RATE_OF + c
    if m.compliant[k, BRISTLE] >= 0:
        return -1 if position else BRISTLES + c - 3
    return TURN + c - 3 if position else OMEGA_BALL + c - 3


@inlined
def increments(m, w, k, trial):
    """Small changes of position and velocity for the derivatives of the law of joint k."""
    local, V = w.local, m.compliant_vector
    ex, ey, ez = local[trial, ECCENTRICITY], local[trial, ECCENTRICITY + 1], local[trial, ECCENTRICITY + 2]
    vx, vy, vz = local[trial, RATE_OF], local[trial, RATE_OF + 1], local[trial, RATE_OF + 2]
    e, v = sqrt(ex * ex + ey * ey + ez * ez), sqrt(vx * vx + vy * vy + vz * vz)
    size = e
    if V[k, CLEARANCE] < inf:
        if m.compliant[k, FILM_CALL] != 0:
            size = min(e, abs(V[k, CLEARANCE] - e))
        else:
            call(m.compliant[k, GAP_FUNCTION], (m, w, k, trial, trial))
            size = max(abs(w.force[trial, DEPTH]), 1e-4 * V[k, CLEARANCE])
    return 1e-5 * size + 1e-16, 1e-6 * v + 1e-10


@called
def law_derivatives(m, w, r, k, i):
    """∂φ/∂(position) and ∂φ/∂(velocity) of joint k at stage i by differences, into `r.phi_p` and `r.phi_v`.

    Physics that knows its derivatives is asked for them.
    """
    trial, count = m.compliant.shape[0], m.compliant[k, UNKNOWNS]
    local, force = w.local, w.force
    for c in range(LOCAL_COLUMNS):
        local[trial, c] = r.motion[i, k, c]
    if m.compliant[k, SLOPES_FUNCTION] != 0:
        at = 8 * 36 * (i * trial + k)
        place = (m, w, k, trial, r.phi_p.ctypes.data + at, r.phi_v.ctypes.data + at)
        call(m.compliant[k, SLOPES_FUNCTION], place)
        if m.compliant[k, RUB] >= 0:
            for c in range(3):
                for e in range(6):
                    r.phi_r[i, m.compliant[k, RUB], c, e] = w.rubbing.slope[c, e]
        return
    small_p, small_v = increments(m, w, k, trial)
    law_force(m, w, k, trial, trial)
    for c in range(count):
        r.base[c] = force[trial, FORCE_ON_BALL + c]
    for which in range(2):
        for c in range(count):
            column = moved(m, k, c, which == 0)
            if column < 0:
                for d in range(count):
                    r.phi_p[i, k, d, c] = 0.0
                continue
            small = small_p if which == 0 else small_v
            if c >= 3:
                small = 1e-7 if m.compliant[k, BRISTLE] < 0 else 1e-9 + 1e-6 * abs(local[trial, column])
            kept = local[trial, column]
            local[trial, column] = kept + small
            law_force(m, w, k, trial, trial)
            local[trial, column] = kept
            for d in range(count):
                slope = (force[trial, FORCE_ON_BALL + d] - r.base[d]) / small
                if which == 0:
                    r.phi_p[i, k, d, c] = slope
                else:
                    r.phi_v[i, k, d, c] = slope
