"""Impacts of hard contacts within nonsmooth time stepping: steps end where a contact closes, velocities jump there.

Where a contact closes within a step, the step is cut so that it ends there, and the impact law acts in an instant:
Newton's by the contact problem, Poisson's and Stronge's along the path of the impulse (impulse_path.py). So the scheme
keeps its second order across impacts. Impacts that follow each other more closely are left to the contact problem of an
ordinary step, in which only Newton's law has restitution. The change of kinetic energy is ½ Λ·(γ⁻ + γ⁺).
"""

from __future__ import annotations

from math import nan, sqrt

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.contact.ball_contact import begin_sliding, linearise_struck, struck_agrees
from gudgeon.kernels.contact.force_rows import (
    first_contact_row,
    responses,
)
from gudgeon.kernels.contact.gaps import depth_in
from gudgeon.kernels.contact.impulse_path import strike
from gudgeon.kernels.contact.modes import write_contact
from gudgeon.kernels.contact.point_contacts import note_impact
from gudgeon.kernels.contact.problem import solve_contacts
from gudgeon.kernels.dynamics.arrays import (
    BEGIN,
    ECCENTRICITY,
    FLIGHT,
    FREE_PATH,
    HARD_CONTACT,
    IMPACT_SPEED,
    MODE,
    ONSET_SPEED,
    PEAK,
    POSITIONS,
    RATE_OF,
    TOUCHING,
    UNKNOWN,
    UNKNOWNS,
    VELOCITIES,
    WORK_BEGIN,
    WORK_STATE,
)
from gudgeon.kernels.dynamics.engine import kinematics, local_motion
from gudgeon.kernels.elements.point_arrays import GAP, GAP_RATE, HARD, IMPACT_LAW, NEWTON
from gudgeon.kernels.elements.points import contact_line, wall_motion
from gudgeon.kernels.integrators.nonsmooth_step import evaluate, set_step, try_step
from gudgeon.kernels.integrators.stepper_arrays import (
    BALL_HELD,
    BALL_NORMAL,
    BALL_SLID,
    BALL_SLIDES,
    CREATED,
    HITS,
    IMPACTS,
    LEVEL,
    LONGEST,
    OPEN,
    ROW_AFTER,
    ROW_CHANGE,
    ROW_FREE,
    ROW_LOAD,
    ROW_RATE,
    STRUCK_CONTACT,
    WINDOW,
)
from gudgeon.kernels.kinematics.vectors import dot, get, plus_times

AIMS = 8  # trials to end a step at an impact
HIT = 1e-13  # gap that counts as closed there [m]
MOST_HITS = 200  # impacts that are located within a step
SLOW = 1e-6  # approach that takes no restitution [m/s]
AT_ONCE = 1e-9  # of a step: a ball that meets its wall so soon is at it
BOUNCE = 1e-3  # of a step: so soon after an impact no other is located
STRIKES = 40  # changes of modes of balls in an impact, at most
CREATES = 1e-9  # energy that an impact may create by rounding, of that of its impulses
STRUCK = 1e-11  # gap up to which contacts are struck together [m]


