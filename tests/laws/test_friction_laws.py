"""Friction laws: the printed formulas, limits, breakpoints, bounds; LuGre by its own differential equation."""

from __future__ import annotations

import itertools
import math
import re

import numpy as np
import pytest
from compiled_law import check_compiled_equals_python
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from gudgeon import laws
from gudgeon.errors import ModelError

COULOMB = laws.Coulomb(coefficient=0.3, velocity_tolerance=2e-3)
THRELFALL = laws.Threlfall(coefficient=0.3, velocity_tolerance=2e-3)
AMBROSIO = laws.Ambrosio(coefficient=0.3, lower_speed=1e-4, upper_speed=2e-3)
BENGISU = laws.BengisuAkay(kinetic=0.1, static=0.25, peak_speed=2e-3, decay=40.0)
STRIBECK = laws.Stribeck(
    kinetic=0.1, static=0.25, stribeck_speed=0.01, velocity_tolerance=1e-4, exponent=1.5, viscous=0.02
)
LUGRE = laws.LuGre(
    kinetic=0.1, static=0.25, stribeck_speed=0.01, bristle_stiffness=1e5, bristle_damping=0.5, viscous=0.02
)
EVERY_LAW = [COULOMB, THRELFALL, AMBROSIO, BENGISU, STRIBECK, LUGRE]
SPEEDS = np.concatenate([[0.0], np.geomspace(1e-7, 10.0, 200), [1e-4, 2e-3, 0.01]])


def name_of(law):
    return type(law).__name__


def coefficient(law, speed):
    """f/f_n."""
    return law.friction_force(speed, 1.0, law.parameters)


numbers = st.floats(0.01, 1.0)
speeds = st.floats(1e-5, 0.1)
coefficients = st.tuples(numbers, numbers).map(sorted)  # kinetic, static
one_coefficient = st.one_of(
    st.builds(laws.Coulomb, coefficient=numbers, velocity_tolerance=speeds),
    st.builds(laws.Threlfall, coefficient=numbers, velocity_tolerance=speeds),
    st.builds(
        lambda mu, low, width: laws.Ambrosio(coefficient=mu, lower_speed=low, upper_speed=low + width),
        numbers,
        speeds,
        speeds,
    ),
)
bengisu = st.builds(
    lambda mu, peak, decay: laws.BengisuAkay(kinetic=mu[0], static=mu[1], peak_speed=peak, decay=decay),
    coefficients,
    speeds,
    st.floats(1.0, 1e3),
)
stribeck = st.builds(
    lambda mu, curve, small, power: laws.Stribeck(
        kinetic=mu[0], static=mu[1], stribeck_speed=curve, velocity_tolerance=small, exponent=power
    ),
    coefficients,
    speeds,
    speeds,
    st.floats(0.5, 2.5),
)
lugre = st.builds(
    lambda mu, curve: laws.LuGre(
        kinetic=mu[0], static=mu[1], stribeck_speed=curve, bristle_stiffness=1e5, bristle_damping=1.0
    ),
    coefficients,
    speeds,
)
two_coefficients = st.one_of(bengisu, stribeck)


# the formulas as printed in Marques, Flores, Claro & Lankarani (2016), written a second time in another form
PRINTED = [
    (COULOMB, lambda v: 0.3 * (1.0 - np.exp(-2.0 * v / 2e-3)) / (1.0 + np.exp(-2.0 * v / 2e-3))),
    (THRELFALL, lambda v: 0.3 * np.minimum((1.0 - np.exp(-3.0 * v / 2e-3)) / (1.0 - np.exp(-3.0)), 1.0)),
    (AMBROSIO, lambda v: np.interp(v, [1e-4, 2e-3], [0.0, 0.3])),
    (
        BENGISU,
        lambda v: np.where(
            v < 2e-3, -0.25 / 2e-3**2 * (v - 2e-3) ** 2 + 0.25, 0.1 + 0.15 * np.exp(-40.0 * np.maximum(v - 2e-3, 0.0))
        ),
    ),
    (STRIBECK, lambda v: (0.1 + 0.15 * np.exp(-np.sqrt((v / 0.01) ** 3))) * np.tanh(v / 1e-4) + 0.02 * v),
    (LUGRE, lambda v: 0.1 + 0.15 / np.exp(v**2 / 1e-4)),
]


