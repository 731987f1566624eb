"""Joints that act by forces: their relative motion and the forces their laws give.

Socket with centre P_i on body i, ball with centre P_j on body j:

    e = r_Pj − r_Pi,  e = |e|,  n = e/e (the direction of ė where e = 0),  ė = n·ė

    contact (δ = e − free path > 0)   f_n = law(δ, δ̇, δ̇⁽⁻⁾),  f_t = −friction(|v_t|, f_n) v_t/|v_t|
    film                              f = −law(e/c, ė) n
    bushing                           f = −k (e + b ė) n
    matrix bushing                    (f, τ) = −K x − C ẋ on displacement and rotation vector in the joint's axes
    joint bushing                     the same on what a joint holds, see joint_bushing.py
    surfaces                          (f, τ) = ∫ pressure and friction over two surfaces, see gudgeon.surface_contact

on the ball, opposite on the socket. Both forces of a contact act at one point X = P_i + ρ n, ρ = (R_i + R_j + e)/2,
half-way between the two surfaces, and v_t is the relative velocity of the bodies' points there: so action equals
reaction in moments too, and friction always dissipates. Bushing, film and surfaces act at X = P_j.
Source: Silva, Marques, Silva, Flores: Modelling spherical joints in multibody systems, eqs 6–17.
"""

from __future__ import annotations

from math import atan2, cos, sin, sqrt

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.build.records import VECTOR
from gudgeon.kernels.dynamics.arrays import (
    APPLIED,
    ARM_OF,
    BALL,
    BALL_AXES,
    BALL_FRAME,
    BALL_RADIUS,
    BRISTLE,
    BRISTLE_DAMPING,
    BRISTLE_STIFFNESS,
    BRISTLE_VISCOUS,
    BRISTLES,
    BUSHING,
    CHANGE,
    CLEARANCE,
    DAMPING_MATRIX,
    DAMPING_TIME,
    DRY,
    ECCENTRICITY,
    FLIGHT,
    FORCE_COLUMNS,
    FORCE_ON_BALL,
    FRAME,
    FREE_PATH,
    IMPACT_SPEED,
    IN_BALL,
    IN_SOCKET,
    JOINT_BUSHING,
    KIND,
    LOCAL_COLUMNS,
    MATRIX_BUSHING,
    MODE,
    MODEL,
    NORMAL,
    OMEGA,
    OMEGA_BALL,
    OMEGA_SOCKET,
    POSITION,
    POWER,
    RATE_OF,
    ROTATION,
    SMALLEST_IMPACT,
    SOCKET,
    SOCKET_AXES,
    SOCKET_RADIUS,
    STIFFNESS,
    STIFFNESS_MATRIX,
    SURFACE,
    SURFACE_FUNCTION,
    SURFACE_TABLE,
    TORQUE_ON_BALL,
    TURN,
    UNKNOWN,
    UNKNOWNS,
    VELOCITY,
    WORK,
    WORK_STATE,
)
from gudgeon.kernels.dynamics.engine import law_force, local_motion
from gudgeon.kernels.dynamics.loads import push
from gudgeon.kernels.elements.joint_bushing import joint_bushing, seen_from_socket
from gudgeon.kernels.elements.laws import call_surface, film_force, friction_force, normal_force
from gudgeon.kernels.kinematics.rotation import cross, rotated

ROUNDING = 1e-15  # of a penetration that has just begun [m]
CORE = 1e-12  # so near to the socket's centre there is no radial direction [m]

# what the function of two surfaces is asked for
PUSH = 0  # a line of `force`
LEAST_GAP = 1  # least gap [m] and its rate [m/s]
REPORT = 2  # columns below
SLOPES = 3  # two 6 × 6 matrices: ∂(force, torque)/∂(displacement, turn), and by their rates

# what REPORT fills
REPORT_FRICTION = 0  # 3, on the ball, world axes [N]
REPORT_STORED = 3  # [J]
REPORT_AREA = 4  # touching [m²]
REPORT_PRESSURE = 5  # largest [Pa]
REPORT_NORMAL = 6  # length of the resultant of the pressure [N]
REPORT_GAP = 7  # least [m]


