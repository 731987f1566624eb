"""ISO 286: published limits, the formulas behind the table, rules between holes and shafts, refused fits."""

from __future__ import annotations

import math
import re

import pytest

import references
from gudgeon import fits, materials
from gudgeon.errors import ModelError
from gudgeon.inputs import iso286

CLEARANCES = references.load("fits_and_oils")["reference"]["radial_clearance_um"]
PUBLISHED = [  # ISO 286-2 (2010) and its corrigendum of 2006; nominal size [mm], zone, lower and upper [µm]
    (20, "H7", 0, 21),
    (20, "g6", -20, -7),
    (20, "h6", -13, 0),
    (10, "H7", 0, 15),
    (20, "k6", 2, 15),
    (20, "m6", 8, 21),
    (20, "n6", 15, 28),
    (20, "p6", 22, 35),
    (20, "s6", 35, 48),
    (20, "f7", -41, -20),
    (20, "js6", -6.5, 6.5),
    (20, "K7", -15, 6),
    (20, "M7", -21, 0),
    (20, "N7", -28, -7),
    (20, "P7", -35, -14),
    (20, "N9", -52, 0),
    (20, "S7", -48, -27),
    (20, "JS7", -10.5, 10.5),
    (60, "r6", 41, 60),
    (70, "r6", 43, 62),
    (100, "E8", 72, 126),
    (25, "R10", -112, -28),
    (300, "f9", -186, -56),
    (300, "M6", -41, -9),
    (45, "K8", -27, 12),
    (45, "M8", -34, 5),
    (400, "D10", 210, 440),
    (50, "c11", -290, -130),
    (2, "K7", -10, 0),
    (2, "N9", -29, -4),
]
TABLES = {**iso286.BELOW, **iso286.ABOVE}


def means(steps):
    """Geometric means of the steps [mm]; the first begins at 1 mm."""
    starts = (1, *steps[:-1])
    return [math.sqrt(start * end) for start, end in zip(starts, steps, strict=True)]


@pytest.mark.parametrize("case", CLEARANCES, ids=lambda case: f"{case['fit']} {case['d_mm']}")
def test_radial_clearance(case):
    found = fits.radial_clearance(case["fit"], case["d_mm"] / 1000)
    assert [x * 1e6 for x in found] == pytest.approx(case["least_mean_greatest"], abs=1e-9)


@pytest.mark.parametrize(("size", "name", "lower", "upper"), PUBLISHED)
def test_published_limits(size, name, lower, upper):
    assert fits.zone(name, size / 1000) == (lower / 1e6, upper / 1e6)


@pytest.mark.parametrize("grade", range(5, 14))
def test_tolerances_follow_the_tolerance_unit(grade):
    """7, 10, 16, 25, 40, … i with i = 0.45 ∛D + 0.001 D, irregularly rounded: 14.4 is 15 at 10 mm, 143.7 is 150."""
    factor = {5: 7, 6: 10, 7: 16, 8: 25, 9: 40, 10: 64, 11: 100, 12: 160, 13: 250}[grade]
    for k, D in list(enumerate(means(iso286.TOLERANCE_STEPS)))[1:]:
        expected = factor * (0.45 * D ** (1 / 3) + 0.001 * D)
        assert iso286.TOLERANCES[grade][k] == pytest.approx(expected, rel=0.045, abs=0.75)


@pytest.mark.parametrize(
    ("letter", "formula"),
    [
        ("d", lambda D: 16 * D**0.44),
        ("e", lambda D: 11 * D**0.41),
        ("f", lambda D: 5.5 * D**0.41),
        ("g", lambda D: 2.5 * D**0.34),
        ("k", lambda D: 0.6 * D ** (1 / 3)),
        ("n", lambda D: 5 * D**0.34),
    ],
)
def test_deviations_follow_their_formulas(letter, formula):
    for k, D in list(enumerate(means(iso286.TOLERANCE_STEPS)))[1:]:
        assert TABLES[letter][k] == pytest.approx(formula(D), rel=0.025, abs=0.9), (letter, D)


def test_deviations_that_follow_from_tolerances():
    """m = IT7 − IT6, p = IT7 + 0 … 5, s = IT8 + 1 … 4 up to 50 mm."""
    IT6, IT7, IT8 = (iso286.TOLERANCES[grade] for grade in (6, 7, 8))
    m, p, s = iso286.ABOVE["m"], iso286.ABOVE["p"], iso286.FINELY_ABOVE["s"]
    assert all(m[k] == IT7[k] - IT6[k] and 0 <= p[k] - IT7[k] <= 5 for k in range(1, 13))
    for k, D in list(enumerate(means(iso286.DEVIATION_STEPS)))[1:9]:
        value = s[k]
        assert value is not None and 1 <= value - IT8[iso286._step(iso286.TOLERANCE_STEPS, D)] <= 4


