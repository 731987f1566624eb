"""The implicit part of a step: forces of the compliant joints at all stages, by Newton's method on the forces alone.

For given joint forces F the constrained accelerations are a₀ + W F, slow in everything but F. A change ΔF of the stage
forces changes the relative motion of the joints at stage i by

    Δu_i = h Σ_j A_ij D ΔF_j,   Δe_i = h² Σ_j (A²)_ij D ΔF_j,   D = G W

(G: relative velocity of the bodies' points at X, and relative angular velocity where a joint has torques), so that the
laws φ close the system in the forces: F_i + ΔF_i = φ(e_i + Δe_i, u_i + Δu_i). Its size is the number of stages times
the joint forces of an island; the bodies do not appear. Derivatives of φ come from differences in the joint's own
motion. A rate ζ of bristles is one more "force": it moves nothing but its own bristles, ż = ζ.
"""

from __future__ import annotations

from math import inf, sqrt

from gudgeon.kernels.absolute import correct
from gudgeon.kernels.arrays import (
    ACCELERATION,
    ARM_OF,
    BALL,
    BRISTLE,
    BRISTLES,
    CHILD,
    CLEARANCE,
    DRY,
    ECCENTRICITY,
    FLIGHT,
    FORCE_ON_BALL,
    FREE_ACCELERATION,
    FREE_PATH,
    IN_SOCKET,
    INVERSE_MASS,
    KIND,
    LINK_CENTRE,
    LINK_FORCE,
    LOCAL_COLUMNS,
    MODE,
    OMEGA_BALL,
    PARENT,
    POSITION,
    RATE_OF,
    ROW,
    ROWS,
    SOCKET,
    SURFACE,
    TREE_BODY,
    TURN,
    UNKNOWN,
    UNKNOWNS,
    WORLD_TENSOR,
)
from gudgeon.kernels.compiled import called, inlined
from gudgeon.kernels.compliant import law_force, local_motion, surface_slopes
from gudgeon.kernels.elimination import solve
from gudgeon.kernels.poses import kinematics
from gudgeon.kernels.relative import solve_tree
from gudgeon.kernels.rotation import cross, rotated
from gudgeon.kernels.sweep import clear_accelerations, clear_forces, efforts_of_forces
from gudgeon.kernels.vectors import get, plus, put, vector_product

INNER = 12  # iterations on the forces within a sweep, at most
FORCE_TOLERANCE = 1e-10  # relative change of the forces that ends them


@inlined
def is_active(m, w, k):
    """Can joint k push at all in its present mode?"""
    kind = m.compliant[k, KIND]
    return (kind != DRY and kind != SURFACE) or w.contact[k, MODE] != FLIGHT


@inlined
def any_active(m, w):
    """Can any joint push?"""
    for k in range(m.compliant.shape[0]):
        if is_active(m, w, k):
            return True
    return False


@inlined
def arms(m, w, k):
    """The point X of joint k from the centres of mass of its two bodies, as held in `w`."""
    i, j, body = m.compliant[k, SOCKET], m.compliant[k, BALL], w.body
    sx, sy, sz = rotated(body, i, m.compliant_vector, k, IN_SOCKET)
    sx, sy, sz = sx + w.force[k, ARM_OF], sy + w.force[k, ARM_OF + 1], sz + w.force[k, ARM_OF + 2]
    dx, dy, dz = body[i, POSITION], body[i, POSITION + 1], body[i, POSITION + 2]
    dx, dy, dz = dx - body[j, POSITION], dy - body[j, POSITION + 1], dz - body[j, POSITION + 2]
    return sx, sy, sz, sx + dx, sy + dy, sz + dz


@inlined
def unit_push(m, w, b, sign, torque, c, ax, ay, az):
    """The free acceleration of body b under a unit force (at the arm a) or torque along axis c."""
    if b == 0:
        return
    body, v = w.body, WORLD_TENSOR
    x, y, z = (1.0 if c == 0 else 0.0), (1.0 if c == 1 else 0.0), (1.0 if c == 2 else 0.0)
    if not torque:
        body[b, ACCELERATION + c] = sign * m.body[b, INVERSE_MASS]
        x, y, z = cross(ax, ay, az, x, y, z)
    for d in range(3):
        p = v + 3 * d
        body[b, ACCELERATION + 3 + d] = sign * (body[b, p] * x + body[b, p + 1] * y + body[b, p + 2] * z)


