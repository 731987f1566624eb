"""What a result reports besides the state: accelerations, reactions, drive efforts, energies, residual."""

from __future__ import annotations

from numba import int64, void

from gudgeon.kernels.build.compiled import entrance
from gudgeon.kernels.build.records import CUBE, MATRIX, Record, integers, numbers
from gudgeon.kernels.dynamics.arrays import (
    ACCELERATION,
    CHILD,
    CHILD_FIRST,
    COUPLED_FIRST,
    COUPLED_SECOND,
    COUPLING,
    DRIVE_OF,
    GRAVITY,
    JOINT_OF,
    KIND,
    MASS,
    MODEL,
    POSITION,
    RESIDUAL,
    ROW,
    ROWS,
    WORK,
)
from gudgeon.kernels.dynamics.energy import kinetic_energy
from gudgeon.kernels.dynamics.engine import (
    accelerations,
    accelerations_under,
    keep_searches,
    kinematics,
    signals,
    tree_reactions,
)
from gudgeon.kernels.dynamics.loads import power_of_load, spring_energy
from gudgeon.kernels.dynamics.rows import largest
from gudgeon.kernels.elements.nodes import has_nodes
from gudgeon.kernels.elements.point_arrays import PIN_WORK_COLUMNS, WALL_WORK_COLUMNS
from gudgeon.kernels.elements.points import has_points
from gudgeon.kernels.integrators.run import CONTACT_TABLE_COLUMNS
from gudgeon.kernels.kinematics.rotation import cross, rotated
from gudgeon.kernels.outputs.joint_outputs import OUT_COLUMNS, add_joint_reactions, joint_outputs, set_modes
from gudgeon.kernels.outputs.point_outputs import point_outputs


class Run(Record):
    """What is known of a run at its samples."""

    times = numbers(1)  # (samples) [s]
    states = numbers(2)  # (samples, n)
    forces = numbers(2)  # (samples, unknowns) of the compliant joints; (0, 0): as the laws give them
    contacts = numbers(2, CONTACT_TABLE_COLUMNS)  # table of contacts, sorted by their begin
    cursor = integers(1)  # (1) how far the table has been read
    joint_point = numbers(2, 3)  # (joints, 3) of the child, child's axes [m]


class Outputs(Record):
    """What is computed at every sample."""

    acceleration = numbers(3, 6)  # (samples, bodies, 6)
    force = numbers(3, 3)  # (samples, joints, 3)
    torque = numbers(3, 3)  # (samples, joints, 3)
    effort = numbers(2)  # (samples, drives)
    coupling = numbers(3, 2)  # (samples, couplings, 2) efforts on the children of the two coordinates
    energy = numbers(2, 2)  # (samples, 2) kinetic, potential
    residual = numbers(1)  # (samples)
    joint = numbers(3, OUT_COLUMNS)  # (samples, compliant joints, OUT_COLUMNS)
    wall = numbers(3, WALL_WORK_COLUMNS)  # (samples, points at walls, WALL_WORK_COLUMNS)
    pin = numbers(3, PIN_WORK_COLUMNS)  # (samples, pins, PIN_WORK_COLUMNS)
    load = numbers(3, 3)  # (samples, loads, 3) power; of springs their coordinate and its rate
    signal = numbers(2)  # (samples, numbers of all signals)


RUN, OUTPUTS = Run.record_type, Outputs.record_type


