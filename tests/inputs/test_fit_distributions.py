"""Clearances of a fit as a distribution: limits of ISO 286, closed forms, an integration of its own by scipy."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm, trapezoid, truncnorm

import gudgeon as gd
import references

CLEARANCES = references.load("fits_and_oils")["reference"]["radial_clearance_um"]
U = np.array([1e-6, 0.01, 0.2, 0.5, 0.77, 0.99, 1.0 - 1e-6])


@pytest.mark.parametrize("capability", [None, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("case", CLEARANCES, ids=lambda case: f"{case['fit']} {case['d_mm']}")
def test_the_limits_are_those_of_the_fit(case, capability):
    of = gd.fits.clearance_distribution(case["fit"], case["d_mm"] / 1000, capability=capability)
    found = of.quantiles([0.0, 0.5, 1.0])
    assert found * 1e6 == pytest.approx(case["least_mean_greatest"], abs=1e-6)
    inside = of.quantiles(U)
    assert np.all(np.diff(inside) > 0.0) and found[0] < inside[0] and inside[-1] < found[-1]
    assert of.of.cdf(inside) == pytest.approx(U, abs=1e-10)


def test_equally_likely_sizes_give_a_trapezium():
    """20H7/g6: bores over 21 µm, pins over 13 µm of the diameter. The difference is flat where the wider covers."""
    of = gd.fits.clearance_distribution("H7/g6", 0.020, capability=None)
    exact = trapezoid(13 / 34, 21 / 34, loc=3.5e-6, scale=17e-6)
    assert of.quantiles(U) == pytest.approx(exact.ppf(U), rel=1e-9)
    assert of.of.std() == pytest.approx(exact.std(), rel=1e-12)
    assert of.of.pdf(np.array([5e-6, 12e-6, 20e-6])) == pytest.approx(exact.pdf([5e-6, 12e-6, 20e-6]), rel=1e-10)


def test_good_processes_give_a_normal_distribution():
    """At Cp = 3 a zone is 18 σ wide and nothing is cut: σ² of the clearance is (σ_H² + σ_g²)/4."""
    of = gd.fits.clearance_distribution("H7/g6", 0.020, capability=3.0)
    exact = norm(12e-6, 0.5 * np.hypot(21e-6, 13e-6) / 18.0)
    assert of.quantiles(U) == pytest.approx(exact.ppf(U), rel=1e-8)


def test_usual_processes_against_an_integral_of_scipy():
    of = gd.fits.clearance_distribution("H7/g6", 0.020)
    bore = truncnorm(-3, 3, loc=5.25, scale=10.5 / 6)  # radii [µm] beyond 10 mm
    pin = truncnorm(-3, 3, loc=-6.75, scale=6.5 / 6)
    for z in (6.0, 11.0, 15.0):
        exact = quad(lambda x, z=z: bore.pdf(x) * pin.sf(x - z), 0.0, 10.5, epsabs=1e-12, limit=200)[0]
        assert of.of.cdf(np.array(z * 1e-6)) == pytest.approx(exact, abs=1e-9)
    assert of.of.std() == pytest.approx(1e-6 * np.hypot(bore.std(), pin.std()), rel=1e-9)
    assert of.of.mean() == pytest.approx(12e-6)


@pytest.mark.parametrize(("zone", "low", "high"), [("H7", 10.0, 10.0105), ("g6", 9.99, 9.9965)])
def test_radii_of_parts(zone, low, high):
    of = gd.fits.radius_distribution(zone, 0.020)
    exact = truncnorm(-3, 3, loc=(low + high) / 2, scale=(high - low) / 6)
    assert 1e3 * of.quantiles([0.0, 1.0]) == pytest.approx([low, high], rel=1e-12)
    assert 1e3 * of.quantiles(U) == pytest.approx(exact.ppf(U), rel=1e-9)
    assert of.of.var() == pytest.approx(1e-6 * exact.var(), rel=1e-9)
    flat = gd.fits.radius_distribution(zone, 0.020, capability=None)
    assert 1e3 * flat.quantiles([0.25]) == pytest.approx(low + 0.25 * (high - low))
    assert flat.of.var() == pytest.approx(1e-6 * (high - low) ** 2 / 12)


def test_a_study_takes_it():
    """As bores and pins, or as their clearance: the same distribution of the clearance."""
    parts = gd.Samples.sobol(
        {"bore": gd.fits.radius_distribution("H7", 0.020), "pin": gd.fits.radius_distribution("g6", 0.020)}, count=4096
    )
    c = np.sort(np.subtract(parts.values["bore"], parts.values["pin"]))
    of = gd.fits.clearance_distribution("H7/g6", 0.020)
    assert np.abs(of.of.cdf(c) - (np.arange(4096) + 0.5) / 4096).max() < 0.005
    drawn = gd.Samples.latin_hypercube({"clearance [m]": of}, count=100)
    assert np.std(drawn.values["clearance [m]"]) == pytest.approx(of.of.std(), rel=0.02)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: gd.fits.clearance_distribution("H7/g6", 20.0), "in metres: 20 mm is 0.02"),
        (lambda: gd.fits.clearance_distribution("H7/p6", 0.02), "clearance_distribution: H7/p6 at 20 mm is an interf"),
        (lambda: gd.fits.clearance_distribution("H7/k6", 0.02), "with transition=True for these numbers"),
        (lambda: gd.fits.clearance_distribution("H7/g6", 0.02, capability=9.0), "capability is 9; Cp is the width of"),
        (lambda: gd.fits.radius_distribution("G", 0.02), "'G' is no tolerance zone"),
        (lambda: gd.fits.radius_distribution("H7", 0.02, capability=0.0), "None if only the limits are known"),
    ],
)
def test_mistakes(make, said):
    with pytest.raises(gd.ModelError) as caught:
        make()
    assert said in str(caught.value)


def test_a_transition_fit_has_tight_pairs():
    of = gd.fits.clearance_distribution("H7/k6", 0.020, transition=True)
    assert of.quantiles([0.0, 1.0]) == pytest.approx([-7.5e-6, 9.5e-6])
    assert 0.0 < float(of.of.cdf(np.array(0.0))) < 0.5
