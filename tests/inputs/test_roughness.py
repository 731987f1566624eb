"""Composite roughness: a reference value, a sample of random surfaces, refused input."""

from __future__ import annotations

import re

import numpy as np
import pytest

from gudgeon import roughness
from gudgeon.errors import ModelError


def test_reference():
    assert roughness.composite(0.4e-6, 0.2e-6) == pytest.approx(0.559e-6, rel=1e-3)
    assert roughness.smallest_film(0.4e-6, 0.2e-6, ratio=4.0) == pytest.approx(4.0 * 0.559e-6, rel=1e-3)


def test_of_random_surfaces():
    """Heights of normal distribution with mean absolute height R_a; σ of their difference within 1 % of the rule."""
    rng = np.random.default_rng(1)
    heights = [Ra * np.sqrt(np.pi / 2) * rng.standard_normal(400_000) for Ra in (0.8, 0.4)]
    assert np.mean(np.abs(heights[0])) == pytest.approx(0.8, rel=5e-3)
    assert np.std(heights[0] - heights[1]) == pytest.approx(roughness.composite(0.8e-6, 0.4e-6) * 1e6, rel=1e-2)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: roughness.composite(0.4, 0.2e-6), "roughness.composite: Ra_i is 0.4 m; a machined surface has 0 to"),
        (
            lambda: roughness.composite(0.4e-6, 0.2),
            "Ra_j is 0.2 m; a machined surface has 0 to 0.0001 m; in metres: 0.2 µm",
        ),
        (
            lambda: roughness.smallest_film(0.4e-6, 0.2e-6, ratio=0.0),
            "ratio is 0; peaks begin to touch at 3 to 4 times σ",
        ),
    ],
)
def test_refused(make, message):
    with pytest.raises(ModelError, match=re.escape(message)):
        make()
