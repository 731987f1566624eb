"""Materials by name, pairs of them, and what is refused."""

from __future__ import annotations

import pickle
import re

import pytest

import gudgeon as gd
from gudgeon.errors import ModelError
from gudgeon.inputs.material import material_pair


def test_values():
    """Handbook values: E [Pa], ν, ρ [kg/m³], α [1/K]."""
    steel = gd.materials["steel"]
    assert (steel.youngs_modulus, steel.poissons_ratio, steel.density, steel.expansion) == (207e9, 0.30, 7850.0, 12e-6)
    assert len(gd.materials) == 6 and all(gd.materials[name].name == name for name in gd.materials)


def test_other_names():
    assert gd.materials["CuSn8"] is gd.materials["bronze"] is gd.materials[" Bronze "]
    assert "aluminum" in gd.materials and "ptfe" in gd.materials and "wood" not in gd.materials


def test_every_material_is_lighter_or_stiffer_than_nothing():
    """G between E/3 (ν = ½) and E/2 (ν = 0)."""
    for material in gd.materials.values():
        assert material.youngs_modulus / 3.0 <= material.shear_modulus <= material.youngs_modulus / 2.0
        assert pickle.loads(pickle.dumps(material)) == material


def test_pairs():
    own = gd.Material(name="CuSn12", youngs_modulus=95e9, poissons_ratio=0.34)
    assert material_pair("x", "steel") == (gd.materials["steel"],) * 2
    assert material_pair("x", [own, "steel"]) == (own, gd.materials["steel"])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: gd.materials["steeel"],
            "materials: there is no 'steeel'; did you mean 'steel'? For another one make a",
        ),
        (lambda: gd.materials[3], "materials: there is no 3; known are 'steel', 'bronze'"),
        (
            lambda: material_pair("pin", ("bronce", "steel")),
            "pin: materials: there is no 'bronce'; did you mean 'bronze'?",
        ),
        (lambda: material_pair("pin", ("bronze",)), "pin: materials is ('bronze',); give a name of gd.materials"),
        (lambda: material_pair("pin", 207e9), "pin: materials is 207000000000.0; give a name"),
        (
            lambda: gd.Material(name="x", youngs_modulus=-1.0, poissons_ratio=0.3),
            "Material 'x': youngs_modulus is -1 Pa; it must be positive",
        ),
        (
            lambda: gd.Material(name="x", youngs_modulus=1e9, poissons_ratio=0.6),
            "Material 'x': poissons_ratio is 0.6; it must be above -1 and at most 0.5",
        ),
        (
            lambda: gd.Material(name="x", youngs_modulus=1e9, poissons_ratio=0.3, density=0.0),
            "Material 'x': density is 0 kg/m³; it must be positive",
        ),
    ],
)
def test_refused(make, message):
    with pytest.raises(ModelError, match=re.escape(message)):
        make()


def test_unknown_names_are_key_errors_too():
    with pytest.raises(KeyError):
        _ = gd.materials["unobtainium"]
    assert gd.materials.get("unobtainium") is None