@addressed(void(MODEL, WORK, int64, VECTOR))
def motion_of_joint(m, w, k, y):
    """The motion of compliant joint k into `w.local[k]`, from the kinematics held in `w`."""
    i, j, body, local = m.compliant[k, SOCKET], m.compliant[k, BALL], w.body, w.local
    sx, sy, sz = rotated(body, i, m.compliant_vector, k, IN_SOCKET)
    qx, qy, qz = rotated(body, j, m.compliant_vector, k, IN_BALL)
    wix, wiy, wiz = body[i, OMEGA], body[i, OMEGA + 1], body[i, OMEGA + 2]
    wjx, wjy, wjz = body[j, OMEGA], body[j, OMEGA + 1], body[j, OMEGA + 2]
    ux, uy, uz = cross(wix, wiy, wiz, sx, sy, sz)
    vx, vy, vz = cross(wjx, wjy, wjz, qx, qy, qz)
    local[k, ECCENTRICITY] = (body[j, POSITION] - body[i, POSITION]) + (qx - sx)
    local[k, ECCENTRICITY + 1] = (body[j, POSITION + 1] - body[i, POSITION + 1]) + (qy - sy)
    local[k, ECCENTRICITY + 2] = (body[j, POSITION + 2] - body[i, POSITION + 2]) + (qz - sz)
    local[k, RATE_OF] = (body[j, VELOCITY] - body[i, VELOCITY]) + (vx - ux)
    local[k, RATE_OF + 1] = (body[j, VELOCITY + 1] - body[i, VELOCITY + 1]) + (vy - uy)
    local[k, RATE_OF + 2] = (body[j, VELOCITY + 2] - body[i, VELOCITY + 2]) + (vz - uz)
    local[k, OMEGA_SOCKET], local[k, OMEGA_SOCKET + 1], local[k, OMEGA_SOCKET + 2] = wix, wiy, wiz
    local[k, OMEGA_BALL], local[k, OMEGA_BALL + 1], local[k, OMEGA_BALL + 2] = wjx, wjy, wjz
    if m.compliant[k, KIND] == MATRIX_BUSHING:
        relative_rotation(m, w, k)
    elif m.compliant[k, KIND] == JOINT_BUSHING:
        seen_from_socket(m, w, k)
    elif m.compliant[k, KIND] == SURFACE:
        for c in range(9):
            local[k, FRAME + c] = body[i, ROTATION + c]
            local[k, BALL_FRAME + c] = body[j, ROTATION + c]
        local[k, TURN] = local[k, TURN + 1] = local[k, TURN + 2] = 0.0
    elif m.compliant[k, BRISTLE] >= 0:
        for c in range(9):
            local[k, FRAME + c] = body[i, ROTATION + c]
        for c in range(3):
            local[k, BRISTLES + c] = y[m.compliant[k, BRISTLE] + c]


@called
def relative_rotation(m, w, k):
    """The joint's axes in the world and the rotation vector of the ball against the socket."""
    i, j, body, V, local = m.compliant[k, SOCKET], m.compliant[k, BALL], w.body, m.compliant_vector, w.local
    for r in range(3):
        for c in range(3):
            x = 0.0
            for d in range(3):
                x += body[i, ROTATION + 3 * r + d] * V[k, SOCKET_AXES + 3 * c + d]
            local[k, FRAME + 3 * r + c] = x
    q00 = q01 = q02 = q10 = q11 = q12 = q20 = q21 = q22 = 0.0  # socket frameᵀ · ball frame
    for d in range(3):
        a0, a1, a2 = local[k, FRAME + 3 * d], local[k, FRAME + 3 * d + 1], local[k, FRAME + 3 * d + 2]
        b0 = b1 = b2 = 0.0
        for g in range(3):
            x = body[j, ROTATION + 3 * d + g]
            b0 += x * V[k, BALL_AXES + g]
            b1 += x * V[k, BALL_AXES + 3 + g]
            b2 += x * V[k, BALL_AXES + 6 + g]
        q00 += a0 * b0
        q01 += a0 * b1
        q02 += a0 * b2
        q10 += a1 * b0
        q11 += a1 * b1
        q12 += a1 * b2
        q20 += a2 * b0
        q21 += a2 * b1
        q22 += a2 * b2
    x, y, z = 0.5 * (q21 - q12), 0.5 * (q02 - q20), 0.5 * (q10 - q01)  # axis · sin θ
    sine, cosine = sqrt(x * x + y * y + z * z), 0.5 * (q00 + q11 + q22 - 1.0)
    angle = atan2(sine, cosine)
    scale = 1.0 + sine * sine / 6.0 if sine < 1e-4 and cosine > 0.0 else angle / sine
    local[k, TURN], local[k, TURN + 1], local[k, TURN + 2] = scale * x, scale * y, scale * z


