"""The contact problem of a step: impulses Λ and relative velocities γ of all rows, who is open, sticks or slides.

    γ = γ_free + D Λ                                          every row
    compliant contact    Λ = h f(δ − hγ, −γ)                  law at the end of the step, δ = −g the penetration
    hard contact         γ ≥ −ε_N γ⁻ ⊥ Λ ≥ 0                  Newton's impact law, while the gap is closed
    friction             sticks: γ = −ε_T γ⁻, |Λ_t| ≤ μ_s Λ_n; slides: Λ_t = −μ_k Λ_n sgn γ
    pin                  Λ = −h k (gap + hγ)                  k = ∞: γ = −gap/h
    compliant joint      Λ = h φ(e + hγ, ė …)                 linearised
    ideal joint rubs     Λ depends on loads, and so on all Λ  linearised, see rub_contact.py

For given modes this is a linear system in the impulses of the closed rows; modes that turn out wrong are changed and
the system solved again (an active-set method, or Newton's for a piecewise linear system). Where one sweep would have
to change the same modes for ever, the worst one alone is changed. Where several corners of a rigid body stick, how
they share the friction is not determined; here in proportion to their normal impulses, so that all break away together.
The normal impulses depend on the friction, so shares are adjusted until they agree, and who sticks is judged only by
normal impulses that are right: with μ_k < μ_s a corner that was let go too early would take the others along.
"""

from __future__ import annotations

from math import inf

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.contact.ball_contact import is_nonsmooth
from gudgeon.kernels.contact.force_rows import delassus, first_contact_row, meets
from gudgeon.kernels.contact.rub_contact import add_loads
from gudgeon.kernels.dynamics.arrays import RUB, SET_VALUED, UNKNOWN, UNKNOWNS
from gudgeon.kernels.dynamics.dense_lu import eliminate_dense
from gudgeon.kernels.dynamics.response import is_active
from gudgeon.kernels.elements.point_arrays import (
    GAP,
    HARD,
    KINETIC,
    NODE,
    PIN_GAP,
    PIN_STIFFNESS,
    RESTITUTION,
    RESTITUTION_ALONG,
    STATIC,
    STUCK_WITH,
)
from gudgeon.kernels.elements.points import law_of
from gudgeon.kernels.integrators.stepper_arrays import (
    BACKWARD,
    CLOSED,
    FAILURES,
    FORWARD,
    ITERATIONS,
    OPEN,
    REACHING,
    ROW_AFTER,
    ROW_FREE,
    ROW_LOAD,
    ROW_RATE,
    SOLVED,
    STICKING,
    WORST,
)

ROUNDS = 80  # changes of modes, at most
TOGETHER = 20  # rounds in which all wrong modes are changed at once
PATIENCE = 12  # rounds in which a sticking rigid corner waits for the normal impulses
ADJUSTMENTS = 20  # of the shares of sticking corners, at most
LEAST_SHARE = 1e-6  # of the largest normal impulse
SAME_SHARE = 1e-10  # change of a share that is none
SOFTNESS = 1e-10  # compliance of hard and sticking rows against D: corners of a rigid body are redundant
SETTLED = 1e-9  # relative change of a law's force that ends the iteration


@inlined
def linearise(m, w, p, c, h, rate):
    """The contact law of contact c about δ̇ = `rate` as γ + compliance Λ = target; False if it gives no force there."""
    depth = -w.points.wall[c, GAP]
    force = law_of(m, w, c, depth + h * rate, rate)
    if not force > 0.0:
        return False
    small = 1e-6 * abs(rate) + 1e-9
    slope = (law_of(m, w, c, depth + h * (rate + small), rate + small) - force) / small
    if not slope > 0.0:
        slope = force / (abs(rate) + 1e-9)
    p.slope[c, 0] = 1.0 / (h * slope)
    p.slope[c, 1] = force / slope - rate
    p.slope[c, 2] = rate
    return True


@inlined
def couple(p, operator, r, count, first):
    """D of a row and every unknown: a normal impulse brings its sliding friction along."""
    line, out = operator.D[r], p.coupling[r]
    if p.on_bodies[r] or r < first:
        for a in range(count):
            out[a] = delassus(p, operator, r, p.index[a])
            if p.slip[a] != 0.0:
                out[a] += p.slip[a] * delassus(p, operator, r, p.index[a] + 1)
        return
    for a in range(count):
        out[a] = line[p.index[a]]
        if p.slip[a] != 0.0:
            out[a] += p.slip[a] * line[p.index[a] + 1]


