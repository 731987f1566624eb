"""Agreement with OpenCASCADE on random free-form surfaces, where it is installed (cadquery-ocp-novtk)."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_surfaces import free_form, random_line

pytest.importorskip("OCP.Geom", reason="OpenCASCADE is not installed")
sys.path.append(str(Path(__file__).parents[2] / "benchmarks" / "peers"))


@settings(max_examples=40)
@given(seed=st.integers(0, 3000), roughness=st.sampled_from([0.05, 0.2]))
def test_the_same_intersections(seed, roughness):
    from opencascade_lines import face, heights, intersector

    s = free_form(seed, roughness=roughness)
    search = intersector(face(s))
    rng = np.random.default_rng(seed)
    for _ in range(6):
        origin, direction = random_line(rng, s, 0.3)
        ours = s.hits(origin, direction)[:, 0]
        theirs = np.array(heights(search, origin.tolist(), direction.tolist()))
        for h in theirs:  # what it finds is there; it is known to lose some
            assert len(ours) and np.abs(ours - h).min() < 1e-7
        if len(ours) == len(theirs):
            np.testing.assert_allclose(ours, theirs, atol=1e-7)