@called
def advance_one(m, w, p, f, t, projected):
    """Try a step; where it would run into hard contacts, one that ends at the first of them. See `try_step`.

    Impacts that follow each other closely are left to the contact problem: located are only approaches faster than
    what the free acceleration makes of a tenth of a step, and at most MOST_HITS within a step.
    """
    contacts, h = m.points.wall.shape[0], p.whole.step[0]
    for c in range(contacts):
        p.held[c] = 0
    for k in range(m.compliant.shape[0]):
        p.ball[k, BALL_HELD] = 0.0
    first, aim = first_contact_row(m), h
    evaluate(m, w, p, t, f.y, p.mode[0], projected)
    if m.flexible.mass.shape[0] > 0:  # the step cannot be cut, its matrices are factorised
        return try_step(m, w, p, f, t)
    if p.count[HITS] >= MOST_HITS and t < p.control[WINDOW]:
        return try_step(m, w, p, f, t)
    for c in range(contacts):
        if m.points.wall[c, HARD] and p.mode[0, c, 0] == OPEN:
            aim = min(aim, time_to_impact(w, p, c, first + 2 * c, h))
    for k in range(m.compliant.shape[0]):
        if m.compliant[k, HARD_CONTACT] and p.joint_mode[k, 0] == FLIGHT:
            reached = time_to_wall(m, w, p, k, h)
            p.ball[k, BALL_HELD] = 1.0 if reached > h else 0.0
            aim = min(aim, reached)
    if aim >= h:
        return try_step(m, w, p, f, t)
    for k in range(m.compliant.shape[0]):
        p.ball[k, BALL_HELD] = 1.0 if m.compliant[k, HARD_CONTACT] and p.joint_mode[k, 0] == FLIGHT else 0.0
    for c in range(contacts):
        free = p.mode[0, c, 0] == OPEN and w.points.wall[c, GAP] > -STRUCK
        p.held[c] = 1 if m.points.wall[c, HARD] and free else 0
    error = 0.0
    for _ in range(AIMS):
        set_step(p, aim)
        evaluate(m, w, p, t, f.y, p.mode[0], 0)
        error = try_step(m, w, p, f, t)
        kinematics(m, w, f.y_new)
        missed, change = 0.0, 0.0
        for c in range(contacts):
            if p.held[c]:
                wall_motion(m, w, f.y_new, c)
                gap, rate = w.points.wall[c, GAP], w.points.wall[c, GAP_RATE]
                if rate < 0.0 and (change == 0.0 or aim - gap / rate < aim - missed):
                    missed, change = gap / rate, rate
        for k in range(m.compliant.shape[0]):
            if p.ball[k, BALL_HELD] > 0.0:
                local_motion(m, w, k, f.y_new)
                depth, rate = depth_in(m, w, k, k)
                if rate > 0.0 and (change == 0.0 or aim - depth / rate < aim - missed):
                    missed, change = depth / rate, rate
        if change == 0.0 or abs(missed * change) <= HIT:
            break
        aim = min(max(aim - missed, 0.1 * aim), 2.0 * aim, h)
    return error


@inlined
def time_to_impact(w, p, c, r, h):
    """When an open hard contact closes under its free acceleration; h or more: not in this step, or too slowly."""
    gap, rate, change = w.points.wall[c, GAP], p.row[r, ROW_RATE], p.row[r, ROW_CHANGE]
    if gap <= 0.0 and gap > -STRUCK and rate > 0.0:
        gap = 0.0  # it has just been struck
    elif gap <= 0.0:
        return h
    if gap + h * (rate + 0.5 * h * change) > 0.0:
        return h
    inside = rate * rate - 2.0 * gap * change
    if inside <= 0.0:
        return h
    speed = sqrt(inside)
    if speed < 0.1 * h * abs(change):
        return h
    return -(rate + speed) / change if rate > 0.0 else 2.0 * gap / (speed - rate)


@called
def time_to_wall(m, w, p, k, h):
    """When a hard ball in flight meets its wall under its free acceleration; h: too slowly, more: later."""
    r, c = m.compliant[k, UNKNOWN], m.compliant_vector[k, FREE_PATH]
    e, v = get(w.local, k, ECCENTRICITY), get(w.local, k, RATE_OF)
    a = (p.row[r, ROW_CHANGE], p.row[r + 1, ROW_CHANGE], p.row[r + 2, ROW_CHANGE])
    slow = 0.1 * h * sqrt(dot(a, a))
    low, high = AT_ONCE * h, h
    x = plus_times(plus_times(e, low, v), 0.5 * low * low, a)
    if dot(x, x) >= c * c and dot(x, v) > c * max(slow, SLOW):
        return low
    low = BOUNCE * h  # a ball that has just been struck is at its wall, and leaves it
    x = plus_times(plus_times(e, low, v), 0.5 * low * low, a)
    if dot(x, x) >= c * c:
        low = 0.0
        if dot(e, e) >= c * c or dot(e, v) <= 0.0:
            return h
    x = plus_times(plus_times(e, h, v), 0.5 * h * h, a)
    if dot(x, x) < c * c:
        return 2.0 * h
    for _ in range(50):
        middle = 0.5 * (low + high)
        x = plus_times(plus_times(e, middle, v), 0.5 * middle * middle, a)
        if dot(x, x) < c * c:
            low = middle
        else:
            high = middle
    speed = dot(x, plus_times(v, high, a)) / c
    return high if speed > slow else h


