"""Every rule of guides, sliders, pins and flexible bodies: breaking it names object, rule, value and fix."""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.fem import Mesh
from mistakes import body, refuses
from sliders_in_guides import NEWTON, PLATE, STEEL, flexible, guide, loaded, pinned, rigid, system

COULOMB = gd.laws.Coulomb(coefficient=0.1, velocity_tolerance=1e-3)
JOURNAL = gd.Dry.journal(fit="H7/g6", diameter=0.020, length=0.020, materials=("bronze", "steel"))


def turned(load: gd.Load) -> gd.System:
    """A rod on the flexible slider's pin, and a load on the pin."""
    return pinned(0.0).replace(loads={"turn": load})


MODEL_RULES = [
    (
        "slider taller than its guide",
        lambda: rigid(clearance=None, guide_height=0.29),
        "RigidSlider: the slider is 0.3 m high, the guide 0.29 m; the slider must be lower than its guide "
        "(use gd.Ideal() for a joint without clearance)",
    ),
    (
        "flexible slider taller than its guide",
        lambda: flexible(clearance=None, guide_height=0.3),
        "FlexibleSlider: the slider is 0.3 m high, the guide 0.3 m; the slider must be lower than its guide",
    ),
    (
        "negative clearance",
        lambda: rigid(clearance=-1e-3),
        "RigidSlider: clearance is -0.001 m; it must be positive (use gd.Ideal() for a joint without clearance)",
    ),
    ("no clearance", lambda: flexible(clearance=0.0), "FlexibleSlider: clearance is 0 m; it must be positive"),
    (
        "neither clearance nor height",
        lambda: rigid(clearance=None),
        "RigidSlider: give either clearance (on each side) or guide_height, in metres",
    ),
    ("both", lambda: rigid(guide_height=0.4), "RigidSlider: give either clearance (on each side) or guide_height"),
    ("clearance is text", lambda: rigid(clearance="1 mm"), "RigidSlider: clearance is '1 mm'; give a number"),
    ("no length", lambda: rigid(length=0.0), "RigidSlider: length is 0 m; it must be positive"),
    ("no height", lambda: rigid(height=-0.1), "RigidSlider: height is -0.1 m; it must be positive"),
    (
        "neither contact nor impact",
        lambda: rigid(contact=None),
        "RigidSlider: how do its corners meet the guide? give either contact= (a law of gd.laws, compliant) or "
        "impact= (hard; a restitution such as 0.5, or gd.Stronge, gd.Poisson, gd.Newton)",
    ),
    ("contact and impact", lambda: rigid(impact=NEWTON), "RigidSlider: how do its corners meet the guide?"),
    (
        "impact is no law",
        lambda: rigid(contact=None, impact="hard"),
        "RigidSlider: impact is 'hard'; give a restitution between 0 and 1, or gd.Stronge(restitution_normal=...), gd",
    ),
    (
        "restitution above one",
        lambda: rigid(contact=None, impact=1.5),
        "Stronge: restitution_normal is 1.5; it must lie between 0 (plastic) and 1 (elastic)",
    ),
    (
        "smooth friction of hard corners",
        lambda: rigid(contact=None, impact=0.5, friction=COULOMB),
        "RigidSlider: impact= with friction=Coulomb: an impulse has no smooth friction; give "
        "gd.laws.DryFriction(static=, kinetic=), or contact= instead of impact=",
    ),
    (
        "friction of a joint",
        lambda: rigid(friction=gd.laws.Flores(stiffness=1e5, restitution=0.5)),
        "RigidSlider: friction",
    ),
    (
        "contact is a number",
        lambda: rigid(contact=1e5),
        "RigidSlider: contact is 100000.0; give a ContactLaw of gd.laws",
    ),
    (
        "friction law as contact",
        lambda: rigid(contact=gd.laws.Coulomb(coefficient=0.1, velocity_tolerance=1e-3)),
        "RigidSlider: contact: Coulomb is a FrictionLaw; give a ContactLaw",
    ),
    (
        "no contact",
        lambda: flexible(contact=None),
        "FlexibleSlider: how do its nodes meet the guide? give contact=, such as gd.laws.KelvinVoigt(stiffness=, damp",
    ),
    (
        "mesh without material",
        lambda: flexible(material=None),
        "FlexibleSlider: give mesh and material together (or neither, for a gd.FlexibleBody)",
    ),
    ("mesh is a tuple", lambda: flexible(mesh=(2, 2)), "FlexibleSlider: mesh is (2, 2); give a gudgeon.fem.Mesh"),
    (
        "static below kinetic friction",
        lambda: gd.laws.DryFriction(static=0.1, kinetic=0.2),
        "DryFriction: static is 0.1, kinetic 0.2; static friction must not be below kinetic friction: have they been "
        "exchanged?",
    ),
    (
        "negative friction",
        lambda: gd.laws.DryFriction(static=-0.1),
        "DryFriction: static is -0.1; it must not be negative",
    ),
    (
        "restitution above one",
        lambda: gd.Newton(restitution_normal=1.2),
        "Newton: restitution_normal is 1.2; it must lie between 0 (plastic) and 1 (elastic)",
    ),
    ("soft pin", lambda: gd.PenaltyPin(stiffness=0.0), "PenaltyPin: stiffness is 0 N/m; it must be positive"),
    (
        "inverted elements",
        lambda: Mesh(nodes=[(0, 0), (0, 1), (1, 1), (1, 0)], quads=[(0, 1, 2, 3)]),
        "Mesh: element 0 (nodes 0, 1, 2, 3) is inverted, smallest sine of its angles -1; its nodes run clockwise; give",
    ),
    (
        "axis along the normal",
        lambda: guide(normal=(1, 0, 0)),
        "Guide ground–slider: axis and normal enclose 0 degrees in the reference pose; they must be perpendicular",
    ),
    (
        "a pin in a guide",
        lambda: guide(gd.PenaltyPin(stiffness=1e5)),
        "Guide ground–slider: PenaltyPin(…) is not a model of this joint; Guide takes Ideal, RigidSlider, FlexibleSli",
    ),
    (
        "a slider in a hinge",
        lambda: gd.Revolute("ground", "slider", at=(0, 0, 0), model=rigid()),
        "Revolute ground–slider: RigidSlider(…) is not a model of this joint; Revolute takes Ideal, DryJournal",
    ),
    (
        "nowhere",
        lambda: guide(at=None),
        "Guide ground–slider: where is it? give at=(x, y, z), or at_parent= and at_child=",
    ),
    (
        "nowhere, flexible",
        lambda: guide(flexible(), at=None),
        "Guide ground–slider: where is it? give at=(x, y, z), a point of its centre line",
    ),
    ("no step", lambda: gd.TimeStepping(step=0.0), "TimeStepping: step is 0 s; give a positive number of seconds"),
    ("negative tolerance", lambda: gd.TimeStepping(rtol=-1.0), "TimeStepping: rtol is -1; give a value of at least"),
]


