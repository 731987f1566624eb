"""The motion of a state, in either formulation: accelerations, rates, and the way back onto the constraints.

How the formulation is chosen: see poses.py.
"""

from __future__ import annotations

from gudgeon.kernels.absolute import constrained_accelerations, prepare_bodies, project_bodies
from gudgeon.kernels.arrays import ACCELERATION, FREE_ACCELERATION, OWN_AXES, POSITIONS
from gudgeon.kernels.compiled import called, compiled, inlined
from gudgeon.kernels.compliant import compliant_rates, given_joint_forces, joint_forces
from gudgeon.kernels.loads import applied_forces, start_turns, turn_rates
from gudgeon.kernels.poses import kinematics, pose_rates
from gudgeon.kernels.relative import prepare_tree, project_tree, tree_accelerations
from gudgeon.kernels.rotation import in_own_axes
from gudgeon.kernels.sliders import correct_followers, given_slider_forces, node_rates, slider_forces


@inlined
def accelerations(m, w, t, y):
    """Accelerations and multipliers of a state, into `w`."""
    kinematics(m, w, y)
    applied_forces(m, w, t, y)
    if m.compliant.shape[0] > 0:
        joint_forces(m, w, y)
    slider_forces(m.sliders, m, w, y)
    accelerate(m.pair, m.tree, m, w, t)
    correct_followers(m.sliders, w)


@called
def accelerations_under(m, w, t, y, unknown):
    """Accelerations and multipliers of a state with given forces of the compliant joints, into `w`."""
    kinematics(m, w, y)
    applied_forces(m, w, t, y)
    given_joint_forces(m, w, y, unknown)
    given_slider_forces(m.sliders, w, y, unknown)
    accelerate(m.pair, m.tree, m, w, t)
    correct_followers(m.sliders, w)


@inlined
def accelerate(bodies, tree, m, w, t):
    """Accelerations and multipliers under the forces held in `w`."""
    if bodies is not None:
        constrained_accelerations(m, w, t)
    if tree is not None:
        tree_accelerations(m, w, t)


@inlined
def velocity_rates(bodies, tree, m, w, rate):
    """The rates of the velocities, from the accelerations held in `w`."""
    first = m.layout[POSITIONS]
    if bodies is not None:
        for b in range(1, m.body.shape[0]):
            v = first + 6 * (b - 1)
            for c in range(6):
                rate[v + c] = w.body[b, ACCELERATION + c]
            if m.settings[OWN_AXES]:  # d(Rᵀω)/dt = Rᵀω̇
                rate[v + 3], rate[v + 4], rate[v + 5] = in_own_axes(w.body, b, rate[v + 3], rate[v + 4], rate[v + 5])
    if tree is not None:
        for d in range(m.velocity.shape[0]):
            rate[first + d] = w.freedom[d, FREE_ACCELERATION]


@inlined
def state_rate(m, w, t, y, y_rate):
    """ẏ of the state y."""
    accelerations(m, w, t, y)
    pose_rates(m, y, y_rate)
    velocity_rates(m.pair, m.tree, m, w, y_rate)
    turn_rates(m, w, y_rate)
    node_rates(m.sliders, w, y, y_rate)
    compliant_rates(m, w, y_rate)


@compiled
def right_hand_side(m, w, t, y, y_rate):
    """`state_rate` as a function of its own: for callers where the cost of a call does not matter."""
    state_rate(m, w, t, y, y_rate)


@inlined
def prepare(bodies, tree, m, w, t, y):
    """Rows of a state and what is needed to solve for their multipliers; returns the largest residual."""
    residual = 0.0
    if bodies is not None:
        residual = prepare_bodies(m, w, t, y)
    if tree is not None:
        residual = prepare_tree(m, w, t, y)
    return residual


@inlined
def move_onto_constraints(bodies, tree, m, w, t, y, tolerance):
    """The branch of the formulation."""
    if bodies is not None:
        project_bodies(m, w, t, y, tolerance)
    if tree is not None:
        project_tree(m, w, t, y, tolerance)


@compiled
def prepare_rows(m, w, t, y):
    """Rows of a state and what is needed to solve for their multipliers; returns the largest residual."""
    return prepare(m.pair, m.tree, m, w, t, y)


@compiled
def project(m, w, t, y, tolerance):
    """Move the state onto the constraints: positions by Newton's method, then velocities; mass-weighted."""
    if w.row.shape[0] > 0:
        move_onto_constraints(m.pair, m.tree, m, w, t, y, tolerance)


@compiled
def begin(m, w, t, y):
    """Rows of the state a run starts from, and its counted angles."""
    prepare(m.pair, m.tree, m, w, t, y)
    start_turns(m, w, y)
