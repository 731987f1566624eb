"""Joints that act by forces: where their two points are, and how their forces come onto the bodies.

Socket with centre P_i on body i, ball with centre P_j on body j:

    e = r_Pj − r_Pi,  e = |e|,  n = e/e (the direction of ė where e = 0),  ė = n·ė

Each physics has a file of its own that gives force and torque on the ball for such a motion, and is called by the
address in the joint's line (table.py). On the socket they act opposite, at the same point X, so action equals
reaction in moments too.
"""

from __future__ import annotations

from math import sqrt

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.dynamics.arrays import (
    APPLIED,
    ARM_OF,
    BALL,
    BALL_AXES,
    BALL_RADIUS,
    BRISTLE,
    CHANGE,
    ECCENTRICITY,
    FLIGHT,
    FORCE_ON_BALL,
    FREE_PATH,
    HARD_CONTACT,
    HAS_TORQUE,
    IN_BALL,
    IN_SOCKET,
    KIND,
    MODE,
    NORMAL,
    OMEGA_BALL,
    OMEGA_SOCKET,
    PART,
    POSITION,
    POWER,
    RATE_OF,
    RUBBING,
    SOCKET,
    SOCKET_RADIUS,
    TORQUE_ON_BALL,
    UNKNOWN,
    UNKNOWNS,
    WORK_STATE,
)
from gudgeon.kernels.dynamics.engine import law_force, local_motion
from gudgeon.kernels.dynamics.loads import push
from gudgeon.kernels.elements.coupled import coupled_change, given_effort, is_coupled, push_coupled
from gudgeon.kernels.elements.pushes import ROUNDING
from gudgeon.kernels.elements.rub_motion import push_by_rub
from gudgeon.kernels.elements.shear_couple import arm_and_couple, has_couple
from gudgeon.kernels.kinematics.rotation import cross, rotated

CORE = 1e-12  # so near to the socket's centre there is no radial direction [m]


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
def relative_velocity(w, k):
    """Relative velocity of the bodies' points at X, for the motion and the arm in lines k."""
    local, force = w.local, w.force
    ax, ay, az = force[k, ARM_OF], force[k, ARM_OF + 1], force[k, ARM_OF + 2]
    bx, by, bz = ax - local[k, ECCENTRICITY], ay - local[k, ECCENTRICITY + 1], az - local[k, ECCENTRICITY + 2]
    i, j = OMEGA_SOCKET, OMEGA_BALL
    px, py, pz = cross(local[k, i], local[k, i + 1], local[k, i + 2], ax, ay, az)
    qx, qy, qz = cross(local[k, j], local[k, j + 1], local[k, j + 2], bx, by, bz)
    return (
        local[k, RATE_OF] + qx - px,
        local[k, RATE_OF + 1] + qy - py,
        local[k, RATE_OF + 2] + qz - pz,
    )


@inlined
def clear_force(force, b):
    """No force in line b, before a law adds its own."""
    for c in range(6):
        force[b, FORCE_ON_BALL + c] = 0.0
    force[b, NORMAL] = force[b, POWER] = 0.0


@inlined
def radial_begin(w, a, b):
    """`radial_direction` of line a of `local`, with line b of `force` cleared and X = P_j."""
    clear_force(w.force, b)
    e, nx, ny, nz, rate = radial_direction(w.local, a)
    w.force[b, ARM_OF], w.force[b, ARM_OF + 1], w.force[b, ARM_OF + 2] = e * nx, e * ny, e * nz
    return e, nx, ny, nz, rate


@inlined
def radial_rate(local, a, e, nx, ny, nz, rate):
    """The radial part n (n·ė) of the rate of the eccentricity, which films and bushings resist, and its two weights.

    At the very centre n has no meaning; there, within a picometre, all motion is radial: (e (e·ė) + ε² ė)/(e² + ε²) is
    the one far from the centre, the other at it, smooth and dissipative.
    """
    outer, core = e * e / (e * e + CORE * CORE), CORE * CORE / (e * e + CORE * CORE)
    x = outer * rate * nx + core * local[a, RATE_OF]
    y = outer * rate * ny + core * local[a, RATE_OF + 1]
    z = outer * rate * nz + core * local[a, RATE_OF + 2]
    return x, y, z, outer, core


@inlined
def touches(m, w, k, e):
    """Does the contact of compliant joint k push at the eccentricity e? Just begun, it does: dampers push at once."""
    near = e > m.compliant_vector[k, FREE_PATH] - ROUNDING or m.compliant[k, HARD_CONTACT] == 1
    return w.contact[k, MODE] != FLIGHT and near


