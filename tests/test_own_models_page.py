"""The page on joint models of one's own: its script runs, and what it computes is the closed form."""

from pathlib import Path

import pytest

PAGE = Path(__file__).parent.parent / "docs" / "own_models.md"


def test_the_buffer_stops_a_falling_plate(capsys):
    """It falls 50 mm, so it meets the buffer with √(2 g h) at √(2 h/g)."""
    text = PAGE.read_text(encoding="utf-8")
    script = text.split("```python\n")[1].split("```")[0]
    space: dict = {"__name__": "page"}
    exec(compile(script, str(PAGE), "exec"), space)
    first = space["result"].events.iloc[0]
    assert first.impact_speed == pytest.approx((2.0 * 9.81 * 0.05) ** 0.5, rel=1e-6)
    assert first.begin == pytest.approx((2.0 * 0.05 / 9.81) ** 0.5, rel=1e-6)
    pressure = space["result"].data.buffer_pressure.sel(joint="buffer").values
    assert pressure[0] == 0.0 and pressure.max() > 1e5
    assert "peak_force" in capsys.readouterr().out
