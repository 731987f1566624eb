"""An impact of several contacts followed through its impulse: Poisson's and Stronge's law with Coulomb friction.

Contacts that strike together take normal impulses in fixed proportions w, which are those that would just stop them
(the contact problem with restitution zero). With the parameter σ of the path,

    dΛ_n = w dσ,   dΛ_t = −μ_k w sgn γ_t dσ, or what keeps γ_t = 0, at most μ_s w dσ,   dγ = D dΛ

so that γ is linear in σ until a contact stops to slide, begins to slide, or a phase ends: the path is followed exactly,
from one such point to the next. Compression ends where the contacts take no more energy, w·γ_n = 0. They then push back

    Poisson    Λ_n of restitution = ε Λ_n of compression
    Stronge    work of Λ_n in restitution = ε² · work taken in compression

Contacts that still approach afterwards strike again; what is left is stopped. Under Stronge's law kinetic energy never
rises: the normal impulses return at most what they took, friction opposes sliding all along the path, stopping takes
energy too. Source: Routh (1905), Dynamics of a System of Rigid Bodies, part I, chapter V; Stronge (1990), Proc. R. Soc.
A 431; several contacts: after Liu, Zhao, Brogliato (2008), Proc. R. Soc. A 464, whose proportions follow the energies.
"""

from __future__ import annotations

from math import inf, sqrt

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.contact.force_rows import delassus
from gudgeon.kernels.contact.problem import LEAST_SHARE, SOFTNESS, solve_contacts
from gudgeon.kernels.dynamics.dense_lu import factorise_dense, solve_dense
from gudgeon.kernels.elements.point_arrays import KINETIC, RETURNED, STATIC, STRONGE, STUCK_WITH
from gudgeon.kernels.integrators.stepper_arrays import (
    BACKWARD,
    FORWARD,
    OPEN,
    PATH_ABSORBED,
    PATH_BEFORE,
    PATH_RATE,
    PATH_SHARE,
    PATH_SLOPE,
    PATH_SUM,
    PATH_TOTAL,
    ROW_FREE,
    ROW_LOAD,
    STICKING,
)

PIECES = 200  # of a path, at most
STRIKES = 20  # paths of an impact, at most
AT_REST = 1e-12  # sliding that counts as sticking [m/s]
APPROACH = 1e-12  # of the fastest contact: an approach that counts


@inlined
def strikes(m, p, first, c):
    """Does contact c take a normal impulse along the path, and friction with it?"""
    r = first + 2 * c
    pushes = p.near[r] == 1 and p.path[r, PATH_SHARE] > 0.0
    return pushes, pushes and m.points.wall[c, STUCK_WITH] == 1


@inlined
def stick(m, p, operator, modes, first):
    """Friction of the contacts that stick, per parameter of the path: what keeps them at rest."""
    M, x, path, count, largest = p.matrix, p.x, p.path, 0, 1e-300
    for c in range(m.points.wall.shape[0]):
        r = first + 2 * c
        _, rubs = strikes(m, p, first, c)
        if rubs:
            largest = max(largest, path[r, PATH_SHARE])
            if modes[c, 1] == STICKING:
                p.index[count] = r + 1
                count += 1
    for a in range(count):
        r = p.index[a]
        for b in range(count):
            M[a, b] = delassus(p, operator, r, p.index[b])
        M[a, a] *= 1.0 + SOFTNESS / max(path[r - 1, PATH_SHARE] / largest, LEAST_SHARE)
        x[a] = -path[r, PATH_SLOPE]
    if count > 0:
        factorise_dense(M, p.pivot, count)
        solve_dense(M, p.pivot, count, x)
    for a in range(count):
        path[p.index[a], PATH_SHARE] = x[a]
        for r in range(p.row.shape[0]):
            if p.near[r]:
                path[r, PATH_SLOPE] += delassus(p, operator, r, p.index[a]) * x[a]


@called
def slopes(m, p, operator, modes, first):
    """Changes of all velocities per parameter of the path; a contact at rest sticks if it can, or begins to slide."""
    path, contacts = p.path, m.points.wall.shape[0]
    for _ in range(2 * contacts + 2):
        for r in range(p.row.shape[0]):
            path[r, PATH_SLOPE] = 0.0
        for c in range(contacts):
            r = first + 2 * c
            pushes, rubs = strikes(m, p, first, c)
            sliding = -modes[c, 1] * m.points.wall_vector[c, KINETIC] * path[r, PATH_SHARE]
            path[r + 1, PATH_SHARE] = sliding if rubs else 0.0
            if pushes:
                for e in range(p.row.shape[0]):
                    if p.near[e]:
                        path[e, PATH_SLOPE] += delassus(p, operator, e, r) * path[r, PATH_SHARE]
                        path[e, PATH_SLOPE] += delassus(p, operator, e, r + 1) * path[r + 1, PATH_SHARE]
        stick(m, p, operator, modes, first)
        changed = False
        for c in range(contacts):
            r = first + 2 * c
            _, rubs = strikes(m, p, first, c)
            if rubs and modes[c, 1] == STICKING:
                friction, most = path[r + 1, PATH_SHARE], m.points.wall_vector[c, STATIC] * path[r, PATH_SHARE]
                if abs(friction) > most * (1.0 + 1e-9):
                    modes[c, 1] = BACKWARD if friction > 0.0 else FORWARD
                    changed = True
        if not changed:
            return