@entrance(void(MODEL, WORK, MATRIX, int64, CUBE, CUBE, MATRIX, CUBE))
def reactions(m, w, joint_point, s, force, torque, effort, coupling):
    """Force and torque on each child at its joint point, and efforts of drives and couplings, at sample s, from λ."""
    coupled = 0
    for k in range(m.block.shape[0]):
        joint = m.block[k, JOINT_OF]
        if joint >= 0:
            force[s, joint, :] = 0.0
            torque[s, joint, :] = 0.0
    for k in range(m.block.shape[0]):
        first, joint = m.block[k, ROW], m.block[k, JOINT_OF]
        if m.block[k, KIND] == COUPLING:
            coupling[s, coupled, 0] = -m.block_vector[k, COUPLED_FIRST] * w.multiplier[first]
            coupling[s, coupled, 1] = -m.block_vector[k, COUPLED_SECOND] * w.multiplier[first]
            coupled += 1
        if m.block[k, DRIVE_OF] >= 0:
            effort[s, m.block[k, DRIVE_OF]] = -w.multiplier[first]
        if joint < 0:
            continue
        if m.block[k, CHILD_FIRST]:  # a pin at a node of the child
            for c in range(3):
                force[s, joint, c] -= w.jacobian[2 * first, c] * w.multiplier[first]
            continue
        px, py, pz = rotated(w.body, m.block[k, CHILD], joint_point, joint, 0)
        for r in range(first, first + m.block[k, ROWS]):
            x = w.multiplier[r]
            fx, fy, fz = (
                -w.jacobian[2 * r + 1, 0] * x,
                -w.jacobian[2 * r + 1, 1] * x,
                -w.jacobian[2 * r + 1, 2] * x,
            )
            tx, ty, tz = cross(px, py, pz, fx, fy, fz)
            force[s, joint, 0] += fx
            force[s, joint, 1] += fy
            force[s, joint, 2] += fz
            torque[s, joint, 0] -= w.jacobian[2 * r + 1, 3] * x + tx
            torque[s, joint, 1] -= w.jacobian[2 * r + 1, 4] * x + ty
            torque[s, joint, 2] -= w.jacobian[2 * r + 1, 5] * x + tz


@entrance(void(MODEL, WORK, MATRIX, CUBE))
def body_motion(m, w, states, out):
    """Position, rotation matrix, velocity and angular velocity of all bodies at a series of states."""
    for s in range(states.shape[0]):
        kinematics(m, w, states[s])
        for b in range(1, m.body.shape[0]):
            for c in range(18):
                out[s, b - 1, c] = w.body[b, POSITION + c]


@entrance(void(MODEL, WORK, RUN, OUTPUTS, int64, int64))
def outputs(m, w, run, out, first, last):
    """Fill the arrays of `out` for the samples first … last − 1 of `run`."""
    for s in range(first, last):
        t, y = run.times[s], run.states[s]
        if w.contact.shape[0] > 0:
            set_modes(m, w, run.contacts, run.cursor, t)
        if run.forces.shape[0] > 0:
            accelerations_under(m, w, t, y, run.forces[s])
        else:
            accelerations(m, w, t, y)
        for b in range(1, m.body.shape[0]):
            for c in range(6):
                out.acceleration[s, b - 1, c] = w.body[b, ACCELERATION + c]
        reactions(m, w, run.joint_point, s, out.force, out.torque, out.effort, out.coupling)
        if m.tree.shape[0] > 0:
            tree_reactions(m, w, s, out.force, out.torque)
        kinetic = potential = 0.0
        if has_nodes(m) or has_points(m):
            kinetic, potential = point_outputs(m, w, y, s, run.joint_point, out)
        out.energy[s, 0] = kinetic + kinetic_energy(m, w)
        potential += spring_energy(m, w, t, y)
        for b in range(1, m.body.shape[0]):
            for c in range(3):
                potential -= m.body[b, MASS] * m.settings[GRAVITY + c] * w.body[b, POSITION + c]
        if m.compliant.shape[0] > 0:
            potential += joint_outputs(m, w, s, out.joint)
            add_joint_reactions(m, w, s, run.joint_point, out.force, out.torque)
        out.energy[s, 1] = potential
        if m.signal.shape[0] > 0:
            signals(m, w, t, y, m.signal.shape[0])
            for c in range(w.signal.shape[0]):
                out.signal[s, c] = w.signal[c]
        for k in range(m.load.shape[0]):
            out.load[s, k, 0], out.load[s, k, 1], out.load[s, k, 2] = power_of_load(m, w, k, t, y)
        out.residual[s] = largest(w.row, RESIDUAL)
        keep_searches(m, w)
