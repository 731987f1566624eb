"""Bernstein polynomials and points of rational Bézier patches, Piegl & Tiller (1995), The NURBS Book, chapter 1."""

from __future__ import annotations

from math import sqrt

from gudgeon.kernels.build.compiled import called, inlined


@called
def bernstein(d, x, b, db):
    """Fill b and db with the Bernstein polynomials of degree d ≥ 1 and their derivatives at x."""
    y = 1.0 - x
    b[0] = 1.0
    for k in range(1, d):
        b[k] = x * b[k - 1]
        for j in range(k - 1, 0, -1):
            b[j] = y * b[j] + x * b[j - 1]
        b[0] = y * b[0]
    db[0] = -d * b[0]
    for j in range(1, d):
        db[j] = d * (b[j - 1] - b[j])
    db[d] = d * b[d - 1]
    b[d] = x * b[d - 1]
    for j in range(d - 1, 0, -1):
        b[j] = y * b[j] + x * b[j - 1]
    b[0] = y * b[0]


@called
def bernstein_curvature(d, x, b, ddb):
    """Fill ddb with the second derivatives of the Bernstein polynomials of degree d at x; b is overwritten."""
    for j in range(d + 1):
        ddb[j] = 0.0
    if d < 2:
        return
    y = 1.0 - x
    b[0] = 1.0
    for k in range(1, d - 1):
        b[k] = x * b[k - 1]
        for j in range(k - 1, 0, -1):
            b[j] = y * b[j] + x * b[j - 1]
        b[0] = y * b[0]
    factor = d * (d - 1)
    for j in range(d - 1):
        ddb[j] += factor * b[j]
        ddb[j + 1] -= 2.0 * factor * b[j]
        ddb[j + 2] += factor * b[j]


@called
def patch_derivatives(net, k, s, t, second, basis, out):
    """Fill out[0..5] with S, S_s, S_t, S_ss, S_st, S_tt of patch k [m]; the last three only if `second`.

    basis (6, degree + 1) is scratch.
    """
    d1, d2 = net.shape[1] - 1, net.shape[2] - 1
    if second:
        bernstein_curvature(d1, s, basis[0], basis[4])
        bernstein_curvature(d2, t, basis[1], basis[5])
    bernstein(d1, s, basis[0], basis[1])
    bernstein(d2, t, basis[2], basis[3])
    count = 6 if second else 3
    for c in range(count):
        for x in range(4):
            out[c, x] = 0.0
    for i in range(d1 + 1):
        for x in range(4):
            value = 0.0
            slope = 0.0
            for j in range(d2 + 1):
                value += basis[2, j] * net[k, i, j, x]
                slope += basis[3, j] * net[k, i, j, x]
            out[0, x] += basis[0, i] * value
            out[1, x] += basis[1, i] * value
            out[2, x] += basis[0, i] * slope
            if second:
                bend = 0.0
                for j in range(d2 + 1):
                    bend += basis[5, j] * net[k, i, j, x]
                out[3, x] += basis[4, i] * value
                out[4, x] += basis[1, i] * slope
                out[5, x] += basis[0, i] * bend
    w, ws, wt = 1.0 / out[0, 3], out[1, 3], out[2, 3]
    for x in range(3):
        out[0, x] *= w
        out[1, x] = w * (out[1, x] - ws * out[0, x])
        out[2, x] = w * (out[2, x] - wt * out[0, x])
        if second:
            out[3, x] = w * (out[3, x] - 2.0 * ws * out[1, x] - out[3, 3] * out[0, x])
            out[4, x] = w * (out[4, x] - ws * out[2, x] - wt * out[1, x] - out[4, 3] * out[0, x])
            out[5, x] = w * (out[5, x] - 2.0 * wt * out[2, x] - out[5, 3] * out[0, x])


@inlined
def cross(a, b):
    """a × b of two vectors given as three numbers each."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@called
def unit_normal(net, k, s, t, radius, basis, out):
    """The unit normal S_s × S_t of patch k, at a pole its limit from inside the patch; nan where there is none.

    Leaves S, S_s and S_t in out[0..2]; where S_s or S_t vanishes, its direction next to the pole takes its place.
    """
    patch_derivatives(net, k, s, t, False, basis, out)
    x, y, z = cross(out[1], out[2])
    area = sqrt(x * x + y * y + z * z)
    length1 = sqrt(out[1, 0] ** 2 + out[1, 1] ** 2 + out[1, 2] ** 2)
    length2 = sqrt(out[2, 0] ** 2 + out[2, 1] ** 2 + out[2, 2] ** 2)
    longer = max(length1, length2)
    if area <= 1e-8 * longer * radius:  # next to a pole the shorter tangent is (distance to the pole) · S_st
        patch_derivatives(net, k, s, t, True, basis, out)
        short = 1 if length1 < length2 else 2
        at = t if short == 1 else s
        sign = 1.0 if at < 0.5 else -1.0
        if min(length1, length2) <= 1e-6 * radius:
            for c in range(3):
                out[short, c] = sign * out[4, c]
        x, y, z = cross(out[1], out[2])
        area = sqrt(x * x + y * y + z * z)
        if area <= 1e-10 * radius * radius:
            area = 0.0
            x = y = z = 0.0
    return x / area, y / area, z / area
