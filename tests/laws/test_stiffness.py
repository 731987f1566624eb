"""Hertz stiffness: reference values, limits, two materials, refused input."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import references
from gudgeon import laws
from gudgeon.errors import ModelError

TABLE = references.load("hertz_stiffness")
STEEL = {"youngs_modulus": TABLE["parameters"]["E"], "poissons_ratio": TABLE["parameters"]["nu"]}
radii = st.floats(1e-4, 1.0)
moduli = st.floats(1e6, 1e12)
ratios = st.floats(-0.9, 0.5)


@pytest.mark.parametrize(
    ("case", "stiffness"),
    [
        ("sphere 10mm - sphere 10mm", lambda: laws.spheres(radii=(0.01, 0.01), **STEEL)),
        ("sphere 10mm - plane", lambda: laws.sphere_on_plane(radius=0.01, **STEEL)),
        ("socket 10 / ball 9.5 mm", lambda: laws.sphere_in_socket(socket_radius=0.01, ball_radius=0.0095, **STEEL)),
        ("socket 10 / ball 9.9 mm", lambda: laws.sphere_in_socket(socket_radius=0.01, ball_radius=0.0099, **STEEL)),
        ("socket 10 / ball 9.8 mm", lambda: laws.sphere_in_socket(socket_radius=0.01, ball_radius=0.0098, **STEEL)),
    ],
)
def test_reference_table(case, stiffness):
    assert stiffness() == pytest.approx(TABLE["reference"][case], rel=1e-10)


@given(radii, radii, moduli, moduli, ratios, ratios)
def test_reduced_modulus_and_radius(first, second, modulus_1, modulus_2, ratio_1, ratio_2):
    """K = 4/3 E* √R*, 1/E* = Σ (1 − ν²)/E, 1/R* = 1/R₁ + 1/R₂: Johnson (1985), section 4.2."""
    modulus = 1.0 / ((1.0 - ratio_1**2) / modulus_1 + (1.0 - ratio_2**2) / modulus_2)
    material = {"youngs_modulus": (modulus_1, modulus_2), "poissons_ratio": [ratio_1, ratio_2]}
    outside = laws.spheres(radii=(first, second), **material)
    assert outside == pytest.approx(4.0 / 3.0 * modulus * (1.0 / first + 1.0 / second) ** -0.5)
    swapped = {"youngs_modulus": (modulus_2, modulus_1), "poissons_ratio": (ratio_2, ratio_1)}
    assert laws.spheres(radii=(second, first), **swapped) == pytest.approx(outside)
    assert outside < laws.sphere_on_plane(radius=first, **material)
    if 1.01 * first < second:
        inside = laws.sphere_in_socket(socket_radius=second, ball_radius=first, **material)
        assert inside == pytest.approx(4.0 / 3.0 * modulus * (1.0 / first - 1.0 / second) ** -0.5)
        assert inside > laws.sphere_on_plane(radius=first, **material)


def test_flat_limit():
    flat = laws.sphere_on_plane(radius=0.01, **STEEL)
    assert laws.spheres(radii=(0.01, 1e8), **STEEL) == pytest.approx(flat, rel=1e-9)
    assert laws.sphere_in_socket(socket_radius=1e8, ball_radius=0.01, **STEEL) == pytest.approx(flat, rel=1e-9)


def test_rigid_partner_doubles_the_stiffness():
    rigid = {"youngs_modulus": np.array([207e9, 1e30]), "poissons_ratio": 0.3}
    assert laws.sphere_on_plane(radius=0.01, **rigid) == pytest.approx(2.0 * laws.sphere_on_plane(radius=0.01, **STEEL))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: laws.sphere_in_socket(socket_radius=0.01, ball_radius=0.01, **STEEL),
            "sphere_in_socket: ball_radius is 0.01 m and socket_radius is 0.01 m; "
            "the ball must be smaller than its socket",
        ),
        (
            lambda: laws.sphere_in_socket(socket_radius=0.01, ball_radius=-0.009, **STEEL),
            "sphere_in_socket: ball_radius is -0.009 m; it must be positive",
        ),
        (
            lambda: laws.sphere_on_plane(radius=0.01, youngs_modulus=0.0, poissons_ratio=0.3),
            "sphere_on_plane: youngs_modulus is 0 Pa; it must be positive, steel has about 2.1e11",
        ),
        (
            lambda: laws.sphere_on_plane(radius=0.01, youngs_modulus=(2e11, -1.0), poissons_ratio=0.3),
            "sphere_on_plane: youngs_modulus is -1 Pa; it must be positive",
        ),
        (
            lambda: laws.spheres(radii=(0.01, 0.02), youngs_modulus=2e11, poissons_ratio=(0.3, 0.501)),
            "spheres: poissons_ratio is 0.501; it must be above -1 and at most 0.5, steel has about 0.3",
        ),
        (
            lambda: laws.spheres(radii=(0.01, 0.02), youngs_modulus=2e11, poissons_ratio=-1.0),
            "spheres: poissons_ratio is -1; it must be above -1 and at most 0.5",
        ),
        (
            lambda: laws.spheres(radii=(0.01, 0.02), youngs_modulus=(2e11, 1e11, 7e10), poissons_ratio=0.3),
            "spheres: youngs_modulus is (200000000000.0, 100000000000.0, 70000000000.0); give 2 numbers",
        ),
        (lambda: laws.spheres(radii=0.01, **STEEL), "spheres: radii is 0.01; give 2 numbers"),
        (lambda: laws.spheres(radii=(0.01, 0.0), **STEEL), "spheres: radii is 0 m; it must be positive"),
        (
            lambda: laws.sphere_on_plane(radius=0.01, youngs_modulus="steel", poissons_ratio=0.3),
            "sphere_on_plane: youngs_modulus is 'steel'; give a number",
        ),
    ],
)
def test_errors(make, message):
    with pytest.raises(ModelError, match=re.escape(message)):
        make()


def test_limits_of_the_material_are_accepted():
    assert laws.sphere_on_plane(radius=0.01, youngs_modulus=1e6, poissons_ratio=0.5) > 0.0
    assert laws.sphere_on_plane(radius=0.01, youngs_modulus=1e6, poissons_ratio=-0.99) > 0.0
