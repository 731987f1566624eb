"""Accelerations and rates of a state: forces of everything, then the formulation's own algebra."""

from __future__ import annotations

from numba import float64, void

from gudgeon.kernels.build.compiled import addressed, inlined
from gudgeon.kernels.build.records import VECTOR
from gudgeon.kernels.dynamics.absolute import constrained_accelerations
from gudgeon.kernels.dynamics.arrays import APPLIED, MODEL, WORK
from gudgeon.kernels.dynamics.controls import control_rates
from gudgeon.kernels.dynamics.engine import (
    accelerate,
    applied_forces,
    balance_friction,
    given_point_forces,
    joint_loads,
    kinematics,
    node_accelerations,
)
from gudgeon.kernels.dynamics.loads import forces_on_bodies
from gudgeon.kernels.dynamics.motion import velocity_rates
from gudgeon.kernels.dynamics.relative import tree_accelerations
from gudgeon.kernels.dynamics.turns import turn_rates
from gudgeon.kernels.elements.joints import compliant_rates, given_joint_forces, joint_forces
from gudgeon.kernels.elements.nodes import correct_followers, has_nodes, node_rates
from gudgeon.kernels.elements.points import has_points
from gudgeon.kernels.kinematics.poses import body_kinematics, pose_rates
from gudgeon.kernels.kinematics.tree import tree_kinematics


@inlined
def forces_of_joints(m, w, y):
    """Forces of all joints that act by forces, onto the bodies."""
    if m.compliant.shape[0] > 0:
        joint_forces(m, w, y)
    if has_nodes(m):
        node_accelerations(m, w, y)


@addressed(void(MODEL, WORK, float64, VECTOR))
def accelerations_of_state(m, w, t, y):
    """Accelerations and multipliers of a state, into `w`."""
    kinematics(m, w, y)
    applied_forces(m, w, t, y)
    forces_of_joints(m, w, y)
    accelerate(m, w, t)
    if m.rubbing.shape[0] > 0:
        balance_friction(m, w)
    correct_followers(m, w)


@addressed(void(MODEL, WORK, float64, VECTOR, VECTOR))
def accelerations_under_forces(m, w, t, y, unknown):
    """Accelerations and multipliers of a state with given forces of the compliant joints, into `w`."""
    kinematics(m, w, y)
    applied_forces(m, w, t, y)
    given_joint_forces(m, w, y, unknown)
    if has_nodes(m) or has_points(m):
        given_point_forces(m, w, y, unknown)
    accelerate(m, w, t)
    if m.rubbing.shape[0] > 0:
        joint_loads(m, w, APPLIED)
    correct_followers(m, w)


@addressed(void(MODEL, WORK, float64, VECTOR, VECTOR))
def rate_of_bodies(m, w, t, y, y_rate):
    """ẏ of the state y in absolute coordinates: in one piece, as it is asked for most often."""
    body_kinematics(m, w, y)
    forces_on_bodies(m, w, t, y)
    forces_of_joints(m, w, y)
    constrained_accelerations(m, w, t)
    rates(m, w, y, y_rate)


@addressed(void(MODEL, WORK, float64, VECTOR, VECTOR))
def rate_of_tree(m, w, t, y, y_rate):
    """The same in relative coordinates."""
    tree_kinematics(m, w, y)
    forces_on_bodies(m, w, t, y)
    forces_of_joints(m, w, y)
    tree_accelerations(m, w, t)
    rates(m, w, y, y_rate)


@inlined
def rates(m, w, y, y_rate):
    """ẏ from the accelerations held in `w`, friction in ideal joints added."""
    if m.rubbing.shape[0] > 0:
        balance_friction(m, w)
    correct_followers(m, w)
    pose_rates(m, y, y_rate)
    velocity_rates(m, w, y_rate)
    turn_rates(m, w, y_rate)
    control_rates(m, w, y_rate)
    node_rates(m, w, y, y_rate)
    compliant_rates(m, w, y_rate)
