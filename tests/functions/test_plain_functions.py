"""Functions that are read from disk without Numba's libraries: which, and that their code finds all it calls."""

from __future__ import annotations

import math
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from gudgeon.functions.callables import is_plain

LIMIT = 3.0
TRIGONOMETRIC = ("acos", "asin", "asinh", "atan", "atanh", "cos", "cosh", "sin", "sinh", "tan", "tanh")
OTHERS = ("ceil", "degrees", "erf", "erfc", "exp", "expm1", "fabs", "floor", "gamma", "isfinite", "lgamma", "log")
OF_ONE = (*TRIGONOMETRIC, *OTHERS, "log10", "log1p", "log2", "radians", "sqrt", "trunc")
OF_TWO = ("atan2", "copysign", "hypot", "pow")


def of_math(x):
    return math.sqrt(abs(x)) + min(x, LIMIT) * np.sin(x)


def of_numpy(x):
    return np.linalg.norm(np.array([x, 1.0]))


def asserting(x):
    assert x < LIMIT
    return x


def raising(x):
    if x > LIMIT:
        raise ValueError
    return x


def printing(x):
    print(x)
    return x


def test_which_are_plain():
    assert is_plain(of_math)
    assert not any(is_plain(each) for each in (of_numpy, asserting, raising, printing))


SCRIPT = """
import sys
import gudgeon as gd
from gudgeon.functions.callables import compiled_law
import own

asked = {{name: compiled_law("law", getattr(own, name), 2, parameters=False) for name in {names}}}
print("numba.np.linalg" in sys.modules, *(kept._cache_hits for kept in asked.values()))
print(*(kept.ctypes(0.4, 0.3) for kept in asked.values()))
"""


@pytest.mark.parametrize("kind", ["plain", "linear algebra"])
def test_another_process_reads_them(tmp_path, kind):
    """All functions of `math` that Numba knows, in code that was compiled by another process; NumPy's solvers too."""
    if kind == "plain":
        bodies = {f"f_{name}": f"math.{name}(x)" for name in OF_ONE}
        bodies |= {f"g_{name}": f"math.{name}(x, y)" for name in OF_TWO}
    else:
        bodies = {"f_norm": "np.linalg.norm(np.array([x, y]))"}
    lines = [f"def {name}(x, y):\n    return 1.0 * {body}\n" for name, body in bodies.items()]
    (tmp_path / "own.py").write_text("import math\n\nimport numpy as np\n\n\n" + "\n\n".join(lines))
    script = textwrap.dedent(SCRIPT).format(names=list(bodies))
    said = [
        subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    state, numbers = said[1].splitlines()
    assert state.split() == [str(kind != "plain"), *["1"] * len(bodies)]  # read, and without libraries if plain
    wanted = [1.0 * eval(body, {"math": math, "np": np, "x": 0.4, "y": 0.3}) for body in bodies.values()]
    assert [float(x) for x in numbers.split()] == pytest.approx(wanted, rel=1e-14)
