"""Line laws: exact elasticity, the papers' own formulas solved the other way round, limits, losses, refused input."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np
import pytest
from compiled_law import check_compiled_equals_python
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad, solve_ivp

import reference_pin_in_bore
import references
from gudgeon import laws
from gudgeon.errors import ModelError
from gudgeon.laws.forms import check_law, law_form

ELASTICITY = references.load("pin_in_bore")["reference"]
STEEL = laws.contact_modulus("steel")
PTFE = {"radius": 0.010, "thickness": 0.5e-3, "youngs_modulus": 0.5e9, "poissons_ratio": 0.46}
EVERY_LAW = [
    laws.PinInBore(modulus=STEEL, clearance=50e-6),
    laws.PinInBore(modulus=STEEL, clearance=0.0, wall=1.3, damping=0.2),
    laws.Johnson(modulus=STEEL, clearance=50e-6, loss=0.14),
    laws.Radzimovsky(modulus=STEEL, clearance=50e-6, damping=0.1425),
    laws.ESDU78035(modulus=STEEL, clearance=50e-6),
    laws.Pereira(modulus=STEEL, clearance=50e-6, loss=0.3),
    laws.LiuZhangYang(modulus=STEEL, clearance=50e-6, damping=0.1),
    laws.Liner(clearance=20e-6, loss=0.5, **PTFE),
    laws.SphereAsPin(stiffness=6.61e10, length=0.020, loss=0.1425),
]
LOGARITHMIC = {  # δ πE*/F′ as printed, over L = ln(πE*ΔR/F′)
    laws.Johnson: lambda L: math.log(4.0) + L - 1.0,
    laws.Radzimovsky: lambda L: 2.0 / 3.0 + L,
    laws.ESDU78035: lambda L: math.log(4.0) + L + 1.0,
}
named = pytest.mark.parametrize("law", EVERY_LAW, ids=lambda law: type(law).__name__)


def elastic(law, delta):
    return law.line_force(delta, 0.0, 1.0, law.parameters)


def test_a_steel_pin():
    """R 10 mm, c 0.05 mm, L 20 mm, 5 µm deep: 10 856.138 N."""
    law = laws.pin_in_bore(radius=0.010, clearance=50e-6, materials="steel", restitution=1.0)
    assert 0.020 * elastic(law, 5e-6) == pytest.approx(10856.138161811328, rel=1e-12)


@pytest.mark.parametrize("wall", [1.5, 2.0, 5.0])
def test_default_law_against_published_elasticity(wall):
    for depth, force, _ in ELASTICITY[f"R_o/R={wall:.1f}"]:
        assert elastic(laws.PinInBore(modulus=1.0, clearance=1.0, wall=wall), depth) == pytest.approx(force, rel=0.034)


def test_our_elasticity_is_that_of_the_reference():
    """Two codes: within 0.1 %, the reference's own tolerance for another one."""
    for wall in (1.5, 2.0, 5.0):
        for depth, force, angle in ELASTICITY[f"R_o/R={wall:.1f}"]:
            if angle > 4.0:
                reach = math.radians(min(1.5 * angle, 120.0))
                assert reference_pin_in_bore.force(wall, depth, reach) == pytest.approx(force, rel=1e-3), (wall, depth)


@pytest.mark.parametrize("wall", [1.25, 1.37, 1.73, 2.45, 3.0, 3.9, 7.1, 10.0])
def test_default_law_between_the_walls_of_its_table(wall):
    law = laws.PinInBore(modulus=1.0, clearance=1.0, wall=wall)
    for depth in (0.1, 0.3, 1.0, 3.0, 10.0, 100.0):
        exact = reference_pin_in_bore.force(wall, depth, math.radians(130.0))
        assert elastic(law, depth) == pytest.approx(exact, rel=0.035), depth


