"""Jumps over cycles: order, error control, interruption, and how they are kept."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import gudgeon as gd
from gudgeon.wearing.cycles import Cycles
from gudgeon.wearing.jumps import flow
from gudgeon.wearing.wear import _wearing
from wear.bush import CLEARANCE, LENGTH, RADIUS, SPEED, WEAR, bush

CYCLE, CYCLES = 1e-3, 1e5
SPRING = "200-2e6*x.displacement"  # a load that wear takes away


def spring_wear(system: gd.System | None = None, load: str = SPRING, **given) -> gd.Wear:
    return gd.wear(
        bush(load=load) if system is None else system,
        CYCLE,
        {"J": (WEAR, 0.0)},
        **{"cycles": CYCLES, "settle": 3, "angles": 60, "sample": CYCLE / 10, "tolerance": 1e-3, **given},
    )


# ------------------------------------------------------------------------------------------------ the method
@pytest.mark.parametrize("known", [1.0, 0.5, 0.0])
def test_order_two_whatever_is_known_of_the_change(known):
    def rate(w, s):
        return np.array([1.0 + s - w[0] ** 2, np.exp(-w[1]) * w[0]])

    def change(w, s):
        return known * np.array([[-2.0 * w[0], 0.0], [np.exp(-w[1]), -np.exp(-w[1]) * w[0]]])

    exact = solve_ivp(lambda t, w: rate(w, t / 2.0), (0.0, 2.0), [0.1, 0.0], rtol=1e-12, atol=1e-14).y[:, -1]
    errors = []
    for allowed in (1e-2, 1e-3, 1e-4):
        found, rubbed = flow(rate, change, np.array([0.1, 0.0]), 2.0, allowed, 0.01, np.eye(2))
        errors.append(np.abs(found - exact).max())
        assert rubbed == pytest.approx(found - [0.1, 0.0], abs=2.0 * errors[-1] + 1e-3 * allowed**0.5)
    # the error of a step is allowed ~ H², that of all of them H²: with the error allowed
    assert errors[0] / errors[2] > 30.0
    assert errors[2] < 1e-3


def test_stiff_wear_needs_few_steps():
    calls = []

    def rate(w, s):
        calls.append(s)
        return -1e6 * (w - np.array([s]))

    found, _ = flow(
        rate, lambda w, s: np.array([[-1e6]]), np.zeros(1), 1.0, 1e-3, 1e-6, drift=lambda w: np.array([1e6])
    )
    assert found[0] == pytest.approx(1.0, abs=1e-3)
    assert len(calls) < 200


# -------------------------------------------------------------------------------------- loads that stay as they were
@pytest.fixture(scope="module")
def rates():
    system = bush(friction=0.1, damping=1.0)
    joints, factors = _wearing(system, {"J": (WEAR, 0.5 * WEAR)}, 60)
    cycles = Cycles(
        system=system,
        joints=joints,
        coefficients=factors,
        cycle=CYCLE,
        settle=3,
        average=1,
        sample=CYCLE / 40,
        tolerance=0.02,
    )
    return cycles, cycles(cycles.start)


def test_wear_under_loads_is_that_of_the_run_where_it_was_made(rates):
    cycles, rate = rates
    quasi = rate._quasi(cycles.start)
    assert np.abs(quasi - rate.depth).max() < 0.02 * rate.depth.max()
    assert np.array_equal(rate.under_loads(cycles.start), np.maximum(quasi + (rate.depth - quasi), 0.0))
    areas = cycles.areas()
    assert (areas @ quasi) == pytest.approx(areas @ rate.depth, rel=1e-6)


def test_change_is_the_derivative_of_wear_under_loads(rates):
    cycles, rate = rates
    rng = np.random.default_rng(1)
    at = cycles.start + 1e-7 * rng.random(len(cycles.start))
    J = rate.change(at)
    for _ in range(4):
        way = rng.normal(size=len(at))
        ahead, behind = (rate._quasi(at + s * 1e-11 * way) for s in (1.0, -1.0))
        slope = (ahead - behind) / 2e-11
        assert np.abs(J @ way - slope).max() < 2e-3 * np.abs(slope).max()


def test_loads_are_carried_by_worn_surfaces(rates):
    """Worn by far more than the elastic depth, the same force presses, on other points."""
    _, rate = rates
    frozen = rate._frozen[0]
    r = frozen.reachable
    angle = np.arange(60) * (2.0 * np.pi / 60)
    hole = np.concatenate([5e-6 * np.exp(-(((angle - np.pi) / 0.3) ** 2)), np.zeros(60)])
    for worn in (np.zeros(120), hole, 4.0 * hole):
        depth = frozen.depths(worn)
        pressure = frozen.stiffness[r.instant] * np.maximum(depth, 0.0) * r.area
        carried = np.stack([np.bincount(r.instant, pressure * g) for g in r.push.T], axis=1)
        assert np.abs(carried - frozen._wanted).max() < 1e-8 * np.abs(frozen._wanted).max()


# ------------------------------------------------------------------------------------------------ jumps of a mechanism
STEEP = "200-1e7*(x.displacement-2e-5)"


@pytest.fixture(scope="module")
def halved():
    """From a bush that has run in, under a load that the next jumps take away by a third."""
    run_in = spring_wear(load=STEEP, cycles=2e4).system
    return [spring_wear(system=run_in, cycles=5e4, jump=5e4 / count) for count in (1, 2, 4)]


def test_jumps_are_of_order_two(halved):
    """Halved twice, the change of the depth falls four times."""
    ends = [wear.data["J.bore"].values[-1, 0] for wear in halved]
    first, second = (np.abs(b - a).max() for a, b in ((ends[0], ends[1]), (ends[1], ends[2])))
    assert [wear.runs for wear in halved] == [3, 5, 9]
    assert 3.0 < first / second < 6.0
    force = halved[-1].data["J.peak_force"].values
    assert force[-1] < 0.8 * force[0]


def test_a_load_that_wear_takes_away():
    """ė = k v F(e)/(R L (θ₀ + ½ sin 2θ₀)) of a stiff foundation, with the spring's F."""

    def rate(_, e):
        theta = np.arccos(CLEARANCE / e[0])
        load = 200.0 - 2e6 * e[0]
        return [WEAR * SPEED * RADIUS * CYCLE * load / (RADIUS * LENGTH * (theta + 0.5 * np.sin(2.0 * theta)))]

    e = solve_ivp(rate, (0.0, CYCLES), [CLEARANCE * (1.0 + 1e-6)], rtol=1e-8, atol=1e-15).y[0, -1]
    found = spring_wear(tolerance=0.02)
    assert 200.0 - 2e6 * e < 160.0
    assert found.data["J.bore"].values[-1].max() == pytest.approx(e - CLEARANCE, rel=0.03)  # the foundation gives
    assert found.runs < 16


