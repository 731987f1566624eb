"""Bodies, distorted meshes and random quadrilaterals for the tests of the finite elements."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from gudgeon import fem
from gudgeon.errors import ModelError

UNIT = fem.Material(youngs_modulus=1.0, poissons_ratio=0.3, density=1.0)
SLIDER = fem.Material(youngs_modulus=1000.0, poissons_ratio=0.3, density=1 / 3)  # table 1 of docs/sliders.md's paper


def slider(nx: int = 5, ny: int = 5, **options: Any) -> fem.PlaneModel:
    """The slider of the paper of docs/sliders.md, table 1."""
    return fem.PlaneModel(**{"mesh": fem.Mesh.rectangle(0.6, 0.5, nx, ny), "material": SLIDER, **options})


def distorted(length: float, height: float, nx: int, ny: int, *, seed: int = 1, amount: float = 0.25) -> fem.Mesh:
    """A rectangle whose inner nodes are moved by up to `amount` of an element's sides."""
    mesh = fem.Mesh.rectangle(length, height, nx, ny)
    shift = np.random.default_rng(seed).uniform(-amount, amount, mesh.nodes.shape) * (length / nx, height / ny)
    shift[mesh.boundary_nodes] = 0.0
    return fem.Mesh(nodes=mesh.nodes + shift, quads=mesh.quads)


def annulus(count: int = 12) -> fem.Mesh:
    """A ring of one layer of elements: a body with a hole."""
    angle = 2 * np.pi * np.arange(count) / count
    circle = np.stack((np.cos(angle), np.sin(angle)), axis=1)
    k = np.arange(count)
    inner, outer = k, k + count
    quads = np.stack((inner, outer, np.roll(outer, -1), np.roll(inner, -1)), axis=1)
    return fem.Mesh(nodes=np.concatenate((circle, 2 * circle)), quads=quads)


def turned(nodes: np.ndarray, angle: float, shift: tuple[float, float] = (0.0, 0.0)) -> np.ndarray:
    """Positions or vectors turned by `angle` [rad], then shifted."""
    c, s = np.cos(angle), np.sin(angle)
    return nodes @ np.array([[c, s], [-s, c]]) + shift


@st.composite
def quads(draw) -> fem.Mesh:
    """One convex quadrilateral of any size, aspect, attitude and place."""
    corner = st.floats(-0.2, 0.2)
    square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    shape = square + np.array([(draw(corner), draw(corner)) for _ in range(4)])
    shape *= (draw(st.floats(0.2, 5.0)), 1.0)
    size = 10.0 ** draw(st.floats(-3.0, 3.0))
    shift = (draw(st.floats(-3.0, 3.0)), draw(st.floats(-3.0, 3.0)))
    nodes = size * turned(shape, draw(st.floats(-np.pi, np.pi)), shift)
    return fem.Mesh(nodes=nodes, quads=[(0, 1, 2, 3)])


@st.composite
def materials(draw) -> fem.Material:
    return fem.Material(
        youngs_modulus=10.0 ** draw(st.floats(0.0, 12.0)),
        poissons_ratio=draw(st.floats(-0.9, 0.49)),
        density=10.0 ** draw(st.floats(-1.0, 5.0)),
        thickness=10.0 ** draw(st.floats(-4.0, 1.0)),
        plane=draw(st.sampled_from(["stress", "strain"])),
    )


def order(sizes, errors) -> float:
    """The slope of log error over log size, over the last two."""
    return float(np.log(errors[-2] / errors[-1]) / np.log(sizes[-2] / sizes[-1]))


def refuses(wording: str):
    """`wording` is literal text, … standing for anything."""
    return pytest.raises(ModelError, match="^" + re.escape(wording).replace("…", ".*") + "$")