@inlined
def radial_direction(local, a):
    """Length of the eccentricity in line a of `local`, its direction n, and its rate ė."""
    ex, ey, ez = local[a, ECCENTRICITY], local[a, ECCENTRICITY + 1], local[a, ECCENTRICITY + 2]
    vx, vy, vz = local[a, RATE_OF], local[a, RATE_OF + 1], local[a, RATE_OF + 2]
    e = sqrt(ex * ex + ey * ey + ez * ez)
    if e > 0.0:
        nx, ny, nz = ex / e, ey / e, ez / e
    else:
        v = sqrt(vx * vx + vy * vy + vz * vz)
        s = 1.0 / v if v > 0.0 else 0.0
        nx, ny, nz = s * vx, s * vy, s * vz
    return e, nx, ny, nz, nx * vx + ny * vy + nz * vz


@inlined
def touches(m, w, k, e):
    """Does the contact of compliant joint k push at the eccentricity e? Just begun, it does: dampers push at once."""
    return w.contact[k, MODE] != FLIGHT and e > m.compliant_vector[k, FREE_PATH] - ROUNDING


@inlined
def contact_force(m, w, k, a, b, e, nx, ny, nz, rate):
    """Add contact and friction, from line a of `local` to line b of `force`."""
    local, force, V = w.local, w.force, m.compliant_vector
    impact = max(w.contact[k, IMPACT_SPEED], V[k, SMALLEST_IMPACT])
    delta = max(e - V[k, FREE_PATH], 0.0)
    normal = normal_force(m, k, delta, rate, impact)
    rho = 0.5 * (V[k, SOCKET_RADIUS] + V[k, BALL_RADIUS] + e)
    force[b, ARM_OF], force[b, ARM_OF + 1], force[b, ARM_OF + 2] = rho * nx, rho * ny, rho * nz
    # the two bodies' points at X slide against each other
    wix, wiy, wiz = local[a, OMEGA_SOCKET], local[a, OMEGA_SOCKET + 1], local[a, OMEGA_SOCKET + 2]
    wjx, wjy, wjz = local[a, OMEGA_BALL], local[a, OMEGA_BALL + 1], local[a, OMEGA_BALL + 2]
    r = rho - e
    tx, ty, tz = cross(r * wjx - rho * wix, r * wjy - rho * wiy, r * wjz - rho * wiz, nx, ny, nz)
    tx += local[a, RATE_OF] - rate * nx
    ty += local[a, RATE_OF + 1] - rate * ny
    tz += local[a, RATE_OF + 2] - rate * nz
    speed = sqrt(tx * tx + ty * ty + tz * tz)
    force[b, NORMAL] = normal
    elastic = normal_force(m, k, delta, 0.0, impact)
    fx, fy, fz = -normal * nx, -normal * ny, -normal * nz
    if m.compliant[k, BRISTLE] >= 0:
        gx, gy, gz = bristle_friction(m, w, k, a, b, nx, ny, nz, e, normal, speed, tx, ty, tz)
        force[b, POWER] += (normal - elastic) * rate - (gx * tx + gy * ty + gz * tz)
        fx, fy, fz = fx + gx, fy + gy, fz + gz
    else:
        s = friction_force(m, k, speed, normal) / speed if speed > 0.0 else 0.0
        force[b, POWER] += (normal - elastic) * rate + s * speed * speed
        fx, fy, fz = fx - s * tx, fy - s * ty, fz - s * tz
    force[b, FORCE_ON_BALL] += fx
    force[b, FORCE_ON_BALL + 1] += fy
    force[b, FORCE_ON_BALL + 2] += fz


