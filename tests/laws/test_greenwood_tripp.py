"""Greenwood and Tripp's line law: the integral of their pressure over the circumference."""

import numpy as np
import pytest
from compiled_law import check_compiled_equals_python
from scipy.integrate import quad

from gudgeon import laws
from gudgeon.errors import ModelError
from gudgeon.laws.base import LineLaw
from gudgeon.laws.forms import check_law

LAW = laws.GreenwoodTripp(radius=0.01, clearance=5e-5, roughness=2e-7, modulus=1.1e11, asperities=0.04, sharpness=5e-3)


def pressure(gap: float) -> float:
    """(16√2/15) π (ηβσ)² √(σ/β) E* 4.4086e-5 (4 − H)^6.804 [Pa]."""
    H = gap / LAW.roughness
    strength = 16.0 * np.sqrt(2.0) / 15.0 * np.pi * LAW.asperities**2 * np.sqrt(LAW.sharpness) * LAW.modulus
    return strength * 4.4086e-5 * max(4.0 - H, 0.0) ** 6.804


@pytest.mark.parametrize("thinnest", [3.5, 2.0, 0.5])
def test_closed_form(thinnest):
    """R ∫ p cos θ dθ over the gap c − e cos θ, to 0.5 %."""
    e = LAW.clearance - thinnest * LAW.roughness
    edge = np.arccos((LAW.clearance - LAW.onset) / e)
    force, _ = quad(lambda a: LAW.radius * pressure(LAW.clearance - e * np.cos(a)) * np.cos(a), -edge, edge)
    delta = LAW.onset - thinnest * LAW.roughness
    assert LAW.line_force(delta, 0.0, LAW.parameters) == pytest.approx(force, rel=5e-3)


def test_it_is_a_law():
    check_law("here", "contact", LAW, LineLaw, LAW.clearance)
    assert LAW.onset == pytest.approx(8e-7)
    assert LAW.line_force(0.0, 1.0, LAW.parameters) == 0.0
    check_compiled_equals_python(LAW.line_force, [(1e-7, 0.0), (5e-7, 0.3), (1e-6, -0.3)], LAW)


def test_too_rough():
    with pytest.raises(
        ModelError, match="GreenwoodTripp: roughness is 2e-05 m, clearance 5e-05 m; asperities would touch"
    ):
        laws.GreenwoodTripp(radius=0.01, clearance=5e-5, roughness=2e-5, modulus=1e11)
