"""The motion of a state: accelerations, rates, and the way back onto the constraints. In every formulation."""

from __future__ import annotations

from numba import float64, void

from gudgeon.kernels.absolute import constrained_accelerations
from gudgeon.kernels.arrays import ACCELERATION, FREE_ACCELERATION, MODEL, OWN_AXES, POSITIONS, WORK
from gudgeon.kernels.compiled import addressed, entrance, inlined
from gudgeon.kernels.compliant import compliant_rates, given_joint_forces, joint_forces
from gudgeon.kernels.engine import (
    accelerate,
    applied_forces,
    given_slider_forces,
    kinematics,
    move_onto_constraints,
    prepare,
    slider_forces,
    state_rate,
)
from gudgeon.kernels.loads import forces_on_bodies, start_turns, turn_rates
from gudgeon.kernels.poses import body_kinematics, pose_rates
from gudgeon.kernels.records import VECTOR
from gudgeon.kernels.relative import tree_accelerations
from gudgeon.kernels.rotation import in_own_axes
from gudgeon.kernels.sliders import correct_followers, has_sliders, node_rates
from gudgeon.kernels.tree import tree_kinematics


@inlined
def forces_of_joints(m, w, y):
    """Forces of all joints that act by forces, onto the bodies."""
    if m.compliant.shape[0] > 0:
        joint_forces(m, w, y)
    if has_sliders(m):
        slider_forces(m, w, y)


@addressed(void(MODEL, WORK, float64, VECTOR))
def accelerations_of_state(m, w, t, y):
    """Accelerations and multipliers of a state, into `w`."""
    kinematics(m, w, y)
    applied_forces(m, w, t, y)
    forces_of_joints(m, w, y)
    accelerate(m, w, t)
    correct_followers(m, w)


@addressed(void(MODEL, WORK, float64, VECTOR, VECTOR))
def accelerations_under_forces(m, w, t, y, unknown):
    """Accelerations and multipliers of a state with given forces of the compliant joints, into `w`."""
    kinematics(m, w, y)
    applied_forces(m, w, t, y)
    given_joint_forces(m, w, y, unknown)
    if has_sliders(m):
        given_slider_forces(m, w, y, unknown)
    accelerate(m, w, t)
    correct_followers(m, w)


@inlined
def velocity_rates(m, w, rate):
    """The rates of the velocities, from the accelerations held in `w`."""
    first = m.layout[POSITIONS]
    if m.tree.shape[0] > 0:
        for d in range(m.velocity.shape[0]):
            rate[first + d] = w.freedom[d, FREE_ACCELERATION]
        return
    for b in range(1, m.body.shape[0]):
        v = first + 6 * (b - 1)
        for c in range(6):
            rate[v + c] = w.body[b, ACCELERATION + c]
        if m.settings[OWN_AXES]:  # d(Rᵀω)/dt = Rᵀω̇
            rate[v + 3], rate[v + 4], rate[v + 5] = in_own_axes(w.body, b, rate[v + 3], rate[v + 4], rate[v + 5])


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
    """ẏ from the accelerations held in `w`."""
    correct_followers(m, w)
    pose_rates(m, y, y_rate)
    velocity_rates(m, w, y_rate)
    turn_rates(m, w, y_rate)
    node_rates(m, w, y, y_rate)
    compliant_rates(m, w, y_rate)


@entrance(void(MODEL, WORK, float64, VECTOR, VECTOR))
def right_hand_side(m, w, t, y, y_rate):
    """ẏ of the state y, for Python."""
    state_rate(m, w, t, y, y_rate)


@entrance(float64(MODEL, WORK, float64, VECTOR))
def prepare_rows(m, w, t, y):
    """Rows of a state and what is needed to solve for their multipliers; returns the largest residual."""
    return prepare(m, w, t, y)


@entrance(void(MODEL, WORK, float64, VECTOR, float64))
def project(m, w, t, y, tolerance):
    """Move the state onto the constraints: positions by Newton's method, then velocities; mass-weighted."""
    if w.row.shape[0] > 0:
        move_onto_constraints(m, w, t, y, tolerance)


@entrance(void(MODEL, WORK, float64, VECTOR))
def begin(m, w, t, y):
    """Rows of the state a run starts from, and its counted angles."""
    prepare(m, w, t, y)
    start_turns(m, w, y)
