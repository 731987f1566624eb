"""The public names of the package: documented by examples, cheap to import."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

from gudgeon import nurbs


@pytest.mark.parametrize("name", nurbs.__all__)
def test_names_have_examples(name):
    assert ">>>" in (inspect.getdoc(getattr(nurbs, name)) or "")


def test_public_methods_have_examples():
    for owner in (nurbs.Surface, nurbs.Curve, nurbs.Trim, nurbs.GapState, nurbs.GapField):
        for name, method in inspect.getmembers(owner):
            if not name.startswith("_") and (inspect.isfunction(method) or inspect.ismethod(method)):
                assert ">>>" in (inspect.getdoc(method) or ""), f"{owner.__name__}.{name}"


def test_names_are_complete():
    assert set(nurbs.__all__) <= set(dir(nurbs))
    with pytest.raises(AttributeError, match="has no attribute 'Surfaces'"):
        _ = nurbs.Surfaces  # pyright: ignore


def test_describing_surfaces_compiles_nothing():
    code = "from gudgeon.nurbs import Surface, Trim; Surface.sphere(0.01).elevated((3, 3)).bezier(); import sys; "
    code += "print([name for name in ('numba', 'scipy', 'matplotlib') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