@given(st.floats(1e-9, 1e-3), st.floats(0.0, 1e-3), st.floats(1.25, 10.0), st.floats(1e9, 1e12))
def test_default_law_scales_and_grows(delta, clearance, wall, modulus):
    """f′ = E* ΔR Φ(δ/ΔR); faster than δ, slower than δ²; a thicker wall is softer."""
    law = laws.PinInBore(modulus=modulus, clearance=clearance, wall=wall)
    scaled = laws.PinInBore(modulus=2.0 * modulus, clearance=3.0 * clearance, wall=wall)
    assert elastic(scaled, 3.0 * delta) == pytest.approx(6.0 * elastic(law, delta), rel=1e-12)
    assert 2.0 - 1e-12 <= elastic(law, 2.0 * delta) / elastic(law, delta) < 4.0
    if wall < 9.0:
        assert elastic(laws.PinInBore(modulus=modulus, clearance=clearance, wall=1.1 * wall), delta) < elastic(
            law, delta
        )


def test_no_clearance_is_linear():
    law = laws.PinInBore(modulus=1e11, clearance=0.0)
    assert elastic(law, 7e-6) == pytest.approx(math.pi * 1e11 * 7e-6 / 1.1016)


@pytest.mark.parametrize("kind", LOGARITHMIC)
@given(x=st.floats(1e-12, 0.9999))
def test_logarithmic_laws_solve_their_formula(kind, x):
    """Put the force back into the printed formula δ(F′); x is the depth of the deepest."""
    law = kind(modulus=STEEL, clearance=50e-6)
    delta = x * law.deepest
    force = elastic(law, delta)
    bracket = LOGARITHMIC[kind](math.log(math.pi * STEEL * 50e-6 / force))
    assert force / (math.pi * STEEL) * bracket == pytest.approx(delta, rel=1e-12)
    assert bracket >= 1.0  # the branch on which force grows with depth


def test_radzimovsky_as_printed():
    """With radii and width: they cancel."""
    R_i, R_j = 0.010, 0.00995
    law = laws.Radzimovsky(modulus=STEEL, clearance=R_i - R_j)
    force = elastic(law, 5e-6)
    b = 2.0 * math.sqrt(4.0 * force * R_i * R_j / (math.pi * STEEL * (R_i - R_j)))
    bracket = 2.0 / 3.0 + math.log(4.0 * R_i / b) + math.log(4.0 * R_j / b)
    assert force / (math.pi * STEEL) * bracket == pytest.approx(5e-6, rel=1e-12)


@pytest.mark.parametrize(
    ("kind", "limit"), [(laws.Johnson, 4 / math.e**2), (laws.Radzimovsky, math.exp(-1 / 3)), (laws.ESDU78035, 4.0)]
)
def test_logarithmic_laws_are_void_beyond_their_limit(kind, limit):
    law = kind(modulus=STEEL, clearance=50e-6)
    assert law.deepest == pytest.approx(limit * 50e-6)
    assert elastic(law, 0.999999 * law.deepest) > 0.0
    assert math.isnan(elastic(law, 1.000001 * law.deepest))


def test_ratios_to_exact_elasticity():
    """What each docstring says of R_o/R = 2 and 5 … 20 % of the clearance."""
    for depth in (0.05, 0.1, 0.2):
        exact = reference_pin_in_bore.force(2.0, depth, math.radians(45.0)) * STEEL * 50e-6
        ratio = {type(law): elastic(law, depth * 50e-6) / exact for law in EVERY_LAW}
        assert 0.79 < ratio[laws.Johnson] < 0.91
        assert 0.74 < ratio[laws.Radzimovsky] < 0.87
        assert 0.41 < ratio[laws.ESDU78035] < 0.71
        assert 0.16 < ratio[laws.LiuZhangYang] < 0.41
        assert 0.6 < ratio[laws.Pereira] < 1.1


def test_johnson_is_right_for_a_wall_of_three():
    exact = reference_pin_in_bore.force(3.0, 0.05, math.radians(45.0)) * STEEL * 50e-6
    assert elastic(laws.Johnson(modulus=STEEL, clearance=50e-6), 2.5e-6) == pytest.approx(exact, rel=0.05)


