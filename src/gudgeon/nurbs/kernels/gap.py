"""The gap between two moving surfaces at every point of a grid on the first: eqs (10)–(16), (35), (38)–(45).

Warm, the corresponding point of the last call is followed by Newton's method; cold, all intersections are searched and
the nearest is taken. A followed point is the nearest if |h| ≤ r cos φ, with r the radius of two balls that touch the
surface there and hold none of it (Patches.reach) and φ the angle between line and normal: no other intersection is
within 2 r cos φ of this one along the line. Otherwise the search decides, as for a cold point.
"""

from __future__ import annotations

from math import inf, nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gudgeon.kernels.build.compiled import called, compiled, inlined
from gudgeon.nurbs.kernels.arrays import GROUP
from gudgeon.nurbs.kernels.bernstein import unit_normal
from gudgeon.nurbs.kernels.newton import follow, height_range
from gudgeon.nurbs.kernels.search import passes, search_patch, tolerance
from gudgeon.nurbs.kernels.trimming import is_kept

FOUND, MISSED, TRIMMED, BEYOND_WINDOW, FACES_AWAY = 0, 1, 2, 3, 4
REFERENCE_TRIMMED, NO_NORMAL, LIES_IN_SURFACE = 5, 6, 7
ROTATION, POSITION, VELOCITY, OMEGA = 0, 9, 12, 15  # places in a pose


class GapArrays(NamedTuple):
    """The results at every grid point."""

    gap: NDArray[np.float64]  # (point,) h [m]
    gap_rate: NDArray[np.float64]  # (point,) ḣ [m/s]
    xi: NDArray[np.float64]  # (point, 2) parameters of the corresponding point [-]
    point: NDArray[np.float64]  # (point, 3) reference point, world [m]
    corresponding: NDArray[np.float64]  # (point, 3) corresponding point, world [m]
    gap_vector: NDArray[np.float64]  # (point, 3) H, world [m]
    published_rate: NDArray[np.float64]  # (point, 3) dH/dt of eq (41), world [m/s]
    wall_reference: NDArray[np.float64]  # (point, 3) φ_r of eq (44) in the local basis [m/s]
    wall_corresponding: NDArray[np.float64]  # (point, 3) φ_c of eq (43) in the local basis [m/s]
    basis: NDArray[np.float64]  # (point, 3, 3) columns ê_ξ, κ ê_ζ, ê_η, world [-]
    reason: NDArray[np.int64]  # (point,) 0 where there is a corresponding point, otherwise why not
    patch: NDArray[np.int64]  # (point,) where Newton starts next time, -1: nowhere
    local: NDArray[np.float64]  # (point, 2) and at which parameters of that patch


class Work(NamedTuple):
    """Scratch of one thread."""

    coef: NDArray[np.float64]
    stack: NDArray[np.float64]
    box: NDArray[np.float64]
    basis: NDArray[np.float64]
    roots: NDArray[np.float64]
    at: NDArray[np.float64]  # (6, 4) a point and its derivatives
    line: NDArray[np.float64]  # (12,)
    order: NDArray[np.float64]  # (patch, 2) bound of |h| on each patch, and the patch
    tally: NDArray[np.int64]  # (2,) points followed, points searched


@inlined
def turned(pose, x, y, z):
    """World components of a vector given in the axes of a pose."""
    return (
        pose[0] * x + pose[1] * y + pose[2] * z,
        pose[3] * x + pose[4] * y + pose[5] * z,
        pose[6] * x + pose[7] * y + pose[8] * z,
    )


@inlined
def velocity(pose, x, y, z):
    """Velocity of the material point at the offset (x, y, z), world components, from a pose's origin."""
    v, w = VELOCITY, OMEGA
    return (
        pose[v] + pose[w + 1] * z - pose[w + 2] * y,
        pose[v + 1] + pose[w + 2] * x - pose[w] * z,
        pose[v + 2] + pose[w] * y - pose[w + 1] * x,
    )


@called
def fault(m, k, s, t, h, facing, low, high):
    """Why a root does not count: FOUND if it does. `facing` is side·(n_c·n), negative where the surfaces face."""
    if facing > 0.0:
        return FACES_AWAY
    if not low <= h <= high:
        return BEYOND_WINDOW
    if m.loop_outer.shape[0] > 0:
        count2 = m.break2.shape[0] - 1
        k1, k2 = k // count2, k % count2
        x = m.break1[k1] + s * (m.break1[k1 + 1] - m.break1[k1])
        y = m.break2[k2] + t * (m.break2[k2 + 1] - m.break2[k2])
        if not is_kept(m.loop, m.loop_start, m.loop_outer, x, y):
            return TRIMMED
    return FOUND


