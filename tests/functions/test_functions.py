"""Functions of time: what is accepted, and that their compiled programs equal Python."""

from __future__ import annotations

import functools
import importlib.util
import math
import os
import subprocess
import sys
from itertools import pairwise
from typing import Any

import numba
import numpy as np
import pytest

from gudgeon.errors import ModelError
from gudgeon.functions import callables
from gudgeon.functions.function import Programs, check_function, constant_value
from gudgeon.kernels.functions.opcodes import STACK_SIZE
from gudgeon.kernels.functions.stack_machine import run

FACTOR = 3.0


def push(t):
    return 6.0 * math.sin(t) if t < 1.0 else t


def push_vector(t):
    return (0, 2.0 * t, math.cos(t))


def scaled(t):
    return FACTOR * t


def with_slope(k):
    def line(t):
        return k * t

    return line


def values(programs: Programs, t: float) -> list[float]:
    ops, operands, addresses, starts = programs.arrays()
    stack = np.empty(STACK_SIZE)
    none = np.zeros(0)
    return [run(ops, operands, addresses, first, last, t, stack, none, none) for first, last in pairwise(starts)]


def test_every_kind_of_function():
    programs = Programs()
    given = [2, "t**2", push, numba.njit(push), lambda t: 2 * t, lambda t: t > 1, "1+1", np.float32(0.5)]
    index = [programs.add("Force on 'slider'", "vector[0]", value) for value in given]
    assert index == [0, 1, 2, 3, 4, 5, 0, 6]  # 2 and "1+1" share a program
    for t in (0.3, 1.7):
        expected = [2.0, t**2, push(t), push(t), 2 * t, float(t > 1), 0.5]
        assert values(programs, t) == pytest.approx(expected, rel=1e-15)
    assert [array.dtype for array in programs.arrays()] == [np.int64, np.float64, np.int64, np.int64]
    assert len(programs.keep) == 4 and programs.keep[0] is programs.keep[1]  # compiled once


def test_no_programs():
    assert [array.tolist() for array in Programs().arrays()] == [[], [], [], [0]]


def test_derivatives_come_in_threes():
    programs = Programs()
    assert programs.add_derivatives("Drive of 'pin'", "value", "t**3") == 0
    assert programs.add_derivatives("Drive of 'pin'", "value", -1e-5) == 3
    assert programs.add_derivatives("Drive of 'pin'", "value", push, "6*cos(t)", 0.0) == 6
    assert values(programs, 0.5) == pytest.approx(
        [0.125, 0.75, 3.0, -1e-5, 0.0, 0.0, push(0.5), 6 * math.cos(0.5), 0.0], rel=1e-15
    )
    with pytest.raises(ModelError, match="Drive of 'pin': value is a Python function, which cannot be diff"):
        programs.add_derivatives("Drive of 'pin'", "value", push)
    with pytest.raises(ModelError, match="Drive of 'pin': value: its second derivative: expression is too long"):
        programs.add_derivatives("Drive of 'pin'", "value", "*".join("t" * 500))


def test_vectors():
    programs = Programs()
    assert programs.add_vector("Force on 'slider'", "vector", push_vector) == 0
    assert programs.add_vector("Force on 'slider'", "vector", (1, "t", lambda t: -t)) == 3
    for t in (0.0, 0.4, 2.0):
        assert values(programs, t) == pytest.approx([*push_vector(t), 1.0, t, -t], rel=1e-15)


def test_constant_value():
    assert [constant_value(v) for v in (2, "pi/2", "t", push)] == [2.0, math.pi / 2, None, None]


# --- what is accepted ---------------------------------------------------------------------------------------


def test_accepted_as_given():
    assert check_function("Force", "size", 3) == 3.0
    assert isinstance(check_function("Force", "size", np.int64(3)), float)
    assert check_function("Force", "size", "2*t") == "2*t"
    assert check_function("Force", "size", push) is push
    assert check_function("Force", "vector", push_vector, length=3) is push_vector
    for constant in (lambda time: 1.0, lambda _: 1.0):
        assert check_function("Force", "size", constant) is constant
    jitted = numba.njit(push)
    assert check_function("Force", "size", jitted) is jitted


def raising(t):
    if t > 1.0:
        raise ValueError
    return t


