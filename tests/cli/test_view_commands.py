"""`gudgeon view` and `gudgeon report` as a user meets them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import gudgeon as gd
from gudgeon.view.page.bundle import is_built

ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(gd.__file__).parent.parent)}  # the package under test


def run(*arguments, cwd):
    command = [sys.executable, "-c", "from gudgeon.cli import main; main()", *arguments]
    return subprocess.run(command, cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs")
    for joint in ("ideal", "dry"):
        gd.simulate(gd.examples.spatial_four_bar(joint), 0.05, sample=1e-3).save(path / f"{joint}.nc")
    return path


@pytest.mark.skipif(not is_built(), reason="the viewer is not built; python hatch_build.py builds it")
def test_view(folder):
    done = run("view", "dry.nc", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "dry.html written" in done.stdout and (folder / "dry.html").resolve().as_uri() in done.stdout
    done = run("view", "ideal.nc", "dry.nc", "-o", "both.html", "--samples", "20", cwd=folder)
    assert done.returncode == 0, done.stderr
    text = (folder / "both.html").read_text()
    assert '"name":"ideal"' in text and '"name":"dry"' in text and "of 51 samples" in text


def test_report(folder):
    done = run("report", "dry.nc", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "dry-report.html written" in done.stdout
    assert "<h2>Contacts</h2>" in (folder / "dry-report.html").read_text()


def test_mistakes_are_one_line_and_an_exit_code(folder):
    for arguments, code, message in (
        (("view", "nothing.nc"), 1, "gudgeon: load: there is no file 'nothing.nc'"),
        (("view", "dry.nc", "dry.nc"), 1, "gudgeon: view: the same file is given twice; give each once"),
        (("report", "dry.nc", "-o", "no/such.html"), 4, "gudgeon: report: there is no folder 'no'; make it first"),
    ):
        done = run(*arguments, cwd=folder)
        assert done.returncode == code
        assert done.stderr.strip() == message
