"""Pairs and poses: grids, the local basis (10)–(14), bad input."""

from __future__ import annotations

import numpy as np
import pytest
from random_surfaces import free_form

from gudgeon import ModelError
from gudgeon.nurbs import Pose, Reason, Surface, SurfacePair, Trim

PLANE = Surface.plane()


def test_closed_directions_are_not_sampled_twice():
    pair = SurfacePair(reference=Surface.cylinder(1.0, 0.0, 1.0), corresponding=PLANE, grid=(4, 3))
    np.testing.assert_allclose(pair.xi1, [0, 0.25, 0.5, 0.75])
    np.testing.assert_allclose(pair.xi2, [0, 0.5, 1])
    own = SurfacePair(reference=PLANE, corresponding=PLANE, grid=([0.1, 0.2], [0.7]))
    np.testing.assert_allclose(own.xi1, [0.1, 0.2])


@pytest.mark.parametrize("side", [1, -1])
def test_local_basis(side):
    """Orthonormal, along S_1, along the normal turned by κ; its determinant is −κ: a basis, no rotation."""
    s = free_form(2)
    frames, reason = SurfacePair(reference=s, corresponding=PLANE, reference_side=side, grid=(5, 4)).frames
    assert (reason == Reason.FOUND).all()
    e = frames[:, 1:]
    np.testing.assert_allclose(np.einsum("qax,qbx->qab", e, e), np.broadcast_to(np.eye(3), (20, 3, 3)), atol=1e-13)
    np.testing.assert_allclose(np.linalg.det(e), -side, atol=1e-12)
    u, v = (x.ravel() for x in np.meshgrid(np.linspace(0, 1, 5), np.linspace(0, 1, 4), indexing="ij"))
    d = s.derivatives(u, v, order=1)
    np.testing.assert_allclose(np.cross(e[:, 0], d[:, 1]), 0.0, atol=1e-13)
    np.testing.assert_allclose(e[:, 1], side * s.normal(u, v), atol=1e-13)
    assert (np.sum(e[:, 2] * d[:, 2], axis=1) > 0).all()


def test_basis_at_a_pole_and_outside_the_trim():
    hole = Trim(inner=[[(0.4, 0.4), (0.6, 0.4), (0.6, 0.6), (0.4, 0.6)]])
    ball = Surface.sphere(1.0).trimmed(hole)
    frames, reason = SurfacePair(reference=ball, corresponding=PLANE, grid=(2, 3)).frames
    np.testing.assert_array_equal(reason.reshape(2, 3)[1], [0, Reason.REFERENCE_TRIMMED, 0])
    e = frames[:, 1:]
    np.testing.assert_allclose(np.einsum("qax,qbx->qab", e, e), np.broadcast_to(np.eye(3), (6, 3, 3)), atol=1e-9)


def test_poses():
    assert Pose(rotation=(1, 0, 0, 0)) == Pose()
    assert Pose(velocity=(1, 0, 0)) != Pose()
    assert hash(Pose()) == hash(Pose())


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Pose(position=(1, 2)), r"Pose: position has shape \(2,\); give 3 numbers"),
        (lambda: Pose(velocity=(1, 2, np.inf)), r"Pose: velocity \[2\] is inf; every number must be finite"),
        (lambda: Pose(rotation=2 * np.eye(3)), "Pose: rotation is not a rotation matrix"),
        (lambda: SurfacePair(reference=PLANE, corresponding=3), "corresponding is a int; give a Surface"),  # pyright: ignore
        (lambda: SurfacePair(reference=PLANE, corresponding=PLANE, grid=5), "grid is 5; give two, for ξ1 and ξ2"),
        (lambda: SurfacePair(reference=PLANE, corresponding=PLANE, grid=(0, 5)), "grid in ξ1 is 0; give at least one"),
        (lambda: SurfacePair(reference=PLANE, corresponding=PLANE, grid=([0.5, 2.0], 5)), "its domain is 0 … 1"),
        (lambda: SurfacePair(reference=PLANE, corresponding=PLANE, grid=(2, [[0.5]])), r"has shape \(1, 1\)"),
        (
            lambda: SurfacePair(reference=PLANE, corresponding=PLANE, reference_side=0),
            "reference_side is 0; give one of",
        ),
        (lambda: SurfacePair(reference=PLANE, corresponding=PLANE, window=(1, -1)), "window from 1 to -1 m is empty"),
        (lambda: SurfacePair(reference=PLANE, corresponding=PLANE, window=5), "give the least and the largest"),  # pyright: ignore
    ],
)
def test_bad_input(make, message):
    with pytest.raises(ModelError, match=message):
        make()
