"""Accelerations, reactions and drive efforts of the compiled core against a dense NumPy formulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given

import gudgeon as gd
from compared_with_reference import assert_equal_to_reference, assert_near, reference_at, reported, unbalanced
from random_mechanisms import COORDINATES, FEW, KINDS, MADE_TO_FIT, mechanisms, random_body, random_joint, random_load
from reference_joints import joint_points

pytestmark = [pytest.mark.usefixtures("coordinates"), MADE_TO_FIT]


@FEW
@given(mechanisms())
def test_random_mechanisms(system):
    result = gd.simulate(system, 0.02, sample=[0.0, 0.02])
    for sample, open_by in ((0, 1e-10), (1, 1e-7)):
        reference = reference_at(system, result, sample)
        assume(reference.singular_values.min(initial=1.0) > 1e-3)  # drives may lead close to a dead centre
        assert_equal_to_reference(system, result, sample)
        assert np.abs(reference.residual).max(initial=0.0) < open_by


@FEW
@given(mechanisms(bodies=8, loops=3, drives=3))
def test_newton_and_euler_hold_for_every_body(system):
    result = gd.simulate(system, 0.02, sample=[0.0, 0.02])
    for sample in (0, 1):
        scale = max(1.0, *(np.abs(part).max(initial=0.0) for part in reported(result, sample)))
        assert np.abs(unbalanced(system, result, sample)).max() < 1e-9 * scale


@pytest.mark.parametrize("kind", KINDS)
def test_each_joint_with_its_springs_and_drives(kind):
    rng = np.random.default_rng(KINDS.index(kind))
    bodies = {"a": random_body(rng), "b": random_body(rng)}
    joints = {"first": random_joint(rng, gd.Spherical, "ground", "a"), "second": random_joint(rng, kind, "a", "b")}
    system = gd.System(bodies=bodies, joints=joints)
    result = gd.simulate(system, 0.02, sample=[0.0, 0.02])
    rows = {gd.Rigid: 6, gd.Revolute: 5, gd.Prismatic: 5, gd.Cylindrical: 4, gd.Universal: 4, gd.Free: 0}
    assert result.stats["degrees_of_freedom"] == 9 - rows.get(kind, 3)
    assert_equal_to_reference(system, result, 1)
    names = COORDINATES.get(kind, ())
    springs = {c: gd.JointSpring("second", coordinate=c, stiffness=5.0, damping=1.0, rest="0.3+t") for c in names}
    drives = {c: gd.Drive("second", f"{0.2 + k}*sin(t + {k})", coordinate=c) for k, c in enumerate(names)}
    for name in names:
        for parts in ({"loads": {name: springs[name]}}, {"drives": {name: drives[name]}}):
            changed = system.replace(**parts)
            assert_equal_to_reference(changed, gd.simulate(changed, 0.02, sample=[0.0, 0.02]), 1)
    driven = system.replace(loads=springs, drives=drives)
    result = gd.simulate(driven, 0.02, sample=[0.0, 0.02])
    assert result.stats["degrees_of_freedom"] == 9 - rows.get(kind, 3) - len(names)
    assert_equal_to_reference(driven, result, 1)


@pytest.mark.parametrize("kind", KINDS[:6])
def test_parent_and_child_may_change_places(kind):
    rng = np.random.default_rng(40 + KINDS.index(kind))
    bodies = {"a": random_body(rng), "b": random_body(rng)}
    first, second = random_joint(rng, gd.Universal, "ground", "a"), random_joint(rng, kind, "a", "b")
    turned = {"axis": getattr(second, "axis", None)}
    if kind is gd.Universal:
        turned = {"axis_parent": second.axis_child, "axis_child": second.axis_parent}
    swapped = kind("b", "a", at=second.at, **(turned if None not in turned.values() else {}))
    one, two = (gd.System(bodies=bodies, joints={"f": first, "s": joint}) for joint in (second, swapped))
    results = [
        gd.simulate(system, 0.05, sample=[0.05], solver=gd.Explicit(rtol=1e-11, atol=1e-12)) for system in (one, two)
    ]
    a, b = (reported(result) for result in results)
    assert_near(a[0], b[0], 1e-8)
    if kind in (gd.Rigid, gd.Revolute, gd.Universal, gd.Spherical):  # elsewhere the two joint points part
        assert_near(a[1][1], -b[1][1], 1e-8)


def test_joint_points_in_world_or_body_axes():
    rng = np.random.default_rng(5)
    bodies = {"a": random_body(rng), "b": random_body(rng)}
    joints = {
        "j": random_joint(rng, gd.UniversalPrismatic, "ground", "a"),
        "k": random_joint(rng, gd.Revolute, "a", "b"),
    }
    system = gd.System(bodies=bodies, joints=joints)
    local = {}
    for name, joint in joints.items():
        in_parent, in_child = joint_points(system, joint)
        fields = {k: getattr(joint, k) for k in joint.axis_fields}
        local[name] = type(joint)(joint.parent, joint.child, at_parent=in_parent, at_child=in_child, **fields)
    results = [gd.simulate(s, 0.02, sample=[0.02]) for s in (system, system.replace(joints=local))]
    for value, expected in zip(*map(reported, results), strict=True):
        assert_near(value, expected, 1e-12)


def test_python_functions_equal_expressions():
    rng = np.random.default_rng(6)
    bodies = {"a": random_body(rng), "b": random_body(rng)}
    joints = {"j": random_joint(rng, gd.Cylindrical, "ground", "a"), "k": random_joint(rng, gd.Spherical, "a", "b")}
    texts = gd.System(
        bodies=bodies,
        joints=joints,
        loads={
            "push": gd.Force("b", ("t", "cos(t)", 3), at=(0, 0, 0.2), axes="body"),
            "spring": gd.JointSpring("j", coordinate="displacement", stiffness="2+t", rest="sin(t)"),
        },
        drives={"d": gd.Drive("j", "sin(2*t)", coordinate="angle")},
    )
    functions = texts.replace(
        loads={
            "push": gd.Force("b", lambda t: (t, math.cos(t), 3.0), at=(0, 0, 0.2), axes="body"),
            "spring": gd.JointSpring(
                "j", coordinate="displacement", stiffness=lambda t: 2 + t, rest=lambda t: math.sin(t)
            ),
        },
        drives={
            "d": gd.Drive(
                "j",
                lambda t: math.sin(2 * t),
                coordinate="angle",
                rate=lambda t: 2 * math.cos(2 * t),
                acceleration=lambda t: -4 * math.sin(2 * t),
            )
        },
    )
    results = [gd.simulate(system, 0.1, sample=[0.1]) for system in (texts, functions)]
    for value, expected in zip(*map(reported, results), strict=True):
        assert_near(value, expected, 1e-12)


@pytest.mark.parametrize("kind", [gd.Force, gd.Torque, gd.SpringDamper])
@pytest.mark.parametrize("seed", range(3))
def test_each_load_on_a_free_body(kind, seed):
    rng = np.random.default_rng(seed)
    system = gd.System(bodies={"a": random_body(rng), "b": random_body(rng)})
    system = system.replace(loads={"load": random_load(rng, system, kind)})
    assert_equal_to_reference(system, gd.simulate(system, 0.02, sample=[0.0, 0.02]), 1)
