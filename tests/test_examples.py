"""Every example runs and its own assertions hold; whole machines balance their energy and go into model files."""

import runpy
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest

import gudgeon as gd
from gudgeon.files.described import described
from machines.energy_balance import unbalanced

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))
STUDIES = {"clearance_study", "fit_and_bushing"}  # runs of gd.sweep in other processes, the same in both
MACHINES = {  # docs/machines.md
    "cam_follower",
    "clock_escapement",
    "door_with_stop",
    "double_wishbone",
    "geneva_drive",
    "motor_driven_four_bar",
    "pid_inverted_pendulum",
    "planetary_gear",
    "screw_jack",
    "single_cylinder_engine",
}
PACKAGED = {name: gd.load_system(Path(str(gd.__file__)).parent / "examples" / f"{name}.yaml") for name in MACHINES}
BALANCE = 2e-4  # of the energy exchanged: powers are known at the samples only


@pytest.fixture
def runs(monkeypatch):
    """All results of `gd.simulate` in a test."""
    found, simulate = [], gd.simulate

    def simulate_and_keep(*arguments, **options):
        found.append(simulate(*arguments, **options))
        return found[-1]

    monkeypatch.setattr(gd, "simulate", simulate_and_keep)
    yield found
    plt.close("all")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path, tmp_path, monkeypatch, coordinates, runs):
    if "from OCP" in path.read_text(encoding="utf-8"):
        pytest.importorskip("OCP", reason="OpenCASCADE is not installed: pip install gudgeon[cad]")
    if coordinates == "relative" and path.stem in STUDIES:
        pytest.skip("its runs are those of the other case: gd.sweep has its own argument coordinates=")
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(path), run_name="__main__")
    assert list((tmp_path / "out").glob("*.png")), "an example draws a picture"
    if path.stem in MACHINES:
        assert runs and {run.stats["coordinates"] for run in runs} == {coordinates}
        for run in runs:
            assert unbalanced(run) < BALANCE
            assert gd.load_system(run.system.save(tmp_path / "machine.yaml")) == run.system
        packaged = described(PACKAGED[path.stem])
        assert any(alike(described(run.system), packaged) for run in runs), "gudgeon examples --copy gives this machine"


def alike(one, two):
    """Whether two descriptions are equal but for the rounding of tables, which examples compute on this processor."""
    if isinstance(one, dict):
        return isinstance(two, dict) and one.keys() == two.keys() and all(alike(one[key], two[key]) for key in one)
    if isinstance(one, list | tuple) and one and all(isinstance(item, int | float) for item in one):
        numbers = np.array(one, dtype=float)
        return np.shape(two) == numbers.shape and np.abs(numbers - two).max() <= 1e-13 * np.abs(numbers).max()
    if isinstance(one, list | tuple):
        return isinstance(two, list | tuple) and len(one) == len(two) and all(map(alike, one, two))
    return one == two


def test_the_ten_machines_are_there():
    assert len(MACHINES) == 10 and {path.stem for path in EXAMPLES} >= MACHINES
