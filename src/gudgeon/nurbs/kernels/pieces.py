"""Pieces of a patch on the stack of the search: stack[top] holds f, g in Bernstein form, box[top] (s0, s1, t0, t1)."""

from __future__ import annotations

from gudgeon.kernels.build.compiled import called


@called
def halve(stack, box, top, along_s):
    """Cut piece `top` in two: the first half stays, the second goes on top."""
    n1, n2 = stack.shape[2], stack.shape[3]
    for c in range(2):
        if along_s:
            for j in range(n2):
                for i in range(n1):
                    stack[top + 1, c, i, j] = stack[top, c, i, j]
                for r in range(1, n1):
                    for i in range(n1 - r):  # the second half: its first coefficients move right
                        stack[top + 1, c, i, j] = 0.5 * (stack[top + 1, c, i, j] + stack[top + 1, c, i + 1, j])
                    stack[top, c, r, j] = stack[top + 1, c, 0, j]
        else:
            for i in range(n1):
                for j in range(n2):
                    stack[top + 1, c, i, j] = stack[top, c, i, j]
                for r in range(1, n2):
                    for j in range(n2 - r):
                        stack[top + 1, c, i, j] = 0.5 * (stack[top + 1, c, i, j] + stack[top + 1, c, i, j + 1])
                    stack[top, c, i, r] = stack[top + 1, c, i, 0]
    for x in range(4):
        box[top + 1, x] = box[top, x]
    first = 0 if along_s else 2
    middle = 0.5 * (box[top, first] + box[top, first + 1])
    box[top, first + 1] = middle
    box[top + 1, first] = middle


@called
def one_signed(stack, top, p, q, slack):
    """Whether p·f + q·g has coefficients of one sign, beyond rounding, on piece `top`."""
    low = high = p * stack[top, 0, 0, 0] + q * stack[top, 1, 0, 0]
    for i in range(stack.shape[2]):
        for j in range(stack.shape[3]):
            value = p * stack[top, 0, i, j] + q * stack[top, 1, i, j]
            low = min(low, value)
            high = max(high, value)
        if low <= slack and high >= -slack:
            return False
    return low > slack or high < -slack


@called
def one_to_one(stack, top, a, b, c, d):
    """Whether (a f + b g, c f + d g) is one-to-one on piece `top`, its mean Jacobian being the identity."""
    d1, d2 = stack.shape[2] - 1, stack.shape[3] - 1
    e11 = e12 = e21 = e22 = 0.0
    for i in range(d1):
        for j in range(d2 + 1):
            x = d1 * (stack[top, 0, i + 1, j] - stack[top, 0, i, j])
            y = d1 * (stack[top, 1, i + 1, j] - stack[top, 1, i, j])
            e11 = max(e11, abs(a * x + b * y - 1.0))
            e21 = max(e21, abs(c * x + d * y))
    if e11 >= 1.0 or e21 >= 1.0:
        return False
    for i in range(d1 + 1):
        for j in range(d2):
            x = d2 * (stack[top, 0, i, j + 1] - stack[top, 0, i, j])
            y = d2 * (stack[top, 1, i, j + 1] - stack[top, 1, i, j])
            e12 = max(e12, abs(a * x + b * y))
            e22 = max(e22, abs(c * x + d * y - 1.0))
    return e11 + e12 < 1.0 and e21 + e22 < 1.0


@called
def root_guess(stack, top, a, b, c, d):
    """Where the linear part of (a f + b g, c f + d g) vanishes, in the piece's own parameters, kept in the piece."""
    n1, n2 = stack.shape[2], stack.shape[3]
    f = g = 0.0
    for i in range(n1):
        for j in range(n2):
            f += stack[top, 0, i, j]
            g += stack[top, 1, i, j]
    f, g = f / (n1 * n2), g / (n1 * n2)
    s, t = 0.5 - (a * f + b * g), 0.5 - (c * f + d * g)
    return min(max(s, 0.0), 1.0), min(max(t, 0.0), 1.0)


@called
def longer_side(stack, top, width, height):
    """Whether to cut across s: where f and g vary more along s than along t, and s can still be cut."""
    d1, d2 = stack.shape[2] - 1, stack.shape[3] - 1
    along1 = along2 = 0.0
    for i in range(d1):
        for j in range(d2 + 1):
            x = stack[top, 0, i + 1, j] - stack[top, 0, i, j]
            y = stack[top, 1, i + 1, j] - stack[top, 1, i, j]
            along1 = max(along1, abs(x) + abs(y))
    for i in range(d1 + 1):
        for j in range(d2):
            x = stack[top, 0, i, j + 1] - stack[top, 0, i, j]
            y = stack[top, 1, i, j + 1] - stack[top, 1, i, j]
            along2 = max(along2, abs(x) + abs(y))
    if width < 1e-15:
        return False
    if height < 1e-15:
        return True
    return d1 * along1 >= d2 * along2
