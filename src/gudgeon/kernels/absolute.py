"""Equations of motion in absolute coordinates.

    M v̇ + Φ_qᵀ λ = Q,   Φ_q v̇ = γ − 2αΦ̇ − β²Φ        (Baumgarte)

solved by the Schur complement: S λ = Φ_q M⁻¹ Q − (γ − 2αΦ̇ − β²Φ), S = Φ_q M⁻¹ Φ_qᵀ; then v̇ = M⁻¹ (Q − Φ_qᵀ λ).
The force of a constraint on its bodies is −Φ_qᵀ λ.
"""

from __future__ import annotations

from gudgeon.kernels.arrays import (
    ACCELERATION,
    ALPHA,
    APPLIED,
    BETA,
    CHILD,
    DIAGONAL,
    GAMMA,
    INVERSE_MASS,
    KIND,
    MEASURE,
    PARENT,
    PIVOT,
    POINTS,
    RATE,
    RESIDUAL,
    ROW,
    ROWS,
    WORLD_INVERSE,
)
from gudgeon.kernels.compiled import called, compiled, inlined
from gudgeon.kernels.compliant import compliant_rates, given_joint_forces, joint_forces
from gudgeon.kernels.elimination import factorise, schur_complement, solve, weight_rows
from gudgeon.kernels.loads import applied_forces, inertial_forces, start_turns, turn_rates
from gudgeon.kernels.rotation import kinematics, turn
from gudgeon.kernels.rows import block_rows

NEARLY_SINGULAR = 1e-4  # pivot against its diagonal


@inlined
def free_accelerations(m, w):
    """M⁻¹ Q, as if there were no joints."""
    body = w.body
    for b in range(1, m.body.shape[0]):
        c = m.body[b, INVERSE_MASS]
        x, y, z = body[b, APPLIED + 3], body[b, APPLIED + 4], body[b, APPLIED + 5]
        for k in range(3):
            v = WORLD_INVERSE + 3 * k
            body[b, ACCELERATION + k] = c * body[b, APPLIED + k]
            body[b, ACCELERATION + 3 + k] = body[b, v] * x + body[b, v + 1] * y + body[b, v + 2] * z


@inlined
def missing_acceleration(m, w, k):
    """What the free accelerations violate in block k, as the right-hand side for λ."""
    alpha, beta = m.settings[ALPHA], m.settings[BETA]
    J, body, row = w.jacobian, w.body, w.row
    i, j, first, kind = m.block[k, PARENT], m.block[k, CHILD], m.block[k, ROW], m.block[k, KIND]
    for r in range(first, first + m.block[k, ROWS]):
        x = 2.0 * alpha * row[r, RATE] + beta * beta * row[r, RESIDUAL] - row[r, GAMMA]
        y = 0.0
        for c in range(3):
            x += J[2 * r, 3 + c] * body[i, ACCELERATION + 3 + c]
            y += J[2 * r + 1, 3 + c] * body[j, ACCELERATION + 3 + c]
        if kind == POINTS:
            y += body[j, ACCELERATION + r - first] - body[i, ACCELERATION + r - first]
        elif kind >= MEASURE:
            for c in range(3):
                x += J[2 * r, c] * body[i, ACCELERATION + c]
                y += J[2 * r + 1, c] * body[j, ACCELERATION + c]
        w.multiplier[r] = x + y


@inlined
def correct(m, w, x):
    """Subtract M⁻¹ Jᵀ x from the accelerations of all moving bodies."""
    Y, body = w.weighted, w.body
    for k in range(m.block.shape[0]):
        first, rows = m.block[k, ROW], m.block[k, ROWS]
        for side in range(2):
            b = m.block[k, PARENT + side * (CHILD - PARENT)]
            if b > 0:
                z0 = z1 = z2 = z3 = z4 = z5 = 0.0
                for r in range(first, first + rows):
                    y = x[r]
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


@inlined
def accelerations(m, w, t, y):
    """Accelerations and multipliers of a state, into `w`."""
    kinematics(m, w, y)
    applied_forces(m, w, t, y)
    if m.compliant.shape[0] > 0:
        joint_forces(m, w, y)
    constrained_accelerations(m, w, t)


@called
def accelerations_under(m, w, t, y, unknown):
    """Accelerations and multipliers of a state with given forces of the compliant joints, into `w`."""
    kinematics(m, w, y)
    applied_forces(m, w, t, y)
    given_joint_forces(m, w, y, unknown)
    constrained_accelerations(m, w, t)


