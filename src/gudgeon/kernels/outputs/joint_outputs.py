"""What a result reports of every compliant joint: motion, forces, power dissipated, energy stored."""

from __future__ import annotations

from math import inf

from numba import void

from gudgeon.kernels.build.compiled import called, entrance, inlined
from gudgeon.kernels.build.records import MATRIX, VECTOR
from gudgeon.kernels.dynamics.arrays import (
    ARM_OF,
    BALL_ON_CHILD,
    BEGIN,
    BRISTLES,
    BUSHING,
    COMPLIANT_JOINT,
    DRY,
    ECCENTRICITY,
    FLIGHT,
    FORCE_ON_BALL,
    FRAME,
    FREE_PATH,
    IMPACT_SPEED,
    JOINT_BUSHING,
    KIND,
    LOCAL_COLUMNS,
    LUBRICATED,
    MATRIX_BUSHING,
    MODE,
    MODEL,
    NORMAL,
    OMEGA_BALL,
    OMEGA_SOCKET,
    RATE_OF,
    SMALLEST_IMPACT,
    STIFFNESS,
    STIFFNESS_MATRIX,
    SURFACE,
    TORQUE_ON_BALL,
    TOUCHING,
    TURN,
    WORK,
)
from gudgeon.kernels.dynamics.engine import kinematics, law_force, local_motion
from gudgeon.kernels.elements.joint_bushing import bushing_energy
from gudgeon.kernels.elements.joints import (
    REPORT,
    REPORT_AREA,
    REPORT_FRICTION,
    REPORT_GAP,
    REPORT_NORMAL,
    REPORT_PRESSURE,
    REPORT_STORED,
    ask_surfaces,
    radial_direction,
    touches,
)
from gudgeon.kernels.elements.laws import normal_force
from gudgeon.kernels.integrators.run import CONTACT_BEGIN, CONTACT_END, CONTACT_JOINT, CONTACT_POINT, CONTACT_SPEED
from gudgeon.kernels.kinematics.rotation import cross

# columns of a joint's outputs
OUT_ECCENTRICITY = 0  # 3
OUT_LENGTH = 3
OUT_PENETRATION = 4
OUT_NORMAL = 5
OUT_FRICTION = 6  # 3
OUT_SLIDING = 9  # 3
OUT_FILM = 12
OUT_POWER = 13
OUT_STORED = 14
OUT_CONTACT = 15
OUT_AREA = 16
OUT_PRESSURE = 17
OUT_COLUMNS = 18

# Gauss points and weights on [0, 1] for ∫ f dδ with δ = δ_max x²
GAUSS_POINTS = (0.019855071751231884, 0.10166676129318664, 0.2372337950418355, 0.4082826787521751)
GAUSS_WEIGHTS = (0.05061426814518813, 0.1111905172266872, 0.1568533229389436, 0.1813418916891810)


@entrance(void(MODEL, WORK, VECTOR, MATRIX))
def eccentricities(m, w, y, out):
    """The eccentricity vectors of all compliant joints at the state y."""
    kinematics(m, w, y)
    for k in range(m.compliant.shape[0]):
        local_motion(m, w, k, y)
        for c in range(3):
            out[k, c] = w.local[k, ECCENTRICITY + c]


@called
def set_modes(m, w, contacts, cursor, t):
    """The discrete states at time t, from the table of contacts sorted by their begin; `cursor` goes with the time."""
    while cursor[0] < contacts.shape[0] and contacts[cursor[0], CONTACT_BEGIN] <= t:
        if contacts[cursor[0], CONTACT_POINT] < 0.0:
            k = int(contacts[cursor[0], CONTACT_JOINT])
            w.contact[k, MODE] = TOUCHING
            w.contact[k, IMPACT_SPEED] = contacts[cursor[0], CONTACT_SPEED]
            end = contacts[cursor[0], CONTACT_END]
            w.contact[k, BEGIN] = end if end == end else inf  # here: when it ends
        cursor[0] += 1
    for k in range(m.compliant.shape[0]):
        if w.contact[k, MODE] != FLIGHT and t > w.contact[k, BEGIN]:
            w.contact[k, MODE] = FLIGHT


@inlined
def contact_energy(m, k, delta, impact):
    """Energy stored in a contact: the work of the law at rate zero, from 0 to δ."""
    energy = 0.0
    for g in range(4):
        for mirrored in range(2):
            x = 1.0 - GAUSS_POINTS[g] if mirrored else GAUSS_POINTS[g]
            energy += GAUSS_WEIGHTS[g] * normal_force(m, k, delta * x * x, 0.0, impact) * 2.0 * delta * x
    return energy


@called
def stored_energy(m, w, k):
    """Energy stored in joint k in the motion of line k of `local` [J]."""
    kind, V = m.compliant[k, KIND], m.compliant_vector
    e, _, _, _, _ = radial_direction(w.local, k)
    energy = 0.0
    if kind == BUSHING:
        energy = 0.5 * V[k, STIFFNESS] * e * e
    elif kind == MATRIX_BUSHING:
        for r in range(6):
            for c in range(6):
                energy += 0.5 * V[k, STIFFNESS_MATRIX + 6 * r + c] * displacement(w, k, r) * displacement(w, k, c)
    elif kind == JOINT_BUSHING:
        energy = bushing_energy(V[k], w.local[k])
    elif touches(m, w, k, e):
        impact = max(w.contact[k, IMPACT_SPEED], V[k, SMALLEST_IMPACT])
        energy = contact_energy(m, k, max(e - V[k, FREE_PATH], 0.0), impact)
    return energy


