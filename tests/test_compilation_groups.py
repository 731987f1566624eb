"""Kernels that only some mechanisms need: `gudgeon compile` reaches all of them, and only what is used is compiled."""

from __future__ import annotations

import subprocess
import sys

from gudgeon.compilation_groups import GROUPS, compile_group

REACHED = """
import importlib, pkgutil
from numba.core.dispatcher import Dispatcher
from gudgeon.compilation_groups import compile_groups
import gudgeon.fem, gudgeon.nurbs.kernels
compile_groups()
for package in (gudgeon.nurbs.kernels, gudgeon.fem):
    for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        for name, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, Dispatcher) and type(value._cache).__name__ != "NullCache" and not value.signatures:
                print(module.name, name)
"""


def test_every_kernel_that_python_calls_is_reached():
    done = subprocess.run([sys.executable, "-c", REACHED], capture_output=True, text=True, check=True)
    left = {line for line in done.stdout.splitlines() if not line.split()[1].startswith("_")}
    assert not left


def test_the_second_time_costs_nothing():
    for name in GROUPS:
        compile_group(name)
        assert compile_group(name) == 0.0


def test_a_mechanism_without_surfaces_does_not_load_them():
    code = "import gudgeon as gd; gd.simulate(gd.examples.spatial_four_bar('dry'), 1e-3); import sys; "
    code += (
        "print([name for name in sys.modules if 'surface_contact.kernels' in name or name == 'gudgeon.fem.kernels'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
