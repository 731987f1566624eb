"""The error of a Radau IIA step: the embedded estimate of order s, filtered in the stiff directions.

E. Hairer, G. Wanner: Solving Ordinary Differential Equations II, section IV.8. Tolerances: rtol and atol on positions,
1/TIME_SCALE times those on velocities (ringing of stiff joints is harmless), a fraction of the clearance on every
eccentricity, a fraction of the energy of what moves on the energy of a contact, and a fraction of the largest
deflection on bristles. Where the force of a joint hardly acts back on its motion (a drive that moves a ball through
its film), none of these sees the force: there the energy dissipated is controlled as well. States of controllers are
controlled to rtol of the size they have had so far (control_stages.py).
"""

from __future__ import annotations

from math import inf, sqrt

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.contact.gaps import watched
from gudgeon.kernels.dynamics.arrays import (
    BALL,
    BALL_FRAME,
    BALL_RADIUS,
    BRISTLE,
    BRISTLE_STIFFNESS,
    CLEARANCE,
    EFFORT_AT,
    FLIGHT,
    HAS_TORQUE,
    IMPACT_SPEED,
    INERTIA,
    KIND,
    MASS,
    MODE,
    OMEGA,
    OMEGA_BALL,
    PART,
    PLACE,
    POSITIONS,
    RATE_OF,
    SOCKET,
    STOP,
    TURNS_ABOUT,
    UNKNOWN,
    UNKNOWNS,
    VELOCITIES,
    VELOCITY,
    WORK_STATE,
)
from gudgeon.kernels.dynamics.engine import body_changes
from gudgeon.kernels.dynamics.force_pattern import (
    BLOCK,
    COLUMN,
    COLUMN_JOINT,
    D_AT,
    GRIP,
    OWN,
    PAIR,
    ROW_JOINT,
    W_AT,
    WITHIN,
)
from gudgeon.kernels.dynamics.response import (
    any_active,
    first_unknown,
    forces_of,
    is_active,
    is_load,
    relative,
    unknowns_of,
)
from gudgeon.kernels.elements.coupled import coupled_change
from gudgeon.kernels.elements.laws import friction_force
from gudgeon.kernels.elements.nodes import node_of
from gudgeon.kernels.elements.shear_couple import has_couple
from gudgeon.kernels.integrators.block_lu import clear_blocks, factorise_blocks, place_of, solve_blocks
from gudgeon.kernels.integrators.control_stages import control_error, filter_controls, raw_control_error
from gudgeon.kernels.integrators.dense import evaluate_dense
from gudgeon.kernels.integrators.hubs import add_hubs_to_filter
from gudgeon.kernels.integrators.load_hubs import add_hubs_of_load_to_filter
from gudgeon.kernels.integrators.load_stages import any_solved, load_errors
from gudgeon.kernels.integrators.run import ATOL, JUST_REJECTED, RTOL, copy
from gudgeon.kernels.integrators.state_stages import any_state_solved, errors_of_states, filter_states, keep_filtered
from gudgeon.kernels.kinematics.poses import pose_rates
from gudgeon.kernels.kinematics.rotation import cross, turned_by

TIME_SCALE = 1e-3  # tolerance of positions against that of velocities [s]
CLEARANCE_WEIGHT = 100.0  # tolerance of eccentricities: rtol times this times the clearance
ENERGY_WEIGHT = 100.0  # tolerance of a contact's energy: rtol times this times the energy of what moves
ENERGY_AT_MOST = 1e-3  # and no more than this, however coarse rtol is
WORK_WEIGHT = 100.0  # tolerance of energies dissipated: rtol times this times what was dissipated, and what moves
SOFT = 0.1  # part of its own motion within a step that the force of a joint makes, below which it hardly acts back


@inlined
def set_scales(m, f, r):
    """The tolerances of velocities and positions."""
    first, atol, rtol = m.layout[POSITIONS], f.clock[ATOL], f.clock[RTOL]
    for d in range(m.velocity.shape[0]):
        size = 1.0 if m.velocity[d, TURNS_ABOUT] >= 0 else abs(f.y[m.velocity[d, PLACE]])
        r.scale[1, d] = atol + rtol * size
        r.scale[0, d] = r.scale[1, d] / TIME_SCALE + rtol * abs(f.y[first + d])


