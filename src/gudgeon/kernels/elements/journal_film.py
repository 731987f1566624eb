"""The lubricant film between a journal and its bore.

In the bearing's axes, z the bore's, the journal's axis h pierces the plane z at e(z) = d_⊥ + (z − d_z) k, k = h_⊥/h_z.
In the frame that turns with the mean of the two surfaces a film is only squeezed, and its velocity is that of the
journal against the bearing at the point half-way between the centres:

    X = ½ e + z ẑ,   u = v + w × (X − P_j),   V = u_⊥ − u_z k,   F = −(μ R L³/c³)|V| (J_v v̂ + J_t t̂)
    on the journal: (F, −k·F), perpendicular to its axis, at X, and the couple −M_v ẑ
    M_v = (2π μ R³ L/c) w_z/√(1 − ε²)    (Petroff with eccentricity, a full film)

so that both bodies turning together feel nothing, moments balance, and the power is F·V − M_v w_z ≤ 0. A tilted journal
has two stations, each with half of the force: ε taken λ_e L from the middle of the land, V and the force λ_a L from it,
with one lever for velocity and force, which keeps it passive (λ_a = 1/√60, λ_e = 2/√60 are exact for short films and
small tilts). Films thinner than the smallest one go on as they are there, so trial states beyond the wall have a force
too. Coefficients J_v and J_t: film_coefficients.py; derivatives: journal_film_slopes.py.
"""

from __future__ import annotations

from math import sqrt

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.dynamics.arrays import (
    ARM_OF,
    DEPTH,
    DEPTH_RATE,
    ECCENTRICITY,
    FORCE_ON_BALL,
    FRAME,
    MODEL,
    OMEGA_BALL,
    POWER,
    RATE_OF,
    REPORT_OWN,
    REPORT_PENETRATION,
    REPORT_POWER,
    SURFACE_TABLE,
    TORQUE_ON_BALL,
    WORK,
)
from gudgeon.kernels.elements.bushing import ball_axis, in_joint_axes, vector
from gudgeon.kernels.elements.film_coefficients import coefficients
from gudgeon.kernels.elements.film_numbers import (
    FILM_KIND,
    FULLEST,
    GAP_STATION,
    HALF_LENGTH,
    LEVER_STATION,
    LONG_SCALE,
    MIDDLE,
    RADIAL_PLAY,
    SHEAR,
    STRENGTH,
    THINNEST,
)
from gudgeon.kernels.elements.joints import clear_force
from gudgeon.kernels.kinematics.vectors import dot, plus_times, vector_product


@inlined
def relative(x):
    """d, k, h and v, w of the motion x seen from the socket, in the joint's axes."""
    h = ball_axis(x, 2)
    d, v = in_joint_axes(x, vector(x, ECCENTRICITY)), in_joint_axes(x, vector(x, RATE_OF))
    return d, (h[0] / h[2], h[1] / h[2]), h, v, in_joint_axes(x, vector(x, OMEGA_BALL))


@inlined
def axis_at(d, k, z):
    """Where the journal's axis pierces the plane z."""
    return d[0] + (z - d[2]) * k[0], d[1] + (z - d[2]) * k[1]


@inlined
def lever(d, k, z):
    """X − P_j at the plane z."""
    ex, ey = axis_at(d, k, z)
    return 0.5 * ex - d[0], 0.5 * ey - d[1], z - d[2]


@inlined
def within(p, d, k, z):
    """ε at the plane z, not beyond the fullest; and whether it is shortened, and by which factor."""
    ex, ey = axis_at(d, k, z)
    ex, ey = ex / p[RADIAL_PLAY], ey / p[RADIAL_PLAY]
    length = sqrt(ex * ex + ey * ey)
    shortened = p[FULLEST] / length if length > p[FULLEST] else 1.0
    return ex * shortened, ey * shortened, shortened


@inlined
def velocity_of(k, v, w, r):
    """V at the lever r, and u_z."""
    along = v[2] + w[0] * r[1] - w[1] * r[0]
    x, y = v[0] + w[1] * r[2] - w[2] * r[1], v[1] + w[2] * r[0] - w[0] * r[2]
    return x - along * k[0], y - along * k[1], along


@inlined
def direction_of(Vx, Vy):
    """|V| and v̂."""
    speed = sqrt(Vx * Vx + Vy * Vy)
    return speed, Vx / speed if speed > 0.0 else 1.0, Vy / speed if speed > 0.0 else 0.0


@inlined
def across(k, Fx, Fy):
    """A force perpendicular to the journal's axis."""
    return Fx, Fy, -k[0] * Fx - k[1] * Fy


@called
def push_at(p, table, d, k, v, w, near, far):
    """Force of one station, ε from the plane `near`, V from the plane `far`, as if it had all of the film.

    F, power lost and 1/√(1 − ε²).
    """
    ex, ey, _ = within(p, d, k, near)
    r = lever(d, k, far)
    Vx, Vy, _ = velocity_of(k, v, w, r)
    speed, nx, ny = direction_of(Vx, Vy)
    J_v, J_t, _, _, _, _ = coefficients(p[FILM_KIND], table, p[LONG_SCALE], ex * nx + ey * ny, ey * nx - ex * ny)
    J_v, J_t = p[STRENGTH] * J_v, p[STRENGTH] * J_t
    thin = 1.0 / sqrt(1.0 - ex * ex - ey * ey)
    return J_t * Vy - J_v * Vx, -J_t * Vx - J_v * Vy, J_v * speed * speed, thin