@pytest.mark.parametrize(
    ("value", "wording"),
    [
        (math.nan, "stiffness is nan; give a finite number"),
        (None, "stiffness is None; give a number, an expression in t or a Python function of t"),
        (True, "stiffness is True; give a number"),
        (1j, "stiffness is 1j; give a number"),
        ([1.0, 2.0], r"stiffness is \[1.0, 2.0\]; give a number"),
        ("sinn(t)", r"stiffness: expression 'sinn\(t\)': unknown function 'sinn'; did you mean 'sin'\?"),
        ("2**(t**" * 20 + "t" + ")" * 20, "stiffness: expression is too deeply nested"),
        (lambda t: 1 / t, "function '<lambda>' raises ZeroDivisionError at t = 0: .*division by zero"),
        (lambda t: math.inf, "function '<lambda>' returns inf at t = 0; it must return a finite number"),
        (lambda t: "a", "returns 'a' at t = 0"),
        (lambda t: (1.0, 2.0), r"returns \(1.0, 2.0\) at t = 0"),
        (lambda: 1.0, r"takes \(\); it must take the time t or signals by name, one to 8 of them and no defaults"),
        (lambda t, k=2.0: k * t, r"takes \(t, k=2.0\); it must take the time t or signals by name"),
        (lambda *t: 1.0, r"takes \(\*t\)"),
        (lambda a, b, c, d, e, f, g, h, i: 1.0, r"h, i\); it must take the time t or signals by name, one to 8"),
        (numba.njit(lambda *, state: 1.0), r"takes \(\*, state\); it must take the time t or signals"),
        (raising, "function 'raising' contains raise or assert"),
        (math.sin, "stiffness is <built-in function sin>; give a function made by def or lambda"),
        (np.sin, "stiffness is <ufunc 'sin'>; give a function made by def or lambda"),
        (functools.partial(pow, 2.0), "give a function made by def or lambda"),
    ],
)
def test_refused(value, wording):
    with pytest.raises(ModelError, match=f"^JointSpring on 'hinge': stiffness.*{wording.removeprefix('stiffness')}"):
        check_function("JointSpring on 'hinge'", "stiffness", value)


@pytest.mark.parametrize(
    ("value", "wording"),
    [
        (lambda t: (1.0, 2.0), r"returns \(1.0, 2.0\) at t = 0; it must return a tuple of 3 finite numbers"),
        (lambda t: [1.0, 2.0, 3.0], "it must return a tuple of 3"),
        (lambda t: (1.0, math.nan, 3.0), "it must return a tuple of 3 finite numbers"),
        (1.0, "give a Python function of t or signals that returns 3 numbers"),
    ],
)
def test_refused_as_vector(value, wording):
    with pytest.raises(ModelError, match=f"^Torque on 'crank': vector.*{wording}"):
        check_function("Torque on 'crank'", "vector", value, length=3)


def test_a_function_that_does_not_compile():
    def weekday(t):
        return float(len(os.environ))

    with pytest.raises(ModelError, match="Force: size: function 'weekday' cannot be compiled: ") as caught:
        Programs().add("Force", "size", weekday)
    assert "nopython mode pipeline" not in str(caught.value)
    assert "\n" not in str(caught.value)


# --- compiled code on disk ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "safe"),
    [
        (push, True),
        (with_slope(2.0), True),
        (scaled, False),  # a later run may give FACTOR another value
        (with_slope(np.array([2.0])), False),
        (lambda t: 2.0 * t, False),
    ],
)
def test_only_safe_functions_are_kept_on_disk(function, safe):
    assert callables.cacheable(function) is safe


def test_lambdas_in_one_line_are_told_apart():
    programs = Programs()
    programs.add_vector("Force", "vector", (lambda t: math.sin(t), lambda t: math.cos(t), lambda t: 2.0 * t))
    assert values(programs, 0.3) == pytest.approx([math.sin(0.3), math.cos(0.3), 0.6], rel=1e-15)


def test_a_function_is_read_from_disk(tmp_path, monkeypatch):
    monkeypatch.setattr(callables, "_COMPILED", {})
    path = tmp_path / "loads_of_mine.py"
    path.write_text("import math\n\ndef pull(t):\n    return math.exp(-t)\n")
    hits = []
    for _ in range(2):
        spec = importlib.util.spec_from_file_location("loads_of_mine", path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        programs = Programs()
        programs.add("Force", "size", module.pull)
        assert values(programs, 1.0) == pytest.approx([math.exp(-1.0)], rel=1e-15)
        hits.append(programs.keep[0].cache_hits)
    assert hits == [0, 1]


def test_a_function_without_a_file():
    namespace: dict[str, Any] = {"math": math}
    exec("def pull(t):\n    return math.exp(-t)\n", namespace)
    assert callables.cacheable(namespace["pull"])  # but numba finds no file to keep it beside
    programs = Programs()
    programs.add("Force", "size", namespace["pull"])
    assert values(programs, 1.0) == pytest.approx([math.exp(-1.0)], rel=1e-15)


def test_describing_a_function_does_not_import_numba():
    code = (
        "import sys; from gudgeon.functions.function import check_function; check_function('Force', 'size', 't'); "
        "check_function('Force', 'size', lambda t: t); sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