@pytest.mark.parametrize("clearance", [0.01, 0.1, 0.34, 0.36, 2.0])
def test_pereira_in_the_units_of_its_paper(clearance):
    """mm and MPa: N/mm; Y is continuous at 0.34954 mm."""
    Y = 1.51 * math.log(1000 * clearance) ** -0.151 if clearance < 0.34954 else 0.0151 * clearance + 1.151
    n = Y * clearance**-0.005
    expected = (0.965 * clearance + 0.0965) * (STEEL / 1e6) / clearance * 0.004**n
    assert elastic(laws.Pereira(modulus=STEEL, clearance=clearance / 1e3), 4e-6) / 1e3 == pytest.approx(expected)
    below, above = (laws.Pereira(modulus=STEEL, clearance=x * 0.34954e-3).exponent for x in (1 - 1e-9, 1 + 1e-9))
    assert below == pytest.approx(above, rel=1e-4)


@given(st.floats(0.0, 1e-3), st.floats(1e-9, 0.49e-3))
def test_liner_is_the_sum_of_its_pressures(clearance, delta):
    law = laws.Liner(clearance=clearance, **PTFE)
    k = laws.elastic_layer(**{field: PTFE[field] for field in ("thickness", "youngs_modulus", "poissons_ratio")})
    e = clearance + delta
    end = math.acos(clearance / e)
    total, _ = quad(lambda u: (e * math.cos(end * u) - clearance) * math.cos(end * u) * end, -1.0, 1.0, epsrel=1e-12)
    assert elastic(law, delta) == pytest.approx(k * PTFE["radius"] * total, rel=1e-6)
    sine, cosine = math.sin(end), math.cos(end)
    if end > 0.3:
        closed = e * (end + sine * cosine) - 2.0 * clearance * sine
        assert elastic(law, delta) == pytest.approx(k * PTFE["radius"] * closed, rel=1e-9)


def test_liner_series_meets_the_closed_form():
    """At 2θ₀ = ½."""
    law = laws.Liner(clearance=20e-6, **PTFE)
    delta = 20e-6 * (1.0 / math.cos(0.25) - 1.0)
    below, above = (elastic(law, (1.0 + s) * delta) for s in (-1e-9, 1e-9))
    assert above / below - 1.0 == pytest.approx(3e-9, abs=2e-9)


def test_sphere_as_pin_is_the_ball_whatever_the_length():
    ball = laws.LankaraniNikravesh(stiffness=6.61e10, restitution=0.9)
    for length in (0.01, 0.02):
        law = laws.SphereAsPin(stiffness=6.61e10, length=length, loss=0.1425)
        for rate in (-0.5, 0.0, 0.7):
            expected = ball.normal_force(1e-5, rate, 0.8, ball.parameters)
            assert length * law.line_force(1e-5, rate, 0.8, law.parameters) == pytest.approx(expected)


@named
def test_grows_from_zero_and_never_pulls(law):
    deepest = min(law.deepest, 60e-6)
    depths = np.linspace(0.0, 0.99, 200) * deepest
    forces = [elastic(law, d) for d in depths]
    assert forces[0] == 0.0 and elastic(law, -1e-6) == 0.0
    assert np.all(np.diff(forces) > 0.0)
    for rate in (-1e6, -1.0, 0.0, 1.0):
        assert law.line_force(0.5 * deepest, rate, 0.3, law.parameters) >= 0.0


@named
def test_compiled_equals_python(law):
    depths = [x * min(law.deepest, 60e-6) for x in (-0.1, 0.0, 1e-9, 1e-3, 0.1, 0.5, 0.9999, 1.1)]
    arguments = [(d, v, u) for d in depths for v in (-20.0, -0.1, 0.0, 0.4) for u in (1e-4, 1.0)]
    check_compiled_equals_python(type(law).line_force, arguments, law)


