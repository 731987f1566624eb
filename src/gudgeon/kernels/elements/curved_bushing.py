"""A bushing with force–displacement curves f_c besides its matrices, one for each of its six axes that has one:

    V = ½ xᵀKx + Σ ∫₀^{x_c} f_c,   −f_c(x_c) on the ball along axis c, turned by B where it is a rotation (bushing.py)

Curves are tables of the model (functions/tables.py).
"""

from __future__ import annotations

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.dynamics.arrays import (
    BUSHING_CURVES,
    ECCENTRICITY,
    FORCE_ON_BALL,
    FRAME,
    MODEL,
    REPORT_STORED,
    TORQUE_ON_BALL,
    WORK,
)
from gudgeon.kernels.elements.bushing import held_turn, in_joint_axes, push_of_bushing, report_of_bushing, vector
from gudgeon.kernels.elements.joints import clear_force
from gudgeon.kernels.functions.tables import look_up, pieces_between
from gudgeon.kernels.kinematics.vectors import apply_transposed, dot


@inlined
def on_curve(m, k, c, x):
    """f_c(x); 0 without a curve."""
    at = int(m.compliant_vector[k, BUSHING_CURVES + c])
    return 0.0 if at < 0 else look_up(m.table, at, x, 0)


@inlined
def on_curves(m, k, first, x):
    """Three curves of the axes from the first on."""
    return on_curve(m, k, first, x[0]), on_curve(m, k, first + 1, x[1]), on_curve(m, k, first + 2, x[2])


@addressed(void(MODEL, WORK, int64, int64, int64))
def force_of_curved_bushing(m, w, k, a, b):
    """Force and torque for the motion in line a of `local`, into line b of `force`."""
    p, x, out = m.compliant_vector[k], w.local[a], w.force[b]
    clear_force(w.force, b)
    push_of_bushing(p, x, out)
    turn, B = held_turn(p, x)
    force = on_curves(m, k, 0, in_joint_axes(x, vector(x, ECCENTRICITY)))
    torque = apply_transposed(B, on_curves(m, k, 3, turn))
    for r in range(3):
        axes = vector(x, FRAME + 3 * r)
        out[FORCE_ON_BALL + r] -= dot(axes, force)
        out[TORQUE_ON_BALL + r] -= dot(axes, torque)


@called
def energy_of_curve(m, k, c, x):
    """∫₀ˣ f_c."""
    at = int(m.compliant_vector[k, BUSHING_CURVES + c])
    return 0.0 if at < 0 else pieces_between(m.table, at, 0.0, x)


@addressed(void(MODEL, WORK, int64))
def report_of_curved_bushing(m, w, k):
    """The energy V that it stores."""
    report_of_bushing(m, w, k)
    x = w.local[k]
    turn, _ = held_turn(m.compliant_vector[k], x)
    d = in_joint_axes(x, vector(x, ECCENTRICITY))
    for c in range(3):
        w.report[REPORT_STORED] += energy_of_curve(m, k, c, d[c]) + energy_of_curve(m, k, 3 + c, turn[c])