@called
def nearest(m, w, side, low, high, best):
    """The root with least |h| below `best` that counts: (reason, patch, s, t)."""
    line = w.line
    slack = tolerance(m, line)
    waiting = 0
    for group in range(m.group.shape[0]):
        if not passes(m.group, group, line, slack):
            continue
        for k in range(group * GROUP, min((group + 1) * GROUP, m.net.shape[0])):
            if passes(m.ball, k, line, slack):
                bottom, top = height_range(m.net, k, line)
                bound = 0.0 if bottom <= 0.0 <= top else min(abs(bottom), abs(top))
                if bound <= best:
                    w.order[waiting, 0] = bound
                    w.order[waiting, 1] = k
                    waiting += 1
    worst = MISSED
    patch, s, t = -1, 0.0, 0.0
    count = 0
    while waiting > 0:
        first = 0
        for q in range(1, waiting):
            if w.order[q, 0] < w.order[first, 0]:
                first = q
        bound, k = w.order[first, 0], int(w.order[first, 1])
        waiting -= 1
        w.order[first, 0] = w.order[waiting, 0]
        w.order[first, 1] = w.order[waiting, 1]
        if bound > best:
            break
        before = count
        count = search_patch(m, k, line, slack, w.coef, w.stack, w.box, w.basis, w.roots, count)
        if count < 0:
            return LIES_IN_SURFACE, -1, 0.0, 0.0
        for r in range(before, count):
            h = w.roots[r, 0]
            if abs(h) >= best:
                continue
            s_r, t_r = w.roots[r, 4], w.roots[r, 5]
            facing = 0.0
            if side != 0.0:
                x, y, z = unit_normal(m.net, k, s_r, t_r, m.ball[k, 3], w.basis, w.at)
                facing = side * (x * line[3] + y * line[4] + z * line[5])
            why = fault(m, k, s_r, t_r, h, facing, low, high)
            if why == FOUND:
                best = abs(h)
                patch, s, t = k, s_r, t_r
            elif worst == MISSED or why == TRIMMED or (why == BEYOND_WINDOW and worst == FACES_AWAY):
                worst = why
    return (FOUND, patch, s, t) if patch >= 0 else (worst, -1, 0.0, 0.0)


@called
def find(m, w, side, low, high, patch, s, t):
    """The corresponding point: (reason, patch, s, t, h, n_c, n_c·n); followed from (s, t) if patch ≥ 0."""
    line = w.line
    h = nan
    if patch >= 0:
        good, patch, s, t = follow(m, line, patch, s, t, w.coef, w.basis)
        if good:
            x, y, z = unit_normal(m.net, patch, s, t, m.ball[patch, 3], w.basis, w.at)
            h = line[3] * (w.at[0, 0] - line[0]) + line[4] * (w.at[0, 1] - line[1]) + line[5] * (w.at[0, 2] - line[2])
            slope = x * line[3] + y * line[4] + z * line[5]
            if fault(m, patch, s, t, h, side * slope, low, high) == FOUND:
                cells = m.reach.shape[1]
                i, j = min(int(s * cells), cells - 1), min(int(t * cells), cells - 1)
                if abs(h) <= m.reach[patch, i, j] * abs(slope):
                    w.tally[0] += 1
                    return FOUND, patch, s, t, h, x, y, z, slope
    w.tally[1] += 1
    reason, patch, s, t = nearest(m, w, side, low, high, inf)
    if reason != FOUND:
        return reason, -1, s, t, nan, nan, nan, nan, nan
    x, y, z = unit_normal(m.net, patch, s, t, m.ball[patch, 3], w.basis, w.at)
    h = line[3] * (w.at[0, 0] - line[0]) + line[4] * (w.at[0, 1] - line[1]) + line[5] * (w.at[0, 2] - line[2])
    return reason, patch, s, t, h, x, y, z, x * line[3] + y * line[4] + z * line[5]


