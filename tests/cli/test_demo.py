"""`gudgeon demo` and `gudgeon --version` as a user meets them."""

import os
import subprocess
import sys
from pathlib import Path

import gudgeon as gd
from gudgeon.studies.slider import SHORTEST
from gudgeon.view.page.bundle import is_built

ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(gd.__file__).parent.parent)}  # the package under test


def run(*arguments, cwd):
    command = [sys.executable, "-c", "from gudgeon.cli import main; main()", *arguments]
    return subprocess.run(command, cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True, timeout=300)


def test_demo_prints_and_draws(tmp_path):
    done = run("demo", "--out", "pictures", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for words in ("30 contacts; 9.523 mJ lost", "bushing", "What the paper claims", "holds: energy lost"):
        assert words in done.stdout
    assert "FAILS" not in done.stdout
    assert (tmp_path / "pictures" / "spherical_joint_models.png").stat().st_size > 100_000
    if is_built():
        page = tmp_path / "pictures" / "four-bar.html"
        assert page.resolve().as_uri() in done.stdout
        assert 500_000 < page.stat().st_size < 8_000_000
    else:
        assert "no moving picture: view: the viewer was not built" in done.stdout
    saved = gd.load(tmp_path / "pictures" / "dry.nc")
    assert saved.data.sizes["time"] == 2001
    assert len(saved.events) == 30


def test_demo_of_sliders_prints_and_draws(tmp_path):
    done = run("demo", "slider", "--duration", "96", "--out", "pictures", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for words in ("slider-crank, 8 elements", "What the paper observes", "holds: oscillator: nodes 2 to 5 never touch"):
        assert words in done.stdout
    assert "FAILS" not in done.stdout
    for name in ("stick_slip_oscillator", "slider_crank", "sliders"):
        assert (tmp_path / "pictures" / f"{name}.png").stat().st_size > 50_000
    saved = gd.load(tmp_path / "pictures" / "slider_crank.nc")
    assert saved.data.sizes["surface_point"] == 6


def test_demo_of_sliders_too_short_to_settle_says_so(tmp_path):
    done = run("demo", "slider", "--duration", "20", cwd=tmp_path)
    assert done.returncode != 0
    assert "duration is 20 s; the slider-crank settles within 72 s: give at least 96 s" in done.stderr
    assert "Traceback" not in done.stderr


def test_demo_of_something_else_is_refused(tmp_path):
    done = run("demo", "gear", cwd=tmp_path)
    assert done.returncode != 0
    assert "slider" in done.stderr


def test_demo_with_a_bad_duration_says_what_is_wrong(tmp_path):
    done = run("demo", "--duration", "-1", cwd=tmp_path)
    assert done.returncode != 0
    assert "duration" in done.stderr
    assert "Traceback" not in done.stderr


def test_version_and_help(tmp_path):
    assert run("version", cwd=tmp_path).stdout.strip() == gd.__version__
    assert "demo" in run("--help", cwd=tmp_path).stdout


def test_version_as_an_option_and_the_module_as_a_command(tmp_path):
    assert run("--version", cwd=tmp_path).stdout.strip() == gd.__version__
    command = [sys.executable, "-m", "gudgeon", "--version"]
    done = subprocess.run(
        command, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == gd.__version__


def test_help_tells_the_least_duration(tmp_path):
    told = " ".join(run("demo", "slider", "--help", cwd=tmp_path).stdout.split())
    assert f"at least {SHORTEST:g}" in told


def test_demo_into_a_folder_that_cannot_be_made_is_one_line(tmp_path):
    (tmp_path / "taken").write_text("a file")
    done = run("demo", "--out", "taken/pictures", cwd=tmp_path)
    assert done.returncode == 4
    assert (
        done.stderr
        == "gudgeon: demo: the folder 'taken/pictures' cannot be made: Not a directory; choose another one\n"
    )