@called
def push_of_journal_film(p, table, x, out):
    """Force and torque of a film for the motion x seen from the socket, at P_j, and its power, into `out`."""
    d, k, _, v, w = relative(x)
    z, near, far = p[MIDDLE], p[GAP_STATION], p[LEVER_STATION]
    if k[0] == 0.0 and k[1] == 0.0 and w[0] == 0.0 and w[1] == 0.0:
        Fx, Fy, power, thin = push_at(p, table, d, k, v, w, z, z)
        torque = vector_product(lever(d, k, z), (Fx, Fy, 0.0))
    else:
        Fx, Fy, power, thin = push_at(p, table, d, k, v, w, z + near, z + far)
        Gx, Gy, more, thinned = push_at(p, table, d, k, v, w, z - near, z - far)
        torque = vector_product(lever(d, k, z + far), across(k, 0.5 * Fx, 0.5 * Fy))
        torque = plus_times(torque, 0.5, vector_product(lever(d, k, z - far), across(k, Gx, Gy)))
        Fx, Fy = 0.5 * (Fx + Gx), 0.5 * (Fy + Gy)
        power, thin = 0.5 * (power + more), 0.5 * (thin + thinned)
    couple = p[SHEAR] * thin * w[2]
    torque, force = (torque[0], torque[1], torque[2] - couple), across(k, Fx, Fy)
    for r in range(3):
        axes = vector(x, FRAME + 3 * r)
        out[FORCE_ON_BALL + r] = dot(axes, force)
        out[TORQUE_ON_BALL + r] = dot(axes, torque)
        out[ARM_OF + r] = x[ECCENTRICITY + r]
    out[POWER] = power + couple * w[2]


@addressed(void(MODEL, WORK, int64, int64, int64))
def force_of_journal_film(m, w, k, a, b):
    """Force and torque for the motion in line a of `local`, into line b of `force`."""
    clear_force(w.force, b)
    push_of_journal_film(m.compliant_vector[k], m.compliant[k, SURFACE_TABLE], w.local[a], w.force[b])


@called
def closeness(p, x, z):
    """|e| at the plane z, and its rate."""
    d, k, h, v, w = relative(x)
    ex, ey = axis_at(d, k, z)
    g = vector_product(w, h)
    rate_x, rate_y = (g[0] - k[0] * g[2]) / h[2], (g[1] - k[1] * g[2]) / h[2]  # of k
    ux, uy = v[0] - v[2] * k[0] + (z - d[2]) * rate_x, v[1] - v[2] * k[1] + (z - d[2]) * rate_y
    e = sqrt(ex * ex + ey * ey)
    return e, (ex * ux + ey * uy) / e if e > 0.0 else sqrt(ux * ux + uy * uy)


@addressed(void(MODEL, WORK, int64, int64, int64))
def depth_of_journal_film(m, w, k, a, b):
    """How far the film is below the smallest at an end, and its rate; for line a of `local`, into line b of `force`."""
    p = m.compliant_vector[k]
    e, rate = closeness(p, w.local[a], p[MIDDLE] + p[HALF_LENGTH])
    other, its_rate = closeness(p, w.local[a], p[MIDDLE] - p[HALF_LENGTH])
    if other > e:
        e, rate = other, its_rate
    w.force[b, DEPTH], w.force[b, DEPTH_RATE] = e - (p[RADIAL_PLAY] - p[THINNEST]), rate


@addressed(void(MODEL, WORK, int64))
def report_of_journal_film(m, w, k):
    """The film under the forces in line k."""
    out, p, x = w.report, m.compliant_vector[k], w.local[k]
    _, slope, h, _, _ = relative(x)
    z, half = p[MIDDLE], p[HALF_LENGTH]
    e = max(closeness(p, x, z + half)[0], closeness(p, x, z - half)[0])
    power, square = 0.0, 0.0
    for c in range(3):
        power -= x[RATE_OF + c] * w.force[k, FORCE_ON_BALL + c] + x[OMEGA_BALL + c] * w.force[k, TORQUE_ON_BALL + c]
        square += w.force[k, FORCE_ON_BALL + c] ** 2
    torque = in_joint_axes(x, vector(w.force[k], TORQUE_ON_BALL))
    out[REPORT_PENETRATION] = e - p[RADIAL_PLAY] + p[THINNEST]
    out[REPORT_POWER] = power
    out[REPORT_OWN] = p[RADIAL_PLAY] - e
    out[REPORT_OWN + 1] = e / p[RADIAL_PLAY]
    out[REPORT_OWN + 2] = sqrt(square)
    out[REPORT_OWN + 3] = sqrt(slope[0] * slope[0] + slope[1] * slope[1])
    out[REPORT_OWN + 4] = dot(h, torque)
    out[REPORT_OWN + 5] = power
