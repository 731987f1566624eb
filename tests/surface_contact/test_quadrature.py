"""Areas and integrals over surfaces: exact values, order of convergence, trimming."""

from __future__ import annotations

import numpy as np
import pytest

from gudgeon.nurbs import Surface, SurfacePair, Trim
from gudgeon.surface_contact.quadrature import gauss_rows, trapezium_weights
from gudgeon.surface_contact.tables import with_gauss_points

PLANE = Surface.plane()


def integral(surface: Surface, count: int, f) -> float:
    """∫ f(x) dA with about count² points."""
    pair, weight = with_gauss_points(SurfacePair(reference=surface, corresponding=PLANE, grid=(count, count)))
    return float(weight @ f(pair.frames[0][:, 0]))


def test_smooth_integrals_are_of_order_four():
    """∫ z² dA = 4π/3 R⁴ on a sphere, and its area 4π R²."""
    for f, exact in ((lambda x: x[:, 2] ** 2, 4 * np.pi / 3), (lambda x: np.ones(len(x)), 4 * np.pi)):
        errors = [abs(integral(Surface.sphere(1.0), n, f) - exact) for n in (16, 32, 64)]
        assert errors[2] < 1e-5 * exact
        assert np.log2(errors[0] / errors[1]) > 3.7 and np.log2(errors[1] / errors[2]) > 3.7


def test_a_pressure_that_ends_within_a_cell_is_of_order_two():
    """∫ max(z − ½, 0) dA = π R²/4: a kink, whose error falls as h² on average."""
    errors = []
    for n in (20, 40, 80, 160):
        some = [integral(Surface.sphere(1.0), k, lambda x: np.maximum(x[:, 2] - 0.5, 0.0)) for k in range(n, n + 9, 2)]
        errors.append(np.sqrt(np.mean((np.array(some) - np.pi / 4) ** 2)))
    assert np.polyfit(np.log([20, 40, 80, 160]), np.log(errors), 1)[0] < -1.7


def test_points_respect_knots():
    rows, weights = gauss_rows(Surface.cylinder(1.0, 0.0, 2.0), (10, 3))
    assert len(rows[0]) == 16 and len(rows[1]) == 4  # two cells in each of four arcs; two cells along the axis
    assert weights[0].sum() == pytest.approx(1.0) and weights[1].sum() == pytest.approx(1.0)
    assert np.all(np.diff(rows[0]) > 0.0)


def test_given_rows_keep_their_place():
    cylinder = Surface.cylinder(1.0, 0.0, 2.0)
    pair = SurfacePair(reference=cylinder, corresponding=PLANE, grid=([0.9, 0.1, 0.5], [0.0, 1.0]))
    again, weight = with_gauss_points(pair)
    assert again.xi1.tolist() == [0.9, 0.1, 0.5]
    assert weight.sum() == pytest.approx(4 * np.pi, rel=0.1)
    assert trapezium_weights(pair.reference, 0, pair.xi1) == pytest.approx([0.3, 0.3, 0.4])
    assert trapezium_weights(pair.reference, 1, pair.xi2) == pytest.approx([0.5, 0.5])


def test_what_is_trimmed_away_has_no_area():
    half = Trim(outer=[[(0.0, 0.0), (0.5, 0.0), (0.5, 1.0), (0.0, 1.0)]])
    surface = Surface.plane(edge1=(2, 0, 0), edge2=(0, 1, 0)).trimmed(half)
    assert integral(surface, 40, lambda x: np.ones(len(x))) == pytest.approx(1.0)
