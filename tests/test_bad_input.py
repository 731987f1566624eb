"""Every rule of a description: breaking it gives a ModelError that names object, rule, value and fix."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import gudgeon as gd
from mistakes import JOINTS, body, refuses, simulate, slider_crank


def two_bars_too_short() -> gd.System:
    """Pivots 3 m apart, bars of 1 m."""
    return gd.System(
        bodies={"left": body(position=(0.5, 0, 0)), "right": body(position=(2.5, 0, 0))},
        joints={
            "a": gd.Revolute("ground", "left", at=(0, 0, 0)),
            "b": gd.Revolute("left", "right", at_parent=(0.5, 0, 0), at_child=(-0.5, 0, 0)),
            "c": gd.Revolute("ground", "right", at=(3, 0, 0)),
        },
    )


NOT_SYMMETRIC = ((1, 0.1, 0), (0, 1, 0), (0, 0, 1))
BODY_RULES = [
    ("zero mass", lambda: body(mass=0), "Body: mass is 0.0 kg; a body needs a positive mass"),
    ("negative mass", lambda: body(mass=-2), "Body: mass is -2.0 kg; a body needs a positive mass"),
    (
        "triangle inequality",
        lambda: body(inertia=(1, 1, 3)),
        "Body: principal inertias 1, 1, 3 kg·m² violate the triangle inequality (1 + 1 < 3); no real body has these",
    ),
    (
        "triangle inequality of a full matrix",
        lambda: body(inertia=(2, 2, 1, 1.5, 0, 0)),
        "Body: principal inertias 0.5, 1, 3.5 kg·m² violate the triangle inequality",
    ),
    ("not symmetric", lambda: body(inertia=NOT_SYMMETRIC), "Body: inertia [[1.0, 0.1, 0.0], … is not symmetric"),
    (
        "negative inertia",
        lambda: body(inertia=(1, -1, 1)),
        "Body: inertia has the principal value -1 kg·m²; all three must be positive",
    ),
    (
        "indefinite inertia",
        lambda: body(inertia=(1, 1, 1, 2, 0, 0)),
        "Body: inertia has the principal value -1 kg·m²; all three must be positive",
    ),
    (
        "zero inertia",
        lambda: body(inertia=(0, 0, 0)),
        "Body: inertia has the principal value 0 kg·m²; all three must be positive (give a thin rod",
    ),
    ("four inertias", lambda: body(inertia=(1, 1, 1, 0)), "Body: inertia has shape (4,); give 3, 6 or 3×3 numbers"),
    ("inertia 2×2", lambda: body(inertia=np.eye(2)), "Body: inertia has shape (2, 2); give 3, 6 or 3×3 numbers"),
    (
        "long quaternion",
        lambda: body(orientation=(1, 1, 0, 0)),
        "Body: orientation (1.0, 1.0, 0.0, 0.0) has length 1.41421; give a unit quaternion (scalar "
        "first: 1, 0, 0, 0 is no rotation) or a scipy Rotation",
    ),
    (
        "zero quaternion of a state",
        lambda: gd.BodyState(position=(0, 0, 0), orientation=(0, 0, 0, 0)),
        "BodyState: orientation (0.0, 0.0, 0.0, 0.0) has length 0; give a unit quaternion (scalar "
        "first: 1, 0, 0, 0 is no rotation) or a scipy Rotation",
    ),
]


JOINT_RULES = [
    (
        "zero axis",
        lambda: gd.Revolute("ground", "crank", at=(0, 0, 0), axis=(0, 0, 0)),
        "Revolute ground–crank: axis is (0.0, 0.0, 0.0), which has no direction; give a vector such as (0, 0, 1)",
    ),
    (
        "zero slide",
        lambda: gd.UniversalPrismatic("ground", "crank", at=(0, 0, 0), slide=(0, 0, 0)),
        "UniversalPrismatic ground–crank: slide is (0.0, 0.0, 0.0), which has no direction",
    ),
    (
        "oblique universal axes",
        lambda: gd.Universal("ground", "crank", at=(0, 0, 0), axis_parent=(1, 0, 0), axis_child=(1, 1, 0)),
        "Universal ground–crank: axis_parent and axis_child enclose 45 degrees in the reference pose; "
        "they must be perpendicular",
    ),
    (
        "oblique axes of a sliding universal joint",
        lambda: gd.UniversalPrismatic("ground", "crank", at=(0, 0, 0), axis_parent=(0, 1, 0), axis_child=(0, 1, 0)),
        "UniversalPrismatic ground–crank: axis_parent and axis_child enclose 0 degrees",
    ),
    (
        "body to itself",
        lambda: gd.Spherical("rod", "rod", at=(0, 0, 0)),
        "Spherical rod–rod: parent and child are the same body; a joint connects two bodies",
    ),
    *[
        (
            f"{kind.__name__} nowhere",
            lambda kind=kind: kind("ground", "crank"),
            f"{kind.__name__} ground–crank: where is it? give at=(x, y, z), or at_parent= and at_child=",
        )
        for kind in JOINTS
    ],
    *[
        (
            f"two places, {other}",
            lambda other=other: gd.Revolute("ground", "crank", at=(0, 0, 0), **{other: (0, 0, 0)}),
            "Revolute ground–crank: both at and at_parent/at_child are given; give one of the two",
        )
        for other in ("at_parent", "at_child")
    ],
    (
        "wrong model",
        lambda: gd.Revolute("ground", "crank", at=(0, 0, 0), model="ideal"),
        "Revolute ground–crank: 'ideal' is not a model of this joint; Revolute takes Ideal",
    ),
    (
        "class for a model",
        lambda: gd.Spherical("ground", "crank", at=(0, 0, 0), model=gd.Ideal),
        "Spherical ground–crank: <class … is not a model of this joint; Spherical takes Ideal",
    ),
    (
        "body for a name",
        lambda: gd.Revolute("ground", body(), at=(0, 0, 0)),
        "Revolute ground–Body(… child is Body(… give the name of a body",
    ),
]


def joint_to(child: str) -> gd.Revolute:
    return gd.Revolute("ground", child, at=(0, 0, 0))


SYSTEM_RULES = [
    (
        "misspelt body of a joint",
        lambda: slider_crank(joints={"pin": joint_to("slidr")}),
        "Revolute 'pin': no body 'slidr'; did you mean 'slider'?",
    ),
    (
        "unknown body of a joint",
        lambda: slider_crank(joints={"pin": joint_to("xyz")}),
        "Revolute 'pin': no body 'xyz'; known are 'crank', 'slider', 'rod', 'shaft', 'ground'",
    ),
    (
        "duplicate body",
        lambda: gd.System(bodies=[("crank", body()), ("crank", body())]),
        "System 'mechanism', bodies: the name 'crank' is used twice; names must be unique",
    ),
    (
        "duplicate joint",
        lambda: slider_crank(name="press", joints=[("pin", joint_to("crank")), ("pin", joint_to("rod"))]),
        "System 'press', joints: the name 'pin' is used twice; names must be unique",
    ),
    (
        "a body called ground",
        lambda: gd.System(bodies={"ground": body()}),
        "System 'mechanism': the body 'ground' is built in; give yours another name",
    ),
    ("no bodies", lambda: gd.System(bodies={}), "System 'mechanism': it has no bodies; give bodies={name: gd.Body"),
    (
        "body without a name",
        lambda: gd.System(bodies=[body()]),
        "System 'mechanism', bodies: Body(… is not a pair (name, Body)",
    ),
    (
        "blank name",
        lambda: gd.System(bodies={" ": body()}),
        "System 'mechanism', bodies: ' ' cannot name a Body; use a non-empty string",
    ),
    (
        "number for a name",
        lambda: gd.System(bodies={1: body()}),
        "System 'mechanism', bodies: 1 cannot name a Body; use a non-empty string",
    ),
    (
        "joint among the bodies",
        lambda: slider_crank(bodies={"crank": joint_to("crank")}),
        "System 'mechanism', bodies: 'crank' is a Revolute; a Body is needed here",
    ),
    (
        "body for a state",
        lambda: slider_crank(start={"crank": body()}),
        "System 'mechanism', start: 'crank' is a Body; a BodyState is needed here",
    ),
    (
        "start of an unknown body",
        lambda: slider_crank(start={"crnk": gd.BodyState(position=(0, 0, 0), orientation=(1, 0, 0, 0))}),
        "System 'mechanism', start: no body 'crnk'; did you mean 'crank'?",
    ),
    *[
        (
            f"{type(load).__name__} on an unknown body",
            lambda load=load: slider_crank(loads={"push": load}),
            f"{type(load).__name__} 'push': no body 'slidr'; did you mean 'slider'?",
        )
        for load in (
            gd.Force("slidr", (1, 0, 0)),
            gd.Torque("slidr", (1, 0, 0)),
            gd.SpringDamper("slidr", "rod"),
            gd.SpringDamper("rod", "slidr"),
        )
    ],
    *[
        (
            f"{kind.__name__} on the ground",
            lambda kind=kind: slider_crank(loads={"push": kind("ground", (1, 0, 0))}),
            f"{kind.__name__} 'push': it acts on the ground, which nothing moves; give the body that it acts on",
        )
        for kind in (gd.Force, gd.Torque)
    ],
    (
        "joint spring on an unknown joint",
        lambda: slider_crank(loads={"coil": gd.JointSpring("pinn", stiffness=1.0)}),
        "JointSpring 'coil': no joint 'pinn'; did you mean 'pin'?",
    ),
    (
        "joint spring on a spherical joint",
        lambda: slider_crank(loads={"coil": gd.JointSpring("ball", stiffness=1.0)}),
        "JointSpring 'coil': Spherical 'ball' has no single angle or displacement; use a revolute, prismatic",
    ),
    (
        "drive of an unknown joint",
        lambda: slider_crank(drives={"motor": gd.Drive("pim", "t")}),
        "Drive 'motor': no joint 'pim'; did you mean 'pin'?",
    ),
    (
        "drive of a spherical joint",
        lambda: slider_crank(drives={"motor": gd.Drive("ball", "t")}),
        "Drive 'motor': Spherical 'ball' has no single angle or displacement; use a revolute, prismatic",
    ),
    (
        "drive of a coordinate that results have",
        lambda: slider_crank(
            joints={"air": gd.Free("ground", "rod")}, drives={"motor": gd.Drive("air", "t", coordinate="dx")}
        ),
        "Drive 'motor': Free 'air' has no single angle or displacement; use a revolute, prismatic, cylindrical or "
        "universal joint, or a guide (coordinates such as dx or e0 in a result are for reading)",
    ),
    (
        "drive of a cylindrical joint, which coordinate?",
        lambda: slider_crank(drives={"motor": gd.Drive("sleeve", "t")}),
        "Drive 'motor': Cylindrical 'sleeve' has the coordinates angle, displacement; say which with coordinate=",
    ),
    (
        "drive of a misspelt coordinate",
        lambda: slider_crank(drives={"motor": gd.Drive("sleeve", "t", coordinate="angel")}),
        "Drive 'motor': Cylindrical 'sleeve' has no coordinate 'angel'; did you mean 'angle'?",
    ),
    (
        "two drives on one coordinate",
        lambda: slider_crank(drives={"motor": gd.Drive("pin", "t"), "hand": gd.Drive("pin", 0.0, coordinate="angle")}),
        "Drive 'hand': the angle of joint 'pin' is already driven by 'motor'; a coordinate takes one drive",
    ),
    (
        "model of an unknown joint",
        lambda: slider_crank().with_model(pinn=gd.Ideal()),
        "System 'mechanism': no joint 'pinn' to give a model; did you mean 'pin'?",
    ),
    (
        "wrong model of a joint",
        lambda: slider_crank().with_model(pin="dry"),
        "Revolute 'pin': 'dry' is not a model of this joint; Revolute takes Ideal",
    ),
    (
        "a misspelt field to replace",
        lambda: slider_crank().replace(gravitiy=(0, 0, 0)),
        "System 'mechanism': no field 'gravitiy' to replace; did you mean 'gravity'?",
    ),
]


LOAD_RULES = [
    (
        "forbidden name in an expression",
        lambda: gd.Force("crank", ("__import__('os')", 0, 0)),
        "Force on 'crank': vector[0]: expression \"__import__('os')\": unknown function '__import__'; known are 'sin'",
    ),
    (
        "attribute in an expression",
        lambda: gd.Torque("crank", (0, "t.real", 0)),
        "Torque on 'crank': vector[1]: expression 't.real': 't.real' is not allowed",
    ),
    (
        "unknown name in an expression",
        lambda: gd.Drive("pin", "omega*t"),
        "Drive of 'pin': value: expression 'omega*t': unknown name 'omega'",
    ),
    (
        "time for t",
        lambda: gd.JointSpring("pin", rest="sin(time)"),
        "JointSpring on 'pin': rest: expression 'sin(time)': unknown name 'time'; did you mean 't'?",
    ),
    *[
        (
            f"negative {field} of a {kind.__name__}",
            lambda kind=kind, ends=ends, field=field: kind(*ends, **{field: -3}),
            f"{owner}: {field} is -3; it must not be negative",
        )
        for kind, ends, owner, fields in (
            (gd.SpringDamper, ("crank", "rod"), "SpringDamper crank–rod", ("stiffness", "damping", "length")),
            (gd.JointSpring, ("pin",), "JointSpring on 'pin'", ("stiffness", "damping")),
        )
        for field in fields
    ],
    (
        "negative stiffness as an expression",
        lambda: gd.SpringDamper("crank", "rod", stiffness="-2*pi"),
        "SpringDamper crank–rod: stiffness is -6.28319; it must not be negative",
    ),
    (
        "spring within one body",
        lambda: gd.SpringDamper("rod", "rod"),
        "SpringDamper rod–rod: both ends are on the same body; a spring acts between two bodies",
    ),
    (
        "unknown axes",
        lambda: gd.Force("rod", (0, 0, 1), axes="local"),
        "Force on 'rod': axes is 'local'; give 'world' or 'body'",
    ),
    (
        "drive by a function without derivatives",
        lambda: gd.Drive("pin", lambda t: 2 * t),
        "Drive of 'pin': value is a Python function, which cannot be differentiated exactly; give rate= and accel",
    ),
    (
        "drive by an expression with a rate",
        lambda: gd.Drive("pin", "2*t", rate=2.0),
        "Drive of 'pin': rate and acceleration follow from the expression; leave them out",
    ),
    ("crossing of nothing", lambda: gd.Crossing(value=1.0), "Crossing: give joint=, body= or signal=, one"),
    (
        "crossing of two things",
        lambda: gd.Crossing(joint="pin", body="rod"),
        "Crossing: give joint=, body= or signal=, one",
    ),
    (
        "crossing along nothing",
        lambda: gd.Crossing(body="rod", along=(0, 0, 0)),
        "Crossing of 'rod': along is (0.0, 0.0, 0.0), which has no direction",
    ),
    (
        "crossing upwards",
        lambda: gd.Crossing(body="rod", direction="up"),
        "Crossing of 'rod': direction is 'up'; give 'rising', 'falling' or 'both'",
    ),
]


def crossings(**given: Any):
    return simulate(crossings={"top": gd.Crossing(**given)})


def sprung(load: gd.SpringDamper | gd.JointSpring):
    return simulate(system=slider_crank(loads={"coil": load}))


RUN_RULES = [
    (
        "stiffness that turns negative",
        lambda: sprung(gd.JointSpring("pin", stiffness="10 - 200*t")),
        "JointSpring 'coil': stiffness is -0.2 at t = 0.051 s; it must not be negative",
    ),
    (
        "damping that turns negative",
        lambda: sprung(gd.SpringDamper("crank", "rod", damping=lambda t: 1.0 - 15.0 * t)),
        "SpringDamper 'coil': damping is -0.005 at t = 0.067 s; it must not be negative",
    ),
    ("no system", lambda: simulate(system=None), "simulate: NoneType given; give a gd.System"),
    ("a dict for a system", lambda: simulate(system={"crank": body()}), "simulate: dict given; give a gd.System"),
    (
        "an assembly for a system",
        lambda: simulate(system=gd.assemble(slider_crank())),
        "simulate: Assembly given; give a gd.System (an Assembly has .system)",
    ),
    (
        "loop that does not close",
        lambda: simulate(system=two_bars_too_short()),
        "Revolute '…': the mechanism cannot be assembled; in the closest position found this joint stays open by "
        "… (m or rad); check lengths, joint points and axes, or place the bodies closer",
    ),
    (
        "assembling a loop that does not close",
        lambda: gd.assemble(two_bars_too_short()),
        "Revolute '…': the mechanism cannot be assembled",
    ),
    *[
        (
            f"duration {duration}",
            lambda duration=duration: simulate(duration=duration),
            f"simulate: duration is {duration} s; give a positive number of seconds",
        )
        for duration in (0, -1)
    ],
    (
        "unknown coordinates",
        lambda: simulate(coordinates="polar"),
        "simulate: coordinates is 'polar'; give 'absolute', 'relative', or gd.Relative(cuts=(...))",
    ),
    (
        "unknown solver",
        lambda: simulate(solver="rk4"),
        "simulate: solver is 'rk4'; give 'auto', gd.Implicit(...), gd.Explicit(...), gd.Sundials(...) or gd.Time",
    ),
    (
        "class for a solver",
        lambda: simulate(solver=gd.Explicit),
        "simulate: solver is <class … give 'auto', gd.Implicit",
    ),
    (
        "unknown stabilization",
        lambda: simulate(stabilization="projektion"),
        "simulate: stabilization is 'projektion'; give gd.Baumgarte(...), gd.Projection(), or one of",
    ),
    ("class for a stabilization", lambda: simulate(stabilization=gd.Projection), "simulate: stabilization is <class …"),
    *[
        (
            f"interval {interval}",
            lambda interval=interval: simulate(sample=interval),
            f"simulate: sample is {interval} s; give an interval above 0 and up to the duration (0.1 s)",
        )
        for interval in (0, -0.01, 0.2)
    ],
    ("no samples", lambda: simulate(sample=[]), "simulate: sample must be an interval or a one-dimensional array"),
    ("table of samples", lambda: simulate(sample=[[0.0, 0.1]]), "simulate: sample must be an interval or a one-dim"),
    *[
        (
            f"samples {times}",
            lambda times=times: simulate(sample=times),
            f"simulate: sample times run from {min(times)} to {max(times)} s; they must increase and lie between 0 and "
            "the duration (0.1 s)",
        )
        for times in ([0, 0], [0.1, 0.05], [-0.1, 0.05], [0, 0.2])
    ],
    (
        "more samples than memory",
        lambda: simulate(sample=1e-17),
        "simulate: sample is 1e-17 s; …",
    ),
    *[
        (
            f"{kind.__name__} {field}={value}",
            lambda kind=kind, field=field, value=value: kind(**{field: value}),
            f"{kind.__name__}: {field} is {value}; give a value {rule}",
        )
        for kind in (gd.Explicit, gd.Sundials)
        for field, value, rule in (
            ("rtol", 0, "of at least 1e-14"),
            ("rtol", -1, "of at least 1e-14"),
            ("rtol", 1e-16, "of at least 1e-14"),
            ("rtol", 1, "well below 1, such as 1e-8"),
            ("atol", 0, "of at least"),
            ("atol", -1, "of at least"),
        )
    ],
    *[
        (
            f"Explicit {field}={value}",
            lambda field=field, value=value: gd.Explicit(**{field: value}),
            f"Explicit: {field} is {value}; give a positive number of seconds",
        )
        for field in ("max_step", "first_step")
        for value in (0, -1)
    ],
    (
        "array as max_step",
        lambda: gd.Explicit(max_step=np.arange(4)),
        "Explicit: max_step is array([0, 1, 2, 3]); give",
    ),
    ("list as first_step", lambda: gd.Implicit(first_step=[1]), "Implicit: first_step is [1]; give a number"),
    ("stages as text", lambda: gd.Implicit(stages="3"), "Implicit: stages is '3'; give a number"),
    ("four stages", lambda: gd.Implicit(stages=4), "Implicit: stages is 4; give 3, 5 or 7"),
    ("Sundials method", lambda: gd.Sundials(method="RK"), "Sundials: method is 'RK'; give 'Adams' or 'BDF'"),
    *[
        (
            f"Sundials max_steps={n}",
            lambda n=n: gd.Sundials(max_steps=n),
            f"Sundials: max_steps is {n}; give a positive",
        )
        for n in (0, -5)
    ],
    (
        "Sundials with projection",
        lambda: simulate(solver=gd.Sundials(), stabilization=gd.Projection()),
        "Sundials: projection is not available; use Baumgarte, or the solver Explicit or Implicit",
    ),
    ("Baumgarte alpha", lambda: gd.Baumgarte(alpha=-1), "Baumgarte: alpha is -1 1/s; it must not be negative"),
    ("Baumgarte beta", lambda: gd.Baumgarte(beta=-1), "Baumgarte: beta is -1 1/s; it must not be negative"),
    ("Projection", lambda: gd.Projection(tolerance=0), "Projection: tolerance is 0; give a small positive number"),
    ("crossing: joint", lambda: crossings(joint="pinn"), "Crossing 'top': no joint 'pinn'; did you mean 'pin'?"),
    ("crossing: body", lambda: crossings(body="rad"), "Crossing 'top': no body 'rad'; did you mean 'rod'?"),
    (
        "crossing: coordinate",
        lambda: crossings(joint="sleeve"),
        "Crossing 'top': Cylindrical 'sleeve' has the coordinates angle, displacement; say which with coordinate=",
    ),
    (
        "crossing without a name",
        lambda: simulate(crossings=[gd.Crossing(joint="pin")]),
        "simulate, crossings: Crossing(… is not a pair (name, Crossing)",
    ),
    ("load: no file", lambda: gd.load("nowhere.nc"), "load: there is no file 'nowhere.nc'"),
]

RULES = [*BODY_RULES, *JOINT_RULES, *SYSTEM_RULES, *LOAD_RULES, *RUN_RULES]


@pytest.mark.parametrize(("mistake", "wording"), [pytest.param(*rule[1:], id=rule[0]) for rule in RULES])
def test_rule(mistake, wording):
    with refuses(wording):
        mistake()


def test_a_joint_may_be_given_by_one_point_only():
    """The other point follows from the reference pose; Free needs none."""
    bodies = {"crank": body(position=(1, 0, 0))}
    one = gd.System(bodies=bodies, joints={"pin": gd.Revolute("ground", "crank", at_child=(-1, 0, 0))})
    assert gd.assemble(one).moved == {}
    assert gd.Free("ground", "crank").at is None


def test_the_joint_that_stays_open_says_by_how_much():
    """Three joints share a gap of 1 m between bars of 1 m and pivots 3 m apart."""
    with pytest.raises(gd.ModelError) as caught:
        gd.assemble(two_bars_too_short())
    gap = re.search(r"open by ([0-9.e+-]+) \(m or rad\)", str(caught.value))
    assert gap is not None and 1 / 3 - 0.01 < float(gap[1]) < 1.0
