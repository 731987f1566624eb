"""Force and torque of two surfaces on each other, their derivatives, and what a result reports.

The function that solvers call by its C address is `surfaces`; see kernels/elements/surfaces.py for what it is asked.
"""

from __future__ import annotations

from math import sqrt

from numba import carray, float64, int64, void

from gudgeon.kernels.build.compiled import callable_from_c, called, inlined, viewing
from gudgeon.kernels.dynamics.arrays import (
    FORCE_COLUMNS,
    FORCE_ON_BALL,
    LOCAL_COLUMNS,
    NORMAL,
    POWER,
    REPORT_AREA,
    REPORT_COLUMNS,
    REPORT_FRICTION,
    REPORT_NORMAL,
    REPORT_PENETRATION,
    REPORT_PRESSURE,
    REPORT_STORED,
    TORQUE_ON_BALL,
)
from gudgeon.kernels.elements.laws import contact_energy, friction_force, normal_force
from gudgeon.kernels.elements.surfaces import KEEP, LEAST_GAP, PUSH, SLOPES
from gudgeon.kernels.kinematics.rotation import cross
from gudgeon.nurbs.kernels.gap import FOUND
from gudgeon.surface_contact.kernels.layout import REFERENCE_ON_BALL
from gudgeon.surface_contact.kernels.points import (
    BALL_AT,
    WORLD,
    is_farther,
    keep_places,
    least_gap,
    look_at,
    place_of,
    set_pose,
    turned,
    velocity_at,
)
from gudgeon.surface_contact.kernels.views import floats_at, integers_at, laws_of, patches_of, points_of, work_of


@inlined
def friction_over_speed(laws, speed, pressure):
    """Friction per area over the sliding speed; 0 at rest."""
    return friction_force(laws, 0, speed, pressure) / speed if speed > 0.0 else 0.0


@called
def push(m, w, p, laws, impact, out, report, reports):
    """Sum force and torque on c over all points that touch, onto the ball into `out`; more into `report` if asked."""
    pose = p.pose
    fx = fy = fz = tx = ty = tz = 0.0
    px = py = pz = power = stored = area = largest = 0.0
    for q in range(p.frame.shape[0]):
        if p.weight[q] == 0.0 or p.reason[q] != FOUND:
            continue
        x, y, z = place_of(p, q)
        if is_farther(p, q, x, y, z, 0.0):
            continue
        found, h, gx, gy, gz = look_at(m, w, p, q, x, y, z)
        if not found or h >= 0.0:
            continue
        x, y, z = x + h * w.line[3], y + h * w.line[4], z + h * w.line[5]
        ux, uy, uz = velocity_at(pose, x, y, z)
        closing = -(gx * ux + gy * uy + gz * uz)
        pressure = normal_force(laws, 0, -h, closing, impact)
        elastic = normal_force(laws, 0, -h, 0.0, impact)
        size = sqrt(gx * gx + gy * gy + gz * gz)
        # sliding across n_c
        share = closing / (size * size)
        vx, vy, vz = ux + share * gx, uy + share * gy, uz + share * gz
        speed = sqrt(vx * vx + vy * vy + vz * vz)
        rub = size * friction_over_speed(laws, speed, pressure)
        a = p.weight[q]
        power += a * ((pressure - elastic) * closing + rub * speed * speed)
        px, py, pz = px + a * pressure * gx, py + a * pressure * gy, pz + a * pressure * gz
        x1, y1, z1 = a * (pressure * gx - rub * vx), a * (pressure * gy - rub * vy), a * (pressure * gz - rub * vz)
        fx, fy, fz = fx + x1, fy + y1, fz + z1
        # about the ball's joint point
        x1, y1, z1 = cross(x - pose[BALL_AT], y - pose[BALL_AT + 1], z - pose[BALL_AT + 2], x1, y1, z1)
        tx, ty, tz = tx + x1, ty + y1, tz + z1
        if reports:
            stored += a * contact_energy(laws, 0, -h, impact)
            area += a * size
            largest = max(largest, pressure)
    sign = -1.0 if p.settings[REFERENCE_ON_BALL] != 0.0 else 1.0
    normal = sqrt(px * px + py * py + pz * pz)
    if reports:
        x, y, z = turned(pose, WORLD, fx - px, fy - py, fz - pz)
        report[REPORT_FRICTION] = sign * x
        report[REPORT_FRICTION + 1] = sign * y
        report[REPORT_FRICTION + 2] = sign * z
        report[REPORT_STORED], report[REPORT_AREA], report[REPORT_PRESSURE] = stored, area, largest
        report[REPORT_NORMAL] = normal
        return
    fx, fy, fz = turned(pose, WORLD, sign * fx, sign * fy, sign * fz)
    tx, ty, tz = turned(pose, WORLD, sign * tx, sign * ty, sign * tz)
    out[FORCE_ON_BALL], out[FORCE_ON_BALL + 1], out[FORCE_ON_BALL + 2] = fx, fy, fz
    out[TORQUE_ON_BALL], out[TORQUE_ON_BALL + 1], out[TORQUE_ON_BALL + 2] = tx, ty, tz
    out[NORMAL], out[POWER] = normal, power


