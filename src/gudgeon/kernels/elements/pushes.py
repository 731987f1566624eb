"""Whether a contact pushes, the same for its force and for what it reports."""

from __future__ import annotations

from gudgeon.kernels.build.compiled import inlined
from gudgeon.kernels.dynamics.arrays import FLIGHT, MODE

ROUNDING = 1e-15  # of a penetration that has just begun [m or rad]


@inlined
def pushes(w, k, depth):
    """Does the contact of line k push that deep? Just begun, it does: dampers push at once. No number does, too."""
    return w.contact[k, MODE] != FLIGHT and not depth <= -ROUNDING
