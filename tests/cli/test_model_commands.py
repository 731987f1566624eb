"""From a new model file to a table of its run, by commands alone; and what each of them says when it cannot."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

import gudgeon as gd
from gudgeon.cli import main


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def gudgeon(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def done(*arguments: str) -> str:
    result = gudgeon(*arguments)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def refused(*arguments: str, code: int = 1) -> str:
    result = gudgeon(*arguments)
    assert result.exit_code == code
    assert result.stderr.startswith("gudgeon: ") and result.stderr.count("\n") == 1
    return result.stderr


def test_from_new_to_a_table(folder):
    assert (
        "pendulum.yaml written: a pendulum on a ball joint with play. Look at it, then: gudgeon check pendulum.yaml"
        in done("new")
    )
    assert "degrees of freedom  6" in done("check", "pendulum.yaml")
    told = done("run", "pendulum.yaml", "--duration", "50 ms")
    assert "done at t = 0.05 s: 1001 samples" in told and "contacts, peak force" in told
    result = gd.load("pendulum.nc")
    assert result.system == gd.load_system("pendulum.yaml")
    assert "pendulum.csv written" in done("export", "pendulum.nc", "--csv")
    table = (folder / "pendulum.csv").read_text().splitlines()
    assert len(table) == 1002 and "bob.position.x [m]" in table[0]


def test_a_file_need_not_say_how_it_runs(folder):
    """What `check` tells to do, does."""
    (folder / "bead.yaml").write_text("""\
bodies:
  bead: {mass: 1 kg, inertia: [1.0e-3, 1.0e-3, 1.0e-3], position: [500 mm, 0, 0]}
joints:
  wire:
    type: PointOnCurve
    parent: ground
    child: bead
    at: [500 mm, 0, 0]
    extruded: [0, 0, 1]
    side: right
    model: {type: DryTouch, contact: {type: Hertz, stiffness: 1.0e+8}}
    curve:
      type: Curve.joined
      curves:
        - {type: Curve.arc, radius: 500 mm, angle: 180 deg}
        - {type: Curve.line, start: [-500 mm, 0, 0], end: [500 mm, 0, 0]}
