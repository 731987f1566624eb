"""Contact laws: a bounce integrated with SciPy against published and closed-form restitution, peak force, duration."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import dataclass
from decimal import Decimal, localcontext
from typing import NamedTuple

import numpy as np
import pytest
from compiled_law import check_compiled_equals_python
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.special import gamma

import references
from gudgeon import laws
from gudgeon.errors import ModelError

TABLE = references.load("contact_laws_restitution")
RECOVERED = TABLE["reference"]["recovered_restitution"]
CASE = TABLE["parameters"]["impact_case"]  # K, m, v0, n
ELASTIC = TABLE["reference"]["elastic"]

HYSTERESIS = {
    "Lankarani-Nikravesh": laws.LankaraniNikravesh,
    "Flores2011": laws.Flores,
    "Gonthier2004": laws.Gonthier,
    "Zhiying-Qishao": laws.ZhiyingQishao,
    "Gharib-Hurmuzlu2012": laws.GharibHurmuzlu,
    "Hu-Guo2015": laws.HuGuo,
    "Lee-Wang1983": laws.LeeWang,
    "Herbert-McWhannell": laws.HerbertMcWhannell,
}
BY_RESTITUTION = {"Hunt-Crossley": laws.HuntCrossley, **HYSTERESIS}
CHI = {  # as written in the reference file
    "Hunt-Crossley": lambda e: 1.5 * (1 - e),
    "Lankarani-Nikravesh": lambda e: 0.75 * (1 - e**2),
    "Flores2011": lambda e: 8 * (1 - e) / (5 * e),
    "Gonthier2004": lambda e: (1 - e**2) / e,
    "Zhiying-Qishao": lambda e: 0.75 * (1 - e**2) * math.exp(2 * (1 - e)),
    "Gharib-Hurmuzlu2012": lambda e: 1 / e,
    "Hu-Guo2015": lambda e: 1.5 * (1 - e) / e,
    "Lee-Wang1983": lambda e: 0.75 * (1 - e),
    "Herbert-McWhannell": lambda e: 6 * (1 - e) / ((2 * e - 1) ** 2 + 3),
}
DIVIDE_BY_RESTITUTION = (laws.Flores, laws.Gonthier, laws.GharibHurmuzlu, laws.HuGuo)
EVERY_LAW = [
    laws.Hertz(stiffness=6.61e10),
    laws.KelvinVoigt(stiffness=1e7, damping=300.0),
    laws.HuntCrossley(stiffness=6.61e10, damping=0.3),
    laws.HuntCrossley(stiffness=6.61e10, restitution=0.4, exponent=1.2),
    *(law(stiffness=6.61e10, restitution=0.4, exponent=1.4) for law in HYSTERESIS.values()),
]


def evaluate(law, delta, ddelta, impact_speed):
    """The force of any contact law, whether or not it knows the impact speed."""
    if isinstance(law, laws.Hertz | laws.KelvinVoigt):
        return law.normal_force(delta, ddelta, law.parameters)
    return law.normal_force(delta, ddelta, impact_speed, law.parameters)


class Bounce(NamedTuple):
    restitution: float
    penetration: float  # largest [m]
    force: float  # largest [N]
    duration: float  # [s]


def bounce(law, *, mass=CASE["m"], speed=CASE["v0"]) -> Bounce:
    """A free mass that meets the contact with `speed`, until it leaves."""

    def rate(t, y):
        return y[1], -evaluate(law, y[0], y[1], speed) / mass

    def leaves(t, y):
        return y[0]

    leaves.terminal, leaves.direction = True, -1
    run = solve_ivp(
        rate, (0.0, 1.0), (0.0, speed), "DOP853", events=leaves, dense_output=True, rtol=1e-11, atol=(1e-17, 1e-12)
    )
    delta, ddelta = run.sol(np.linspace(0.0, run.t[-1], 4001))
    force = [evaluate(law, d, dd, speed) for d, dd in zip(delta, ddelta, strict=True)]
    return Bounce(-run.y_events[0][0, 1] / speed, delta.max(), max(force), run.t_events[0][0])


@pytest.mark.parametrize("name", BY_RESTITUTION)
def test_bounce_recovers_the_tabulated_restitution(name):
    for prescribed, recovered in RECOVERED[name].items():
        law = BY_RESTITUTION[name](stiffness=CASE["K"], restitution=float(prescribed))
        assert bounce(law).restitution == pytest.approx(recovered, abs=1e-5), prescribed


@pytest.mark.parametrize("case", TABLE["reference"]["impact"])
def test_impact_table(case):
    name, restitution = case.split(" e=")
    law = BY_RESTITUTION[name](stiffness=CASE["K"], restitution=float(restitution))
    found, expected = bounce(law), TABLE["reference"]["impact"][case]
    assert found.restitution == pytest.approx(expected[0], abs=1e-5)
    assert found[1:] == pytest.approx(expected[1:], rel=1e-4)


@pytest.mark.parametrize("law", [laws.Hertz(stiffness=CASE["K"]), laws.HuntCrossley(stiffness=CASE["K"])])
def test_elastic_impact_table(law):
    expected = (ELASTIC["e"], ELASTIC["dmax"], ELASTIC["Fmax"], ELASTIC["tc"])
    assert bounce(law) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("exponent", [1.0, 1.5, 2.0])
def test_elastic_contact_closed_form(exponent):
    """Energy gives δ_max; t = 2 ∫ dδ/δ̇ = 2 δ_max/v₀ · √π Γ(1 + 1/(n+1))/Γ(1/2 + 1/(n+1)); Johnson (1985), 11.4."""
    n1, mass, speed = exponent + 1.0, 0.3, 0.7
    found = bounce(laws.Hertz(stiffness=1e8, exponent=exponent), mass=mass, speed=speed)
    deepest = (n1 * mass * speed**2 / (2.0 * 1e8)) ** (1.0 / n1)
    duration = 2.0 * deepest / speed * math.sqrt(math.pi) * gamma(1.0 + 1.0 / n1) / gamma(0.5 + 1.0 / n1)
    assert found == pytest.approx((1.0, deepest, 1e8 * deepest**exponent, duration), rel=1e-6)


def test_contact_time_factor_of_hertz():
    """2.943275184 δ_max/v₀ (reference file; Johnson (1985), section 11.4, prints 2.94)."""
    found = bounce(laws.Hertz(stiffness=CASE["K"]))
    assert found.duration * CASE["v0"] / found.penetration == pytest.approx(2.943275184, rel=1e-6)


@pytest.mark.parametrize("damping", [10.0, 100.0, 400.0])
def test_kelvin_voigt_restitution_closed_form(damping):
    """e = exp(−β t), ω t = π − arctan(2 β ω/(ω² − β²)): f never pulls; Schwager & Pöschel (2007), Granular Matter 9."""
    stiffness, mass = 1e6, 0.2
    beta = damping / (2.0 * mass)
    omega = math.sqrt(stiffness / mass - beta**2)
    assert beta < omega  # the branch of the formula
    free = (math.pi - math.atan(2.0 * beta * omega / (omega**2 - beta**2))) / omega
    found = bounce(laws.KelvinVoigt(stiffness=stiffness, damping=damping), mass=mass)
    assert found.restitution == pytest.approx(math.exp(-beta * free), rel=1e-6)


def test_kelvin_voigt_jumps_at_the_onset():
    law = laws.KelvinVoigt(stiffness=1e6, damping=100.0)
    assert law.normal_force(1e-15, 0.5, law.parameters) == pytest.approx(50.0)  # D δ̇
    assert law.normal_force(0.0, 0.5, law.parameters) == 0.0


def test_hunt_crossley_material_loses_more_at_speed():
    """e ≈ 1 − c v for small c v: Hunt & Crossley (1975)."""
    law = laws.HuntCrossley(stiffness=CASE["K"], damping=0.1)
    for speed in (0.01, 0.1):
        assert bounce(law, speed=speed).restitution == pytest.approx(1.0 - 0.1 * speed, abs=(0.1 * speed) ** 2)
    assert bounce(law, speed=2.0).restitution < bounce(law, speed=1.0).restitution


@pytest.mark.parametrize("name", BY_RESTITUTION)
def test_recovered_restitution_matches_the_table(name):
    for prescribed, recovered in RECOVERED[name].items():
        law = BY_RESTITUTION[name](stiffness=3e9, restitution=float(prescribed), exponent=1.3)
        assert laws.recovered_restitution(law) == pytest.approx(recovered, abs=1e-9), prescribed


@pytest.mark.parametrize("name", [name for name in BY_RESTITUTION if name != "Gharib-Hurmuzlu2012"])
def test_restitution_one_is_elastic(name):
    assert laws.recovered_restitution(BY_RESTITUTION[name](stiffness=1e10, restitution=1.0)) == 1.0


@pytest.mark.parametrize("damping", [1e-9, 6.6e-5, 6.7e-5, 1e-3, 1.0, 1e3])
def test_recovered_restitution_to_rounding(damping):
    """χ = 3/2 c v₀ over both branches of the solution, against bisection in 60 digits."""
    with localcontext() as context:
        context.prec = 60
        chi = Decimal(damping) * 3 / 2
        low, high = Decimal(0), min(Decimal(1), 1 / chi)
        for _ in range(150):
            middle = (low + high) / 2
            late = ((1 + chi) / (1 - chi * middle)).ln() > chi * (1 + middle)
            low, high = (low, middle) if late else (middle, high)
    law = laws.HuntCrossley(stiffness=1e10, damping=damping)
    assert laws.recovered_restitution(law, impact_speed=1.0) == pytest.approx(float(low), rel=3e-12)


@dataclass(frozen=True, kw_only=True)
class Progressive(laws.ContactLaw):
    """A user's law of the form g(δ) (1 + χ δ̇/v₀) that is no power law."""

    stiffness: float
    chi: float

    @staticmethod
    def normal_force(delta, ddelta, impact_speed, p):
        return p[0] * (delta + 1e5 * delta**2) * (1.0 + p[1] * ddelta / impact_speed) if delta > 0.0 else 0.0


