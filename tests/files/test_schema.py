"""The JSON Schema of model files takes what the library takes."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import gudgeon as gd
from gudgeon.files.described import described
from gudgeon.files.schema import schema
from gudgeon.files.yaml_text import read_yaml, written_json
from one_joint import one_joint

FOUR_BAR = (Path(gd.examples.__file__).parent / "spatial_four_bar.yaml").read_text()


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    Draft202012Validator.check_schema(schema())
    return Draft202012Validator(json.loads(json.dumps(schema())))


@pytest.mark.parametrize("path", sorted(Path(gd.examples.__file__).parent.glob("*.yaml")), ids=lambda path: path.stem)
def test_it_takes_the_examples(path, validator):
    data, _ = read_yaml(path.read_text())
    assert not [error.message for error in validator.iter_errors(data)]


@pytest.mark.parametrize(
    ("joint", "model"),
    [("Spherical", "SurfaceContact"), ("Revolute", "Bushing 6×6"), ("Guide", "FlexibleSlider"), ("Free", "Ideal")],
)
def test_it_takes_what_is_saved(joint, model, validator):
    data = json.loads(written_json(described(one_joint(joint, model, driven="lexible" not in model))))
    assert not [error.message for error in validator.iter_errors(data)]


CHANGES = {
    "a field that is not there": lambda data: data["bodies"]["crank"].update(weight=3),
    "a type that is not there": lambda data: data["joints"]["A"].update(type="Hinge"),
    "a joint without type": lambda data: data["joints"]["A"].pop("type"),
    "a joint without parent": lambda data: data["joints"]["A"].pop("parent"),
    "a text for a number": lambda data: data["models"]["dry"].update(ball_radius="small"),
    "two numbers for a point": lambda data: data["joints"]["A"].update(at=[0, 0]),
    "no bodies": lambda data: data.pop("bodies"),
    "no duration": lambda data: data["run"].pop("duration"),
    "a section that is not there": lambda data: data.update(forces={}),
}


@pytest.mark.parametrize("change", CHANGES)
def test_it_refuses_what_is_wrong(change, validator):
    data, _ = read_yaml(FOUR_BAR)
    wrong = copy.deepcopy(data)
    CHANGES[change](wrong)
    assert validator.is_valid(data) and not validator.is_valid(wrong)


def test_it_explains_fields():
    radius = schema()["$defs"]["Dry"]["properties"]["ball_radius"]
    assert radius["description"] == "R_j [m]"
