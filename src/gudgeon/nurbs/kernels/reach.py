"""How far from each part of a surface the rest of it stays: see patches.with_reach for the meaning."""

from __future__ import annotations

from math import inf, sqrt

from gudgeon.kernels.build.compiled import called, compiled
from gudgeon.nurbs.kernels.arrays import SIZE
from gudgeon.nurbs.kernels.bernstein import patch_derivatives, unit_normal

X, NORMAL, RADIUS = 0, 3, 6  # places in a sample
FINER = 4  # the curvature is looked at so many times more often along each direction


@called
def largest_curvature(d, nx, ny, nz):
    """The larger principal curvature in size [1/m] from S_s … S_tt in d; 0 where the surface has a pole."""
    e = d[1, 0] ** 2 + d[1, 1] ** 2 + d[1, 2] ** 2
    f = d[1, 0] * d[2, 0] + d[1, 1] * d[2, 1] + d[1, 2] * d[2, 2]
    g = d[2, 0] ** 2 + d[2, 1] ** 2 + d[2, 2] ** 2
    p = nx * d[3, 0] + ny * d[3, 1] + nz * d[3, 2]
    q = nx * d[4, 0] + ny * d[4, 1] + nz * d[4, 2]
    r = nx * d[5, 0] + ny * d[5, 1] + nz * d[5, 2]
    det = e * g - f * f
    if det <= 1e-12 * (e + g) ** 2:
        return 0.0
    mean = 0.5 * (e * r - 2.0 * f * q + g * p) / det
    gauss = (p * r - q * q) / det
    return abs(mean) + sqrt(max(0.0, mean * mean - gauss))


@compiled
def sampled_reach(m, sample, basis, local, reach):
    """Fill reach (patch, cell, cell) from samples at the cells' corners."""
    cells = reach.shape[1]
    side = cells + 1
    for k in range(m.net.shape[0]):
        for i in range(side):
            for j in range(side):
                q = (k * side + i) * side + j
                s, t = i / cells, j / cells
                x, y, z = unit_normal(m.net, k, s, t, m.ball[k, 3], basis, local)
                sample[q, NORMAL] = x
                sample[q, NORMAL + 1] = y
                sample[q, NORMAL + 2] = z
                patch_derivatives(m.net, k, s, t, True, basis, local)
                for c in range(3):
                    sample[q, X + c] = local[0, c]
                bend = largest_curvature(local, x, y, z)
                sample[q, RADIUS] = 0.0 if x != x else (1.0 / bend if bend > 0.0 else inf)
    same = (1e-9 * m.length[SIZE]) ** 2
    for q in range(sample.shape[0]):
        nx, ny, nz = sample[q, NORMAL], sample[q, NORMAL + 1], sample[q, NORMAL + 2]
        least = sample[q, RADIUS]
        for r in range(sample.shape[0]):
            x = sample[r, X] - sample[q, X]
            y = sample[r, X + 1] - sample[q, X + 1]
            z = sample[r, X + 2] - sample[q, X + 2]
            square = x * x + y * y + z * z
            if square <= same:
                turn = nx * sample[r, NORMAL] + ny * sample[r, NORMAL + 1] + nz * sample[r, NORMAL + 2]
                if abs(turn) < 1.0 - 1e-9:  # an edge
                    least = 0.0
            else:
                off = abs(nx * x + ny * y + nz * z)
                if square < 2.0 * least * off:
                    least = square / (2.0 * off)
        sample[q, RADIUS] = least
    for k in range(m.net.shape[0]):
        for i in range(cells):
            for j in range(cells):
                least = inf
                for a in range(max(i - 1, 0), min(i + 3, side)):  # corners of this cell and of those around it
                    for b in range(max(j - 1, 0), min(j + 3, side)):
                        least = min(least, sample[(k * side + a) * side + b, RADIUS])
                for a in range(FINER + 1):
                    for b in range(FINER + 1):
                        s, t = (i + a / FINER) / cells, (j + b / FINER) / cells
                        x, y, z = unit_normal(m.net, k, s, t, m.ball[k, 3], basis, local)
                        patch_derivatives(m.net, k, s, t, True, basis, local)
                        bend = largest_curvature(local, x, y, z)
                        if bend * least > 1.0:
                            least = 1.0 / bend
                reach[k, i, j] = 0.5 * least
