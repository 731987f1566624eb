"""Constraint rows: Jacobian, residual Φ, its rate Φ̇ and the right-hand side γ of Φ_q v̇ = γ.

    points          Φ = r_j + s_j − r_i − s_i,  γ = −ω_j×(ω_j×s_j) + ω_i×(ω_i×s_i)
    perpendicular   Φ = a·b,  Φ̇ = (a×b)·(ω_i − ω_j),  γ = −[(ω_i×a)×b + a×(ω_j×b)]·(ω_i − ω_j)
    measure         Φ = x(q) − f(t),  γ = f̈ − bias
    coupling        Φ = c₁ x₁(q) + c₂ x₂(q), less its period as often as it is contained in it; a belt whose ratio is
                    none of whole numbers ties rates: Φ = 0
    switched        a row that holds for a while: Φ less what it was when that began; zero, so that it acts on nothing,
                    while it does not
    rotor           no constraint: s = n ẋ + h·ω_i is the speed of a rotor on the parent, and its inertia J takes the
                    effort λ = J ṡ, so g v̇ − λ/J = −n bias: a row with Φ = 0 and 1/J added to its diagonal of S

Source: theory of connecting joints, parts I and II (points and perpendicular); measures.py.
"""

from __future__ import annotations

from numba import float64, void

from gudgeon.kernels.build.compiled import addressed, called, entrance, inlined
from gudgeon.kernels.build.records import VECTOR
from gudgeon.kernels.dynamics.arrays import (
    ACCELERATION,
    ALONG,
    ALPHA,
    ANGLE,
    AXIS,
    BETA,
    CHILD,
    COUPLED_FIRST,
    COUPLED_PERIOD,
    COUPLED_SECOND,
    COUPLING,
    DIAGONAL,
    ECHO,
    GAMMA,
    GEAR_RATIO,
    IN_CHILD,
    IN_PARENT,
    KIND,
    MEASURE,
    MEASURE_OF,
    MODEL,
    OMEGA,
    PARENT,
    PERPENDICULAR,
    PIVOT,
    POINTS,
    POSITION,
    PROGRAM_OF,
    RATE,
    RESIDUAL,
    ROTOR,
    ROTOR_TURNS_WITH,
    ROW,
    ROWS,
    SECOND_MEASURE,
    SWITCHED_BY,
    SWITCHED_REST,
    SWITCHED_STATE,
    VELOCITY,
    WORK,
)
from gudgeon.kernels.dynamics.engine import all_rows, kinematics
from gudgeon.kernels.functions.programs import function
from gudgeon.kernels.kinematics.measures import measure, within_round, wrapped
from gudgeon.kernels.kinematics.rotation import cross, rotated

NEARLY_SINGULAR = 1e-4  # pivot against its diagonal


@inlined
def points_rows(m, w, k):
    """Three rows: two points coincide."""
    r, i, j = m.block[k, ROW], m.block[k, PARENT], m.block[k, CHILD]
    body, J, row = w.body, w.jacobian, w.row
    six, siy, siz = rotated(body, i, m.block_vector, k, IN_PARENT)
    sjx, sjy, sjz = rotated(body, j, m.block_vector, k, IN_CHILD)
    # parent's angular part: +s̃_i, child's: −s̃_j; the linear parts ∓1 never change
    J[2 * r, 3], J[2 * r, 4], J[2 * r, 5] = 0.0, -siz, siy
    J[2 * r + 2, 3], J[2 * r + 2, 4], J[2 * r + 2, 5] = siz, 0.0, -six
    J[2 * r + 4, 3], J[2 * r + 4, 4], J[2 * r + 4, 5] = -siy, six, 0.0
    J[2 * r + 1, 3], J[2 * r + 1, 4], J[2 * r + 1, 5] = 0.0, sjz, -sjy
    J[2 * r + 3, 3], J[2 * r + 3, 4], J[2 * r + 3, 5] = -sjz, 0.0, sjx
    J[2 * r + 5, 3], J[2 * r + 5, 4], J[2 * r + 5, 5] = sjy, -sjx, 0.0
    row[r, RESIDUAL] = body[j, POSITION] + sjx - body[i, POSITION] - six
    row[r + 1, RESIDUAL] = body[j, POSITION + 1] + sjy - body[i, POSITION + 1] - siy
    row[r + 2, RESIDUAL] = body[j, POSITION + 2] + sjz - body[i, POSITION + 2] - siz
    wix, wiy, wiz = body[i, OMEGA], body[i, OMEGA + 1], body[i, OMEGA + 2]
    wjx, wjy, wjz = body[j, OMEGA], body[j, OMEGA + 1], body[j, OMEGA + 2]
    uix, uiy, uiz = cross(wix, wiy, wiz, six, siy, siz)
    ujx, ujy, ujz = cross(wjx, wjy, wjz, sjx, sjy, sjz)
    row[r, RATE] = body[j, VELOCITY] + ujx - body[i, VELOCITY] - uix
    row[r + 1, RATE] = body[j, VELOCITY + 1] + ujy - body[i, VELOCITY + 1] - uiy
    row[r + 2, RATE] = body[j, VELOCITY + 2] + ujz - body[i, VELOCITY + 2] - uiz
    cix, ciy, ciz = cross(wix, wiy, wiz, uix, uiy, uiz)
    cjx, cjy, cjz = cross(wjx, wjy, wjz, ujx, ujy, ujz)
    row[r, GAMMA] = cix - cjx
    row[r + 1, GAMMA] = ciy - cjy
    row[r + 2, GAMMA] = ciz - cjz


