"""The compiled form: seams and poles found, balls around patches, and the reach that certifies followed points."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_surfaces import free_form

from gudgeon.nurbs import Curve, Surface


def test_balls_hold_their_patches():
    s = free_form(3)
    for patch, (x, y, z, r) in zip(s.bezier(), s.patches.ball, strict=True):
        u, v = (np.linspace(*d, 9) for d in patch.domain)
        p = patch.point(u[:, None], v[None, :])
        assert np.linalg.norm(p - (x, y, z), axis=-1).max() <= r * (1 + 1e-12)


@pytest.mark.parametrize(
    ("surface", "radius"),
    [
        (Surface.sphere(0.01), 0.01),
        (Surface.cylinder(0.01, 0.0, 0.05), 0.01),
        (Surface.torus(0.03, 0.01), 0.01),
        (Surface.torus(0.03, 0.025), 0.005),
    ],
)
def test_reach_of_round_parts_is_their_radius(surface, radius):
    """Halved for safety; in the hole of a fat torus the other side is nearer than the tube is thick."""
    assert surface.patches_with_reach.reach.min() == pytest.approx(0.5 * radius, rel=0.05)


def test_a_plane_has_no_bound():
    assert Surface.plane().patches_with_reach.reach.min() > 1e6


def test_no_reach_next_to_an_edge():
    roof = Surface.extrusion(Curve.polyline([(0, 0, 0), (1, 0, 1), (2, 0, 0)]), (0, 1, 0))
    reach = roof.patches_with_reach.reach
    assert (reach[0, -1] == 0.0).all()
    assert (reach[1, 0] == 0.0).all()
    assert (reach[0, 0] > 0.1).all()


@settings(max_examples=30)
@given(seed=st.integers(0, 300), roughness=st.sampled_from([0.02, 0.05, 0.1]))
def test_balls_of_the_reach_are_empty(seed, roughness):
    """At random points, two balls of the stored radius touch the surface and hold none of it.

    The sheets do not fold onto themselves: there the samples may lie too far apart to notice.
    """
    s = free_form(seed, roughness=roughness)
    m = s.patches_with_reach
    cells = m.reach.shape[1]
    x = np.linspace(0, 1, 60)
    cloud = s.point(x[:, None], x[None, :]).reshape(-1, 3)
    rng = np.random.default_rng(seed)
    count2 = len(m.break2) - 1
    for u, v in rng.uniform(0, 1, (40, 2)):
        k1, k2 = np.searchsorted(m.break1, u, side="right") - 1, np.searchsorted(m.break2, v, side="right") - 1
        i = int((u - m.break1[k1]) / (m.break1[k1 + 1] - m.break1[k1]) * cells)
        j = int((v - m.break2[k2]) / (m.break2[k2 + 1] - m.break2[k2]) * cells)
        r = m.reach[k1 * count2 + k2, i, j]
        p, n = s.point(u, v), s.normal(u, v)
        for side in (1, -1):
            assert (np.linalg.norm(cloud - (p + side * r * n), axis=1) >= r * (1 - 1e-6) - 1e-12).all()


def test_a_surface_of_very_many_patches_has_no_reach_and_still_works():
    n = 110
    x, y = np.meshgrid(np.linspace(0, 1, n), np.linspace(0, 1, n), indexing="ij")
    knots = np.concatenate([[0.0], np.linspace(0, 1, n), [1.0]])
    s = Surface(degree=(1, 1), knots=(knots, knots), points=np.stack([x, y, 0.01 * np.sin(9 * x)], axis=2))
    assert (s.patches_with_reach.reach == 0.0).all()
    assert len(s.hits((0.5, 0.5, 1), (0, 0, -1))) == 1
