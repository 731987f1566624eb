"""Derivatives of efforts on sums of joint coordinates, x = c₁ x₁ + c₂ x₂ with the effort f(x, ẋ) along it.

With g = Σ c J and T = ∂g/∂ξ on up to four bodies (pairs.py), u their velocities,

    Q = g f,    ∂Q/∂ξ = g (f_x g + f_ẋ u·T) + f T,    ∂Q/∂v = g f_ẋ g
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from gudgeon.analysis.small_motion.pairs import measure_pairs
from gudgeon.kernels.dynamics import arrays
from gudgeon.mechanics.equations import Equations


def coupled_tangents(equations: Equations, velocity: np.ndarray, line_count: int) -> tuple[csr_array, csr_array] | None:
    """∂Q/∂ξ and ∂Q/∂v in the motion last evaluated, (6 lines, 6 lines) each; None where there are no such efforts."""
    from gudgeon.kernels.outputs.moved_joints import slopes_of_coupled

    model = equations.model
    lines = np.flatnonzero(model.compliant[:, arrays.KIND] == arrays.COUPLED)
    if not len(lines):
        return None
    found = np.zeros((len(lines), 3))
    slopes_of_coupled(model, equations.work, lines, found)
    by_displacement, by_velocity = np.zeros((2, 6 * line_count, 6 * line_count))
    for k, (effort, by_place, by_rate) in zip(lines, found, strict=True):
        g, T, rate = np.zeros(6 * line_count + 6), np.zeros((6 * line_count + 6,) * 2), np.zeros(6 * line_count + 6)
        for place in range(2):
            which, ratio = (
                model.compliant[k, arrays.COUPLED_MEASURE + place],
                model.compliant_vector[k, arrays.SUM_RATIO + place],
            )
            if which < 0:
                continue
            own = np.array([which])
            (pair,) = measure_pairs(
                equations, model.measure[own], model.measure_vector[own], np.zeros(1, dtype=np.int64)
            )
            at = np.concatenate(
                [6 * pair.first[:1, None] + np.arange(6), 6 * pair.second[:1, None] + np.arange(6)], axis=1
            )[0]
            curved = ratio * pair.curvature[0, 0]
            np.add.at(g, at, ratio * pair.jacobian[0, 0])
            np.add.at(T, (at[:, None], at[None, :]), curved)
            np.add.at(rate, at, pair.velocities(velocity)[0] @ curved)
        g, T, rate = g[6:], T[6:, 6:], rate[6:]  # not the ground
        by_displacement += np.outer(g, by_place * g + by_rate * rate) + effort * T
        by_velocity += by_rate * np.outer(g, g)
    return csr_array(by_displacement), csr_array(by_velocity)
