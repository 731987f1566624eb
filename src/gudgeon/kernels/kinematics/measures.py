"""Joint coordinates: the angle about an axis, or the displacement along one, with rate, gradient and bias.

Angle about h (fixed in the parent, or in the child for the second angle of a universal joint), triad f, g, h:

    θ = atan2(u·g, u·f), u an arm of the other body;   θ̇ = h·(ω_j − ω_i);   θ̈ = h·(ω̇_j − ω̇_i) + (ω_h×h)·(ω_j − ω_i)

ω_h the angular velocity of the body that carries h. In a real joint the arm may leave the plane of f, g. With
p = u·g, q = u·f, n = (q g − p f)/(p² + q²) and Ω the angular velocity of the arm's body against the carrier of h,

    θ̇ = γ·Ω, γ = u×n;   θ̈ = γ·Ω̇ + n·(Ω×(Ω×u)) − 2 θ̇ (Ω×u)·(q f + p g)/(p² + q²)   (Ω̇ as the carrier sees it)

Displacement along a (fixed in the parent), d = r_Pj − r_Pi:

    x = a·d;   ẋ = a·ḋ + (ω_i×a)·d;
    ẍ = a·(v̇_j − s̃_j ω̇_j) − a·v̇_i + ω̇_i·(a×(d + s_i)) + bias,
    bias = a·(ω_j×(ω_j×s_j) − ω_i×(ω_i×s_i)) + 2 (ω_i×a)·ḋ + (ω_i×(ω_i×a))·d.
"""

from __future__ import annotations

from math import atan2, pi

from numpy import rint

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.dynamics.arrays import (
    ANGLE,
    ARM,
    ARM_QUARTER,
    ARM_ZERO,
    AXIS,
    CHILD,
    CURVE_AT,
    CURVE_CLOSED,
    CURVE_COUNT,
    CURVE_OF,
    DISPLACEMENT,
    KIND,
    MEASURE_IN_CHILD,
    MEASURE_IN_PARENT,
    OMEGA,
    ON_CHILD,
    PARENT,
    POSITION,
    TILTS,
    VELOCITY,
)
from gudgeon.kernels.dynamics.engine import measure_on_curve
from gudgeon.kernels.kinematics.rotation import cross, rotated
from gudgeon.kernels.kinematics.vectors import dot, get, plus_times, vector_product