@called
def bristle_friction(m, w, k, a, b, nx, ny, nz, e, normal, speed, tx, ty, tz):
    """LuGre: ż = v_t − σ0 |v_t|/g(v) z, f = −f_n (σ0 z + σ1 ż + σ2 v_t).

    z is a vector of the contact plane, kept in the socket's axes and carried along as the plane turns (parallel
    transport). Returns the friction on the ball; the rate of z goes where a torque would be.
    """
    local, force, V = w.local, w.force, m.compliant_vector
    x, y, z = local[a, BRISTLES], local[a, BRISTLES + 1], local[a, BRISTLES + 2]
    F = FRAME
    zx = local[a, F] * x + local[a, F + 1] * y + local[a, F + 2] * z
    zy = local[a, F + 3] * x + local[a, F + 4] * y + local[a, F + 5] * z
    zz = local[a, F + 6] * x + local[a, F + 7] * y + local[a, F + 8] * z
    out = zx * nx + zy * ny + zz * nz
    zx, zy, zz = zx - out * nx, zy - out * ny, zz - out * nz
    s0, s1, s2 = V[k, BRISTLE_STIFFNESS], V[k, BRISTLE_DAMPING], V[k, BRISTLE_VISCOUS]
    wear = s0 * speed / friction_force(m, k, speed, 1.0)
    dx, dy, dz = tx - wear * zx, ty - wear * zy, tz - wear * zz
    # the plane turns with n, seen from the socket
    ox, oy, oz = cross(
        local[a, OMEGA_SOCKET],
        local[a, OMEGA_SOCKET + 1],
        local[a, OMEGA_SOCKET + 2],
        local[a, ECCENTRICITY],
        local[a, ECCENTRICITY + 1],
        local[a, ECCENTRICITY + 2],
    )
    turn = zx * (local[a, RATE_OF] - ox) + zy * (local[a, RATE_OF + 1] - oy) + zz * (local[a, RATE_OF + 2] - oz)
    turn /= e
    rx, ry, rz = dx - turn * nx, dy - turn * ny, dz - turn * nz
    for c in range(3):
        force[b, TORQUE_ON_BALL + c] = local[a, F + c] * rx + local[a, F + 3 + c] * ry + local[a, F + 6 + c] * rz
    return (
        -normal * (s0 * zx + s1 * dx + s2 * tx),
        -normal * (s0 * zy + s1 * dy + s2 * ty),
        -normal * (s0 * zz + s1 * dz + s2 * tz),
    )