def test_error_control_keeps_its_tolerance(halved):
    exact = halved[-1].data["J.bore"].values[-1, 0]
    found = spring_wear(system=halved[0].first.system, cycles=5e4, tolerance=0.02)
    assert np.abs(found.data["J.bore"].values[-1, 0] - exact).max() < 0.02 * exact.max()
    assert np.all(found.data.error.values[1:] <= 1.0)


def test_it_goes_on_where_it_was_interrupted(tmp_path):
    """Ctrl-C after a jump; the same call ends with the same bits."""
    given = {"cycles": 2e4, "tolerance": 0.02}
    whole = spring_wear(**given)
    done = []

    def stop(fraction):
        done.append(fraction)
        if len(done) == 2:
            raise KeyboardInterrupt

    path = tmp_path / "wear.nc"
    with pytest.raises(gd.SimulationInterrupted, match=r"wear: interrupted after .* of 20000 cycles") as error:
        spring_wear(**given, store=path, progress=stop)
    assert error.value.result.data.sizes["cycles"] == 3
    rest = spring_wear(**given, store=path)
    assert rest.data["J.bore"].values.tobytes() == whole.data["J.bore"].values.tobytes()
    assert rest.data["J.bore.rubbed"].values.tobytes() == whole.data["J.bore.rubbed"].values.tobytes()
    kept = gd.Wear.load(path)
    assert kept.data["J.bore"].equals(rest.data["J.bore"])
    assert kept.joints == ["J"] and kept.system is None
    kept.plot(), rest.plot("J")
    with pytest.raises(gd.ModelError, match=r"is the store of another study: tolerance is 0.02 in the store and 0.03"):
        spring_wear(cycles=2e4, tolerance=0.03, store=path)


def test_the_worn_mechanism_is_a_description(tmp_path):
    """It runs, and a file keeps it."""
    worn = spring_wear(cycles=1e4, tolerance=0.05)
    path = worn.system.save(tmp_path / "worn.yaml")
    again = gd.load_system(path)
    assert again == worn.system
    assert max(again.joints["J"].model.bore_wear[0]) == worn.data["J.bore"].values[-1].max() > 1e-7
    more = gd.wear(again, CYCLE, {"J": (WEAR, 0.0)}, cycles=1e4, settle=3, sample=CYCLE / 10)
    assert more.data["J.bore"].values[0].max() == worn.data["J.bore"].values[-1].max()
    assert float(more.data["J.bore.volume"][0]) == 0.0


def test_a_run_that_fails_tells_how_far_it_came():
    with pytest.raises(gd.SimulationError, match=r"wear: after .* runs were not enough; give a larger most_runs=") as e:
        spring_wear(most_runs=5, jump=1e3)
    assert e.value.result.data.sizes["cycles"] == 3


WRONG = [
    ({"coefficients": {"Q": WEAR}}, r"wear: no joint 'Q'; known are 'main'"),
    ({"coefficients": {"main": WEAR}}, r"has the model Ideal; a gap that wear changes have gd.WornJournal"),
    ({"coefficients": {"J": 1e-4}}, r"is 0.0001 1/Pa; they are wear coefficients over the hardness"),
    ({"coefficients": {"J": (WEAR, -WEAR)}}, r"are \(1e-13, -1e-13\); give what is not negative"),
    ({"coefficients": {"J": (WEAR, WEAR, WEAR)}}, r"'J' has 3 coefficients; give one for each of bore, pin"),
    ({"coefficients": 3.0}, r"coefficients is 3.0; give \{'pin': \(k_bore, k_pin\)\} in 1/Pa"),
    ({"cycles": 0.0}, r"wear: cycles is 0 cycles; it must be positive"),
    ({"cycle": -1.0}, r"wear: cycle is -1 s; it must be positive"),
    ({"settle": 1.5}, r"wear: settle is 1.5; give a whole number, at least 0"),
    ({"angles": 4}, r"wear: angles is 4; give a whole number, at least 16"),
    ({"tolerance": 0.0}, r"wear: tolerance is 0; it must be positive"),
    ({"store": "wear.txt"}, r"'wear.txt' would be a netCDF file; give a name that ends in .nc"),
]


@pytest.mark.parametrize(("change", "message"), WRONG)
def test_what_is_wrong_is_refused_with_its_fix(change, message):
    given = {"cycle": CYCLE, "coefficients": {"J": WEAR}, "cycles": 10.0, "settle": 0} | change
    with pytest.raises(gd.ModelError, match=message):
        gd.wear(bush(), given.pop("cycle"), given.pop("coefficients"), **given)
