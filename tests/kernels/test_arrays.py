"""Columns and kinds of arrays: a name means one number in its file."""

import ast
from collections import Counter
from pathlib import Path

import gudgeon
from gudgeon.kernels.dynamics import arrays
from gudgeon.kernels.elements.table import ELEMENTS

KERNELS = Path(gudgeon.__file__).parent / "kernels"


def constants(source: str) -> Counter[str]:
    """How often each name of a file is given a value, with all of those in `A, B = …`."""
    targets = [target for line in ast.parse(source).body if isinstance(line, ast.Assign) for target in line.targets]
    names = [part for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]
    return Counter(name.id for name in names if isinstance(name.ctx, ast.Store))


def kinds() -> list[str]:
    """The names under which ELEMENTS is written: in the dict itself equal numbers would be one."""
    for line in ast.parse((KERNELS / "elements" / "table.py").read_text(encoding="utf-8")).body:
        if isinstance(line, ast.AnnAssign) and ast.unparse(line.target) == "ELEMENTS":
            assert isinstance(line.value, ast.Dict)
            return [ast.unparse(key) for key in line.value.keys if key is not None]
    raise AssertionError("no ELEMENTS")


def test_every_name_of_a_line_counts():
    assert constants("A, B = 0, [1]\nB = C = [2]\nC[0] = 3") == {"A": 1, "B": 2, "C": 1}


def test_no_constant_is_defined_twice_in_a_file():
    for path in sorted(KERNELS.rglob("*.py")):
        names = constants(path.read_text(encoding="utf-8"))
        assert [name for name, count in names.items() if count > 1] == [], path


def test_kinds_of_elements_differ():
    names = [*kinds(), "PART"]
    assert len(ELEMENTS) == len(names) - 1
    assert len({getattr(arrays, name) for name in names}) == len(names)
