"""What a result reports of sliders, pins and flexible bodies: motion and forces at a sample, reactions, energies."""

from __future__ import annotations

from math import inf

from numba import int64, void

from gudgeon.kernels.build.compiled import called, entrance, inlined
from gudgeon.kernels.build.records import CUBE, MATRIX, VECTOR
from gudgeon.kernels.dynamics.arrays import MODEL, POSITION, WORK
from gudgeon.kernels.dynamics.engine import kinematics
from gudgeon.kernels.elements.nodes import node_energies
from gudgeon.kernels.elements.slider_arrays import (
    CONTACT_JOINT,
    CONTACT_WORK_COLUMNS,
    FRICTION_FORCE,
    GAP,
    HARD,
    NORMAL_FORCE,
    PIN_ACROSS,
    PIN_ALONG,
    PIN_FORCE,
    PIN_GAP,
    PIN_JOINT,
    PIN_ON_CHILD,
    PIN_STIFFNESS,
    PIN_WORK_COLUMNS,
    SLIDER,
    TOUCH_BEGIN,
    TOUCH_SPEED,
    TOUCHES,
)
from gudgeon.kernels.elements.sliders import contact_motion, law_of
from gudgeon.kernels.integrators.run import CONTACT_BEGIN, CONTACT_END, CONTACT_POINT, CONTACT_SPEED
from gudgeon.kernels.kinematics.rotation import cross, rotated

GAUSS_POINTS = (0.06943184420297371, 0.33000947820757187, 0.6699905217924281, 0.9305681557970263)
GAUSS_WEIGHTS = (0.17392742256872692, 0.32607257743127307, 0.32607257743127307, 0.17392742256872692)


@inlined
def set_touches(w, contacts, cursor, t):
    """The memory of the contacts of guides at time t, from the table of contacts sorted by their begin."""
    touch = w.sliders.touch
    while cursor[1] < contacts.shape[0] and contacts[cursor[1], CONTACT_BEGIN] <= t:
        line = contacts[cursor[1]]
        if line[CONTACT_POINT] >= 0.0:
            c = int(line[CONTACT_POINT])
            touch[c, TOUCHES], touch[c, TOUCH_SPEED] = 1.0, line[CONTACT_SPEED]
            touch[c, TOUCH_BEGIN] = line[CONTACT_END] if line[CONTACT_END] == line[CONTACT_END] else inf  # its end
        cursor[1] += 1
    for c in range(touch.shape[0]):
        if touch[c, TOUCHES] > 0.0 and t > touch[c, TOUCH_BEGIN]:
            touch[c, TOUCHES] = touch[c, TOUCH_SPEED] = 0.0


@inlined
def stored_in_contact(s, sw, c):
    """Work of the law at rate zero from 0 to δ, with δ = δ_max x² [J]."""
    depth, energy = -sw.contact[c, GAP], 0.0
    if depth > 0.0 and not s.contact[c, HARD]:
        for g in range(4):
            x = GAUSS_POINTS[g]
            energy += GAUSS_WEIGHTS[g] * law_of(s, sw, c, depth * x * x, 0.0) * 2.0 * depth * x
    return energy


@called
def write_sliders(m, w, s, sw, y, sample, out):
    """Motion and forces at one sample, as held in `w`; returns kinetic and potential energy."""
    kinetic, potential = node_energies(s, y)
    for c in range(s.contact.shape[0]):
        contact_motion(s, w, sw, y, c)
        for e in range(CONTACT_WORK_COLUMNS):
            out.contact[sample, c, e] = sw.contact[c, e]
        potential += stored_in_contact(s, sw, c)
    for k in range(s.pin.shape[0]):
        V = s.pin_vector
        for e in range(PIN_WORK_COLUMNS):
            out.pin[sample, k, e] = sw.pin[k, e]
        if V[k, PIN_STIFFNESS] < inf:
            potential += 0.5 * V[k, PIN_STIFFNESS] * (sw.pin[k, PIN_GAP] ** 2 + sw.pin[k, PIN_GAP + 1] ** 2)
    return kinetic, potential


@entrance(void(MODEL, WORK, VECTOR, int64, MATRIX, CUBE, CUBE))
def slider_reactions(m, w, y, sample, joint_point, force, torque):
    """Add the forces of contacts and pins on the children of their joints, as held in `w`."""
    s, sw = m.sliders, w.sliders
    for c in range(s.contact.shape[0]):
        p0, p1, p2, n0, n1, n2, t0, t1, t2 = contact_motion(s, w, sw, y, c)
        N, T = sw.contact[c, NORMAL_FORCE], sw.contact[c, FRICTION_FORCE]
        f0, f1, f2 = N * n0 + T * t0, N * n1 + T * t1, N * n2 + T * t2
        joint, b = s.contact[c, CONTACT_JOINT], s.contact[c, SLIDER]
        s0, s1, s2 = rotated(w.body, b, joint_point, joint, 0)
        d0, d1, d2 = p0 - w.body[b, POSITION], p1 - w.body[b, POSITION + 1], p2 - w.body[b, POSITION + 2]
        x0, x1, x2 = cross(d0 - s0, d1 - s1, d2 - s2, f0, f1, f2)
        add(force[sample, joint], f0, f1, f2)
        add(torque[sample, joint], x0, x1, x2)
    for k in range(s.pin.shape[0]):
        V = s.pin_vector
        sign = 1.0 if s.pin[k, PIN_ON_CHILD] else -1.0
        X, Y = sign * sw.pin[k, PIN_FORCE], sign * sw.pin[k, PIN_FORCE + 1]
        add(
            force[sample, s.pin[k, PIN_JOINT]],
            X * V[k, PIN_ALONG] + Y * V[k, PIN_ACROSS],
            X * V[k, PIN_ALONG + 1] + Y * V[k, PIN_ACROSS + 1],
            X * V[k, PIN_ALONG + 2] + Y * V[k, PIN_ACROSS + 2],
        )


@entrance(void(MODEL, WORK, VECTOR, VECTOR))
def guide_gaps(m, w, y, gaps):
    """The gaps of all contacts of sliders at the state y."""
    kinematics(m, w, y)
    for c in range(gaps.shape[0]):
        contact_motion(m.sliders, w, w.sliders, y, c)
        gaps[c] = w.sliders.contact[c, GAP]


@inlined
def add(total, x, y, z):
    """total += (x, y, z)."""
    total[0] += x
    total[1] += y
    total[2] += z


@inlined
def slider_outputs(m, w, y, sample, joint_point, out):
    """Motion, forces and reactions at one sample, as held in `w`; returns kinetic and potential energy."""
    slider_reactions(m, w, y, sample, joint_point, out.force, out.torque)
    return write_sliders(m, w, m.sliders, w.sliders, y, sample, out)
