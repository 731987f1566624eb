"""Compiling: all of it beforehand, only what is needed otherwise, and a note only while something is compiled."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import gudgeon as gd
from gudgeon import compilation_watch
from gudgeon.compilation_watch import Note, watch
from gudgeon.functions.callables import compiled

PACKAGE = str(Path(gd.__file__).parent.parent)


@pytest.fixture(scope="module")
def beforehand() -> dict:
    script = Path(__file__).parents[1] / "compiled_beforehand.py"
    environment = os.environ | {"PYTHONPATH": PACKAGE}
    done = subprocess.run(
        [sys.executable, str(script)], env=environment, capture_output=True, text=True, timeout=1800, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_every_kernel_that_python_calls_is_compiled_beforehand(beforehand):
    assert not beforehand["left"]


def test_nothing_is_left_to_compile_for_any_solver_or_analysis(beforehand):
    assert not beforehand["late"]
    assert beforehand["functions"] == 0  # laws neither


def test_a_run_loads_the_kernels_of_its_own_solver_only():
    code = """
import sys, gudgeon as gd
gd.simulate(gd.examples.spatial_four_bar(), 1e-3)
print([name for name in ("radau", "time_stepping") if f"gudgeon.kernels.integrators.{name}" in sys.modules])
"""
    environment = os.environ | {"PYTHONPATH": PACKAGE}
    gd.simulate(gd.examples.spatial_four_bar(), 1e-3)  # so that all is on disk
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_python_looks_for_unused_objects_as_before_once_all_is_compiled():
    before = gc.get_threshold()
    with watch.preparing(Note()):
        with watch.preparing(Note()):
            assert gc.get_threshold() == compilation_watch.RARELY != before
        assert gc.get_threshold() == compilation_watch.RARELY
    assert gc.get_threshold() == before


@pytest.fixture
def impatient(monkeypatch):
    """The note does not wait."""
    monkeypatch.setattr(compilation_watch, "QUIET_SECONDS", 0.0)


def test_a_run_whose_kernels_are_on_disk_imports_nothing_that_compiles_or_draws(beforehand):
    """That is most of what a process needs to start: Numba's libraries alone take longer than a run."""
    script = """
import sys
import gudgeon as gd
for joint in ("ideal", "dry"):
    gd.simulate(gd.examples.spatial_four_bar(joint), 0.01)
print([name for name in sys.argv[1:] if name in sys.modules])
"""
    names = [
        "numba.np.linalg",
        "numba.np.random",
        "scipy.linalg",
        "scipy.sparse",
        "xarray",
        "pandas",
        "zarr",
        "matplotlib",
        "dask",
    ]
    done = subprocess.run(
        [sys.executable, "-c", script, *names], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.stdout.strip() == "[]", done.stderr


FUNCTION = """
import sys
import numpy as np
import gudgeon as gd

def push(t):
    a = np.array([[2.0, t], [0.0, 1.0]])
    return np.linalg.solve(a, np.ones(2))[0] + np.dot(a[0], a[1])

body = gd.Body(1.0, (1e-3, 1e-3, 1e-3))
load = gd.Force("b", (push, 0.0, 0.0))
joints = {"J": gd.Prismatic("ground", "b", at=(0, 0, 0), axis=(1, 0, 0))}
system = gd.System(bodies={"b": body}, joints=joints, loads={"push": load}, gravity=(0, 0, 0))
result = gd.simulate(system, 1.0)
print(float(result.states[-1, 0]), result.stats["seconds_compiling"] < 1.0 or "compiled")
"""


def test_functions_of_users_find_the_libraries_of_numba_when_they_are_read_from_disk(tmp_path):
    """x'' = (1 − t)/2 + t, from rest: x(1) = 1/4 + 1/12 = 1/3; the second process compiles nothing."""
    script = tmp_path / "script.py"
    script.write_text(FUNCTION)
    for _ in range(2):
        done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=600, check=False)
        assert done.returncode == 0, done.stderr
        assert float(done.stdout.split()[0]) == pytest.approx(1.0 / 3.0, rel=1e-7)


def test_slow_loading_is_not_compiling(impatient, capsys):
    with watch.preparing(Note("for a test, ", 1)):
        time.sleep(0.1)
    assert capsys.readouterr().err == ""


def test_compiling_is_announced(impatient, capsys):
    note = Note("for a test, ", 2)
    with watch.preparing(note):
        note.at(0, "first")
        with watch.compiling():
            time.sleep(0.1)
        note.at(1, "second")
    assert capsys.readouterr().err.splitlines() == [
        "gudgeon: compiling kernels for a test, once on this machine (about a minute)",
        "  1/2 first",
        "  2/2 second",
        "gudgeon: compiled; the next start reads them from disk",
    ]


def test_a_kernel_that_nobody_announced_announces_itself(impatient, capsys):
    with watch.compiling():
        time.sleep(0.1)
    assert capsys.readouterr().err.startswith("gudgeon: compiling kernels once on this machine")


def test_time_and_number_of_what_is_compiled():
    gain = time.time()  # another function in every run
    count, seconds, began = watch.count, watch.seconds, time.perf_counter()
    compiled("test", lambda t: gain * t, 1)
    elapsed = time.perf_counter() - began
    assert watch.count == count + 1
    assert 0.0 < watch.seconds - seconds <= elapsed


def test_seconds_compiling_tells_of_functions_too():
    gain = time.time()
    system = gd.System(
        bodies={"b": gd.Body(mass=1, inertia=(1, 1, 1))}, loads={"f": gd.Force("b", (lambda t: gain * t, 0, 0))}
    )
    gd.simulate(system.replace(loads={}), 0.01)
    before = watch.seconds
    stats = gd.simulate(system, 0.01).stats
    assert stats["seconds_compiling"] == pytest.approx(watch.seconds - before)
    assert stats["seconds_compiling"] > 0.0
    assert gd.simulate(system, 0.01).stats["seconds_compiling"] == 0.0