@inlined
def choose_unknowns(m, w, p, modes, first):
    """The rows that carry force in these modes; returns how many, and how many of them are of compliant joints."""
    count = 0
    for k in range(m.compliant.shape[0]):
        if is_active(m, w, k) and p.near[m.compliant[k, UNKNOWN]]:
            for c in range(m.compliant[k, UNKNOWNS]):
                p.index[count], p.slip[count] = m.compliant[k, UNKNOWN] + c, 0.0
                count += 1
    of_joints, contacts = count, m.points.wall.shape[0]
    for c in range(contacts):
        r = first + 2 * c
        if modes[c, 0] != OPEN and p.near[r]:
            p.index[count], p.slip[count] = r, 0.0
            count += 1
            if m.points.wall[c, STUCK_WITH]:
                if modes[c, 1] == STICKING:
                    p.index[count], p.slip[count] = r + 1, 0.0
                    count += 1
                else:
                    p.slip[count - 1] = -modes[c, 1] * m.points.wall_vector[c, KINETIC]
    for k in range(2 * m.points.pin.shape[0]):
        p.index[count], p.slip[count] = first + 2 * contacts + k, 0.0
        count += 1
    return count, of_joints


@inlined
def rebound(m, p, c, r):
    """The least rate of hard contact c after a step: Newton's law, where the contact has not rested before."""
    return -m.points.wall_vector[c, RESTITUTION] * min(p.row[r, ROW_RATE], 0.0) if p.mode[0, c, 0] == OPEN else 0.0


@inlined
def condition(m, w, p, modes, row, first, h):
    """γ + compliance · Λ = target of a row of a contact or pin; a compliance below zero stands for none."""
    c, contacts, V = (row - first) // 2, m.points.wall.shape[0], m.points.wall_vector
    soft, target = -1.0, 0.0
    if c >= contacts:
        k = c - contacts
        stiffness = m.points.pin_vector[k, PIN_STIFFNESS]
        if stiffness < inf:
            soft = 1.0 / (h * h * stiffness)
        target = -w.points.pin[k, PIN_GAP + (row - first) % 2] / h
    elif (row - first) % 2 == 0:
        if m.points.wall[c, HARD]:
            target = rebound(m, p, c, row)
        elif modes[c, 0] == REACHING:
            target = -w.points.wall[c, GAP] / h
        else:
            soft, target = p.slope[c, 0], p.slope[c, 1]
    elif m.points.wall[c, HARD] and p.row[row - 1, ROW_RATE] < 0.0:
        target = -V[c, RESTITUTION_ALONG] * p.row[row, ROW_RATE]
    return soft, target


@inlined
def solve_modes(m, w, p, operator, modes, first):
    """Impulses and velocities of all near rows for given modes."""
    h = operator.step[0]
    count, of_joints = choose_unknowns(m, w, p, modes, first)
    M, x, row = p.matrix, p.x, p.row
    largest = 0.0  # normal impulse so far; 0: nobody has asked
    for r in range(row.shape[0]):
        if p.near[r] or r >= first + 2 * m.points.wall.shape[0]:
            couple(p, operator, r, count, first)
    for a in range(of_joints, count):
        r = p.index[a]
        for b in range(count):
            M[a, b] = p.coupling[r, b]
        soft, target = condition(m, w, p, modes, r, first, h)
        if soft < 0.0:
            soft = SOFTNESS * delassus(p, operator, r, r)
            c = (r - first) // 2
            if (r - first) % 2 == 1 and c < m.points.wall.shape[0]:  # who is pressed harder holds more
                if largest == 0.0:
                    largest = largest_push(m, p, first)
                p.share[c] = max(abs(row[r - 1, ROW_LOAD]) / largest, LEAST_SHARE)
                soft /= p.share[c]
        M[a, a] += soft
        x[a] = target - row[r, ROW_FREE]
    if of_joints > 0:
        joint_equations(m, p, operator, count, of_joints)
    eliminate_dense(M, count, x)
    for r in range(row.shape[0]):
        z = 0.0
        if p.near[r]:
            for a in range(count):
                z += p.coupling[r, a] * x[a]
        row[r, ROW_LOAD] = 0.0
        row[r, ROW_AFTER] = row[r, ROW_FREE] + z
    for a in range(count):
        row[p.index[a], ROW_LOAD] += x[a]
        if p.slip[a] != 0.0:
            row[p.index[a] + 1, ROW_LOAD] += p.slip[a] * x[a]


@inlined
def largest_push(m, p, first):
    """The largest normal impulse of the contacts."""
    largest = 1e-300
    for c in range(m.points.wall.shape[0]):
        largest = max(largest, abs(p.row[first + 2 * c, ROW_LOAD]))
    return largest