@dataclass(frozen=True, kw_only=True)
class CompressionOnly(laws.ContactLaw):
    """A user's law that damps on the way in only."""

    stiffness: float

    @staticmethod
    def normal_force(delta, ddelta, p):
        return p[0] * delta * (1.0 + max(ddelta, 0.0)) if delta > 0.0 else 0.0


def test_recovered_restitution_of_own_law():
    law = Progressive(stiffness=1e7, chi=0.8)
    assert laws.recovered_restitution(law) == pytest.approx(bounce(law).restitution, abs=1e-7)


def test_recovered_restitution_at_a_speed():
    law = laws.HuntCrossley(stiffness=CASE["K"], damping=0.4)
    assert laws.recovered_restitution(law, impact_speed=0.5) == pytest.approx(bounce(law).restitution, abs=1e-7)


@given(
    name=st.sampled_from(list(BY_RESTITUTION)),
    stiffness=st.floats(1e3, 1e12),
    restitution=st.floats(0.01, 1.0),
    exponent=st.floats(1.0, 3.0),
    delta=st.floats(1e-9, 1e-3),
    ddelta=st.floats(-10.0, 10.0),
    impact_speed=st.floats(1e-4, 10.0),
)
def test_formula_never_attractive_and_dissipative(name, stiffness, restitution, exponent, delta, ddelta, impact_speed):
    law = BY_RESTITUTION[name](stiffness=stiffness, restitution=restitution, exponent=exponent)
    elastic = stiffness * delta**exponent
    gain = CHI[name](restitution) * ddelta / impact_speed
    force = evaluate(law, delta, ddelta, impact_speed)
    assert force == pytest.approx(max(elastic * (1.0 + gain), 0.0), rel=1e-12, abs=1e-13 * elastic * (1.0 + abs(gain)))
    assert force >= 0.0
    assert (force - elastic) * ddelta >= -1e-12 * elastic * abs(ddelta)