@called
def matrix_bushing(m, w, k, a, b):
    """Force and torque of a bushing with matrices, from line a of `local` to line b of `force`.

    K acts on x = (displacement, rotation vector θ), C on the relative velocity and angular velocity. The torque of
    the elastic part is J⁻ᵀ(θ) ∂V/∂θ, J the left Jacobian of the rotation vector, so that V = ½ xᵀKx is an energy.
    """
    local, force, V, F = w.local, w.force, m.compliant_vector, FRAME
    ex, ey, ez = local[a, ECCENTRICITY], local[a, ECCENTRICITY + 1], local[a, ECCENTRICITY + 2]
    wx, wy, wz = local[a, OMEGA_SOCKET], local[a, OMEGA_SOCKET + 1], local[a, OMEGA_SOCKET + 2]
    ox, oy, oz = cross(wx, wy, wz, ex, ey, ez)
    ux, uy, uz = local[a, RATE_OF] - ox, local[a, RATE_OF + 1] - oy, local[a, RATE_OF + 2] - oz
    wx, wy, wz = local[a, OMEGA_BALL] - wx, local[a, OMEGA_BALL + 1] - wy, local[a, OMEGA_BALL + 2] - wz
    f0 = f1 = f2 = t0 = t1 = t2 = d3 = d4 = d5 = power = 0.0
    for c in range(3):
        p, q, s = local[a, F + c], local[a, F + 3 + c], local[a, F + 6 + c]  # the joint's axis c in the world
        x, turn = p * ex + q * ey + s * ez, local[a, TURN + c]
        u, o = p * ux + q * uy + s * uz, p * wx + q * wy + s * wz
        K, C, L, D = STIFFNESS_MATRIX + c, DAMPING_MATRIX + c, STIFFNESS_MATRIX + 3 + c, DAMPING_MATRIX + 3 + c
        f0 -= V[k, K] * x + V[k, L] * turn + V[k, C] * u + V[k, D] * o
        f1 -= V[k, K + 6] * x + V[k, L + 6] * turn + V[k, C + 6] * u + V[k, D + 6] * o
        f2 -= V[k, K + 12] * x + V[k, L + 12] * turn + V[k, C + 12] * u + V[k, D + 12] * o
        t0 -= V[k, K + 18] * x + V[k, L + 18] * turn
        t1 -= V[k, K + 24] * x + V[k, L + 24] * turn
        t2 -= V[k, K + 30] * x + V[k, L + 30] * turn
        d3 -= V[k, C + 18] * u + V[k, D + 18] * o
        d4 -= V[k, C + 24] * u + V[k, D + 24] * o
        d5 -= V[k, C + 30] * u + V[k, D + 30] * o
        for g in range(3):
            h = FRAME + g
            ug = local[a, h] * ux + local[a, h + 3] * uy + local[a, h + 6] * uz
            og = local[a, h] * wx + local[a, h + 3] * wy + local[a, h + 6] * wz
            G = DAMPING_MATRIX + 6 * g + c
            power += ug * (V[k, G] * u + V[k, G + 3] * o) + og * (V[k, G + 18] * u + V[k, G + 21] * o)
    # J⁻ᵀ t = t + ½ θ×t + κ θ×(θ×t)
    x, y, z = local[a, TURN], local[a, TURN + 1], local[a, TURN + 2]
    angle = sqrt(x * x + y * y + z * z)
    kappa = 1.0 / 12.0
    if angle > 1e-3:
        kappa = 1.0 / (angle * angle) - (1.0 + cos(angle)) / (2.0 * angle * sin(angle))
    px, py, pz = cross(x, y, z, t0, t1, t2)
    qx, qy, qz = cross(x, y, z, px, py, pz)
    t0, t1, t2 = (
        t0 + 0.5 * px + kappa * qx + d3,
        t1 + 0.5 * py + kappa * qy + d4,
        t2 + 0.5 * pz + kappa * qz + d5,
    )
    for r in range(3):
        p, q, s = local[a, F + 3 * r], local[a, F + 3 * r + 1], local[a, F + 3 * r + 2]
        force[b, FORCE_ON_BALL + r] = p * f0 + q * f1 + s * f2
        force[b, TORQUE_ON_BALL + r] = p * t0 + q * t1 + s * t2
        force[b, ARM_OF + r] = local[a, ECCENTRICITY + r]
    force[b, POWER] = power


@called
def ask_surfaces(m, w, k, a, b, task):
    """Ask the two surfaces of joint k, in the motion of line a of `local`; the answer is line b of `force`."""
    impact = max(w.contact[k, IMPACT_SPEED], m.compliant_vector[k, SMALLEST_IMPACT])
    motion, out = w.local.ctypes.data + 8 * LOCAL_COLUMNS * a, w.force.ctypes.data + 8 * FORCE_COLUMNS * b
    call_surface(m.compliant[k, SURFACE_FUNCTION], m.compliant[k, SURFACE_TABLE], task, impact, motion, out, 0)