@inlined
def rows_of_accelerations(m, w):
    """J a of the accelerations held in `w`, into the multipliers."""
    J, body = w.jacobian, w.body
    w.multiplier[:] = 0.0
    for k in range(m.block.shape[0]):
        i, j, first = m.block[k, PARENT], m.block[k, CHILD], m.block[k, ROW]
        for r in range(first, first + m.block[k, ROWS]):
            x = 0.0
            for c in range(6):
                x += J[2 * r, c] * body[i, ACCELERATION + c] + J[2 * r + 1, c] * body[j, ACCELERATION + c]
            w.multiplier[r] = x


@inlined
def relative(m, r, k, c, x):
    """Row c of G for joint k times the velocities x."""
    return relative_of(m.pair, m.tree, m, r, k, c, x)


@inlined
def relative_of(bodies, tree, m, r, k, c, x):
    """The branch of the formulation."""
    value = 0.0
    if bodies is not None:
        value = relative_of_bodies(m, r, k, c, x)
    if tree is not None:
        row = m.compliant[k, UNKNOWN] + c
        for d in range(x.shape[0]):
            value += r.G[row, d] * x[d]
    return value


@inlined
def relative_of_bodies(m, r, k, c, x):
    """The same where x are the velocities of the bodies."""
    value = 0.0
    i, j, arm = m.compliant[k, SOCKET], m.compliant[k, BALL], r.arm
    for side in range(2):
        b, sign, a = (j, 1.0, 3) if side else (i, -1.0, 0)
        if b > 0:
            at = 6 * (b - 1)
            if c < 3:
                p, q = (c + 1) % 3, (c + 2) % 3
                turn = x[at + 3 + p] * arm[k, a + q] - x[at + 3 + q] * arm[k, a + p]
                value += sign * (x[at + c] + turn)
            else:
                value += sign * x[at + c]
    return value


@inlined
def answer_of_bodies(m, w, r, k, c, column):
    """W of the unit force c of joint k in absolute coordinates: what all bodies do."""
    body = w.body
    body[:, ACCELERATION : ACCELERATION + 6] = 0.0
    unit_push(m, w, m.compliant[k, SOCKET], -1.0, c >= 3, c % 3, r.arm[k, 0], r.arm[k, 1], r.arm[k, 2])
    unit_push(m, w, m.compliant[k, BALL], 1.0, c >= 3, c % 3, r.arm[k, 3], r.arm[k, 4], r.arm[k, 5])
    if w.row.shape[0] > 0:
        rows_of_accelerations(m, w)
        solve(m, w, w.multiplier)
        correct(m, w, w.multiplier)
    for b in range(1, m.body.shape[0]):
        for d in range(6):
            r.W[column, 6 * (b - 1) + d] = body[b, ACCELERATION + d]


@called
def answer_of_tree(m, w, r, k, c, column, active):
    """G and W of the unit force c of joint k in relative coordinates: what all freedoms feel and do."""
    tree_push(m, w, k, c, r.arm)
    efforts_of_forces(m, w, r.G[column])
    if active:
        tree_push(m, w, k, c, r.arm)
        clear_accelerations(m, w)
        w.multiplier[:] = 0.0
        solve_tree(m, w, w.multiplier, 0.0)
        for d in range(m.velocity.shape[0]):
            r.W[column, d] = w.freedom[d, FREE_ACCELERATION]


@inlined
def tree_push(m, w, k, c, arm):
    """A unit force (at X) or torque of joint k along axis c alone, as what holds the links still."""
    clear_forces(m, w)
    for g in range(1, m.tree.shape[0]):
        for side in range(2):
            if m.tree[g, TREE_BODY] == m.compliant[k, SOCKET + side * (BALL - SOCKET)]:
                sign = -1.0 if side else 1.0  # what holds still is opposite to what pushes
                axis = (sign if c % 3 == 0 else 0.0, sign if c % 3 == 1 else 0.0, sign if c % 3 == 2 else 0.0)
                torque = axis
                if c < 3:
                    put(w.link, g, LINK_FORCE, axis)
                    torque = vector_product(plus(get(w.link, g, LINK_CENTRE), get(arm, k, 3 * side)), axis)
                put(w.link, g, LINK_FORCE + 3, torque)


