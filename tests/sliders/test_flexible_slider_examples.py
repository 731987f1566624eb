"""The two examples of docs/sliders.md's paper against a second implementation and its own explicit procedure.

Numbers: references/flexible_slider.json, made by reference_flexible_slider.py, which shares nothing with the library:
"true_stick" by BDF2 with 6.25e-5 s (own uncertainty 1.5e-5 rad up to 10 s, 3e-7 in the settled range), "seed" by
Runge–Kutta with eq (13) of the seed and 1.25e-5 s.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

import gudgeon as gd
from references import load

KNOWN = load("flexible_slider")
CRANK, SWING = KNOWN["slider_crank"], KNOWN["oscillator"]
PERIOD = 12.0  # of the motor's moment, 6 sin(πt/6) N·m [s]


def theta(result: gd.Result) -> np.ndarray:
    return np.unwrap(result.data.joint_position.sel(coordinate="O.angle").values)


@lru_cache
def slider_crank(elements: int, duration: float, step: float, sample: float) -> gd.Result:
    system = gd.examples.slider_crank_flexible_slider(elements)
    return gd.simulate(system, duration, solver=gd.TimeStepping(step=step), sample=sample)


@lru_cache
def seeds_procedure(duration: float, sample: float, rtol: float = 1e-6) -> gd.Result:
    system = gd.examples.slider_crank_flexible_slider(4)
    return gd.simulate(system, duration, solver=gd.Explicit(rtol=rtol, atol=1e-2 * rtol), sample=sample)


@lru_cache
def oscillator() -> gd.Result:
    system = gd.examples.stick_slip_oscillator()
    return gd.simulate(system, 40.0, solver=gd.TimeStepping(step=1e-3), sample=0.01)


# ------------------------------------------------------------------------------------------------------- slider-crank
def test_the_seeds_procedure_against_its_second_implementation():
    expected = CRANK["4_elements"]["seed"]["theta1"][:2]
    assert theta(seeds_procedure(10.0, 0.25))[[20, 40]] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("elements", [4, 8])
def test_time_stepping_with_a_small_step(elements):
    got = theta(slider_crank(elements, 10.0, 2.5e-4, 5.0))[1:]
    known = CRANK[f"{elements}_elements"]
    assert got == pytest.approx(known["true_stick"]["theta1"][:2], abs=5e-5)
    assert got == pytest.approx(known["seed"]["theta1"][:2], abs=5e-5)


def test_time_stepping_converges_to_the_seeds_procedure():
    """Up to 3 s, through its first contacts; friction below 1e-5 m/s is modelled differently: 1e-7 rad here."""
    exact = theta(seeds_procedure(10.0, 0.25))[:13]
    errors = [np.abs(theta(slider_crank(4, 3.0, step, 0.25)) - exact).max() for step in (8e-3, 4e-3, 2e-3, 1e-3)]
    assert errors[-1] < 2e-4
    assert np.all(np.diff(errors) < 0.0)
    assert np.log2(errors[0] / errors[-1]) / 3.0 > 1.7


@pytest.mark.parametrize("elements", [4, 8])
def test_settled_motion(elements):
    result, known = slider_crank(elements, 200.0, 5e-3, 0.01), CRANK[f"{elements}_elements"]["true_stick"]
    angle, settled = theta(result), result.data.time.values >= 100.0
    low, high = known["range_from_100s"]
    assert angle[settled].min() == pytest.approx(low, abs=1e-4)
    assert angle[settled].max() == pytest.approx(high, abs=1e-4)
    samples = np.array(CRANK["times"][4:]) * 100
    assert angle[samples] == pytest.approx(known["theta1"][4:], abs=1.5e-4)
    lag = round(PERIOD / 0.01)
    assert np.abs(angle[settled][lag:] - angle[settled][:-lag]).max() < 1e-6  # oracle: 2e-9 (4), 3e-8 (8)


@pytest.mark.parametrize("elements", [4, 8])
def test_forces_of_the_settled_motion(elements):
    result, known = slider_crank(elements, 200.0, 5e-3, 0.01), CRANK[f"{elements}_elements"]["true_stick"]
    data, settled = result.data, result.data.time.values >= 100.0
    friction = data.guide_friction_force.sum("surface_point").values[settled]
    assert friction.min() == pytest.approx(known["friction_sum_from_100s"][0], abs=0.02)  # peaks of break-away
    assert friction.max() == pytest.approx(known["friction_sum_from_100s"][1], abs=0.01)
    upper = data.guide_normal_force.values[:, data.surface.values == "upper"].max(axis=1) > 0.0
    assert data.time.values[upper].max() == pytest.approx(known["last_upper_contact"], abs=0.05)  # then the lower alone
    gap = np.abs(data.pin_gap.sel(pin="B").values)
    assert gap[settled].max(axis=0) == pytest.approx(known["pin_gap_from_100s"], rel=1e-3)
    assert gap.max() < 8e-4  # the seed, figure 17, drawn from samples; between them the oracle has 8.7e-4


@pytest.mark.parametrize("elements", [4, 8])
def test_every_force_is_allowed(elements):
    """Normal forces never pull; sliding friction is kinetic, sticking friction at most static; momentum balances."""
    result = slider_crank(elements, 200.0, 5e-3, 0.01)
    data = result.data
    normal, friction = data.guide_normal_force.values, data.guide_friction_force.values
    sliding = data.guide_sliding_velocity.values
    assert normal.min() >= 0.0
    assert np.all(np.abs(friction) <= 0.04 * normal * (1.0 + 1e-9) + 1e-12)
    fast = (np.abs(sliding) > 1e-2) & (normal > 1e-3)
    assert fast.sum() > 1000
    kinetic = np.abs(friction - -0.03 * normal * np.sign(sliding)) < 1e-9 * normal
    assert np.mean(kinetic[fast]) > 0.999  # forces are means of the half step before, in which a node may have stopped
    assert result.stats["contact_failures"] == 0
    assert result.stats["second_order_steps"] > 0.95 * result.stats["steps"]


def test_the_rigid_slider_against_its_second_implementation():
    """Four corners with the same law; oracle: BDF2 with 2.5e-4 s, uncertain by 5e-4 rad at 20 s."""
    system = gd.examples.slider_crank_flexible_slider(slider="rigid")
    result = gd.simulate(system, 20.0, solver=gd.TimeStepping(step=5e-4), sample=5.0)
    expected = CRANK["rigid"]["true_stick"]["theta1"][:3]
    assert theta(result)[[1, 2, 4]] == pytest.approx(expected, abs=5e-4)
    flexible = CRANK["4_elements"]["true_stick"]["theta1"][:2]
    assert np.abs(theta(result)[[1, 2]] - flexible).min() > 0.01  # elasticity shows


def test_static_peak_of_the_flexible_slider_is_lower():
    """The nodes of a flexible slider break away one after the other (the seed, section 4.2)."""
    known = [CRANK[name]["true_stick"]["friction_sum_from_100s"][1] for name in ("4_elements", "rigid")]
    system = gd.examples.slider_crank_flexible_slider(slider="rigid")
    data = gd.simulate(system, 124.0, solver=gd.TimeStepping(step=5e-3), sample=0.01).data
    peak = data.guide_friction_force.sum("surface_point").values[data.time.values > 100.0].max()
    assert known[0] < 0.85 * known[1]  # 0.508 N, 0.617 N
    assert 0.53 < peak < 0.65  # how two corners of a rigid slider share what holds them is not determined
    flexible = slider_crank(4, 200.0, 5e-3, 0.01).data.guide_friction_force.sum("surface_point").values[10000:]
    assert flexible.max() < 0.95 * peak


def test_the_pin_may_be_ideal():
    """1e5 N/m give 8e-4 m at most: the crank's angle changes by less than 1e-3 rad in 5 s. The ideal gap is O(h³)."""
    system = gd.examples.slider_crank_flexible_slider(4, pin="ideal")
    fine, coarse = (gd.simulate(system, 5.0, solver=gd.TimeStepping(step=h), sample=0.1) for h in (1e-3, 2e-3))
    assert theta(fine)[-1] == pytest.approx(CRANK["4_elements"]["true_stick"]["theta1"][0], abs=1e-3)
    gaps = [np.median(np.abs(result.data.pin_gap.values)) for result in (fine, coarse)]
    assert gaps[0] < 1e-7
    assert gaps[1] / gaps[0] == pytest.approx(8.0, rel=0.2)


