"""Evaluation against the definition (1), (2), and derivatives, normals, curvature against differences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_surfaces import free_form, rotation

from gudgeon import ModelError
from gudgeon.nurbs import Surface
from gudgeon.nurbs import knots as kv

DEGREES = st.tuples(st.integers(1, 5), st.integers(1, 4))


@given(seed=st.integers(0, 500), degree=DEGREES, rational=st.booleans(), clamped=st.booleans())
def test_points_follow_the_definition(seed, degree, rational, clamped):
    count = (degree[0] + 3, degree[1] + 2)
    s = free_form(seed, degree=degree, count=count, rational=rational, clamped=clamped)
    rng = np.random.default_rng(seed)
    u, v = rng.uniform(*s.domain[0], 15), rng.uniform(*s.domain[1], 15)
    n1, n2 = kv.basis_matrix(s.knots[0], degree[0], u), kv.basis_matrix(s.knots[1], degree[1], v)
    top = np.einsum("qi,qj,ijx->qx", n1, n2, s.homogeneous)
    np.testing.assert_allclose(s.point(u, v), top[:, :3] / top[:, 3:], atol=1e-10)


@given(seed=st.integers(0, 500), degree=DEGREES)
def test_derivatives_are_limits_of_differences(seed, degree):
    s = free_form(seed, degree=degree, count=(degree[0] + 1, degree[1] + 1), roughness=0.1)
    e, u, v = 1e-4, 0.37, 0.61
    d = s.derivatives(u, v)
    p = {(i, j): s.point(u + i * e, v + j * e) for i in (-1, 0, 1) for j in (-1, 0, 1)}
    np.testing.assert_allclose(d[0], p[0, 0], atol=1e-15)
    np.testing.assert_allclose(d[1], (p[1, 0] - p[-1, 0]) / (2 * e), atol=1e-5)
    np.testing.assert_allclose(d[2], (p[0, 1] - p[0, -1]) / (2 * e), atol=1e-5)
    np.testing.assert_allclose(d[3], (p[1, 0] - 2 * p[0, 0] + p[-1, 0]) / e**2, atol=1e-3)
    np.testing.assert_allclose(d[4], (p[1, 1] - p[1, -1] - p[-1, 1] + p[-1, -1]) / (4 * e * e), atol=1e-3)
    np.testing.assert_allclose(d[5], (p[0, 1] - 2 * p[0, 0] + p[0, -1]) / e**2, atol=1e-3)
    n = s.normal(u, v)
    np.testing.assert_allclose([n @ n, n @ d[1], n @ d[2]], [1, 0, 0], atol=1e-13)


def test_curvature_does_not_depend_on_the_frame_and_flips_with_the_normal():
    s = free_form(4)
    moved = s.moved(rotation=rotation(np.random.default_rng(1)), translation=(1, 2, 3))
    np.testing.assert_allclose(moved.curvature(0.3, 0.4), s.curvature(0.3, 0.4), rtol=1e-9)
    np.testing.assert_allclose(s.reversed().curvature(0.7, 0.4), -s.curvature(0.3, 0.4)[::-1], rtol=1e-9)
    np.testing.assert_allclose(s.reversed().normal(0.7, 0.4), -s.normal(0.3, 0.4), atol=1e-13)


def test_area_and_bounds():
    s = free_form(2, size=0.1)
    assert s.moved(rotation=rotation(np.random.default_rng(2))).area() == pytest.approx(s.area(), rel=1e-11)
    x = np.linspace(0, 1, 40)
    p = s.point(x[:, None], x[None, :]).reshape(-1, 3)
    low, high = s.bounds()
    assert (p >= low - 1e-15).all()
    assert (p <= high + 1e-15).all()


def test_shapes_are_broadcast():
    s = Surface.sphere(1.0)
    assert s.point(0.5, 0.5).shape == (3,)
    assert s.point(np.zeros((4, 1)), np.zeros(3)).shape == (4, 3, 3)
    assert s.derivatives([0.1, 0.2], 0.3).shape == (2, 6, 3)
    assert s.curvature([0.1, 0.2], 0.3).shape == (2, 2)


def test_closed_directions_go_round_and_open_ones_end():
    s = Surface.cylinder(1.0, 0.0, 1.0)
    np.testing.assert_allclose(s.point([-0.25, 1.75], 0.5), s.point(0.75, [0.5, 0.5]), atol=1e-15)
    with pytest.raises(ModelError, match=r"ξ2 = 1.5 is outside its domain 0 … 1; give a parameter inside"):
        s.point(0.0, 1.5)
    with pytest.raises(ModelError, match="ξ1 = nan"):
        s.point(np.nan, 0.5)
    with pytest.raises(ModelError, match="order of derivatives is 3"):
        s.derivatives(0.0, 0.5, order=3)


def test_no_normal_where_the_surface_has_none():
    points = np.zeros((2, 3, 3))
    points[0] = [(0, 0, 0), (1, 0, 0), (2, 0, 0)]
    points[1] = [(0, 0, 0), (0, 0, 0), (0, 1, 0)]  # at (1, 0) both tangents vanish
    s = Surface(degree=(1, 2), knots=((0, 0, 1, 1), (0, 0, 0, 1, 1, 1)), points=points)
    assert np.isnan(s.normal(1.0, 0.0)).all()
    assert np.isfinite(s.normal(0.5, 0.5)).all()
