"""What a result reports of points at walls, of pins and of flexible bodies: motion, forces, reactions, energies."""

from __future__ import annotations

from math import inf

from numba import int64, void

from gudgeon.kernels.build.compiled import called, entrance, inlined
from gudgeon.kernels.build.records import CUBE, MATRIX, VECTOR
from gudgeon.kernels.dynamics.arrays import MODEL, POSITION, WORK
from gudgeon.kernels.dynamics.engine import kinematics
from gudgeon.kernels.elements.nodes import node_energies
from gudgeon.kernels.elements.point_arrays import (
    FRICTION_FORCE,
    GAP,
    NORMAL_FORCE,
    PIN_ACROSS,
    PIN_ALONG,
    PIN_FORCE,
    PIN_GAP,
    PIN_JOINT,
    PIN_ON_CHILD,
    PIN_STIFFNESS,
    PIN_WORK_COLUMNS,
    POINT_BODY,
    WALL_JOINT,
    WALL_WORK_COLUMNS,
)
from gudgeon.kernels.elements.points import energy_at_wall, wall_motion
from gudgeon.kernels.kinematics.rotation import cross, rotated


@called
def write_points(m, w, y, sample, out):
    """Motion and forces at one sample, as held in `w`; returns kinetic and potential energy."""
    kinetic, potential = node_energies(m, y)
    for c in range(m.points.wall.shape[0]):
        wall_motion(m, w, y, c)
        for e in range(WALL_WORK_COLUMNS):
            out.wall[sample, c, e] = w.points.wall[c, e]
        potential += energy_at_wall(m, w, c)
    for k in range(m.points.pin.shape[0]):
        V = m.points.pin_vector
        for e in range(PIN_WORK_COLUMNS):
            out.pin[sample, k, e] = w.points.pin[k, e]
        if V[k, PIN_STIFFNESS] < inf:
            potential += 0.5 * V[k, PIN_STIFFNESS] * (w.points.pin[k, PIN_GAP] ** 2 + w.points.pin[k, PIN_GAP + 1] ** 2)
    return kinetic, potential


@entrance(void(MODEL, WORK, VECTOR, int64, MATRIX, CUBE, CUBE))
def point_reactions(m, w, y, sample, joint_point, force, torque):
    """Add the forces of points and pins on the children of their joints, as held in `w`."""
    for c in range(m.points.wall.shape[0]):
        p0, p1, p2, n0, n1, n2, t0, t1, t2 = wall_motion(m, w, y, c)
        N, T = w.points.wall[c, NORMAL_FORCE], w.points.wall[c, FRICTION_FORCE]
        f0, f1, f2 = N * n0 + T * t0, N * n1 + T * t1, N * n2 + T * t2
        joint, b = m.points.wall[c, WALL_JOINT], m.points.wall[c, POINT_BODY]
        s0, s1, s2 = rotated(w.body, b, joint_point, joint, 0)
        d0, d1, d2 = p0 - w.body[b, POSITION], p1 - w.body[b, POSITION + 1], p2 - w.body[b, POSITION + 2]
        x0, x1, x2 = cross(d0 - s0, d1 - s1, d2 - s2, f0, f1, f2)
        add(force[sample, joint], f0, f1, f2)
        add(torque[sample, joint], x0, x1, x2)
    for k in range(m.points.pin.shape[0]):
        V = m.points.pin_vector
        sign = 1.0 if m.points.pin[k, PIN_ON_CHILD] else -1.0
        X, Y = sign * w.points.pin[k, PIN_FORCE], sign * w.points.pin[k, PIN_FORCE + 1]
        add(
            force[sample, m.points.pin[k, PIN_JOINT]],
            X * V[k, PIN_ALONG] + Y * V[k, PIN_ACROSS],
            X * V[k, PIN_ALONG + 1] + Y * V[k, PIN_ACROSS + 1],
            X * V[k, PIN_ALONG + 2] + Y * V[k, PIN_ACROSS + 2],
        )


@entrance(void(MODEL, WORK, VECTOR, VECTOR))
def wall_gaps(m, w, y, gaps):
    """The gaps of all points at walls at the state y."""
    kinematics(m, w, y)
    for c in range(gaps.shape[0]):
        wall_motion(m, w, y, c)
        gaps[c] = w.points.wall[c, GAP]


@entrance(void(MODEL, WORK, VECTOR, VECTOR))
def wall_energies(m, w, y, energy):
    """The elastic energy in the contacts of all points at the state y [J]."""
    kinematics(m, w, y)
    for c in range(energy.shape[0]):
        wall_motion(m, w, y, c)
        energy[c] = energy_at_wall(m, w, c)


@inlined
def add(total, x, y, z):
    """total += (x, y, z)."""
    total[0] += x
    total[1] += y
    total[2] += z


@inlined
def point_outputs(m, w, y, sample, joint_point, out):
    """Motion, forces and reactions at one sample, as held in `w`; returns kinetic and potential energy."""
    point_reactions(m, w, y, sample, joint_point, out.force, out.torque)
    return write_points(m, w, y, sample, out)
