"""Every mistake gives a ModelError before anything runs, which names the object, the rule, the value and the fix."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest

import gudgeon as gd

ROUND = (1.0, 1.0, 1.0)  # inertia of a ball [kg·m²]


def body(**changes: Any) -> gd.Body:
    return gd.Body(**{"mass": 1.0, "inertia": ROUND, **changes})


def slider_crank(**changes: Any) -> gd.System:
    """A crank on a pin, a slider on a guide, a rod on a ball, a shaft in a sleeve; nothing closes."""
    parts: dict[str, Any] = {
        "bodies": {"crank": body(), "slider": body(), "rod": body(), "shaft": body()},
        "joints": {
            "pin": gd.Revolute("ground", "crank", at=(0, 0, 0)),
            "guide": gd.Prismatic("ground", "slider", at=(0, 0, 0)),
            "ball": gd.Spherical("ground", "rod", at=(0, 0, 0)),
            "sleeve": gd.Cylindrical("ground", "shaft", at=(0, 0, 0)),
        },
    }
    return gd.System(**{**parts, **changes})


def simulate(**changes: Any) -> gd.Result:
    return gd.simulate(**{"system": slider_crank(), "duration": 0.1, **changes})


def refuses(wording: str):
    """`wording` is literal text, … standing for anything."""
    return pytest.raises(gd.ModelError, match="^" + re.escape(wording).replace("…", ".*"))


# --- the rules of a description -----------------------------------------------------------------------------


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
        "Body: orientation (1.0, 1.0, 0.0, 0.0) has length 1.41421; give a unit quaternion (scalar first)",
    ),
    (
        "zero quaternion of a state",
        lambda: gd.BodyState(position=(0, 0, 0), orientation=(0, 0, 0, 0)),
        "BodyState: orientation (0.0, 0.0, 0.0, 0.0) has length 0; give a unit quaternion (scalar first)",
    ),
]


JOINTS = (gd.Rigid, gd.Revolute, gd.Prismatic, gd.Cylindrical, gd.Universal, gd.Spherical, gd.UniversalPrismatic)
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
        "Revolute ground–crank: 'dry' is not a model of this joint; Revolute takes Ideal",
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
    ("crossing of nothing", lambda: gd.Crossing(value=1.0), "Crossing: give either joint= or body="),
    ("crossing of two things", lambda: gd.Crossing(joint="pin", body="rod"), "Crossing: give either joint= or body="),
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


RUN_RULES = [
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
        lambda: simulate(coordinates="relative"),
        "simulate: coordinates is 'relative'; known are 'absolute'",
    ),
    (
        "unknown solver",
        lambda: simulate(solver="rk4"),
        "simulate: solver is 'rk4'; give 'auto', gd.Explicit(...) or gd.Sundials(...)",
    ),
    (
        "class for a solver",
        lambda: simulate(solver=gd.Explicit),
        "simulate: solver is <class … give 'auto', gd.Explicit",
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
        "Sundials: projection is not available; use Baumgarte, or the solver Explicit",
    ),
    (
        "Sundials with crossings",
        lambda: simulate(solver=gd.Sundials(), crossings={"top": gd.Crossing(joint="pin")}),
        "Sundials: crossings are not available; use the solver Explicit",
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


# --- every number of every public class ---------------------------------------------------------------------

AT = {"at": (0, 0, 0)}
NUMBERS: list[tuple[Any, dict[str, Any], str, dict[str, int], tuple[str, ...]]] = [
    # how it is made, what else it needs, how messages call it, {field: how many numbers}, fields that are Functions
    (
        gd.Body,
        {"mass": 1.0, "inertia": ROUND},
        "Body",
        {"mass": 1, "inertia": 3, "position": 3, "orientation": 4, "velocity": 3, "angular_velocity": 3},
        (),
    ),
    (
        gd.BodyState,
        {"position": (0, 0, 0), "orientation": (1, 0, 0, 0)},
        "BodyState",
        {"position": 3, "orientation": 4, "velocity": 3, "angular_velocity": 3},
        (),
    ),
    (gd.System, {"bodies": {"crank": body()}}, "System 'mechanism'", {"gravity": 3}, ()),
    *[
        (
            kind,
            {"parent": "ground", "child": "crank", **(AT if field.startswith(("axis", "slide")) else {})},
            f"{kind.__name__} ground–crank",
            {field: 3},
            (),
        )
        for kind in (*JOINTS, gd.Free)
        for field in ("at", "at_parent", "at_child", *kind.axis_fields)
    ],
    (gd.Force, {"body": "crank", "vector": (0, 0, 0)}, "Force on 'crank'", {"vector": 3, "at": 3}, ("vector",)),
    (gd.Torque, {"body": "crank"}, "Torque on 'crank'", {"vector": 3}, ("vector",)),
    (
        gd.SpringDamper,
        {"first": "crank", "second": "rod"},
        "SpringDamper crank–rod",
        {"at_first": 3, "at_second": 3, "stiffness": 1, "damping": 1, "length": 1},
        ("stiffness", "damping", "length"),
    ),
    (
        gd.JointSpring,
        {"joint": "pin"},
        "JointSpring on 'pin'",
        {"stiffness": 1, "damping": 1, "rest": 1},
        ("stiffness", "damping", "rest"),
    ),
    (gd.Drive, {"joint": "pin"}, "Drive of 'pin'", {"value": 1}, ("value",)),
    (
        gd.Drive,
        {"joint": "pin", "value": lambda t: 0.0, "rate": 0.0, "acceleration": 0.0},
        "Drive of 'pin'",
        {"rate": 1, "acceleration": 1},
        ("rate", "acceleration"),
    ),
    (gd.Crossing, {"body": "crank"}, "Crossing of 'crank'", {"at": 3, "along": 3, "value": 1}, ()),
    (gd.Explicit, {}, "Explicit", {"rtol": 1, "atol": 1, "max_step": 1, "first_step": 1}, ()),
    (gd.Sundials, {}, "Sundials", {"rtol": 1, "atol": 1, "max_steps": 1}, ()),
    (gd.Baumgarte, {}, "Baumgarte", {"alpha": 1, "beta": 1}, ()),
    (gd.Projection, {}, "Projection", {"tolerance": 1}, ()),
    (simulate, {}, "simulate", {"duration": 1, "sample": 1}, ()),
]
OPTIONAL = {
    ("Body", "velocity"),
    ("Body", "angular_velocity"),
    ("Explicit", "first_step"),
    ("Drive of 'pin'", "rate"),  # None: not given, which a function does not allow
    ("Drive of 'pin'", "acceleration"),
    ("simulate", "sample"),
    *[(owner, field) for _, _, owner, fields, _ in NUMBERS for field in fields if field in ("at_parent", "at_child")],
    *[(f"{kind.__name__} ground–crank", "at") for kind in (*JOINTS, gd.Free)],
}


def every_number(*values: Any, of: Any = None, functions: bool = True):
    """One case for each field of numbers and each value, which takes the place of the last of its numbers.

    With `of`, only fields of so many numbers, and the value takes the place of them all.
    """
    cases = []
    for make, needed, owner, fields, is_function in NUMBERS:
        for field, count in fields.items():
            if (of is not None and count != of) or (not functions and field in is_function):
                continue
            for value in values:
                if (owner, field, value) == ("Explicit", "max_step", math.inf):
                    continue  # no limit
                given = value if of or count == 1 else (*(1.0, 0.0, 0.0)[: count - 1], value)
                cases.append(
                    pytest.param(make, needed, owner, field, given, id=f"{make.__name__}-{field}-{value!r:.9}")
                )
    return pytest.mark.parametrize(("make", "needed", "owner", "field", "given"), cases)


def expect_refusal(make, needed, owner, field, given):
    with pytest.raises(gd.ModelError, match=rf"^{re.escape(owner)}.*\b{field}\b"):
        make(**{**needed, field: given})


@every_number(math.nan, math.inf, -math.inf)
def test_not_finite(make, needed, owner, field, given):
    expect_refusal(make, needed, owner, field, given)


@every_number("heavy", 1j, [1.0, [2.0, 3.0]], body())
def test_not_a_number(make, needed, owner, field, given):
    expect_refusal(make, needed, owner, field, given)


@every_number("0.5", functions=False)
def test_text_is_no_number(make, needed, owner, field, given):
    """Text is an expression where functions of time are taken, and refused everywhere else."""
    expect_refusal(make, needed, owner, field, given)


@every_number(10**400)
def test_larger_than_any_float(make, needed, owner, field, given):
    expect_refusal(make, needed, owner, field, given)


@every_number(None)
def test_nothing(make, needed, owner, field, given):
    if given is None and (owner, field) in OPTIONAL:
        pytest.skip("may be left out")
    expect_refusal(make, needed, owner, field, given)


@every_number((), (1.0,), (1.0, 0.0), (1.0, 0.0, 0.0, 0.0, 0.0), ((1.0, 0.0, 0.0),), 1.0, "xyz", of=3)
def test_three_numbers(make, needed, owner, field, given):
    expect_refusal(make, needed, owner, field, given)


@pytest.mark.parametrize("given", [(1.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0, 0.0), np.eye(4), 1.0])
@pytest.mark.parametrize("kind", [gd.Body, gd.BodyState])
def test_four_numbers(kind, given):
    needed = {"mass": 1.0, "inertia": ROUND} if kind is gd.Body else {"position": (0, 0, 0)}
    expect_refusal(kind, needed, kind.__name__, "orientation", given)


# --- things of the wrong kind -------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [None, 5, body()])
@pytest.mark.parametrize("field", ["bodies", "joints", "loads", "drives", "start"])
def test_parts_of_a_system_are_a_mapping(field, given):
    with refuses(f"System 'mechanism', {field}: "):
        slider_crank(**{field: given})


@pytest.mark.parametrize("given", [5, gd.Crossing(joint="pin"), "pin"])
def test_crossings_are_a_mapping(given):
    with refuses("simulate, crossings: "):
        simulate(crossings=given)


@pytest.mark.parametrize("joint", [None, 5, ["pin"]])
@pytest.mark.parametrize(
    "mistake",
    [
        lambda joint: slider_crank(drives={"motor": gd.Drive(joint, "t")}),
        lambda joint: slider_crank(loads={"coil": gd.JointSpring(joint)}),
        lambda joint: simulate(crossings={"top": gd.Crossing(joint=joint, body=None)}),
    ],
    ids=["drive", "joint spring", "crossing"],
)
def test_a_joint_is_called_by_its_name(mistake, joint):
    with pytest.raises(gd.ModelError, match="joint"):
        mistake(joint)


def test_a_coordinate_is_called_by_its_name():
    with refuses("Drive 'motor': Cylindrical 'sleeve' has no coordinate 5; known are 'angle', 'displacement'"):
        slider_crank(drives={"motor": gd.Drive("sleeve", "t", coordinate=5)})  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [None, {}, "four-bar"])
def test_only_a_system_can_be_assembled(given):
    with refuses(f"assemble: {type(given).__name__} given; give a gd.System"):
        gd.assemble(given)


@pytest.mark.parametrize("given", ["a", ["a", "b"], [[0.0], [0.0, 0.1]], [0.0, math.nan]])
def test_sample_times_are_numbers(given):
    with refuses("simulate: sample "):
        simulate(sample=given)


@pytest.mark.parametrize("value", ["1/t", "log(t)", "1/sin(t)"])
@pytest.mark.parametrize(
    "mistake",
    [
        lambda value: simulate(system=slider_crank(loads={"push": gd.Force("slider", (0, 0, value))})),
        lambda value: simulate(system=slider_crank(drives={"push": gd.Drive("guide", value)})),
    ],
    ids=["force", "drive"],
)
def test_an_expression_without_a_value_at_the_start(mistake, value):
    """As for Python functions, which are called once at t = 0."""
    with pytest.raises(gd.ModelError, match=rf"(Force|Drive) .*{re.escape(value)}.* t = 0"):
        mistake(value)


def test_a_function_without_a_value_at_the_start():
    with refuses(
        "Force on 'slider': vector[2]: function '<lambda>' returns nan at t = 0; it must return a finite number"
    ):
        gd.Force("slider", (0, 0, lambda t: math.nan))
