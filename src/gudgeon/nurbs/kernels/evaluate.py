"""Points, derivatives and normals of a surface at many parameters."""

from __future__ import annotations

from gudgeon.kernels.build.compiled import called, compiled
from gudgeon.nurbs.kernels.bernstein import patch_derivatives, unit_normal


@called
def interval(breaks, x):
    """The k with breaks[k] ≤ x < breaks[k + 1]; the last one at the end."""
    low, high = 0, breaks.shape[0] - 1
    while high - low > 1:
        middle = (low + high) // 2
        if x < breaks[middle]:
            high = middle
        else:
            low = middle
    return low


@compiled
def surface_derivatives(m, xi, second, basis, local, out):
    """out[q, 0..5] = S, S_1, S_2, S_11, S_12, S_22 at ξ = xi[q] [m]; the last three only if `second`."""
    count2 = m.break2.shape[0] - 1
    for q in range(xi.shape[0]):
        k1, k2 = interval(m.break1, xi[q, 0]), interval(m.break2, xi[q, 1])
        r1 = 1.0 / (m.break1[k1 + 1] - m.break1[k1])
        r2 = 1.0 / (m.break2[k2 + 1] - m.break2[k2])
        s, t = (xi[q, 0] - m.break1[k1]) * r1, (xi[q, 1] - m.break2[k2]) * r2
        patch_derivatives(m.net, k1 * count2 + k2, s, t, second, basis, local)
        for x in range(3):
            out[q, 0, x] = local[0, x]
            out[q, 1, x] = local[1, x] * r1
            out[q, 2, x] = local[2, x] * r2
            if second:
                out[q, 3, x] = local[3, x] * r1 * r1
                out[q, 4, x] = local[4, x] * r1 * r2
                out[q, 5, x] = local[5, x] * r2 * r2


@compiled
def surface_frames(m, xi, basis, local, out):
    """out[q] = S [m] and three directions: of S_1, of S_2 (next to a pole their limits), and the unit normal."""
    count2 = m.break2.shape[0] - 1
    for q in range(xi.shape[0]):
        k1, k2 = interval(m.break1, xi[q, 0]), interval(m.break2, xi[q, 1])
        s = (xi[q, 0] - m.break1[k1]) / (m.break1[k1 + 1] - m.break1[k1])
        t = (xi[q, 1] - m.break2[k2]) / (m.break2[k2 + 1] - m.break2[k2])
        k = k1 * count2 + k2
        x, y, z = unit_normal(m.net, k, s, t, m.ball[k, 3], basis, local)
        for c in range(3):
            out[q, 0, c] = local[0, c]
            out[q, 1, c] = local[1, c]
            out[q, 2, c] = local[2, c]
        out[q, 3, 0] = x
        out[q, 3, 1] = y
        out[q, 3, 2] = z
