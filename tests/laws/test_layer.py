"""Stiffness per area of an elastic layer: Hooke's law in uniaxial strain, limits, refused input."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gudgeon import laws
from gudgeon.errors import ModelError


@given(st.floats(1e6, 1e12), st.floats(-0.9, 0.49), st.floats(1e-6, 1e-2))
def test_no_strain_sideways(E, nu, t):
    """Solve Hooke's law for the stress that gives ε = (0, 0, −δ/t)."""
    compliance = (np.eye(3) * (1.0 + nu) - nu) / E
    stress = np.linalg.solve(compliance, [0.0, 0.0, -1.0 / t])
    assert laws.elastic_layer(thickness=t, youngs_modulus=E, poissons_ratio=nu) == pytest.approx(-stress[2], rel=1e-9)


def test_without_lateral_contraction_it_is_a_rod():
    assert laws.elastic_layer(thickness=2e-3, youngs_modulus=1e9, poissons_ratio=0.0) == pytest.approx(5e11)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"thickness": 0.0}, "thickness is 0 m; it must be positive"),
        ({"youngs_modulus": -1.0}, "youngs_modulus is -1 Pa; it must be positive"),
        ({"poissons_ratio": 0.5}, "poissons_ratio is 0.5; it must be above -1 and below 0.5"),
    ],
)
def test_bad_layers(change, message):
    with pytest.raises(ModelError, match=message):
        laws.elastic_layer(**({"thickness": 1e-3, "youngs_modulus": 1e9, "poissons_ratio": 0.3} | change))