@inlined
def wrench(pose, x, y, z, fx, fy, fz):
    """Force and its torque about the ball's joint point, world axes."""
    tx, ty, tz = cross(x - pose[BALL_AT], y - pose[BALL_AT + 1], z - pose[BALL_AT + 2], fx, fy, fz)
    fx, fy, fz = turned(pose, WORLD, fx, fy, fz)
    tx, ty, tz = turned(pose, WORLD, tx, ty, tz)
    return fx, fy, fz, tx, ty, tz


@inlined
def add_product(matrix, scale, a, b):
    """matrix += scale · a bᵀ."""
    for r in range(6):
        for c in range(6):
            matrix[r, c] += scale * a[r] * b[c]


@called
def slopes(m, w, p, laws, impact, by_position, by_velocity):
    """Derivatives of force and torque on the ball by its displacement and turn, and by their rates.

    Those of the laws at all points that touch; how the points move over the surface is left out.
    """
    pose = p.pose
    by_position[:] = 0.0
    by_velocity[:] = 0.0
    for q in range(p.frame.shape[0]):
        if p.weight[q] == 0.0 or p.reason[q] != FOUND:
            continue
        x, y, z = place_of(p, q)
        if is_farther(p, q, x, y, z, 0.0):
            continue
        found, h, gx, gy, gz = look_at(m, w, p, q, x, y, z)
        if not found or h >= 0.0:
            continue
        x, y, z = x + h * w.line[3], y + h * w.line[4], z + h * w.line[5]
        ux, uy, uz = velocity_at(pose, x, y, z)
        closing = -(gx * ux + gy * uy + gz * uz)
        pressure = normal_force(laws, 0, -h, closing, impact)
        small = -1e-5 * h
        stiffness = (normal_force(laws, 0, small - h, closing, impact) - pressure) / small
        small = 1e-6 * abs(closing) + 1e-10
        damping = (normal_force(laws, 0, -h, closing + small, impact) - pressure) / small
        a, size = p.weight[q], sqrt(gx * gx + gy * gy + gz * gz)
        along = wrench(pose, x, y, z, gx, gy, gz)
        add_product(by_position, -a * stiffness, along, along)
        add_product(by_velocity, -a * damping, along, along)
        share = closing / (size * size)
        vx, vy, vz = ux + share * gx, uy + share * gy, uz + share * gz
        speed = sqrt(vx * vx + vy * vy + vz * vz)
        small = 1e-6 * speed + 1e-10
        if speed < 1e-14:  # any direction across n_c
            other = 1.0 if abs(gx) < 0.6 * size else 0.0
            vx, vy, vz = cross(gx, gy, gz, other, 1.0 - other, 0.0)
            speed = sqrt(vx * vx + vy * vy + vz * vz)
            vx, vy, vz, speed = vx / speed, vy / speed, vz / speed, 0.0
        else:
            vx, vy, vz = vx / speed, vy / speed, vz / speed
        friction = friction_force(laws, 0, speed, pressure)
        steeper = (friction_force(laws, 0, speed + small, pressure) - friction) / small
        across = friction / speed if speed > 0.0 else steeper
        sliding = wrench(pose, x, y, z, vx, vy, vz)
        bx, by, bz = cross(gx / size, gy / size, gz / size, vx, vy, vz)
        beside = wrench(pose, x, y, z, bx, by, bz)
        add_product(by_velocity, -a * size * steeper, sliding, sliding)
        add_product(by_velocity, -a * size * across, beside, beside)
        small = 1e-6 * pressure + 1e-12
        heavier = (friction_force(laws, 0, speed, pressure + small) - friction) / small
        add_product(by_position, a * size * heavier * stiffness, sliding, along)
        add_product(by_velocity, a * size * heavier * damping, sliding, along)


@viewing
def answer(table, task, impact, motion, out, more):
    """What `surfaces` does."""
    m, w, p, laws = patches_of(table), work_of(table), points_of(table), laws_of(table)
    if task == KEEP:
        keep_places(p)
        return
    set_pose(p, carray(floats_at(motion), (LOCAL_COLUMNS,)))
    line = carray(floats_at(out), (FORCE_COLUMNS,))
    if task == PUSH:
        push(m, w, p, laws, impact, line, line, False)
    elif task == LEAST_GAP:
        line[0], line[1] = least_gap(m, w, p)
    elif task == SLOPES:
        slopes(m, w, p, laws, impact, carray(floats_at(out), (6, 6)), carray(floats_at(more), (6, 6)))
    else:
        report = carray(floats_at(out), (REPORT_COLUMNS,))
        push(m, w, p, laws, impact, line, report, True)
        report[REPORT_PENETRATION] = -least_gap(m, w, p)[0]


@callable_from_c(void(int64, int64, float64, int64, int64, int64))
def surfaces(table, task, impact, motion, out, more):
    """Answer a task for the motion at an address, a joint's line of `local`, into the array at another one."""
    answer(carray(integers_at(table), (1000,)), task, impact, motion, out, more)
