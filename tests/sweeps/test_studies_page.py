"""The page on studies: its scripts run one after the other, and its study file too."""

import re
from pathlib import Path

import numpy as np

import gudgeon as gd
from gudgeon.sweeps.study_file import read_study

PAGE = Path(__file__).parent.parent.parent / "docs" / "studies.md"


def test_the_scripts_of_the_page_run(tmp_path, monkeypatch, pool):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(gd.sweep.__kwdefaults__, "executor", pool)
    text = PAGE.read_text(encoding="utf-8")
    space: dict = {"__name__": "page"}
    scripts = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    for script in scripts:
        exec(compile(script, str(PAGE), "exec"), space)
    assert len(scripts) == 5
    assert space["data"].sizes == {"coefficient": 3, "ball_radius": 2, "time": 1001}
    assert np.all(space["data"].status == 1) and space["scatter"].sizes["run"] == 8
    assert np.all(space["knocks"].status == 1) and np.all(np.abs(space["knocks"].clearance - 12e-6) < 8.5e-6)
    assert space["ensemble"]["rocker.position.x"].dims == ("member", "time")


def test_the_study_file_of_the_page_is_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    from typer.testing import CliRunner

    from gudgeon.cli import main

    assert CliRunner().invoke(main, ["new"]).exit_code == 0
    text = PAGE.read_text(encoding="utf-8")
    Path("study.yaml").write_text(re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)[0])
    study = read_study("study.yaml")
    assert study.parameters["bodies.bob.mass"] == [0.5, 1.0] and study.run["duration"] == 0.01
