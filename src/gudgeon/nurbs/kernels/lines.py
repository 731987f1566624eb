"""All intersections of many lines with a surface."""

from __future__ import annotations

from math import inf

from gudgeon.kernels.build.compiled import called, compiled
from gudgeon.nurbs.kernels.arrays import GROUP
from gudgeon.nurbs.kernels.search import passes, search_patch, tolerance
from gudgeon.nurbs.kernels.trimming import is_kept


@called
def search_surface(m, line, coef, stack, box, basis, roots):
    """Keep all roots on all patches, untrimmed and unsorted; their count, -1 if the line lies in the surface."""
    slack = tolerance(m, line)
    count = 0
    for group in range(m.group.shape[0]):
        if not passes(m.group, group, line, slack):
            continue
        for k in range(group * GROUP, min((group + 1) * GROUP, m.net.shape[0])):
            if count >= 0 and passes(m.ball, k, line, slack):
                count = search_patch(m, k, line, slack, coef, stack, box, basis, roots, count)
    return count


@compiled
def lines_meet(m, lines, coef, stack, box, basis, roots, out, counts):
    """out[q, :counts[q]] = (h, ξ1, ξ2) of line q, sorted by h, trimmed parts left out; counts[q] = -1 as above."""
    for q in range(lines.shape[0]):
        count = search_surface(m, lines[q], coef, stack, box, basis, roots)
        kept = 0
        for r in range(count):
            if not is_kept(m.loop, m.loop_start, m.loop_outer, roots[r, 1], roots[r, 2]):
                roots[r, 0] = inf
            else:
                kept += 1
        for place in range(kept):
            best = place
            for r in range(place + 1, count):
                if roots[r, 0] < roots[best, 0]:
                    best = r
            for c in range(3):
                roots[place, c], roots[best, c] = roots[best, c], roots[place, c]
                out[q, place, c] = roots[place, c]
        counts[q] = kept if count >= 0 else -1