@called
def surface_slopes(m, w, k, a, by_position, by_velocity):
    """Derivatives of force and torque of two surfaces by the motion in line a of `local`, into matrices by address."""
    impact = max(w.contact[k, IMPACT_SPEED], m.compliant_vector[k, SMALLEST_IMPACT])
    motion, function = w.local.ctypes.data + 8 * LOCAL_COLUMNS * a, m.compliant[k, SURFACE_FUNCTION]
    call_surface(function, m.compliant[k, SURFACE_TABLE], SLOPES, impact, motion, by_position, by_velocity)


@addressed(void(MODEL, WORK, int64, int64, int64))
def force_of_joint(m, w, k, a, b):
    """The force of compliant joint k for the motion in line a of `local`, into line b of `force`."""
    kind, local, force = m.compliant[k, KIND], w.local, w.force
    for c in range(6):
        force[b, FORCE_ON_BALL + c] = 0.0
    force[b, NORMAL] = force[b, POWER] = 0.0
    if kind == MATRIX_BUSHING:
        matrix_bushing(m, w, k, a, b)
        return
    if kind == JOINT_BUSHING:
        joint_bushing(m.compliant_vector[k], local[a], force[b])
        return
    if kind == SURFACE:
        for c in range(3):
            force[b, ARM_OF + c] = local[a, ECCENTRICITY + c]
        if w.contact[k, MODE] != FLIGHT:
            ask_surfaces(m, w, k, a, b, PUSH)
        return
    e, nx, ny, nz, rate = radial_direction(local, a)
    force[b, ARM_OF], force[b, ARM_OF + 1], force[b, ARM_OF + 2] = e * nx, e * ny, e * nz
    if kind != DRY:
        resist(m, w, k, a, b, e, nx, ny, nz, rate)
    if touches(m, w, k, e):
        contact_force(m, w, k, a, b, e, nx, ny, nz, rate)


@inlined
def resist(m, w, k, a, b, e, nx, ny, nz, rate):
    """Film or bushing, from line a of `local` to line b of `force`.

    Both resist the radial rate n (n·ė). At the very centre n has no meaning; there, within a picometre, all motion is
    radial: (e (e·ė) + ε² ė)/(e² + ε²) is the one far from the centre, the other at it, smooth and dissipative.
    """
    local, force, V = w.local, w.force, m.compliant_vector
    outer, core = e * e / (e * e + CORE * CORE), CORE * CORE / (e * e + CORE * CORE)
    x = outer * rate * nx + core * local[a, RATE_OF]
    y = outer * rate * ny + core * local[a, RATE_OF + 1]
    z = outer * rate * nz + core * local[a, RATE_OF + 2]
    if m.compliant[k, KIND] == BUSHING:
        stiffness = V[k, STIFFNESS]
        damping = stiffness * V[k, DAMPING_TIME]
        force[b, FORCE_ON_BALL] = -stiffness * e * nx - damping * x
        force[b, FORCE_ON_BALL + 1] = -stiffness * e * ny - damping * y
        force[b, FORCE_ON_BALL + 2] = -stiffness * e * nz - damping * z
        force[b, POWER] = damping * (
            outer * rate * rate
            + core * (local[a, RATE_OF] ** 2 + local[a, RATE_OF + 1] ** 2 + local[a, RATE_OF + 2] ** 2)
        )
    else:
        speed = sqrt(x * x + y * y + z * z)
        if rate < 0.0:
            speed = -speed
        f = film_force(m, k, min(e, V[k, FREE_PATH]) / V[k, CLEARANCE], speed)
        s = f / speed if speed != 0.0 else 0.0
        force[b, FORCE_ON_BALL], force[b, FORCE_ON_BALL + 1], force[b, FORCE_ON_BALL + 2] = -s * x, -s * y, -s * z
        force[b, POWER] = s * (x * local[a, RATE_OF] + y * local[a, RATE_OF + 1] + z * local[a, RATE_OF + 2])


