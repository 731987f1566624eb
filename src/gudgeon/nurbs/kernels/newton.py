"""Newton's method for the point where a line meets a patch, in the patch's two parameters.

With m1, m2 across the line and A = (w x, w y, w z) the weighted patch, f = m1·(A − w p) and g = m2·(A − w p) are
polynomials in Bernstein form that vanish together where the line meets the patch: no division by w, and coefficients
as small as the patch is near, so that the root is as exact as the control points.
"""

from __future__ import annotations

from math import inf, sqrt

from gudgeon.kernels.build.compiled import called
from gudgeon.nurbs.kernels.arrays import ACROSS1, ACROSS2, ALONG, EDGE_TOLERANCE, POINT, SIZE
from gudgeon.nurbs.kernels.bernstein import bernstein
from gudgeon.nurbs.kernels.evaluate import interval

STEPS = 16
LAST_STEP = 1e-10  # a step below this fraction of the size squares to nothing [-]


@called
def project(net, k, line, coef):
    """Fill coef[0], coef[1] with the Bernstein coefficients of f and g on patch k."""
    px, py, pz = line[POINT], line[POINT + 1], line[POINT + 2]
    ax, ay, az = line[ACROSS1], line[ACROSS1 + 1], line[ACROSS1 + 2]
    bx, by, bz = line[ACROSS2], line[ACROSS2 + 1], line[ACROSS2 + 2]
    for i in range(net.shape[1]):
        for j in range(net.shape[2]):
            w = net[k, i, j, 3]
            x, y, z = net[k, i, j, 0] - w * px, net[k, i, j, 1] - w * py, net[k, i, j, 2] - w * pz
            coef[0, i, j] = ax * x + ay * y + az * z
            coef[1, i, j] = bx * x + by * y + bz * z


@called
def height_range(net, k, line):
    """Bounds of the height h along the line over the whole of patch k [m], from its control points."""
    px, py, pz = line[POINT], line[POINT + 1], line[POINT + 2]
    nx, ny, nz = line[ALONG], line[ALONG + 1], line[ALONG + 2]
    low, high = inf, -inf
    for i in range(net.shape[1]):
        for j in range(net.shape[2]):
            w = net[k, i, j, 3]
            h = nx * (net[k, i, j, 0] / w - px) + ny * (net[k, i, j, 1] / w - py) + nz * (net[k, i, j, 2] / w - pz)
            low = min(low, h)
            high = max(high, h)
    return low, high


@called
def height(net, k, s, t, line, basis):
    """h = n·(S − p) of patch k at (s, t) [m]."""
    d1, d2 = net.shape[1] - 1, net.shape[2] - 1
    bernstein(d1, s, basis[0], basis[1])
    bernstein(d2, t, basis[2], basis[3])
    px, py, pz = line[POINT], line[POINT + 1], line[POINT + 2]
    nx, ny, nz = line[ALONG], line[ALONG + 1], line[ALONG + 2]
    sum_h = 0.0
    sum_w = 0.0
    for i in range(d1 + 1):
        for j in range(d2 + 1):
            b = basis[0, i] * basis[2, j]
            w = net[k, i, j, 3]
            x, y, z = net[k, i, j, 0] - w * px, net[k, i, j, 1] - w * py, net[k, i, j, 2] - w * pz
            sum_h += b * (nx * x + ny * y + nz * z)
            sum_w += b * w
    return sum_h / sum_w


@called
def both(coef, s, t, basis):
    """f, g, f_s, f_t, g_s, g_t at (s, t)."""
    d1, d2 = coef.shape[1] - 1, coef.shape[2] - 1
    bernstein(d1, s, basis[0], basis[1])
    bernstein(d2, t, basis[2], basis[3])
    f = fs = ft = g = gs = gt = 0.0
    for i in range(d1 + 1):
        a = a_t = b = b_t = 0.0
        for j in range(d2 + 1):
            value, slope = basis[2, j], basis[3, j]
            a += value * coef[0, i, j]
            a_t += slope * coef[0, i, j]
            b += value * coef[1, i, j]
            b_t += slope * coef[1, i, j]
        value, slope = basis[0, i], basis[1, i]
        f += value * a
        fs += slope * a
        ft += value * a_t
        g += value * b
        gs += slope * b
        gt += value * b_t
    return f, g, fs, ft, gs, gt


