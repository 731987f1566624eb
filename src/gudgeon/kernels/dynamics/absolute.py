"""Equations of motion in absolute coordinates.

    M v̇ + Φ_qᵀ λ = Q,   Φ_q v̇ = γ − 2αΦ̇ − β²Φ        (Baumgarte)

solved by the Schur complement: S λ = Φ_q M⁻¹ Q − (γ − 2αΦ̇ − β²Φ), S = Φ_q M⁻¹ Φ_qᵀ; then v̇ = M⁻¹ (Q − Φ_qᵀ λ).
The force of a constraint on its bodies is −Φ_qᵀ λ.
"""

from __future__ import annotations

from numba import float64, void

from gudgeon.kernels.build.compiled import addressed, inlined
from gudgeon.kernels.build.records import VECTOR
from gudgeon.kernels.dynamics.arrays import (
    ACCELERATION,
    APPLIED,
    CHILD,
    ECHO,
    INVERSE_MASS,
    KIND,
    MODEL,
    OWN_AXES,
    PARENT,
    RATE,
    RESIDUAL,
    ROW,
    ROWS,
    WORK,
    WORLD_TENSOR,
)
from gudgeon.kernels.dynamics.elimination import factorise, schur_complement, solve, weight_rows
from gudgeon.kernels.dynamics.engine import all_rows, factorised_rows, kinematics, prepare, solve_rows
from gudgeon.kernels.dynamics.loads import inertial_forces
from gudgeon.kernels.dynamics.rows import block_rows, copy_column, largest, missing_acceleration
from gudgeon.kernels.dynamics.state_places import pose_at, twist_at
from gudgeon.kernels.elements.node_pins import carry_accelerations, move_nodes, pull_on_nodes
from gudgeon.kernels.elements.nodes import follower_accelerations
from gudgeon.kernels.kinematics.rotation import in_own_axes, turn


@inlined
def free_accelerations(m, w):
    """M⁻¹ Q, as if there were no joints."""
    body = w.body
    for b in range(1, m.body.shape[0]):
        c = m.body[b, INVERSE_MASS]
        x, y, z = body[b, APPLIED + 3], body[b, APPLIED + 4], body[b, APPLIED + 5]
        for k in range(3):
            v = WORLD_TENSOR + 3 * k
            body[b, ACCELERATION + k] = c * body[b, APPLIED + k]
            body[b, ACCELERATION + 3 + k] = body[b, v] * x + body[b, v + 1] * y + body[b, v + 2] * z


@inlined
def correct(m, w, x):
    """Subtract M⁻¹ Jᵀ x from the accelerations of all moving bodies."""
    Y, body = w.weighted, w.body
    for k in range(m.block.shape[0]):
        first, rows = m.block[k, ROW], m.block[k, ROWS]
        shared = 1 if m.block[k, KIND] == ECHO else 0
        for side in range(2):
            b = m.block[k, PARENT + side * (CHILD - PARENT)]
            if b > 0:
                z0 = z1 = z2 = z3 = z4 = z5 = 0.0
                for r in range(first, first + rows):
                    y = x[r - shared]
                    z0 += Y[2 * r + side, 0] * y
                    z1 += Y[2 * r + side, 1] * y
                    z2 += Y[2 * r + side, 2] * y
                    z3 += Y[2 * r + side, 3] * y
                    z4 += Y[2 * r + side, 4] * y
                    z5 += Y[2 * r + side, 5] * y
                body[b, ACCELERATION] -= z0
                body[b, ACCELERATION + 1] -= z1
                body[b, ACCELERATION + 2] -= z2
                body[b, ACCELERATION + 3] -= z3
                body[b, ACCELERATION + 4] -= z4
                body[b, ACCELERATION + 5] -= z5


@addressed(void(MODEL, WORK, float64), short=True)
def rows_and_factors(m, w, t):
    """All rows at the kinematics held in `w`, and S = L D Lᵀ."""
    all_rows(m, w, t)
    for k in range(m.block.shape[0]):
        weight_rows(m, w, k)
    schur_complement(m, w)
    factorise(m, w)


