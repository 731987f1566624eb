"""The page on machines: its snippets run one after the other, and what they compute is right."""

import math
from pathlib import Path

import numpy as np
import pytest

from machines.energy_balance import unbalanced

PAGE = Path(__file__).parent.parent.parent / "docs" / "machines.md"


def test_the_snippets_run():
    text = PAGE.read_text(encoding="utf-8")
    space: dict = {"__name__": "page"}
    before, *snippets = text.split("```python\n")
    lines = before.count("\n") + 1
    for snippet in snippets:  # with the lines that they have on the page: compiled functions look there for their text
        exec(compile("\n" * lines + snippet.split("```")[0], str(PAGE), "exec"), space)
        lines += snippet.count("\n") + 1
    for name in (
        "result",
        "closed",
        "driven",
        "stopped",
        "geared",
        "ride",
        "followed",
        "electric",
        "slowed",
        "slid",
        "shaken",
    ):
        assert unbalanced(space[name]) < 1e-5, name
    assert unbalanced(space["rattling"]) < 1e-3 and unbalanced(space["bounced"]) < 1e-5
    assert set(space["rattling"].events.contact) == {"mesh forward", "mesh backward"}
    slowed = space["slowed"].data.angular_velocity.sel(axis="y").values[:, 0]
    assert slowed[-1] == pytest.approx(50.0 - 0.1 * 0.01 * 2.0 * 9.81 / 0.02, rel=1e-6)
    assert "jams" in space["jammed"] and "critical is 0.2" in space["jammed"]
    lifted = space["lifted"].data
    turn = 20.0 * lifted.time.values
    push = 0.3 * (9.81 + 0.005 * 400.0 * np.cos(turn))
    assert lifted.reaction_force.sel(joint="cam", axis="y").values == pytest.approx(push, abs=1e-9)
    assert len(space["jumping"].events) > 1 and space["jumping"].data.gap.values.max() > 1e-4
    assert set(space["bounced"].events.joint) == {"floor", "step"}
    tip = space["result"].data
    speed = tip.velocity.sel(body="bob") + 0.0
    turn = tip.angular_velocity.sel(body="bob", axis="y").values
    v = tip.signal_value.sel(signal="v").values
    assert v == pytest.approx(1.2 * np.abs(turn), abs=1e-6) and float(abs(speed).max()) > 0.1
    assert space["stopped"].events.contact.iloc[0] == "limits upper"
    data = space["geared"].data
    a, x = float(data.joint_position[-1, 0]), float(data.joint_position.sel(coordinate="rack.displacement")[-1])
    inertia = 0.02 + 0.02 / 9 + 1.0 * (0.05 / 3) ** 2
    assert a == pytest.approx(0.5 * 0.5 / inertia, rel=1e-7) and x == pytest.approx(-0.05 * a / 3, rel=1e-7)
    ride = space["ride"].data
    assert float(ride.joint_position[-1, 0]) == pytest.approx(6.0, rel=1e-7)
    assert math.isclose(float(abs(ride.joint_velocity).max()), 1.5, rel_tol=1e-3)
    followed, sampled = space["followed"].data, space["sampled"].data
    wanted = 0.4 * np.sin(3 * followed.time.values)
    late = followed.time.values > 1.5
    for data in (followed, sampled):
        angle = data.joint_position.sel(coordinate="pivot.angle").values
        assert np.abs(angle - wanted)[late].max() < 0.15
    electric = space["electric"].data
    current = electric.controller_state.sel(state="coil.current").values
    assert electric.controller_output.sel(output="coil.torque").values == pytest.approx(0.05 * current)
    dropped = space["dropped"]
    assert dropped.switches.switch.tolist() == ["high", "low"] and dropped.switches.energy_lost[1] > 0.0
    angle = dropped.data.joint_position.values[:, 0]
    assert angle.max() > 0.8 and angle[-1] == pytest.approx(0.2, abs=1e-6)