@called
def refine(coef, s, t, size, basis):
    """Newton from (s, t) on one patch, also beyond its edges: (converged, s, t)."""
    for _ in range(STEPS):
        f, g, fs, ft, gs, gt = both(coef, s, t, basis)
        det = fs * gt - ft * gs
        if det == 0.0:
            return False, s, t
        ds, dt = (g * ft - f * gt) / det, (f * gs - g * fs) / det
        s += ds
        t += dt
        if abs(ds) * (abs(fs) + abs(gs)) + abs(dt) * (abs(ft) + abs(gt)) <= LAST_STEP * size:
            return True, s, t
        if not (-1.0 < s < 2.0 and -1.0 < t < 2.0):
            return False, s, t
    return False, s, t


@called
def nearest_approach(coef, s, t, basis):
    """Levenberg's method from (s, t) where f and g may touch without crossing: (least distance, s, t)."""
    f, g, fs, ft, gs, gt = both(coef, s, t, basis)
    damping = 1e-6
    for _ in range(60):
        p, q = fs * f + gs * g, ft * f + gt * g
        a, b, c = fs * fs + gs * gs, fs * ft + gs * gt, ft * ft + gt * gt
        extra = damping * (a + c)
        det = (a + extra) * (c + extra) - b * b
        if det <= 0.0:
            break
        s_new, t_new = s - (p * (c + extra) - q * b) / det, t - (q * (a + extra) - p * b) / det
        f1, g1, fs1, ft1, gs1, gt1 = both(coef, s_new, t_new, basis)
        if f1 * f1 + g1 * g1 < f * f + g * g:
            moved = abs(s_new - s) + abs(t_new - t)
            s, t, f, g, fs, ft, gs, gt = s_new, t_new, f1, g1, fs1, ft1, gs1, gt1
            damping *= 0.1
            if moved < 1e-15:
                break
        else:
            damping *= 10.0
            if damping > 1e6:
                break
    return sqrt(f * f + g * g), s, t


@called
def inside(x, closed, low, high):
    """x, taken round the seam of a closed direction, or put on the edge of an open one; and whether that was needed."""
    if low <= x <= high:
        return x, False
    if closed:
        x = (x - low) % (high - low) + low
        return x, False
    return (low, True) if x < low else (high, True)


@called
def follow(m, line, k, s, t, coef, basis):
    """Newton from (s, t) of patch k, from patch to patch and over seams: (converged, k, s, t)."""
    count2 = m.break2.shape[0] - 1
    low1, high1, low2, high2 = m.break1[0], m.break1[-1], m.break2[0], m.break2[-1]
    stop = LAST_STEP * m.length[SIZE]
    project(m.net, k, line, coef)
    pushed = 0
    for _ in range(STEPS):
        f, g, fs, ft, gs, gt = both(coef, s, t, basis)
        det = fs * gt - ft * gs
        if det == 0.0:
            return False, k, s, t
        ds, dt = (g * ft - f * gt) / det, (f * gs - g * fs) / det
        if not (abs(ds) < 4.0 and abs(dt) < 4.0):
            return False, k, s, t
        s += ds
        t += dt
        if -EDGE_TOLERANCE <= s <= 1.0 + EDGE_TOLERANCE and -EDGE_TOLERANCE <= t <= 1.0 + EDGE_TOLERANCE:
            if abs(ds) * (abs(fs) + abs(gs)) + abs(dt) * (abs(ft) + abs(gt)) <= stop:
                return True, k, min(max(s, 0.0), 1.0), min(max(t, 0.0), 1.0)
            continue
        k1, k2 = k // count2, k % count2
        x = m.break1[k1] + s * (m.break1[k1 + 1] - m.break1[k1])
        y = m.break2[k2] + t * (m.break2[k2 + 1] - m.break2[k2])
        x, edge1 = inside(x, m.closed[0], low1, high1)
        y, edge2 = inside(y, m.closed[1], low2, high2)
        if edge1 or edge2:
            pushed += 1
            if pushed == 3:
                return False, k, s, t
        k1, k2 = interval(m.break1, x), interval(m.break2, y)
        s = (x - m.break1[k1]) / (m.break1[k1 + 1] - m.break1[k1])
        t = (y - m.break2[k2]) / (m.break2[k2 + 1] - m.break2[k2])
        if k1 * count2 + k2 != k:
            k = k1 * count2 + k2
            project(m.net, k, line, coef)
    return False, k, s, t