@called
def estimate_error(m, w, f, r, t, h):
    """Estimated error of the step against the tolerance, filtered in the stiff directions; 1 is just accepted."""
    first, velocities, stages = m.layout[POSITIONS], m.layout[VELOCITIES], r.A.shape[0]
    f.y_stage[:] = 0.0
    for c in range(first + velocities):
        x = 0.0
        for j in range(stages + 1):
            x += r.E[j] * r.rate[j, c]
        f.y_stage[c] = h * x
    for d in range(velocities):
        r.error[0, d] = f.y_stage[first + d]
        q, axis = m.velocity[d, PLACE], m.velocity[d, TURNS_ABOUT]
        if axis < 0:
            r.error[1, d] = f.y_stage[q]
        elif axis == 0:
            r.error[1, d], r.error[1, d + 1], r.error[1, d + 2] = turned_by(f.y, f.y_stage, q)
    if m.control_rate.shape[0] > 0:
        raw_control_error(m, r, h)
    states = any_state_solved(m, w)
    if any_active(m, w):
        filter_error(m, w, r, t + h, h * r.E[0], states)
    total = 0.0
    for d in range(velocities):
        total += (r.error[0, d] / r.scale[0, d]) ** 2 + (r.error[1, d] / r.scale[1, d]) ** 2
    worst = sqrt(total / max(2 * velocities, 1))
    if not_all_solved_for(m):
        if any_solved(m, w):
            errors_of_positions(m, f, r)
        body_changes(m, w, r.y[stages - 1], f.y_stage)
    for k in range(m.compliant.shape[0]):
        if m.compliant[k, UNKNOWNS] == 0:
            worst = max(
                worst,
                abs(coupled_change(m, w, k)) / (CLEARANCE_WEIGHT * f.clock[RTOL] * m.compliant_vector[k, BALL_RADIUS]),
            )
            continue
        if watched(m, k):
            total = 0.0
            for c in range(forces_of(m, k)):
                total += relative(m, r.response, k, c, r.error[1]) ** 2
            if has_levers(m, k):
                total += squared_tilt_error(m, r, k)
            scale = CLEARANCE_WEIGHT * f.clock[RTOL] * m.compliant_vector[k, CLEARANCE]
            worst = max(worst, sqrt(total / 3.0) / scale)
            if w.contact[k, MODE] != FLIGHT:
                tolerance = min(ENERGY_WEIGHT * f.clock[RTOL], ENERGY_AT_MOST)
                worst = max(worst, contact_error(m, w, r, k, tolerance))
        if is_active(m, w, k) and hardly_acts_back(m, r, k, h):
            worst = max(worst, work_error(m, f, r, k, h))
        if m.compliant[k, BRISTLE] >= 0 and is_active(m, w, k):
            worst = max(worst, bristle_error(m, f, r, k, h))
    if m.control_rate.shape[0] > 0:
        filter_controls(r, h)
        if states:
            keep_filtered(m, w, r)
        error = control_error(m, f, r)
        if error > 1.0 and states and f.count[JUST_REJECTED] == 1:
            filter_states_again(m, w, r, t + h, h * r.E[0])
            error = control_error(m, f, r)
        worst = max(worst, error)
    return worst


@called
def errors_of_positions(m, f, r):
    """The filtered error as a small change of the positions, into `f.y_stage`."""
    copy(r.y[r.A.shape[0] - 1], r.loads.y)
    for d in range(m.velocity.shape[0]):
        r.loads.y[m.layout[POSITIONS] + d] = r.error[1, d]
    pose_rates(m, r.loads.y, f.y_stage)


@inlined
def not_all_solved_for(m):
    """Is there an effort of a coupling, which has no motion of a joint to judge it by?"""
    for k in range(m.compliant.shape[0]):
        if m.compliant[k, UNKNOWNS] == 0:
            return True
    return False


@inlined
def has_levers(m, k):
    """Is joint k a part whose tilt moves what touches, besides its displacement?"""
    return m.compliant[k, KIND] == PART and m.compliant[k, HAS_TORQUE] == 1 and not has_couple(m, k)


@inlined
def squared_tilt_error(m, r, k):
    """Square of the error of the place where part k can touch that comes from the tilt of its axis."""
    at, reach = BALL_FRAME + 2, m.compliant_vector[k, BALL_RADIUS]
    axes, last = r.local, r.A.shape[0] - 1
    x, y, z = cross(
        relative(m, r.response, k, 3, r.error[1]),
        relative(m, r.response, k, 4, r.error[1]),
        relative(m, r.response, k, 5, r.error[1]),
        axes[last, k, at],
        axes[last, k, at + 3],
        axes[last, k, at + 6],
    )
    return reach * reach * (x * x + y * y + z * z)


