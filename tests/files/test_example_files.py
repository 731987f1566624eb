"""The packaged examples as model files: the same mechanisms as those of `gd.examples`, but for the last digit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import gudgeon as gd
from gudgeon.files.described import described
from gudgeon.files.model_file import read_model

FOLDER = Path(gd.examples.__file__).parent
EXAMPLES = {
    "spatial_four_bar": gd.examples.spatial_four_bar("dry"),
    "stick_slip_oscillator": gd.examples.stick_slip_oscillator(),
    "slider_crank_flexible_slider": gd.examples.slider_crank_flexible_slider(),
    "slider_crank_hard_contact": gd.examples.slider_crank_hard_contact(),
}


def rounded(data: Any) -> Any:
    """Inertias in the files are decimal numbers, in Python they are computed."""
    if isinstance(data, dict):
        return {key: rounded(value) for key, value in data.items()}
    if isinstance(data, list):
        return [rounded(value) for value in data]
    return float(f"{data:.14g}") if isinstance(data, float) else data


def test_every_example_is_there():
    assert {path.stem for path in FOLDER.glob("*.yaml")} == set(EXAMPLES)
    assert set(EXAMPLES) == {name for name in gd.examples.__all__ if callable(getattr(gd.examples, name))} - {
        "spherical_joint_model"
    }


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_file_is_the_mechanism(name):
    assert rounded(described(gd.load_system(FOLDER / f"{name}.yaml"))) == rounded(described(EXAMPLES[name]))


def test_models_by_name():
    model = read_model(FOLDER / "spatial_four_bar.yaml")
    for name in ("ideal", "dry", "lubricated", "bushing"):
        assert model.models[name] == gd.examples.spherical_joint_model(name)
    assert model.run == {"duration": 2.0}