@named
def test_loss_does_not_move_the_elastic_force(law):
    """f′ (1 + (c_d + χ/v) δ̇)."""
    delta = 0.1 * min(law.deepest, 60e-6)
    factor = law.damping + law.loss / 0.8
    damped = law.line_force(delta, 0.5, 0.8, law.parameters)
    assert damped == pytest.approx(elastic(law, delta) * (1.0 + 0.5 * factor), rel=1e-14)


@pytest.mark.parametrize("restitution", [0.05, 0.3, 0.5, 0.9, 0.999999, 1.0])
def test_loss_factor_returns_its_restitution(restitution):
    chi = laws.loss_factor(restitution)
    law = laws.PinInBore(modulus=STEEL, clearance=50e-6, loss=chi)
    assert laws.recovered_restitution(law) == pytest.approx(restitution, abs=1e-12)
    assert chi * restitution < 1.0


def test_restitution_of_a_bounce():
    """A mass on 20 mm of pin: e at the reference speed, less above it; with memory the same at all speeds."""

    def bounce(law, speed):
        def rate(t, y):
            return y[1], -0.020 * law.line_force(y[0], y[1], speed, law.parameters) / 0.1

        def leaves(t, y):
            return y[0]

        leaves.terminal, leaves.direction = True, -1
        run = solve_ivp(rate, (0.0, 1e-2), (0.0, speed), events=leaves, rtol=1e-10, atol=1e-14, method="DOP853")
        return -run.y[1, -1] / speed

    made = {"radius": 0.010, "clearance": 50e-6, "materials": "steel", "restitution": 0.8}
    without = laws.pin_in_bore(**made, reference_speed=0.5)
    assert bounce(without, 0.5) == pytest.approx(0.8, abs=1e-7)
    assert laws.recovered_restitution(without, impact_speed=0.5) == pytest.approx(0.8, abs=1e-9)
    assert bounce(without, 1.0) < 0.7
    remembers = laws.pin_in_bore(**made, reference_speed=None)
    assert (remembers.damping, without.loss) == (0.0, 0.0)
    assert bounce(remembers, 0.5) == pytest.approx(0.8, abs=1e-7)
    assert bounce(remembers, 2.0) == pytest.approx(0.8, abs=1e-7)


def test_two_materials():
    """1/E* = Σ (1 − ν²)/E, in any order."""
    expected = 1.0 / ((1.0 - 0.34**2) / 115e9 + (1.0 - 0.30**2) / 207e9)
    assert laws.contact_modulus(("bronze", "steel")) == pytest.approx(expected)
    assert laws.contact_modulus(("steel", "bronze")) == pytest.approx(expected)
    assert laws.contact_modulus("steel") == pytest.approx(113736263736.26373)


def test_repr_says_what_was_taken():
    law = laws.pin_in_bore(radius=0.010, clearance=12e-6, materials="steel", restitution=1.0)
    assert repr(law) == "PinInBore(modulus=113736263736.26373, clearance=1.2e-05, damping=0.0, loss=0.0, wall=2.0)"


def test_thrust_face():
    """Steel 10/14 mm: 1.056e13 N/m³; over its annulus it is the punch, 2 E* R_c [N/m]."""
    k = laws.thrust_face(inner_radius=0.010, collar_radius=0.014, materials="steel")
    assert k == pytest.approx(1.056e13, rel=5e-4)
    assert k * math.pi * (0.014**2 - 0.010**2) == pytest.approx(2.0 * STEEL * 0.014)


@named
def test_a_joint_tries_it_as_deep_as_it_holds(law):
    check_law("Dry 'pin'", "contact", law, laws.LineLaw, 50e-6)