@addressed(void(MODEL, WORK, VECTOR), short=True)
def solve_and_correct(m, w, x):
    """Overwrite x by S⁻¹ x, and subtract M⁻¹ Jᵀ of that from the accelerations."""
    solve(m, w, x)
    correct(m, w, x)


@addressed(void(MODEL, WORK, float64))
def constrained_accelerations(m, w, t):
    """Accelerations and multipliers under the forces held in `w`."""
    free_accelerations(m, w)
    if w.row.shape[0] > 0:
        if w.body.shape[0] > m.body.shape[0]:
            carry_accelerations(m, w)
        w.multiplier[:] = 0.0  # rows not in use too, which a failed evaluation may have spoilt
        for k in range(m.block.shape[0]):  # block by block, while its rows are in the cache
            block_rows(m, w, k, t)
            weight_rows(m, w, k)
            missing_acceleration(m, w, k)
        schur_complement(m, w)
        factorise(m, w)
        solve(m, w, w.multiplier)
        correct(m, w, w.multiplier)
        if w.body.shape[0] > m.body.shape[0]:
            pull_on_nodes(m, w, w.multiplier)


@addressed(void(MODEL, WORK, float64), short=True)
def accelerations_of_rows(m, w, t):
    """Accelerations and multipliers under the forces, rows and factors held in `w`."""
    free_accelerations(m, w)
    if w.row.shape[0] > 0:
        if w.body.shape[0] > m.body.shape[0]:
            carry_accelerations(m, w)
        w.multiplier[:] = 0.0
        for k in range(m.block.shape[0]):
            missing_acceleration(m, w, k)
        solve(m, w, w.multiplier)
        correct(m, w, w.multiplier)
        if w.body.shape[0] > m.body.shape[0]:
            pull_on_nodes(m, w, w.multiplier)


@addressed(float64(MODEL, WORK, float64, VECTOR), short=True)
def prepare_bodies(m, w, t, y):
    """Rows and factorised S of a state, without forces; returns the largest residual."""
    kinematics(m, w, y)
    inertial_forces(m, w)
    factorised_rows(m, w, t)
    return largest(w.row, RESIDUAL)


@addressed(void(MODEL, WORK, float64, VECTOR, float64), short=True)
def project_bodies(m, w, t, y, tolerance):
    """Move the state onto the constraints: positions by Newton's method, then velocities; mass-weighted."""
    n, a = m.body.shape[0] - 1, ACCELERATION
    x, body = w.multiplier, w.body
    residual = prepare(m, w, t, y)
    for _ in range(5):
        if residual <= tolerance:
            break
        copy_column(w.row, RESIDUAL, x)
        body[:, ACCELERATION : ACCELERATION + 6] = 0.0
        solve_rows(m, w, x)
        if body.shape[0] > n + 1:
            move_nodes(m, w, x, y, m.flexible.place[0])
            follower_accelerations(m, w)
        for b in range(1, n + 1):
            q = pose_at(b)
            for c in range(3):
                y[q + c] += body[b, ACCELERATION + c]
            turn(y, q + 3, body[b, ACCELERATION + 3], body[b, ACCELERATION + 4], body[b, ACCELERATION + 5])
        residual = prepare(m, w, t, y)
    copy_column(w.row, RATE, x)
    body[:, ACCELERATION : ACCELERATION + 6] = 0.0
    solve_rows(m, w, x)
    if body.shape[0] > n + 1:
        move_nodes(m, w, x, y, m.flexible.place[1])
        follower_accelerations(m, w)
    for b in range(1, n + 1):
        v, p, q, r = twist_at(m, b), body[b, a + 3], body[b, a + 4], body[b, a + 5]
        if m.settings[OWN_AXES]:
            p, q, r = in_own_axes(body, b, p, q, r)
        for c in range(3):
            y[v + c] += body[b, a + c]
        y[v + 3], y[v + 4], y[v + 5] = y[v + 3] + p, y[v + 4] + q, y[v + 5] + r
