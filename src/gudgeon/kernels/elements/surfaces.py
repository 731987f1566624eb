"""Contact pressure and friction over two surfaces: the integral is another function, called by its address.

(f, τ) = ∫ pressure and friction over two surfaces, see gudgeon.surface_contact; they act at X = P_j.
"""

from __future__ import annotations

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed, called
from gudgeon.kernels.dynamics.arrays import (
    ARM_OF,
    ECCENTRICITY,
    FLIGHT,
    FORCE_COLUMNS,
    IMPACT_SPEED,
    LOCAL_COLUMNS,
    MODE,
    MODEL,
    SMALLEST_IMPACT,
    SURFACE_FUNCTION,
    SURFACE_TABLE,
    WORK,
)
from gudgeon.kernels.elements.joints import clear_force
from gudgeon.kernels.elements.laws import call_surface

# what the function of two surfaces is asked for
PUSH = 0  # a line of `force`
LEAST_GAP = 1  # least gap [m] and its rate [m/s]
REPORT = 2  # columns below
SLOPES = 3  # two 6 × 6 matrices: ∂(force, torque)/∂(displacement, turn), and by their rates

# what REPORT fills
REPORT_FRICTION = 0  # 3, on the ball, world axes [N]
REPORT_STORED = 3  # [J]
REPORT_AREA = 4  # touching [m²]
REPORT_PRESSURE = 5  # largest [Pa]
REPORT_NORMAL = 6  # length of the resultant of the pressure [N]
REPORT_GAP = 7  # least [m]


@called
def ask_surfaces(m, w, k, a, b, task):
    """Ask the two surfaces of joint k, in the motion of line a of `local`; the answer is line b of `force`."""
    impact = max(w.contact[k, IMPACT_SPEED], m.compliant_vector[k, SMALLEST_IMPACT])
    motion, out = w.local.ctypes.data + 8 * LOCAL_COLUMNS * a, w.force.ctypes.data + 8 * FORCE_COLUMNS * b
    call_surface(m.compliant[k, SURFACE_FUNCTION], m.compliant[k, SURFACE_TABLE], task, impact, motion, out, 0)


@called
def surface_slopes(m, w, k, a, by_position, by_velocity):
    """Derivatives of force and torque of two surfaces by the motion in line a of `local`, into matrices by address."""
    impact = max(w.contact[k, IMPACT_SPEED], m.compliant_vector[k, SMALLEST_IMPACT])
    motion, function = w.local.ctypes.data + 8 * LOCAL_COLUMNS * a, m.compliant[k, SURFACE_FUNCTION]
    call_surface(function, m.compliant[k, SURFACE_TABLE], SLOPES, impact, motion, by_position, by_velocity)


@addressed(void(MODEL, WORK, int64, int64, int64))
def force_of_surfaces(m, w, k, a, b):
    """The force of two surfaces for the motion in line a of `local`, into line b of `force`."""
    clear_force(w.force, b)
    for c in range(3):
        w.force[b, ARM_OF + c] = w.local[a, ECCENTRICITY + c]
    if w.contact[k, MODE] != FLIGHT:
        ask_surfaces(m, w, k, a, b, PUSH)