@pytest.mark.parametrize("law", EVERY_LAW)
@pytest.mark.parametrize("delta", [-1e-3, -1e-12, 0.0])
def test_no_contact_no_force(law, delta):
    assert [evaluate(law, delta, ddelta, 0.5) for ddelta in (-1.0, 0.0, 1.0)] == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("law", EVERY_LAW)
def test_slightest_contact_has_a_force(law):
    power = 1.0 if isinstance(law, laws.KelvinVoigt) else law.exponent
    assert evaluate(law, 1e-10, 0.0, 0.5) == pytest.approx(law.stiffness * 1e-10**power)


@pytest.mark.parametrize("law", EVERY_LAW[1:])
def test_fast_rebound_has_no_force(law):
    assert evaluate(law, 1e-6, -1e4, 0.5) == 0.0


@pytest.mark.parametrize("law", EVERY_LAW)
def test_not_a_number_passes(law):
    assert math.isnan(evaluate(law, math.nan, 0.1, 0.5))


@pytest.mark.parametrize("law", EVERY_LAW, ids=lambda law: type(law).__name__)
def test_compiled_equals_python(law):
    deltas, rates, speeds = (-1e-5, 0.0, 1e-12, 1e-6, 3e-5), (-5.0, -0.2, 0.0, 0.1, 3.0), (1e-4, 0.5)
    arguments = list(itertools.product(deltas, rates, speeds))
    if isinstance(law, laws.Hertz | laws.KelvinVoigt):
        arguments = [(delta, ddelta) for delta, ddelta, _ in arguments]
    check_compiled_equals_python(law.normal_force, arguments, law)


