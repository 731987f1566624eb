"""Numbers that are none, and things of the wrong kind, are refused wherever a user can put them."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest

import gudgeon as gd
from mistakes import JOINTS, ROUND, body, refuses, simulate, slider_crank

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


@every_number("heavy metal", 1j, [1.0, [2.0, 3.0]], body())
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
    if given == "xyz" and (issubclass(make, gd.joints.Joint | gd.loads.Load) and make is not gd.Guide):
        pytest.skip("the name of a marker")
    expect_refusal(make, needed, owner, field, given)


@pytest.mark.parametrize("given", [(1.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0, 0.0), np.eye(4), 1.0])
@pytest.mark.parametrize("kind", [gd.Body, gd.BodyState])
def test_four_numbers(kind, given):
    needed = {"mass": 1.0, "inertia": ROUND} if kind is gd.Body else {"position": (0, 0, 0)}
    expect_refusal(kind, needed, kind.__name__, "orientation", given)


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
