"""The command line as a user meets it."""

import subprocess
import sys

import gudgeon as gd


def run(*arguments, cwd):
    command = [sys.executable, "-c", "from gudgeon.cli import main; main()", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=300)


def test_demo_prints_and_draws(tmp_path):
    done = run("demo", "--out", "pictures", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for words in ("degrees of freedom  2", "rocker swings       50.39 mm", "energy drift", "CVODE agrees"):
        assert words in done.stdout
    assert (tmp_path / "pictures" / "four_bar.png").stat().st_size > 20_000
    assert gd.load(tmp_path / "pictures" / "four_bar.nc").data.sizes["time"] == 2001


def test_demo_with_a_bad_duration_says_what_is_wrong(tmp_path):
    done = run("demo", "--duration", "-1", cwd=tmp_path)
    assert done.returncode != 0
    assert "duration" in done.stderr
    assert "Traceback" not in done.stderr


def test_version_and_help(tmp_path):
    assert run("version", cwd=tmp_path).stdout.strip() == gd.__version__
    assert "demo" in run("--help", cwd=tmp_path).stdout
