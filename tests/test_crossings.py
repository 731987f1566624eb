"""Instants located inside the integrator."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gudgeon as gd
from mechanisms import QUARTER_PERIOD, TIGHT, pendulum, swing, tip, trolley, wheel

pytestmark = pytest.mark.usefixtures("coordinates")
SOLVERS = [TIGHT, gd.Sundials(rtol=1e-14, atol=1e-15)]
both_solvers = pytest.mark.parametrize("solver", SOLVERS, ids=["Explicit", "Sundials"])


def times_of(result: gd.Result, name: str) -> np.ndarray:
    table = result.crossings
    return table[table["crossing"] == name]["time"].to_numpy()


@both_solvers
def test_crossings_against_the_elliptic_integral(solver):
    watch = {
        "passes": gd.Crossing(body="bob"),
        "to the right": gd.Crossing(body="bob", direction="rising"),
        "to the left": gd.Crossing(body="bob", direction="falling"),
        "angle": gd.Crossing(joint="pivot", value=math.pi / 2),
        "angle, turns away": gd.Crossing(joint="pivot", value=math.pi / 2 - 6 * math.pi),
        "tip": gd.Crossing(body="bob", at=(-0.5, 0, 0), along=(0, 2, 0), value=-0.5),  # at 60° from below
        "never": gd.Crossing(body="bob", along=(0, 0, 1), value=0.1),
    }
    result = gd.simulate(pendulum(), 10.0, crossings=watch, solver=solver)
    odd = QUARTER_PERIOD * np.arange(1, 16, 2)
    for name in ("passes", "angle", "angle, turns away"):
        assert times_of(result, name) == pytest.approx(odd, abs=1e-11)
    assert times_of(result, "to the right") == pytest.approx(odd[::2], abs=1e-11)
    assert times_of(result, "to the left") == pytest.approx(odd[1::2], abs=1e-11)
    assert swing(times_of(result, "tip"))[:, 1] == pytest.approx(-0.5, abs=1e-10)
    assert len(times_of(result, "tip")) == 17
    assert len(times_of(result, "never")) == 0
    assert result.crossings["time"].is_monotonic_increasing
    assert list(result.crossings.columns) == ["crossing", "time"]


def test_no_crossings_is_an_empty_table():
    assert len(gd.simulate(pendulum(), 0.1).crossings) == 0
    assert list(gd.simulate(pendulum(), 0.1).crossings.columns) == ["crossing", "time"]


@pytest.mark.parametrize("stabilization", [gd.Baumgarte(), gd.Projection()])
def test_stop(stabilization):
    watch = {"stop": gd.Crossing(body="bob", stop=True), "before": gd.Crossing(body="bob", value=-0.25)}
    options = {"crossings": watch, "solver": TIGHT, "stabilization": stabilization}
    result = gd.simulate(pendulum(), 10.0, sample=0.01, **options)
    assert result.stats["end"] == "stopped"
    assert result.stats["end_time"] == pytest.approx(QUARTER_PERIOD, abs=1e-11)
    assert result.crossings["crossing"].tolist() == ["before", "stop"]
    expected = [*np.arange(0, 0.6, 0.01), QUARTER_PERIOD]  # the stop is the last sample
    assert result.data.time.values == pytest.approx(expected, abs=1e-11)
    assert tip(result) == pytest.approx(swing(result.data.time.values), abs=1e-10)


@both_solvers
def test_stop_in_one_direction_only(solver):
    stop = {"back": gd.Crossing(body="bob", direction="falling", stop=True)}
    result = gd.simulate(pendulum(), 10.0, sample=1.0, crossings=stop, solver=solver)
    assert result.stats["end_time"] == pytest.approx(3 * QUARTER_PERIOD, abs=1e-11)
    assert result.data.time.values == pytest.approx([0.0, 1.0, 3 * QUARTER_PERIOD], abs=1e-11)
    assert tip(result) == pytest.approx(swing(result.data.time.values), abs=1e-10)


@both_solvers
@pytest.mark.parametrize("cut", [0.3, QUARTER_PERIOD], ids=["between", "at the stop"])
def test_crossings_of_a_run_that_goes_on(solver, cut):
    """None is lost at the cut and none counted twice, not even the one that stopped the first run."""
    watch = {"passes": gd.Crossing(body="bob", stop=cut > 0.5), "left": gd.Crossing(body="bob", value=-0.25)}
    first = gd.simulate(pendulum(), min(10.0, cut + 0.1), crossings=watch, solver=solver)
    watch["passes"] = gd.Crossing(body="bob")
    rest = gd.simulate(pendulum(), 2.0, start=first.state(), crossings=watch, solver=solver)
    for name in watch:
        found = np.concatenate([times_of(result, name) for result in (first, rest)])
        whole = times_of(gd.simulate(pendulum(), 2.4, crossings=watch, solver=TIGHT), name)
        assert found == pytest.approx(whole, abs=1e-10)


@pytest.mark.parametrize("method", ["Adams", "BDF"])
def test_crossings_of_an_angle_under_sundials(method):
    """In relative coordinates a wheel is a straight line: one step is many turns."""
    watch = {"one": gd.Crossing(joint="axle", value=1.0), "turn": gd.Crossing(joint="axle")}
    solver = gd.Sundials(rtol=1e-10, atol=1e-12, method=method)
    result = gd.simulate(wheel(100.0), 1.0, crossings=watch, solver=solver)
    turns = 2 * math.pi * np.arange(16) / 100.0
    assert times_of(result, "one") == pytest.approx(0.01 + turns, abs=1e-8)
    assert times_of(result, "turn") == pytest.approx(turns[1:], abs=1e-8)


def test_a_start_on_the_value_is_no_crossing():
    result = gd.simulate(wheel(2 * math.pi), 2.5, crossings={"turn": gd.Crossing(joint="axle")})
    assert times_of(result, "turn") == pytest.approx([1.0, 2.0], abs=1e-6)


@pytest.mark.parametrize("rtol", [1e-3, 1e-8])
@pytest.mark.parametrize("speed", [100.0, -100.0])
def test_many_crossings_of_an_angle(speed, rtol):
    """318 of them, more than the first buffer holds; none lost, none twice, whatever the tolerance."""
    watch = {"one": gd.Crossing(joint="axle", value=1.0), "two": gd.Crossing(joint="axle", value=1.0 - 20 * math.pi)}
    result = gd.simulate(wheel(speed), 10.0, crossings=watch, solver=gd.Explicit(rtol=rtol, atol=rtol))
    first = 1.0 if speed > 0 else 2 * math.pi - 1.0
    expected = np.arange(first, 1000.0, 2 * math.pi) / 100.0
    assert len(expected) == 159
    for name in watch:
        assert times_of(result, name) == pytest.approx(expected, abs=10 * rtol)


def test_crossing_of_a_displacement():
    spring = gd.JointSpring("guide", stiffness=8.0)  # ω = 2 rad/s
    watch = {"half": gd.Crossing(joint="guide", value=0.5, direction="rising")}
    result = gd.simulate(trolley(2.0, loads={"spring": spring}), 7.0, crossings=watch, solver=TIGHT)
    assert times_of(result, "half") == pytest.approx((math.pi / 6 + 2 * math.pi * np.arange(3)) / 2, abs=1e-10)