@inlined
def displacement(w, k, c):
    """Component c of displacement and rotation vector of a matrix bushing, joint's axes."""
    if c >= 3:
        return w.local[k, TURN + c - 3]
    x = 0.0
    for d in range(3):
        x += w.local[k, FRAME + 3 * d + c] * w.local[k, ECCENTRICITY + d]
    return x


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


@called
def power_dissipated(m, w, k, ux, uy, uz):
    """Power that the force in line k takes and does not store: its part beyond the law's force at rest."""
    trial, local, force = m.compliant.shape[0], w.local, w.force
    for c in range(LOCAL_COLUMNS):
        local[trial, c] = local[k, c]
    for c in range(3):
        local[trial, RATE_OF + c] = local[trial, OMEGA_SOCKET + c] = local[trial, OMEGA_BALL + c] = 0.0
        local[trial, BRISTLES + c] = 0.0
    law_force(m, w, k, trial, trial)
    power = 0.0
    u = (ux, uy, uz)
    for c in range(3):
        power -= (force[k, FORCE_ON_BALL + c] - force[trial, FORCE_ON_BALL + c]) * u[c]
        if m.compliant[k, KIND] >= MATRIX_BUSHING:
            turn = local[k, OMEGA_BALL + c] - local[k, OMEGA_SOCKET + c]
            power -= (force[k, TORQUE_ON_BALL + c] - force[trial, TORQUE_ON_BALL + c]) * turn
    return power


@called
def surface_outputs(m, w, k, o):
    """What two surfaces report, in the motion of line k of `local`."""
    trial = m.compliant.shape[0]
    ask_surfaces(m, w, k, k, trial, REPORT)
    report = w.force[trial]
    o[OUT_PENETRATION] = -report[REPORT_GAP]
    if w.contact[k, MODE] != FLIGHT:
        o[OUT_CONTACT] = 1.0
        o[OUT_NORMAL] = report[REPORT_NORMAL]
        o[OUT_STORED] = report[REPORT_STORED]
        o[OUT_AREA], o[OUT_PRESSURE] = report[REPORT_AREA], report[REPORT_PRESSURE]
        for c in range(3):
            o[OUT_FRICTION + c] = report[REPORT_FRICTION + c]


@called
def joint_outputs(m, w, s, out, force_on_child, torque_on_child):
    """Fill the outputs of all compliant joints at sample s from what `w` holds; returns the energy they store."""
    local, force = w.local, w.force
    energy = 0.0
    for k in range(m.compliant.shape[0]):
        kind, joint = m.compliant[k, KIND], m.compliant[k, COMPLIANT_JOINT]
        e, nx, ny, nz, _ = radial_direction(local, k)
        fx, fy, fz = force[k, FORCE_ON_BALL], force[k, FORCE_ON_BALL + 1], force[k, FORCE_ON_BALL + 2]
        ux, uy, uz = relative_velocity(w, k)
        radial = fx * nx + fy * ny + fz * nz
        if kind == DRY and radial > 0.0:  # between the stages of an implicit step: a wall does not pull
            fx, fy, fz = fx - radial * nx, fy - radial * ny, fz - radial * nz
            radial = 0.0
        o = out[s, k]
        for c in range(3):
            o[OUT_ECCENTRICITY + c] = local[k, ECCENTRICITY + c]
        o[OUT_LENGTH] = e
        o[OUT_PENETRATION] = e - m.compliant_vector[k, FREE_PATH]
        o[OUT_CONTACT] = 0.0
        normal = 0.0
        for c in range(OUT_NORMAL, OUT_FILM + 1):
            o[c] = 0.0
        if touches(m, w, k, e):
            o[OUT_CONTACT] = 1.0
            normal = -radial
            if kind == LUBRICATED:
                law_force(m, w, k, k, m.compliant.shape[0])
                normal = force[m.compliant.shape[0], NORMAL]
            o[OUT_NORMAL] = normal
            rate = ux * nx + uy * ny + uz * nz
            f, u, n = (fx, fy, fz), (ux, uy, uz), (nx, ny, nz)
            for c in range(3):
                o[OUT_FRICTION + c] = f[c] - radial * n[c]
                o[OUT_SLIDING + c] = u[c] - rate * n[c]
        if kind == LUBRICATED:
            o[OUT_FILM] = -radial - normal
        o[OUT_POWER] = power_dissipated(m, w, k, ux, uy, uz)
        o[OUT_STORED] = stored_energy(m, w, k)
        o[OUT_AREA] = o[OUT_PRESSURE] = 0.0
        if kind == SURFACE:
            surface_outputs(m, w, k, o)
        energy += o[OUT_STORED]
        # onto the child at its own joint point
        ax, ay, az = force[k, ARM_OF], force[k, ARM_OF + 1], force[k, ARM_OF + 2]
        sign = -1.0
        if m.compliant[k, BALL_ON_CHILD]:
            sign = 1.0
            ax, ay, az = ax - local[k, ECCENTRICITY], ay - local[k, ECCENTRICITY + 1], az - local[k, ECCENTRICITY + 2]
        tx, ty, tz = cross(ax, ay, az, fx, fy, fz)
        if kind >= MATRIX_BUSHING:
            tx += force[k, TORQUE_ON_BALL]
            ty += force[k, TORQUE_ON_BALL + 1]
            tz += force[k, TORQUE_ON_BALL + 2]
        f, t = (fx, fy, fz), (tx, ty, tz)
        for c in range(3):
            force_on_child[s, joint, c] = sign * f[c]
            torque_on_child[s, joint, c] = sign * t[c]
    return energy
