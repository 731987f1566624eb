"""The published method: shapes and ranks, D on the axis, drop of rank, golden section with what is wrong with it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from random_surfaces import free_form

from gudgeon import ModelError
from gudgeon.nurbs import Surface
from gudgeon.nurbs.implicit import golden_section, implicit_matrix, null_space, product_matrix

QUARTER = Surface.cylinder(1.0, -1.0, 1.0, angle=0.5 * math.pi)
OCTANT = Surface.sphere(1.0).bezier()[1]
TORUS = Surface.torus(3.0, 1.0).bezier()[0]


def graph(rational):
    """A bicubic patch over a square, z random: x and y are linear in ξ if it is a polynomial."""
    rng = np.random.default_rng(7)
    x, y = np.meshgrid(np.arange(4) / 3, np.arange(4) / 3, indexing="ij")
    return Surface(
        degree=(3, 3),
        knots=([0] * 4 + [1] * 4,) * 2,
        points=np.stack([x, y, rng.normal(size=(4, 4))], axis=2),
        weights=rng.uniform(0.5, 2.0, (4, 4)) if rational else None,
    )


@pytest.mark.parametrize(
    ("patch", "nu", "shape", "rank", "size"),
    [
        (QUARTER, (3, 0), (12, 16), 10, (4, 6)),
        (OCTANT, (3, 1), (24, 32), 20, (8, 12)),
        (TORUS, (3, 1), (24, 32), 20, (8, 12)),
        (graph(False), (5, 2), (54, 72), 42, (18, 30)),
        (graph(True), (5, 2), (54, 72), 54, (18, 18)),
    ],
    ids=["cylinder", "sphere", "torus", "bicubic polynomial", "bicubic rational"],
)
def test_shapes_and_ranks(patch, nu, shape, rank, size):
    s = product_matrix(patch, nu)
    assert s.shape == shape
    assert np.linalg.matrix_rank(s, tol=1e-10) == rank
    m = implicit_matrix(patch)
    assert m.nu == nu
    assert m.blocks.shape == (4, *size)
    assert np.abs(s @ m.blocks.reshape(s.shape[1], -1)).max() < 1e-13


def test_evaluation_on_the_axis_of_a_quarter_cylinder():
    assert implicit_matrix(QUARTER, nu=(1, 1)).evaluation((0, 0, 0)) == pytest.approx(1 / 7, rel=1e-12)


@pytest.mark.parametrize("patch", [QUARTER, OCTANT, TORUS, graph(True)], ids=["cylinder", "sphere", "torus", "free"])
def test_rank_drops_on_the_surface_and_only_there(patch):
    m = implicit_matrix(patch)
    rng = np.random.default_rng(1)
    (a, b), (c, d) = patch.domain
    for _ in range(20):
        xi = rng.uniform((a, c), (b, d))
        x = patch.point(*xi)
        on = np.linalg.svd(m.at(x), compute_uv=False)
        off = np.linalg.svd(m.at(x + 0.1 * patch.normal(*xi)), compute_uv=False)
        assert on[-1] < 1e-13 * on[0]
        assert off[-1] > 1e-6 * off[0]
        assert np.abs(m.parameters(x) - xi).sum(axis=1).min() < 1e-6


def test_both_orders_of_the_critical_degree_agree():
    x = OCTANT.point(0.1, 0.7)
    for nu in ((3, 1), (1, 3), (4, 2)):
        assert implicit_matrix(OCTANT, nu=nu).evaluation(x) < 1e-12


def test_evaluation_vanishes_beyond_the_patch():
    """Definition 2 of the paper says 'if and only if x is in Ω'; it is the whole algebraic surface."""
    m = implicit_matrix(QUARTER)
    beyond = (-1.0, 0.0, 0.0)  # on the cylinder, not on the quarter
    assert m.evaluation(beyond) < 1e-14
    xi = m.parameters(beyond)
    assert ((xi < -1e-6) | (xi > 1 + 1e-6)).any(axis=1).all()


def test_null_space_by_rref_spans_the_same_and_is_worse():
    s = product_matrix(graph(True), (5, 2))
    good, printed = null_space(s), null_space(s, method="rref")
    assert good.shape == printed.shape
    assert np.abs(s @ printed).max() < 1e-9
    both = np.concatenate([good, printed / np.linalg.norm(printed, axis=0)], axis=1)
    assert np.linalg.matrix_rank(both, tol=1e-6) == good.shape[1]
    assert np.linalg.cond(printed) > 5 * np.linalg.cond(good)


def test_golden_section_finds_the_gap_of_a_journal():
    """As printed: bracketing from h = 0, then 0.382."""
    m = implicit_matrix(QUARTER.bezier()[0])
    n = np.array([math.cos(0.5), math.sin(0.5), 0.0])
    h, d = golden_section(m, 0.8 * n, n, delta=1e-3, farthest=2.0)
    assert h == pytest.approx(0.2, abs=1e-7)
    assert d < 1e-6


def test_golden_section_fails_as_the_corrections_say():
    m = implicit_matrix(QUARTER)
    n = np.array([math.cos(0.5), math.sin(0.5), 0.0])
    outside = golden_section(m, 1.1 * n, n, delta=1e-3, farthest=1.0)  # penetration: h = −0.1 is not in h ≥ 0
    assert math.isnan(outside[0])
    phantom, d = golden_section(m, -0.8 * n, -n, delta=1e-3, farthest=2.0)  # meets the cylinder, not the quarter
    assert phantom == pytest.approx(0.2, abs=1e-7)
    assert d < 1e-6
    assert len(QUARTER.hits(-0.8 * n, -n)) == 1  # only the one behind, at h = −1.8
    assert QUARTER.hits(-0.8 * n, -n)[0, 0] == pytest.approx(-1.8)


def test_bad_input():
    with pytest.raises(ModelError, match=r"8 Bézier patches; give one, see Surface.bezier"):
        implicit_matrix(Surface.sphere(1.0))
    with pytest.raises(
        ModelError, match=r"ν = \(1, 0\) is below the critical degree; give at least \(3, 0\) or \(1, 1\)"
    ):
        implicit_matrix(QUARTER, nu=(1, 0))
    with pytest.raises(ModelError, match=r'method is .qr.; give "svd" or "rref"'):
        null_space(np.eye(2), method="qr")


def test_scaling_matters_for_small_parts():
    small = free_form(3, count=(4, 4), size=1e-3)
    x = small.point(0.4, 0.6)
    scaled = implicit_matrix(small, scaled=True)
    assert np.linalg.svd(scaled.at(x), compute_uv=False)[-1] < 1e-12
    assert np.abs(scaled.parameters(x) - (0.4, 0.6)).max() < 1e-7
