"""Accelerations, reactions and efforts of a result against the dense NumPy formulation of reference_dynamics.py."""

from __future__ import annotations

import numpy as np

import gudgeon as gd
from reference_dynamics import Reference
from reference_joints import fixed, joint_points

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