@called
def blank(out, q, reason):
    """No corresponding point at grid point q: nan where one is needed."""
    out.reason[q] = reason
    out.patch[q] = -1
    out.gap[q] = nan
    out.gap_rate[q] = nan
    out.xi[q, 0] = nan
    out.xi[q, 1] = nan
    for c in range(3):
        out.corresponding[q, c] = nan
        out.gap_vector[q, c] = nan
        out.published_rate[q, c] = nan
        out.wall_corresponding[q, c] = nan


@compiled
def gap_points(m, frame, frame_reason, pose_r, pose_c, side, low, high, begin, end, w, out):
    """Fill `out` at the grid points begin … end - 1; frame[q] = S_r, ê_ξ, κ ê_ζ, ê_η in the reference's axes."""
    w.tally[0] = 0
    w.tally[1] = 0
    count2 = m.break2.shape[0] - 1
    dx, dy, dz = pose_r[9] - pose_c[9], pose_r[10] - pose_c[10], pose_r[11] - pose_c[11]
    for q in range(begin, end):
        px, py, pz = turned(pose_r, frame[q, 0, 0], frame[q, 0, 1], frame[q, 0, 2])  # S_r from the origin of r, world
        out.point[q, 0] = px + pose_r[9]
        out.point[q, 1] = py + pose_r[10]
        out.point[q, 2] = pz + pose_r[11]
        vx, vy, vz = velocity(pose_r, px, py, pz)
        for e in range(3):
            x, y, z = turned(pose_r, frame[q, e + 1, 0], frame[q, e + 1, 1], frame[q, e + 1, 2])
            out.basis[q, 0, e] = x
            out.basis[q, 1, e] = y
            out.basis[q, 2, e] = z
            out.wall_reference[q, e] = x * vx + y * vy + z * vz
        if frame_reason[q] != FOUND:
            blank(out, q, frame_reason[q])
            continue
        px, py, pz = px + dx, py + dy, pz + dz  # from the origin of c
        for c in range(3):  # into the axes of c
            ax, ay, az = pose_c[c], pose_c[3 + c], pose_c[6 + c]
            w.line[c] = ax * px + ay * py + az * pz
            w.line[3 + c] = ax * out.basis[q, 0, 1] + ay * out.basis[q, 1, 1] + az * out.basis[q, 2, 1]
            w.line[6 + c] = ax * out.basis[q, 0, 0] + ay * out.basis[q, 1, 0] + az * out.basis[q, 2, 0]
            w.line[9 + c] = ax * out.basis[q, 0, 2] + ay * out.basis[q, 1, 2] + az * out.basis[q, 2, 2]
        reason, k, s, t, h, x, y, z, slope = find(m, w, side, low, high, out.patch[q], out.local[q, 0], out.local[q, 1])
        if reason != FOUND:
            blank(out, q, reason)
            continue
        out.reason[q] = FOUND
        out.patch[q] = k
        out.local[q, 0] = s
        out.local[q, 1] = t
        k1, k2 = k // count2, k % count2
        out.xi[q, 0] = m.break1[k1] + s * (m.break1[k1 + 1] - m.break1[k1])
        out.xi[q, 1] = m.break2[k2] + t * (m.break2[k2 + 1] - m.break2[k2])
        out.gap[q] = h
        nx, ny, nz = out.basis[q, 0, 1], out.basis[q, 1, 1], out.basis[q, 2, 1]
        hx, hy, hz = h * nx, h * ny, h * nz
        ux, uy, uz = velocity(pose_c, px + hx, py + hy, pz + hz)  # of c at the corresponding point
        out.gap_vector[q, 0] = hx
        out.gap_vector[q, 1] = hy
        out.gap_vector[q, 2] = hz
        for c in range(3):
            out.corresponding[q, c] = out.point[q, c] + out.gap_vector[q, c]
            out.wall_corresponding[q, c] = out.basis[q, 0, c] * ux + out.basis[q, 1, c] * uy + out.basis[q, 2, c] * uz
        ux, uy, uz = ux - vx, uy - vy, uz - vz
        out.published_rate[q, 0] = ux
        out.published_rate[q, 1] = uy
        out.published_rate[q, 2] = uz
        o = OMEGA  # v_c(x) − v_r(x): both at the corresponding point
        ux -= pose_r[o + 1] * hz - pose_r[o + 2] * hy
        uy -= pose_r[o + 2] * hx - pose_r[o] * hz
        uz -= pose_r[o] * hy - pose_r[o + 1] * hx
        x, y, z = turned(pose_c, x, y, z)
        out.gap_rate[q] = (x * ux + y * uy + z * uz) / slope
