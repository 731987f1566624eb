"""The page on wear: its scripts run."""

import re
from pathlib import Path

PAGE = Path(__file__).parent.parent.parent / "docs" / "wear.md"


def test_the_scripts_of_the_page_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text, space = PAGE.read_text(encoding="utf-8"), {"__name__": "page"}
    for script in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(compile(script, str(PAGE), "exec"), space)
    data = space["worn"].data
    assert float(data["pin.bore"].max()) > 1e-6
    assert abs(float(data["pin.bore.rubbed"][-1] / data["pin.bore.volume"][-1]) - 1.0) < 1e-2
    assert {"wear.png", "ball.png"} <= {path.name for path in tmp_path.iterdir()}
