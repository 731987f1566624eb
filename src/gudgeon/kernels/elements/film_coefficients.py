"""J_v and J_t of a journal's film, F = −(μ R L³/c³)|V| (J_v v̂ + J_t t̂), and their derivatives by a = ε·v̂, b = ε·t̂.

Short: p ≥ 0 on the half circle around v̂; Ocvirk, in the closed form of Childs, Moes and van Leeuwen (1977),

    K = ∫ dφ/(1 − a cos φ − b sin φ) = (2/s)(π/2 + atan(a/s)),  s² = 1 − a² − b²,   J_v = ½ K_aa,  J_t = ½ K_ab

Finite length: J_v = q J_v,short, J_t = ρ q J_t,short; q = 1/(1 + e^y) ∈ (0, 1), so that J_v > 0: the film is passive;
y and ρ from a table of solutions of Reynolds' equation (gudgeon.films), bicubic in x = −ln(1 − ε) and
t = ½ (cos φ + atan(a/s)/asin ε), φ the angle from V to e; beyond the table y goes on linearly in x.

Long: Sommerfeld's endless film, linear in V: n = e/|e|, F = −12π (μ R³ L/c³) [n (n·V)/s³ + 2 t (t·V)/((2 + ε²) s)].
"""

from __future__ import annotations

from math import asin, atan2, exp, log1p, pi, sqrt

from gudgeon.kernels.build.compiled import inlined
from gudgeon.kernels.build.memory import number_at
from gudgeon.kernels.elements.kinds import FINITE, SHORT

CENTRED = 1e-9  # no direction of e below this ε

# the table: a head, then eight numbers per node of (x, t), t the faster
THICK_CELLS, SIDE_CELLS, THICK_STEP, SIDE_STEP = 0, 1, 2, 3
HEAD = 4
NODE = 8  # y, y_x, y_t, y_xt, ρ, ρ_x, ρ_t, ρ_xt


@inlined
def short_film(a, b):
    """J_v, J_t and their derivatives J_v,a, J_v,b = J_t,a, J_t,b; s and atan2(s, −a)."""
    square, across = 1.0 - a * a - b * b, 1.0 - b * b
    s = sqrt(square)
    turn, over = atan2(s, -a), 1.0 / square
    K = 2.0 * turn / s
    g = 2.0 * a / across + K
    K_a, K_b = (2.0 + a * K) * over, b * g * over
    K_aa, K_ab = (K + 3.0 * a * K_a) * over, (a * K_b + 2.0 * b * K_a) * over
    K_bb = (g + 4.0 * a * b * b / (across * across) + 3.0 * b * K_b) * over
    K_aaa, K_aab = (4.0 * K_a + 5.0 * a * K_aa) * over, (K_b + 3.0 * a * K_ab + 2.0 * b * K_aa) * over
    K_abb = (a * K_bb + 2.0 * K_a + 4.0 * b * K_ab) * over
    return 0.5 * K_aa, 0.5 * K_ab, 0.5 * K_aaa, 0.5 * K_aab, 0.5 * K_abb, s, turn


@inlined
def hermite(u, step):
    """Weights of the values and slopes at both ends of a cell at the place u of it, and their derivatives."""
    v = 1.0 - u
    w = ((1.0 + 2.0 * u) * v * v, (1.0 + 2.0 * v) * u * u, step * u * v * v, -step * v * u * u)
    d = (-6.0 * u * v / step, 6.0 * u * v / step, v * (1.0 - 3.0 * u), u * (3.0 * u - 2.0))
    return w, d


@inlined
def bicubic(table, first, second, field, wx, dx, wt, dt):
    """Value, and derivatives by x and t, of a field from the nodes at `first` (and the next) and `second`."""
    f, f_x, f_t = 0.0, 0.0, 0.0
    for i in range(2):
        at = (first if i == 0 else second) + field
        for j in range(2):
            value, by_x = number_at(table, at), number_at(table, at + 1)
            by_t, by_xt = number_at(table, at + 2), number_at(table, at + 3)
            along, turned = wt[j] * value + wt[2 + j] * by_t, wt[j] * by_x + wt[2 + j] * by_xt
            f += wx[i] * along + wx[2 + i] * turned
            f_x += dx[i] * along + dx[2 + i] * turned
            f_t += wx[i] * (dt[j] * value + dt[2 + j] * by_t) + wx[2 + i] * (dt[j] * by_x + dt[2 + j] * by_xt)
            at += NODE
    return f, f_x, f_t


