"""Units: of every field as its comment says, and of every text as pint knows them."""

from __future__ import annotations

import inspect
import math
import re

import pytest

import gudgeon as gd
from gudgeon.files.kinds import fields, types
from gudgeon.files.quantity_text import in_si

COMMENT = re.compile(r"^    (\w+): [^#\n]*#[^\[#\n]*\[([^\]]+)\]", re.MULTILINE)
WRITTEN = {"N/mⁿ": "N/m^exponent", "kg·m²": "kg·m²"}
TOLERANCES = {"atol", "tolerance"}  # of metres and radians at once: plain numbers
KINDS = {name: kind for name, kind in types().items() if kind.__module__.split(".")[1] not in ("fem", "nurbs", "state")}


@pytest.mark.parametrize("name", [*KINDS, "Material", "Rayleigh", "Mesh", "Surface"])
def test_the_unit_of_a_field_is_the_one_in_its_comment(name):
    kind = types()[name]
    told: dict[str, str] = {}
    for base in reversed(kind.__mro__[:-1]):
        told |= dict(COMMENT.findall(inspect.getsource(base)))
    for field in fields(kind).values():
        unit, comment = field.shape.unit, told.get(field.name, "-")
        if field.shape.classes or field.name in TOLERANCES:
            continue  # laws: their own fields have units
        declared = "-" if unit is None else f"{unit.name} or {unit.displacement}" if unit.displacement else unit.name
        assert declared == WRITTEN.get(comment, comment), field.name


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("9.9 mm", "m", 0.0099),
        ("400 cP", "Pa·s", 0.4),
        ("207 GPa", "Pa", 207e9),
        ("5000 rpm", "rad/s", 5000 * 2 * math.pi / 60),
        ("15 deg", "rad", math.pi / 12),
        ("50 µm", "m", 5e-5),
        ("2 kg*cm^2", "kg·m²", 2e-4),
        ("1 lbf", "N", 0.45359237 * 9.80665),
        ("3 Nm/rad", "N·m/rad", 3.0),
        ("0.1 N·mm/deg", "N·m/rad", 1e-4 * 180 / math.pi),
        ("2 bar", "Pa", 2e5),
        ("1.5e11 N/m^1.5", "N/m^1.5", 1.5e11),
        ("-9.81 m/s²", "m/s²", -9.81),
        ("20 1/s", "1/s", 20.0),
    ],
)
def test_a_number_with_a_unit(text, unit, value):
    assert in_si(text, unit) == pytest.approx(value, rel=4e-16)


@pytest.mark.parametrize(
    ("text", "unit", "message"),
    [
        ("9.9 N", "m", "'9.9 N' is of another dimension; give a number in m, or a text such as '5 m'"),
        ("50 Hz", "rad/s", "is of another dimension"),
        ("3 N*m", "N·m/rad", "is of another dimension"),
        ("1e9 N/m", "N/m^1.5", "is of another dimension"),
        ("3 milimeter", "m", "the unit 'milimeter' is not known; did you mean"),
        ("3 mm", "", "'3 mm' has a unit, but this is a pure number; leave the unit out"),
        ("9**9**9 m", "m", "is no number"),
        ("2 m**99999", "m", "is no number"),
        ("__import__('os')", "m", "is no number"),
        ("1 " + "m*" * 10000 + "m", "m", "is no number"),
    ],
)
def test_what_is_no_such_quantity(text, unit, message):
    with pytest.raises(gd.ModelError, match=re.escape(message)):
        in_si(text, unit)