@pytest.mark.parametrize(
    ("letter", "above", "formula"),
    [
        ("a", 18, lambda D: 265 + 1.3 * D if D <= 120 else 3.5 * D),
        ("b", 3, lambda D: 140 + 0.85 * D if D <= 160 else 1.8 * D),
        ("c", 40, lambda D: 95 + 0.8 * D),
        ("r", 3, lambda D: math.sqrt(iso286._above("p", D) * iso286._above("s", D))),
        ("s", 50, lambda D: iso286.tolerance(7, D) + 0.4 * D),
        ("t", 30, lambda D: iso286.tolerance(7, D) + 0.63 * D),
        ("u", 14, lambda D: iso286.tolerance(7, D) + D),
    ],
)
def test_deviations_in_fine_steps_follow_their_formulas(letter, above, formula):
    """ISO 286-1, table of formulas; rounded to 5 or 10 µm for a, b and c."""
    loose = letter in "abc"
    for k, D in enumerate(means(iso286.DEVIATION_STEPS)):
        if above < D:
            value = {**iso286.FINELY_BELOW, **iso286.FINELY_ABOVE}[letter][k]
            assert value == pytest.approx(formula(D), rel=0.05 if loose else 0.015, abs=1.3), (letter, D)


@pytest.mark.parametrize("size", [5.0, 20.0, 70.0, 280.0, 500.0])
@pytest.mark.parametrize(("letter", "grade"), [("g", 6), ("k", 6), ("n", 6), ("p", 6), ("s", 6), ("m", 7), ("k", 7)])
def test_hole_and_shaft_basis_give_the_same_fit(letter, grade, size):
    """H7/p6 and P7/h6 have the same play: the purpose of Δ."""

    def play(hole, shaft):
        return (hole[0] - shaft[1], hole[1] - shaft[0])

    assert play(iso286.hole("h", grade + 1, size), iso286.shaft(letter, grade, size)) == play(
        iso286.hole(letter, grade + 1, size), iso286.shaft("h", grade, size)
    )


def test_steps_include_their_end():
    assert fits.zone("h6", 0.018) == (-11e-6, 0.0)
    assert fits.zone("h6", 0.0180001) == (-13e-6, 0.0)
    assert fits.zone("s6", 0.5).lower == pytest.approx(252e-6)


def test_transition_on_request():
    k6 = fits.radial_clearance("H7/k6", 0.020, transition=True)
    assert (k6.smallest, k6.mean, k6.largest) == pytest.approx((-7.5e-6, 1e-6, 9.5e-6))


def test_hot():
    """Bronze on steel, R 10 mm, +60 K: 3.6 µm more; the other way round as much less."""
    bronze, steel = materials["bronze"].expansion, materials["steel"].expansion
    assert fits.hot(12e-6, 0.010, bronze, steel, 60.0) == pytest.approx(15.6e-6)
    assert fits.hot(12e-6, 0.010, steel, bronze, 60.0) == pytest.approx(8.4e-6)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: fits.radial_clearance("H7/p6", 0.020),
            "fits.radial_clearance: H7/p6 at 20 mm is an interference fit, the pin 1 to 35 µm larger in diameter than "
            "its bore; it has no clearance and does not turn: use H7/h6 (slides), H7/g6, H7/f7 or H8/e8 (runs), or "
            "gd.Rigid for a pin that is pressed in",
        ),
        (lambda: fits.radial_clearance("H7/s6", 0.020, transition=True), "is an interference fit"),
        (
            lambda: fits.radial_clearance("H7/k6", 0.020),
            "H7/k6 at 20 mm is a transition fit, its radial clearance lies between -7.5 and 9.5 µm: some pins are "
            "tight; use H7/h6",
        ),
        (lambda: fits.radial_clearance("g6/H7", 0.020), "the hole (capital letter) comes first"),
        (lambda: fits.radial_clearance("H7", 0.020), "fit is 'H7'; give the zone of the hole and that of the shaft"),
        (lambda: fits.radial_clearance(7, 0.020), "fit is 7; give the zone of the hole"),
        (lambda: fits.radial_clearance("H7/g6", 20), "diameter is 20 m; the table goes up to 0.5 m; in metres: 20 mm"),
        (lambda: fits.zone("g6", 0.0), "diameter is 0 m; the table goes up to 0.5 m"),
        (lambda: fits.zone("j6", 0.020), "there is no zone 'j' in the table; did you mean 'js'? For another one"),
        (lambda: fits.zone("X7", 0.020), "there is no zone 'X' in the table; known are 'A', 'B'"),
        (lambda: fits.zone("Js7", 0.020), "mixes capital and small letters"),
        (lambda: fits.zone("h3", 0.020), "'h3' has grade 3; the table has grades 4 to 13"),
        (lambda: fits.zone("t6", 0.020), "the table has no 't6' at 20 mm"),
        (lambda: fits.zone("K9", 0.020), "the table has no 'K9' at 20 mm"),
        (lambda: fits.zone("a11", 0.001), "the table has no 'a11' at 1 mm"),
        (lambda: fits.zone("seven", 0.020), "'seven' is no tolerance zone; give a letter and a grade"),
        (lambda: fits.hot(3.5e-6, 0.010, 12e-6, 23e-6, 100.0), "becomes -7.5e-06 m, 100 K warmer: the journal grows"),
        (lambda: fits.hot(0.02, 0.010, 12e-6, 23e-6, 100.0), "a clearance is positive and below the radius"),
        (lambda: fits.hot(1e-5, 0.010, 12.0, 23e-6, 100.0), "expansion_bearing is 12 1/K; steel has 12e-6"),
    ],
)
def test_refused(make, message):
    with pytest.raises(ModelError, match=re.escape(message)):
        make()


def test_a_large_diameter_is_not_taken_for_millimetres():
    with pytest.raises(ModelError) as told:
        fits.zone("H7", 0.6)
    assert str(told.value) == "fits.zone: diameter is 0.6 m; the table goes up to 0.5 m"
