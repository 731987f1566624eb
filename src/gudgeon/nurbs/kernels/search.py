"""All points where a line meets a patch, by subdivision of f and g in Bernstein form (newton.py).

The patch is halved until, on each piece, f or g (or a combination of them) has coefficients of one sign, so that
there is no root, or the derivatives cannot make two roots: with J the mean Jacobian, J⁻¹(f, g) has a Jacobian whose
rows differ from the identity's by less than one in sum, so that the map is one-to-one (mean value theorem), and
Newton's method finds the root if there is one. Nothing is lost and nothing is made up:

- A coefficient within rounding of zero has either sign: a root on the edge of two pieces is found in both, kept once.
- A piece is cut across the direction in which f and g vary most. Next to a pole only cuts towards the pole happen;
  halving both ways would double the pieces at each level.
- Where the pole itself is on the line f and g vanish on the whole edge; they are divided by the distance from it
  (v in v·f̃), and the pole is a root of its own.
- A line that touches the patch never satisfies the uniqueness test. Pieces of a millionth of the patch are settled by
  the nearest approach: it is a root if it is on the line to rounding.
- A line that lies in the surface has no end of roots: after so many pieces the search says so.
"""

from __future__ import annotations

from math import sqrt

from gudgeon.kernels.build.compiled import called
from gudgeon.nurbs.kernels.arrays import (
    ACROSS1,
    ACROSS2,
    EDGE_TOLERANCE,
    MAGNITUDE,
    MEETING_TOLERANCE,
    POINT,
    SIZE,
)
from gudgeon.nurbs.kernels.newton import height, nearest_approach, project, refine
from gudgeon.nurbs.kernels.pieces import halve, longer_side, one_signed, one_to_one, root_guess

PIECES = 30000  # of one line on one patch before it is said to lie in the surface
SMALLEST = 2.0**-20  # side of a piece that is not divided further [-]
ROUNDING = 1e-15
DEPTH = 128  # of the stack: two directions of 20 cuts, and up to 60 more towards a pole
NEAR_POLE = 1e-6  # parameter distance at which roots of equal height next to a pole are one [-]


@called
def tolerance(m, line):
    """Rounding of f and g [m]."""
    x, y, z = line[POINT], line[POINT + 1], line[POINT + 2]
    return ROUNDING * (m.length[MAGNITUDE] + sqrt(x * x + y * y + z * z))


@called
def passes(ball, k, line, slack):
    """Whether the line goes through ball k."""
    x = ball[k, 0] - line[POINT]
    y = ball[k, 1] - line[POINT + 1]
    z = ball[k, 2] - line[POINT + 2]
    a = x * line[ACROSS1] + y * line[ACROSS1 + 1] + z * line[ACROSS1 + 2]
    b = x * line[ACROSS2] + y * line[ACROSS2 + 1] + z * line[ACROSS2 + 2]
    r = ball[k, 3] + slack
    return a * a + b * b <= r * r


@called
def deflate(coef, edge):
    """Divide f and g, which vanish on an edge of the patch, by the distance from that edge."""
    n1, n2 = coef.shape[1], coef.shape[2]
    along_s = edge < 2
    d = n1 - 1 if along_s else n2 - 1
    at_end = edge % 2 == 1
    for c in range(2):
        for q in range(n2 if along_s else n1):
            last = 0.0  # the quotient's coefficient j - 1
            for j in range(d + 1):
                e = d - j if at_end else j  # the place in coef of index j counted from the edge
                new = 0.0
                if j < d:
                    e_next = e - 1 if at_end else e + 1
                    raw = coef[c, e_next, q] if along_s else coef[c, q, e_next]
                    new = d / (j + 1.0) * raw
                raised = j / d * last + (1.0 - j / d) * new  # of degree d again
                if along_s:
                    coef[c, e, q] = raised
                else:
                    coef[c, q, e] = raised
                last = new


@called
def near_pole(m, k, s, t):
    """Whether (s, t) of patch k is next to an edge that is a single point."""
    return (
        (m.pole[k, 0] and s < NEAR_POLE)
        or (m.pole[k, 1] and s > 1.0 - NEAR_POLE)
        or (m.pole[k, 2] and t < NEAR_POLE)
        or (m.pole[k, 3] and t > 1.0 - NEAR_POLE)
    )


@called
def apart(x, y, low, high, closed):
    """Distance of two parameters, round the seam if that is shorter, as a fraction of the range."""
    d = abs(x - y) / (high - low)
    return min(d, 1.0 - d) if closed else d


