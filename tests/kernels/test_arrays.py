"""Columns and kinds of arrays: a name means one number in its file."""

import re
from collections import Counter
from pathlib import Path

import gudgeon
from gudgeon.kernels.dynamics import arrays

KERNELS = Path(gudgeon.__file__).parent / "kernels"


def test_no_constant_is_defined_twice_in_a_file():
    for path in sorted(KERNELS.rglob("*.py")):
        names = Counter(re.findall(r"^([A-Z][A-Z0-9_]*)(?:, [A-Z0-9_, ]*)? = ", path.read_text(), re.MULTILINE))
        assert [name for name, count in names.items() if count > 1] == [], path


def test_kinds_of_elements_differ():
    kinds = ("DRY", "LUBRICATED", "RADIAL_BUSHING", "BUSHING", "SURFACE", "PLANE", "OWN_MODEL", "PART", "STOP")
    assert len({getattr(arrays, kind) for kind in kinds}) == len(kinds)
