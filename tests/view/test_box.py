"""Boxes, keyed shafts and crosses from inside: the corners of the picture are where the walls say they are."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.view.box_orbits import BoxPlayed
from gudgeon.view.orbits import Played, played

PLAY, SIDE = 2e-4, 1e-4  # above and below, at the sides [m]
PART = gd.Body(mass=1.0, inertia=(1e-3, 1e-3, 1e-3), velocity=(0.5, 0.05, -0.03), angular_velocity=(3.0, 2.0, -4.0))


def in_guide(model, axis=(1, 0, 0)) -> gd.System:
    joint = gd.Prismatic("ground", "part", at=(0, 0, 0), axis=axis, model=model)
    return gd.System(name="drawer", gravity=(0, -9.81, 0), bodies={"part": PART}, joints={"J": joint})


@cache
def box(guide_length: float | None = None) -> gd.Result:
    model = gd.DryBox(
        length=0.05, width=0.03, height=0.02, clearance=PLAY, side_clearance=SIDE, guide_length=guide_length
    )
    return gd.simulate(in_guide(model), 5e-3, sample=2e-5)


@pytest.mark.parametrize("guide_length", [None, 0.04, 0.08])
def test_corners_are_as_deep_as_the_walls_say(guide_length):
    """A wall pushes where the picture has a corner in it, and nowhere else; the deepest is the joint's penetration."""
    result = box(guide_length)
    inside = played(result, "J")
    assert isinstance(inside, BoxPlayed)
    assert list(inside.depths) == ["upper", "lower", "left", "right"]
    deepest = np.max(list(inside.depths.values()), axis=0)
    told = result.data.penetration.sel(joint="J").values
    shorter = guide_length is not None and guide_length < 0.05  # its corners are those of the guide's walls: off by
    within = 1e-2 * (PLAY + SIDE) if shorter else 1e-12  # what the box is turned (below 10 mrad) times the play
    assert deepest == pytest.approx(told, abs=within)
    for wall, depth in inside.depths.items():
        force = result.data.contact_force.sel(part=f"J:{wall} wall").values
        sure = np.abs(depth) > within
        assert np.array_equal(force[sure] > 0.0, depth[sure] > 0.0), wall


def test_a_box_at_both_ends():
    figure = box().plot_joint("J")
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles[:2] == ["rear end of what can touch", "front end of what can touch"]
    legend = [text.get_text() for axes in figure.axes if axes.get_legend() for text in axes.get_legend().get_texts()]
    shares = [float(text.split()[1]) for text in legend if text.endswith("%")]
    assert sum(shares) == pytest.approx(100.0, abs=0.3)
    assert {"upper", "lower", "left", "right"} <= set(legend)
    assert "play 200 µm and 100 µm (sides) on each side" in figure.subfigs[0]._supxlabel.get_text()


def test_a_box_that_does_not_tilt_has_one_path():
    """Pushed straight down in oil: it sinks in the middle of the picture, as far as its film is thinner."""
    model = gd.LubricatedBox(length=0.05, width=0.02, height=0.02, clearance=2e-5, viscosity=0.04)
    joint = gd.Prismatic("ground", "part", at=(0, 0, 0), axis=(1, 0, 0), model=model)
    heavy = gd.Body(mass=100.0, inertia=(1.0, 1.0, 1.0))
    up = joint.model.faces(joint)[0].out
    system = gd.System(bodies={"part": heavy}, gravity=(0, -9.81, 0), joints={"J": joint})
    result = gd.simulate(system, 0.02, sample=1e-3)
    inside = played(result, "J")
    (orbit,) = inside.orbits
    thinnest = result.data.minimum_film.values.min(axis=1)
    assert np.linalg.norm(orbit.path, axis=1) == pytest.approx(2e-5 - thinnest, abs=1e-12)
    assert np.max(list(inside.depths.values()), axis=0) == pytest.approx(-thinnest, abs=1e-12)
    assert np.linalg.norm(orbit.path[-1]) > 1e-7 and np.isclose(np.linalg.norm(up), 1.0)
    figure = result.plot_joint("J", between=(0.0, 0.01))
    assert "thinnest film" in [axes.get_title(loc="left") for axes in figure.axes]


def test_a_box_in_a_planar_guide():
    """Two walls."""
    model = gd.LubricatedBox(length=0.05, width=0.02, height=0.02, clearance=2e-5, viscosity=0.04)
    joint = gd.Guide("ground", "part", at=(0, 0, 0), axis=(1, 0, 0), normal=(0, 1, 0), model=model)
    body = gd.Body(mass=1.0, inertia=(1e-3, 1e-3, 1e-3), velocity=(0.5, 0.0, 0.0))
    system = gd.System(bodies={"part": body}, gravity=(0, -9.81, 0), joints={"J": joint})
    result = gd.simulate(system, 2e-3, sample=1e-4)
    assert list(played(result, "J").depths) == ["upper", "lower"]
    assert len(result.plot_joint("J").axes) == 5


@pytest.mark.parametrize("pin_on", ["child", "parent"])
def test_flanks_of_a_key_are_as_deep_as_they_push(pin_on):
    """From the path of the shaft at both ends of the key, and its turn."""
    shaft = gd.Dry.journal(fit="H7/g6", diameter=0.020, length=0.040, pin_on=pin_on)
    model = gd.DryKeyedShaft(
        shaft=shaft, key_lever=0.010, key_clearance=1e-5, key_width=0.006, key_height=0.0025, key_length=0.030
    )
    result = gd.simulate(in_guide(model, axis=(0, 0, 1)), 3e-3, sample=1e-5)
    inside = played(result, "J")
    assert isinstance(inside, Played) and inside.key is not None and len(inside.orbits) == 2
    touched = 0
    for flank, deepest in inside.key.depths().items():
        force = result.data.contact_force.sel(part=f"J:{flank} flank").values
        sure = np.abs(deepest) > 1e-8
        assert np.array_equal(force[sure] > 0.0, deepest[sure] > 0.0), flank
        touched += int((force > 0.0).sum())
    assert touched > 10
    labels = [text.get_text() for text in result.plot_joint("J").axes[4].get_legend().get_texts()]
    assert labels == ["lower end", "upper end", "left flank", "right flank"]


def test_the_pins_of_a_cross_are_joints():
    line = gd.laws.pin_in_bore(radius=0.006, clearance=1e-5, materials="steel")
    cross = gd.DryCross(span=0.04, bore_radius=0.006, pin_radius=0.00599, length=0.01, contact=line)
    joint = gd.Universal("ground", "part", at=(0, 0, 0), axis_parent=(1, 0, 0), axis_child=(0, 1, 0), model=cross)
    result = gd.simulate(gd.System(bodies={"part": PART}, joints={"U": joint}), 1e-4, sample=1e-5)
    assert len(result.plot_joint("U.parent").axes) > 4
    with pytest.raises(gd.ModelError, match=r"whose pins are joints of their own: draw 'U\.parent' or 'U\.child'"):
        result.plot_joint("U")
