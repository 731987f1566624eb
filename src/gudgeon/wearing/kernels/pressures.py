"""A contact law at many points at once."""

from __future__ import annotations

from numba import int64, void

from gudgeon.kernels.build.compiled import entrance
from gudgeon.kernels.build.records import VECTOR
from gudgeon.kernels.elements.laws import contact_law

SMALL = 1e-4  # step of a difference, of the depth


@entrance(void(int64, int64, int64, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR))
def pressures(call, address, parameters, depth, rate, impact, pressure, stiffness):
    """p and ∂p/∂δ of the law at an address, at depths δ > 0."""
    for q in range(depth.shape[0]):
        pressure[q] = contact_law(call, address, parameters, depth[q], rate[q], impact[q])
        deeper = contact_law(call, address, parameters, depth[q] * (1.0 + SMALL), rate[q], impact[q])
        shallower = contact_law(call, address, parameters, depth[q] * (1.0 - SMALL), rate[q], impact[q])
        stiffness[q] = (deeper - shallower) / (2.0 * SMALL * depth[q])