# --------------------------------------------------------------------------------------------------------- oscillator
def test_displacement_of_the_oscillator():
    corners = oscillator().data.node_displacement.sel(plane="x").values[:, [0, 5, 30, 35]].mean(axis=1)
    samples = np.array(SWING["times"]) * 100
    assert corners[samples] == pytest.approx(SWING["true_stick"]["u"], abs=1e-4)
    assert corners[samples] == pytest.approx(SWING["seed"]["u"], abs=5e-4)  # v0 = 1e-5 m/s itself makes 2e-4


def test_which_nodes_of_the_oscillator_touch():
    """Numbers of the seed: nodes 1–6 upper, 31–36 lower row; F1·F31 = F6·F36 = 0; 2–5 never touch."""
    data = oscillator().data
    normal = {name: data.guide_normal_force.sel(surface_point=name).values for name in data.surface_point.values}
    late = data.time.values > 1.0
    assert np.all(normal["guide:0"] * normal["guide:30"] == 0.0)
    assert np.all(normal["guide:5"] * normal["guide:35"] == 0.0)
    for node in range(1, 5):
        assert np.all(normal[f"guide:{node}"][late] == 0.0)
    for node in (0, 5, 30, 35):
        assert normal[f"guide:{node}"][late].max() > 0.02


def test_friction_of_the_oscillator():
    """Break-away at μ_s m g = 0.196 N, a little more where the upper guide presses; sliding at 0.147 N and more."""
    data = oscillator().data
    total = np.abs(data.guide_friction_force.sum("surface_point").values[data.time.values > 1.0])
    assert 0.195 < total.max() < 0.205
    v = np.abs(data.velocity.sel(body="slider", axis="x").values[data.time.values > 1.0])
    assert np.median(total[v > 0.3]) == pytest.approx(0.15 * 0.1 * 9.81, rel=0.01)
    assert v.max() == pytest.approx(0.9088, abs=2e-3)  # the oracle's largest velocity, true stick, 5e-5 s
