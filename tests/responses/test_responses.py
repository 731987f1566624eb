"""Sections, spectra, impacts, bands, losses, sensitivities: against closed forms."""

import numpy as np
import pytest
import xarray as xr

import gudgeon as gd
from gudgeon.responses.impacts import ImpactStatistics
from responses.pendulum import PERIOD, driven_pendulum, run


def test_a_section_on_samples_and_between_them_is_the_same():
    result = run(0.9, 160)
    on = gd.poincare(result, "pivot.angle.velocity", "bob.position.z", period=PERIOD, skip=150)
    assert len(on.x) == 11 and on.times == pytest.approx(PERIOD * np.arange(150, 161))
    fine = gd.simulate(driven_pendulum(0.9), 3 * PERIOD, sample=PERIOD / 400)
    exact = gd.poincare(fine, "pivot.angle.velocity", "bob.position.z", period=PERIOD)
    uneven = gd.simulate(driven_pendulum(0.9), 3 * PERIOD, sample=PERIOD / 399.3)
    splined = gd.poincare(uneven, "pivot.angle.velocity", "bob.position.z", period=PERIOD)
    assert splined.x == pytest.approx(exact.x, abs=1e-8)
    assert len(on.plot().axes) == 2


def test_a_run_that_goes_on_has_the_sections_of_the_whole():
    """Sections are at multiples of the period of the clock, where the drive has the same phase."""
    names = ("pivot.angle.velocity", "bob.position.z")
    whole = run(0.9, 20)
    first = gd.simulate(driven_pendulum(0.9), 7.25 * PERIOD, sample=PERIOD / 8)
    rest = gd.simulate(driven_pendulum(0.9), 12.75 * PERIOD, sample=PERIOD / 8, start=first.state())
    for phase, begin in ((0.0, 8), (0.5, 7)):
        one = gd.poincare(whole, *names, period=PERIOD, phase=phase, skip=begin)
        two = gd.poincare(rest, *names, period=PERIOD, phase=phase)
        assert two.times == pytest.approx(PERIOD * (phase + np.arange(begin, 20 + (phase == 0.0))))
        assert two.x == pytest.approx(one.x, abs=1e-9) and two.y == pytest.approx(one.y, abs=1e-9)
    points = gd.Strobe(period=PERIOD, outputs=("bob.position.z",), skip=2)(rest)["bob.position.z"]
    assert points.period.values.tolist() == list(range(10, 21))
    with pytest.raises(gd.ModelError, match=r"the run from 68\.\d+ to 188\.\d+ s has 13 points .* and 13 are skipped"):
        gd.poincare(rest, *names, period=PERIOD, skip=13)


def test_cycles_and_modes_of_a_run_that_goes_on():
    """The four-bar with a dry joint: cycles are those of the clock, and the time is that of the run."""
    system = gd.examples.spatial_four_bar("dry")
    whole = gd.simulate(system, 0.2, sample=0.01)
    rest = gd.simulate(system, 0.13, sample=0.01, start=gd.simulate(system, 0.07, sample=0.01).state())
    losses = gd.energy_per_cycle(rest, period=0.05)
    assert losses.begin == pytest.approx([0.10, 0.15])
    assert losses.lost == pytest.approx(gd.energy_per_cycle(whole, period=0.05).lost[2:], abs=1e-12)
    found = gd.impact_statistics(rest, "C")
    assert found.duration == pytest.approx(0.13) and rest.stats["begin_time"] == 0.07
    same = gd.impact_statistics(whole, "C", begin=0.07)
    assert found.modes == pytest.approx(same.modes, abs=1e-9)


def test_a_run_that_ended_early_has_no_points_afterwards():
    """Between samples as on them: what a failed member has not is NaN, and takes nothing from the others."""
    t = np.linspace(0.0, 10.0, 1001)
    values = np.stack([np.sin(t), np.where(t < 5.0, np.sin(t), np.nan), np.full(1001, np.nan)])
    data = xr.Dataset(
        {"x": (("r", "time"), values), "status": ("r", [1, 1, 2])}, coords={"r": [1.0, 2.0, 3.0], "time": t}
    )
    found = gd.bifurcation(data, "x", period=0.777).points
    at = 0.777 * np.arange(13)
    assert found[0] == pytest.approx(np.sin(at), abs=1e-8) and np.isnan(found[2]).all()
    assert gd.bifurcation(data.isel(r=[2]), "x", period=0.777).counts().tolist() == [0]
    assert found[1, :7] == pytest.approx(np.sin(at[:7]), abs=1e-8) and np.isnan(found[1, 7:]).all()