@inlined
def point_of_action(m, w, k):
    """X − P_i of compliant joint k for the motion in line k of `local`, into line k of `force`."""
    e, nx, ny, nz, _ = radial_direction(w.local, k)
    rho = e
    if touches(m, w, k, e):
        rho = 0.5 * (m.compliant_vector[k, SOCKET_RADIUS] + m.compliant_vector[k, BALL_RADIUS] + e)
    w.force[k, ARM_OF], w.force[k, ARM_OF + 1], w.force[k, ARM_OF + 2] = rho * nx, rho * ny, rho * nz


@inlined
def push_torque(m, w, k):
    """Apply the torque in line k of `force` to the two bodies."""
    i, j, body = m.compliant[k, SOCKET], m.compliant[k, BALL], w.body
    for c in range(3):
        body[i, APPLIED + 3 + c] -= w.force[k, TORQUE_ON_BALL + c]
        body[j, APPLIED + 3 + c] += w.force[k, TORQUE_ON_BALL + c]


@inlined
def push_bodies(m, w, k):
    """Apply line k of `force` to the two bodies, both at the point X."""
    if m.compliant[k, KIND] == RUBBING:
        push_by_rub(m, w, k, APPLIED)
        return
    if is_coupled(m, k):
        push_coupled(m, w, k)
        return
    i, j, body, force = m.compliant[k, SOCKET], m.compliant[k, BALL], w.body, w.force
    fx, fy, fz = force[k, FORCE_ON_BALL], force[k, FORCE_ON_BALL + 1], force[k, FORCE_ON_BALL + 2]
    ax, ay, az = force[k, ARM_OF], force[k, ARM_OF + 1], force[k, ARM_OF + 2]
    sx, sy, sz = rotated(body, i, m.compliant_vector, k, IN_SOCKET)
    sx, sy, sz = sx + ax, sy + ay, sz + az
    dx, dy, dz = body[i, POSITION], body[i, POSITION + 1], body[i, POSITION + 2]
    dx, dy, dz = dx - body[j, POSITION], dy - body[j, POSITION + 1], dz - body[j, POSITION + 2]
    push(body, i, sx, sy, sz, -fx, -fy, -fz)
    push(body, j, sx + dx, sy + dy, sz + dz, fx, fy, fz)
    if m.compliant[k, HAS_TORQUE]:
        push_torque(m, w, k)


@called
def joint_forces(m, w, y):
    """The forces of all compliant joints at the kinematics held in `w`, onto the bodies.

    Friction in ideal joints is none until their reactions are known (dynamics/friction_balance.py).
    """
    for k in range(m.compliant.shape[0]):
        local_motion(m, w, k, y)
        if m.compliant[k, KIND] == RUBBING:
            clear_force(w.force, k)
            continue
        law_force(m, w, k, k, k)
        push_bodies(m, w, k)


@called
def given_joint_forces(m, w, y, unknown):
    """Apply given forces of the compliant joints (as the implicit solver iterates them) to the bodies."""
    for k in range(m.compliant.shape[0]):
        local_motion(m, w, k, y)
        if is_coupled(m, k):
            given_effort(m, w, k, unknown)
            push_coupled(m, w, k)
            continue
        if has_couple(m, k):
            arm_and_couple(m, w, k, k, k)
        else:
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
def tilt_change(m, w, k):
    """How far the axis of part k moves where it can touch by the turns among the changes of the bodies held in `w`."""
    x = y = z = 0.0
    for side in range(2):
        b = m.compliant[k, SOCKET + side * (BALL - SOCKET)]
        if b > 0:
            sign = 1.0 if side else -1.0
            x += sign * w.body[b, CHANGE + 3]
            y += sign * w.body[b, CHANGE + 4]
            z += sign * w.body[b, CHANGE + 5]
    ax, ay, az = rotated(w.body, m.compliant[k, BALL], m.compliant_vector, k, BALL_AXES + 6)
    ax, ay, az = cross(x, y, z, ax, ay, az)
    reach = m.compliant_vector[k, BALL_RADIUS]
    return reach * ax, reach * ay, reach * az


@inlined
def squared_change(m, w, k):
    """Square of the change of the eccentricity of joint k, and of the tilt of a part."""
    if is_coupled(m, k):
        return 3.0 * coupled_change(m, w, k) ** 2  # as if it were each of three components
    x, y, z = eccentricity_change(m, w, k)
    square = x * x + y * y + z * z
    if m.compliant[k, KIND] == PART:
        x, y, z = tilt_change(m, w, k)
        square += x * x + y * y + z * z
    return square


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
