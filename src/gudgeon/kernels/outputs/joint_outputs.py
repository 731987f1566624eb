"""What a result reports of every joint that acts by forces: motion, forces, power dissipated, energy stored."""

from __future__ import annotations

from math import inf, isnan, nan

from numba import int64, void

from gudgeon.kernels.build.calls import call
from gudgeon.kernels.build.compiled import called, entrance
from gudgeon.kernels.build.records import CUBE, MATRIX, VECTOR
from gudgeon.kernels.dynamics.arrays import (
    ARM_OF,
    BALL_ON_CHILD,
    BEGIN,
    BRISTLES,
    CHILD_BODY,
    COMPLIANT_JOINT,
    ECCENTRICITY,
    FLIGHT,
    FORCE_ON_BALL,
    HAS_TORQUE,
    IMPACT_SPEED,
    IN_SOCKET,
    LOCAL_COLUMNS,
    MODE,
    MODEL,
    OMEGA_BALL,
    OMEGA_SOCKET,
    POSITION,
    RATE_OF,
    REPORT_COLUMNS,
    REPORT_FUNCTION,
    REPORT_POWER,
    REPORT_STORED,
    RUB,
    RUB_LOAD,
    RUB_MEASURES,
    RUB_SLIDES,
    SOCKET,
    THREAD,
    TORQUE_ON_BALL,
    TOUCHING,
    WORK,
)
from gudgeon.kernels.dynamics.engine import kinematics, law_force, local_motion
from gudgeon.kernels.elements.joints import radial_direction, relative_velocity
from gudgeon.kernels.integrators.run import (
    CONTACT_BEGIN,
    CONTACT_END,
    CONTACT_LINE,
    CONTACT_SPEED,
    FASTER,
)
from gudgeon.kernels.kinematics.rotation import cross, rotated

# columns of a joint's outputs: those of `Work.report`, then
OUT_ECCENTRICITY = REPORT_COLUMNS  # 3
OUT_LENGTH = REPORT_COLUMNS + 3
OUT_POWER = REPORT_COLUMNS + 4
OUT_COLUMNS = REPORT_COLUMNS + 5


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
    """The discrete states at time t, from the table of contacts sorted by their begin; `cursor` goes with the time.

    A contact touches from its begin to its end, both included; its impact speed is that of its last line so far. In
    Python that is results/contacts_at.py.
    """
    while cursor[0] < contacts.shape[0] and contacts[cursor[0], CONTACT_BEGIN] <= t:
        line = contacts[cursor[0]]
        k = int(line[CONTACT_LINE])
        w.contact[k, IMPACT_SPEED] = line[CONTACT_SPEED]
        if line[FASTER] == 0.0:
            w.contact[k, MODE] = TOUCHING
            w.contact[k, BEGIN] = line[CONTACT_END] if line[CONTACT_END] == line[CONTACT_END] else inf  # when it ends
        cursor[0] += 1
    for k in range(w.contact.shape[0]):
        if w.contact[k, MODE] != FLIGHT and t > w.contact[k, BEGIN]:
            w.contact[k, MODE] = FLIGHT
            if k >= m.compliant.shape[0]:
                w.contact[k, IMPACT_SPEED] = 0.0  # a point that does not touch remembers none


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
        if m.compliant[k, HAS_TORQUE]:
            turn = local[k, OMEGA_BALL + c] - local[k, OMEGA_SOCKET + c]
            power -= (force[k, TORQUE_ON_BALL + c] - force[trial, TORQUE_ON_BALL + c]) * turn
    return power


@called
def joint_outputs(m, w, s, out):
    """Fill the outputs of all such joints at sample s from what `w` holds; returns the energy they store."""
    local, energy = w.local, 0.0
    for k in range(m.compliant.shape[0]):
        w.report[:] = 0.0
        w.report[REPORT_POWER] = nan
        call(m.compliant[k, REPORT_FUNCTION], (m, w, k))
        o = out[s, k]
        for c in range(REPORT_COLUMNS):
            o[c] = w.report[c]
        for c in range(3):
            o[OUT_ECCENTRICITY + c] = local[k, ECCENTRICITY + c]
        o[OUT_LENGTH] = radial_direction(local, k)[0]
        ux, uy, uz = relative_velocity(w, k)
        o[OUT_POWER] = power_dissipated(m, w, k, ux, uy, uz) if isnan(o[REPORT_POWER]) else o[REPORT_POWER]
        energy += o[REPORT_STORED]
    return energy


@called
def add_friction(m, w, s, k, joint_point, force_on_child, torque_on_child):
    """The same of friction in an ideal joint; a thread is none."""
    joint, child = m.compliant[k, COMPLIANT_JOINT], m.compliant[k, CHILD_BODY]
    if m.compliant[k, RUB_LOAD] == THREAD:
        return
    push = w.rubbing.push[m.compliant[k, RUB]]
    bx, by, bz = rotated(w.body, child, joint_point, joint, 0)
    for d in range(m.compliant[k, RUB_SLIDES]):
        for which in range(2 if m.compliant[k, RUB_MEASURES + 1] >= 0 else 1):
            x, at = w.force[k, FORCE_ON_BALL + d], 12 * which + 6
            fx, fy, fz = x * push[d, at], x * push[d, at + 1], x * push[d, at + 2]
            tx, ty, tz = cross(bx, by, bz, fx, fy, fz)
            f, t = (fx, fy, fz), (tx, ty, tz)
            for c in range(3):
                force_on_child[s, joint, c] += f[c]
                torque_on_child[s, joint, c] += x * push[d, at + 3 + c] - t[c]


@entrance(void(MODEL, WORK, int64, MATRIX, CUBE, CUBE))
def add_joint_reactions(m, w, s, joint_point, force_on_child, torque_on_child):
    """Add the forces of all such joints at sample s, as held in `w`: on the child, about its own joint point."""
    body, force = w.body, w.force
    for k in range(m.compliant.shape[0]):
        if m.compliant[k, RUB] >= 0:
            add_friction(m, w, s, k, joint_point, force_on_child, torque_on_child)
            continue
        joint, i, child = m.compliant[k, COMPLIANT_JOINT], m.compliant[k, SOCKET], m.compliant[k, CHILD_BODY]
        sign = 1.0 if m.compliant[k, BALL_ON_CHILD] else -1.0
        fx, fy, fz = force[k, FORCE_ON_BALL], force[k, FORCE_ON_BALL + 1], force[k, FORCE_ON_BALL + 2]
        ax, ay, az = rotated(body, i, m.compliant_vector, k, IN_SOCKET)
        bx, by, bz = rotated(body, child, joint_point, joint, 0)
        ax += force[k, ARM_OF] + body[i, POSITION] - body[child, POSITION] - bx
        ay += force[k, ARM_OF + 1] + body[i, POSITION + 1] - body[child, POSITION + 1] - by
        az += force[k, ARM_OF + 2] + body[i, POSITION + 2] - body[child, POSITION + 2] - bz
        tx, ty, tz = cross(ax, ay, az, fx, fy, fz)
        if m.compliant[k, HAS_TORQUE]:
            tx += force[k, TORQUE_ON_BALL]
            ty += force[k, TORQUE_ON_BALL + 1]
            tz += force[k, TORQUE_ON_BALL + 2]
        f, t = (fx, fy, fz), (tx, ty, tz)
        for c in range(3):
            force_on_child[s, joint, c] += sign * f[c]
            torque_on_child[s, joint, c] += sign * t[c]
