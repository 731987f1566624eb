"""Wear of journals against closed forms: a bush that is worn to its final shape, a pin that is worn evenly."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import gudgeon as gd
from wear.bush import CLEARANCE, LENGTH, LOAD, RADIUS, SPEED, WEAR, bush, half_angle

CYCLE = 1e-3  # s: of a steady motion any part is a cycle


@pytest.fixture(scope="module")
def worn_bush() -> gd.Wear:
    return gd.wear(
        bush(), CYCLE, {"J": (WEAR, 0.0)}, cycles=3.2e5, settle=3, angles=120, tolerance=0.05, sample=CYCLE / 20
    )


def test_a_bush_is_worn_to_the_shape_of_its_pin(worn_bush):
    """Depth, volume and shape of a bore, within what the foundation gives and c/R."""
    data = worn_bush.data
    way = SPEED * RADIUS * CYCLE * float(data.cycles[-1])
    theta = half_angle(way * LOAD)
    assert 1.1 < theta < 1.2
    e = CLEARANCE / np.cos(theta)
    angle = data["J.bore.angle"].values  # the load presses the bush along x: its bore touches at 180°
    depth = data["J.bore"].values[-1, 0]
    wanted = np.maximum(-e * np.cos(angle) - CLEARANCE, 0.0)
    assert np.abs(depth - wanted).max() < 0.01 * wanted.max()
    volume = 2.0 * LENGTH * RADIUS * (e * np.sin(theta) - CLEARANCE * theta)
    assert float(data["J.bore.volume"][-1]) == pytest.approx(volume, rel=5e-3)
    assert float(data["J.pin.volume"][-1]) == 0.0
    assert worn_bush.runs < 20


def test_pressure_ends_as_a_cosine(worn_bush):
    """Where all of the surface goes down alike, ẇ = ė cos θ."""
    data = worn_bush.data
    theta = half_angle(SPEED * RADIUS * CYCLE * float(data.cycles[-1]) * LOAD)
    run = gd.simulate(worn_bush.system, 4 * CYCLE, sample=CYCLE)
    part = run.data.isel(time=-1, part=0)
    assert float(part.touching_arc) == pytest.approx(2.0 * theta, rel=0.03)
    peak = LOAD / (RADIUS * LENGTH * (theta + 0.5 * np.sin(2.0 * theta)))
    assert float(part.peak_pressure) == pytest.approx(peak, rel=0.03)


def test_what_is_worn_away_is_what_was_rubbed(worn_bush):
    data = worn_bush.data
    volume, rubbed = data["J.bore.volume"].values, data["J.bore.rubbed"].values
    assert np.abs(volume - rubbed).max() < 0.1 * 0.05 * volume[-1]  # a tenth of the tolerance
    assert data["J.bore.rate"].values == pytest.approx(WEAR * data["J.work"].values, rel=1e-12)
    # the work of a cycle: the way times ∫ p dA, which is above the load F = ∫ p cos θ dA
    way = SPEED * RADIUS * CYCLE
    assert np.all(data["J.work"].values > 0.99 * way * LOAD)
    theta = half_angle(way * float(data.cycles[-1]) * LOAD)
    mean = 2.0 * np.sin(theta) / (theta + 0.5 * np.sin(2.0 * theta))
    assert float(data["J.work"][-1]) == pytest.approx(way * LOAD * mean, rel=0.01)


def test_a_pin_that_turns_is_worn_evenly():
    """Its radius falls by k R ∫ p dθ in a turn; p that of a round pin in its bore, whose clearance grows."""
    stiffness, turns = 2e12, 4e4
    period = 2e-2  # so slow that a pin which is not quite round does not shake its bush
    system = bush(stiffness, speed=2.0 * np.pi / period)
    wear = gd.wear(system, period, {"J": (0.0, WEAR)}, cycles=turns, settle=1, angles=60, sample=period / 240)

    def rate(_, c):
        """Of the clearance with the turns."""

        def carried(theta):
            e = c[0] / np.cos(theta)
            return RADIUS * LENGTH * stiffness * e * (theta - 0.5 * np.sin(2.0 * theta)) - LOAD

        theta = brentq(carried, 1e-6, 1.5)
        e = c[0] / np.cos(theta)
        return [WEAR * RADIUS * stiffness * 2.0 * (e * np.sin(theta) - c[0] * theta)]

    found = wear.data["J.pin"].values[-1, 0]
    wanted = solve_ivp(rate, (0.0, turns), [CLEARANCE], rtol=1e-9).y[0, -1] - CLEARANCE
    assert wanted > 0.3 * CLEARANCE
    assert found.mean() == pytest.approx(wanted, rel=0.01)  # e/R: the surfaces slide a little nearer to the axis
    assert np.ptp(found) < 0.01 * wanted
    assert float(wear.data["J.bore.volume"][-1]) == 0.0


def test_both_surfaces_share_what_is_rubbed():
    """Friction's work is μ ∫∫ p |v| dA dt; each surface loses k of that over μ."""
    system = bush(friction=0.1)
    k = (2e-14, 1e-14)
    wear = gd.wear(system, CYCLE, {"J": k}, cycles=1000.0, settle=4, angles=60, sample=CYCLE / 50)
    data = wear.data
    assert data["J.bore.volume"].values == pytest.approx(2.0 * data["J.pin.volume"].values, rel=1e-9)
    lost = wear.last.data.dissipated_energy.sel(joint="J").values
    assert float(data["J.work"][-1]) == pytest.approx((lost[-1] - lost[0]) / 0.1, rel=1e-5)


def test_a_pin_that_is_askew_wears_its_bore_askew():
    """Held at its tilt, it is worn in until the whole land carries: depths along the bore rise with the tilt."""
    tilt, slices = 5e-4, 3
    system = bush(3e12, planar=False, slices=slices, pin_tilt=(0.0, tilt))
    wear = gd.wear(system, CYCLE, {"J": (WEAR, 0.0)}, cycles=2e5, settle=3, angles=48, tolerance=0.1, sample=CYCLE / 4)
    depth = wear.data["J.bore"].values[-1].max(axis=1)
    steps = np.diff(depth)
    assert np.abs(np.abs(steps) - tilt * LENGTH / slices).max() < 0.15 * tilt * LENGTH / slices
    early = wear.data["J.bore"].values[1].max(axis=1)
    assert np.ptp(early) > 0.5 * early.max()  # one edge first
    assert float(wear.data["J.bore.volume"][-1]) == pytest.approx(float(wear.data["J.bore.rubbed"][-1]), rel=5e-3)