@pytest.mark.filterwarnings("ignore:overflow")  # of NumPy in the last formula, whose inverse is then 0
@pytest.mark.parametrize(("law", "printed"), PRINTED, ids=[name_of(law) for law, _ in PRINTED])
def test_printed_formula(law, printed):
    found = [law.friction_force(v, 40.0, law.parameters) for v in SPEEDS]
    np.testing.assert_allclose(found, 40.0 * printed(SPEEDS), rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize(
    ("law", "speed", "expected"),
    [
        (COULOMB, 2e-3, 0.3 * 0.7615941559557649),  # tanh 1
        (THRELFALL, 2e-3 / 3.0, 0.3 * 0.6321205588285577 / 0.950212931632136),  # 1 − e⁻¹, 1 − e⁻³
        (AMBROSIO, 1.05e-3, 0.3 / 2.0),  # half way
        (BENGISU, 1e-3, 0.25 * 3.0 / 4.0),  # a parabola half way to its top
        (BENGISU, 2e-3 + 1.0 / 40.0, 0.1 + 0.15 * 0.36787944117144233),  # e⁻¹
        (STRIBECK, 0.01, 0.1 + 0.15 * 0.36787944117144233 + 0.02 * 0.01),
        (LUGRE, 0.01, 0.1 + 0.15 * 0.36787944117144233),
    ],
)
def test_known_values(law, speed, expected):
    assert coefficient(law, speed) == pytest.approx(expected, rel=1e-12)


@given(st.one_of(one_coefficient, two_coefficients, lugre), st.floats(0.0, 10.0), st.floats(0.0, 1e6))
def test_dissipative_bounded_and_proportional_to_the_load(law, speed, load):
    force = law.friction_force(speed, load, law.parameters)
    largest = law.coefficient if isinstance(law, laws.Coulomb | laws.Threlfall | laws.Ambrosio) else law.static
    assert 0.0 <= force <= largest * load * (1.0 + 1e-14)
    assert force == pytest.approx(load * coefficient(law, speed), rel=1e-12)


@given(st.one_of(one_coefficient, two_coefficients))
def test_zero_at_rest_and_kinetic_far_away(law):
    kinetic = law.kinetic if isinstance(law, laws.BengisuAkay | laws.Stribeck) else law.coefficient
    assert coefficient(law, 0.0) == 0.0
    assert coefficient(law, 1e4) == pytest.approx(kinetic, rel=1e-12)


@given(one_coefficient, st.floats(0.0, 0.2), st.floats(0.0, 0.2))
def test_one_coefficient_grows_with_speed(law, first, second):
    slow, fast = sorted((first, second))
    assert coefficient(law, slow) <= coefficient(law, fast) * (1.0 + 1e-15)


@given(one_coefficient)
def test_friction_below_the_tolerance_is_smaller(law):
    """The regularisation is there: a law that ignored its tolerance would pass the monotonicity above."""
    tolerance = law.upper_speed if isinstance(law, laws.Ambrosio) else law.velocity_tolerance
    assert coefficient(law, 0.5 * tolerance) < 0.9 * law.coefficient


@pytest.mark.parametrize(
    ("law", "slope"),
    [
        (COULOMB, 0.3 / 2e-3),
        (THRELFALL, 0.3 / 2e-3 * 3.0 / 0.950212931632136),
        (laws.Ambrosio(coefficient=0.3, lower_speed=0.0, upper_speed=2e-3), 0.3 / 2e-3),
        (AMBROSIO, 0.0),
        (BENGISU, 2.0 * 0.25 / 2e-3),
        (STRIBECK, 0.25 / 1e-4 + 0.02),
    ],
    ids=["Coulomb", "Threlfall", "Ambrosio from rest", "Ambrosio", "BengisuAkay", "Stribeck"],
)
def test_linear_at_rest(law, slope):
    for speed in (1e-12, 1e-11, 1e-10):
        assert coefficient(law, speed) / speed == pytest.approx(slope, rel=1e-6)


@pytest.mark.parametrize(
    ("law", "speed"), [(THRELFALL, 2e-3), (AMBROSIO, 1e-4), (AMBROSIO, 2e-3), (BENGISU, 2e-3)], ids=str
)
def test_continuous_at_breakpoints(law, speed):
    below, at, above = (coefficient(law, v) for v in (speed * (1.0 - 1e-9), speed, speed * (1.0 + 1e-9)))
    assert below == pytest.approx(at, abs=1e-8 * 0.3)
    assert above == pytest.approx(at, abs=1e-8 * 0.3)


@given(bengisu, st.floats(0.0, 1.0))
def test_bengisu_akay_peaks_at_static(law, fraction):
    assert coefficient(law, law.peak_speed) == pytest.approx(law.static, rel=1e-14)
    rising = [coefficient(law, fraction * law.peak_speed * k) for k in (0.9, 1.0)]
    falling = [coefficient(law, law.peak_speed * (1.0 + fraction * k)) for k in (1.0, 1.1)]
    assert rising == sorted(rising)
    assert falling == sorted(falling, reverse=True)


@given(coefficients, speeds)
def test_stribeck_peak_comes_near_static(mu, curve):
    law = laws.Stribeck(kinetic=mu[0], static=mu[1], stribeck_speed=curve, velocity_tolerance=1e-4 * curve)
    peak = max(coefficient(law, v) for v in np.geomspace(1e-6, 10.0, 400) * curve)
    assert 0.999 * law.static < peak <= law.static


@given(stribeck, numbers, st.floats(0.0, 5.0))
def test_stribeck_viscous_part(law, viscous, speed):
    p = law.parameters
    wet = laws.Stribeck(
        kinetic=p[0], static=p[1], stribeck_speed=p[2], velocity_tolerance=p[3], exponent=p[4], viscous=viscous
    )
    difference = wet.friction_force(speed, 7.0, wet.parameters) - law.friction_force(speed, 7.0, p)
    assert difference == pytest.approx(7.0 * viscous * speed, abs=1e-13)


@given(lugre, st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_lugre_curve_falls_from_static_to_kinetic(law, first, second):
    slow, fast = sorted((first, second))
    assert coefficient(law, 0.0) == pytest.approx(law.static, rel=1e-14)
    assert coefficient(law, slow) >= coefficient(law, fast) >= law.kinetic
    assert coefficient(law, 1e3) == pytest.approx(law.kinetic)


def bristles(law, velocity, z):
    """ż and F/f_n of Canudas de Wit et al. (1995), per load, with g(v) from the law."""
    rate = velocity - law.bristle_stiffness * abs(velocity) / coefficient(law, abs(velocity)) * z
    return rate, law.bristle_stiffness * z + law.bristle_damping * rate + law.viscous * velocity


@pytest.mark.parametrize("velocity", [-0.02, 1e-3, 0.5])
def test_lugre_steady_sliding(velocity):
    """The bristles settle at g(v): F = f_n (g sgn v + σ₂ v), Canudas de Wit et al. (1995)."""
    settle = 30.0 * coefficient(LUGRE, abs(velocity)) / (LUGRE.bristle_stiffness * abs(velocity))
    run = solve_ivp(lambda t, z: bristles(LUGRE, velocity, z)[0], (0.0, settle), [0.0], "LSODA", rtol=1e-10, atol=1e-14)
    expected = math.copysign(coefficient(LUGRE, abs(velocity)), velocity) + LUGRE.viscous * velocity
    assert bristles(LUGRE, velocity, run.y[0, -1])[1] == pytest.approx(expected, rel=1e-7)


@given(lugre, st.floats(-1.0, 1.0), st.floats(-1.0, 1.0), st.floats(0.01, 4.0))
def test_lugre_dissipation_bound(law, velocity, fill, share):
    """Power F v minus the rate of the bristle energy ½ σ₀ z² is ≥ 0 if σ₁ ≤ 4 g/|v|: Barabanov & Ortega (2000)."""
    if abs(velocity) < 1e-6:
        return
    g = coefficient(law, abs(velocity))
    damped = laws.LuGre(
        kinetic=law.kinetic,
        static=law.static,
        stribeck_speed=law.stribeck_speed,
        bristle_stiffness=law.bristle_stiffness,
        bristle_damping=share * g / abs(velocity),
    )
    z = fill * law.static / law.bristle_stiffness
    rate, force = bristles(damped, velocity, z)
    assert force * velocity - law.bristle_stiffness * z * rate >= -1e-12


def test_lugre_dissipation_bound_is_sharp():
    velocity, g = 0.5, coefficient(LUGRE, 0.5)
    z = 5.0 * g / (2.0 * LUGRE.bristle_stiffness)  # the worst deflection at σ₁ = 5 g/v
    law = laws.LuGre(
        kinetic=0.1, static=0.25, stribeck_speed=0.01, bristle_stiffness=1e5, bristle_damping=5.0 * g / velocity
    )
    rate, force = bristles(law, velocity, z)
    assert force * velocity - law.bristle_stiffness * z * rate < 0.0


@pytest.mark.parametrize("law", EVERY_LAW, ids=name_of)
def test_compiled_equals_python(law):
    check_compiled_equals_python(law.friction_force, list(itertools.product(map(float, SPEEDS), (0.0, 1.0, 3e4))), law)


@pytest.mark.parametrize("law", EVERY_LAW, ids=name_of)
def test_not_a_number_passes(law):
    assert math.isnan(law.friction_force(math.nan, 1.0, law.parameters))
    assert math.isnan(law.friction_force(0.1, math.nan, law.parameters))


STATIC_BELOW = {"kinetic": 0.3, "static": 0.2}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: laws.BengisuAkay(**STATIC_BELOW, peak_speed=1e-3, decay=10.0),
            "BengisuAkay: static is 0.2 and kinetic is 0.3; a static coefficient below the kinetic one has no meaning, "
            "exchange them or give the same value twice",
        ),
        (
            lambda: laws.Stribeck(**STATIC_BELOW, stribeck_speed=1e-2, velocity_tolerance=1e-4),
            "Stribeck: static is 0.2 and kinetic is 0.3",
        ),
        (
            lambda: laws.LuGre(**STATIC_BELOW, stribeck_speed=1e-2, bristle_stiffness=1e5, bristle_damping=1.0),
            "LuGre: static is 0.2 and kinetic is 0.3",
        ),
        (
            lambda: laws.LuGre(
                kinetic=0.0, static=0.2, stribeck_speed=1e-2, bristle_stiffness=1e5, bristle_damping=1.0
            ),
            "LuGre: kinetic is 0; it must be positive",
        ),
        (
            lambda: laws.Coulomb(coefficient=-0.1, velocity_tolerance=1e-3),
            "Coulomb: coefficient is -0.1; it must not be negative",
        ),
        (
            lambda: laws.Threlfall(coefficient=0.1, velocity_tolerance=0.0),
            "Threlfall: velocity_tolerance is 0; it must be positive",
        ),
        (
            lambda: laws.Ambrosio(coefficient=0.1, lower_speed=1e-3, upper_speed=1e-3),
            "Ambrosio: upper_speed is 0.001 m/s and lower_speed is 0.001 m/s; "
            "friction grows between them, upper_speed must be the larger",
        ),
    ],
)
def test_errors(make, message):
    with pytest.raises(ModelError, match=re.escape(message)):
        make()


def test_equal_coefficients_and_no_friction_are_accepted():
    same = laws.BengisuAkay(kinetic=0.2, static=0.2, peak_speed=1e-3, decay=10.0)
    assert coefficient(same, 1.0) == pytest.approx(0.2)
    assert coefficient(laws.Coulomb(coefficient=0.0, velocity_tolerance=1e-3), 1.0) == 0.0


def test_defaults():
    curve = {"kinetic": 0.1, "static": 0.2, "stribeck_speed": 0.01}
    assert laws.Stribeck(**curve, velocity_tolerance=1e-4).parameters == (0.1, 0.2, 0.01, 1e-4, 2.0, 0.0)
    assert laws.LuGre(**curve, bristle_stiffness=1e5, bristle_damping=0.3).parameters == (0.1, 0.2, 0.01, 1e5, 0.3, 0.0)
