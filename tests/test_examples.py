"""Every example runs and its own assertions hold."""

import runpy
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))
ABSOLUTE_ONLY = {"flexible_slider"}  # sliders with play are simulated in absolute coordinates
STUDIES = {"clearance_study", "fit_and_bushing"}  # runs of gd.sweep in other processes, the same in both


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path, tmp_path, monkeypatch, coordinates):
    if "from OCP" in path.read_text(encoding="utf-8"):
        pytest.importorskip("OCP", reason="OpenCASCADE is not installed: pip install gudgeon[cad]")
    if coordinates == "relative" and path.stem in ABSOLUTE_ONLY:
        pytest.skip("sliders with play are simulated in absolute coordinates")
    if coordinates == "relative" and path.stem in STUDIES:
        pytest.skip("its runs are those of the other case: gd.sweep has its own argument coordinates=")
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(path), run_name="__main__")
    assert list((tmp_path / "out").glob("*.png")), "an example draws a picture"
