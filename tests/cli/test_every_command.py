"""What all commands have in common: --json, --quiet, --help, exit codes that the docs tell, and a quick start."""

from __future__ import annotations

import inspect
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import gudgeon as gd
from gudgeon.cli import main, outcome
from gudgeon.view.page.bundle import is_built

COMMANDS = {
    command.name or command.callback.__name__.strip("_"): command.callback for command in main.registered_commands
}
PAGE = Path(__file__).parents[2] / "docs" / "model_files.md"


def gudgeon(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """With a model, a run of it, and a study."""
    path = tmp_path_factory.mktemp("commands")
    before = Path.cwd()
    os.chdir(path)
    try:
        assert gudgeon("new").exit_code == 0
        assert gudgeon("run", "pendulum.yaml", "--duration", "0.01").exit_code == 0
        Path("study.yaml").write_text(
            "model: pendulum.yaml\nparameters: {bodies.bob.mass: [1, 2]}\nrun: {duration: 1 ms}"
        )
        assert gudgeon("sweep", "study.yaml", "--workers", "1").exit_code == 0
    finally:
        os.chdir(before)
    return path


USES = {
    "new": ("other.yaml", "--force"),
    "check": ("pendulum.yaml",),
    "run": ("pendulum.yaml", "--duration", "1 ms"),
    "compare": ("pendulum.yaml", "--joint", "pivot", "--models", "ideal,bushing", "--duration", "1 ms"),
    "view": ("pendulum.nc",),
    "report": ("pendulum.nc",),
    "export": ("pendulum.nc", "--csv"),
    "sweep": ("study.yaml", "--workers", "1"),
    "status": ("study.zarr",),
    "examples": (),
    "schema": ("-o", "schema.json"),
    "version": (),
}


def test_every_command_is_tried_here():
    assert set(COMMANDS) == {*USES, "demo", "compile"}  # which take their time: test_demo.py, test_compile.py


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_json_and_quiet(name):
    assert {"json_", "quiet"} <= set(inspect.signature(COMMANDS[name]).parameters)


@pytest.mark.parametrize("name", USES)
def test_json_is_one_object_and_quiet_is_silent(name, folder, monkeypatch):
    monkeypatch.chdir(folder)
    if name == "view" and not is_built():
        pytest.skip("the viewer is not built")
    plain = gudgeon(name, *USES[name])
    assert plain.exit_code == 0, plain.output
    assert plain.stdout.strip() and not plain.stderr
    told = gudgeon(name, *USES[name], "--json")
    assert told.exit_code == 0 and not told.stderr
    content = json.loads(told.stdout)
    assert content.pop("exit_code") == 0 and content
    quiet = gudgeon(name, *USES[name], "--quiet")
    assert quiet.exit_code == 0 and not quiet.output


@pytest.mark.parametrize("name", ["check", "run", "compare", "view", "report", "export", "sweep", "status"])
def test_errors_are_told_in_json_too(name, folder, monkeypatch):
    """On the output for scripts, and in one line for people beside it."""
    monkeypatch.chdir(folder)
    arguments = ["nothing.there", *USES[name][1:]]
    for options in ((), ("--quiet",), ("--json",)):
        told = gudgeon(name, *arguments, *options)
        assert told.exit_code == 1
        assert re.fullmatch(r"gudgeon: .*'nothing\.there'.*\n", told.stderr)
        if options == ("--json",):
            content = json.loads(told.stdout)
            assert content["exit_code"] == 1 and "nothing.there" in content["error"]
        else:
            assert not told.stdout


def test_warnings_are_told_in_json_too(folder, monkeypatch):
    monkeypatch.chdir(folder)
    other = ("--set", "bodies.bob.mass=2", "--start", "pendulum.nc")
    told = json.loads(gudgeon("run", "pendulum.yaml", "--duration", "1 ms", "-o", "x.nc", *other, "--json").stdout)
    assert "of another mechanism" in told["warnings"][0]


def test_the_page_tells_the_exit_codes():
    told = {int(code) for code in re.findall(r"^\| (\d+) \|", PAGE.read_text(), re.MULTILINE)}
    codes = {outcome.MODEL, outcome.RUN, outcome.DISK, outcome.INTERRUPTED, outcome.TERMINATED}
    assert told == {0, 2, *codes}
    assert all(str(code) in outcome.__doc__ for code in told)


def test_help_answers_at_once():
    """Below 0.3 s of the processor, all of Python included."""
    environment = os.environ | {"PYTHONPATH": str(Path(gd.__file__).parent.parent)}
    command = [sys.executable, "-c", "from gudgeon.cli import main; main()", "--help"]
    seconds = []
    for _ in range(6):
        with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        seconds.append(usage.ru_utime + usage.ru_stime)
    assert min(seconds) < 0.3, seconds
