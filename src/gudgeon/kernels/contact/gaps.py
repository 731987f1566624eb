"""The gap of every joint with clearance, and its rate.

A joint is in flight or touching (`Work.contact`). Its gap is g = δ in flight and −δ while touching, δ = e − free path,
or the largest penetration of the points of surfaces.
"""

from __future__ import annotations

from math import inf, isfinite

from numba import int64, void

from gudgeon.kernels.build.calls import call
from gudgeon.kernels.build.compiled import addressed, entrance, inlined
from gudgeon.kernels.build.records import MATRIX, VECTOR
from gudgeon.kernels.dynamics.arrays import (
    CLEARANCE,
    CONTACT_CALL,
    DEPTH,
    DEPTH_RATE,
    FILM_CALL,
    FLIGHT,
    GAP_FUNCTION,
    GRAZING,
    MODE,
    MODEL,
    NORMAL,
    POSE_FUNCTION,
    WORK,
)
from gudgeon.kernels.dynamics.engine import kinematics, law_force, local_motion
from gudgeon.kernels.integrators.run import (
    FLIGHT_RECORD,
    GAP,
    GAP_RATE,
    LOOK_FORCE,
)

RELEASE = 1e-6  # gap that ends grazing, of the clearance


@inlined
def watched(m, k):
    """Has compliant joint k events at all?"""
    return isfinite(m.compliant_vector[k, CLEARANCE])


@inlined
def any_watched(m):
    """Has any joint events?"""
    for k in range(m.compliant.shape[0]):
        if watched(m, k):
            return True
    return False


@inlined
def any_touches(m, w):
    """Does any joint touch?"""
    for k in range(m.compliant.shape[0]):
        if w.contact[k, MODE] != FLIGHT:
            return True
    return False


@inlined
def film_ends(m, k):
    """Is the event of joint k the end of a film that nothing takes over?"""
    return m.compliant[k, FILM_CALL] != 0 and m.compliant[k, CONTACT_CALL] == 0


@inlined
def depth_in(m, w, k, a):
    """How deep the contact of joint k is, and its rate, for the motion in line a of `local`."""
    trial = m.compliant.shape[0]
    call(m.compliant[k, GAP_FUNCTION], (m, w, k, a, trial))
    return w.force[trial, DEPTH], w.force[trial, DEPTH_RATE]


@inlined
def gap_of(m, w, k):
    """The gap of joint k and its rate, for the motion in line k of `local`."""
    delta, rate = depth_in(m, w, k, k)
    if w.contact[k, MODE] == FLIGHT:
        return delta, rate
    if w.contact[k, MODE] == GRAZING:
        delta += RELEASE * m.compliant_vector[k, CLEARANCE]
    return -delta, -rate


@inlined
def look_at_contact(m, w, k, y, look):
    """Gap, its rate, pose and normal force of joint k at the state y, whose kinematics `w` holds, into a look."""
    local_motion(m, w, k, y)
    look[GAP], look[GAP_RATE] = gap_of(m, w, k)
    look[LOOK_FORCE] = 0.0
    if w.contact[k, MODE] == FLIGHT:
        call(m.compliant[k, POSE_FUNCTION], (m, w, k, look))
    else:
        law_force(m, w, k, k, k)
        look[LOOK_FORCE] = w.force[k, NORMAL]


@addressed(void(MODEL, WORK, FLIGHT_RECORD, VECTOR, int64))
def gaps_of_joints(m, w, f, y, line):
    """Gaps, rates, poses and normal forces of all watched joints at the state y, into a line of `looks`."""
    kinematics(m, w, y)
    for k in range(m.compliant.shape[0]):
        if watched(m, k):
            look_at_contact(m, w, k, y, f.looks[line, k])


@entrance(void(MODEL, WORK, VECTOR, MATRIX))
def depths_at(m, w, y, out):
    """How deep the contact of every joint is at the state y, and its rate; −inf where it has none."""
    kinematics(m, w, y)
    for k in range(m.compliant.shape[0]):
        out[k, 0], out[k, 1] = -inf, 0.0
        if m.compliant[k, GAP_FUNCTION] != 0:
            local_motion(m, w, k, y)
            out[k, 0], out[k, 1] = depth_in(m, w, k, k)