@inlined
def creates_energy(m, p, first):
    """Has an impact created energy? Notes how much, and the contact that got most."""
    total, most, size = 0.0, 0.0, 0.0
    for k in range(m.compliant.shape[0]):
        gain = 0.0
        for r in range(m.compliant[k, UNKNOWN], m.compliant[k, UNKNOWN] + min(3, m.compliant[k, UNKNOWNS])):
            if p.near[r]:
                gain += 0.5 * p.row[r, ROW_LOAD] * (p.row[r, ROW_FREE] + p.row[r, ROW_AFTER])
                size += 0.5 * abs(p.row[r, ROW_LOAD]) * (abs(p.row[r, ROW_FREE]) + abs(p.row[r, ROW_AFTER]))
        total += gain
        if gain > most:
            most, p.count[STRUCK_CONTACT] = gain, k
    for c in range(m.points.wall.shape[0]):
        gain = 0.0
        for r in range(first + 2 * c, first + 2 * c + 2):
            if p.near[r]:
                gain += 0.5 * p.row[r, ROW_LOAD] * (p.row[r, ROW_FREE] + p.row[r, ROW_AFTER])
                size += 0.5 * abs(p.row[r, ROW_LOAD]) * (abs(p.row[r, ROW_FREE]) + abs(p.row[r, ROW_AFTER]))
        total += gain
        if gain > most:
            most, p.count[STRUCK_CONTACT] = gain, contact_line(m, c)
    p.control[CREATED] = total
    return total > CREATES * size


@inlined
def choose_struck(m, w, p):
    """The hard balls at their walls take part in an impact."""
    for k in range(m.compliant.shape[0]):
        r, struck = m.compliant[k, UNKNOWN], False
        w.contact[k, MODE] = p.joint_mode[k, 0]
        if m.compliant[k, HARD_CONTACT]:
            depth, rate = depth_in(m, w, k, k)
            struck = depth >= -STRUCK
            w.contact[k, MODE] = TOUCHING if struck and rate > 0.0 else FLIGHT
        if struck:
            begin_sliding(m, w, p, k)
            p.near[r] = p.near[r + 1] = p.near[r + 2] = 1


@inlined
def struck_agree(m, w, p):
    """Does what was found agree with contact and friction of all balls that are struck? Otherwise it is changed."""
    agree = True
    for k in range(m.compliant.shape[0]):
        if p.near[m.compliant[k, UNKNOWN]] and not struck_agrees(m, w, p, k):
            agree = False
    for k in range(m.compliant.shape[0]):
        if not agree and p.near[m.compliant[k, UNKNOWN]]:
            linearise_struck(m, w, p, k)
    return agree


