"""What a run with sliders gives back: names, files, restarts, and what is kept when it breaks off."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gudgeon as gd

SOLVER = gd.TimeStepping(step=1e-3)
EXAMPLES = {
    "flexible": gd.examples.slider_crank_flexible_slider(4),
    "rigid": gd.examples.slider_crank_flexible_slider(slider="rigid"),
    "hard": gd.examples.slider_crank_flexible_slider(slider="hard"),
}


@pytest.fixture(params=EXAMPLES)
def system(request) -> gd.System:
    return EXAMPLES[request.param]


def test_names_and_units():
    data = gd.simulate(EXAMPLES["flexible"], 0.1, solver=SOLVER, sample=0.05).data
    assert data.guide_gap.dims == ("time", "surface_point")
    assert data.surface_point.values.tolist() == [f"guide:{node}" for node in (0, 1, 2, 6, 7, 8)]
    assert data.surface.values.tolist() == ["upper"] * 3 + ["lower"] * 3
    assert data.pin_gap.dims == ("time", "pin", "plane") and data.pin.values.tolist() == ["B"]
    assert data.node.values.tolist() == [f"slider:{node}" for node in range(9)]
    units = {"guide_gap": "m", "guide_gap_rate": "m/s", "guide_sliding_velocity": "m/s", "guide_normal_force": "N"}
    units |= {"guide_friction_force": "N", "pin_gap": "m", "pin_force": "N"}
    units |= {"node_displacement": "m", "node_velocity": "m/s"}
    for name, unit in units.items():
        assert data[name].attrs["units"] == unit
    rigid = gd.simulate(EXAMPLES["rigid"], 0.1, solver=SOLVER, sample=0.05).data
    corners = ["upper left", "upper right", "lower left", "lower right"]
    assert rigid.surface_point.values.tolist() == [f"guide:{corner}" for corner in corners]
    assert (
        "node_displacement" not in rigid
        and "guide_gap" not in gd.simulate(gd.examples.spatial_four_bar(), 0.01, sample=0.01).data
    )


def test_gaps_follow_from_the_motion():
    """Corner by corner from position and angle of the rigid slider, 0.5 × 0.3 m with 2.5 mm of play."""
    data = gd.simulate(EXAMPLES["rigid"], 1.0, solver=SOLVER, sample=0.05).data
    x = data.joint_position
    lift, angle = x.sel(coordinate="guide.lift").values, x.sel(coordinate="guide.angle").values
    for name, side, sign in (
        ("upper left", -1, 1),
        ("upper right", 1, 1),
        ("lower left", -1, -1),
        ("lower right", 1, -1),
    ):
        height = lift + side * 0.25 * np.sin(angle) + sign * 0.15 * np.cos(angle)
        gap = 0.15 + 2.5e-3 - sign * height
        assert data.guide_gap.sel(surface_point=f"guide:{name}").values == pytest.approx(gap, abs=1e-12)
    assert np.abs(angle).max() > 5e-5


def test_mean_motion_of_a_flexible_slider():
    """Position is that of the centre of mass; displacement and lift of the guide are measured there."""
    data = gd.simulate(EXAMPLES["flexible"], 1.0, solver=SOLVER, sample=0.05).data
    masses = np.array([1, 2, 1, 2, 4, 2, 1, 2, 1]) / 16.0  # of 2 × 2 equal elements
    centre = np.einsum("n,tnp->tp", masses, data.node_displacement.values)
    assert data.position.sel(body="slider").values[:, :2] - [3.8, 0.0] == pytest.approx(centre, abs=1e-12)
    lift = data.joint_position.sel(coordinate="guide.lift").values
    assert lift == pytest.approx(centre[:, 1], abs=1e-12)
    velocity = np.einsum("n,tnp->tp", masses, data.node_velocity.values)
    assert data.velocity.sel(body="slider").values[:, :2] == pytest.approx(velocity, abs=1e-12)


def test_files(system, tmp_path):
    watch = {"low": gd.Crossing(joint="O", coordinate="angle", value=-0.5)}
    result = gd.simulate(system, 1.0, solver=SOLVER, sample=0.1, crossings=watch)
    again = gd.load(result.save(tmp_path / "run.nc"))
    assert set(again.data.variables) == set(result.data.variables)
    for name, values in result.data.variables.items():
        assert np.array_equal(again.data[name].values, values.values, equal_nan=values.dtype.kind == "f")
    assert again.stats["impacts_located"] == result.stats["impacts_located"]
    assert again.crossings.time.tolist() == result.crossings.time.tolist()
    assert len(again.crossings) == 1


@pytest.mark.parametrize("name", ["rigid", "hard"])  # a flexible slider starts undeformed, see Result.state
def test_a_run_that_is_continued(name):
    """Without the motor, which depends on time: 1 s at once, or 0.5 s twice."""
    still = EXAMPLES[name].replace(loads={})
    whole = gd.simulate(still, 1.0, solver=SOLVER, sample=0.5).data.position.values
    first = gd.simulate(still, 0.5, solver=SOLVER, sample=0.5)
    second = gd.simulate(still.replace(start=first.state()), 0.5, solver=SOLVER, sample=0.5).data.position.values
    assert second[0] == pytest.approx(whole[1], abs=1e-9)
    assert second[1] == pytest.approx(whole[2], abs=1e-4)
    assert np.abs(whole[2] - whole[1]).max() > 0.1


def until_0_3(t):
    return 1.0 if t < 0.3 else math.nan


def test_a_load_that_loses_its_value(system):
    broken = system.replace(loads={"motor": gd.Torque("crank", (0.0, 0.0, until_0_3))})
    with pytest.raises(
        gd.SimulationError, match=r"Torque 'motor' gives .*nan.* at t = 0\.3.* s; it must stay"
    ) as caught:
        gd.simulate(broken, 1.0, solver=SOLVER, sample=0.01)
    error = caught.value
    assert error.time == pytest.approx(0.3, abs=2e-3)
    assert error.owner == "motor"
    assert error.result.data.time.values == pytest.approx(np.arange(0.0, error.time + 1e-9, 0.01), abs=1e-9)
    assert np.isfinite(error.result.states).all()
    healthy = gd.simulate(broken, 0.29, solver=SOLVER, sample=0.01)
    assert error.result.states[:30] == pytest.approx(healthy.states, abs=1e-9)


def test_interruption_keeps_what_was_computed(system):
    def stop(fraction):
        if fraction > 0.01:
            raise KeyboardInterrupt

    with pytest.raises(gd.SimulationInterrupted, match=r"interrupted at t = .* of 400 s") as caught:
        gd.simulate(system, 400.0, solver=gd.TimeStepping(step=5e-3), sample=0.01, progress=stop)
    result = caught.value.result
    reached = result.stats["end_time"]
    assert 4.0 <= reached < 400.0
    assert result.data.time.values[-1] == pytest.approx(reached, abs=0.02)
    again = gd.simulate(system, 2.0, solver=gd.TimeStepping(step=5e-3), sample=0.01)
    assert np.array_equal(result.states[:200], again.states[:200])
    assert result.data.guide_normal_force.values.max() > 1.0


def test_a_run_that_ends_before_its_first_sample(system):
    broken = system.replace(loads={"motor": gd.Torque("crank", (0.0, 0.0, until_0_3))})
    with pytest.raises(gd.SimulationError) as caught:
        gd.simulate(broken, 1.0, solver=SOLVER, sample=[0.9])
    data = caught.value.result.data
    assert data.sizes["time"] == 0 and data.guide_gap.shape == (0, data.sizes["surface_point"])
    if "node" in data.sizes:
        assert data.node_displacement.shape == (0, data.sizes["node"], 2)


def test_statistics(system):
    stats = gd.simulate(system, 1.0, solver=SOLVER, sample=0.5).stats
    assert stats["solver"] == "TimeStepping" and stats["step"] == 1e-3
    assert 900 < stats["steps"] <= 1100 + stats["impacts_located"]
    assert stats["contact_failures"] == 0 and stats["contact_residual"] == 0.0
    assert stats["contact_problems"] >= 3 * stats["steps"]
    assert stats["contact_iterations"] >= stats["contact_problems"] - 2 * stats["impacts_located"]


@pytest.mark.parametrize("name", ["flexible", "rigid", "hard"])
def test_no_step_is_longer_than_asked(name):
    assert gd.simulate(EXAMPLES[name], 1.0, solver=SOLVER, sample=0.5).stats["steps"] >= 1000


def test_runs_are_repeatable(system):
    one, other = (gd.simulate(system, 0.5, solver=SOLVER, sample=0.1).states for _ in range(2))
    assert np.array_equal(one, other)
