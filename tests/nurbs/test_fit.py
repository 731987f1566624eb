"""Surfaces through grids of points: they pass, they converge with the order of their degree, bad grids."""

from __future__ import annotations

import numpy as np
import pytest

from gudgeon import ModelError
from gudgeon.nurbs import Surface


def grid(n1, n2, f):
    x, y = np.meshgrid(np.linspace(0, 1, n1), np.linspace(0, 1, n2), indexing="ij")
    return np.stack([x, y, f(x, y)], axis=2)


@pytest.mark.parametrize("degree", [(1, 1), (2, 3), (3, 3), (5, 4)])
def test_it_passes_through_the_points(degree):
    points = np.random.default_rng(1).normal(size=(9, 7, 3))
    points[..., 0] += 10 * np.arange(9)[:, None]
    points[..., 1] += 10 * np.arange(7)[None, :]
    s = Surface.through(points, degree=degree)
    for target in points.reshape(-1, 3):
        h = s.hits(target + np.array([0, 0, 5]), (0, 0, -1))[:, 0]
        assert np.abs(h - 5).min() < 1e-10


def test_error_falls_with_the_fourth_power():
    def f(x, y):
        return np.sin(3 * x) * np.cos(2 * y)

    errors = []
    for n in (9, 17, 33):
        s = Surface.through(grid(n, n, f))
        p = s.point(np.linspace(0, 1, 50)[:, None], np.linspace(0, 1, 50)[None, :])
        errors.append(np.abs(p[..., 2] - f(p[..., 0], p[..., 1])).max())
    assert errors[0] / errors[2] > 2**7
    assert errors[2] < 4e-6


def test_a_row_that_is_one_point_is_a_pole():
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, 13), np.linspace(0, np.pi / 2, 7), indexing="ij")
    points = np.stack([np.cos(u) * np.sin(v), np.sin(u) * np.sin(v), np.cos(v)], axis=2)
    s = Surface.through(points)
    assert s.patches.pole.any()
    np.testing.assert_allclose(s.normal(0.3, 0.0), (0, 0, -1), atol=0.02)


@pytest.mark.parametrize(
    ("points", "message"),
    [
        (np.zeros((3, 3)), r"give a grid of points \(n1, n2, 3\)"),
        (np.zeros((3, 5, 3)), "3 points along ξ1 for degree 3; give at least 4"),
        (np.zeros((5, 5, 3)), "all points along ξ1 coincide"),
        (np.repeat(grid(4, 5, lambda x, y: x), [1, 1, 2, 1], axis=0), "rows 2 and 3 along ξ1 coincide"),
    ],
)
def test_bad_grids(points, message):
    with pytest.raises(ModelError, match=message):
        Surface.through(points)