""")
    assert "gudgeon run bead.yaml --duration 2" in done("check", "bead.yaml")
    assert "done at t = 0.02 s" in done("run", "bead.yaml", "--duration", "20 ms")
    half = gd.nurbs.Curve.arc(radius=0.5, angle=np.pi)
    outline = gd.nurbs.Curve.joined([half, gd.nurbs.Curve.line((-0.5, 0, 0), (0.5, 0, 0))])
    assert gd.load_system("bead.yaml").joints["wire"].curve == outline


def test_a_run_from_a_file_is_the_run_of_the_example():
    done("examples", "--copy")
    done("run", "spatial_four_bar.yaml", "--duration", "0.02", "-o", "run.nc", "--set", "run.sample=10 ms")
    result = gd.simulate(gd.examples.spatial_four_bar("dry"), 0.02, sample=0.01)
    assert np.array_equal(gd.load("run.nc").data.position, result.data.position)


def test_set_changes_entries_of_named_models_too():
    done("new")
    entry = "joints.pivot.model.dry.friction.coefficient=0.3"
    told = json.loads(done("run", "pendulum.yaml", "--set", entry, "--duration", "0.01", "--json"))
    assert told["exit_code"] == 0 and told["file"] == "pendulum.nc" and told["end_time"] == 0.01
    system = gd.load("pendulum.nc").system
    assert system is not None and system.joints["pivot"].model.friction.coefficient == 0.3


def test_a_run_goes_on_where_another_ended():
    done("new")
    done("run", "pendulum.yaml", "--duration", "0.02", "-o", "first.nc")
    done("run", "pendulum.yaml", "--duration", "0.02", "-o", "second.nc", "--start", "first.nc")
    done("run", "pendulum.yaml", "--duration", "0.04", "-o", "whole.nc")
    assert gd.load("second.nc").state() == gd.load("whole.nc").state()
    other = gudgeon("run", "pendulum.yaml", "--duration", "0.01", "--start", "first.nc", "--set", "bodies.bob.mass=2")
    assert "first.nc is of another mechanism" in other.stderr


def test_compare_prints_a_line_for_each_model(folder):
    done("new")
    told = done("compare", "pendulum.yaml", "--joint", "pivot", "--duration", "0.02", "-o", "runs")
    assert [line.split()[0] for line in told.splitlines()] == [
        "model",
        "ideal",
        "dry",
        "bushing",
        "runs/ideal.nc,",
    ]
    assert sorted(path.name for path in (folder / "runs").iterdir()) == ["bushing.nc", "dry.nc", "ideal.nc"]
    chosen = ("--models", "ideal,bushing", "--json")
    some = json.loads(done("compare", "pendulum.yaml", "--joint", "pivot", "--duration", "0.02", *chosen))
    assert list(some["models"]) == ["ideal", "bushing"] and some["models"]["ideal"]["contacts"] == 0


def test_quiet_says_nothing():
    done("new", "--quiet")
    assert done("run", "pendulum.yaml", "--duration", "0.01", "--quiet") == ""


def test_check_tells_numbers_to_scripts():
    done("examples", "--copy")
    told = json.loads(done("check", "spatial_four_bar.yaml", "--set", "joints.C.model=ideal", "--json"))
    assert told["degrees_of_freedom"] == 2 and told["redundant_rows"] == 0 and told["residual"] < 1e-10


def test_schema_is_json(folder):
    assert json.loads(done("schema"))["title"] == "gudgeon model file"
    assert "yaml-language-server: $schema=gudgeon.json" in done("schema", "-o", "gudgeon.json")
    assert json.loads((folder / "gudgeon.json").read_text())["required"] == ["bodies"]


def test_what_cannot_be_done_is_one_line_and_a_code(folder):
    done("new")
    assert "new: 'pendulum.yaml' is there already" in refused("new")
    assert "there is no file 'no.yaml'" in refused("run", "no.yaml")
    assert "pendulum.yaml --set bodies.bob.mass: mass is -1.0 kg" in refused(
        "run", "pendulum.yaml", "--set", "bodies.bob.mass=-1"
    )
    assert "no entry 'bobb'; did you mean 'bob'?" in refused("run", "pendulum.yaml", "--set", "bodies.bobb.mass=1")
    assert "give entry=value" in refused("run", "pendulum.yaml", "--set", "bodies.bob.mass")
    assert "run.duration: '5 m' is of another dimension" in refused("run", "pendulum.yaml", "--duration", "5 m")
    assert "no joint 'pivt'" in refused("compare", "pendulum.yaml", "--joint", "pivt")
    assert "no model 'dri' under models:; did you mean 'dry'?" in refused(
        "compare", "pendulum.yaml", "--joint", "pivot", "--models", "dri"
    )
    assert "give one of --csv, --parquet and --mat" in refused("export", "pendulum.nc")
    nowhere = refused("run", "pendulum.yaml", "--duration", "0.001", "-o", "runs/run.nc", code=4)
    assert "run: there is no folder 'runs'; make it first" in nowhere
    (folder / "still.yaml").write_text("bodies: {bob: {mass: 1, inertia: [1, 1, 1]}}")
    assert "run: how long? add run: {duration: 2 s} to still.yaml" in refused("run", "still.yaml")
    assert gudgeon("run").exit_code == 2  # without a file: typer says so


def test_a_run_that_fails_keeps_what_was_computed(folder):
    done("new")
    entry = "loads={wind: {type: Force, body: bob, vector: [1/(0.01-t)**2, 0, 0]}}"
    changes = ("--set", entry, "--set", "joints.pivot.model=ideal")
    said = refused("run", "pendulum.yaml", *changes, "--quiet", code=3)
    assert "wind" in said and "error.result" not in said
    assert 0.0 < float(gd.load("pendulum.nc").data.time[-1]) < 0.01


def test_an_interrupted_run_keeps_what_was_computed(monkeypatch):
    done("new")
    result = gd.simulate(gd.load_system("pendulum.yaml"), 0.01)

    def interrupted(*_, **__):
        raise gd.SimulationInterrupted("pendulum: interrupted at t = 0.01 s", result=result)

    monkeypatch.setattr("gudgeon.analysis.simulate.simulate", interrupted)
    assert "interrupted at t = 0.01 s" in refused("run", "pendulum.yaml", "--quiet", code=130)
    assert gd.load("pendulum.nc").data.identical(result.data)


def test_help_loads_nothing_heavy():
    code = (
        "import sys, gudgeon.cli; print([m for m in ('numpy', 'numba', 'yaml', 'pint', 'xarray') if m in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_models_results_and_names_are_told_apart(folder):
    done("new", "swing.yaml")
    done("run", "swing.yaml", "--duration", "1 ms")
    assert "is a model file, not a result; run it first: gudgeon run swing.yaml" in refused("view", "swing.yaml")
    assert "this is a result, not a model file; to watch it: gudgeon view swing.nc" in refused("run", "swing.nc")
    assert "there is no file 'swimg.yaml'; did you mean 'swing.yaml'?" in refused("check", "swimg.yaml")
    assert "swing.yaml --set run.duration: duration is -1 s" in refused(
        "check", "swing.yaml", "--set", "run.duration=-1 s"
    )
    text = (folder / "swing.yaml").read_text()
    (folder / "tab.yaml").write_text(text.replace("    mass", "\tmass"))
    assert "tab.yaml:16: this line begins with a tab; YAML wants spaces" in refused("check", "tab.yaml")


def test_compare_asks_for_the_joint_only_where_there_are_several():
    done("new")
    assert "bushing" in done("compare", "pendulum.yaml", "--duration", "1 ms")
    done("examples", "--copy")
    assert "which joint? give --joint with one of: A, B, C, D" in refused("compare", "spatial_four_bar.yaml")
