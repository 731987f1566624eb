"""What couplings, guides, keys, stops and worn bores look like: where they are drawn follows from their physics."""

import dataclasses

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.rotations import rotation_matrix, turned
from gudgeon.view.scene.arrays import Arrays
from gudgeon.view.scene.couplings import belt_loop
from gudgeon.view.scene.links import Links
from gudgeon.view.scene.scene import scene_of

BALL = (0.01, 0.01, 0.01)


def wheel_body(*at):
    return gd.Body(mass=1.0, inertia=BALL, position=at)


def links(system, travel=(-0.02, 0.05)):
    return Links(system, np.array([0.0, 1.0, 0.0]), lambda _: travel, Arrays())


def parts(system, body, kind, **kwargs):
    return [part for part in links(system, **kwargs).parts()[body] if part["kind"] == kind]


@pytest.mark.parametrize("crossed", [False, True])
def test_a_belt_lies_on_both_pulleys_and_runs_straight_between(crossed):
    one, two, axis = np.array([0.1, 0.2, 0.0]), np.array([0.5, 0.1, 0.0]), np.array([0.0, 0.0, 1.0])
    radii = (0.04, 0.1)
    loop = belt_loop(radii, one, two, axis, crossed)
    assert np.array_equal(loop[0], loop[-1])
    away = np.stack([np.linalg.norm(loop - centre, axis=1) for centre in (one, two)], axis=1)
    assert np.allclose(np.min(np.abs(away - radii), axis=1), 0.0, atol=1e-12)
    steps = np.diff(loop, axis=0)
    straight = np.argsort(-np.linalg.norm(steps, axis=1))[:2]
    for k in straight:  # tangent to both circles
        for end in (loop[k], loop[k + 1]):
            centre = one if abs(np.linalg.norm(end - one) - radii[0]) < 1e-9 else two
            assert abs(steps[k] @ (end - centre)) < 1e-9
    length = np.linalg.norm(steps, axis=1).sum()  # closed form of open and crossed belts
    d = np.linalg.norm(two - one)
    a, b = max(radii), min(radii)
    phi = np.arcsin((a + b) / d if crossed else (a - b) / d)
    arcs = (a + b) * (np.pi + 2.0 * phi) if crossed else np.pi * (a + b) + 2.0 * phi * (a - b)
    assert length == pytest.approx(2.0 * d * np.cos(phi) + arcs, rel=1e-3)
    assert belt_loop((0.3, 0.3), one, two, axis, True) is None


def test_a_rack_is_where_the_rim_of_its_pinion_moves_as_it_does():
    for radius in (0.03, -0.03):
        system = gd.System(
            bodies={"pinion": wheel_body(0, 0, 0), "bar": wheel_body(0.2, 0.1, 0)},
            joints={
                "pinion": gd.Revolute("ground", "pinion", at=(0, 0, 0), axis=(0, 0, 1)),
                "bar": gd.Prismatic("ground", "bar", at=(0.2, 0.1, 0), axis=(1, 0, 0)),
            },
            couplings={"steer": gd.Rack("pinion", "bar", radius=radius)},
        )
        (gear,) = parts(system, "pinion", "gear")
        (rack,) = parts(system, "bar", "rack")
        at = np.array(rack["at"]) + system.bodies["bar"].position
        along, teeth = rotation_matrix(rack["turn"])[:, 0], rotation_matrix(rack["turn"])[:, 1]
        meets = np.array([0.0, at[1], at[2]])  # of its pitch line, above or below the pinion
        assert abs(at[1]) == pytest.approx(0.03) and gear["size"][0] == pytest.approx(0.03)
        rim = np.cross((0, 0, 1.0), meets)  # velocity of the rim for one rad/s
        np.testing.assert_allclose(rim, radius * np.array([1.0, 0, 0]), atol=1e-12)
        np.testing.assert_allclose(np.abs(along), (1, 0, 0), atol=1e-12)
        assert teeth @ meets < 0.0  # towards the pinion
        low, high = at[0] - 0.5 * rack["size"][0], at[0] + 0.5 * rack["size"][0]
        assert low < -0.05 and high > 0.02  # it meets the pinion all the way from −20 to 50 mm


def test_bevel_gears_share_a_slant():
    system = gd.System(
        bodies={"one": wheel_body(0.1, 0, 0), "two": wheel_body(0, 0.05, 0)},
        joints={
            "one": gd.Revolute("ground", "one", at=(0.1, 0, 0), axis=(1, 0, 0)),
            "two": gd.Revolute("ground", "two", at=(0, 0.05, 0), axis=(0, 1, 0)),
        },
        couplings={"mesh": gd.Gear("one", "two", teeth=(20, 40))},
    )
    drawn = links(system)
    one, two = drawn._wheels["mesh"]
    assert two.radius / one.radius == pytest.approx(2.0)
    np.testing.assert_allclose(one.at + one.radius * one.towards, two.at + two.radius * two.towards, atol=1e-12)


def test_wheels_of_different_size_on_one_body_stand_one_before_the_other():
    system = gd.System(
        bodies={name: wheel_body(x, 0, 0) for name, x in (("a", 0.0), ("b", 0.1), ("c", 0.25))},
        joints={
            n: gd.Revolute("ground", n, at=(x, 0, 0), axis=(0, 0, 1)) for n, x in (("a", 0), ("b", 0.1), ("c", 0.25))
        },
        couplings={"first": gd.Gear("a", "b", teeth=(20, 60)), "second": gd.Gear("b", "c", teeth=(20, 40))},
    )
    gears = {body: parts(system, body, "gear") for body in "abc"}
    assert [len(found) for found in gears.values()] == [1, 2, 1]
    heights = sorted(part["at"][2] for part in gears["b"])
    assert heights[1] - heights[0] > gears["b"][0]["size"][1]  # they do not cut each other
    assert gears["c"][0]["at"][2] == heights[1] and gears["a"][0]["at"][2] == heights[0]