@called
def contact_error(m, w, r, k, tolerance):
    """Estimated error of the energy of a contact against the tolerance, both per unit of the mass it moves.

    An error δe of the eccentricity and δu of its rate change elastic and kinetic energy by F·δe + m (u + δu)·δu, m the
    mass that the joint feels along its force. They are compared with ½ m v², v the speed of the impact or of the faster
    of the two bodies' points now, or with what a contact of bodies at rest stores, about F²/k. The torque of a part is
    a force at the end of its reach.
    """
    last, first, own = r.A.shape[0] - 1, m.compliant[k, UNKNOWN], r.response.pattern.joint[k, OWN]
    force, count, reach = 0.0, forces_of(m, k), 1.0
    if has_levers(m, k):
        count, reach = 6, m.compliant_vector[k, BALL_RADIUS]
    for c in range(count):
        lever = 1.0 if c < 3 else reach
        force += (r.F[last + 1, first + c] / lever) ** 2
    force = sqrt(force)
    if force == 0.0:
        return 0.0
    answer = stiffness = moved = speed = change = 0.0
    for c in range(count):
        lever = 1.0 if c < 3 else reach
        n = r.F[last + 1, first + c] / (lever * force)
        moved += n * lever * relative(m, r.response, k, c, r.error[1])
        change += n * lever * relative(m, r.response, k, c, r.error[0])
        speed += n * lever * r.local[last, k, RATE_OF + c if c < 3 else OMEGA_BALL + c - 3]
        for d in range(count):
            other = 1.0 if d < 3 else reach
            o = r.F[last + 1, first + d] / (other * force)
            answer += n * lever * r.response.D[own + c, d] * other * o
            stiffness -= n * r.phi_p[last, k, c, d] / (lever * other) * o
    square = w.contact[k, IMPACT_SPEED] ** 2
    for side in range(2):
        b = m.compliant[k, SOCKET + side * (BALL - SOCKET)]
        if b > 0:
            square = max(square, squared_speed(w.body, b, r.response.arm[k], 3 * side))
    size = 0.5 * square
    if stiffness > 0.0:
        size = max(size, answer * force * force / stiffness)
    if size == 0.0:
        return 0.0
    error = answer * force * abs(moved) + (abs(speed) + abs(change)) * abs(change)
    return error / (tolerance * size)


@called
def interpolation_error(m, w, f, r):
    """Error of the energy of contacts between the stages, against ENERGY_AT_MOST; the step's polynomial is prepared.

    A coarse step through a whole contact may be right at its end and ring before it. The polynomial for samples is
    compared with the one through the stages alone, half-way between these.
    """
    stages, worst = r.A.shape[0], 0.0
    touching = False
    for k in range(m.compliant.shape[0]):
        touching |= watched(m, k) and w.contact[k, MODE] != FLIGHT
    if not touching:
        return 0.0
    for i in range(stages):
        x = 0.5 * (r.c[i] + (r.c[i - 1] if i > 0 else 0.0))
        evaluate_dense(f.y, f.dense, x, f.y_stage)
        total = 0.0
        for j in range(stages + 1):
            r.weight[j] = r.barycentric[j] / (x - (r.c[j - 1] if j > 0 else 0.0))
            total += r.weight[j]
        for q in range(m.layout[POSITIONS]):
            a = r.weight[0] * f.y[q]
            for j in range(stages):
                a += r.weight[j + 1] * r.y[j, q]
            f.y_stage[q] -= a / total
        for d in range(m.layout[VELOCITIES]):
            r.error[0, d] = 0.0
            q, axis = m.velocity[d, PLACE], m.velocity[d, TURNS_ABOUT]
            if axis < 0:
                r.error[1, d] = f.y_stage[q]
            elif axis == 0:
                r.error[1, d], r.error[1, d + 1], r.error[1, d + 2] = turned_by(f.y, f.y_stage, q)
        for k in range(m.compliant.shape[0]):
            if watched(m, k) and w.contact[k, MODE] != FLIGHT:
                worst = max(worst, contact_error(m, w, r, k, ENERGY_AT_MOST))
    return worst