@inlined
def answer(bodies, tree, m, w, r, k, c, column, active):
    """The branch of the formulation."""
    if bodies is not None:  # noqa: SIM102 (see poses.py)
        if active:
            answer_of_bodies(m, w, r, k, c, column)
    if tree is not None:
        answer_of_tree(m, w, r, k, c, column, active)


@inlined
def compliance(m, w, r):
    """W and D at the state last evaluated in `w`, which is ready to be solved for other forces."""
    r.W[:] = 0.0
    r.D[:] = 0.0
    for k in range(m.compliant.shape[0]):
        r.arm[k, 0], r.arm[k, 1], r.arm[k, 2], r.arm[k, 3], r.arm[k, 4], r.arm[k, 5] = arms(m, w, k)
        active = is_active(m, w, k)
        for c in range(m.compliant[k, UNKNOWNS]):
            column = m.compliant[k, UNKNOWN] + c
            if c >= 3 and m.compliant[k, BRISTLE] >= 0:
                r.D[column, column] = 1.0 if active else 0.0
            else:
                answer(m.pair, m.tree, m, w, r, k, c, column, active)
    for k in range(m.compliant.shape[0]):
        if is_active(m, w, k):
            for c in range(3 if m.compliant[k, BRISTLE] >= 0 else m.compliant[k, UNKNOWNS]):
                row = m.compliant[k, UNKNOWN] + c
                for column in range(r.W.shape[0]):
                    r.D[row, column] = relative(m, r, k, c, r.W[column])


@inlined
def moved(m, k, c, position):
    """Which column of `local` component c of the relative motion of joint k is; −1: none."""
    if c < 3:
        return ECCENTRICITY + c if position else RATE_OF + c
    if m.compliant[k, BRISTLE] >= 0:
        return -1 if position else BRISTLES + c - 3
    return TURN + c - 3 if position else OMEGA_BALL + c - 3


@inlined
def increments(m, w, k, trial):
    """Small changes of position and velocity for the derivatives of the law of joint k."""
    local, V = w.local, m.compliant_vector
    ex, ey, ez = local[trial, ECCENTRICITY], local[trial, ECCENTRICITY + 1], local[trial, ECCENTRICITY + 2]
    vx, vy, vz = local[trial, RATE_OF], local[trial, RATE_OF + 1], local[trial, RATE_OF + 2]
    e, v = sqrt(ex * ex + ey * ey + ez * ez), sqrt(vx * vx + vy * vy + vz * vz)
    size = e
    if V[k, CLEARANCE] < inf:
        room = V[k, CLEARANCE] - e
        if m.compliant[k, KIND] == DRY:
            size = max(abs(V[k, FREE_PATH] - e), 1e-4 * V[k, CLEARANCE])
        else:
            size = min(e, abs(room))
    return 1e-5 * size + 1e-16, 1e-6 * v + 1e-10


@inlined
def law_derivatives(m, w, r, k, i):
    """∂φ/∂(position) and ∂φ/∂(velocity) of joint k at stage i by differences, into `r.phi_p` and `r.phi_v`.

    Surfaces sum the derivatives of their points' laws instead.
    """
    trial, count = m.compliant.shape[0], m.compliant[k, UNKNOWNS]
    local, force = w.local, w.force
    for c in range(LOCAL_COLUMNS):
        local[trial, c] = r.motion[i, k, c]
    if m.compliant[k, KIND] == SURFACE:
        at = 8 * 36 * (i * trial + k)
        surface_slopes(m, w, k, trial, r.phi_p.ctypes.data + at, r.phi_v.ctypes.data + at)
        return
    small_p, small_v = increments(m, w, k, trial)
    law_force(m, w, k, trial, trial)
    for c in range(count):
        r.base[c] = force[trial, FORCE_ON_BALL + c]
    for which in range(2):
        for c in range(count):
            column = moved(m, k, c, which == 0)
            if column < 0:
                for d in range(count):
                    r.phi_p[i, k, d, c] = 0.0
                continue
            small = small_p if which == 0 else small_v
            if c >= 3:
                small = 1e-7 if m.compliant[k, BRISTLE] < 0 else 1e-9 + 1e-6 * abs(local[trial, column])
            kept = local[trial, column]
            local[trial, column] = kept + small
            law_force(m, w, k, trial, trial)
            local[trial, column] = kept
            for d in range(count):
                slope = (force[trial, FORCE_ON_BALL + d] - r.base[d]) / small
                if which == 0:
                    r.phi_p[i, k, d, c] = slope
                else:
                    r.phi_v[i, k, d, c] = slope