def test_a_box_and_its_walls_have_their_true_sizes_and_play():
    box = gd.DryBox(length=0.05, width=0.02, height=0.03, clearance=1e-3, side_clearance=2e-3, up=(0, 1, 0))
    system = gd.System(
        bodies={"drawer": gd.Body(mass=1.0, inertia=BALL)},
        joints={"guide": gd.Prismatic("ground", "drawer", at=(0, 0, 0), axis=(1, 0, 0), model=box)},
    )
    drawn = links(system).parts()
    (block,) = drawn["drawer"]
    assert block["size"] == pytest.approx([0.05, 0.02, 0.03])
    np.testing.assert_allclose(np.abs(rotation_matrix(block["turn"]) @ (0.05, 0.02, 0.03)), (0.05, 0.03, 0.02))
    gaps = []
    for wall in drawn["ground"]:
        out = np.array(wall["at"]) * (0, 1, 1)
        half = 0.5 * wall["size"][2]  # its thickness is along its own z
        axis = int(np.argmax(np.abs(out)))
        gaps.append((axis, abs(out[axis]) - half))
    expected = [(1, 0.016), (1, 0.016), (2, 0.012), (2, 0.012)]
    np.testing.assert_allclose(sorted(gaps), expected, atol=1e-12)


def test_a_key_is_on_its_shaft():
    shaft = gd.Dry.journal(fit="H7/g6", diameter=0.020, length=0.040)
    key = gd.DryKeyedShaft(
        shaft=shaft,
        key_lever=0.010,
        key_clearance=1e-5,
        key_width=0.006,
        key_height=0.0025,
        key_length=0.03,
        key_towards=(0, 0, 1),
    )
    system = gd.System(
        bodies={"shaft": gd.Body(mass=1.0, inertia=BALL)},
        joints={"key": gd.Prismatic("ground", "shaft", at=(0, 0, 0), axis=(1, 0, 0), model=key)},
    )
    (box,) = parts(system, "shaft", "box")
    assert box["size"] == pytest.approx([0.03, 0.006, 0.0025])
    np.testing.assert_allclose(box["at"], (0, 0, 0.010), atol=1e-12)
    (tube,) = parts(system, "ground", "tube")
    assert tube["clear"] and tube["size"][2] == shaft.bore_radius


def test_a_stop_is_met_by_the_bar_at_its_limit():
    rubber = gd.laws.KelvinVoigt(stiffness=400.0, damping=2.0)
    system = gd.System(
        bodies={"door": gd.Body(mass=1.0, inertia=BALL, position=(0.4, 0, 0))},
        joints={"hinge": gd.Revolute("ground", "door", at=(0, 0, 0), axis=(0, 0, 1))},
        loads={"stop": gd.Stop("hinge", lower=-0.2, upper=1.0, contact=rubber)},
    )
    drawn = links(system)
    for side, limit in (("lower", -0.2), ("upper", 1.0)):
        body, at, made = drawn.bumpers["hinge", f"stop {side}"]
        bar = turned(np.array([np.cos(limit / 2), 0, 0, np.sin(limit / 2)]), np.array([1.0, 0, 0]))
        beside = np.cross(bar, at)[2]  # from the middle of the bar, to the left
        assert body == "ground" and made
        assert np.sign(beside) == (1 if side == "upper" else -1)
        assert abs(beside) == pytest.approx(1.75 * drawn.r, rel=0.01)  # half a bar and half a peg


def test_the_middle_of_a_box_moves_in_the_rectangle_of_its_play():
    """Gravity along −y, the guide along x: the box falls on its lower wall, which is below in the picture."""
    stiff = gd.laws.HuntCrossley(stiffness=1e12, damping=10.0, exponent=1.0)
    box = gd.DryBox(length=0.05, width=0.02, height=0.02, clearance=2e-4, side_clearance=5e-4, contact=stiff)
    system = gd.System(
        gravity=(0, -9.81, 0),
        bodies={"drawer": gd.Body(mass=0.5, inertia=(2e-4, 2e-4, 2e-4), velocity=(0.3, 0, 0))},
        joints={"guide": gd.Prismatic("ground", "drawer", at=(0, 0, 0), axis=(1, 0, 0), model=box)},
    )
    result = gd.simulate(system, 0.02, sample=1e-3)
    (inset,) = scene_of({"box": result}).description["runs"][0]["insets"]
    wide, high = np.abs(inset["outline"]).max(axis=0)
    lowest = float(result.data.position.sel(body="drawer", axis="y").min())
    assert {wide, high} == {2e-4, 5e-4} and high == pytest.approx(-lowest, rel=0.05)
    assert inset["largest"] < 1e-3  # the slide is not in it


def test_a_worn_bore_is_drawn_as_far_as_it_is_worn():
    system = gd.examples.slider_crank_clearance("dry", clearance=1e-4)
    worn = 30e-6 * (1.0 + np.cos(2.0 * np.pi * np.arange(36) / 36))
    pin = gd.WornJournal.like(system.joints["pin"].model, force=3000.0)
    pin = dataclasses.replace(pin, bore_wear=tuple(worn))
    result = gd.simulate(system.with_model(pin=pin), 2e-4, sample=1e-4)
    inset = scene_of({"worn": result}).description["runs"][0]["insets"][0]
    radii = np.linalg.norm(inset["outline"], axis=1)
    assert np.argmax(radii) == 0 and radii.max() == pytest.approx(1.6e-4, rel=0.01)
    assert radii.min() == pytest.approx(1e-4, rel=0.01)
