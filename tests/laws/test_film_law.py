"""The squeeze film: reference values, high precision, Reynolds' equation by quadrature."""

from __future__ import annotations

import math
import re
from decimal import Decimal, localcontext

import pytest
from compiled_law import check_compiled_equals_python
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

import references
from gudgeon import laws
from gudgeon.errors import ModelError

TABLE = references.load("squeeze_film")["reference"]
UNIT = laws.SqueezeFilm(viscosity=1.0, socket_radius=1.0, clearance=0.5)  # μ R (R/c)³ = 8
RATIOS = [*(10.0**k for k in range(-8, -2)), *(0.01 * k for k in range(1, 100)), 0.199999, 0.2, 0.999, 0.99999]


def bracket(ratio: float) -> float:
    """ln(1 − ε)/ε³ + 1/(ε² (1 − ε)) − 1/(2 ε) as the law has it."""
    return UNIT.film_force(ratio, 1.0, UNIT.parameters) / (8.0 * 6.0 * math.pi)


def exact_bracket(ratio: float) -> Decimal:
    """The same in 80 digits, of which the cancellation takes up to 24."""
    with localcontext() as context:
        context.prec = 80
        e = Decimal(ratio)
        return (1 - e).ln() / e**3 + 1 / (e * e * (1 - e)) - 1 / (2 * e)


@pytest.mark.parametrize("ratio", TABLE["spherical_F_over_muVR_R_c_3"])
def test_reference_table(ratio):
    expected = TABLE["spherical_F_over_muVR_R_c_3"][ratio]
    assert 6.0 * math.pi * bracket(float(ratio)) == pytest.approx(expected, rel=1e-9)


def test_reference_example():
    case = TABLE["example"]
    law = laws.SqueezeFilm(viscosity=case["mu"], socket_radius=case["R"], clearance=case["c"])
    assert law.film_force(case["eps"], case["V"], law.parameters) == pytest.approx(case["F"], rel=1e-12)


@pytest.mark.parametrize("ratio", RATIOS)
def test_high_precision(ratio):
    assert bracket(ratio) == pytest.approx(float(exact_bracket(ratio)), rel=3e-14)


@given(st.floats(1e-8, 0.99999))
def test_high_precision_anywhere(ratio):
    assert bracket(ratio) == pytest.approx(float(exact_bracket(ratio)), rel=3e-14)


@pytest.mark.parametrize("ratio", [0.0, 1e-3, 0.1, 0.3, 0.7, 0.95])
def test_reynolds_equation(ratio):
    """Flow through the ring at θ carries π (R sin θ)² ė, h = c (1 − ε cos θ), p = 0 at the equator; u = cos θ."""
    expected, _ = quad(lambda u: (1.0 - u * u) / (1.0 - ratio * u) ** 3, 0.0, 1.0, epsabs=0.0, epsrel=1e-12)
    assert bracket(ratio) == pytest.approx(expected, rel=1e-11)


def test_centred_ball():
    """4π μ R⁴ ė/c³: the limit stated in the reference file."""
    law = laws.SqueezeFilm(viscosity=0.4, socket_radius=0.01, clearance=2e-5)
    expected = 4.0 * math.pi * 0.4 * 0.01**4 / 2e-5**3 * 0.03
    assert law.film_force(0.0, 0.03, law.parameters) == pytest.approx(expected, rel=1e-14)


def test_grows_as_one_over_the_gap():
    assert bracket(1.0 - 1e-9) * 1e-9 == pytest.approx(1.0, rel=1e-7)


@given(st.floats(0.0, 0.9999), st.floats(-1.0, 1.0))
def test_opposes_the_motion(ratio, rate):
    force = UNIT.film_force(ratio, rate, UNIT.parameters)
    assert force * rate >= 0.0
    assert force == -UNIT.film_force(ratio, -rate, UNIT.parameters)
    assert UNIT.film_force(ratio + 5e-5, 1.0, UNIT.parameters) > UNIT.film_force(ratio, 1.0, UNIT.parameters)


@pytest.mark.parametrize("ratio", [1.0, 1.5, -0.1, math.nan])
def test_no_film_no_force(ratio):
    assert math.isnan(UNIT.film_force(ratio, 0.1, UNIT.parameters))


def test_compiled_equals_python():
    ratios = (0.0, 1e-9, 0.01, 0.19999, 0.2, 0.5, 0.99999, 1.0, 2.0, -0.1, math.nan)
    law = laws.SqueezeFilm(viscosity=0.4, socket_radius=0.01, clearance=1e-4)
    check_compiled_equals_python(law.film_force, [(ratio, rate) for ratio in ratios for rate in (-0.2, 0.0, 0.7)], law)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"viscosity": 0.0}, "SqueezeFilm: viscosity is 0; it must be positive"),
        ({"clearance": -1e-4}, "SqueezeFilm: clearance is -0.0001; it must be positive"),
        (
            {"clearance": 0.02},
            "SqueezeFilm: clearance is 0.02 m in a socket of radius 0.01 m; "
            "a film is thin, give socket radius minus ball radius",
        ),
    ],
)
def test_errors(change, message):
    with pytest.raises(ModelError, match=re.escape(message)):
        laws.SqueezeFilm(**{"viscosity": 0.4, "socket_radius": 0.01, "clearance": 1e-4, **change})
