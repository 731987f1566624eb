"""Equations of motion in relative coordinates: articulated bodies, loops closed by constraint rows.

The unknowns are the accelerations q̈ of the tree's joints and the multipliers of loops and drives:

    H(q) q̈ + h(q, q̇) + Gᵀ λ = 0,   G q̈ = γ − 2αΦ̇ − β²Φ        (Baumgarte, for the loops alone)

solved without ever forming H or G (articulated.py, loops.py, sweep.py): the work is linear in links and loops.
"""

from __future__ import annotations

from numba import float64, int64, void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.build.records import CUBE, VECTOR
from gudgeon.kernels.dynamics.arrays import (
    ACCELERATION,
    APPLIED,
    DIAGONAL,
    FREE_ACCELERATION,
    IN_INNER,
    INVERSE_MASS,
    LINK_ARM,
    LINK_CENTRE,
    LINK_FORCE,
    MASS,
    MODEL,
    POSITIONS,
    PULL,
    RATE,
    REGULARIZATION,
    RESIDUAL,
    TREE_BODY,
    TREE_JOINT,
    TREE_PARENT,
    TREE_REVERSED,
    WORK,
)
from gudgeon.kernels.dynamics.articulated import articulate, articulated_motion, own_inertia
from gudgeon.kernels.dynamics.elimination import NEGLIGIBLE, REFINEMENTS
from gudgeon.kernels.dynamics.engine import kinematics, loop_rows, prepare, sweep
from gudgeon.kernels.dynamics.joint_loads import forces_through_tree
from gudgeon.kernels.dynamics.loads import inertial_forces
from gudgeon.kernels.dynamics.rows import copy_column, largest, missing_acceleration
from gudgeon.kernels.dynamics.sweep import clear_accelerations, clear_forces, hold_still
from gudgeon.kernels.elements.node_pins import carry_accelerations, move_nodes, pull_on_nodes
from gudgeon.kernels.kinematics.poses import move
from gudgeon.kernels.kinematics.vectors import (
    get,
    in_world,
    plus,
    plus_times,
    vector_product,
)


@addressed(void(MODEL, WORK, float64))
def tree_accelerations(m, w, t):
    """Accelerations of freedoms and bodies, and multipliers, under the forces held in `w`."""
    for k in range(1, m.tree.shape[0]):
        own_inertia(m, w, k)
        hold_still(m, w, k)
    if w.row.shape[0] > 0:
        loop_rows(m, w, t)
        w.multiplier[:] = 0.0
        if w.body.shape[0] > m.body.shape[0]:
            carry_accelerations(m, w)
        for k in range(m.block.shape[0]):
            missing_acceleration(m, w, k)
    articulated_motion(m, w, w.multiplier)
    if m.settings[REGULARIZATION] > 0.0:
        refine(m, w, w.multiplier, 1.0)
    if w.body.shape[0] > m.body.shape[0]:
        pull_on_nodes(m, w, w.multiplier)


@inlined
def solve_tree(m, w, x, moving):
    """`sweep`, refined where rows are redundant."""
    sweep(m, w, x, moving)
    if m.settings[REGULARIZATION] > 0.0:
        refine(m, w, x, moving)


@called
def refine(m, w, x, moving):
    """Repeat the sweep with what regularisation left (see elimination.py) until it moves the bodies no more."""
    epsilon, change, row = m.settings[REGULARIZATION], w.increment, w.row
    whole = 0.0
    for b in range(1, m.body.shape[0]):
        for c in range(3):
            whole += m.body[b, MASS] * w.body[b, ACCELERATION + c] ** 2
            whole += moving * m.body[b, INVERSE_MASS] * w.body[b, APPLIED + c] ** 2
    for r in range(x.shape[0]):
        change[r] = x[r]
    for _ in range(REFINEMENTS):
        for r in range(x.shape[0]):
            row[r, PULL] = epsilon * row[r, DIAGONAL] * change[r]
            change[r] = row[r, PULL]
        clear_forces(m, w)
        sweep(m, w, change, 0.0)
        moved = 0.0
        for r in range(x.shape[0]):
            x[r] += change[r]
            moved += change[r] * (row[r, PULL] - epsilon * row[r, DIAGONAL] * change[r])
        if not moved > NEGLIGIBLE * whole:
            break


@addressed(float64(MODEL, WORK, float64, VECTOR))
def prepare_tree(m, w, t, y):
    """Rows of the loops and articulated inertias of a state, without forces; returns the largest residual."""
    kinematics(m, w, y)
    inertial_forces(m, w)
    loop_rows(m, w, t)
    articulate(m, w)
    return largest(w.row, RESIDUAL)


@addressed(void(MODEL, WORK, float64, VECTOR, float64))
def project_tree(m, w, t, y, tolerance):
    """Move the state onto the constraints: positions by Newton's method, then velocities; mass-weighted."""
    x = w.multiplier
    residual = prepare(m, w, t, y)
    for _ in range(5):
        if residual <= tolerance:
            break
        copy_column(w.row, RESIDUAL, x)
        clear_forces(m, w)
        clear_accelerations(m, w)
        solve_tree(m, w, x, 0.0)
        move(m, y, w.freedom[:, FREE_ACCELERATION])
        if w.body.shape[0] > m.body.shape[0]:
            move_nodes(m, w, x, y, m.flexible.place[0])
        residual = prepare(m, w, t, y)
    copy_column(w.row, RATE, x)
    clear_forces(m, w)
    clear_accelerations(m, w)
    solve_tree(m, w, x, 0.0)
    first = m.layout[POSITIONS]
    for d in range(w.freedom.shape[0]):
        y[first + d] += w.freedom[d, FREE_ACCELERATION]
    if w.body.shape[0] > m.body.shape[0]:
        move_nodes(m, w, x, y, m.flexible.place[1])


@addressed(void(MODEL, WORK, int64, CUBE, CUBE))
def reactions_of_tree(m, w, s, force, torque):
    """Force and torque of every tree joint on its child at its joint point, at sample s, by Newton and Euler."""
    link, body = w.link, w.body
    forces_through_tree(m, w, APPLIED)
    for k in range(m.tree.shape[0] - 1, 0, -1):
        p, joint = m.tree[k, TREE_PARENT], m.tree[k, TREE_JOINT]
        if joint >= 0:
            f, sign = get(link, k, LINK_FORCE), 1.0
            about_c = plus(get(link, k, LINK_FORCE + 3), vector_product(get(link, k, LINK_CENTRE), f))
            if m.tree[k, TREE_REVERSED]:
                arm = plus_times(get(link, k, LINK_ARM), -1.0, get(link, p, LINK_CENTRE))  # from its centre of mass
                inner_point = in_world(body, m.tree[p, TREE_BODY], get(m.tree_vector, k, IN_INNER))
                about_c = plus(about_c, vector_product(plus_times(arm, -1.0, inner_point), f))
                sign = -1.0
            for c in range(3):
                force[s, joint, c] = sign * f[c]
                torque[s, joint, c] = sign * about_c[c]