@pytest.mark.parametrize("law", DIVIDE_BY_RESTITUTION)
def test_zero_restitution_is_refused(law):
    message = f"{law.__name__}: restitution is 0, where this law has infinite damping; give a value above 0, or use "
    with pytest.raises(ModelError, match=re.escape(message + "LankaraniNikravesh or ZhiyingQishao")):
        law(stiffness=1e10, restitution=0.0)


@pytest.mark.parametrize("law", [x for x in BY_RESTITUTION.values() if x not in DIVIDE_BY_RESTITUTION])
def test_zero_restitution_is_finite(law):
    assert 0.0 < laws.recovered_restitution(law(stiffness=1e10, restitution=0.0)) < 0.7


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: laws.Hertz(stiffness=0.0), "Hertz: stiffness is 0; it must be positive"),
        (lambda: laws.Hertz(stiffness=1e9, exponent=-1.0), "Hertz: exponent is -1; it must be positive"),
        (lambda: laws.KelvinVoigt(stiffness=1.0, damping=-2.0), "KelvinVoigt: damping is -2; it must not be negative"),
        (
            lambda: laws.LeeWang(stiffness=1.0, restitution=1.2),
            "LeeWang: restitution is 1.2; it must lie between 0 and 1",
        ),
        (lambda: laws.Flores(stiffness="1e9", restitution=0.5), "Flores: stiffness is '1e9'; give a number"),
        (
            lambda: laws.HuntCrossley(stiffness=1e9, damping=0.001, restitution=0.5),
            "HuntCrossley: damping is 0.001 and restitution is 0.5; "
            "both state the same loss, give one and leave out the other",
        ),
        (
            lambda: laws.recovered_restitution(laws.KelvinVoigt(stiffness=1e6, damping=10.0)),
            "KelvinVoigt: the force is not g(δ) (1 + χ δ̇/v₀), the form whose restitution is known; "
            "simulate a bounce instead",
        ),
        (
            lambda: laws.recovered_restitution(CompressionOnly(stiffness=1e6)),
            "CompressionOnly: the force is not g(δ) (1 + χ δ̇/v₀)",
        ),
        (
            lambda: laws.recovered_restitution(Progressive(stiffness=1e6, chi=-0.2)),
            "Progressive: the damping factor χ is -0.2; a law that feeds a bounce has no restitution",
        ),
        (
            lambda: laws.recovered_restitution(Progressive(stiffness=0.0, chi=0.2)),
            "Progressive: the force is not g(δ)",
        ),
        (
            lambda: laws.recovered_restitution(laws.HuntCrossley(stiffness=1e9, damping=0.1)),
            "HuntCrossley: the restitution depends on the impact speed; give impact_speed= [m/s]",
        ),
        (
            lambda: laws.recovered_restitution(laws.Hertz(stiffness=1e9), impact_speed=0.0),
            "recovered_restitution: impact_speed is 0; it must be positive",
        ),
        (
            lambda: laws.recovered_restitution(0.9),
            "recovered_restitution: law is 0.9; give a contact law such as Hertz",
        ),
    ],
)
def test_errors(make, message):
    with pytest.raises(ModelError, match=re.escape(message)):
        make()