@inlined
def factorise_dense(matrix, pivot, n):
    """LU with row exchanges, in place."""
    for k in range(n):
        best, at = abs(matrix[k, k]), k
        for i in range(k + 1, n):
            if abs(matrix[i, k]) > best:
                best, at = abs(matrix[i, k]), i
        pivot[k] = at
        if at != k:
            for j in range(n):
                matrix[k, j], matrix[at, j] = matrix[at, j], matrix[k, j]
        inverse = 1.0 / matrix[k, k]
        for i in range(k + 1, n):
            x = matrix[i, k] * inverse
            matrix[i, k] = x
            if x != 0.0:
                for j in range(k + 1, n):
                    matrix[i, j] -= x * matrix[k, j]


@inlined
def solve_dense(matrix, pivot, n, x):
    """Overwrite x by the solution with the factors of `factorise_dense`."""
    for k in range(n):
        at = pivot[k]
        if at != k:
            x[k], x[at] = x[at], x[k]
    for i in range(1, n):
        y = x[i]
        for j in range(i):
            y -= matrix[i, j] * x[j]
        x[i] = y
    for i in range(n - 1, -1, -1):
        y = x[i]
        for j in range(i + 1, n):
            y -= matrix[i, j] * x[j]
        x[i] = y / matrix[i, i]


@inlined
def newton_matrix(m, w, r, h, island):
    """I − ∂φ/∂F of an island, stage by stage, factorised; the unknowns of stage i come together."""
    stages, size = r.A.shape[0], r.island_size[island]
    first, last = r.island_start[island], r.island_start[island + 1]
    for i in range(stages):
        at_row = i * size
        for p in range(first, last):
            k = r.island_joint[p]
            rows, row = m.compliant[k, UNKNOWNS], m.compliant[k, UNKNOWN]
            for j in range(stages):
                hp, hv = h * h * r.A2[i, j], h * r.A[i, j]
                at_column = j * size
                for q in range(first, last):
                    o = r.island_joint[q]
                    column = m.compliant[o, UNKNOWN]
                    for d in range(m.compliant[o, UNKNOWNS]):
                        for c in range(rows):
                            x = 1.0 if i == j and k == o and c == d else 0.0
                            for e in range(rows):
                                slope = hp * r.phi_p[i, k, c, e] + hv * r.phi_v[i, k, c, e]
                                x -= slope * r.D[row + e, column + d]
                            r.matrix[at_row + c, at_column + d] = x
                    at_column += m.compliant[o, UNKNOWNS]
            at_row += rows
    factorise_dense(r.matrix, r.pivot, stages * size)


@inlined
def shift(m, r, h, island):
    """Move the joints' motions at all stages by what the change `r.x` of the island's forces does."""
    stages, size = r.A.shape[0], r.island_size[island]
    first, last = r.island_start[island], r.island_start[island + 1]
    for i in range(stages):  # D ΔF_i into r.z
        for p in range(first, last):
            k = r.island_joint[p]
            for c in range(m.compliant[k, UNKNOWNS]):
                row = m.compliant[k, UNKNOWN] + c
                x, at = 0.0, i * size
                for q in range(first, last):
                    o = r.island_joint[q]
                    for d in range(m.compliant[o, UNKNOWNS]):
                        x += r.D[row, m.compliant[o, UNKNOWN] + d] * r.x[at]
                        at += 1
                r.z[i, row] = x
    for i in range(stages):
        for p in range(first, last):
            k = r.island_joint[p]
            for c in range(m.compliant[k, UNKNOWNS]):
                row = m.compliant[k, UNKNOWN] + c
                position = velocity = 0.0
                for j in range(stages):
                    velocity += r.A[i, j] * r.z[j, row]
                    position += r.A2[i, j] * r.z[j, row]
                column = moved(m, k, c, False)
                r.local[i, k, column] += h * velocity
                column = moved(m, k, c, True)
                if column >= 0:
                    r.local[i, k, column] += h * h * position