@called
def keep(m, k, s, t, h, double, roots, count):
    """Add the root (h, ξ1, ξ2, patch, s, t, double) unless it is there already; the new count, -1: no room."""
    count2 = m.break2.shape[0] - 1
    k1, k2 = k // count2, k % count2
    x = m.break1[k1] + s * (m.break1[k1 + 1] - m.break1[k1])
    y = m.break2[k2] + t * (m.break2[k2 + 1] - m.break2[k2])
    pole = near_pole(m, k, s, t)
    for r in range(count):
        wide = 100.0 if double or roots[r, 6] else 1.0  # a point of touch is known to the square root of rounding
        if abs(roots[r, 0] - h) > 100.0 * wide * MEETING_TOLERANCE * m.length[SIZE]:
            continue
        near1 = apart(x, roots[r, 1], m.break1[0], m.break1[-1], m.closed[0]) < 100.0 * wide * MEETING_TOLERANCE
        near2 = apart(y, roots[r, 2], m.break2[0], m.break2[-1], m.closed[1]) < 100.0 * wide * MEETING_TOLERANCE
        if near1 and near2:
            return count
        if pole and near_pole(m, int(roots[r, 3]), roots[r, 4], roots[r, 5]):
            return count
    if count == roots.shape[0]:
        return -1
    roots[count, 0] = h
    roots[count, 1] = x
    roots[count, 2] = y
    roots[count, 3] = k
    roots[count, 4] = s
    roots[count, 5] = t
    roots[count, 6] = 1.0 if double else 0.0
    return count + 1


@called
def poles_on_line(m, k, line, coef, slack, basis, roots, count):
    """Take the poles of patch k that are on the line out of f and g, and keep them as roots; the new count."""
    d1, d2 = coef.shape[1] - 1, coef.shape[2] - 1
    for edge in range(4):
        if m.pole[k, edge] == 0:
            continue
        i = d1 if edge == 1 else 0
        j = d2 if edge == 3 else 0
        w = m.net[k, i, j, 3]
        if abs(coef[0, i, j]) + abs(coef[1, i, j]) > 100.0 * slack * w:
            continue
        deflate(coef, edge)
        s = 0.5 if edge >= 2 else float(edge)
        t = 0.5 if edge < 2 else edge - 2.0
        count = keep(m, k, s, t, height(m.net, k, s, t, line, basis), False, roots, count)
        if count < 0:
            return count
    return count


@called
def search_patch(m, k, line, slack, coef, stack, box, basis, roots, count):
    """Keep all roots of patch k; the new count, or -1 if the line seems to lie in the surface."""
    project(m.net, k, line, coef)
    count = poles_on_line(m, k, line, coef, slack, basis, roots, count)
    n1, n2 = coef.shape[1], coef.shape[2]
    for c in range(2):
        for i in range(n1):
            for j in range(n2):
                stack[0, c, i, j] = coef[c, i, j]
    box[0, 0] = box[0, 2] = 0.0
    box[0, 1] = box[0, 3] = 1.0
    top = 0
    pieces = 0
    while top >= 0 and count >= 0:
        pieces += 1
        if pieces > PIECES:
            return -1
        if one_signed(stack, top, 1.0, 0.0, slack) or one_signed(stack, top, 0.0, 1.0, slack):
            top -= 1
            continue
        fs = gs = ft = gt = 0.0  # mean derivatives over the piece, per piece
        for j in range(n2):
            fs += stack[top, 0, n1 - 1, j] - stack[top, 0, 0, j]
            gs += stack[top, 1, n1 - 1, j] - stack[top, 1, 0, j]
        for i in range(n1):
            ft += stack[top, 0, i, n2 - 1] - stack[top, 0, i, 0]
            gt += stack[top, 1, i, n2 - 1] - stack[top, 1, i, 0]
        fs, gs, ft, gt = fs / n2, gs / n2, ft / n1, gt / n1
        det = fs * gt - ft * gs
        s0, s1, t0, t1 = box[top, 0], box[top, 1], box[top, 2], box[top, 3]
        if abs(det) > 1e-12 * (abs(fs) + abs(gs)) * (abs(ft) + abs(gt)):
            a, b, c, d = gt / det, -ft / det, -gs / det, fs / det
            slack1, slack2 = slack * (abs(a) + abs(b)), slack * (abs(c) + abs(d))
            if one_signed(stack, top, a, b, slack1) or one_signed(stack, top, c, d, slack2):
                top -= 1
                continue
            if one_to_one(stack, top, a, b, c, d):
                s, t = root_guess(stack, top, a, b, c, d)
                s, t = s0 + s * (s1 - s0), t0 + t * (t1 - t0)
                found, s, t = refine(coef, s, t, m.length[SIZE], basis)
                e = EDGE_TOLERANCE
                if found and s0 - e <= s <= s1 + e and t0 - e <= t <= t1 + e:
                    s, t = min(max(s, 0.0), 1.0), min(max(t, 0.0), 1.0)
                    count = keep(m, k, s, t, height(m.net, k, s, t, line, basis), False, roots, count)
                    top -= 1
                    continue
        if (s1 - s0 <= SMALLEST and t1 - t0 <= SMALLEST) or top == stack.shape[0] - 1:
            s, t = 0.5 * (s0 + s1), 0.5 * (t0 + t1)
            distance, s, t = nearest_approach(coef, s, t, basis)
            e = 10.0 * SMALLEST
            if distance <= 100.0 * slack and s0 - e <= s <= s1 + e and t0 - e <= t <= t1 + e:
                e = EDGE_TOLERANCE
                if -e <= s <= 1.0 + e and -e <= t <= 1.0 + e:
                    s, t = min(max(s, 0.0), 1.0), min(max(t, 0.0), 1.0)
                    count = keep(m, k, s, t, height(m.net, k, s, t, line, basis), True, roots, count)
            top -= 1
            continue
        halve(stack, box, top, longer_side(stack, top, s1 - s0, t1 - t0))
        top += 1
    return count
