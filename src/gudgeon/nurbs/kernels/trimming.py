"""Whether a parameter is inside the trimming loops of a surface: crossings of a ray, counted per kind of loop."""

from __future__ import annotations

from gudgeon.kernels.build.compiled import called, compiled


@called
def is_kept(loop, loop_start, loop_outer, x, y):
    """Whether (x, y) is inside an outer loop and in no hole; everything is inside if there is no outer loop."""
    within = False
    in_hole = False
    any_outer = False
    for q in range(loop_outer.shape[0]):
        begin, end = loop_start[q], loop_start[q + 1]
        odd = False
        before = end - 1
        for c in range(begin, end):
            if (loop[c, 1] > y) != (loop[before, 1] > y):
                at = loop[before, 0] + (y - loop[before, 1]) / (loop[c, 1] - loop[before, 1]) * (
                    loop[c, 0] - loop[before, 0]
                )
                if x < at:
                    odd = not odd
            before = c
        if loop_outer[q] == 1:
            any_outer = True
            within = within != odd
        else:
            in_hole = in_hole != odd
    return (within or not any_outer) and not in_hole


@compiled
def which_are_kept(m, xi, kept):
    """kept[q] = 1 where ξ = xi[q] is inside the trimming loops."""
    for q in range(xi.shape[0]):
        kept[q] = 1 if is_kept(m.loop, m.loop_start, m.loop_outer, xi[q, 0], xi[q, 1]) else 0
