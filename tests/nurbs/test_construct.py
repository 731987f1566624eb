"""Surfaces of everyday parts: exact conics, areas, curvatures and normals against closed forms; bad dimensions."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gudgeon import ModelError
from gudgeon.nurbs import Curve, Surface

U, V = (x.ravel() for x in np.meshgrid(np.linspace(0, 1, 41), np.linspace(0, 1, 33), indexing="ij"))
TURN = 2 * math.pi


def radius(p):
    return np.hypot(p[..., 0], p[..., 1])


def test_cylinder():
    s = Surface.cylinder(0.02, -0.01, 0.03)
    p, n = s.point(U, V), s.normal(U, V)
    np.testing.assert_allclose(radius(p), 0.02, atol=1e-17)
    np.testing.assert_allclose(p[:, 2], -0.01 + 0.04 * V, atol=1e-17)
    np.testing.assert_allclose(n, p * (50, 50, 0), atol=1e-14)
    np.testing.assert_allclose(s.curvature(U, V), np.broadcast_to((0.0, -50.0), (len(U), 2)), atol=1e-11)
    assert s.area() == pytest.approx(TURN * 0.02 * 0.04, rel=1e-14)
    assert s.closed == (True, False)
    assert not s.patches.pole.any()


def test_sphere():
    s = Surface.sphere(0.02)
    p = s.point(U, V)
    np.testing.assert_allclose(np.linalg.norm(p, axis=1), 0.02, atol=1e-17)
    np.testing.assert_allclose(s.normal(U, V), p / 0.02, atol=1e-9)  # also at the poles
    inner = (V > 0) & (V < 1)
    np.testing.assert_allclose(s.normal(U[inner], V[inner]), p[inner] / 0.02, atol=1e-13)
    np.testing.assert_allclose(s.curvature(U[inner], V[inner]), -50.0, atol=1e-8)
    assert s.area() == pytest.approx(2 * TURN * 0.02**2, rel=1e-13)
    assert s.closed == (True, False)
    assert s.patches.pole.sum() == 8


def test_torus():
    s = Surface.torus(0.03, 0.01)
    p = s.point(U, V)
    np.testing.assert_allclose(np.hypot(radius(p) - 0.03, p[:, 2]), 0.01, atol=1e-17)
    center = p * (0.03 / radius(p))[:, None] * (1, 1, 0)
    np.testing.assert_allclose(s.normal(U, V), (p - center) / 0.01, atol=1e-13)
    curvature = s.curvature(U, V)
    cosine = (radius(p) - 0.03) / 0.01
    np.testing.assert_allclose(curvature[:, 1], -100.0, atol=1e-9)
    np.testing.assert_allclose(curvature[:, 0], -cosine / radius(p), atol=1e-9)
    assert s.area() == pytest.approx(TURN**2 * 0.03 * 0.01, rel=1e-13)
    assert s.closed == (True, True)


def test_cone():
    s = Surface.cone(0.02, 0.01, 0.0, 0.03)
    p = s.point(U, V)
    np.testing.assert_allclose(radius(p), 0.02 - 0.01 * p[:, 2] / 0.03, atol=1e-17)
    assert s.area() == pytest.approx(math.pi * 0.03 * math.hypot(0.03, 0.01), rel=1e-13)
    slant = math.hypot(0.03, 0.01)
    np.testing.assert_allclose(s.normal(U, V)[:, 2], 0.01 / slant, atol=1e-13)
    np.testing.assert_allclose(s.curvature(U, V)[:, 1], -0.03 / slant / radius(p), rtol=1e-11)
    tip = Surface.cone(0.02, 0.0, 0.0, 0.02)
    np.testing.assert_allclose(tip.normal(0.0, 1.0), (math.sqrt(0.5), 0, math.sqrt(0.5)), atol=1e-9)


def test_plane():
    s = Surface.plane(origin=(1, 2, 3), edge1=(2, 0, 0), edge2=(1, 3, 0))
    np.testing.assert_allclose(s.point(0.5, 0.5), (2.5, 3.5, 3))
    np.testing.assert_allclose(s.normal(0.2, 0.9), (0, 0, 1))
    assert s.area() == pytest.approx(6.0)
    np.testing.assert_allclose(s.curvature(0.5, 0.5), 0.0)


@pytest.mark.parametrize("angle", [0.5, math.pi, 4.0])
def test_part_of_a_turn(angle):
    s = Surface.sphere(1.0, angle=angle)
    assert s.area() == pytest.approx(2 * angle, rel=1e-12)
    assert s.closed == (False, False)
    np.testing.assert_allclose(s.point(1.0, 0.5), (math.cos(angle), math.sin(angle), 0), atol=1e-15)


def test_extrusion_of_a_circle_is_a_cylinder():
    s, c = Surface.extrusion(Curve.arc(radius=0.02), (0, 0, 0.04)), Surface.cylinder(0.02, 0.0, 0.04)
    np.testing.assert_allclose(s.point(U, V), c.point(U, V), atol=1e-17)
    np.testing.assert_allclose(s.normal(U, V), c.normal(U, V), atol=1e-13)


def test_ruled_between_circles_is_a_cone():
    s = Surface.ruled(Curve.arc(radius=0.02), Curve.arc(radius=0.01, center=(0, 0, 0.03)))
    np.testing.assert_allclose(s.point(U, V), Surface.cone(0.02, 0.01, 0.0, 0.03).point(U, V), atol=1e-17)


def test_ruled_between_unlike_curves():
    a, b = Curve.polyline([(0, 0, 0), (1, 0, 0), (3, 0, 0)]), Curve.arc(radius=1.0, angle=3.0, center=(0, 2, 1))
    s = Surface.ruled(a, b)
    x = np.linspace(0, 1, 30)
    np.testing.assert_allclose(s.point(x, 0.0), a.point(x), atol=1e-13)
    np.testing.assert_allclose(s.point(x, 1.0), b.point(x), atol=1e-13)
    np.testing.assert_allclose(s.point(x, 0.5), 0.5 * (a.point(x) + b.point(x)), atol=0.2)


def test_revolution_of_a_profile_off_the_plane():
    line = Curve.line((1, -1, 0), (1, 1, 2))  # skew to the axis: a hyperboloid
    p = Surface.revolution(line).point(U, V)
    np.testing.assert_allclose(radius(p) ** 2 - (p[:, 2] - 1) ** 2, 1.0, atol=1e-14)


def test_periodic_surface_is_smooth_over_its_seam():
    a = TURN * np.arange(7) / 7
    ring = np.stack([np.cos(a), np.sin(a), 0.1 * np.sin(3 * a)], axis=1)
    tube = np.stack([ring, 1.5 * ring + (0, 0, 1)], axis=1)
    s = Surface.periodic(degree=(3, 1), knots=(np.arange(8.0), (0, 0, 1, 1)), points=tube)
    assert s.closed == (True, False)
    assert s.domain[0] == (0.0, 7.0)
    e = 1e-9
    np.testing.assert_allclose(s.derivatives(e, 0.3), s.derivatives(7 - e, 0.3), atol=1e-7)
    np.testing.assert_allclose(s.point(7.25, 0.3), s.point(0.25, 0.3), atol=1e-14)
    both = Surface.periodic(
        degree=(2, 3),
        knots=(np.arange(8.0), np.arange(6.0)),
        points=np.random.default_rng(1).normal(size=(7, 5, 3)),
        around=(True, True),
    )
    assert both.closed == (True, True)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Surface.cylinder(0.0, 0.0, 1.0), "Surface.cylinder: radius is 0 m; give a positive number"),
        (lambda: Surface.cylinder(1.0, 1.0, 1.0), "top 1 m is not above bottom 1 m"),
        (lambda: Surface.cylinder(1.0, 0.0, math.inf), "top is inf; give a finite number"),
        (lambda: Surface.sphere(float("nan")), "radius is nan m"),
        (lambda: Surface.torus(0.01, 0.03), "the surface would meet itself"),
        (lambda: Surface.cone(0.0, 0.0, 0.0, 1.0), "both radii are 0 m"),
        (lambda: Surface.cone(-1.0, 0.0, 0.0, 1.0), "bottom_radius is -1.0 m"),
        (lambda: Surface.sphere(1.0, angle=0.0), "angle is 0.0 rad"),
        (lambda: Surface.extrusion(Curve.arc(radius=1.0), (0, 0, 0)), "path is .*points somewhere"),
        (lambda: Surface.extrusion(3, (0, 0, 1)), "profile is a int; give a Curve"),  # pyright: ignore
        (lambda: Surface.revolution(None), "profile is a NoneType; give a Curve"),  # pyright: ignore
        (lambda: Surface.ruled(Curve.arc(radius=1.0), 2), "a int is given; give two Curves"),  # pyright: ignore
        (lambda: Surface.plane(edge1=(0, 1, 0)), "degenerate, its control points lie on one line"),
        (
            lambda: Surface.periodic(degree=(3, 1), knots=([0, 1], (0, 0, 1, 1)), points=np.ones((7, 2, 3))),
            "2 knots for 7 control points; one period has control points \\+ 1 knots",
        ),
    ],
)
def test_bad_input(make, message):
    with pytest.raises(ModelError, match=message):
        make()
