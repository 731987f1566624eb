"""Other forms leave the surface unchanged: inserted knots, raised degrees, Bézier patches, curves on it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_surfaces import free_form, rotation

from gudgeon import ModelError
from gudgeon.nurbs import Surface, Trim


@given(
    seed=st.integers(0, 500), degree=st.tuples(st.integers(1, 4), st.integers(1, 4)), clamped=st.booleans()
)  # fmt: skip
def test_the_surface_stays(seed, degree, clamped):
    s = free_form(seed, degree=degree, count=(degree[0] + 3, degree[1] + 2), clamped=clamped)
    rng = np.random.default_rng(seed)
    u, v = rng.uniform(0, 1, 12), rng.uniform(0, 1, 12)
    p = s.point(u, v)
    new = rng.uniform(0.01, 0.99, 3)
    np.testing.assert_allclose(s.inserted(xi1=new[:2], xi2=new[2:]).point(u, v), p, atol=1e-12)
    np.testing.assert_allclose(s.elevated((degree[0] + 1, degree[1] + 2)).point(u, v), p, atol=1e-9)
    np.testing.assert_allclose(s.reversed().point(1 - u, v), p, atol=1e-12)
    for patch in s.bezier():
        (a, b), (c, d) = patch.domain
        inside = (u >= a) & (u <= b) & (v >= c) & (v <= d)
        np.testing.assert_allclose(patch.point(u[inside], v[inside]), p[inside], atol=1e-12)


def test_conics_stay_exact():
    s = Surface.torus(0.03, 0.01)
    u = np.linspace(0, 1, 50)
    for same in (s.inserted(xi1=[0.1, 0.6], xi2=[0.4]), s.elevated((4, 3))):
        p = same.point(u[:, None], u[None, :])
        np.testing.assert_allclose(np.hypot(np.hypot(p[..., 0], p[..., 1]) - 0.03, p[..., 2]), 0.01, atol=1e-16)
        assert same.closed == (True, True)


def test_isocurves_lie_on_the_surface():
    s = free_form(5)
    x = np.linspace(0, 1, 20)
    np.testing.assert_allclose(s.isocurve(xi1=0.3).point(x), s.point(0.3, x), atol=1e-13)
    np.testing.assert_allclose(s.isocurve(xi2=0.0).point(x), s.point(x, 0.0), atol=1e-13)
    with pytest.raises(ModelError, match="exactly one of xi1 and xi2"):
        s.isocurve()
    with pytest.raises(ModelError, match="isocurve at ξ2 = 2 leaves the domain 0 … 1"):
        s.isocurve(xi2=2.0)


def test_moved():
    s, r = free_form(6), rotation(np.random.default_rng(0))
    moved = s.moved(rotation=r, translation=(1, 2, 3))
    np.testing.assert_allclose(moved.point(0.3, 0.6), r @ s.point(0.3, 0.6) + (1, 2, 3), atol=1e-14)
    half_turn = s.moved(rotation=(0, 0, 0, 2.0))
    np.testing.assert_allclose(half_turn.points, s.points * (-1, -1, 1), atol=1e-15)


@pytest.mark.parametrize(
    ("rotation_given", "message"),
    [
        (np.eye(3) * 1.1, "not a rotation matrix .off by"),
        (np.diag([1.0, 1.0, -1.0]), "a reflection"),
        ((0, 0, 0, 0), "give one of length 1"),
        ((1, 2), r"rotation has shape \(2,\)"),
    ],
)
def test_bad_rotation(rotation_given, message):
    with pytest.raises(ModelError, match=message):
        Surface.plane().moved(rotation=rotation_given)


def test_bad_refinement():
    s = Surface.plane()
    with pytest.raises(ModelError, match=r"ξ2: a knot at 1.5 is not between 0 and 1"):
        s.inserted(xi2=[1.5])
    with pytest.raises(ModelError, match=r"degree 1 in ξ1 cannot|ξ1: degree is 0"):
        s.elevated((0, 1))
    with pytest.raises(ModelError, match="degree 2 in ξ1 cannot be raised to 1"):
        s.elevated((2, 1)).elevated((1, 1))
    with pytest.raises(ModelError, match="translation has shape"):
        s.moved(translation=(1, 2))
    with pytest.raises(ModelError, match="moved takes rotation= and translation=, not position="):
        s.moved(position=(1, 2, 3))


def test_trimming_goes_along():
    hole = Trim(inner=[[(0.1, 0.1), (0.3, 0.1), (0.3, 0.4)]])
    s = free_form(7).trimmed(hole)
    assert not s.keeps(0.25, 0.2)
    assert not s.moved(translation=(1, 0, 0)).keeps(0.25, 0.2)
    assert not s.reversed().keeps(0.75, 0.2)
    assert s.reversed().keeps(0.25, 0.2)
    assert not s.elevated((4, 4)).keeps(0.25, 0.2)
    assert all(patch.trim is None for patch in s.bezier())