@inlined
def perpendicular_row(m, w, k):
    """One row: a direction of the parent and one of the child stay perpendicular."""
    r, i, j = m.block[k, ROW], m.block[k, PARENT], m.block[k, CHILD]
    body, J, row = w.body, w.jacobian, w.row
    ax, ay, az = rotated(body, i, m.block_vector, k, IN_PARENT)
    bx, by, bz = rotated(body, j, m.block_vector, k, IN_CHILD)
    nx, ny, nz = cross(ax, ay, az, bx, by, bz)
    J[2 * r, 3], J[2 * r, 4], J[2 * r, 5] = nx, ny, nz
    J[2 * r + 1, 3], J[2 * r + 1, 4], J[2 * r + 1, 5] = -nx, -ny, -nz
    wix, wiy, wiz = body[i, OMEGA], body[i, OMEGA + 1], body[i, OMEGA + 2]
    wjx, wjy, wjz = body[j, OMEGA], body[j, OMEGA + 1], body[j, OMEGA + 2]
    dx, dy, dz = wix - wjx, wiy - wjy, wiz - wjz
    adx, ady, adz = cross(wix, wiy, wiz, ax, ay, az)
    bdx, bdy, bdz = cross(wjx, wjy, wjz, bx, by, bz)
    px, py, pz = cross(adx, ady, adz, bx, by, bz)
    qx, qy, qz = cross(ax, ay, az, bdx, bdy, bdz)
    row[r, RESIDUAL] = ax * bx + ay * by + az * bz
    row[r, RATE] = nx * dx + ny * dy + nz * dz
    row[r, GAMMA] = -((px + qx) * dx + (py + qy) * dy + (pz + qz) * dz)


@called
def measure_row(m, w, k, t):
    """One row: a joint coordinate equals a function of time, or zero."""
    r, c, p = m.block[k, ROW], m.block[k, MEASURE_OF], m.block[k, PROGRAM_OF]
    value, rate, bias = measure(m, w, c)
    for e in range(6):
        w.jacobian[2 * r, e] = w.gradient[e]
        w.jacobian[2 * r + 1, e] = w.gradient[6 + e]
    gamma = -bias
    if p >= 0:
        value -= function(m, w, p, t)
        rate -= function(m, w, p + 1, t)
        gamma += function(m, w, p + 2, t)
    if m.block[k, SWITCHED_BY] >= 0:
        value -= w.control[m.switched[m.block[k, SWITCHED_BY], SWITCHED_REST]]
    if p >= 0 or m.block[k, SWITCHED_BY] >= 0:
        if m.measure[c, KIND] == ANGLE:
            value = wrapped(value)
        elif m.measure[c, KIND] == ALONG:
            value = within_round(m, c, value)
    w.row[r, RESIDUAL], w.row[r, RATE], w.row[r, GAMMA] = value, rate, gamma


@called
def rotor_row(m, w, k):
    """One row: the inertia of a rotor on the parent that turns with the joint."""
    r, c, n = m.block[k, ROW], m.block[k, MEASURE_OF], m.block_vector[k, GEAR_RATIO]
    _, _, bias = measure(m, w, c)
    for e in range(6):
        w.jacobian[2 * r, e] = n * w.gradient[e]
        w.jacobian[2 * r + 1, e] = n * w.gradient[6 + e]
    if m.block_vector[k, ROTOR_TURNS_WITH] > 0.0:
        hx, hy, hz = rotated(w.body, m.block[k, PARENT], m.measure_vector, c, AXIS)
        w.jacobian[2 * r, 3] += hx
        w.jacobian[2 * r, 4] += hy
        w.jacobian[2 * r, 5] += hz
    w.row[r, RESIDUAL], w.row[r, RATE], w.row[r, GAMMA] = 0.0, 0.0, -n * bias


