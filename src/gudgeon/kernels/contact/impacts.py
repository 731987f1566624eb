"""Impacts of hard contacts within nonsmooth time stepping: steps end where a contact closes, velocities jump there.

Where a contact closes within a step, the step is cut so that it ends there, and the impact law acts in an instant:
Newton's by the contact problem, Poisson's and Stronge's along the path of the impulse (impulse_path.py). So the scheme
keeps its second order across impacts. Impacts that follow each other more closely are left to the contact problem of an
ordinary step, in which only Newton's law has restitution. The change of kinetic energy is ½ Λ·(γ⁻ + γ⁺).
"""

from __future__ import annotations

from math import sqrt

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.contact.force_rows import (
    first_contact_row,
    responses,
)
from gudgeon.kernels.contact.guide_events import note_impact
from gudgeon.kernels.contact.impulse_path import strike
from gudgeon.kernels.contact.problem import solve_contacts
from gudgeon.kernels.dynamics.arrays import (
    POSITIONS,
    VELOCITIES,
)
from gudgeon.kernels.dynamics.engine import kinematics
from gudgeon.kernels.elements.slider_arrays import GAP, GAP_RATE, HARD, IMPACT_LAW, NEWTON
from gudgeon.kernels.elements.sliders import contact_motion
from gudgeon.kernels.integrators.nonsmooth_step import evaluate, set_step, try_step
from gudgeon.kernels.integrators.stepper_arrays import (
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

AIMS = 8  # trials to end a step at an impact
HIT = 1e-13  # gap that counts as closed there [m]
MOST_HITS = 200  # impacts that are located within a step
SLOW = 1e-6  # approach that takes no restitution [m/s]
CREATES = 1e-9  # energy that an impact may create by rounding, of that of its impulses
STRUCK = 1e-11  # gap up to which contacts are struck together [m]


@called
def advance_one(m, w, s, p, f, t):
    """Try a step; where it would run into hard contacts, one that ends at the first of them. See `try_step`.

    Impacts that follow each other closely are left to the contact problem: located are only approaches faster than
    what the free acceleration makes of a tenth of a step, and at most MOST_HITS within a step.
    """
    contacts, h = s.contact.shape[0], p.whole.step[0]
    for c in range(contacts):
        p.held[c] = 0
    first, aim = first_contact_row(m), h
    evaluate(m, w, s, p, t, f.y, p.mode[0])
    if s.mass.shape[0] > 0:  # the step cannot be cut, its matrices are factorised
        return try_step(m, w, s, p, f, t)
    if p.count[HITS] >= MOST_HITS and t < p.control[WINDOW]:
        return try_step(m, w, s, p, f, t)
    for c in range(contacts):
        if s.contact[c, HARD] and p.mode[0, c, 0] == OPEN:
            aim = min(aim, time_to_impact(w.sliders, p, c, first + 2 * c, h))
    if aim >= h:
        return try_step(m, w, s, p, f, t)
    for c in range(contacts):
        free = p.mode[0, c, 0] == OPEN and w.sliders.contact[c, GAP] > -STRUCK
        p.held[c] = 1 if s.contact[c, HARD] and free else 0
    error = 0.0
    for _ in range(AIMS):
        set_step(p, aim)
        evaluate(m, w, s, p, t, f.y, p.mode[0])
        error = try_step(m, w, s, p, f, t)
        kinematics(m, w, f.y_new)
        missed, change = 0.0, 0.0
        for c in range(contacts):
            if p.held[c]:
                contact_motion(s, w, w.sliders, f.y_new, c)
                gap, rate = w.sliders.contact[c, GAP], w.sliders.contact[c, GAP_RATE]
                if rate < 0.0 and (change == 0.0 or aim - gap / rate < aim - missed):
                    missed, change = gap / rate, rate
        if change == 0.0 or abs(missed * change) <= HIT:
            break
        aim = min(max(aim - missed, 0.1 * aim), 2.0 * aim, h)
    return error


@inlined
def time_to_impact(sw, p, c, r, h):
    """When an open hard contact closes under its free acceleration; h or more: not in this step, or too slowly."""
    gap, rate, change = sw.contact[c, GAP], p.row[r, ROW_RATE], p.row[r, ROW_CHANGE]
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


@inlined
def creates_energy(s, p, first):
    """Has an impact created energy? Notes how much, and the contact that got most."""
    total, most, size = 0.0, 0.0, 0.0
    for c in range(s.contact.shape[0]):
        gain = 0.0
        for r in range(first + 2 * c, first + 2 * c + 2):
            if p.near[r]:
                gain += 0.5 * p.row[r, ROW_LOAD] * (p.row[r, ROW_FREE] + p.row[r, ROW_AFTER])
                size += 0.5 * abs(p.row[r, ROW_LOAD]) * (abs(p.row[r, ROW_FREE]) + abs(p.row[r, ROW_AFTER]))
        total += gain
        if gain > most:
            most, p.count[STRUCK_CONTACT] = gain, c
    p.control[CREATED] = total
    return total > CREATES * size


@called
def impact(m, w, s, p, f, t, y):
    """Velocities jump where held contacts have closed; all that are closed take part. False: energy is created."""
    h, law = p.whole.step[0], NEWTON
    set_step(p, 1e-9 * h)
    evaluate(m, w, s, p, t, y, p.mode[0])
    first = first_contact_row(m)
    for r in range(p.row.shape[0]):
        p.near[r] = 0
        p.row[r, ROW_FREE] = p.row[r, ROW_RATE]
    for c in range(s.contact.shape[0]):
        r = first + 2 * c
        if s.contact[c, HARD] and w.sliders.contact[c, GAP] <= STRUCK:
            if p.row[r, ROW_RATE] > -SLOW:
                p.row[r, ROW_RATE] = max(p.row[r, ROW_RATE], 0.0)  # at rest: it takes no restitution
            p.near[r] = p.near[r + 1] = 1
            p.row[r, ROW_CHANGE] = -1e300
            law = s.contact[c, IMPACT_LAW]  # all have the same
        p.mode[2, c, 0] = OPEN
    responses(m, w, p)
    if law == NEWTON:
        solve_contacts(m, w, s, w.sliders, p, p.whole, p.mode[2])
    else:
        strike(m, w, s, p, p.mode[2], first, law)
    creates = creates_energy(s, p, first)
    place = m.layout[POSITIONS]
    for r in range(p.row.shape[0]):
        if p.near[r]:
            for d in range(m.layout[VELOCITIES]):
                y[place + d] += p.push.W[r, d] * p.row[r, ROW_LOAD]
    for c in range(s.contact.shape[0]):
        rests = p.near[first + 2 * c] and abs(p.row[first + 2 * c, ROW_AFTER]) < SLOW
        p.mode[0, c, 0] = p.mode[2, c, 0] if rests else OPEN
        p.mode[0, c, 1] = p.mode[2, c, 1]
        if p.near[first + 2 * c]:
            note_impact(w.sliders, p, f, c, first + 2 * c, t, rests)
    p.count[IMPACTS] += 1
    set_step(p, h)
    if t > p.control[WINDOW]:
        p.control[WINDOW] = t + p.control[LONGEST] / 2.0 ** p.count[LEVEL]
        p.count[HITS] = 0
    p.count[HITS] += 1
    return not creates
