"""Wear of a run without feedback: balls, journals, surfaces; and surfaces with it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.nurbs import Surface
from gudgeon.wearing.balls import Sphere
from gudgeon.wearing.nets import WornNet
from wear.block import LOAD, LONG, SPEED, WEAR, block

CYCLE = 1e-3  # s


# -------------------------------------------------------------------------------------------------- bases of depths
def test_depths_on_a_sphere_share_its_area():
    sphere = Sphere(0.01, 24)
    ways = np.random.default_rng(1).normal(size=(500, 3))
    shapes = sphere.shapes(ways)
    assert np.asarray(shapes.sum(axis=1)).ravel() == pytest.approx(1.0, abs=1e-14)
    assert shapes.data.min() >= 0.0
    assert sphere.areas.sum() == pytest.approx(4.0 * np.pi * 1e-4, rel=1e-6)
    height = sphere.spread(np.arange(sphere.count)[None])[0]
    assert height.shape == (13, 24) and np.ptp(height[0]) == 0.0 == np.ptp(height[-1])


@pytest.mark.parametrize(
    ("surface", "grown"),
    [
        (Surface.sphere(0.01), lambda p: np.linalg.norm(p, axis=1)),
        (Surface.cylinder(0.01, 0.0, 0.02), lambda p: np.hypot(p[:, 0], p[:, 1])),
    ],
    ids=["sphere", "cylinder"],
)
def test_a_net_worn_evenly_is_the_offset_surface(surface, grown):
    """Closed over its seam and poles, and with all of the area."""
    net = WornNet(surface, (16, 8), -1)
    xi = np.random.default_rng(2).random((300, 2))
    shapes = net.shapes(*xi.T)
    assert np.asarray(shapes.sum(axis=1)).ravel() == pytest.approx(1.0, abs=1e-13)
    assert shapes.data.min() > -1e-15
    assert net.areas.sum() == pytest.approx(surface.area(), rel=1e-6)
    worn = net.worn(np.full(net.count, 1e-5))
    assert grown(worn.point(*xi.T)) == pytest.approx(0.01 + 1e-5, abs=1e-12)
    assert worn.closed == surface.closed


# -------------------------------------------------------------------------------------------------- depths of a run
@pytest.fixture(scope="module")
def four_bar() -> gd.Result:
    return gd.simulate(gd.examples.spatial_four_bar("dry"), 0.2, sample=4e-5)


def test_a_ball_wears_its_socket_by_what_it_rubs(four_bar):
    worn = gd.wear_depth(four_bar, {"C": (2e-15, 1e-15)}, times=1e6)
    data, at = worn.data, four_bar.data.sel(joint="C")
    rubbed = at.normal_force.values * np.linalg.norm(at.sliding_velocity.values, axis=1)
    work = np.trapezoid(np.nan_to_num(rubbed), four_bar.data.time.values)
    assert float(data["C.work"][-1]) == pytest.approx(work, rel=0.02)  # the ball also turns about the normal
    assert float(data["C.socket.volume"][-1]) == pytest.approx(2e-15 * 1e6 * float(data["C.work"][-1]), rel=1e-12)
    assert float(data["C.ball.volume"][-1]) == pytest.approx(0.5 * float(data["C.socket.volume"][-1]), rel=1e-12)
    depth = data["C.socket"].isel(cycles=-1)
    assert depth.min() >= 0.0 and depth.max() > 0.0


def test_a_socket_is_worn_where_the_ball_was(four_bar):
    """The deepest place lies near the mean direction of what was rubbed, as the socket sees it."""
    worn = gd.wear_depth(four_bar, {"C": 1e-15}, angles=48)
    model, joint = four_bar.system.joints["C"].model, four_bar.system.joints["C"]
    socket = joint.parent if model.ball_on == "child" else joint.child
    from gudgeon.rotations import rotation_matrix

    at = four_bar.data.sel(joint="C")
    frames = rotation_matrix(four_bar.data.orientation.sel(body=socket).values)
    local = np.einsum("tji,tj->ti", frames, at.eccentricity.values)
    rubbed = np.nan_to_num(at.normal_force.values * np.linalg.norm(at.sliding_velocity.values, axis=1))
    mean = rubbed @ (local / np.linalg.norm(local, axis=1, keepdims=True))
    map_ = worn.data["C.socket"].isel(cycles=-1)
    latitude, longitude = np.meshgrid(map_["C.latitude"], map_["C.longitude"], indexing="ij")
    ways = np.stack(
        [np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude), np.sin(latitude)], axis=-1
    )
    weight = map_.values * np.cos(latitude)
    found = np.einsum("ij,ijc->c", weight, ways)
    cosine = found @ mean / np.linalg.norm(found) / np.linalg.norm(mean)
    assert cosine > np.cos(np.radians(5.0))


@pytest.mark.parametrize("short_pin", [False, True])
def test_a_dry_journal_wears_by_its_line_law(short_pin):
    """Friction loses μ ∫∫ p |v_t| dA dt; without damping that is all; also where the pin ends within its bore."""
    system = gd.examples.slider_crank_clearance("dry", clearance=2e-4)
    model = system.joints["pin"].model
    elastic = replace(model, contact=replace(model.contact, damping=0.0))
    if short_pin:
        elastic = replace(elastic, pin_length=0.6 * model.length)
    run = gd.simulate(system.with_model(pin=elastic), 0.012, sample=4e-6)
    worn = gd.wear_depth(run, {"pin": 1e-15}, times=1e5)
    work = float(run.data.dissipated_energy.sel(joint="pin")[-1]) / model.friction.coefficient
    assert float(worn.data["pin.work"][-1]) == pytest.approx(work, rel=5e-3)  # smoothed near rest
    assert float(worn.data["pin.bore.volume"][-1]) == pytest.approx(1e-10 * float(worn.data["pin.work"][-1]), rel=1e-12)
    worn.plot()


def test_the_same_joint_with_pressures_wears_alike():
    """A foundation instead of the line law: other pressures, the same work."""
    dry = gd.examples.slider_crank_clearance("dry", clearance=2e-4)
    model = gd.WornJournal.like(dry.joints["pin"].model, force=3000.0)
    works = []
    for system in (dry, dry.with_model(pin=model)):
        run = gd.simulate(system, 0.012, sample=1e-5)
        works.append(float(gd.wear_depth(run, {"pin": 1e-15}).data["pin.work"][-1]))
    assert works[1] == pytest.approx(works[0], rel=0.05)


# -------------------------------------------------------------------------------------------- surfaces of any shape
def test_a_block_wears_by_load_times_way():
    """V = k F s, and evenly."""
    cycles = 1e4
    worn = gd.wear(block(), CYCLE, {"J": (WEAR, 0.0)}, cycles=cycles, settle=3, sample=CYCLE / 8)
    depth, way = worn.data["J.block"].values[-1], SPEED * CYCLE * cycles
    assert float(worn.data["J.block.volume"][-1]) == pytest.approx(WEAR * LOAD * way, rel=1e-3)
    assert np.ptp(depth) < 1e-6 * depth.max()
    assert float(worn.data["J.ground.volume"][-1]) == 0.0


def test_a_block_that_leans_is_worn_flat(tmp_path):
    """From its edge on, until what is left of it lies on the plate: the depth falls along it as it leant."""
    lean, cycles, path = 1e-3, 4e6, tmp_path / "block.nc"
    given = {"cycles": cycles, "settle": 3, "sample": CYCLE / 8}
    worn = gd.wear(block(lean=lean), CYCLE, {"J": (WEAR, 0.0)}, **given, store=path)
    row = worn.data["J.block"].values[-1][:, 1]
    assert np.diff(row) == pytest.approx(-lean * LONG / 8, rel=1e-3)
    assert float(worn.data["J.block.volume"][-1]) == pytest.approx(WEAR * LOAD * SPEED * CYCLE * cycles, rel=2e-3)
    kept = gd.Wear.load(path)
    assert kept.data["J.block"].equals(worn.data["J.block"])
    again = gd.wear(block(lean=lean), CYCLE, {"J": (WEAR, 0.0)}, **given, store=path)
    assert again.data["J.block"].equals(worn.data["J.block"])
    worn.plot()
    flat = gd.simulate(worn.system, 4 * CYCLE, sample=CYCLE).data.isel(time=-1)
    assert float(flat.contact_area.sel(joint="J")) == pytest.approx(2e-4, rel=1e-3)


WRONG = [
    ({"Q": 1e-15}, "wear_depth: no joint 'Q'"),
    ({"A": 1e-15}, "has the model Ideal; pressed and rubbed surfaces have gd.Dry"),
    ({}, r"give \{'C': 1e-15\} in 1/Pa"),
    ({"C": None}, "the coefficient of 'C' is None; give a number in 1/Pa such as 1e-15, or one for each of"),
    ({"C": "hard"}, "the coefficient of 'C' is 'hard'; give a number in 1/Pa"),
]


@pytest.mark.parametrize(("coefficients", "message"), WRONG)
def test_what_cannot_wear_is_refused(four_bar, coefficients, message):
    with pytest.raises(gd.ModelError, match=message):
        gd.wear_depth(four_bar, coefficients)


def test_the_cycle_of_a_run_that_goes_on_is_its_own_length():
    system = gd.examples.spatial_four_bar("dry")
    rest = gd.simulate(system, 0.02, sample=1e-4, start=gd.simulate(system, 0.05, sample=0.01).state())
    assert gd.wear_depth(rest, {"C": 1e-15}).data.attrs["cycle"] == pytest.approx(0.02)
