"""Where the balls of a mechanism rest in their sockets, from the forces that ideal joints would carry.

A search for an equilibrium that starts with the balls in the middle would let one after the other fall onto its socket.
With T the motions allowed and E T x the shifts of all balls, the forces on the balls that hold the mechanism are

    (E T)ᵀ f = −Tᵀ Q,    e = −(c + δ) f/|f|,    δ: F_n(δ) = |f|

and the shortest motion that brings the balls there is (E T)⁺ (e − e₀).
"""

from __future__ import annotations

import numpy as np

from gudgeon.analysis.small_motion.descent import Search
from gudgeon.kernels.dynamics.arrays import ECCENTRICITY, FREE_PATH
from gudgeon.laws.base import ContactLaw
from gudgeon.laws.forms import law_form
from gudgeon.models.dry import Dry
from gudgeon.models.lubricated import Lubricated

UNLOADED = 1e-9  # a force that presses no ball, of the largest [-]
RANK = 1e-9  # singular values of the shifts below this are none, of the largest [-]


def press_balls(search: Search) -> None:
    """Move the balls of dry joints from the middle of their sockets to where they carry what they have to."""
    equations = search.rows.equations
    joints = {k: equations.system.joints[name] for k, name in enumerate(equations.compliant.names)}
    laws = {
        k: law_form(f"{joint.label(equations.compliant.names[k])}: contact", joint.model.contact, ContactLaw)
        for k, joint in joints.items()
        if isinstance(joint.model, Dry | Lubricated) and joint.model.contact is not None
    }
    if not laws:
        return
    shifts = search.steps.shift_vectors(search.tangents)  # (joints, 3, freedoms)
    left, values, right = np.linalg.svd(shifts.reshape(-1, shifts.shape[2]), full_matrices=False)
    kept = values > RANK * values.max()
    left, values, right = left[:, kept], values[kept], right[kept]
    loads = (-left @ ((right @ search.force) / values)).reshape(-1, 3)
    size = np.linalg.norm(loads, axis=1)
    wanted = np.zeros_like(loads)
    for k, law in laws.items():
        if size[k] > UNLOADED * size.max():
            rests = equations.model.compliant_vector[k, FREE_PATH] + _penetration(law, size[k])
            wanted[k] = -rests * loads[k] / size[k] - equations.work.local[k, ECCENTRICITY : ECCENTRICITY + 3]
    x = right.T @ ((left.T @ wanted.reshape(-1)) / values)
    if search.position(x) is not None:
        search.go(x)


def _penetration(law, force: float) -> float:
    """δ at which a contact law carries a force at rest [m]."""
    low, high = 0.0, 1e-9
    while law(high, 0.0, 1.0) < force and high < 1.0:
        low, high = high, 4.0 * high
    for _ in range(50):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if law(middle, 0.0, 1.0) < force else (low, middle)
    return high
