"""Oils: reference viscosities, the standards' own fixed points, refused input."""

from __future__ import annotations

import re

import pytest

import references
from gudgeon import oils
from gudgeon.errors import ModelError

TABLE = references.load("fits_and_oils")["reference"]


@pytest.mark.parametrize("case", TABLE["viscosity_mPa_s_DIN31652_rho900"], ids=lambda c: f"VG {c['vg']} {c['T_C']}")
def test_grades(case):
    assert 1e3 * oils.viscosity(f"ISO VG {case['vg']}", case["T_C"]) == pytest.approx(case["eta"], rel=1e-5)


@pytest.mark.parametrize("case", TABLE["walther_mm2_s"], ids=lambda c: f"{c['nu40']}/{c['nu100']} {c['T_C']}")
def test_data_sheets(case):
    nu = oils.kinematic_viscosity(nu40=case["nu40"], nu100=case["nu100"], temperature=case["T_C"])
    assert 1e6 * nu == pytest.approx(case["nu"], rel=1e-5)


@pytest.mark.parametrize("grade", oils.GRADES)
def test_a_grade_is_its_viscosity_at_40_degrees(grade):
    """ISO 3448; the formula's exponent is 1 − 3.2e-6 there, its constants being rounded."""
    assert oils.viscosity(f"VG{grade}", 40.0) == pytest.approx(900.0 * grade * 1e-6, rel=3e-5)
    assert oils.viscosity(f"iso vg {grade}", 40.0, density=870.0) == pytest.approx(870.0 * grade * 1e-6, rel=3e-5)


def test_line_goes_through_its_points():
    """And through one of a published example: SAE 140, 404 and 28 mm²/s, has 132.1 at 60 °C."""
    for T, nu in ((40.0, 404.0), (100.0, 28.0)):
        assert 1e6 * oils.kinematic_viscosity(nu40=404, nu100=28, temperature=T) == pytest.approx(nu, rel=1e-12)
    assert 1e6 * oils.kinematic_viscosity(nu40=404, nu100=28, temperature=60) == pytest.approx(132.126, rel=1e-4)


def test_dynamic_from_kinematic():
    nu = oils.kinematic_viscosity(nu40=46, nu100=6.8, temperature=80)
    eta = oils.viscosity(nu40=46, nu100=6.8, temperature=80, density=870.0)
    assert eta == pytest.approx(nu * oils.density(870.0, 80.0))
    assert oils.density(870.0, 60.0) == pytest.approx(844.5525)


def test_a_typical_data_sheet_agrees_with_its_grade():
    for T in (20.0, 60.0, 100.0):
        sheet = oils.viscosity(nu40=46, nu100=6.8, temperature=T)
        assert oils.viscosity("ISO VG 46", T) == pytest.approx(sheet, rel=0.08)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: oils.viscosity("ISO VG 46", 180),
            "temperature is 180 °C; an oil known by its grade (ISO VG 46) is told",
        ),
        (lambda: oils.viscosity("ISO VG 46", 333.15), "from 0 to 120 °C; in °C: 333.15 K is 60"),
        (lambda: oils.viscosity("ISO VG 46"), "oils.viscosity: at which temperature? give temperature= [°C]"),
        (
            lambda: oils.viscosity("ISO VG 40", 60),
            "there is no grade ISO VG 40 between 10 and 1500; the nearest is ISO VG 46",
        ),
        (lambda: oils.viscosity("10W-40", 60), "oil is '10W-40'; give an ISO grade, as 'ISO VG 46', or nu40="),
        (lambda: oils.viscosity(temperature=60), "oils.viscosity: which oil? give its grade"),
        (lambda: oils.viscosity("VG 46", 60, nu40=46), "oils.viscosity: which oil?"),
        (lambda: oils.viscosity("VG 46", 60, density=0.9), "density is 0.9 kg/m³; oils have 800 to 1000"),
        (
            lambda: oils.viscosity(nu40=46e-6, nu100=6.8e-6, temperature=60),
            "nu40 is 4.6e-05 mm²/s; Walther's line holds above 2 mm²/s; in mm²/s, as on the data sheet: 46",
        ),
        (lambda: oils.viscosity(nu40=6.8, nu100=46, temperature=60), "oils are thinner when hot: exchanged?"),
        (lambda: oils.viscosity(nu40=46, nu100=6.8, temperature=190), "this oil has 1.78 mm²/s at 190 °C"),
        (lambda: oils.kinematic_viscosity(nu40=46, nu100=6.8, temperature=-80), "from -70 to 370 °C"),
        (lambda: oils.density(870.0, 400.0), "temperature is 400 °C; the density of an oil is told from -20 to 200 °C"),
    ],
)
def test_refused(make, message):
    with pytest.raises(ModelError, match=re.escape(message)):
        make()