@inlined
def squared_speed(body, b, arm, a):
    """|v|² of the point of body b at arm[a : a + 3] from its centre of mass, world axes."""
    x, y, z = cross(body[b, OMEGA], body[b, OMEGA + 1], body[b, OMEGA + 2], arm[a], arm[a + 1], arm[a + 2])
    x, y, z = x + body[b, VELOCITY], y + body[b, VELOCITY + 1], z + body[b, VELOCITY + 2]
    return x * x + y * y + z * z


@inlined
def hardly_acts_back(m, r, k, h):
    """Is the motion of joint k within the step nearly what it would be without its force? Bristles are never so."""
    own, count, stages = r.response.pattern.joint[k, OWN], m.compliant[k, UNKNOWNS], r.A.shape[0]
    if m.compliant[k, BRISTLE] >= 0:
        return False
    for i in range(stages):
        for row in range(count):
            for c in range(count):
                x = 0.0
                for d in range(count):
                    x += r.response.D[own + row, d] * (h * r.phi_v[i, k, d, c] + h * h * r.phi_p[i, k, d, c])
                if abs(x) > SOFT:
                    return False
    return True


@called
def work_error(m, f, r, k, h):
    """Estimated error of the energy dissipated in joint k against the tolerance."""
    stages, at = r.A.shape[0], m.compliant[k, WORK_STATE]
    error = speed = force = 0.0
    for j in range(stages + 1):
        error += r.E[j] * r.rate[j, at]
    for c in range(forces_of(m, k)):
        speed += r.local[stages - 1, k, RATE_OF + c] ** 2
        force += r.F[stages, m.compliant[k, UNKNOWN] + c] ** 2
    mass = inertia = inf
    for side in range(2):
        b = m.compliant[k, SOCKET + side * (BALL - SOCKET)]
        if b >= m.body.shape[0]:
            mass = min(mass, m.flexible.mass[node_of(m, b)])
        elif b > 0:
            mass = min(mass, m.body[b, MASS])
            inertia = min(inertia, (m.body[b, INERTIA] + m.body[b, INERTIA + 4] + m.body[b, INERTIA + 8]) / 3.0)
    size = abs(r.y[stages - 1, at]) + 0.5 * mass * speed
    if m.compliant[k, KIND] == STOP:  # it may turn and do nothing else
        for c in range(3):
            size += 0.5 * inertia * r.local[stages - 1, k, OMEGA_BALL + c] ** 2
            force += r.F[stages, m.compliant[k, UNKNOWN] + 3 + c] ** 2
    scale = WORK_WEIGHT * f.clock[RTOL] * size + f.clock[ATOL] * sqrt(force)  # atol is an error of positions
    return abs(h * error) / scale if scale > 0.0 else 0.0


@called
def bristle_error(m, f, r, k, h):
    """Estimated error of the bristles of joint k, filtered, against the tolerance: a fraction of what they give way."""
    stages, at, total = r.A.shape[0], m.compliant[k, BRISTLE], 0.0
    for c in range(3):
        x = 0.0
        for j in range(stages + 1):
            x += r.E[j] * r.rate[j, at + c]
        x *= h / (1.0 - min(h * r.E[0] * r.phi_v[stages - 1, k, 3 + c, 3 + c], 0.0))
        total += x * x
    most = friction_force(m, k, 0.0, 1.0) / m.compliant_vector[k, BRISTLE_STIFFNESS]
    return sqrt(total / 3.0) / (CLEARANCE_WEIGHT * f.clock[RTOL] * most)


