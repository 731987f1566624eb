"""A disk that is full and a folder that is read-only, for real: a clear error, older files unharmed, nothing lost."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import gudgeon as gd
from gudgeon.cli import main
from gudgeon.view.page.bundle import is_built

NO_SPACE = "cannot be written: No space left on device; it takes"


class SmallDisk:
    """A disk in memory."""

    def __init__(self, path: Path, size: str):
        self.path = path
        path.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(path)]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            pytest.skip("mounting a small disk is not permitted here")

    def becomes(self, option: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{option}", str(self.path)], check=True)

    def close(self) -> None:
        os.chdir("/")
        subprocess.run(["umount", str(self.path)], check=True)


@pytest.fixture
def disk(tmp_path, monkeypatch) -> Iterator[SmallDisk]:
    (tmp_path / "kept").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "kept"))
    try:
        found = SmallDisk(tmp_path / "disk", "700k")
    except FileNotFoundError:
        pytest.skip("there is no mount here")
    try:
        monkeypatch.chdir(found.path)
        assert gudgeon("new", "-q").exit_code == 0
        yield found
    finally:
        found.close()


def gudgeon(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def test_a_result_that_does_not_fit_is_kept_elsewhere(disk, tmp_path):
    """The file that was there is as it was."""
    assert gudgeon("run", "pendulum.yaml", "--duration", "0.01", "--set", "run.sample=1 ms", "-q").exit_code == 0
    old = Path("pendulum.nc").read_bytes()
    refused = gudgeon("run", "pendulum.yaml", "--duration", "0.1", "--set", "run.sample=2e-5")
    assert refused.exit_code == 4
    (spare,) = (tmp_path / "kept").glob("*/pendulum.nc")
    assert f"'pendulum.nc' {NO_SPACE}" in refused.stderr and f"The result is in {spare} instead" in refused.stderr
    assert gd.load(spare).data.sizes["time"] == 5_001
    assert Path("pendulum.nc").read_bytes() == old
    assert sorted(os.listdir()) == ["pendulum.nc", "pendulum.yaml"]


def test_a_checkpoint_that_does_not_fit_lets_the_run_go_on(disk, monkeypatch):
    """What was kept before stays; with more room the run ends as if nothing had happened."""
    from gudgeon.solvers import kept_run, run

    monkeypatch.setattr(run, "SECONDS_PER_CALL", 1e-3)
    monkeypatch.setattr(kept_run.Keeper, "is_due", lambda self: True)
    arguments = ("run", "pendulum.yaml", "--duration", "0.1", "--set", "run.sample=1e-5", "-o", "run.nc")
    refused = gudgeon(*arguments, "--checkpoint", "1 s")
    assert refused.exit_code == 4
    told = refused.stderr.splitlines()
    said = (
        r"gudgeon: warning: Checkpoint: .* cannot be written: No space left on device.*The run goes on; what is kept is"
    )
    assert re.match(said, told[0])
    assert told[-1].endswith("The run is kept in run.nc.checkpoint: then --resume")
    assert 0.0 < gd.Checkpoint("run.nc.checkpoint").time < 0.1
    assert not Path("run.nc").exists()
    disk.becomes("size=100m")
    assert gudgeon(*arguments, "--resume", "-q").exit_code == 0
    assert not Path("run.nc.checkpoint").exists()
    assert gudgeon(*arguments[:-1], "whole.nc", "-q").exit_code == 0
    one, other = gd.load("run.nc"), gd.load("whole.nc")
    assert one.data.identical(other.data) and one.events.equals(other.events) and one.state() == other.state()


def test_a_folder_that_is_read_only_is_told_before_anything_runs(disk, monkeypatch):
    assert gudgeon("run", "pendulum.yaml", "--duration", "0.01", "-q", "--set", "run.sample=1 ms").exit_code == 0
    disk.becomes("ro")
    assert gudgeon("check", "pendulum.yaml").exit_code == 0
    monkeypatch.setattr("gudgeon.analysis.simulate.simulate", lambda *_, **__: pytest.fail("it runs"))
    commands = [("run", "pendulum.yaml"), ("run", "pendulum.yaml", "--checkpoint", "1s"), ("new", "other.yaml")]
    commands += [("export", "pendulum.nc", "--csv"), ("report", "pendulum.nc"), ("schema", "-o", "schema.json")]
    commands += [("compare", "pendulum.yaml", "--joint", "pivot", "-o", ".")]
    commands += [("view", "pendulum.nc")] if is_built() else []
    for arguments in commands:
        refused = gudgeon(*arguments)
        assert refused.exit_code == 4, arguments
        assert "cannot be written: Read-only file system; choose a folder that you can write" in refused.stderr
        assert refused.stderr.count("\n") == 1