@called
def joint_equations(m, p, operator, count, of_joints):
    """Λ − h J γ = h (φ − J γ₀) of the compliant joints, A Λ + B γ = c of balls."""
    M, x, h = p.matrix, p.x, operator.step[0]
    at = 0
    while at < of_joints:
        k = joint_of(m, p.index[at])
        size = m.compliant[k, UNKNOWNS]
        if is_nonsmooth(m, k) and (m.compliant[k, RUB] < 0 or m.compliant[k, SET_VALUED]):
            ball_equations(p, k, at, size, count)
            if m.compliant[k, RUB] >= 0:
                add_loads(m, p, k, at, count)
            at += size
            continue
        for a in range(size):
            for b in range(count):
                z = 1.0 if at + a == b else 0.0
                for e in range(size):
                    z -= h * p.law[k, a, e] * p.coupling[p.index[at + e], b]
                M[at + a, b] = z
            z = h * p.law[k, a, 6]
            for e in range(size):
                z += h * p.law[k, a, e] * p.row[p.index[at + e], ROW_FREE]
            x[at + a] = z
        if m.compliant[k, RUB] >= 0:
            add_loads(m, p, k, at, count)
        at += size


@inlined
def ball_equations(p, k, at, size, count):
    """A Λ + B γ = c of a ball, or of friction that sticks, whose unknowns are those from `at` on."""
    for a in range(size):
        law, z = p.ball_law[k, a], p.ball_law[k, a, 6]
        for b in range(count):
            p.matrix[at + a, b] = law[b - at] if at <= b < at + size else 0.0
        for e in range(size):
            if law[3 + e] != 0.0:
                z -= law[3 + e] * p.row[p.index[at + e], ROW_FREE]
                for b in range(count):
                    p.matrix[at + a, b] += law[3 + e] * p.coupling[p.index[at + e], b]
        p.x[at + a] = z


@inlined
def joint_of(m, row):
    """The compliant joint whose row this is."""
    for k in range(m.compliant.shape[0]):
        if m.compliant[k, UNKNOWN] <= row < m.compliant[k, UNKNOWN] + m.compliant[k, UNKNOWNS]:
            return k
    return -1


@inlined
def wrong_across(m, w, p, operator, modes, c, r):
    """What mode contact c should have across its wall, and by how much the present one is violated [N·s]."""
    load, rate, h = p.row[r, ROW_LOAD], p.row[r, ROW_AFTER], operator.step[0]
    if m.points.wall[c, HARD]:
        if modes[c, 0] == OPEN:
            least, stiffness = rebound(m, p, c, r), 1.0 / delassus(p, operator, r, r)
            missing = (least - rate) * stiffness
            return (CLOSED, missing) if missing > 1e-12 * stiffness else (OPEN, 0.0)
        return (OPEN, -load) if load < 0.0 else (CLOSED, 0.0)
    depth = -w.points.wall[c, GAP] - h * rate
    if modes[c, 0] == OPEN:
        if depth <= 0.0:
            return (OPEN, 0.0)
        if linearise(m, w, p, c, h, -rate):
            return (CLOSED, depth / h * (1.0 / delassus(p, operator, r, r)))
        return (OPEN, 0.0)
    if load < 0.0:
        return (OPEN, -load)
    if modes[c, 0] == REACHING:
        force = h * law_of(m, w, c, 1e-14, -rate)
        if load > force * (1.0 + 1e-9) and linearise(m, w, p, c, h, -rate + 1e-12 / h):
            return (CLOSED, load - force)
        return (REACHING, 0.0)
    if depth <= 0.0:
        return (REACHING, load) if -w.points.wall[c, GAP] <= 0.0 else (CLOSED, 0.0)
    force = h * law_of(m, w, c, depth, -rate)
    if abs(force - load) > SETTLED * max(force, load) and linearise(m, w, p, c, h, -rate):
        return (CLOSED, abs(force - load))
    return (CLOSED, 0.0)


@inlined
def wrong_along(m, p, operator, modes, c, r):
    """What mode contact c should have along its wall, and by how much the present one is violated [N·s]."""
    if modes[c, 0] == OPEN or not m.points.wall[c, STUCK_WITH]:
        return modes[c, 1], 0.0
    load, normal, rate = p.row[r + 1, ROW_LOAD], p.row[r, ROW_LOAD], p.row[r + 1, ROW_AFTER]
    if modes[c, 1] == STICKING:
        most = m.points.wall_vector[c, STATIC] * normal
        if abs(load) > most * (1.0 + 1e-10) + 1e-300:
            return (BACKWARD if load > 0.0 else FORWARD), abs(load) - most
        return STICKING, 0.0
    against = -modes[c, 1] * rate
    if against <= 1e-13:
        return modes[c, 1], 0.0
    missing = against / delassus(p, operator, r + 1, r + 1)
    if missing > 1e-12 * normal:
        return STICKING, missing
    return modes[c, 1], 0.0