@called
def filter_error(m, w, r, t, hg, states):
    """Solve (1 − hγ J) x = error, J the stiff part of the Jacobian: joints and loads at the last stage, at the time t.

    Unknowns are the joints' relative velocities, the efforts of loads and, with states, their rates.
    """
    velocities, last, p = m.layout[VELOCITIES], r.A.shape[0] - 1, r.response.pattern
    nodes, joints, lines = p.node.shape[0] - 1, m.compliant.shape[0], p.joint.shape[0] - 1
    # in the joints' relative motion: (1 − D (hγ φ_v + (hγ)² φ_p)) g = G e_v + hγ D φ_p G e_q
    clear_blocks(p, r.matrix, 1, 0, nodes)
    r.x[:] = 0.0
    for k in range(joints):
        bristle, place = m.compliant[k, BRISTLE] >= 0, place_of(p, k, 0, 1)
        for c in range(m.compliant[k, UNKNOWNS]):
            row = m.compliant[k, UNKNOWN] + c
            r.z[0, row] = r.z[1, row] = 0.0
            if not (bristle and c >= 3):
                r.z[0, row] = relative(m, r.response, k, c, r.error[0])
                r.z[1, row] = relative(m, r.response, k, c, r.error[1])
            r.x[place + c] = r.z[0, row]
    if any_solved(m, w):
        load_errors(m, w, r, t, hg)
        for k in range(joints, lines):
            for c in range(unknowns_of(m, k) if is_active(m, w, k) else 0):
                r.x[place_of(p, k, 0, 1) + c] = r.loads.moved[m.effort[k - joints, EFFORT_AT] + c]
            if states and is_active(m, w, k):
                errors_of_states(m, w, r, k, place_of(p, k, 0, 1))
    for q in range(p.joint[lines, PAIR]):
        k, o, line = p.pair[q, ROW_JOINT], p.pair[q, COLUMN_JOINT], p.pair[q, D_AT]
        rows, place, first = unknowns_of(m, k), place_of(p, k, 0, 1), first_unknown(m, o)
        at, within = p.pair[q, BLOCK] + p.joint[k, WITHIN], p.joint[o, WITHIN]
        if not is_active(m, w, o) or (is_load(m, k) and not is_active(m, w, k)):
            continue
        if is_load(m, o):
            for c in range(unknowns_of(m, o)):
                for row in range(rows):
                    r.matrix[at + row, within + c] -= hg * felt(m, r, k, line, row, c, hg)
            continue
        for c in range(m.compliant[o, UNKNOWNS]):
            for d in range(m.compliant[o, UNKNOWNS]):
                pull = hg * r.phi_v[last, o, c, d] + hg * hg * r.phi_p[last, o, c, d]
                slow = hg * r.phi_p[last, o, c, d] * r.z[1, first + d]
                for row in range(rows):
                    r.matrix[at + row, within + d] -= felt(m, r, k, line, row, c, hg) * pull
                    r.x[place + row] += felt(m, r, k, line, row, c, hg) * slow
    for k in range(joints):
        if p.joint[k + 1, GRIP] > p.joint[k, GRIP] and is_active(m, w, k):
            add_hubs_to_filter(m, r, k, hg)
    for k in range(joints, lines):
        if p.joint[k + 1, GRIP] > p.joint[k, GRIP] and is_active(m, w, k):
            add_hubs_of_load_to_filter(m, r, k, hg)
    factorise_blocks(p, r.matrix, r.pivot, 1, 0, nodes)
    solve_blocks(p, r.matrix, r.pivot, 1, 0, nodes, r.x)
    if states:
        filter_states(m, w, r, hg)
    for k in range(lines):
        if not is_active(m, w, k):
            continue
        first, place = first_unknown(m, k), place_of(p, k, 0, 1)
        column, width = p.joint[k, COLUMN], p.joint[k + 1, COLUMN] - p.joint[k, COLUMN]
        for c in range(unknowns_of(m, k)):
            force, at = 0.0, p.joint[k, W_AT] + c * width
            if is_load(m, k):
                force = r.x[place + c]
            else:
                for d in range(m.compliant[k, UNKNOWNS]):
                    g = r.x[place + d]
                    force += r.phi_v[last, k, c, d] * g + r.phi_p[last, k, c, d] * (r.z[1, first + d] + hg * g)
            for d in range(width):
                r.error[0, p.column[column + d]] += hg * force * r.response.W[at + d]
    for d in range(velocities):
        r.error[1, d] += hg * r.error[0, d]


@called
def filter_states_again(m, w, r, t, hg):
    """Filter the errors of states a second time after a rejected step, not those of the motion (eq. IV.8.20 there).

    A state in a fast loop is nearly a multiplier of what the loop enforces. What little the end of a long step is off
    its slow motion is much to such a state for a moment, and would make all shorter steps fail.
    """
    for which in range(2):
        copy(r.error[which], r.push[which])
    filter_error(m, w, r, t, hg, True)
    keep_filtered(m, w, r)
    for which in range(2):
        copy(r.push[which], r.error[which])


@inlined
def felt(m, r, k, line, row, c, hg):
    """What the unit force c of a pair does to a joint's relative velocity, or to the effort of a load, over hγ."""
    D = r.response.D
    if is_load(m, k):
        return D[line + row, c] + hg * D[line + unknowns_of(m, k) + row, c]
    return D[line + row, c]
