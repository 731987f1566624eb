"""Lines against surfaces: closed-form roots on 60 000 random lines; seams, poles, touching lines; bad input."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_surfaces import free_form, random_line, rotation

from gudgeon import ModelError
from gudgeon.nurbs import Surface, hits_of_lines

COUNT = 20000


def random_lines(seed, spread):
    rng = np.random.default_rng(seed)
    origins, directions = spread * rng.normal(size=(COUNT, 3)), rng.normal(size=(COUNT, 3))
    return origins, directions / np.linalg.norm(directions, axis=1)[:, None]


def dot(a, b):
    return np.sum(a * b, axis=1)


def on_the_line(surface, origins, directions, found, counts):
    """Every hit is a point of the surface and of its line."""
    place = np.arange(found.shape[1])[None, :] < counts[:, None]
    line, _ = np.nonzero(place)
    h, u, v = found[place].T
    off = surface.point(u, v) - (origins[line] + h[:, None] * directions[line])
    return np.abs(off).max()


def test_sphere_against_its_roots():
    origins, directions = random_lines(1, 0.01)
    s = Surface.sphere(0.01)
    found, counts = hits_of_lines(s, origins, directions)
    b, c = dot(origins, directions), dot(origins, origins) - 1e-4
    disc = b * b - c
    np.testing.assert_array_equal(counts, np.where(disc > 0, 2, 0))
    both = disc > 0
    root = np.sqrt(disc[both])
    expected = np.stack([-b[both] - root, -b[both] + root], axis=1)
    # a root near touching is as uncertain as its discriminant
    assert (np.abs(found[both, :2, 0] - expected) < 1e-15 + 1e-19 / root[:, None]).all()
    assert on_the_line(s, origins, directions, found, counts) < 1e-16


def test_cylinder_against_its_roots():
    origins, directions = random_lines(2, 0.01)
    s = Surface.cylinder(0.01, -0.02, 0.03)
    found, counts = hits_of_lines(s, origins, directions)
    p, n = origins[:, :2], directions[:, :2]
    a, b, c = dot(n, n), dot(p, n), dot(p, p) - 1e-4
    disc = b * b - a * c
    with np.errstate(invalid="ignore"):
        roots = np.stack([-b - np.sqrt(disc), -b + np.sqrt(disc)], axis=1) / a[:, None]
    z = origins[:, 2:] + roots * directions[:, 2:]
    inside = (z >= -0.02) & (z <= 0.03) & (disc > 0)[:, None]
    np.testing.assert_array_equal(counts, inside.sum(axis=1))
    flat = roots[inside]
    place = np.arange(found.shape[1])[None, :] < counts[:, None]
    np.testing.assert_allclose(found[place][:, 0], flat, atol=1e-13)
    assert on_the_line(s, origins, directions, found, counts) < 1e-16


def test_torus_against_its_quartic():
    """(|x|² + R² − r²)² = 4 R² (x² + y²), all roots of all quartics at once as eigenvalues of companion matrices."""
    origins, directions = random_lines(3, 0.02)
    big, small = 0.03, 0.01
    s = Surface.torus(big, small)
    found, counts = hits_of_lines(s, origins, directions)
    p, n = origins / big, directions
    b, c = 2 * dot(p, n), dot(p, p) + 1 - (small / big) ** 2
    q = [4 * dot(x[:, :2], y[:, :2]) for x, y in ((n, n), (p, n), (p, p))]
    quartic = np.stack([c * c - q[2], 2 * b * c - 2 * q[1], b * b + 2 * c - q[0], 2 * b], axis=1)
    companion = np.zeros((COUNT, 4, 4))
    companion[:, [1, 2, 3], [0, 1, 2]] = 1.0
    companion[:, :, 3] = -quartic
    z = np.linalg.eigvals(companion)
    real = np.abs(z.imag) < 1e-7
    doubtful = (np.abs(z.imag) < 1e-5).sum(axis=1) != (np.abs(z.imag) < 1e-10).sum(axis=1)
    assert doubtful.sum() < 10  # lines that all but touch
    np.testing.assert_array_equal(counts[~doubtful], real.sum(axis=1)[~doubtful])
    expected = np.sort(np.where(real, z.real, np.inf), axis=1) * big
    place = (np.arange(4)[None, :] < counts[:, None]) & ~doubtful[:, None]
    np.testing.assert_allclose(found[:, :4, 0][place], expected[place], atol=1e-10)
    assert on_the_line(s, origins, directions, found, counts) < 1e-16
    assert set(np.unique(counts)) == {0, 2, 4}


def test_hits_are_sorted_and_signed():
    h = Surface.torus(0.03, 0.01).hits((0, 0, 0), (1, 0, 0))[:, 0]
    np.testing.assert_allclose(h, [-0.04, -0.02, 0.02, 0.04], atol=1e-16)


@pytest.mark.parametrize("u", [0.0, 0.125, 0.25, 0.5, 0.875])
@pytest.mark.parametrize("v", [0.125, 0.5, 0.7])
def test_nothing_doubles_at_seams_and_patch_edges(u, v):
    for s in (Surface.sphere(0.01), Surface.torus(0.03, 0.01), Surface.cylinder(0.01, 0.0, 0.02)):
        x, n = s.point(u, v), s.normal(u, v)
        h = s.hits(x + 0.005 * n, -n)[:, 0]
        assert np.sum(np.abs(h - 0.005) < 1e-9) == 1
        assert np.abs(h - 0.005).min() < 1e-16


@given(seed=st.integers(0, 1000))
def test_corners_of_four_patches(seed):
    """Lines through a point where four patches meet have exactly one hit there."""
    s = free_form(seed, roughness=0.05)
    rng = np.random.default_rng(seed)
    u, v = rng.choice(s.patches.break1), rng.choice(s.patches.break2)
    x, n = s.point(u, v), s.normal(u, v)
    direction = n + 0.3 * rng.normal(size=3)
    direction /= np.linalg.norm(direction)
    h = s.hits(x - 0.7 * direction, direction)
    here = h[np.abs(h[:, 0] - 0.7) < 1e-8]
    assert len(here) == 1
    np.testing.assert_allclose(here[0, 1:], (u, v), atol=1e-8)


@pytest.mark.parametrize("offset", [0.0, 1e-18, 1e-15, 1e-13, 1e-11, 1e-9, 1e-7, 1e-5])
def test_lines_through_and_next_to_poles(offset):
    s = Surface.sphere(0.01)
    for turned in (np.eye(3), rotation(np.random.default_rng(1))):
        moved = s.moved(rotation=turned)
        origin, direction = turned @ (offset, 0.3 * offset, 0.05), turned @ (0.0, 0.0, -1.0)
        h = moved.hits(origin, direction)
        np.testing.assert_allclose(h[:, 0], (0.04 + 60 * offset**2, 0.06 - 60 * offset**2), atol=2e-9)
        np.testing.assert_allclose(h[:, 2], (1, 0), atol=1e-3)


def test_oblique_lines_through_a_pole():
    s = Surface.sphere(0.01)
    h = s.hits((0, 0, 0.01), (1, 0.3, -1))
    chord = 2 * 0.01 / math.sqrt(1 + 0.09 + 1)
    np.testing.assert_allclose(h[:, 0], (0, chord), atol=1e-16)
    cone = Surface.cone(0.01, 0.0, 0.0, 0.02)
    np.testing.assert_allclose(cone.hits((0, 0, 1), (0, 0, -1))[:, 0], [0.98])
    np.testing.assert_allclose(cone.hits((0, 1, 0.02), (0, -1, 0))[:, 0], [1.0])


def test_touching_lines():
    s = Surface.sphere(0.01)
    for angle in (0.0, 0.4, 1.0, 2.0):
        x, y = 0.01 * math.cos(angle), 0.01 * math.sin(angle)
        h = s.hits((x, y, 1), (0, 0, -1))
        assert len(h) == 1
        assert h[0, 0] == pytest.approx(1.0, abs=1e-7)
        assert len(s.hits((x * (1 + 1e-9), y * (1 + 1e-9), 1), (0, 0, -1))) == 0
        assert len(s.hits((x * (1 - 1e-9), y * (1 - 1e-9), 1), (0, 0, -1))) == 2


@pytest.mark.parametrize(
    ("surface", "origin", "direction"),
    [
        (Surface.cylinder(0.01, -1.0, 1.0), (0.01, 0, 0), (0, 0, 1)),
        (Surface.cylinder(0.01, -1.0, 1.0), (0.006, 0.008, 0), (0, 0, 1)),
        (Surface.plane(), (0.5, 0.5, 0), (1, 0.2, 0)),
        (Surface.cone(1.0, 0.0, 0.0, 1.0), (0, 0, 1), (1, 0, -1)),
    ],
)
def test_a_line_in_the_surface_is_refused(surface, origin, direction):
    with pytest.raises(ModelError, match="lies in the surface, which has no finite number of intersections"):
        surface.hits(origin, direction)
    _, counts = hits_of_lines(surface, [origin, (5, 5, 5)], [direction, (1, 0, 0)])
    np.testing.assert_array_equal(counts, [-1, 0])


@given(seed=st.integers(0, 2000), degree=st.tuples(st.integers(1, 4), st.integers(1, 4)), rational=st.booleans())
def test_other_forms_have_the_same_hits(seed, degree, rational):
    """Inserted knots, raised degree, rotation: other patches and other numbers, the same intersections."""
    s = free_form(seed, degree=degree, count=(degree[0] + 2, degree[1] + 3), roughness=0.3, rational=rational)
    rng = np.random.default_rng(seed)
    origin, direction = random_line(rng, s, 0.3)
    h = s.hits(origin, direction)
    np.testing.assert_allclose(s.point(h[:, 1], h[:, 2]), origin + h[:, :1] * direction, atol=1e-13)
    r = rotation(rng)
    same = {
        "knots": s.inserted(xi1=rng.uniform(0.05, 0.95, 2), xi2=rng.uniform(0.05, 0.95, 2)).hits(origin, direction),
        "degree": s.elevated((degree[0] + 1, degree[1] + 1)).hits(origin, direction),
        "frame": s.moved(rotation=r, translation=(1, 2, 3)).hits(r @ origin + (1, 2, 3), r @ direction),
        "backwards": s.hits(origin, -direction)[::-1] * (-1, 1, 1),
    }
    for name, other in same.items():
        assert len(other) == len(h), name
        np.testing.assert_allclose(other, h, atol=1e-8, err_msg=name)


def test_unclamped_and_periodic_surfaces():
    a = 2 * np.pi * np.arange(12) / 12
    ring = np.stack([np.cos(a), np.sin(a), 0 * a], axis=1)
    tube = np.stack([ring, ring + np.array([0, 0, 1])], axis=1)
    s = Surface.periodic(degree=(3, 1), knots=(np.arange(13.0), (0, 0, 1, 1)), points=tube)
    for angle in np.linspace(0, 2 * np.pi, 60):
        n = np.array([np.cos(angle), np.sin(angle), 0])
        assert len(s.hits((0, 0, 0.5), n)) == 2


def test_many_hits():
    """A washboard crosses a line at each of its waves."""
    x = np.linspace(0, 40, 41)
    z = np.where(np.arange(41) % 2, 1.0, -1.0)
    points = np.stack([np.stack([x, 0 * x, z], axis=1), np.stack([x, 0 * x + 1, z], axis=1)], axis=1)
    knots = np.concatenate([[0.0], np.linspace(0, 1, 41), [1.0]])
    s = Surface(degree=(1, 1), knots=(knots, (0, 0, 1, 1)), points=points)
    h = s.hits((-1, 0.5, 0.1), (1, 0, 0))
    assert len(h) == 40
    assert (np.diff(h[:, 0]) > 0).all()


def test_a_line_far_away_and_a_part_far_from_its_origin():
    s = Surface.sphere(0.01).moved(translation=(100, 0, 0))
    np.testing.assert_allclose(s.hits((0, 0, 0), (1, 0, 0))[:, 0], (99.99, 100.01), atol=1e-13)
    far = Surface.torus(0.03, 0.01).hits((1e6, 1e-3, 2e-3), (-1, 0, 0))[:, 0] - 1e6
    np.testing.assert_allclose(far, Surface.torus(0.03, 0.01).hits((0, 1e-3, 2e-3), (-1, 0, 0))[:, 0], atol=1e-9)


@pytest.mark.parametrize(
    ("origin", "direction", "message"),
    [
        ((0, 0), (0, 0, 1), r"origin has shape \(2,\); give 3 numbers"),
        ((0, 0, 0), (0, 0, 0), r"direction is \[0.0, 0.0, 0.0\], which points nowhere"),
        ((0, 0, np.nan), (0, 0, 1), "origin .* is nan; every number must be finite"),
        ((0, 0, 0), "up", "give real numbers"),
    ],
)
def test_bad_lines(origin, direction, message):
    with pytest.raises(ModelError, match=message):
        Surface.plane().hits(origin, direction)
