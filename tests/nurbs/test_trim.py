"""Trimming loops: inside and outside against geometry, hits only on what is kept, bad loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gudgeon import ModelError
from gudgeon.nurbs import Surface, Trim

SQUARE = [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)]
HOLE = [(0.4, 0.4), (0.4, 0.6), (0.6, 0.6), (0.6, 0.4)]


@given(seed=st.integers(0, 300), corners=st.integers(3, 12))
def test_star_shaped_loops_against_angles(seed, corners):
    """A polygon seen from its centre: a point is inside if it is nearer than the edge in its direction."""
    rng = np.random.default_rng(seed)
    angles = np.sort(rng.uniform(0, 2 * np.pi, corners))
    if np.max(np.diff(np.append(angles, angles[0] + 2 * np.pi))) >= np.pi - 0.1:
        angles = 2 * np.pi * np.arange(corners) / corners
    radii = rng.uniform(0.1, 0.45, corners)
    loop = 0.5 + radii[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    s = Surface.plane().trimmed(Trim(outer=[loop]))
    p = rng.uniform(0, 1, (200, 2))
    a = np.arctan2(p[:, 1] - 0.5, p[:, 0] - 0.5) % (2 * np.pi)
    k = (np.searchsorted(angles, a) - 1) % corners
    first, second = loop[k] - 0.5, loop[(k + 1) % corners] - 0.5
    q = p - 0.5
    edge = second - first
    side = edge[:, 0] * (q - first)[:, 1] - edge[:, 1] * (q - first)[:, 0]
    assert np.array_equal(s.keeps(p[:, 0], p[:, 1]), side > 0)


def test_holes_and_islands():
    island = [(0.47, 0.47), (0.53, 0.47), (0.53, 0.53)]
    s = Surface.plane().trimmed(Trim(outer=[SQUARE], inner=[HOLE, island]))
    np.testing.assert_array_equal(s.keeps([0.05, 0.2, 0.42, 0.52], [0.5, 0.2, 0.5, 0.48]), [False, True, False, True])
    assert Surface.plane().trimmed(Trim(inner=[HOLE])).keeps(0.05, 0.5)


def test_hits_only_what_is_kept():
    pin = Surface.cylinder(0.01, 0.0, 0.02)
    keyway = Trim(inner=[[(0.2, -1.0), (0.3, -1.0), (0.3, 2.0), (0.2, 2.0)]])  # about the direction +y
    assert len(pin.hits((0, -1, 0.01), (0, 1, 0))) == 2
    only = pin.trimmed(keyway).hits((0, -1, 0.01), (0, 1, 0))
    np.testing.assert_allclose(only[:, 0], [0.99])


def test_equality():
    assert Trim(outer=[SQUARE]) == Trim(outer=[[*SQUARE, SQUARE[0]]])
    assert Trim(outer=[SQUARE]) != Trim(inner=[SQUARE])
    assert len({Trim(outer=[SQUARE]), Trim(outer=[SQUARE])}) == 1


@pytest.mark.parametrize(
    ("loop", "message"),
    [
        ([(0, 0), (1, 1)], r"outer loop 0 has shape \(2, 2\); give at least three corners"),
        ([(0, 0), (1, 1), (2, 2)], "encloses no area"),
        ([(0, 0, 0), (1, 1, 0), (2, 2, 0)], "has shape"),
        ([(0, 0), (1, np.inf), (2, 2)], "every number must be finite"),
    ],
)
def test_bad_loops(loop, message):
    with pytest.raises(ModelError, match=message):
        Trim(outer=[loop])
