"""Implicit matrices with pencils and Bernstein subdivision share no code and find the same intersections."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_surfaces import free_form, random_line

from gudgeon.nurbs import Surface, Trim
from gudgeon.nurbs.implicit import implicit_matrix
from gudgeon.nurbs.pencil import pencil_heights, pencil_hits


@settings(max_examples=60)
@given(
    seed=st.integers(0, 5000),
    degree=st.sampled_from([(1, 1), (2, 1), (2, 2), (1, 3), (3, 2), (3, 3)]),
    more=st.tuples(st.integers(0, 1), st.integers(0, 1)),
    rational=st.booleans(),
    roughness=st.sampled_from([0.05, 0.2, 0.5]),
)
def test_free_form_surfaces(seed, degree, more, rational, roughness):
    s = free_form(
        seed,
        degree=degree,
        count=(degree[0] + 1 + more[0], degree[1] + 1 + more[1]),
        rational=rational,
        roughness=roughness,
        size=0.01,
    )
    matrices = [implicit_matrix(patch, scaled=True) for patch in s.bezier()]
    rng = np.random.default_rng(seed)
    for _ in range(3):
        origin, direction = random_line(rng, s, 0.3)
        a, b = s.hits(origin, direction), pencil_hits(s, origin, direction, matrices=matrices)
        assert len(a) == len(b)
        np.testing.assert_allclose(a[:, 0], b[:, 0], atol=1e-15)
        np.testing.assert_allclose(a[:, 1:], b[:, 1:], atol=1e-9)


@pytest.mark.parametrize(
    "surface",
    [
        Surface.sphere(0.01),
        Surface.torus(0.03, 0.01),
        Surface.cylinder(0.01, -0.02, 0.02),
        Surface.cone(0.02, 0.01, 0, 0.03),
    ],
    ids=["sphere", "torus", "cylinder", "cone"],
)
def test_conics(surface):
    matrices = [implicit_matrix(patch, scaled=True) for patch in surface.bezier()]
    rng = np.random.default_rng(5)
    total = 0
    for _ in range(40):
        origin, direction = random_line(rng, surface, 0.3)
        a, b = surface.hits(origin, direction), pencil_hits(surface, origin, direction, matrices=matrices)
        assert len(a) == len(b)
        np.testing.assert_allclose(a[:, 0], b[:, 0], atol=1e-15)
        total += len(a)
    assert total > 20


def test_eigenvalues_alone_know_nothing_of_the_patch():
    octant = Surface.sphere(1.0).bezier()[1]  # the upper half of the first quarter
    h = np.unique(pencil_heights(implicit_matrix(octant, scaled=True), (0.4, 0.3, 5), (0, 0, -1)).round(7))
    np.testing.assert_allclose(h, 5 + np.sqrt(0.75) * np.array([-1, 1]), atol=1e-6)
    np.testing.assert_allclose(pencil_hits(octant, (0.4, 0.3, 5), (0, 0, -1))[:, 0], [5 - np.sqrt(0.75)], atol=1e-14)


def test_trimmed_parts_are_left_out():
    s = Surface.plane().trimmed(Trim(inner=[[(0.4, 0.4), (0.6, 0.4), (0.6, 0.6), (0.4, 0.6)]]))
    assert len(pencil_hits(s, (0.5, 0.5, 1), (0, 0, -1))) == 0
    assert len(pencil_hits(s, (0.2, 0.5, 1), (0, 0, -1))) == 1
