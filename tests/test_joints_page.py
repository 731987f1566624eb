"""The page on joints: its Python runs, its table is what joints accept, its outputs are those of elements."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.kernels.elements.table import NAMED
from test_capabilities import ANY, REFUSED

PAGE = Path(__file__).parent.parent / "docs" / "joints.md"
TEXT = PAGE.read_text(encoding="utf-8")
COLUMNS = {
    "Ideal": ("Ideal",),
    "dry": (
        "Dry",
        "DryJournal",
        "WornJournal",
        "DryBox",
        "DryKeyedShaft",
        "DryCross",
        "DryTouch",
        "RigidSlider",
        "FlexibleSlider",
    ),
    "lubricated": ("Lubricated", "LubricatedJournal", "LubricatedBox"),
    "Bushing": ("Bushing",),
    "SurfaceContact": ("SurfaceContact",),
}
ROWS = dict(re.findall(r"^\| `(\w+)` \| ((?:`Ideal`|– \[\d\]) \|.*) \|$", TEXT, re.MULTILINE))


@pytest.fixture(scope="module")
def pasted(tmp_path_factory):
    """The names a reader has after pasting everything."""
    names: dict = {"__name__": "__main__"}
    for place, block in enumerate(re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)):
        path = tmp_path_factory.mktemp("joints") / f"block_{place}.py"
        path.write_text(block, encoding="utf-8")
        exec(compile(block, str(path), "exec"), names)
    return names


def test_what_stays_refused_is_there_with_its_reason():
    """As many lines as there are reasons that are none of geometry."""
    told = re.findall(r"^\| .* \| .* \| (.*) \|$", TEXT.partition("## What stays refused")[2], re.MULTILINE)
    reasons = {rule.why for rule in REFUSED if rule.way != ANY}
    assert reasons <= set(told) and len([line for line in told if line in reasons]) == len(reasons)


def test_every_joint_has_its_row():
    public = {name: getattr(gd, name) for name in gd.__all__}
    assert set(ROWS) == {name for name, value in public.items() if hasattr(value, "accepts")}


@pytest.mark.parametrize("joint", ROWS)
def test_a_row_is_what_the_joint_accepts(joint):
    accepted = {model.__name__ for model in getattr(gd, joint).accepts}
    cells = [cell.strip() for cell in ROWS[joint].split("|")]
    for cell, models in zip(cells, COLUMNS.values(), strict=True):
        told = set(re.findall(r"`(\w+)`", cell))
        assert told == accepted & set(models)
        if not told:
            note = re.fullmatch(r"– \[(\d)\]", cell)
            assert note and re.search(rf"^{note[1]}\. ", TEXT, re.MULTILINE)


def test_outputs_are_those_of_the_elements():
    for element in ("land", "worn land", "collar", "journal film", "pad film", "wall"):
        for output in NAMED[element].outputs:
            told = output.name in TEXT or output.name.replace("_upper", "").replace("_along", "") + "_" in TEXT
            assert told, f"{element} {output.name}"


def test_what_was_pasted(pasted):
    """Notes say what was taken; the pin askew by more than its play crosses; the driven shaft follows the driver."""
    assert "radial clearance 12 µm (mean of 3.5 to 20.5 µm)" in pasted["pin"].note
    assert "ISO VG 46 at 60 °C: 0.01806 Pa·s" in pasted["film"].note
    forces = {
        name: np.linalg.norm(run.data.reaction_force.sel(joint="pin").values, axis=1)
        for name, run in pasted["runs"].items()
    }
    assert set(forces) == {"Ideal", "DryJournal", "LubricatedJournal", "Bushing"}
    mean = {name: force[20:].mean() for name, force in forces.items()}
    assert mean["LubricatedJournal"] == pytest.approx(mean["Ideal"], rel=0.05)
    assert pasted["mode"].values.max() == 3
    spin = pasted["spun"].data.angular_velocity.sel(body="driven", axis="z").values
    assert spin[-1] == pytest.approx(2.0, rel=0.05)  # 100 t


def test_links_are_there():
    for target in re.findall(r"\]\(((?!http)[^)#]+)", TEXT):
        assert (PAGE.parent / target).exists(), target