@inlined
def point_of_action(m, w, k):
    """X − P_i of compliant joint k for the motion in line k of `local`, into line k of `force`."""
    e, nx, ny, nz, _ = radial_direction(w.local, k)
    rho = e
    if touches(m, w, k, e):
        rho = 0.5 * (m.compliant_vector[k, SOCKET_RADIUS] + m.compliant_vector[k, BALL_RADIUS] + e)
    w.force[k, ARM_OF], w.force[k, ARM_OF + 1], w.force[k, ARM_OF + 2] = rho * nx, rho * ny, rho * nz


@inlined
def push_bodies(m, w, k):
    """Apply line k of `force` to the two bodies, both at the point X."""
    i, j, body, force = m.compliant[k, SOCKET], m.compliant[k, BALL], w.body, w.force
    fx, fy, fz = force[k, FORCE_ON_BALL], force[k, FORCE_ON_BALL + 1], force[k, FORCE_ON_BALL + 2]
    ax, ay, az = force[k, ARM_OF], force[k, ARM_OF + 1], force[k, ARM_OF + 2]
    sx, sy, sz = rotated(body, i, m.compliant_vector, k, IN_SOCKET)
    sx, sy, sz = sx + ax, sy + ay, sz + az
    dx, dy, dz = body[i, POSITION], body[i, POSITION + 1], body[i, POSITION + 2]
    dx, dy, dz = dx - body[j, POSITION], dy - body[j, POSITION + 1], dz - body[j, POSITION + 2]
    push(body, i, sx, sy, sz, -fx, -fy, -fz)
    push(body, j, sx + dx, sy + dy, sz + dz, fx, fy, fz)
    if m.compliant[k, KIND] >= MATRIX_BUSHING:
        for c in range(3):
            body[i, APPLIED + 3 + c] -= force[k, TORQUE_ON_BALL + c]
            body[j, APPLIED + 3 + c] += force[k, TORQUE_ON_BALL + c]


@called
def joint_forces(m, w, y):
    """The forces of all compliant joints at the kinematics held in `w`, onto the bodies."""
    for k in range(m.compliant.shape[0]):
        local_motion(m, w, k, y)
        law_force(m, w, k, k, k)
        push_bodies(m, w, k)


@called
def given_joint_forces(m, w, y, unknown):
    """Apply given forces of the compliant joints (as the implicit solver iterates them) to the bodies."""
    for k in range(m.compliant.shape[0]):
        local_motion(m, w, k, y)
        point_of_action(m, w, k)
        at = m.compliant[k, UNKNOWN]
        for c in range(m.compliant[k, UNKNOWNS]):
            w.force[k, FORCE_ON_BALL + c] = unknown[at + c]
        push_bodies(m, w, k)


@inlined
def compliant_rates(m, w, y_rate):
    """The rates of bristles and dissipated energies."""
    for k in range(m.compliant.shape[0]):
        y_rate[m.compliant[k, WORK_STATE]] = w.force[k, POWER]
        if m.compliant[k, BRISTLE] >= 0:
            for c in range(3):
                y_rate[m.compliant[k, BRISTLE] + c] = w.force[k, TORQUE_ON_BALL + c]


@inlined
def eccentricity_change(m, w, k):
    """The change of the eccentricity of joint k that belongs to the changes of the bodies held in `w`."""
    x = y = z = 0.0
    for side in range(2):
        b = m.compliant[k, SOCKET + side * (BALL - SOCKET)]
        if b > 0:
            sign = 1.0 if side else -1.0
            sx, sy, sz = rotated(w.body, b, m.compliant_vector, k, IN_SOCKET + side * (IN_BALL - IN_SOCKET))
            ax, ay, az = cross(w.body[b, CHANGE + 3], w.body[b, CHANGE + 4], w.body[b, CHANGE + 5], sx, sy, sz)
            x += sign * (w.body[b, CHANGE] + ax)
            y += sign * (w.body[b, CHANGE + 1] + ay)
            z += sign * (w.body[b, CHANGE + 2] + az)
    return x, y, z
