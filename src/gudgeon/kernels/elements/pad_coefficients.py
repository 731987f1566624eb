"""Load and moments of the film under a flat pad, by the table of gudgeon.films.pad_table.

Over the pad, ξ and η from −1 to 1, the gap is h + a ξ + b η and the approach s₀ + s₁ ξ + s₂ η. With A, B of the gap's
two diagonals (films/make_pad_table.py) and L of the whole film, K = L Lᵀ/h³,

    ψ = ½ r² |Lᵀ s|²/h³,   Q = ∂ψ/∂s = (r/h³) L (r s̄ + |s̄| ∇r),   s̄ = Lᵀ s

is what the film with p ≥ 0 gives, over 12 μ (X Y)²; r of the direction of s̄. Q·s = 2ψ ≥ 0: the film is passive. Beyond
the table logarithms of K go on linearly and r stays. Films thinner than the thinnest are as if the pad were moved away.
"""

from __future__ import annotations

from math import atan2, exp, log, pi, sqrt

from gudgeon.kernels.build.compiled import inlined
from gudgeon.kernels.build.memory import number_at

# head of the table
WHOLE_CELLS, WHOLE_STEP, PART_CELLS, PART_STEP, POLAR_CELLS, AROUND_CELLS, PART_AT = range(7)
HEAD = 8
FIELDS = 10  # ln L₀₀, L₁₀/L₀₀, L₂₀/L₀₀, ln L₁₁, L₂₁/L₁₁, ln L₂₂; of the shear ln J, ξ̄, η̄, spread


@inlined
def weights(u):
    """Of the four B-splines of a cell, at the place u of it; beyond the cell linear."""
    x = min(max(u, 0.0), 1.0)
    y, beyond = 1.0 - x, u - x
    w = (y * y * y / 6.0, (4.0 - 3.0 * x * x * (1.0 + y)) / 6.0, (4.0 - 3.0 * y * y * (1.0 + x)) / 6.0, x * x * x / 6.0)
    if beyond == 0.0:
        return w
    d = slopes(x)
    return w[0] + beyond * d[0], w[1] + beyond * d[1], w[2] + beyond * d[2], w[3] + beyond * d[3]


@inlined
def slopes(x):
    """Derivatives of the four weights within a cell."""
    y = 1.0 - x
    return -0.5 * y * y, 0.5 * x * (3.0 * x - 4.0), 0.5 * y * (4.0 - 3.0 * y), 0.5 * x * x


@inlined
def cell(place, cells):
    """The cell of a place, and where in it; the first and last go on."""
    i = int(min(max(place, 0.0), cells - 1.0))
    return i, place - i


@inlined
def whole_film(table, A, B):
    """The ten fields."""
    cells, step = number_at(table, WHOLE_CELLS), number_at(table, WHOLE_STEP)
    i, u = cell(A / step + 0.5 * cells, cells)
    j, v = cell(B / step + 0.5 * cells, cells)
    wa, wb, line = weights(u), weights(v), FIELDS * (int(cells) + 3)
    a = b = c = d = e = f = x = y = z = t = 0.0
    for k in range(4):
        at = HEAD + (i + k) * line + FIELDS * j
        for n in range(4):
            w = wa[k] * wb[n]
            a += w * number_at(table, at)
            b += w * number_at(table, at + 1)
            c += w * number_at(table, at + 2)
            d += w * number_at(table, at + 3)
            e += w * number_at(table, at + 4)
            f += w * number_at(table, at + 5)
            x += w * number_at(table, at + 6)
            y += w * number_at(table, at + 7)
            z += w * number_at(table, at + 8)
            t += w * number_at(table, at + 9)
            at += FIELDS
    return a, b, c, d, e, f, x, y, z, t


@inlined
def part_of_film(table, A, B, polar, around):
    """r, and its derivatives by the two angles."""
    cells, step = number_at(table, PART_CELLS), number_at(table, PART_STEP)
    polar_cells, around_cells = number_at(table, POLAR_CELLS), number_at(table, AROUND_CELLS)
    i, u = cell(min(max(A / step + 0.5 * cells, 0.0), cells), cells)
    j, v = cell(min(max(B / step + 0.5 * cells, 0.0), cells), cells)
    k, p = cell(polar * polar_cells / pi, polar_cells)
    n, q = cell(around * around_cells / (2.0 * pi), around_cells)
    wa, wb, wp, wq, dp, dq = weights(u), weights(v), weights(p), weights(q), slopes(p), slopes(q)
    row = int(around_cells) + 3
    block = row * (int(polar_cells) + 3)
    first = HEAD + int(number_at(table, PART_AT)) + row * k + n
    line = block * (int(cells) + 3)
    r = by_polar = by_around = 0.0
    for a in range(4):
        for b in range(4):
            w, at = wa[a] * wb[b], first + (i + a) * line + (j + b) * block
            for c in range(4):
                x, y = number_at(table, at), number_at(table, at + 1)
                z, t = number_at(table, at + 2), number_at(table, at + 3)
                along = w * (wq[0] * x + wq[1] * y + wq[2] * z + wq[3] * t)
                r += wp[c] * along
                by_polar += dp[c] * along
                by_around += wp[c] * w * (dq[0] * x + dq[1] * y + dq[2] * z + dq[3] * t)
                at += row
    return r, by_polar * polar_cells / pi, by_around * around_cells / (2.0 * pi)


@inlined
def pad_push(table, thinnest, h, a, b, s0, s1, s2):
    """Q, three numbers, over 12 μ (X Y)²; ∫ dA/(h 4 X Y), its centre ξ̄, η̄, and how far it is spread, over X Y."""
    h = max(h, thinnest + abs(a) + abs(b))
    p, q = (a + b) / h, (a - b) / h
    A, B = 0.5 * log((1.0 + p) / (1.0 - p)), 0.5 * log((1.0 + q) / (1.0 - q))
    L0, l10, l20, L1, l21, L2, J, x, y, spread = whole_film(table, A, B)
    L0, L1, L2 = exp(L0), exp(L1), exp(L2)
    z0, z1, z2 = L0 * (s0 + l10 * s1 + l20 * s2), L1 * (s1 + l21 * s2), L2 * s2
    beside = sqrt(z1 * z1 + z2 * z2)
    size = sqrt(z0 * z0 + beside * beside)
    Q0 = Q1 = Q2 = 0.0
    if size > 0.0:
        around = atan2(z2, z1)
        polar, around = atan2(beside, z0), around if around >= 0.0 else around + 2.0 * pi
        r, by_polar, by_around = part_of_film(table, A, B, polar, around)
        if r > 0.0:
            cosine, sine = z0 / size, beside / size
            cx, cy = (z1 / beside, z2 / beside) if beside > 0.0 else (1.0, 0.0)
            turning = by_around / sine if sine > 0.0 else 0.0
            scale = r * size / (h * h * h)
            Q0 = L0 * scale * (r * cosine - by_polar * sine)
            outward = r * sine + by_polar * cosine
            Q1 = L1 * scale * (outward * cx - turning * cy)
            Q2 = L2 * scale * (outward * cy + turning * cx)
    Q1, Q2 = l10 * Q0 + Q1, l20 * Q0 + l21 * Q1 + Q2
    return Q0, Q1, Q2, exp(J) / h, x, y, max(spread, 0.0)