@pytest.mark.parametrize(("make", "wording"), [rule[1:] for rule in MODEL_RULES], ids=[rule[0] for rule in MODEL_RULES])
def test_a_model_that_cannot_be(make, wording):
    with refuses(wording):
        make()


SYSTEM_RULES = [
    (
        "a pin without node",
        lambda: pinned(0.1),
        "Revolute 'pin': the flexible 'slider' has no node at (0.1, 0.0); the nearest is node 4 at (0.0, 0.0), 0.1 m "
        "away: move the joint, or choose elements so that a node lies there",
    ),
    (
        "a penalty pin without node",
        lambda: pinned(0.24, gd.PenaltyPin(stiffness=1e5)),
        "Revolute 'pin': the flexible 'slider' has no node at (0.24, 0.0); the nearest is node 5 at (0.25, 0.0), 0.01",
    ),
    (
        "torque on a flexible body",
        lambda: loaded(gd.Torque("slider", (0, 0, 1))),
        "Torque 'push': 'slider' is flexible; a Torque on it is not possible, give two forces instead",
    ),
    (
        "force outside the mesh",
        lambda: loaded(gd.Force("slider", (1, 0, 0), at=(0.3, 0, 0))),
        "Force 'push': the point (0.3, 0.0, 0.0) of 'slider' is outside its mesh; the nearest node is 5 at (0.25, 0.0)"
        ", 0.05 m away",
    ),
    (
        "spring outside the plane",
        lambda: loaded(gd.SpringDamper("ground", "slider", at_first=(-9, 0, 0), at_second=(0, 0, 0.1), stiffness=1.0)),
        "SpringDamper 'push': the point (0.0, 0.0, 0.1) of 'slider' is outside its mesh",
    ),
    (
        "spring of the guide",
        lambda: loaded(gd.JointSpring("guide", stiffness=1.0, coordinate="displacement")),
        "JointSpring 'push': the joint 'guide' holds a flexible body, whose nodes take forces alone; give a Force or a "
        "SpringDamper at a point of it",
    ),
    *(
        (
            f"{type(load).__name__} of its pin",
            lambda load=load: turned(load),
            f"{type(load).__name__} 'turn': the joint 'pin' holds a flexible body, whose nodes take forces alone",
        )
        for load in (
            gd.JointTorque("pin", 50.0),
            gd.Motor("pin", torque=1.0),
            gd.Stop("pin", upper=0.1, contact=gd.laws.Hertz(stiffness=1e3)),
        )
    ),
    (
        "a journal at a node",
        lambda: pinned(0.0, JOURNAL),
        "Revolute 'pin': its model is DryJournal, but 'slider' is flexible: its nodes take forces and no torques; give "
        "Ideal(), a PenaltyPin or a Bushing",
    ),
    (
        "a bushing that turns a node",
        lambda: system(
            joints={
                "guide": guide(flexible()),
                "mount": gd.Free(
                    "rod", "slider", at=(0, 0, 0), model=gd.Bushing(stiffness=np.eye(3), tilt_stiffness=1.0)
                ),
            }
        ),
        "Free 'mount': its bushing holds rotations, but 'slider' is flexible: its nodes take forces and no torques; "
        "give a number or 3×3 matrices, and no tilt_stiffness",
    ),
    (
        "drive of a flexible slider",
        lambda: system(flexible(), drives={"motor": gd.Drive("guide", "t", coordinate="displacement")}),
        "Drive 'motor': the joint 'guide' holds a flexible body; drive a rigid one",
    ),
    (
        "another joint",
        lambda: system(joints={"guide": guide(flexible()), "ball": gd.Spherical("slider", "rod", at=(0, 0, 0))}),
        "Spherical 'ball': 'slider' is flexible; it takes Guide joints with FlexibleSlider and Revolute joints",
    ),
    (
        "hinge in the plane",
        lambda: system(
            joints={"guide": guide(flexible()), "pin": gd.Revolute("slider", "rod", at=(0, 0, 0), axis=(1, 0, 0))}
        ),
        "Revolute 'pin': its axis (1.0, 0.0, 0.0) is not across the plane of the flexible 'slider', (0.0, 0.0, 1.0)",
    ),
    (
        "mass of mesh and body",
        lambda: system(flexible(), bodies={"slider": body(mass=2.0), "rod": body()}),
        "Guide 'guide': the mesh weighs 1 kg, the body 'slider' 2 kg; they are the same thing: make density × "
        "thickness or the body's mass fit",
    ),
    (
        "no mesh anywhere",
        lambda: system(flexible(mesh=None, material=None)),
        "Guide 'guide': FlexibleSlider has no mesh; give mesh= and material=, or make the child flexible",
    ),
    (
        "two meshes",
        lambda: system(
            flexible(mesh=Mesh.rectangle(0.5, 0.3, 1, 1)),
            bodies={"slider": gd.FlexibleBody(mesh=PLATE, material=STEEL), "rod": body()},
        ),
        "Guide 'guide': both the model and the body 'slider' have a mesh; give one",
    ),
    (
        "flexible slider across",
        lambda: system(joints={"guide": guide(flexible(), axis=(0, 1, 0), normal=(1, 0, 0))}),
        "Guide 'guide': axis is (0.0, 1.0, 0.0), the flexible slider's mesh has its x axis along (1.0, 0.0, 0.0); they "
        "must be the same: turn the body (orientation=)",
    ),
    (
        "flexible guide",
        lambda: gd.System(
            bodies={"slider": body(), "rail": gd.FlexibleBody(mesh=PLATE, material=STEEL)},
            joints={"guide": guide(parent="rail")},
        ),
        "Guide 'guide': the guide itself, 'rail', is flexible; it must be rigid",
    ),
]


@pytest.mark.parametrize(
    ("make", "wording"), [rule[1:] for rule in SYSTEM_RULES], ids=[rule[0] for rule in SYSTEM_RULES]
)
def test_a_system_that_cannot_be(make, wording):
    with refuses(wording):
        gd.simulate(make(), 0.01)
