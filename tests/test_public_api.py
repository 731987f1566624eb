"""The public names: importable, documented by examples that run, and cheap to import."""

from __future__ import annotations

import doctest
import importlib
import importlib.resources
import inspect
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import gudgeon as gd

MODULES = sorted(module.name for module in pkgutil.walk_packages(gd.__path__, "gudgeon."))
HEAVY = ("numba", "xarray", "matplotlib", "pandas", "scipy", "sksundae", "h5py", "typer", "yaml", "pint")


@pytest.mark.parametrize("name", gd.__all__)
def test_name_is_importable_and_has_an_example(name):
    value = getattr(gd, name)
    doc = inspect.getdoc(value)
    assert doc and ">>>" in doc
    assert len(doc.splitlines()[0]) > 10


def test_names_are_complete():
    assert len(gd.__all__) == len(set(gd.__all__))
    assert set(gd.__all__) <= set(dir(gd))
    with pytest.raises(AttributeError, match="module 'gudgeon' has no attribute 'Revolut'"):
        _ = gd.Revolut


def test_every_line_of_the_stub_is_a_public_name():
    """A line of another form would be seen by checkers of types but not by Python."""
    for module in (gd, gd.nurbs, gd.io):
        stub = Path(module.__file__).with_suffix(".pyi").read_text().splitlines()
        lines = [line for line in stub if line and not line.startswith("#") and line != "__version__: str"]
        assert [line.split()[-1] for line in lines] == module.__all__


def test_star_import():
    names: dict[str, object] = {}
    exec("from gudgeon import *", names)
    assert set(gd.__all__) <= set(names)


def test_public_methods_have_examples():
    """A method that a user calls shows how."""
    for owner in (gd.System, gd.Result):
        for name, method in vars(owner).items():
            if inspect.isfunction(method) and not name.startswith("_") and name not in ("coordinate", "require_body"):
                assert ">>>" in (inspect.getdoc(method) or ""), f"{owner.__name__}.{name}"


@pytest.mark.parametrize("name", MODULES)
def test_every_module_says_what_it_is(name):
    assert importlib.import_module(name).__doc__


@pytest.mark.parametrize(
    "code",
    [
        "import gudgeon",
        "import gudgeon as gd; gd.Body(mass=1.0, inertia=(1, 1, 1)); gd.examples.spatial_four_bar()",
        "import gudgeon as gd; gd.Drive('pin', '5*t'); gd.Explicit(); gd.Implicit(); gd.Sundials(); gd.TimeStepping()",
    ],
    ids=["import", "describe", "options"],
)
def test_import_is_light(code):
    code += f"; import sys; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_doctests(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    finder = doctest.DocTestFinder(exclude_empty=True)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    report: list[str] = []
    tried = 0
    for name in ("gudgeon", *MODULES):
        for test in finder.find(importlib.import_module(name), name):
            runner = doctest.DocTestRunner(optionflags=flags)
            tried += runner.run(test, out=report.append).attempted
    assert not report, "".join(report)
    assert tried > 50
    assert not any(tmp_path.iterdir())  # examples leave nothing behind


def test_dir_shows_public_names_only():
    for module in (gd, gd.examples):
        shown = {name for name in dir(module) if not name.startswith("__")}
        assert shown == set(module.__all__)


def test_types_are_for_others_too():
    """Checkers of types look into the package only if it says so."""
    assert importlib.resources.files("gudgeon").joinpath("py.typed").is_file()
