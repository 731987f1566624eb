"""Kernels that only some mechanisms need: only what is used is compiled or loaded."""

from __future__ import annotations

import subprocess
import sys

from gudgeon.compilation.groups import GROUPS, compile_group


def test_the_second_time_costs_nothing():
    for name in GROUPS:
        compile_group(name)
        assert compile_group(name) == 0.0


def test_a_mechanism_without_surfaces_does_not_load_them():
    code = "import gudgeon as gd; gd.simulate(gd.examples.spatial_four_bar('dry'), 1e-3); import sys; "
    code += "print([name for name in sys.modules if 'surface_contact.kernels' in name or 'nurbs.kernels' in name])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
