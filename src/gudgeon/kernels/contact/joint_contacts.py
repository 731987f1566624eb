"""When compliant joints touch in nonsmooth steps: their modes at the begin, and what is remembered of a contact."""

from __future__ import annotations

from math import nan

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.contact.contact_speeds import follows_speed, write_speeds
from gudgeon.kernels.contact.gaps import depth_in, film_ends, watched
from gudgeon.kernels.contact.lost_balls import is_lost
from gudgeon.kernels.contact.modes import write_contact
from gudgeon.kernels.contact.rub_contact import (
    rubs,
    same_rub_modes,
)
from gudgeon.kernels.dynamics.arrays import (
    BEGIN,
    FLIGHT,
    GAP_FUNCTION,
    HARD_CONTACT,
    IMPACT_SPEED,
    MODE,
    ONSET_SPEED,
    PEAK,
    TOUCHING,
    WORK_BEGIN,
    WORK_STATE,
)
from gudgeon.kernels.dynamics.engine import kinematics, local_motion
from gudgeon.kernels.integrators.run import GREW, TIME
from gudgeon.kernels.integrators.stepper_arrays import (
    BALL_SLID,
    BALL_SLIDES,
    BRIEFEST,
    BRIEFEST_JOINT,
)

RESOLVED = 0.3  # relative difference of normal forces up to which a step and its halves are one motion


@inlined
def may_touch(m, k):
    """Has compliant joint k a wall that it can touch?"""
    return m.compliant[k, GAP_FUNCTION] != 0 and not film_ends(m, k)


@inlined
def recall_joints(m, w, p):
    """Modes and δ̇⁽⁻⁾ as they were at the begin of the step."""
    for k in range(m.compliant.shape[0]):
        w.contact[k, MODE], w.contact[k, IMPACT_SPEED] = p.joint_mode[k, 0], p.joint_mode[k, 1]
        p.ball[k, BALL_SLIDES] = p.ball[k, BALL_SLID + 3]


@inlined
def note_pushes(m, p, part):
    """Which joints are pushed by their walls at the end of a part of the step, and how hard."""
    for k in range(m.compliant.shape[0]):
        p.pushed[k, part], p.ball[k, BALL_SLID + part] = p.power[k, 1], p.ball[k, BALL_SLIDES]


@inlined
def same_joint_modes(m, p):
    """Has no joint met or left its wall within the step, and does the step resolve its force?"""
    for k in range(m.compliant.shape[0]):
        if may_touch(m, k):
            touched = p.touching[k] > 0
            for part in range(3):
                if (p.pushed[k, part] > 0.0) != touched:
                    return False
                if touched and p.ball[k, BALL_SLID + part] != p.ball[k, BALL_SLID + 3]:
                    return False
            if abs(p.pushed[k, 0] - p.pushed[k, 2]) > RESOLVED * max(p.pushed[k, 0], p.pushed[k, 2]):
                return False
    return same_rub_modes(m, p, BALL_SLID)


@called
def closed_film(m, w, y, h):
    """The joint whose film ends within h from the state y, and which no contact takes over; −1: none."""
    kinematics(m, w, y)
    for k in range(m.compliant.shape[0]):
        if film_ends(m, k):
            local_motion(m, w, k, y)
            depth, rate = depth_in(m, w, k, k)
            if depth + h * max(rate, 0.0) >= 0.0:
                return k
    return -1


@called
def record_contacts(m, w, f, p, t):
    """Begin, go on with or end the contacts of joints after a step that ends at t; the joint that is lost, or −1."""
    kinematics(m, w, f.y_new)
    lost = -1
    for k in range(m.compliant.shape[0]):
        if rubs(m, k):
            p.ball[k, BALL_SLID + 3] = p.ball[k, BALL_SLIDES]
        if not watched(m, k):
            continue
        local_motion(m, w, k, f.y_new)
        if is_lost(m, w, k):
            lost = k
        if not may_touch(m, k):
            continue
        depth, rate = depth_in(m, w, k, k)
        inside, force = depth > 0.0, max(p.pushed[k, 1], p.pushed[k, 2])
        p.ball[k, BALL_SLID + 3] = p.ball[k, BALL_SLIDES]
        if m.compliant[k, HARD_CONTACT]:
            inside = w.contact[k, MODE] != FLIGHT
        if p.joint_mode[k, 0] != FLIGHT:
            w.contact[k, IMPACT_SPEED] = p.joint_mode[k, 1]
        elif w.contact[k, MODE] == FLIGHT and inside:  # by extrapolation
            w.contact[k, IMPACT_SPEED] = max(rate, 0.0)
        if inside or force > 0.0:
            if p.touching[k] == 0:
                w.contact[k, BEGIN], w.contact[k, PEAK] = f.clock[TIME], 0.0
                w.contact[k, ONSET_SPEED] = w.contact[k, IMPACT_SPEED]
                w.contact[k, WORK_BEGIN] = f.y[m.compliant[k, WORK_STATE]]
            p.touching[k] += 1
            w.contact[k, PEAK] = nan if m.compliant[k, HARD_CONTACT] else max(w.contact[k, PEAK], force)
        if inside:
            w.contact[k, MODE] = TOUCHING
            if follows_speed(m, k) and rate > w.contact[k, IMPACT_SPEED]:
                w.contact[k, IMPACT_SPEED], f.count[GREW] = rate, 1
        else:
            if p.touching[k] > 0:
                write_contact(m, w, f, k, t, f.y_new)
                brief = p.count[BRIEFEST] == 0 or p.touching[k] < p.count[BRIEFEST]
                if brief and not m.compliant[k, HARD_CONTACT]:
                    p.count[BRIEFEST], p.count[BRIEFEST_JOINT] = p.touching[k], k
                p.touching[k] = 0
            w.contact[k, MODE] = FLIGHT
        p.joint_mode[k, 0], p.joint_mode[k, 1] = w.contact[k, MODE], w.contact[k, IMPACT_SPEED]
    if f.count[GREW]:
        write_speeds(m, w, f, t)
        f.count[GREW] = 0
    return lost