@called
def coupling_row(m, w, k):
    """One row: two joint coordinates in a constant ratio; what moves the second stands in the row after it (ECHO)."""
    r, one, two = m.block[k, ROW], m.block_vector[k, COUPLED_FIRST], m.block_vector[k, COUPLED_SECOND]
    value, speed, bias = measure(m, w, m.block[k, MEASURE_OF])
    for e in range(6):
        w.jacobian[2 * r, e] = one * w.gradient[e]
        w.jacobian[2 * r + 1, e] = one * w.gradient[6 + e]
    other, rate, turning = measure(m, w, m.block[k, SECOND_MEASURE])
    for e in range(6):
        w.jacobian[2 * r + 2, e] = two * w.gradient[e]
        w.jacobian[2 * r + 3, e] = two * w.gradient[6 + e]
    residual, period = one * value + two * other, m.block_vector[k, COUPLED_PERIOD]
    if m.block[k, SWITCHED_BY] >= 0:
        residual -= w.control[m.switched[m.block[k, SWITCHED_BY], SWITCHED_REST]]
    if period > 0.0:
        residual -= period * round(residual / period)
    elif period < 0.0:
        residual = 0.0
    w.row[r, RESIDUAL], w.row[r, RATE], w.row[r, GAMMA] = (
        residual,
        one * speed + two * rate,
        -one * bias - two * turning,
    )


@inlined
def is_released(m, w, k):
    """Does block k not hold now?"""
    s = m.block[k, SWITCHED_BY]
    return s >= 0 and w.control[m.switched[s, SWITCHED_STATE]] == 0.0


@inlined
def released_row(m, w, k):
    """One row that acts on nothing."""
    r = m.block[k, ROW]
    sides = 4 if m.block[k, KIND] == COUPLING else 2
    for side in range(2 * r, 2 * r + sides):
        for e in range(6):
            w.jacobian[side, e] = 0.0
    w.row[r, RESIDUAL], w.row[r, RATE], w.row[r, GAMMA] = 0.0, 0.0, 0.0


@inlined
def link_rows(m, w, k):
    """Six rows: two shares of one body have the same velocity."""
    r = m.block[k, ROW]
    for c in range(6):
        for e in range(6):
            w.jacobian[2 * (r + c), e] = -1.0 if c == e else 0.0
            w.jacobian[2 * (r + c) + 1, e] = 1.0 if c == e else 0.0
        w.row[r + c, RESIDUAL], w.row[r + c, RATE], w.row[r + c, GAMMA] = 0.0, 0.0, 0.0


@inlined
def block_rows(m, w, k, t):
    """The rows of block k at the kinematics held in `w`."""
    kind = m.block[k, KIND]
    if kind == POINTS:
        points_rows(m, w, k)
    elif is_released(m, w, k):
        released_row(m, w, k)
    elif kind == PERPENDICULAR:
        perpendicular_row(m, w, k)
    elif kind == MEASURE:
        measure_row(m, w, k, t)
    elif kind == ROTOR:
        rotor_row(m, w, k)
    elif kind == COUPLING:
        coupling_row(m, w, k)
    elif kind != ECHO:
        link_rows(m, w, k)


@inlined
def missing_acceleration(m, w, k):
    """What the free accelerations violate in block k, as the right-hand side for λ."""
    alpha, beta = m.settings[ALPHA], m.settings[BETA]
    J, body, row = w.jacobian, w.body, w.row
    i, j, first, kind = m.block[k, PARENT], m.block[k, CHILD], m.block[k, ROW], m.block[k, KIND]
    for r in range(first, first + m.block[k, ROWS]):
        x = 2.0 * alpha * row[r, RATE] + beta * beta * row[r, RESIDUAL] - row[r, GAMMA]
        y = 0.0
        for c in range(3):
            x += J[2 * r, 3 + c] * body[i, ACCELERATION + 3 + c]
            y += J[2 * r + 1, 3 + c] * body[j, ACCELERATION + 3 + c]
        if kind == POINTS:
            y += body[j, ACCELERATION + r - first] - body[i, ACCELERATION + r - first]
        elif kind >= MEASURE:
            for c in range(3):
                x += J[2 * r, c] * body[i, ACCELERATION + c]
                y += J[2 * r + 1, c] * body[j, ACCELERATION + c]
        if kind == ECHO:
            w.multiplier[r - 1] += x + y
        else:
            w.multiplier[r] = x + y


@inlined
def largest(table, column):
    """The largest absolute value in a column."""
    value = 0.0
    for k in range(table.shape[0]):
        if not abs(table[k, column]) <= value:
            value = abs(table[k, column])
    return value


@inlined
def copy_column(table, column, x):
    """x = table[:, column]."""
    for k in range(x.shape[0]):
        x[k] = table[k, column]


@inlined
def is_nearly_singular(w):
    """Do the rows last factorised nearly depend on each other?

    Where they do (redundant rows, or a position in which the mechanism may branch), residuals must be far smaller than
    what Baumgarte's feedback leaves: on θ s = Φ ≠ 0 a motion along θ turns into one along s.
    """
    for r in range(w.row.shape[0]):
        if w.row[r, PIVOT] < NEARLY_SINGULAR * w.row[r, DIAGONAL]:
            return True
    return False


@addressed(void(MODEL, WORK, float64))
def rows_of_blocks(m, w, t):
    """All rows at the kinematics held in `w`."""
    for k in range(m.block.shape[0]):
        block_rows(m, w, k, t)


@entrance(void(MODEL, WORK, float64, VECTOR))
def rows_at(m, w, t, y):
    """All rows at the state y."""
    kinematics(m, w, y)
    all_rows(m, w, t)
