"""`gudgeon run --checkpoint` killed for real, and `--resume`: the file at the end is that of a run that lived."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import gudgeon as gd
from gudgeon.cli import main

ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(gd.__file__).parent.parent), "OMP_NUM_THREADS": "1"}
COMMAND = [sys.executable, "-c", "from gudgeon.cli import main; main()"]
SOLVERS = {  # with how long to run: a second of computing
    "Explicit": ("spatial_four_bar.yaml", ["--set", "joints.C.model=dry", "--duration", "4"]),
    "Implicit": ("spatial_four_bar.yaml", ["--set", "joints.C.model=dry", "--duration", "30"]),
    "TimeStepping": ("slider_crank_hard_contact.yaml", ["--duration", "2"]),
}


def gudgeon(*arguments: str):
    return CliRunner().invoke(main, arguments)


def started(*arguments: str, cwd: Path) -> subprocess.Popen:
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    return subprocess.Popen([*COMMAND, *arguments], cwd=cwd, env=ENVIRONMENT, text=True, **pipes)


def wait_for_more(process: subprocess.Popen, state: Path, seconds: float) -> bool:
    """Wait until the run has been kept once more, and some time; False if it has ended by itself."""
    before = state.stat().st_mtime_ns if state.exists() else 0
    for _ in range(6000):
        if process.poll() is not None:
            return False
        if state.exists() and state.stat().st_mtime_ns != before:
            time.sleep(seconds)
            return process.poll() is None
        time.sleep(0.01)
    raise AssertionError("nothing was kept")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    done = gudgeon("examples", "--copy")
    assert done.exit_code == 0, done.output
    return tmp_path


@pytest.mark.parametrize("solver", SOLVERS)
def test_kill_9_loses_nothing_of_the_file(solver, folder):
    model, options = SOLVERS[solver]
    arguments = ["run", model, *options, "--set", f"run.solver={solver}", "--set", "run.sample=0.01", "-q"]
    whole = gudgeon(*arguments, "-o", "whole.nc")
    assert whole.exit_code == 0, whole.output
    with started(*arguments, "-o", "run.nc", "--checkpoint", "20 ms", cwd=folder) as process:
        assert wait_for_more(process, Path("run.nc.checkpoint/state"), random.Random(solver).uniform(0.0, 0.3))
        process.kill()
    assert process.returncode == -signal.SIGKILL
    assert not Path("run.nc").exists()
    last = gudgeon(*arguments, "-o", "run.nc", "--resume")
    assert last.exit_code == 0, last.output
    assert not Path("run.nc.checkpoint").exists()
    one, other = gd.load("run.nc"), gd.load("whole.nc")
    assert len(one.stats["resumed_at"]) == 1
    assert one.data.identical(other.data)
    assert one.events.equals(other.events)
    assert one.state() == other.state()
    for name, array in other.state().memory.arrays.items():
        assert np.array_equal(one.state().memory.arrays[name], array, equal_nan=True), name


def test_a_cut_run_is_not_thrown_away(folder):
    """Without --resume it is refused; Ctrl-C and a request to terminate keep it; a finished one is not run again."""
    arguments = ["run", "spatial_four_bar.yaml", "--set", "run.sample=0.1", "-o", "long.nc", "--duration", "3000"]
    checkpoint = gd.Checkpoint("long.nc.checkpoint")
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        with started(*arguments, "--checkpoint", "20ms", "--resume", cwd=folder) as process:
            assert wait_for_more(process, Path("long.nc.checkpoint/state"), 0.1)
            process.send_signal(number)
            _, told = process.communicate(timeout=60)
        assert process.returncode == code, told
        assert "interrupted at t = " in told
        kept, partial = checkpoint.time, gd.load("long.nc")
        assert 0.0 < partial.stats["end_time"] == kept < 3000.0
    refused = gudgeon(*arguments)
    assert refused.exit_code == 1
    told = f"'long.nc.checkpoint' keeps a run that was cut at t = {kept:g} s; go on with it by --resume, or remove that"
    assert told in refused.stderr
    other = gudgeon(*arguments[:-1], "300", "--resume")
    assert other.exit_code == 1 and "keeps another run" in other.stderr and "the duration" in other.stderr
    assert checkpoint.time == kept


def test_resuming_what_is_complete_does_nothing():
    arguments = ["run", "spatial_four_bar.yaml", "-o", "short.nc", "--resume", "--duration"]
    first = gudgeon(*arguments, "0.1")
    assert first.exit_code == 0 and "keeps no run yet: it begins at the beginning" in first.stdout
    before = Path("short.nc").stat().st_mtime_ns
    second = gudgeon(*arguments, "0.1")
    assert second.exit_code == 0 and "short.nc has this run already, to its end" in second.stdout
    assert Path("short.nc").stat().st_mtime_ns == before
    longer = gudgeon(*arguments, "0.2")
    assert longer.exit_code == 0 and gd.load("short.nc").stats["end_time"] == 0.2


def test_intervals_that_are_none():
    for every, told in (("5 m", "run: --checkpoint '5 m' is of another dimension"), ("0", "every is 0 s")):
        refused = gudgeon("run", "spatial_four_bar.yaml", "--checkpoint", every)
        assert refused.exit_code == 1 and told in refused.stderr