@inlined
def constrained_accelerations(m, w, t):
    """Accelerations and multipliers under the forces held in `w`."""
    free_accelerations(m, w)
    if w.row.shape[0] > 0:
        w.multiplier[:] = 0.0  # rows not in use too, which a failed evaluation may have spoilt
        for k in range(m.block.shape[0]):  # block by block, while its rows are in the cache
            block_rows(m, w, k, t)
            weight_rows(m, w, k)
            missing_acceleration(m, w, k)
        schur_complement(m, w)
        factorise(m, w)
        solve(m, w, w.multiplier)
        correct(m, w, w.multiplier)


@inlined
def state_rate(m, w, t, y, y_rate):
    """ẏ of the state y."""
    accelerations(m, w, t, y)
    n = m.body.shape[0] - 1
    for b in range(1, n + 1):
        q, v = 7 * (b - 1), 7 * n + 6 * (b - 1)
        e0, e1, e2, e3 = y[q + 3], y[q + 4], y[q + 5], y[q + 6]
        wx, wy, wz = y[v + 3], y[v + 4], y[v + 5]
        y_rate[q] = y[v]
        y_rate[q + 1] = y[v + 1]
        y_rate[q + 2] = y[v + 2]
        y_rate[q + 3] = 0.5 * (-wx * e1 - wy * e2 - wz * e3)
        y_rate[q + 4] = 0.5 * (wx * e0 + wy * e3 - wz * e2)
        y_rate[q + 5] = 0.5 * (wy * e0 + wz * e1 - wx * e3)
        y_rate[q + 6] = 0.5 * (wz * e0 + wx * e2 - wy * e1)
        for c in range(6):
            y_rate[v + c] = w.body[b, ACCELERATION + c]
    turn_rates(m, w, y_rate)
    compliant_rates(m, w, y_rate)


@compiled
def right_hand_side(m, w, t, y, y_rate):
    """`state_rate` as a function of its own: for callers where the cost of a call does not matter."""
    state_rate(m, w, t, y, y_rate)


@compiled
def prepare_rows(m, w, t, y):
    """Rows and factorised S of a state, without forces; returns the largest residual."""
    kinematics(m, w, y)
    inertial_forces(m, w)
    for k in range(m.block.shape[0]):
        block_rows(m, w, k, t)
        weight_rows(m, w, k)
    schur_complement(m, w)
    factorise(m, w)
    return largest(w.row, RESIDUAL)


@inlined
def largest(table, column):
    """The largest absolute value in a column."""
    value = 0.0
    for k in range(table.shape[0]):
        if not abs(table[k, column]) <= value:
            value = abs(table[k, column])
    return value


@inlined
def is_nearly_singular(w):
    """Do the rows last factorised nearly depend on each other?

    Where they do (redundant rows, or a position in which the mechanism may branch), residuals must be far smaller than
    what Baumgarte's feedback leaves: on θ s = Φ ≠ 0 a motion along θ turns into one along s.
    """
    for r in range(w.row.shape[0]):
        if w.row[r, PIVOT] < NEARLY_SINGULAR * w.row[r, DIAGONAL]:
            return True
    return False


@inlined
def copy_column(table, column, x):
    """x = table[:, column]."""
    for k in range(x.shape[0]):
        x[k] = table[k, column]


@compiled
def project(m, w, t, y, tolerance):
    """Move the state onto the constraints: positions by Newton's method, then velocities; mass-weighted."""
    n = m.body.shape[0] - 1
    x, body = w.multiplier, w.body
    residual = prepare_rows(m, w, t, y)
    for _ in range(5):
        if residual <= tolerance:
            break
        copy_column(w.row, RESIDUAL, x)
        solve(m, w, x)
        body[:, ACCELERATION : ACCELERATION + 6] = 0.0
        correct(m, w, x)
        for b in range(1, n + 1):
            q = 7 * (b - 1)
            for c in range(3):
                y[q + c] += body[b, ACCELERATION + c]
            turn(y, q + 3, body[b, ACCELERATION + 3], body[b, ACCELERATION + 4], body[b, ACCELERATION + 5])
        residual = prepare_rows(m, w, t, y)
    copy_column(w.row, RATE, x)
    solve(m, w, x)
    body[:, ACCELERATION : ACCELERATION + 6] = 0.0
    correct(m, w, x)
    for b in range(1, n + 1):
        v = 7 * n + 6 * (b - 1)
        for c in range(6):
            y[v + c] += body[b, ACCELERATION + c]


@compiled
def begin(m, w, t, y):
    """Rows of the state a run starts from, and its counted angles."""
    prepare_rows(m, w, t, y)
    start_turns(m, w, y)
