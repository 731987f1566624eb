"""The implicit part of a step: forces of the compliant joints at all stages, by Newton's method on the forces alone.

For given joint forces F the constrained accelerations are a₀ + W F, slow in everything but F. A change ΔF of the stage
forces changes the relative motion of the joints at stage i by

    Δu_i = h Σ_j A_ij D ΔF_j,   Δe_i = h² Σ_j (A²)_ij D ΔF_j,   D = G W

(G: relative velocity of the bodies' points at X, and relative angular velocity where a joint has torques), so that the
laws φ close the system in the forces: F_i + ΔF_i = φ(e_i + Δe_i, u_i + Δu_i). Its size is the number of stages times
the joint forces of an island; the bodies do not appear, and a joint meets only those that feel its forces. Derivatives
of φ come from differences in the joint's own motion. A rate ζ of bristles is one more "force": it moves nothing but its
own bristles, ż = ζ. Loads that depend on the motion are lines too (load_stages.py). Friction in an ideal joint also
depends on reactions, which forces change at once: Δℓ_i = R ΔF_i.
"""

from __future__ import annotations

from math import inf

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.dynamics.arrays import (
    FORCE_ON_BALL,
    LOAD,
    LOCAL_COLUMNS,
    RUB,
    RUB_SLIDES,
    UNKNOWN,
    UNKNOWNS,
)
from gudgeon.kernels.dynamics.engine import efforts_of_loads, kinematics, law_force, local_motion
from gudgeon.kernels.dynamics.force_pattern import BLOCK, COLUMN_JOINT, D_AT, GRIP, NODE, NODE_AT, PAIR, SIZE, WITHIN
from gudgeon.kernels.dynamics.response import first_unknown, is_active, is_load, is_state, unknowns_of
from gudgeon.kernels.elements.law_slopes import law_derivatives, moved
from gudgeon.kernels.integrators.block_lu import clear_blocks, factorise_blocks, place_of, solve_blocks
from gudgeon.kernels.integrators.hubs import add_hub_motion, add_hubs
from gudgeon.kernels.integrators.load_stages import add_load, any_solved, effort_left, shift_load

INNER = 12  # iterations on the forces within a sweep, at most
FORCE_TOLERANCE = 1e-10  # relative change of the forces that ends them


@inlined
def newton_matrix(m, w, r, h, island):
    """I − ∂φ/∂F of an island, factorised."""
    stages, p = r.A.shape[0], r.response.pattern
    first, last = p.island_node[island], p.island_node[island + 1]
    clear_blocks(p, r.matrix, stages, first, last)
    for each in range(p.island[island], p.island[island + 1]):
        k = p.island_joint[each]
        if is_load(m, k):
            add_load(m, w, r, k, h)
            continue
        rows, within, size = m.compliant[k, UNKNOWNS], p.joint[k, WITHIN], p.node[p.joint[k, NODE], SIZE]
        for i in range(stages):
            for j in range(stages):
                hp, hv = h * h * r.A2[i, j], h * r.A[i, j]
                for c in range(rows):
                    for e in range(rows):
                        r.slope[c, e] = hp * r.phi_p[i, k, c, e] + hv * r.phi_v[i, k, c, e]
                for q in range(p.joint[k, PAIR], p.joint[k + 1, PAIR]):
                    o, line = p.pair[q, COLUMN_JOINT], p.pair[q, D_AT]
                    at_row = stages * p.pair[q, BLOCK] + i * size + within
                    at_column = j * p.node[p.joint[o, NODE], SIZE] + p.joint[o, WITHIN]
                    columns = unknowns_of(m, o)
                    for c in range(rows):
                        for d in range(columns):
                            x = r.matrix[at_row + c, at_column + d]
                            for e in range(rows):
                                x -= r.slope[c, e] * r.response.D[line + e, d]
                            r.matrix[at_row + c, at_column + d] = x
        if m.compliant[k, RUB] >= 0:
            add_reactions(m, r, k)
        if p.joint[k + 1, GRIP] > p.joint[k, GRIP] and is_active(m, w, k):
            add_hubs(m, r, k, h)
    factorise_blocks(p, r.matrix, r.pivot, stages, first, last)


