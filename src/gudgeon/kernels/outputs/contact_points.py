"""Where and how hard a worn land was pressed and rubbed during a run: its points of integration, and its poses."""

from __future__ import annotations

from math import atan2, sqrt

from numba import int64, void

from gudgeon.kernels.build.compiled import entrance
from gudgeon.kernels.build.records import MATRIX, VECTOR
from gudgeon.kernels.dynamics.arrays import FLIGHT, MODE, MODEL, SURFACE_TABLE, WORK
from gudgeon.kernels.dynamics.engine import kinematics, local_motion
from gudgeon.kernels.elements.bushing import ball_axis
from gudgeon.kernels.elements.journal_section import BORE_RADIUS, axis_at, in_bearing, slope_of_axis
from gudgeon.kernels.elements.land import impact_speed, slice_at
from gudgeon.kernels.elements.laws import normal_force
from gudgeon.kernels.elements.rubbing_point import push_of_point
from gudgeon.kernels.elements.worn_land import (
    PANELS,
    POINTS,
    SLICES,
    WEIGHTS,
    panels_of,
    part_of_panel,
    point_at,
    pose_of,
    slice_of,
    sliding_at,
)
from gudgeon.kernels.kinematics.vectors import dot
from gudgeon.kernels.outputs.joint_outputs import set_modes
from gudgeon.kernels.outputs.outputs import RUN

# columns of a point
SAMPLE = 0  # number of the sample
SLICE = 1  # of the land
ANGLE = 2  # in the bore [rad]
PIN_ANGLE = 3  # on the pin [rad]
AREA = 4  # [m²]
PRESSURE = 5  # [Pa]
STIFFNESS = 6  # ∂p/∂δ [Pa/m]
SPEED = 7  # of sliding [m/s]
PUSH = 8  # 4: what a displacement along x and y, and a tilt about x and y, adds to the depth [-, m]
COLUMNS = 12
SMALL = 1e-4  # step of a difference, of the depth

# columns of a pose
AXIS = 0  # 2, where the pin's axis is in the plane z = 0 across the bore [m]
SLOPE = 2  # 2, of the axis [-]
TURNED = 4  # ψ [rad]
POSE_COLUMNS = 5


@entrance(void(MODEL, WORK, int64, MATRIX, MATRIX))
def poses_of_land(m, w, k, states, out):
    """Where the pin of line k is in its bore at a series of states."""
    for s in range(states.shape[0]):
        kinematics(m, w, states[s])
        local_motion(m, w, k, states[s])
        d, h, _, _, turned = pose_of(m.compliant_vector[k], w.local[k])
        slope = slope_of_axis(h)
        e = axis_at(d, slope, 0.0)
        out[s, AXIS], out[s, AXIS + 1] = e
        out[s, SLOPE], out[s, SLOPE + 1], out[s, TURNED] = slope[0], slope[1], turned


@entrance(void(MODEL, WORK, int64, RUN, VECTOR, MATRIX))
def slices_of_land(m, w, k, run, places, out):
    """Slices of an unworn land at places along the bore: where they are deepest, and how hard and fast they rub there.

    A line of `out` for every sample and place; AREA is the depth, PRESSURE the force per length, 0 where it is open.
    """
    p, count = m.compliant_vector[k], places.shape[0]
    w.contact[:] = 0.0
    for sample in range(run.states.shape[0]):
        set_modes(m, w, run.contacts, run.cursor, run.times[sample])
        kinematics(m, w, run.states[sample])
        local_motion(m, w, k, run.states[sample])
        x, impact = w.local[k], impact_speed(m, w, k)
        d, h, v, turning = in_bearing(x)
        a, b = ball_axis(x, 0), ball_axis(x, 1)
        turned = atan2(a[1] - b[0], a[0] + b[1])
        for i in range(count):
            o = out[count * sample + i]
            depth, nu, arm = slice_at(p, d, slope_of_axis(h), places[i])
            angle = atan2(nu[1], nu[0])
            o[SAMPLE], o[SLICE], o[ANGLE], o[PIN_ANGLE], o[AREA] = sample, i, angle, angle - turned, depth
            o[PRESSURE] = o[SPEED] = 0.0
            if w.contact[k, MODE] != FLIGHT and depth > 0.0:
                along = sliding_at(nu, arm, v, turning)
                o[PRESSURE] = push_of_point(m, k, impact, depth, nu, arm, v, turning, False)[1]
                o[SPEED] = sqrt(dot(along, along))


@entrance(int64(MODEL, WORK, int64, RUN, MATRIX))
def contact_points(m, w, k, run, out):
    """The points of line k that were pressed, into lines of `out`; returns how many they are, also if more than fit."""
    p, table, count = m.compliant_vector[k], m.compliant[k, SURFACE_TABLE], 0
    panels = int(p[PANELS])
    w.contact[:] = 0.0
    for sample in range(run.states.shape[0]):
        set_modes(m, w, run.contacts, run.cursor, run.times[sample])
        if w.contact[k, MODE] == FLIGHT:
            continue
        kinematics(m, w, run.states[sample])
        local_motion(m, w, k, run.states[sample])
        impact = impact_speed(m, w, k)
        d, h, v, turning, turned = pose_of(p, w.local[k])
        for i in range(int(p[SLICES])):
            s, z, length = slice_of(p, table, d, slope_of_axis(h), turned, i)
            first, last, low, high = panels_of(s, panels)
            for j in range(first, last + 1):
                start, end = part_of_panel(s, panels, j, low, high)
                for g in range(3 if start < end else 0):
                    angle = start + POINTS[g] * (end - start)
                    depth, nu, b, arm = point_at(p, s, z, d, h, angle)
                    if depth <= 0.0:
                        continue
                    if count < out.shape[0]:
                        rate, along = dot(nu, v) + dot(b, turning), sliding_at(nu, arm, v, turning)
                        deeper = normal_force(m, k, depth * (1.0 + SMALL), rate, impact)
                        shallower = normal_force(m, k, depth * (1.0 - SMALL), rate, impact)
                        o = out[count]
                        o[SAMPLE], o[SLICE], o[ANGLE], o[PIN_ANGLE] = sample, i, angle, angle - turned
                        o[AREA] = WEIGHTS[g] * (end - start) * length * p[BORE_RADIUS]
                        o[PRESSURE] = normal_force(m, k, depth, rate, impact)
                        o[STIFFNESS] = (deeper - shallower) / (2.0 * SMALL * depth)
                        o[SPEED] = sqrt(dot(along, along))
                        o[PUSH], o[PUSH + 1], o[PUSH + 2], o[PUSH + 3] = nu[0], nu[1], b[0], b[1]
                    count += 1
    return count
