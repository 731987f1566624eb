"""Accelerations, reactions and drive efforts of the compiled core against a dense NumPy formulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given

import gudgeon as gd
from random_mechanisms import COORDINATES, FEW, KINDS, MADE_TO_FIT, mechanisms, random_body, random_joint, random_load
from reference_dynamics import Reference
from reference_joints import fixed, joint_points

pytestmark = [pytest.mark.usefixtures("coordinates"), MADE_TO_FIT]

WITHIN = 1e-7


def reported(result, sample=0):
    """Accelerations, reactions (joints, 6) and drive efforts of a result."""
    at = result.data.isel(time=sample)
    return (
        np.hstack([at.acceleration, at.angular_acceleration]).reshape(-1),
        np.hstack([at.reaction_force, at.reaction_torque]) if "joint" in at.sizes else np.zeros((0, 6)),
        at.drive_effort.values if "drive" in at.sizes else np.zeros(0),
    )


def assert_near(value, expected, within=WITHIN):
    error = np.abs(np.asarray(value) - expected).max(initial=0.0)
    assert error <= within * max(1.0, np.abs(expected).max(initial=0.0))


def reference_at(system, result, sample=0):
    """With Baumgarte's default feedback."""
    return Reference(system, result.state(sample), float(result.data.time[sample]), alpha=5.0, beta=5.0)


def assert_equal_to_reference(system, result, sample=0):
    reference = reference_at(system, result, sample)
    accelerations, reactions, efforts = reported(result, sample)
    assert_near(accelerations, reference.accelerations)
    assert_near(reactions, reference.reactions)
    assert_near(efforts, [-reference.multipliers[reference.owner == drive][0] for drive in system.drives])


def unbalanced(system, result, sample):
    """m v̇ and d(Jω)/dt of every body, less the loads, joint reactions and drive efforts on it: (bodies, 6)."""
    at = result.data.isel(time=sample)
    reference = Reference(system, result.state(sample), float(at.time))
    accelerations, reactions, efforts = reported(result, sample)
    change = reference.mass_matrix @ accelerations - reference.forces()
    left = np.vstack([change.reshape(-1, 6), np.zeros(6)])

    def act(joint, force, torque):
        """A force and torque on the child at its joint point; the opposite on the parent at the same point."""
        child, parent = reference.index[joint.child], reference.index[joint.parent]
        point = reference.poses[child][0] + reference.poses[child][1] @ joint_points(system, joint)[1]
        for b, sign in ((child, 1.0), (parent, -1.0)):
            arm = point - reference.poses[b][0]
            left[b] -= sign * np.r_[force, torque + np.cross(arm, force)]

    for joint, wrench in zip(system.joints.values(), reactions, strict=True):
        act(joint, wrench[:3], wrench[3:])
    for drive, effort in zip(system.drives.values(), efforts, strict=True):
        joint = system.joints[drive.joint]
        carrier = joint.child if drive.coordinate == "angle_child" else joint.parent
        if drive.coordinate == "angle_child":
            axis = joint.axis_child
        elif drive.coordinate == "angle_parent":
            axis = joint.axis_parent
        else:
            axis = joint.slide if isinstance(joint, gd.UniversalPrismatic) else joint.axis
        along = effort * (reference.poses[reference.index[carrier]][1] @ fixed(system, carrier, axis))
        nothing = np.zeros(3)
        act(joint, *((along, nothing) if drive.coordinate == "displacement" else (nothing, along)))
    return left[:-1]


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