def logistic(r, count):
    x = [0.4]
    for _ in range(count):
        x.append(r * x[-1] * (1.0 - x[-1]))
    return np.array(x)


def test_the_bifurcations_of_the_logistic_map():
    """Period 1 below r = 3, 2 to 3.4495, 4 to 3.5441, 3 at 3.83 (May, 1976)."""
    rates = [2.8, 3.2, 3.5, 3.83]
    points = np.array([logistic(r, 1200)[1000:] for r in rates])
    data = xr.Dataset(
        {"x": (("r", "period"), points), "status": ("r", np.ones(4, dtype=int))},
        coords={"r": rates, "period": range(201)},
    )
    diagram = gd.bifurcation(data, "x")
    assert diagram.counts().tolist() == [1, 2, 4, 3]
    assert diagram.plot().axes
    with pytest.raises(gd.ModelError, match="no output 'y'; known are 'x', 'status'"):
        gd.bifurcation(data, "y")


def test_a_strobe_reduces_in_the_workers(pool):
    strobe = gd.Strobe(period=PERIOD, outputs=("pivot.angle.velocity",), skip=30)
    data = gd.sweep(
        driven_pendulum,
        {"drive": [0.7, 0.9]},
        40 * PERIOD,
        sample=PERIOD / 4,
        reduce=strobe,
        executor=pool,
    )
    diagram = gd.bifurcation(data, "pivot.angle.velocity", "drive")
    assert diagram.points.shape == (2, 11) and diagram.counts().tolist() == [1, 1]
    section = gd.poincare(run(0.9, 160), "pivot.angle.velocity", "bob.position.z", period=PERIOD, skip=150)
    assert diagram.points[1, -1] == pytest.approx(section.x[-1], abs=1e-5)


def series(values, times):
    data = xr.Dataset({"x": ("time", values, {"units": "m"})}, coords={"time": times})
    return gd.Result(stats={"steps": 1, "end_time": times[-1]}, crossings=([], np.zeros(0)), data=data)


def test_a_sine_is_one_line_of_its_height():
    t = np.arange(1000) / 1000.0
    found = gd.spectrum(
        series(0.3 + 2.0 * np.sin(2 * np.pi * 50 * t) + 0.5 * np.cos(2 * np.pi * 120 * t), t), "x", window="none"
    )
    assert found.amplitude[50] == pytest.approx(2.0, abs=1e-12) and found.amplitude[0] == pytest.approx(0.3, abs=1e-12)
    assert np.array(found.peaks(2)) == pytest.approx(np.array([(50.0, 2.0), (120.0, 0.5)]))
    hann = gd.spectrum(series(2.0 * np.sin(2 * np.pi * 50 * t), t), "x")
    assert hann.amplitude[50] == pytest.approx(2.0, abs=1e-12) and hann.plot(highest=200.0).axes
    with pytest.raises(gd.ModelError, match="not evenly spaced"):
        gd.spectrum(series(t, t**2), "x")


def test_a_waterfall_follows_a_frequency():
    t, rates = np.arange(500) / 500.0, np.array([20.0, 40.0, 60.0])
    values = np.sin(2 * np.pi * rates[:, None] * t)
    data = xr.Dataset({"x": (("speed", "time"), values)}, coords={"speed": rates, "time": t})
    found = gd.waterfall(data, "x")
    assert found.frequency[np.argmax(found.amplitude, axis=1)].tolist() == rates.tolist()
    assert found.plot().axes


def bouncing(count, restitution, speed):
    """Contacts of a ball on a plane: each 1 ms, flights of 2 v e^k/g between them; the last one lasts."""
    begin, end, speeds, t = [], [], [], 0.0
    for _ in range(count):
        begin.append(t)
        end.append(t + 1e-3)
        speeds.append(speed)
        speed *= restitution
        t += 1e-3 + 2.0 * speed / 9.81
    begin.append(t)
    end.append(np.nan)
    speeds.append(speed)
    table = np.column_stack(
        [begin, end, speeds, np.full(count + 1, 5.0), 0.5 * np.array(speeds) ** 2, np.zeros(count + 1)]
    )
    events = (["floor"] * len(begin), ["ball"] * len(begin), table)
    return gd.Result(stats={"steps": 1, "end_time": t + 0.5}, crossings=([], np.zeros(0)), events=events), t


