"""Contact pressure and friction over two surfaces: the integral is another function, called by its address.

(f, τ) = ∫ pressure and friction over two surfaces, see gudgeon.surface_contact; they act at X = P_j.
"""

from __future__ import annotations

from math import inf

from numba import float64, int64, void

from gudgeon.kernels.build.compiled import addressed, inlined
from gudgeon.kernels.build.records import VECTOR
from gudgeon.kernels.dynamics.arrays import (
    ARM_OF,
    CLEARANCE,
    DEPTH,
    DEPTH_RATE,
    ECCENTRICITY,
    FLIGHT,
    FORCE_COLUMNS,
    IMPACT_SPEED,
    LOCAL_COLUMNS,
    MODE,
    MODEL,
    REPORT_CONTACT,
    REPORT_PENETRATION,
    SMALLEST_IMPACT,
    SURFACE_FUNCTION,
    SURFACE_TABLE,
    WORK,
)
from gudgeon.kernels.elements.hidden_depth import HIDDEN
from gudgeon.kernels.elements.joints import clear_force
from gudgeon.kernels.elements.laws import call_surface
from gudgeon.kernels.integrators.run import CONTACT_LOOKS

# what the function of two surfaces is asked for
PUSH = 0  # a line of `force`
LEAST_GAP = 1  # least gap [m] and its rate [m/s]
REPORT = 2  # what `Work.report` holds
SLOPES = 3  # two 6 × 6 matrices: ∂(force, torque)/∂(displacement, turn), and by their rates
KEEP = 4  # nothing: what was found last is where searches start from now on


@inlined
def ask_surfaces(m, w, k, a, task, out, more):
    """Ask the two surfaces of joint k, in the motion of line a of `local`; the answer goes to an address or two."""
    impact = max(w.contact[k, IMPACT_SPEED], m.compliant_vector[k, SMALLEST_IMPACT])
    motion = w.local.ctypes.data + 8 * LOCAL_COLUMNS * a
    call_surface(m.compliant[k, SURFACE_FUNCTION], m.compliant[k, SURFACE_TABLE], task, impact, motion, out, more)


@addressed(void(MODEL, WORK, int64, int64, int64, int64))
def slopes_of_surfaces(m, w, k, a, by_position, by_velocity):
    """Derivatives of force and torque by the motion in line a of `local`, into 6 × 6 matrices by address."""
    ask_surfaces(m, w, k, a, SLOPES, by_position, by_velocity)


@addressed(void(MODEL, WORK, int64, int64, int64))
def depth_of_surfaces(m, w, k, a, b):
    """How deep the surfaces are in each other, and its rate, for line a of `local`, into line b of `force`."""
    ask_surfaces(m, w, k, a, LEAST_GAP, w.force.ctypes.data + 8 * FORCE_COLUMNS * b, 0)
    w.force[b, DEPTH], w.force[b, DEPTH_RATE] = -w.force[b, DEPTH], -w.force[b, DEPTH_RATE]


@addressed(float64(MODEL, WORK, int64, VECTOR, VECTOR, float64))
def hidden_by_surfaces(m, w, k, first, second, share):
    """No bound is known between two looks at surfaces of any form: a step is looked at in CONTACT_LOOKS places."""
    return inf if share * CONTACT_LOOKS > 1.5 else 0.5 * HIDDEN * m.compliant_vector[k, CLEARANCE]


@addressed(void(MODEL, WORK, int64, int64, int64))
def force_of_surfaces(m, w, k, a, b):
    """The force of two surfaces for the motion in line a of `local`, into line b of `force`."""
    clear_force(w.force, b)
    for c in range(3):
        w.force[b, ARM_OF + c] = w.local[a, ECCENTRICITY + c]
    if w.contact[k, MODE] != FLIGHT:
        ask_surfaces(m, w, k, a, PUSH, w.force.ctypes.data + 8 * FORCE_COLUMNS * b, 0)


@addressed(void(MODEL, WORK, int64))
def keep_surfaces(m, w, k):
    """Start searches from what was found last."""
    ask_surfaces(m, w, k, k, KEEP, w.force.ctypes.data, 0)


@addressed(void(MODEL, WORK, int64))
def report_of_surfaces(m, w, k):
    """What two surfaces do in the motion of line k of `local`; nothing but their gap while they are apart."""
    out = w.report
    ask_surfaces(m, w, k, k, REPORT, w.report.ctypes.data, 0)
    if w.contact[k, MODE] == FLIGHT:
        gap = out[REPORT_PENETRATION]
        out[:] = 0.0
        out[REPORT_PENETRATION] = gap
    else:
        out[REPORT_CONTACT] = 1.0
