"""The data of a surface: rules, messages, equality, read-only arrays, copies."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from random_surfaces import free_form

from gudgeon import ModelError
from gudgeon.nurbs import Surface

GOOD = {
    "degree": (1, 1),
    "knots": ((0, 0, 1, 1), (0, 0, 1, 1)),
    "points": [[(0, 0, 0), (0, 1, 0)], [(1, 0, 0), (1, 1, 0)]],
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"points": [(0, 0, 0)]}, r"points have shape \(1, 3\); give a grid of control points \(n1, n2, 3\)"),
        ({"points": np.full((2, 2, 3), np.nan)}, r"points \[0, 0, 0\] is nan; every number must be finite"),
        ({"points": np.full((2, 2, 3), 1.0)}, "all control points are at"),
        ({"points": np.array([[(0, 0, 0), (0, 0, 0)], [(1, 0, 0), (1, 0, 0)]])}, "degenerate"),
        ({"points": "surface"}, "points are of type .*; give real numbers"),
        ({"degree": 3}, "degree is 3; give two, one for ξ1 and one for ξ2"),
        ({"degree": (1, 2)}, "ξ2: 2 control points of degree 2; give at least 3"),
        ({"degree": (0, 1)}, "ξ1: degree is 0; give a whole number"),
        ({"knots": ((0, 0, 1), (0, 0, 1, 1))}, "ξ1: 3 knots for 2 control points of degree 1; .* = 4 knots"),
        ({"knots": ((0, 0, 1, 1), (0, 1, 0.5, 1))}, "ξ2: knots decrease from 1 to 0.5"),
        ({"knots": (0, 1, 2)}, "give two, one for ξ1"),
        ({"weights": [[1, 1], [1, 0]]}, r"weights \[1, 1\] is 0; every weight must be positive"),
        ({"weights": [[1, 1], [1, -2]]}, r"weights \[1, 1\] is -2"),
        ({"weights": [1, 1]}, r"weights have shape \(2,\); give one per control point, \(2, 2\)"),
        ({"trim": [(0, 0)]}, "trim is a list; give a Trim or None"),
    ],
)
def test_bad_input_names_the_surface_and_the_rule(change, message):
    with pytest.raises(ModelError, match=message) as error:
        Surface(**{**GOOD, **change}, name="bore")
    assert str(error.value).startswith("Surface 'bore'")


def test_a_degenerate_patch_among_good_ones_is_named():
    points = free_form(3, degree=(1, 1), count=(4, 3), roughness=0.0, rational=False).points.copy()
    points[2] = points[1]
    with pytest.raises(ModelError, match=r"the patch ξ1 = 0.\d+ … 0.\d+, ξ2 = 0 … 0.\d+ is degenerate"):
        Surface(degree=(1, 1), knots=((0, 0, 0.3, 0.6, 1, 1), (0, 0, 0.5, 1, 1)), points=points)


def test_frozen_data():
    s = Surface(**GOOD)
    for array in (s.points, s.weights, *s.knots):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0
    with pytest.raises(AttributeError):
        s.name = "other"  # pyright: ignore


def test_equality_hash_and_copies():
    a, b = Surface(**GOOD), Surface(**GOOD)
    assert a == b
    assert hash(a) == hash(b)
    assert a != a.moved(translation=(0, 0, 1))
    assert a != Surface(**GOOD, name="other")
    assert pickle.loads(pickle.dumps(a)) == a
    assert "degree (1, 1), 2×2 control points, 1 patches" in repr(a)


def test_large_weights_are_only_ratios():
    s = free_form(1)
    big = Surface(degree=s.degree, knots=s.knots, points=s.points, weights=1e9 * s.weights)
    x = np.linspace(0, 1, 9)
    np.testing.assert_allclose(big.point(x, x), s.point(x, x), atol=1e-14)