@called
def add_reactions(m, r, k):
    """What the forces do to friction in an ideal joint at once, by its reactions: blocks of Newton's matrix."""
    stages, p, a = r.A.shape[0], r.response.pattern, m.compliant[k, RUB]
    within, size = p.joint[k, WITHIN], p.node[p.joint[k, NODE], SIZE]
    for i in range(stages):
        for q in range(p.joint[k, PAIR], p.joint[k + 1, PAIR]):
            o = p.pair[q, COLUMN_JOINT]
            at_row = stages * p.pair[q, BLOCK] + i * size + within
            at_column = i * p.node[p.joint[o, NODE], SIZE] + p.joint[o, WITHIN]
            for c in range(m.compliant[k, RUB_SLIDES]):
                for d in range(unknowns_of(m, o)):
                    for e in range(6):
                        x = r.phi_r[i, a, c, e] * r.response.R[6 * a + e, first_unknown(m, o) + d]
                        r.matrix[at_row + c, at_column + d] -= x


@called
def shift_loads(m, r, k):
    """Change the loads of an ideal joint that rubs, at all stages, by what the change `r.x` of the forces does."""
    stages, p, a = r.A.shape[0], r.response.pattern, m.compliant[k, RUB]
    for i in range(stages):
        for q in range(p.joint[k, PAIR], p.joint[k + 1, PAIR]):
            o = p.pair[q, COLUMN_JOINT]
            at = place_of(p, o, i, stages)
            for d in range(unknowns_of(m, o)):
                for e in range(6):
                    r.local[i, k, LOAD + e] += r.response.R[6 * a + e, first_unknown(m, o) + d] * r.x[at + d]


@inlined
def shift(m, w, r, h, island):
    """Move the joints' motions at all stages by what the change `r.x` of the island's forces does."""
    stages, p = r.A.shape[0], r.response.pattern
    for each in range(p.island[island], p.island[island + 1]):
        k = p.island_joint[each]
        if is_load(m, k):
            shift_load(m, w, r, k, h)
            continue
        first, rows = m.compliant[k, UNKNOWN], m.compliant[k, UNKNOWNS]
        for i in range(stages):  # D ΔF_i into r.z
            for c in range(rows):
                r.z[i, first + c] = 0.0
            for q in range(p.joint[k, PAIR], p.joint[k + 1, PAIR]):
                o, line = p.pair[q, COLUMN_JOINT], p.pair[q, D_AT]
                at = place_of(p, o, i, stages)
                change, D = r.x[at : at + unknowns_of(m, o)], r.response.D[line : line + rows]
                for c in range(rows):
                    x = r.z[i, first + c]
                    for d in range(change.shape[0]):
                        x += D[c, d] * change[d]
                    r.z[i, first + c] = x
        if p.joint[k + 1, GRIP] > p.joint[k, GRIP] and is_active(m, w, k):
            add_hub_motion(m, r, k)
        for i in range(stages):
            for c in range(rows):
                row = first + c
                position = velocity = 0.0
                for j in range(stages):
                    velocity += r.A[i, j] * r.z[j, row]
                    position += r.A2[i, j] * r.z[j, row]
                column = moved(m, k, c, False)
                r.local[i, k, column] += h * velocity
                column = moved(m, k, c, True)
                if column >= 0:
                    r.local[i, k, column] += h * h * position
        if m.compliant[k, RUB] >= 0:
            shift_loads(m, r, k)