@inlined
def motion_at_stages(m, w, r):
    """The joints' motions at the stage states held in `r.y`, into `r.local`."""
    for i in range(r.A.shape[0]):
        kinematics(m, w, r.y[i])
        for k in range(m.compliant.shape[0]):
            local_motion(m, w, k, r.y[i])
            for c in range(LOCAL_COLUMNS):
                r.local[i, k, c] = w.local[k, c]


@inlined
def law_at(m, w, r, motion, i, k):
    """The law of joint k for its motion at stage i, into the trial line of `force`."""
    trial = m.compliant.shape[0]
    for c in range(LOCAL_COLUMNS):
        w.local[trial, c] = motion[i, k, c]
    law_force(m, w, k, trial, trial)


@inlined
def linearised(m, w, r, i, k, c):
    """Component c of the law of joint k at stage i, known with derivatives at `r.motion`, at the motion `r.local`."""
    x = w.force[m.compliant.shape[0], FORCE_ON_BALL + c]
    for d in range(m.compliant[k, UNKNOWNS]):
        column = moved(m, k, d, False)
        x += r.phi_v[i, k, c, d] * (r.local[i, k, column] - r.motion[i, k, column])
        column = moved(m, k, d, True)
        if column >= 0:
            x += r.phi_p[i, k, c, d] * (r.local[i, k, column] - r.motion[i, k, column])
    return x


@inlined
def keep_motion(r, first, last):
    """Linearise the laws of an island at the present motion from now on."""
    for i in range(r.A.shape[0]):
        for p in range(first, last):
            k = r.island_joint[p]
            for c in range(LOCAL_COLUMNS):
                r.motion[i, k, c] = r.local[i, k, c]


@inlined
def solve_forces(m, w, r, h, first_sweep):
    """Newton's method on the forces of all islands at the stage states held in `r.y`; the change into `r.dF`.

    The laws are linearised at `r.motion`, a guess of the relative motion, not at the motion of the stage states: with
    stiff joints that one is far off until the forces are right. Returns the last relative change of the forces, which
    is not small where the iteration goes round in circles (over the kink of friction); −1 if a law gave no number.
    """
    stages, joints = r.A.shape[0], m.compliant.shape[0]
    unsettled = 0.0
    motion_at_stages(m, w, r)
    r.dF[:] = 0.0
    for island in range(r.island_size.shape[0]):
        first, last, size = r.island_start[island], r.island_start[island + 1], r.island_size[island]
        active = False
        for p in range(first, last):
            active |= is_active(m, w, r.island_joint[p])
        if not active:
            continue
        refresh = first_sweep or r.island_size.shape[0] > 1
        before, change, largest = inf, 0.0, 0.0
        for inner in range(INNER):
            if refresh:
                for p in range(first, last):
                    for i in range(stages):
                        law_derivatives(m, w, r, r.island_joint[p], i)
                newton_matrix(m, w, r, h, island)
                refresh = False
            at = 0
            for i in range(stages):
                for p in range(first, last):
                    k = r.island_joint[p]
                    law_at(m, w, r, r.motion if inner == 0 else r.local, i, k)
                    for c in range(m.compliant[k, UNKNOWNS]):
                        row = m.compliant[k, UNKNOWN] + c
                        x = linearised(m, w, r, i, k, c) if inner == 0 else w.force[joints, FORCE_ON_BALL + c]
                        r.x[at] = x - r.F[i + 1, row] - r.dF[i, row]
                        at += 1
            solve_dense(r.matrix, r.pivot, stages * size, r.x)
            change = largest = 0.0
            at = 0
            for i in range(stages):
                for p in range(first, last):
                    k = r.island_joint[p]
                    for c in range(m.compliant[k, UNKNOWNS]):
                        row = m.compliant[k, UNKNOWN] + c
                        r.dF[i, row] += r.x[at]
                        change = max(change, abs(r.x[at]))
                        largest = max(largest, abs(r.F[i + 1, row] + r.dF[i, row]))
                        if not abs(r.x[at]) < inf:
                            return -1.0
                        at += 1
            shift(m, r, h, island)
            if inner > 0:
                if change <= FORCE_TOLERANCE * largest:
                    break
                refresh = change > 0.05 * before
            before = change
            if refresh:
                keep_motion(r, first, last)
        keep_motion(r, first, last)
        if change > unsettled * largest:
            unsettled = change / largest
    return unsettled