@inlined
def wrong_modes(m, w, p, operator, modes, c, r):
    """Modes that contact c should have across and along its wall, and by how much each is violated [N·s]."""
    across, missing = wrong_across(m, w, p, operator, modes, c, r)
    along, missing_along = wrong_along(m, p, operator, modes, c, r)
    slides = modes[c, 1] != STICKING and p.row[r + 1, ROW_LOAD] != 0.0
    if across == OPEN and missing > 0.0 and m.points.wall[c, HARD] and slides:  # sliding would pull it
        rate = p.row[r, ROW_AFTER] - delassus(p, operator, r, r) * p.row[r, ROW_LOAD]
        rate -= delassus(p, operator, r, r + 1) * p.row[r + 1, ROW_LOAD]
        if rate < rebound(m, p, c, r):  # yet it closes: it jams
            return modes[c, 0], 0.0, STICKING, missing
    return across, missing, along, missing_along


@inlined
def friction_is_short(m, p, modes, first):
    """Does a rigid corner that sticks need more friction than it can have, by shares that are not those it has?"""
    largest, short, stale = 0.0, False, False
    for c in range(m.points.wall.shape[0]):
        r = first + 2 * c
        if m.points.wall[c, NODE] >= 0 or modes[c, 0] == OPEN:
            continue
        if p.near[r] and modes[c, 1] == STICKING and m.points.wall[c, STUCK_WITH]:
            if largest == 0.0:
                largest = largest_push(m, p, first)
            load, normal = abs(p.row[r + 1, ROW_LOAD]), p.row[r, ROW_LOAD]
            short = short or load > m.points.wall_vector[c, STATIC] * normal
            stale = stale or abs(max(abs(normal) / largest, LEAST_SHARE) - p.share[c]) > SAME_SHARE
    return short and stale


@called
def solve_contacts(m, w, p, operator, modes):
    """Find modes and impulses of a step from a first guess of the modes."""
    first, contacts, h = first_contact_row(m), m.points.wall.shape[0], operator.step[0]
    p.count[SOLVED] += 1
    for c in range(contacts):
        r = first + 2 * c
        if not p.near[r] or (m.points.wall[c, HARD] and not meets(m, w, p, modes, c, r, h)):
            p.near[r] = p.near[r + 1] = 0
            modes[c, 0] = OPEN
        elif modes[c, 0] == CLOSED and not m.points.wall[c, HARD]:
            rate = -p.row[r, ROW_RATE]
            if not (linearise(m, w, p, c, h, rate) or linearise(m, w, p, c, h, 0.0)):
                modes[c, 0] = OPEN
    residual = 0.0
    for iteration in range(ROUNDS):
        solve_modes(m, w, p, operator, modes, first)
        for _ in range(ADJUSTMENTS):
            if not friction_is_short(m, p, modes, first):
                break
            solve_modes(m, w, p, operator, modes, first)
        p.count[ITERATIONS] += 1
        worst, residual, largest, moving = -1, 0.0, 1e-300, False
        for c in range(contacts):
            if iteration < PATIENCE and p.near[first + 2 * c] and m.points.wall[c, NODE] < 0:
                moving = moving or wrong_across(m, w, p, operator, modes, c, first + 2 * c)[1] > 0.0
        for c in range(contacts):
            r = first + 2 * c
            if not p.near[r]:
                continue
            largest = max(largest, abs(p.row[r, ROW_LOAD]))
            was_open = modes[c, 0] == OPEN
            across, missing, along, missing_along = wrong_modes(m, w, p, operator, modes, c, r)
            if moving and modes[c, 1] == STICKING and m.points.wall[c, NODE] < 0:
                along, missing_along = STICKING, 0.0  # judged when all normal impulses of rigid corners are right
            if missing == 0.0 and missing_along == 0.0:
                continue
            if max(missing, missing_along) > residual:
                residual, worst = max(missing, missing_along), c
            if iteration < TOGETHER:
                modes[c, 0] = across
                if missing == 0.0:
                    modes[c, 1] = along
                elif was_open and across != OPEN:
                    modes[c, 1] = first_along(p, r)
        if worst < 0:
            return
        if iteration >= TOGETHER:
            r = first + 2 * worst
            was_open = modes[worst, 0] == OPEN
            across, missing, along, missing_along = wrong_modes(m, w, p, operator, modes, worst, r)
            if missing >= missing_along:
                modes[worst, 0] = across
                if was_open:
                    modes[worst, 1] = first_along(p, r)
            else:
                modes[worst, 1] = along
        if residual <= SETTLED * largest and iteration > TOGETHER:
            return
    p.count[FAILURES] += 1
    p.control[WORST] = max(p.control[WORST], residual / largest)


@inlined
def first_along(p, r):
    """The mode along its wall of a contact that has just closed."""
    rate = p.row[r + 1, ROW_RATE]
    if abs(rate) < 1e-12:
        return STICKING
    return FORWARD if rate > 0.0 else BACKWARD