@inlined
def motion_at_stages(m, w, r, t, h):
    """The joints' motions at the stage states held in `r.y`, into `r.local`; the efforts of loads there."""
    loads = any_solved(m, w)
    for i in range(r.A.shape[0]):
        kinematics(m, w, r.y[i])
        if loads:
            efforts_of_loads(m, w, t + r.c[i] * h, r.y[i], r.loads.effort[i])
        for k in range(m.compliant.shape[0]):
            local_motion(m, w, k, r.y[i])
            for c in range(LOCAL_COLUMNS):
                r.local[i, k, c] = w.local[k, c]
        for a in range(m.rubbing.shape[0]):  # as the accelerations, under the forces so far
            for e in range(6):
                r.local[i, m.rubbing[a], LOAD + e] = r.load[i, a, e]


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
    if m.compliant[k, RUB] >= 0 and c < 3:
        for e in range(6):
            change = r.local[i, k, LOAD + e] - r.motion[i, k, LOAD + e]
            x += r.phi_r[i, m.compliant[k, RUB], c, e] * change
    return x


@inlined
def keep_motion(m, r, first, last):
    """Linearise the laws of an island at the present motion from now on."""
    for i in range(r.A.shape[0]):
        for each in range(first, last):
            k = r.response.pattern.island_joint[each]
            for c in range(0 if is_load(m, k) else LOCAL_COLUMNS):
                r.motion[i, k, c] = r.local[i, k, c]


@called
def solve_forces(m, w, r, t, h, first_sweep):
    """Newton's method on the forces of all islands at the stage states held in `r.y`; the change into `r.dF`.

    The laws are linearised at `r.motion`, a guess of the relative motion, not at the motion of the stage states: with
    stiff joints that one is far off until the forces are right. Returns the last relative change of the forces, which
    is not small where the iteration goes round in circles (over the kink of friction); −1 if a law gave no number.
    """
    stages, joints, p = r.A.shape[0], m.compliant.shape[0], r.response.pattern
    unsettled = 0.0
    motion_at_stages(m, w, r, t, h)
    r.dF[:] = 0.0
    for island in range(p.island.shape[0] - 1):
        first, last = p.island[island], p.island[island + 1]
        first_node, last_node = p.island_node[island], p.island_node[island + 1]
        active = False
        for each in range(first, last):
            active |= is_active(m, w, p.island_joint[each])
        if not active:
            continue
        refresh = first_sweep
        before, change, largest = inf, 0.0, 0.0
        for inner in range(INNER):
            if refresh:
                for each in range(first, last):
                    for i in range(0 if is_load(m, p.island_joint[each]) else stages):
                        law_derivatives(m, w, r, p.island_joint[each], i)
                newton_matrix(m, w, r, h, island)
                refresh = False
            for at in range(stages * p.node[first_node, NODE_AT], stages * p.node[last_node, NODE_AT]):
                r.x[at] = 0.0
            for i in range(stages):
                for each in range(first, last):
                    k = p.island_joint[each]
                    at = place_of(p, k, i, stages)
                    if is_load(m, k):
                        effort_left(m, w, r, k, i, at)
                        continue
                    law_at(m, w, r, r.motion if inner == 0 else r.local, i, k)
                    for c in range(m.compliant[k, UNKNOWNS]):
                        row = m.compliant[k, UNKNOWN] + c
                        x = linearised(m, w, r, i, k, c) if inner == 0 else w.force[joints, FORCE_ON_BALL + c]
                        r.x[at + c] = x - r.F[i + 1, row] - r.dF[i, row]
            solve_blocks(p, r.matrix, r.pivot, stages, first_node, last_node, r.x)
            change = largest = 0.0
            for i in range(stages):
                for each in range(first, last):
                    k = p.island_joint[each]
                    at = place_of(p, k, i, stages)
                    for c in range(unknowns_of(m, k)):
                        row = first_unknown(m, k) + c
                        r.dF[i, row] += r.x[at + c]
                        if not is_state(m, k):  # rates of states have other units
                            change = max(change, abs(r.x[at + c]))
                            largest = max(largest, abs(r.F[i + 1, row] + r.dF[i, row]))
                        if not abs(r.x[at + c]) < inf:
                            return -1.0
            shift(m, w, r, h, island)
            if inner > 0:
                if change <= FORCE_TOLERANCE * largest:
                    break
                refresh = change > 0.05 * before
            before = change
            if refresh:
                keep_motion(m, r, first, last)
        keep_motion(m, r, first, last)
        if change > unsettled * largest:
            unsettled = change / largest
    return unsettled