def test_modes_of_a_bouncing_ball():
    result, settled = bouncing(10, 0.8, 2.0)
    found = gd.impact_statistics(result, longest_impact=2e-3)
    assert isinstance(found, ImpactStatistics) and found.impact_count == 10 and found.joint == "floor"
    whole = settled + 0.5
    assert found.modes["permanent contact"] == pytest.approx(0.5 / whole)
    assert found.modes["impact"] == pytest.approx(10e-3 / whole)
    flights = sum(2.0 * 2.0 * 0.8**k / 9.81 for k in range(1, 11))
    assert found.modes["free flight"] == pytest.approx(flights / whole)
    assert found.table().loc["impact_speed", "largest"] == 2.0 and found.plot().axes
    late = gd.impact_statistics(result, begin=settled, longest_impact=2e-3)
    assert late.impact_count == 0 and late.modes["permanent contact"] == pytest.approx(1.0)


def test_the_band_of_members_that_part_exponentially():
    t = np.linspace(0.0, 10.0, 201)
    offsets = np.array([0.0, -1.0, 1.0, -2.0, 2.0])
    values = np.sin(t) + 1e-4 * offsets[:, None] * np.exp(t)
    data = xr.Dataset({"x": (("member", "time"), values)}, coords={"member": range(5), "time": t})
    found = gd.ensemble_band(data, "x")
    assert found.mean == pytest.approx(np.sin(t)) and found.deviation == pytest.approx(1e-4 * np.exp(t) * np.sqrt(2.5))
    assert found.parted() == pytest.approx(np.log(0.1 * np.ptp(np.sin(t)) / (1e-4 * np.sqrt(2.5))), abs=0.05)
    assert found.plot().axes
    with pytest.raises(gd.ModelError, match="it takes"):
        gd.ensemble_band(data.isel(member=0), "x")


def test_energy_per_cycle_adds_up():
    result = gd.simulate(gd.examples.spatial_four_bar("dry"), 0.2, sample=0.01)
    losses = gd.energy_per_cycle(result, period=0.05)
    lost = result.data.dissipated_energy.sel(joint="C").values
    assert losses.joints == ("C",) and losses.lost[:, 0] == pytest.approx(np.diff(lost[::5]), abs=1e-15)
    energy = result.data.mechanical_energy.values
    assert losses.total.sum() == pytest.approx(energy[0] - energy[-1], rel=1e-5) and losses.plot().axes
    with pytest.raises(gd.ModelError, match="no joint of this mechanism dissipates"):
        gd.energy_per_cycle(run(0.9, 160), period=PERIOD)


def deepest(result):
    return {"speed": float(np.linalg.norm(result.states[-1, 7:10]))}


def falling(mass=2.0, g=9.81):
    return gd.System(bodies={"stone": gd.Body(mass=mass, inertia=(1, 1, 1))}, gravity=(0, 0, -g))


def test_sensitivities_of_a_falling_stone(pool):
    """v = g t: ∂v/∂g = t, elasticity 1; the mass does nothing."""
    found = gd.sensitivities(falling(), ["gravity[2]", "bodies.stone.mass"], 0.5, reduce=deepest, executor=pool)
    assert found.value == pytest.approx([9.81 * 0.5]) and found.derivative[0] == pytest.approx([-0.5, 0.0], abs=1e-9)
    assert found.elasticity[0] == pytest.approx([1.0, 0.0], abs=1e-9) and np.all(found.error < 1e-9)
    assert found.table().loc["gravity[2]", "speed"] == pytest.approx(1.0) and found.plot().axes
    with pytest.raises(gd.ModelError, match=r"gravity\[0\] is 0"):
        gd.sensitivities(falling(), ["gravity[0]"], 0.5)


def nothing(result):
    return {"sideways": 0.0}


def test_of_an_output_that_is_zero_nothing_is_a_percent(pool):
    """No warning of a division; the derivative itself is there."""
    found = gd.sensitivities(falling(), ["gravity[2]"], 0.5, reduce=nothing, executor=pool)
    assert np.isnan(found.table().loc["gravity[2]", "sideways"]) and found.derivative.tolist() == [[0.0]]


@pytest.mark.parametrize("limits", [1.1, "1.1", (1.0, 2.0, 3.0), None])
def test_a_tolerance_has_two_limits(limits):
    with pytest.raises(gd.ModelError, match=r"bodies\.stone\.mass is .*; give its lower and its upper limit"):
        gd.tornado(falling(), {"bodies.stone.mass": limits}, 0.5, "speed")


def test_a_tornado_has_the_longest_bar_on_top(pool):
    limits = {"bodies.stone.mass": (1.0, 3.0), "gravity[2]": (-9.9, -9.7)}
    found = gd.tornado(falling(), limits, 0.5, "speed", reduce=deepest, executor=pool)
    assert found.parameters == ("gravity[2]", "bodies.stone.mass") and found.nominal == pytest.approx(4.905)
    assert (
        found.low == pytest.approx([4.95, 4.905]) and found.high == pytest.approx([4.85, 4.905]) and found.plot().axes
    )
