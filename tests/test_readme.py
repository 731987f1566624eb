"""The README's Python runs, block after block, as a reader would paste it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

README = Path(__file__).parent.parent / "README.md"


@pytest.fixture(scope="module")
def pasted(tmp_path_factory):
    """The names a reader has after pasting everything."""
    names: dict = {"__name__": "__main__"}  # as in a script
    folder = tmp_path_factory.mktemp("readme")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for place, block in enumerate(re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)):
            path = folder / f"block_{place}.py"  # functions that are compiled need a file
            path.write_text(block)
            exec(compile(block, str(path), "exec"), names)
            names[f"result {place}"] = names.get("result")
    return names


def test_the_engine_of_the_readme(pasted):
    """Rod straight at the start: the piston's stroke is twice the crank's radius, its gas force is felt by the pin."""
    engine, gd = pasted["engine"], pasted["gd"]
    result = next(pasted[name] for name in pasted if name.startswith("result ") and pasted[name].system == engine)
    piston = result.data.joint_position.sel(coordinate="bore.displacement").values
    assert piston.min() == pytest.approx(-2 * pasted["r"], abs=1e-6) and abs(piston.max()) < 1e-12
    angle = result.data.joint_position.sel(coordinate="main.angle").values
    r, length = pasted["r"], pasted["l"]
    where = r * np.cos(angle) + np.sqrt(length**2 - (r * np.sin(angle)) ** 2) - r - length
    assert piston == pytest.approx(where, abs=1e-8)
    assert np.all(np.diff(angle) > 0.0) and angle[0] == 0.0
    assert gd.assemble(engine).degrees_of_freedom == 1


def test_files_that_the_readme_links_are_there():
    for target in re.findall(r"\]\(((?!http)[^)#]+)\)", README.read_text()):
        assert (README.parent / target).exists(), target