@inlined
def finite_film(table, a, b):
    """J_v, J_t and their derivatives by a and b: J_v,a, J_v,b, J_t,a, J_t,b."""
    S_v, S_t, S_va, S_vb, S_tb, s, turn = short_film(a, b)
    eps = sqrt(a * a + b * b)
    x, t, t_a, t_b, e_a, e_b = -log1p(-eps), 0.0, 0.0, 0.0, 0.0, 0.0
    if eps > CENTRED:
        reach, e_a, e_b = asin(eps), a / eps, b / eps
        swung = (turn - 0.5 * pi) / reach
        t = min(max(0.5 * (e_a + swung), -1.0), 1.0)
        t_a = 0.5 * (e_b * e_b / eps + (1.0 - swung * e_a) / (s * reach))
        t_b = 0.5 * (-e_a * e_b / eps + (a * b / (1.0 - b * b) - swung * e_b) / (s * reach))
    step_x, step_t = number_at(table, THICK_STEP), number_at(table, SIDE_STEP)
    cells_x, cells_t = number_at(table, THICK_CELLS), number_at(table, SIDE_CELLS)
    last = cells_x * step_x
    inside = min(x, last)
    i, j = int(min(inside / step_x, cells_x - 1.0)), int(min((t + 1.0) / step_t, cells_t - 1.0))
    wx, dx = hermite(inside / step_x - i, step_x)
    wt, dt = hermite((t + 1.0) / step_t - j, step_t)
    line = int(cells_t) + 1
    first = HEAD + NODE * (i * line + j)
    second = first + NODE * line
    y, y_x, y_t = bicubic(table, first, second, 0, wx, dx, wt, dt)
    rho, rho_x, rho_t = bicubic(table, first, second, 4, wx, dx, wt, dt)
    if x > last:
        y += y_x * (x - last)
        rho_x = 0.0
    q = 1.0 / (1.0 + exp(min(y, 700.0)))
    x_a, x_b = e_a / (1.0 - eps), e_b / (1.0 - eps)
    bend = -q * (1.0 - q)
    q_a, q_b = bend * (y_x * x_a + y_t * t_a), bend * (y_x * x_b + y_t * t_b)
    r, r_a, r_b = rho * q, rho_x * x_a + rho_t * t_a, rho_x * x_b + rho_t * t_b
    return (
        q * S_v,
        r * S_t,
        q * S_va + q_a * S_v,
        q * S_vb + q_b * S_v,
        r * S_vb + (r_a * q + rho * q_a) * S_t,
        r * S_tb + (r_b * q + rho * q_b) * S_t,
    )


@inlined
def long_film(a, b, scale):
    """The same of an endless film; `scale` is 12π (R/L)²."""
    square = a * a + b * b
    s2 = 1.0 - square
    s = sqrt(s2)
    # along n: p = 1/s³, across: r = 2/((2 + ε²) s); J_v = r + (p − r) cos², J_t = (p − r) cos sin, with d = (p − r)/ε²
    r = 2.0 / ((2.0 + square) * s)
    d = 3.0 / ((2.0 + square) * s * s2)  # (p − r)/ε²
    r_u = r * (0.5 / s2 - 1.0 / (2.0 + square))  # by ε²
    d_u = d * (1.5 / s2 - 1.0 / (2.0 + square))
    return (
        scale * (r + d * a * a),
        scale * d * a * b,
        scale * (2.0 * a * (r_u + d_u * a * a) + 2.0 * d * a),
        scale * 2.0 * b * (r_u + d_u * a * a),
        scale * (2.0 * a * d_u * a * b + d * b),
        scale * (2.0 * b * d_u * a * b + d * a),
    )


@inlined
def coefficients(kind, table, scale, a, b):
    """J_v, J_t, J_v,a, J_v,b, J_t,a, J_t,b."""
    if kind == SHORT:
        J_v, J_t, v_a, v_b, t_b, _, _ = short_film(a, b)
        return J_v, J_t, v_a, v_b, v_b, t_b
    if kind == FINITE:
        return finite_film(table, a, b)
    return long_film(a, b, scale)