@inlined
def note_struck(m, w, p, f, t, y):
    """What hard balls did in an impact at t."""
    for k in range(m.compliant.shape[0]):
        r = m.compliant[k, UNKNOWN]
        if not p.near[r]:
            w.contact[k, MODE] = p.joint_mode[k, 0]
            continue
        before, after, loss = 0.0, 0.0, 0.0
        for c in range(3):
            n = p.ball[k, BALL_NORMAL + c]
            before, after = before + n * p.row[r + c, ROW_FREE], after + n * p.row[r + c, ROW_AFTER]
            loss -= 0.5 * p.row[r + c, ROW_LOAD] * (p.row[r + c, ROW_FREE] + p.row[r + c, ROW_AFTER])
        rests = w.contact[k, MODE] != FLIGHT and abs(after) < SLOW
        if w.contact[k, MODE] != FLIGHT and p.touching[k] == 0:
            w.contact[k, BEGIN], w.contact[k, PEAK] = t, nan
            w.contact[k, IMPACT_SPEED] = w.contact[k, ONSET_SPEED] = max(before, 0.0)
            w.contact[k, WORK_BEGIN], p.touching[k] = y[m.compliant[k, WORK_STATE]], 1
        y[m.compliant[k, WORK_STATE]] += max(loss, 0.0)
        if not rests and p.touching[k] > 0:
            write_contact(m, w, f, k, t, y)
            p.touching[k] = 0
        w.contact[k, MODE] = TOUCHING if rests else FLIGHT
        p.joint_mode[k, 0], p.joint_mode[k, 1] = w.contact[k, MODE], w.contact[k, IMPACT_SPEED]
        p.ball[k, BALL_SLID + 3] = p.ball[k, BALL_SLIDES]


@called
def impact(m, w, p, f, t, y):
    """Velocities jump where held contacts have closed; all that are closed take part. False: energy is created."""
    h, law = p.whole.step[0], NEWTON
    set_step(p, 1e-9 * h)
    evaluate(m, w, p, t, y, p.mode[0], 0)
    first = first_contact_row(m)
    for r in range(p.row.shape[0]):
        p.near[r] = 0
        p.row[r, ROW_FREE] = p.row[r, ROW_RATE]
    for c in range(m.points.wall.shape[0]):
        r = first + 2 * c
        if m.points.wall[c, HARD] and w.points.wall[c, GAP] <= STRUCK:
            if p.row[r, ROW_RATE] > -SLOW:
                p.row[r, ROW_RATE] = max(p.row[r, ROW_RATE], 0.0)  # at rest: it takes no restitution
            p.near[r] = p.near[r + 1] = 1
            p.row[r, ROW_CHANGE] = -1e300
            law = m.points.wall[c, IMPACT_LAW]  # all have the same
        p.mode[2, c, 0] = OPEN
    choose_struck(m, w, p)
    responses(m, w, p)
    for k in range(m.compliant.shape[0]):
        if p.near[m.compliant[k, UNKNOWN]]:
            linearise_struck(m, w, p, k)
    if law == NEWTON:
        for _ in range(STRIKES):
            solve_contacts(m, w, p, p.whole, p.mode[2])
            if struck_agree(m, w, p):
                break
    else:
        strike(m, w, p, p.mode[2], first, law)
    creates = creates_energy(m, p, first)
    place = m.layout[POSITIONS]
    for r in range(p.row.shape[0]):
        if p.near[r]:
            for d in range(m.layout[VELOCITIES]):
                y[place + d] += p.push.W[r, d] * p.row[r, ROW_LOAD]
    for c in range(m.points.wall.shape[0]):
        rests = p.near[first + 2 * c] and abs(p.row[first + 2 * c, ROW_AFTER]) < SLOW
        p.mode[0, c, 0] = p.mode[2, c, 0] if rests else OPEN
        p.mode[0, c, 1] = p.mode[2, c, 1]
        if p.near[first + 2 * c]:
            note_impact(m, w, p, f, c, first + 2 * c, t, rests)
    note_struck(m, w, p, f, t, y)
    p.count[IMPACTS] += 1
    set_step(p, h)
    if t > p.control[WINDOW]:
        p.control[WINDOW] = t + p.control[LONGEST] / 2.0 ** p.count[LEVEL]
        p.count[HITS] = 0
    p.count[HITS] += 1
    return not creates
