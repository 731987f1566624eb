"""Loads on hubs (hubs.py): what accelerations of bodies that very many joints push do to efforts, and the other way.

    ΔE_i − Σ_j (h A_ij E_v + h² (A²)_ij E_q) (W ΔF_j + a_j) = …,   a − Σ_k W_kᵀ ΔF_k = 0

W is what the load moves besides the hub. Slopes by the velocities and positions of a hub are differences, as others of
loads (load_stages.py), and stand in lines of D, six velocities to a line.
"""

from __future__ import annotations

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.dynamics.arrays import EFFORT_AT
from gudgeon.kernels.dynamics.force_pattern import (
    COLUMN,
    FROM_HUB,
    GRIP,
    HUB,
    HUB_AT,
    HUB_SLOPES,
    NODE,
    NODE_AT,
    SIZE,
    TO_HUB,
    W_AT,
    WITHIN,
)
from gudgeon.kernels.dynamics.response import is_active, pushing, unknowns_of


@inlined
def hub_slope(m, r, k, g, which, row, d):
    """What velocity d of the hub of grip g, or a position, does to effort `row` of load k."""
    lines = r.response.pattern.node[r.response.pattern.grip[g, HUB], SIZE] // 6
    line = r.response.pattern.grip[g, HUB_SLOPES] + (which * unknowns_of(m, k) + row) * lines
    return r.response.D[line + d // 6, d % 6]


@called
def write_hub_slopes(m, w, r, hub, d, which, step):
    """The change of the efforts to the lines of D of all loads on a hub, whose velocity or position d has changed."""
    p, joints = r.response.pattern, m.compliant.shape[0]
    for k in range(joints, joints + m.effort.shape[0]):
        for g in range(p.joint[k, GRIP], p.joint[k + 1, GRIP]):
            if p.grip[g, HUB] == hub and is_active(m, w, k):
                lines, rows, at = p.node[hub, SIZE] // 6, unknowns_of(m, k), m.effort[k - joints, EFFORT_AT]
                for row in range(rows):
                    line = p.grip[g, HUB_SLOPES] + (which * rows + row) * lines + d // 6
                    r.response.D[line, d % 6] = (r.loads.moved[at + row] - r.loads.base[at + row]) / step


@called
def by_way_of_hubs(m, r, k, o, which, row, c):
    """What the unit force c of line o does to effort `row` of load k through the hubs that both are on."""
    p, value = r.response.pattern, 0.0
    width = p.joint[o + 1, COLUMN] - p.joint[o, COLUMN]
    for g in range(p.joint[k, GRIP], p.joint[k + 1, GRIP]):
        for e in range(p.joint[o, GRIP], p.joint[o + 1, GRIP]):
            if p.grip[g, HUB] == p.grip[e, HUB] and p.grip[e, HUB_AT] >= 0:
                at = p.joint[o, W_AT] + c * width + p.grip[e, HUB_AT]
                for d in range(p.node[p.grip[g, HUB], SIZE]):
                    value += hub_slope(m, r, k, g, which, row, d) * r.response.W[at + d]
    return value


@called
def add_hubs_of_load(m, r, k, h):
    """The blocks of Newton's matrix between load k and its hubs."""
    stages, p = r.A.shape[0], r.response.pattern
    rows, within, size = unknowns_of(m, k), p.joint[k, WITHIN], p.node[p.joint[k, NODE], SIZE]
    columns = p.joint[k + 1, COLUMN] - p.joint[k, COLUMN]
    for g in range(p.joint[k, GRIP], p.joint[k + 1, GRIP]):
        width = p.node[p.grip[g, HUB], SIZE]
        for i in range(stages):
            line = stages * p.grip[g, FROM_HUB] + i * size + within
            for j in range(stages):
                hp, hv = h * h * r.A2[i, j], h * r.A[i, j]
                for row in range(rows):
                    for d in range(width):
                        x = hv * hub_slope(m, r, k, g, 0, row, d) + hp * hub_slope(m, r, k, g, 1, row, d)
                        r.matrix[line + row, j * width + d] -= x
            at = p.joint[k, W_AT] + p.grip[g, HUB_AT]
            for c in range(pushing(m, k) if p.grip[g, HUB_AT] >= 0 else 0):
                for d in range(width):
                    r.matrix[stages * p.grip[g, TO_HUB] + i * width + d, i * size + within + c] = -r.response.W[at + d]
                at += columns


@called
def shift_by_hubs(m, r, k, h):
    """Move the efforts of load k at all stages by what the change of its hubs' accelerations in `r.x` does."""
    stages, p, rows = r.A.shape[0], r.response.pattern, unknowns_of(m, k)
    first = m.effort[k - m.compliant.shape[0], EFFORT_AT]
    for g in range(p.joint[k, GRIP], p.joint[k + 1, GRIP]):
        n, width = p.grip[g, HUB], p.node[p.grip[g, HUB], SIZE]
        for j in range(stages):
            at = stages * p.node[n, NODE_AT] + j * width
            for row in range(rows):
                by_velocity = by_position = 0.0
                for d in range(width):
                    by_velocity += hub_slope(m, r, k, g, 0, row, d) * r.x[at + d]
                    by_position += hub_slope(m, r, k, g, 1, row, d) * r.x[at + d]
                for i in range(stages):
                    change = h * r.A[i, j] * by_velocity + h * h * r.A2[i, j] * by_position
                    r.loads.effort[i, first + row] += change


@called
def add_hubs_of_load_to_filter(m, r, k, hg):
    """The same blocks of the filter of the error (radau_error.py), whose hubs have changes of velocities."""
    p = r.response.pattern
    within, columns = p.joint[k, WITHIN], p.joint[k + 1, COLUMN] - p.joint[k, COLUMN]
    for g in range(p.joint[k, GRIP], p.joint[k + 1, GRIP]):
        width = p.node[p.grip[g, HUB], SIZE]
        for row in range(unknowns_of(m, k)):
            for d in range(width):
                x = hub_slope(m, r, k, g, 0, row, d) + hg * hub_slope(m, r, k, g, 1, row, d)
                r.matrix[p.grip[g, FROM_HUB] + within + row, d] -= x
        at = p.joint[k, W_AT] + p.grip[g, HUB_AT]
        for c in range(pushing(m, k) if p.grip[g, HUB_AT] >= 0 else 0):
            for d in range(width):
                r.matrix[p.grip[g, TO_HUB] + d, within + c] -= hg * r.response.W[at + d]
            at += columns