def test_own_line_laws():
    """A function, or a class, as for other laws."""

    @dataclass(frozen=True, kw_only=True)
    class Foundation(laws.LineLaw):
        stiffness: float

        @staticmethod
        def line_force(delta, ddelta, p):
            return p[0] * delta

    check_law("Dry", "contact", Foundation(stiffness=1e11), laws.LineLaw, 50e-6)
    check_law("Dry", "contact", lambda delta, ddelta: 1e11 * delta * (1.0 + 0.1 * ddelta), laws.LineLaw, 50e-6)
    assert law_form("Dry: contact", Foundation(stiffness=2.0), laws.LineLaw)(3.0, 0.0, 1.0) == 6.0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: law_form("Dry: contact", EVERY_LAW[0], laws.ContactLaw),
            "Dry: contact: PinInBore is a LineLaw; give a ContactLaw",
        ),
        (
            lambda: law_form("Dry: contact", laws.Hertz(stiffness=1e10), laws.LineLaw),
            "Dry: contact: Hertz is a ContactLaw; give a LineLaw",
        ),
        (
            lambda: check_law("Dry", "contact", lambda delta, ddelta: 1e3 + delta, laws.LineLaw, 50e-6),
            "it must grow from 0 where contact begins",
        ),
        (
            lambda: laws.PinInBore(modulus=STEEL, clearance=1e-5, wall=1.1),
            "PinInBore: wall is 1.1; outer radius over bore radius of the bearing must lie between 1.25 and 10: take "
            "the nearer end for a thick body, gd.laws.Liner for a thin shell",
        ),
        (lambda: laws.PinInBore(modulus=STEEL, clearance=1e-5, wall=12.0), "PinInBore: wall is 12; "),
        (lambda: laws.PinInBore(modulus=0.0, clearance=1e-5), "PinInBore: modulus is 0; it must be positive"),
        (lambda: laws.Johnson(modulus=STEEL, clearance=0.0), "Johnson: clearance is 0; it must be positive"),
        (
            lambda: laws.Johnson(modulus=STEEL, clearance=1e-5, damping=0.1, loss=0.1),
            "Johnson: damping is 0.1 s/m and loss is 0.1; both state the loss of a contact: give damping (without "
            "memory) or loss",
        ),
        (
            lambda: laws.Pereira(modulus=STEEL, clearance=3e-6),
            "Pereira: clearance is 3e-06 m; the fit holds from 5e-6 to 0.01 m: use gd.laws.PinInBore",
        ),
        (
            lambda: laws.Liner(clearance=1e-5, **{**PTFE, "thickness": 3e-3}),
            "Liner: thickness is 0.003 m in a bore of radius 0.01 m; a layer is thin, at most 0.25 of the radius",
        ),
        (lambda: laws.Liner(clearance=1e-5, **{**PTFE, "poissons_ratio": 0.5}), "poissons_ratio is 0.5; it must be"),
        (
            lambda: laws.pin_in_bore(radius=0.010, clearance=9.95e-3, materials="steel"),
            "pin_in_bore: clearance is 0.00995 m in a bore of radius 0.01 m; the law is that of a pin that nearly "
            "fills its bore: give bore radius minus pin radius, 0 to 0.1 of the radius",
        ),
        (
            lambda: laws.pin_in_bore(radius=0.010, clearance=1e-5, materials="stele"),
            "pin_in_bore: materials: there is no 'stele'; did you mean 'steel'?",
        ),
        (
            lambda: laws.pin_in_bore(radius=0.010, clearance=1e-5, materials="steel", restitution=0.0),
            "loss_factor: restitution is 0; it must be above 0, where χ is infinite, and at most 1",
        ),
        (
            lambda: laws.pin_in_bore(radius=0.010, clearance=1e-5, materials="steel", reference_speed=0.0),
            "pin_in_bore: reference_speed is 0 m/s; it must be positive, or None for all speeds",
        ),
        (
            lambda: laws.thrust_face(inner_radius=0.014, collar_radius=0.010, materials="steel"),
            "thrust_face: collar_radius is 0.01 m, inner_radius 0.014 m; the collar must be larger than the bore",
        ),
        (lambda: laws.recovered_restitution(EVERY_LAW[3]), "Radzimovsky: the restitution depends on the impact speed"),
    ],
)
def test_refused(make, message):
    with pytest.raises(ModelError, match=re.escape(message)):
        make()
