"""Knot vectors: basis functions against their definition, Bézier pieces, insertion, elevation, bad ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_surfaces import random_knots

from gudgeon import ModelError
from gudgeon.nurbs import knots as kv


def curve(points, knots, degree, x):
    return kv.basis_matrix(knots, degree, x) @ points


def bernstein(control, s):
    d = len(control) - 1
    while d > 0:
        control = (1 - s) * control[:-1] + s * control[1:]
        d -= 1
    return control[0]


@given(seed=st.integers(0, 1000), degree=st.integers(1, 5), more=st.integers(0, 5), clamped=st.booleans())
def test_all_forms_are_the_same_curve(seed, degree, more, clamped):
    rng = np.random.default_rng(seed)
    count = degree + 1 + more
    knots = random_knots(rng, degree, count, clamped)
    points = rng.normal(size=(count, 4))
    low, high = knots[degree], knots[count]
    x = rng.uniform(low, high, 20)
    value = curve(points, knots, degree, x)
    np.testing.assert_allclose(kv.basis_matrix(knots, degree, x).sum(axis=1), 1.0, atol=1e-13)

    breaks = kv.breaks(knots, degree)
    pieces = kv.bezier_pieces(points, knots, degree)
    assert pieces.shape == (len(breaks) - 1, degree + 1, 4)
    for at, expected in zip(x, value, strict=True):
        k = np.searchsorted(breaks, at, side="right") - 1
        s = (at - breaks[k]) / (breaks[k + 1] - breaks[k])
        np.testing.assert_allclose(bernstein(pieces[k], s), expected, atol=1e-10)

    knot = float(rng.uniform(low, high))
    finer = kv.inserted(points, knots, degree, knot)
    np.testing.assert_allclose(curve(*finer, degree, x), value, atol=1e-12)

    higher = kv.elevated(points, knots, degree)
    np.testing.assert_allclose(curve(*higher, degree + 1, x), value, atol=1e-10)


def test_basis_at_the_end_of_the_domain():
    knots = np.array([0, 0, 0, 1, 2, 2, 2.0])
    np.testing.assert_array_equal(kv.basis_matrix(knots, 2, [0.0, 2.0]), [[1, 0, 0, 0], [0, 0, 0, 1]])


@pytest.mark.parametrize(
    ("knots", "message"),
    [
        ([0, 0, 1], r"3 knots for 3 control points of degree 2; give control points \+ degree \+ 1 = 6 knots"),
        ([0, 0, 0, 1, 0.5, 1], "knots decrease from 1 to 0.5 .places 3 and 4.; a knot vector never decreases"),
        ([0, 0, 0, 0, 0, 0], "empty domain"),
        ([0, 0, 0, 1, 1, np.nan], r"knots \[5\] is nan; every number must be finite"),
        (["a"] * 6, "give real numbers"),
        ([[0, 1], [1]], "rows of unequal length"),
    ],
)
def test_bad_knots(knots, message):
    with pytest.raises(ModelError, match=message):
        kv.checked_knots("Curve", knots, 2, 3)


def test_a_knot_too_often():
    with pytest.raises(ModelError, match=r"the knot 0.5 occurs 3 times inside; more than the degree 2"):
        kv.checked_knots("Curve", [0, 0, 0, 0.5, 0.5, 0.5, 1, 1, 1], 2, 6)


@pytest.mark.parametrize("degree", [0, -1, 26, 2.0, True, "3"])
def test_bad_degree(degree):
    with pytest.raises(ModelError, match=r"degree is .*; give a whole number from 1 to 25"):
        kv.checked_degree("Curve", degree)