@inlined
def go_along(p, first, length, compresses):
    """Go on by `length`; returns the work of the normal impulses."""
    path, work = p.path, 0.0
    for r in range(p.row.shape[0]):
        if p.near[r]:
            before = path[r, PATH_RATE]
            path[r, PATH_RATE] += length * path[r, PATH_SLOPE]
            path[r, PATH_SUM] += length * path[r, PATH_SHARE]
            if (r - first) % 2 == 0:
                done = 0.5 * length * path[r, PATH_SHARE] * (before + path[r, PATH_RATE])
                work += done
                if compresses:
                    path[r, PATH_ABSORBED] -= done
    return work


@inlined
def rates_of_work(m, p, first):
    """w·γ_n and its change per parameter of the path."""
    rate = bend = 0.0
    for c in range(m.points.wall.shape[0]):
        r = first + 2 * c
        if p.near[r]:
            rate += p.path[r, PATH_SHARE] * p.path[r, PATH_RATE]
            bend += p.path[r, PATH_SHARE] * p.path[r, PATH_SLOPE]
    return rate, bend


@inlined
def next_stop(m, p, modes, first):
    """How far it is to where the next contact stops to slide, and which."""
    nearest, which = inf, -1
    for c in range(m.points.wall.shape[0]):
        r = first + 2 * c + 1
        _, rubs = strikes(m, p, first, c)
        if rubs and modes[c, 1] != STICKING and p.path[r, PATH_RATE] * p.path[r, PATH_SLOPE] < 0.0:
            length = -p.path[r, PATH_RATE] / p.path[r, PATH_SLOPE]
            if length < nearest:
                nearest, which = length, c
    return nearest, which


@inlined
def begin_restitution(m, p, first, law):
    """What is to be given back: for Stronge energy [J], for Poisson the share of the path of compression."""
    most = energy = 0.0
    for c in range(m.points.wall.shape[0]):
        r = first + 2 * c
        if p.near[r] and p.path[r, PATH_SHARE] > 0.0:
            most = max(most, m.points.wall_vector[c, RETURNED])
    absorbed = 0.0
    for c in range(m.points.wall.shape[0]):
        r = first + 2 * c
        if p.near[r]:
            absorbed += p.path[r, PATH_ABSORBED]
            energy += m.points.wall_vector[c, RETURNED] ** 2 * max(p.path[r, PATH_ABSORBED], 0.0)
            if law != STRONGE and most > 0.0:
                p.path[r, PATH_SHARE] *= m.points.wall_vector[c, RETURNED] / most
    return min(energy, most * most * absorbed) if law == STRONGE else most


@called
def follow(m, p, operator, modes, first, law):
    """Follow one path with the proportions in ROW_LOAD; False: it has no end."""
    path, contacts = p.path, m.points.wall.shape[0]
    for r in range(p.row.shape[0]):
        path[r, PATH_RATE], path[r, PATH_SUM], path[r, PATH_ABSORBED] = p.row[r, ROW_FREE], 0.0, 0.0
        path[r, PATH_SHARE] = p.row[r, ROW_LOAD] if p.near[r] and (r - first) % 2 == 0 else 0.0
    for c in range(contacts):
        rate = path[first + 2 * c + 1, PATH_RATE]
        modes[c, 1] = STICKING if abs(rate) < AT_REST else FORWARD if rate > 0.0 else BACKWARD
    compresses, travelled, left = True, 0.0, 0.0
    for _ in range(PIECES):
        slopes(m, p, operator, modes, first)
        rate, bend = rates_of_work(m, p, first)
        stop, which = next_stop(m, p, modes, first)
        if compresses:
            end = 0.0 if rate >= 0.0 else -rate / bend if bend > 0.0 else inf
        elif law != STRONGE:
            end = left
        else:
            inside = rate * rate + 2.0 * bend * left
            end = 2.0 * left / (rate + sqrt(inside)) if inside > 0.0 and rate + sqrt(inside) > 0.0 else inf
            if left <= 0.0:
                end = 0.0
        if not min(stop, end) < inf:
            return False
        work = go_along(p, first, min(stop, end), compresses)
        if compresses:
            travelled += min(stop, end)
        else:
            left -= work if law == STRONGE else min(stop, end)
        if stop < end:
            modes[which, 1] = STICKING
            path[first + 2 * which + 1, PATH_RATE] = 0.0
        elif compresses:
            compresses = False
            left = begin_restitution(m, p, first, law) * (1.0 if law == STRONGE else travelled)
        else:
            return True
    return False


@called
def strike(m, w, p, modes, first, law):
    """The impulses of an impact into ROW_LOAD and the velocities after it into ROW_AFTER, from those in ROW_FREE."""
    path, rows = p.path, p.row.shape[0]
    fastest = 0.0
    for r in range(rows):
        path[r, PATH_BEFORE], path[r, PATH_TOTAL] = p.row[r, ROW_FREE], 0.0
        if p.near[r]:
            fastest = max(fastest, abs(p.row[r, ROW_FREE]))
    for _ in range(STRIKES):
        approach = 0.0
        for c in range(m.points.wall.shape[0]):
            modes[c, 0] = OPEN
            if p.near[first + 2 * c]:
                approach = max(approach, -p.row[first + 2 * c, ROW_FREE])
        if approach <= APPROACH * fastest:
            break
        solve_contacts(m, w, p, p.whole, modes)
        if not follow(m, p, p.whole, modes, first, law):
            break
        for r in range(rows):
            if p.near[r]:
                path[r, PATH_TOTAL] += path[r, PATH_SUM]
                p.row[r, ROW_FREE] = path[r, PATH_RATE]
    for c in range(m.points.wall.shape[0]):
        modes[c, 0] = OPEN
    solve_contacts(m, w, p, p.whole, modes)  # what still approaches is stopped
    for r in range(rows):
        if p.near[r]:
            p.row[r, ROW_LOAD] += path[r, PATH_TOTAL]
            p.row[r, ROW_FREE] = path[r, PATH_BEFORE]
