"""What a journal refuses, and what it says: object, rule, value, fix."""

from __future__ import annotations

import pickle
import re
from typing import Any

import numpy as np
import pytest

import gudgeon as gd
from gudgeon import laws
from journal_cranks import REVOLUTION, journal, slider_crank

LINE = laws.PinInBore(modulus=1.1e11, clearance=5e-5)
GOOD: dict[str, Any] = {"bore_radius": 0.010, "pin_radius": 0.00995, "length": 0.020, "contact": LINE}
COLLARS: dict[str, Any] = {"axial_play": 1e-4, "collar_radius": 0.014}
MISTAKES = {
    "pin not smaller": (
        {"pin_radius": 0.010},
        "pin_radius is 0.01 m, bore_radius 0.01 m; the pin must be smaller than its bore (use gd.Ideal() for a joint",
    ),
    "no radius": ({"bore_radius": -0.01}, "bore_radius is -0.01 m; it must be positive"),
    "no length": ({"length": None}, "how long is it? give either length= (of one land about the joint's point) or"),
    "two lengths": ({"lands": ((0.0, 0.01),)}, "how long is it? give either length="),
    "empty land": ({"length": None, "lands": ((0.01, 0.01),)}, "the land (0.01, 0.01) ends before it begins"),
    "lands overlap": (
        {"length": None, "lands": ((0.0, 0.02), (0.015, 0.03))},
        "two lands overlap between 0.015 m and 0.02 m; make one of them",
    ),
    "land outside the pin": (
        {"length": None, "lands": ((0.02, 0.03),), "pin_length": 0.03},
        "the land from 0.02 to 0.03 m is outside pin_length = 0.03 m, which ends at ±0.015 m; move it, or make",
    ),
    "land outside the bore": (
        {"length": None, "lands": ((0.02, 0.03),), "lands_on": "pin", "bore_length": 0.03},
        "the land from 0.02 to 0.03 m is outside bore_length = 0.03 m",
    ),
    "wrong ends": ({"bore_length": 0.03}, "bore_length is given, but its lands are on the bore, which they end; give"),
    "lands of numbers": ({"length": None, "lands": (0.0, 0.01)}, "a land is 0.0; give (lower, upper) in metres"),
    "lands on nothing": ({"lands_on": "shaft"}, "lands_on is 'shaft'; give 'bore' or 'pin'"),
    "collar inside the bore": (
        {"axial_play": 1e-4, "collar_radius": 0.0099},
        "collar_radius is 0.0099 m, bore_radius 0.01 m; a collar must be larger than the bore, or it goes through",
    ),
    "play without collars": ({"axial_play": 1e-4}, "axial_play is given without collar_radius; collars need both"),
    "collars without play": ({"collar_radius": 0.014}, "collar_radius is given without axial_play; collars need both"),
    "collars of a piston": ({**COLLARS, "lands_on": "pin"}, "where are the faces of the bore, which its collars meet?"),
    "askew": ({"pin_tilt": (0.0, 0.2)}, "pin_tilt is (0.0, 0.2) rad; a pin may be askew by at most 0.1 rad"),
    "planar and askew": ({"pin_tilt": (0.0, 1e-3), "planar": True}, "planar=True and pin_tilt are given"),
    "planar with collars": ({**COLLARS, "planar": True}, "planar=True and axial_play are given; in the plane pin and"),
    "no law": (
        {"contact": 1e11},
        "contact is 100000000000.0; give a LineLaw of gd.laws, or a function of (delta, ddelta)",
    ),
    "law of a ball": ({"contact": laws.Hertz(stiffness=1e10)}, "contact: Hertz is a ContactLaw; give a LineLaw"),
    "force at once": ({"contact": lambda delta, ddelta: 100.0}, "it must grow from 0 where contact begins"),
    "collars of no modulus": (
        {**COLLARS, "contact": lambda delta, ddelta: 1e11 * delta},
        "what is the pressure of its collars? contact knows no modulus E*: give face=",
    ),
    "face without collars": (
        {"face": laws.Hertz(stiffness=1e13)},
        "face is given, but no collars; give axial_play and",
    ),
    "bristles": (
        {
            "friction": laws.LuGre(
                kinetic=0.1, static=0.15, stribeck_speed=0.01, bristle_stiffness=2e4, bristle_damping=20.0, viscous=0.0
            )
        },
        "friction is LuGre, whose bristles are the state of one point, but a pin slides differently along its length",
    ),
    "sticking": ({"friction": laws.DryFriction(static=0.2, kinetic=0.1)}, "DryFriction is set-valued"),
    "no impact speed": ({"smallest_impact_speed": 0.0}, "smallest_impact_speed is 0 m/s; it must be positive"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_descriptions(name):
    changes, message = MISTAKES[name]
    with pytest.raises(gd.ModelError, match=re.escape(message)):
        gd.DryJournal(**{**GOOD, **changes})


def test_joints_that_take_no_journal():
    with pytest.raises(gd.ModelError, match=r"DryJournal.* is not a model of this joint; Prismatic takes"):
        gd.Prismatic("ground", "pin", at=(0, 0, 0), model=gd.DryJournal(**GOOD))
    with pytest.raises(gd.ModelError, match=r"it slides along its axis, but its DryJournal has collars \(axial_play ="):
        gd.Cylindrical("ground", "pin", at=(0, 0, 0), model=gd.DryJournal(**GOOD, **COLLARS))
    with pytest.raises(gd.ModelError, match=r"where is its pin\? give at="):
        gd.Cylindrical("ground", "pin", model=gd.DryJournal(**GOOD))


def body(**state: Any) -> gd.System:
    model = gd.DryJournal(**GOOD, **COLLARS)
    return gd.System(
        gravity=(0, 0, 0),
        bodies={"pin": gd.Body(mass=0.1, inertia=(1e-5, 1e-5, 1e-5))},
        joints={"hinge": gd.Revolute("ground", "pin", at=(0, 0, 0), model=model)},
        start={"pin": gd.BodyState(**{"position": (0, 0, 0), "orientation": (1, 0, 0, 0), **state})},
    )


@pytest.mark.parametrize(
    ("state", "part", "depth"),
    [
        ({"position": (8e-5, 0, 0)}, "land", "3e-05"),
        ({"orientation": (1, 0.005, 0, 0)}, "land", "5.0"),
        ({"position": (0, 0, 2e-4)}, "lower collar", "0.0001"),
    ],
)
def test_starts_outside_the_play(state, part, depth):
    with pytest.raises(
        gd.ModelError, match=f"Revolute 'hinge': it starts with its {part} {depth}.* m within the other"
    ):
        gd.simulate(body(**state), 1e-3)


def test_a_start_within_the_play_is_kept():
    run = gd.simulate(body(position=(4e-5, 0, 5e-5)), 1e-4, sample=1e-4)
    assert run.data.position.values[0, 0] == pytest.approx((4e-5, 0, 5e-5), abs=1e-12)


@pytest.mark.parametrize("solver", [gd.Explicit(), gd.Implicit(), gd.TimeStepping(step=2e-5)])
def test_a_pin_that_tilts_too_far(solver):
    """A loose short pin without collars turns out of its bore: tan ψ = 0.2 ends the run."""
    model = gd.DryJournal(bore_radius=0.010, pin_radius=0.008, length=0.002, contact=lambda delta, ddelta: 1e8 * delta)
    system = gd.System(
        gravity=(0, 0, 0),
        bodies={"pin": gd.Body(mass=0.1, inertia=(1e-5, 1e-5, 1e-5), angular_velocity=(20.0, 0, 0))},
        joints={"hinge": gd.Cylindrical("ground", "pin", at=(0, 0, 0), model=model)},
    )
    with pytest.raises(
        gd.SimulationError, match=r"the pin of Cylindrical 'hinge' tilts against its bore beyond"
    ) as told:
        gd.simulate(system, 0.1, solver=solver)
    assert told.value.owner == "hinge"
    assert "tan ψ = 0.2 (it is 0." in str(told.value)
    longest = 3.0 if isinstance(solver, gd.Explicit) else 1.01  # one of its steps flies up to the first touch
    assert told.value.time < longest * np.arctan(0.2) / 20.0


def test_a_law_beyond_where_it_holds():
    """Johnson's law is void deeper than 0.54 of the clearance."""
    law = laws.Johnson(modulus=laws.contact_modulus("steel"), clearance=5e-6)
    model = gd.DryJournal(bore_radius=0.010, pin_radius=0.010 - 5e-6, length=0.020, contact=law, planar=True)
    with pytest.raises(
        gd.SimulationError, match=r"Revolute 'gudgeon' has no force there: the contact law Johnson of its"
    ):
        gd.simulate(slider_crank(model), REVOLUTION, solver=gd.Explicit())


def test_planar_where_nothing_holds_the_plane():
    model = gd.DryJournal(**GOOD, planar=True)
    system = gd.System(
        bodies={"pin": gd.Body(mass=0.1, inertia=(1e-5, 1e-5, 1e-5))},
        joints={"hinge": gd.Revolute("ground", "pin", at=(0, 0, 0), model=model)},
    )
    with pytest.raises(gd.ModelError, match="Revolute 'hinge': its journal is planar, but no other joint keeps 'pin'"):
        gd.assemble(system)
    with pytest.raises(gd.ModelError, match="it can move along its axis; leave out planar=True"):
        gd.simulate(slider_crank(journal(5e-4, 0.0, planar=True), spatial=True), REVOLUTION)


def test_copies_and_files(tmp_path):
    """Pickled, written and read again: the same model."""
    model = gd.DryJournal(
        bore_radius=0.010,
        pin_radius=0.00995,
        lands=((-0.03, -0.02), (0.02, 0.03)),
        contact=LINE,
        pin_tilt=(1e-3, 0.0),
        **COLLARS,
    )
    assert pickle.loads(pickle.dumps(model)) == model
    text = """
bodies:
  pin: {mass: 0.1, inertia: [1e-5, 1e-5, 1e-5]}
joints:
  hinge:
    type: Revolute
    parent: ground
    child: pin
    at: [0, 0, 0]
    model:
      type: DryJournal
      bore_radius: 10 mm
      pin_radius: 9.95 mm
      lands: [[-30 mm, -20 mm], [20 mm, 30 mm]]
      contact: {type: PinInBore, modulus: 110 GPa, clearance: 50 um}
      pin_tilt: [1e-3, 0.0]
      axial_play: 0.1 mm
      collar_radius: 14 mm
"""
    file = tmp_path / "hinge.yaml"
    file.write_text(text)
    loaded = gd.load_system(file).joints["hinge"].model
    assert loaded == model