@inlined
def wrapped(angle):
    """An angle in [−π, π)."""
    return angle - 2.0 * pi * ((angle + pi) // (2.0 * pi))


@inlined
def nearest_turn(angle, counted):
    """An angle with as many full turns as bring it next to one whose turns are counted."""
    return angle + 2.0 * pi * rint((counted - angle) * (0.5 / pi))


@inlined
def within_round(m, k, way):
    """A difference of ways along the curve of measure k: of a closed one that to the next round, if it is shorter."""
    c = m.measure[k, CURVE_OF]
    if m.curve[c, CURVE_CLOSED] == 1:
        whole = m.curve_table[m.curve[c, CURVE_AT] + 2 * m.curve[c, CURVE_COUNT] + 1]  # its length, see curves.py
        way -= whole * rint(way / whole)
    return way


@inlined
def angle_of(m, w, k):
    """The angle of measure k in (−π, π]."""
    carrier, other, sign = m.measure[k, PARENT], m.measure[k, CHILD], 1.0
    if m.measure[k, ON_CHILD]:
        carrier, other, sign = m.measure[k, CHILD], m.measure[k, PARENT], -1.0
    fx, fy, fz = rotated(w.body, carrier, m.measure_vector, k, ARM_ZERO)
    gx, gy, gz = rotated(w.body, carrier, m.measure_vector, k, ARM_QUARTER)
    ux, uy, uz = rotated(w.body, other, m.measure_vector, k, ARM)
    return sign * atan2(ux * gx + uy * gy + uz * gz, ux * fx + uy * fy + uz * fz)


@called
def tilted_angle(m, w, k):
    """Value, rate and bias of an angle whose arm need not be perpendicular to its axis; its gradient as below."""
    carrier, other, sign = m.measure[k, PARENT], m.measure[k, CHILD], 1.0
    if m.measure[k, ON_CHILD]:
        carrier, other, sign = m.measure[k, CHILD], m.measure[k, PARENT], -1.0
    f = rotated(w.body, carrier, m.measure_vector, k, ARM_ZERO)
    g = rotated(w.body, carrier, m.measure_vector, k, ARM_QUARTER)
    u = rotated(w.body, other, m.measure_vector, k, ARM)
    omega = get(w.body, carrier, OMEGA)
    turning = plus_times(get(w.body, other, OMEGA), -1.0, omega)
    p, q = dot(u, g), dot(u, f)
    square = p * p + q * q
    n = (q * g[0] - p * f[0]) / square, (q * g[1] - p * f[1]) / square, (q * g[2] - p * f[2]) / square
    gradient, moving = vector_product(u, n), vector_product(turning, u)
    for c in range(3):
        w.gradient[c] = w.gradient[6 + c] = 0.0
        w.gradient[3 + c], w.gradient[9 + c] = -gradient[c], gradient[c]
    rate = dot(gradient, turning)
    bias = dot(n, vector_product(turning, moving)) - dot(gradient, vector_product(omega, turning))
    bias -= 2.0 * rate * (q * dot(moving, f) + p * dot(moving, g)) / square
    return sign * atan2(p, q), sign * rate, sign * bias


@inlined
def axis_of(m, w, k):
    """The axis h of an angle, in world axes."""
    return rotated(
        w.body, m.measure[k, CHILD] if m.measure[k, ON_CHILD] else m.measure[k, PARENT], m.measure_vector, k, AXIS
    )


@inlined
def turning(m, w, k):
    """How fast the child of measure k turns against the parent."""
    return plus_times(get(w.body, m.measure[k, CHILD], OMEGA), -1.0, get(w.body, m.measure[k, PARENT], OMEGA))


@inlined
def gradient_of_angle(g, h):
    """Along each of the two bodies, for the axis h."""
    for c in range(3):
        g[c] = g[6 + c] = 0.0
        g[3 + c], g[9 + c] = -h[c], h[c]


@called
def measure(m, w, k):
    """Value, rate and bias of measure k; its gradient goes to `w.gradient`."""
    i, j = m.measure[k, PARENT], m.measure[k, CHILD]
    body, g = w.body, w.gradient
    wix, wiy, wiz = body[i, OMEGA], body[i, OMEGA + 1], body[i, OMEGA + 2]
    wjx, wjy, wjz = body[j, OMEGA], body[j, OMEGA + 1], body[j, OMEGA + 2]
    if m.measure[k, KIND] == ANGLE and m.measure[k, TILTS]:
        return tilted_angle(m, w, k)
    if m.measure[k, KIND] == ANGLE:
        h, turns = axis_of(m, w, k), turning(m, w, k)
        gradient_of_angle(g, h)
        carried = vector_product(get(body, j if m.measure[k, ON_CHILD] else i, OMEGA), h)
        return angle_of(m, w, k), dot(h, turns), dot(carried, turns)
    if m.measure[k, KIND] != DISPLACEMENT:
        measure_on_curve(m, w, k)
        return g[12], g[13], g[14]

    ax, ay, az = rotated(body, i, m.measure_vector, k, AXIS)
    six, siy, siz = rotated(body, i, m.measure_vector, k, MEASURE_IN_PARENT)
    sjx, sjy, sjz = rotated(body, j, m.measure_vector, k, MEASURE_IN_CHILD)
    dx = body[j, POSITION] + sjx - body[i, POSITION] - six
    dy = body[j, POSITION + 1] + sjy - body[i, POSITION + 1] - siy
    dz = body[j, POSITION + 2] + sjz - body[i, POSITION + 2] - siz
    g[0], g[1], g[2] = -ax, -ay, -az
    g[3], g[4], g[5] = cross(ax, ay, az, dx + six, dy + siy, dz + siz)
    g[6], g[7], g[8] = ax, ay, az
    g[9], g[10], g[11] = cross(sjx, sjy, sjz, ax, ay, az)
    uix, uiy, uiz = cross(wix, wiy, wiz, six, siy, siz)
    ujx, ujy, ujz = cross(wjx, wjy, wjz, sjx, sjy, sjz)
    rx = body[j, VELOCITY] + ujx - body[i, VELOCITY] - uix
    ry = body[j, VELOCITY + 1] + ujy - body[i, VELOCITY + 1] - uiy
    rz = body[j, VELOCITY + 2] + ujz - body[i, VELOCITY + 2] - uiz
    bx, by, bz = cross(wix, wiy, wiz, ax, ay, az)
    cx, cy, cz = cross(wix, wiy, wiz, bx, by, bz)
    pix, piy, piz = cross(wix, wiy, wiz, uix, uiy, uiz)
    pjx, pjy, pjz = cross(wjx, wjy, wjz, ujx, ujy, ujz)
    rate = ax * rx + ay * ry + az * rz + bx * dx + by * dy + bz * dz
    bias = ax * (pjx - pix) + ay * (pjy - piy) + az * (pjz - piz)
    bias += 2.0 * (bx * rx + by * ry + bz * rz) + cx * dx + cy * dy + cz * dz
    return ax * dx + ay * dy + az * dz, rate, bias


@inlined
def is_plain_angle(m, k):
    """Is measure k an angle whose arm is perpendicular to its axis?"""
    return m.measure[k, KIND] == ANGLE and not m.measure[k, TILTS]


@inlined
def gradient_of_measure(m, w, k):
    """The gradient of measure k alone, into `w.gradient`."""
    if is_plain_angle(m, k):
        gradient_of_angle(w.gradient, axis_of(m, w, k))
    else:
        measure(m, w, k)


@inlined
def rate_of_measure(m, w, k):
    """The rate of measure k alone."""
    return dot(axis_of(m, w, k), turning(m, w, k)) if is_plain_angle(m, k) else measure(m, w, k)[1]


@inlined
def motion_of_measure(m, w, k):
    """Value and rate of measure k alone."""
    if is_plain_angle(m, k):
        return angle_of(m, w, k), rate_of_measure(m, w, k)
    value, rate, _ = measure(m, w, k)
    return value, rate
